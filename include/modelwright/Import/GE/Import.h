//===- Import.h - GE files to MLIR ------------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_IMPORT_GE_IMPORT_H
#define MODELWRIGHT_IMPORT_GE_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace modelwright {

/// Makes a module of the GE / HiAI model in `buffer`: `@main` and one
/// `@subgraph_K` per further graph of the model. Weights stay in the buffer,
/// which the context keeps alive. Faults are reported to the context's
/// diagnostics, located by op, all that one graph has in one run.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importGE(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
         llvm::StringRef filename, mlir::MLIRContext *context);

} // namespace modelwright

#endif // MODELWRIGHT_IMPORT_GE_IMPORT_H
