//===- ImportConv.cpp - Convolution operators to nn -===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Fills what Convolution and ConvBias params share. `filterType` tells the
/// number of groups.
template <typename ParamT, typename Properties>
static LogicalResult setConvProperties(OprImporter &imp, const ParamT &param,
                                       Type filterType,
                                       Properties &properties) {
  FailureOr<nn::LayoutAttr> layout =
      imp.getLayoutAttr(static_cast<uint32_t>(param.format));
  FailureOr<TypeAttr> outType = imp.takeOutputType();
  if (failed(layout) || failed(outType))
    return failure();
  bool grouped = param.sparse == param::ConvolutionV0Sparse::GROUP;
  int64_t groups = 1;
  auto ranked = dyn_cast<RankedTensorType>(filterType);
  if (grouped && ranked) {
    FailureOr<nn::FilterDims> dims = nn::decodeFilter(
        imp.loc, layout->getValue(), grouped, ranked.getShape());
    if (failed(dims))
      return failure();
    groups = dims->groups;
  }
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.dilations = imp.i64s({param.dilate_h, param.dilate_w});
  properties.groups = imp.i64(groups);
  properties.group_filter = imp.unit(grouped);
  properties.flip_filter =
      imp.unit(param.mode == param::ConvolutionV0Mode::CONVOLUTION);
  properties.accumulate_f32 =
      imp.unit(param.compute_mode == param::ConvolutionV1ComputeMode::FLOAT32);
  properties.layout = *layout;
  properties.out_type = *outType;
  return success();
}

static LogicalResult importConvolution(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::Conv2DOp::Properties properties;
  if (failed(setConvProperties(imp, imp.param<param::ConvolutionT>(),
                               imp.operands[1].getType(), properties)))
    return failure();
  properties.operandSegmentSizes = {1, 1, 0, 0};
  imp.keepExecutionPolicy();
  return imp.create<nn::Conv2DOp>(imp.operands, properties);
}

static nn::Activation getActivation(param::ConvBiasV0NonlineMode mode) {
  switch (mode) {
  case param::ConvBiasV0NonlineMode::RELU:
    return nn::Activation::relu;
  case param::ConvBiasV0NonlineMode::SIGMOID:
    return nn::Activation::sigmoid;
  case param::ConvBiasV0NonlineMode::H_SWISH:
    return nn::Activation::h_swish;
  default:
    return nn::Activation::none;
  }
}

static LogicalResult importConvBias(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 4)))
    return failure();
  const auto &param = imp.param<param::ConvBiasT>();
  nn::Conv2DOp::Properties properties;
  if (failed(setConvProperties(imp, param, imp.operands[1].getType(),
                               properties)))
    return failure();
  properties.activation = nn::ActivationAttr::get(
      imp.getContext(), getActivation(param.nonlineMode));
  size_t count = imp.operands.size();
  properties.operandSegmentSizes = {1, 1, count > 2, count > 3};
  imp.keepOprName();
  imp.keepExecutionPolicy();
  return imp.create<nn::Conv2DOp>(imp.operands, properties);
}

static LogicalResult importBackwardData(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 3)))
    return failure();
  nn::ConvTranspose2DOp::Properties properties;
  if (failed(setConvProperties(imp, imp.param<param::ConvolutionT>(),
                               imp.operands[0].getType(), properties)))
    return failure();
  // The format names the filter first.
  SmallVector<Value> operands = {imp.operands[1], imp.operands[0]};
  bool hasLike = imp.operands.size() == 3;
  if (hasLike)
    operands.push_back(imp.operands[2]);
  properties.operandSegmentSizes = {1, 1, 0, hasLike};
  imp.keepExecutionPolicy();
  return imp.create<nn::ConvTranspose2DOp>(operands, properties);
}

void mgb::registerConvImports(ImportRegistry &registry) {
  registry.add<nn::Conv2DOp>("ConvolutionV2", importConvolution);
  registry.add<nn::Conv2DOp>("ConvBiasForwardV4", importConvBias);
  registry.add<nn::ConvTranspose2DOp>("ConvolutionBackwardDataV2",
                                      importBackwardData);
}
