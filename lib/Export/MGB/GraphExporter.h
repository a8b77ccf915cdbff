//===- GraphExporter.h - Export of one graph --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_EXPORT_MGB_GRAPHEXPORTER_H
#define MODELWRIGHT_LIB_EXPORT_MGB_GRAPHEXPORTER_H

#include "OprExporter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Export/MGB/Export.h"
#include "llvm/ADT/StringSet.h"

namespace modelwright::mgb {

using ByteStorage = std::vector<std::unique_ptr<std::vector<uint8_t>>>;

/// Walks the ops of one function in order and makes a graph.
class GraphExporter {
public:
  GraphExporter(mlir::func::FuncOp func, const MGBExportOptions &options,
                ByteStorage &storage)
      : func(func), options(options), storage(storage) {}

  /// Fills `graph`; fails after a diagnostic for every op that cannot be
  /// expressed.
  llvm::LogicalResult run(Graph &graph);

private:
  llvm::LogicalResult readGraphAttrs();
  void placeInputs();
  llvm::LogicalResult exportOp(mlir::Operation *op);
  llvm::LogicalResult exportInput(mlir::BlockArgument argument);
  llvm::LogicalResult exportHolder(llvm::ArrayRef<mlir::Operation *> constants);
  llvm::LogicalResult exportConstant(mlir::Operation *op);
  llvm::LogicalResult exportForeign(mlir::Operation *op, OprExporter &exporter);
  llvm::LogicalResult exportOutputs(mlir::Operation *terminator);
  void nameOutputs(const llvm::DenseMap<uint32_t, llvm::StringRef> &names);

  /// The tensor record of a constant, variable or argument. `record` is its
  /// mgb.tensor dictionary, or null.
  llvm::LogicalResult fillTensor(Tensor &tensor, mlir::Type type,
                                 mlir::ElementsAttr value,
                                 mlir::DictionaryAttr record,
                                 mlir::Location loc);
  /// Sets everything the mgb.* attributes say of any operator. `lookup` gives
  /// an attribute by name.
  llvm::LogicalResult
  fillCommon(Operator &opr, mlir::Location loc,
             llvm::function_ref<mlir::Attribute(llvm::StringRef)> lookup,
             size_t numVars);
  /// Names an operator that has no name of its own by what the file of another
  /// format called it.
  void nameNode(Operator &opr, mlir::Operation *op);
  /// Numbers the vars of a finished operator and records their names. Names
  /// that do not fit the vars any more are dropped.
  llvm::LogicalResult defineVars(Operator &opr,
                                 llvm::ArrayRef<mlir::Value> values,
                                 mlir::ArrayAttr names, mlir::ArrayAttr middles,
                                 mlir::Location loc);
  llvm::LogicalResult setInputs(Operator &opr, mlir::ValueRange values,
                                mlir::Location loc);
  void exportDueInputs();
  /// Moves a tensor's format into a V1 blob of its operator.
  void addFormatBlob(Operator &opr, Tensor &tensor);

  mlir::func::FuncOp func;
  const MGBExportOptions &options;
  ByteStorage &storage;
  Graph *graph = nullptr;
  std::optional<FormatNumbering> formats;

  llvm::DenseMap<mlir::Operation *, llvm::StringRef> nodeNames;
  llvm::DenseMap<mlir::Value, uint32_t> varIds;
  /// Arguments by the position they had in the file, and the next to place.
  llvm::SmallVector<std::pair<int64_t, mlir::BlockArgument>> inputs;
  llvm::SmallVector<bool> inputDone;
  llvm::StringSet<> inputNames;
  size_t nextInput = 0;
  bool failedAny = false;
  std::optional<CompNode> usualCompNode;
  /// Constants of each holder, in order; emitted at the first one.
  llvm::DenseMap<int64_t, llvm::SmallVector<mlir::Operation *>> holders;
  uint32_t sharedTensors = 0;
  uint32_t numVars = 0;
};

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_EXPORT_MGB_GRAPHEXPORTER_H
