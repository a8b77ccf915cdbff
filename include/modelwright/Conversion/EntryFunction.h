//===- EntryFunction.h - What a model runs ----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_CONVERSION_ENTRYFUNCTION_H
#define MODELWRIGHT_CONVERSION_ENTRYFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace modelwright {

/// The function that a model runs: the first public one with a body, or null.
mlir::func::FuncOp getEntryFunction(mlir::ModuleOp module);

} // namespace modelwright

#endif // MODELWRIGHT_CONVERSION_ENTRYFUNCTION_H
