//===- GraphExporter.h - Export of one GE graph -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_EXPORT_GE_GRAPHEXPORTER_H
#define MODELWRIGHT_LIB_EXPORT_GE_GRAPHEXPORTER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Format/GE/Model.h"
#include "modelwright/Interop/GE/ContainerAttr.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/ADT/StringSet.h"

#include <deque>

namespace modelwright::ge {

/// A constant whose bytes go to WEIGHTS_DATA, and the tensor whose descriptor
/// says where they lie there.
struct StoredWeights {
  WeightsPiece piece;
  proto::TensorDef *tensor;
};

/// Makes a GraphDef of a function.
class GraphExporter {
public:
  /// `changed` is set when the graph is not the one that was read.
  GraphExporter(mlir::func::FuncOp func, File &file, const FileFacts &facts,
                std::vector<StoredWeights> &weights,
                std::deque<std::string> &storage, bool &changed,
                unsigned depth = 0)
      : func(func), file(file), facts(facts), weights(weights),
        storage(storage), changed(changed), depth(depth) {}

  /// Fills `graph`; fails after all of the function's diagnostics.
  llvm::LogicalResult run(proto::GraphDef &graph);

private:
  /// One op of the file to be.
  struct Entry {
    mlir::Operation *op = nullptr; ///< Null for a Data op.
    std::unique_ptr<proto::OpDef> def;
    /// Position in the source; ops without one follow what precedes them.
    std::pair<int64_t, int64_t> position;
    size_t sequence; ///< Breaks ties: copies of an op share a position.
  };

  mlir::InFlightDiagnostic emitError(mlir::Operation *op);
  std::string getUniqueName(llvm::StringRef wanted);
  void collectNames();
  /// Names ops that compute outputs under the names of ops that are gone.
  void giveOutputsTheirNames();
  /// The OpDef that an op came from, or null.
  std::unique_ptr<proto::OpDef> getSource(mlir::Operation *op);

  llvm::LogicalResult exportArgument(mlir::BlockArgument argument);
  llvm::LogicalResult exportConstant(nn::ConstantOp op);
  llvm::LogicalResult exportForeign(mlir::Operation *op);
  llvm::LogicalResult exportOp(mlir::Operation *op);
  llvm::LogicalResult exportReturn(mlir::Operation *op);
  /// An op that calls functions.
  llvm::LogicalResult exportControl(mlir::Operation *op);
  /// Lets the data inputs that are no holes read the operands, in order.
  llvm::LogicalResult fillInputs(mlir::Operation *op, proto::OpDef &def);
  /// Whether importing `source` here again gives `op`. If so binds its outputs.
  bool isUnchanged(mlir::Operation *op, const proto::OpDef &source);
  llvm::LogicalResult exportImplicit(mlir::Value value);
  /// Adds a Const op for an input that is none yet; returns its edge.
  llvm::FailureOr<std::string> addConstant(mlir::DenseElementsAttr value,
                                           llvm::StringRef reader, size_t k);
  /// Writes inputs, control edges and descriptors of a made op.
  llvm::LogicalResult connect(OpExporter &exporter, mlir::Operation *op,
                              proto::OpDef &def, const proto::OpDef *source);
  /// Adds the control edges of the ops that `op` took in.
  void addControlEdges(mlir::Operation *op, proto::OpDef &def);
  /// Lets edges from ops that others took in, or that have another name now,
  /// come from these; drops control edges that lead nowhere, with a warning.
  void finishEdges();
  llvm::LogicalResult exportGraphAttrs(proto::GraphDef &graph);

  void addEntry(mlir::Operation *op, std::unique_ptr<proto::OpDef> def);
  void bind(mlir::ValueRange values, llvm::StringRef name);
  /// The edge that reads a value; exports implicit ops on demand.
  llvm::FailureOr<std::string> getEdge(mlir::Value value);
  int64_t getVersion();

  mlir::func::FuncOp func;
  File &file;
  const FileFacts &facts;
  std::vector<StoredWeights> &weights;
  std::deque<std::string> &storage;
  bool &changed;
  unsigned depth;

  std::vector<Entry> entries;
  llvm::DenseMap<mlir::Operation *, std::string> names;
  llvm::StringSet<> takenNames;
  /// Names that ops had, or that ops had which they took in, and theirs now.
  llvm::StringMap<std::string> aliases;
  unsigned nrNames = 0;
  /// The edges of values, and the values of ops by name.
  llvm::DenseMap<mlir::Value, std::string> edges;
  llvm::StringMap<llvm::SmallVector<mlir::Value, 1>> outputs;
  /// Ops that could not be exported; their readers have nothing to add.
  llvm::DenseSet<mlir::Operation *> refused;
  nn::ShapeValues shapeValues;
  std::pair<int64_t, int64_t> lastPosition = {-1, 0};
  std::optional<int64_t> version;
};

/// For each graph that an op calls, whether the op holds it, rather than the
/// model.
llvm::SmallVector<bool> getHeldGraphs(mlir::Operation *op);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_EXPORT_GE_GRAPHEXPORTER_H
