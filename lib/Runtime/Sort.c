//===- Sort.c - Sorting ---------------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Runtime/Runtime.h"

// Heap sort of indices: in place, never worse than O(n log n), and with the
// index as last key as good as a stable sort.
#define DEFINE_ARGSORT(suffix, type, is_nan)                                   \
  static int comes_later_##suffix(const type *row, int32_t a, int32_t b,       \
                                  int descending) {                            \
    type x = row[a], y = row[b];                                               \
    int x_nan = is_nan(x), y_nan = is_nan(y);                                  \
    if (x_nan != y_nan)                                                        \
      return x_nan;                                                            \
    if (!x_nan && x != y)                                                      \
      return descending ? x < y : x > y;                                       \
    return a > b;                                                              \
  }                                                                            \
                                                                               \
  static void sift_##suffix(const type *row, int32_t *heap, intptr_t root,     \
                            intptr_t size, int descending) {                   \
    int32_t moved = heap[root];                                                \
    while (2 * root + 1 < size) {                                              \
      intptr_t child = 2 * root + 1;                                           \
      if (child + 1 < size &&                                                  \
          comes_later_##suffix(row, heap[child + 1], heap[child], descending)) \
        ++child;                                                               \
      if (!comes_later_##suffix(row, heap[child], moved, descending))          \
        break;                                                                 \
      heap[root] = heap[child];                                                \
      root = child;                                                            \
    }                                                                          \
    heap[root] = moved;                                                        \
  }                                                                            \
                                                                               \
  void mw_argsort_##suffix(intptr_t input, intptr_t values, intptr_t indices,  \
                           intptr_t rows, intptr_t length,                     \
                           intptr_t descending) {                              \
    for (intptr_t r = 0; r < rows; ++r) {                                      \
      const type *row = (const type *)input + r * length;                      \
      type *sorted = (type *)values + r * length;                              \
      int32_t *heap = (int32_t *)indices + r * length;                         \
      for (intptr_t i = 0; i < length; ++i)                                    \
        heap[i] = (int32_t)i;                                                  \
      for (intptr_t i = length / 2; i-- > 0;)                                  \
        sift_##suffix(row, heap, i, length, descending != 0);                  \
      for (intptr_t end = length - 1; end > 0; --end) {                        \
        int32_t last = heap[0];                                                \
        heap[0] = heap[end];                                                   \
        heap[end] = last;                                                      \
        sift_##suffix(row, heap, 0, end, descending != 0);                     \
      }                                                                        \
      for (intptr_t i = 0; i < length; ++i)                                    \
        sorted[i] = row[heap[i]];                                              \
    }                                                                          \
  }

#define IS_NAN(x) ((x) != (x))
#define NEVER(x) 0

DEFINE_ARGSORT(f32, float, IS_NAN)
DEFINE_ARGSORT(f64, double, IS_NAN)
DEFINE_ARGSORT(i32, int32_t, NEVER)
DEFINE_ARGSORT(i64, int64_t, NEVER)
