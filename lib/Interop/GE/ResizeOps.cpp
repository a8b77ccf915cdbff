//===- ResizeOps.cpp - GE resizes -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All of them are nn.resize2d; they differ in where they sample (semantics.md
// 12) and in how they tell the size.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;
using nn::Coordinates;
using nn::Interpolation;

//===----------------------------------------------------------------------===//
// Layout and size
//===----------------------------------------------------------------------===//

/// Whether the images are NHWC. The attributes of resizes in models that came
/// from TensorFlow do not tell (aipp.om says `format` 0 of NHWC images), but
/// the result's descriptor does, if it has a shape.
static FailureOr<bool> readsNHWC(OpImporter &imp, RankedTensorType input,
                                 std::optional<ArrayRef<int64_t>> size) {
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(nhwc))
    return failure();
  if (size && imp.op.output_desc_size() == 1) {
    const auto &dims = imp.op.output_desc(0).shape().dim();
    ArrayRef<int64_t> in = input.getShape();
    auto is = [&](int64_t h, int64_t w, int64_t c, int64_t from) {
      return dims[h] == (*size)[0] && dims[w] == (*size)[1] &&
             dims[c] == in[from];
    };
    if (dims.size() == 4) {
      bool first = is(2, 3, 1, 1), last = is(1, 2, 3, 3);
      if (first != last)
        return last;
    }
  }
  // CANN's resizes have no data_format; the descriptor of the images tells.
  if (imp.isServerOp() && !imp.has("data_format") && !imp.has("format") &&
      imp.op.input_desc_size() > 0)
    return imp.op.input_desc(0).layout() == "NHWC";
  return *nhwc;
}

static FailureOr<RankedTensorType> expectImages(OpImporter &imp) {
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type)
    return imp.decline("a resize of an unknown shape");
  if (type.getRank() != 4)
    return imp.emitError() << "input must have rank 4, not " << type;
  return type;
}

static LogicalResult createResize(OpImporter &imp, Value input, Value size,
                                  Interpolation mode, Coordinates coordinates,
                                  bool nhwc) {
  MLIRContext *context = imp.getContext();
  nn::Resize2DOp::Properties properties;
  properties.mode = nn::InterpolationAttr::get(context, mode);
  properties.coordinates = nn::CoordinatesAttr::get(context, coordinates);
  properties.layout = imp.getLayoutAttr(nhwc);
  return imp.create<nn::Resize2DOp>({input, size}, properties);
}

//===----------------------------------------------------------------------===//
// By an operand
//===----------------------------------------------------------------------===//

static FailureOr<Coordinates> readCoordinates(OpImporter &imp) {
  FailureOr<bool> corners = imp.getBool("align_corners", false);
  FailureOr<bool> half = imp.getBool("half_pixel_centers", false);
  if (failed(corners) || failed(half))
    return failure();
  if (*corners && *half)
    return imp.emitError() << "attributes 'align_corners' and "
                              "'half_pixel_centers' exclude each other";
  return *corners ? Coordinates::align_corners
         : *half  ? Coordinates::half_pixel
                  : Coordinates::asymmetric;
}

static LogicalResult importResizeTo(OpImporter &imp) {
  const bool isNearest = imp.getType().starts_with("ResizeNearestNeighbor");
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<RankedTensorType> type = expectImages(imp);
  FailureOr<Coordinates> coordinates = readCoordinates(imp);
  FailureOr<SmallVector<float>> scales = imp.getFloats("scales", {});
  if (failed(type) || failed(coordinates) || failed(scales))
    return failure();
  if (imp.isServerOp()) {
    if (llvm::any_of(*scales, [](float scale) { return scale != 0.0f; }))
      return imp.decline("a resize whose scales are not the ratio of sizes");
    // Its `dtype` is the result's and f32 by default.
    if (!isNearest && !type->getElementType().isF32())
      return imp.decline("a resize of other elements than f32");
  }
  Value size = imp.getOperand(1);
  std::optional<SmallVector<int64_t>> known;
  if (!size) {
    // Some down-converted files have attributes instead.
    FailureOr<int64_t> height = imp.getInt("height", 0);
    FailureOr<int64_t> width = imp.getInt("width", 0);
    if (failed(height) || failed(width))
      return failure();
    if (*height <= 0 || *width <= 0 || *height > INT32_MAX ||
        *width > INT32_MAX)
      return imp.emitError() << "input 1 ('size') is not connected";
    known = SmallVector<int64_t>{*height, *width};
    size = imp.createConstantInts(*known);
  } else if (nn::KnownInts ints = imp.getKnownInts(size)) {
    if (ints->size() != 2)
      return imp.emitError() << "input 1 ('size') has " << ints->size()
                             << " elements, expected 2";
    known = *ints;
  }
  FailureOr<bool> nhwc = readsNHWC(
      imp, *type, known ? std::optional(ArrayRef(*known)) : std::nullopt);
  if (failed(nhwc))
    return failure();
  return createResize(imp, imp.getOperand(0), size,
                      isNearest ? Interpolation::nearest
                                : Interpolation::linear,
                      *coordinates, *nhwc);
}

//===----------------------------------------------------------------------===//
// By factors
//===----------------------------------------------------------------------===//

/// A product of sizes that must fit the format's 32 bits.
static FailureOr<int64_t> checkSize(OpImporter &imp, int64_t a, int64_t b) {
  int64_t product;
  if (a <= 0 || b <= 0 || llvm::MulOverflow(a, b, product) ||
      product >= INT32_MAX)
    return imp.emitError() << "the resized image is empty or too large";
  return product;
}

/// Caffe's Interp: bilinear with aligned corners. `height` and `width` tell
/// the size, or `zoom_factor`, or `shrink_factor`.
static LogicalResult importInterp(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> height = imp.getInt("height", -1);
  FailureOr<int64_t> width = imp.getInt("width", -1);
  FailureOr<int64_t> zoom = imp.getInt("zoom_factor", -1);
  FailureOr<int64_t> shrink = imp.getInt("shrink_factor", -1);
  FailureOr<int64_t> begin = imp.getInt("pad_begin", 0);
  FailureOr<int64_t> end = imp.getInt("pad_end", 0);
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(height) || failed(width) || failed(zoom) || failed(shrink) ||
      failed(begin) || failed(end) || failed(nhwc))
    return failure();
  if (*begin > 0 || *end > 0)
    return imp.emitError() << "attributes 'pad_begin' and 'pad_end' must not "
                              "be positive";
  FailureOr<RankedTensorType> type = expectImages(imp);
  if (failed(type))
    return failure();
  Value input = imp.getOperand(0);
  if (*begin != 0 || *end != 0) {
    // Negative pads trim the image.
    if (!type->hasStaticShape())
      return imp.decline("an interpolation that trims an unknown size");
    SmallVector<int64_t> begins(4, 0), sizes(type->getShape());
    for (unsigned axis : {*nhwc ? 1 : 2, *nhwc ? 2 : 3}) {
      if (*begin <= -sizes[axis] || *end <= -sizes[axis] - *begin)
        return imp.emitError()
               << "'pad_begin' and 'pad_end' leave nothing of " << *type;
      begins[axis] = -*begin;
      sizes[axis] += *begin + *end;
    }
    FailureOr<Value> trimmed = createSlice(imp, input, begins, sizes);
    if (failed(trimmed))
      return failure();
    input = *trimmed;
    type = cast<RankedTensorType>(input.getType());
  }
  SmallVector<int64_t> size;
  std::array<int64_t, 2> wanted = {*height, *width};
  for (auto [axis, given] : llvm::enumerate(wanted)) {
    int64_t in = type->getDimSize((*nhwc ? 1 : 2) + axis);
    if (given > 0) {
      FailureOr<int64_t> checked = checkSize(imp, given, 1);
      if (failed(checked))
        return failure();
      size.push_back(*checked);
      continue;
    }
    if (ShapedType::isDynamic(in))
      return imp.decline("an interpolation of an unknown size");
    if (*zoom > 0) {
      // in + (in - 1)*(zoom - 1)
      FailureOr<int64_t> checked = checkSize(imp, in, *zoom);
      if (failed(checked))
        return failure();
      size.push_back(*checked - *zoom + 1);
    } else if (*shrink > 0) {
      size.push_back((in - 1) / *shrink + 1);
    } else {
      return imp.emitError() << "has no size: neither 'height' and 'width' nor "
                                "'zoom_factor' nor 'shrink_factor'";
    }
  }
  return createResize(imp, input, imp.createConstantInts(size),
                      Interpolation::linear, Coordinates::align_corners, *nhwc);
}

/// Every element `stride_h` x `stride_w` times.
static LogicalResult importUpsample(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> strideH = imp.getInt("stride_h", 1);
  FailureOr<int64_t> strideW = imp.getInt("stride_w", 1);
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(strideH) || failed(strideW) || failed(scale) || failed(nhwc))
    return failure();
  if (*scale != 1.0f)
    return imp.decline("an upsampling that scales its elements");
  FailureOr<RankedTensorType> type = expectImages(imp);
  if (failed(type))
    return failure();
  SmallVector<int64_t> size;
  std::array<int64_t, 2> strides = {*strideH, *strideW};
  for (auto [axis, stride] : llvm::enumerate(strides)) {
    int64_t in = type->getDimSize((*nhwc ? 1 : 2) + axis);
    if (ShapedType::isDynamic(in))
      return imp.decline("an upsampling of an unknown size");
    FailureOr<int64_t> checked = checkSize(imp, in, stride);
    if (failed(checked))
      return failure();
    size.push_back(*checked);
  }
  return createResize(imp, imp.getOperand(0), imp.createConstantInts(size),
                      Interpolation::nearest, Coordinates::asymmetric, *nhwc);
}

//===----------------------------------------------------------------------===//
// CANN's general resize
//===----------------------------------------------------------------------===//

/// ONNX's Resize on N,C,H,W: `sizes` holds all dims.
static LogicalResult importResize(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 4)))
    return failure();
  FailureOr<std::string> transformation =
      imp.getString("coordinate_transformation_mode", "half_pixel");
  FailureOr<std::string> mode = imp.getString("mode", "nearest");
  FailureOr<std::string> rounding =
      imp.getString("nearest_mode", "round_prefer_floor");
  FailureOr<float> cubic = imp.getFloat("cubic_coeff_a", -0.75f);
  FailureOr<int64_t> exclude = imp.getInt("exclude_outside", 0);
  if (failed(transformation) || failed(mode) || failed(rounding) ||
      failed(cubic) || failed(exclude))
    return failure();
  FailureOr<RankedTensorType> type = expectImages(imp);
  if (failed(type))
    return failure();
  auto coordinates =
      llvm::StringSwitch<std::optional<Coordinates>>(*transformation)
          .Case("half_pixel", Coordinates::half_pixel)
          .Case("asymmetric", Coordinates::asymmetric)
          .Case("align_corners", Coordinates::align_corners)
          .Default(std::nullopt);
  auto interpolation = llvm::StringSwitch<std::optional<Interpolation>>(*mode)
                           .Case("nearest", Interpolation::nearest)
                           .Case("linear", Interpolation::linear)
                           .Case("cubic", Interpolation::cubic)
                           .Default(std::nullopt);
  if (!coordinates || !interpolation)
    return imp.decline("resize mode " + *mode + " at coordinates " +
                       *transformation);
  if (*interpolation == Interpolation::cubic &&
      (*coordinates != Coordinates::half_pixel || *cubic != -0.75f ||
       *exclude != 0))
    return imp.decline("a cubic resize of another kernel");
  // floor(x + 0.5) of the half-pixel coordinate is floor((i + 0.5)*I/O).
  StringRef wanted =
      *coordinates == Coordinates::asymmetric ? "floor" : "round_prefer_ceil";
  if (*interpolation == Interpolation::nearest && *rounding != wanted)
    return imp.decline("a nearest resize that rounds by " + *rounding);
  Value sizes = imp.getOperand(3);
  nn::KnownInts known = sizes ? imp.getKnownInts(sizes) : nn::KnownInts();
  if (!known)
    return imp.decline("a resize whose sizes are not constant");
  if (known->size() != 4)
    return imp.emitError() << "input 3 ('sizes') has " << known->size()
                           << " elements, expected 4";
  for (unsigned axis = 0; axis < 2; ++axis)
    if ((*known)[axis] != type->getDimSize(axis))
      return imp.decline("a resize of other dims than height and width");
  return createResize(imp, imp.getOperand(0),
                      imp.createConstantInts(ArrayRef(*known).drop_front(2)),
                      *interpolation, *coordinates, /*nhwc=*/false);
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

static LogicalResult exportResize(OpExporter &exp) {
  auto op = cast<nn::Resize2DOp>(exp.getSource());
  if (op.getMode() != Interpolation::linear &&
      op.getMode() != Interpolation::nearest)
    return exp.refuse("mode " + nn::stringifyInterpolation(op.getMode()) +
                      " is not known to the format");
  if (op.getLayout() != nn::Layout::NCHW && op.getLayout() != nn::Layout::NHWC)
    return exp.refuse("layout " + nn::stringifyLayout(op.getLayout()) +
                      " is not known to the format");
  // ResizeBilinearV2 is stored under the name of the first version.
  exp.setType(op.getMode() == Interpolation::linear
                  ? "ResizeBilinear"
                  : "ResizeNearestNeighborV2");
  exp.addInput(op.getInput());
  exp.addInput(op.getOutputSize());
  exp.setBool("align_corners",
              op.getCoordinates() == Coordinates::align_corners);
  exp.setBool("half_pixel_centers",
              op.getCoordinates() == Coordinates::half_pixel);
  if (op.getLayout() == nn::Layout::NHWC)
    exp.setInt("format", 1);
  else
    exp.clear("format");
  return success();
}

void modelwright::ge::registerResizeOps(OpRegistry &registry) {
  registry.addImport<nn::Resize2DOp>({"ResizeBilinear", "ResizeBilinearV2",
                                      "ResizeNearestNeighbor",
                                      "ResizeNearestNeighborV2"},
                                     importResizeTo);
  registry.addImport<nn::Resize2DOp>({"Interp"}, importInterp);
  registry.addImport<nn::Resize2DOp>({"Upsample"}, importUpsample);
  registry.addImport<nn::Resize2DOp>({"Resize"}, importResize);
  registry.addExport<nn::Resize2DOp>(exportResize);
}
