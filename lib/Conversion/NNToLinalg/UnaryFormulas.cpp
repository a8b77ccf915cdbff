//===- UnaryFormulas.cpp - Elementwise ops with one operand ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// A function that MLIR's math dialect has.
template <typename OpT> static Value emitFunction(Numbers x) {
  return apply<OpT>(x[0]);
}

/// A function that other ops have as an activation.
template <Activation activation> static Value emitActivationOf(Numbers x) {
  return emitActivation(x[0].getBuilder(), x[0], activation);
}

static Value emitSign(Numbers x) {
  Number sign = select(compare(Predicate::gt, x[0], 0), 1, x[0]);
  return x[0].isUnsigned() ? sign
                           : select(compare(Predicate::lt, x[0], 0), -1, sign);
}

static Value emitIsNan(Numbers x) {
  ImplicitLocOpBuilder &b = x[0].getBuilder();
  if (!x[0].isFloat())
    return emitConstant(b, b.getI1Type(), 0);
  return arith::CmpFOp::create(b, arith::CmpFPredicate::UNO, Value(x[0]),
                               Value(x[0]));
}

static Value emitIsInf(Numbers x) {
  ImplicitLocOpBuilder &b = x[0].getBuilder();
  if (!x[0].isFloat())
    return emitConstant(b, b.getI1Type(), 0);
  return compare(Predicate::eq, abs(x[0]),
                 std::numeric_limits<double>::infinity());
}

//===----------------------------------------------------------------------===//
// Inverse error functions
//===----------------------------------------------------------------------===//

/// A root x >= 0 of `remainder(x) = 0`, the remainder being `erfc(x) - p` or
/// `q - erf(x)` with `p = 1 - q` in [0, 1]. In f64.
static Number emitErfcRoot(Number p,
                           llvm::function_ref<Number(Number)> remainder) {
  // The first guess is the rational approximation 26.2.22 of Abramowitz and
  // Stegun, good to 0.003. Halley's method cubes the error: three steps leave
  // nothing of it, even relative to a tiny root.
  Number t = apply<math::SqrtOp>(-2 * apply<math::LogOp>(0.5 * p));
  Number x = std::sqrt(0.5) *
             (t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t)));
  for (int step = 0; step < 3; ++step) {
    Number error = remainder(x);
    Number slope = 2 / std::sqrt(M_PI) * apply<math::ExpOp>(-(x * x));
    x = x + error / (slope - x * error);
  }
  return x;
}

/// `x` as an f64.
static Number widen(Number x) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  Type f64 = b.getF64Type();
  return {b, emitCast(b, x, x.getElement(), f64), f64};
}

static Value narrow(Number wide, Number like) {
  return emitCast(wide.getBuilder(), wide, wide.getElement(),
                  like.getElement());
}

/// The root, with the sign of `sign`. It is infinite at the ends of the domain,
/// where `p` is 0, and a NaN beyond.
static Number emitEnds(Number root, Number p, Number sign) {
  Number infinity = p.constant(std::numeric_limits<double>::infinity());
  Number nan = p.constant(std::numeric_limits<double>::quiet_NaN());
  Number inside = select(compare(Predicate::gt, p, 0), root, nan);
  Number any = select(compare(Predicate::eq, p, 0), infinity, inside);
  return select(compare(Predicate::lt, sign, 0), -any, any);
}

static Value emitErfInv(Numbers x) {
  Number y = widen(x[0]), q = abs(y), p = 1 - q;
  Number root =
      emitErfcRoot(p, [&](Number at) { return q - apply<math::ErfOp>(at); });
  // The steps never arrive at 0 itself.
  Number result = select(compare(Predicate::eq, y, 0), y, emitEnds(root, p, y));
  return narrow(result, x[0]);
}

static Value emitErfcInv(Numbers x) {
  Number y = widen(x[0]);
  Number isUpper = 1 - y;
  Number p = select(compare(Predicate::gt, y, 1), 2 - y, y);
  Number root =
      emitErfcRoot(p, [&](Number at) { return apply<math::ErfcOp>(at) - p; });
  Number result =
      select(compare(Predicate::eq, y, 1), 0, emitEnds(root, p, isUpper));
  return narrow(result, x[0]);
}

void nn::addUnaryFormulas(FormulaSet &set) {
  constexpr auto reciprocal = QuantizeWith::Reciprocal;
  set.add<AbsOp>([](Numbers x) -> Value { return abs(x[0]); }, reciprocal);
  set.add<NegOp>([](Numbers x) -> Value { return -x[0]; });
  set.add<SignOp>(emitSign);
  set.add<SquareOp>([](Numbers x) -> Value { return x[0] * x[0]; });
  set.add<ReluOp>([](Numbers x) -> Value { return relu(x[0]); }, reciprocal);
  set.add<Relu6Op>([](Numbers x) -> Value { return clip(x[0], 0, 6); });

  set.add<CeilOp>(emitFunction<math::CeilOp>);
  set.add<FloorOp>(emitFunction<math::FloorOp>);
  set.add<RoundOp>([](Numbers x) -> Value { return roundHalfAway(x[0]); });

  set.add<SqrtOp>(emitFunction<math::SqrtOp>);
  set.add<ExpOp>(emitFunction<math::ExpOp>);
  set.add<Expm1Op>(emitFunction<math::ExpM1Op>);
  set.add<LogOp>(emitFunction<math::LogOp>);
  set.add<Log1pOp>(emitFunction<math::Log1pOp>);
  set.add<ErfOp>(emitFunction<math::ErfOp>);
  set.add<ErfInvOp>(emitErfInv);
  set.add<ErfcOp>(emitFunction<math::ErfcOp>);
  set.add<ErfcInvOp>(emitErfcInv);

  set.add<SinOp>(emitFunction<math::SinOp>);
  set.add<CosOp>(emitFunction<math::CosOp>);
  set.add<TanOp>(emitFunction<math::TanOp>);
  set.add<AsinOp>(emitFunction<math::AsinOp>);
  set.add<AcosOp>(emitFunction<math::AcosOp>);
  set.add<SinhOp>(emitFunction<math::SinhOp>);
  set.add<CoshOp>(emitFunction<math::CoshOp>);
  set.add<TanhOp>(emitFunction<math::TanhOp>);
  set.add<AsinhOp>(emitFunction<math::AsinhOp>);
  set.add<AcoshOp>(emitFunction<math::AcoshOp>);
  set.add<AtanhOp>(emitFunction<math::AtanhOp>);
  set.add<FastTanhOp>([](Numbers x) -> Value {
    Number square = x[0] * x[0];
    return x[0] * (27 + square) / (27 + 9 * square);
  });

  set.add<SigmoidOp>(emitActivationOf<Activation::sigmoid>);
  set.add<LogSigmoidOp>([](Numbers x) -> Value {
    Number tail = apply<math::Log1pOp>(apply<math::ExpOp>(-abs(x[0])));
    return min(x[0], x[0].constant(0)) - tail;
  });
  set.add<SoftplusOp>([](Numbers x) -> Value {
    Number tail = apply<math::Log1pOp>(apply<math::ExpOp>(-abs(x[0])));
    return max(x[0], x[0].constant(0)) + tail;
  });
  set.add<SiluOp>(emitActivationOf<Activation::silu>);
  set.add<GeluOp>(
      [](Numbers x) -> Value { return x[0] * normalDistribution(x[0]); });
  set.add<HSwishOp>(emitActivationOf<Activation::h_swish>);
  set.add<HSigmoidOp>(emitActivationOf<Activation::h_sigmoid>);

  set.add<LogicalNotOp>(
      [](Numbers x) -> Value { return compare(Predicate::eq, x[0], 0); });
  set.add<IsNanOp>(emitIsNan);
  set.add<IsInfOp>(emitIsInf);
}
