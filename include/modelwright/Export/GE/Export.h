//===- Export.h - MLIR to GE files ------------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_EXPORT_GE_EXPORT_H
#define MODELWRIGHT_EXPORT_GE_EXPORT_H

#include "mlir/IR/BuiltinOps.h"

#include <optional>

namespace modelwright {

/// What is around the ModelDef.
enum class GEContainerKind { None, IMOD, Text };

struct GEExportOptions {
  /// The module's own (IMOD if it has none) when unset.
  std::optional<GEContainerKind> container;
};

/// Writes `module` as a GE model. An op that came from a GE file and was not
/// changed is written as it was read; with nothing changed the file is the
/// same, byte for byte. Everything that the format cannot express is reported
/// in one run, by op; nothing is written then.
llvm::LogicalResult exportGE(mlir::ModuleOp module, llvm::raw_ostream &os,
                             const GEExportOptions &options = {});

} // namespace modelwright

#endif // MODELWRIGHT_EXPORT_GE_EXPORT_H
