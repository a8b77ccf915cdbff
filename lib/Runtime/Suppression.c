//===- Suppression.c - Non-maximum suppression ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Runtime/Runtime.h"

static float area(const float *box) {
  return (box[2] - box[0]) * (box[3] - box[1]);
}

static float overlap(float low, float high) {
  return high > low ? high - low : 0;
}

static float max(float x, float y) { return x > y ? x : y; }
static float min(float x, float y) { return x < y ? x : y; }

// Whether the boxes have more than `threshold` of their union in common.
static int overlaps(const float *a, const float *b, float threshold) {
  float width = overlap(max(a[0], b[0]), min(a[2], b[2]));
  float height = overlap(max(a[1], b[1]), min(a[3], b[3]));
  float common = width * height;
  return common > threshold * (area(a) + area(b) - common);
}

void mw_nms_f32(intptr_t boxes, intptr_t indices, intptr_t counts,
                intptr_t batch, intptr_t size, intptr_t limit,
                float threshold) {
  for (intptr_t n = 0; n < batch; ++n) {
    const float *rows = (const float *)boxes + n * size * 4;
    int32_t *kept = (int32_t *)indices + n * limit;
    intptr_t count = 0;
    for (intptr_t i = 0; i < size && count < limit; ++i) {
      intptr_t k = 0;
      while (k < count &&
             !overlaps(rows + kept[k] * (intptr_t)4, rows + i * 4, threshold))
        ++k;
      if (k == count)
        kept[count++] = (int32_t)i;
    }
    ((int32_t *)counts)[n] = (int32_t)count;
    for (intptr_t k = count; k < limit; ++k)
      kept[k] = count == 0 ? 0 : kept[count - 1];
  }
}
