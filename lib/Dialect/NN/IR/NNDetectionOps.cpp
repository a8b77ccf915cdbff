//===- NNDetectionOps.cpp - Detection ops ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"
#include "modelwright/Dialect/NN/IR/Layout.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNDetectionOps.cpp.inc"

void NNDialect::registerDetectionOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNDetectionOps.cpp.inc"
      >();
}

/// Checks the operands of region pooling and returns the number of regions.
static FailureOr<int64_t> checkRegions(std::optional<Location> loc,
                                       Type roisType) {
  Type element = nn::getElementType(roisType);
  if (!isUnknown(element) && !isFloat(element))
    return emitOptionalError(loc, "regions must be floats, got ", element);
  RankedTensorType rois = getRanked(roisType);
  if (!rois)
    return ShapedType::kDynamic;
  if (failed(verifyCompatibleShape(rois.getShape(), {ShapedType::kDynamic, 5})))
    return emitOptionalError(loc, "regions must have shape Rx5, got ", rois);
  return rois.getDimSize(0);
}

static LogicalResult checkFloat(std::optional<Location> loc, Type type) {
  Type element = nn::getElementType(type);
  if (isUnknown(element) || isFloat(element))
    return success();
  return emitOptionalError(loc, "input must be floats, got ", element);
}

static LogicalResult checkRank(std::optional<Location> loc, StringRef name,
                               RankedTensorType type, int64_t rank) {
  if (!type || type.getRank() == rank)
    return success();
  return emitOptionalError(loc, "'", name, "' must have rank ", rank,
                           ", got rank ", type.getRank());
}

static Type getI32(MLIRContext *context) {
  return IntegerType::get(context, 32);
}

LogicalResult RoIPoolOp::inferTypes(std::optional<Location> loc,
                                    Adaptor adaptor, KnownValues values,
                                    SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  FailureOr<int64_t> count = checkRegions(loc, adaptor.getRois().getType());
  if (failed(count) || failed(checkFloat(loc, type)) ||
      failed(checkRank(loc, "input", input, 4)))
    return failure();
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 2, /*min=*/1, values);
  if (failed(size))
    return failure();
  SmallVector<int64_t> shape = {
      *count, input ? input.getDimSize(1) : ShapedType::kDynamic, (*size)[0],
      (*size)[1]};
  types.push_back(RankedTensorType::get(shape, nn::getElementType(type)));
  types.push_back(RankedTensorType::get(shape, getI32(type.getContext())));
  return success();
}

LogicalResult RoIAlignOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           RoIAlignOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Layout layout = adaptor.getLayout();
  FailureOr<int64_t> count = checkRegions(loc, adaptor.getRois().getType());
  if (failed(count))
    return failure();
  if (layout != Layout::NCHW && layout != Layout::NCHW4)
    return emitOptionalError(loc, "layout must be NCHW or NCHW4, got ",
                             stringifyLayout(layout));
  bool mayQuantize = layout == Layout::NCHW4;
  if (!(mayQuantize && isQuantized(nn::getElementType(type))) &&
      failed(checkFloat(loc, type)))
    return failure();
  ArrayRef<int64_t> pooled = adaptor.getPooledSize();
  if (failed(checkValues(loc, "pooled_size", pooled, 2, 1)) ||
      failed(checkValues(loc, "sample_size", adaptor.getSampleSize(), 2, 1)))
    return failure();
  ActivationDims dims = {*count, ShapedType::kDynamic, pooled[0], pooled[1]};
  if (RankedTensorType input = getRanked(type)) {
    FailureOr<ActivationDims> in =
        decodeActivation(loc, layout, input.getShape());
    if (failed(in))
      return failure();
    dims.c = in->c;
  }
  SmallVector<int64_t> shape = encodeActivation(layout, dims);
  types.push_back(RankedTensorType::get(shape, nn::getElementType(type)));
  types.push_back(RankedTensorType::get(shape, getI32(context)));
  return success();
}

LogicalResult DeformPSRoIPoolOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    DeformPSRoIPoolOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Type element = nn::getElementType(type);
  RankedTensorType input = getRanked(type);
  RankedTensorType trans = getRanked(adaptor.getTrans().getType());
  FailureOr<int64_t> count = checkRegions(loc, adaptor.getRois().getType());
  if (failed(count))
    return failure();
  if (!isUnknown(element) && !element.isF32())
    return emitOptionalError(loc, "input must be f32, got ", element);
  ArrayRef<int64_t> pooled = adaptor.getPooledSize();
  if (failed(checkRank(loc, "input", input, 4)) ||
      failed(checkRank(loc, "trans", trans, 4)) ||
      failed(checkValues(loc, "pooled_size", pooled, 2, 1)) ||
      failed(checkValue(loc, "part_size", adaptor.getPartSize(), 1)) ||
      failed(checkValue(loc, "sample_per_part", adaptor.getSamplePerPart(), 1)))
    return failure();
  if (!adaptor.getNoTrans() && trans &&
      failed(verifyCompatibleShape(
          trans.getShape(), {ShapedType::kDynamic, 2, pooled[0], pooled[1]})))
    return emitOptionalError(loc, "'trans' must have shape Rx2x", pooled[0],
                             "x", pooled[1], ", got ", trans);
  types.append(2,
               RankedTensorType::get(
                   {*count, input ? input.getDimSize(1) : ShapedType::kDynamic,
                    pooled[0], pooled[1]},
                   element));
  return success();
}

LogicalResult NMSOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      NMSOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getBoxes().getType());
  if (!isUnknown(element) && !element.isF32())
    return emitOptionalError(loc, "boxes must be f32, got ", element);
  int64_t maxOutput = adaptor.getMaxOutput();
  if (failed(checkValue(loc, "max_output", maxOutput, 1)))
    return failure();
  int64_t batch = ShapedType::kDynamic;
  if (RankedTensorType boxes = getRanked(adaptor.getBoxes().getType())) {
    if (failed(verifyCompatibleShape(
            boxes.getShape(), {ShapedType::kDynamic, ShapedType::kDynamic, 4})))
      return emitOptionalError(loc, "boxes must have shape BxNx4, got ", boxes);
    batch = boxes.getDimSize(0);
  }
  types.push_back(RankedTensorType::get({batch, maxOutput}, getI32(context)));
  types.push_back(RankedTensorType::get({batch}, getI32(context)));
  return success();
}
