//===- NNPoolOps.cpp - Pool ops -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Dialect/NN/IR/Layout.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNPoolOps.cpp.inc"

void NNDialect::registerPoolOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNPoolOps.cpp.inc"
      >();
}

/// Checks what all 2-D pooling ops ask of their input: its element type and
/// that `layout` is one layout of images.
static LogicalResult checkPoolInput(std::optional<Location> loc, Type type,
                                    Layout layout) {
  Type element = nn::getElementType(type);
  if (!isUnknown(element) && !isFloat(element) && !isQuantized(element) &&
      !element.isSignlessInteger(8) && !element.isUnsignedInteger(8))
    return emitOptionalError(loc, "element type ", element,
                             " cannot be pooled");
  if (getInputLayout(layout) != layout || layout == Layout::NCDHW ||
      layout == Layout::NDHWC)
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " cannot be pooled");
  return success();
}

/// Shared by the pooling ops with a window.
template <typename Adaptor>
static LogicalResult inferPool(std::optional<Location> loc, Adaptor adaptor,
                               SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Layout layout = adaptor.getLayout();
  ArrayRef<int64_t> kernel = adaptor.getKernel(),
                    strides = adaptor.getStrides(), pads = adaptor.getPads();
  if (failed(checkPoolInput(loc, type, layout)) ||
      failed(checkValues(loc, "kernel", kernel, 2, 1)) ||
      failed(checkValues(loc, "strides", strides, 2, 1)) ||
      failed(checkValues(loc, "pads", pads, pads.size() == 4 ? 4 : 2, 0)))
    return failure();
  RankedTensorType input = getRanked(type);
  if (!input) {
    types.push_back(type);
    return success();
  }
  FailureOr<ActivationDims> dims =
      decodeActivation(loc, layout, input.getShape());
  if (failed(dims))
    return failure();
  FailureOr<int64_t> h = windowOutputDim(loc, "height", dims->h, kernel[0],
                                         getPadPair(pads, 0), strides[0], 1);
  FailureOr<int64_t> w = windowOutputDim(loc, "width", dims->w, kernel[1],
                                         getPadPair(pads, 1), strides[1], 1);
  if (failed(h) || failed(w))
    return failure();
  dims->h = *h;
  dims->w = *w;
  types.push_back(RankedTensorType::get(encodeActivation(layout, *dims),
                                        input.getElementType()));
  return success();
}

LogicalResult MaxPool2DOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            MaxPool2DOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  return inferPool(loc, adaptor, types);
}

LogicalResult AvgPool2DOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            AvgPool2DOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  return inferPool(loc, adaptor, types);
}

/// True when both are known and `lhs` is the larger one.
static bool dimExceeds(int64_t lhs, int64_t rhs) {
  return dimsDiffer(lhs, rhs) && lhs > rhs;
}

/// Shared by the pooling ops to a size.
template <typename Adaptor>
static LogicalResult inferAdaptivePool(std::optional<Location> loc,
                                       Adaptor adaptor, KnownValues values,
                                       SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Layout layout = adaptor.getLayout();
  if (failed(checkPoolInput(loc, type, layout)))
    return failure();
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 2, /*min=*/1, values);
  if (failed(size))
    return failure();
  RankedTensorType input = getRanked(type);
  if (!input) {
    types.push_back(type);
    return success();
  }
  FailureOr<ActivationDims> dims =
      decodeActivation(loc, layout, input.getShape());
  if (failed(dims))
    return failure();
  int64_t h = (*size)[0], w = (*size)[1];
  if (dimExceeds(h, dims->h) || dimExceeds(w, dims->w))
    return emitOptionalError(loc, "the output size ", h, "x", w,
                             " exceeds the input size ", dims->h, "x", dims->w);
  dims->h = h;
  dims->w = w;
  types.push_back(RankedTensorType::get(encodeActivation(layout, *dims),
                                        input.getElementType()));
  return success();
}

LogicalResult AdaptiveMaxPool2DOp::inferTypes(std::optional<Location> loc,
                                              Adaptor adaptor,
                                              KnownValues values,
                                              SmallVectorImpl<Type> &types) {
  return inferAdaptivePool(loc, adaptor, values, types);
}

LogicalResult AdaptiveAvgPool2DOp::inferTypes(std::optional<Location> loc,
                                              Adaptor adaptor,
                                              KnownValues values,
                                              SmallVectorImpl<Type> &types) {
  return inferAdaptivePool(loc, adaptor, values, types);
}
