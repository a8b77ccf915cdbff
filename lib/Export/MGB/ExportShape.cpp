//===- ExportShape.cpp - Shape operators from nn --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexItems.h"
#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// The value of OptionalAxisV1 that means "no axis".
static constexpr int32_t kNoAxis = 7;

static LogicalResult exportSlice(nn::SliceOp op, OprExporter &exp) {
  return exportIndexItems(op, exp, "Subtensor");
}

static LogicalResult exportSliceUpdate(nn::SliceUpdateOp op, OprExporter &exp) {
  return exportIndexItems(op, exp, "SetSubtensor");
}

static LogicalResult exportBroadcastTo(nn::BroadcastToOp, OprExporter &exp) {
  exp.setOpr("Broadcast");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportTranspose(nn::TransposeOp op, OprExporter &exp) {
  exp.setOpr("Dimshuffle");
  auto &param = exp.addParam<param::DimshuffleT>();
  for (int64_t axis : op.getPermutation())
    if (failed(setField(exp, "axis", axis, param.pattern.emplace_back())))
      return failure();
  return setField(exp, "input_rank", op.getInputRank(), param.ndim);
}

static LogicalResult exportExpandSqueeze(nn::ExpandSqueezeOp op,
                                         OprExporter &exp) {
  exp.setOpr("AxisAddRemove");
  auto &param = exp.addParam<param::AxisAddRemoveT>();
  for (auto [position, removes] :
       llvm::zip_equal(op.getAxes(), op.getSqueeze())) {
    int32_t axis;
    if (failed(setField(exp, "axis", position, axis)))
      return failure();
    param.desc.emplace_back(removes ? param::AxisDescMethod::REMOVE
                                    : param::AxisDescMethod::ADD_1,
                            axis);
  }
  return success();
}

/// Adds an OptionalAxisV1 param.
static LogicalResult addOptionalAxis(OprExporter &exp,
                                     std::optional<int64_t> axis) {
  auto &param = exp.addParam<param::OptionalAxisV1T>();
  if (axis == kNoAxis)
    return exp.emitError() << "the format has no axis " << kNoAxis;
  return setField(exp, "axis", axis.value_or(kNoAxis), param.axis);
}

static LogicalResult exportReshape(nn::ReshapeOp op, OprExporter &exp) {
  exp.setOpr("ReshapeV1");
  return addOptionalAxis(exp, op.getInferredAxis());
}

static LogicalResult exportShapeOf(nn::ShapeOfOp op, OprExporter &exp) {
  exp.setOpr("GetVarShapeV1");
  return addOptionalAxis(exp, op.getAxis());
}

static LogicalResult exportConcat(nn::ConcatOp op, OprExporter &exp) {
  exp.setOpr("Concat");
  return setField(exp, "axis", op.getAxis(), exp.addParam<param::AxisT>().axis);
}

static LogicalResult exportSplit(nn::SplitOp op, OprExporter &exp) {
  exp.setOpr("Split");
  return setField(exp, "axis", op.getAxis(), exp.addParam<param::AxisT>().axis);
}

static LogicalResult exportRelayout(nn::RelayoutOp op, OprExporter &exp) {
  exp.setOpr("RelayoutFormatV1");
  auto &param = exp.addParam<param::RelayoutFormatT>();
  param.mode = static_cast<param::RelayoutFormatV0Mode>(op.getMode());
  if (failed(setField(exp, "out_channels", op.getOutChannels(), param.oc)) ||
      failed(setField(exp, "groups", op.getGroups(), param.group)))
    return failure();
  return exp.setOutputType(op.getOutType().value_or(Type()));
}

static LogicalResult exportPad(nn::PadOp op, OprExporter &exp) {
  exp.setOpr("Padding");
  auto &param = exp.addParam<param::PaddingT>();
  uint32_t *low[] = {&param.front_offset_dim0, &param.front_offset_dim1,
                     &param.front_offset_dim2, &param.front_offset_dim3,
                     &param.front_offset_dim4, &param.front_offset_dim5,
                     &param.front_offset_dim6};
  uint32_t *high[] = {&param.back_offset_dim0, &param.back_offset_dim1,
                      &param.back_offset_dim2, &param.back_offset_dim3,
                      &param.back_offset_dim4, &param.back_offset_dim5,
                      &param.back_offset_dim6};
  auto store = [&](StringRef name, ArrayRef<int64_t> pads,
                   ArrayRef<uint32_t *> fields) -> LogicalResult {
    for (auto [axis, pad] : llvm::enumerate(pads)) {
      if (axis >= fields.size())
        return exp.emitError()
               << "the format pads at most " << fields.size() << " axes";
      if (failed(setField(exp, name, pad, *fields[axis])))
        return failure();
    }
    return success();
  };
  param.padding_mode = static_cast<param::PaddingPaddingMode>(op.getMode());
  param.padding_val = op.getValue().convertToFloat();
  if (failed(store("low", op.getLow(), low)))
    return failure();
  return store("high", op.getHigh(), high);
}

static LogicalResult exportLinspace(nn::LinspaceOp op, OprExporter &exp) {
  exp.setOpr("Linspace");
  exp.addParam<param::LinspaceT>().endpoint = op.getEndpoint();
  return success();
}

static LogicalResult exportEye(nn::EyeOp op, OprExporter &exp) {
  exp.setOpr("Eye");
  auto &param = exp.addParam<param::EyeT>();
  std::optional<DType> dtype = getDType(op.getElementType());
  if (!dtype || dtype->hasQuantization)
    return exp.emitError() << "the format has no Eye of "
                           << op.getElementType();
  param.dtype = dtype->type;
  return setField(exp, "diagonal", op.getDiagonal(), param.k);
}

void mgb::registerShapeExports(ExportRegistry &registry) {
  registry.add(exportSlice);
  registry.add(exportSliceUpdate);
  registry.add(exportBroadcastTo);
  registry.add(exportTranspose);
  registry.add(exportExpandSqueeze);
  registry.add(exportReshape);
  registry.add(exportShapeOf);
  registry.add(exportConcat);
  registry.add(exportSplit);
  registry.add(exportRelayout);
  registry.add(exportPad);
  registry.add(exportLinspace);
  registry.add(exportEye);
}
