//===- Export.h - The nn dialect to MegEngine files -------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_EXPORT_MGB_EXPORT_H
#define MODELWRIGHT_EXPORT_MGB_EXPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "modelwright/Format/MGB/Model.h"

namespace modelwright {

struct MGBExportOptions {
  /// Encoding to write; the module's own (MGBC if it has none) when unset.
  std::optional<mgb::Encoding> encoding;
};

/// Writes `module` as a MegEngine file. Everything that the format cannot
/// express is reported in one run, by op; nothing is written then.
llvm::LogicalResult exportMGB(mlir::ModuleOp module, llvm::raw_ostream &os,
                              const MGBExportOptions &options = {});

/// The first half of `exportMGB`: the neutral form of the file. Its views
/// point into the module's constants and into `storage`.
llvm::FailureOr<mgb::File>
buildMGBFile(mlir::ModuleOp module, const MGBExportOptions &options,
             std::vector<std::unique_ptr<std::vector<uint8_t>>> &storage);

} // namespace modelwright

#endif // MODELWRIGHT_EXPORT_MGB_EXPORT_H
