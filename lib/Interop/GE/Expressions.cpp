//===- Expressions.cpp - Functions made of several nn ops -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

#include <numeric>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

LogicalResult modelwright::ge::finish(OpImporter &imp, Value value) {
  if (llvm::is_contained(imp.operands, value))
    value = make<nn::CopyOp>(imp, {value});
  return finish(imp, ArrayRef(value));
}

LogicalResult modelwright::ge::finish(OpImporter &imp, ArrayRef<Value> values) {
  if (llvm::is_contained(values, Value()))
    return failure();
  imp.setResults(values);
  return success();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

FailureOr<RankedTensorType> modelwright::ge::getStaticType(OpImporter &imp,
                                                           size_t k) {
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(k).getType());
  if (!type || !type.hasStaticShape())
    return imp.decline("an input of unknown shape");
  return type;
}

FailureOr<int64_t> modelwright::ge::getAxis(OpImporter &imp, int64_t axis,
                                            int64_t rank) {
  if (axis < -rank || axis >= rank)
    return imp.emitError() << "axis " << axis << " is out of range for rank "
                           << rank;
  return axis < 0 ? axis + rank : axis;
}

FailureOr<SmallVector<int64_t>> modelwright::ge::getInts(OpImporter &imp,
                                                         size_t k,
                                                         StringRef name,
                                                         uint64_t maxElements) {
  Value value = imp.getOperand(k);
  if (!value)
    return imp.emitError() << "input " << k << " ('" << name
                           << "') is not connected";
  Type element = nn::getElementType(value.getType());
  if (!isa<IntegerType>(element) && !nn::isUnknown(element))
    return imp.emitError() << "input " << k << " ('" << name
                           << "') must hold integers, got " << value.getType();
  if (nn::KnownInts known = imp.getKnownInts(value))
    return *known;
  // Shape arithmetic is small, constants need not be.
  if (auto constant = value.getDefiningOp<nn::ConstantOp>())
    if (nn::KnownInts known = nn::readInts(constant.getValue(), maxElements))
      return *known;
  return imp.decline("a computed '" + name + "'");
}

FailureOr<int64_t> modelwright::ge::getInt(OpImporter &imp, size_t k,
                                           StringRef name) {
  FailureOr<SmallVector<int64_t>> values = getInts(imp, k, name);
  if (failed(values))
    return failure();
  if (values->size() != 1)
    return imp.emitError() << "input " << k << " ('" << name << "') has "
                           << values->size() << " elements, expected 1";
  return values->front();
}

FailureOr<float> modelwright::ge::getNumber(OpImporter &imp, size_t k,
                                            StringRef name) {
  Value value = imp.getOperand(k);
  if (value && !nn::isFloat(nn::getElementType(value.getType()))) {
    FailureOr<int64_t> number = getInt(imp, k, name);
    if (failed(number))
      return failure();
    return static_cast<float>(*number);
  }
  auto constant =
      value ? value.getDefiningOp<nn::ConstantOp>() : nn::ConstantOp();
  if (!constant)
    return imp.decline("a computed '" + name + "'");
  std::optional<SmallVector<float>> values =
      nn::readFloats(constant.getValue());
  if (!values)
    return imp.decline("a '" + name + "' of unknown value");
  if (values->size() != 1)
    return imp.emitError() << "input " << k << " ('" << name << "') has "
                           << values->size() << " elements, expected 1";
  return values->front();
}

int64_t modelwright::ge::multiply(ArrayRef<int64_t> dims) {
  return nn::multiplyDims(dims).value_or(-1);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

Value modelwright::ge::makeNumber(OpImporter &imp, double value,
                                  Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return imp.createConstantInts({}, {static_cast<int64_t>(value)}, integer);
  if (!nn::isFloat(elementType) || elementType.isF64()) {
    (void)imp.decline("an element type without constants");
    return {};
  }
  return imp.createConstant({}, {static_cast<float>(value)}, elementType);
}

Value modelwright::ge::makeNumber(OpImporter &imp, double value, Value like) {
  return like ? makeNumber(imp, value, nn::getElementType(like.getType()))
              : Value();
}

Value modelwright::ge::makeIota(OpImporter &imp, ArrayRef<int64_t> shape,
                                Type elementType) {
  SmallVector<int64_t> values(multiply(shape));
  std::iota(values.begin(), values.end(), 0);
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return imp.createConstantInts(shape, values, integer);
  SmallVector<float> floats(values.begin(), values.end());
  return imp.createConstant(shape, floats, elementType);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value modelwright::ge::makeReshape(OpImporter &imp, Value value,
                                   ArrayRef<int64_t> shape) {
  return value ? imp.createReshape(value, shape).value_or(Value()) : Value();
}

Value modelwright::ge::makeCast(OpImporter &imp, Value value,
                                Type elementType) {
  return value ? imp.createCast(value, elementType).value_or(Value()) : Value();
}

Value modelwright::ge::makeTranspose(OpImporter &imp, Value value,
                                     ArrayRef<int64_t> permutation) {
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(permutation);
  return make<nn::TransposeOp>(imp, {value}, properties);
}

Value modelwright::ge::makeBroadcast(OpImporter &imp, Value value,
                                     ArrayRef<int64_t> shape) {
  if (!value)
    return {};
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && type.getShape() == shape)
    return value;
  // A vector without elements has no broadcast; one element needs no other.
  if (shape.empty())
    return makeReshape(imp, value, shape);
  return make<nn::BroadcastToOp>(imp, {value, imp.createConstantInts(shape)});
}

Value modelwright::ge::makeConcat(OpImporter &imp, ArrayRef<Value> values,
                                  int64_t axis) {
  if (llvm::is_contained(values, Value()))
    return {};
  if (values.size() == 1)
    return values.front();
  nn::ConcatOp::Properties properties;
  properties.axis = imp.i64(axis);
  return make<nn::ConcatOp>(imp, values, properties);
}

Value modelwright::ge::makeSlice(OpImporter &imp, Value value,
                                 ArrayRef<AxisRange> ranges) {
  if (!value)
    return {};
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<Value> operands{value};
  SmallVector<int64_t> axes;
  SmallVector<bool> hasBegin, hasEnd, hasStep, hasIndex;
  auto add = [&](SmallVector<bool> &flags, bool has, int64_t bound) {
    flags.push_back(has);
    if (has)
      operands.push_back(imp.createConstantInts({bound}));
  };
  for (const AxisRange &range : ranges) {
    int64_t dim = type.getDimSize(range.axis);
    // One past the last element in the direction of the step.
    int64_t end = range.begin + (range.count - 1) * range.step +
                  (range.step > 0 ? 1 : -1);
    int64_t first = range.step > 0 ? 0 : dim - 1;
    int64_t last = range.step > 0 ? dim : -1;
    if (range.begin == first && end == last && range.step == 1 &&
        !range.isDropped)
      continue;
    axes.push_back(range.axis);
    add(hasBegin, !range.isDropped && range.begin != first, range.begin);
    add(hasEnd, !range.isDropped && end != last, end);
    add(hasStep, !range.isDropped && range.step != 1, range.step);
    add(hasIndex, range.isDropped, range.begin);
  }
  if (axes.empty())
    return value;
  nn::SliceOp::Properties properties;
  properties.axes = imp.i64s(axes);
  properties.has_begin = imp.builder.getDenseBoolArrayAttr(hasBegin);
  properties.has_end = imp.builder.getDenseBoolArrayAttr(hasEnd);
  properties.has_step = imp.builder.getDenseBoolArrayAttr(hasStep);
  properties.has_index = imp.builder.getDenseBoolArrayAttr(hasIndex);
  return make<nn::SliceOp>(imp, operands, properties);
}

Value modelwright::ge::makeSelect(OpImporter &imp, Value mask, Value onTrue,
                                  Value onFalse) {
  SmallVector<int64_t> shape;
  SmallVector<Value> values{makeCast(imp, mask, imp.builder.getI1Type()),
                            onTrue, onFalse};
  for (Value value : values) {
    auto type = value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
    if (value && (!type || !type.hasStaticShape())) {
      (void)imp.decline("a choice between tensors of unknown shapes");
      return {};
    }
    if (!value ||
        failed(nn::broadcastShapes(imp.loc, shape, type.getShape(), shape)))
      return {};
  }
  // nn.select itself does not broadcast.
  for (Value &value : values)
    value = makeBroadcast(imp, value, shape);
  return make<nn::SelectOp>(imp, values);
}

Value modelwright::ge::makePower(OpImporter &imp, Value input, float exponent) {
  nn::PowConstOp::Properties properties;
  properties.exponent = imp.f32(exponent);
  return make<nn::PowConstOp>(imp, {input}, properties);
}
