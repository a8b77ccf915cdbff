/*===- run_model.c - A program around a compiled model --------------------===*\
|*
|* Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Runs a model on raw files. Made with
|*
|*   model-compile net.mge -o libnet.a --emit-header=net.h
|*   cc -I. run_model.c libnet.a -lm -o run_model
|*
|* it is run as
|*
|*   run_model INPUT... OUTPUT...
|*
|* with as many files as the model has inputs and outputs, in its order.
|*
\*===----------------------------------------------------------------------===*/

#include "net.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory that is aligned as an arena is to be; never freed here. */
static void *allocate(size_t size) {
  char *memory = malloc(size + NET_ALIGNMENT);
  if (!memory) {
    fprintf(stderr, "no memory\n");
    exit(1);
  }
  return memory + (NET_ALIGNMENT - (size_t)memory % NET_ALIGNMENT);
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

int main(int argc, char **argv) {
  const void *inputs[NET_INPUT_COUNT + 1];
  void *outputs[NET_OUTPUT_COUNT + 1];
  void *arena = allocate(NET_ARENA_SIZE);
  int i, code;
  if (argc != 1 + NET_INPUT_COUNT + NET_OUTPUT_COUNT)
    fail("usage", "run_model INPUT... OUTPUT...");
  for (i = 0; i < NET_INPUT_COUNT; ++i) {
    const char *path = argv[1 + i];
    void *data = allocate(net_inputs[i].bytes);
    FILE *file = fopen(path, "rb");
    if (!file ||
        fread(data, 1, net_inputs[i].bytes, file) != net_inputs[i].bytes)
      fail(path, "cannot be read, or is shorter than the input");
    fclose(file);
    inputs[i] = data;
  }
  for (i = 0; i < NET_OUTPUT_COUNT; ++i)
    outputs[i] = allocate(net_outputs[i].bytes);

  code = net_init(arena, NET_ARENA_SIZE);
  if (code == NET_GOOD)
    code = net_run(inputs, outputs, arena);
  if (code != NET_GOOD) {
    fprintf(stderr, "error %d: %s\n", code, net_message(code));
    return 1;
  }

  for (i = 0; i < NET_OUTPUT_COUNT; ++i) {
    const char *path = argv[1 + NET_INPUT_COUNT + i];
    FILE *file = fopen(path, "wb");
    if (!file ||
        fwrite(outputs[i], 1, net_outputs[i].bytes, file) !=
            net_outputs[i].bytes ||
        fclose(file) != 0)
      fail(path, "cannot be written");
    printf("%s: %lu bytes\n", net_outputs[i].name,
           (unsigned long)net_outputs[i].bytes);
  }
  return 0;
}
