//===- DecomposeResize.h - Resizes as indexing ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TRANSFORMS_DECOMPOSERESIZE_H
#define MODELWRIGHT_LIB_TRANSFORMS_DECOMPOSERESIZE_H

#include "modelwright/Dialect/NN/IR/NNImageOps.h"

namespace modelwright {

/// Whether MegEngine's Resize samples where `op` does.
bool isMGBResize(nn::Resize2DOp op);

/// Makes indexing and, for linear resizes, elementwise ops of a resize of
/// static shape, and erases it. Returns the op that takes its place; null,
/// having changed nothing, if it cannot be decomposed.
mlir::Operation *decomposeResize(nn::Resize2DOp op);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TRANSFORMS_DECOMPOSERESIZE_H
