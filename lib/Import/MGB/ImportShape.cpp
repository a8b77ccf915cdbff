//===- ImportShape.cpp - Shape operators to nn ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexItems.h"
#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// The value of OptionalAxisV1 that means "no axis".
static constexpr int32_t kNoAxis = 7;

static LogicalResult importSubtensor(OprImporter &imp) {
  return importIndexItems<nn::SliceOp>(imp, 1);
}

static LogicalResult importSetSubtensor(OprImporter &imp) {
  return importIndexItems<nn::SliceUpdateOp>(imp, 2);
}

static LogicalResult importBroadcast(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  return imp.create<nn::BroadcastToOp>(imp.operands);
}

static LogicalResult importDimshuffle(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::DimshuffleT>();
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(
      SmallVector<int64_t>(param.pattern.begin(), param.pattern.end()));
  properties.input_rank = imp.i64(param.ndim);
  return imp.create<nn::TransposeOp>(imp.operands, properties);
}

static LogicalResult importAxisAddRemove(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  SmallVector<int64_t> axes;
  SmallVector<bool> squeeze;
  for (const param::AxisDesc &desc : imp.param<param::AxisAddRemoveT>().desc) {
    if (desc.method() != param::AxisDescMethod::ADD_1 &&
        desc.method() != param::AxisDescMethod::REMOVE)
      return imp.emitError()
             << "unknown axis method " << static_cast<int>(desc.method());
    axes.push_back(desc.axis());
    squeeze.push_back(desc.method() == param::AxisDescMethod::REMOVE);
  }
  nn::ExpandSqueezeOp::Properties properties;
  properties.axes = imp.i64s(axes);
  properties.squeeze = imp.builder.getDenseBoolArrayAttr(squeeze);
  return imp.create<nn::ExpandSqueezeOp>(imp.operands, properties);
}

static LogicalResult importReshape(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::ReshapeOp::Properties properties;
  int32_t axis = imp.param<param::OptionalAxisV1T>().axis;
  if (axis != kNoAxis)
    properties.inferred_axis = imp.i64(axis);
  return imp.create<nn::ReshapeOp>(imp.operands, properties);
}

static LogicalResult importGetVarShape(OprImporter &imp) {
  if (failed(imp.expectInputs(1, SIZE_MAX)))
    return failure();
  nn::ShapeOfOp::Properties properties;
  int32_t axis = imp.param<param::OptionalAxisV1T>().axis;
  if (axis != kNoAxis)
    properties.axis = imp.i64(axis);
  return imp.create<nn::ShapeOfOp>(imp.operands, properties);
}

static LogicalResult importConcat(OprImporter &imp) {
  if (failed(imp.expectInputs(1, SIZE_MAX)))
    return failure();
  nn::ConcatOp::Properties properties;
  properties.axis = imp.i64(imp.param<param::AxisT>().axis);
  return imp.create<nn::ConcatOp>(imp.operands, properties);
}

static LogicalResult importSplit(OprImporter &imp) {
  if (failed(imp.expectInputs(2, SIZE_MAX)))
    return failure();
  nn::SplitOp::Properties properties;
  properties.axis = imp.i64(imp.param<param::AxisT>().axis);
  return imp.create<nn::SplitOp>(imp.operands, properties);
}

static LogicalResult importRelayoutFormat(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::RelayoutFormatT>();
  auto mode = nn::symbolizeRelayoutMode(static_cast<uint32_t>(param.mode));
  FailureOr<TypeAttr> outType = imp.takeOutputType();
  if (failed(outType))
    return failure();
  if (!mode)
    return imp.emitError() << "unknown relayout mode "
                           << static_cast<uint32_t>(param.mode);
  nn::RelayoutOp::Properties properties;
  properties.mode = nn::RelayoutModeAttr::get(imp.getContext(), *mode);
  properties.out_channels = imp.i64(param.oc);
  properties.groups = imp.i64(param.group);
  properties.out_type = *outType;
  return imp.create<nn::RelayoutOp>(imp.operands, properties);
}

static LogicalResult importPadding(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::PaddingT>();
  SmallVector<int64_t> low = {param.front_offset_dim0, param.front_offset_dim1,
                              param.front_offset_dim2, param.front_offset_dim3,
                              param.front_offset_dim4, param.front_offset_dim5,
                              param.front_offset_dim6};
  SmallVector<int64_t> high = {param.back_offset_dim0, param.back_offset_dim1,
                               param.back_offset_dim2, param.back_offset_dim3,
                               param.back_offset_dim4, param.back_offset_dim5,
                               param.back_offset_dim6};
  // One entry per axis, unless the file has more that are not 0.
  auto ranked = dyn_cast<RankedTensorType>(imp.operands[0].getType());
  size_t rank = ranked ? ranked.getRank() : low.size();
  while (low.size() > rank && low.back() == 0 && high.back() == 0) {
    low.pop_back();
    high.pop_back();
  }
  auto mode = nn::symbolizePadMode(static_cast<uint32_t>(param.padding_mode));
  if (!mode)
    return imp.emitError() << "unknown padding mode "
                           << static_cast<uint32_t>(param.padding_mode);
  nn::PadOp::Properties properties;
  properties.low = imp.i64s(low);
  properties.high = imp.i64s(high);
  properties.mode = nn::PadModeAttr::get(imp.getContext(), *mode);
  properties.value = imp.f32(param.padding_val);
  return imp.create<nn::PadOp>(imp.operands, properties);
}

static LogicalResult importLinspace(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  nn::LinspaceOp::Properties properties;
  properties.endpoint = imp.boolean(imp.param<param::LinspaceT>().endpoint);
  return imp.create<nn::LinspaceOp>(imp.operands, properties);
}

static LogicalResult importEye(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::EyeT>();
  DType dtype;
  dtype.type = param.dtype;
  Type element =
      getElementType(imp.getContext(), dtype, [&] { return imp.emitError(); });
  if (!element)
    return failure();
  nn::EyeOp::Properties properties;
  properties.diagonal = imp.i64(param.k);
  properties.element_type = TypeAttr::get(element);
  return imp.create<nn::EyeOp>(imp.operands, properties);
}

void mgb::registerShapeImports(ImportRegistry &registry) {
  registry.add<nn::SliceOp>("Subtensor", importSubtensor);
  registry.add<nn::SliceUpdateOp>("SetSubtensor", importSetSubtensor);
  registry.add<nn::BroadcastToOp>("Broadcast", importBroadcast);
  registry.add<nn::TransposeOp>("Dimshuffle", importDimshuffle);
  registry.add<nn::ExpandSqueezeOp>("AxisAddRemove", importAxisAddRemove);
  registry.add<nn::ReshapeOp>("ReshapeV1", importReshape);
  registry.add<nn::ShapeOfOp>("GetVarShapeV1", importGetVarShape);
  registry.add<nn::ConcatOp>("Concat", importConcat);
  registry.add<nn::SplitOp>("Split", importSplit);
  registry.add<nn::RelayoutOp>("RelayoutFormatV1", importRelayoutFormat);
  registry.add<nn::PadOp>("Padding", importPadding);
  registry.add<nn::LinspaceOp>("Linspace", importLinspace);
  registry.add<nn::EyeOp>("Eye", importEye);
}
