//===- NNConv3DOps.cpp - 3-D convolutions ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvInference.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

namespace {
/// Logical dims of a volume; `outer` is its batch or the filter's output
/// channels.
struct VolumeDims {
  int64_t outer, channels;
  SmallVector<int64_t, 3> spatial;
};
} // namespace

static constexpr StringLiteral kDimNames[] = {"depth", "height", "width"};

static VolumeDims decodeVolume(Layout layout, ArrayRef<int64_t> shape) {
  bool channelsLast = layout == Layout::NDHWC;
  return {shape[0], shape[channelsLast ? 4 : 1],
          llvm::to_vector<3>(shape.slice(channelsLast ? 1 : 2, 3))};
}

static SmallVector<int64_t> encodeVolume(Layout layout,
                                         const VolumeDims &dims) {
  SmallVector<int64_t> shape = {dims.outer};
  if (layout == Layout::NCDHW)
    shape.push_back(dims.channels);
  shape.append(dims.spatial);
  if (layout == Layout::NDHWC)
    shape.push_back(dims.channels);
  return shape;
}

static FailureOr<VolumeDims> getInputDims(std::optional<Location> loc,
                                          const ConvAttrs &attrs,
                                          RankedTensorType type) {
  if (type.getRank() != 5)
    return emitOptionalError(loc, "layout ", stringifyLayout(attrs.layout),
                             " needs a tensor of rank 5, got rank ",
                             type.getRank());
  return decodeVolume(attrs.layout, type.getShape());
}

/// Output and input channels count per group.
static FailureOr<VolumeDims> getFilterDims3D(std::optional<Location> loc,
                                             const ConvAttrs &attrs,
                                             RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  size_t rank = attrs.groupFilter ? 6 : 5;
  if (shape.size() != rank)
    return emitOptionalError(loc, "a ", attrs.groupFilter ? "grouped" : "dense",
                             " filter needs rank ", rank, ", got rank ",
                             shape.size());
  if (attrs.groupFilter) {
    if (dimsDiffer(shape[0], attrs.groups))
      return emitOptionalError(loc, "the filter has ", shape[0],
                               " groups, 'groups' says ", attrs.groups);
    shape = shape.drop_front();
  }
  VolumeDims filter = decodeVolume(attrs.layout, shape);
  if (!attrs.groupFilter && attrs.groups > 1 &&
      !ShapedType::isDynamic(filter.outer)) {
    if (filter.outer % attrs.groups)
      return emitOptionalError(loc, "the filter's ", filter.outer,
                               " output channels do not split into ",
                               attrs.groups, " groups");
    filter.outer /= attrs.groups;
  }
  return filter;
}

static LogicalResult checkChannels(std::optional<Location> loc, int64_t actual,
                                   int64_t expected) {
  if (dimsDiffer(actual, expected))
    return emitOptionalError(loc, "input has ", actual,
                             " channels, the filter reads ", expected);
  return success();
}

LogicalResult Conv3DOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Conv3DOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/3)))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<VolumeDims> in = getInputDims(loc, attrs, input);
  FailureOr<VolumeDims> filter = getFilterDims3D(loc, attrs, filterType);
  if (failed(in) || failed(filter) ||
      failed(checkChannels(loc, in->channels,
                           timesGroups(filter->channels, attrs.groups))))
    return failure();
  VolumeDims out = *in;
  out.channels = timesGroups(filter->outer, attrs.groups);
  for (auto [i, dim] : llvm::enumerate(out.spatial)) {
    FailureOr<int64_t> size =
        windowOutputDim(loc, kDimNames[i], dim, filter->spatial[i],
                        attrs.pads[i], attrs.strides[i], attrs.dilations[i]);
    if (failed(size))
      return failure();
    dim = *size;
  }
  types.push_back(
      RankedTensorType::get(encodeVolume(attrs.layout, out), *element));
  return success();
}

LogicalResult ConvTranspose3DOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    ConvTranspose3DOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/3)))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<VolumeDims> in = getInputDims(loc, attrs, input);
  FailureOr<VolumeDims> filter = getFilterDims3D(loc, attrs, filterType);
  if (failed(in) || failed(filter) ||
      failed(checkChannels(loc, in->channels,
                           timesGroups(filter->outer, attrs.groups))))
    return failure();
  VolumeDims out = *in;
  out.channels = timesGroups(filter->channels, attrs.groups);
  if (Value like = adaptor.getOutputShapeLike()) {
    out.spatial.assign(3, ShapedType::kDynamic);
    if (RankedTensorType likeType = getRanked(like.getType())) {
      FailureOr<VolumeDims> dims = getInputDims(loc, attrs, likeType);
      if (failed(dims))
        return failure();
      out.spatial = dims->spatial;
    }
  } else {
    for (auto [i, dim] : llvm::enumerate(out.spatial)) {
      FailureOr<int64_t> size = transposedOutputDim(
          loc, kDimNames[i], dim, filter->spatial[i], attrs.pads[i],
          attrs.strides[i], attrs.dilations[i]);
      if (failed(size))
        return failure();
      dim = *size;
    }
  }
  types.push_back(
      RankedTensorType::get(encodeVolume(attrs.layout, out), *element));
  return success();
}
