//===- GraphImporter.h - Import of one GE graph -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_IMPORT_GE_GRAPHIMPORTER_H
#define MODELWRIGHT_LIB_IMPORT_GE_GRAPHIMPORTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Format/GE/Model.h"
#include "modelwright/Interop/GE/Edges.h"
#include "modelwright/Interop/GE/OpRegistry.h"

namespace modelwright::ge {

/// Makes functions of the graphs of a model, each when it is first needed.
class ModelImporter {
public:
  ModelImporter(mlir::ModuleOp module, llvm::StringRef filename, File &file,
                const FileFacts &facts);

  /// Imports all graphs; fails after the diagnostics of each.
  llvm::LogicalResult run();

  /// Whether the model has a graph of that name.
  bool hasGraph(llvm::StringRef name) const {
    return indexOfName.contains(name);
  }
  /// The function of a graph of the model that an op calls.
  llvm::FailureOr<mlir::func::FuncOp>
  getGraph(llvm::StringRef name,
           llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
  /// The function of a graph that an op holds. The ops go out of it.
  llvm::FailureOr<mlir::func::FuncOp>
  importNested(proto::GraphDef &graph,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

private:
  enum class State : char { New, Open, Done, Failed };

  llvm::LogicalResult importGraph(size_t index);

  mlir::ModuleOp module;
  llvm::StringRef filename;
  File &file;
  const FileFacts &facts;
  llvm::StringMap<size_t> indexOfName;
  std::vector<State> states;
  std::vector<mlir::func::FuncOp> functions;
  unsigned depth = 0;
  unsigned nrNested = 0;
};

/// Puts the ops of one graph into an order and makes a function of them.
class GraphImporter {
public:
  /// `label` goes before what is said of an op; empty for the main graph.
  GraphImporter(ModelImporter &model, mlir::ModuleOp module,
                llvm::StringRef filename, const File &file,
                proto::GraphDef &graph, const FileFacts &facts,
                std::string label)
      : model(model), module(module), filename(filename), file(file),
        graph(graph), facts(facts), label(std::move(label)),
        builder(module.getContext()) {}

  /// Makes the function, which takes the ops out of the graph; fails after all
  /// of the graph's diagnostics.
  llvm::FailureOr<mlir::func::FuncOp> import(llvm::StringRef name);

private:
  mlir::Location getLoc(int index);
  mlir::InFlightDiagnostic emitError(int index);
  /// "op #42 'conv5' (Convolution): ", for the op being imported.
  std::string getDiagnosticPrefix() const;

  /// Names, edges, and an order in which producers come first.
  llvm::LogicalResult indexOps();
  llvm::LogicalResult resolveEdges();
  llvm::LogicalResult orderOps();
  void reportCycle(llvm::ArrayRef<int> path, int back);

  llvm::LogicalResult importInputs();
  llvm::LogicalResult importOp(int index);
  llvm::LogicalResult importConstant(int index);
  llvm::FailureOr<mlir::ElementsAttr>
  getConstantValue(int index, const proto::TensorDef &tensor,
                   mlir::RankedTensorType &type,
                   std::optional<int64_t> &offset);
  llvm::LogicalResult importForeign(OpImporter &importer);
  /// An op that calls graphs.
  llvm::LogicalResult importControl(OpImporter &importer);
  llvm::LogicalResult importOutputs();
  void attachOpAttrs(int index, mlir::Operation *op);
  mlir::DictionaryAttr getOpDict(int index, bool dropsData = false);
  /// The value of an edge, or null after a message at op `reader`.
  mlir::Value getValue(const Edge &edge, int reader);

  bool isData(int index) const { return graph.op(index).type() == "Data"; }
  bool isNetOutput(int index) const {
    return graph.op(index).type() == "NetOutput";
  }

  std::string describeOp(int index) const;

  ModelImporter &model;
  mlir::ModuleOp module;
  llvm::StringRef filename;
  const File &file;
  proto::GraphDef &graph;
  const FileFacts &facts;
  std::string label;
  mlir::OpBuilder builder;
  mlir::func::FuncOp func;
  nn::ShapeValues shapeValues;

  llvm::StringMap<int> indexOfName;
  /// Per op: its data inputs, then its control inputs.
  std::vector<llvm::SmallVector<Edge>> dataEdges;
  std::vector<llvm::SmallVector<Edge, 0>> controlEdges;
  std::vector<int> order;
  /// Per op that has one: the outputs that are read, but for output 0.
  llvm::DenseMap<int, llvm::SmallVector<unsigned>> readOutputs;
  /// Per op: its outputs. Empty for ops that failed.
  std::vector<llvm::SmallVector<mlir::Value, 1>> outputs;
  std::vector<bool> isPoisoned;
  int netOutput = -1;
  int current = -1;
};

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_IMPORT_GE_GRAPHIMPORTER_H
