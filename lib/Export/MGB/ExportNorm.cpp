//===- ExportNorm.cpp - Norm operators from nn ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static param::BNParamDim getParamDim(nn::ParamDim dim) {
  switch (dim) {
  case nn::ParamDim::dim_11hw:
    return param::BNParamDim::DIM_11HW;
  case nn::ParamDim::dim_1chw:
    return param::BNParamDim::DIM_1CHW;
  case nn::ParamDim::dim_1c11:
    return param::BNParamDim::DIM_1C11;
  case nn::ParamDim::dim_111c:
    return param::BNParamDim::DIM_111C;
  }
  llvm_unreachable("all cases covered");
}

/// A field of the param that the op does not model; null if it is the default.
template <typename AttrT>
static AttrT getKeptField(Operation *op, StringRef name) {
  auto kept = op->getAttrOfType<DictionaryAttr>(attr::kParam);
  return kept ? kept.getAs<AttrT>(name) : AttrT();
}

static LogicalResult exportBatchNorm(nn::BatchNormOp op, OprExporter &exp) {
  exp.setOpr("BatchNormV1");
  auto &param = exp.addParam<param::BNT>();
  param.param_dim = getParamDim(op.getParamDim());
  param.fwd_mode = op.getTraining() ? param::BNFwdMode::TRAINING
                                    : param::BNFwdMode::INFERENCE;
  param.epsilon = op.getEpsilon().convertToDouble();
  param.avg_factor = op.getAvgFactor().convertToDouble();
  if (auto scale = getKeptField<FloatAttr>(op, "scale"))
    param.scale = scale.getValue().convertToFloat();
  if (auto bias = getKeptField<FloatAttr>(op, "bias"))
    param.bias = bias.getValue().convertToFloat();

  // The statistics are vars of the operator even if the op has none of them.
  size_t least = op.getTraining() && op.getMean() ? 4 : 2;
  SmallVector<Value> vars(op.getStats());
  if (vars.empty())
    vars.resize(least);
  if (vars.size() == least && !op->hasAttr(attr::kNoReserve))
    vars.push_back(Value());
  vars.push_back(op.getResult());
  exp.setVars(vars);
  return success();
}

static LogicalResult exportLRN(nn::LRNOp op, OprExporter &exp) {
  exp.setOpr("LRN");
  auto &param = exp.addParam<param::LRNT>();
  param.n = op.getSize();
  param.k = op.getK().convertToFloat();
  param.alpha = op.getAlpha().convertToFloat();
  param.beta = op.getBeta().convertToFloat();
  return success();
}

/// Adds a param with what the norms with moments share.
template <typename ParamT, typename OpT>
static ParamT &addNormParam(OpT op, OprExporter &exp) {
  auto &param = exp.addParam<ParamT>();
  param.affine = bool(op.getWeight());
  param.eps = op.getEpsilon().convertToFloat();
  return param;
}

static LogicalResult exportLayerNorm(nn::LayerNormOp op, OprExporter &exp) {
  exp.setOpr("LayerNorm");
  auto &param = addNormParam<param::LayerNormT>(op, exp);
  param.normalized_dim = op.getNormalizedDims();
  param.normalized_size = op.getNormalizedSize();
  return success();
}

static LogicalResult exportGeneralNorm(nn::GeneralNormOp op, OprExporter &exp) {
  exp.setOpr("GeneralNorm");
  auto &param = addNormParam<param::GeneralNormT>(op, exp);
  param.axis_start = op.getAxisBegin();
  param.axis_end = op.getAxisEnd();
  return success();
}

static LogicalResult exportGroupNorm(nn::GroupNormOp op, OprExporter &exp) {
  exp.setOpr("GroupNorm");
  addNormParam<param::GroupNormT>(op, exp).group = op.getGroups();
  return success();
}

static LogicalResult exportInstanceNorm(nn::InstanceNormOp op,
                                        OprExporter &exp) {
  exp.setOpr("InstanceNorm");
  auto &param = addNormParam<param::GroupNormT>(op, exp);
  if (auto group = getKeptField<IntegerAttr>(op, "group"))
    param.group = static_cast<uint32_t>(group.getInt());
  return success();
}

static LogicalResult exportSoftmax(nn::SoftmaxOp op, OprExporter &exp) {
  if (!llvm::isInt<32>(op.getAxis()))
    return exp.emitError() << "axis " << op.getAxis()
                           << " does not fit into 32 bits";
  exp.setOpr("Softmax");
  exp.addParam<param::SoftmaxT>().axis = static_cast<int32_t>(op.getAxis());
  return success();
}

void mgb::registerNormExports(ExportRegistry &registry) {
  registry.add(exportBatchNorm);
  registry.add(exportLRN);
  registry.add(exportLayerNorm);
  registry.add(exportGeneralNorm);
  registry.add(exportGroupNorm);
  registry.add(exportInstanceNorm);
  registry.add(exportSoftmax);
}
