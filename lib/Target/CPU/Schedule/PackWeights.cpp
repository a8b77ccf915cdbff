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

template <typename T>
void cpu::flipFilter(llvm::MutableArrayRef<T> filter,
                     const FilterShape &shape) {
  int64_t window = shape.height * shape.width;
  for (int64_t i = 0; i < shape.outputs * shape.inputs; ++i)
    std::reverse(filter.begin() + i * window,
                 filter.begin() + (i + 1) * window);
}

template <typename T>
SmallVector<T> cpu::joinGroups(ArrayRef<T> filter, FilterShape &shape,
                               int64_t groups, int64_t together) {
  int64_t size = shape.inputs * shape.height * shape.width;
  int64_t outputs = shape.outputs / groups;
  SmallVector<T> joined(shape.outputs * together * size, T(0));
  for (int64_t o = 0; o < shape.outputs; ++o) {
    int64_t place = o / outputs % together;
    llvm::copy(filter.slice(o * size, size),
               joined.begin() + (o * together + place) * size);
  }
  shape.inputs *= together;
  return joined;
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

template <typename T>
std::vector<T> cpu::packDense(ArrayRef<T> filter, const FilterShape &shape,
                              int64_t inputBlock, int64_t outputBlock) {
  int64_t window = shape.height * shape.width;
  int64_t inputBlocks = countBlocks(shape.inputs, inputBlock);
  int64_t outputBlocks = countBlocks(shape.outputs, outputBlock);
  std::vector<T> packed(outputBlocks * inputBlocks * window * inputBlock *
                        outputBlock);
  for (int64_t o = 0; o < shape.outputs; ++o) {
    for (int64_t i = 0; i < shape.inputs; ++i) {
      const T *from = filter.data() + (o * shape.inputs + i) * window;
      int64_t to = ((o / outputBlock) * inputBlocks + i / inputBlock) * window *
                       inputBlock * outputBlock +
                   (i % inputBlock) * outputBlock + o % outputBlock;
      for (int64_t k = 0; k < window; ++k)
        packed[to + k * inputBlock * outputBlock] = from[k];
    }
  }
  return packed;
}

SmallVector<int64_t> cpu::getGroupedShape(const FilterShape &shape,
                                          int64_t inputBlock,
                                          int64_t outputBlock, int64_t group) {
  SmallVector<int64_t> dims = getDenseShape(shape, inputBlock, outputBlock);
  dims[4] /= group;
  dims[5] *= group;
  return dims;
}

template <typename T>
std::vector<T> cpu::packGrouped(ArrayRef<T> filter, const FilterShape &shape,
                                int64_t inputBlock, int64_t outputBlock,
                                int64_t together) {
  std::vector<T> dense = packDense(filter, shape, inputBlock, outputBlock);
  std::vector<T> packed(dense.size());
  // [groups of channels][c][o] as [groups][o][c].
  int64_t size = together * outputBlock;
  for (int64_t first = 0; first < int64_t(dense.size()); first += size)
    for (int64_t c = 0; c < together; ++c)
      for (int64_t o = 0; o < outputBlock; ++o)
        packed[first + o * together + c] = dense[first + c * outputBlock + o];
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

SmallVector<int64_t> cpu::getStrassenShape(const FilterShape &shape,
                                           int64_t block) {
  return {7, countBlocks(shape.outputs, block) / 2,
          countBlocks(shape.inputs, block) / 2, block, block};
}

std::vector<float> cpu::packStrassen(ArrayRef<float> filter,
                                     const FilterShape &shape, int64_t block) {
  int64_t inputs = countBlocks(shape.inputs, block) / 2 * block;
  int64_t outputs = countBlocks(shape.outputs, block) / 2 * block;
  int64_t plane = inputs * outputs;
  std::vector<float> packed(7 * plane);
  auto get = [&](int64_t i, int64_t o) {
    return i < shape.inputs && o < shape.outputs
               ? double(filter[o * shape.inputs + i])
               : 0.0;
  };
  for (int64_t o = 0; o < outputs; ++o) {
    for (int64_t i = 0; i < inputs; ++i) {
      double b11 = get(i, o), b12 = get(i, o + outputs);
      double b21 = get(i + inputs, o), b22 = get(i + inputs, o + outputs);
      double t1 = b12 - b11, t2 = b22 - t1;
      int64_t to =
          (((o / block) * (inputs / block) + i / block) * block + i % block) *
              block +
          o % block;
      for (double factor : {b11, t2, b22 - b12, b21 - t2, t1, b22, b21}) {
        packed[to] = static_cast<float>(factor);
        to += plane;
      }
    }
  }
  return packed;
}

SmallVector<int64_t> cpu::getDepthwiseShape(const FilterShape &shape,
                                            int64_t block) {
  return {countBlocks(shape.outputs, block), shape.height, shape.width, block};
}

template <typename T>
std::vector<T> cpu::packDepthwise(ArrayRef<T> filter, const FilterShape &shape,
                                  int64_t block) {
  int64_t window = shape.height * shape.width;
  std::vector<T> packed(countBlocks(shape.outputs, block) * window * block);
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

template <typename T>
std::vector<T> cpu::packChannels(ArrayRef<T> values, int64_t block) {
  std::vector<T> packed(countBlocks(int64_t(values.size()), block) * block);
  llvm::copy(values, packed.begin());
  return packed;
}

template void cpu::flipFilter(llvm::MutableArrayRef<float>,
                              const FilterShape &);
template void cpu::flipFilter(llvm::MutableArrayRef<int32_t>,
                              const FilterShape &);
template SmallVector<float> cpu::joinGroups(ArrayRef<float>, FilterShape &,
                                            int64_t, int64_t);
template SmallVector<int32_t> cpu::joinGroups(ArrayRef<int32_t>, FilterShape &,
                                              int64_t, int64_t);
template std::vector<float> cpu::packDense(ArrayRef<float>, const FilterShape &,
                                           int64_t, int64_t);
template std::vector<int32_t>
cpu::packDense(ArrayRef<int32_t>, const FilterShape &, int64_t, int64_t);
template std::vector<float> cpu::packDepthwise(ArrayRef<float>,
                                               const FilterShape &, int64_t);
template std::vector<int32_t> cpu::packDepthwise(ArrayRef<int32_t>,
                                                 const FilterShape &, int64_t);
template std::vector<float> cpu::packChannels(ArrayRef<float>, int64_t);
template std::vector<int32_t> cpu::packChannels(ArrayRef<int32_t>, int64_t);
template std::vector<float> cpu::packGrouped(ArrayRef<float>,
                                             const FilterShape &, int64_t,
                                             int64_t, int64_t);
template std::vector<int32_t> cpu::packGrouped(ArrayRef<int32_t>,
                                               const FilterShape &, int64_t,
                                               int64_t, int64_t);
