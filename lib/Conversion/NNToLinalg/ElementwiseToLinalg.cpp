//===- ElementwiseToLinalg.cpp - Elementwise ops --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that have attributes, and integer arithmetic with saturation. Those
// that are only a formula are in *Formulas.cpp.
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Results = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

namespace {
class AddLowering : public Lowering<AddOp> {
public:
  using Lowering::Lowering;
  Results lower(AddOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    Activation activation = op.getActivation();
    auto formula = [activation](Numbers x) -> Value {
      Number sum = x[0] + x[1];
      switch (activation) {
      case Activation::none:
        return sum;
      // These two are defined for integers as well.
      case Activation::relu:
        return relu(sum);
      case Activation::relu6:
        return clip(sum, 0, 6);
      default:
        return emitActivation(sum.getBuilder(), sum, activation);
      }
    };
    bool isPlain =
        activation == Activation::none || activation == Activation::relu;
    return lowerFormula(b, op, adaptor.getOperands(), formula,
                        getQuantizeWith(op, isPlain ? QuantizeWith::Reciprocal
                                                    : QuantizeWith::Division));
  }
};

class PowConstLowering : public Lowering<PowConstOp> {
public:
  using Lowering::Lowering;
  Results lower(PowConstOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    float exponent = op.getExponent().convertToFloat();
    return lowerFormula(b, op, adaptor.getOperands(), [exponent](Numbers x) {
      return emitPower(x[0], exponent);
    });
  }

private:
  static Value emitPower(Number x, float exponent) {
    auto is = [exponent](double value) {
      return std::abs(exponent - value) < 1e-6;
    };
    if (is(2))
      return x * x;
    if (is(0.5))
      return apply<math::SqrtOp>(x);
    if (is(-0.5))
      return 1 / apply<math::SqrtOp>(x);
    if (is(0))
      return x.constant(1);
    if (is(1))
      return x;
    if (is(3))
      return x * x * x;
    if (is(-1))
      return 1 / x;
    if (is(-2))
      return 1 / (x * x);
    return math::PowFOp::create(x.getBuilder(), x, x.constant(exponent));
  }
};

class CastLowering : public Lowering<CastOp> {
public:
  using Lowering::Lowering;
  Results lower(CastOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Type from = nn::getElementType(op.getInput().getType());
    Type to = nn::getElementType(op.getType());
    if (!type || !isReal(from) || !isReal(to))
      return failure();
    return SmallVector<Value>{
        emitElementwise(b, type, adaptor.getInput(),
                        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
                          return emitCast(inner, elements[0], from, to);
                        })};
  }

private:
  static bool isReal(Type element) {
    return isFloat(element) || isa<IntegerType>(element) ||
           isa<quant::UniformQuantizedType>(element);
  }
};

//===----------------------------------------------------------------------===//
// Integer arithmetic with saturation
//===----------------------------------------------------------------------===//

/// Bodies that compute in wider integers than those of the result.
template <typename OpT> class IntegerLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Results lower(OpT op, OpT::Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = this->getResultType(op.getResult());
    if (!type)
      return failure();
    SmallVector<Type> elements;
    for (Type operand : op->getOperandTypes()) {
      elements.push_back(nn::getElementType(operand));
      if (!isa_and_nonnull<RankedTensorType>(getLoweredType(operand)))
        return failure();
    }
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange values) {
      SmallVector<Number> numbers;
      for (auto [value, element] : llvm::zip_equal(values, elements))
        numbers.emplace_back(inner, value, element);
      return compute(numbers, nn::getElementType(op.getType()));
    };
    return SmallVector<Value>{
        emitElementwise(b, type, adaptor.getOperands(), body)};
  }

protected:
  virtual Value compute(Numbers x, Type result) const = 0;
};
} // namespace

/// An integer as one of `bits` bits.
static Number toWidth(Number x, unsigned bits) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  auto type = b.getIntegerType(bits);
  return {b, emitResizeInt(b, x, x.getElement(), type), type};
}

/// `saturate((x*y + 2^(n-2)) >> (n-1))` for n-bit integers.
static Number roundingMulHigh(Number x, Number y) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  unsigned bits = x.getBits(), width = x.getType().getIntOrFloatBitWidth();
  Number product = toWidth(x, 2 * width) * toWidth(y, 2 * width);
  Number sum = product + std::ldexp(1.0, int(bits) - 2);
  // The sum of an unsigned product may reach the sign bit.
  Value distance = product.constant(bits - 1);
  Value high = x.isUnsigned() ? Value(arith::ShRUIOp::create(b, sum, distance))
                              : Value(arith::ShRSIOp::create(b, sum, distance));
  APInt most = APInt::getSignedMaxValue(bits).zext(2 * width);
  Value limit =
      arith::ConstantOp::create(b, b.getIntegerAttr(product.getType(), most));
  Value least = emitMin(b, high, limit, x.getElement());
  return x.with(arith::TruncIOp::create(b, x.getType(), least));
}

/// `x / 2^shift` within [low, high], halves rounded away from zero, as i64.
static Number roundingShift(Number x, Number shift, double low, double high) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  Number wide = toWidth(x, 64), distance = toWidth(shift, 64);
  // By 62 or more nothing is left of a number of 32 bits; negative distances
  // have no meaning.
  distance = clip(distance, 0, 62);
  Number one = wide.constant(1);
  Number power = wide.with(arith::ShLIOp::create(b, one, distance));
  Number half = wide.with(arith::ShRUIOp::create(b, power, one));
  Number sum = abs(wide) + half;
  Number magnitude = wide.with(arith::ShRSIOp::create(b, sum, distance));
  Value isNegative = compare(Predicate::lt, wide, 0);
  return clip(select(isNegative, -magnitude, magnitude), low, high);
}

namespace {
class RoundingMulHighLowering : public IntegerLowering<RoundingMulHighOp> {
public:
  using IntegerLowering::IntegerLowering;

protected:
  Value compute(Numbers x, Type) const override {
    return roundingMulHigh(x[0], x[1]);
  }
};

class FmaSaturateLowering : public IntegerLowering<FmaSaturateOp> {
public:
  using IntegerLowering::IntegerLowering;

protected:
  Value compute(Numbers x, Type result) const override {
    ImplicitLocOpBuilder &b = x[0].getBuilder();
    Number a = x[1].with(emitToF32(b, x[0], x[0].getElement()));
    Value rounded = apply<math::RoundEvenOp>(a * x[1] + x[2]);
    return emitFromF32(b, rounded, result);
  }
};

class ShiftRightSaturateLowering
    : public IntegerLowering<ShiftRightSaturateOp> {
public:
  using IntegerLowering::IntegerLowering;

protected:
  Value compute(Numbers x, Type result) const override {
    double bound = std::ldexp(1.0, int(result.getIntOrFloatBitWidth()) - 1);
    Number shifted = roundingShift(x[0], x[1], -bound, bound - 1);
    return toWidth(shifted, result.getIntOrFloatBitWidth());
  }
};

class AddRequantizeLowering : public IntegerLowering<AddRequantizeOp> {
public:
  using IntegerLowering::IntegerLowering;

protected:
  Value compute(Numbers x, Type result) const override {
    Number high = roundingMulHigh(x[0] + x[1], x[2]);
    Number narrow = toWidth(roundingShift(high, x[3], -128, 127), 8);
    return min(max(narrow, x[4]), x[5]);
  }
};
} // namespace

void nn::populateElementwiseLowerings(TypeConverter &converter,
                                      RewritePatternSet &patterns) {
  FormulaSet set(converter, patterns);
  addUnaryFormulas(set);
  addBinaryFormulas(set);
  addGradientFormulas(set);
  patterns.add<AddLowering, PowConstLowering, CastLowering,
               RoundingMulHighLowering, FmaSaturateLowering,
               ShiftRightSaturateLowering, AddRequantizeLowering>(
      converter, patterns.getContext());
}
