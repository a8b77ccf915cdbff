//===- NNCallOps.h - Control flow by functions ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_H
#define MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_H

#include "mlir/IR/SymbolTable.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNCallOps.h.inc"

namespace modelwright::nn {

/// The functions that an op of this family may call, in the order of the
/// formats (then before else, condition before body); empty for other ops.
llvm::SmallVector<mlir::FlatSymbolRefAttr> getCallees(mlir::Operation *op);

/// Whether a value of one type may be passed as one of the other: they agree in
/// what both know.
bool areCompatibleTypes(mlir::Type a, mlir::Type b);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_H
