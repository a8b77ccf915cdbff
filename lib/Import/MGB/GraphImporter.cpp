//===- GraphImporter.cpp - Import of one graph ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "ImportTensor.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

std::string GraphImporter::getDiagnosticPrefix() const {
  if (current < 0)
    return {};
  const Operator &opr = graph.oprs[current];
  std::string prefix = "opr #" + std::to_string(current);
  if (opr.name)
    prefix += " '" + *opr.name + "'";
  prefix += " (";
  prefix += opr.info ? opr.info->name.str()
                     : "0x" + llvm::utohexstr(opr.typeId, /*LowerCase=*/true);
  return prefix + "): ";
}

Location GraphImporter::getLoc(size_t index) {
  // The line is the operator's index: locations stay sortable and printable.
  Location file =
      FileLineColLoc::get(builder.getStringAttr(filename), index, 0);
  const Operator &opr = graph.oprs[index];
  if (!opr.name || opr.name->empty())
    return file;
  return NameLoc::get(builder.getStringAttr(*opr.name), file);
}

void GraphImporter::scanUses() {
  vars.assign(graph.numVars, Value());
  isUsed.assign(graph.numVars, false);
  isUpdated.assign(graph.numVars, false);
  isPoisoned.assign(graph.numVars, false);
  for (const Operator &opr : graph.oprs) {
    for (uint32_t input : opr.inputs)
      isUsed[input] = true;
    if (opr.info && opr.info->name == "AddUpdate" && !opr.inputs.empty())
      isUpdated[opr.inputs[0]] = true;
    if (!usualCompNode && !opr.tensors.empty())
      usualCompNode = opr.tensors.front().compNode;
  }
  for (const OutputVar &output : graph.outputs)
    isUsed[output.compactId] = true;
}

FailureOr<func::FuncOp> GraphImporter::import(StringRef name) {
  MLIRContext *context = module.getContext();
  Location loc = FileLineColLoc::get(builder.getStringAttr(filename), 0, 0);
  builder.setInsertionPointToEnd(module.getBody());
  func = func::FuncOp::create(builder, loc, name,
                              FunctionType::get(context, {}, {}));
  builder.setInsertionPointToStart(func.addEntryBlock());

  // Every message of the walk and of type inference names the operator.
  PrefixDiagnosticHandler handler(
      context, [this] { return getDiagnosticPrefix(); },
      [](StringRef message) { return message.starts_with("opr #"); });

  scanUses();
  bool failedAny = false;
  for (size_t index = 0; index < graph.oprs.size(); ++index) {
    current = index;
    const Operator &opr = graph.oprs[index];
    // An operator behind a faulty one has nothing to say of its own.
    if (llvm::any_of(opr.inputs,
                     [&](uint32_t var) { return isPoisoned[var]; }) ||
        failed(importOpr(index))) {
      failedAny = true;
      for (uint32_t var : opr.outputs)
        isPoisoned[var] = true;
    }
  }
  current = -1;
  if (failedAny || failed(importOutputs()))
    return failure();
  attachGraphAttrs();
  return func;
}

LogicalResult GraphImporter::importOpr(size_t index) {
  const Operator &opr = graph.oprs[index];
  if (opr.info && opr.info->name == "Host2DeviceCopy")
    return importInput(index);

  SmallVector<Value> operands;
  for (uint32_t input : opr.inputs) {
    if (!vars[input])
      return emitError(getLoc(index)) << "reads var " << input
                                      << ", which its operator does not write "
                                         "in this mode";
    operands.push_back(vars[input]);
  }
  OprImporter importer(builder, getLoc(index), opr, index, formats, operands,
                       shapeValues);
  importer.isUsed = [&](size_t k) { return bool(isUsed[opr.outputs[k]]); };
  importer.isUpdated = [&](size_t k) {
    return bool(isUpdated[opr.outputs[k]]);
  };
  importer.buffer = buffer;
  importer.usualCompNode = &usualCompNode;
  importer.encoding = graph.encoding;

  const OprImport *import =
      opr.info ? ImportRegistry::get().lookup(opr.info->name) : nullptr;
  if (failed(import ? import->function(importer) : importForeign(importer)))
    return failure();
  if (failed(bindVars(importer)))
    return failure();
  FailureOr<NamedAttrList> attrs = getOprAttrs(importer, /*isArgument=*/false);
  if (failed(attrs))
    return failure();
  if (importer.created && importer.created->hasAttr(attr::kHolder))
    if (auto names = dyn_cast_or_null<ArrayAttr>(attrs->erase(attr::kVars)))
      // Each constant of a holder may go its own way.
      for (auto [name, value] : llvm::zip_equal(names, importer.vars))
        value.getDefiningOp()->setAttr(attr::kVars, builder.getArrayAttr(name));
  if (importer.created)
    for (NamedAttribute named : *attrs)
      importer.created->setAttr(named.getName(), named.getValue());
  return success();
}

LogicalResult GraphImporter::importInput(size_t index) {
  const Operator &opr = graph.oprs[index];
  Location loc = getLoc(index);
  auto error = [&] { return emitError(loc); };
  if (opr.tensors.size() != 1 || opr.outputs.size() != 1 || !opr.inputs.empty())
    return error() << "an input needs one tensor and no operand";
  const Tensor &tensor = opr.tensors.front();
  FailureOr<RankedTensorType> type =
      getTensorType(builder.getContext(), tensor, error);
  if (failed(type))
    return failure();

  unsigned number = func.getNumArguments();
  OprImporter importer(builder, loc, opr, index, formats, {}, shapeValues);
  FailureOr<NamedAttrList> attrs = getOprAttrs(importer, /*isArgument=*/true);
  if (failed(attrs))
    return failure();
  // The tensor's name is the input's name; it is not repeated in the record.
  Tensor record = tensor;
  if (tensor.name)
    attrs->append(nn::NNDialect::kNameAttr,
                  builder.getStringAttr(*tensor.name));
  record.name.reset();
  if (DictionaryAttr dict = getTensorRecord(builder.getContext(), record,
                                            usualCompNode, graph.encoding))
    attrs->append(attr::kTensor, dict);
  attrs->append(attr::kPosition, builder.getI64IntegerAttr(index));
  if (tensor.hasData) {
    FailureOr<ElementsAttr> value =
        getTensorValue(tensor, *type, buffer, index, error);
    if (failed(value))
      return failure();
    attrs->append(nn::NNDialect::kDefaultAttr, *value);
  }
  for (const Param &param : opr.params) {
    DictionaryAttr dict = paramToAttr(builder.getContext(), param);
    if (!dict)
      return error() << "a parameter of an input cannot be kept";
    if (dict.size() > 1) // More than the table's name: not the default.
      attrs->append(attr::kParam, dict);
  }
  if (failed(func.insertArgument(
          number, *type, attrs->getDictionary(builder.getContext()), loc)))
    return error() << "cannot add an argument";
  vars[opr.outputs.front()] = func.getArgument(number);
  return success();
}

LogicalResult GraphImporter::importForeign(OprImporter &importer) {
  const Operator &opr = importer.opr;
  SmallVector<Attribute> params;
  for (const Param &param : opr.params) {
    DictionaryAttr dict = paramToAttr(builder.getContext(), param);
    if (!dict)
      return importer.emitError()
             << "parameter " << static_cast<int>(param.type)
             << " cannot be kept";
    params.push_back(dict);
  }
  SmallVector<Type> types =
      inferForeignTypes(builder.getContext(), opr, importer.operands);
  if (opr.outputDType && types.size() == 1) {
    Type element = getElementType(builder.getContext(), *opr.outputDType,
                                  [&] { return importer.emitError(); });
    if (!element)
      return failure();
    types[0] = nn::getTypeLike(types[0], element);
  }
  nn::ForeignOp::Properties properties;
  properties.format = builder.getStringAttr("mgb");
  properties.type = builder.getStringAttr(
      opr.info ? opr.info->name.str()
               : "0x" + llvm::utohexstr(opr.typeId, /*LowerCase=*/true));
  properties.params = builder.getArrayAttr(params);
  return importer.createWithTypes<nn::ForeignOp>(types, importer.operands,
                                                 properties);
}

LogicalResult GraphImporter::bindVars(OprImporter &importer) {
  const Operator &opr = importer.opr;
  if (!importer.hasVars && importer.created)
    importer.setVars(SmallVector<Value>(importer.created->getResults()));
  if (importer.vars.size() != opr.outputs.size())
    return importer.emitError() << "has " << opr.outputs.size()
                                << " vars, expected " << importer.vars.size();
  SmallVector<Attribute> middles;
  bool keepsMiddle = false;
  for (auto [var, value] : llvm::zip_equal(opr.outputs, importer.vars)) {
    vars[var] = value;
    FailureOr<Attribute> middle = reconcileMiddle(var, value);
    if (failed(middle))
      return failure();
    keepsMiddle |= bool(*middle);
    middles.push_back(*middle ? *middle : builder.getUnitAttr());
  }
  if (keepsMiddle && importer.created)
    importer.created->setAttr(attr::kMiddle, builder.getArrayAttr(middles));
  return success();
}

FailureOr<Attribute> GraphImporter::reconcileMiddle(uint32_t var, Value value) {
  if (!graph.middleTensors)
    return Attribute();
  const MiddleTensor &middle = (*graph.middleTensors)[var];
  NamedAttrList record;
  std::optional<SmallVector<int64_t>> shape;
  if (middle.shape)
    shape.emplace(middle.shape->begin(), middle.shape->end());
  if (value && shape) {
    // The writer may know more than its operands tell us.
    auto type = cast<TensorType>(value.getType());
    if (succeeded(verifyCompatibleShape(
            *shape, type.hasRank() ? type.getShape() : ArrayRef(*shape))) &&
        !isa<BlockArgument>(value))
      value.setType(RankedTensorType::get(*shape, type.getElementType()));
  }
  auto ranked = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  bool isStatic = ranked && ranked.hasStaticShape();
  if (shape && !(isStatic && ranked.getShape() == ArrayRef(*shape)))
    record.append("shape", builder.getDenseI64ArrayAttr(*shape));
  if (!shape && isStatic)
    record.append("no_shape", builder.getUnitAttr());
  if (middle.compNode)
    record.append("comp_node",
                  getCompNodeAttr(builder.getContext(), *middle.compNode));
  if (middle.dtype) {
    Type element = getElementType(builder.getContext(), *middle.dtype,
                                  [&] { return emitError(getLoc(current)); });
    if (!element)
      return failure();
    record.append("dtype", TypeAttr::get(element));
  }
  if (middle.format.kind != TensorFormat::Kind::None)
    record.append(
        "format",
        builder.getDenseI64ArrayAttr(
            {static_cast<int64_t>(middle.format.kind), middle.format.alignAxis,
             middle.format.sizeNbits, middle.format.alignSizeInBits}));
  if (record.empty())
    return Attribute();
  return Attribute(record.getDictionary(builder.getContext()));
}

FailureOr<NamedAttrList> GraphImporter::getOprAttrs(const OprImporter &importer,
                                                    bool isArgument) {
  const Operator &opr = importer.opr;
  NamedAttrList attrs;
  if (opr.name)
    attrs.append(attr::kName, builder.getStringAttr(*opr.name));
  // Var names: V1 keeps them per operator, V2 in the middle tensors.
  SmallVector<Attribute> names;
  if (opr.outputNames) {
    for (const std::string &name : *opr.outputNames)
      names.push_back(builder.getStringAttr(name));
  } else if (graph.middleTensors) {
    for (uint32_t var : opr.outputs) {
      const auto &name = (*graph.middleTensors)[var].name;
      names.push_back(name ? Attribute(builder.getStringAttr(*name))
                           : Attribute(builder.getUnitAttr()));
    }
  }
  if (opr.outputNames || !names.empty())
    attrs.append(attr::kVars, builder.getArrayAttr(names));
  if (isArgument && graph.middleTensors) {
    // An argument is not narrowed: its record is checked against its tensor.
    const MiddleTensor &middle = (*graph.middleTensors)[opr.outputs.front()];
    NamedAttrList record;
    if (middle.shape != opr.tensors.front().shape) {
      if (middle.shape)
        record.append("shape",
                      builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
                          middle.shape->begin(), middle.shape->end())));
      else
        record.append("no_shape", builder.getUnitAttr());
    }
    if (!record.empty())
      attrs.append(attr::kMiddle, builder.getArrayAttr(record.getDictionary(
                                      builder.getContext())));
  }
  if (opr.compNodes) {
    SmallVector<Attribute> nodes;
    for (const CompNode &node : *opr.compNodes)
      nodes.push_back(getCompNodeAttr(builder.getContext(), node));
    attrs.append(attr::kCompNode, builder.getArrayAttr(nodes));
  }
  if (opr.outputDType && !importer.tookOutputType) {
    Type element = getElementType(builder.getContext(), *opr.outputDType,
                                  [&] { return importer.emitError(); });
    if (!element)
      return failure();
    attrs.append(attr::kOutputDType, TypeAttr::get(element));
  }
  if (opr.priority)
    attrs.append(attr::kPriority, builder.getI32IntegerAttr(opr.priority));
  if (importer.keepsOprName)
    attrs.append(attr::kOpr, builder.getStringAttr(opr.info->name));
  if (graph.encoding == Encoding::V2) {
    uint32_t newest = opr.info ? opr.info->maxOprVersion : 0;
    if (opr.oprVersion != newest)
      attrs.append(attr::kOprVersion,
                   builder.getI32IntegerAttr(opr.oprVersion));
    std::string usual;
    if (opr.info)
      usual = opr.oprVersion == 2 ? opr.info->className.str()
                                  : opr.info->name.str();
    if (!opr.type)
      attrs.append(attr::kType, builder.getUnitAttr());
    else if (*opr.type != usual)
      attrs.append(attr::kType, builder.getStringAttr(*opr.type));
  }
  if (importer.keepsPolicy)
    for (const Param &param : opr.params)
      if (const auto *policy = param.AsExecutionPolicy())
        attrs.append(attr::kPolicy,
                     builder.getDenseI64ArrayAttr(
                         {static_cast<int64_t>(policy->strategy),
                          static_cast<int64_t>(policy->workspace_limit)}));
  bool isForeign = !isArgument &&
                   (!opr.info || !ImportRegistry::get().lookup(opr.info->name));
  if (isForeign && !opr.blobs.empty()) {
    SmallVector<Attribute> blobs;
    for (ArrayRef<uint8_t> blob : opr.blobs)
      blobs.push_back(builder.getDenseI8ArrayAttr(ArrayRef(
          reinterpret_cast<const int8_t *>(blob.data()), blob.size())));
    attrs.append(attr::kBlobs, builder.getArrayAttr(blobs));
  }
  if (isForeign && !opr.tensors.empty())
    return importer.emitError() << "carries tensors of an unknown use";
  return attrs;
}

/// The names that the format's loaders give to the vars of an operator: their
/// own, or else that of the operator whose only var it is.
static StringRef getVarName(const Graph &graph, const Operator &opr, size_t k) {
  StringRef name;
  if (opr.outputNames && k < opr.outputNames->size())
    name = (*opr.outputNames)[k];
  else if (graph.middleTensors && (*graph.middleTensors)[opr.outputs[k]].name)
    name = *(*graph.middleTensors)[opr.outputs[k]].name;
  if (name.empty() && opr.outputs.size() == 1 && opr.name)
    name = *opr.name;
  return name;
}

LogicalResult GraphImporter::importOutputs() {
  SmallVector<Value> results;
  for (const OutputVar &output : graph.outputs) {
    Value value = vars[output.compactId];
    if (!value)
      return emitError(func.getLoc())
             << "graph output " << results.size() << " is var "
             << output.compactId
             << ", which its operator does not write in this mode";
    results.push_back(value);
  }
  func::ReturnOp::create(builder, func.getLoc(), results);
  func.setFunctionType(FunctionType::get(builder.getContext(),
                                         func.getFunctionType().getInputs(),
                                         ValueRange(results).getTypes()));
  llvm::DenseMap<uint32_t, StringRef> names;
  for (const OutputVar &output : graph.outputs)
    names[output.compactId] = {};
  for (const Operator &opr : graph.oprs)
    for (auto [k, var] : llvm::enumerate(opr.outputs))
      if (auto it = names.find(var); it != names.end())
        it->second = getVarName(graph, opr, k);
  for (auto [k, output] : llvm::enumerate(graph.outputs)) {
    func.setResultAttr(k, attr::kOriginalId,
                       builder.getI64IntegerAttr(output.originalId));
    if (StringRef name = names[output.compactId]; !name.empty())
      func.setResultAttr(k, nn::NNDialect::kNameAttr,
                         builder.getStringAttr(name));
  }
  return success();
}

void GraphImporter::attachGraphAttrs() {
  Builder &b = builder;
  func->setAttr(attr::kEncoding,
                b.getStringAttr(stringifyEncoding(graph.encoding)));
  func->setAttr(attr::kVersion, b.getI64IntegerAttr(graph.version));
  if (graph.encoding == Encoding::V2)
    func->setAttr(attr::kModelVersion, b.getI64IntegerAttr(graph.modelVersion));
  else
    func->setAttr(attr::kHash,
                  b.getIntegerAttr(b.getIntegerType(64, /*isSigned=*/false),
                                   APInt(64, graph.hash)));
  func->setAttr(attr::kNrSharedTensor,
                b.getI64IntegerAttr(graph.nrSharedTensor));
  if (graph.middleTensors)
    func->setAttr(attr::kKeepsVars, b.getUnitAttr());
  if (graph.layouts.zeroStrategy || graph.layouts.earlyWindow)
    func->setAttr(attr::kLayouts,
                  b.getDenseBoolArrayAttr(
                      {graph.layouts.zeroStrategy, graph.layouts.earlyWindow}));
  if (graph.shiftedUnion)
    func->setAttr(attr::kShiftedUnion, b.getUnitAttr());
  if (usualCompNode)
    func->setAttr(attr::kCompNode,
                  getCompNodeAttr(b.getContext(), *usualCompNode));
  if (graph.metadata) {
    NamedAttrList dict;
    dict.append("is_valid", b.getBoolAttr(graph.metadata->isValid));
    dict.append("graph_modified", b.getBoolAttr(graph.metadata->graphModified));
    dict.append("optimize_options",
                b.getI64IntegerAttr(graph.metadata->optimizeOptions));
    if (graph.metadata->userInfo)
      dict.append("user_info", b.getStringAttr(*graph.metadata->userInfo));
    func->setAttr(attr::kMetadata, dict.getDictionary(b.getContext()));
  }
  if (graph.outputAliases) {
    SmallVector<Attribute> aliases;
    for (const OutputAlias &alias : *graph.outputAliases) {
      NamedAttrList dict;
      dict.append("id", b.getI64IntegerAttr(alias.id));
      if (alias.name)
        dict.append("name", b.getStringAttr(*alias.name));
      aliases.push_back(dict.getDictionary(b.getContext()));
    }
    func->setAttr(attr::kOutputAlias, b.getArrayAttr(aliases));
  }
}
