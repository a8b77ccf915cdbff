//===- Profile.c - Time of the parts of a run -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For the clock that only goes forward, which C11 has not.
// NOLINTNEXTLINE(bugprone-reserved-identifier): POSIX says so.
#define _POSIX_C_SOURCE 199309L

#include "modelwright/Runtime/Runtime.h"

#include <time.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void mw_profile_begin(intptr_t slots) { *(int64_t *)slots = now(); }

void mw_profile_end(intptr_t slots, intptr_t unit) {
  int64_t *words = (int64_t *)slots;
  int64_t time = now();
  words[1 + unit] += time - words[0];
  words[0] = time;
}
