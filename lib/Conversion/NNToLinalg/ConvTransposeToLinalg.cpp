//===- ConvTransposeToLinalg.cpp - Transposed convolutions
//-------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

//===----------------------------------------------------------------------===//
// Scattered windows
//===----------------------------------------------------------------------===//

namespace {
/// Adds windows up: for each tap, what `emitTap` makes of the elements that the
/// tap reaches (one per window). Loops over taps are real loops, so that a
/// position is written by one tap at a time.
class WindowSum {
public:
  /// Gives the new elements (`leading..., positions...`) from the old ones and
  /// the indices of the tap.
  using EmitTap = function_ref<Value(ImplicitLocOpBuilder &b, Value elements,
                                     ValueRange taps)>;

  WindowSum(ImplicitLocOpBuilder &b, const Window &window,
            ArrayRef<OpFoldResult> leading, ArrayRef<OpFoldResult> positions)
      : b(b), window(window), leading(leading.begin(), leading.end()),
        positions(positions.begin(), positions.end()) {}

  /// The sum as `leading..., sizes...`; `zero` is what it starts with.
  Value emit(ArrayRef<OpFoldResult> sizes, Value zero, EmitTap emitTap);

private:
  OpFoldResult getIndex(int64_t value) { return b.getIndexAttr(value); }
  Value emitLoops(ImplicitLocOpBuilder &inner, Value sum,
                  SmallVector<Value> &taps, EmitTap emitTap);

  ImplicitLocOpBuilder &b;
  const Window &window;
  SmallVector<OpFoldResult> leading, positions;
};
} // namespace

Value WindowSum::emit(ArrayRef<OpFoldResult> sizes, Value zero,
                      EmitTap emitTap) {
  // Everything that a window reaches, padding included, and all of the result.
  SmallVector<OpFoldResult> padded(leading);
  for (size_t k = 0; k < window.getRank(); ++k) {
    AffineExpr count = b.getAffineDimExpr(0), size = b.getAffineDimExpr(1);
    auto map =
        AffineMap::get(2, 0,
                       {(count - 1) * window.strides[k] + window.getSpan(k) + 1,
                        size + window.pads[k].before},
                       b.getContext());
    padded.push_back(affine::makeComposedFoldedAffineMax(
        b, b.getLoc(), map, {positions[k], sizes[k]}));
  }
  Value empty = tensor::EmptyOp::create(b, padded, zero.getType());
  Value sum = linalg::FillOp::create(b, zero, empty).getResult(0);
  SmallVector<Value> taps;
  sum = emitLoops(b, sum, taps, emitTap);

  SmallVector<OpFoldResult> shape(leading);
  shape.append(sizes.begin(), sizes.end());
  SmallVector<OpFoldResult> offsets(leading.size(), getIndex(0));
  for (const PadPair &pad : window.pads)
    offsets.push_back(getIndex(pad.before));
  SmallVector<OpFoldResult> ones(shape.size(), getIndex(1));
  return tensor::ExtractSliceOp::create(b, sum, offsets, shape, ones);
}

Value WindowSum::emitLoops(ImplicitLocOpBuilder &inner, Value sum,
                           SmallVector<Value> &taps, EmitTap emitTap) {
  size_t k = taps.size();
  if (k == window.getRank()) {
    SmallVector<OpFoldResult> offsets(leading.size(), getIndex(0));
    SmallVector<OpFoldResult> strides(leading.size(), getIndex(1));
    SmallVector<OpFoldResult> sizes(leading);
    sizes.append(positions.begin(), positions.end());
    for (size_t i = 0; i < k; ++i) {
      Value step = emitConstantIndex(inner, window.dilations[i]);
      Value distance = emitMul(inner, taps[i], step);
      if (window.flip)
        distance = emitSub(inner, emitConstantIndex(inner, window.getSpan(i)),
                           distance);
      offsets.push_back(distance);
      strides.push_back(getIndex(window.strides[i]));
    }
    Value old =
        tensor::ExtractSliceOp::create(inner, sum, offsets, sizes, strides);
    Value updated = emitTap(inner, old, taps);
    return tensor::InsertSliceOp::create(inner, updated, sum, offsets, sizes,
                                         strides);
  }
  auto loop = scf::ForOp::create(
      inner, emitConstantIndex(inner, 0),
      emitConstantIndex(inner, window.kernel[k]), emitConstantIndex(inner, 1),
      ValueRange(sum),
      [&](OpBuilder &builder, Location loc, Value tap, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, builder);
        taps.push_back(tap);
        Value next = emitLoops(body, carried.front(), taps, emitTap);
        taps.pop_back();
        scf::YieldOp::create(body, next);
      });
  return loop.getResult(0);
}

/// The filter at one tap as G,OC,IC.
static Value emitTapOfFilter(ImplicitLocOpBuilder &b, Value filter,
                             ValueRange taps) {
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<OpFoldResult> offsets(3, b.getIndexAttr(0)), sizes;
  offsets.append(taps.begin(), taps.end());
  for (int64_t size : type.getShape().take_front(3))
    sizes.push_back(b.getIndexAttr(size));
  sizes.append(taps.size(), b.getIndexAttr(1));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  auto plane = RankedTensorType::get(type.getShape().take_front(3),
                                     type.getElementType());
  return tensor::ExtractSliceOp::create(b, plane, filter, offsets, sizes,
                                        strides);
}

Value nn::emitConvTranspose(ImplicitLocOpBuilder &b, Value input, Value filter,
                            const Window &window, const ConvNumbers &numbers,
                            ArrayRef<OpFoldResult> sizes) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(filter.getType()).getShape();
  size_t rank = window.getRank();
  input = emitSplitDim(b, input, 1, {shape[0], shape[1]});
  SmallVector<OpFoldResult> given = tensor::getMixedSizes(b, b.getLoc(), input);
  SmallVector<OpFoldResult> leading = {given[0], given[1],
                                       b.getIndexAttr(shape[2])};
  WindowSum sum(b, window, leading, ArrayRef(given).drop_front(3));

  // n, g, ic, oc, positions...; the forward filter's oc is summed over.
  unsigned numLoops = 4 + rank;
  SmallVector<AffineExpr> in, taps, out;
  for (unsigned dim : {0, 1, 3})
    in.push_back(b.getAffineDimExpr(dim));
  for (unsigned dim : {1, 3, 2})
    taps.push_back(b.getAffineDimExpr(dim));
  for (unsigned dim : {0, 1, 2})
    out.push_back(b.getAffineDimExpr(dim));
  for (unsigned dim = 4; dim < numLoops; ++dim) {
    in.push_back(b.getAffineDimExpr(dim));
    out.push_back(b.getAffineDimExpr(dim));
  }
  SmallVector<AffineMap> maps;
  for (const auto &exprs : {in, taps, out})
    maps.push_back(AffineMap::get(numLoops, 0, exprs, b.getContext()));
  SmallVector<utils::IteratorType> iterators(numLoops,
                                             utils::IteratorType::parallel);
  iterators[3] = utils::IteratorType::reduction;

  auto emitTap = [&](ImplicitLocOpBuilder &inner, Value elements,
                     ValueRange tap) -> Value {
    Value plane = emitTapOfFilter(inner, filter, tap);
    auto generic = linalg::GenericOp::create(
        inner, TypeRange(elements.getType()), ValueRange{input, plane},
        ValueRange(elements), maps, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          ImplicitLocOpBuilder body(loc, builder);
          Value product = numbers.emitProduct(body, values[0], values[1]);
          linalg::YieldOp::create(body, emitAdd(body, values[2], product));
        });
    return generic.getResult(0);
  };
  return emitJoinDims(b, sum.emit(sizes, numbers.emitZero(b), emitTap), 1, 2);
}

/// `(I - 1)*stride + span + 1 - pads` per spatial dim of N,C,spatial..., or the
/// sizes of `like`.
static SmallVector<OpFoldResult> getTransposedSizes(ImplicitLocOpBuilder &b,
                                                    Value input, Value like,
                                                    const Window &window) {
  SmallVector<OpFoldResult> all =
      tensor::getMixedSizes(b, b.getLoc(), like ? like : input);
  SmallVector<OpFoldResult> sizes(ArrayRef(all).drop_front(2));
  if (like)
    return sizes;
  for (auto [k, size] : llvm::enumerate(sizes)) {
    const PadPair &pad = window.pads[k];
    AffineExpr expr = (b.getAffineDimExpr(0) - 1) * window.strides[k] +
                      window.getSpan(k) + 1 - pad.before - pad.after;
    size = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), AffineMap::get(1, 0, expr), {size});
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Lowerings
//===----------------------------------------------------------------------===//

namespace {
class ConvTranspose2DLowering : public Lowering<ConvTranspose2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(ConvTranspose2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Layout layout = op.getLayout();
    FailureOr<ConvNumbers> numbers =
        ConvNumbers::get(op.getInput(), op.getFilter());
    FailureOr<FilterDims> dims = getStaticFilterDims(op, layout);
    RankedTensorType inputType = getRanked(op.getInput().getType());
    Layout inputLayout = getInputLayout(layout);
    Layout outputLayout = getOutputLayout(layout);
    if (failed(numbers) || failed(dims) || !inputType ||
        inputType.isDynamicDim(getChannelDim(inputLayout)))
      return failure();
    Value like = adaptor.getOutputShapeLike();
    if (like) {
      RankedTensorType type = getRanked(like.getType());
      if (!type || type.isDynamicDim(getChannelDim(outputLayout)))
        return failure();
      like = unpackActivation(b, like, outputLayout);
    }
    Value input = unpackActivation(b, adaptor.getInput(), inputLayout);
    Value filter = unpackFilter(b, adaptor.getFilter(), layout,
                                op.getGroupFilter(), *dims, /*hasBatch=*/false);
    Window window =
        Window::get({dims->kh, dims->kw}, op.getStrides(), op.getPads(),
                    op.getDilations(), op.getFlipFilter());
    Value sums = emitConvTranspose(b, input, filter, window, *numbers,
                                   getTransposedSizes(b, input, like, window));
    FailureOr<Value> result = emitConvResult(
        b, packActivation(b, sums, outputLayout, numbers->emitZero(b)),
        numbers->accumulator, nn::getElementType(op.getType()),
        Addend::get(op.getBias(), adaptor.getBias()), Addend(),
        op.getActivation());
    if (failed(result))
      return failure();
    return SmallVector<Value>{*result};
  }
};

class ConvTranspose3DLowering : public Lowering<ConvTranspose3DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(ConvTranspose3DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<VolumeConv> conv = VolumeConv::get(b, op, adaptor);
    Value like = adaptor.getOutputShapeLike();
    if (failed(conv) || (like && !getRanked(like.getType())))
      return failure();
    if (like)
      like = unpackVolume(b, like, op.getLayout());
    Value sums = emitConvTranspose(
        b, conv->input, conv->filter, conv->window, conv->numbers,
        getTransposedSizes(b, conv->input, like, conv->window));
    return conv->emitResult(b, sums, op.getLayout(),
                            nn::getElementType(op.getType()));
  }
};

class Col2ImLowering : public Lowering<Col2ImOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(Col2ImOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    Type element = nn::getElementType(op.getInput().getType());
    // A sum of codes would need wider ones.
    if (!type || !getResultType(op) || isQuantized(element) ||
        !(isFloat(element) || isa<IntegerType>(element)))
      return failure();
    // 16-bit floats are summed in f32.
    bool isNarrow = element.isF16() || element.isBF16();
    Type number = isNarrow ? b.getF32Type() : type.getElementType();
    Window window = Window::get(op.getKernel(), op.getStrides(), op.getPads(),
                                op.getDilations());
    SmallVector<OpFoldResult> given =
        tensor::getMixedSizes(b, b.getLoc(), input);
    SmallVector<OpFoldResult> sizes;
    for (int64_t size : op.getOutputSize())
      sizes.push_back(b.getIndexAttr(size));
    WindowSum sum(b, window, ArrayRef(given).take_front(2),
                  ArrayRef(given).slice(2, 2));
    Value result =
        sum.emit(sizes, emitConstant(b, number, 0),
                 [&](ImplicitLocOpBuilder &inner, Value elements,
                     ValueRange taps) -> Value {
                   Value part = emitTapOfColumns(inner, input, given, taps);
                   return emitSum(inner, elements, part, element, isNarrow);
                 });
    if (isNarrow) {
      auto narrow = cast<RankedTensorType>(result.getType()).clone(element);
      result =
          emitElementwise(b, narrow, {result},
                          [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                            return emitFromF32(inner, values[0], element);
                          });
    }
    return SmallVector<Value>{result};
  }

private:
  /// The columns of one tap as N,C,OH,OW.
  static Value emitTapOfColumns(ImplicitLocOpBuilder &b, Value columns,
                                ArrayRef<OpFoldResult> shape, ValueRange taps) {
    auto type = cast<RankedTensorType>(columns.getType());
    SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
    offsets.append(taps.begin(), taps.end());
    SmallVector<OpFoldResult> sizes(shape.take_front(4));
    sizes.append(2, b.getIndexAttr(1));
    SmallVector<OpFoldResult> strides(6, b.getIndexAttr(1));
    auto plane = RankedTensorType::get(type.getShape().take_front(4),
                                       type.getElementType());
    return tensor::ExtractSliceOp::create(b, plane, columns, offsets, sizes,
                                          strides);
  }

  /// `elements + part`, into the memory of `elements`.
  static Value emitSum(ImplicitLocOpBuilder &b, Value elements, Value part,
                       Type element, bool isNarrow) {
    AffineMap map = b.getMultiDimIdentityMap(4);
    SmallVector<utils::IteratorType> iterators(4,
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        b, TypeRange(elements.getType()), ValueRange(part),
        ValueRange(elements), {map, map}, iterators,
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          ImplicitLocOpBuilder body(loc, builder);
          Value term =
              isNarrow ? emitToF32(body, values[0], element) : Value(values[0]);
          linalg::YieldOp::create(body, emitAdd(body, values[1], term));
        });
    return generic.getResult(0);
  }
};
} // namespace

void nn::populateConvTransposeLowerings(TypeConverter &converter,
                                        RewritePatternSet &patterns) {
  patterns
      .add<ConvTranspose2DLowering, ConvTranspose3DLowering, Col2ImLowering>(
          converter, patterns.getContext());
}
