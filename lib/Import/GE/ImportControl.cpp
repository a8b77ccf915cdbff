//===- ImportControl.cpp - Ops that call graphs ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ControlOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

ModelImporter::ModelImporter(ModuleOp module, StringRef filename, File &file,
                             const FileFacts &facts)
    : module(module), filename(filename), file(file), facts(facts) {
  size_t count = file.model->graph_size();
  states.assign(count, State::New);
  functions.resize(count);
  // Of graphs of one name the first is meant.
  for (size_t k = 0; k < count; ++k)
    indexOfName.try_emplace(file.model->graph(static_cast<int>(k)).name(), k);
}

LogicalResult ModelImporter::run() {
  bool ok = true;
  for (size_t k = 0; k < states.size(); ++k) {
    // A call may have imported it.
    ok &= states[k] == State::New ? succeeded(importGraph(k))
                                  : states[k] == State::Done;
  }
  if (!ok)
    return failure();
  // Calls made functions out of turn.
  for (size_t k = states.size(); k-- > 0;)
    functions[k]->moveBefore(&module.getBody()->front());
  return success();
}

/// What goes before messages about ops of another graph than the main one.
static std::string getLabel(const proto::GraphDef &graph) {
  std::string label;
  llvm::raw_string_ostream os(label);
  os << "graph '";
  os.write_escaped(graph.name()) << "': ";
  return label;
}

LogicalResult ModelImporter::importGraph(size_t index) {
  states[index] = State::Open;
  ++depth;
  proto::GraphDef &graph = *file.model->mutable_graph(static_cast<int>(index));
  GraphImporter importer(*this, module, filename, file, graph, facts,
                         index == 0 ? std::string() : getLabel(graph));
  FailureOr<func::FuncOp> func = importer.import(
      index == 0 ? "main" : "subgraph_" + std::to_string(index));
  --depth;
  states[index] = succeeded(func) ? State::Done : State::Failed;
  if (failed(func))
    return failure();
  functions[index] = *func;
  if (index != 0)
    func->setPrivate();
  return success();
}

FailureOr<func::FuncOp>
ModelImporter::getGraph(StringRef name,
                        llvm::function_ref<InFlightDiagnostic()> emitError) {
  size_t index = indexOfName.lookup(name);
  if (states[index] == State::Open)
    return emitError() << "graph '" << name << "' calls itself";
  if (depth >= kMaxGraphDepth)
    return emitError() << "graphs call each other deeper than "
                       << kMaxGraphDepth << " levels";
  if (states[index] == State::New && failed(importGraph(index)))
    return failure();
  // It has said why.
  if (states[index] == State::Failed)
    return failure();
  return functions[index];
}

FailureOr<func::FuncOp> ModelImporter::importNested(
    proto::GraphDef &graph,
    llvm::function_ref<InFlightDiagnostic()> emitError) {
  if (depth >= kMaxGraphDepth)
    return emitError() << "graphs are nested deeper than " << kMaxGraphDepth
                       << " levels";
  ++depth;
  GraphImporter importer(*this, module, filename, file, graph, facts,
                         getLabel(graph));
  FailureOr<func::FuncOp> func =
      importer.import("nested_" + std::to_string(nrNested++));
  --depth;
  if (succeeded(func))
    func->setPrivate();
  return func;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// A type that values of both types have.
static Type join(Type a, Type b) {
  if (a == b)
    return a;
  Type element = nn::getElementType(a);
  if (element != nn::getElementType(b))
    element = nn::UnknownType::get(a.getContext());
  RankedTensorType x = nn::getRanked(a), y = nn::getRanked(b);
  if (!x || !y || x.getRank() != y.getRank())
    return UnrankedTensorType::get(element);
  SmallVector<int64_t> shape(x.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, y.getShape()))
    if (dim != other)
      dim = ShapedType::kDynamic;
  return RankedTensorType::get(shape, element);
}

/// Whether a function takes the values; says so if not.
static LogicalResult checkInputs(OpImporter &imp, StringRef name,
                                 func::FuncOp func, ValueRange inputs) {
  if (func.getNumArguments() != inputs.size())
    return imp.emitError() << "gives " << inputs.size() << " values to graph '"
                           << name << "', which takes "
                           << func.getNumArguments();
  for (auto [k, value] : llvm::enumerate(inputs))
    if (Type type = func.getArgumentTypes()[k];
        !nn::areCompatibleTypes(value.getType(), type))
      return imp.emitError()
             << "value " << k << " for graph '" << name << "' is of type "
             << value.getType() << ", expected " << type;
  return success();
}

LogicalResult GraphImporter::importControl(OpImporter &imp) {
  const proto::OpDef &op = imp.op;
  SmallVector<std::string> names = getGraphNames(op);
  if (names.empty())
    return imp.decline("its graphs have no names");
  // The graphs go out of the op: the functions are what they are by now.
  proto::OpDef &mutableOp = *graph.mutable_op(current);
  SmallVector<proto::AttrDef *> places;
  for (auto [k, name] : llvm::enumerate(names)) {
    places.push_back(findGraphAttr(mutableOp, k, name));
    if (!places.back() && !model.hasGraph(name))
      return imp.decline("the file has no graph '" + Twine(name) + "'");
  }
  if (failed(imp.expectOperands(imp.getNumOperands(), imp.getNumOperands())))
    return failure();
  SmallVector<func::FuncOp> callees;
  SmallVector<Attribute> symbols;
  // Branches of a Case may share a graph.
  llvm::SmallDenseMap<proto::AttrDef *, func::FuncOp> nestedFuncs;
  for (auto [name, place] : llvm::zip_equal(names, places)) {
    auto error = [&] { return imp.emitError(); };
    FailureOr<func::FuncOp> func = failure();
    if (!place) {
      func = model.getGraph(name, error);
    } else if (func::FuncOp known = nestedFuncs.lookup(place)) {
      func = known;
    } else {
      proto::GraphDef nested;
      nested.Swap(place->mutable_g());
      func = model.importNested(nested, error);
    }
    if (failed(func))
      return failure();
    if (place)
      nestedFuncs[place] = *func;
    callees.push_back(*func);
    symbols.push_back(FlatSymbolRefAttr::get(*func));
  }

  bool isWhile = StringRef(op.type()).ends_with("While");
  bool isCall = StringRef(op.type()).ends_with("Call");
  SmallVector<Value> operands = imp.getOperands();
  if (!isWhile && !isCall && operands.empty())
    return imp.emitError() << "has no input to choose by";
  ValueRange inputs =
      ValueRange(operands).drop_front(isWhile || isCall ? 0 : 1);
  for (auto [name, func] : llvm::zip_equal(names, callees))
    if (failed(checkInputs(imp, name, func, inputs)))
      return failure();
  SmallVector<Type> types;
  if (isWhile)
    llvm::append_range(types, inputs.getTypes());
  else
    llvm::append_range(types, callees.front().getResultTypes());
  for (auto [name, func] : llvm::zip_equal(names, callees)) {
    if (isWhile && func == callees.front()) {
      if (func.getNumResults() != 1)
        return imp.emitError()
               << "graph '" << name << "' has " << func.getNumResults()
               << " outputs, expected 1";
      continue;
    }
    if (func.getNumResults() != types.size())
      return imp.emitError()
             << "graph '" << name << "' has " << func.getNumResults()
             << " outputs, expected " << types.size();
    for (auto [type, other] : llvm::zip_equal(types, func.getResultTypes()))
      type = join(type, other);
  }

  auto symbol = [&](size_t k) { return cast<FlatSymbolRefAttr>(symbols[k]); };
  if (isWhile) {
    nn::WhileOp::Properties properties;
    properties.cond = symbol(0);
    properties.body = symbol(1);
    return imp.createWithTypes<nn::WhileOp>(types, operands, properties);
  }
  if (isCall) {
    nn::CallOp::Properties properties;
    properties.callee = symbol(0);
    return imp.createWithTypes<nn::CallOp>(types, operands, properties);
  }
  if (StringRef(op.type()).ends_with("If")) {
    nn::IfOp::Properties properties;
    properties.then_branch = symbol(0);
    properties.else_branch = symbol(1);
    return imp.createWithTypes<nn::IfOp>(types, operands, properties);
  }
  nn::CaseOp::Properties properties;
  properties.branches = builder.getArrayAttr(symbols);
  return imp.createWithTypes<nn::CaseOp>(types, operands, properties);
}
