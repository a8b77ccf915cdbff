//===- GEInfo.h - What model-info says of GE files --------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_GEINFO_H
#define MODELWRIGHT_LIB_TOOLS_GEINFO_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace modelwright {

/// Whether the module was read from a GE file.
bool isFromGE(mlir::ModuleOp module);

/// Prints format, versions and partitions, a line each.
void printGEInfo(mlir::ModuleOp module, llvm::raw_ostream &os);

/// Adds the same to what --json prints.
void addGEInfo(mlir::ModuleOp module, llvm::json::Object &info);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_GEINFO_H
