//===- NormOps.cpp - GE normalization, scales and biases ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// The floats of a constant, or nullopt.
static std::optional<SmallVector<float>> readConstant(Value value) {
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  return constant ? nn::readFloats(constant.getValue()) : std::nullopt;
}

static bool hasNegative(Value value) {
  std::optional<SmallVector<float>> floats = readConstant(value);
  return floats && llvm::any_of(*floats, [](float x) { return x < 0; });
}

/// A parameter in the shape that nn.batch_norm wants.
static FailureOr<Value> shapeParameter(OpImporter &imp, Value value,
                                       int64_t channels) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != channels)
    return imp.emitError() << "a parameter of type " << value.getType()
                           << " does not fit " << channels << " channels";
  return imp.createReshape(value, {1, channels, 1, 1});
}

static LogicalResult importBNInference(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 5)))
    return failure();
  FailureOr<float> epsilon = imp.getFloat("epsilon", 1e-5f);
  FailureOr<int64_t> mode = imp.getInt("mode", 1);
  FailureOr<bool> useStats = imp.getBool("use_global_stats", true);
  FailureOr<bool> nhwc = imp.isNHWC();
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(epsilon) || failed(mode) || failed(useStats) || failed(nhwc) ||
      failed(activation))
    return failure();
  if (*mode != 1 || !*useStats || *nhwc || imp.facts.isCompiled)
    return imp.decline("batch normalization of an unusual mode");
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type || type.getRank() != 4 || ShapedType::isDynamic(type.getDimSize(1)))
    return imp.decline("batch normalization of unknown channels");
  int64_t channels = type.getDimSize(1);

  // The order of the constants depends on who wrote the file; names prove
  // nothing (semantics.md 4).
  SmallVector<Value> params = imp.getOperands();
  params.erase(params.begin());
  Value scale, bias, mean, variance;
  if (params.size() == 2) {
    mean = params[0];
    variance = params[1];
  } else if (params.size() == 4) {
    bool scaleFirst = imp.facts.isOM || imp.getType() == "BatchNorm";
    Value candidate = params[scaleFirst ? 3 : 1];
    Value other = params[scaleFirst ? 1 : 3];
    if (hasNegative(candidate) && !hasNegative(other))
      scaleFirst = !scaleFirst;
    scale = params[scaleFirst ? 0 : 2];
    bias = params[scaleFirst ? 1 : 3];
    mean = params[scaleFirst ? 2 : 0];
    variance = params[scaleFirst ? 3 : 1];
  } else {
    return imp.emitError() << "has " << params.size()
                           << " parameters, expected 2 or 4";
  }
  Type element = nn::getElementType(mean.getType());
  if (!scale) {
    SmallVector<float> ones(channels, 1.0f), zeros(channels, 0.0f);
    scale = imp.createConstant({1, channels, 1, 1}, ones, element);
    bias = imp.createConstant({1, channels, 1, 1}, zeros, element);
  }
  SmallVector<Value> operands{imp.getOperand(0)};
  for (Value param : {scale, bias, mean, variance}) {
    FailureOr<Value> shaped = shapeParameter(imp, param, channels);
    if (failed(shaped))
      return failure();
    operands.push_back(*shaped);
  }
  nn::BatchNormOp::Properties properties;
  properties.epsilon = imp.builder.getF64FloatAttr(*epsilon);
  properties.avg_factor = imp.builder.getF64FloatAttr(0.0);
  properties.operandSegmentSizes = {1, 1, 1, 1, 1};
  FailureOr<nn::BatchNormOp> norm =
      imp.create<nn::BatchNormOp>(operands, properties);
  if (failed(norm))
    return failure();
  return applyFusedActivation(imp, norm->getResult(), *activation);
}

static LogicalResult exportBatchNorm(OpExporter &exp) {
  auto op = cast<nn::BatchNormOp>(exp.getSource());
  if (op.getTraining() || op.getNumStats() != 0 ||
      op.getParamDim() != nn::ParamDim::dim_1c11)
    return exp.refuse("only inference with one parameter per channel is known "
                      "to the format");
  exp.setType("BNInference");
  exp.addInput(op.getInput());
  // The order of the file's own batch normalizations.
  if (exp.facts.isOM) {
    exp.addInput(op.getScale());
    exp.addInput(op.getBias());
    exp.addInput(op.getMean());
    exp.addInput(op.getVariance());
  } else {
    exp.addInput(op.getMean());
    exp.addInput(op.getVariance());
    exp.addInput(op.getScale());
    exp.addInput(op.getBias());
  }
  exp.setFloat("epsilon", op.getEpsilon().convertToDouble());
  exp.setInt("mode", 1);
  exp.setBool("use_global_stats", true);
  return writeFusedActivation(exp, nn::Activation::none);
}

//===----------------------------------------------------------------------===//
// Scale and bias
//===----------------------------------------------------------------------===//

static LogicalResult importBiasAdd(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(nhwc))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto biasType = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (!type || !biasType || !biasType.hasStaticShape())
    return imp.decline("a bias of unknown shape");
  int64_t axis = *nhwc || type.getRank() < 2 ? type.getRank() - 1 : 1;
  if (axis < 0)
    return imp.emitError() << "input must not be a scalar";
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[axis] = biasType.getNumElements();
  FailureOr<Value> bias = imp.createReshape(imp.getOperand(1), shape);
  if (failed(bias))
    return failure();
  return imp.create<nn::AddOp>({imp.getOperand(0), *bias});
}

static LogicalResult importScale(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("axis", 1);
  FailureOr<bool> fromBlob = imp.getBool("scale_from_blob", false);
  if (failed(axis) || failed(fromBlob))
    return failure();
  if (*axis != 1 || *fromBlob)
    return imp.decline("a scale along another axis than 1");
  FailureOr<nn::MulOp> product =
      imp.create<nn::MulOp>({imp.getOperand(0), imp.getOperand(1)});
  if (failed(product) || !imp.getOperand(2))
    return product;
  return imp.create<nn::AddOp>({*product, imp.getOperand(2)});
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

static LogicalResult importSoftmax(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  const bool isLog = imp.getType() == "LogSoftmax";
  FailureOr<int64_t> axis = imp.getInt("axis", isLog ? -1 : 0);
  FailureOr<int64_t> algorithm = imp.getInt("algo", isLog ? 2 : 1);
  if (failed(axis) || failed(algorithm))
    return failure();
  nn::SoftmaxOp::Properties properties;
  properties.axis = imp.i64(*axis);
  FailureOr<nn::SoftmaxOp> softmax =
      imp.create<nn::SoftmaxOp>({imp.getOperand(0)}, properties);
  if (failed(softmax) || *algorithm != 2)
    return softmax;
  return imp.create<nn::LogOp>({softmax->getResult()});
}

static LogicalResult exportSoftmax(OpExporter &exp) {
  auto op = cast<nn::SoftmaxOp>(exp.getSource());
  exp.setType("Softmax");
  exp.addInput(op.getInput());
  exp.setInt("axis", op.getAxis());
  exp.clear("algo");
  return success();
}

void modelwright::ge::registerNormOps(OpRegistry &registry) {
  registry.addImport<nn::BatchNormOp>({"BNInference", "BatchNorm"},
                                      importBNInference);
  registry.addExport<nn::BatchNormOp>(exportBatchNorm);
  registry.addImport<nn::AddOp>({"BiasAdd"}, importBiasAdd);
  registry.addImport<nn::MulOp, nn::AddOp>({"Scale"}, importScale);
  registry.addImport<nn::SoftmaxOp, nn::LogOp>({"Softmax", "LogSoftmax"},
                                               importSoftmax);
  registry.addExport<nn::SoftmaxOp>(exportSoftmax);
}
