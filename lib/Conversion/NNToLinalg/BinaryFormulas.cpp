//===- BinaryFormulas.cpp - Elementwise ops with several operands ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

template <Predicate predicate> static Value emitComparison(Numbers x) {
  return compare(predicate, x[0], x[1]);
}

/// An op of the arith dialect.
template <typename OpT> static Value emitBits(Numbers x) {
  return OpT::create(x[0].getBuilder(), Value(x[0]), Value(x[1]));
}

//===----------------------------------------------------------------------===//
// Integer division
//===----------------------------------------------------------------------===//

namespace {
/// Quotient and remainder with the quotient rounded down.
struct Division {
  Number quotient, remainder;
};
} // namespace

/// Divides integers. A zero divisor, which would trap, gives 0 and 0, as in
/// NumPy.
static Division divideFloor(Number x, Number y) {
  ImplicitLocOpBuilder &b = x.getBuilder();
  Value isZero = compare(Predicate::eq, y, 0);
  if (x.isUnsigned()) {
    Number divisor = select(isZero, 1, y);
    Number quotient = x.with(arith::DivUIOp::create(b, x, divisor));
    Number remainder = x - quotient * divisor;
    return {select(isZero, 0, quotient), select(isZero, 0, remainder)};
  }
  // The least integer by -1 overflows, which traps too.
  Value isMinusOne = compare(Predicate::eq, y, -1);
  Number divisor = select(isZero, 1, select(isMinusOne, 1, y));
  Number quotient = x.with(arith::DivSIOp::create(b, x, divisor));
  Number remainder = x - quotient * divisor;
  // Truncated so far: one less where the signs differ and something remains.
  Value isNegative = arith::XOrIOp::create(
      b, compare(Predicate::lt, remainder, 0), compare(Predicate::lt, y, 0));
  Value isLess = arith::AndIOp::create(b, compare(Predicate::ne, remainder, 0),
                                       isNegative);
  quotient = select(isLess, quotient - 1, quotient);
  remainder = select(isLess, remainder + divisor, remainder);
  return {select(isZero, 0, select(isMinusOne, -x, quotient)),
          select(isZero, 0, remainder)};
}

static Value emitFloorDiv(Numbers x) {
  if (x[0].isFloat())
    return apply<math::FloorOp>(x[0] / x[1]);
  return divideFloor(x[0], x[1]).quotient;
}

static Value emitMod(Numbers x) {
  if (x[0].isFloat())
    return arith::RemFOp::create(x[0].getBuilder(), x[0], x[1]);
  return divideFloor(x[0], x[1]).remainder;
}

//===----------------------------------------------------------------------===//
// Shifts
//===----------------------------------------------------------------------===//

/// Whether the shift distance is one of 0 .. bits-1: LLVM leaves others
/// undefined.
static Value isInWidth(Number distance) {
  ImplicitLocOpBuilder &b = distance.getBuilder();
  unsigned width = distance.getType().getIntOrFloatBitWidth();
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, distance,
                               distance.constant(width));
}

static Value emitShiftLeft(Numbers x) {
  Value isGood = isInWidth(x[1]);
  Number distance = select(isGood, x[1], 0);
  Number shifted =
      x[0].with(arith::ShLIOp::create(x[0].getBuilder(), x[0], distance));
  return select(isGood, shifted, 0);
}

static Value emitShiftRight(Numbers x) {
  ImplicitLocOpBuilder &b = x[0].getBuilder();
  Value isGood = isInWidth(x[1]);
  if (x[0].isUnsigned()) {
    Number distance = select(isGood, x[1], 0);
    Number shifted = x[0].with(arith::ShRUIOp::create(b, x[0], distance));
    return select(isGood, shifted, 0);
  }
  // Shifted by more, the sign is left.
  unsigned width = x[1].getType().getIntOrFloatBitWidth();
  Number distance = select(isGood, x[1], width - 1);
  return x[0].with(arith::ShRSIOp::create(b, x[0], distance));
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

static Value emitLogAddExp(Numbers x) {
  Number distance = abs(x[0] - x[1]);
  Number sum =
      max(x[0], x[1]) + apply<math::Log1pOp>(apply<math::ExpOp>(-distance));
  // Two equal infinities have no difference.
  return select(compare(Predicate::eq, x[0], x[1]), x[0] + std::log(2.0), sum);
}

/// `x > y ? x : y` and `x < y ? x : y`: the second operand if one is a NaN.
template <Predicate predicate> static Value emitChoice(Numbers x) {
  return select(compare(predicate, x[0], x[1]), x[0], x[1]);
}

template <Predicate predicate> static Value emitCondMove(Numbers x) {
  return select(compare(predicate, x[0], x[1]), x[2], 0);
}

static Value emitClip(Numbers x) {
  Number upper = select(compare(Predicate::le, x[0], x[2]), x[0], x[2]);
  return select(compare(Predicate::le, x[0], x[1]), x[1], upper);
}

void nn::addBinaryFormulas(FormulaSet &set) {
  constexpr auto reciprocal = QuantizeWith::Reciprocal;
  set.add<SubOp>([](Numbers x) -> Value { return x[0] - x[1]; }, reciprocal);
  set.add<MulOp>([](Numbers x) -> Value { return x[0] * x[1]; });
  set.add<DivOp>([](Numbers x) -> Value { return x[0] / x[1]; });
  set.add<FloorDivOp>(emitFloorDiv);
  set.add<ModOp>(emitMod);
  set.add<MaximumOp>(emitChoice<Predicate::gt>, reciprocal);
  set.add<MinimumOp>(emitChoice<Predicate::lt>, reciprocal);
  set.add<PowOp>(emitBits<math::PowFOp>);
  set.add<Atan2Op>(emitBits<math::Atan2Op>);
  set.add<LogAddExpOp>(emitLogAddExp);
  set.add<SwitchGt0Op>([](Numbers x) -> Value {
    return select(compare(Predicate::gt, x[0], 0), x[1], 0);
  });
  set.add<PReluOp>([](Numbers x) -> Value {
    return select(compare(Predicate::gt, x[0], 0), x[0], x[0] * x[1]);
  });

  set.add<LessOp>(emitComparison<Predicate::lt>);
  set.add<LessEqualOp>(emitComparison<Predicate::le>);
  set.add<EqualOp>(emitComparison<Predicate::eq>);
  set.add<NotEqualOp>(emitComparison<Predicate::ne>);

  set.add<LogicalAndOp>(emitBits<arith::AndIOp>);
  set.add<LogicalOrOp>(emitBits<arith::OrIOp>);
  set.add<LogicalXorOp>(emitBits<arith::XOrIOp>);

  set.add<ShiftLeftOp>(emitShiftLeft);
  set.add<ShiftRightOp>(emitShiftRight);

  set.add<FmaOp>([](Numbers x) -> Value { return x[0] * x[1] + x[2]; });
  set.add<Fma2Op>([](Numbers x) -> Value { return x[0] * x[1] + x[2] * x[3]; });
  set.add<ClipOp>(emitClip);
  set.add<CondLessMoveOp>(emitCondMove<Predicate::lt>);
  set.add<CondLessEqualMoveOp>(emitCondMove<Predicate::le>);
}
