/* versions INPUT VERSION OUTPUT: a library of several versions runs the one. */
#include "net.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  static char memory[NET_ARENA_SIZE + NET_ALIGNMENT];
  static float in[NET_SIZEOF_INPUT_DATA / sizeof(float)];
  char *arena = memory + (NET_ALIGNMENT - (size_t)memory % NET_ALIGNMENT);
  const void *input = in;
  void *output = malloc(net_outputs[0].bytes);
  FILE *file = fopen(argv[1], "rb");
  int version = atoi(argv[2]), code;
  if (argc != 4 || !file || fread(in, 1, sizeof(in), file) != sizeof(in))
    return 1;
  if (net_version(arena) != NET_NOT_INITIALIZED ||
      net_set_version(arena, 0) != NET_NOT_INITIALIZED)
    return 1;
  if (net_init(arena, NET_ARENA_SIZE))
    return 1;
  printf("best: %d\n", net_version(arena));
  if (net_set_version(arena, 2) != NET_BAD_VERSION ||
      net_set_version(arena, -1) != NET_BAD_VERSION)
    return 1;
  code = net_set_version(arena, version);
  if (code == 0)
    code = net_run(&input, &output, arena);
  if (code != 0) {
    printf("%d: %s\n", code, net_message(code));
    return 3;
  }
  if (net_version(arena) != version)
    return 1;
  file = fopen(argv[3], "wb");
  return !file ||
         fwrite(output, 1, net_outputs[0].bytes, file) !=
             net_outputs[0].bytes ||
         fclose(file) != 0;
}
