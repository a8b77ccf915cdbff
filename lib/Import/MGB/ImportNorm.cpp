//===- ImportNorm.cpp - Norm operators to nn ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Keeps fields of the param that the op does not model, on the op.
static void keepFields(Operation *op, ArrayRef<NamedAttribute> fields) {
  if (!fields.empty())
    op->setAttr(attr::kParam, DictionaryAttr::get(op->getContext(), fields));
}

static nn::ParamDim getParamDim(param::BNParamDim dim) {
  switch (dim) {
  case param::BNParamDim::DIM_11HW:
    return nn::ParamDim::dim_11hw;
  case param::BNParamDim::DIM_1CHW:
    return nn::ParamDim::dim_1chw;
  case param::BNParamDim::DIM_1C11:
    return nn::ParamDim::dim_1c11;
  case param::BNParamDim::DIM_111C:
    return nn::ParamDim::dim_111c;
  }
  llvm_unreachable("the importer has checked the code");
}

/// The operator's vars are the statistics (running ones only if it updates
/// them), the reserve (since v1.7.0) and the result.
static LogicalResult importBatchNorm(OprImporter &imp) {
  const auto &param = imp.param<param::BNT>();
  size_t numInputs = imp.operands.size();
  if (failed(imp.expectInputs(3, 5)) ||
      failed(imp.checkEnum("param_dim", param.param_dim)) ||
      failed(imp.checkEnum("fwd_mode", param.fwd_mode)))
    return failure();
  if (numInputs == 4)
    return imp.emitError() << "has 4 inputs, expected 3 or 5";
  bool training = param.fwd_mode == param::BNFwdMode::TRAINING;
  size_t least = training && numInputs == 5 ? 5 : 3;
  size_t numVars = imp.getNumVars();
  if (numVars != least && numVars != least + 1)
    return imp.emitError() << "has " << numVars << " vars, expected " << least
                           << " or " << least + 1;
  bool readsStats = false;
  for (size_t k = 0; k + 1 < numVars; ++k)
    readsStats |= imp.isVarUsed(k);

  nn::BatchNormOp::Properties properties;
  properties.epsilon = imp.builder.getF64FloatAttr(param.epsilon);
  properties.avg_factor = imp.builder.getF64FloatAttr(param.avg_factor);
  properties.training = imp.unit(training);
  properties.param_dim =
      nn::ParamDimAttr::get(imp.getContext(), getParamDim(param.param_dim));
  properties.num_stats = imp.i64(readsStats ? numVars - 1 : 0);
  properties.operandSegmentSizes = {1, 1, 1, numInputs == 5, numInputs == 5};
  FailureOr<nn::BatchNormOp> op =
      imp.create<nn::BatchNormOp>(imp.operands, properties);
  if (failed(op))
    return failure();
  SmallVector<Value> vars(op->getStats());
  vars.resize(numVars - 1);
  vars.push_back(op->getResult());
  imp.setVars(vars);

  if (numVars == least)
    (*op)->setAttr(attr::kNoReserve, imp.builder.getUnitAttr());
  // Legacy fields without a meaning.
  static const param::BNT defaults;
  SmallVector<NamedAttribute> fields;
  auto isBitEqual = [](float lhs, float rhs) {
    return APFloat(lhs).bitwiseIsEqual(APFloat(rhs));
  };
  if (!isBitEqual(param.scale, defaults.scale))
    fields.push_back(imp.builder.getNamedAttr("scale", imp.f32(param.scale)));
  if (!isBitEqual(param.bias, defaults.bias))
    fields.push_back(imp.builder.getNamedAttr("bias", imp.f32(param.bias)));
  keepFields(*op, fields);
  return success();
}

static LogicalResult importLRN(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::LRNT>();
  nn::LRNOp::Properties properties;
  properties.size = imp.i64(param.n);
  properties.k = imp.f32(param.k);
  properties.alpha = imp.f32(param.alpha);
  properties.beta = imp.f32(param.beta);
  return imp.create<nn::LRNOp>(imp.operands, properties);
}

/// Sets what the norms with moments share.
template <typename ParamT, typename Properties>
static LogicalResult setAffine(OprImporter &imp, const ParamT &param,
                               Properties &properties) {
  size_t count = param.affine ? 3 : 1;
  if (failed(imp.expectInputs(count, count)))
    return failure();
  properties.epsilon = imp.f32(param.eps);
  properties.operandSegmentSizes = {1, param.affine, param.affine};
  return success();
}

static LogicalResult importLayerNorm(OprImporter &imp) {
  const auto &param = imp.param<param::LayerNormT>();
  nn::LayerNormOp::Properties properties;
  if (failed(setAffine(imp, param, properties)))
    return failure();
  properties.normalized_dims = imp.i64(param.normalized_dim);
  properties.normalized_size = imp.i64(param.normalized_size);
  return imp.create<nn::LayerNormOp>(imp.operands, properties);
}

static LogicalResult importGeneralNorm(OprImporter &imp) {
  const auto &param = imp.param<param::GeneralNormT>();
  nn::GeneralNormOp::Properties properties;
  if (failed(setAffine(imp, param, properties)))
    return failure();
  properties.axis_begin = imp.i64(param.axis_start);
  properties.axis_end = imp.i64(param.axis_end);
  return imp.create<nn::GeneralNormOp>(imp.operands, properties);
}

static LogicalResult expectNCHW(OprImporter &imp,
                                param::ConvolutionFormat format) {
  if (format == param::ConvolutionFormat::NCHW)
    return success();
  return imp.emitError() << "format " << static_cast<uint32_t>(format)
                         << " is not supported, only NCHW (0) is";
}

static LogicalResult importGroupNorm(OprImporter &imp) {
  const auto &param = imp.param<param::GroupNormT>();
  nn::GroupNormOp::Properties properties;
  if (failed(expectNCHW(imp, param.format)) ||
      failed(setAffine(imp, param, properties)))
    return failure();
  properties.groups = imp.i64(param.group);
  return imp.create<nn::GroupNormOp>(imp.operands, properties);
}

static LogicalResult importInstanceNorm(OprImporter &imp) {
  const auto &param = imp.param<param::GroupNormT>();
  nn::InstanceNormOp::Properties properties;
  if (failed(expectNCHW(imp, param.format)) ||
      failed(setAffine(imp, param, properties)))
    return failure();
  FailureOr<nn::InstanceNormOp> op =
      imp.create<nn::InstanceNormOp>(imp.operands, properties);
  if (failed(op))
    return failure();
  // The shared table's group has no meaning here.
  static const param::GroupNormT defaults;
  if (param.group != defaults.group)
    keepFields(*op, imp.builder.getNamedAttr("group", imp.i64(param.group)));
  return success();
}

static LogicalResult importSoftmax(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::SoftmaxOp::Properties properties;
  properties.axis = imp.i64(imp.param<param::SoftmaxT>().axis);
  return imp.create<nn::SoftmaxOp>(imp.operands, properties);
}

void mgb::registerNormImports(ImportRegistry &registry) {
  registry.add<nn::BatchNormOp>("BatchNormV1", importBatchNorm);
  registry.add<nn::LRNOp>("LRN", importLRN);
  registry.add<nn::LayerNormOp>("LayerNorm", importLayerNorm);
  registry.add<nn::GeneralNormOp>("GeneralNorm", importGeneralNorm);
  registry.add<nn::GroupNormOp>("GroupNorm", importGroupNorm);
  registry.add<nn::InstanceNormOp>("InstanceNorm", importInstanceNorm);
  registry.add<nn::SoftmaxOp>("Softmax", importSoftmax);
}
