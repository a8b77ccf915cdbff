//===- Macs.h - Multiply-accumulates of an op -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TRANSFORMS_MACS_H
#define MODELWRIGHT_TRANSFORMS_MACS_H

#include "mlir/IR/Operation.h"

namespace modelwright {

/// Elements of a ranked tensor of static shape; 0 for all else, and for more
/// than can be counted.
uint64_t countElements(mlir::Type type);

/// Multiply-accumulates of a convolution or a matrix product with static
/// shapes, the largest number if there are more; 0 for all else.
uint64_t getMacs(mlir::Operation *op);

} // namespace modelwright

#endif // MODELWRIGHT_TRANSFORMS_MACS_H
