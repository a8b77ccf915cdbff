//===- PackWeights.h - Weights as kernels read them -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_PACKWEIGHTS_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_PACKWEIGHTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>
#include <vector>

namespace modelwright::cpu {

/// Dims of a filter [OC][IC][KH][KW].
struct FilterShape {
  int64_t outputs, inputs, height, width;
};

/// Mirrors the filter in both spatial dims, in place.
void flipFilter(llvm::MutableArrayRef<float> filter, const FilterShape &shape);

/// [OC/o][IC/i][KH][KW][i][o]; surplus channels get 0.
llvm::SmallVector<int64_t> getDenseShape(const FilterShape &shape,
                                         int64_t inputBlock,
                                         int64_t outputBlock);
std::vector<float> packDense(llvm::ArrayRef<float> filter,
                             const FilterShape &shape, int64_t inputBlock,
                             int64_t outputBlock);

/// [36][OC/o][IC/i][i][o]: 3x3 windows transformed for Winograd's F(4x4, 3x3),
/// `G w G^T` with the interpolation points 0, 1, -1, 2, -2 and infinity; in
/// double precision, rounded once.
llvm::SmallVector<int64_t> getWinogradShape(const FilterShape &shape,
                                            int64_t block);
std::vector<float> packWinograd(llvm::ArrayRef<float> filter,
                                const FilterShape &shape, int64_t block);

/// [C/b][KH][KW][b] of a filter with one input channel.
llvm::SmallVector<int64_t> getDepthwiseShape(const FilterShape &shape,
                                             int64_t block);
std::vector<float> packDepthwise(llvm::ArrayRef<float> filter,
                                 const FilterShape &shape, int64_t block);

/// [ceil(N/b)][K][b] of a matrix [K][N] or, `transposed`, [N][K].
std::vector<float> packMatrix(llvm::ArrayRef<float> matrix, int64_t rows,
                              int64_t columns, bool transposed, int64_t block);

/// One number per channel, as [C/b][b].
std::vector<float> packChannels(llvm::ArrayRef<float> values, int64_t block);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_PACKWEIGHTS_H
