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
  int64_t groups = shape.front();
  if (attrs.groupFilter)
    shape = shape.drop_front();
  VolumeDims filter = decodeVolume(attrs.layout, shape);
  if (failed(splitGroups(loc, attrs, groups, filter.outer)))
    return failure();
  return filter;
}

/// Shared by the 3-D convolutions. `getOutput` makes the logical dims of the
/// result from those of input and filter.
template <typename Adaptor>
static LogicalResult inferVolume(
    std::optional<Location> loc, Adaptor adaptor,
    function_ref<FailureOr<VolumeDims>(const ConvAttrs &, const VolumeDims &,
                                       const VolumeDims &)>
        getOutput,
    SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/3)))
    return failure();
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  FailureOr<VolumeDims> in = getInputDims(loc, attrs, operands->input);
  FailureOr<VolumeDims> filter = getFilterDims3D(loc, attrs, operands->filter);
  if (failed(in) || failed(filter))
    return failure();
  FailureOr<VolumeDims> out = getOutput(attrs, *in, *filter);
  if (failed(out))
    return failure();
  types.push_back(
      RankedTensorType::get(encodeVolume(attrs.layout, *out), *element));
  return success();
}

/// windowOutputDim or transposedOutputDim.
using SizeFn = FailureOr<int64_t> (*)(std::optional<Location>, StringRef,
                                      int64_t, int64_t, int64_t, int64_t,
                                      int64_t);

/// Applies `getSize` to every spatial dim of `volume`.
static LogicalResult resizeVolume(std::optional<Location> loc,
                                  const ConvAttrs &attrs,
                                  const VolumeDims &filter, SizeFn getSize,
                                  VolumeDims &volume) {
  for (auto [i, dim] : llvm::enumerate(volume.spatial)) {
    FailureOr<int64_t> size =
        getSize(loc, kDimNames[i], dim, filter.spatial[i], attrs.pads[i],
                attrs.strides[i], attrs.dilations[i]);
    if (failed(size))
      return failure();
    dim = *size;
  }
  return success();
}

LogicalResult Conv3DOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Conv3DOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  auto getOutput = [&](const ConvAttrs &attrs, const VolumeDims &in,
                       const VolumeDims &filter) -> FailureOr<VolumeDims> {
    VolumeDims out = in;
    out.channels = timesGroups(filter.outer, attrs.groups);
    if (failed(checkInputChannels(
            loc, in.channels, timesGroups(filter.channels, attrs.groups))) ||
        failed(resizeVolume(loc, attrs, filter, windowOutputDim, out)))
      return failure();
    return out;
  };
  return inferVolume(loc, adaptor, getOutput, types);
}

LogicalResult ConvTranspose3DOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    ConvTranspose3DOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  auto getOutput = [&](const ConvAttrs &attrs, const VolumeDims &in,
                       const VolumeDims &filter) -> FailureOr<VolumeDims> {
    VolumeDims out = in;
    out.channels = timesGroups(filter.channels, attrs.groups);
    if (failed(checkInputChannels(loc, in.channels,
                                  timesGroups(filter.outer, attrs.groups))))
      return failure();
    Value like = adaptor.getOutputShapeLike();
    if (!like) {
      if (failed(resizeVolume(loc, attrs, filter, transposedOutputDim, out)))
        return failure();
      return out;
    }
    out.spatial.assign(3, ShapedType::kDynamic);
    if (RankedTensorType likeType = getRanked(like.getType())) {
      FailureOr<VolumeDims> dims = getInputDims(loc, attrs, likeType);
      if (failed(dims))
        return failure();
      out.spatial = dims->spatial;
    }
    return out;
  };
  return inferVolume(loc, adaptor, getOutput, types);
}
