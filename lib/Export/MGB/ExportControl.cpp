//===- ExportControl.cpp - Control operators from nn ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

// The enums of nn have the numbers of the format.

static LogicalResult exportCondPred(nn::CondPredOp op, OprExporter &exp) {
  exp.setOpr("CondExecPred");
  auto &param = exp.addParam<param::CondExecPredT>();
  param.mode = static_cast<param::CondExecPredMode>(op.getMode());
  param.eps = op.getEpsilon().convertToFloat();
  return success();
}

static LogicalResult exportCondLogical(nn::CondLogicalOp op, OprExporter &exp) {
  exp.setOpr("CondExecPredLogical");
  exp.addParam<param::CondExecPredLogicalT>().mode =
      static_cast<param::CondExecPredLogicalMode>(op.getMode());
  return success();
}

static LogicalResult exportCondMark(nn::CondMarkOp op, OprExporter &exp) {
  exp.setOpr("CondExecMark");
  auto &param = exp.addParam<param::CondExecMarkT>();
  param.grad_mode = static_cast<param::CondExecMarkGradMode>(op.getGradMode());
  param.static_infer =
      static_cast<param::CondExecMarkStaticInfer>(op.getStaticInfer());
  return success();
}

static LogicalResult exportCondMerge(nn::CondMergeOp op, OprExporter &exp) {
  exp.setOpr("CondExecMerge");
  auto &param = exp.addParam<param::CondExecMergeT>();
  param.nr_output = op.getNumOutputs();
  param.mode = static_cast<param::CondExecMergeMode>(op.getMode());
  return success();
}

static LogicalResult exportIdentity(nn::IdentityOp op, OprExporter &exp) {
  exp.setOpr("Identity");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportAssertEqual(nn::AssertEqualOp op, OprExporter &exp) {
  exp.setOpr("AssertEqual");
  auto &param = exp.addParam<param::AssertEqualT>();
  param.maxerr = op.getMaxError().convertToFloat();
  param.verbose = op.getVerbose();
  return success();
}

static LogicalResult exportExternCall(nn::ExternCallOp op, OprExporter &exp) {
  exp.setOpr("ExternCOprRunner");
  StringRef name = op.getCallee();
  ArrayRef<int8_t> data = op.getData();
  exp.addBlob(ArrayRef(name.bytes_begin(), name.size()));
  exp.addBlob(
      ArrayRef(reinterpret_cast<const uint8_t *>(data.data()), data.size()));
  return success();
}

void mgb::registerControlExports(ExportRegistry &registry) {
  registry.add(exportCondPred);
  registry.add(exportCondLogical);
  registry.add(exportCondMark);
  registry.add(exportCondMerge);
  registry.add(exportIdentity);
  registry.add(exportAssertEqual);
  registry.add(exportExternCall);
}
