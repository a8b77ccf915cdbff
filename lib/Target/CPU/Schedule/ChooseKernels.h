//===- ChooseKernels.h - Algorithms of convolutions -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_CHOOSEKERNELS_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_CHOOSEKERNELS_H

#include "modelwright/Target/CPU/IR/CPUOps.h"

#include <array>

namespace modelwright::cpu {

/// A dense convolution.
struct ConvShape {
  int64_t inputs, outputs; ///< Channels.
  int64_t height, width;   ///< Of the result.
  std::array<int64_t, 2> kernel, strides, dilations, pads;
};

/// The algorithms whose rounding errors are larger than those of `direct`.
struct AllowedAlgorithms {
  bool winograd = true, strassen = true;
};

/// The algorithm that computes it fastest with blocks of `lanes` channels.
Algorithm chooseAlgorithm(const ConvShape &shape, int64_t lanes,
                          const AllowedAlgorithms &allowed);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_CHOOSEKERNELS_H
