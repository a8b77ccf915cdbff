/* Weights in a file: weights.c FILE INPUT OUTPUT runs a model with them, after
 * others were refused. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                                       \
  if (!(condition)) {                                                          \
    printf("line %d: not %s\n", __LINE__, #condition);                         \
    return 1;                                                                  \
  }

static void *read_file(const char *path, size_t size) {
  void *memory;
  FILE *file = fopen(path, "rb");
  if (!file || posix_memalign(&memory, NET_ALIGNMENT, size) ||
      fread(memory, 1, size, file) != size || fgetc(file) != EOF)
    abort();
  fclose(file);
  return memory;
}

int main(int argc, char **argv) {
  char *weights = read_file(argv[1], NET_WEIGHTS_SIZE);
  const void *input = read_file(argv[2], net_inputs[0].bytes);
  void *arena, *output;
  FILE *file;
  if (posix_memalign(&arena, NET_ALIGNMENT, NET_ARENA_SIZE) ||
      posix_memalign(&output, NET_ALIGNMENT, net_outputs[0].bytes))
    return 1;
  CHECK(net_init(arena, NET_ARENA_SIZE, NULL, 0) == NET_BAD_WEIGHTS);
  CHECK(net_init(arena, NET_ARENA_SIZE, weights + 8, NET_WEIGHTS_SIZE) ==
        NET_BAD_WEIGHTS);
  CHECK(net_init(arena, NET_ARENA_SIZE, weights, NET_WEIGHTS_SIZE - 1) ==
        NET_BAD_WEIGHTS);
  weights[8] ^= 1;
  CHECK(net_init(arena, NET_ARENA_SIZE, weights, NET_WEIGHTS_SIZE) ==
        NET_BAD_WEIGHTS);
  weights[8] ^= 1;
  CHECK(net_run(&input, &output, arena) == NET_NOT_INITIALIZED);
  CHECK(net_init(arena, NET_ARENA_SIZE, weights, NET_WEIGHTS_SIZE) == 0);
  CHECK(net_run(&input, &output, arena) == 0);
  file = fopen(argv[3], "wb");
  CHECK(file &&
        fwrite(output, 1, net_outputs[0].bytes, file) == net_outputs[0].bytes &&
        fclose(file) == 0);
  return argc != 4;
}
