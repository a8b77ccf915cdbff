//===- ExportControl.cpp - Ops that call graphs ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ControlOps.h"
#include "modelwright/Interop/GE/MessageAttr.h"
#include "modelwright/Interop/GE/OpVersions.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Whether what an op came from calls that many graphs, in its own way.
static bool callsGraphs(const proto::OpDef &def, size_t count) {
  return isControlType(def.type()) && getGraphNames(def).size() == count;
}

SmallVector<bool> modelwright::ge::getHeldGraphs(Operation *op) {
  // Made ops hold theirs.
  SmallVector<bool> held(nn::getCallees(op).size(), true);
  auto dict = op->getAttrOfType<DictionaryAttr>(attr::kOp);
  if (!dict)
    return held;
  // The export of the op reports what is wrong with it.
  ScopedDiagnosticHandler silent(op->getContext(),
                                 [](Diagnostic &) { return success(); });
  File scratch;
  proto::OpDef def;
  if (failed(fromAttr(dict, def, scratch, [&] { return op->emitError(); })) ||
      !callsGraphs(def, held.size()))
    return held;
  for (auto [k, name] : llvm::enumerate(getGraphNames(def)))
    held[k] = findGraphAttr(def, k, name) != nullptr;
  return held;
}

/// The name that a graph has in the file, or is to have.
static std::string getGraphName(func::FuncOp func) {
  if (auto dict = func->getAttrOfType<DictionaryAttr>(attr::kGraph))
    if (auto name = dict.getAs<StringAttr>("name"))
      return name.str();
  return func.getName().str();
}

static StringRef getType(Operation *op) {
  if (isa<nn::IfOp>(op))
    return "If";
  if (isa<nn::CaseOp>(op))
    return "Case";
  return isa<nn::WhileOp>(op) ? "While" : "PartitionedCall";
}

LogicalResult GraphExporter::exportControl(Operation *op) {
  std::unique_ptr<proto::OpDef> def = getSource(op);
  if (op->hasAttr(attr::kOp) && !def)
    return failure();
  if (depth >= kMaxGraphDepth)
    return emitError(op) << "graphs call each other deeper than "
                         << kMaxGraphDepth << " levels";
  SmallVector<func::FuncOp> callees;
  SmallVector<std::string> graphNames;
  for (FlatSymbolRefAttr symbol : nn::getCallees(op)) {
    auto callee =
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
    if (!callee || callee.isExternal())
      return emitError(op) << symbol << " is no graph";
    callees.push_back(callee);
    graphNames.push_back(getGraphName(callee));
  }

  SmallVector<proto::AttrDef *> places;
  bool isOwn = def && callsGraphs(*def, callees.size());
  if (isOwn) {
    if (failed(fillInputs(op, *def)))
      return failure();
    // As it was: the graphs within, or beside and under their names.
    SmallVector<std::string> ownNames = getGraphNames(*def);
    for (auto [k, name] : llvm::enumerate(ownNames)) {
      places.push_back(findGraphAttr(*def, k, name));
      if (!places.back() && name != graphNames[k])
        return emitError(op) << "calls graph '" << graphNames[k]
                             << "', but names '" << name << "'";
    }
  } else {
    changed = true;
    def = std::make_unique<proto::OpDef>();
    OpExporter exporter(op, *def, facts, shapeValues);
    exporter.setType(getType(op));
    for (Value operand : op->getOperands())
      exporter.addInput(operand);
    if (!names.contains(op))
      names[op] = getUniqueName(op->getName().stripDialect());
    def->set_name(names[op]);
    if (failed(connect(exporter, op, *def, nullptr)))
      return failure();
    // Two graphs of one name would be one; those of an op are its own.
    for (auto [k, name] : llvm::enumerate(graphNames))
      name = names[op] + "_" + std::to_string(k);
    places = makeGraphAttrs(*def, graphNames);
    int64_t target = getVersion();
    if (target != 0)
      getAttr(*def->mutable_attr(), "version").set_i(target);
    // Adding attributes moves none of the others, which are found by pointers.
  }
  for (auto [callee, place, name] :
       llvm::zip_equal(callees, places, graphNames)) {
    if (!place)
      continue;
    GraphExporter nested(callee, file, facts, weights, storage, changed,
                         depth + 1);
    proto::GraphDef &graph = *place->mutable_g();
    graph.Clear();
    if (failed(nested.run(graph)))
      return failure();
    if (!isOwn)
      graph.set_name(name);
  }
  bind(op->getResults(), names[op]);
  addEntry(op, std::move(def));
  return success();
}
