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

namespace {
/// What a batch normalization reads besides its input.
struct BatchNormParams {
  /// Scale and bias may be null.
  Value scale, bias, mean, variance;
  float epsilon = 1e-5f;
  /// Of the parameters: one per channel, or one per element of an image.
  nn::ParamDim dim = nn::ParamDim::dim_1c11;
};
} // namespace

/// The order of the constants depends on who wrote the file; names prove
/// nothing (semantics.md 4).
static LogicalResult sortParams(OpImporter &imp, BatchNormParams &params) {
  SmallVector<Value> values = imp.getOperands();
  values.erase(values.begin());
  if (values.size() == 2) {
    params.mean = values[0];
    params.variance = values[1];
    return success();
  }
  if (values.size() != 4)
    return imp.emitError() << "has " << values.size()
                           << " parameters, expected 2 or 4";
  bool scaleFirst = imp.facts.isOM || imp.getType() == "BatchNorm";
  Value candidate = values[scaleFirst ? 3 : 1];
  Value other = values[scaleFirst ? 1 : 3];
  if (hasNegative(candidate) && !hasNegative(other))
    scaleFirst = !scaleFirst;
  params.scale = values[scaleFirst ? 0 : 2];
  params.bias = values[scaleFirst ? 1 : 3];
  params.mean = values[scaleFirst ? 2 : 0];
  params.variance = values[scaleFirst ? 3 : 1];
  return success();
}

static FailureOr<Value> createBatchNorm(OpImporter &imp,
                                        BatchNormParams params) {
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type || type.getRank() != 4)
    return imp.decline("batch normalization of an unknown shape");
  SmallVector<int64_t> shape(type.getShape());
  shape[0] = 1;
  for (int64_t axis : {1, 2, 3})
    if (params.dim != nn::ParamDim::dim_1chw &&
        axis != (params.dim == nn::ParamDim::dim_1c11 ? 1 : 3))
      shape[axis] = 1;
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return imp.decline("batch normalization of unknown channels");
  int64_t count = ShapedType::getNumElements(shape);
  Type element = nn::getElementType(params.mean.getType());
  if (!nn::isFloat(element))
    return imp.decline("batch normalization of other elements than floats");
  if (!params.scale) {
    SmallVector<float> ones(count, 1.0f), zeros(count, 0.0f);
    params.scale = imp.createConstant(shape, ones, element);
    params.bias = imp.createConstant(shape, zeros, element);
  }
  SmallVector<Value> operands{imp.getOperand(0)};
  for (Value param :
       {params.scale, params.bias, params.mean, params.variance}) {
    auto paramType = dyn_cast<RankedTensorType>(param.getType());
    if (!paramType || !paramType.hasStaticShape() ||
        paramType.getNumElements() != count)
      return imp.emitError() << "a parameter of type " << param.getType()
                             << " does not fit " << count << " values";
    FailureOr<Value> shaped = imp.createReshape(param, shape);
    if (failed(shaped))
      return failure();
    operands.push_back(*shaped);
  }
  nn::BatchNormOp::Properties properties;
  properties.epsilon = imp.builder.getF64FloatAttr(params.epsilon);
  properties.avg_factor = imp.builder.getF64FloatAttr(0.0);
  properties.param_dim = nn::ParamDimAttr::get(imp.getContext(), params.dim);
  properties.operandSegmentSizes = {1, 1, 1, 1, 1};
  FailureOr<nn::BatchNormOp> norm =
      imp.create<nn::BatchNormOp>(operands, properties);
  if (failed(norm))
    return failure();
  return Value(norm->getResult());
}

/// CANN's batch normalizations: x, scale, offset, mean, variance. BatchNorm has
/// the name that HiAI's has in version 0, other attributes and more outputs.
static LogicalResult importServerBatchNorm(OpImporter &imp) {
  const bool isInfer = imp.getType() == "BNInfer";
  const bool isV3 = imp.getType() == "BatchNormV3";
  if (failed(imp.expectOperands(5, 5)))
    return failure();
  FailureOr<float> epsilon =
      imp.getFloat("epsilon", isInfer || isV3 ? 1e-5f : 1e-4f);
  FailureOr<bool> training = imp.getBool("is_training", !isInfer);
  FailureOr<bool> nhwc = imp.isNHWC(/*defaultsToNHWC=*/!isInfer && !isV3);
  if (failed(epsilon) || failed(training) || failed(nhwc))
    return failure();
  if (*training)
    return imp.decline("batch normalization in training");
  const int outputs = std::max(imp.op.output_desc_size(), 1);
  for (int k = 1; k < outputs; ++k)
    if (imp.isOutputRead(k))
      return imp.decline("batch normalization whose statistics are read");
  // BNInfer and BatchNormV3 have no data_format: the descriptor tells.
  if ((isInfer || isV3) && imp.op.input_desc_size() > 0)
    nhwc = imp.op.input_desc(0).layout() == "NHWC";
  BatchNormParams params{
      imp.getOperand(1),
      imp.getOperand(2),
      imp.getOperand(3),
      imp.getOperand(4),
      *epsilon,
      *nhwc ? nn::ParamDim::dim_111c : nn::ParamDim::dim_1c11};
  FailureOr<Value> norm = createBatchNorm(imp, params);
  if (failed(norm))
    return failure();
  SmallVector<Value> results(outputs);
  results[0] = *norm;
  imp.setResults(results);
  return success();
}

static LogicalResult importBNInference(OpImporter &imp) {
  // What tells the two BatchNorms apart besides the version.
  if (imp.getType() == "BatchNorm" && imp.isServerOp() && !imp.has("mode") &&
      !imp.has("use_global_stats"))
    return importServerBatchNorm(imp);
  if (failed(imp.expectOperands(3, 5)))
    return failure();
  BatchNormParams params;
  FailureOr<float> epsilon = imp.getFloat("epsilon", 1e-5f);
  FailureOr<int64_t> mode = imp.getInt("mode", 1);
  FailureOr<bool> useStats = imp.getBool("use_global_stats", true);
  FailureOr<bool> nhwc = imp.isNHWC();
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(epsilon) || failed(mode) || failed(useStats) || failed(nhwc) ||
      failed(activation))
    return failure();
  if (*mode != 0 && *mode != 1)
    return imp.emitError() << "unknown batch normalization mode " << *mode;
  if (!*useStats)
    return imp.decline("batch normalization by the batch's own statistics");
  if (imp.facts.isCompiled)
    return imp.decline("batch normalization that was folded for a device");
  params.epsilon = *epsilon;
  params.dim = *mode == 0 ? nn::ParamDim::dim_1chw
               : *nhwc    ? nn::ParamDim::dim_111c
                          : nn::ParamDim::dim_1c11;
  if (failed(sortParams(imp, params)))
    return failure();
  FailureOr<Value> norm = createBatchNorm(imp, params);
  if (failed(norm))
    return failure();
  return applyFusedActivation(imp, *norm, *activation);
}

static LogicalResult exportBatchNorm(OpExporter &exp) {
  auto op = cast<nn::BatchNormOp>(exp.getSource());
  if (op.getTraining() || op.getNumStats() != 0 ||
      op.getParamDim() == nn::ParamDim::dim_11hw)
    return exp.refuse("only inference with a parameter per channel or element "
                      "is known to the format");
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
  exp.setInt("mode", op.getParamDim() == nn::ParamDim::dim_1chw ? 0 : 1);
  if (op.getParamDim() == nn::ParamDim::dim_111c)
    exp.setInt("format", 1);
  else
    exp.clear("format");
  exp.setBool("use_global_stats", true);
  return writeFusedActivation(exp, nn::Activation::none);
}

//===----------------------------------------------------------------------===//
// Scale and bias
//===----------------------------------------------------------------------===//

static LogicalResult importBiasAdd(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<bool> nhwc = imp.isNHWC(/*defaultsToNHWC=*/imp.isServerOp());
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
  registry.addImport<nn::BatchNormOp>(
      {"BNInfer", "BatchNormV3", "BatchNormExt2"}, importServerBatchNorm);
  registry.addExport<nn::BatchNormOp>(exportBatchNorm);
  registry.addImport<nn::AddOp>({"BiasAdd"}, importBiasAdd);
  registry.addImport<nn::MulOp, nn::AddOp>({"Scale"}, importScale);
  registry.addImport<nn::SoftmaxOp, nn::LogOp>({"Softmax", "LogSoftmax"},
                                               importSoftmax);
  registry.addExport<nn::SoftmaxOp>(exportSoftmax);
}
