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

// Numbers are float, or int32_t: codes without their zero point, which narrower
// integers may hold later.

/// Mirrors the filter in both spatial dims, in place.
template <typename T>
void flipFilter(llvm::MutableArrayRef<T> filter, const FilterShape &shape);

/// The filter [OC][IC/groups][KH][KW] of a grouped convolution as one of
/// `groups / together` groups, with 0 for what was in another group. `shape`,
/// whose inputs are those of a group, becomes that of the result.
template <typename T>
llvm::SmallVector<T> joinGroups(llvm::ArrayRef<T> filter, FilterShape &shape,
                                int64_t groups, int64_t together);

/// [OC/o][IC/i][KH][KW][i][o]; surplus channels get 0.
llvm::SmallVector<int64_t> getDenseShape(const FilterShape &shape,
                                         int64_t inputBlock,
                                         int64_t outputBlock);
template <typename T>
std::vector<T> packDense(llvm::ArrayRef<T> filter, const FilterShape &shape,
                         int64_t inputBlock, int64_t outputBlock);

/// [OC/o][IC/i][KH][KW][i/g][g*o]: groups of g input channels. Of a group,
/// channels lie `together` by g or less, as [g/together][o][together].
llvm::SmallVector<int64_t> getGroupedShape(const FilterShape &shape,
                                           int64_t inputBlock,
                                           int64_t outputBlock, int64_t group);
template <typename T>
std::vector<T> packGrouped(llvm::ArrayRef<T> filter, const FilterShape &shape,
                           int64_t inputBlock, int64_t outputBlock,
                           int64_t together);

/// [36][OC/o][IC/i][i][o]: 3x3 windows transformed for Winograd's F(4x4, 3x3),
/// `G w G^T` with the interpolation points 0, 1, -1, 2, -2 and infinity; in
/// double precision, rounded once.
llvm::SmallVector<int64_t> getWinogradShape(const FilterShape &shape,
                                            int64_t block);
std::vector<float> packWinograd(llvm::ArrayRef<float> filter,
                                const FilterShape &shape, int64_t block);

/// [7][OC/o/2][IC/i/2][i][o]: windows of 1x1 for Strassen's algorithm, the
/// second factors of its products (see StrassenKernel.cpp) in the order of
/// their use: B11, T2, T3, -T4, T1, B22, B21; in double precision, rounded
/// once. There is an even number of blocks of inputs and of outputs.
llvm::SmallVector<int64_t> getStrassenShape(const FilterShape &shape,
                                            int64_t block);
std::vector<float> packStrassen(llvm::ArrayRef<float> filter,
                                const FilterShape &shape, int64_t block);

/// [C/b][KH][KW][b] of a filter with one input channel.
llvm::SmallVector<int64_t> getDepthwiseShape(const FilterShape &shape,
                                             int64_t block);
template <typename T>
std::vector<T> packDepthwise(llvm::ArrayRef<T> filter, const FilterShape &shape,
                             int64_t block);

/// [ceil(N/b)][K][b] of a matrix [K][N] or, `transposed`, [N][K].
std::vector<float> packMatrix(llvm::ArrayRef<float> matrix, int64_t rows,
                              int64_t columns, bool transposed, int64_t block);

/// One number per channel, as [C/b][b].
template <typename T>
std::vector<T> packChannels(llvm::ArrayRef<T> values, int64_t block);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_PACKWEIGHTS_H
