//===- PoolToLinalg.cpp - Pooling
//--------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Positions of height and width in the physical shape of a layout. Pooling
/// leaves all other dims as they are, so that nothing has to be unpacked.
static std::array<int64_t, 2> getSpatialDims(Layout layout) {
  switch (layout) {
  case Layout::NHWC:
  case Layout::CHWN4:
    return {1, 2};
  case Layout::NHWCD4:
    return {1, 3};
  default:
    return {2, 3};
  }
}

/// How many elements of `input` the window at `indices` holds.
static Value emitCount(ImplicitLocOpBuilder &b, Value input,
                       ArrayRef<int64_t> dims, const Window &window,
                       ValueRange indices) {
  Value count;
  for (auto [k, dim] : llvm::enumerate(dims)) {
    // min(start + K, I) - max(start, 0)
    Value start = emitSub(
        b, emitMul(b, indices[dim], emitConstantIndex(b, window.strides[k])),
        emitConstantIndex(b, window.pads[k].before));
    Value end = emitAdd(b, start, emitConstantIndex(b, window.kernel[k]));
    end = arith::MinSIOp::create(b, end, emitDim(b, input, dim));
    start = arith::MaxSIOp::create(b, start, emitConstantIndex(b, 0));
    Value own = arith::MaxSIOp::create(b, emitSub(b, end, start),
                                       emitConstantIndex(b, 0));
    count = count ? emitMul(b, count, own) : own;
  }
  return count;
}

/// The least number of a lowered type that holds `element`.
static Value emitLowest(ImplicitLocOpBuilder &b, Type lowered, Type element) {
  if (auto floating = dyn_cast<FloatType>(lowered))
    return arith::ConstantOp::create(
        b,
        b.getFloatAttr(floating, APFloat::getInf(floating.getFloatSemantics(),
                                                 /*Negative=*/true)));
  unsigned width = lowered.getIntOrFloatBitWidth();
  APInt lowest = isUnsignedElement(element) ? APInt::getZero(width)
                                            : APInt::getSignedMinValue(width);
  return arith::ConstantOp::create(b, IntegerAttr::get(lowered, lowest));
}

static Value emitMaxPool(ImplicitLocOpBuilder &b, Value input, Type element,
                         Layout layout, const Window &window) {
  Type lowered = getLoweredElementType(element);
  // The padding never wins; a window of nothing else gives this value.
  Value lowest = emitLowest(b, lowered, element);
  return emitWindowReduction(
      b, input, getSpatialDims(layout), window, lowest, lowest,
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) -> Value {
        if (isa<FloatType>(lowered))
          return arith::MaximumFOp::create(inner, elements[1], elements[0]);
        if (isUnsignedElement(element))
          return arith::MaxUIOp::create(inner, elements[1], elements[0]);
        return arith::MaxSIOp::create(inner, elements[1], elements[0]);
      });
}

/// `sum / count` of integers: rounded half away from zero, or truncated.
static Value emitIntMean(ImplicitLocOpBuilder &b, Value sum, Value count,
                         bool rounds) {
  if (!rounds)
    return arith::DivSIOp::create(b, sum, count);
  // (2*|sum| + count) / (2*count) with the sign of the sum.
  Type type = sum.getType();
  Value size = math::AbsIOp::create(b, sum);
  Value two = emitConstant(b, type, 2);
  Value mean = arith::DivSIOp::create(
      b, emitAdd(b, emitMul(b, size, two), count), emitMul(b, count, two));
  Value zero = emitConstant(b, type, 0);
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, sum, zero);
  return arith::SelectOp::create(b, isNegative, emitSub(b, zero, mean), mean);
}

static Value emitAvgPool(ImplicitLocOpBuilder &b, Value input, Type element,
                         Layout layout, const Window &window,
                         bool countIncludesPad) {
  Type lowered = getLoweredElementType(element);
  Type number = b.getF32Type();
  if (element.isF64())
    number = element;
  else if (!isFloat(element)) // The sum of any number of codes is exact.
    number = b.getI64Type();
  // Where padding does not count, its codes must not either.
  Value outside =
      countIncludesPad ? emitRealZero(b, element) : emitConstant(b, lowered, 0);
  std::array<int64_t, 2> dims = getSpatialDims(layout);
  Value sums = emitWindowReduction(
      b, input, dims, window, outside, emitConstant(b, number, 0),
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        Value value = elements[0];
        if (!isFloat(element))
          value = emitResizeInt(inner, value, element, number);
        else if (!element.isF64())
          value = emitToF32(inner, value, element);
        return emitAdd(inner, elements[1], value);
      });
  auto type = cast<RankedTensorType>(sums.getType()).clone(lowered);
  bool hasPads = llvm::any_of(window.pads, [](const PadPair &pad) {
    return pad.before != 0 || pad.after != 0;
  });
  int64_t full = window.kernel[0] * window.kernel[1];
  return emitElementwise(
      b, type, {sums}, [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value count = emitConstantIndex(inner, full);
        if (hasPads && !countIncludesPad) {
          SmallVector<Value> indices;
          for (int64_t dim = 0; dim < type.getRank(); ++dim)
            indices.push_back(linalg::IndexOp::create(inner, dim));
          count = emitCount(inner, input, dims, window, indices);
          // A window of padding only has no mean, but must not trap.
          if (!isFloat(element))
            count = arith::MaxSIOp::create(inner, count,
                                           emitConstantIndex(inner, 1));
        }
        count = arith::IndexCastOp::create(inner, inner.getI64Type(), count);
        if (isFloat(element)) {
          count = arith::SIToFPOp::create(inner, number, count);
          Value mean = arith::DivFOp::create(inner, values[0], count);
          return element.isF64() ? mean : emitFromF32(inner, mean, element);
        }
        Value mean = emitIntMean(inner, values[0], count,
                                 /*rounds=*/isQuantized(element));
        return emitResizeInt(inner, mean, element, lowered);
      });
}

//===----------------------------------------------------------------------===//
// Lowerings
//===----------------------------------------------------------------------===//

namespace {
class MaxPool2DLowering : public Lowering<MaxPool2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(MaxPool2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    if (!getResultType(op))
      return failure();
    Window window = Window::get(op.getKernel(), op.getStrides(), op.getPads());
    return SmallVector<Value>{emitMaxPool(b, adaptor.getInput(),
                                          nn::getElementType(op.getType()),
                                          op.getLayout(), window)};
  }
};

class AvgPool2DLowering : public Lowering<AvgPool2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(AvgPool2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    if (!getResultType(op))
      return failure();
    Window window = Window::get(op.getKernel(), op.getStrides(), op.getPads());
    return SmallVector<Value>{
        emitAvgPool(b, adaptor.getInput(), nn::getElementType(op.getType()),
                    op.getLayout(), window, op.getCountIncludePad())};
  }
};

/// The adaptive ops, whose window follows from two static sizes.
template <typename OpT> class AdaptivePoolLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  FailureOr<SmallVector<Value>> lower(OpT op, OpT::Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = this->getResultType(op);
    auto inputType = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || !inputType)
      return failure();
    SmallVector<int64_t> kernel, strides;
    std::array<int64_t, 2> size;
    for (auto [k, dim] : llvm::enumerate(getSpatialDims(op.getLayout()))) {
      int64_t in = inputType.getDimSize(dim), out = type.getDimSize(dim);
      if (ShapedType::isDynamic(in) || ShapedType::isDynamic(out))
        return failure();
      size[k] = out;
      strides.push_back(in / out);
      kernel.push_back(in - (out - 1) * strides.back());
    }
    emitSizeCheck(b, op.getOutputSize(), adaptor.getOutputSize(), size);
    Window window = Window::get(kernel, strides, {0, 0});
    Type element = nn::getElementType(op.getType());
    if constexpr (std::is_same_v<OpT, AdaptiveMaxPool2DOp>)
      return SmallVector<Value>{
          emitMaxPool(b, adaptor.getInput(), element, op.getLayout(), window)};
    else
      return SmallVector<Value>{emitAvgPool(b, adaptor.getInput(), element,
                                            op.getLayout(), window,
                                            /*countIncludesPad=*/true)};
  }

private:
  /// The type of the result may know the size better than the operand does.
  static void emitSizeCheck(ImplicitLocOpBuilder &b, Value original,
                            Value lowered, ArrayRef<int64_t> size) {
    if (getConstantInts(original))
      return;
    for (auto [k, expected] : llvm::enumerate(size)) {
      Value at = emitConstantIndex(b, static_cast<int64_t>(k));
      Value actual = arith::IndexCastOp::create(b, b.getIndexType(),
                                                emitRead(b, lowered, at));
      Value isEqual = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, actual,
                                            emitConstantIndex(b, expected));
      emitCheck(b, isEqual, "the output size is not that of the result's type");
    }
  }
};
} // namespace

void nn::populatePoolLowerings(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<MaxPool2DLowering, AvgPool2DLowering,
               AdaptivePoolLowering<AdaptiveMaxPool2DOp>,
               AdaptivePoolLowering<AdaptiveAvgPool2DOp>>(
      converter, patterns.getContext());
}
