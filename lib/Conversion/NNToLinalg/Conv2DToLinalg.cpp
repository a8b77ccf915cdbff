//===- Conv2DToLinalg.cpp - 2-D convolutions
//---------------------------------===//
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

namespace {
/// The accumulators of a 2-D convolution as N,C,H,W.
struct Sums2D {
  Value value;
  Type accumulator;
};
} // namespace

/// The *_IC_SMALL layouts fill the channels that the input lacks with zeros.
static Value emitMissingChannels(ImplicitLocOpBuilder &b, Value input,
                                 int64_t channels, Value zero) {
  if (cast<RankedTensorType>(input.getType()).getDimSize(1) == channels)
    return input;
  return emitPadDim(b, input, 1, channels, zero);
}

template <typename OpT>
static FailureOr<Sums2D> emitSums2D(ImplicitLocOpBuilder &b, OpT op,
                                    typename OpT::Adaptor adaptor,
                                    bool hasBatch = false) {
  Layout layout = op.getLayout();
  FailureOr<ConvNumbers> numbers =
      ConvNumbers::get(op.getInput(), op.getFilter());
  FailureOr<FilterDims> dims = getStaticFilterDims(op, layout, hasBatch);
  RankedTensorType inputType = getRanked(op.getInput().getType());
  if (failed(numbers) || failed(dims) || !inputType)
    return failure();
  Layout inputLayout = dims->hybrid ? Layout::NCHW : getInputLayout(layout);
  if (inputType.isDynamicDim(getChannelDim(inputLayout)))
    return failure();
  Value input = unpackActivation(b, adaptor.getInput(), inputLayout);
  input = emitMissingChannels(b, input, dims->groups * dims->ic,
                              emitRealZero(b, numbers->input));
  Value filter = unpackFilter(b, adaptor.getFilter(), layout,
                              op.getGroupFilter(), *dims, hasBatch);
  Window window =
      Window::get({dims->kh, dims->kw}, op.getStrides(), op.getPads(),
                  op.getDilations(), op.getFlipFilter());
  return Sums2D{emitConv(b, input, filter, window, *numbers, hasBatch),
                numbers->accumulator};
}

/// The sums in the layout of the result, with all that is fused to the op.
template <typename OpT>
static FailureOr<SmallVector<Value>>
lowerConv2D(ImplicitLocOpBuilder &b, OpT op, typename OpT::Adaptor adaptor,
            bool hasBatch) {
  FailureOr<Sums2D> sums = emitSums2D(b, op, adaptor, hasBatch);
  if (failed(sums))
    return failure();
  Value packed = packActivation(b, sums->value, getOutputLayout(op.getLayout()),
                                emitRealZero(b, sums->accumulator));
  FailureOr<Value> result = emitConvResult(
      b, packed, sums->accumulator, nn::getElementType(op.getType()),
      Addend::get(op.getBias(), adaptor.getBias()),
      Addend::get(op.getResidual(), adaptor.getResidual()), op.getActivation());
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

namespace {
class Conv2DLowering : public Lowering<Conv2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(Conv2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    return lowerConv2D(b, op, adaptor, /*hasBatch=*/false);
  }
};

class BatchConv2DLowering : public Lowering<BatchConv2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(BatchConv2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    return lowerConv2D(b, op, adaptor, /*hasBatch=*/true);
  }
};

class MaskConv2DLowering : public Lowering<MaskConv2DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(MaskConv2DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<Sums2D> sums = emitSums2D(b, op, adaptor);
    if (failed(sums))
      return failure();
    Type element = nn::getElementType(op.getType());
    FailureOr<Value> plain =
        emitConvResult(b, sums->value, sums->accumulator, element, Addend(),
                       Addend(), Activation::none);
    if (failed(plain))
      return failure();
    Value zero = emitRealZero(b, element);
    Value masked = emitElementwise(
        b, cast<RankedTensorType>(plain->getType()),
        {*plain, adaptor.getMask()},
        [&](ImplicitLocOpBuilder &inner, ValueRange values) {
          Value isIn = arith::CmpIOp::create(
              inner, arith::CmpIPredicate::ne, values[1],
              emitConstant(inner, values[1].getType(), 0));
          return arith::SelectOp::create(inner, isIn, values[0], zero)
              .getResult();
        });
    return SmallVector<Value>{
        packActivation(b, masked, getOutputLayout(op.getLayout()), zero)};
  }
};
} // namespace

void nn::populateConv2DLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<Conv2DLowering, BatchConv2DLowering, MaskConv2DLowering>(
      converter, patterns.getContext());
}
