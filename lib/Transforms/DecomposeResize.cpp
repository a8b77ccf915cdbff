//===- DecomposeResize.cpp - Resizes as indexing --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.resize2d %x, %size {coordinates = align_corners}
// -->                                  // for each axis, with x = lo + f
//   %1 = nn.index %x[%lo]
//   %2 = nn.index %x[%hi]              // min(lo + 1, I - 1)
//   %0 = nn.add %1, (%2 - %1) * %f
//
// Indices and weights are constants. An axis that keeps its size needs nothing,
// one whose weights are all 0 a single index.
//
//===----------------------------------------------------------------------===//

#include "DecomposeResize.h"
#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using nn::Coordinates;
using nn::Interpolation;

bool modelwright::isMGBResize(nn::Resize2DOp op) {
  bool isNearest = op.getMode() == Interpolation::nearest;
  return op.getCoordinates() ==
         (isNearest ? Coordinates::asymmetric : Coordinates::half_pixel);
}

namespace {
/// What the elements along an axis of the result are mixed of.
struct Taps {
  SmallVector<int32_t> low, high;
  /// Weight of `high`; that of `low` is what is left of 1.
  SmallVector<float> weights;

  bool isIdentity(int64_t in) const {
    for (auto [i, index] : llvm::enumerate(low))
      if (static_cast<int64_t>(i) != index)
        return false;
    return !isMixed() && static_cast<int64_t>(low.size()) == in;
  }
  bool isMixed() const {
    return llvm::any_of(weights, [](float weight) { return weight != 0.0f; });
  }
};
} // namespace

/// The element that a nearest resize takes. Sizes fit 32 bits.
static int64_t getNearest(Coordinates coordinates, int64_t i, int64_t in,
                          int64_t out) {
  switch (coordinates) {
  case Coordinates::half_pixel:
    return std::min((2 * i + 1) * in / (2 * out), in - 1);
  case Coordinates::align_corners:
    return out == 1 ? 0 : (2 * i * (in - 1) + out - 1) / (2 * (out - 1));
  case Coordinates::asymmetric:
    break;
  }
  // The op's own rule: scale and quotient are f32.
  float scale = static_cast<float>(out) / static_cast<float>(in);
  return std::min(static_cast<int64_t>(static_cast<float>(i) / scale), in - 1);
}

/// The source coordinate of a linear resize.
static double getCoordinate(Coordinates coordinates, int64_t i, int64_t in,
                            int64_t out) {
  auto n = static_cast<double>(i), size = static_cast<double>(in),
       resized = static_cast<double>(out);
  switch (coordinates) {
  case Coordinates::half_pixel:
    return (n + 0.5) * size / resized - 0.5;
  case Coordinates::asymmetric:
    return n * size / resized;
  case Coordinates::align_corners:
    return out == 1 ? 0.0 : n * (size - 1) / (resized - 1);
  }
  llvm_unreachable("all cases covered");
}

static Taps getTaps(nn::Resize2DOp op, int64_t in, int64_t out) {
  Taps taps;
  for (int64_t i = 0; i < out; ++i) {
    int64_t low;
    double weight = 0.0;
    if (op.getMode() == Interpolation::nearest) {
      low = getNearest(op.getCoordinates(), i, in, out);
    } else {
      double x = std::clamp(getCoordinate(op.getCoordinates(), i, in, out), 0.0,
                            static_cast<double>(in - 1));
      low = static_cast<int64_t>(x);
      weight = x - static_cast<double>(low);
    }
    taps.low.push_back(static_cast<int32_t>(low));
    taps.high.push_back(static_cast<int32_t>(std::min(low + 1, in - 1)));
    taps.weights.push_back(static_cast<float>(weight));
  }
  return taps;
}

/// The elements of an axis that a constant vector names.
static Value takeAlong(OpBuilder &builder, Location loc, Value value,
                       int64_t axis, ArrayRef<int32_t> indices) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = static_cast<int64_t>(indices.size());
  auto vector = RankedTensorType::get({shape[axis]}, builder.getI32Type());
  Value constant = nn::ConstantOp::create(
      builder, loc, vector,
      cast<ElementsAttr>(DenseElementsAttr::get(vector, indices)));
  return nn::IndexOp::create(builder, loc, type.clone(shape), value,
                             ValueRange{constant}, ArrayRef<int64_t>{axis},
                             ArrayRef<bool>{false}, ArrayRef<bool>{false},
                             ArrayRef<bool>{false}, ArrayRef<bool>{true});
}

static Value resizeAxis(OpBuilder &builder, Location loc, Value value,
                        int64_t axis, const Taps &taps) {
  Value low = takeAlong(builder, loc, value, axis, taps.low);
  if (!taps.isMixed())
    return low;
  Value high = takeAlong(builder, loc, value, axis, taps.high);
  auto type = cast<RankedTensorType>(low.getType());
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[axis] = type.getDimSize(axis);
  auto weightType = RankedTensorType::get(shape, type.getElementType());
  Value weights = nn::ConstantOp::create(
      builder, loc, weightType,
      nn::makeFloatElements(weightType, "resize_weights", taps.weights));
  Value difference =
      nn::SubOp::create(builder, loc, type, high, low, TypeAttr());
  Value part =
      nn::MulOp::create(builder, loc, type, difference, weights, TypeAttr());
  return nn::AddOp::create(builder, loc, type, low, part, nn::Activation::none,
                           TypeAttr());
}

Operation *modelwright::decomposeResize(nn::Resize2DOp op) {
  auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto result = dyn_cast<RankedTensorType>(op.getType());
  bool nhwc = op.getLayout() == nn::Layout::NHWC;
  if (!input || !result || !input.hasStaticShape() ||
      !result.hasStaticShape() || (!nhwc && op.getLayout() != nn::Layout::NCHW))
    return nullptr;
  bool isNearest = op.getMode() == Interpolation::nearest;
  if (!isNearest && (op.getMode() != Interpolation::linear ||
                     !nn::isFloat(input.getElementType())))
    return nullptr;
  auto fits = [](int64_t dim) { return dim > 0 && dim < INT32_MAX / 2; };
  if (!llvm::all_of(input.getShape(), fits) ||
      !llvm::all_of(result.getShape(), fits))
    return nullptr;

  OpBuilder builder(op);
  Value value = op.getInput();
  for (int64_t axis : {nhwc ? 1 : 2, nhwc ? 2 : 3}) {
    int64_t in = input.getDimSize(axis);
    Taps taps = getTaps(op, in, result.getDimSize(axis));
    if (!taps.isIdentity(in))
      value = resizeAxis(builder, op.getLoc(), value, axis, taps);
  }
  if (value == op.getInput())
    value = nn::IdentityOp::create(builder, op.getLoc(), result, value);
  Operation *last = value.getDefiningOp();
  Value size = op.getOutputSize();
  moveNames(op, last);
  op.getResult().replaceAllUsesWith(value);
  op.erase();
  eraseIfUnused(size);
  return last;
}
