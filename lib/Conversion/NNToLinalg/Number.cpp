//===- Number.cpp - Elements in formulas ----------------------------------===//
//===- Number.cpp - Formulas over emitted scalars -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Inference.h"

#include <cmath>
#include <numbers>

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
Number Number::operator/(Number rhs) const {
  if (isFloat())
    return {*b, arith::DivFOp::create(*b, value, rhs.value)};
  return {*b, arith::DivSIOp::create(*b, value, rhs.value)};
}

Number Number::operator>>(unsigned bits) const {
  return {*b, arith::ShRSIOp::create(*b, value, like(bits).value)};
}

Number Number::operator&(Number rhs) const {
  return {*b, arith::AndIOp::create(*b, value, rhs.value)};
}

Number Number::operator|(Number rhs) const {
  return {*b, arith::OrIOp::create(*b, value, rhs.value)};
}

Number Number::select(Number lhs, Number rhs) const {
  return {*b, arith::SelectOp::create(*b, value, lhs.value, rhs.value)};
}

Number Number::floor() const { return {*b, math::FloorOp::create(*b, value)}; }

Number Number::ceil() const { return {*b, math::CeilOp::create(*b, value)}; }

Number Number::abs() const { return {*b, math::AbsFOp::create(*b, value)}; }

Number Number::sin() const { return {*b, math::SinOp::create(*b, value)}; }

Number Number::roundHalfEven() const {
  return {*b, math::RoundEvenOp::create(*b, value)};
}

Number Number::roundHalfAway() const {
  Number magnitude = (abs() + 0.5).floor();
  return {*b, math::CopySignOp::create(*b, magnitude.value, value)};
}

Number Number::modulo(Number rhs) const {
  Number rest(*b, arith::RemSIOp::create(*b, value, rhs.value));
  return (rest < 0).select(rest + rhs, rest);
}

Number Number::to(Type type) const {
  Type own = value.getType();
  if (own == type)
    return *this;
  if (isFloat() && isa<FloatType>(type)) {
    if (own.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      return {*b, arith::ExtFOp::create(*b, type, value)};
    return {*b, arith::TruncFOp::create(*b, type, value)};
  }
  if (isFloat()) {
    Type whole = type.isIndex() ? b->getI64Type() : type;
    return Number(*b, arith::FPToSIOp::create(*b, whole, value)).to(type);
  }
  if (isa<FloatType>(type))
    return {*b,
            arith::SIToFPOp::create(
                *b, type, own.isIndex() ? to(b->getI64Type()).value : value)};
  if (own.isIndex() || type.isIndex())
    return {*b, arith::IndexCastOp::create(*b, type, value)};
  return {*b, emitResizeInt(*b, value, own, type)};
}

int64_t nn::getZeroPoint(Type element) {
  auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
  return quantized ? quantized.getZeroPoint() : 0;
}

bool nn::isRoundable(Type element) {
  return isa<IntegerType>(getLoweredElementType(element)) &&
         !element.isSignlessInteger(1) && getStorageBits(element) <= 32;
}

Value nn::emitRoundedElement(Number value, Type element, int64_t zeroPoint) {
  double min = 0, max = 0;
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element)) {
    min = double(quantized.getStorageTypeMin());
    max = double(quantized.getStorageTypeMax());
  } else {
    unsigned bits = getStorageBits(element);
    bool isUnsigned = isUnsignedElement(element);
    min = isUnsigned ? 0 : -std::ldexp(1.0, int(bits) - 1);
    max = std::ldexp(1.0, int(bits) - (isUnsigned ? 0 : 1)) - 1;
  }
  Number whole = value.roundHalfAway();
  if (zeroPoint != 0)
    whole = whole + double(zeroPoint);
  return whole.clamp(min, max)
      .to(IntegerType::get(element.getContext(), 64))
      .to(getLoweredElementType(element))
      .get();
}

Number nn::emitCubicWeight(Number fraction, Number k) {
  constexpr double A = -0.75;
  auto near = [](Number d) { return ((A + 2) * d - (A + 3)) * d * d + 1; };
  auto far = [](Number d) { return ((A * d - 5 * A) * d + 8 * A) * d - 4 * A; };
  Number first = far(fraction + 1), second = near(fraction);
  Number third = near(1 - fraction);
  Number fourth = 1 - (first + second + third);
  return (k == 0).select(
      first, (k == 1).select(second, (k == 2).select(third, fourth)));
}

Number nn::emitLanczosWeight(Number fraction, Number k) {
  auto weigh = [&](Number tap) {
    Number d = fraction + 3 - tap;
    constexpr double pi = std::numbers::pi;
    return (d * pi).sin() * (d * pi / 4).sin() / (d * d);
  };
  Number sum = weigh(k.like(0));
  for (int tap = 1; tap < 8; ++tap)
    sum = sum + weigh(k.like(tap));
  // On an element it is taken alone: the formula would divide by zero.
  constexpr double tiny = 1e-9;
  auto isAlone = [&](Number is) { return is.select(k.like(1), k.like(0)); };
  return (fraction < tiny)
      .select(isAlone(k == 3),
              (1 - fraction < tiny).select(isAlone(k == 4), weigh(k) / sum));
}
