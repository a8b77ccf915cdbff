//===- ResizeToLinalg.cpp - Resizing of images and volumes ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// All modes are separable. For each axis there are two small tables, computed
// at run time: which elements of the source each element of the result takes,
// and how much of them. One pass over the tensor per axis applies them.
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "Sampling.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

namespace {
/// One axis that is resized.
struct ResizedAxis {
  int64_t dim;
  Value from, to; ///< Sizes.
};

/// How an axis is resized.
struct Resampling {
  Interpolation mode;
  Coordinates coordinates;
  /// An NHWC image with 1 or 3 channels, for which MegEngine has own kernels.
  bool isSmall = false;
  /// For mode area: whether both axes shrink.
  bool shrinks = false;
  /// Weights are multiples of 1/2048, as integers.
  bool isFixedPoint = false;
};

/// A tap of one element of the result.
struct Tap {
  Scalar index, weight;
};
} // namespace

/// The source coordinate of element `i` (f64).
static Scalar emitCoordinate(ImplicitLocOpBuilder &b, const ResizedAxis &axis,
                             Coordinates coordinates, Scalar i) {
  Scalar from = Scalar(b, axis.from).toF64(), to = Scalar(b, axis.to).toF64();
  switch (coordinates) {
  case Coordinates::half_pixel: {
    // The scale is rounded to f32, what follows is not.
    Scalar scale = (to.toF32() / from.toF32()).toF64();
    return (i + 0.5) / scale - 0.5;
  }
  case Coordinates::asymmetric:
    return i * from / to;
  case Coordinates::align_corners:
    // The only element lies at 0 whatever it is divided by.
    return i * (from - 1) / (to - 1).max(to.like(1));
  }
  llvm_unreachable("coordinates of no kind");
}

/// The element that mode nearest takes for element `i` (both f64).
static Scalar emitNearest(ImplicitLocOpBuilder &b, const ResizedAxis &axis,
                          const Resampling &how, Scalar i) {
  Scalar from = Scalar(b, axis.from).toF64(), to = Scalar(b, axis.to).toF64();
  Scalar last = from - 1;
  switch (how.coordinates) {
  case Coordinates::half_pixel:
    return ((i + 0.5) * from / to).floor().min(last);
  case Coordinates::asymmetric:
    if (how.isSmall)
      return (i * (1 / (to / from))).floor().min(last);
    return (i.toF32() / (to.toF32() / from.toF32())).floor().toF64().min(last);
  case Coordinates::align_corners:
    return (emitCoordinate(b, axis, how.coordinates, i) + 0.5)
        .floor()
        .clamp(last.like(0), last);
  }
  llvm_unreachable("coordinates of no kind");
}

/// Tap `k` of element `i` in mode area where both axes shrink.
static Tap emitMeanTap(const Scalar &from, const Scalar &to, Scalar i,
                       Scalar k) {
  Scalar step = from / to;
  Scalar low = i * step, high = (i + 1) * step;
  Scalar end = (high - 1e-9).ceil().min(from);
  Scalar cell = low.floor() + k;
  Scalar part = high.min(cell + 1) - low.max(cell);
  Scalar whole = high.min(end) - low;
  Scalar weight = (cell < end).select(part / whole, k.like(0));
  return {cell.min(from - 1), weight};
}

/// Tap `k` of element `i` in mode area where an axis grows.
static Tap emitCellTap(const Scalar &from, const Scalar &to, Scalar i,
                       Scalar k) {
  Scalar last = from - 1, zero = k.like(0);
  Scalar start = (i * from / to).floor();
  Scalar weight = (i + 1) - (start + 1) * to / from;
  weight = (weight > 0).select(weight - weight.floor(), zero);
  weight = (start >= last).select(zero, weight);
  return {(start.min(last) + k).min(last), (k == 0).select(1 - weight, weight)};
}

/// Tap `k` of element `i`, all f64.
static Tap emitTap(ImplicitLocOpBuilder &b, const ResizedAxis &axis,
                   const Resampling &how, Scalar i, Scalar k) {
  Scalar from = Scalar(b, axis.from).toF64(), to = Scalar(b, axis.to).toF64();
  Scalar last = from - 1, zero = k.like(0);
  if (how.mode == Interpolation::area)
    return how.shrinks ? emitMeanTap(from, to, i, k)
                       : emitCellTap(from, to, i, k);
  // The kernel of weights in fixed point has the scale in f64 and rounds the
  // coordinate instead: with the scale in f32, weights would be off by one.
  Scalar at = how.isFixedPoint
                  ? ((i + 0.5) * (1 / (to / from)) - 0.5).toF32().toF64()
                  : emitCoordinate(b, axis, how.coordinates, i);
  if (how.mode == Interpolation::linear)
    at = at.clamp(zero, last);
  Scalar low = at.floor(), fraction = at - low;
  switch (how.mode) {
  case Interpolation::cubic:
    return {(low - 1 + k).clamp(zero, last), emitCubicWeight(fraction, k)};
  case Interpolation::lanczos4:
    return {(low - 3 + k).clamp(zero, last), emitLanczosWeight(fraction, k)};
  default:
    break;
  }
  if (how.isFixedPoint)
    fraction = (fraction * 2048).floor();
  Scalar whole = fraction.like(how.isFixedPoint ? 2048 : 1);
  return {(low + k).min(last), (k == 0).select(whole - fraction, fraction)};
}

/// How many taps there are.
static Value emitNumTaps(ImplicitLocOpBuilder &b, const ResizedAxis &axis,
                         const Resampling &how) {
  IndexMath math(b);
  switch (how.mode) {
  case Interpolation::cubic:
    return math.constant(4);
  case Interpolation::lanczos4:
    return math.constant(8);
  case Interpolation::area:
    // Only for static sizes, of which neither is 0.
    if (how.shrinks)
      return math.add(math.div(axis.from, axis.to), math.constant(2));
    return math.constant(2);
  default:
    return math.constant(2);
  }
}

/// Checks that there are elements to take.
static void emitCheckSource(ImplicitLocOpBuilder &b, const ResizedAxis &axis) {
  IndexMath math(b);
  Value zero = math.constant(0);
  Value isGood =
      math.isOr(math.isLess(zero, axis.from), math.isEqual(axis.to, zero));
  if (!matchPattern(isGood, m_One()))
    emitCheck(b, isGood, "an empty image cannot be resized");
}

/// A table with a row for each element of the axis.
static Value emitTable(ImplicitLocOpBuilder &b, const ResizedAxis &axis,
                       const Resampling &how, Type element,
                       function_ref<Value(const Tap &)> pick) {
  Value taps = emitNumTaps(b, axis, how);
  auto type = RankedTensorType::get(
      {getConstantIndex(axis.to).value_or(ShapedType::kDynamic),
       getConstantIndex(taps).value_or(ShapedType::kDynamic)},
      element);
  return emitGenerate(
      b, type,
      [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
        return pick(emitTap(inner, axis, how, Scalar(inner, indices[0]).toF64(),
                            Scalar(inner, indices[1]).toF64()));
      },
      emitDynamicSizes(b, type, {axis.to, taps}));
}

/// `input` resized along one axis. Its elements are of `sumType` or become so
/// by `widen`; the result's are of `sumType`.
static Value
emitPass(ImplicitLocOpBuilder &b, Value input, const ResizedAxis &axis,
         const Resampling &how, Type sumType,
         function_ref<Value(ImplicitLocOpBuilder &, Value)> widen) {
  Value indices = emitTable(b, axis, how, b.getIndexType(), [](const Tap &tap) {
    return tap.index.toIndex().get();
  });
  Value weights = emitTable(b, axis, how, sumType, [&](const Tap &tap) {
    return tap.weight.to(sumType).get();
  });
  auto inputType = cast<RankedTensorType>(input.getType());
  int64_t rank = inputType.getRank();
  SmallVector<int64_t> shape(inputType.getShape());
  shape[axis.dim] = getConstantIndex(axis.to).value_or(ShapedType::kDynamic);
  auto type = RankedTensorType::get(shape, sumType);
  SmallVector<Value> sizes = emitSizes(b, input);
  sizes[axis.dim] = axis.to;
  auto table = AffineMap::get(unsigned(rank + 1), 0,
                              {b.getAffineDimExpr(unsigned(axis.dim)),
                               b.getAffineDimExpr(unsigned(rank))},
                              b.getContext());
  AffineMap result =
      AffineMap::getMultiDimIdentityMap(unsigned(rank + 1), b.getContext())
          .getMajorSubMap(unsigned(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  iterators.push_back(utils::IteratorType::reduction);
  return emitReduction(
      b, type, {indices, weights}, {table, table, result}, iterators,
      emitConstant(b, sumType, 0),
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        SmallVector<Value> at;
        for (int64_t dim = 0; dim < rank; ++dim)
          at.push_back(dim == axis.dim
                           ? elements[0]
                           : Value(linalg::IndexOp::create(inner, dim)));
        Value value = widen(inner, emitRead(inner, input, at));
        return emitAdd(inner, elements[2], emitMul(inner, elements[1], value));
      },
      emitDynamicSizes(b, type, sizes));
}

/// `input` resized by taking elements.
static Value emitNearestPass(ImplicitLocOpBuilder &b, RankedTensorType type,
                             Value input, ArrayRef<ResizedAxis> axes,
                             const Resampling &how, ValueRange sizes) {
  SmallVector<Value> tables(type.getRank());
  for (const ResizedAxis &axis : axes) {
    auto table = RankedTensorType::get(
        {getConstantIndex(axis.to).value_or(ShapedType::kDynamic)},
        b.getIndexType());
    tables[axis.dim] = emitGenerate(
        b, table,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          return emitNearest(inner, axis, how,
                             Scalar(inner, indices[0]).toF64())
              .toIndex()
              .get();
        },
        emitDynamicSizes(b, table, axis.to));
  }
  return emitGenerate(
      b, type,
      [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
        SmallVector<Value> at(indices);
        for (auto [index, table] : llvm::zip_equal(at, tables))
          if (table)
            index = emitRead(inner, table, index);
        return emitRead(inner, input, at);
      },
      emitDynamicSizes(b, type, sizes));
}

/// The whole resize; null if the element type cannot be done.
static Value emitResize(ImplicitLocOpBuilder &b, RankedTensorType type,
                        Value input, Type element, ArrayRef<ResizedAxis> axes,
                        const Resampling &how) {
  SmallVector<Value> sizes = emitSizes(b, input);
  for (const ResizedAxis &axis : axes) {
    emitCheckSource(b, axis);
    sizes[axis.dim] = axis.to;
  }
  emitCheckSizes(b, sizes);
  if (how.mode == Interpolation::nearest)
    return emitNearestPass(b, type, input, axes, how, sizes);

  // Integers are summed in f64, so that what lies half way is known.
  bool isFloat = isa<FloatType>(element);
  if (!isFloat && !isRoundable(element))
    return {};
  Type sumType = b.getF64Type();
  if (isFloat && !element.isF64())
    sumType = b.getF32Type();
  if (how.isFixedPoint)
    sumType = b.getI32Type();
  auto widen = [&](ImplicitLocOpBuilder &inner, Value value) -> Value {
    if (value.getType() == sumType)
      return value;
    if (isFloat)
      return emitToF32(inner, value, element);
    value = emitResizeInt(inner, value, element, inner.getI64Type());
    if (int64_t zeroPoint = getZeroPoint(element))
      value = emitSub(inner, value,
                      emitConstant(inner, value.getType(), double(zeroPoint)));
    return Scalar(inner, value).to(sumType).get();
  };
  Value sum = input;
  for (const ResizedAxis &axis : axes)
    sum = emitPass(b, sum, axis, how, sumType, widen);
  if (sumType == type.getElementType())
    return emitAsType(b, sum, type);
  return emitElementwise(
      b, type, sum, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        if (isFloat)
          return emitFromF32(inner, values[0], element);
        Scalar value(inner, values[0]);
        if (how.isFixedPoint)
          return (value >> 22).to(type.getElementType()).get();
        return emitRoundedElement(value, element, getZeroPoint(element));
      });
}

/// The axes `dims` of `input`, resized to what `output_size` says; none if it
/// has no integers.
static SmallVector<ResizedAxis> emitAxes(ImplicitLocOpBuilder &b,
                                         RankedTensorType type, Value input,
                                         Value original, Value lowered,
                                         ArrayRef<int64_t> dims) {
  SmallVector<ResizedAxis> axes;
  for (auto [at, dim] : llvm::enumerate(dims)) {
    Value to = emitReadInteger(b, original, lowered, int64_t(at));
    if (!to)
      return {};
    axes.push_back(
        {dim, emitDim(b, input, dim), emitDimOfType(b, type, dim, to)});
  }
  return axes;
}

namespace {
class Resize2DLowering : public Lowering<Resize2DOp> {
public:
  using Lowering::Lowering;
  Values lower(Resize2DOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    auto inputType = dyn_cast<RankedTensorType>(input.getType());
    if (!type || !inputType)
      return failure();
    Type element = nn::getElementType(op.getInput().getType());
    Resampling how = {op.getMode(), op.getCoordinates()};
    if (op.getLayout() == Layout::NHWC) {
      int64_t channels = inputType.getDimSize(3);
      if (ShapedType::isDynamic(channels))
        return failure();
      how.isSmall = channels == 1 || channels == 3;
    }
    how.isFixedPoint = how.isSmall && how.mode == Interpolation::linear &&
                       how.coordinates == Coordinates::half_pixel &&
                       element.isUnsignedInteger(8);
    bool isWide =
        how.mode == Interpolation::area || how.mode == Interpolation::lanczos4;
    if (isWide && !how.isSmall)
      return failure();
    ImageDims dims = getImageDims(op.getLayout());
    SmallVector<ResizedAxis> axes =
        emitAxes(b, type, input, op.getOutputSize(), adaptor.getOutputSize(),
                 {dims.h, dims.w});
    if (axes.empty())
      return failure();
    if (how.mode == Interpolation::area) {
      how.shrinks = true;
      for (const ResizedAxis &axis : axes) {
        std::optional<int64_t> from = getConstantIndex(axis.from);
        std::optional<int64_t> to = getConstantIndex(axis.to);
        if (!from || !to || *from == 0 || *to == 0)
          return failure();
        how.shrinks &= *from >= *to;
      }
    }
    Value result = emitResize(b, type, input, element, axes, how);
    if (!result)
      return failure();
    return SmallVector<Value>{result};
  }
};

class Resize3DLowering : public Lowering<Resize3DOp> {
public:
  using Lowering::Lowering;
  Values lower(Resize3DOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    if (!type || !isa<RankedTensorType>(input.getType()) ||
        op.getMode() != Interpolation::linear)
      return failure();
    int64_t first = op.getLayout() == Layout::NCDHW ? 2 : 1;
    SmallVector<ResizedAxis> axes =
        emitAxes(b, type, input, op.getOutputSize(), adaptor.getOutputSize(),
                 {first, first + 1, first + 2});
    if (axes.empty())
      return failure();
    Resampling how = {op.getMode(), op.getAlignCorners()
                                        ? Coordinates::align_corners
                                        : Coordinates::half_pixel};
    Value result = emitResize(
        b, type, input, nn::getElementType(op.getInput().getType()), axes, how);
    if (!result)
      return failure();
    return SmallVector<Value>{result};
  }
};
} // namespace

void nn::populateResizeLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<Resize2DLowering, Resize3DLowering>(converter,
                                                   patterns.getContext());
}
