//===- Units.h - Functions that threads can share ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_UNITS_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_UNITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace modelwright::cpu {

/// Marks a function, all of whose arguments are there but that its last three
/// are the thread and the range of units, as one of `count` units; see
/// kUnitsAttr. What they cost is counted in its loops.
void setUnits(mlir::func::FuncOp function, int64_t count);

/// Calls such a function in front of `op`, for all of its units.
void emitUnitsCall(mlir::Operation *op, mlir::func::FuncOp function,
                   mlir::ValueRange arguments);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_UNITS_H
