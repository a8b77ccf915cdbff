//===- GraphImporter.cpp - Import of one GE graph -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/MessageAttr.h"
#include "modelwright/Interop/GE/Types.h"
#include "modelwright/Support/Diagnostics.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

std::string GraphImporter::describeOp(int index) const {
  const proto::OpDef &op = graph.op(index);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << label << "op #" << index << " '";
  os.write_escaped(op.name()) << "' (";
  os.write_escaped(op.type()) << "): ";
  return text;
}

std::string GraphImporter::getDiagnosticPrefix() const {
  return current < 0 ? std::string() : describeOp(current);
}

Location GraphImporter::getLoc(int index) {
  // The line is the op's index: locations stay sortable and printable.
  Location loc = FileLineColLoc::get(builder.getStringAttr(filename), index, 0);
  const std::string &name = graph.op(index).name();
  return name.empty() ? loc : NameLoc::get(builder.getStringAttr(name), loc);
}

InFlightDiagnostic GraphImporter::emitError(int index) {
  return mlir::emitError(getLoc(index)) << describeOp(index);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::indexOps() {
  bool ok = true;
  for (int index = 0; index < graph.op_size(); ++index) {
    const proto::OpDef &op = graph.op(index);
    if (op.name().empty()) {
      emitError(index) << "has no name";
      ok = false;
      continue;
    }
    auto [it, added] = indexOfName.try_emplace(op.name(), index);
    if (!added) {
      emitError(index) << "has the name of op #" << it->second;
      ok = false;
    }
    if (isNetOutput(index) && std::exchange(netOutput, index) >= 0) {
      emitError(index) << "is a second NetOutput";
      ok = false;
    }
  }
  return success(ok);
}

LogicalResult GraphImporter::resolveEdges() {
  bool ok = true;
  dataEdges.resize(graph.op_size());
  controlEdges.resize(graph.op_size());
  auto noteRead = [&](const Edge &edge) {
    if (edge.isHole() || edge.isControl() || edge.output == 0)
      return;
    SmallVector<unsigned> &read =
        readOutputs[indexOfName.lookup(edge.producer)];
    if (!llvm::is_contained(read, edge.output))
      read.push_back(edge.output);
  };
  for (const std::string &text : graph.output())
    if (std::optional<Edge> edge = parseEdge(text);
        edge && indexOfName.contains(edge->producer))
      noteRead(*edge);
  for (int index = 0; index < graph.op_size(); ++index) {
    const proto::OpDef &op = graph.op(index);
    for (auto [k, text] : llvm::enumerate(op.input())) {
      std::optional<Edge> edge = parseEdge(text);
      if (!edge) {
        emitError(index) << "input " << k << " \"" << text
                         << "\" is no \"name:index\"";
        ok = false;
        continue;
      }
      if (!edge->isHole() && !indexOfName.contains(edge->producer)) {
        emitError(index) << "input " << k << " \"" << text
                         << "\": there is no such op";
        ok = false;
        continue;
      }
      if (edge->isControl())
        controlEdges[index].push_back(*edge);
      else
        dataEdges[index].push_back(*edge);
      noteRead(*edge);
    }
  }
  return success(ok);
}

void GraphImporter::reportCycle(ArrayRef<int> path, int back) {
  path = path.drop_front(llvm::find(path, back) - path.begin());
  InFlightDiagnostic diag = emitError(back);
  diag << "reads its own result over " << path.size() - 1 << " other op(s)";
  // A few names lead to the place; a cycle may be as long as the graph.
  for (int index : path.drop_front().take_front(4))
    diag.attachNote(getLoc(index)) << describeOp(index) << "on the cycle";
}

LogicalResult GraphImporter::orderOps() {
  // Files list ops in any order. Depth first from the ops in file order puts
  // them as near to it as edges allow; the stack is explicit since graphs are
  // deep.
  enum : char { New, Open, Done };
  std::vector<char> state(graph.op_size(), New);
  std::vector<std::pair<int, size_t>> stack;
  auto getProducer = [&](int index, size_t k) -> int {
    size_t nrData = dataEdges[index].size();
    const Edge &edge =
        k < nrData ? dataEdges[index][k] : controlEdges[index][k - nrData];
    return edge.isHole() ? -1 : indexOfName.lookup(edge.producer);
  };
  for (int root = 0; root < graph.op_size(); ++root) {
    if (state[root] != New)
      continue;
    stack.push_back({root, 0});
    state[root] = Open;
    while (!stack.empty()) {
      auto &[index, next] = stack.back();
      if (next == dataEdges[index].size() + controlEdges[index].size()) {
        state[index] = Done;
        order.push_back(index);
        stack.pop_back();
        continue;
      }
      int producer = getProducer(index, next++);
      if (producer < 0 || state[producer] == Done)
        continue;
      if (state[producer] == Open) {
        std::vector<int> path;
        path.reserve(stack.size());
        for (auto [open, k] : stack)
          path.push_back(open);
        reportCycle(path, producer);
        return failure();
      }
      state[producer] = Open;
      stack.push_back({producer, 0});
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Walk
//===----------------------------------------------------------------------===//

FailureOr<func::FuncOp> GraphImporter::import(StringRef name) {
  MLIRContext *context = module.getContext();
  Location loc = FileLineColLoc::get(builder.getStringAttr(filename), 0, 0);
  builder.setInsertionPointToEnd(module.getBody());
  func = func::FuncOp::create(builder, loc, name,
                              FunctionType::get(context, {}, {}));
  builder.setInsertionPointToStart(func.addEntryBlock());
  if (failed(indexOps()) || failed(resolveEdges()) || failed(orderOps()))
    return failure();

  // Every message of the walk and of type inference names the op.
  // What is said of an op of a graph inside is located at the op here, which
  // leads to the one there.
  PrefixDiagnosticHandler handler(
      context, [this] { return getDiagnosticPrefix(); },
      [this](StringRef message) {
        return label.empty() ? message.starts_with("op #")
                             : message.contains(label + "op #");
      },
      [this](Diagnostic &diag) {
        return StringRef(diag.str()).starts_with("graph '")
                   ? getLoc(current)
                   : diag.getLocation();
      });

  outputs.resize(graph.op_size());
  isPoisoned.assign(graph.op_size(), false);
  bool ok = succeeded(importInputs());
  for (int index = 0; index < graph.op_size(); ++index)
    isPoisoned[index] = isData(index) && outputs[index].empty();
  for (int index : order) {
    if (isData(index) || isNetOutput(index))
      continue;
    current = index;
    // An op behind a faulty one has nothing to say of its own.
    bool behindFault = llvm::any_of(dataEdges[index], [&](const Edge &edge) {
      return !edge.isHole() && isPoisoned[indexOfName.lookup(edge.producer)];
    });
    if (behindFault || failed(importOp(index))) {
      isPoisoned[index] = true;
      ok = false;
    }
  }
  current = -1;
  if (!ok || failed(importOutputs()))
    return failure();
  // The ops are in the function now.
  graph.clear_op();
  func->setAttr(attr::kGraph, toAttr(context, graph, file));
  return func;
}

Value GraphImporter::getValue(const Edge &edge, int reader) {
  int producer = indexOfName.lookup(edge.producer);
  if (static_cast<size_t>(edge.output) < outputs[producer].size())
    return outputs[producer][edge.output];
  emitError(reader) << "reads output " << edge.output << " of '"
                    << edge.producer << "', which has "
                    << outputs[producer].size();
  return {};
}

DictionaryAttr GraphImporter::getOpDict(int index, bool dropsData) {
  proto::OpDef op = graph.op(index);
  op.clear_name();
  // Of the tensor that the constant was made from: the last one of that key.
  const proto::AttrDef *value =
      dropsData ? findAttr(op.attr(), "value") : nullptr;
  if (value && value->has_t())
    getAttr(*op.mutable_attr(), "value").mutable_t()->clear_blob();
  return toAttr(builder.getContext(), op, file);
}

void GraphImporter::attachOpAttrs(int index, Operation *op) {
  op->setAttr(attr::kName, builder.getStringAttr(graph.op(index).name()));
  op->setAttr(attr::kIndex, builder.getI64IntegerAttr(index));
  if (!isa<nn::ForeignOp>(op))
    op->setAttr(attr::kOp, getOpDict(index, isa<nn::ConstantOp>(op)));
}

LogicalResult GraphImporter::importInputs() {
  // GraphDef.input gives the order; files that leave it empty have the order
  // of `index`, and of the file among equal ones.
  SmallVector<int> data;
  llvm::DenseSet<int> listed;
  for (const std::string &text : graph.input()) {
    std::optional<Edge> edge = parseEdge(text);
    auto it = edge ? indexOfName.find(edge->producer) : indexOfName.end();
    if (it == indexOfName.end() || !isData(it->second)) {
      mlir::emitError(func.getLoc())
          << "graph input \"" << text << "\" names no Data op";
      return failure();
    }
    if (listed.insert(it->second).second)
      data.push_back(it->second);
  }
  SmallVector<int> rest;
  for (int index = 0; index < graph.op_size(); ++index)
    if (isData(index) && !listed.contains(index))
      rest.push_back(index);
  // In a graph that an op calls CANN tells the op's input.
  auto getRank = [&](int index) {
    const auto &attrs = graph.op(index).attr();
    const proto::AttrDef *value = findAttr(attrs, "_parent_node_index");
    if (!value)
      value = findAttr(attrs, "index");
    return value && value->has_i() ? value->i() : 0;
  };
  llvm::sort(rest, [&](int a, int b) {
    return std::pair(getRank(a), a) < std::pair(getRank(b), b);
  });
  llvm::append_range(data, rest);

  bool ok = true;
  for (int index : data) {
    const proto::OpDef &op = graph.op(index);
    current = index;
    // Files of the API write the shape of the input only.
    if (op.input_desc_size() == 0 && op.output_desc_size() == 0) {
      emitError(index) << "has no descriptor";
      ok = false;
      continue;
    }
    const proto::TensorDescriptor &desc =
        op.input_desc_size() ? op.input_desc(0) : op.output_desc(0);
    FailureOr<TensorType> type = getTensorType(
        builder.getContext(), desc, [&] { return emitError(index); });
    if (failed(type)) {
      ok = false;
      continue;
    }
    NamedAttrList attrs;
    attrs.append(nn::NNDialect::kNameAttr, builder.getStringAttr(op.name()));
    attrs.append(attr::kName, builder.getStringAttr(op.name()));
    attrs.append(attr::kIndex, builder.getI64IntegerAttr(index));
    attrs.append(attr::kOp, getOpDict(index));
    unsigned number = func.getNumArguments();
    if (failed(func.insertArgument(number, *type,
                                   attrs.getDictionary(builder.getContext()),
                                   getLoc(index)))) {
      emitError(index) << "cannot become an argument";
      ok = false;
      continue;
    }
    outputs[index].push_back(func.getArgument(number));
  }
  current = -1;
  return success(ok);
}

/// Whether a constant is of an element type that nn has not (strings, ...).
static bool isForeignConstant(MLIRContext *context, const proto::OpDef &op) {
  const proto::AttrDef *value = findAttr(op.attr(), "value");
  if (!value || !value->has_t() || op.output_desc_size() != 1)
    return false;
  int dtype = value->t().desc().dtype();
  return dtype != proto::DT_UNDEFINED &&
         !getDescriptorElementType(context, dtype);
}

LogicalResult GraphImporter::importOp(int index) {
  const proto::OpDef &op = graph.op(index);
  if ((op.type() == "Const" || op.type() == "Constant") &&
      !isForeignConstant(builder.getContext(), op))
    return importConstant(index);
  SmallVector<Value> operands;
  for (const Edge &edge : dataEdges[index]) {
    operands.push_back(edge.isHole() ? Value() : getValue(edge, index));
    if (!edge.isHole() && !operands.back())
      return failure();
  }
  OpImporter importer(builder, getLoc(index), op, facts, operands, shapeValues);
  if (auto it = readOutputs.find(index); it != readOutputs.end())
    importer.setReadOutputs(it->second);
  if (const OpImport *import = OpRegistry::get().lookupImport(op.type())) {
    // An import function may find that the op is none it models after it has
    // found a fault in it: a fault it is.
    bool hasFault = false;
    ScopedDiagnosticHandler watch(builder.getContext(), [&](Diagnostic &diag) {
      hasFault |= diag.getSeverity() == DiagnosticSeverity::Error;
      return failure();
    });
    if (failed(import->function ? import->function(importer)
                                : importControl(importer))) {
      if (!importer.getDeclined() || hasFault)
        return failure();
      for (Operation *made : llvm::reverse(importer.getCreated())) {
        shapeValues.forget(made);
        made->erase();
      }
      importer.reset();
      if (failed(importForeign(importer)))
        return failure();
      importer.getMain()->setAttr(
          attr::kDeclined, builder.getStringAttr(*importer.getDeclined()));
    }
  } else {
    if (failed(importForeign(importer)))
      return failure();
    if (StringRef reason = getForeignReason(op.type()); !reason.empty())
      importer.getMain()->setAttr(attr::kDeclined,
                                  builder.getStringAttr(reason));
  }
  llvm::append_range(outputs[index], importer.getResults());
  Operation *main = importer.getMain();
  if (!main)
    return emitError(index) << "was imported as nothing";
  for (Operation *made : importer.getCreated())
    if (made != main)
      made->setAttr(attr::kImplicit, builder.getUnitAttr());
  attachOpAttrs(index, main);
  return success();
}

LogicalResult GraphImporter::importForeign(OpImporter &importer) {
  const proto::OpDef &op = importer.op;
  SmallVector<Type> types;
  for (const proto::TensorDescriptor &desc : op.output_desc()) {
    FailureOr<TensorType> type = getTensorType(
        builder.getContext(), desc, [&] { return importer.emitError(); });
    if (failed(type))
      return failure();
    // The public API writes neither shape nor element type of results, and
    // says so like that of a scalar.
    if (desc.shape().dim().empty())
      *type =
          UnrankedTensorType::get(nn::UnknownType::get(builder.getContext()));
    types.push_back(*type);
  }
  nn::ForeignOp::Properties properties;
  properties.format = builder.getStringAttr("ge");
  properties.type = builder.getStringAttr(op.type());
  properties.params = builder.getArrayAttr(getOpDict(current));
  return importer.createWithTypes<nn::ForeignOp>(types, importer.getOperands(),
                                                 properties);
}

//===----------------------------------------------------------------------===//
// Outputs
//===----------------------------------------------------------------------===//

LogicalResult GraphImporter::importOutputs() {
  SmallVector<Value> values;
  SmallVector<std::string> names;
  auto addName = [&](const Edge &edge) {
    names.push_back(edge.output == 0 ? edge.producer.str()
                                     : formatEdge(edge.producer, edge.output));
  };
  bool ok = true;
  if (netOutput >= 0) {
    for (const Edge &edge : dataEdges[netOutput])
      if (!edge.isHole()) {
        values.push_back(getValue(edge, netOutput));
        addName(edge);
        ok &= bool(values.back());
      }
  } else {
    for (const std::string &text : graph.output()) {
      std::optional<Edge> edge = parseEdge(text);
      auto it = edge ? indexOfName.find(edge->producer) : indexOfName.end();
      if (it == indexOfName.end() || edge->isControl() ||
          static_cast<size_t>(edge->output) >= outputs[it->second].size()) {
        mlir::emitError(func.getLoc())
            << "graph output \"" << text << "\" names no output of an op";
        ok = false;
        continue;
      }
      values.push_back(outputs[it->second][edge->output]);
      addName(*edge);
    }
  }
  if (!ok)
    return failure();
  auto result = func::ReturnOp::create(
      builder, netOutput < 0 ? func.getLoc() : getLoc(netOutput), values);
  if (netOutput >= 0)
    attachOpAttrs(netOutput, result);
  func.setFunctionType(FunctionType::get(builder.getContext(),
                                         func.getArgumentTypes(),
                                         TypeRange(ValueRange(values))));
  for (auto [k, name] : llvm::enumerate(names))
    func.setResultAttr(k, nn::NNDialect::kNameAttr,
                       builder.getStringAttr(name));
  return success();
}
