//===- ImageToLinalg.cpp - Turns, blurs and transforms of images ----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "Sampling.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"

#include <cmath>
#include <numbers>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Turns
//===----------------------------------------------------------------------===//

namespace {
class FlipLowering : public Lowering<FlipOp> {
public:
  using Lowering::Lowering;
  Values lower(FlipOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    if (!type || !isa<RankedTensorType>(input.getType()))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at(indices);
          for (auto [dim, isReversed] : {std::pair(1, op.getVertical()),
                                         std::pair(2, op.getHorizontal())})
            if (isReversed)
              at[dim] = (Scalar(inner, sizes[dim]) - 1 - Scalar(inner, at[dim]))
                            .get();
          return emitRead(inner, input, at);
        },
        emitDynamicSizes(b, type, sizes))};
  }
};

class RotateLowering : public Lowering<RotateOp> {
public:
  using Lowering::Lowering;
  Values lower(RotateOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    if (!type || !isa<RankedTensorType>(input.getType()))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    Value height = sizes[1], width = sizes[2];
    std::swap(sizes[1], sizes[2]);
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at(indices);
          Scalar row(inner, indices[1]), column(inner, indices[2]);
          at[1] = indices[2];
          at[2] = indices[1];
          if (op.getClockwise())
            at[1] = (Scalar(inner, height) - 1 - column).get();
          else
            at[2] = (Scalar(inner, width) - 1 - row).get();
          return emitRead(inner, input, at);
        },
        emitDynamicSizes(b, type, sizes))};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Blur
//===----------------------------------------------------------------------===//

/// A vector or matrix of f64 constants.
static Value emitTable(ImplicitLocOpBuilder &b, ArrayRef<int64_t> shape,
                       ArrayRef<double> values) {
  auto type = RankedTensorType::get(shape, b.getF64Type());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, values));
}

/// The weights of nn.gaussian_blur along one axis; empty if there are too many
/// to be meant.
static SmallVector<double> getGaussianWeights(int64_t size, double sigma) {
  constexpr double mostTaps = 1 << 16;
  if (size == 0) {
    double taps = std::trunc(8 * sigma + 1.5);
    if (!(taps < mostTaps))
      return {};
    size = std::max<int64_t>(int64_t(taps) | 1, 1);
  }
  if (double(size) > mostTaps)
    return {};
  if (sigma <= 0) {
    switch (size) {
    case 1:
      return {1};
    case 3:
      return {0.25, 0.5, 0.25};
    case 5:
      return {1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16};
    case 7:
      return {1. / 32, 3.5 / 32, 7. / 32, 9. / 32, 7. / 32, 3.5 / 32, 1. / 32};
    default:
      sigma = ((double(size) - 1) / 2 - 1) * 0.3 + 0.8;
    }
  }
  SmallVector<double> weights;
  double sum = 0;
  const int64_t middle = size / 2;
  for (int64_t tap = 0; tap < size; ++tap) {
    auto distance = double(tap - middle);
    weights.push_back(std::exp(-distance * distance / (2 * sigma * sigma)));
    sum += weights.back();
  }
  for (double &weight : weights)
    weight /= sum;
  return weights;
}

namespace {
class GaussianBlurLowering : public Lowering<GaussianBlurOp> {
public:
  using Lowering::Lowering;
  Values lower(GaussianBlurOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    Type element = nn::getElementType(op.getInput().getType());
    bool isByte = element.isUnsignedInteger(8);
    Border border = op.getBorder();
    if (!type || !isa<RankedTensorType>(input.getType()) ||
        !(isByte || isa<FloatType>(element)) || border == Border::wrap ||
        border == Border::transparent || border == Border::isolated)
      return failure();
    double sigmaX = op.getSigmaX().convertToDouble();
    double sigmaY = op.getSigmaY().convertToDouble();
    sigmaY = sigmaY > 0 ? sigmaY : sigmaX;
    SmallVector<double> rows = getGaussianWeights(op.getKernelHeight(), sigmaY);
    SmallVector<double> columns =
        getGaussianWeights(op.getKernelWidth(), sigmaX);
    if (rows.empty() || columns.empty())
      return failure();
    if (isByte)
      for (SmallVector<double> *weights : {&rows, &columns})
        for (double &weight : *weights)
          weight = std::floor(weight * 256);
    auto emitReadInput = [&](ImplicitLocOpBuilder &inner, ValueRange at) {
      return emitReadF64(inner, input, at, element);
    };
    Value blurred = emitPass(b, type, input, 1, rows, border, emitReadInput);
    Value sum = emitPass(b, type, blurred, 2, columns, border,
                         [&](ImplicitLocOpBuilder &inner, ValueRange at) {
                           return Scalar(inner, emitRead(inner, blurred, at));
                         });
    return SmallVector<Value>{emitElementwise(
        b, type, sum, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Scalar value(inner, values[0]);
          if (!isByte)
            return emitFromF64(value, element);
          // Both weights have 8 bits; a half is rounded up.
          return emitRoundedElement(((value + 32768) / 65536).floor(), element);
        })};
  }

private:
  /// The sums along one axis, as f64.
  static Value
  emitPass(ImplicitLocOpBuilder &b, RankedTensorType type, Value input,
           int64_t dim, ArrayRef<double> weights, Border border,
           function_ref<Scalar(ImplicitLocOpBuilder &, ValueRange)> read) {
    RankedTensorType sumType = type.clone(b.getF64Type());
    auto taps = int64_t(weights.size());
    Value table = emitTable(b, {taps}, weights);
    SmallVector<Value> sizes = emitSizes(b, input);
    MLIRContext *context = b.getContext();
    AffineMap all = AffineMap::getMultiDimIdentityMap(5, context);
    SmallVector<utils::IteratorType> iterators(4,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    return emitReduction(
        b, sumType, table, {all.getMinorSubMap(1), all.getMajorSubMap(4)},
        iterators, emitConstant(b, b.getF64Type(), 0),
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          SmallVector<Value> at;
          for (int64_t own = 0; own < 4; ++own)
            at.push_back(linalg::IndexOp::create(inner, own));
          Scalar tap(inner, linalg::IndexOp::create(inner, 4));
          const int64_t middle = taps / 2;
          Scalar place = Scalar(inner, at[dim]) + tap - double(middle);
          BorderIndex source =
              emitBorder(place, Scalar(inner, sizes[dim]), border);
          at[dim] = source.index;
          Scalar value = read(inner, at);
          if (source.isInside)
            value = Scalar(inner, source.isInside).select(value, value.like(0));
          return (Scalar(inner, elements[1]) +
                  value * Scalar(inner, elements[0]))
              .get();
        },
        emitDynamicSizes(b, sumType, sizes));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Discrete cosine transform
//===----------------------------------------------------------------------===//

namespace {
class DctChannelSelectLowering : public Lowering<DctChannelSelectOp> {
public:
  using Lowering::Lowering;
  Values lower(DctChannelSelectOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    auto inputType = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    int64_t block = op.getBlockSize();
    constexpr int64_t mostRows = 1024;
    if (!type || !type.hasStaticShape() || !inputType ||
        !inputType.hasStaticShape() || block > mostRows)
      return failure();
    Value coefficients = emitCoefficients(b, adaptor.getInput(), block);
    Value offsets = adaptor.getMaskOffset();
    if (offsets) {
      auto offsetType = dyn_cast<RankedTensorType>(offsets.getType());
      auto valueType =
          dyn_cast<RankedTensorType>(adaptor.getMaskValues().getType());
      if (!offsetType || !offsetType.hasStaticShape() || !valueType ||
          !valueType.hasStaticShape() ||
          !isa<IntegerType>(nn::getElementType(op.getMaskOffset().getType())) ||
          !isa<IntegerType>(nn::getElementType(op.getMaskValues().getType())))
        return failure();
      if (offsetType.getDimSize(0) != 0)
        coefficients = emitSelected(b, op, adaptor, coefficients, block);
    }
    auto shape = cast<RankedTensorType>(coefficients.getType()).getShape();
    // N, then all dims of channels, then the blocks of a plane.
    int64_t rank = int64_t(shape.size());
    int64_t channels = 1;
    for (int64_t dim = 1; dim < rank - 2; ++dim)
      channels *= shape[dim];
    SmallVector<int64_t> plane = {shape[0], channels, shape[rank - 2],
                                  shape[rank - 1]};
    Value result;
    if (op.getLayout() == Layout::NCHW4) {
      Value split = emitReshape(
          b, coefficients, {plane[0], channels / 4, 4, plane[2], plane[3]});
      result = emitTranspose(b, split, {0, 1, 3, 4, 2});
    } else {
      result = emitReshape(b, coefficients, plane);
    }
    Type element = nn::getElementType(op.getResult().getType());
    return SmallVector<Value>{emitElementwise(
        b, type, result, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Scalar value(inner, values[0]);
          if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
            return emitRoundedElement(value / quantized.getScale(), element,
                                      quantized.getZeroPoint());
          return emitFromF64(value, element);
        })};
  }

private:
  /// All coefficients as f64: N, C, u, v and the blocks of a plane.
  static Value emitCoefficients(ImplicitLocOpBuilder &b, Value input,
                                int64_t block) {
    auto shape = cast<RankedTensorType>(input.getType()).getShape();
    int64_t rows = shape[2] / block, columns = shape[3] / block;
    Value blocks = emitReshape(
        b, input, {shape[0], shape[1], rows, block, columns, block});
    SmallVector<double> basis;
    for (int64_t k = 0; k < block; ++k)
      for (int64_t i = 0; i < block; ++i)
        basis.push_back(std::cos((2 * double(i) + 1) * double(k) *
                                 std::numbers::pi / (2 * double(block))) *
                        std::sqrt((k == 0 ? 1.0 : 2.0) / double(block)));
    Value matrix = emitTable(b, {block, block}, basis);
    // N, C, u, v, row, column, and the pixels i, j of a block.
    auto map = [&](ArrayRef<unsigned> dims) {
      return AffineMap::getMultiDimMapWithTargets(8, dims, b.getContext());
    };
    SmallVector<utils::IteratorType> iterators(6,
                                               utils::IteratorType::parallel);
    iterators.append(2, utils::IteratorType::reduction);
    auto type = RankedTensorType::get(
        {shape[0], shape[1], block, block, rows, columns}, b.getF64Type());
    return emitReduction(
        b, type, {blocks, matrix, matrix},
        {map({0, 1, 4, 6, 5, 7}), map({2, 6}), map({3, 7}),
         map({0, 1, 2, 3, 4, 5})},
        iterators, emitConstant(b, b.getF64Type(), 0),
        [](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
          Value pixel =
              arith::UIToFPOp::create(inner, inner.getF64Type(), elements[0]);
          Scalar value = Scalar(inner, elements[1]) * Scalar(inner, pixel) *
                         Scalar(inner, elements[2]);
          return (Scalar(inner, elements[3]) + value).get();
        });
  }

  /// The coefficients that the masks select: N, channel and the blocks.
  static Value emitSelected(ImplicitLocOpBuilder &b, DctChannelSelectOp op,
                            Adaptor adaptor, Value coefficients,
                            int64_t block) {
    auto shape = cast<RankedTensorType>(coefficients.getType()).getShape();
    Value offsets = adaptor.getMaskOffset(), values = adaptor.getMaskValues();
    Type offsetElement = nn::getElementType(op.getMaskOffset().getType());
    Type valueElement = nn::getElementType(op.getMaskValues().getType());
    int64_t count = cast<RankedTensorType>(values.getType()).getDimSize(0);
    // The channel of each mask value: the last one whose part has begun.
    auto planeType = RankedTensorType::get({count}, b.getIndexType());
    AffineMap all = AffineMap::getMultiDimIdentityMap(2, b.getContext());
    Value channels = emitReduction(
        b, planeType, offsets, {all.getMinorSubMap(1), all.getMajorSubMap(1)},
        {utils::IteratorType::parallel, utils::IteratorType::reduction},
        emitConstantIndex(b, -1),
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          Scalar own(inner, linalg::IndexOp::create(inner, 0));
          Scalar part(inner, linalg::IndexOp::create(inner, 1));
          Scalar begin(inner, emitToIndex(inner, elements[0], offsetElement));
          return (begin <= own).select(part, Scalar(inner, elements[1])).get();
        });
    // Where in the planes of an image each result channel comes from.
    Value planes = emitElementwise(
        b, planeType, {channels, values},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          Scalar channel(inner, elements[0]);
          Value isKnown = ((channel >= 0) & (channel < double(shape[1]))).get();
          emitCheck(inner, isKnown, "a mask value belongs to no channel");
          Value size = emitConstantIndex(inner, block * block);
          Scalar value(inner,
                       emitCheckedIndex(inner, elements[1], valueElement, size,
                                        /*wraps=*/false, "a mask value"));
          return (channel * Scalar(inner, size) + value).get();
        });
    Value flat =
        emitReshape(b, coefficients,
                    {shape[0], shape[1] * block * block, shape[4], shape[5]});
    auto type = RankedTensorType::get({shape[0], count, shape[4], shape[5]},
                                      b.getF64Type());
    return emitGenerate(b, type,
                        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
                          SmallVector<Value> at(indices);
                          at[1] = emitRead(inner, planes, indices[1]);
                          return emitRead(inner, flat, at);
                        });
  }
};
} // namespace

void nn::populateImageLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<FlipLowering, RotateLowering, GaussianBlurLowering,
               DctChannelSelectLowering>(converter, patterns.getContext());
}
