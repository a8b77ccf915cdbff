/* What a library answers to misuse, and to values that the model has no result
 * for. Its model is compile-rows.mlir; `other` is another. */
#include "other.h"
#include "rows.h"

#include <stdio.h>
#include <string.h>

#define CHECK(condition)                                                       \
  if (!(condition)) {                                                          \
    printf("line %d: not %s\n", __LINE__, #condition);                         \
    return 1;                                                                  \
  }

static char memory[ROWS_ARENA_SIZE + OTHER_ARENA_SIZE + 2 * ROWS_ALIGNMENT];

int main(void) {
  char *arena = memory + (ROWS_ALIGNMENT - (size_t)memory % ROWS_ALIGNMENT);
  float x[5][6], picked[3][6];
  int rows[3] = {4, 0, -1}, i;
  const void *inputs[ROWS_INPUT_COUNT];
  void *outputs[ROWS_OUTPUT_COUNT];
  inputs[ROWS_INPUT_X] = x;
  inputs[ROWS_INPUT_ROWS] = rows;
  outputs[ROWS_OUTPUT_PICKED] = picked;
  for (i = 0; i < 30; ++i)
    x[i / 6][i % 6] = (float)i;

  CHECK(rows_arena_size() == ROWS_ARENA_SIZE);
  CHECK(rows_init(NULL, ROWS_ARENA_SIZE) == ROWS_BAD_ARENA);
  CHECK(rows_init(arena + 8, ROWS_ARENA_SIZE) == ROWS_BAD_ARENA);
  CHECK(rows_init(arena, ROWS_ARENA_SIZE - 1) == ROWS_BAD_ARENA);
  CHECK(rows_run(inputs, outputs, NULL) == ROWS_NOT_INITIALIZED);
  CHECK(rows_run(inputs, outputs, arena) == ROWS_NOT_INITIALIZED);
  CHECK(other_init(arena, OTHER_ARENA_SIZE) == OTHER_GOOD);
  CHECK(rows_run(inputs, outputs, arena) == ROWS_NOT_INITIALIZED);
  CHECK(rows_init(arena, ROWS_ARENA_SIZE) == ROWS_GOOD);

  CHECK(rows_run(inputs, outputs, arena) == ROWS_GOOD);
  CHECK(picked[0][5] == -29 && picked[1][5] == -5 && picked[2][0] == -24);
  rows[1] = 5;
  i = rows_run(inputs, outputs, arena);
  CHECK(i == 1);
  printf("%d: %s\n", i, rows_message(i));
  rows[1] = 1;
  CHECK(rows_run(inputs, outputs, arena) == ROWS_GOOD);
  CHECK(picked[1][5] == -11);

  CHECK(strcmp(rows_message(0), "no error") == 0);
  CHECK(strcmp(rows_message(100), "unknown number") == 0);
  CHECK(strcmp(rows_message(-6), "unknown number") == 0);
  CHECK(strcmp(rows_message(ROWS_BAD_ARENA),
               "the arena is not aligned or too small") == 0);
  return 0;
}
