//===- Scalar.cpp - Formulas over emitted scalars -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scalar.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

Scalar Scalar::operator/(Scalar rhs) const {
  if (isFloat())
    return {*b, arith::DivFOp::create(*b, value, rhs.value)};
  return {*b, arith::DivSIOp::create(*b, value, rhs.value)};
}

Scalar Scalar::operator>>(unsigned bits) const {
  return {*b, arith::ShRSIOp::create(*b, value, like(bits).value)};
}

Scalar Scalar::operator&(Scalar rhs) const {
  return {*b, arith::AndIOp::create(*b, value, rhs.value)};
}

Scalar Scalar::operator|(Scalar rhs) const {
  return {*b, arith::OrIOp::create(*b, value, rhs.value)};
}

Scalar Scalar::select(Scalar lhs, Scalar rhs) const {
  return {*b, arith::SelectOp::create(*b, value, lhs.value, rhs.value)};
}

Scalar Scalar::floor() const { return {*b, math::FloorOp::create(*b, value)}; }

Scalar Scalar::ceil() const { return {*b, math::CeilOp::create(*b, value)}; }

Scalar Scalar::abs() const { return {*b, math::AbsFOp::create(*b, value)}; }

Scalar Scalar::sin() const { return {*b, math::SinOp::create(*b, value)}; }

Scalar Scalar::roundHalfEven() const {
  return {*b, math::RoundEvenOp::create(*b, value)};
}

Scalar Scalar::roundHalfAway() const {
  Scalar magnitude = (abs() + 0.5).floor();
  return {*b, math::CopySignOp::create(*b, magnitude.value, value)};
}

Scalar Scalar::modulo(Scalar rhs) const {
  Scalar rest(*b, arith::RemSIOp::create(*b, value, rhs.value));
  return (rest < 0).select(rest + rhs, rest);
}

Scalar Scalar::to(Type type) const {
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
    return Scalar(*b, arith::FPToSIOp::create(*b, whole, value)).to(type);
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

Value nn::emitRoundedElement(Scalar value, Type element, int64_t zeroPoint) {
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
  Scalar whole = value.roundHalfAway();
  if (zeroPoint != 0)
    whole = whole + double(zeroPoint);
  return whole.clamp(min, max)
      .to(IntegerType::get(element.getContext(), 64))
      .to(getLoweredElementType(element))
      .get();
}

Scalar nn::emitCubicWeight(Scalar fraction, Scalar k) {
  constexpr double a = -0.75;
  auto near = [](Scalar d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto far = [](Scalar d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  Scalar first = far(fraction + 1), second = near(fraction);
  Scalar third = near(1 - fraction);
  Scalar fourth = 1 - (first + second + third);
  return (k == 0).select(
      first, (k == 1).select(second, (k == 2).select(third, fourth)));
}

Scalar nn::emitLanczosWeight(Scalar fraction, Scalar k) {
  auto weigh = [&](Scalar tap) {
    Scalar d = fraction + 3 - tap;
    constexpr double pi = std::numbers::pi;
    return (d * pi).sin() * (d * pi / 4).sin() / (d * d);
  };
  Scalar sum = weigh(k.like(0));
  for (int tap = 1; tap < 8; ++tap)
    sum = sum + weigh(k.like(tap));
  // On an element it is taken alone: the formula would divide by zero.
  constexpr double tiny = 1e-9;
  auto isAlone = [&](Scalar is) { return is.select(k.like(1), k.like(0)); };
  return (fraction < tiny)
      .select(isAlone(k == 3),
              (1 - fraction < tiny).select(isAlone(k == 4), weigh(k) / sum));
}
