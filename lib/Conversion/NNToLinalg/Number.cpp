//===- Number.cpp - Elements in formulas ----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Inference.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

unsigned Number::getBits() const { return getStorageBits(element); }

Number Number::with(Value other) const {
  return {*b, emitWrap(*b, other, element), element};
}

Number nn::operator+(Number lhs, Number rhs) {
  return lhs.with(emitAdd(lhs.getBuilder(), lhs, rhs));
}

Number nn::operator-(Number lhs, Number rhs) {
  return lhs.with(emitSub(lhs.getBuilder(), lhs, rhs));
}

Number nn::operator*(Number lhs, Number rhs) {
  return lhs.with(emitMul(lhs.getBuilder(), lhs, rhs));
}

Number nn::operator/(Number lhs, Number rhs) {
  return lhs.with(arith::DivFOp::create(lhs.getBuilder(), lhs, rhs));
}

Number nn::operator-(Number number) {
  if (number.isFloat())
    return apply<arith::NegFOp>(number);
  return number.constant(0) - number;
}

Value nn::compare(Predicate predicate, Number lhs, Number rhs) {
  return emitCompare(lhs.getBuilder(), predicate, lhs, rhs, lhs.getElement());
}

Value nn::compare(Predicate predicate, Number lhs, double rhs) {
  return compare(predicate, lhs, lhs.constant(rhs));
}

Number nn::select(Value condition, Number ifTrue, Number ifFalse) {
  return ifTrue.with(arith::SelectOp::create(ifTrue.getBuilder(), condition,
                                             Value(ifTrue), Value(ifFalse)));
}

Number nn::select(Value condition, Number ifTrue, double ifFalse) {
  return select(condition, ifTrue, ifTrue.constant(ifFalse));
}

Number nn::select(Value condition, double ifTrue, Number ifFalse) {
  return select(condition, ifFalse.constant(ifTrue), ifFalse);
}

Number nn::min(Number lhs, Number rhs) {
  return lhs.with(emitMin(lhs.getBuilder(), lhs, rhs, lhs.getElement()));
}

Number nn::max(Number lhs, Number rhs) {
  return lhs.with(emitMax(lhs.getBuilder(), lhs, rhs, lhs.getElement()));
}

Number nn::clip(Number number, double low, double high) {
  return min(max(number, number.constant(low)), number.constant(high));
}

Number nn::abs(Number number) {
  if (number.isFloat())
    return apply<math::AbsFOp>(number);
  if (number.isUnsigned())
    return number;
  return select(compare(Predicate::lt, number, 0), -number, number);
}

Number nn::roundHalfAway(Number number) {
  if (number.getElement().isF64())
    return apply<math::RoundOp>(number);
  return number.with(emitRoundHalfAway(number.getBuilder(), number));
}

Number nn::sigmoid(Number number) {
  return number.with(
      emitActivation(number.getBuilder(), number, Activation::sigmoid));
}

Number nn::relu(Number number) {
  return select(compare(Predicate::le, number, 0), 0, number);
}

Number nn::normalDistribution(Number number) {
  return 0.5 * (1 + apply<math::ErfOp>(number / std::sqrt(2.0)));
}

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// The element type of the numbers in a formula; null if there is none.
static Type getNumberType(Type operand, Type result) {
  // A predicate compares what it is given.
  Type type = result.isSignlessInteger(1) ? operand : result;
  if (isQuantized(operand) || isQuantized(result) ||
      (isa<FloatType>(type) && !type.isF64()))
    return Float32Type::get(result.getContext());
  return type.isF64() || isa<IntegerType>(type) ? type : Type();
}

FailureOr<SmallVector<Value>>
nn::lowerFormula(ImplicitLocOpBuilder &b, Operation *op, ValueRange operands,
                 Formula formula, QuantizeWith with) {
  Type resultType = op->getResult(0).getType();
  auto type = dyn_cast_or_null<RankedTensorType>(getLoweredType(resultType));
  if (!type)
    return failure();
  for (Type operand : op->getOperandTypes())
    if (!isa_and_nonnull<RankedTensorType>(getLoweredType(operand)))
      return failure();
  SmallVector<Type> elements = llvm::map_to_vector(
      op->getOperandTypes(), [](Type type) { return getElementType(type); });
  Type result = getElementType(resultType);
  Type number = getNumberType(elements.front(), result);
  if (!number)
    return failure();
  auto body = [&](ImplicitLocOpBuilder &inner, ValueRange values) -> Value {
    SmallVector<Number> numbers;
    for (auto [value, element] : llvm::zip_equal(values, elements))
      numbers.emplace_back(inner, emitCast(inner, value, element, number),
                           number);
    Value value = formula(numbers);
    if (value.getType().isInteger(1))
      number = inner.getI1Type();
    if (isQuantized(result))
      return emitFromF32(inner, emitToF32(inner, value, number), result, with);
    return emitCast(inner, value, number, result);
  };
  return SmallVector<Value>{emitElementwise(b, type, operands, body)};
}

QuantizeWith nn::getQuantizeWith(Operation *op, QuantizeWith withOutType) {
  return op->hasAttr("out_type") ? withOutType : QuantizeWith::Division;
}
