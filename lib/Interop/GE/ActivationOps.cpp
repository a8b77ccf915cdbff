//===- ActivationOps.cpp - GE activation functions ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// `scale*x + shift`, without what is neutral.
static Value makeAffine(OpImporter &imp, Value x, float scale, float shift) {
  if (scale != 1.0f)
    x = make<nn::MulOp>(imp, {x, makeNumber(imp, scale, x)});
  if (shift != 0.0f)
    x = make<nn::AddOp>(imp, {x, makeNumber(imp, shift, x)});
  return x;
}

static Value makeClamp(OpImporter &imp, Value x, float low, float high) {
  return make<nn::ClipOp>(
      imp, {x, makeNumber(imp, low, x), makeNumber(imp, high, x)});
}

/// `scale*x` above 0, `scale*alpha*(exp(inner*x) - 1)` below: of the two
/// halves of x one is 0, where its term is 0 as well.
static Value makeElu(OpImporter &imp, Value x, float alpha, float scale,
                     float inner) {
  Value below = make<nn::MinimumOp>(imp, {x, makeNumber(imp, 0, x)});
  below = make<nn::Expm1Op>(imp, {makeAffine(imp, below, inner, 0.0f)});
  below = makeAffine(imp, below, scale * alpha, 0.0f);
  Value above = makeAffine(imp, make<nn::ReluOp>(imp, {x}), scale, 0.0f);
  return make<nn::AddOp>(imp, {above, below});
}

static Value makeSelu(OpImporter &imp, Value x) {
  return makeElu(imp, x, 1.6732632423543772f, 1.0507009873554805f, 1.0f);
}

/// `x / (1 + |x|)`.
static Value makeSoftsign(OpImporter &imp, Value x) {
  Value scale = makeAffine(imp, make<nn::AbsOp>(imp, {x}), 1.0f, 1.0f);
  return make<nn::DivOp>(imp, {x, scale});
}

/// `clip(alpha*x + beta, 0, 1)`.
static Value makeHardSigmoid(OpImporter &imp, Value x, float alpha,
                             float beta) {
  return makeClamp(imp, makeAffine(imp, x, alpha, beta), 0.0f, 1.0f);
}

/// `x*sigmoid(scale*x)`.
static Value makeSwish(OpImporter &imp, Value x, float scale) {
  if (scale == 1.0f)
    return make<nn::SiluOp>(imp, {x});
  Value gate = make<nn::SigmoidOp>(imp, {makeAffine(imp, x, scale, 0.0f)});
  return make<nn::MulOp>(imp, {x, gate});
}

static Value makeLeakyRelu(OpImporter &imp, Value x, float slope) {
  return make<nn::PReluOp>(imp, {x, makeNumber(imp, slope, x)});
}

/// The tanh form of GELU: `x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))/2`.
static Value makeTanhGelu(OpImporter &imp, Value x) {
  Value cube = make<nn::MulOp>(imp, {make<nn::SquareOp>(imp, {x}), x});
  Value inner = make<nn::AddOp>(imp, {x, makeAffine(imp, cube, 0.044715f, 0)});
  Value gate = make<nn::TanhOp>(
      imp, {makeAffine(imp, inner, 0.7978845608028654f, 0.0f)});
  Value half = makeAffine(imp, x, 0.5f, 0.0f);
  return make<nn::MulOp>(imp, {half, makeAffine(imp, gate, 1.0f, 1.0f)});
}

//===----------------------------------------------------------------------===//
// HiAI's Activation
//===----------------------------------------------------------------------===//

/// `mode` chooses the function (semantics.md 5).
static LogicalResult importActivation(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> mode = imp.getInt("mode", 1);
  FailureOr<float> coef = imp.getFloat("coef", 0.0f);
  FailureOr<float> slope = imp.getFloat("negative_slope", 0.0f);
  if (failed(mode) || failed(coef) || failed(slope))
    return failure();
  Value x = imp.getOperand(0);
  switch (*mode) {
  case 0:
    return finish(imp, make<nn::SigmoidOp>(imp, {x}));
  case 1:
    return finish(imp, make<nn::ReluOp>(imp, {x}));
  case 2:
    return finish(imp, make<nn::TanhOp>(imp, {x}));
  case 3:
    return finish(imp, makeClamp(imp, x, 0.0f, *coef));
  case 4:
    return finish(imp, makeElu(imp, x, *coef, 1.0f, 1.0f));
  case 5:
    return finish(imp, makeLeakyRelu(imp, x, *slope));
  case 6:
    return finish(imp, make<nn::AbsOp>(imp, {x}));
  case 7:
    return finish(imp, makeClamp(imp, x, -1.0f, 1.0f));
  case 8:
    return finish(imp, makeSoftsign(imp, x));
  case 9:
    return finish(imp, make<nn::SoftplusOp>(imp, {x}));
  case 10:
    return finish(imp, makeHardSigmoid(imp, x, 0.2f, 0.5f));
  case 11:
    return finish(
        imp, make<nn::CondLessMoveOp>(imp, {makeNumber(imp, *coef, x), x, x}));
  case 12:
    return finish(imp, makeSelu(imp, x));
  case 14:
    return finish(imp, make<nn::Relu6Op>(imp, {x}));
  case 15:
    return finish(imp, make<nn::GeluOp>(imp, {x}));
  case 16:
    return finish(imp, make<nn::HSwishOp>(imp, {x}));
  default:
    return imp.decline("activation mode " + llvm::Twine(*mode));
  }
}

static LogicalResult exportMode(OpExporter &exp, int64_t mode) {
  if (exp.getSource()->getInherentAttr("out_type").value_or(nullptr))
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType("Activation");
  exp.addInput(exp.getSource()->getOperand(0));
  exp.setInt("mode", mode);
  return success();
}

/// x above a number, else 0.
static LogicalResult exportCondLessMove(OpExporter &exp) {
  auto op = cast<nn::CondLessMoveOp>(exp.getSource());
  std::optional<float> number = exp.getKnownFloat(op.getLhs());
  if (!number || op.getRhs() != op.getValue() ||
      op.getType() != op.getValue().getType())
    return exp.refuse("only a number is a bound to the format");
  exp.setType("Activation");
  exp.addInput(op.getValue());
  exp.setInt("mode", 11);
  exp.setFloat("coef", *number);
  return success();
}

template <int64_t mode> static LogicalResult exportActivation(OpExporter &exp) {
  return exportMode(exp, mode);
}

//===----------------------------------------------------------------------===//
// Types of their own
//===----------------------------------------------------------------------===//

/// An op without attributes.
template <typename OpT> static LogicalResult importUnary(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return finish(imp, make<OpT>(imp, {imp.getOperand(0)}));
}

/// A formula without attributes.
template <Value (*formula)(OpImporter &, Value)>
static LogicalResult importFormula(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return finish(imp, formula(imp, imp.getOperand(0)));
}

/// 1 above the threshold, else 0.
static LogicalResult importThreshold(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> threshold = imp.getFloat("threshold", 0.0f);
  if (failed(threshold))
    return failure();
  Value x = imp.getOperand(0);
  return finish(imp,
                make<nn::LessOp>(imp, {makeNumber(imp, *threshold, x), x}));
}

static LogicalResult importLeakyRelu(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> slope = imp.getFloat("negative_slope", 0.0f);
  if (failed(slope))
    return failure();
  return finish(imp, makeLeakyRelu(imp, imp.getOperand(0), *slope));
}

static LogicalResult importElu(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> alpha = imp.getFloat("alpha", 1.0f);
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<float> inner = imp.getFloat("input_scale", 1.0f);
  if (failed(alpha) || failed(scale) || failed(inner))
    return failure();
  return finish(imp, makeElu(imp, imp.getOperand(0), *alpha, *scale, *inner));
}

static LogicalResult importHardSigmoid(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> alpha = imp.getFloat("alpha", 0.16666666f);
  FailureOr<float> beta = imp.getFloat("beta", 0.5f);
  if (failed(alpha) || failed(beta))
    return failure();
  return finish(imp, makeHardSigmoid(imp, imp.getOperand(0), *alpha, *beta));
}

/// `softplus(beta*x)/beta`, which CANN takes as x beyond the threshold. From 17
/// on that is what rounding to f32 gives as well.
static LogicalResult importSoftplusV2(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> beta = imp.getFloat("beta", 1.0f);
  FailureOr<float> threshold = imp.getFloat("threshold", 20.0f);
  if (failed(beta) || failed(threshold))
    return failure();
  if (*threshold < 17.0f || *beta == 0.0f)
    return imp.decline("a softplus that is cut early");
  Value x = make<nn::SoftplusOp>(
      imp, {makeAffine(imp, imp.getOperand(0), *beta, 0.0f)});
  if (*beta != 1.0f)
    x = make<nn::DivOp>(imp, {x, makeNumber(imp, *beta, x)});
  return finish(imp, x);
}

static LogicalResult importSwish(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  if (failed(scale))
    return failure();
  return finish(imp, makeSwish(imp, imp.getOperand(0), *scale));
}

static LogicalResult exportSilu(OpExporter &exp) {
  if (exp.getSource()->getInherentAttr("out_type").value_or(nullptr))
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType("Swish");
  exp.addInput(exp.getSource()->getOperand(0));
  exp.setFloat("scale", 1.0f);
  return success();
}

/// `x*tanh(softplus(x))`.
static Value makeMish(OpImporter &imp, Value x) {
  Value gate = make<nn::TanhOp>(imp, {make<nn::SoftplusOp>(imp, {x})});
  return make<nn::MulOp>(imp, {x, gate});
}

/// CANN's approximation of GELU: `x*sigmoid(1.702*x)`.
static Value makeFastGelu(OpImporter &imp, Value x) {
  return makeSwish(imp, x, 1.702f);
}

/// `silu(a)*b` of the halves of an axis.
static LogicalResult importSwiGlu(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis = imp.getInt("dim", -1);
  if (failed(type) || failed(axis))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  int64_t dim = type->getDimSize(*axis), half = dim / 2;
  if (dim < 2 || dim % 2 != 0)
    return imp.emitError() << "a dim of " << dim << " has no halves";
  Value x = imp.getOperand(0);
  Value gate = makeSlice(imp, x, {{*axis, 0, 1, half}});
  Value value = makeSlice(imp, x, {{*axis, half, 1, half}});
  return finish(imp,
                make<nn::MulOp>(imp, {make<nn::SiluOp>(imp, {gate}), value}));
}

/// h-swish has a type of its own from version 5 on; mode 16 is the older one.
static LogicalResult exportHardSwish(OpExporter &exp) {
  exp.setType("HardSwish");
  exp.addInput(exp.getSource()->getOperand(0));
  return success();
}

/// One slope per channel, stored as C,1,1 or 1,C,1,1.
static LogicalResult importPRelu(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> slope = getStaticType(imp, 1);
  if (failed(slope))
    return failure();
  Value value = imp.getOperand(1);
  // CANN stores a vector, whose dim is that of the channels.
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (slope->getRank() == 1 && slope->getDimSize(0) != 1 && type &&
      type.getRank() > 2) {
    SmallVector<int64_t> shape(type.getRank() - 1, 1);
    shape[0] = slope->getDimSize(0);
    value = makeReshape(imp, value, shape);
  }
  return finish(imp, make<nn::PReluOp>(imp, {imp.getOperand(0), value}));
}

/// A scalar slope is mode 5 of Activation.
static LogicalResult exportPRelu(OpExporter &exp) {
  auto op = cast<nn::PReluOp>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operands'");
  if (std::optional<float> slope = exp.getKnownFloat(op.getSlope())) {
    exp.setFloat("negative_slope", *slope);
    return exportMode(exp, 5);
  }
  exp.setType("PRelu");
  exp.addInput(op.getInput());
  exp.addInput(op.getSlope());
  return success();
}

/// CANN's softmax lists axes; more than one are not modelled.
template <bool isLog> static LogicalResult importSoftmaxV2(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> axes = imp.getInts("axes", {-1});
  FailureOr<bool> widens = imp.getBool("half_to_float", false);
  if (failed(axes) || failed(widens))
    return failure();
  if (axes->size() != 1)
    return imp.decline("a softmax of " + llvm::Twine(axes->size()) + " axes");
  Value x = imp.getOperand(0);
  if (*widens)
    x = makeCast(imp, x, imp.builder.getF32Type());
  nn::SoftmaxOp::Properties properties;
  properties.axis = imp.i64(axes->front());
  x = make<nn::SoftmaxOp>(imp, {x}, properties);
  return finish(imp, isLog ? make<nn::LogOp>(imp, {x}) : x);
}

void modelwright::ge::registerActivationOps(OpRegistry &registry) {
  registry.addImport<nn::SigmoidOp, nn::ReluOp, nn::TanhOp, nn::ClipOp,
                     nn::PReluOp, nn::AbsOp, nn::SoftplusOp, nn::CondLessMoveOp,
                     nn::Relu6Op, nn::GeluOp, nn::HSwishOp>({"Activation"},
                                                            importActivation);
  registry.addExport<nn::SigmoidOp>(exportActivation<0>);
  registry.addExport<nn::ReluOp>(exportActivation<1>);
  registry.addExport<nn::TanhOp>(exportActivation<2>);
  registry.addExport<nn::AbsOp>(exportActivation<6>);
  registry.addExport<nn::SoftplusOp>(exportActivation<9>);
  registry.addExport<nn::Relu6Op>(exportActivation<14>);
  registry.addExport<nn::GeluOp>(exportActivation<15>);
  registry.addExport<nn::CondLessMoveOp>(exportCondLessMove);
  registry.addImport<nn::HSwishOp>({"HardSwish"}, importUnary<nn::HSwishOp>);
  registry.addExport<nn::HSwishOp>(exportHardSwish);
  registry.addImport<nn::LessOp>({"Threshold"}, importThreshold);
  registry.addImport<nn::SiluOp, nn::SigmoidOp, nn::MulOp>({"Swish"},
                                                           importSwish);
  registry.addExport<nn::SiluOp>(exportSilu);
  registry.addImport<nn::SoftplusOp, nn::TanhOp, nn::MulOp>(
      {"Mish"}, importFormula<makeMish>);
  registry.addImport<nn::PReluOp>({"PRelu", "PReLU"}, importPRelu);
  registry.addExport<nn::PReluOp>(exportPRelu);

  // CANN has a type for each function.
  registry.addImport<nn::AbsOp>({"Abs"}, importUnary<nn::AbsOp>);
  registry.addImport<nn::ReluOp>({"Relu"}, importUnary<nn::ReluOp>);
  registry.addImport<nn::Relu6Op>({"Relu6"}, importUnary<nn::Relu6Op>);
  registry.addImport<nn::SigmoidOp>({"Sigmoid"}, importUnary<nn::SigmoidOp>);
  registry.addImport<nn::TanhOp>({"Tanh"}, importUnary<nn::TanhOp>);
  registry.addImport<nn::SoftplusOp>({"Softplus"}, importUnary<nn::SoftplusOp>);
  registry.addImport<nn::LogSigmoidOp>({"LogSigmoid"},
                                       importUnary<nn::LogSigmoidOp>);
  registry.addImport<nn::PReluOp>({"LeakyRelu"}, importLeakyRelu);
  registry.addImport<nn::Expm1Op, nn::ReluOp, nn::AddOp>({"Elu"}, importElu);
  registry.addImport<nn::Expm1Op, nn::ReluOp, nn::AddOp>(
      {"Selu"}, importFormula<makeSelu>);
  registry.addImport<nn::AbsOp, nn::DivOp>({"Softsign"},
                                           importFormula<makeSoftsign>);
  registry.addImport<nn::ClipOp>({"HardSigmoid"}, importHardSigmoid);
  registry.addImport<nn::SoftplusOp>({"SoftplusV2"}, importSoftplusV2);
  registry.addImport<nn::TanhOp, nn::MulOp>({"Gelu"},
                                            importFormula<makeTanhGelu>);
  registry.addImport<nn::SigmoidOp, nn::MulOp>({"FastGelu"},
                                               importFormula<makeFastGelu>);
  registry.addImport<nn::SiluOp, nn::MulOp>({"SwiGlu"}, importSwiGlu);
  registry.addImport<nn::SoftmaxOp>({"SoftmaxV2"}, importSoftmaxV2<false>);
  registry.addImport<nn::SoftmaxOp, nn::LogOp>({"LogSoftmaxV2"},
                                               importSoftmaxV2<true>);
}
