//===- ImportPool.cpp - Pool operators to nn ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Whether a mode is that of maximum pooling.
static FailureOr<bool> isMax(OprImporter &imp, param::PoolingV0Mode mode) {
  if (failed(imp.checkEnum("mode", mode)))
    return failure();
  return mode == param::PoolingV0Mode::MAX_;
}

template <typename Properties>
static LogicalResult setWindow(OprImporter &imp, Properties &properties) {
  const auto &param = imp.param<param::PoolingT>();
  FailureOr<nn::LayoutAttr> layout = imp.getLayoutAttr(param.format);
  if (failed(layout))
    return failure();
  properties.kernel = imp.i64s({param.window_h, param.window_w});
  properties.strides = imp.i64s({param.stride_h, param.stride_w});
  properties.pads = imp.i64s({param.pad_h, param.pad_w});
  properties.layout = *layout;
  return success();
}

static LogicalResult importPooling(OprImporter &imp) {
  param::PoolingV0Mode mode = imp.param<param::PoolingT>().mode;
  FailureOr<bool> max = isMax(imp, mode);
  if (failed(imp.expectInputs(1, 1)) || failed(max))
    return failure();
  if (*max) {
    nn::MaxPool2DOp::Properties properties;
    if (failed(setWindow(imp, properties)))
      return failure();
    return imp.create<nn::MaxPool2DOp>(imp.operands, properties);
  }
  nn::AvgPool2DOp::Properties properties;
  if (failed(setWindow(imp, properties)))
    return failure();
  properties.count_include_pad =
      imp.unit(mode == param::PoolingV0Mode::AVERAGE);
  return imp.create<nn::AvgPool2DOp>(imp.operands, properties);
}

static LogicalResult importAdaptivePooling(OprImporter &imp) {
  const auto &param = imp.param<param::AdaptivePoolingT>();
  FailureOr<bool> max = isMax(imp, param.mode);
  if (failed(imp.expectInputs(2, 2)) || failed(max))
    return failure();
  FailureOr<nn::LayoutAttr> layout = imp.getLayoutAttr(param.format);
  if (failed(layout))
    return failure();
  if (*max) {
    nn::AdaptiveMaxPool2DOp::Properties properties;
    properties.layout = *layout;
    return imp.create<nn::AdaptiveMaxPool2DOp>(imp.operands, properties);
  }
  nn::AdaptiveAvgPool2DOp::Properties properties;
  properties.layout = *layout;
  properties.count_include_pad =
      imp.unit(param.mode == param::PoolingV0Mode::AVERAGE);
  return imp.create<nn::AdaptiveAvgPool2DOp>(imp.operands, properties);
}

void mgb::registerPoolImports(ImportRegistry &registry) {
  registry.add<nn::MaxPool2DOp, nn::AvgPool2DOp>("PoolingV1", importPooling);
  registry.add<nn::AdaptiveMaxPool2DOp, nn::AdaptiveAvgPool2DOp>(
      "AdaptivePoolingV1", importAdaptivePooling);
}
