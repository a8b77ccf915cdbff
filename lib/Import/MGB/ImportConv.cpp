//===- ImportConv.cpp - Convolution operators to nn -----------------------===//
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

/// Number of groups of a filter of this type; 1 if that is not known.
/// `hasBatch`: a batch dim comes first.
static FailureOr<int64_t> getGroups(OprImporter &imp, nn::Layout layout,
                                    Type filterType, bool hasBatch) {
  auto ranked = dyn_cast<RankedTensorType>(filterType);
  if (!ranked)
    return 1;
  ArrayRef<int64_t> shape = ranked.getShape();
  if (hasBatch && !shape.empty())
    shape = shape.drop_front();
  FailureOr<nn::FilterDims> dims =
      nn::decodeFilter(imp.loc, layout, /*grouped=*/true, shape);
  if (failed(dims))
    return failure();
  return ShapedType::isDynamic(dims->groups) ? 1 : dims->groups;
}

/// Fills what all params with the fields of a 2-D convolution share.
/// `filterType` tells the number of groups.
template <typename ParamT, typename Properties>
static LogicalResult setPlainProperties(OprImporter &imp, const ParamT &param,
                                        nn::Layout layout, Type filterType,
                                        Properties &properties,
                                        bool hasBatch = false) {
  if (failed(imp.checkEnum("mode", param.mode)) ||
      failed(imp.checkEnum("sparse", param.sparse)) ||
      failed(imp.checkEnum("compute_mode", param.compute_mode)))
    return failure();
  bool grouped = param.sparse == param::ConvolutionV0Sparse::GROUP;
  FailureOr<int64_t> groups = 1;
  if (grouped)
    groups = getGroups(imp, layout, filterType, hasBatch);
  if (failed(groups))
    return failure();
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.dilations = imp.i64s({param.dilate_h, param.dilate_w});
  properties.groups = imp.i64(*groups);
  properties.group_filter = imp.unit(grouped);
  properties.flip_filter =
      imp.unit(param.mode == param::ConvolutionV0Mode::CONVOLUTION);
  properties.accumulate_f32 =
      imp.unit(param.compute_mode == param::ConvolutionV1ComputeMode::FLOAT32);
  return success();
}

/// The same for convolutions that know layouts and quantized results.
template <typename ParamT, typename Properties>
static LogicalResult setConvProperties(OprImporter &imp, const ParamT &param,
                                       Type filterType, Properties &properties,
                                       bool hasBatch = false) {
  FailureOr<nn::LayoutAttr> layout = imp.getLayoutAttr(param.format);
  FailureOr<TypeAttr> outType = imp.takeOutputType();
  if (failed(layout) || failed(outType))
    return failure();
  properties.layout = *layout;
  properties.out_type = *outType;
  return setPlainProperties(imp, param, layout->getValue(), filterType,
                            properties, hasBatch);
}

/// For operators that know one layout only.
template <typename FormatT>
static LogicalResult expectNCHW(OprImporter &imp, FormatT format) {
  if (format == FormatT::NCHW)
    return success();
  return imp.emitError() << "format " << static_cast<uint32_t>(format)
                         << " is not supported, only NCHW (0) is";
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

static nn::ActivationAttr getActivation(OprImporter &imp,
                                        param::ConvBiasV0NonlineMode mode) {
  nn::Activation activation = nn::Activation::none;
  switch (mode) {
  case param::ConvBiasV0NonlineMode::IDENTITY:
    break;
  case param::ConvBiasV0NonlineMode::RELU:
    activation = nn::Activation::relu;
    break;
  case param::ConvBiasV0NonlineMode::SIGMOID:
    activation = nn::Activation::sigmoid;
    break;
  case param::ConvBiasV0NonlineMode::H_SWISH:
    activation = nn::Activation::h_swish;
    break;
  }
  return nn::ActivationAttr::get(imp.getContext(), activation);
}

template <typename OpT, typename ParamT>
static FailureOr<OpT> createConvBias(OprImporter &imp, const ParamT &param,
                                     bool hasBatch) {
  if (failed(imp.expectInputs(2, 4)) ||
      failed(imp.checkEnum("nonlineMode", param.nonlineMode)))
    return failure();
  typename OpT::Properties properties;
  if (failed(setConvProperties(imp, param, imp.operands[1].getType(),
                               properties, hasBatch)))
    return failure();
  properties.activation = getActivation(imp, param.nonlineMode);
  size_t count = imp.operands.size();
  properties.operandSegmentSizes = {1, 1, count > 2, count > 3};
  imp.keepExecutionPolicy();
  return imp.create<OpT>(imp.operands, properties);
}

static LogicalResult importConvBias(OprImporter &imp) {
  const auto &param = imp.param<param::ConvBiasT>();
  imp.keepOprName();
  auto op = createConvBias<nn::Conv2DOp>(imp, param, /*hasBatch=*/false);
  if (failed(op))
    return failure();
  // A field of the old layout of the table.
  if (param.output_block_size)
    (*op)->setAttr(attr::kParam,
                   imp.builder.getDictionaryAttr(imp.builder.getNamedAttr(
                       "output_block_size", imp.builder.getI64IntegerAttr(
                                                *param.output_block_size))));
  return success();
}

static LogicalResult importBatchConvBias(OprImporter &imp) {
  return createConvBias<nn::BatchConv2DOp>(
      imp, imp.param<param::BatchConvBiasT>(), /*hasBatch=*/true);
}

/// The format names the filter first; nn the input.
static SmallVector<Value> swapFilter(OprImporter &imp) {
  SmallVector<Value> operands(imp.operands);
  std::swap(operands[0], operands[1]);
  return operands;
}

static LogicalResult importBackwardData(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 3)))
    return failure();
  nn::ConvTranspose2DOp::Properties properties;
  if (failed(setConvProperties(imp, imp.param<param::ConvolutionT>(),
                               imp.operands[0].getType(), properties)))
    return failure();
  properties.operandSegmentSizes = {1, 1, 0, imp.operands.size() == 3};
  imp.keepExecutionPolicy();
  return imp.create<nn::ConvTranspose2DOp>(swapFilter(imp), properties);
}

//===----------------------------------------------------------------------===//
// 3-D convolutions
//===----------------------------------------------------------------------===//

template <typename Properties>
static LogicalResult setConv3DProperties(OprImporter &imp, Type filterType,
                                         Properties &properties) {
  const auto &param = imp.param<param::Convolution3DT>();
  if (failed(imp.checkEnum("mode", param.mode)) ||
      failed(imp.checkEnum("sparse", param.sparse)) ||
      failed(imp.checkEnum("data_type", param.data_type)) ||
      failed(imp.checkEnum("format", param.format)))
    return failure();
  bool grouped = param.sparse == param::Convolution3DSparse::GROUP;
  int64_t groups = 1;
  auto ranked = dyn_cast<RankedTensorType>(filterType);
  if (grouped && ranked && ranked.getRank() > 0 && !ranked.isDynamicDim(0))
    groups = ranked.getDimSize(0);
  properties.strides =
      imp.i64s({param.stride_d, param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_d, param.pad_h, param.pad_w});
  properties.dilations =
      imp.i64s({param.dilate_d, param.dilate_h, param.dilate_w});
  properties.groups = imp.i64(groups);
  properties.group_filter = imp.unit(grouped);
  properties.flip_filter =
      imp.unit(param.mode == param::Convolution3DMode::CONVOLUTION);
  properties.accumulate_f32 =
      imp.unit(param.data_type == param::Convolution3DDataType::FLOAT_IO16xC32);
  properties.layout = nn::LayoutAttr::get(
      imp.getContext(), param.format == param::Convolution3DFormat::NDHWC
                            ? nn::Layout::NDHWC
                            : nn::Layout::NCDHW);
  imp.keepExecutionPolicy();
  return success();
}

static LogicalResult importConvolution3D(OprImporter &imp) {
  nn::Conv3DOp::Properties properties;
  if (failed(imp.expectInputs(2, 2)) ||
      failed(setConv3DProperties(imp, imp.operands[1].getType(), properties)))
    return failure();
  return imp.create<nn::Conv3DOp>(imp.operands, properties);
}

static LogicalResult importBackwardData3D(OprImporter &imp) {
  nn::ConvTranspose3DOp::Properties properties;
  if (failed(imp.expectInputs(2, 3)) ||
      failed(setConv3DProperties(imp, imp.operands[0].getType(), properties)))
    return failure();
  return imp.create<nn::ConvTranspose3DOp>(swapFilter(imp), properties);
}

//===----------------------------------------------------------------------===//
// Relatives
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult importPlainConv(OprImporter &imp) {
  const auto &param = imp.param<param::ConvolutionT>();
  typename OpT::Properties properties;
  if (failed(imp.expectInputs(4, 4)) || failed(expectNCHW(imp, param.format)) ||
      failed(setPlainProperties(imp, param, nn::Layout::NCHW,
                                imp.operands[1].getType(), properties)))
    return failure();
  imp.keepExecutionPolicy();
  return imp.create<OpT>(imp.operands, properties);
}

static LogicalResult importMaskConvolution(OprImporter &imp) {
  nn::MaskConv2DOp::Properties properties;
  if (failed(imp.expectInputs(3, 3)) ||
      failed(setConvProperties(imp, imp.param<param::ConvolutionT>(),
                               imp.operands[1].getType(), properties)))
    return failure();
  return imp.create<nn::MaskConv2DOp>(imp.operands, properties);
}

static LogicalResult importMaskPropagate(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::MaskPropagateT>();
  nn::MaskPropagateOp::Properties properties;
  properties.kernel = imp.i64s({param.kernel_h, param.kernel_w});
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.dilations = imp.i64s({param.dilate_h, param.dilate_w});
  return imp.create<nn::MaskPropagateOp>(imp.operands, properties);
}

/// Local convolutions know neither dilation nor layouts.
template <typename ParamT>
static LogicalResult checkLocal(OprImporter &imp, const ParamT &param) {
  if (failed(imp.expectInputs(2, 2)) || failed(expectNCHW(imp, param.format)) ||
      failed(imp.checkEnum("mode", param.mode)) ||
      failed(imp.checkEnum("sparse", param.sparse)))
    return failure();
  if (param.dilate_h != 1 || param.dilate_w != 1)
    return imp.emitError() << "a local convolution has no dilation, got "
                           << param.dilate_h << "x" << param.dilate_w;
  return success();
}

static LogicalResult importLocal(OprImporter &imp, bool grouped) {
  const auto &param = imp.param<param::ConvolutionT>();
  if (failed(checkLocal(imp, param)) ||
      failed(imp.checkEnum("compute_mode", param.compute_mode)))
    return failure();
  // The operator, not its param, says that the filter is grouped.
  if (param.sparse != param::ConvolutionV0Sparse::DENSE)
    return imp.emitError() << "a local convolution has no sparse mode";
  nn::LocalConv2DOp::Properties properties;
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.group_filter = imp.unit(grouped);
  properties.flip_filter =
      imp.unit(param.mode == param::ConvolutionV0Mode::CONVOLUTION);
  properties.accumulate_f32 =
      imp.unit(param.compute_mode == param::ConvolutionV1ComputeMode::FLOAT32);
  return imp.create<nn::LocalConv2DOp>(imp.operands, properties);
}

static LogicalResult importLocalDense(OprImporter &imp) {
  return importLocal(imp, /*grouped=*/false);
}

static LogicalResult importLocalGrouped(OprImporter &imp) {
  return importLocal(imp, /*grouped=*/true);
}

static LogicalResult importLocalShare(OprImporter &imp) {
  const auto &param = imp.param<param::LocalShareT>();
  if (failed(checkLocal(imp, param)))
    return failure();
  if (param.computeMode != param::ConvolutionV1ComputeMode::DEFAULT)
    return imp.emitError() << "a shared local convolution has no compute mode";
  nn::LocalShareConv2DOp::Properties properties;
  properties.spatial_groups =
      imp.i64s({param.spatial_groups_h, param.spatial_groups_w});
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.group_filter =
      imp.unit(param.sparse == param::ConvolutionV0Sparse::GROUP);
  properties.flip_filter =
      imp.unit(param.mode == param::ConvolutionV0Mode::CONVOLUTION);
  imp.keepExecutionPolicy();
  return imp.create<nn::LocalShareConv2DOp>(imp.operands, properties);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

template <typename ParamT, typename Properties>
static void setWindow(OprImporter &imp, const ParamT &param,
                      Properties &properties) {
  properties.kernel = imp.i64s({param.window_h, param.window_w});
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.dilations = imp.i64s({param.dilate_h, param.dilate_w});
}

static LogicalResult importImages2Neibs(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::Im2ColOp::Properties properties;
  setWindow(imp, imp.param<param::Images2NeibsT>(), properties);
  return imp.create<nn::Im2ColOp>(imp.operands, properties);
}

static LogicalResult importSlidingWindowTranspose(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::SlidingWindowTransposeT>();
  nn::Col2ImOp::Properties properties;
  setWindow(imp, param, properties);
  properties.output_size = imp.i64s({param.out_h, param.out_w});
  return imp.create<nn::Col2ImOp>(imp.operands, properties);
}

static LogicalResult importCorrelation(OprImporter &imp) {
  const auto &param = imp.param<param::CorrelationT>();
  if (failed(imp.expectInputs(2, 2)) || failed(expectNCHW(imp, param.format)))
    return failure();
  nn::CorrelationOp::Properties properties;
  properties.kernel_size = imp.i64(param.kernel_size);
  properties.max_displacement = imp.i64(param.max_displacement);
  properties.stride1 = imp.i64(param.stride1);
  properties.stride2 = imp.i64(param.stride2);
  properties.pad = imp.i64(param.pad_size);
  properties.multiply = imp.boolean(param.is_multiply);
  return imp.create<nn::CorrelationOp>(imp.operands, properties);
}

void mgb::registerConvImports(ImportRegistry &registry) {
  registry.add<nn::Conv2DOp>("ConvolutionV2", importConvolution);
  registry.add<nn::Conv2DOp>("ConvBiasForwardV4", importConvBias);
  registry.add<nn::ConvTranspose2DOp>("ConvolutionBackwardDataV2",
                                      importBackwardData);
  registry.add<nn::Conv3DOp>("Convolution3D", importConvolution3D);
  registry.add<nn::ConvTranspose3DOp>("Convolution3DBackwardData",
                                      importBackwardData3D);
  registry.add<nn::BatchConv2DOp>("BatchConvBiasForwardV1",
                                  importBatchConvBias);
  registry.add<nn::DeformConv2DOp>("DeformableConvForwardV1",
                                   importPlainConv<nn::DeformConv2DOp>);
  registry.add<nn::RegionConv2DOp>("RegionRestrictedConvolution",
                                   importPlainConv<nn::RegionConv2DOp>);
  registry.add<nn::MaskConv2DOp>("MaskConvolutionV2", importMaskConvolution);
  registry.add<nn::MaskPropagateOp>("MaskPropagate", importMaskPropagate);
  registry.add<nn::LocalConv2DOp>("LocalV2", importLocalDense);
  registry.add<nn::LocalConv2DOp>("GroupLocalV2", importLocalGrouped);
  registry.add<nn::LocalShareConv2DOp>("LocalShareForwardV1", importLocalShare);
  registry.add<nn::Im2ColOp>("Images2Neibs", importImages2Neibs);
  registry.add<nn::Col2ImOp>("SlidingWindowTranspose",
                             importSlidingWindowTranspose);
  registry.add<nn::CorrelationOp>("CorrelationForward", importCorrelation);
}
