//===- MomentNormOps.cpp - GE norms by sums over the input ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Layer, group, instance, L2 and local response normalization. HiAI and CANN
// share the names LayerNorm, InstanceNorm, L2Normalize and LRN but not the
// defaults, and for LRN not the meaning of `depth_radius`.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Norms with moments
//===----------------------------------------------------------------------===//

/// Says that `result` is the first output. The others (mean, and variance or
/// its inverse root) have other shapes than nn's; they must not be read.
static LogicalResult setFirstOutput(OpImporter &imp, Value result) {
  SmallVector<Value> results(std::max(imp.op.output_desc_size(), 1));
  for (size_t k = 1; k < results.size(); ++k)
    if (imp.isOutputRead(k))
      return imp.decline("a normalization whose moments are read");
  results[0] = result;
  imp.setResults(results);
  return success();
}

/// A parameter as one of `shape` and the element type of the input; null if it
/// has not as many elements.
static FailureOr<Value> fitParameter(OpImporter &imp, Value value,
                                     ArrayRef<int64_t> shape, Type element) {
  auto type = getStaticType(value);
  if (!type || type.getNumElements() != ShapedType::getNumElements(shape))
    return Value();
  FailureOr<Value> cast = imp.createCast(value, element);
  if (failed(cast))
    return failure();
  return imp.createReshape(*cast, shape);
}

/// input * weight + bias by numpy broadcasting.
static FailureOr<Value> applyAffine(OpImporter &imp, Value value, Value weight,
                                    Value bias) {
  Type element = nn::getElementType(value.getType());
  FailureOr<Value> cast = imp.createCast(weight, element);
  if (failed(cast))
    return failure();
  FailureOr<Value> product = apply<nn::MulOp>(imp, {value, *cast});
  cast = imp.createCast(bias, element);
  if (failed(product) || failed(cast))
    return failure();
  return apply<nn::AddOp>(imp, {*product, *cast});
}

/// Normalizes over the dims from `begin` on, then scales and shifts by
/// parameters that have the shape of the dims from `paramsBegin` on or
/// broadcast to the input; null ones change nothing.
static LogicalResult createTrailingNorm(OpImporter &imp, int64_t begin,
                                        int64_t paramsBegin, float epsilon,
                                        Value gamma, Value beta) {
  Value input = imp.getOperand(0);
  auto type = cast<RankedTensorType>(input.getType());
  int64_t rank = type.getRank();
  ArrayRef<int64_t> normalized = type.getShape().drop_front(begin);
  Type element = type.getElementType();
  SmallVector<Value> operands{input};
  if (gamma && begin == paramsBegin) {
    FailureOr<Value> weight = fitParameter(imp, gamma, normalized, element);
    FailureOr<Value> bias = fitParameter(imp, beta, normalized, element);
    if (failed(weight) || failed(bias))
      return failure();
    if (*weight && *bias)
      operands.append({*weight, *bias});
  }
  bool fuses = operands.size() == 3;
  Value result;
  auto setCommon = [&](auto &properties) {
    properties.operandSegmentSizes = {1, fuses, fuses};
    properties.epsilon = imp.f32(epsilon);
  };
  if (begin > 0) {
    nn::LayerNormOp::Properties properties;
    setCommon(properties);
    properties.normalized_dims = imp.i64(rank - begin);
    properties.normalized_size =
        imp.i64(ShapedType::getNumElements(normalized));
    FailureOr<nn::LayerNormOp> norm =
        imp.create<nn::LayerNormOp>(operands, properties);
    if (failed(norm))
      return failure();
    result = norm->getResult();
  } else {
    nn::GeneralNormOp::Properties properties;
    setCommon(properties);
    properties.axis_begin = imp.i64(0);
    properties.axis_end = imp.i64(rank);
    FailureOr<nn::GeneralNormOp> norm =
        imp.create<nn::GeneralNormOp>(operands, properties);
    if (failed(norm))
      return failure();
    result = norm->getResult();
  }
  if (gamma && !fuses) {
    FailureOr<Value> affine = applyAffine(imp, result, gamma, beta);
    if (failed(affine))
      return failure();
    result = *affine;
    if (result.getType() != type)
      return imp.decline("parameters that do not broadcast to the input");
  }
  return setFirstOutput(imp, result);
}

/// LayerNorm and LayerNormV3: over the dims from `begin_norm_axis` on.
static LogicalResult importLayerNorm(OpImporter &imp) {
  const bool isServer = imp.getType() != "LayerNorm" || imp.isServerOp();
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<int64_t> begin = imp.getInt("begin_norm_axis", isServer ? 0 : 1);
  FailureOr<int64_t> paramsBegin =
      imp.getInt("begin_params_axis", isServer ? 0 : 1);
  FailureOr<float> epsilon =
      imp.getFloat("epsilon", imp.getType() == "LayerNorm" ? 1e-7f : 1e-5f);
  if (failed(begin) || failed(paramsBegin) || failed(epsilon))
    return failure();
  auto type = getStaticType(imp.getOperand(0));
  if (!type)
    return imp.decline("a normalization of an unknown shape");
  int64_t rank = type.getRank();
  for (int64_t *axis : {&*begin, &*paramsBegin}) {
    if (*axis < -rank || *axis >= rank)
      return imp.emitError()
             << "axis " << *axis << " is out of range for " << type;
    *axis += *axis < 0 ? rank : 0;
  }
  return createTrailingNorm(imp, *begin, *paramsBegin, *epsilon,
                            imp.getOperand(1), imp.getOperand(2));
}

/// CANN's LayerNormV4: over as many dims as `normalized_shape` has.
static LogicalResult importLayerNormV4(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  FailureOr<float> epsilon = imp.getFloat("epsilon", 1e-5f);
  FailureOr<SmallVector<int64_t>> shape =
      imp.expectKnownInts(1, "normalized_shape");
  if (failed(epsilon) || failed(shape))
    return failure();
  auto type = getStaticType(imp.getOperand(0));
  if (!type)
    return imp.decline("a normalization of an unknown shape");
  if (shape->empty() || shape->size() > static_cast<size_t>(type.getRank()) ||
      type.getShape().take_back(shape->size()) != ArrayRef(*shape))
    return imp.emitError() << "'normalized_shape' is not that of the last dims "
                              "of "
                           << type;
  Value gamma = imp.getOperand(2), beta = imp.getOperand(3);
  if (bool(gamma) != bool(beta))
    return imp.decline("a normalization with one parameter of two");
  auto begin = type.getRank() - static_cast<int64_t>(shape->size());
  return createTrailingNorm(imp, begin, begin, *epsilon, gamma, beta);
}

/// CANN's RmsNorm: x / sqrt(mean of x*x + epsilon) * gamma over the dims of
/// gamma, the last ones.
static LogicalResult importRmsNorm(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<float> epsilon = imp.getFloat("epsilon", 1e-6f);
  if (failed(epsilon))
    return failure();
  Value input = imp.getOperand(0);
  auto type = getStaticType(input), gamma = getStaticType(imp.getOperand(1));
  if (!type || !gamma || !nn::isFloat(type.getElementType()))
    return imp.decline("a normalization of an unknown shape");
  if (gamma.getRank() == 0 || gamma.getRank() > type.getRank() ||
      type.getShape().take_back(gamma.getRank()) != gamma.getShape())
    return imp.emitError() << "a parameter of type " << gamma
                           << " has not the shape of the last dims of " << type;
  FailureOr<Value> value = apply<nn::SquareOp>(imp, {input});
  for (int64_t axis = type.getRank() - gamma.getRank(); axis < type.getRank();
       ++axis) {
    if (failed(value))
      return failure();
    nn::ReduceMeanOp::Properties properties;
    properties.axis = imp.i64(axis);
    FailureOr<nn::ReduceMeanOp> mean =
        imp.create<nn::ReduceMeanOp>({*value}, properties);
    if (failed(mean))
      return failure();
    value = Value(*mean);
  }
  if (succeeded(value))
    value = apply<nn::AddOp>(imp, *value, *epsilon);
  if (succeeded(value))
    value = apply<nn::SqrtOp>(imp, {*value});
  if (succeeded(value))
    value = apply<nn::DivOp>(imp, {input, *value});
  FailureOr<Value> weight =
      imp.createCast(imp.getOperand(1), type.getElementType());
  if (failed(value) || failed(weight))
    return failure();
  value = apply<nn::MulOp>(imp, {*value, *weight});
  if (failed(value))
    return failure();
  return setFirstOutput(imp, *value);
}

/// InstanceNorm and GroupNorm on N,C,H,W; a parameter per channel.
static LogicalResult importChannelNorm(OpImporter &imp) {
  const bool isGroup = imp.getType() == "GroupNorm";
  if (failed(imp.expectOperands(isGroup ? 1 : 3, 3)))
    return failure();
  FailureOr<std::string> format = imp.getString(
      "data_format", isGroup || !imp.isServerOp() ? "NCHW" : "NDHWC");
  FailureOr<float> epsilon =
      isGroup ? imp.getFloat("eps", 1e-5f)
              : imp.getFloat("epsilon", imp.isServerOp() ? 1e-6f : 1e-7f);
  FailureOr<int64_t> groups = imp.getInt("num_groups", 0);
  if (failed(format) || failed(epsilon) || failed(groups))
    return failure();
  Value input = imp.getOperand(0);
  auto type = getStaticType(input);
  bool nhwc = *format == "NHWC";
  if (!type || type.getRank() != 4 || (!nhwc && *format != "NCHW"))
    return imp.decline("a normalization of other than N,C,H,W or N,H,W,C");
  Value gamma = imp.getOperand(1), beta = imp.getOperand(2);
  if (bool(gamma) != bool(beta))
    return imp.decline("a normalization with one parameter of two");
  FailureOr<Value> turned = nhwc ? createTranspose(imp, input, {0, 3, 1, 2})
                                 : FailureOr<Value>(input);
  if (failed(turned))
    return failure();
  SmallVector<Value> operands{*turned};
  int64_t channels = type.getDimSize(nhwc ? 3 : 1);
  if (gamma)
    for (Value param : {gamma, beta}) {
      FailureOr<Value> fit =
          fitParameter(imp, param, {channels}, type.getElementType());
      if (failed(fit))
        return failure();
      if (!*fit)
        return imp.emitError() << "a parameter of type " << param.getType()
                               << " does not fit " << channels << " channels";
      operands.push_back(*fit);
    }
  Value result;
  auto create = [&]<typename OpT>(OpT::Properties properties) {
    properties.operandSegmentSizes = {1, bool(gamma), bool(gamma)};
    properties.epsilon = imp.f32(*epsilon);
    FailureOr<OpT> norm = imp.create<OpT>(operands, properties);
    if (succeeded(norm))
      result = norm->getResult();
    return success(succeeded(norm));
  };
  if (isGroup) {
    nn::GroupNormOp::Properties properties;
    properties.groups = imp.i64(*groups);
    if (failed(create.operator()<nn::GroupNormOp>(properties)))
      return failure();
  } else if (failed(create.operator()<nn::InstanceNormOp>({}))) {
    return failure();
  }
  if (nhwc) {
    FailureOr<Value> back = createTranspose(imp, result, {0, 2, 3, 1});
    if (failed(back))
      return failure();
    result = *back;
  }
  return setFirstOutput(imp, result);
}

//===----------------------------------------------------------------------===//
// Norms by a sum of squares
//===----------------------------------------------------------------------===//

static LogicalResult importLRN(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> radius = imp.getInt("depth_radius", 5);
  FailureOr<float> bias = imp.getFloat("bias", 1.0f);
  FailureOr<float> alpha = imp.getFloat("alpha", 1.0f);
  FailureOr<float> beta = imp.getFloat("beta", 0.5f);
  FailureOr<std::string> region =
      imp.getString("norm_region", "ACROSS_CHANNELS");
  if (failed(radius) || failed(bias) || failed(alpha) || failed(beta) ||
      failed(region))
    return failure();
  if (*region != "ACROSS_CHANNELS")
    return imp.decline("a response normalization " + *region);
  if (*radius < 0 || *radius > (INT32_MAX - 1) / 2)
    return imp.emitError() << "attribute 'depth_radius' is out of range: "
                           << *radius;
  // In HiAI the whole window, over which alpha is spread, as its version 0
  // names (lrn_localsize) say; in CANN, as in TensorFlow, a radius.
  const bool isServer =
      imp.isServerOp() && !findAttr(imp.op.attr(), "lrn_localsize");
  int64_t size = isServer ? 2 * *radius + 1 : *radius;
  if (!isServer)
    *alpha /= static_cast<float>(size);
  if (size % 2 == 0)
    return imp.decline("a response normalization over an even window");
  Value input = imp.getOperand(0);
  bool nhwc = isServer && imp.op.input_desc_size() > 0 &&
              imp.op.input_desc(0).layout() == "NHWC";
  FailureOr<Value> turned = nhwc ? createTranspose(imp, input, {0, 3, 1, 2})
                                 : FailureOr<Value>(input);
  if (failed(turned))
    return failure();
  nn::LRNOp::Properties properties;
  properties.size = imp.i64(size);
  properties.k = imp.f32(*bias);
  properties.alpha = imp.f32(*alpha);
  properties.beta = imp.f32(*beta);
  FailureOr<nn::LRNOp> norm = imp.create<nn::LRNOp>({*turned}, properties);
  if (failed(norm) || !nhwc)
    return norm;
  return createTranspose(imp, *norm, {0, 2, 3, 1});
}

/// The sum of x*x over some axes, which stay as 1.
static FailureOr<Value> sumSquares(OpImporter &imp, Value value,
                                   ArrayRef<int64_t> axes) {
  FailureOr<Value> sum = apply<nn::SquareOp>(imp, {value});
  for (int64_t axis : axes) {
    if (failed(sum))
      return failure();
    nn::ReduceSumOp::Properties properties;
    properties.axis = imp.i64(axis);
    FailureOr<nn::ReduceSumOp> reduced =
        imp.create<nn::ReduceSumOp>({*sum}, properties);
    if (failed(reduced))
      return failure();
    sum = Value(*reduced);
  }
  return sum;
}

/// x / sqrt(max(sum of x*x, eps))
static LogicalResult importL2Normalize(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  SmallVector<int64_t> usual;
  if (!imp.isServerOp())
    usual = {1};
  FailureOr<SmallVector<int64_t>> axes = imp.getInts("axis", usual);
  FailureOr<float> epsilon = imp.getFloat("eps", 1e-4f);
  if (failed(axes) || failed(epsilon))
    return failure();
  Value input = imp.getOperand(0);
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type || !nn::isFloat(type.getElementType()) || axes->empty())
    return imp.decline("an L2 normalization of unknown axes");
  FailureOr<Value> value = sumSquares(imp, input, *axes);
  if (succeeded(value))
    value = apply<nn::MaximumOp>(imp, *value, *epsilon);
  if (succeeded(value))
    value = apply<nn::SqrtOp>(imp, {*value});
  if (failed(value))
    return failure();
  return imp.create<nn::DivOp>({input, *value});
}

/// Caffe's Normalize layer of SSD: x / sqrt(sum of x*x + eps) * scale, summed
/// over the channels or, `across_spatial`, over whole images.
static LogicalResult importNormalize(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<bool> across = imp.getBool("across_spatial", false);
  FailureOr<bool> shared = imp.getBool("channel_shared", true);
  FailureOr<float> epsilon = imp.getFloat("eps", 2e-7f);
  if (failed(across) || failed(shared) || failed(epsilon))
    return failure();
  Value input = imp.getOperand(0);
  auto type = getStaticType(input);
  if (!type || type.getRank() != 4 || !nn::isFloat(type.getElementType()))
    return imp.decline("a normalization of other than N,C,H,W floats");
  auto scaleType = getStaticType(imp.getOperand(1));
  int64_t channels = type.getDimSize(1);
  int64_t count = *shared ? 1 : channels;
  if (!scaleType || (scaleType.getNumElements() != count &&
                     scaleType.getNumElements() != channels))
    return imp.emitError() << "a scale of type " << imp.getOperand(1).getType()
                           << " does not fit " << count << " values";
  SmallVector<int64_t> axes{1};
  if (*across)
    axes = {1, 2, 3};
  FailureOr<Value> norm = sumSquares(imp, input, axes);
  if (succeeded(norm))
    norm = apply<nn::AddOp>(imp, *norm, *epsilon);
  if (succeeded(norm))
    norm = apply<nn::SqrtOp>(imp, {*norm});
  if (succeeded(norm))
    norm = apply<nn::DivOp>(imp, {input, *norm});
  if (failed(norm))
    return failure();
  FailureOr<Value> scale = fitParameter(imp, imp.getOperand(1),
                                        {1, scaleType.getNumElements(), 1, 1},
                                        type.getElementType());
  if (failed(scale))
    return failure();
  return imp.create<nn::MulOp>({*norm, *scale});
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

static LogicalResult exportLRN(OpExporter &exp) {
  auto op = cast<nn::LRNOp>(exp.getSource());
  exp.setType("LRN");
  exp.addInput(op.getInput());
  exp.setInt("depth_radius", op.getSize());
  exp.setFloat("bias", op.getK().convertToFloat());
  exp.setFloat("alpha", op.getAlpha().convertToFloat() *
                            static_cast<float>(op.getSize()));
  exp.setFloat("beta", op.getBeta().convertToFloat());
  exp.setString("norm_region", "ACROSS_CHANNELS");
  return success();
}

/// Adds weight and bias, or ones and zeros of `shape`.
template <typename OpT>
static void addAffine(OpExporter &exp, OpT op, ArrayRef<int64_t> shape) {
  if (op.getWeight()) {
    exp.addInput(op.getWeight());
    exp.addInput(op.getBias());
    return;
  }
  auto type =
      RankedTensorType::get(shape, nn::getElementType(op.getInput().getType()));
  for (double value : {1.0, 0.0})
    exp.addConstant(DenseElementsAttr::get(
        type, Attribute(FloatAttr::get(type.getElementType(), value))));
}

/// Whether only the first output is read.
template <typename OpT> static bool readsMoments(OpT op) {
  return !op.getMean().use_empty() || !op.getRstd().use_empty();
}

static constexpr StringLiteral kMoments =
    "its mean and rstd are read, which the format gives in other shapes";

static LogicalResult exportTrailingNorm(OpExporter &exp, int64_t begin) {
  exp.setType("LayerNorm");
  exp.setInt("begin_norm_axis", begin);
  exp.setInt("begin_params_axis", begin);
  return success();
}

static LogicalResult exportLayerNorm(OpExporter &exp) {
  auto op = cast<nn::LayerNormOp>(exp.getSource());
  auto type = getStaticType(op.getInput());
  if (!type)
    return exp.refuse("the shape of its input is not known");
  if (readsMoments(op))
    return exp.refuse(kMoments);
  auto dims = static_cast<int64_t>(op.getNormalizedDims());
  exp.addInput(op.getInput());
  addAffine(exp, op, type.getShape().take_back(dims));
  exp.setFloat("epsilon", op.getEpsilon().convertToFloat());
  return exportTrailingNorm(exp, type.getRank() - dims);
}

static LogicalResult exportGeneralNorm(OpExporter &exp) {
  auto op = cast<nn::GeneralNormOp>(exp.getSource());
  auto type = getStaticType(op.getInput());
  auto begin = static_cast<int64_t>(op.getAxisBegin());
  if (!type || static_cast<int64_t>(op.getAxisEnd()) != type.getRank())
    return exp.refuse("the format normalizes over the last dims only");
  if (readsMoments(op))
    return exp.refuse(kMoments);
  exp.addInput(op.getInput());
  addAffine(exp, op, type.getShape().drop_front(begin));
  exp.setFloat("epsilon", op.getEpsilon().convertToFloat());
  return exportTrailingNorm(exp, begin);
}

static LogicalResult exportInstanceNorm(OpExporter &exp) {
  auto op = cast<nn::InstanceNormOp>(exp.getSource());
  auto type = getStaticType(op.getInput());
  if (!type)
    return exp.refuse("the shape of its input is not known");
  if (readsMoments(op))
    return exp.refuse(kMoments);
  exp.setType("InstanceNorm");
  exp.addInput(op.getInput());
  addAffine(exp, op, {type.getDimSize(1)});
  exp.setFloat("epsilon", op.getEpsilon().convertToFloat());
  exp.setString("data_format", "NCHW");
  return success();
}

void modelwright::ge::registerMomentNormOps(OpRegistry &registry) {
  registry.addImport<nn::LayerNormOp>({"LayerNorm", "LayerNormV3"},
                                      importLayerNorm);
  registry.addImport<nn::LayerNormOp>({"LayerNormV4"}, importLayerNormV4);
  registry.addImport<nn::SquareOp, nn::ReduceMeanOp, nn::AddOp, nn::SqrtOp,
                     nn::DivOp, nn::MulOp>({"RmsNorm"}, importRmsNorm);
  registry.addExport<nn::LayerNormOp>(exportLayerNorm);
  registry.addExport<nn::GeneralNormOp>(exportGeneralNorm);
  registry.addImport<nn::InstanceNormOp>({"InstanceNorm"}, importChannelNorm);
  registry.addImport<nn::GroupNormOp>({"GroupNorm"}, importChannelNorm);
  registry.addExport<nn::InstanceNormOp>(exportInstanceNorm);
  registry.addImport<nn::LRNOp>({"LRN"}, importLRN);
  registry.addExport<nn::LRNOp>(exportLRN);
  registry.addImport<nn::SquareOp, nn::ReduceSumOp, nn::MaximumOp, nn::SqrtOp,
                     nn::DivOp>({"L2Normalize"}, importL2Normalize);
  registry.addImport<nn::SquareOp, nn::ReduceSumOp, nn::SqrtOp, nn::DivOp,
                     nn::MulOp>({"Normalize", "SSDNormalize"}, importNormalize);
}
