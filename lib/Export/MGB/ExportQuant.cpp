//===- ExportQuant.cpp - Fake quantization operators from nn --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNQuantOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename ParamT, typename OpT>
static LogicalResult setFakeQuantize(OpT op, OprExporter &exp,
                                     StringRef oprName) {
  exp.setOpr(oprName);
  auto &param = exp.addParam<ParamT>();
  param.qmin = static_cast<int32_t>(op.getQmin());
  param.qmax = static_cast<int32_t>(op.getQmax());
  return success();
}

static LogicalResult exportFakeQuant(nn::FakeQuantOp op, OprExporter &exp) {
  return setFakeQuantize<param::FakeQuantT>(op, exp, "FakeQuant");
}

static LogicalResult exportTQT(nn::TQTOp op, OprExporter &exp) {
  return setFakeQuantize<param::TQTT>(op, exp, "TQT");
}

static LogicalResult exportLSQ(nn::LSQOp op, OprExporter &exp) {
  return setFakeQuantize<param::LSQT>(op, exp, "LSQ");
}

void mgb::registerQuantExports(ExportRegistry &registry) {
  registry.add(exportFakeQuant);
  registry.add(exportTQT);
  registry.add(exportLSQ);
}
