//===- NNConvVariantOps.cpp - Relatives of the 2-D convolution ------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvInference.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Checks a ranked operand's rank.
static LogicalResult checkRank(std::optional<Location> loc, StringRef name,
                               RankedTensorType type, int64_t rank) {
  if (!type || type.getRank() == rank)
    return success();
  return emitOptionalError(loc, "'", name, "' needs rank ", rank, ", got rank ",
                           type.getRank());
}

/// Checks a ranked operand's shape.
static LogicalResult checkShape(std::optional<Location> loc, StringRef name,
                                RankedTensorType type,
                                ArrayRef<int64_t> expected) {
  if (!type || succeeded(verifyCompatibleShape(type.getShape(), expected)))
    return success();
  return emitOptionalError(
      loc, "'", name, "' of type ", type, " has not the shape of ",
      RankedTensorType::get(expected, type.getElementType()));
}

LogicalResult BatchConv2DOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              BatchConv2DOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(loc, adaptor);
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  auto [input, filter] = *operands;
  if (filter.getRank() < 1)
    return emitOptionalError(loc, "the filter has no batch dim");
  FailureOr<ActivationDims> out = inferConv2DDims(
      loc, attrs, input.getShape(), filter.getShape().drop_front());
  if (failed(out))
    return failure();
  if (dimsDiffer(out->n, filter.getDimSize(0)))
    return emitOptionalError(loc, "input has ", out->n,
                             " batch entries, the filter ",
                             filter.getDimSize(0));
  return addConvResult(loc, adaptor, *out, *element, types);
}

LogicalResult DeformConv2DOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> loc,
                                               DeformConv2DOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  SmallVector<Type> operandTypes(adaptor.getOperands().getTypes());
  FailureOr<Type> element = inferFloatConvType(loc, operandTypes);
  ConvAttrs attrs = ConvAttrs::get(adaptor);
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  RankedTensorType filterType = getRanked(adaptor.getFilter().getType());
  RankedTensorType offset = getRanked(adaptor.getOffset().getType());
  RankedTensorType mask = getRanked(adaptor.getMask().getType());
  if (failed(checkRank(loc, "offset", offset, 4)) ||
      failed(checkRank(loc, "mask", mask, 4)))
    return failure();
  if (!input || !filterType) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<ActivationDims> out =
      inferConv2DDims(loc, attrs, input.getShape(), filterType.getShape());
  FailureOr<FilterDims> filter =
      getFilterDims(std::nullopt, attrs, filterType.getShape());
  if (failed(out) || failed(filter))
    return failure();

  // The number of deformable groups follows from the offsets or the mask.
  std::optional<int64_t> window = multiplyDims({filter->kh, filter->kw});
  if (!window || *window > INT32_MAX)
    return emitOptionalError(loc, "the filter's window is too large");
  int64_t taps = *window, deformGroups = ShapedType::kDynamic;
  auto takeGroups = [&](StringRef name, RankedTensorType type,
                        int64_t perTap) -> LogicalResult {
    if (!type || ShapedType::isDynamic(taps) || type.isDynamicDim(1))
      return success();
    int64_t channels = type.getDimSize(1), unit = perTap * taps;
    if (channels < 1 || channels % unit)
      return emitOptionalError(loc, "the ", channels, " channels of '", name,
                               "' are no multiple of ", unit,
                               " for a window of ", taps);
    if (dimsDiffer(deformGroups, channels / unit))
      return emitOptionalError(loc, "'offset' has ", deformGroups,
                               " deformable groups, 'mask' has ",
                               channels / unit);
    deformGroups = channels / unit;
    return success();
  };
  if (failed(takeGroups("offset", offset, 2)) ||
      failed(takeGroups("mask", mask, 1)))
    return failure();
  if (!ShapedType::isDynamic(deformGroups))
    for (int64_t channels : {input.getDimSize(1), out->c})
      if (!ShapedType::isDynamic(channels) && channels % deformGroups)
        return emitOptionalError(loc, channels, " channels do not split into ",
                                 deformGroups, " deformable groups");
  auto checkSize = [&](StringRef name, RankedTensorType type) {
    return type ? checkShape(loc, name, type,
                             {out->n, type.getDimSize(1), out->h, out->w})
                : success();
  };
  if (failed(checkSize("offset", offset)) || failed(checkSize("mask", mask)))
    return failure();
  types.push_back(
      RankedTensorType::get({out->n, out->c, out->h, out->w}, *element));
  return success();
}

LogicalResult RegionConv2DOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> loc,
                                               RegionConv2DOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  ConvAttrs attrs = ConvAttrs::get(adaptor);
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  Type inIds = nn::getElementType(adaptor.getRegionIn().getType());
  Type outIds = nn::getElementType(adaptor.getRegionOut().getType());
  for (Type ids : {inIds, outIds})
    if (!isUnknown(ids) && !ids.isSignlessInteger(32) &&
        !ids.isUnsignedInteger(8))
      return emitOptionalError(loc, "regions must be i32 or ui8, got ", ids);
  if (!isUnknown(inIds) && !isUnknown(outIds) && inIds != outIds)
    return emitOptionalError(loc, "region element types differ: ", inIds,
                             " and ", outIds);
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  auto [input, filter] = *operands;
  FailureOr<ActivationDims> out =
      inferConv2DDims(loc, attrs, input.getShape(), filter.getShape());
  if (failed(out) ||
      failed(checkShape(loc, "region_in",
                        getRanked(adaptor.getRegionIn().getType()),
                        {out->n, input.getDimSize(2), input.getDimSize(3)})) ||
      failed(checkShape(loc, "region_out",
                        getRanked(adaptor.getRegionOut().getType()),
                        {out->n, out->h, out->w})))
    return failure();
  types.push_back(
      RankedTensorType::get({out->n, out->c, out->h, out->w}, *element));
  return success();
}

LogicalResult MaskConv2DOp::inferReturnTypes(MLIRContext *context,
                                             std::optional<Location> loc,
                                             MaskConv2DOp::Adaptor adaptor,
                                             SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferAccumulatorType(loc, adaptor);
  ConvAttrs attrs = ConvAttrs::get(adaptor, adaptor.getLayout());
  if (failed(element) || failed(attrs.verify(loc, /*spatialRank=*/2)))
    return failure();
  Type maskElement = nn::getElementType(adaptor.getMask().getType());
  if (!isUnknown(maskElement) && !maskElement.isSignlessInteger(8) &&
      !maskElement.isSignlessInteger(16) && !maskElement.isSignlessInteger(32))
    return emitOptionalError(loc, "the mask must be i8, i16 or i32, got ",
                             maskElement);
  auto operands = getRankedOperands(adaptor, *element, types);
  if (!operands)
    return success();
  auto [input, filter] = *operands;
  FailureOr<ActivationDims> out =
      inferConv2DDims(loc, attrs, input.getShape(), filter.getShape());
  if (failed(out) ||
      failed(checkShape(loc, "mask", getRanked(adaptor.getMask().getType()),
                        {out->h, out->w})))
    return failure();
  types.push_back(RankedTensorType::get(
      encodeActivation(getOutputLayout(attrs.layout), *out), *element));
  return success();
}

/// Checks the attributes of a sliding window.
static LogicalResult checkWindow(std::optional<Location> loc,
                                 ArrayRef<int64_t> kernel,
                                 ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> pads,
                                 ArrayRef<int64_t> dilations) {
  return success(succeeded(checkValues(loc, "kernel", kernel, 2, 1)) &&
                 succeeded(checkValues(loc, "strides", strides, 2, 1)) &&
                 succeeded(checkValues(loc, "pads", pads, 2, 0)) &&
                 succeeded(checkValues(loc, "dilations", dilations, 2, 1)));
}

/// Positions of a window in height and width.
static FailureOr<SmallVector<int64_t, 2>>
countPositions(std::optional<Location> loc, int64_t height, int64_t width,
               ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
               ArrayRef<int64_t> pads, ArrayRef<int64_t> dilations) {
  FailureOr<int64_t> h = windowOutputDim(loc, "height", height, kernel[0],
                                         pads[0], strides[0], dilations[0]);
  FailureOr<int64_t> w = windowOutputDim(loc, "width", width, kernel[1],
                                         pads[1], strides[1], dilations[1]);
  if (failed(h) || failed(w))
    return failure();
  return SmallVector<int64_t, 2>{*h, *w};
}

LogicalResult MaskPropagateOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    MaskPropagateOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getInput().getType());
  if (!isUnknown(element) && !isa<IntegerType>(element))
    return emitOptionalError(loc, "the mask must be an integer, got ", element);
  if (failed(checkWindow(loc, adaptor.getKernel(), adaptor.getStrides(),
                         adaptor.getPads(), adaptor.getDilations())))
    return failure();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  if (!input) {
    types.push_back(RankedTensorType::get(
        {ShapedType::kDynamic, ShapedType::kDynamic}, element));
    return success();
  }
  if (failed(checkRank(loc, "input", input, 2)))
    return failure();
  auto size = countPositions(loc, input.getDimSize(0), input.getDimSize(1),
                             adaptor.getKernel(), adaptor.getStrides(),
                             adaptor.getPads(), adaptor.getDilations());
  if (failed(size))
    return failure();
  types.push_back(RankedTensorType::get(*size, element));
  return success();
}

namespace {
/// The result of a local convolution, and the numbers of filters per dim.
struct LocalResult {
  SmallVector<int64_t> shape;
  int64_t filtersH, filtersW;
};
} // namespace

/// Shared by the local convolutions, whose filter is
/// `[G,]POS,POS,IC,FH,FW,OC`. Nullopt, after appending an unranked result,
/// when an operand is not ranked.
template <typename Adaptor>
static FailureOr<std::optional<LocalResult>>
inferLocal(std::optional<Location> loc, Adaptor adaptor, Type element,
           SmallVectorImpl<Type> &types) {
  ArrayRef<int64_t> strides = adaptor.getStrides(), pads = adaptor.getPads();
  if (failed(checkValues(loc, "strides", strides, 2, 1)) ||
      failed(checkValues(loc, "pads", pads, 2, 0)))
    return failure();
  auto operands = getRankedOperands(adaptor, element, types);
  if (!operands)
    return std::optional<LocalResult>();
  RankedTensorType input = operands->input;
  ArrayRef<int64_t> filter = operands->filter.getShape();
  if (failed(checkRank(loc, "input", input, 4)))
    return failure();
  bool grouped = adaptor.getGroupFilter();
  size_t rank = grouped ? 7 : 6;
  if (filter.size() != rank)
    return emitOptionalError(loc, "a ", grouped ? "grouped" : "dense",
                             " filter needs rank ", rank, ", got rank ",
                             filter.size());
  int64_t groups = grouped ? filter.front() : 1;
  filter = filter.take_back(6);
  FailureOr<int64_t> h = windowOutputDim(loc, "height", input.getDimSize(2),
                                         filter[3], pads[0], strides[0], 1);
  FailureOr<int64_t> w = windowOutputDim(loc, "width", input.getDimSize(3),
                                         filter[4], pads[1], strides[1], 1);
  if (failed(checkInputChannels(loc, input.getDimSize(1),
                                timesGroups(filter[2], groups))) ||
      failed(h) || failed(w))
    return failure();
  LocalResult result = {
      {input.getDimSize(0), timesGroups(filter[5], groups), *h, *w},
      filter[0],
      filter[1]};
  types.push_back(RankedTensorType::get(result.shape, element));
  return std::optional<LocalResult>(std::move(result));
}

LogicalResult LocalConv2DOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              LocalConv2DOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  if (failed(element))
    return failure();
  auto result = inferLocal(loc, adaptor, *element, types);
  if (failed(result) || !*result)
    return result;
  const LocalResult &local = **result;
  if (dimsDiffer(local.filtersH, local.shape[2]) ||
      dimsDiffer(local.filtersW, local.shape[3]))
    return emitOptionalError(loc, "the filter is for ", local.filtersH, "x",
                             local.filtersW, " positions, the result has ",
                             local.shape[2], "x", local.shape[3]);
  return success();
}

LogicalResult LocalShareConv2DOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    LocalShareConv2DOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getInput().getType(), adaptor.getFilter().getType()});
  ArrayRef<int64_t> tiles = adaptor.getSpatialGroups();
  if (failed(element) ||
      failed(checkValues(loc, "spatial_groups", tiles, 2, 1)))
    return failure();
  if (!isUnknown(*element) && !element->isF32())
    return emitOptionalError(loc, "operands must be f32, got ", *element);
  auto result = inferLocal(loc, adaptor, *element, types);
  if (failed(result) || !*result)
    return result;
  const LocalResult &local = **result;
  if (dimsDiffer(local.filtersH, tiles[0]) ||
      dimsDiffer(local.filtersW, tiles[1]))
    return emitOptionalError(loc, "the filter is for ", local.filtersH, "x",
                             local.filtersW, " tiles, 'spatial_groups' says ",
                             tiles[0], "x", tiles[1]);
  for (auto [tile, size] :
       llvm::zip_equal(tiles, ArrayRef(local.shape).take_back(2)))
    if (!ShapedType::isDynamic(size) && size % tile)
      return emitOptionalError(loc, "an output size of ", size,
                               " does not split into ", tile, " tiles");
  return success();
}

LogicalResult Im2ColOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Im2ColOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getInput().getType());
  ArrayRef<int64_t> kernel = adaptor.getKernel();
  if (failed(checkWindow(loc, kernel, adaptor.getStrides(), adaptor.getPads(),
                         adaptor.getDilations())))
    return failure();
  SmallVector<int64_t> shape(4, ShapedType::kDynamic);
  if (RankedTensorType input = getRanked(adaptor.getInput().getType())) {
    if (failed(checkRank(loc, "input", input, 4)))
      return failure();
    auto size = countPositions(loc, input.getDimSize(2), input.getDimSize(3),
                               kernel, adaptor.getStrides(), adaptor.getPads(),
                               adaptor.getDilations());
    if (failed(size))
      return failure();
    shape = {input.getDimSize(0), input.getDimSize(1), (*size)[0], (*size)[1]};
  }
  shape.append(kernel.begin(), kernel.end());
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult Col2ImOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         Col2ImOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getInput().getType());
  ArrayRef<int64_t> kernel = adaptor.getKernel();
  ArrayRef<int64_t> outputSize = adaptor.getOutputSize();
  if (failed(checkValues(loc, "output_size", outputSize, 2, 1)) ||
      failed(checkWindow(loc, kernel, adaptor.getStrides(), adaptor.getPads(),
                         adaptor.getDilations())))
    return failure();
  auto size = countPositions(loc, outputSize[0], outputSize[1], kernel,
                             adaptor.getStrides(), adaptor.getPads(),
                             adaptor.getDilations());
  if (failed(size))
    return failure();
  SmallVector<int64_t> shape(2, ShapedType::kDynamic);
  if (RankedTensorType input = getRanked(adaptor.getInput().getType())) {
    if (failed(checkRank(loc, "input", input, 6)) ||
        failed(checkShape(loc, "input", input,
                          {input.getDimSize(0), input.getDimSize(1), (*size)[0],
                           (*size)[1], kernel[0], kernel[1]})))
      return failure();
    shape = {input.getDimSize(0), input.getDimSize(1)};
  }
  shape.append(outputSize.begin(), outputSize.end());
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

LogicalResult CorrelationOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              CorrelationOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferFloatConvType(
      loc, {adaptor.getLhs().getType(), adaptor.getRhs().getType()});
  int64_t kernel = adaptor.getKernelSize(), pad = adaptor.getPad();
  int64_t reach = adaptor.getMaxDisplacement();
  int64_t stride1 = adaptor.getStride1(), stride2 = adaptor.getStride2();
  if (failed(element) || failed(checkValue(loc, "kernel_size", kernel, 1)) ||
      failed(checkValue(loc, "max_displacement", reach, 0)) ||
      failed(checkValue(loc, "stride1", stride1, 1)) ||
      failed(checkValue(loc, "stride2", stride2, 1)) ||
      failed(checkValue(loc, "pad", pad, 0)))
    return failure();
  RankedTensorType lhs = getRanked(adaptor.getLhs().getType());
  RankedTensorType rhs = getRanked(adaptor.getRhs().getType());
  if (failed(checkRank(loc, "lhs", lhs, 4)) ||
      failed(checkRank(loc, "rhs", rhs, 4)))
    return failure();
  if (lhs && rhs &&
      failed(verifyCompatibleShape(lhs.getShape(), rhs.getShape())))
    return emitOptionalError(loc, "operand shapes differ: ", lhs, " and ", rhs);
  int64_t width = 2 * (reach / stride2) + 1;
  std::optional<int64_t> channels = multiplyDims({width, width});
  if (!channels)
    return emitOptionalError(loc, "the number of displacements overflows");
  SmallVector<int64_t> shape(4, ShapedType::kDynamic);
  shape[1] = *channels;
  if (RankedTensorType type = lhs ? lhs : rhs) {
    shape[0] = type.getDimSize(0);
    int64_t border = reach + (kernel - 1) / 2;
    for (unsigned i : {2, 3}) {
      if (type.isDynamicDim(i))
        continue;
      int64_t inner;
      if (llvm::AddOverflow(
              type.getDimSize(i),
              2 * (static_cast<int64_t>(adaptor.getPad()) - border), inner) ||
          inner < 1)
        return emitOptionalError(loc, i == 2 ? "height" : "width",
                                 ": displacements and kernel leave nothing of ",
                                 type.getDimSize(i), " elements");
      shape[i] = (inner - 1) / static_cast<int64_t>(adaptor.getStride1()) + 1;
    }
  }
  types.push_back(RankedTensorType::get(shape, *element));
  return success();
}
