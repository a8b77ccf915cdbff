//===- GraphExporter.cpp - Export of one graph ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Dialect/NN/IR/NodeNames.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static std::optional<CompNode> parseCompNode(Attribute attr) {
  if (isa_and_nonnull<UnitAttr>(attr))
    return CompNode();
  if (auto name = dyn_cast_or_null<StringAttr>(attr))
    return CompNode{name.str()};
  return std::nullopt;
}

LogicalResult GraphExporter::run(Graph &result) {
  graph = &result;
  if (!func.getBody().hasOneBlock())
    return func.emitError() << "a graph must have one block";
  if (failed(readGraphAttrs()))
    return failure();
  Block &body = func.getBody().front();
  bool hasNames =
      llvm::any_of(body, [](Operation &op) { return op.hasAttr(attr::kName); });
  formats = FormatNumbering::of(graph->encoding, graph->version,
                                graph->metadata.has_value(), hasNames);
  for (Operation &op : body)
    if (auto holder = op.getAttrOfType<IntegerAttr>(attr::kHolder))
      if (isa<nn::ConstantOp, nn::VariableOp>(op))
        holders[holder.getInt()].push_back(&op);
  placeInputs();
  // A file of this format has the names it wants to have.
  if (!func->hasAttr(attr::kEncoding)) {
    llvm::StringSet<> taken;
    for (Operation &op : body)
      if (auto name = op.getAttrOfType<StringAttr>(attr::kName))
        taken.insert(name.getValue());
    nodeNames = nn::nameNodes(
        body, [](Operation *op) { return !op->hasAttr(attr::kName); }, taken);
  }

  for (Operation &op : body.without_terminator()) {
    exportDueInputs();
    if (failed(exportOp(&op)))
      failedAny = true;
  }
  for (auto [k, input] : llvm::enumerate(inputs))
    if (!inputDone[input.second.getArgNumber()] &&
        failed(exportInput(input.second)))
      failedAny = true;
  if (failedAny || failed(exportOutputs(body.getTerminator())))
    return failure();
  graph->numVars = numVars;
  graph->nrSharedTensor = sharedTensors;
  return success();
}

LogicalResult GraphExporter::readGraphAttrs() {
  graph->encoding = Encoding::MGBC;
  if (auto name = func->getAttrOfType<StringAttr>(attr::kEncoding)) {
    if (name == stringifyEncoding(Encoding::MGBS))
      graph->encoding = Encoding::MGBS;
    else if (name == stringifyEncoding(Encoding::V2))
      graph->encoding = Encoding::V2;
    else if (name != stringifyEncoding(Encoding::MGBC))
      return func.emitError() << "unknown encoding " << name;
  }
  Encoding original = graph->encoding;
  if (options.encoding)
    graph->encoding = *options.encoding;
  bool isV2 = graph->encoding == Encoding::V2;
  // What v1.13.4 writes: the newest release that every loader knows.
  graph->version = 101304;
  if (auto version = func->getAttrOfType<IntegerAttr>(attr::kVersion))
    graph->version = version.getInt();
  // A newer container around a file of the old era changes what the numbers
  // of its params mean: the writer's version changes with it.
  if (graph->encoding != original && isOldEra(graph->version) &&
      graph->encoding != Encoding::MGBS)
    graph->version = 101304;
  if (isV2) {
    graph->modelVersion = 2;
    if (auto version = func->getAttrOfType<IntegerAttr>(attr::kModelVersion))
      graph->modelVersion = version.getInt();
  } else if (auto hash = func->getAttrOfType<IntegerAttr>(attr::kHash)) {
    if (graph->encoding == original)
      graph->hash = hash.getValue().getZExtValue();
  }
  if (func->hasAttr(attr::kKeepsVars) && isV2)
    graph->middleTensors.emplace();
  // Names in a V1 file become middle tensors when it turns into V2.
  if (isV2 && original != Encoding::V2)
    graph->middleTensors.emplace();
  if (func->hasAttr(attr::kShiftedUnion) && graph->encoding == original)
    graph->shiftedUnion = true;
  if (auto layouts = func->getAttrOfType<DenseBoolArrayAttr>(attr::kLayouts);
      layouts && layouts.size() == 2 && graph->encoding == original) {
    graph->layouts.zeroStrategy = layouts[0];
    graph->layouts.earlyWindow = layouts[1];
  }
  usualCompNode = parseCompNode(func->getAttr(attr::kCompNode));
  if (!usualCompNode && !func->hasAttr(attr::kEncoding))
    usualCompNode = CompNode{"xpux"};

  if (auto dict = func->getAttrOfType<DictionaryAttr>(attr::kMetadata)) {
    Metadata &metadata = graph->metadata.emplace();
    if (auto valid = dict.getAs<BoolAttr>("is_valid"))
      metadata.isValid = valid.getValue();
    if (auto modified = dict.getAs<BoolAttr>("graph_modified"))
      metadata.graphModified = modified.getValue();
    if (auto bits = dict.getAs<IntegerAttr>("optimize_options"))
      metadata.optimizeOptions = bits.getInt();
    if (auto info = dict.getAs<StringAttr>("user_info"))
      metadata.userInfo = info.str();
  }
  if (auto aliases = func->getAttrOfType<ArrayAttr>(attr::kOutputAlias);
      aliases && isV2) {
    auto &list = graph->outputAliases.emplace();
    for (auto dict : aliases.getAsRange<DictionaryAttr>()) {
      OutputAlias &alias = list.emplace_back();
      if (auto id = dict.getAs<IntegerAttr>("id"))
        alias.id = id.getInt();
      if (auto name = dict.getAs<StringAttr>("name"))
        alias.name = name.str();
    }
  }
  return success();
}

void GraphExporter::placeInputs() {
  for (BlockArgument argument : func.getArguments()) {
    auto position = func.getArgAttrOfType<IntegerAttr>(argument.getArgNumber(),
                                                       attr::kPosition);
    inputs.push_back({position ? position.getInt() : 0, argument});
  }
  llvm::sort(inputs, [](const auto &lhs, const auto &rhs) {
    return std::pair(lhs.first, lhs.second.getArgNumber()) <
           std::pair(rhs.first, rhs.second.getArgNumber());
  });
  inputDone.assign(inputs.size(), false);
}

void GraphExporter::exportDueInputs() {
  while (nextInput < inputs.size() &&
         inputs[nextInput].first <= int64_t(graph->oprs.size())) {
    BlockArgument argument = inputs[nextInput++].second;
    if (!inputDone[argument.getArgNumber()] && failed(exportInput(argument)))
      failedAny = true;
  }
}

LogicalResult GraphExporter::exportInput(BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  inputDone[number] = true;
  Operator opr;
  opr.info = lookupOprByName("Host2DeviceCopy");
  auto lookup = [&](StringRef name) { return func.getArgAttr(number, name); };
  Tensor &tensor = opr.tensors.emplace_back();
  auto value =
      dyn_cast_or_null<ElementsAttr>(lookup(nn::NNDialect::kDefaultAttr));
  auto record = dyn_cast_or_null<DictionaryAttr>(lookup(attr::kTensor));
  Location loc = argument.getLoc();
  if (failed(fillTensor(tensor, argument.getType(), value, record, loc)))
    return failure();
  if (auto name =
          dyn_cast_or_null<StringAttr>(lookup(nn::NNDialect::kNameAttr))) {
    tensor.name = name.str();
    if (!inputNames.insert(name.getValue()).second)
      return emitError(loc)
             << "two inputs are called '" << name.getValue() << "'";
  } else if (!func->hasAttr(attr::kEncoding))
    tensor.name = "arg" + std::to_string(number);
  if (auto dict = dyn_cast_or_null<DictionaryAttr>(lookup(attr::kParam))) {
    std::optional<Param> param = paramFromAttr(dict);
    if (!param)
      return emitError(loc) << "malformed " << attr::kParam;
    opr.params.push_back(std::move(*param));
  } else {
    Param param;
    param.Set(param::Host2DeviceCopyT());
    opr.params.push_back(std::move(param));
  }
  if (failed(fillCommon(opr, loc, lookup, 1)))
    return failure();
  return defineVars(opr, Value(argument),
                    dyn_cast_or_null<ArrayAttr>(lookup(attr::kVars)),
                    dyn_cast_or_null<ArrayAttr>(lookup(attr::kMiddle)), loc);
}

LogicalResult GraphExporter::exportOp(Operation *op) {
  if (isa<nn::ConstantOp, nn::VariableOp>(op))
    return exportConstant(op);
  Operator opr;
  OprExporter exporter(op, opr, graph->encoding, *formats);
  exporter.storage = &storage;
  if (isa<nn::ForeignOp>(op)) {
    if (failed(exportForeign(op, exporter)))
      return failure();
  } else {
    const ExportFn *function = ExportRegistry::get().lookup(op);
    if (!function)
      return op->emitOpError(
          nn::getCallees(op).empty()
              ? "has no counterpart in a MegEngine file"
              : "calls other graphs, of which a MegEngine file has none (one "
                "that a constant chooses could be inlined)");
    if (failed((*function)(op, exporter)))
      return failure();
  }
  auto lookup = [&](StringRef name) { return op->getAttr(name); };
  if (failed(fillCommon(opr, op->getLoc(), lookup, exporter.vars.size())) ||
      failed(setInputs(opr, exporter.inputs, op->getLoc())))
    return failure();
  nameNode(opr, op);
  return defineVars(opr, exporter.vars,
                    op->getAttrOfType<ArrayAttr>(attr::kVars),
                    op->getAttrOfType<ArrayAttr>(attr::kMiddle), op->getLoc());
}

void GraphExporter::nameNode(Operator &opr, Operation *op) {
  if (auto it = nodeNames.find(op); it != nodeNames.end() && !opr.name)
    opr.name = it->second.str();
}

LogicalResult GraphExporter::exportForeign(Operation *op,
                                           OprExporter &exporter) {
  auto foreign = cast<nn::ForeignOp>(op);
  if (foreign.getFormat() != "mgb")
    return op->emitOpError("is of another format: ") << foreign.getFormat();
  Operator &opr = exporter.opr;
  StringRef type = foreign.getType();
  opr.info = lookupOprByName(type);
  if (!opr.info &&
      (!type.consume_front("0x") || type.getAsInteger(16, opr.typeId)))
    return op->emitOpError("is an unknown operator '")
           << foreign.getType() << "'";
  for (Attribute attr : foreign.getParams()) {
    auto dict = dyn_cast<DictionaryAttr>(attr);
    std::optional<Param> param =
        dict ? paramFromAttr(dict) : std::optional<Param>();
    if (!param)
      return op->emitOpError("has a malformed parameter ") << attr;
    opr.params.push_back(std::move(*param));
  }
  if (auto blobs = op->getAttrOfType<ArrayAttr>(attr::kBlobs))
    for (auto blob : blobs.getAsRange<DenseI8ArrayAttr>())
      opr.blobs.push_back(
          ArrayRef(reinterpret_cast<const uint8_t *>(blob.asArrayRef().data()),
                   blob.size()));
  return success();
}

LogicalResult
GraphExporter::fillCommon(Operator &opr, Location loc,
                          function_ref<Attribute(StringRef)> lookup,
                          size_t numVars) {
  if (auto name = dyn_cast_or_null<StringAttr>(lookup(attr::kName)))
    opr.name = name.str();
  if (auto nodes = dyn_cast_or_null<ArrayAttr>(lookup(attr::kCompNode))) {
    auto &list = opr.compNodes.emplace();
    for (Attribute node : nodes)
      list.push_back(parseCompNode(node).value_or(CompNode()));
  }
  if (auto type = dyn_cast_or_null<TypeAttr>(lookup(attr::kOutputDType))) {
    opr.outputDType = getDType(type.getValue());
    if (!opr.outputDType)
      return emitError(loc)
             << "element type " << type << " has no dtype in this format";
  }
  if (auto priority = dyn_cast_or_null<IntegerAttr>(lookup(attr::kPriority)))
    opr.priority = priority.getInt();

  const OprInfo *info = opr.info;
  if (!info) {
    if (auto type = dyn_cast_or_null<StringAttr>(lookup(attr::kType)))
      opr.type = type.str();
    if (auto number = dyn_cast_or_null<IntegerAttr>(lookup(attr::kOprVersion)))
      opr.oprVersion = number.getInt();
    return success();
  }
  switch (graph->encoding) {
  case Encoding::MGBS:
    opr.typeId = info->unversionedId;
    break;
  case Encoding::MGBC:
    opr.typeId = info->persistentId;
    break;
  case Encoding::V2: {
    if (info->maxOprVersion == 0)
      return emitError(loc) << info->name << " cannot be stored in a V2 file";
    opr.oprVersion = info->maxOprVersion;
    if (auto number = dyn_cast_or_null<IntegerAttr>(lookup(attr::kOprVersion)))
      opr.oprVersion = number.getInt();
    opr.typeId = opr.oprVersion == 2 ? info->v2Id : info->unversionedId;
    Attribute type = lookup(attr::kType);
    if (auto name = dyn_cast_or_null<StringAttr>(type))
      opr.type = name.str();
    else if (!type)
      opr.type = (opr.oprVersion == 2 ? info->className : info->name).str();
    break;
  }
  }
  return success();
}

LogicalResult GraphExporter::setInputs(Operator &opr, ValueRange values,
                                       Location loc) {
  for (Value value : values) {
    // An argument without a position (or behind it) is due when it is read.
    if (auto argument = dyn_cast<BlockArgument>(value))
      if (!inputDone[argument.getArgNumber()] && failed(exportInput(argument)))
        return failure();
    auto it = varIds.find(value);
    if (it == varIds.end()) {
      // Its producer failed and has said so.
      if (failedAny)
        return failure();
      return emitError(loc) << "reads a value that the graph does not define";
    }
    opr.inputs.push_back(it->second);
  }
  return success();
}

/// Gives graph outputs the names of the function's results. Passes may have
/// put another value in the place of the one that bore the name.
void GraphExporter::nameOutputs(
    const llvm::DenseMap<uint32_t, StringRef> &names) {
  llvm::StringSet<> taken;
  for (auto [var, name] : names)
    taken.insert(name);
  bool isV2 = graph->encoding == Encoding::V2;
  for (Operator &opr : graph->oprs) {
    for (auto [k, var] : llvm::enumerate(opr.outputs)) {
      bool hasOwn =
          isV2 ? graph->middleTensors && (*graph->middleTensors)[var].name
               : opr.outputNames && !(*opr.outputNames)[k].empty();
      StringRef present;
      if (hasOwn)
        present =
            isV2 ? *(*graph->middleTensors)[var].name : (*opr.outputNames)[k];
      else if (opr.outputs.size() == 1 && opr.name)
        present = *opr.name;
      auto it = names.find(var);
      if (it == names.end() ? !hasOwn || !taken.contains(present)
                            : present == it->second)
        continue;
      // Names are unique: a var inside of the graph gives way to the output.
      StringRef name = it == names.end() ? StringRef() : it->second;
      if (!isV2) {
        if (!opr.outputNames)
          opr.outputNames.emplace(opr.outputs.size());
        (*opr.outputNames)[k] = name.str();
      } else if (graph->middleTensors) {
        auto &slot = (*graph->middleTensors)[var].name;
        slot = name.empty() ? std::nullopt : std::optional(name.str());
      } else if (opr.outputs.size() == 1) {
        opr.name = name.str();
      } else {
        func.emitWarning() << "the file keeps no names of vars: output '"
                           << name << "' loses its name";
      }
    }
  }
}

LogicalResult GraphExporter::exportOutputs(Operation *terminator) {
  llvm::DenseMap<uint32_t, StringRef> names;
  llvm::DenseMap<StringAttr, uint32_t> varsByName;
  for (auto [k, value] : llvm::enumerate(terminator->getOperands())) {
    auto it = varIds.find(value);
    if (it == varIds.end())
      return terminator->emitError() << "returns an undefined value";
    OutputVar output{it->second, it->second};
    if (auto id = func.getResultAttrOfType<IntegerAttr>(k, attr::kOriginalId))
      output.originalId = id.getInt();
    graph->outputs.push_back(output);
    auto name =
        func.getResultAttrOfType<StringAttr>(k, nn::NNDialect::kNameAttr);
    if (!name)
      continue;
    auto [named, isNewName] = varsByName.try_emplace(name, it->second);
    if (!isNewName && named->second != it->second)
      return terminator->emitError()
             << "returns two values as '" << name.getValue() << "'";
    auto [entry, isNew] = names.try_emplace(it->second, name.getValue());
    if (!isNew && entry->second != name.getValue())
      return terminator->emitError()
             << "returns one value as '" << entry->second << "' and as '"
             << name.getValue() << "'";
  }
  nameOutputs(names);
  return success();
}
