//===- GraphImporter.h - Import of one graph --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_IMPORT_MGB_GRAPHIMPORTER_H
#define MODELWRIGHT_LIB_IMPORT_MGB_GRAPHIMPORTER_H

#include "OprImporter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace modelwright::mgb {

/// Walks the operators of one graph in file order and makes a function.
class GraphImporter {
public:
  GraphImporter(mlir::ModuleOp module, llvm::StringRef filename,
                const Graph &graph, std::shared_ptr<llvm::MemoryBuffer> buffer)
      : module(module), filename(filename), graph(graph),
        formats(FormatNumbering::of(graph)), buffer(std::move(buffer)),
        builder(module.getContext()) {}

  /// Makes the function; fails after all of the graph's diagnostics.
  llvm::FailureOr<mlir::func::FuncOp> import(llvm::StringRef name);

  /// "opr #42 'conv5' (ConvolutionV2): ", for the operator being imported.
  std::string getDiagnosticPrefix() const;

private:
  mlir::Location getLoc(size_t index);
  void scanUses();
  llvm::LogicalResult importOpr(size_t index);
  llvm::LogicalResult importInput(size_t index);
  llvm::LogicalResult importForeign(OprImporter &importer);
  llvm::LogicalResult bindVars(OprImporter &importer);
  /// Narrows a type by what a V2 file records of the var, and returns the
  /// attribute that keeps a record which differs from the type; null if none.
  llvm::FailureOr<mlir::Attribute> reconcileMiddle(uint32_t var,
                                                   mlir::Value value);
  llvm::FailureOr<mlir::NamedAttrList> getOprAttrs(const OprImporter &importer,
                                                   bool isArgument);
  llvm::LogicalResult importOutputs();
  void attachGraphAttrs();

  mlir::ModuleOp module;
  llvm::StringRef filename;
  const Graph &graph;
  FormatNumbering formats;
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  mlir::OpBuilder builder;
  mlir::func::FuncOp func;
  nn::ShapeValues shapeValues;

  llvm::SmallVector<mlir::Value> vars;
  std::vector<bool> isUsed, isUpdated, isPoisoned;
  std::optional<CompNode> usualCompNode;
  int64_t current = -1;
};

/// Result types of an operator that stays foreign, as far as its kind tells.
llvm::SmallVector<mlir::Type>
inferForeignTypes(mlir::MLIRContext *context, const Operator &opr,
                  llvm::ArrayRef<mlir::Value> operands);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_IMPORT_MGB_GRAPHIMPORTER_H
