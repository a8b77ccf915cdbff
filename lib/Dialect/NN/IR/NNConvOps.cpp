//===- NNConvOps.cpp - Convolutions ---------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "ConvInference.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNConvOps.cpp.inc"

void NNDialect::registerConvOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNConvOps.cpp.inc"
      >();
}

LogicalResult Conv2DOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Conv2DOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(loc, adaptor);
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2,
                                             /*asymmetricPads=*/true)))
    return failure();
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  auto [input, filter] = *operands;
  FailureOr<ActivationDims> out =
      inferConv2DDims(loc, attrs, input.getShape(), filter.getShape());
  if (failed(out))
    return failure();
  return addConvResult(loc, adaptor, *out, *element, types);
}

int64_t Conv2DOp::getOutputChannels() {
  RankedTensorType type = getRanked(getResult().getType());
  if (!type)
    return ShapedType::kDynamic;
  FailureOr<ActivationDims> dims = decodeActivation(
      std::nullopt, getOutputLayout(getLayout()), type.getShape());
  return failed(dims) ? ShapedType::kDynamic : dims->c;
}

LogicalResult ConvTranspose2DOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    ConvTranspose2DOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(loc, adaptor);
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  auto [input, filterType] = *operands;
  FailureOr<FilterDims> filter =
      getFilterDims(loc, attrs, filterType.getShape());
  if (failed(filter))
    return failure();
  Layout layout = adaptor.getLayout();
  FailureOr<ActivationDims> in =
      decodeActivation(loc, getInputLayout(layout), input.getShape());
  if (failed(in))
    return failure();
  if (failed(checkInputChannels(loc, in->c,
                                timesGroups(filter->oc, filter->groups))))
    return failure();
  ActivationDims out = *in;
  out.c = timesGroups(filter->ic, filter->groups);
  Layout outLayout = getOutputLayout(layout);
  if (Value like = adaptor.getOutputShapeLike()) {
    RankedTensorType likeType = getRanked(like.getType());
    out.h = out.w = ShapedType::kDynamic;
    if (likeType) {
      auto dims = decodeActivation(loc, outLayout, likeType.getShape());
      if (failed(dims))
        return failure();
      out.h = dims->h;
      out.w = dims->w;
    }
  } else {
    FailureOr<int64_t> h =
        transposedOutputDim(loc, "height", in->h, filter->kh, attrs.pads[0],
                            attrs.strides[0], attrs.dilations[0]);
    FailureOr<int64_t> w =
        transposedOutputDim(loc, "width", in->w, filter->kw, attrs.pads[1],
                            attrs.strides[1], attrs.dilations[1]);
    if (failed(h) || failed(w))
      return failure();
    out.h = *h;
    out.w = *w;
  }
  return addConvResult(loc, adaptor, out, *element, types);
}
