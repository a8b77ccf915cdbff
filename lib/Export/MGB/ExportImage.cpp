//===- ExportImage.cpp - Image operators from nn --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

// The enums of nn have the numbers of the format.
static auto getMode(nn::Interpolation mode) {
  return static_cast<param::WarpPerspectiveV1InterpolationMode>(mode);
}
static auto getBorder(nn::Border border) {
  return static_cast<param::WarpPerspectiveV1BorderMode>(border);
}

static LogicalResult exportResize2D(nn::Resize2DOp op, OprExporter &exp) {
  // --legalize-for=mgb decomposes the others.
  bool isNearest = op.getMode() == nn::Interpolation::nearest;
  if (op.getCoordinates() !=
      (isNearest ? nn::Coordinates::asymmetric : nn::Coordinates::half_pixel))
    return exp.emitError() << "the format's resize has no coordinates "
                           << nn::stringifyCoordinates(op.getCoordinates());
  exp.setOpr("ResizeV2");
  auto &param = exp.addParam<param::ResizeT>();
  param.imode = getMode(op.getMode());
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportResize3D(nn::Resize3DOp op, OprExporter &exp) {
  exp.setOpr("Resize3D");
  auto &param = exp.addParam<param::Resize3DT>();
  param.imode = getMode(op.getMode());
  param.format = op.getLayout() == nn::Layout::NCDHW
                     ? param::Convolution3DFormat::NCDHW
                     : param::Convolution3DFormat::NDHWC;
  param.align_corners = op.getAlignCorners();
  return success();
}

static LogicalResult exportWarpPerspective(nn::WarpPerspectiveOp op,
                                           OprExporter &exp) {
  exp.setOpr("WarpPerspectiveV2");
  auto &param = exp.addParam<param::WarpPerspectiveT>();
  param.imode = getMode(op.getMode());
  param.bmode = getBorder(op.getBorder());
  param.border_val = op.getBorderValue().convertToFloat();
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportWarpAffine(nn::WarpAffineOp op, OprExporter &exp) {
  exp.setOpr("WarpAffineV2");
  auto &param = exp.addParam<param::WarpAffineT>();
  param.imode = getMode(op.getMode());
  param.border_mode = getBorder(op.getBorder());
  param.border_val = op.getBorderValue().convertToFloat();
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportRemap(nn::RemapOp op, OprExporter &exp) {
  exp.setOpr("RemapV1");
  auto &param = exp.addParam<param::RemapT>();
  param.imode = getMode(op.getMode());
  param.border_type = getBorder(op.getBorder());
  param.scalar = op.getBorderValue().convertToFloat();
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportRotate(nn::RotateOp op, OprExporter &exp) {
  exp.setOpr("Rotate");
  exp.addParam<param::RotateT>().clockwise = op.getClockwise();
  return success();
}

static LogicalResult exportFlip(nn::FlipOp op, OprExporter &exp) {
  exp.setOpr("Flip");
  auto &param = exp.addParam<param::FlipT>();
  param.vertical = op.getVertical();
  param.horizontal = op.getHorizontal();
  return success();
}

static LogicalResult exportGaussianBlur(nn::GaussianBlurOp op,
                                        OprExporter &exp) {
  exp.setOpr("GaussianBlur");
  auto &param = exp.addParam<param::GaussianBlurT>();
  param.border_mode = getBorder(op.getBorder());
  param.kernel_height = op.getKernelHeight();
  param.kernel_width = op.getKernelWidth();
  param.sigma_x = op.getSigmaX().convertToFloat();
  param.sigma_y = op.getSigmaY().convertToFloat();
  return success();
}

static LogicalResult exportCvtColor(nn::CvtColorOp op, OprExporter &exp) {
  exp.setOpr("CvtColor");
  exp.addParam<param::CvtColorT>().mode =
      static_cast<param::CvtColorMode>(op.getMode());
  return success();
}

static LogicalResult exportDctChannelSelect(nn::DctChannelSelectOp op,
                                            OprExporter &exp) {
  exp.setOpr("DctChannelSelectV1");
  auto &param = exp.addParam<param::DctChannelSelectT>();
  param.fastImpl = op.getFix_32Mask()
                       ? param::DctChannelSelectV0FastImpl::FIX_32_MASK
                       : param::DctChannelSelectV0FastImpl::NONE;
  param.dct_block_size = op.getBlockSize();
  if (failed(exp.setFormat(param, op.getLayout())))
    return failure();
  return exp.setOutputType(op.getOutType().value_or(Type()));
}

static LogicalResult exportOpticalFlow(nn::OpticalFlowOp op, OprExporter &exp) {
  exp.setOpr("NvOf");
  exp.addParam<param::NvOfT>().precision = op.getPrecision();
  return success();
}

void mgb::registerImageExports(ExportRegistry &registry) {
  registry.add(exportResize2D);
  registry.add(exportResize3D);
  registry.add(exportWarpPerspective);
  registry.add(exportWarpAffine);
  registry.add(exportRemap);
  registry.add(exportRotate);
  registry.add(exportFlip);
  registry.add(exportGaussianBlur);
  registry.add(exportCvtColor);
  registry.add(exportDctChannelSelect);
  registry.add(exportOpticalFlow);
}
