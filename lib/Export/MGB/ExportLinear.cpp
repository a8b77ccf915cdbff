//===- ExportLinear.cpp - Linear algebra operators from nn ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename OpT>
static LogicalResult setProductParam(OpT op, OprExporter &exp) {
  auto &param = exp.addParam<param::MatrixMulT>();
  param.transposeA = op.getTransposeA();
  param.transposeB = op.getTransposeB();
  param.compute_mode = op.getAccumulateF32()
                           ? param::MatrixMulV1ComputeMode::FLOAT32
                           : param::MatrixMulV1ComputeMode::DEFAULT;
  param.format = static_cast<param::MatrixMulFormat>(op.getFormat());
  return exp.setOutputType(op.getOutType().value_or(Type()));
}

static LogicalResult exportMatMul(nn::MatMulOp op, OprExporter &exp) {
  exp.setOpr("MatrixMulV2");
  return setProductParam(op, exp);
}

static LogicalResult exportBatchMatMul(nn::BatchMatMulOp op, OprExporter &exp) {
  exp.setOpr("BatchedMatrixMulV2");
  return setProductParam(op, exp);
}

static LogicalResult exportDot(nn::DotOp op, OprExporter &exp) {
  exp.setOpr("Dot");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportMatrixInverse(nn::MatrixInverseOp op,
                                         OprExporter &exp) {
  exp.setOpr("MatrixInverse");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportSVD(nn::SVDOp op, OprExporter &exp) {
  exp.setOpr("SVD");
  auto &param = exp.addParam<param::SVDT>();
  param.full_matrices = op.getFullMatrices();
  param.compute_uv = op.getComputeUv();
  return success();
}

static LogicalResult exportCross(nn::CrossOp op, OprExporter &exp) {
  exp.setOpr("Cross");
  auto &param = exp.addParam<param::CrossT>();
  param.axisa = op.getAxisA();
  param.axisb = op.getAxisB();
  param.axisc = op.getAxisC();
  return success();
}

void mgb::registerLinearExports(ExportRegistry &registry) {
  registry.add(exportMatMul);
  registry.add(exportBatchMatMul);
  registry.add(exportDot);
  registry.add(exportMatrixInverse);
  registry.add(exportSVD);
  registry.add(exportCross);
}
