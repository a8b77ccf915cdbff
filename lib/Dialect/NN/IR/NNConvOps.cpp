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
  FailureOr<Type> element = inferAccumulatorType(
      loc, nn::getElementType(adaptor.getInput().getType()),
      nn::getElementType(adaptor.getFilter().getType()), adaptor.getOutType());
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filter = getRanked(adaptor.getFilter().getType());
  if (!input || !filter) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<ActivationDims> out =
      inferConv2DDims(loc, attrs, input.getShape(), filter.getShape());
  if (failed(out))
    return failure();
  Layout layout = getOutputLayout(attrs.layout);
  SmallVector<int64_t> shape = encodeActivation(layout, *out);
  if (Value bias = adaptor.getBias())
    if (failed(checkBias(loc, bias.getType(), layout, out->c, shape)))
      return failure();
  if (Value residual = adaptor.getResidual())
    if (failed(checkResidual(loc, residual.getType(), shape)))
      return failure();
  types.push_back(RankedTensorType::get(shape, *element));
  return success();
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
  FailureOr<Type> element = inferAccumulatorType(
      loc, nn::getElementType(adaptor.getInput().getType()),
      nn::getElementType(adaptor.getFilter().getType()), adaptor.getOutType());
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<FilterDims> filter =
      getFilterDims(loc, attrs, filterType.getShape());
  if (failed(filter))
    return failure();
  Layout layout = adaptor.getLayout();
  FailureOr<ActivationDims> in =
      decodeActivation(loc, getInputLayout(layout), input.getShape());
  if (failed(in))
    return failure();
  int64_t inputChannels = timesGroups(filter->oc, filter->groups);
  if (dimsDiffer(in->c, inputChannels))
    return emitOptionalError(loc, "input has ", in->c,
                             " channels, the filter reads ", inputChannels);
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
  SmallVector<int64_t> shape = encodeActivation(outLayout, out);
  if (Value bias = adaptor.getBias())
    if (failed(checkBias(loc, bias.getType(), outLayout, out.c, shape)))
      return failure();
  types.push_back(RankedTensorType::get(shape, *element));
  return success();
}
