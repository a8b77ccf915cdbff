//===- PackWeights.cpp - Weights in the order that kernels read them ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackWeights.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

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

std::vector<float> cpu::packChannels(ArrayRef<float> values, int64_t block) {
  std::vector<float> packed(countBlocks(int64_t(values.size()), block) * block,
                            0.0f);
  std::copy(values.begin(), values.end(), packed.begin());
  return packed;
}
