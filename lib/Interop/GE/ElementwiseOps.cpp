//===- ElementwiseOps.cpp - GE elementwise ops ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
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
  for (auto [input, coefficient] : llvm::zip(inputs, *coefficients))
    if (coefficient != 1.0f) {
      input =
          make<nn::MulOp>(imp, {input, makeNumber(imp, coefficient, input)});
      if (!input)
        return failure();
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
    Value mean = make<nn::DivOp>(
        imp,
        {*value, makeNumber(imp, static_cast<double>(inputs.size()), *value)});
    if (!mean)
      return failure();
    value = mean;
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
// Casts
//===----------------------------------------------------------------------===//

static LogicalResult importCast(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  // CANN's Cast calls it dst_type; HiAI's Cast is version 0 of CastT.
  StringRef name = imp.has("dst_type") ? "dst_type" : "dst_dtype";
  FailureOr<int64_t> number = imp.getInt(name, 0);
  if (failed(number))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *number);
  if (!element)
    return imp.emitError() << "element type " << *number << " of attribute '"
                           << name << "' is not supported";
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

  registry.addImport<nn::PowOp>({"Pows"}, importPlain<nn::PowOp, 2>);
  registry.addImport<nn::AddOp>({"Add", "AddV2"}, importAdd);
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
  registry.addImport<nn::MulOp, nn::AddOp, nn::MaximumOp, nn::DivOp>(
      {"Eltwise"}, importEltwise);
  registry.addImport<nn::CastOp>({"CastT", "Cast"}, importCast);
  registry.addExport<nn::CastOp>(exportCast);
}
