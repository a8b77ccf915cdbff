//===- ExportData.cpp - Copies from nn ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constants and variables are tensor records rather than operators with
// params: ExportTensor.cpp writes them.
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static LogicalResult exportCopy(nn::CopyOp, OprExporter &exp) {
  exp.setOpr("Copy");
  exp.addParam<param::EmptyT>();
  return success();
}

void mgb::registerDataExports(ExportRegistry &registry) {
  registry.add(exportCopy);
}
