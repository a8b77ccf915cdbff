//===- ExportTensor.cpp - Constants, tensor records and vars --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// The format that a tensor record (mgb.tensor) names.
static TensorFormat getFormat(DictionaryAttr record, bool isV2) {
  TensorFormat format;
  if (isV2)
    format.kind = TensorFormat::Kind::Default;
  if (!record)
    return format;
  if (record.contains("no_format"))
    format.kind = TensorFormat::Kind::None;
  if (auto axis = record.getAs<IntegerAttr>("image2d_axis")) {
    format.kind = TensorFormat::Kind::Image2DPacked;
    format.alignAxis = axis.getInt();
  } else if (auto bits = record.getAs<DenseI64ArrayAttr>("lowbits")) {
    format.kind = TensorFormat::Kind::LowbitsAligned;
    if (bits.size() == 2) {
      format.sizeNbits = bits[0];
      format.alignSizeInBits = bits[1];
    }
  }
  return format;
}

LogicalResult GraphExporter::fillTensor(Tensor &tensor, Type type,
                                        ElementsAttr value,
                                        DictionaryAttr record, Location loc) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return emitError(loc) << "type " << type << " has no static shape";
  std::optional<DType> dtype = getDType(ranked.getElementType());
  if (!dtype)
    return emitError(loc) << "element type " << ranked.getElementType()
                          << " has no dtype in this format";
  if (!record || !record.contains("no_dtype"))
    tensor.dtype = dtype;
  if (!record || !record.contains("no_shape")) {
    auto &shape = tensor.shape.emplace();
    for (int64_t dim : ranked.getShape()) {
      if (dim > UINT32_MAX)
        return emitError(loc) << "dimension " << dim << " exceeds 32 bits";
      shape.push_back(dim);
    }
  }
  tensor.compNode = usualCompNode;
  tensor.format = getFormat(record, graph->encoding == Encoding::V2);
  ArrayRef<int8_t> skipped;
  if (record) {
    if (auto name = record.getAs<StringAttr>("name"))
      tensor.name = name.str();
    if (auto node = record.get("comp_node")) {
      tensor.compNode = CompNode();
      if (auto locator = dyn_cast<StringAttr>(node))
        tensor.compNode->locator = locator.str();
    }
    if (record.contains("no_comp_node"))
      tensor.compNode.reset();
    if (auto bytes = record.getAs<DenseI8ArrayAttr>("skipped");
        bytes && graph->encoding != Encoding::V2)
      skipped = bytes;
  }
  if (!value)
    return success();
  SmallVector<char> buffer;
  std::optional<ArrayRef<char>> bytes = nn::getRawBytes(value, buffer);
  std::optional<uint64_t> size = nn::getByteSize(ranked);
  if (!bytes || !size || bytes->size() != *size)
    return emitError(loc) << "the value's bytes are not there (elided?)";
  ArrayRef<uint8_t> area(reinterpret_cast<const uint8_t *>(bytes->data()),
                         bytes->size());
  if (!skipped.empty() || !buffer.empty()) {
    auto owned =
        std::make_unique<std::vector<uint8_t>>(skipped.begin(), skipped.end());
    owned->insert(owned->end(), area.begin(), area.end());
    area = *owned;
    storage.push_back(std::move(owned));
    tensor.offset = skipped.size();
  }
  tensor.area = area;
  // V1 tells a value by its size: an empty one is not stored there.
  tensor.hasData = !area.empty() || graph->encoding == Encoding::V2;
  return success();
}

/// How a constant that came from no file is written. Integers are shapes,
/// bounds and indices as a rule: the loader infers static values only from
/// ImmutableTensor, which is meant for small ones.
static StringRef getDefaultHolder(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  bool isSmall = nn::getByteSize(type).value_or(UINT64_MAX) <= 1024;
  return isa<nn::ConstantOp>(op) && isSmall &&
                 isa<IntegerType>(type.getElementType())
             ? "ImmutableTensor"
             : "SharedDeviceTensor";
}

LogicalResult GraphExporter::exportConstant(Operation *op) {
  auto preferred = op->getAttrOfType<StringAttr>(attr::kOpr);
  StringRef name = preferred ? preferred.getValue() : getDefaultHolder(op);
  bool isHolder = name == "MultipleDeviceTensorHolder" ||
                  name == "MultipleDeviceTensorWithFormatHolder";
  if (auto number = op->getAttrOfType<IntegerAttr>(attr::kHolder)) {
    ArrayRef<Operation *> group = holders[number.getInt()];
    return group.front() == op ? exportHolder(group) : success();
  }
  // A constant that left its holder is a plain parameter.
  if (isHolder || !lookupOprByName(name))
    name = "SharedDeviceTensor";
  Operator opr;
  opr.info = lookupOprByName(name);
  auto record = op->getAttrOfType<DictionaryAttr>(attr::kTensor);
  if (failed(fillTensor(opr.tensors.emplace_back(), op->getResult(0).getType(),
                        op->getAttrOfType<ElementsAttr>("value"), record,
                        op->getLoc())))
    return failure();
  if (name == "SharedDeviceTensorWithFormat" && graph->encoding != Encoding::V2)
    addFormatBlob(opr, opr.tensors.front());
  if (name != "ImmutableTensor" && name != "SharedDeviceTensorWithFormat")
    ++sharedTensors;
  auto lookup = [&](StringRef key) { return op->getAttr(key); };
  if (failed(fillCommon(opr, op->getLoc(), lookup, 1)))
    return failure();
  nameNode(opr, op);
  return defineVars(opr, op->getResult(0),
                    op->getAttrOfType<ArrayAttr>(attr::kVars),
                    op->getAttrOfType<ArrayAttr>(attr::kMiddle), op->getLoc());
}

void GraphExporter::addFormatBlob(Operator &opr, Tensor &tensor) {
  auto bytes = std::make_unique<std::vector<uint8_t>>(4, 0);
  switch (tensor.format.kind) {
  case TensorFormat::Kind::None:
  case TensorFormat::Kind::Default:
    break;
  case TensorFormat::Kind::Image2DPacked:
    (*bytes)[0] = 1;
    bytes->push_back(tensor.format.alignAxis);
    break;
  case TensorFormat::Kind::LowbitsAligned:
    (*bytes)[0] = 2;
    bytes->push_back(tensor.format.sizeNbits);
    bytes->push_back(tensor.format.alignSizeInBits);
    break;
  }
  // V1 tensors have no format field: the blob is the record.
  tensor.format = TensorFormat();
  opr.blobs.push_back(*bytes);
  storage.push_back(std::move(bytes));
}

LogicalResult GraphExporter::exportHolder(ArrayRef<Operation *> constants) {
  // The holder's own attributes ride on the constant that the importer made
  // last; if that one is gone the defaults do.
  Operation *last = constants.back();
  auto preferred = last->getAttrOfType<StringAttr>(attr::kOpr);
  bool hasFormats =
      preferred && preferred == "MultipleDeviceTensorWithFormatHolder";
  Operator opr;
  opr.info = lookupOprByName(hasFormats ? "MultipleDeviceTensorWithFormatHolder"
                                        : "MultipleDeviceTensorHolder");
  SmallVector<Value> values;
  SmallVector<Attribute> names, middles;
  bool isV2 = graph->encoding == Encoding::V2;
  if (!isV2) {
    uint32_t count = constants.size();
    auto bytes = std::make_unique<std::vector<uint8_t>>(4);
    std::memcpy(bytes->data(), &count, 4);
    opr.blobs.push_back(*bytes);
    storage.push_back(std::move(bytes));
  }
  for (Operation *op : constants) {
    values.push_back(op->getResult(0));
    auto record = op->getAttrOfType<DictionaryAttr>(attr::kTensor);
    if (failed(fillTensor(
            opr.tensors.emplace_back(), op->getResult(0).getType(),
            op->getAttrOfType<ElementsAttr>("value"), record, op->getLoc())))
      return failure();
    if (hasFormats && !isV2)
      addFormatBlob(opr, opr.tensors.back());
    if (auto vars = op->getAttrOfType<ArrayAttr>(attr::kVars))
      llvm::append_range(names, vars);
  }
  sharedTensors += constants.size();
  auto lookup = [&](StringRef key) { return last->getAttr(key); };
  if (failed(fillCommon(opr, last->getLoc(), lookup, values.size())))
    return failure();
  nameNode(opr, last);
  Builder b(last->getContext());
  return defineVars(
      opr, values, names.empty() ? ArrayAttr() : b.getArrayAttr(names),
      last->getAttrOfType<ArrayAttr>(attr::kMiddle), last->getLoc());
}

/// What a V2 file records of a var by default: name and static shape.
static MiddleTensor getMiddle(Value value, Attribute name) {
  MiddleTensor middle;
  if (auto text = dyn_cast_or_null<StringAttr>(name))
    middle.name = text.str();
  auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
  if (type && type.hasStaticShape())
    middle.shape.emplace(type.getShape().begin(), type.getShape().end());
  return middle;
}

/// Applies what differed from the default in the file (mgb.middle).
static void applyMiddle(MiddleTensor &middle, DictionaryAttr record) {
  if (auto shape = record.getAs<DenseI64ArrayAttr>("shape"))
    middle.shape.emplace(shape.asArrayRef().begin(), shape.asArrayRef().end());
  if (record.contains("no_shape"))
    middle.shape.reset();
  if (auto node = record.get("comp_node")) {
    middle.compNode = CompNode();
    if (auto locator = dyn_cast<StringAttr>(node))
      middle.compNode->locator = locator.str();
  }
  if (auto type = record.getAs<TypeAttr>("dtype"))
    middle.dtype = getDType(type.getValue());
  if (auto format = record.getAs<DenseI64ArrayAttr>("format");
      format && format.size() == 4) {
    middle.format.kind = static_cast<TensorFormat::Kind>(format[0]);
    middle.format.alignAxis = format[1];
    middle.format.sizeNbits = format[2];
    middle.format.alignSizeInBits = format[3];
  }
}

LogicalResult GraphExporter::defineVars(Operator &opr, ArrayRef<Value> values,
                                        ArrayAttr names, ArrayAttr middles,
                                        Location loc) {
  if (names && names.size() != values.size())
    names = {};
  if (middles && middles.size() != values.size())
    middles = {};
  for (auto [k, value] : llvm::enumerate(values)) {
    uint32_t id = numVars++;
    if (value && !varIds.try_emplace(value, id).second)
      return emitError(loc) << "one value is two vars";
    opr.outputs.push_back(id);
    if (!graph->middleTensors)
      continue;
    MiddleTensor middle = getMiddle(value, names ? names[k] : Attribute());
    if (middles)
      if (auto record = dyn_cast<DictionaryAttr>(middles[k]))
        applyMiddle(middle, record);
    graph->middleTensors->push_back(std::move(middle));
  }
  if (names && graph->encoding != Encoding::V2) {
    auto &list = opr.outputNames.emplace();
    for (Attribute name : names) {
      auto text = dyn_cast<StringAttr>(name);
      list.push_back(text ? text.str() : std::string());
    }
  }
  graph->oprs.push_back(std::move(opr));
  return success();
}
