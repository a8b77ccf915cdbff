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

/// What a thread keeps of a Winograd convolution of one tile: transformed
/// inputs [36][input blocks][stride] and products [36][output blocks][stride],
/// behind them, each a vector.
struct WinogradScratch {
  int64_t inputBlocks, outputBlocks;
  /// Vectors from block to block: the squares of a tile, and one more where
  /// these are a power of two, which would fill few sets of a cache.
  int64_t stride;
  mlir::VectorType vector;

  /// `op` has its tile.
  static WinogradScratch get(Conv2DOp op);

  /// The memory of as many threads, one behind the other.
  mlir::MemRefType getType(int64_t threads) const;
  /// The vectors of one thread.
  int64_t getVectors() const {
    return 36 * (inputBlocks + outputBlocks) * stride;
  }
  /// The first vector of the products.
  int64_t getProducts() const { return 36 * inputBlocks * stride; }
};

/// How many functions the kernel is: one per step if all of the image is one
/// tile, so that threads can share that. `op` has its tile.
unsigned countWinogradParts(Conv2DOp op);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_WINOGRAD_H
