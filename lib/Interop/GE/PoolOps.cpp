//===- PoolOps.cpp - GE pooling -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Pads that make a floored size the ceiled one: the last window may begin
/// inside of the image or its first pad only (the rule of Caffe).
static LogicalResult applyCeilMode(OpImporter &imp, ArrayRef<int64_t> size,
                                   ArrayRef<int64_t> window,
                                   ArrayRef<int64_t> strides,
                                   SmallVector<int64_t> &pads) {
  if (pads.size() == 2)
    pads = {pads[0], pads[0], pads[1], pads[1]};
  for (size_t k = 0; k < 2; ++k) {
    if (ShapedType::isDynamic(size[k]))
      return imp.decline("rounded-up pooling of an unknown size");
    int64_t padded = size[k] + pads[2 * k] + pads[2 * k + 1];
    if (padded < window[k])
      return imp.emitError() << "window of " << window[k]
                             << " is larger than the padded size " << padded;
    int64_t out = llvm::divideCeil(padded - window[k], strides[k]) + 1;
    if ((out - 1) * strides[k] >= size[k] + pads[2 * k])
      --out;
    pads[2 * k + 1] += (out - 1) * strides[k] + window[k] - padded;
  }
  if (pads[0] == pads[1] && pads[2] == pads[3])
    pads = {pads[0], pads[2]};
  return success();
}

template <typename OpT>
static LogicalResult createPool(OpImporter &imp,
                                typename OpT::Properties properties) {
  return imp.create<OpT>({imp.getOperand(0)}, properties);
}

static LogicalResult importPooling(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> mode = imp.getInt("mode", 0);
  FailureOr<bool> global = imp.getBool("global_pooling", false);
  FailureOr<SmallVector<int64_t>> window = imp.expectInts("window", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> strides = imp.expectInts("stride", 2, {1, 1});
  FailureOr<Padding> padding =
      readPadding(imp, "pad", /*defaultsToSame=*/false);
  FailureOr<int64_t> ceilMode = imp.getInt("ceil_mode", 0);
  FailureOr<int64_t> dataMode = imp.getInt("data_mode", 1);
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(mode) || failed(global) || failed(window) || failed(strides) ||
      failed(padding) || failed(ceilMode) || failed(dataMode) || failed(nhwc))
    return failure();
  if (*mode == 2)
    return imp.decline("L2 pooling");
  if (*mode != 0 && *mode != 1)
    return imp.emitError() << "unknown pooling mode " << *mode;
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type)
    return imp.decline("pooling of an unknown shape");
  if (type.getRank() != 4)
    return imp.emitError() << "input must have rank 4, not " << type;
  ArrayRef<int64_t> size = type.getShape().slice(*nhwc ? 1 : 2, 2);
  SmallVector<int64_t> pads{0, 0};
  if (*global) {
    if (llvm::any_of(size, ShapedType::isDynamic))
      return imp.decline("global pooling of an unknown size");
    *window = SmallVector<int64_t>(size);
    *strides = {1, 1};
  } else {
    if (llvm::any_of(*window, [](int64_t k) { return k <= 0; }) ||
        llvm::any_of(*strides, [](int64_t s) { return s <= 0; }))
      return imp.emitError() << "window and stride must be positive";
    FailureOr<SmallVector<int64_t>> resolved =
        resolvePads(imp, *padding, size, *window, *strides, {1, 1});
    if (failed(resolved))
      return failure();
    pads = *resolved;
    const bool rounds = *ceilMode == 1 && padding->mode != PadMode::Same;
    if (rounds && failed(applyCeilMode(imp, size, *window, *strides, pads)))
      return failure();
    // What a window beyond the padding divides by is not settled.
    if (rounds && *mode == 1 && *dataMode == 0 && pads.size() == 4)
      return imp.decline("rounded-up average pooling that counts its padding");
  }
  auto setWindow = [&](auto &properties) {
    properties.kernel = imp.i64s(*window);
    properties.strides = imp.i64s(*strides);
    properties.pads = imp.i64s(pads);
    properties.layout = imp.getLayoutAttr(*nhwc);
  };
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(activation))
    return failure();
  if (*activation != nn::Activation::none)
    return imp.decline("an activation fused into pooling");
  if (*mode == 0) {
    nn::MaxPool2DOp::Properties properties;
    setWindow(properties);
    return createPool<nn::MaxPool2DOp>(imp, properties);
  }
  nn::AvgPool2DOp::Properties properties;
  setWindow(properties);
  // Models of Caffe count the padding, those of TensorFlow do not
  // (semantics.md 7).
  bool isPadded = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
  properties.count_include_pad =
      imp.unit(isPadded && *dataMode == 0 && padding->mode != PadMode::Same);
  return createPool<nn::AvgPool2DOp>(imp, properties);
}

template <typename OpT> static LogicalResult exportPool(OpExporter &exp) {
  auto op = cast<OpT>(exp.getSource());
  if (op.getLayout() != nn::Layout::NCHW && op.getLayout() != nn::Layout::NHWC)
    return exp.refuse("layout " + nn::stringifyLayout(op.getLayout()) +
                      " is not known to the format");
  constexpr bool isAverage = std::is_same_v<OpT, nn::AvgPool2DOp>;
  bool countsPads = false;
  if constexpr (isAverage)
    countsPads = op.getCountIncludePad() &&
                 llvm::any_of(op.getPads(), [](int64_t p) { return p != 0; });
  exp.setType("PoolingD");
  exp.addInput(op.getInput());
  exp.setInt("mode", isAverage ? 1 : 0);
  exp.setInt("pad_mode", 0);
  exp.setBool("global_pooling", false);
  exp.setInts("window", op.getKernel());
  exp.setInts("stride", op.getStrides());
  ArrayRef<int64_t> pads = op.getPads();
  if (pads.size() == 2)
    exp.setInts("pad", {pads[0], pads[0], pads[1], pads[1]});
  else
    exp.setInts("pad", pads);
  exp.setInt("ceil_mode", 0);
  exp.setInt("data_mode", countsPads ? 0 : 1);
  if (op.getLayout() == nn::Layout::NHWC)
    exp.setInt("format", 1);
  return success();
}

void modelwright::ge::registerPoolOps(OpRegistry &registry) {
  registry.addImport<nn::MaxPool2DOp, nn::AvgPool2DOp>({"PoolingD"},
                                                       importPooling);
  registry.addExport<nn::MaxPool2DOp>(exportPool<nn::MaxPool2DOp>);
  registry.addExport<nn::AvgPool2DOp>(exportPool<nn::AvgPool2DOp>);
}
