//===- ConvRelativesToLinalg.cpp - Relatives of the 2-D convolution
//----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// What a float op computes with: f32, or f64 for f64.
static Type getNumberType(Type element) {
  return element.isF64() ? element
                         : Type(Float32Type::get(element.getContext()));
}

namespace {
/// Operands of a convolution that knows no layout but NCHW.
struct PlainConv {
  ConvNumbers numbers;
  Window window;
  /// G,OC,IC,FH,FW
  Value filter;
};
} // namespace

template <typename OpT>
static FailureOr<PlainConv> getPlainConv(ImplicitLocOpBuilder &b, OpT op,
                                         typename OpT::Adaptor adaptor) {
  FailureOr<ConvNumbers> numbers =
      ConvNumbers::get(op.getInput(), op.getFilter());
  FailureOr<FilterDims> dims = getStaticFilterDims(op, Layout::NCHW);
  RankedTensorType input = getRanked(op.getInput().getType());
  if (failed(numbers) || failed(dims) || !input || input.isDynamicDim(1))
    return failure();
  Value filter = unpackFilter(b, adaptor.getFilter(), Layout::NCHW,
                              op.getGroupFilter(), *dims, /*hasBatch=*/false);
  return PlainConv{*numbers,
                   Window::get({dims->kh, dims->kw}, op.getStrides(),
                               op.getPads(), op.getDilations(),
                               op.getFlipFilter()),
                   filter};
}

/// The sums of a convolution of floats as the op's result.
static FailureOr<SmallVector<Value>> finishFloats(ImplicitLocOpBuilder &b,
                                                  Value sums, Type accumulator,
                                                  Type element) {
  FailureOr<Value> result = emitConvResult(
      b, sums, accumulator, element, Addend(), Addend(), Activation::none);
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

namespace {
class RegionConv2DLowering : public Lowering<RegionConv2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(RegionConv2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<PlainConv> conv = getPlainConv(b, op, adaptor);
    auto regionType =
        dyn_cast<RankedTensorType>(adaptor.getRegionIn().getType());
    if (failed(conv) || !regionType ||
        !isa<RankedTensorType>(adaptor.getRegionOut().getType()))
      return failure();
    const ConvNumbers &numbers = conv->numbers;
    const Window &window = conv->window;
    ConvNest nest = ConvNest::get(
        b, adaptor.getInput(),
        cast<RankedTensorType>(conv->filter.getType()).getShape(), window,
        numbers.accumulator, emitRealZero(b, numbers.input));
    // The padding belongs to no region, but it is zero in any.
    Value regionIn =
        window.emitPadded(b, adaptor.getRegionIn(), {1, 2},
                          emitConstant(b, regionType.getElementType(), 0));
    SmallVector<AffineExpr> in = {nest.n}, out = {nest.n};
    for (size_t k = 0; k < 2; ++k) {
      in.push_back(window.getTap(k, nest.positions[k], nest.taps[k]));
      out.push_back(nest.positions[k]);
    }
    Value sums = nest.emitSums(
        b, conv->filter, {regionIn, adaptor.getRegionOut()},
        {nest.getMap(in), nest.getMap(out)},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
          Value isSame = arith::CmpIOp::create(inner, arith::CmpIPredicate::eq,
                                               elements[2], elements[3]);
          return arith::SelectOp::create(
              inner, isSame,
              numbers.emitProduct(inner, elements[0], elements[1]),
              numbers.emitZero(inner));
        });
    return finishFloats(b, sums, numbers.accumulator,
                        nn::getElementType(op.getType()));
  }
};

class MaskPropagateLowering : public Lowering<MaskPropagateOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(MaskPropagateOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    if (!type || !isa<RankedTensorType>(adaptor.getInput().getType()))
      return failure();
    Window window = Window::get(op.getKernel(), op.getStrides(), op.getPads(),
                                op.getDilations());
    Type lowered = type.getElementType();
    Value zero = emitConstant(b, lowered, 0);
    Value one = emitConstant(b, lowered, 1);
    return SmallVector<Value>{emitWindowReduction(
        b, adaptor.getInput(), {0, 1}, window, zero, zero,
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
          Value isSet = arith::CmpIOp::create(inner, arith::CmpIPredicate::ne,
                                              elements[0], zero);
          return arith::SelectOp::create(inner, isSet, one, elements[1]);
        })};
  }
};

//===----------------------------------------------------------------------===//
// Filters of positions
//===----------------------------------------------------------------------===//

/// The local convolutions, whose filter is `[G,]POS,POS,IC,FH,FW,OC`: one per
/// position or per tile of positions.
template <typename OpT> class LocalConvLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  FailureOr<SmallVector<Value>> lower(OpT op, OpT::Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<ConvNumbers> numbers =
        ConvNumbers::get(op.getInput(), op.getFilter());
    RankedTensorType input = getRanked(op.getInput().getType());
    RankedTensorType filterType = getRanked(op.getFilter().getType());
    RankedTensorType type = this->getResultType(op);
    if (failed(numbers) || !input || !filterType || !type ||
        !filterType.hasStaticShape() || input.isDynamicDim(1) ||
        type.isDynamicDim(2) || type.isDynamicDim(3))
      return failure();
    Value filter = adaptor.getFilter();
    if (!op.getGroupFilter())
      filter = emitSplitDim(b, filter, 0, {1, filterType.getDimSize(0)});
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(filter.getType()).getShape();
    Window window = Window::get({shape[4], shape[5]}, op.getStrides(),
                                op.getPads(), {}, op.getFlipFilter());
    ConvNest nest = ConvNest::get(
        b, adaptor.getInput(),
        {shape[0], shape[6], shape[3], shape[4], shape[5]}, window,
        numbers->accumulator, emitRealZero(b, numbers->input));
    // Positions per filter.
    int64_t high = type.getDimSize(2) / shape[1];
    int64_t wide = type.getDimSize(3) / shape[2];
    nest.filterMap = nest.getMap({nest.g, nest.positions[0].floorDiv(high),
                                  nest.positions[1].floorDiv(wide), nest.ic,
                                  nest.taps[0], nest.taps[1], nest.oc});
    Value sums = nest.emitSums(
        b, filter, {}, {},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          return numbers->emitProduct(inner, elements[0], elements[1]);
        });
    return finishFloats(b, sums, numbers->accumulator,
                        nn::getElementType(op.getType()));
  }
};

//===----------------------------------------------------------------------===//
// Learned positions
//===----------------------------------------------------------------------===//

class DeformConv2DLowering : public Lowering<DeformConv2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(DeformConv2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<PlainConv> conv = getPlainConv(b, op, adaptor);
    auto offset = dyn_cast<RankedTensorType>(adaptor.getOffset().getType());
    auto mask = dyn_cast<RankedTensorType>(adaptor.getMask().getType());
    if (failed(conv) || !offset || !mask || offset.isDynamicDim(1) ||
        mask.isDynamicDim(1))
      return failure();
    const ConvNumbers &numbers = conv->numbers;
    ArrayRef<int64_t> filterShape =
        cast<RankedTensorType>(conv->filter.getType()).getShape();
    ConvNest nest =
        ConvNest::get(b, adaptor.getInput(), filterShape, conv->window,
                      numbers.accumulator, emitRealZero(b, numbers.input));
    // The samples are made first, since each is used for all output channels:
    // they take the place of the padded input.
    Value samples = emitSamples(b, op, adaptor, conv->window, nest);
    nest.input = emitSplitDim(b, samples, 1, {filterShape[0], filterShape[2]});
    SmallVector<AffineExpr> in = {nest.n, nest.g, nest.ic};
    for (size_t k = 0; k < 2; ++k)
      in.push_back(conv->window.flip ? conv->window.kernel[k] - 1 - nest.taps[k]
                                     : nest.taps[k]);
    in.append(nest.positions.begin(), nest.positions.end());
    nest.inputMap = nest.getMap(in);
    Type number = numbers.accumulator;
    Value sums = nest.emitSums(
        b, conv->filter, {}, {},
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          return emitMul(inner, elements[0],
                         emitCast(inner, elements[1], numbers.filter, number));
        });
    return finishFloats(b, sums, number, nn::getElementType(op.getType()));
  }

private:
  /// `mask * bilinear(input, y, x)` as N,C,FH,FW,OH,OW of accumulators.
  static Value emitSamples(ImplicitLocOpBuilder &b, DeformConv2DOp op,
                           Adaptor adaptor, const Window &window,
                           const ConvNest &nest);

  /// The distance of a position from 0 along one dim: `position*stride - pad +
  /// tap*dilation + offset`, held near [0, size) where an index can hold it.
  static Value emitCoordinate(ImplicitLocOpBuilder &b, const Window &window,
                              size_t k, Value position, Value tap, Value offset,
                              Value size);
};
} // namespace

Value DeformConv2DLowering::emitCoordinate(ImplicitLocOpBuilder &b,
                                           const Window &window, size_t k,
                                           Value position, Value tap,
                                           Value offset, Value size) {
  Type number = offset.getType();
  Value start =
      emitSub(b, emitMul(b, position, emitConstantIndex(b, window.strides[k])),
              emitConstantIndex(b, window.pads[k].before));
  start = emitAdd(b, start,
                  emitMul(b, tap, emitConstantIndex(b, window.dilations[k])));
  auto toNumber = [&](Value index) -> Value {
    Value wide = arith::IndexCastOp::create(b, b.getI64Type(), index);
    return arith::SIToFPOp::create(b, number, wide);
  };
  Value at = emitAdd(b, toNumber(start), offset);
  // Everything beyond is outside with all four neighbours; so is a NaN.
  at = arith::MaxNumFOp::create(b, at, emitConstant(b, number, -2));
  return arith::MinNumFOp::create(
      b, at, emitAdd(b, toNumber(size), emitConstant(b, number, 1)));
}

namespace {
/// The two neighbours of a coordinate along one dim.
struct Neighbours {
  /// Indices within the dim, and weights: 0 for a neighbour outside of it.
  std::array<Value, 2> indices, weights;

  static Neighbours get(ImplicitLocOpBuilder &b, Value coordinate, Value size);
};
} // namespace

Neighbours Neighbours::get(ImplicitLocOpBuilder &b, Value coordinate,
                           Value size) {
  Type number = coordinate.getType();
  Value low = math::FloorOp::create(b, coordinate);
  Value fraction = emitSub(b, coordinate, low);
  Value whole = arith::FPToSIOp::create(b, b.getI64Type(), low);
  Value first = arith::IndexCastOp::create(b, b.getIndexType(), whole);
  Value zero = emitConstantIndex(b, 0), one = emitConstantIndex(b, 1);
  Neighbours result;
  result.weights = {emitSub(b, emitConstant(b, number, 1), fraction), fraction};
  result.indices = {first, emitAdd(b, first, one)};
  for (auto [index, weight] : llvm::zip_equal(result.indices, result.weights)) {
    // One unsigned comparison tests both bounds.
    Value isIn =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, index, size);
    weight =
        arith::SelectOp::create(b, isIn, weight, emitConstant(b, number, 0));
    index = arith::SelectOp::create(b, isIn, index, zero);
  }
  return result;
}

Value DeformConv2DLowering::emitSamples(ImplicitLocOpBuilder &b,
                                        DeformConv2DOp op, Adaptor adaptor,
                                        const Window &window,
                                        const ConvNest &nest) {
  Value input = adaptor.getInput();
  auto inputType = cast<RankedTensorType>(input.getType());
  Type number = nest.type.getElementType();
  Type element = nn::getElementType(op.getInput().getType());
  int64_t channels = inputType.getDimSize(1);
  int64_t taps = window.kernel[0] * window.kernel[1];
  int64_t deformGroups =
      cast<RankedTensorType>(adaptor.getMask().getType()).getDimSize(1) / taps;
  SmallVector<int64_t> shape = {nest.type.getDimSize(0), channels};
  shape.append(window.kernel.begin(), window.kernel.end());
  llvm::append_range(shape, nest.type.getShape().take_back(2));
  Value height = emitDim(b, input, 2), width = emitDim(b, input, 3);
  // An empty image has no element to read a neighbour's place from.
  Value hasElements =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                            emitMul(b, height, width), emitConstantIndex(b, 0));
  emitCheck(b, hasElements, "a deformable convolution of an empty image");
  return emitGenerate(
      b, RankedTensorType::get(shape, number),
      [&](ImplicitLocOpBuilder &inner, ValueRange at) -> Value {
        Value n = at[0], c = at[1], fh = at[2], fw = at[3];
        Value oh = at[4], ow = at[5];
        Value group = arith::DivUIOp::create(
            inner, c, emitConstantIndex(inner, channels / deformGroups));
        Value tap = emitAdd(
            inner,
            emitMul(inner, fh, emitConstantIndex(inner, window.kernel[1])), fw);
        Value channel = emitAdd(
            inner, emitMul(inner, group, emitConstantIndex(inner, taps)), tap);
        auto read = [&](Value tensor, ValueRange indices) {
          return emitCast(inner, emitRead(inner, tensor, indices), element,
                          number);
        };
        Value two = emitConstantIndex(inner, 2);
        Value first = emitMul(inner, channel, two);
        Value second = emitAdd(inner, first, emitConstantIndex(inner, 1));
        Value y = emitCoordinate(inner, window, 0, oh, fh,
                                 read(adaptor.getOffset(), {n, first, oh, ow}),
                                 height);
        Value x = emitCoordinate(inner, window, 1, ow, fw,
                                 read(adaptor.getOffset(), {n, second, oh, ow}),
                                 width);
        Neighbours rows = Neighbours::get(inner, y, height);
        Neighbours columns = Neighbours::get(inner, x, width);
        Value sum;
        for (auto [row, rowWeight] :
             llvm::zip_equal(rows.indices, rows.weights))
          for (auto [column, columnWeight] :
               llvm::zip_equal(columns.indices, columns.weights)) {
            Value term = emitMul(inner, read(input, {n, c, row, column}),
                                 emitMul(inner, rowWeight, columnWeight));
            sum = sum ? emitAdd(inner, sum, term) : term;
          }
        return emitMul(inner, sum,
                       read(adaptor.getMask(), {n, channel, oh, ow}));
      },
      nest.dynamicSizes);
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

namespace {
class Im2ColLowering : public Lowering<Im2ColOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(Im2ColOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    if (!type || !isa<RankedTensorType>(adaptor.getInput().getType()))
      return failure();
    Window window = Window::get(op.getKernel(), op.getStrides(), op.getPads(),
                                op.getDilations());
    Type element = nn::getElementType(op.getType());
    if (isa<ComplexType>(element))
      return failure();
    Value padded = window.emitPadded(b, adaptor.getInput(), {2, 3},
                                     emitRealZero(b, element));
    auto paddedType = cast<RankedTensorType>(padded.getType());
    SmallVector<int64_t> shape;
    SmallVector<Value> sizes;
    SmallVector<AffineExpr> exprs;
    for (unsigned dim : {0, 1}) {
      shape.push_back(paddedType.getDimSize(dim));
      if (paddedType.isDynamicDim(dim))
        sizes.push_back(emitDim(b, padded, dim));
      exprs.push_back(b.getAffineDimExpr(dim));
    }
    for (unsigned k : {0, 1}) {
      shape.push_back(window.emitPositions(b, padded, k, k + 2, sizes));
      exprs.push_back(window.getTap(k, b.getAffineDimExpr(k + 2),
                                    b.getAffineDimExpr(k + 4)));
    }
    shape.append(window.kernel.begin(), window.kernel.end());
    AffineMap map = AffineMap::get(6, 0, exprs, b.getContext());
    return SmallVector<Value>{emitMap(
        b, RankedTensorType::get(shape, type.getElementType()), {padded}, {map},
        [](ImplicitLocOpBuilder &, ValueRange values) { return values[0]; },
        sizes)};
  }
};

class CorrelationLowering : public Lowering<CorrelationOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CorrelationOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    auto inputType = dyn_cast<RankedTensorType>(adaptor.getLhs().getType());
    if (!type || !inputType || !type.hasStaticShape() ||
        !inputType.hasStaticShape() ||
        !isa<RankedTensorType>(adaptor.getRhs().getType()))
      return failure();
    auto reach = static_cast<int64_t>(op.getMaxDisplacement());
    auto stride1 = static_cast<int64_t>(op.getStride1());
    auto stride2 = static_cast<int64_t>(op.getStride2());
    auto kernel = static_cast<int64_t>(op.getKernelSize());
    auto pad = static_cast<int64_t>(op.getPad());
    int64_t steps = reach / stride2;
    int64_t displacements = 2 * steps + 1;
    int64_t width = 2 * ((kernel - 1) / 2) + 1;
    Type element = nn::getElementType(op.getType());
    Type number = getNumberType(element);

    // n, dy, dx, c, u, v, i, j with u and v counted from the kernel's corner.
    SmallVector<AffineExpr> d;
    for (unsigned dim = 0; dim < 8; ++dim)
      d.push_back(b.getAffineDimExpr(dim));
    AffineExpr y = d[6] * stride1 + d[4], x = d[7] * stride1 + d[5];
    int64_t least = reach - steps * stride2;
    auto getMap = [&](ArrayRef<AffineExpr> exprs) {
      return AffineMap::get(8, 0, exprs, b.getContext());
    };
    SmallVector<AffineMap> maps = {
        getMap({d[0], d[3], y + reach, x + reach}),
        getMap({d[0], d[3], y + d[1] * stride2 + least,
                x + d[2] * stride2 + least}),
        getMap({d[4], d[5]}), getMap({d[0], d[1], d[2], d[6], d[7]})};
    using Iterator = utils::IteratorType;
    SmallVector<Iterator> iterators(8, Iterator::parallel);
    std::fill_n(iterators.begin() + 3, 3, Iterator::reduction);

    // No displacement reaches beyond the padding that the op asks for.
    Value zero = emitConstant(b, inputType.getElementType(), 0);
    SmallVector<int64_t> border = {0, 0, pad, pad};
    Value lhs = emitPad(b, adaptor.getLhs(), border, border, zero);
    Value rhs = emitPad(b, adaptor.getRhs(), border, border, zero);
    // Says the bounds of the loops over the kernel; it is not read.
    Value bounds = emitEmpty(b, RankedTensorType::get({width, width}, number));
    auto sumType =
        RankedTensorType::get({type.getDimSize(0), displacements, displacements,
                               type.getDimSize(2), type.getDimSize(3)},
                              number);
    bool multiplies = op.getMultiply();
    Value sums = emitReduction(
        b, sumType, {lhs, rhs, bounds}, maps, iterators,
        emitConstant(b, number, 0),
        [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
          Value left = emitCast(inner, elements[0], element, number);
          Value right = emitCast(inner, elements[1], element, number);
          Value term = multiplies ? emitMul(inner, left, right)
                                  : Value(math::AbsFOp::create(
                                        inner, emitSub(inner, left, right)));
          return emitAdd(inner, elements[3], term);
        });
    sums = emitJoinDims(b, sums, 1, 2);
    double count =
        double(kernel) * double(kernel) * double(inputType.getDimSize(1));
    return SmallVector<Value>{emitElementwise(
        b, type, {sums}, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Value mean = arith::DivFOp::create(
              inner, values[0], emitConstant(inner, number, count));
          return emitCast(inner, mean, number, element);
        })};
  }
};
} // namespace

void nn::populateConvRelativeLowerings(TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<RegionConv2DLowering, MaskPropagateLowering,
               LocalConvLowering<LocalConv2DOp>,
               LocalConvLowering<LocalShareConv2DOp>, DeformConv2DLowering,
               Im2ColLowering, CorrelationLowering>(converter,
                                                    patterns.getContext());
}
