//===- OpRegistry.h - Op types and who translates them ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both directions of a family stand in one file of lib/Interop/GE: what an
// import function reads is what the export function beside it writes.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_OPREGISTRY_H
#define MODELWRIGHT_INTEROP_GE_OPREGISTRY_H

#include "modelwright/Interop/GE/OpExporter.h"
#include "modelwright/Interop/GE/OpImporter.h"
#include "llvm/ADT/StringMap.h"

namespace modelwright::ge {

/// Imports one OpDef.
using ImportFn = llvm::LogicalResult (*)(OpImporter &);

/// Exports one nn op; fails after `refuse`.
using ExportFn = llvm::LogicalResult (*)(OpExporter &);

struct OpImport {
  /// Null for types that the walk over the graph imports itself.
  ImportFn function;
  /// Names of the ops it makes, for docs/coverage.md.
  llvm::ArrayRef<llvm::StringLiteral> targets;
};

class OpRegistry {
public:
  static const OpRegistry &get();

  /// Null for a type that stays foreign.
  const OpImport *lookupImport(llvm::StringRef type) const;
  /// Null for an op that the format has no spelling of.
  ExportFn lookupExport(llvm::StringRef opName) const;

  /// Adds the import function of some types and the nn ops it makes.
  template <typename... OpTs>
  void addImport(std::initializer_list<llvm::StringLiteral> types,
                 ImportFn function) {
    static constexpr llvm::StringLiteral targets[] = {
        OpTs::getOperationName()...};
    for (llvm::StringLiteral type : types)
      addImport(type, OpImport{function, targets});
  }

  /// Adds the export function of an nn op.
  template <typename OpT> void addExport(ExportFn function) {
    addExport(OpT::getOperationName(), function);
  }

private:
  void addImport(llvm::StringRef type, OpImport import);
  void addExport(llvm::StringRef opName, ExportFn function);

  llvm::StringMap<OpImport> imports;
  llvm::StringMap<ExportFn> exports;
};

/// Why a type without an import function has none; empty if there is nothing to
/// say of it.
llvm::StringRef getForeignReason(llvm::StringRef type);

// One per op family, in the file of that name.
void registerActivationOps(OpRegistry &registry);
void registerArithmeticOps(OpRegistry &registry);
void registerControlOps(OpRegistry &registry);
void registerConvOps(OpRegistry &registry);
void registerConvTransposeOps(OpRegistry &registry);
void registerCopyOps(OpRegistry &registry);
void registerDetectionOps(OpRegistry &registry);
void registerElementwiseOps(OpRegistry &registry);
void registerIndexOps(OpRegistry &registry);
void registerJoinOps(OpRegistry &registry);
void registerImageOps(OpRegistry &registry);
void registerLinearOps(OpRegistry &registry);
void registerMomentNormOps(OpRegistry &registry);
void registerNormOps(OpRegistry &registry);
void registerOrderOps(OpRegistry &registry);
void registerPadOps(OpRegistry &registry);
void registerPoolOps(OpRegistry &registry);
void registerRearrangeOps(OpRegistry &registry);
void registerQuantizedOps(OpRegistry &registry);
void registerReduceOps(OpRegistry &registry);
void registerResizeOps(OpRegistry &registry);
void registerShapeOps(OpRegistry &registry);
void registerSliceOps(OpRegistry &registry);
void registerVolumeOps(OpRegistry &registry);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_OPREGISTRY_H
