//===- GraphExporter.cpp - Export of one GE graph -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Dialect/NN/IR/NodeNames.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/Edges.h"
#include "modelwright/Interop/GE/MessageAttr.h"
#include "modelwright/Interop/GE/OpVersions.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

InFlightDiagnostic GraphExporter::emitError(Operation *op) {
  // As the importer names it; ops of passes have neither index nor name.
  InFlightDiagnostic diag = mlir::emitError(op->getLoc());
  auto index = op->getAttrOfType<IntegerAttr>(attr::kIndex);
  auto name = op->getAttrOfType<StringAttr>(attr::kName);
  if (index)
    diag << "op #" << index.getInt() << " ";
  if (name)
    diag << "'" << name.getValue() << "' ";
  diag << "(" << op->getName().getStringRef() << "): ";
  return diag;
}

std::string GraphExporter::getUniqueName(StringRef wanted) {
  std::string name = wanted.str();
  while (!takenNames.insert(name).second)
    name = (wanted + "_" + Twine(nrNames++)).str();
  return name;
}

void GraphExporter::collectNames() {
  // Names that the file had come first, so that none of them has to give way
  // to one made here.
  for (unsigned k = 0; k < func.getNumArguments(); ++k)
    if (auto name = func.getArgAttrOfType<StringAttr>(k, attr::kName))
      takenNames.insert(name.getValue());
  giveOutputsTheirNames();
  for (Operation &op : func.front())
    if (auto name = op.getAttrOfType<StringAttr>(attr::kName);
        name && !names.contains(&op))
      names[&op] = getUniqueName(name.getValue());
  for (Operation &op : func.front())
    if (auto absorbed = op.getAttrOfType<ArrayAttr>(attr::kAbsorbed))
      for (Attribute name : absorbed)
        if (auto text = dyn_cast<StringAttr>(name); text && names.contains(&op))
          aliases.try_emplace(text, names[&op]);
  // Ops of other files and of passes: an output's name comes before the name
  // that the op had there.
  Operation *terminator = func.front().getTerminator();
  for (auto [k, value] : llvm::enumerate(terminator->getOperands())) {
    Operation *producer = value.getDefiningOp();
    auto name =
        func.getResultAttrOfType<StringAttr>(k, nn::NNDialect::kNameAttr);
    if (producer && name && producer->getNumResults() == 1 &&
        !names.contains(producer) && takenNames.insert(name.getValue()).second)
      names[producer] = name.str();
  }
  auto isNameless = [&](Operation *op) {
    return !names.contains(op) && op->getNumResults() != 0;
  };
  for (auto [op, name] : nn::nameNodes(func.front(), isNameless, takenNames))
    names[op] = name.str();
}

void GraphExporter::giveOutputsTheirNames() {
  // A folder that replaces an output's op by another op's result knows nothing
  // of names, and GraphDef.output names ops. NetOutput does not.
  Operation *terminator = func.front().getTerminator();
  if (terminator->hasAttr(attr::kOp))
    return;
  llvm::StringSet<> present(takenNames);
  for (Operation &op : func.front())
    if (auto name = op.getAttrOfType<StringAttr>(attr::kName))
      present.insert(name.getValue());
  auto getOutputName = [&](unsigned k) {
    auto name =
        func.getResultAttrOfType<StringAttr>(k, nn::NNDialect::kNameAttr);
    return name ? name.getValue() : StringRef();
  };
  for (auto [k, value] : llvm::enumerate(terminator->getOperands())) {
    Operation *producer = value.getDefiningOp();
    auto own = producer ? producer->getAttrOfType<StringAttr>(attr::kName)
                        : StringAttr();
    StringRef name = getOutputName(k);
    if (!own || name.empty() || own == name || producer->getNumResults() != 1 ||
        present.contains(name) || names.contains(producer))
      continue;
    // Not if it is an output under its own name as well.
    bool isOutput = false;
    for (unsigned m = 0; m < terminator->getNumOperands(); ++m)
      isOutput |= getOutputName(m) == own.getValue();
    if (isOutput || !takenNames.insert(name).second)
      continue;
    names[producer] = name.str();
    aliases.try_emplace(own, name.str());
  }
}

std::unique_ptr<proto::OpDef> GraphExporter::getSource(Operation *op) {
  Attribute attr = op->getAttr(attr::kOp);
  if (!attr)
    return nullptr;
  auto dict = dyn_cast<DictionaryAttr>(attr);
  if (!dict) {
    emitError(op) << attr::kOp << " must be a dictionary";
    return nullptr;
  }
  auto def = std::make_unique<proto::OpDef>();
  if (failed(fromAttr(dict, *def, file, [&] { return emitError(op); })))
    return nullptr;
  // A pass that split the op may have given its name to another part.
  auto [it, added] = names.try_emplace(op);
  if (added)
    it->second = getUniqueName(op->getName().stripDialect());
  def->set_name(it->second);
  return def;
}

void GraphExporter::bind(ValueRange values, StringRef name) {
  auto &bound = outputs[name];
  for (auto [k, value] : llvm::enumerate(values)) {
    bound.push_back(value);
    if (value)
      edges.try_emplace(value, formatEdge(name, k));
  }
}

void GraphExporter::addEntry(Operation *op, std::unique_ptr<proto::OpDef> def) {
  auto index =
      op ? op->getAttrOfType<IntegerAttr>(attr::kIndex) : IntegerAttr();
  if (index)
    lastPosition = {index.getInt(), 0};
  else
    ++lastPosition.second;
  entries.push_back({op, std::move(def), lastPosition, entries.size()});
}

//===----------------------------------------------------------------------===//
// Walk
//===----------------------------------------------------------------------===//

/// Whether an op is written only if somebody reads it: a part of another op, or
/// a constant that is no op of a GE file, which readers may spell as attributes
/// or in constants of their own.
static bool isOnDemand(Operation *op) {
  return op->hasAttr(attr::kImplicit) ||
         (isa<nn::ConstantOp>(op) && !op->hasAttr(attr::kOp));
}

LogicalResult GraphExporter::run(proto::GraphDef &graph) {
  collectNames();
  bool ok = true;
  for (BlockArgument argument : func.getArguments())
    ok &= succeeded(exportArgument(argument));
  if (!ok)
    return failure();
  for (Operation &op : func.front()) {
    if (isOnDemand(&op)) {
      ok &= succeeded(shapeValues.visit(&op));
      continue;
    }
    LogicalResult exported = success();
    if (auto constant = dyn_cast<nn::ConstantOp>(op))
      exported = exportConstant(constant);
    else if (isa<nn::ForeignOp>(op))
      exported = exportForeign(&op);
    else if (isa<func::ReturnOp>(op))
      exported = exportReturn(&op);
    else if (!nn::getCallees(&op).empty())
      exported = exportControl(&op);
    else
      exported = exportOp(&op);
    if (failed(exported)) {
      refused.insert(&op);
      ok = false;
    }
    ok &= succeeded(shapeValues.visit(&op));
  }
  if (!ok || failed(exportGraphAttrs(graph)))
    return failure();
  finishEdges();
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.position, a.sequence) < std::tie(b.position, b.sequence);
  });
  for (Entry &entry : entries)
    graph.mutable_op()->AddAllocated(entry.def.release());
  return success();
}

void GraphExporter::addControlEdges(Operation *op, proto::OpDef &def) {
  auto edges = op->getAttrOfType<ArrayAttr>(attr::kControl);
  if (!edges)
    return;
  for (Attribute attr : edges)
    if (auto text = dyn_cast<StringAttr>(attr);
        text && !llvm::is_contained(def.input(), text.getValue())) {
      def.add_input(text.str());
      changed = true;
    }
}

void GraphExporter::finishEdges() {
  // Entries are in the order of the graph still.
  llvm::StringMap<size_t> written;
  for (const Entry &entry : entries)
    written.try_emplace(entry.def->name(), entry.sequence);
  for (Entry &entry : entries)
    for (int k = entry.def->input_size(); k-- > 0;) {
      std::optional<Edge> edge = parseEdge(entry.def->input(k));
      if (!edge || edge->isHole() || written.contains(edge->producer))
        continue;
      auto alias = aliases.find(edge->producer);
      auto producer =
          alias == aliases.end() ? written.end() : written.find(alias->second);
      // What took another op in stands where the last of them stood: what had
      // to wait for the first may be one of its own sources.
      if (producer != written.end() && producer->second < entry.sequence) {
        *entry.def->mutable_input(k) = formatEdge(alias->second, edge->output);
        continue;
      }
      if (!edge->isControl())
        continue;
      mlir::emitWarning(entry.op ? entry.op->getLoc() : func.getLoc())
          << "op '" << entry.def->name() << "' waited for '" << edge->producer
          << "', which is no more: the control edge is dropped";
      entry.def->mutable_input()->DeleteSubrange(k, 1);
    }
}

LogicalResult GraphExporter::exportArgument(BlockArgument argument) {
  unsigned k = argument.getArgNumber();
  auto error = [&] { return func.emitError() << "argument " << k << ": "; };
  auto dict = func.getArgAttrOfType<DictionaryAttr>(k, attr::kOp);
  if (!dict && func.getArgAttr(k, attr::kOp))
    return error() << attr::kOp << " must be a dictionary";
  auto def = std::make_unique<proto::OpDef>();
  if (dict && failed(fromAttr(dict, *def, file, error)))
    return failure();
  auto name = func.getArgAttrOfType<StringAttr>(k, attr::kName);
  if (!name)
    name = func.getArgAttrOfType<StringAttr>(k, nn::NNDialect::kNameAttr);
  def->set_name(
      dict && name ? name.str()
                   : getUniqueName(name ? name.getValue() : StringRef("data")));
  auto type = cast<TensorType>(argument.getType());
  if (func.getArgAttr(k, nn::NNDialect::kDefaultAttr))
    func.emitWarning() << "input '" << def->name()
                       << "' loses its default value, which GE models lack";
  if (!dict) {
    changed = true;
    def->set_type("Data");
    def->add_input("");
    getAttr(*def->mutable_attr(), "index").set_i(k);
    getAttr(*def->mutable_attr(), "version").set_i(getVersion());
    def->set_has_out_attr(true);
    setDescriptor(type, "NCHW", *def->add_input_desc());
    setDescriptor(type, "NCHW", *def->add_output_desc());
  } else {
    // The type may have been changed.
    if (!def->input_desc_size() && !def->output_desc_size())
      def->add_input_desc();
    proto::TensorDescriptor *desc = def->input_desc_size()
                                        ? def->mutable_input_desc(0)
                                        : def->mutable_output_desc(0);
    FailureOr<TensorType> stored =
        getTensorType(func.getContext(), *desc, error);
    if (failed(stored))
      return failure();
    if (*stored != type) {
      changed = true;
      setDescriptor(type, "NCHW", *desc);
    }
  }
  auto index = func.getArgAttrOfType<IntegerAttr>(k, attr::kIndex);
  if (index)
    lastPosition = {index.getInt(), 0};
  else
    ++lastPosition.second;
  bind(Value(argument), def->name());
  entries.push_back({nullptr, std::move(def), lastPosition, entries.size()});
  return success();
}

LogicalResult GraphExporter::exportForeign(Operation *op) {
  auto foreign = cast<nn::ForeignOp>(op);
  auto dict = foreign.getFormat() == "ge" && foreign.getParams().size() == 1
                  ? dyn_cast<DictionaryAttr>(foreign.getParams()[0])
                  : DictionaryAttr();
  if (!dict)
    return emitError(op) << "'" << foreign.getType() << "' of format '"
                         << foreign.getFormat() << "' has no GE spelling";
  auto def = std::make_unique<proto::OpDef>();
  if (failed(fromAttr(dict, *def, file, [&] { return emitError(op); })))
    return failure();
  if (!names.contains(op))
    names[op] = getUniqueName(foreign.getType());
  def->set_name(names[op]);
  if (failed(fillInputs(op, *def)))
    return failure();
  bind(op->getResults(), names[op]);
  addEntry(op, std::move(def));
  return success();
}

LogicalResult GraphExporter::fillInputs(Operation *op, proto::OpDef &def) {
  size_t next = 0;
  for (std::string &text : *def.mutable_input()) {
    std::optional<Edge> edge = parseEdge(text);
    if (!edge || edge->isHole() || edge->isControl())
      continue;
    if (next == op->getNumOperands())
      return emitError(op) << "has fewer operands than inputs";
    FailureOr<std::string> actual = getEdge(op->getOperand(next++));
    if (failed(actual))
      return failure();
    if (*actual != text) {
      changed = true;
      text = *actual;
    }
  }
  if (next != op->getNumOperands())
    return emitError(op) << "has more operands than inputs";
  return success();
}

LogicalResult GraphExporter::exportReturn(Operation *op) {
  std::unique_ptr<proto::OpDef> def = getSource(op);
  if (op->hasAttr(attr::kOp) && !def)
    return failure();
  if (!def)
    return success(); // GraphDef.output lists them.
  SmallVector<std::string> wanted;
  for (Value value : op->getOperands()) {
    FailureOr<std::string> edge = getEdge(value);
    if (failed(edge))
      return failure();
    wanted.push_back(*edge);
  }
  size_t next = 0;
  for (std::string &text : *def->mutable_input()) {
    std::optional<Edge> edge = parseEdge(text);
    if (!edge || edge->isHole() || edge->isControl())
      continue;
    if (next == wanted.size())
      return emitError(op) << "returns fewer values than NetOutput has inputs";
    if (wanted[next] != text) {
      changed = true;
      text = wanted[next];
    }
    ++next;
  }
  if (next != wanted.size())
    return emitError(op) << "returns more values than NetOutput has inputs";
  addEntry(op, std::move(def));
  return success();
}

LogicalResult GraphExporter::exportGraphAttrs(proto::GraphDef &graph) {
  auto dict = func->getAttrOfType<DictionaryAttr>(attr::kGraph);
  if (!dict && func->hasAttr(attr::kGraph))
    return func.emitError() << attr::kGraph << " must be a dictionary";
  if (dict) {
    if (failed(fromAttr(dict, graph, file, [&] { return func.emitError(); })))
      return failure();
  } else {
    changed = true;
    graph.set_name(func.getName().str());
    for (BlockArgument argument : func.getArguments())
      graph.add_input(edges[argument]);
  }
  Operation *terminator = func.front().getTerminator();
  if (terminator->hasAttr(attr::kOp))
    return success();
  SmallVector<std::string> wanted;
  for (Value value : terminator->getOperands()) {
    FailureOr<std::string> edge = getEdge(value);
    if (failed(edge))
      return failure();
    wanted.push_back(*edge);
  }
  if (!llvm::equal(wanted, graph.output())) {
    changed = true;
    graph.clear_output();
    for (std::string &edge : wanted)
      graph.add_output(std::move(edge));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

FailureOr<std::string> GraphExporter::getEdge(Value value) {
  auto it = edges.find(value);
  if (it == edges.end()) {
    if (refused.contains(value.getDefiningOp()))
      return failure();
    if (failed(exportImplicit(value)))
      return failure();
    it = edges.find(value);
  }
  if (it == edges.end())
    return emitError(value.getDefiningOp())
           << "its result is read but is no output of an op";
  return it->second;
}

LogicalResult GraphExporter::exportImplicit(Value value) {
  // What an implicit op reads may be implicit too; the stack is explicit
  // since such chains can be long after passes.
  std::vector<Operation *> stack{value.getDefiningOp()};
  while (!stack.empty()) {
    Operation *op = stack.back();
    if (!op || !isOnDemand(op) ||
        (op->getNumResults() && edges.contains(op->getResult(0)))) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp();
          producer && isOnDemand(producer) && !edges.contains(operand)) {
        stack.push_back(producer);
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    if (failed(isa<nn::ConstantOp>(op)
                   ? exportConstant(cast<nn::ConstantOp>(op))
                   : exportOp(op)))
      return failure();
    // An op without an output for the value would be asked for for ever.
    if (op->getNumResults() && !edges.contains(op->getResult(0)))
      return emitError(op) << "has no output";
  }
  return success();
}

int64_t GraphExporter::getVersion() {
  // New ops are of the version that most of the file's ops have: that of the
  // first, since tools write one.
  if (version)
    return *version;
  version = 5;
  auto lookup = [&](DictionaryAttr dict) -> bool {
    auto attrs = dict ? dict.getAs<ArrayAttr>("attr") : ArrayAttr();
    if (!dict)
      return false;
    version = 0;
    for (Attribute entry : attrs ? attrs.getValue() : ArrayRef<Attribute>())
      if (auto pair = dyn_cast<ArrayAttr>(entry); pair && pair.size() == 2)
        if (pair[0] == StringAttr::get(func.getContext(), "version"))
          if (auto number = dyn_cast<IntegerAttr>(pair[1]))
            version = number.getInt();
    return true;
  };
  for (Operation &op : func.front())
    if (!isa<nn::ConstantOp>(op) &&
        lookup(op.getAttrOfType<DictionaryAttr>(attr::kOp)))
      break;
  return *version;
}
