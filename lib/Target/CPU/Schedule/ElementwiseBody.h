//===- ElementwiseBody.h - Bodies of elementwise linalg ops -----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_ELEMENTWISEBODY_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_ELEMENTWISEBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace modelwright::cpu {

/// Whether the body of an elementwise op can work on vectors as it works on
/// elements, and reads nothing from outside but constants.
bool hasVectorBody(mlir::linalg::GenericOp op);

/// The one number that a constant tensor holds, or null.
mlir::TypedAttr getSplat(mlir::Value tensor);

/// The code of the body, constants from outside included, with `inputs` for its
/// arguments. Returns what it yields.
mlir::Value cloneBody(mlir::ImplicitLocOpBuilder &b, mlir::linalg::GenericOp op,
                      mlir::ValueRange inputs);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_ELEMENTWISEBODY_H
