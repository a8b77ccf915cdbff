//===- ArithmeticOps.cpp - GE arithmetic that nn spells by ops ------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

static bool isInteger(Value value) {
  return isa<IntegerType>(nn::getElementType(value.getType()));
}

/// A function of two operands.
template <Value (*formula)(OpImporter &, Value, Value)>
static LogicalResult importBinary(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  return finish(imp, formula(imp, imp.getOperand(0), imp.getOperand(1)));
}

/// A function of one operand.
template <Value (*formula)(OpImporter &, Value)>
static LogicalResult importUnary(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return finish(imp, formula(imp, imp.getOperand(0)));
}

//===----------------------------------------------------------------------===//
// Powers
//===----------------------------------------------------------------------===//

static Value makeReciprocal(OpImporter &imp, Value x) {
  return make<nn::DivOp>(imp, {makeNumber(imp, 1, x), x});
}

static Value makeRsqrt(OpImporter &imp, Value x) {
  return makePower(imp, x, -0.5f);
}

/// `scale*x + shift`, without what is neutral.
static FailureOr<Value> readAffine(OpImporter &imp) {
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<float> shift = imp.getFloat("shift", 0.0f);
  if (failed(scale) || failed(shift))
    return failure();
  Value x = imp.getOperand(0);
  if (*scale != 1.0f)
    x = make<nn::MulOp>(imp, {x, makeNumber(imp, *scale, x)});
  if (*shift != 0.0f)
    x = make<nn::AddOp>(imp, {x, makeNumber(imp, *shift, x)});
  if (!x)
    return failure();
  return x;
}

/// `(scale*x + shift) ^ power`.
static LogicalResult importPower(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> power = imp.getFloat("power", 1.0f);
  FailureOr<Value> x = readAffine(imp);
  if (failed(x) || failed(power))
    return failure();
  return finish(imp, makePower(imp, *x, *power));
}

static LogicalResult exportPowConst(OpExporter &exp) {
  auto op = cast<nn::PowConstOp>(exp.getSource());
  exp.setType("Power");
  exp.addInput(op.getInput());
  exp.setFloat("scale", 1.0f);
  exp.setFloat("shift", 0.0f);
  exp.setFloat("power", op.getExponent().convertToFloat());
  return success();
}

/// The natural logarithm of attribute `base`, where -1 stands for e.
static FailureOr<double> readBase(OpImporter &imp) {
  FailureOr<float> base = imp.getFloat("base", -1.0f);
  if (failed(base))
    return failure();
  bool isBase = *base == -1.0f || (*base > 0.0f && *base != 1.0f);
  if (!isBase)
    return imp.emitError() << "attribute 'base' is " << *base;
  return *base == -1.0f ? 1.0 : std::log(static_cast<double>(*base));
}

/// `base ^ (scale*x + shift)`.
static LogicalResult importExp(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<double> base = readBase(imp);
  FailureOr<Value> x = readAffine(imp);
  if (failed(base) || failed(x))
    return failure();
  Value exponent = *x;
  if (*base != 1.0)
    exponent = make<nn::MulOp>(imp, {*x, makeNumber(imp, *base, *x)});
  return finish(imp, make<nn::ExpOp>(imp, {exponent}));
}

/// `log_base(scale*x + shift)`.
static LogicalResult importLog(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<double> base = readBase(imp);
  FailureOr<Value> x = readAffine(imp);
  if (failed(base) || failed(x))
    return failure();
  Value result = make<nn::LogOp>(imp, {*x});
  if (*base != 1.0)
    result = make<nn::DivOp>(imp, {result, makeNumber(imp, *base, result)});
  return finish(imp, result);
}

/// Exp and Log, whose other attributes are neutral by default.
template <typename OpT>
static LogicalResult exportNatural(OpExporter &exp, StringRef type) {
  auto op = cast<OpT>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType(type);
  exp.addInput(op.getInput());
  for (StringRef name : {"base", "scale", "shift"})
    exp.clear(name);
  return success();
}

static LogicalResult exportExp(OpExporter &exp) {
  return exportNatural<nn::ExpOp>(exp, "Exp");
}
static LogicalResult exportLog(OpExporter &exp) {
  return exportNatural<nn::LogOp>(exp, "Log");
}

static Value makeSquaredDifference(OpImporter &imp, Value x, Value y) {
  return make<nn::SquareOp>(imp, {make<nn::SubOp>(imp, {x, y})});
}

/// `x*log(y)`, and 0 where x is 0 whatever y is.
static Value makeXlogy(OpImporter &imp, Value x, Value y) {
  Value zero = makeNumber(imp, 0, x);
  Value product = make<nn::MulOp>(imp, {x, make<nn::LogOp>(imp, {y})});
  return makeSelect(imp, makeComparison<nn::EqualOp>(imp, x, zero), zero,
                    product);
}

//===----------------------------------------------------------------------===//
// Division
//===----------------------------------------------------------------------===//

/// The integer quotient rounded toward zero: signs aside, that is its floor.
static Value makeTruncateDiv(OpImporter &imp, Value x, Value y) {
  auto integer = dyn_cast<IntegerType>(nn::getElementType(x.getType()));
  if (!integer) {
    (void)imp.decline("a truncated quotient of floats");
    return {};
  }
  if (integer.isUnsigned())
    return make<nn::FloorDivOp>(imp, {x, y});
  Value quotient = make<nn::FloorDivOp>(
      imp, {make<nn::AbsOp>(imp, {x}), make<nn::AbsOp>(imp, {y})});
  Value sign = make<nn::MulOp>(
      imp, {make<nn::SignOp>(imp, {x}), make<nn::SignOp>(imp, {y})});
  return make<nn::MulOp>(imp, {quotient, sign});
}

/// The remainder with the sign of the dividend: what nn.mod gives for floats,
/// and for integers that of the magnitudes with that sign.
static Value makeTruncateMod(OpImporter &imp, Value x, Value y) {
  auto integer = dyn_cast<IntegerType>(nn::getElementType(x.getType()));
  if (!integer || integer.isUnsigned())
    return make<nn::ModOp>(imp, {x, y});
  Value rest = make<nn::ModOp>(
      imp, {make<nn::AbsOp>(imp, {x}), make<nn::AbsOp>(imp, {y})});
  return make<nn::MulOp>(imp, {rest, make<nn::SignOp>(imp, {x})});
}

/// The remainder with the sign of the divisor: `x - floor(x / y)*y`, which
/// nn.mod gives for integers.
static Value makeFloorMod(OpImporter &imp, Value x, Value y) {
  if (isInteger(x))
    return make<nn::ModOp>(imp, {x, y});
  Value whole = make<nn::MulOp>(imp, {make<nn::FloorDivOp>(imp, {x, y}), y});
  return make<nn::SubOp>(imp, {x, whole});
}

static LogicalResult exportMod(OpExporter &exp) {
  auto op = cast<nn::ModOp>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operands'");
  exp.setType(isInteger(op.getLhs()) ? "FloorMod" : "TruncateMod");
  exp.addInput(op.getLhs());
  exp.addInput(op.getRhs());
  return success();
}

/// CANN's Div: integers stay integers.
static Value makeDiv(OpImporter &imp, Value x, Value y) {
  return isInteger(x) ? makeTruncateDiv(imp, x, y)
                      : make<nn::DivOp>(imp, {x, y});
}

/// 0 where the divisor is 0.
static Value makeDivNoNan(OpImporter &imp, Value x, Value y) {
  Value zero = makeNumber(imp, 0, x);
  Value quotient = makeDiv(imp, x, y);
  return makeSelect(imp, makeComparison<nn::EqualOp>(imp, y, zero), zero,
                    quotient);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

/// The nearest integer, halves to the even one: nn.round takes them away from
/// zero, and twice the rounded half of x is the even neighbour of such an x.
static Value makeRint(OpImporter &imp, Value x) {
  Value half = makeNumber(imp, 0.5, x);
  Value nearest = make<nn::RoundOp>(imp, {x});
  Value even = make<nn::RoundOp>(imp, {make<nn::MulOp>(imp, {x, half})});
  even = make<nn::AddOp>(imp, {even, even});
  Value distance = make<nn::AbsOp>(imp, {make<nn::SubOp>(imp, {x, nearest})});
  return makeSelect(imp, makeComparison<nn::EqualOp>(imp, distance, half), even,
                    nearest);
}

/// Integers stay; so does what CANN would round to decimals, as a foreign op.
static LogicalResult importRound(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> decimals = imp.getInt("decimals", 0);
  if (failed(decimals))
    return failure();
  if (*decimals != 0)
    return imp.decline("rounding to decimals");
  Value x = imp.getOperand(0);
  return finish(imp, isInteger(x) ? x : makeRint(imp, x));
}

//===----------------------------------------------------------------------===//
// Angles
//===----------------------------------------------------------------------===//

static Value makeAtan(OpImporter &imp, Value x) {
  return make<nn::Atan2Op>(imp, {x, makeNumber(imp, 1, x)});
}

static Value makeAtan2(OpImporter &imp, Value y, Value x) {
  return make<nn::Atan2Op>(imp, {y, x});
}

static LogicalResult exportAtan2(OpExporter &exp) {
  auto op = cast<nn::Atan2Op>(exp.getSource());
  if (op.getOutTypeAttr() || op.getType() != op.getLhs().getType() ||
      exp.getKnownFloat(op.getRhs()) != 1.0f)
    return exp.refuse("the angle to one axis alone is known to the format");
  exp.setType("Atan");
  exp.addInput(op.getLhs());
  return success();
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

static LogicalResult importAddN(OpImporter &imp) {
  SmallVector<Value> inputs = imp.getOperands();
  if (inputs.empty())
    return imp.emitError() << "has no input";
  Value sum = inputs.front();
  for (Value input : ArrayRef(inputs).drop_front())
    sum = make<nn::AddOp>(imp, {sum, input});
  return finish(imp, sum);
}

/// CANN's ops with a number as attribute.
template <typename OpT> static LogicalResult importWithNumber(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> value = imp.getFloat("value", 0.0f);
  if (failed(value))
    return failure();
  Value x = imp.getOperand(0);
  return finish(imp, make<OpT>(imp, {x, makeNumber(imp, *value, x)}));
}

/// `a*x + y` with one factor per image and channel.
static LogicalResult importChannelAxpy(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> factor = getStaticType(imp, 0);
  FailureOr<RankedTensorType> type = getStaticType(imp, 1);
  if (failed(factor) || failed(type))
    return failure();
  SmallVector<int64_t> shape(type->getShape());
  if (shape.size() < 2)
    return imp.emitError() << "input 1 has rank " << shape.size()
                           << ", expected at least 2";
  std::fill(shape.begin() + 2, shape.end(), 1);
  if (factor->getNumElements() != multiply(shape))
    return imp.emitError() << *factor << " has not one factor per channel of "
                           << *type;
  Value a = makeReshape(imp, imp.getOperand(0), shape);
  return finish(
      imp, make<nn::FmaOp>(imp, {a, imp.getOperand(1), imp.getOperand(2)}));
}

static LogicalResult importClip(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  return finish(imp, make<nn::ClipOp>(imp, imp.getOperands()));
}

static LogicalResult exportClip(OpExporter &exp) {
  auto op = cast<nn::ClipOp>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operands'");
  exp.setType("ClipByValue");
  for (Value operand : op->getOperands())
    exp.addInput(operand);
  return success();
}

/// CANN's bitwise ops on booleans; nn has none on integers.
template <typename OpT> static LogicalResult importBitwise(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  if (!nn::getElementType(imp.getOperand(0).getType()).isInteger(1))
    return imp.decline("bitwise arithmetic of integers");
  return finish(imp, make<OpT>(imp, imp.getOperands()));
}

void modelwright::ge::registerArithmeticOps(OpRegistry &registry) {
  registry.addImport<nn::DivOp>({"Reciprocal", "Inv"},
                                importUnary<makeReciprocal>);
  registry.addImport<nn::PowConstOp>({"Rsqrt"}, importUnary<makeRsqrt>);
  registry.addImport<nn::MulOp, nn::AddOp, nn::PowConstOp>({"Power"},
                                                           importPower);
  registry.addExport<nn::PowConstOp>(exportPowConst);
  registry.addImport<nn::ExpOp>({"Exp"}, importExp);
  registry.addExport<nn::ExpOp>(exportExp);
  registry.addImport<nn::LogOp>({"Log"}, importLog);
  registry.addExport<nn::LogOp>(exportLog);
  registry.addImport<nn::SubOp, nn::SquareOp>(
      {"SquaredDifference"}, importBinary<makeSquaredDifference>);
  registry.addImport<nn::LogOp, nn::MulOp, nn::SelectOp>(
      {"Xlogy"}, importBinary<makeXlogy>);
  registry.addImport<nn::FloorDivOp>({"TruncateDiv"},
                                     importBinary<makeTruncateDiv>);
  registry.addImport<nn::ModOp>({"TruncateMod", "Mod"},
                                importBinary<makeTruncateMod>);
  registry.addImport<nn::ModOp, nn::FloorDivOp, nn::MulOp, nn::SubOp>(
      {"FloorMod"}, importBinary<makeFloorMod>);
  registry.addExport<nn::ModOp>(exportMod);
  registry.addImport<nn::DivOp, nn::FloorDivOp>({"Div"}, importBinary<makeDiv>);
  registry.addImport<nn::DivOp, nn::SelectOp>({"DivNoNan"},
                                              importBinary<makeDivNoNan>);
  registry.addImport<nn::RoundOp, nn::SelectOp>({"Rint", "Round"}, importRound);
  registry.addImport<nn::Atan2Op>({"Atan"}, importUnary<makeAtan>);
  registry.addImport<nn::Atan2Op>({"Atan2"}, importBinary<makeAtan2>);
  registry.addExport<nn::Atan2Op>(exportAtan2);
  registry.addImport<nn::AddOp>({"AddN"}, importAddN);
  registry.addImport<nn::AddOp>({"Adds"}, importWithNumber<nn::AddOp>);
  registry.addImport<nn::MulOp>({"Muls"}, importWithNumber<nn::MulOp>);
  registry.addImport<nn::FmaOp>({"ChannelAxpy"}, importChannelAxpy);
  registry.addImport<nn::ClipOp>({"ClipByValue", "ClipByValueV2", "Clip"},
                                 importClip);
  registry.addExport<nn::ClipOp>(exportClip);
  registry.addImport<nn::LogicalAndOp>({"BitwiseAnd"},
                                       importBitwise<nn::LogicalAndOp>);
  registry.addImport<nn::LogicalOrOp>({"BitwiseOr"},
                                      importBitwise<nn::LogicalOrOp>);
  registry.addImport<nn::LogicalXorOp>({"BitwiseXor"},
                                       importBitwise<nn::LogicalXorOp>);
}
