//===- Strassen.h - Memory of Strassen convolutions -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_STRASSEN_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_STRASSEN_H

#include "modelwright/Target/CPU/IR/CPUOps.h"

namespace modelwright::cpu {

/// The sums of quarters of its input that a Strassen convolution keeps, which
/// all threads share: [4][batch][blocks][height][width], each a vector. Blocks,
/// and height or width, are half of the input's.
struct StrassenScratch {
  int64_t batch, blocks, height, width;
  /// Whether the image is cut between two rows; else it is between columns.
  bool cutsRows;
  mlir::VectorType vector;

  static StrassenScratch get(Conv2DOp op);

  mlir::MemRefType getType() const;
  /// The vectors of one of the sums.
  int64_t getVectors() const { return batch * blocks * height * width; }
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_STRASSEN_H
