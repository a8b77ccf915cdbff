//===- ElementwiseOps.cpp - GE elementwise ops ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// One op each way
//===----------------------------------------------------------------------===//

/// An op without attributes whose operands are those of the OpDef.
template <typename OpT, size_t arity>
static LogicalResult importPlain(OpImporter &imp) {
  if (failed(imp.expectOperands(arity, arity)))
    return failure();
  return imp.create<OpT>(imp.getOperands());
}

static constexpr llvm::StringLiteral kPlainTypes[] = {
#define GE_PLAIN(TYPE, OP, ARITY) #TYPE,
#include "Elementwise.def"
};

template <size_t k> static LogicalResult exportPlain(OpExporter &exp) {
  Operation *op = exp.getSource();
  if (op->getInherentAttr("out_type").value_or(nullptr))
    return exp.refuse("its result type is set apart from its operands'");
  exp.setType(kPlainTypes[k]);
  for (Value operand : op->getOperands())
    exp.addInput(operand);
  return success();
}

/// The place of each plain op in the table above.
enum PlainIndex : size_t {
#define GE_PLAIN(TYPE, OP, ARITY) kPlain_##OP,
#include "Elementwise.def"
};

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

/// Values of Activation's `mode` (semantics.md 5) that are one nn op.
template <typename OpT> static LogicalResult importUnary(OpImporter &imp) {
  return imp.create<OpT>(imp.getOperands());
}

static LogicalResult importClamp(OpImporter &imp, float low, float high) {
  Type element = nn::getElementType(imp.getOperand(0).getType());
  Value min = imp.createConstant({}, low, element);
  Value max = imp.createConstant({}, high, element);
  return imp.create<nn::ClipOp>({imp.getOperand(0), min, max});
}

static LogicalResult importActivation(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> mode = imp.getInt("mode", 1);
  FailureOr<float> coef = imp.getFloat("coef", 0.0f);
  FailureOr<float> slope = imp.getFloat("negative_slope", 0.0f);
  if (failed(mode) || failed(coef) || failed(slope))
    return failure();
  Value x = imp.getOperand(0);
  Type element = nn::getElementType(x.getType());
  switch (*mode) {
  case 0:
    return importUnary<nn::SigmoidOp>(imp);
  case 1:
    return importUnary<nn::ReluOp>(imp);
  case 2:
    return importUnary<nn::TanhOp>(imp);
  case 3:
    return importClamp(imp, 0.0f, *coef);
  case 5:
    return imp.create<nn::PReluOp>(
        {x, imp.createConstant({}, *slope, element)});
  case 6:
    return importUnary<nn::AbsOp>(imp);
  case 7:
    return importClamp(imp, -1.0f, 1.0f);
  case 9:
    return importUnary<nn::SoftplusOp>(imp);
  case 14:
    return importUnary<nn::Relu6Op>(imp);
  case 15:
    return importUnary<nn::GeluOp>(imp);
  case 16:
    return importUnary<nn::HSwishOp>(imp);
  default:
    return imp.decline("activation mode " + llvm::Twine(*mode));
  }
}

template <int64_t mode> static LogicalResult exportActivation(OpExporter &exp) {
  if (exp.getSource()->getInherentAttr("out_type").value_or(nullptr))
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType("Activation");
  exp.addInput(exp.getSource()->getOperand(0));
  exp.setInt("mode", mode);
  return success();
}

/// h-swish has a type of its own from version 5 on; mode 16 is the older one.
static LogicalResult importHardSwish(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return importUnary<nn::HSwishOp>(imp);
}

static LogicalResult exportHardSwish(OpExporter &exp) {
  exp.setType("HardSwish");
  exp.addInput(exp.getSource()->getOperand(0));
  return success();
}

//===----------------------------------------------------------------------===//
// Sum with activation
//===----------------------------------------------------------------------===//

static LogicalResult importAdd(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  return imp.create<nn::AddOp>(imp.getOperands());
}

static LogicalResult exportAdd(OpExporter &exp) {
  auto op = cast<nn::AddOp>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operands'");
  exp.addInput(op.getLhs());
  exp.addInput(op.getRhs());
  if (op.getActivation() == nn::Activation::none) {
    exp.setType("Add");
    return success();
  }
  // Only Eltwise fuses an activation, and it does not broadcast.
  if (op.getLhs().getType() != op.getRhs().getType())
    return exp.refuse("a sum that broadcasts has no activation");
  exp.setType("Eltwise");
  exp.setInt("N", 2);
  exp.setInt("mode", 1);
  exp.clear("coeff");
  return writeFusedActivation(exp, op.getActivation());
}

//===----------------------------------------------------------------------===//
// Eltwise
//===----------------------------------------------------------------------===//

template <typename OpT>
static FailureOr<Value> createChain(OpImporter &imp, ArrayRef<Value> inputs) {
  Value value = inputs.front();
  for (Value input : inputs.drop_front()) {
    FailureOr<OpT> op = imp.create<OpT>({value, input});
    if (failed(op))
      return failure();
    value = *op;
  }
  return value;
}

/// N-ary product, sum, maximum or mean of inputs of one shape.
static LogicalResult importEltwise(OpImporter &imp) {
  SmallVector<Value> inputs = imp.getOperands();
  if (inputs.empty())
    return imp.emitError() << "has no input";
  FailureOr<int64_t> mode = imp.getInt("mode", 1);
  FailureOr<SmallVector<float>> coefficients = imp.getFloats("coeff", {});
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(mode) || failed(coefficients) || failed(activation))
    return failure();
  if (inputs.size() == 1)
    return imp.decline("an Eltwise of one input");
  if (!coefficients->empty() &&
      (*mode != 1 || coefficients->size() != inputs.size()))
    return imp.emitError() << "has " << coefficients->size()
                           << " coefficients for " << inputs.size()
                           << " inputs of mode " << *mode;
  Type element = nn::getElementType(inputs.front().getType());
  for (auto [input, coefficient] : llvm::zip(inputs, *coefficients))
    if (coefficient != 1.0f) {
      FailureOr<nn::MulOp> scaled = imp.create<nn::MulOp>(
          {input, imp.createConstant({}, coefficient, element)});
      if (failed(scaled))
        return failure();
      input = *scaled;
    }
  FailureOr<Value> value;
  switch (*mode) {
  case 0:
    value = createChain<nn::MulOp>(imp, inputs);
    break;
  case 1: {
    // The last sum can apply the activation itself.
    value = createChain<nn::AddOp>(imp, ArrayRef(inputs).drop_back());
    if (failed(value))
      return failure();
    nn::AddOp::Properties properties;
    properties.activation =
        nn::ActivationAttr::get(imp.getContext(), *activation);
    return imp.create<nn::AddOp>({*value, inputs.back()}, properties);
  }
  case 2:
    value = createChain<nn::MaximumOp>(imp, inputs);
    break;
  case 3: {
    value = createChain<nn::AddOp>(imp, inputs);
    if (failed(value))
      return failure();
    Value count =
        imp.createConstant({}, static_cast<float>(inputs.size()), element);
    FailureOr<nn::DivOp> mean = imp.create<nn::DivOp>({*value, count});
    if (failed(mean))
      return failure();
    value = Value(*mean);
    break;
  }
  default:
    return imp.emitError() << "unknown Eltwise mode " << *mode;
  }
  if (failed(value))
    return failure();
  return applyFusedActivation(imp, *value, *activation);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

/// A comparison with a boolean result; `swapped` reads the operands the other
/// way round (nn has no greater-than).
template <typename OpT, bool swapped>
static LogicalResult importComparison(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  typename OpT::Properties properties;
  properties.out_type = TypeAttr::get(imp.builder.getI1Type());
  Value lhs = imp.getOperand(0), rhs = imp.getOperand(1);
  if (swapped)
    std::swap(lhs, rhs);
  return imp.create<OpT>({lhs, rhs}, properties);
}

template <typename OpT>
static LogicalResult exportComparison(OpExporter &exp, StringRef name) {
  auto op = cast<OpT>(exp.getSource());
  if (!nn::getElementType(op.getType()).isInteger(1))
    return exp.refuse("comparisons give booleans in this format");
  exp.setType(name);
  exp.addInput(op.getLhs());
  exp.addInput(op.getRhs());
  return success();
}

static LogicalResult exportLess(OpExporter &exp) {
  return exportComparison<nn::LessOp>(exp, "Less");
}
static LogicalResult exportLessEqual(OpExporter &exp) {
  return exportComparison<nn::LessEqualOp>(exp, "LessEqual");
}
static LogicalResult exportEqual(OpExporter &exp) {
  return exportComparison<nn::EqualOp>(exp, "Equal");
}
static LogicalResult exportNotEqual(OpExporter &exp) {
  return exportComparison<nn::NotEqualOp>(exp, "NotEqual");
}

//===----------------------------------------------------------------------===//
// Functions that nn spells by several ops
//===----------------------------------------------------------------------===//

static Value createNumber(OpImporter &imp, float value) {
  return imp.createConstant({}, value,
                            nn::getElementType(imp.getOperand(0).getType()));
}

static LogicalResult importReciprocal(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return imp.create<nn::DivOp>({createNumber(imp, 1.0f), imp.getOperand(0)});
}

static LogicalResult importRsqrt(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  nn::PowConstOp::Properties properties;
  properties.exponent = imp.f32(-0.5f);
  return imp.create<nn::PowConstOp>({imp.getOperand(0)}, properties);
}

static LogicalResult importSquaredDifference(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<nn::SubOp> difference = imp.create<nn::SubOp>(imp.getOperands());
  if (failed(difference))
    return failure();
  return imp.create<nn::SquareOp>({difference->getResult()});
}

/// The remainder with the sign of the divisor: `x - floor(x / y)*y`.
static LogicalResult importFloorMod(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  Value x = imp.getOperand(0), y = imp.getOperand(1);
  FailureOr<nn::FloorDivOp> quotient = imp.create<nn::FloorDivOp>({x, y});
  if (failed(quotient))
    return failure();
  FailureOr<nn::MulOp> whole = imp.create<nn::MulOp>({*quotient, y});
  if (failed(whole))
    return failure();
  return imp.create<nn::SubOp>({x, *whole});
}

/// `x * sigmoid(scale*x)`.
static LogicalResult importSwish(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  if (failed(scale))
    return failure();
  if (*scale == 1.0f)
    return importUnary<nn::SiluOp>(imp);
  FailureOr<nn::MulOp> scaled =
      imp.create<nn::MulOp>({imp.getOperand(0), createNumber(imp, *scale)});
  if (failed(scaled))
    return failure();
  FailureOr<nn::SigmoidOp> gate =
      imp.create<nn::SigmoidOp>({scaled->getResult()});
  if (failed(gate))
    return failure();
  return imp.create<nn::MulOp>({imp.getOperand(0), gate->getResult()});
}

static LogicalResult exportSilu(OpExporter &exp) {
  if (exp.getSource()->getInherentAttr("out_type").value_or(nullptr))
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType("Swish");
  exp.addInput(exp.getSource()->getOperand(0));
  exp.setFloat("scale", 1.0f);
  return success();
}

/// `x * tanh(softplus(x))`.
static LogicalResult importMish(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<nn::SoftplusOp> softplus =
      imp.create<nn::SoftplusOp>({imp.getOperand(0)});
  if (failed(softplus))
    return failure();
  FailureOr<nn::TanhOp> gate = imp.create<nn::TanhOp>({softplus->getResult()});
  if (failed(gate))
    return failure();
  return imp.create<nn::MulOp>({imp.getOperand(0), gate->getResult()});
}

/// `(scale*x + shift) ^ power`.
static LogicalResult importPower(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<float> shift = imp.getFloat("shift", 0.0f);
  FailureOr<float> power = imp.getFloat("power", 1.0f);
  if (failed(scale) || failed(shift) || failed(power))
    return failure();
  Value value = imp.getOperand(0);
  if (*scale != 1.0f) {
    FailureOr<nn::MulOp> op =
        imp.create<nn::MulOp>({value, createNumber(imp, *scale)});
    if (failed(op))
      return failure();
    value = *op;
  }
  if (*shift != 0.0f) {
    FailureOr<nn::AddOp> op =
        imp.create<nn::AddOp>({value, createNumber(imp, *shift)});
    if (failed(op))
      return failure();
    value = *op;
  }
  nn::PowConstOp::Properties properties;
  properties.exponent = imp.f32(*power);
  return imp.create<nn::PowConstOp>({value}, properties);
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

static LogicalResult importClip(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  return imp.create<nn::ClipOp>(imp.getOperands());
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

/// One slope per channel, stored as C,1,1 or 1,C,1,1.
static LogicalResult importPRelu(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (!type || !type.hasStaticShape())
    return imp.decline("slopes of unknown shape");
  return imp.create<nn::PReluOp>(imp.getOperands());
}

static LogicalResult exportPRelu(OpExporter &exp) {
  auto op = cast<nn::PReluOp>(exp.getSource());
  if (op.getOutTypeAttr())
    return exp.refuse("its result type is set apart from its operands'");
  exp.setType("PRelu");
  exp.addInput(op.getInput());
  exp.addInput(op.getSlope());
  return success();
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

static LogicalResult importCast(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> number = imp.getInt("dst_dtype", 0);
  if (failed(number))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *number);
  if (!element)
    return imp.emitError() << "element type " << *number
                           << " of attribute 'dst_dtype' is not supported";
  nn::CastOp::Properties properties;
  properties.to = TypeAttr::get(element);
  return imp.create<nn::CastOp>({imp.getOperand(0)}, properties);
}

static LogicalResult exportCast(OpExporter &exp) {
  auto op = cast<nn::CastOp>(exp.getSource());
  Type source = nn::getElementType(op.getInput().getType());
  std::optional<int64_t> from = getAttributeDType(source);
  std::optional<int64_t> to = getAttributeDType(op.getTo());
  if (!from || !to)
    return exp.refuse("the format has no number for its element types");
  exp.setType("CastT");
  exp.addInput(op.getInput());
  exp.setInt("src_dtype", *from);
  exp.setInt("dst_dtype", *to);
  return success();
}

void modelwright::ge::registerElementwiseOps(OpRegistry &registry) {
#define GE_PLAIN(TYPE, OP, ARITY)                                              \
  registry.addImport<nn::OP>({#TYPE}, importPlain<nn::OP, ARITY>);             \
  registry.addExport<nn::OP>(exportPlain<kPlain_##OP>);
#include "Elementwise.def"

  registry.addImport<nn::SigmoidOp, nn::ReluOp, nn::TanhOp, nn::ClipOp,
                     nn::PReluOp, nn::AbsOp, nn::SoftplusOp, nn::Relu6Op,
                     nn::GeluOp, nn::HSwishOp>({"Activation"},
                                               importActivation);
  registry.addExport<nn::SigmoidOp>(exportActivation<0>);
  registry.addExport<nn::ReluOp>(exportActivation<1>);
  registry.addExport<nn::TanhOp>(exportActivation<2>);
  registry.addExport<nn::AbsOp>(exportActivation<6>);
  registry.addExport<nn::SoftplusOp>(exportActivation<9>);
  registry.addExport<nn::Relu6Op>(exportActivation<14>);
  registry.addExport<nn::GeluOp>(exportActivation<15>);
  registry.addImport<nn::HSwishOp>({"HardSwish"}, importHardSwish);
  registry.addExport<nn::HSwishOp>(exportHardSwish);
  registry.addImport<nn::AddOp>({"Add"}, importAdd);
  registry.addExport<nn::AddOp>(exportAdd);
  registry.addImport<nn::LessOp>({"Less"}, importComparison<nn::LessOp, false>);
  registry.addImport<nn::LessOp>({"Greater"},
                                 importComparison<nn::LessOp, true>);
  registry.addImport<nn::LessEqualOp>({"LessEqual"},
                                      importComparison<nn::LessEqualOp, false>);
  registry.addImport<nn::LessEqualOp>({"GreaterEqual"},
                                      importComparison<nn::LessEqualOp, true>);
  registry.addImport<nn::EqualOp>({"Equal"},
                                  importComparison<nn::EqualOp, false>);
  registry.addImport<nn::NotEqualOp>({"NotEqual"},
                                     importComparison<nn::NotEqualOp, false>);
  registry.addExport<nn::LessOp>(exportLess);
  registry.addExport<nn::LessEqualOp>(exportLessEqual);
  registry.addExport<nn::EqualOp>(exportEqual);
  registry.addExport<nn::NotEqualOp>(exportNotEqual);
  registry.addImport<nn::DivOp>({"Reciprocal"}, importReciprocal);
  registry.addImport<nn::PowConstOp>({"Rsqrt"}, importRsqrt);
  registry.addImport<nn::SubOp, nn::SquareOp>({"SquaredDifference"},
                                              importSquaredDifference);
  registry.addImport<nn::FloorDivOp, nn::MulOp, nn::SubOp>({"FloorMod"},
                                                           importFloorMod);
  registry.addImport<nn::SiluOp, nn::SigmoidOp, nn::MulOp>({"Swish"},
                                                           importSwish);
  registry.addExport<nn::SiluOp>(exportSilu);
  registry.addImport<nn::SoftplusOp, nn::TanhOp, nn::MulOp>({"Mish"},
                                                            importMish);
  registry.addImport<nn::MulOp, nn::AddOp, nn::PowConstOp>({"Power"},
                                                           importPower);
  registry.addExport<nn::PowConstOp>(exportPowConst);
  registry.addImport<nn::ClipOp>({"ClipByValue", "Clip"}, importClip);
  registry.addExport<nn::ClipOp>(exportClip);
  registry.addImport<nn::PReluOp>({"PRelu", "PReLU"}, importPRelu);
  registry.addExport<nn::PReluOp>(exportPRelu);
  registry.addImport<nn::MulOp, nn::AddOp, nn::MaximumOp, nn::DivOp>(
      {"Eltwise"}, importEltwise);
  registry.addImport<nn::CastOp>({"CastT", "Cast"}, importCast);
  registry.addExport<nn::CastOp>(exportCast);
}
