//===- Library.c - What a compiled model's C interface does ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Library.h"

#include <stddef.h>

enum { ALIGNMENT = 64, FIRST_CODE = MW_BAD_VERSION };

// What a weights file starts with, before the library's id.
#define WEIGHTS_MAGIC 0x544847494557574dull // "MWWEIGHT", little endian

static int is_aligned(const void *pointer) {
  return pointer && (uintptr_t)pointer % ALIGNMENT == 0;
}

static int is_initialized(const struct mw_library *library, const void *arena) {
  return is_aligned(arena) &&
         ((const struct mw_arena *)arena)->id == library->id;
}

static int is_supported(const struct mw_library *library, uint64_t version,
                        uint64_t features) {
  return (library->features[version] & ~features) == 0;
}

int32_t mw_library_init(const struct mw_library *library, void *arena,
                        uint64_t size, const void *weights,
                        uint64_t weights_size) {
  if (!is_aligned(arena) || size < library->arena_size)
    return MW_BAD_ARENA;
  struct mw_arena *own = (struct mw_arena *)arena;
  own->id = 0;
  own->weights = NULL;
  if (library->weights_size != 0) {
    const uint64_t *words = (const uint64_t *)weights;
    if (!is_aligned(weights) || weights_size != library->weights_size ||
        words[0] != WEIGHTS_MAGIC || words[1] != library->id)
      return MW_BAD_WEIGHTS;
    own->weights = (const char *)weights + ALIGNMENT;
  }
  uint64_t features = mw_cpu_features();
  for (uint64_t version = library->version_count; version-- > 0;) {
    if (is_supported(library, version, features)) {
      own->version = version;
      own->id = library->id;
      return MW_GOOD;
    }
  }
  return MW_BAD_CPU;
}

int32_t mw_library_set_version(const struct mw_library *library, void *arena,
                               int32_t version) {
  if (!is_initialized(library, arena))
    return MW_NOT_INITIALIZED;
  if (version < 0 || (uint64_t)version >= library->version_count)
    return MW_BAD_VERSION;
  if (!is_supported(library, (uint64_t)version, mw_cpu_features()))
    return MW_BAD_CPU;
  ((struct mw_arena *)arena)->version = (uint64_t)version;
  return MW_GOOD;
}

int32_t mw_library_version(const struct mw_library *library,
                           const void *arena) {
  if (!is_initialized(library, arena))
    return MW_NOT_INITIALIZED;
  return (int32_t)((const struct mw_arena *)arena)->version;
}

const char *mw_library_message(const struct mw_library *library, int32_t code) {
  int64_t index = (int64_t)code - FIRST_CODE;
  if (index < 0 || (uint64_t)index >= library->message_count)
    return "unknown number";
  return library->messages + library->message_offsets[index];
}
