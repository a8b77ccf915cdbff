//===- NNImageOps.cpp - Image ops -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNImageOps.cpp.inc"

void NNDialect::registerImageOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNImageOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

/// The image dims of `shape` in a layout of 2-D images that is not a pair.
static FailureOr<ActivationDims> decodeImage(std::optional<Location> loc,
                                             Layout layout,
                                             ArrayRef<int64_t> shape) {
  if (layout == Layout::NCDHW || layout == Layout::NDHWC ||
      getInputLayout(layout) != getOutputLayout(layout))
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " is not one of images");
  return decodeActivation(loc, getInputLayout(layout), shape);
}

/// Checks a batch of `rows` x 3 matrices. Returns their number.
static FailureOr<int64_t> getMatrixCount(std::optional<Location> loc, Type type,
                                         int64_t rows) {
  RankedTensorType ranked = getRanked(type);
  if (!ranked)
    return ShapedType::kDynamic;
  if (ranked.getRank() != 3 || dimsDiffer(ranked.getDimSize(1), rows) ||
      dimsDiffer(ranked.getDimSize(2), 3))
    return emitOptionalError(loc, "'matrix' must hold ", rows,
                             " x 3 matrices, got ", type);
  return ranked.getDimSize(0);
}

static int64_t addDims(int64_t lhs, int64_t rhs) {
  int64_t sum;
  if (ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs) ||
      llvm::AddOverflow(lhs, rhs, sum))
    return ShapedType::kDynamic;
  return sum;
}

//===----------------------------------------------------------------------===//
// Resize
//===----------------------------------------------------------------------===//

LogicalResult Resize2DOp::inferTypes(std::optional<Location> loc,
                                     Adaptor adaptor, KnownValues values,
                                     SmallVectorImpl<Type> &types) {
  if (adaptor.getCoordinates() != Coordinates::half_pixel &&
      adaptor.getMode() != Interpolation::linear &&
      adaptor.getMode() != Interpolation::nearest)
    return emitOptionalError(
        loc, "mode ", stringifyInterpolation(adaptor.getMode()),
        " has no coordinates ", stringifyCoordinates(adaptor.getCoordinates()));
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 2, /*min=*/0, values);
  if (failed(size))
    return failure();
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (!input) {
    types.push_back(type);
    return success();
  }
  FailureOr<ActivationDims> dims =
      decodeImage(loc, adaptor.getLayout(), input.getShape());
  if (failed(dims))
    return failure();
  dims->h = (*size)[0];
  dims->w = (*size)[1];
  types.push_back(RankedTensorType::get(
      encodeActivation(getInputLayout(adaptor.getLayout()), *dims),
      input.getElementType()));
  return success();
}

LogicalResult Resize3DOp::inferTypes(std::optional<Location> loc,
                                     Adaptor adaptor, KnownValues values,
                                     SmallVectorImpl<Type> &types) {
  Layout layout = adaptor.getLayout();
  if (layout != Layout::NCDHW && layout != Layout::NDHWC)
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " is not one of volumes");
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 3, /*min=*/0, values);
  if (failed(size))
    return failure();
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (!input) {
    types.push_back(type);
    return success();
  }
  if (input.getRank() != 5)
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " needs a tensor of rank 5, got rank ",
                             input.getRank());
  SmallVector<int64_t> shape(input.getShape());
  llvm::copy(*size, shape.begin() + (layout == Layout::NCDHW ? 2 : 1));
  types.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

/// The dims of a batch that `inputs` hold together; nullopt when no input is
/// ranked.
static FailureOr<std::optional<ActivationDims>>
concatImages(std::optional<Location> loc, ValueRange inputs, Layout layout) {
  if (inputs.empty())
    return emitOptionalError(loc, "needs one input or more");
  std::optional<ActivationDims> all;
  Type element = nn::getElementType(inputs.front().getType());
  int64_t batch = 0;
  for (Value input : inputs) {
    Type other = nn::getElementType(input.getType());
    if (other != element && !isUnknown(other) && !isUnknown(element))
      return emitOptionalError(loc, "input element types differ: ", element,
                               " and ", other);
    RankedTensorType type = getRanked(input.getType());
    if (!type) {
      batch = ShapedType::kDynamic;
      continue;
    }
    FailureOr<ActivationDims> dims = decodeImage(loc, layout, type.getShape());
    if (failed(dims))
      return failure();
    batch = addDims(batch, dims->n);
    if (!all) {
      all = *dims;
      continue;
    }
    if (dimsDiffer(all->c, dims->c) || dimsDiffer(all->h, dims->h) ||
        dimsDiffer(all->w, dims->w))
      return emitOptionalError(loc, "inputs must be images of one size, got ",
                               inputs.front().getType(), " and ", type);
    if (ShapedType::isDynamic(all->c))
      all->c = dims->c;
  }
  if (all)
    all->n = batch;
  return all;
}

static LogicalResult inferWarp(std::optional<Location> loc, ValueRange inputs,
                               Layout layout, int64_t numMatrices,
                               bool isIndexed, ArrayRef<int64_t> size,
                               SmallVectorImpl<Type> &types) {
  auto images = concatImages(loc, inputs, layout);
  if (failed(images))
    return failure();
  Type element = nn::getElementType(inputs.front().getType());
  if (!*images) {
    types.push_back(UnrankedTensorType::get(element));
    return success();
  }
  ActivationDims dims = **images;
  if (!isIndexed && dimsDiffer(dims.n, numMatrices))
    return emitOptionalError(loc, "there are ", numMatrices, " matrices for ",
                             dims.n, " images");
  if (isIndexed || !ShapedType::isDynamic(numMatrices))
    dims.n = numMatrices;
  dims.h = size[0];
  dims.w = size[1];
  types.push_back(RankedTensorType::get(
      encodeActivation(getInputLayout(layout), dims), element));
  return success();
}

LogicalResult WarpPerspectiveOp::inferTypes(std::optional<Location> loc,
                                            Adaptor adaptor, KnownValues values,
                                            SmallVectorImpl<Type> &types) {
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 2, /*min=*/0, values);
  FailureOr<int64_t> count =
      getMatrixCount(loc, adaptor.getMatrix().getType(), 3);
  if (failed(size) || failed(count))
    return failure();
  if (Value index = adaptor.getMatrixIndex()) {
    Type element = nn::getElementType(index.getType());
    RankedTensorType type = getRanked(index.getType());
    if ((!element.isSignlessInteger(32) && !isUnknown(element)) ||
        (type &&
         (type.getRank() != 1 || dimsDiffer(type.getDimSize(0), *count))))
      return emitOptionalError(
          loc, "'matrix_index' must have one i32 per matrix, got ",
          index.getType());
    if (type && ShapedType::isDynamic(*count))
      count = type.getDimSize(0);
  }
  return inferWarp(loc, adaptor.getInputs(), adaptor.getLayout(), *count,
                   static_cast<bool>(adaptor.getMatrixIndex()), *size, types);
}

LogicalResult WarpAffineOp::inferTypes(std::optional<Location> loc,
                                       Adaptor adaptor, KnownValues values,
                                       SmallVectorImpl<Type> &types) {
  auto size =
      readOutputSize(loc, adaptor.getOutputSize(), 2, /*min=*/0, values);
  FailureOr<int64_t> count =
      getMatrixCount(loc, adaptor.getMatrix().getType(), 2);
  if (failed(size) || failed(count))
    return failure();
  return inferWarp(loc, adaptor.getInput(), adaptor.getLayout(), *count,
                   /*isIndexed=*/false, *size, types);
}

LogicalResult RemapOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        RemapOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  RankedTensorType map = getRanked(adaptor.getMap().getType());
  if (map && (map.getRank() != 4 || dimsDiffer(map.getDimSize(3), 2)))
    return emitOptionalError(loc, "'map' must be of shape N,OH,OW,2, got ",
                             map);
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (!input) {
    types.push_back(type);
    return success();
  }
  Layout layout = adaptor.getLayout();
  FailureOr<ActivationDims> dims = decodeImage(loc, layout, input.getShape());
  if (failed(dims))
    return failure();
  if (map && dimsDiffer(map.getDimSize(0), dims->n))
    return emitOptionalError(loc, "'map' is for ", map.getDimSize(0),
                             " images, the input has ", dims->n);
  if (map && ShapedType::isDynamic(dims->n))
    dims->n = map.getDimSize(0);
  dims->h = map ? map.getDimSize(1) : ShapedType::kDynamic;
  dims->w = map ? map.getDimSize(2) : ShapedType::kDynamic;
  types.push_back(RankedTensorType::get(
      encodeActivation(getInputLayout(layout), *dims), input.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Ops on NHWC images
//===----------------------------------------------------------------------===//

/// Checks an NHWC image with one of `channels`; does nothing when unranked.
static LogicalResult checkImage(std::optional<Location> loc, Type type,
                                ArrayRef<int64_t> channels) {
  RankedTensorType ranked = getRanked(type);
  if (!ranked)
    return success();
  if (ranked.getRank() != 4)
    return emitOptionalError(loc, "input must have rank 4, got rank ",
                             ranked.getRank());
  int64_t count = ranked.getDimSize(3);
  if (ShapedType::isDynamic(count) || llvm::is_contained(channels, count))
    return success();
  if (channels.size() == 1)
    return emitOptionalError(loc, "input must have ", channels[0],
                             " channels, got ", count);
  return emitOptionalError(loc, "input must have ", channels[0], " or ",
                           channels[1], " channels, got ", count);
}

LogicalResult RotateOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         RotateOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  if (failed(checkImage(loc, type, {1, 3})))
    return failure();
  if (RankedTensorType ranked = getRanked(type)) {
    SmallVector<int64_t> shape(ranked.getShape());
    std::swap(shape[1], shape[2]);
    type = RankedTensorType::get(shape, ranked.getElementType());
  }
  types.push_back(type);
  return success();
}

LogicalResult FlipOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       FlipOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInput().getType());
  return checkImage(loc, adaptor.getInput().getType(), {1, 3});
}

OpFoldResult FlipOp::fold(FoldAdaptor) {
  if (getVertical() || getHorizontal() ||
      getInput().getType() != getResult().getType())
    return {};
  return getInput();
}

LogicalResult GaussianBlurOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> loc,
                                               GaussianBlurOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  for (auto [name, size] :
       {std::make_pair("kernel_height", adaptor.getKernelHeight()),
        std::make_pair("kernel_width", adaptor.getKernelWidth())}) {
    if (failed(checkValue(loc, name, size, /*min=*/0)))
      return failure();
    if (size != 0 && size % 2 == 0)
      return emitOptionalError(loc, "'", name, "' must be odd, got ", size);
  }
  types.push_back(adaptor.getInput().getType());
  return checkImage(loc, adaptor.getInput().getType(), {1, 3});
}

namespace {

/// What a colour conversion does to shapes.
struct ConversionShape {
  int64_t inputChannels, outputChannels;
  /// A planar 4:2:0 input must have a height divisible by this; 0 if packed.
  int64_t heightUnit;
};

} // namespace

static ConversionShape getConversionShape(ColorConversion mode) {
  switch (mode) {
  case ColorConversion::RGB2GRAY:
  case ColorConversion::BGR2GRAY:
    return {3, 1, 0};
  case ColorConversion::RGB2YUV:
  case ColorConversion::YUV2RGB:
  case ColorConversion::RGB2BGR:
  case ColorConversion::BGR2RGB:
    return {3, 3, 0};
  case ColorConversion::GRAY2RGB:
    return {1, 3, 0};
  case ColorConversion::RGBA2RGB:
  case ColorConversion::RGBA2BGR:
    return {4, 3, 0};
  case ColorConversion::RGBA2GRAY:
    return {4, 1, 0};
  case ColorConversion::YUV2GRAY_NV21:
  case ColorConversion::YUV2GRAY_NV12:
    return {1, 1, 3};
  case ColorConversion::YUV2GRAY_YV12:
  case ColorConversion::YUV2GRAY_YU12:
    return {1, 1, 6};
  case ColorConversion::YUV2RGB_YV12:
  case ColorConversion::YUV2BGR_YV12:
  case ColorConversion::YUV2RGB_YU12:
  case ColorConversion::YUV2BGR_YU12:
  case ColorConversion::BT601_YUV2RGB_YV12:
  case ColorConversion::BT601_YUV2BGR_YV12:
  case ColorConversion::BT601_YUV2RGB_YU12:
  case ColorConversion::BT601_YUV2BGR_YU12:
    return {1, 3, 6};
  default: // The NV12 and NV21 ones.
    return {1, 3, 3};
  }
}

LogicalResult CvtColorOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           CvtColorOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  ConversionShape conversion = getConversionShape(adaptor.getMode());
  if (failed(checkImage(loc, type, conversion.inputChannels)))
    return failure();
  RankedTensorType ranked = getRanked(type);
  if (!ranked) {
    types.push_back(type);
    return success();
  }
  SmallVector<int64_t> shape(ranked.getShape());
  if (int64_t unit = conversion.heightUnit) {
    if (!ShapedType::isDynamic(shape[1])) {
      if (shape[1] % unit)
        return emitOptionalError(loc, "the height of planar YUV must be a ",
                                 "multiple of ", unit, ", got ", shape[1]);
      shape[1] = shape[1] / 3 * 2;
    }
    if (!ShapedType::isDynamic(shape[2]) && shape[2] % 2)
      return emitOptionalError(
          loc, "the width of planar YUV must be even, got ", shape[2]);
  }
  shape[3] = conversion.outputChannels;
  types.push_back(RankedTensorType::get(shape, ranked.getElementType()));
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Output channels of a DCT: the number of mask values or C*b*b.
static FailureOr<int64_t> getDctChannels(std::optional<Location> loc,
                                         DctChannelSelectOp::Adaptor adaptor,
                                         int64_t channels, int64_t block) {
  Value offset = adaptor.getMaskOffset(), values = adaptor.getMaskValues();
  if (!offset != !values)
    return emitOptionalError(loc, "needs both masks or none");
  if (offset) {
    RankedTensorType offsetType = getRanked(offset.getType());
    RankedTensorType valuesType = getRanked(values.getType());
    for (RankedTensorType type : {offsetType, valuesType})
      if (type && type.getRank() != 1)
        return emitOptionalError(loc, "masks must have rank 1, got ", type);
    if (!offsetType || offsetType.isDynamicDim(0))
      return ShapedType::kDynamic;
    if (offsetType.getDimSize(0) == 1)
      return emitOptionalError(
          loc, "'mask_offset' must be empty or have 2 elements or more, got 1");
    if (offsetType.getDimSize(0) != 0)
      return valuesType ? valuesType.getDimSize(0) : ShapedType::kDynamic;
  }
  std::optional<int64_t> all = multiplyDims({channels, block, block});
  if (!all)
    return emitOptionalError(loc, "the number of channels overflows");
  return *all;
}

LogicalResult DctChannelSelectOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    DctChannelSelectOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getInput().getType());
  if (!element.isUnsignedInteger(8) && !isUnknown(element))
    return emitOptionalError(loc, "needs ui8 elements, got ", element);
  Type outElement = adaptor.getOutType().value_or(Float32Type::get(context));
  if (!outElement.isF32() && !isQuantized(outElement))
    return emitOptionalError(loc, "'out_type' must be f32 or quantized, got ",
                             outElement);
  int64_t block = adaptor.getBlockSize();
  if (block < 1 || block > INT32_MAX)
    return emitOptionalError(loc, "'block_size' must be in [1, 2147483647], ",
                             "got ", block);
  Layout layout = adaptor.getLayout();
  if (layout != Layout::NCHW && layout != Layout::NCHW4)
    return emitOptionalError(loc, "layout must be NCHW or NCHW4, got ",
                             stringifyLayout(layout));
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  if (!input) {
    types.push_back(UnrankedTensorType::get(outElement));
    return success();
  }
  // The input is NCHW in either layout.
  FailureOr<ActivationDims> dims =
      decodeActivation(loc, Layout::NCHW, input.getShape());
  if (failed(dims))
    return failure();
  FailureOr<int64_t> channels = getDctChannels(loc, adaptor, dims->c, block);
  if (failed(channels))
    return failure();
  if (adaptor.getFix_32Mask() && dimsDiffer(*channels, 32))
    return emitOptionalError(loc, "'fix_32_mask' needs 32 output channels, ",
                             "got ", *channels);
  dims->c = *channels;
  if (layout == Layout::NCHW4 && !ShapedType::isDynamic(dims->c) && dims->c % 4)
    return emitOptionalError(loc, "layout NCHW4 needs a multiple of 4 output ",
                             "channels, got ", dims->c);
  for (int64_t *dim : {&dims->h, &dims->w}) {
    if (ShapedType::isDynamic(*dim))
      continue;
    if (*dim % block)
      return emitOptionalError(loc, "an image side of ", *dim,
                               " does not split into blocks of ", block);
    *dim /= block;
  }
  types.push_back(
      RankedTensorType::get(encodeActivation(layout, *dims), outElement));
  return success();
}

LogicalResult OpticalFlowOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              OpticalFlowOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  if (failed(checkValue(loc, "precision", adaptor.getPrecision(), /*min=*/0)))
    return failure();
  Type element = nn::getElementType(adaptor.getInput().getType());
  if (!element.isUnsignedInteger(8) && !isUnknown(element))
    return emitOptionalError(loc, "needs ui8 elements, got ", element);
  Type outElement = IntegerType::get(context, 16);
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  if (!input) {
    types.push_back(UnrankedTensorType::get(outElement));
    return success();
  }
  if (input.getRank() != 5 || dimsDiffer(input.getDimSize(4), 4))
    return emitOptionalError(loc, "input must be of shape N,T,H,W,4, got ",
                             input);
  SmallVector<int64_t> shape(input.getShape());
  if (shape[1] == 0)
    return emitOptionalError(loc, "there is no frame");
  if (!ShapedType::isDynamic(shape[1]))
    --shape[1];
  for (int64_t *dim : {&shape[2], &shape[3]})
    if (!ShapedType::isDynamic(*dim))
      *dim = *dim / 4 + (*dim % 4 != 0);
  shape[4] = 2;
  types.push_back(RankedTensorType::get(shape, outElement));
  return success();
}
