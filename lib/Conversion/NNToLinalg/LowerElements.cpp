//===- LowerElements.cpp - Arithmetic on single elements ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type nn::getLoweredElementType(Type element) {
  if (isa<ComplexType>(element) || isa<FloatType>(element) ||
      element.isSignlessInteger(1))
    return element;
  auto storage = dyn_cast<IntegerType>(getStorageElementType(element));
  if (!storage)
    return {};
  return IntegerType::get(element.getContext(),
                          std::max(8u, storage.getWidth()));
}

Type nn::getLoweredType(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return {};
  Type element = getLoweredElementType(tensor.getElementType());
  return element ? Type(tensor.clone(element)) : Type();
}

bool nn::isUnsignedElement(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return !quantized.isSigned();
  return element.isUnsignedInteger() || element.isSignlessInteger(1);
}

LoweringTypeConverter::LoweringTypeConverter() {
  addConversion([](Type type) { return type; });
  addConversion([](TensorType type) -> std::optional<Type> {
    Type lowered = getLoweredType(type);
    return lowered ? std::optional(lowered) : std::nullopt;
  });
  auto materialize = [](OpBuilder &builder, Type type, ValueRange inputs,
                        Location loc) -> Value {
    if (inputs.size() != 1)
      return {};
    return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
        .getResult(0);
  };
  addSourceMaterialization(materialize);
  addTargetMaterialization(materialize);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value nn::emitConstant(ImplicitLocOpBuilder &b, Type lowered, double value) {
  TypedAttr attr;
  if (auto floating = dyn_cast<FloatType>(lowered))
    attr = b.getFloatAttr(floating, value);
  else if (lowered.isIndex())
    attr = b.getIndexAttr(static_cast<int64_t>(value));
  else
    attr = IntegerAttr::get(
        lowered, APInt(lowered.getIntOrFloatBitWidth(),
                       static_cast<uint64_t>(static_cast<int64_t>(value)),
                       /*isSigned=*/false, /*implicitTrunc=*/true));
  return arith::ConstantOp::create(b, attr);
}

Value nn::emitConstantIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value nn::emitResizeInt(ImplicitLocOpBuilder &b, Value value, Type element,
                        Type lowered) {
  unsigned from = value.getType().getIntOrFloatBitWidth();
  unsigned to = lowered.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return arith::TruncIOp::create(b, lowered, value);
  if (isUnsignedElement(element))
    return arith::ExtUIOp::create(b, lowered, value);
  return arith::ExtSIOp::create(b, lowered, value);
}

/// The integer `value` as f32, rounded once.
static Value emitIntToF32(ImplicitLocOpBuilder &b, Value value,
                          bool isUnsigned) {
  Type f32 = b.getF32Type();
  if (isUnsigned)
    return arith::UIToFPOp::create(b, f32, value);
  return arith::SIToFPOp::create(b, f32, value);
}

Value nn::emitToF32(ImplicitLocOpBuilder &b, Value value, Type element) {
  Type f32 = b.getF32Type();
  if (element.isF32())
    return value;
  if (element.isF64())
    return arith::TruncFOp::create(b, f32, value);
  if (isa<FloatType>(element))
    return arith::ExtFOp::create(b, f32, value);
  auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
  if (!quantized)
    return emitIntToF32(b, value, isUnsignedElement(element));
  // q - zero_point is exact in i32 for all storage types but i32 itself, which
  // has none.
  Type i32 = b.getI32Type();
  Value wide = emitResizeInt(b, value, element, i32);
  if (int64_t zeroPoint = quantized.getZeroPoint())
    wide = emitSub(b, wide, emitConstant(b, i32, double(zeroPoint)));
  return emitMul(b, emitIntToF32(b, wide, /*isUnsigned=*/false),
                 emitConstant(b, f32, float(quantized.getScale())));
}

/// `value` moved away from zero so that it rounds as `value` truncates: by the
/// number below one half, since one half itself would take 0.49999997 to 1.
/// Right for every f32.
static Value emitBeforeTruncation(ImplicitLocOpBuilder &b, Value value) {
  Value half = emitConstant(b, b.getF32Type(), 0x1.fffffep-2);
  return emitAdd(b, value, math::CopySignOp::create(b, half, value));
}

Value nn::emitRoundHalfAway(ImplicitLocOpBuilder &b, Value value) {
  return math::TruncOp::create(b, emitBeforeTruncation(b, value));
}

/// A whole f32 number as an integer within [min, max]; a NaN gives `min`.
static Value emitSaturate(ImplicitLocOpBuilder &b, Value value, Type lowered,
                          bool isUnsigned, double min, double max) {
  Type f32 = value.getType();
  // The bounds as f32 may lie outside of the integer's range: test with the
  // number, then choose the bound itself.
  Value low = emitConstant(b, f32, min), high = emitConstant(b, f32, max);
  Value isAboveLow =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, value, low);
  Value isHigh =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, value, high);
  Value inner = arith::SelectOp::create(b, isAboveLow, value, low);
  inner = arith::SelectOp::create(b, isHigh, emitConstant(b, f32, 0), inner);
  Value whole = isUnsigned ? Value(arith::FPToUIOp::create(b, lowered, inner))
                           : Value(arith::FPToSIOp::create(b, lowered, inner));
  // No double is the greatest number of 64 bits: `max` is one more then.
  unsigned width = lowered.getIntOrFloatBitWidth();
  APInt top =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  if (max < std::ldexp(1.0, int(width) - (isUnsigned ? 0 : 1)))
    top = APInt(width, static_cast<uint64_t>(max));
  return arith::SelectOp::create(
      b, isHigh, arith::ConstantOp::create(b, b.getIntegerAttr(lowered, top)),
      whole);
}

/// An f32 number of codes as one of up to 16 bits, rounded and saturated; a NaN
/// gives the least. Few instructions on vectors, all exact: the bounds are
/// whole numbers, so that what is rounded may be bounded before.
static Value emitNarrowCode(ImplicitLocOpBuilder &b, Value scaled,
                            quant::UniformQuantizedType type, Type lowered) {
  auto zeroPoint = double(type.getZeroPoint());
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  Value low =
      emitConstant(b, f32, double(type.getStorageTypeMin()) - zeroPoint);
  Value high =
      emitConstant(b, f32, double(type.getStorageTypeMax()) - zeroPoint);
  Value value = emitBeforeTruncation(b, scaled);
  Value isAbove =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, value, low);
  value = arith::SelectOp::create(b, isAbove, value, low);
  Value isBelow =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, value, high);
  value = arith::SelectOp::create(b, isBelow, value, high);
  Value code = arith::FPToSIOp::create(b, i32, value);
  if (zeroPoint != 0)
    code = emitAdd(b, code, emitConstant(b, i32, zeroPoint));
  return arith::TruncIOp::create(b, lowered, code);
}

/// A float truncated toward zero to an integer of the type `element`, which
/// saturates.
static Value emitTruncate(ImplicitLocOpBuilder &b, Value value, Type element) {
  bool isUnsigned = isUnsignedElement(element);
  unsigned bits = cast<IntegerType>(element).getWidth();
  double min = isUnsigned ? 0 : -std::ldexp(1.0, int(bits) - 1);
  double max = std::ldexp(1.0, int(bits) - (isUnsigned ? 0 : 1)) - 1;
  return emitSaturate(b, math::TruncOp::create(b, value),
                      getLoweredElementType(element), isUnsigned, min, max);
}

Value nn::emitFromF32(ImplicitLocOpBuilder &b, Value value, Type element,
                      QuantizeWith with) {
  Type f32 = b.getF32Type();
  if (element.isF32())
    return value;
  if (element.isF64())
    return arith::ExtFOp::create(b, element, value);
  if (isa<FloatType>(element))
    return arith::TruncFOp::create(b, element, value);
  if (element.isSignlessInteger(1))
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value,
                                 emitConstant(b, f32, 0));
  Type lowered = getLoweredElementType(element);
  bool isUnsigned = isUnsignedElement(element);
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element)) {
    auto scale = static_cast<float>(quantized.getScale());
    Value scaled = with == QuantizeWith::Division
                       ? Value(arith::DivFOp::create(
                             b, value, emitConstant(b, f32, scale)))
                       : emitMul(b, value, emitConstant(b, f32, 1.0f / scale));
    if (quantized.getStorageTypeIntegralWidth() <= 16)
      return emitNarrowCode(b, scaled, quantized, lowered);
    Value rounded = emitRoundHalfAway(b, scaled);
    if (int64_t zeroPoint = quantized.getZeroPoint())
      rounded = emitAdd(b, rounded, emitConstant(b, f32, double(zeroPoint)));
    // A code of 32 bits is never more than the last float below 2^31.
    double max = std::min(double(quantized.getStorageTypeMax()), 0x1.fffffep30);
    return emitSaturate(b, rounded, lowered, isUnsigned,
                        double(quantized.getStorageTypeMin()), max);
  }
  return emitTruncate(b, value, element);
}

Value nn::emitWrap(ImplicitLocOpBuilder &b, Value value, Type element) {
  auto integer = dyn_cast<IntegerType>(element);
  if (!integer || element.isSignlessInteger(1))
    return value;
  unsigned width = value.getType().getIntOrFloatBitWidth();
  unsigned spare = width - std::min(width, integer.getWidth());
  if (spare == 0)
    return value;
  Value distance = emitConstant(b, value.getType(), spare);
  Value top = arith::ShLIOp::create(b, value, distance);
  if (isUnsignedElement(element))
    return arith::ShRUIOp::create(b, top, distance);
  return arith::ShRSIOp::create(b, top, distance);
}

/// Casts from and to f64, which f32 in between would round; null if `to` wants
/// to be reached through f32.
static Value emitCastF64(ImplicitLocOpBuilder &b, Value value, Type from,
                         Type to) {
  bool isUnsigned = isUnsignedElement(from);
  if (to.isF64()) {
    // f32 holds the 16-bit floats exactly, and LLVM always knows that way.
    if (isa<FloatType>(from))
      return arith::ExtFOp::create(b, to, emitToF32(b, value, from));
    if (!isa<IntegerType>(from))
      return {};
    return isUnsigned ? Value(arith::UIToFPOp::create(b, to, value))
                      : Value(arith::SIToFPOp::create(b, to, value));
  }
  if (!from.isF64() || !isa<IntegerType>(to))
    return {};
  if (to.isSignlessInteger(1))
    return arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, value,
                                 emitConstant(b, from, 0));
  return emitTruncate(b, value, to);
}

/// A code in the scale of another quantized type: MegEngine multiplies by the
/// ratio of the scales instead of dequantizing.
static Value emitRequantize(ImplicitLocOpBuilder &b, Value value,
                            quant::UniformQuantizedType from,
                            quant::UniformQuantizedType to) {
  float ratio =
      static_cast<float>(from.getScale()) / static_cast<float>(to.getScale());
  auto unscaled = [](quant::UniformQuantizedType type) {
    return quant::UniformQuantizedType::get(
        type.getFlags(), type.getStorageType(), type.getExpressedType(),
        /*scale=*/1.0, type.getZeroPoint(), type.getStorageTypeMin(),
        type.getStorageTypeMax());
  };
  Value number = emitToF32(b, value, unscaled(from));
  number = emitMul(b, number, emitConstant(b, b.getF32Type(), ratio));
  return emitFromF32(b, number, unscaled(to));
}

Value nn::emitCast(ImplicitLocOpBuilder &b, Value value, Type from, Type to) {
  if (from == to)
    return value;
  Type lowered = getLoweredElementType(to);
  bool fromInt = isa<IntegerType>(from), toInt = isa<IntegerType>(to);
  if (fromInt && to.isSignlessInteger(1))
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, value,
                                 emitConstant(b, value.getType(), 0));
  if (fromInt && toInt)
    return emitWrap(b, emitResizeInt(b, value, from, lowered), to);
  if (Value cast = emitCastF64(b, value, from, to))
    return cast;
  auto fromCodes = dyn_cast<quant::UniformQuantizedType>(from);
  auto toCodes = dyn_cast<quant::UniformQuantizedType>(to);
  if (fromCodes && toCodes)
    return emitRequantize(b, value, fromCodes, toCodes);
  return emitFromF32(b, emitToF32(b, value, from), to);
}

Value nn::emitAdd(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isa<ComplexType>(lhs.getType()))
    return complex::AddOp::create(b, lhs, rhs);
  if (isa<FloatType>(lhs.getType()))
    return arith::AddFOp::create(b, lhs, rhs);
  return arith::AddIOp::create(b, lhs, rhs);
}

Value nn::emitSub(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isa<ComplexType>(lhs.getType()))
    return complex::SubOp::create(b, lhs, rhs);
  if (isa<FloatType>(lhs.getType()))
    return arith::SubFOp::create(b, lhs, rhs);
  return arith::SubIOp::create(b, lhs, rhs);
}

Value nn::emitMul(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  if (isa<ComplexType>(lhs.getType()))
    return complex::MulOp::create(b, lhs, rhs);
  if (isa<FloatType>(lhs.getType()))
    return arith::MulFOp::create(b, lhs, rhs);
  return arith::MulIOp::create(b, lhs, rhs);
}

Value nn::emitMin(ImplicitLocOpBuilder &b, Value lhs, Value rhs, Type element) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MinimumFOp::create(b, lhs, rhs);
  if (isUnsignedElement(element))
    return arith::MinUIOp::create(b, lhs, rhs);
  return arith::MinSIOp::create(b, lhs, rhs);
}

Value nn::emitMax(ImplicitLocOpBuilder &b, Value lhs, Value rhs, Type element) {
  if (isa<FloatType>(lhs.getType()))
    return arith::MaximumFOp::create(b, lhs, rhs);
  if (isUnsignedElement(element))
    return arith::MaxUIOp::create(b, lhs, rhs);
  return arith::MaxSIOp::create(b, lhs, rhs);
}

Value nn::emitCompare(ImplicitLocOpBuilder &b, Predicate predicate, Value lhs,
                      Value rhs, Type element) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  if (isa<FloatType>(lhs.getType())) {
    static constexpr F kinds[] = {F::OEQ, F::UNE, F::OLT,
                                  F::OLE, F::OGT, F::OGE};
    return arith::CmpFOp::create(b, kinds[static_cast<unsigned>(predicate)],
                                 lhs, rhs);
  }
  static constexpr I signedKinds[] = {I::eq,  I::ne,  I::slt,
                                      I::sle, I::sgt, I::sge};
  static constexpr I unsignedKinds[] = {I::eq,  I::ne,  I::ult,
                                        I::ule, I::ugt, I::uge};
  const I *kinds = isUnsignedElement(element) ? unsignedKinds : signedKinds;
  return arith::CmpIOp::create(b, kinds[static_cast<unsigned>(predicate)], lhs,
                               rhs);
}

/// `value` held within [0, 6].
static Value emitClip06(ImplicitLocOpBuilder &b, Value value) {
  Value zero = emitConstant(b, value.getType(), 0);
  Value six = emitConstant(b, value.getType(), 6);
  return arith::MinimumFOp::create(b, arith::MaximumFOp::create(b, value, zero),
                                   six);
}

/// `1 / (1 + exp(-value))`.
static Value emitSigmoid(ImplicitLocOpBuilder &b, Value value) {
  Value one = emitConstant(b, value.getType(), 1);
  Value power = math::ExpOp::create(b, arith::NegFOp::create(b, value));
  return arith::DivFOp::create(b, one, emitAdd(b, one, power));
}

Value nn::emitActivation(ImplicitLocOpBuilder &b, Value value,
                         Activation activation) {
  Type type = value.getType();
  switch (activation) {
  case Activation::none:
    return value;
  case Activation::relu: {
    // As the op: a NaN stays.
    Value zero = emitConstant(b, type, 0);
    Value isLow =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, value, zero);
    return arith::SelectOp::create(b, isLow, zero, value);
  }
  case Activation::relu6:
    return emitClip06(b, value);
  case Activation::sigmoid:
    return emitSigmoid(b, value);
  case Activation::tanh:
    return math::TanhOp::create(b, value);
  case Activation::silu: {
    Value one = emitConstant(b, type, 1);
    Value power = math::ExpOp::create(b, arith::NegFOp::create(b, value));
    return arith::DivFOp::create(b, value, emitAdd(b, one, power));
  }
  case Activation::h_swish: {
    Value shifted = emitAdd(b, value, emitConstant(b, type, 3));
    return arith::DivFOp::create(b, emitMul(b, value, emitClip06(b, shifted)),
                                 emitConstant(b, type, 6));
  }
  case Activation::h_sigmoid: {
    Value shifted = emitAdd(b, value, emitConstant(b, type, 3));
    return arith::DivFOp::create(b, emitClip06(b, shifted),
                                 emitConstant(b, type, 6));
  }
  }
  llvm_unreachable("an activation of no kind");
}
