//===- DetectionToLinalg.cpp - Regions of interest ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "Sampling.h"
#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;
using Numbers = SmallVector<Scalar>;

/// Corners of boxes are held within this.
static constexpr double kFarAway = 1e8;

/// Runs `body` for each pair of indices in [low, high), rows first. It maps the
/// carried values to new ones.
static Numbers
emitWindowLoop(ImplicitLocOpBuilder &b, const Numbers &low, const Numbers &high,
               const Numbers &starts,
               function_ref<Numbers(ImplicitLocOpBuilder &, Scalar y, Scalar x,
                                    const Numbers &carried)>
                   body) {
  auto getValues = [](const Numbers &numbers) {
    return llvm::map_to_vector(
        numbers, [](const Scalar &number) { return number.get(); });
  };
  SmallVector<Value> steps(2, emitConstantIndex(b, 1));
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), getValues(low), getValues(high), steps, getValues(starts),
      [&](OpBuilder &builder, Location loc, ValueRange indices,
          ValueRange carried) -> scf::ValueVector {
        ImplicitLocOpBuilder inner(loc, builder);
        Numbers numbers;
        for (Value value : carried)
          numbers.emplace_back(inner, value);
        return getValues(body(inner, Scalar(inner, indices[0]),
                              Scalar(inner, indices[1]), numbers));
      });
  Numbers results;
  for (Value value : nest.results)
    results.emplace_back(b, value);
  return results;
}

/// Two tensors of one shape, computed element by element together.
static SmallVector<Value> emitGeneratePair(
    ImplicitLocOpBuilder &b, RankedTensorType first, RankedTensorType second,
    ValueRange sizes,
    function_ref<std::pair<Value, Value>(ImplicitLocOpBuilder &, ValueRange)>
        body) {
  SmallVector<Value> inits = {
      emitEmpty(b, first, emitDynamicSizes(b, first, sizes)),
      emitEmpty(b, second, emitDynamicSizes(b, second, sizes))};
  AffineMap map = b.getMultiDimIdentityMap(unsigned(first.getRank()));
  SmallVector<utils::IteratorType> iterators(first.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, TypeRange{first, second}, ValueRange(), inits, {map, map}, iterators,
      [&](OpBuilder &builder, Location loc, ValueRange) {
        ImplicitLocOpBuilder inner(loc, builder);
        SmallVector<Value> indices;
        for (int64_t dim = 0; dim < first.getRank(); ++dim)
          indices.push_back(linalg::IndexOp::create(inner, dim));
        auto [one, other] = body(inner, indices);
        linalg::YieldOp::create(inner, ValueRange{one, other});
      });
  return llvm::to_vector_of<Value>(generic.getResults());
}

namespace {
/// The operand `rois` of the ops.
struct Regions {
  Value tensor;
  Type element;

  bool isKnown() const {
    return isa<RankedTensorType>(tensor.getType()) && isa<FloatType>(element);
  }

  /// Column `column` of region `row`, as f64.
  Scalar emitAt(ImplicitLocOpBuilder &b, Value row, int64_t column) const {
    return emitReadF64(b, tensor, {row, emitConstantIndex(b, column)}, element);
  }

  /// The image of region `row`, one of `count`.
  Value emitImage(ImplicitLocOpBuilder &b, Value row, Value count) const {
    Scalar image = emitAt(b, row, 0);
    Scalar isGood = (image >= 0) & (image < Scalar(b, count).toF64());
    emitCheck(b, isGood.get(), "the image of a region does not exist");
    return image.toIndex().get();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
class RoIPoolLowering : public Lowering<RoIPoolOp> {
public:
  using Lowering::Lowering;
  Values lower(RoIPoolOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op.getResult());
    RankedTensorType indexType = getResultType(op.getIndices());
    Type element = nn::getElementType(op.getInput().getType());
    Regions regions = {adaptor.getRois(),
                       nn::getElementType(op.getRois().getType())};
    if (!type || !indexType || !isa<RankedTensorType>(input.getType()) ||
        !isa<FloatType>(element) || !regions.isKnown())
      return failure();
    SmallVector<Value> inputSizes = emitSizes(b, input);
    SmallVector<Value> sizes = {emitDim(b, regions.tensor, 0), inputSizes[1]};
    for (int64_t at : {0, 1}) {
      Value size =
          emitReadInteger(b, op.getOutputSize(), adaptor.getOutputSize(), at);
      if (!size)
        return failure();
      sizes.push_back(size);
    }
    emitCheckSizes(b, sizes);
    double scale = op.getSpatialScale().convertToDouble();
    bool isMax = op.getMode() == PoolMode::max;
    return emitGeneratePair(
        b, type, indexType, sizes,
        [&](ImplicitLocOpBuilder &inner, ValueRange at) {
          Value image = regions.emitImage(inner, at[0], inputSizes[0]);
          Numbers low, high;
          for (int64_t dim : {0, 1}) {
            // Rows are in columns 2 and 4 of a region.
            auto corner = [&](int64_t column) {
              Scalar number = regions.emitAt(inner, at[0], column);
              return (number.toF32() * scale)
                  .toF64()
                  .roundHalfAway()
                  .clamp(-kFarAway, kFarAway)
                  .toIndex();
            };
            Scalar start = corner(dim == 0 ? 2 : 1);
            Scalar extent = corner(dim == 0 ? 4 : 3) - start + 1;
            extent = extent.max(extent.like(1));
            Scalar bins(inner, sizes[2 + dim]), bin(inner, at[2 + dim]);
            Scalar limit(inner, inputSizes[2 + dim]), zero = limit.like(0);
            low.push_back((bin * extent / bins + start).clamp(zero, limit));
            high.push_back((((bin + 1) * extent + bins - 1) / bins + start)
                               .clamp(zero, limit));
          }
          return isMax
                     ? emitMax(inner, input, element, image, at[1], low, high,
                               Scalar(inner, inputSizes[3]))
                     : emitMean(inner, input, element, image, at[1], low, high);
        });
  }

private:
  static Scalar emitPixel(ImplicitLocOpBuilder &b, Value input, Type element,
                          Value image, Value channel, Scalar y, Scalar x) {
    Value value = emitRead(b, input, {image, channel, y.get(), x.get()});
    return {b, emitToF32(b, value, element)};
  }

  static std::pair<Value, Value> emitMax(ImplicitLocOpBuilder &b, Value input,
                                         Type element, Value image,
                                         Value channel, const Numbers &low,
                                         const Numbers &high, Scalar width) {
    Scalar worst(b, emitConstant(b, b.getF32Type(),
                                 -std::numeric_limits<double>::infinity()));
    Scalar nowhere(b, emitConstantIndex(b, -1));
    Numbers best = emitWindowLoop(
        b, low, high, {worst, nowhere},
        [&](ImplicitLocOpBuilder &inner, Scalar y, Scalar x,
            const Numbers &carried) {
          Scalar value = emitPixel(inner, input, element, image, channel, y, x);
          Scalar isBetter = value > Scalar(inner, carried[0].get());
          return Numbers{isBetter.select(value, carried[0]),
                         isBetter.select(y * width + x, carried[1])};
        });
    Scalar isEmpty = (low[0] >= high[0]) | (low[1] >= high[1]);
    Scalar value = isEmpty.select(worst.like(0), best[0]);
    return {emitFromF32(b, value.get(), element),
            best[1].to(b.getI32Type()).get()};
  }

  static std::pair<Value, Value> emitMean(ImplicitLocOpBuilder &b, Value input,
                                          Type element, Value image,
                                          Value channel, const Numbers &low,
                                          const Numbers &high) {
    Scalar zero(b, emitConstant(b, b.getF32Type(), 0));
    Numbers sum = emitWindowLoop(
        b, low, high, {zero},
        [&](ImplicitLocOpBuilder &inner, Scalar y, Scalar x,
            const Numbers &carried) {
          return Numbers{carried[0] + emitPixel(inner, input, element, image,
                                                channel, y, x)};
        });
    Scalar count = (high[0] - low[0]).max(low[0].like(0)) *
                   (high[1] - low[1]).max(low[1].like(0));
    Scalar mean =
        (count == 0).select(zero, sum[0] / count.max(count.like(1)).toF32());
    return {emitFromF32(b, mean.get(), element),
            emitConstant(b, b.getI32Type(), -1)};
  }
};

class RoIAlignLowering : public Lowering<RoIAlignOp> {
public:
  using Lowering::Lowering;
  Values lower(RoIAlignOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op.getResult());
    RankedTensorType indexType = getResultType(op.getIndices());
    Type element = nn::getElementType(op.getInput().getType());
    Regions regions = {adaptor.getRois(),
                       nn::getElementType(op.getRois().getType())};
    if (!type || !indexType || !isa<RankedTensorType>(input.getType()) ||
        !isSampleable(element) || !regions.isKnown())
      return failure();
    SmallVector<Value> inputSizes = emitSizes(b, input), sizes = inputSizes;
    sizes[0] = emitDim(b, regions.tensor, 0);
    for (int64_t dim : {0, 1})
      sizes[2 + dim] = emitConstantIndex(b, op.getPooledSize()[dim]);
    emitCheckSizes(b, sizes);
    auto zeroPoint = double(getZeroPoint(element));
    bool isMax = op.getMode() == PoolMode::max;
    return emitGeneratePair(
        b, type, indexType, sizes,
        [&](ImplicitLocOpBuilder &inner, ValueRange at) {
          SmallVector<Value> from(at);
          from[0] = regions.emitImage(inner, at[0], inputSizes[0]);
          Numbers starts, steps;
          for (int64_t dim : {0, 1})
            emitBin(inner, op, regions, at, dim, starts, steps);
          auto readPixel = [&](ImplicitLocOpBuilder &reader, Value y, Value x) {
            SmallVector<Value> place(from);
            place[2] = y;
            place[3] = x;
            Scalar value = emitReadF64(reader, input, place, element);
            return zeroPoint == 0 ? value : value - zeroPoint;
          };
          auto [value, index] = emitSamples(
              inner, op, starts, steps, Scalar(inner, inputSizes[2]),
              Scalar(inner, inputSizes[3]), readPixel, isMax);
          Value result =
              zeroPoint == 0
                  ? emitFromF64(value, element)
                  : emitRoundedElement(value, element, int64_t(zeroPoint));
          return std::pair(result, index.to(inner.getI32Type()).get());
        });
  }

private:
  /// Where the samples of a bin begin along a dim, and how far apart they are.
  static void emitBin(ImplicitLocOpBuilder &b, RoIAlignOp op,
                      const Regions &regions, ValueRange at, int64_t dim,
                      Numbers &starts, Numbers &steps) {
    auto corner = [&](int64_t column) {
      return regions.emitAt(b, at[0], column) *
                 op.getSpatialScale().convertToDouble() -
             op.getOffset().convertToDouble();
    };
    Scalar start = corner(dim == 0 ? 2 : 1);
    Scalar extent = corner(dim == 0 ? 4 : 3) - start;
    Scalar bin = extent.max(extent.like(0)) / double(op.getPooledSize()[dim]);
    starts.push_back(start + bin * Scalar(b, at[2 + dim]).toF64());
    steps.push_back(bin);
  }

  /// The best sample and its number, or the mean.
  static std::pair<Scalar, Scalar>
  emitSamples(ImplicitLocOpBuilder &b, RoIAlignOp op, const Numbers &starts,
              const Numbers &steps, Scalar height, Scalar width,
              PixelReader read, bool isMax) {
    Scalar zero(b, emitConstantIndex(b, 0));
    Numbers counts = {zero.like(double(op.getSampleSize()[0])),
                      zero.like(double(op.getSampleSize()[1]))};
    Scalar start =
        starts[0].like(isMax ? -std::numeric_limits<double>::infinity() : 0.0);
    Numbers found = emitWindowLoop(
        b, {zero, zero}, counts, {start, zero},
        [&](ImplicitLocOpBuilder &inner, Scalar iy, Scalar ix,
            const Numbers &carried) {
          auto place = [&](int64_t dim, Scalar k) {
            Scalar part = (k.toF64() + 0.5) / double(op.getSampleSize()[dim]);
            return Scalar(inner, starts[dim].get()) + steps[dim] * part;
          };
          Scalar value = emitBilinearOrZero(inner, place(0, iy), place(1, ix),
                                            height, width, read);
          if (!isMax)
            return Numbers{carried[0] + value, carried[1]};
          Scalar isBetter = value > carried[0];
          return Numbers{isBetter.select(value, carried[0]),
                         isBetter.select(iy * counts[1] + ix, carried[1])};
        });
    if (isMax)
      return {found[0], found[1]};
    auto samples =
        double(op.getSampleSize()[0]) * double(op.getSampleSize()[1]);
    return {found[0] / samples, found[1]};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Deformable pooling
//===----------------------------------------------------------------------===//

namespace {
class DeformPSRoIPoolLowering : public Lowering<DeformPSRoIPoolOp> {
public:
  using Lowering::Lowering;
  Values lower(DeformPSRoIPoolOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput(), trans = adaptor.getTrans();
    RankedTensorType type = getResultType(op.getResult());
    RankedTensorType countType = getResultType(op.getCount());
    Type element = nn::getElementType(op.getInput().getType());
    Type transElement = nn::getElementType(op.getTrans().getType());
    Regions regions = {adaptor.getRois(),
                       nn::getElementType(op.getRois().getType())};
    if (!type || !countType || !isa<RankedTensorType>(input.getType()) ||
        !isa<FloatType>(element) || !regions.isKnown() ||
        (!op.getNoTrans() && (!isa<RankedTensorType>(trans.getType()) ||
                              !isa<FloatType>(transElement))))
      return failure();
    SmallVector<Value> inputSizes = emitSizes(b, input);
    SmallVector<Value> sizes = {emitDim(b, regions.tensor, 0), inputSizes[1]};
    for (int64_t pooled : op.getPooledSize())
      sizes.push_back(emitConstantIndex(b, pooled));
    emitCheckSizes(b, sizes);
    if (!op.getNoTrans())
      emitCheckTrans(b, trans, sizes[0], op.getPartSize());
    return emitGeneratePair(
        b, type, countType, sizes,
        [&](ImplicitLocOpBuilder &inner, ValueRange at) {
          SmallVector<Value> from(at);
          from[0] = regions.emitImage(inner, at[0], inputSizes[0]);
          Numbers starts, steps;
          for (int64_t dim : {0, 1})
            emitBin(inner, op, regions, trans, transElement, at, dim, starts,
                    steps);
          auto readPixel = [&](ImplicitLocOpBuilder &reader, Value y, Value x) {
            SmallVector<Value> place(from);
            place[2] = y;
            place[3] = x;
            return emitReadF64(reader, input, place, element);
          };
          return emitSamples(inner, op, starts, steps,
                             Scalar(inner, inputSizes[2]),
                             Scalar(inner, inputSizes[3]), readPixel, element);
        });
  }

private:
  /// Checks that there is a shift for each part.
  static void emitCheckTrans(ImplicitLocOpBuilder &b, Value trans, Value count,
                             int64_t parts) {
    IndexMath math(b);
    SmallVector<Value> sizes = emitSizes(b, trans);
    Value part = math.constant(parts);
    Value isGood = math.isAtLeast(sizes[0], count);
    for (Value least : {sizes[2], sizes[3]})
      isGood = math.isAnd(isGood, math.isAtLeast(least, part));
    isGood = math.isAnd(isGood, math.isAtLeast(sizes[1], math.constant(2)));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood, "there is not one shift for each part");
  }

  /// Where the samples of a bin begin along a dim, and how far apart they are.
  static void emitBin(ImplicitLocOpBuilder &b, DeformPSRoIPoolOp op,
                      const Regions &regions, Value trans, Type transElement,
                      ValueRange at, int64_t dim, Numbers &starts,
                      Numbers &steps) {
    double scale = op.getSpatialScale().convertToDouble();
    Scalar first =
        regions.emitAt(b, at[0], dim == 0 ? 2 : 1).roundHalfAway() * scale -
        0.5;
    Scalar last =
        (regions.emitAt(b, at[0], dim == 0 ? 4 : 3).roundHalfAway() + 1) *
            scale -
        0.5;
    Scalar extent = last - first;
    extent = extent.max(extent.like(0.1));
    auto bins = double(op.getPooledSize()[dim]);
    Scalar step = extent / bins;
    Scalar start = first + Scalar(b, at[2 + dim]).toF64() * extent / bins;
    if (!op.getNoTrans()) {
      auto part = [&](int64_t own) {
        Scalar bin(b, at[2 + own]);
        return (bin * double(op.getPartSize()) /
                double(op.getPooledSize()[own]))
            .get();
      };
      // The shift along x comes first.
      Scalar shift = emitReadF64(
          b, trans,
          {at[0], emitConstantIndex(b, dim == 0 ? 1 : 0), part(0), part(1)},
          transElement);
      start = start + shift * op.getTransStd().convertToDouble() * extent;
    }
    starts.push_back(start);
    steps.push_back(step / double(op.getSamplePerPart()));
  }

  /// The mean of the samples that lie on the map, and their number.
  static std::pair<Value, Value>
  emitSamples(ImplicitLocOpBuilder &b, DeformPSRoIPoolOp op,
              const Numbers &starts, const Numbers &steps, Scalar height,
              Scalar width, PixelReader read, Type element) {
    Scalar zero(b, emitConstantIndex(b, 0));
    Scalar none = starts[0].like(0);
    Scalar samples = zero.like(double(op.getSamplePerPart()));
    Numbers limits = {height.toF64(), width.toF64()};
    Numbers sums = emitWindowLoop(
        b, {zero, zero}, {samples, samples}, {none, none},
        [&](ImplicitLocOpBuilder &inner, Scalar iy, Scalar ix,
            const Numbers &carried) {
          auto place = [&](int64_t dim, Scalar k) {
            return Scalar(inner, starts[dim].get()) + steps[dim] * k.toF64();
          };
          Scalar y = place(0, iy), x = place(1, ix);
          auto isOn = [](Scalar at, Scalar limit) {
            return (at >= -0.5) & (at <= limit - 0.5);
          };
          Scalar isKept = isOn(y, limits[0]) & isOn(x, limits[1]);
          Scalar value = emitBilinearOrZero(inner, y.clamp(none, limits[0] - 1),
                                            x.clamp(none, limits[1] - 1),
                                            height, width, read);
          return Numbers{carried[0] + isKept.select(value, none),
                         carried[1] + isKept.select(none.like(1), none)};
        });
    Scalar mean =
        (sums[1] > 0).select(sums[0] / sums[1].max(none.like(1)), none);
    return {emitFromF64(mean, element), sums[1].to(element).get()};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Suppression
//===----------------------------------------------------------------------===//

namespace {
class NMSLowering : public Lowering<NMSOp> {
public:
  using Lowering::Lowering;
  Values lower(NMSOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value boxes = adaptor.getBoxes();
    RankedTensorType type = getResultType(op.getIndices());
    RankedTensorType countType = getResultType(op.getCount());
    if (!type || !countType || !isa<RankedTensorType>(boxes.getType()) ||
        !nn::getElementType(op.getBoxes().getType()).isF32())
      return failure();
    SmallVector<Value> sizes = emitSizes(b, boxes);
    Value isGood = IndexMath(b).isEqual(sizes[2], emitConstantIndex(b, 4));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood, "boxes have not 4 corners");
    Value limit = emitConstantIndex(b, int64_t(op.getMaxOutput()));
    SmallVector<Value> dynamicSizes =
        emitDynamicSizes(b, type, {sizes[0], limit});
    llvm::append_range(dynamicSizes, emitDynamicSizes(b, countType, sizes[0]));
    emitCheckSizes(b, {sizes[0], limit});
    Value threshold =
        emitConstant(b, b.getF32Type(), op.getIouThreshold().convertToDouble());
    return emitRuntimeCall(b, "mw_nms_f32", boxes, {type, countType},
                           {sizes[0], sizes[1], limit, threshold},
                           dynamicSizes);
  }
};
} // namespace

void nn::populateDetectionLowerings(TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<RoIPoolLowering, RoIAlignLowering, DeformPSRoIPoolLowering,
               NMSLowering>(converter, patterns.getContext());
}
