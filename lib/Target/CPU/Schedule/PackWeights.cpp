//===- PackWeights.cpp - Weights in the order that kernels read them ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <array>

using namespace modelwright;
using namespace modelwright::cpu;
using llvm::ArrayRef;
using llvm::SmallVector;

static int64_t countBlocks(int64_t size, int64_t block) {
  return int64_t(llvm::divideCeil(size, block));
}

void cpu::flipFilter(llvm::MutableArrayRef<float> filter,
                     const FilterShape &shape) {
  int64_t window = shape.height * shape.width;
  for (int64_t i = 0; i < shape.outputs * shape.inputs; ++i)
    std::reverse(filter.begin() + i * window,
                 filter.begin() + (i + 1) * window);
}

SmallVector<int64_t> cpu::getDenseShape(const FilterShape &shape,
                                        int64_t inputBlock,
                                        int64_t outputBlock) {
  return {countBlocks(shape.outputs, outputBlock),
          countBlocks(shape.inputs, inputBlock),
          shape.height,
          shape.width,
          inputBlock,
          outputBlock};
}

std::vector<float> cpu::packDense(ArrayRef<float> filter,
                                  const FilterShape &shape, int64_t inputBlock,
                                  int64_t outputBlock) {
  int64_t window = shape.height * shape.width;
  int64_t inputBlocks = countBlocks(shape.inputs, inputBlock);
  int64_t outputBlocks = countBlocks(shape.outputs, outputBlock);
  std::vector<float> packed(
      outputBlocks * inputBlocks * window * inputBlock * outputBlock, 0.0f);
  for (int64_t o = 0; o < shape.outputs; ++o) {
    for (int64_t i = 0; i < shape.inputs; ++i) {
      const float *from = filter.data() + (o * shape.inputs + i) * window;
      int64_t to = ((o / outputBlock) * inputBlocks + i / inputBlock) * window *
                       inputBlock * outputBlock +
                   (i % inputBlock) * outputBlock + o % outputBlock;
      for (int64_t k = 0; k < window; ++k)
        packed[to + k * inputBlock * outputBlock] = from[k];
    }
  }
  return packed;
}

SmallVector<int64_t> cpu::getWinogradShape(const FilterShape &shape,
                                           int64_t block) {
  return {36, countBlocks(shape.outputs, block),
          countBlocks(shape.inputs, block), block, block};
}

/// `G w G^T`.
static std::array<double, 36> transformWindow(const float *window) {
  static constexpr double g[6][3] = {{1.0 / 4, 0, 0},
                                     {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                                     {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                                     {1.0 / 24, 1.0 / 12, 1.0 / 6},
                                     {1.0 / 24, -1.0 / 12, 1.0 / 6},
                                     {0, 0, 1}};
  double half[6][3] = {};
  for (unsigned i = 0; i < 6; ++i)
    for (unsigned c = 0; c < 3; ++c)
      for (unsigned r = 0; r < 3; ++r)
        half[i][c] += g[i][r] * double(window[3 * r + c]);
  std::array<double, 36> result = {};
  for (unsigned i = 0; i < 6; ++i)
    for (unsigned j = 0; j < 6; ++j)
      for (unsigned c = 0; c < 3; ++c)
        result[6 * i + j] += half[i][c] * g[j][c];
  return result;
}

std::vector<float> cpu::packWinograd(ArrayRef<float> filter,
                                     const FilterShape &shape, int64_t block) {
  int64_t inputBlocks = countBlocks(shape.inputs, block);
  int64_t outputBlocks = countBlocks(shape.outputs, block);
  int64_t plane = outputBlocks * inputBlocks * block * block;
  std::vector<float> packed(36 * plane, 0.0f);
  for (int64_t o = 0; o < shape.outputs; ++o) {
    for (int64_t i = 0; i < shape.inputs; ++i) {
      std::array<double, 36> transformed =
          transformWindow(filter.data() + (o * shape.inputs + i) * 9);
      int64_t to =
          (((o / block) * inputBlocks + i / block) * block + i % block) *
              block +
          o % block;
      for (int64_t k = 0; k < 36; ++k)
        packed[to + k * plane] = static_cast<float>(transformed[k]);
    }
  }
  return packed;
}

SmallVector<int64_t> cpu::getDepthwiseShape(const FilterShape &shape,
                                            int64_t block) {
  return {countBlocks(shape.outputs, block), shape.height, shape.width, block};
}

std::vector<float> cpu::packDepthwise(ArrayRef<float> filter,
                                      const FilterShape &shape, int64_t block) {
  int64_t window = shape.height * shape.width;
  std::vector<float> packed(countBlocks(shape.outputs, block) * window * block,
                            0.0f);
  for (int64_t c = 0; c < shape.outputs; ++c)
    for (int64_t k = 0; k < window; ++k)
      packed[((c / block) * window + k) * block + c % block] =
          filter[c * window + k];
  return packed;
}

std::vector<float> cpu::packMatrix(ArrayRef<float> matrix, int64_t rows,
                                   int64_t columns, bool transposed,
                                   int64_t block) {
  std::vector<float> packed(countBlocks(columns, block) * rows * block, 0.0f);
  for (int64_t k = 0; k < rows; ++k)
    for (int64_t n = 0; n < columns; ++n)
      packed[((n / block) * rows + k) * block + n % block] =
          matrix[transposed ? n * rows + k : k * columns + n];
  return packed;
}

std::vector<float> cpu::packChannels(ArrayRef<float> values, int64_t block) {
  std::vector<float> packed(countBlocks(int64_t(values.size()), block) * block,
                            0.0f);
  llvm::copy(values, packed.begin());
  return packed;
}
