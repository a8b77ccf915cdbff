//===- NNConvOps.cpp - Convolutions -===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/Layout.h"

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

/// Element type of a product-accumulating op; see nn.conv2d's description.
static FailureOr<Type> inferAccumulatorType(std::optional<Location> loc,
                                            Type input, Type filter,
                                            std::optional<Type> outType) {
  if (outType)
    return *outType;
  if (isUnknown(input) || isUnknown(filter))
    return input;
  if (Type product = getQuantizedProductType(input, filter))
    return product;
  if (input != filter)
    return emitOptionalError(loc, "input and filter element types differ: ",
                             input, " and ", filter);
  if (input.isInteger(8))
    return Type(IntegerType::get(input.getContext(), 32));
  if (isFloat(input))
    return input;
  return emitOptionalError(loc, "element type ", input,
                           " has no convolution");
}

/// The two values of a spatial attribute.
static FailureOr<std::pair<int64_t, int64_t>>
getPair(std::optional<Location> loc, StringRef name, ArrayRef<int64_t> values) {
  if (values.size() != 2)
    return emitOptionalError(loc, "'", name, "' needs 2 values, got ",
                             values.size());
  return std::make_pair(values[0], values[1]);
}

/// Checks that `groups` is what the filter says and returns the filter's dims
/// with oc and ic counted per group.
template <typename Adaptor>
static FailureOr<FilterDims> getFilterDims(std::optional<Location> loc,
                                           Adaptor adaptor,
                                           ArrayRef<int64_t> shape) {
  FailureOr<FilterDims> filter =
      decodeFilter(loc, adaptor.getLayout(), adaptor.getGroupFilter(), shape);
  if (failed(filter))
    return failure();
  int64_t groups = adaptor.getGroups();
  if (groups < 1)
    return emitOptionalError(loc, "'groups' must be positive, got ", groups);
  if (adaptor.getGroupFilter()) {
    if (dimsDiffer(filter->groups, groups))
      return emitOptionalError(loc, "the filter has ", filter->groups,
                               " groups, 'groups' says ", groups);
  } else if (groups > 1) {
    if (adaptor.getLayout() != Layout::NCHW &&
        adaptor.getLayout() != Layout::NHWC)
      return emitOptionalError(loc, "layout ",
                               stringifyLayout(adaptor.getLayout()),
                               " needs 'group_filter' for groups > 1");
    if (!ShapedType::isDynamic(filter->oc)) {
      if (filter->oc % groups)
        return emitOptionalError(loc, "the filter's ", filter->oc,
                                 " output channels do not split into ", groups,
                                 " groups");
      filter->oc /= groups;
    }
    filter->groups = groups;
  }
  filter->groups = groups;
  return filter;
}

static int64_t timesGroups(int64_t channels, int64_t groups) {
  return ShapedType::isDynamic(channels) ? channels : channels * groups;
}

/// A bias is one value per output channel (shape 1,OC,1,1 in the layout) or
/// has the result's own shape.
static LogicalResult checkBias(std::optional<Location> loc, Type biasType,
                               Layout layout, int64_t channels,
                               ArrayRef<int64_t> resultShape) {
  RankedTensorType bias = getRanked(biasType);
  if (!bias)
    return success();
  SmallVector<int64_t> perChannel =
      encodeActivation(layout, {1, channels, 1, 1});
  auto matches = [&](ArrayRef<int64_t> shape) {
    return shape.size() == static_cast<size_t>(bias.getRank()) &&
           succeeded(verifyCompatibleShape(shape, bias.getShape()));
  };
  if (matches(perChannel) || matches(resultShape))
    return success();
  return emitOptionalError(loc, "bias of type ", biasType,
                           " is neither one value per output channel (",
                           channels, ") nor of the result's shape");
}

LogicalResult Conv2DOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Conv2DOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(
      loc, nn::getElementType(adaptor.getInput().getType()),
      nn::getElementType(adaptor.getFilter().getType()), adaptor.getOutType());
  if (failed(element))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }

  FailureOr<FilterDims> filter =
      getFilterDims(loc, adaptor, filterType.getShape());
  auto strides = getPair(loc, "strides", adaptor.getStrides());
  auto pads = getPair(loc, "pads", adaptor.getPads());
  auto dilations = getPair(loc, "dilations", adaptor.getDilations());
  if (failed(filter) || failed(strides) || failed(pads) || failed(dilations))
    return failure();
  Layout layout = adaptor.getLayout();
  FailureOr<ActivationDims> in = decodeActivation(
      loc, filter->hybrid ? Layout::NCHW : getInputLayout(layout),
      input.getShape());
  if (failed(in))
    return failure();
  // The *_IC_SMALL layouts pad up to 4 channels on the fly.
  bool padsChannels = layout == Layout::NCHW_NCHW4_IC_SMALL ||
                      layout == Layout::NHWC_NCHW4_IC_SMALL;
  int64_t inputChannels = timesGroups(filter->ic, filter->groups);
  if (dimsDiffer(in->c, inputChannels) &&
      !(padsChannels && in->c <= inputChannels))
    return emitOptionalError(loc, "input has ", in->c,
                             " channels, the filter reads ", inputChannels);

  ActivationDims out = *in;
  out.c = timesGroups(filter->oc, filter->groups);
  FailureOr<int64_t> h =
      windowOutputDim(loc, "height", in->h, filter->kh, pads->first,
                      strides->first, dilations->first);
  FailureOr<int64_t> w =
      windowOutputDim(loc, "width", in->w, filter->kw, pads->second,
                      strides->second, dilations->second);
  if (failed(h) || failed(w))
    return failure();
  out.h = *h;
  out.w = *w;
  SmallVector<int64_t> shape = encodeActivation(getOutputLayout(layout), out);
  if (Value bias = adaptor.getBias())
    if (failed(checkBias(loc, bias.getType(), getOutputLayout(layout), out.c,
                         shape)))
      return failure();
  if (Value residual = adaptor.getResidual())
    if (failed(verifyCompatibleShape(
            residual.getType(), RankedTensorType::get(shape, *element))))
      return emitOptionalError(loc, "residual of type ", residual.getType(),
                               " has not the result's shape");
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

/// (in - 1)*stride + ((kernel - 1)*dilation + 1) - 2*pad.
static FailureOr<int64_t>
transposedOutputDim(std::optional<Location> loc, StringRef what, int64_t in,
                    int64_t kernel, int64_t pad, int64_t stride,
                    int64_t dilation) {
  if (stride < 1 || dilation < 1 || pad < 0)
    return emitOptionalError(loc, what,
                             ": strides and dilations must be positive and "
                             "pads not negative");
  if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel))
    return ShapedType::kDynamic;
  int64_t reach, span, total;
  if (in < 1 || kernel < 1)
    return emitOptionalError(loc, what, ": the input or the window is empty");
  if (llvm::MulOverflow(in - 1, stride, reach) ||
      llvm::MulOverflow(kernel - 1, dilation, span) ||
      llvm::AddOverflow(reach, span, total))
    return emitOptionalError(loc, what, ": output size overflows");
  total = total + 1 - 2 * pad;
  if (total < 1)
    return emitOptionalError(loc, what, ": the padding removes everything");
  return total;
}

LogicalResult ConvTranspose2DOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    ConvTranspose2DOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(
      loc, nn::getElementType(adaptor.getInput().getType()),
      nn::getElementType(adaptor.getFilter().getType()), adaptor.getOutType());
  if (failed(element))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<FilterDims> filter =
      getFilterDims(loc, adaptor, filterType.getShape());
  auto strides = getPair(loc, "strides", adaptor.getStrides());
  auto pads = getPair(loc, "pads", adaptor.getPads());
  auto dilations = getPair(loc, "dilations", adaptor.getDilations());
  if (failed(filter) || failed(strides) || failed(pads) || failed(dilations))
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
        transposedOutputDim(loc, "height", in->h, filter->kh, pads->first,
                            strides->first, dilations->first);
    FailureOr<int64_t> w =
        transposedOutputDim(loc, "width", in->w, filter->kw, pads->second,
                            strides->second, dilations->second);
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
