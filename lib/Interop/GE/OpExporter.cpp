//===- OpExporter.cpp - From an nn op to an OpDef -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/OpExporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;
using google::protobuf::RepeatedPtrField;
using List = proto::AttrDef::ListValue;

const proto::AttrDef *
modelwright::ge::findAttr(const RepeatedPtrField<proto::AttrEntry> &map,
                          StringRef key) {
  // The last one counts, as in protobuf's own maps.
  for (int k = map.size(); k-- > 0;)
    if (map[k].key() == key)
      return &map[k].value();
  return nullptr;
}

proto::AttrDef &
modelwright::ge::getAttr(RepeatedPtrField<proto::AttrEntry> &map,
                         StringRef key) {
  for (int k = map.size(); k-- > 0;)
    if (map[k].key() == key)
      return *map[k].mutable_value();
  proto::AttrEntry *entry = map.Add();
  entry->set_key(key.str());
  return *entry->mutable_value();
}

proto::AttrDef &OpExporter::get(StringRef name) {
  proto::AttrDef &value = getAttr(*op.mutable_attr(), name);
  value.Clear();
  return value;
}

void OpExporter::setInt(StringRef name, int64_t value) {
  get(name).set_i(value);
}
void OpExporter::setFloat(StringRef name, float value) {
  get(name).set_f(value);
}
void OpExporter::setBool(StringRef name, bool value) { get(name).set_b(value); }
void OpExporter::setString(StringRef name, StringRef value) {
  get(name).set_s(value.str());
}

void OpExporter::setInts(StringRef name, ArrayRef<int64_t> values) {
  List *list = get(name).mutable_list();
  list->set_val_type(List::VT_LIST_INT);
  list->mutable_i()->Add(values.begin(), values.end());
}

void OpExporter::setFloats(StringRef name, ArrayRef<float> values) {
  List *list = get(name).mutable_list();
  list->set_val_type(List::VT_LIST_FLOAT);
  list->mutable_f()->Add(values.begin(), values.end());
}

void OpExporter::clear(StringRef name) {
  auto *map = op.mutable_attr();
  for (int k = map->size(); k-- > 0;)
    if (map->Get(k).key() == name)
      map->DeleteSubrange(k, 1);
}

std::optional<float> OpExporter::getKnownFloat(Value value) const {
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  if (!constant ||
      cast<RankedTensorType>(constant.getType()).getNumElements() != 1)
    return std::nullopt;
  auto values = nn::readFloats(constant.getValue());
  if (!values || values->size() != 1)
    return std::nullopt;
  return values->front();
}

static DenseElementsAttr getI32s(MLIRContext *context, ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> values) {
  SmallVector<int32_t> narrow(values.begin(), values.end());
  return DenseElementsAttr::get(
      RankedTensorType::get(shape, IntegerType::get(context, 32)),
      ArrayRef<int32_t>(narrow));
}

void OpExporter::addInts(ArrayRef<int64_t> values) {
  addConstant(getI32s(source->getContext(),
                      {static_cast<int64_t>(values.size())}, values));
}

void OpExporter::addInt(int64_t value) {
  addConstant(getI32s(source->getContext(), {}, value));
}
