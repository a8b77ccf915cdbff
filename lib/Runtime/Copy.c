//===- Copy.c - Copies between strided arrays -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Runtime/Runtime.h"

#include <stddef.h>

// What MLIR's lowering to LLVM makes of a ranked memref: after these fields
// come `rank` sizes and `rank` strides, in elements.
struct memref {
  char *allocated;
  char *aligned;
  int64_t offset;
  int64_t sizes_and_strides[];
};

// Copies the elements of the outer `rank` dims, `block` bytes for each.
static void copy_dims(char *to, const char *from, const int64_t *sizes,
                      const int64_t *to_strides, const int64_t *from_strides,
                      int64_t rank, int64_t size, int64_t block) {
  if (rank == 0) {
    __builtin_memcpy(to, from, (size_t)block);
    return;
  }
  for (int64_t i = 0; i < sizes[0]; ++i)
    copy_dims(to + i * to_strides[0] * size, from + i * from_strides[0] * size,
              sizes + 1, to_strides + 1, from_strides + 1, rank - 1, size,
              block);
}

void memrefCopy(int64_t size, struct mw_unranked_memref *source,
                struct mw_unranked_memref *target) {
  int64_t rank = source->rank;
  const struct memref *from = (const struct memref *)source->descriptor;
  const struct memref *to = (const struct memref *)target->descriptor;
  const int64_t *sizes = from->sizes_and_strides;
  const int64_t *from_strides = sizes + rank;
  const int64_t *to_strides = to->sizes_and_strides + rank;
  for (int64_t i = 0; i < rank; ++i)
    if (sizes[i] == 0)
      return;
  // Inner dims that lie densely in both are copied at once.
  int64_t dense = 1, outer = rank;
  while (outer > 0 && from_strides[outer - 1] == dense &&
         to_strides[outer - 1] == dense)
    dense *= sizes[--outer];
  copy_dims(to->aligned + to->offset * size,
            from->aligned + from->offset * size, sizes, to_strides,
            from_strides, outer, size, dense * size);
}
