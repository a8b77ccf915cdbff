//===- ImportImage.cpp - Image operators to nn ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static FailureOr<nn::InterpolationAttr>
getMode(OprImporter &imp, param::WarpPerspectiveV1InterpolationMode code) {
  auto mode = nn::symbolizeInterpolation(static_cast<uint32_t>(code));
  if (!mode)
    return imp.emitError() << "unknown interpolation mode "
                           << static_cast<uint32_t>(code);
  return nn::InterpolationAttr::get(imp.getContext(), *mode);
}

static FailureOr<nn::BorderAttr>
getBorder(OprImporter &imp, param::WarpPerspectiveV1BorderMode code) {
  auto border = nn::symbolizeBorder(static_cast<uint32_t>(code));
  if (!border)
    return imp.emitError() << "unknown border mode "
                           << static_cast<uint32_t>(code);
  return nn::BorderAttr::get(imp.getContext(), *border);
}

static LogicalResult importResize(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::ResizeT>();
  auto mode = getMode(imp, param.imode);
  auto layout = imp.getLayoutAttr(param.format);
  if (failed(mode) || failed(layout))
    return failure();
  nn::Resize2DOp::Properties properties;
  properties.mode = *mode;
  if (mode->getValue() == nn::Interpolation::nearest)
    properties.coordinates =
        nn::CoordinatesAttr::get(imp.getContext(), nn::Coordinates::asymmetric);
  properties.layout = *layout;
  return imp.create<nn::Resize2DOp>(imp.operands, properties);
}

static LogicalResult importResize3D(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::Resize3DT>();
  auto mode = getMode(imp, param.imode);
  if (failed(mode))
    return failure();
  auto format = static_cast<uint32_t>(param.format);
  if (format > 1)
    return imp.emitError() << "unknown 3-D format " << format;
  nn::Resize3DOp::Properties properties;
  properties.mode = *mode;
  properties.layout = nn::LayoutAttr::get(
      imp.getContext(), param.format == param::Convolution3DFormat::NCDHW
                            ? nn::Layout::NCDHW
                            : nn::Layout::NDHWC);
  properties.align_corners = imp.unit(param.align_corners);
  return imp.create<nn::Resize3DOp>(imp.operands, properties);
}

/// Whether `value` is a vector of indices and not a batch of matrices.
static bool isIndexVector(Value value) {
  auto ranked = dyn_cast<RankedTensorType>(value.getType());
  return ranked ? ranked.getRank() == 1
                : isa<IntegerType>(nn::getElementType(value.getType()));
}

static LogicalResult importWarpPerspective(OprImporter &imp) {
  if (failed(imp.expectInputs(3, SIZE_MAX)))
    return failure();
  const auto &param = imp.param<param::WarpPerspectiveT>();
  auto mode = getMode(imp, param.imode);
  auto border = getBorder(imp, param.bmode);
  auto layout = imp.getLayoutAttr(param.format);
  if (failed(mode) || failed(border) || failed(layout))
    return failure();
  nn::WarpPerspectiveOp::Properties properties;
  properties.mode = *mode;
  properties.border = *border;
  properties.layout = *layout;
  properties.border_value = imp.f32(param.border_val);
  // Sources, matrices, maybe indices, size: only the types tell how many
  // sources there are.
  size_t count = imp.operands.size();
  bool isIndexed = count > 3 && isIndexVector(imp.operands[count - 2]);
  properties.operandSegmentSizes = {static_cast<int32_t>(count - 2 - isIndexed),
                                    1, isIndexed, 1};
  return imp.create<nn::WarpPerspectiveOp>(imp.operands, properties);
}

static LogicalResult importWarpAffine(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  const auto &param = imp.param<param::WarpAffineT>();
  auto mode = getMode(imp, param.imode);
  auto border = getBorder(imp, param.border_mode);
  auto layout = imp.getLayoutAttr(param.format);
  if (failed(mode) || failed(border) || failed(layout))
    return failure();
  nn::WarpAffineOp::Properties properties;
  properties.mode = *mode;
  properties.border = *border;
  properties.layout = *layout;
  properties.border_value = imp.f32(param.border_val);
  return imp.create<nn::WarpAffineOp>(imp.operands, properties);
}

static LogicalResult importRemap(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::RemapT>();
  auto mode = getMode(imp, param.imode);
  auto border = getBorder(imp, param.border_type);
  auto layout = imp.getLayoutAttr(param.format);
  if (failed(mode) || failed(border) || failed(layout))
    return failure();
  nn::RemapOp::Properties properties;
  properties.mode = *mode;
  properties.border = *border;
  properties.layout = *layout;
  properties.border_value = imp.f32(param.scalar);
  return imp.create<nn::RemapOp>(imp.operands, properties);
}

static LogicalResult importRotate(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::RotateOp::Properties properties;
  properties.clockwise = imp.boolean(imp.param<param::RotateT>().clockwise);
  return imp.create<nn::RotateOp>(imp.operands, properties);
}

static LogicalResult importFlip(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::FlipT>();
  nn::FlipOp::Properties properties;
  properties.vertical = imp.unit(param.vertical);
  properties.horizontal = imp.unit(param.horizontal);
  return imp.create<nn::FlipOp>(imp.operands, properties);
}

static LogicalResult importGaussianBlur(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::GaussianBlurT>();
  auto border = getBorder(imp, param.border_mode);
  if (failed(border))
    return failure();
  nn::GaussianBlurOp::Properties properties;
  properties.border = *border;
  properties.kernel_height = imp.i64(param.kernel_height);
  properties.kernel_width = imp.i64(param.kernel_width);
  properties.sigma_x = imp.f32(param.sigma_x);
  properties.sigma_y = imp.f32(param.sigma_y);
  return imp.create<nn::GaussianBlurOp>(imp.operands, properties);
}

static LogicalResult importCvtColor(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  auto code = static_cast<uint32_t>(imp.param<param::CvtColorT>().mode);
  auto mode = nn::symbolizeColorConversion(code);
  if (!mode)
    return imp.emitError() << "unknown colour conversion " << code;
  nn::CvtColorOp::Properties properties;
  properties.mode = nn::ColorConversionAttr::get(imp.getContext(), *mode);
  return imp.create<nn::CvtColorOp>(imp.operands, properties);
}

static LogicalResult importDctChannelSelect(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 3)))
    return failure();
  if (imp.operands.size() == 2)
    return imp.emitError() << "has 2 inputs, expected 1 or 3";
  const auto &param = imp.param<param::DctChannelSelectT>();
  auto layout = imp.getLayoutAttr(param.format);
  auto outType = imp.takeOutputType();
  if (failed(layout) || failed(outType))
    return failure();
  auto fastImpl = static_cast<uint32_t>(param.fastImpl);
  if (fastImpl > 1)
    return imp.emitError() << "unknown fast implementation " << fastImpl;
  nn::DctChannelSelectOp::Properties properties;
  properties.layout = *layout;
  properties.out_type = *outType;
  properties.fix_32_mask = imp.unit(fastImpl == 1);
  properties.block_size = imp.i64(param.dct_block_size);
  bool hasMasks = imp.operands.size() == 3;
  properties.operandSegmentSizes = {1, hasMasks, hasMasks};
  return imp.create<nn::DctChannelSelectOp>(imp.operands, properties);
}

static LogicalResult importNvOf(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::OpticalFlowOp::Properties properties;
  properties.precision = imp.i64(imp.param<param::NvOfT>().precision);
  return imp.create<nn::OpticalFlowOp>(imp.operands, properties);
}

void mgb::registerImageImports(ImportRegistry &registry) {
  registry.add<nn::Resize2DOp>("ResizeV2", importResize);
  registry.add<nn::Resize3DOp>("Resize3D", importResize3D);
  registry.add<nn::WarpPerspectiveOp>("WarpPerspectiveV2",
                                      importWarpPerspective);
  registry.add<nn::WarpAffineOp>("WarpAffineV2", importWarpAffine);
  registry.add<nn::RemapOp>("RemapV1", importRemap);
  registry.add<nn::RotateOp>("Rotate", importRotate);
  registry.add<nn::FlipOp>("Flip", importFlip);
  registry.add<nn::GaussianBlurOp>("GaussianBlur", importGaussianBlur);
  registry.add<nn::CvtColorOp>("CvtColor", importCvtColor);
  registry.add<nn::DctChannelSelectOp>("DctChannelSelectV1",
                                       importDctChannelSelect);
  registry.add<nn::OpticalFlowOp>("NvOf", importNvOf);
}
