//===- OpImporter.cpp - From an OpDef to nn ops ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/OpImporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/OpExporter.h"
#include "modelwright/Interop/GE/OpVersions.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;
using AttrDef = proto::AttrDef;

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> OpImporter::getOperands() const {
  SmallVector<Value> present;
  llvm::copy_if(operands, std::back_inserter(present),
                [](Value value) { return bool(value); });
  return present;
}

LogicalResult OpImporter::expectOperands(size_t required, size_t most) const {
  for (size_t k = 0; k < required; ++k)
    if (!getOperand(k))
      return emitError() << "input " << k << " is not connected";
  // Files may end the list with holes.
  for (size_t k = most; k < operands.size(); ++k)
    if (operands[k])
      return emitError() << "has an input " << k << ", expected at most "
                         << most << " inputs";
  return success();
}

FailureOr<SmallVector<int64_t>>
OpImporter::expectKnownInts(size_t k, StringRef name) const {
  Value value = getOperand(k);
  if (!value)
    return emitError() << "input " << k << " ('" << name
                       << "') is not connected";
  nn::KnownInts known = getKnownInts(value);
  if (!known)
    return emitError() << "input " << k << " ('" << name
                       << "') must be a constant of integers";
  return *known;
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

int64_t OpImporter::getVersion() const {
  const AttrDef *value = findAttr(op.attr(), "version");
  return value && value->has_i() ? value->i() : 0;
}

bool OpImporter::isServerOp() const {
  return !facts.isOM && !findAttr(op.attr(), "version");
}

const AttrDef *OpImporter::find(StringRef name) const {
  if (const AttrDef *value = findAttr(op.attr(), name))
    return value;
  StringRef old = getOldAttrName(op.type(), name);
  return old.empty() ? nullptr : findAttr(op.attr(), old);
}

InFlightDiagnostic OpImporter::emitKindError(StringRef name,
                                             StringRef wanted) const {
  return emitError() << "attribute '" << name << "' must be " << wanted;
}

FailureOr<int64_t> OpImporter::getInt(StringRef name,
                                      int64_t defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return defaultValue;
  if (value->has_b())
    return static_cast<int64_t>(value->b());
  if (std::optional<int64_t> dataType = getDataType(*value))
    return *dataType;
  if (!value->has_i())
    return emitKindError(name, "an integer");
  return value->i();
}

FailureOr<float> OpImporter::getFloat(StringRef name,
                                      float defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return defaultValue;
  if (!value->has_f())
    return emitKindError(name, "a float");
  return value->f();
}

FailureOr<bool> OpImporter::getBool(StringRef name, bool defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return defaultValue;
  if (value->has_i())
    return value->i() != 0;
  if (!value->has_b())
    return emitKindError(name, "a boolean");
  return value->b();
}

FailureOr<std::string> OpImporter::getString(StringRef name,
                                             StringRef defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return defaultValue.str();
  if (!value->has_s())
    return emitKindError(name, "a string");
  return value->s();
}

FailureOr<SmallVector<int64_t>>
OpImporter::getInts(StringRef name, ArrayRef<int64_t> defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return SmallVector<int64_t>(defaultValue);
  if (value->has_i())
    return SmallVector<int64_t>{value->i()};
  if (!value->has_list())
    return emitKindError(name, "a list of integers");
  const auto &list = value->list();
  if (list.val_type() != AttrDef::ListValue::VT_LIST_INT && !list.i_size() &&
      list.val_type() != AttrDef::ListValue::VT_LIST_NONE)
    return emitKindError(name, "a list of integers");
  return SmallVector<int64_t>(list.i().begin(), list.i().end());
}

FailureOr<SmallVector<float>>
OpImporter::getFloats(StringRef name, ArrayRef<float> defaultValue) const {
  const AttrDef *value = find(name);
  if (!value)
    return SmallVector<float>(defaultValue);
  if (value->has_f())
    return SmallVector<float>{value->f()};
  if (!value->has_list())
    return emitKindError(name, "a list of floats");
  const auto &list = value->list();
  if (list.val_type() != AttrDef::ListValue::VT_LIST_FLOAT && !list.f_size() &&
      list.val_type() != AttrDef::ListValue::VT_LIST_NONE)
    return emitKindError(name, "a list of floats");
  return SmallVector<float>(list.f().begin(), list.f().end());
}

FailureOr<SmallVector<int64_t>>
OpImporter::expectInts(StringRef name, size_t count,
                       ArrayRef<int64_t> defaultValue) const {
  FailureOr<SmallVector<int64_t>> values = getInts(name, defaultValue);
  if (succeeded(values) && values->size() != count)
    return emitError() << "attribute '" << name << "' has " << values->size()
                       << " elements, expected " << count;
  return values;
}

const proto::NamedAttrs *OpImporter::findFunc(StringRef name) const {
  const AttrDef *value = find(name);
  return value && value->has_func() ? &value->func() : nullptr;
}

FailureOr<bool> OpImporter::isNHWC(bool defaultsToNHWC) const {
  if (find("data_format")) {
    FailureOr<std::string> format = getString("data_format", "");
    if (failed(format))
      return failure();
    if (*format != "NCHW" && *format != "NHWC" && *format != "ND")
      return emitError() << "attribute 'data_format' \"" << *format
                         << "\" is not supported";
    return *format == "NHWC";
  }
  FailureOr<int64_t> format = getInt("format", defaultsToNHWC ? 1 : 0);
  if (failed(format))
    return failure();
  return *format == 1;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

Value OpImporter::createConstant(ArrayRef<int64_t> shape,
                                 ArrayRef<float> values, Type elementType) {
  auto type = RankedTensorType::get(shape, elementType);
  auto constant = nn::ConstantOp::create(
      builder, loc, type, nn::makeFloatElements(type, "ge_constant", values));
  created.push_back(constant);
  return constant;
}

Value OpImporter::createConstantInts(ArrayRef<int64_t> values) {
  return createConstantInts({static_cast<int64_t>(values.size())}, values,
                            builder.getI32Type());
}

Value OpImporter::createConstantInts(ArrayRef<int64_t> shape,
                                     ArrayRef<int64_t> values,
                                     IntegerType elementType) {
  auto type = RankedTensorType::get(shape, elementType);
  unsigned bits = nn::getStorageBits(elementType);
  SmallVector<char> bytes;
  for (int64_t value : values)
    for (unsigned k = 0; k < bits; k += 8)
      bytes.push_back(static_cast<char>(value >> k));
  auto constant = nn::ConstantOp::create(
      builder, loc, type, nn::makeOwnedElements(type, "ge_constant", bytes));
  created.push_back(constant);
  // Cannot fail: a constant contradicts nothing.
  (void)shapeValues.visit(constant);
  return constant;
}

FailureOr<Value> OpImporter::createReshape(Value value,
                                           ArrayRef<int64_t> shape) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getShape() == shape)
    return value;
  FailureOr<nn::ReshapeOp> reshape =
      create<nn::ReshapeOp>({value, createConstantInts(shape)});
  if (failed(reshape))
    return failure();
  return Value(*reshape);
}

FailureOr<Value> OpImporter::createCast(Value value, Type elementType) {
  if (nn::getElementType(value.getType()) == elementType)
    return value;
  nn::CastOp::Properties properties;
  properties.to = TypeAttr::get(elementType);
  FailureOr<nn::CastOp> cast = create<nn::CastOp>({value}, properties);
  if (failed(cast))
    return failure();
  return Value(*cast);
}

SmallVector<Value> OpImporter::getResults() const {
  if (hasResults)
    return results;
  if (created.empty())
    return {};
  return created.back()->getResults();
}

Operation *OpImporter::getMain() const {
  for (Value result : getResults())
    if (Operation *op = result ? result.getDefiningOp() : nullptr;
        op && llvm::is_contained(created, op))
      return op;
  // An op without outputs.
  return getResults().empty() && !created.empty() ? created.back() : nullptr;
}
