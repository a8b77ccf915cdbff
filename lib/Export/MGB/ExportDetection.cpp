//===- ExportDetection.cpp - Detection operators from nn ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename EnumT> static EnumT getMode(nn::PoolMode mode) {
  return mode == nn::PoolMode::max ? EnumT::MAX_ : EnumT::AVERAGE;
}

static LogicalResult exportRoIPool(nn::RoIPoolOp op, OprExporter &exp) {
  exp.setOpr("ROIPooling");
  auto &param = exp.addParam<param::ROIPoolingT>();
  param.mode = getMode<param::ROIPoolingMode>(op.getMode());
  param.scale = op.getSpatialScale().convertToFloat();
  return success();
}

static LogicalResult exportRoIAlign(nn::RoIAlignOp op, OprExporter &exp) {
  exp.setOpr("ROIAlignV1");
  auto &param = exp.addParam<param::ROIAlignT>();
  param.mode = getMode<param::ROIAlignV0Mode>(op.getMode());
  param.spatial_scale = op.getSpatialScale().convertToFloat();
  param.offset = op.getOffset().convertToFloat();
  param.pooled_height = op.getPooledSize()[0];
  param.pooled_width = op.getPooledSize()[1];
  param.sample_height = op.getSampleSize()[0];
  param.sample_width = op.getSampleSize()[1];
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportDeformPSRoIPool(nn::DeformPSRoIPoolOp op,
                                           OprExporter &exp) {
  exp.setOpr("DeformablePSROIPoolingForward");
  auto &param = exp.addParam<param::DeformablePSROIPoolingT>();
  param.no_trans = op.getNoTrans();
  param.spatial_scale = op.getSpatialScale().convertToFloat();
  param.trans_std = op.getTransStd().convertToFloat();
  param.pooled_h = op.getPooledSize()[0];
  param.pooled_w = op.getPooledSize()[1];
  param.part_size = op.getPartSize();
  param.sample_per_part = op.getSamplePerPart();
  return success();
}

static LogicalResult exportNMS(nn::NMSOp op, OprExporter &exp) {
  exp.setOpr("NMSKeepMGB");
  auto &param = exp.addParam<param::NMSKeepT>();
  param.iou_thresh = op.getIouThreshold().convertToFloat();
  param.max_output = op.getMaxOutput();
  return success();
}

void mgb::registerDetectionExports(ExportRegistry &registry) {
  registry.add(exportRoIPool);
  registry.add(exportRoIAlign);
  registry.add(exportDeformPSRoIPool);
  registry.add(exportNMS);
}
