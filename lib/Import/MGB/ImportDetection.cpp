//===- ImportDetection.cpp - Detection operators to nn --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename EnumT>
static FailureOr<nn::PoolModeAttr> getPoolMode(OprImporter &imp, EnumT mode) {
  if (failed(imp.checkEnum("mode", mode)))
    return failure();
  return nn::PoolModeAttr::get(imp.getContext(), mode == EnumT::MAX_
                                                     ? nn::PoolMode::max
                                                     : nn::PoolMode::average);
}

static LogicalResult importROIPooling(OprImporter &imp) {
  const auto &param = imp.param<param::ROIPoolingT>();
  FailureOr<nn::PoolModeAttr> mode = getPoolMode(imp, param.mode);
  if (failed(imp.expectInputs(3, 3)) || failed(mode))
    return failure();
  nn::RoIPoolOp::Properties properties;
  properties.mode = *mode;
  properties.spatial_scale = imp.f32(param.scale);
  return imp.create<nn::RoIPoolOp>(imp.operands, properties);
}

static LogicalResult importROIAlign(OprImporter &imp) {
  const auto &param = imp.param<param::ROIAlignT>();
  FailureOr<nn::PoolModeAttr> mode = getPoolMode(imp, param.mode);
  if (failed(imp.expectInputs(2, 2)) || failed(mode))
    return failure();
  FailureOr<nn::LayoutAttr> layout = imp.getLayoutAttr(param.format);
  if (failed(layout))
    return failure();
  nn::RoIAlignOp::Properties properties;
  properties.mode = *mode;
  properties.spatial_scale = imp.f32(param.spatial_scale);
  properties.offset = imp.f32(param.offset);
  properties.pooled_size = imp.i64s({param.pooled_height, param.pooled_width});
  properties.sample_size = imp.i64s({param.sample_height, param.sample_width});
  properties.layout = *layout;
  return imp.create<nn::RoIAlignOp>(imp.operands, properties);
}

static LogicalResult importDeformablePSROIPooling(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  const auto &param = imp.param<param::DeformablePSROIPoolingT>();
  nn::DeformPSRoIPoolOp::Properties properties;
  properties.no_trans = imp.unit(param.no_trans);
  properties.spatial_scale = imp.f32(param.spatial_scale);
  properties.trans_std = imp.f32(param.trans_std);
  properties.pooled_size = imp.i64s({param.pooled_h, param.pooled_w});
  properties.part_size = imp.i64(param.part_size);
  properties.sample_per_part = imp.i64(param.sample_per_part);
  return imp.create<nn::DeformPSRoIPoolOp>(imp.operands, properties);
}

static LogicalResult importNMSKeep(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::NMSKeepT>();
  nn::NMSOp::Properties properties;
  properties.iou_threshold = imp.f32(param.iou_thresh);
  properties.max_output = imp.i64(param.max_output);
  return imp.create<nn::NMSOp>(imp.operands, properties);
}

void mgb::registerDetectionImports(ImportRegistry &registry) {
  registry.add<nn::RoIPoolOp>("ROIPooling", importROIPooling);
  registry.add<nn::RoIAlignOp>("ROIAlignV1", importROIAlign);
  registry.add<nn::DeformPSRoIPoolOp>("DeformablePSROIPoolingForward",
                                      importDeformablePSROIPooling);
  registry.add<nn::NMSOp>("NMSKeepMGB", importNMSKeep);
}
