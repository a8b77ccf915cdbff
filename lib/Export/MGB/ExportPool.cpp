//===- ExportPool.cpp - Pool operators from nn ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static param::PoolingV0Mode getAverageMode(bool countsPadding) {
  return countsPadding ? param::PoolingV0Mode::AVERAGE
                       : param::PoolingV0Mode::AVERAGE_COUNT_EXCLUDE_PADDING;
}

template <typename OpT>
static LogicalResult exportPooling(OpT op, OprExporter &exp,
                                   param::PoolingV0Mode mode) {
  if (op.getPads().size() != 2)
    return exp.emitError() << "the format pads both sides alike";
  exp.setOpr("PoolingV1");
  auto &param = exp.addParam<param::PoolingT>();
  param.mode = mode;
  param.window_h = op.getKernel()[0];
  param.window_w = op.getKernel()[1];
  param.stride_h = op.getStrides()[0];
  param.stride_w = op.getStrides()[1];
  param.pad_h = op.getPads()[0];
  param.pad_w = op.getPads()[1];
  return exp.setFormat(param, op.getLayout());
}

template <typename OpT>
static LogicalResult exportAdaptivePooling(OpT op, OprExporter &exp,
                                           param::PoolingV0Mode mode) {
  exp.setOpr("AdaptivePoolingV1");
  auto &param = exp.addParam<param::AdaptivePoolingT>();
  param.mode = mode;
  return exp.setFormat(param, op.getLayout());
}

static LogicalResult exportMaxPool2D(nn::MaxPool2DOp op, OprExporter &exp) {
  return exportPooling(op, exp, param::PoolingV0Mode::MAX_);
}

static LogicalResult exportAvgPool2D(nn::AvgPool2DOp op, OprExporter &exp) {
  return exportPooling(op, exp, getAverageMode(op.getCountIncludePad()));
}

static LogicalResult exportAdaptiveMaxPool2D(nn::AdaptiveMaxPool2DOp op,
                                             OprExporter &exp) {
  return exportAdaptivePooling(op, exp, param::PoolingV0Mode::MAX_);
}

static LogicalResult exportAdaptiveAvgPool2D(nn::AdaptiveAvgPool2DOp op,
                                             OprExporter &exp) {
  return exportAdaptivePooling(op, exp,
                               getAverageMode(op.getCountIncludePad()));
}

void mgb::registerPoolExports(ExportRegistry &registry) {
  registry.add(exportMaxPool2D);
  registry.add(exportAvgPool2D);
  registry.add(exportAdaptiveMaxPool2D);
  registry.add(exportAdaptiveAvgPool2D);
}
