//===- NNRelayoutOp.cpp - Shapes of physical layout conversions -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Shape = SmallVector<int64_t>;

namespace {
/// Between which layouts a mode moves activations.
struct ActivationMode {
  Layout from, to;
};
} // namespace

static std::optional<ActivationMode> getActivationMode(RelayoutMode mode) {
  switch (mode) {
  case RelayoutMode::NHWC_NHWCD4:
  case RelayoutMode::NHWC_NHWCD4I:
    return ActivationMode{Layout::NHWC, Layout::NHWCD4};
  case RelayoutMode::NHWCD4_NHWC:
  case RelayoutMode::NHWCD4I_NHWC:
    return ActivationMode{Layout::NHWCD4, Layout::NHWC};
  case RelayoutMode::NCHW_NHWCD4:
  case RelayoutMode::NCHW_NHWCD4I:
    return ActivationMode{Layout::NCHW, Layout::NHWCD4};
  case RelayoutMode::NHWCD4_NCHW:
  case RelayoutMode::NHWCD4I_NCHW:
    return ActivationMode{Layout::NHWCD4, Layout::NCHW};
  case RelayoutMode::NCHW4_CHWN4:
    return ActivationMode{Layout::NCHW4, Layout::CHWN4};
  case RelayoutMode::CHWN4_NCHW4:
    return ActivationMode{Layout::CHWN4, Layout::NCHW4};
  case RelayoutMode::NCHW_NCHW88:
    return ActivationMode{Layout::NCHW, Layout::NCHW88};
  case RelayoutMode::NCHW88_NCHW:
    return ActivationMode{Layout::NCHW88, Layout::NCHW};
  case RelayoutMode::NCHW_NCHW4:
  case RelayoutMode::NCHW_NCHW4_IC_SMALL:
    return ActivationMode{Layout::NCHW, Layout::NCHW4};
  case RelayoutMode::NCHW4_NCHW:
    return ActivationMode{Layout::NCHW4, Layout::NCHW};
  case RelayoutMode::NCHW_NCHW64:
    return ActivationMode{Layout::NCHW, Layout::NCHW64};
  case RelayoutMode::NCHW64_NCHW:
    return ActivationMode{Layout::NCHW64, Layout::NCHW};
  case RelayoutMode::NCHW_NHWC:
    return ActivationMode{Layout::NCHW, Layout::NHWC};
  case RelayoutMode::NHWC_NCHW:
    return ActivationMode{Layout::NHWC, Layout::NCHW};
  default:
    return std::nullopt;
  }
}

static int64_t ceilDiv(int64_t dim, int64_t block) {
  return ShapedType::isDynamic(dim) ? dim : llvm::divideCeil(dim, block);
}

static int64_t roundUp(int64_t dim, int64_t block) {
  return ShapedType::isDynamic(dim) ? dim
                                    : llvm::divideCeil(dim, block) * block;
}

/// dim / block, which must leave no rest.
static FailureOr<int64_t> splitDim(std::optional<Location> loc, StringRef what,
                                   int64_t dim, int64_t block) {
  if (ShapedType::isDynamic(dim))
    return dim;
  if (dim % block)
    return emitOptionalError(loc, dim, " ", what,
                             " do not split into blocks of ", block);
  return dim / block;
}

static FailureOr<Shape> convertActivation(std::optional<Location> loc,
                                          RelayoutOp::Adaptor adaptor,
                                          ActivationMode layouts,
                                          ArrayRef<int64_t> shape) {
  FailureOr<ActivationDims> dims = decodeActivation(loc, layouts.from, shape);
  if (failed(dims))
    return failure();
  RelayoutMode mode = adaptor.getMode();
  int64_t &channels = dims->c;
  int64_t kept = adaptor.getOutChannels();
  switch (mode) {
  case RelayoutMode::NHWC_NHWCD4:
    if (failed(splitDim(loc, "channels", channels, 4)))
      return failure();
    break;
  case RelayoutMode::NCHW_NCHW4_IC_SMALL:
    if (!ShapedType::isDynamic(channels) && channels > 4)
      return emitOptionalError(loc, "input has ", channels,
                               " channels, expected at most 4");
    channels = 4;
    break;
  case RelayoutMode::NCHW_NCHW4: {
    int64_t groups = adaptor.getGroups();
    if (ShapedType::isDynamic(channels))
      break;
    if (channels % groups)
      return emitOptionalError(loc, channels, " channels do not split into ",
                               groups, " groups");
    channels = roundUp(channels / groups, 4) * groups;
    break;
  }
  case RelayoutMode::NCHW4_NCHW:
  case RelayoutMode::NCHW64_NCHW:
    if (kept == 0)
      break;
    if (!ShapedType::isDynamic(channels) && kept > channels)
      return emitOptionalError(loc, "out_channels is ", kept,
                               ", the input has ", channels, " channels");
    channels = kept;
    break;
  default:
    break;
  }
  return encodeActivation(layouts.to, *dims);
}

/// The filter shape that a weight mode makes of a filter in NCHW.
static FailureOr<Shape> convertFilter(std::optional<Location> loc,
                                      RelayoutMode mode,
                                      ArrayRef<int64_t> shape) {
  auto checkRank = [&](size_t rank) -> LogicalResult {
    if (shape.size() == rank)
      return success();
    return emitOptionalError(loc, "mode ", stringifyRelayoutMode(mode),
                             " needs a filter of rank ", rank, ", got rank ",
                             shape.size());
  };
  auto split = [&](int64_t dim, int64_t block) {
    return splitDim(loc, "output channels", dim, block);
  };
  // The dense part of a grouped filter, then its group dim in front.
  auto grouped = [&](RelayoutMode dense) -> FailureOr<Shape> {
    if (failed(checkRank(5)))
      return failure();
    FailureOr<Shape> result = convertFilter(loc, dense, shape.drop_front());
    if (succeeded(result))
      result->insert(result->begin(), shape.front());
    return result;
  };
  auto checkChannelWise = [&]() -> LogicalResult {
    if (failed(checkRank(5)))
      return failure();
    if (dimsDiffer(shape[1], 1) || dimsDiffer(shape[2], 1))
      return emitOptionalError(loc,
                               "a channel-wise filter has 1 channel per "
                               "group, got ",
                               shape[1], " and ", shape[2]);
    return success();
  };

  switch (mode) {
  case RelayoutMode::INTER_WEIGHT_DENSE:
  case RelayoutMode::INTER_WEIGHT_DENSEI: {
    if (failed(checkRank(4)))
      return failure();
    FailureOr<int64_t> blocks = split(shape[0], 4);
    if (failed(blocks))
      return failure();
    return Shape{*blocks, shape[2], shape[3], shape[1], 4};
  }
  case RelayoutMode::INTER_WEIGHT_DENSEI_DOT: {
    if (failed(checkRank(4)))
      return failure();
    FailureOr<int64_t> blocks = split(shape[0], 4);
    FailureOr<int64_t> inner = splitDim(loc, "input channels", shape[1], 4);
    if (failed(blocks) || failed(inner))
      return failure();
    return Shape{*blocks, shape[2], shape[3], *inner, 4, 4};
  }
  case RelayoutMode::INTER_WEIGHT_GROUP:
  case RelayoutMode::INTER_WEIGHT_GROUPI:
    return grouped(RelayoutMode::INTER_WEIGHT_DENSE);
  case RelayoutMode::INTER_WEIGHT_GROUPI_DOT:
    return grouped(RelayoutMode::INTER_WEIGHT_DENSEI_DOT);
  case RelayoutMode::INTER_WEIGHT_CHAN:
  case RelayoutMode::INTER_WEIGHT_CHANI: {
    if (failed(checkChannelWise()))
      return failure();
    FailureOr<int64_t> blocks = splitDim(loc, "groups", shape[0], 4);
    if (failed(blocks))
      return failure();
    return Shape{*blocks, 1, shape[3], shape[4], 4};
  }
  case RelayoutMode::NCHW_NCHW88_CONV_DENSE_WEIGHT: {
    if (failed(checkRank(4)))
      return failure();
    FailureOr<int64_t> blocks = split(shape[0], 8);
    if (failed(blocks))
      return failure();
    return Shape{*blocks, ceilDiv(shape[1], 8), shape[2], shape[3], 8, 8};
  }
  case RelayoutMode::NCHW_NCHW88_CONV_GROUP_WEIGHT:
    return grouped(RelayoutMode::NCHW_NCHW88_CONV_DENSE_WEIGHT);
  case RelayoutMode::NCHW_NCHW88_CONV_CHAN_WEIGHT:
    if (failed(checkChannelWise()))
      return failure();
    return Shape{ceilDiv(shape[0], 8), 1, 1, shape[3], shape[4], 8};
  case RelayoutMode::NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT:
    if (failed(checkRank(4)))
      return failure();
    if (!ShapedType::isDynamic(shape[1]) && shape[1] > 4)
      return emitOptionalError(loc, "filter has ", shape[1],
                               " input channels, expected at most 4");
    return Shape{shape[0], 1, shape[2], shape[3], 4};
  case RelayoutMode::NCHW_NCHW4_WEIGHT:
    if (shape.size() == 5)
      return grouped(RelayoutMode::NCHW_NCHW4_WEIGHT);
    if (failed(checkRank(4)))
      return failure();
    return Shape{roundUp(shape[0], 4), ceilDiv(shape[1], 4), shape[2], shape[3],
                 4};
  default:
    llvm_unreachable("activation modes are handled before");
  }
}

LogicalResult RelayoutOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           RelayoutOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type element = adaptor.getOutType().value_or(nn::getElementType(inputType));
  if (!TensorType::isValidElementType(element))
    return emitOptionalError(loc, "no tensor has element type ", element);
  if (adaptor.getOutChannels() < 0 || adaptor.getGroups() < 1)
    return emitOptionalError(loc, "out_channels is ", adaptor.getOutChannels(),
                             " and groups ", adaptor.getGroups(),
                             ", expected at least 0 and 1");
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    types.push_back(UnrankedTensorType::get(element));
    return success();
  }
  // Rounding up to blocks of at most 64 must not overflow below.
  if (llvm::any_of(input.getShape(),
                   [](int64_t dim) { return dim > INT64_MAX / 128; }))
    return emitOptionalError(loc, "the result has too many elements");
  auto layouts = getActivationMode(adaptor.getMode());
  FailureOr<Shape> shape =
      layouts ? convertActivation(loc, adaptor, *layouts, input.getShape())
              : convertFilter(loc, adaptor.getMode(), input.getShape());
  if (failed(shape))
    return failure();
  return addRankedType(loc, *shape, element, types);
}
