//===- Library.h - What a compiled model's C interface does -----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of a library of model-compile that is the same for all models. It is
// compiled to bitcode when Modelwright is built, and linked into each library.
// The structs are built by lib/Target/CPU/Library/LibraryModule.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_RUNTIME_LIBRARY_LIBRARY_H
#define MODELWRIGHT_LIB_RUNTIME_LIBRARY_LIBRARY_H

#include <stdint.h>

// What mw_library_init returns; the header that is written for each library
// says what they mean. Numbers of failed checks are positive.
enum {
  MW_GOOD = 0,
  MW_BAD_ARENA = -1,
  MW_NOT_INITIALIZED = -2,
  MW_BAD_WEIGHTS = -3,
  MW_BAD_CPU = -4,
  MW_BAD_VERSION = -5,
};

// A library. `id` tells it from others; `features` are those of CPUFeatures.def
// that each version of the code needs, the version to be preferred last.
struct mw_library {
  uint64_t id;
  uint64_t arena_size;
  uint64_t weights_size; // of the side file, 0 if there is none
  uint64_t version_count;
  const uint64_t *features;
  // Of the messages of codes -5, -4 ... : where each starts in `messages`.
  const uint32_t *message_offsets;
  uint64_t message_count;
  const char *messages;
};

// The first 64 bytes of an arena.
struct mw_arena {
  uint64_t id;
  const char *weights;
  uint64_t version;
};

// The set of CPUFeatures.def that the CPU and its operating system support.
uint64_t mw_cpu_features(void);

int32_t mw_library_init(const struct mw_library *library, void *arena,
                        uint64_t size, const void *weights,
                        uint64_t weights_size);
int32_t mw_library_set_version(const struct mw_library *library, void *arena,
                               int32_t version);
int32_t mw_library_version(const struct mw_library *library, const void *arena);
const char *mw_library_message(const struct mw_library *library, int32_t code);

#endif // MODELWRIGHT_LIB_RUNTIME_LIBRARY_LIBRARY_H
