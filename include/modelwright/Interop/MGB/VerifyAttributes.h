//===- VerifyAttributes.h - Kinds of the mgb.* attributes -------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_MGB_VERIFYATTRIBUTES_H
#define MODELWRIGHT_INTEROP_MGB_VERIFYATTRIBUTES_H

#include "mlir/IR/BuiltinOps.h"

namespace modelwright::mgb {

/// Checks that every mgb.* attribute of a module, its functions and their ops
/// has a known name and a value of the kind and range that Attributes.h says.
/// The exporter relies on it: MLIR keeps discardable attributes of any kind.
llvm::LogicalResult verifyAttributes(mlir::ModuleOp module);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_INTEROP_MGB_VERIFYATTRIBUTES_H
