//===- ConvInference.cpp - Inference shared by convolutions ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvInference.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

FailureOr<Type> nn::inferAccumulatorType(std::optional<Location> loc,
                                         Type input, Type filter,
                                         std::optional<Type> outType) {
  MLIRContext *context = input.getContext();
  if (isUnknown(input) || isUnknown(filter))
    return outType ? *outType : Type(UnknownType::get(context));
  auto unfit = [&]() -> FailureOr<Type> {
    return emitOptionalError(loc, "a convolution of ", input,
                             " elements cannot give ", *outType);
  };
  if (isQuantized(input) && isQuantized(filter)) {
    if (outType && !isQuantized(*outType) && !outType->isF32())
      return unfit();
    if (outType)
      return *outType;
    if (Type product = getQuantizedProductType(input, filter))
      return product;
    return emitOptionalError(loc, "the product of the scales of ", input,
                             " and ", filter, " is not a scale");
  }
  if (input != filter)
    return emitOptionalError(
        loc, "input and filter element types differ: ", input, " and ", filter);
  if (isFloat(input)) {
    if (outType && *outType != input)
      return unfit();
    return input;
  }
  if (!input.isSignlessInteger(8))
    return emitOptionalError(loc, "element type ", input,
                             " has no convolution");
  if (!outType)
    return Type(IntegerType::get(context, 32));
  if (!outType->isSignlessInteger(32) && !outType->isSignlessInteger(16))
    return unfit();
  return *outType;
}

FailureOr<Type> nn::inferFloatConvType(std::optional<Location> loc,
                                       ArrayRef<Type> operandTypes) {
  Type result;
  for (Type type : operandTypes) {
    Type element = nn::getElementType(type);
    if (isUnknown(element))
      continue;
    if (!isFloat(element))
      return emitOptionalError(loc, "operands must be floats, got ", element);
    if (!result)
      result = element;
    else if (result != element)
      return emitOptionalError(loc, "operand element types differ: ", result,
                               " and ", element);
  }
  return result ? result : nn::getElementType(operandTypes.front());
}

LogicalResult ConvAttrs::verify(std::optional<Location> loc, size_t spatialRank,
                                bool asymmetricPads) const {
  bool isVolume = layout == Layout::NCDHW || layout == Layout::NDHWC;
  if (isVolume != (spatialRank == 3))
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " has not ", spatialRank, " spatial dims");
  if (failed(checkValues(loc, "strides", strides, spatialRank, /*min=*/1)) ||
      failed(checkValues(loc, "pads", pads,
                         asymmetricPads && pads.size() == 4 ? 4 : spatialRank,
                         /*min=*/0)) ||
      failed(checkValues(loc, "dilations", dilations, spatialRank, /*min=*/1)))
    return failure();
  return checkValue(loc, "groups", groups, /*min=*/1);
}

FailureOr<FilterDims> nn::getFilterDims(std::optional<Location> loc,
                                        const ConvAttrs &attrs,
                                        ArrayRef<int64_t> shape) {
  FailureOr<FilterDims> filter =
      decodeFilter(loc, attrs.layout, attrs.groupFilter, shape);
  if (failed(filter))
    return failure();
  if (!attrs.groupFilter && attrs.groups > 1 && attrs.layout != Layout::NCHW &&
      attrs.layout != Layout::NHWC)
    return emitOptionalError(loc, "layout ", stringifyLayout(attrs.layout),
                             " needs 'group_filter' for groups > 1");
  if (failed(splitGroups(loc, attrs, filter->groups, filter->oc)))
    return failure();
  filter->groups = attrs.groups;
  return filter;
}

LogicalResult nn::splitGroups(std::optional<Location> loc,
                              const ConvAttrs &attrs, int64_t filterGroups,
                              int64_t &outputChannels) {
  int64_t groups = attrs.groups;
  if (attrs.groupFilter) {
    if (dimsDiffer(filterGroups, groups))
      return emitOptionalError(loc, "the filter has ", filterGroups,
                               " groups, 'groups' says ", groups);
    return success();
  }
  if (ShapedType::isDynamic(outputChannels))
    return success();
  if (outputChannels % groups)
    return emitOptionalError(loc, "the filter's ", outputChannels,
                             " output channels do not split into ", groups,
                             " groups");
  outputChannels /= groups;
  return success();
}

LogicalResult nn::checkInputChannels(std::optional<Location> loc,
                                     int64_t actual, int64_t expected) {
  if (dimsDiffer(actual, expected))
    return emitOptionalError(loc, "input has ", actual,
                             " channels, the filter reads ", expected);
  return success();
}

int64_t nn::timesGroups(int64_t channels, int64_t groups) {
  return multiplyDims({channels, groups}).value_or(ShapedType::kDynamic);
}

FailureOr<ActivationDims> nn::inferConv2DDims(std::optional<Location> loc,
                                              const ConvAttrs &attrs,
                                              ArrayRef<int64_t> input,
                                              ArrayRef<int64_t> filterShape) {
  FailureOr<FilterDims> filter = getFilterDims(loc, attrs, filterShape);
  if (failed(filter))
    return failure();
  Layout layout = attrs.layout;
  FailureOr<ActivationDims> in = decodeActivation(
      loc, filter->hybrid ? Layout::NCHW : getInputLayout(layout), input);
  if (failed(in))
    return failure();
  // The *_IC_SMALL layouts pad up to 4 channels on the fly.
  bool padsChannels = layout == Layout::NCHW_NCHW4_IC_SMALL ||
                      layout == Layout::NHWC_NCHW4_IC_SMALL;
  int64_t inputChannels = timesGroups(filter->ic, filter->groups);
  if (dimsDiffer(in->c, inputChannels) &&
      (!padsChannels || in->c > inputChannels))
    return emitOptionalError(loc, "input has ", in->c,
                             " channels, the filter reads ", inputChannels);

  ActivationDims out = *in;
  out.c = timesGroups(filter->oc, filter->groups);
  FailureOr<int64_t> h = windowOutputDim(loc, "height", in->h, filter->kh,
                                         getPadPair(attrs.pads, 0),
                                         attrs.strides[0], attrs.dilations[0]);
  FailureOr<int64_t> w = windowOutputDim(loc, "width", in->w, filter->kw,
                                         getPadPair(attrs.pads, 1),
                                         attrs.strides[1], attrs.dilations[1]);
  if (failed(h) || failed(w))
    return failure();
  out.h = *h;
  out.w = *w;
  return out;
}

LogicalResult nn::checkBias(std::optional<Location> loc, Type biasType,
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

LogicalResult nn::checkResidual(std::optional<Location> loc, Type residualType,
                                ArrayRef<int64_t> resultShape) {
  RankedTensorType residual = getRanked(residualType);
  if (!residual ||
      succeeded(verifyCompatibleShape(residual.getShape(), resultShape)))
    return success();
  return emitOptionalError(loc, "residual of type ", residualType,
                           " has not the result's shape");
}

FailureOr<int64_t> nn::transposedOutputDim(std::optional<Location> loc,
                                           StringRef what, int64_t in,
                                           int64_t kernel, int64_t pad,
                                           int64_t stride, int64_t dilation) {
  if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel))
    return ShapedType::kDynamic;
  int64_t reach, span, total;
  if (in < 1 || kernel < 1)
    return emitOptionalError(loc, what, ": the input or the window is empty");
  if (llvm::MulOverflow(in - 1, stride, reach) ||
      llvm::MulOverflow(kernel - 1, dilation, span) ||
      llvm::AddOverflow(reach, span, total) ||
      llvm::AddOverflow(total, int64_t{1}, total))
    return emitOptionalError(loc, what, ": output size overflows");
  total -= 2 * pad;
  if (total < 1)
    return emitOptionalError(loc, what, ": the padding removes everything");
  return total;
}
