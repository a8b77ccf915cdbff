//===- Import.h - MegEngine files to the nn dialect -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_IMPORT_MGB_IMPORT_H
#define MODELWRIGHT_IMPORT_MGB_IMPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "modelwright/Format/MGB/Model.h"

namespace modelwright {

/// Makes a module of the MegEngine file in `buffer`: `@main` and one
/// `@testcase_K` per testcase graph. Weights stay in the buffer, which the
/// context keeps alive. Faults are reported to the context's diagnostics,
/// located by operator, all that one graph has in one run.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importMGB(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
          llvm::StringRef filename, mlir::MLIRContext *context);

namespace mgb {
/// How the importer takes an operator of the registry.
enum class OprSupport { Typed, Foreign };

/// Whether the importer makes a typed op of the operator called `name`.
OprSupport getImportSupport(llvm::StringRef name);

/// The nn ops that an operator becomes, for the coverage table.
llvm::ArrayRef<llvm::StringLiteral> getImportTargets(llvm::StringRef name);
} // namespace mgb

} // namespace modelwright

#endif // MODELWRIGHT_IMPORT_MGB_IMPORT_H
