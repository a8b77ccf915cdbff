//===- NNOrderOps.cpp - Index ops: order and conditions -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

static Type getI32(Type type) {
  return IntegerType::get(type.getContext(), 32);
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static LogicalResult inferArgExtremum(std::optional<Location> loc,
                                      Type inputType, int64_t axis,
                                      SmallVectorImpl<Type> &types) {
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    types.push_back(UnrankedTensorType::get(getI32(inputType)));
    return success();
  }
  FailureOr<int64_t> normal = normalizeAxis(loc, axis, input.getRank());
  if (failed(normal))
    return failure();
  SmallVector<int64_t> shape(input.getShape());
  shape[*normal] = 1;
  return addRankedType(loc, shape, getI32(inputType), types);
}

LogicalResult ArgMaxOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ArgMaxOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferArgExtremum(loc, adaptor.getInput().getType(), adaptor.getAxis(),
                          types);
}

LogicalResult ArgMinOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ArgMinOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  return inferArgExtremum(loc, adaptor.getInput().getType(), adaptor.getAxis(),
                          types);
}

/// Fails unless `type` may be a matrix.
static LogicalResult checkMatrix(std::optional<Location> loc, Type type) {
  RankedTensorType ranked = getRanked(type);
  if (!ranked || ranked.getRank() == 2)
    return success();
  return emitOptionalError(loc, "input has rank ", ranked.getRank(),
                           ", expected 2");
}

LogicalResult ArgSortOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location> loc,
                                          ArgSortOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Type input = adaptor.getInput().getType();
  types.push_back(input);
  types.push_back(getTypeLike(input, getI32(input)));
  return checkMatrix(loc, input);
}

LogicalResult TopKOp::inferTypes(std::optional<Location> loc, Adaptor adaptor,
                                 KnownValues values,
                                 SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type element = nn::getElementType(inputType);
  if (failed(checkMatrix(loc, inputType)) ||
      failed(checkIntegerScalar(loc, "k", adaptor.getK())))
    return failure();
  std::optional<int64_t> k = getKnownScalar(adaptor.getK(), values);
  if (k && *k == 0)
    return emitOptionalError(loc, "k must not be 0");
  RankedTensorType input = getRanked(inputType);
  int64_t rows = ShapedType::kDynamic, count = ShapedType::kDynamic;
  if (input) {
    rows = input.getDimSize(0);
    int64_t columns = input.getDimSize(1);
    if (k && !ShapedType::isDynamic(columns))
      count = *k == INT64_MIN ? columns : std::min(std::abs(*k), columns);
  }
  if (adaptor.getMode() == TopKMode::kth_only)
    return addRankedType(loc, rows, element, types);
  if (failed(addRankedType(loc, {rows, count}, element, types)))
    return failure();
  return addRankedType(loc, {rows, count}, getI32(inputType), types);
}

LogicalResult CumSumOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         CumSumOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type input = adaptor.getInput().getType();
  types.push_back(input);
  if (RankedTensorType ranked = getRanked(input))
    return normalizeAxis(loc, adaptor.getAxis(), ranked.getRank());
  return success();
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

LogicalResult CondTakeOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           CondTakeOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type input = adaptor.getInput().getType(), mask = adaptor.getMask().getType();
  if (failed(verifyCompatibleShape(input, mask)))
    return emitOptionalError(loc, "mask of type ", mask,
                             " has not the shape of ", input);
  int64_t size = ShapedType::kDynamic;
  types.push_back(RankedTensorType::get(size, nn::getElementType(input)));
  types.push_back(RankedTensorType::get(size, getI32(input)));
  return success();
}

LogicalResult NonZeroOp::inferReturnTypes(MLIRContext *,
                                          std::optional<Location>,
                                          NonZeroOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  RankedTensorType input = getRanked(inputType);
  int64_t rank = input ? input.getRank() : ShapedType::kDynamic;
  types.push_back(
      RankedTensorType::get({rank, ShapedType::kDynamic}, getI32(inputType)));
  return success();
}

/// The dims of two types that have the same shape, as far as known.
static Type mergeShapes(Type lhs, Type rhs) {
  RankedTensorType left = getRanked(lhs), right = getRanked(rhs);
  if (!left || !right)
    return left ? lhs : getTypeLike(rhs, nn::getElementType(lhs));
  SmallVector<int64_t> shape(left.getShape());
  for (auto [dim, other] : llvm::zip_equal(shape, right.getShape()))
    if (ShapedType::isDynamic(dim))
      dim = other;
  return RankedTensorType::get(shape, left.getElementType());
}

static LogicalResult checkMask(std::optional<Location> loc, Type mask) {
  return checkElementType(loc, "mask", mask,
                          IntegerType::get(mask.getContext(), 1));
}

LogicalResult SelectOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         SelectOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type mask = adaptor.getMask().getType();
  Type onTrue = adaptor.getOnTrue().getType();
  Type onFalse = adaptor.getOnFalse().getType();
  if (failed(checkMask(loc, mask)))
    return failure();
  Type element = nn::getElementType(onTrue);
  if (isUnknown(element))
    element = nn::getElementType(onFalse);
  else if (failed(checkElementType(loc, "on_false", onFalse, element)))
    return failure();
  if (failed(verifyCompatibleShape(onTrue, onFalse)) ||
      failed(verifyCompatibleShape(mask, onTrue)) ||
      failed(verifyCompatibleShape(mask, onFalse)))
    return emitOptionalError(loc, "shapes differ: ", mask, ", ", onTrue,
                             " and ", onFalse);
  Type merged = mergeShapes(mergeShapes(onTrue, onFalse), mask);
  types.push_back(getTypeLike(merged, element));
  return success();
}

LogicalResult MaskedFillOp::inferReturnTypes(MLIRContext *,
                                             std::optional<Location> loc,
                                             MaskedFillOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type maskType = adaptor.getMask().getType();
  types.push_back(inputType);
  if (failed(checkMask(loc, maskType)))
    return failure();
  RankedTensorType input = getRanked(inputType), mask = getRanked(maskType);
  if (!input || !mask)
    return success();
  bool fits = mask.getRank() <= input.getRank();
  if (fits)
    fits = succeeded(verifyCompatibleShape(
        mask.getShape(), input.getShape().take_front(mask.getRank())));
  if (fits)
    return success();
  return emitOptionalError(loc, "mask of type ", maskType,
                           " has not the leading dims of ", inputType);
}
