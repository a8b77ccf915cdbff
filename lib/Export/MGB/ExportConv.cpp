//===- ExportConv.cpp - Convolution operators from nn -===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Fills what Convolution and ConvBias params share.
template <typename OpT, typename ParamT>
static LogicalResult setConvParam(OpT op, OprExporter &exp, ParamT &param) {
  FailureOr<uint32_t> format = exp.getLayoutCode(op.getLayout());
  if (failed(format))
    return failure();
  if (op.getGroups() > 1 && !op.getGroupFilter())
    return exp.emitError()
           << "a grouped filter needs its group dimension in this format";
  param.format = static_cast<param::ConvolutionFormat>(*format);
  param.sparse = op.getGroupFilter() ? param::ConvolutionV0Sparse::GROUP
                                     : param::ConvolutionV0Sparse::DENSE;
  param.mode = op.getFlipFilter() ? param::ConvolutionV0Mode::CONVOLUTION
                                  : param::ConvolutionV0Mode::CROSS_CORRELATION;
  param.compute_mode = op.getAccumulateF32()
                           ? param::ConvolutionV1ComputeMode::FLOAT32
                           : param::ConvolutionV1ComputeMode::DEFAULT;
  param.stride_h = op.getStrides()[0];
  param.stride_w = op.getStrides()[1];
  param.pad_h = op.getPads()[0];
  param.pad_w = op.getPads()[1];
  param.dilate_h = op.getDilations()[0];
  param.dilate_w = op.getDilations()[1];
  return exp.setOutputType(op.getOutType().value_or(Type()));
}

static std::optional<param::ConvBiasV0NonlineMode>
getNonlineMode(nn::Activation activation) {
  switch (activation) {
  case nn::Activation::none:
    return param::ConvBiasV0NonlineMode::IDENTITY;
  case nn::Activation::relu:
    return param::ConvBiasV0NonlineMode::RELU;
  case nn::Activation::sigmoid:
    return param::ConvBiasV0NonlineMode::SIGMOID;
  case nn::Activation::h_swish:
    return param::ConvBiasV0NonlineMode::H_SWISH;
  default:
    return std::nullopt;
  }
}

static LogicalResult exportConv2D(nn::Conv2DOp op, OprExporter &exp) {
  bool isPlain = !op.getBias() && !op.getResidual() &&
                 op.getActivation() == nn::Activation::none;
  if (isPlain && exp.getPreferredOpr() != "ConvBiasForwardV4") {
    exp.setOpr("ConvolutionV2");
    if (failed(setConvParam(op, exp, exp.addParam<param::ConvolutionT>())))
      return failure();
    exp.addExecutionPolicy();
    return success();
  }
  if (op.getResidual() && !op.getBias())
    return exp.emitError() << "ConvBias takes a residual only with a bias";
  std::optional<param::ConvBiasV0NonlineMode> mode =
      getNonlineMode(op.getActivation());
  if (!mode)
    return exp.emitError() << "ConvBias has no fused "
                           << nn::stringifyActivation(op.getActivation());
  exp.setOpr("ConvBiasForwardV4");
  auto &param = exp.addParam<param::ConvBiasT>();
  param.nonlineMode = *mode;
  if (failed(setConvParam(op, exp, param)))
    return failure();
  exp.addExecutionPolicy();
  return success();
}

static LogicalResult exportConvTranspose2D(nn::ConvTranspose2DOp op,
                                           OprExporter &exp) {
  if (op.getBias() || op.getActivation() != nn::Activation::none)
    return exp.emitError()
           << "the format has no transposed convolution with bias or "
              "activation";
  exp.setOpr("ConvolutionBackwardDataV2");
  SmallVector<Value> inputs = {op.getFilter(), op.getInput()};
  if (Value like = op.getOutputShapeLike())
    inputs.push_back(like);
  exp.setInputs(inputs);
  if (failed(setConvParam(op, exp, exp.addParam<param::ConvolutionT>())))
    return failure();
  exp.addExecutionPolicy();
  return success();
}

void mgb::registerConvExports(ExportRegistry &registry) {
  registry.add(exportConv2D);
  registry.add(exportConvTranspose2D);
}
