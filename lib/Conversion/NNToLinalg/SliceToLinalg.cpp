//===- SliceToLinalg.cpp - Slices and what replaces them ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

namespace {
/// The elements a slice selects of each axis.
struct SliceRanges {
  SmallVector<AxisRange> axes;
  SmallVector<bool> isDropped;

  /// Whether all steps are known to be positive: the slice is a view.
  bool isView() const {
    return llvm::all_of(axes, [](const AxisRange &range) {
      return getConstantIndex(range.step).value_or(0) > 0;
    });
  }

  /// The sizes of the axes that stay. A scalar has one axis.
  SmallVector<Value> getSizes() const {
    SmallVector<Value> sizes;
    for (auto [range, dropped] : llvm::zip_equal(axes, isDropped))
      if (!dropped)
        sizes.push_back(range.count);
    if (sizes.empty() && !axes.empty())
      sizes.push_back(axes.front().count);
    return sizes;
  }

  /// The element of the tensor at `indices` of the slice.
  SmallVector<Value> emitSource(ImplicitLocOpBuilder &b,
                                ValueRange indices) const {
    IndexMath math(b);
    SmallVector<Value> at;
    size_t next = 0;
    for (auto [range, dropped] : llvm::zip_equal(axes, isDropped))
      at.push_back(dropped ? range.start
                           : math.add(range.start,
                                      math.mul(indices[next++], range.step)));
    return at;
  }

  SmallVector<OpFoldResult> getOffsets() const {
    return llvm::map_to_vector(axes, [](const AxisRange &range) {
      return getAsOpFoldResult(range.start);
    });
  }
  SmallVector<OpFoldResult> getCounts() const {
    return llvm::map_to_vector(axes, [](const AxisRange &range) {
      return getAsOpFoldResult(range.count);
    });
  }
  SmallVector<OpFoldResult> getSteps() const {
    return llvm::map_to_vector(axes, [](const AxisRange &range) {
      return getAsOpFoldResult(range.step);
    });
  }
};
} // namespace

/// Applies the items of `op` to `input`.
template <typename OpT>
static FailureOr<SliceRanges> emitRanges(ImplicitLocOpBuilder &b, OpT op,
                                         typename OpT::Adaptor adaptor,
                                         Value input) {
  IndexMath math(b);
  Value zero = math.constant(0), one = math.constant(1);
  FailureOr<ItemRanges> items =
      emitItemRanges(b, IndexSpec::get(op), IndexSpec::get(adaptor), input);
  if (failed(items))
    return failure();
  SliceRanges ranges;
  ranges.axes = items->axes;
  ranges.isDropped.resize(ranges.axes.size(), false);
  for (auto [axis, range] : llvm::enumerate(ranges.axes)) {
    if (!items->isIndexed(int64_t(axis)))
      continue;
    Value index = emitReadInteger(b, items->original[axis].index,
                                  items->lowered[axis].index);
    if (!index)
      return failure();
    Value size = range.count;
    index = math.select(math.isLess(index, zero), math.add(index, size), index);
    Value isGood = math.compare(arith::CmpIPredicate::ult, index, size);
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood,
                "the index of axis " + Twine(axis) + " is out of range");
    range = {index, one, one};
    ranges.isDropped[axis] = true;
  }
  return ranges;
}

namespace {
class SliceLowering : public Lowering<SliceOp> {
public:
  using Lowering::Lowering;
  Values lower(SliceOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    auto inputType = dyn_cast<RankedTensorType>(input.getType());
    if (!type || !inputType)
      return failure();
    FailureOr<SliceRanges> ranges = emitRanges(b, op, adaptor, input);
    if (failed(ranges))
      return failure();
    SmallVector<Value> sizes = ranges->getSizes();
    SmallVector<Value> dynamicSizes = emitDynamicSizes(b, type, sizes);
    if (!ranges->isView())
      return SmallVector<Value>{emitGenerate(
          b, type,
          [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
            return emitRead(inner, input, ranges->emitSource(inner, indices));
          },
          dynamicSizes)};
    SmallVector<int64_t> shape;
    for (Value size : sizes)
      shape.push_back(getConstantIndex(size).value_or(ShapedType::kDynamic));
    Value part = tensor::ExtractSliceOp::create(
        b, RankedTensorType::get(shape, type.getElementType()), input,
        ranges->getOffsets(), ranges->getCounts(), ranges->getSteps());
    return SmallVector<Value>{emitAsType(b, part, type)};
  }
};

class SliceUpdateLowering : public Lowering<SliceUpdateOp> {
public:
  using Lowering::Lowering;
  Values lower(SliceUpdateOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput(), value = adaptor.getValue();
    if (!isa<RankedTensorType>(input.getType()) ||
        !isa<RankedTensorType>(value.getType()))
      return failure();
    FailureOr<SliceRanges> ranges = emitRanges(b, op, adaptor, input);
    if (failed(ranges))
      return failure();
    SmallVector<Value> sizes = ranges->getSizes();
    emitCheckBroadcast(b, value, sizes);
    return SmallVector<Value>{
        emitScatter(b, input, sizes,
                    [&](ImplicitLocOpBuilder &inner, ValueRange indices,
                        SmallVectorImpl<Value> &at) {
                      at = ranges->emitSource(inner, indices);
                      return emitBroadcastRead(inner, value, indices);
                    })};
  }
};
} // namespace

void nn::populateSliceLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<SliceLowering, SliceUpdateLowering>(converter,
                                                   patterns.getContext());
}
