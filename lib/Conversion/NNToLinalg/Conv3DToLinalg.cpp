//===- Conv3DToLinalg.cpp - 3-D convolutions
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

Value nn::unpackVolume(ImplicitLocOpBuilder &b, Value tensor, Layout layout) {
  if (layout == Layout::NCDHW)
    return tensor;
  return emitTranspose(b, tensor, {0, 4, 1, 2, 3});
}

Value nn::packVolume(ImplicitLocOpBuilder &b, Value tensor, Layout layout) {
  if (layout == Layout::NCDHW)
    return tensor;
  return emitTranspose(b, tensor, {0, 2, 3, 4, 1});
}

Value nn::unpackVolumeFilter(ImplicitLocOpBuilder &b, Value filter,
                             Layout layout, bool grouped, int64_t groups) {
  if (!grouped)
    filter = emitSplitDim(
        b, filter, 0,
        {1, cast<RankedTensorType>(filter.getType()).getDimSize(0)});
  if (layout == Layout::NDHWC)
    filter = emitTranspose(b, filter, {0, 1, 5, 2, 3, 4});
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(filter.getType()).getShape());
  if (!grouped) {
    shape[0] = groups;
    shape[1] /= groups;
  }
  return emitReshape(b, filter, shape);
}

FailureOr<SmallVector<Value>> VolumeConv::emitResult(ImplicitLocOpBuilder &b,
                                                     Value sums, Layout layout,
                                                     Type element) const {
  FailureOr<Value> result =
      emitConvResult(b, packVolume(b, sums, layout), numbers.accumulator,
                     element, Addend(), Addend(), Activation::none);
  if (failed(result))
    return failure();
  return SmallVector<Value>{*result};
}

namespace {
class Conv3DLowering : public Lowering<Conv3DOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(Conv3DOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    FailureOr<VolumeConv> conv = VolumeConv::get(b, op, adaptor);
    if (failed(conv))
      return failure();
    Value sums =
        emitConv(b, conv->input, conv->filter, conv->window, conv->numbers);
    return conv->emitResult(b, sums, op.getLayout(),
                            nn::getElementType(op.getType()));
  }
};
} // namespace

void nn::populateConv3DLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<Conv3DLowering>(converter, patterns.getContext());
}
