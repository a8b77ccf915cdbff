//===- WarpToLinalg.cpp - Warps and remaps --------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Coordinates are computed first, in f64, as two tensors N,OH,OW that all
// channels read.
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "Sampling.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

/// Checks that two sizes are equal, with a message if they are not.
static void emitCheckEqual(ImplicitLocOpBuilder &b, Value lhs, Value rhs,
                           const Twine &message) {
  Value isGood = IndexMath(b).isEqual(lhs, rhs);
  if (!matchPattern(isGood, m_One()))
    emitCheck(b, isGood, message);
}

namespace {
/// What all warps share. `emitPlace` gives the coordinates of a result element.
struct Warp {
  RankedTensorType type;
  Value input;
  Type element;
  Layout layout;
  Sampler sampler;

  /// Whether there is a lowering.
  bool isKnown() const {
    auto inputType = dyn_cast<RankedTensorType>(input.getType());
    return type && inputType && isSampleable(element) && sampler.isKnown();
  }

  /// Height and width of the result; null if the operand has no integers.
  std::pair<Value, Value> emitSize(ImplicitLocOpBuilder &b, Value original,
                                   Value lowered) const {
    ImageDims dims = getImageDims(layout);
    Value height = emitReadInteger(b, original, lowered, 0);
    Value width = emitReadInteger(b, original, lowered, 1);
    if (!height || !width)
      return {};
    return {emitDimOfType(b, type, dims.h, height),
            emitDimOfType(b, type, dims.w, width)};
  }

  /// The result: `count` images of such a size; image n of the result is image
  /// `emitImage(n)` of the input.
  Value
  emit(ImplicitLocOpBuilder &b, Value count, Value height, Value width,
       function_ref<Scalar(ImplicitLocOpBuilder &, ValueRange)> emitY,
       function_ref<Scalar(ImplicitLocOpBuilder &, ValueRange)> emitX,
       function_ref<Value(ImplicitLocOpBuilder &, Value)> emitImage) const {
    IndexMath math(b);
    ImageDims dims = getImageDims(layout);
    SmallVector<Value> sizes = emitSizes(b, input);
    Value inputHeight = sizes[dims.h], inputWidth = sizes[dims.w];
    Value zero = math.constant(0);
    Value isGood = math.isAnd(math.isLess(zero, inputHeight),
                              math.isLess(zero, inputWidth));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood, "an empty image cannot be sampled");
    sizes[dims.n] = count;
    sizes[dims.h] = height;
    sizes[dims.w] = width;
    emitCheckSizes(b, sizes);
    return emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          Value place[] = {indices[dims.n], indices[dims.h], indices[dims.w]};
          Value image = emitImage(inner, indices[dims.n]);
          auto read = [&](ImplicitLocOpBuilder &reader, Value y, Value x) {
            SmallVector<Value> at(indices);
            at[dims.n] = image;
            at[dims.h] = y;
            at[dims.w] = x;
            return emitReadF64(reader, input, at, element);
          };
          return emitFromF64(sampler.emit(inner, emitY(inner, place),
                                          emitX(inner, place),
                                          Scalar(inner, inputHeight),
                                          Scalar(inner, inputWidth), read),
                             element);
        },
        emitDynamicSizes(b, type, sizes));
  }
};
} // namespace

/// A table N,OH,OW of coordinates.
static Value emitPlaces(
    ImplicitLocOpBuilder &b, ValueRange sizes,
    function_ref<Scalar(ImplicitLocOpBuilder &, Value n, Scalar y, Scalar x)>
        place) {
  SmallVector<int64_t> shape;
  for (Value size : sizes)
    shape.push_back(getConstantIndex(size).value_or(ShapedType::kDynamic));
  auto type = RankedTensorType::get(shape, b.getF64Type());
  return emitGenerate(
      b, type,
      [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
        return place(inner, indices[0], Scalar(inner, indices[1]).toF64(),
                     Scalar(inner, indices[2]).toF64())
            .get();
      },
      emitDynamicSizes(b, type, sizes));
}

/// Whether coordinates are rounded: MegEngine's kernels for NHWC images with at
/// most 3 channels. nullopt if the channels are not known.
static std::optional<bool> isRounded(Layout layout, Value input) {
  if (layout != Layout::NHWC)
    return false;
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type || type.isDynamicDim(3))
    return std::nullopt;
  return type.getDimSize(3) <= 3;
}

/// Element `(row, column)` of matrix n.
static Scalar emitMatrixAt(ImplicitLocOpBuilder &b, Value matrix, Type element,
                           Value n, int64_t row, int64_t column) {
  return emitReadF64(
      b, matrix, {n, emitConstantIndex(b, row), emitConstantIndex(b, column)},
      element);
}

/// Row `row` of the matrix times `(x, y, 1)`.
static Scalar emitProduct(ImplicitLocOpBuilder &b, Value matrix, Type element,
                          Value n, int64_t row, Scalar y, Scalar x) {
  auto at = [&](int64_t column) {
    return emitMatrixAt(b, matrix, element, n, row, column);
  };
  return at(0) * x + at(1) * y + at(2);
}

/// The warp by `matrix`, for each image a coordinate as `place` computes it:
/// axis 0 is x, axis 1 is y.
static Values
emitMatrixWarp(ImplicitLocOpBuilder &b, const Warp &warp, Value matrix,
               Value height, Value width,
               function_ref<Scalar(ImplicitLocOpBuilder &, Value n,
                                   int64_t axis, Scalar y, Scalar x)>
                   place,
               function_ref<Value(ImplicitLocOpBuilder &, Value)> emitImage) {
  Value count = emitDim(b, matrix, 0);
  Value sizes[] = {count, height, width};
  emitCheckSizes(b, sizes);
  auto emitTable = [&](int64_t axis) {
    return emitPlaces(b, sizes,
                      [&](ImplicitLocOpBuilder &inner, Value n, Scalar y,
                          Scalar x) { return place(inner, n, axis, y, x); });
  };
  Value xs = emitTable(0), ys = emitTable(1);
  auto readFrom = [](Value table) {
    return [table](ImplicitLocOpBuilder &inner, ValueRange at) {
      return Scalar(inner, emitRead(inner, table, at));
    };
  };
  return SmallVector<Value>{warp.emit(b, count, height, width, readFrom(ys),
                                      readFrom(xs), emitImage)};
}

namespace {
class WarpPerspectiveLowering : public Lowering<WarpPerspectiveOp> {
public:
  using Lowering::Lowering;

  /// Several inputs become one, once.
  void initialize() { setHasBoundedRewriteRecursion(); }

  Values lower(WarpPerspectiveOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    if (op.getInputs().size() > 1)
      return lowerConcatenated(op, b);
    Value input = adaptor.getInputs().front(), matrix = adaptor.getMatrix();
    Type matrixElement = nn::getElementType(op.getMatrix().getType());
    Warp warp = {
        getResultType(op),
        input,
        nn::getElementType(op.getInputs().front().getType()),
        op.getLayout(),
        {op.getMode(), op.getBorder(), op.getBorderValue().convertToDouble()}};
    std::optional<bool> rounded = isRounded(op.getLayout(), input);
    if (!warp.isKnown() || !rounded ||
        !isa<RankedTensorType>(matrix.getType()) ||
        !isa<FloatType>(matrixElement))
      return failure();
    auto [height, width] =
        warp.emitSize(b, op.getOutputSize(), adaptor.getOutputSize());
    Value index = adaptor.getMatrixIndex();
    if (!height || !width || (index && !isa<RankedTensorType>(index.getType())))
      return failure();
    Value images = emitDim(b, input, getImageDims(op.getLayout()).n);
    emitCheckEqual(b, emitDim(b, matrix, 0),
                   index ? emitDim(b, index, 0) : images,
                   "there is not one matrix for each image");
    return emitMatrixWarp(
        b, warp, matrix, height, width,
        [&](ImplicitLocOpBuilder &inner, Value n, int64_t axis, Scalar y,
            Scalar x) {
          Scalar divisor =
              emitProduct(inner, matrix, matrixElement, n, 2, y, x);
          Scalar at = emitProduct(inner, matrix, matrixElement, n, axis, y, x) /
                      divisor;
          return *rounded ? (at * 32).roundHalfEven() / 32 : at;
        },
        [&](ImplicitLocOpBuilder &inner, Value n) {
          if (!index)
            return n;
          return emitCheckedIndex(inner, emitRead(inner, index, n),
                                  inner.getI32Type(), images, /*wraps=*/false,
                                  "the number of an image");
        });
  }

private:
  /// Several inputs are one along the batch.
  static Values lowerConcatenated(WarpPerspectiveOp op,
                                  ImplicitLocOpBuilder &b) {
    auto batch = uint64_t(getImageDims(op.getLayout()).n);
    SmallVector<Type> types;
    ConcatOp::Properties properties;
    properties.setAxis(b.getI64IntegerAttr(int64_t(batch)));
    ConcatOp::Adaptor adaptor(op.getInputs(), DictionaryAttr(), properties);
    if (failed(ConcatOp::inferReturnTypes(b.getContext(), b.getLoc(), adaptor,
                                          types)))
      return failure();
    auto all = ConcatOp::create(b, types, op.getInputs(), properties);
    auto clone = cast<WarpPerspectiveOp>(b.clone(*op));
    clone.getInputsMutable().assign(all.getResult());
    return SmallVector<Value>{clone.getResult()};
  }
};

class WarpAffineLowering : public Lowering<WarpAffineOp> {
public:
  using Lowering::Lowering;
  Values lower(WarpAffineOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput(), matrix = adaptor.getMatrix();
    Type matrixElement = nn::getElementType(op.getMatrix().getType());
    Warp warp = {
        getResultType(op),
        input,
        nn::getElementType(op.getInput().getType()),
        op.getLayout(),
        {op.getMode(), op.getBorder(), op.getBorderValue().convertToDouble()}};
    std::optional<bool> rounded = isRounded(op.getLayout(), input);
    if (!warp.isKnown() || !rounded ||
        !isa<RankedTensorType>(matrix.getType()) ||
        !isa<FloatType>(matrixElement))
      return failure();
    auto [height, width] =
        warp.emitSize(b, op.getOutputSize(), adaptor.getOutputSize());
    if (!height || !width)
      return failure();
    emitCheckEqual(b, emitDim(b, matrix, 0),
                   emitDim(b, input, getImageDims(op.getLayout()).n),
                   "there is not one matrix for each image");
    return emitMatrixWarp(
        b, warp, matrix, height, width,
        [&](ImplicitLocOpBuilder &inner, Value n, int64_t axis, Scalar y,
            Scalar x) {
          if (!*rounded)
            return emitProduct(inner, matrix, matrixElement, n, axis, y, x);
          auto at = [&](int64_t column) {
            return emitMatrixAt(inner, matrix, matrixElement, n, axis, column);
          };
          // Fixed point with 10 bits, of which 5 are kept.
          Scalar row = ((at(1) * y + at(2)) * 1024).roundHalfEven() + 16;
          Scalar both = row + (at(0) * x * 1024).roundHalfEven();
          return (both / 32).floor() / 32;
        },
        [](ImplicitLocOpBuilder &, Value n) { return n; });
  }
};

class RemapLowering : public Lowering<RemapOp> {
public:
  using Lowering::Lowering;
  Values lower(RemapOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput(), map = adaptor.getMap();
    Type mapElement = nn::getElementType(op.getMap().getType());
    Warp warp = {
        getResultType(op),
        input,
        nn::getElementType(op.getInput().getType()),
        op.getLayout(),
        {op.getMode(), op.getBorder(), op.getBorderValue().convertToDouble()}};
    if (!warp.isKnown() || !isa<RankedTensorType>(map.getType()) ||
        !isa<FloatType>(mapElement))
      return failure();
    emitCheckEqual(b, emitDim(b, map, 0),
                   emitDim(b, input, getImageDims(op.getLayout()).n),
                   "there is not one map for each image");
    emitCheckEqual(b, emitDim(b, map, 3), emitConstantIndex(b, 2),
                   "a map does not hold pairs");
    auto readAt = [&](int64_t part) {
      return [&, part](ImplicitLocOpBuilder &inner, ValueRange place) {
        SmallVector<Value> at(place);
        at.push_back(emitConstantIndex(inner, part));
        return emitReadF64(inner, map, at, mapElement);
      };
    };
    return SmallVector<Value>{
        warp.emit(b, emitDim(b, map, 0), emitDim(b, map, 1), emitDim(b, map, 2),
                  readAt(1), readAt(0),
                  [](ImplicitLocOpBuilder &, Value n) { return n; })};
  }
};
} // namespace

void nn::populateWarpLowerings(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<WarpPerspectiveLowering, WarpAffineLowering, RemapLowering>(
      converter, patterns.getContext());
}
