//===- ExportConv.cpp - Convolution operators from nn ---------------------===//
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

/// Fills the sliding of a window from an op's attributes.
template <typename OpT, typename ParamT>
static LogicalResult setSliding(OpT op, OprExporter &exp, ParamT &param) {
  if (op.getPads().size() != 2)
    return exp.emitError() << "the format pads both sides alike";
  param.stride_h = op.getStrides()[0];
  param.stride_w = op.getStrides()[1];
  param.pad_h = op.getPads()[0];
  param.pad_w = op.getPads()[1];
  return success();
}

/// Fills what all params with the fields of a 2-D convolution share.
template <typename OpT, typename ParamT>
static LogicalResult setPlainParam(OpT op, OprExporter &exp, ParamT &param) {
  if (op.getGroups() > 1 && !op.getGroupFilter())
    return exp.emitError()
           << "a grouped filter needs its group dimension in this format";
  param.sparse = op.getGroupFilter() ? param::ConvolutionV0Sparse::GROUP
                                     : param::ConvolutionV0Sparse::DENSE;
  param.mode = op.getFlipFilter() ? param::ConvolutionV0Mode::CONVOLUTION
                                  : param::ConvolutionV0Mode::CROSS_CORRELATION;
  param.compute_mode = op.getAccumulateF32()
                           ? param::ConvolutionV1ComputeMode::FLOAT32
                           : param::ConvolutionV1ComputeMode::DEFAULT;
  if (failed(setSliding(op, exp, param)))
    return failure();
  param.dilate_h = op.getDilations()[0];
  param.dilate_w = op.getDilations()[1];
  return success();
}

/// The same for convolutions that know layouts and quantized results.
template <typename OpT, typename ParamT>
static LogicalResult setConvParam(OpT op, OprExporter &exp, ParamT &param) {
  if (failed(exp.setFormat(param, op.getLayout())) ||
      failed(setPlainParam(op, exp, param)))
    return failure();
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

template <typename OpT, typename ParamT>
static LogicalResult setConvBiasParam(OpT op, OprExporter &exp, ParamT &param) {
  if (op.getResidual() && !op.getBias())
    return exp.emitError() << "ConvBias takes a residual only with a bias";
  std::optional<param::ConvBiasV0NonlineMode> mode =
      getNonlineMode(op.getActivation());
  if (!mode)
    return exp.emitError() << "ConvBias has no fused "
                           << nn::stringifyActivation(op.getActivation());
  param.nonlineMode = *mode;
  return setConvParam(op, exp, param);
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
  exp.setOpr("ConvBiasForwardV4");
  auto &param = exp.addParam<param::ConvBiasT>();
  if (failed(setConvBiasParam(op, exp, param)))
    return failure();
  if (auto kept = op->getAttrOfType<DictionaryAttr>(attr::kParam))
    if (auto size = kept.getAs<IntegerAttr>("output_block_size"))
      param.output_block_size = static_cast<uint32_t>(size.getInt());
  exp.addExecutionPolicy();
  return success();
}

static LogicalResult exportBatchConv2D(nn::BatchConv2DOp op, OprExporter &exp) {
  exp.setOpr("BatchConvBiasForwardV1");
  if (failed(setConvBiasParam(op, exp, exp.addParam<param::BatchConvBiasT>())))
    return failure();
  exp.addExecutionPolicy();
  return success();
}

/// The format names the filter first; nn the input.
template <typename OpT>
static void setTransposedInputs(OpT op, OprExporter &exp) {
  SmallVector<Value> inputs = {op.getFilter(), op.getInput()};
  if (Value like = op.getOutputShapeLike())
    inputs.push_back(like);
  exp.setInputs(inputs);
}

static LogicalResult exportConvTranspose2D(nn::ConvTranspose2DOp op,
                                           OprExporter &exp) {
  if (op.getBias() || op.getActivation() != nn::Activation::none)
    return exp.emitError()
           << "the format has no transposed convolution with bias or "
              "activation";
  exp.setOpr("ConvolutionBackwardDataV2");
  setTransposedInputs(op, exp);
  if (failed(setConvParam(op, exp, exp.addParam<param::ConvolutionT>())))
    return failure();
  exp.addExecutionPolicy();
  return success();
}

//===----------------------------------------------------------------------===//
// 3-D convolutions
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult setConv3DParam(OpT op, OprExporter &exp) {
  if (op.getGroups() > 1 && !op.getGroupFilter())
    return exp.emitError()
           << "a grouped filter needs its group dimension in this format";
  auto &param = exp.addParam<param::Convolution3DT>();
  param.mode = op.getFlipFilter() ? param::Convolution3DMode::CONVOLUTION
                                  : param::Convolution3DMode::CROSS_CORRELATION;
  param.sparse = op.getGroupFilter() ? param::Convolution3DSparse::GROUP
                                     : param::Convolution3DSparse::DENSE;
  param.data_type = op.getAccumulateF32()
                        ? param::Convolution3DDataType::FLOAT_IO16xC32
                        : param::Convolution3DDataType::FLOAT;
  param.format = op.getLayout() == nn::Layout::NDHWC
                     ? param::Convolution3DFormat::NDHWC
                     : param::Convolution3DFormat::NCDHW;
  param.stride_d = op.getStrides()[0];
  param.stride_h = op.getStrides()[1];
  param.stride_w = op.getStrides()[2];
  param.pad_d = op.getPads()[0];
  param.pad_h = op.getPads()[1];
  param.pad_w = op.getPads()[2];
  param.dilate_d = op.getDilations()[0];
  param.dilate_h = op.getDilations()[1];
  param.dilate_w = op.getDilations()[2];
  exp.addExecutionPolicy();
  return success();
}

static LogicalResult exportConv3D(nn::Conv3DOp op, OprExporter &exp) {
  exp.setOpr("Convolution3D");
  return setConv3DParam(op, exp);
}

static LogicalResult exportConvTranspose3D(nn::ConvTranspose3DOp op,
                                           OprExporter &exp) {
  exp.setOpr("Convolution3DBackwardData");
  setTransposedInputs(op, exp);
  return setConv3DParam(op, exp);
}

//===----------------------------------------------------------------------===//
// Relatives
//===----------------------------------------------------------------------===//

static LogicalResult exportDeformConv2D(nn::DeformConv2DOp op,
                                        OprExporter &exp) {
  exp.setOpr("DeformableConvForwardV1");
  if (failed(setPlainParam(op, exp, exp.addParam<param::ConvolutionT>())))
    return failure();
  exp.addExecutionPolicy();
  return success();
}

static LogicalResult exportRegionConv2D(nn::RegionConv2DOp op,
                                        OprExporter &exp) {
  exp.setOpr("RegionRestrictedConvolution");
  return setPlainParam(op, exp, exp.addParam<param::ConvolutionT>());
}

static LogicalResult exportMaskConv2D(nn::MaskConv2DOp op, OprExporter &exp) {
  exp.setOpr("MaskConvolutionV2");
  return setConvParam(op, exp, exp.addParam<param::ConvolutionT>());
}

static LogicalResult exportMaskPropagate(nn::MaskPropagateOp op,
                                         OprExporter &exp) {
  exp.setOpr("MaskPropagate");
  auto &param = exp.addParam<param::MaskPropagateT>();
  param.kernel_h = op.getKernel()[0];
  param.kernel_w = op.getKernel()[1];
  if (failed(setSliding(op, exp, param)))
    return failure();
  param.dilate_h = op.getDilations()[0];
  param.dilate_w = op.getDilations()[1];
  return success();
}

static LogicalResult exportLocalConv2D(nn::LocalConv2DOp op, OprExporter &exp) {
  exp.setOpr(op.getGroupFilter() ? "GroupLocalV2" : "LocalV2");
  auto &param = exp.addParam<param::ConvolutionT>();
  if (failed(setSliding(op, exp, param)))
    return failure();
  if (op.getFlipFilter())
    param.mode = param::ConvolutionV0Mode::CONVOLUTION;
  if (op.getAccumulateF32())
    param.compute_mode = param::ConvolutionV1ComputeMode::FLOAT32;
  return success();
}

static LogicalResult exportLocalShareConv2D(nn::LocalShareConv2DOp op,
                                            OprExporter &exp) {
  exp.setOpr("LocalShareForwardV1");
  auto &param = exp.addParam<param::LocalShareT>();
  if (failed(setSliding(op, exp, param)))
    return failure();
  param.spatial_groups_h = op.getSpatialGroups()[0];
  param.spatial_groups_w = op.getSpatialGroups()[1];
  if (op.getGroupFilter())
    param.sparse = param::ConvolutionV0Sparse::GROUP;
  if (op.getFlipFilter())
    param.mode = param::ConvolutionV0Mode::CONVOLUTION;
  exp.addExecutionPolicy();
  return success();
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

template <typename OpT, typename ParamT>
static LogicalResult setWindow(OpT op, OprExporter &exp, ParamT &param) {
  param.window_h = op.getKernel()[0];
  param.window_w = op.getKernel()[1];
  if (failed(setSliding(op, exp, param)))
    return failure();
  param.dilate_h = op.getDilations()[0];
  param.dilate_w = op.getDilations()[1];
  return success();
}

static LogicalResult exportIm2Col(nn::Im2ColOp op, OprExporter &exp) {
  exp.setOpr("Images2Neibs");
  return setWindow(op, exp, exp.addParam<param::Images2NeibsT>());
}

static LogicalResult exportCol2Im(nn::Col2ImOp op, OprExporter &exp) {
  exp.setOpr("SlidingWindowTranspose");
  auto &param = exp.addParam<param::SlidingWindowTransposeT>();
  if (failed(setWindow(op, exp, param)))
    return failure();
  param.out_h = op.getOutputSize()[0];
  param.out_w = op.getOutputSize()[1];
  return success();
}

static LogicalResult exportCorrelation(nn::CorrelationOp op, OprExporter &exp) {
  exp.setOpr("CorrelationForward");
  auto &param = exp.addParam<param::CorrelationT>();
  param.kernel_size = op.getKernelSize();
  param.max_displacement = op.getMaxDisplacement();
  param.stride1 = op.getStride1();
  param.stride2 = op.getStride2();
  param.pad_size = op.getPad();
  param.is_multiply = op.getMultiply();
  return success();
}

void mgb::registerConvExports(ExportRegistry &registry) {
  registry.add(exportConv2D);
  registry.add(exportConvTranspose2D);
  registry.add(exportConv3D);
  registry.add(exportConvTranspose3D);
  registry.add(exportBatchConv2D);
  registry.add(exportDeformConv2D);
  registry.add(exportRegionConv2D);
  registry.add(exportMaskConv2D);
  registry.add(exportMaskPropagate);
  registry.add(exportLocalConv2D);
  registry.add(exportLocalShareConv2D);
  registry.add(exportIm2Col);
  registry.add(exportCol2Im);
  registry.add(exportCorrelation);
}
