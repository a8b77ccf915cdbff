//===- DetectionOps.cpp - GE ops on boxes ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only those whose formula is public: Caffe's prior boxes and RoI pooling, and
// TensorFlow's crop-and-resize. How the format decodes, clips and suppresses
// boxes is not settled; those ops stay foreign.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// PriorBox
//===----------------------------------------------------------------------===//

namespace {
struct PriorBoxes {
  /// Widths and heights of the boxes of a cell, in pixels.
  SmallVector<std::pair<float, float>> sizes;
  SmallVector<float> variances;
  float stepH, stepW, offset;
  float imageH, imageW;
  int64_t height, width;
  bool clips;
};
} // namespace

/// Caffe's ratios: 1, then each new one and, with `flip`, its inverse.
static SmallVector<float> listRatios(ArrayRef<float> given, bool flips) {
  SmallVector<float> ratios{1.0f};
  for (float ratio : given) {
    if (llvm::any_of(ratios, [&](float known) {
          return std::abs(known - ratio) < 1e-6f;
        }))
      continue;
    ratios.push_back(ratio);
    if (flips)
      ratios.push_back(1.0f / ratio);
  }
  return ratios;
}

static FailureOr<PriorBoxes> readPriorBoxes(OpImporter &imp) {
  FailureOr<SmallVector<float>> minSizes = imp.getFloats("min_size", {});
  FailureOr<SmallVector<float>> maxSizes = imp.getFloats("max_size", {});
  FailureOr<SmallVector<float>> given = imp.getFloats("aspect_ratio", {});
  FailureOr<SmallVector<float>> variances = imp.getFloats("variance", {0.1f});
  FailureOr<bool> flip = imp.getBool("flip", true);
  FailureOr<bool> clip = imp.getBool("clip", false);
  FailureOr<float> stepH = imp.getFloat("step_h", 0.0f);
  FailureOr<float> stepW = imp.getFloat("step_w", 0.0f);
  FailureOr<float> offset = imp.getFloat("offset", 0.5f);
  FailureOr<int64_t> imageH = imp.getInt("img_h", 0);
  FailureOr<int64_t> imageW = imp.getInt("img_w", 0);
  if (failed(minSizes) || failed(maxSizes) || failed(given) ||
      failed(variances) || failed(flip) || failed(clip) || failed(stepH) ||
      failed(stepW) || failed(offset) || failed(imageH) || failed(imageW))
    return failure();
  auto isPositive = [](float value) { return value > 0.0f; };
  if (minSizes->empty() || !llvm::all_of(*minSizes, isPositive) ||
      !llvm::all_of(*maxSizes, isPositive) ||
      !llvm::all_of(*given, isPositive) ||
      (!maxSizes->empty() && maxSizes->size() != minSizes->size()))
    return imp.emitError() << "sizes and ratios must be positive, with no or "
                              "as many max_size as min_size";
  if (variances->size() != 1 && variances->size() != 4)
    return imp.emitError() << "has " << variances->size()
                           << " variances, expected 1 or 4";
  auto type = getStaticType(imp.getOperand(0));
  if (!type || type.getRank() != 4)
    return imp.decline("prior boxes of an unknown shape");
  if (*imageH <= 0 || *imageW <= 0) {
    auto image = imp.getOperand(1) ? getStaticType(imp.getOperand(1)) : nullptr;
    if (!image || image.getRank() != 4)
      return imp.decline("prior boxes of an image of unknown size");
    imageH = image.getDimSize(2);
    imageW = image.getDimSize(3);
  }
  PriorBoxes boxes;
  SmallVector<float> ratios = listRatios(*given, *flip);
  for (auto [k, size] : llvm::enumerate(*minSizes)) {
    boxes.sizes.push_back({size, size});
    if (!maxSizes->empty()) {
      float mixed = std::sqrt(size * (*maxSizes)[k]);
      boxes.sizes.push_back({mixed, mixed});
    }
    for (float ratio : ArrayRef(ratios).drop_front())
      boxes.sizes.push_back({size * std::sqrt(ratio), size / std::sqrt(ratio)});
  }
  boxes.variances = *variances;
  boxes.height = type.getDimSize(2);
  boxes.width = type.getDimSize(3);
  boxes.imageH = static_cast<float>(*imageH);
  boxes.imageW = static_cast<float>(*imageW);
  bool hasSteps = *stepH > 0.0f && *stepW > 0.0f;
  boxes.stepH =
      hasSteps ? *stepH : boxes.imageH / static_cast<float>(boxes.height);
  boxes.stepW =
      hasSteps ? *stepW : boxes.imageW / static_cast<float>(boxes.width);
  boxes.offset = *offset;
  boxes.clips = *clip;
  return boxes;
}

/// Caffe's PriorBox, a function of shapes and attributes: a row of corners
/// x0, y0, x1, y1 relative to the image, and a row of their variances.
static LogicalResult importPriorBox(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<PriorBoxes> boxes = readPriorBoxes(imp);
  if (failed(boxes))
    return failure();
  constexpr int64_t kMostBoxes = int64_t{1} << 22;
  auto perCell = static_cast<int64_t>(boxes->sizes.size());
  if (boxes->height == 0 || boxes->width == 0 ||
      boxes->height > kMostBoxes / boxes->width / perCell)
    return imp.decline("more prior boxes than fit a constant");
  SmallVector<float> values;
  for (int64_t y = 0; y < boxes->height; ++y)
    for (int64_t x = 0; x < boxes->width; ++x) {
      float centerX = (static_cast<float>(x) + boxes->offset) * boxes->stepW;
      float centerY = (static_cast<float>(y) + boxes->offset) * boxes->stepH;
      for (auto [width, height] : boxes->sizes)
        for (float corner : {(centerX - width / 2.0f) / boxes->imageW,
                             (centerY - height / 2.0f) / boxes->imageH,
                             (centerX + width / 2.0f) / boxes->imageW,
                             (centerY + height / 2.0f) / boxes->imageH})
          values.push_back(boxes->clips ? std::clamp(corner, 0.0f, 1.0f)
                                        : corner);
    }
  auto row = static_cast<int64_t>(values.size());
  for (int64_t k = 0; k < row; ++k)
    values.push_back(
        boxes->variances[boxes->variances.size() == 1 ? 0 : k % 4]);
  SmallVector<int64_t> shape{1, 2, row};
  // Some files give the result four dims.
  if (imp.op.output_desc_size() == 1 &&
      llvm::equal(imp.op.output_desc(0).shape().dim(),
                  SmallVector<int64_t>{1, 2, row, 1}))
    shape.push_back(1);
  Value constant = imp.createConstant(shape, values, imp.builder.getF32Type());
  // The op that stands for the OpDef; a constant would be a Const.
  return imp.create<nn::IdentityOp>({constant});
}

//===----------------------------------------------------------------------===//
// Regions of interest
//===----------------------------------------------------------------------===//

/// Caffe's ROIPooling on rows of batch index, x0, y0, x1, y1.
static LogicalResult importROIPooling(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<int64_t> height = imp.getInt("pooled_h", 0);
  FailureOr<int64_t> width = imp.getInt("pooled_w", 0);
  FailureOr<float> scaleH = imp.getFloat("spatial_scale_h", 1.0f);
  FailureOr<float> scaleW = imp.getFloat("spatial_scale_w", 1.0f);
  if (failed(height) || failed(width) || failed(scaleH) || failed(scaleW))
    return failure();
  if (*height <= 0 || *width <= 0 || *height > INT32_MAX || *width > INT32_MAX)
    return imp.emitError() << "the pooled size is out of range";
  auto rois = getStaticType(imp.getOperand(1));
  if (imp.getOperand(2) || *scaleH != *scaleW || !rois || rois.getRank() < 2 ||
      rois.getDimSize(1) != 5 ||
      rois.getNumElements() != rois.getDimSize(0) * 5)
    return imp.decline("regions that are not rows of 5, or with two scales");
  FailureOr<Value> rows =
      imp.createReshape(imp.getOperand(1), {rois.getDimSize(0), 5});
  if (failed(rows))
    return failure();
  nn::RoIPoolOp::Properties properties;
  properties.mode = nn::PoolModeAttr::get(imp.getContext(), nn::PoolMode::max);
  properties.spatial_scale = imp.f32(*scaleH);
  FailureOr<nn::RoIPoolOp> pool = imp.create<nn::RoIPoolOp>(
      {imp.getOperand(0), *rows, imp.createConstantInts({*height, *width})},
      properties);
  if (failed(pool))
    return failure();
  imp.setResults({Value(pool->getResult())});
  return success();
}

static LogicalResult exportRoIPool(OpExporter &exp) {
  auto op = cast<nn::RoIPoolOp>(exp.getSource());
  auto type = getStaticType(op.getResult());
  if (op.getMode() != nn::PoolMode::max || !op.getIndices().use_empty() ||
      !type)
    return exp.refuse("only maxima of a known size, without their indices, are "
                      "known to the format");
  exp.setType("ROIPooling");
  exp.addInput(op.getInput());
  exp.addInput(op.getRois());
  exp.setInt("pooled_h", type.getDimSize(2));
  exp.setInt("pooled_w", type.getDimSize(3));
  exp.setFloat("spatial_scale_h", op.getSpatialScale().convertToFloat());
  exp.setFloat("spatial_scale_w", op.getSpatialScale().convertToFloat());
  return success();
}

//===----------------------------------------------------------------------===//
// CropAndResize
//===----------------------------------------------------------------------===//

namespace {
/// Sample positions along an axis for each box, and 1 for those in the image.
struct Samples {
  Value positions, isInside;
};
} // namespace

/// Positions `low*(in - 1) + i*(high - low)*(in - 1)/(out - 1)`, or the middle
/// for one sample. The bounds are B x 1; the result is B x out.
static FailureOr<Samples> sampleAxis(OpImporter &imp, Value low, Value high,
                                     int64_t in, int64_t out) {
  Type f32 = imp.builder.getF32Type();
  auto last = static_cast<float>(in - 1);
  SmallVector<float> ofLow, ofHigh;
  for (int64_t i = 0; i < out; ++i) {
    float part =
        out == 1 ? 0.5f : static_cast<float>(i) / static_cast<float>(out - 1);
    ofLow.push_back((1.0f - part) * last);
    ofHigh.push_back(part * last);
  }
  FailureOr<Value> a =
      apply<nn::MulOp>(imp, {low, imp.createConstant({1, out}, ofLow, f32)});
  FailureOr<Value> b =
      apply<nn::MulOp>(imp, {high, imp.createConstant({1, out}, ofHigh, f32)});
  if (failed(a) || failed(b))
    return failure();
  FailureOr<Value> positions = apply<nn::AddOp>(imp, {*a, *b});
  if (failed(positions))
    return failure();
  FailureOr<Value> above = apply<nn::LessEqualOp>(
      imp, {createNumber(imp, *positions, 0.0f), *positions});
  FailureOr<Value> below = apply<nn::LessEqualOp>(
      imp, {*positions, createNumber(imp, *positions, last)});
  if (failed(above) || failed(below))
    return failure();
  // Comparisons give numbers.
  FailureOr<Value> isInside = apply<nn::MulOp>(imp, {*above, *below});
  if (failed(isInside))
    return failure();
  return Samples{*positions, *isInside};
}

static FailureOr<Value> createBroadcast(OpImporter &imp, Value value,
                                        ArrayRef<int64_t> shape) {
  FailureOr<nn::BroadcastToOp> op =
      imp.create<nn::BroadcastToOp>({value, imp.createConstantInts(shape)});
  if (failed(op))
    return failure();
  return Value(*op);
}

/// The images that the boxes name.
static FailureOr<Value> takeImages(OpImporter &imp, Value images,
                                   Value numbers) {
  nn::IndexOp::Properties properties;
  OpBuilder &builder = imp.builder;
  properties.axes = imp.i64s({0});
  properties.has_begin = properties.has_end = properties.has_step =
      builder.getDenseBoolArrayAttr({false});
  properties.has_index = builder.getDenseBoolArrayAttr({true});
  FailureOr<nn::IndexOp> op =
      imp.create<nn::IndexOp>({images, numbers}, properties);
  if (failed(op))
    return failure();
  return Value(*op);
}

/// TensorFlow's crop_and_resize: each box y0, x0, y1, x1 (relative to the
/// image, 1 being its last row or column) is sampled at `crop_size` places;
/// those outside of the image give `extrapolation_value`.
static LogicalResult importCropAndResize(OpImporter &imp) {
  if (failed(imp.expectOperands(4, 4)))
    return failure();
  FailureOr<float> outside = imp.getFloat("extrapolation_value", 0.0f);
  const proto::AttrDef *method = imp.find("method");
  // A number in versions before 5.
  bool isNearest =
      method && (method->has_s() ? method->s() == "nearest" : method->i() == 1);
  FailureOr<SmallVector<int64_t>> size = imp.expectKnownInts(3, "crop_size");
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(outside) || failed(size) || failed(nhwc))
    return failure();
  if (imp.isServerOp())
    nhwc = getDescriptorFormat(imp, 0) == "NHWC";
  auto type = getStaticType(imp.getOperand(0));
  auto boxes = getStaticType(imp.getOperand(1));
  if (!type || !boxes || type.getRank() != 4 ||
      !type.getElementType().isF32() || !boxes.getElementType().isF32())
    return imp.decline("crops of other than f32 images of known shape");
  auto fits = [](int64_t dim) { return dim > 0 && dim <= (1 << 20); };
  if (size->size() != 2 || !llvm::all_of(*size, fits))
    return imp.emitError() << "input 3 ('crop_size') must be two sizes";
  if (boxes.getRank() != 2 || boxes.getDimSize(1) != 4)
    return imp.emitError() << "input 1 ('boxes') must be rows of 4, not "
                           << boxes;
  int64_t count = boxes.getDimSize(0), height = (*size)[0], width = (*size)[1];
  FailureOr<Value> images = imp.getOperand(0);
  if (*nhwc)
    images = createTranspose(imp, *images, {0, 3, 1, 2});
  if (succeeded(images))
    images = takeImages(imp, *images, imp.getOperand(2));
  if (failed(images))
    return failure();
  SmallVector<Value> bounds;
  for (int64_t k = 0; k < 4; ++k) {
    FailureOr<Value> bound =
        createSlice(imp, imp.getOperand(1), {0, k}, {count, 1});
    if (failed(bound))
      return failure();
    bounds.push_back(*bound);
  }
  unsigned firstDim = *nhwc ? 1 : 2;
  FailureOr<Samples> rows =
      sampleAxis(imp, bounds[0], bounds[2], type.getDimSize(firstDim), height);
  FailureOr<Samples> columns = sampleAxis(imp, bounds[1], bounds[3],
                                          type.getDimSize(firstDim + 1), width);
  if (failed(rows) || failed(columns))
    return failure();
  SmallVector<int64_t> plane{count, height, width, 1};
  FailureOr<Value> y =
      imp.createReshape(rows->positions, {count, height, 1, 1});
  FailureOr<Value> x =
      imp.createReshape(columns->positions, {count, 1, width, 1});
  if (succeeded(y))
    y = createBroadcast(imp, *y, plane);
  if (succeeded(x))
    x = createBroadcast(imp, *x, plane);
  if (failed(x) || failed(y))
    return failure();
  nn::ConcatOp::Properties concatProperties;
  concatProperties.axis = imp.i64(3);
  FailureOr<nn::ConcatOp> map =
      imp.create<nn::ConcatOp>({*x, *y}, concatProperties);
  if (failed(map))
    return failure();
  nn::RemapOp::Properties properties;
  properties.mode = nn::InterpolationAttr::get(
      imp.getContext(),
      isNearest ? nn::Interpolation::nearest : nn::Interpolation::linear);
  FailureOr<nn::RemapOp> samples =
      imp.create<nn::RemapOp>({*images, *map}, properties);
  FailureOr<Value> insideY =
      imp.createReshape(rows->isInside, {count, 1, height, 1});
  FailureOr<Value> insideX =
      imp.createReshape(columns->isInside, {count, 1, 1, width});
  if (failed(samples) || failed(insideY) || failed(insideX))
    return failure();
  FailureOr<Value> isInside = apply<nn::MulOp>(imp, {*insideY, *insideX});
  if (succeeded(isInside))
    isInside = imp.createCast(*isInside, imp.builder.getI1Type());
  if (failed(isInside))
    return failure();
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(samples->getType()).getShape();
  FailureOr<Value> mask = createBroadcast(imp, *isInside, shape);
  FailureOr<Value> fill =
      createBroadcast(imp, createNumber(imp, *samples, *outside), shape);
  if (failed(mask) || failed(fill))
    return failure();
  FailureOr<Value> result = apply<nn::SelectOp>(imp, {*mask, *samples, *fill});
  if (succeeded(result) && *nhwc)
    result = createTranspose(imp, *result, {0, 2, 3, 1});
  return result;
}

void modelwright::ge::registerDetectionOps(OpRegistry &registry) {
  registry.addImport<nn::IdentityOp>({"PriorBox", "SSDPriorBox"},
                                     importPriorBox);
  registry.addImport<nn::RoIPoolOp>({"ROIPooling"}, importROIPooling);
  registry.addExport<nn::RoIPoolOp>(exportRoIPool);
  registry.addImport<nn::RemapOp, nn::SelectOp>({"CropAndResize"},
                                                importCropAndResize);
}
