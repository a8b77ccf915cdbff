//===- Winograd.h - Memory of Winograd convolutions -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_WINOGRAD_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_WINOGRAD_H

#include "modelwright/Target/CPU/IR/CPUOps.h"

namespace modelwright::cpu {

/// What a Winograd convolution keeps of one tile: transformed inputs
/// [36][input blocks][stride] and products [36][output blocks][stride], behind
/// them, each a vector.
struct WinogradScratch {
  int64_t inputBlocks, outputBlocks;
  /// Vectors from block to block: the squares of a tile, and one more where
  /// these are a power of two, which would fill few sets of a cache.
  int64_t stride;
  mlir::VectorType vector;

  /// `op` has its tile.
  static WinogradScratch get(Conv2DOp op);

  mlir::MemRefType getType() const;
  /// The first vector of the products.
  int64_t getProducts() const { return 36 * inputBlocks * stride; }
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_WINOGRAD_H
