//===- ExportIndex.cpp - Index operators from nn --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexItems.h"
#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static LogicalResult exportIndex(nn::IndexOp op, OprExporter &exp) {
  return exportIndexItems(op, exp, "IndexingMultiAxisVec");
}

static LogicalResult exportIndexPut(nn::IndexPutOp op, OprExporter &exp) {
  return exportIndexItems(op, exp, "IndexingSetMultiAxisVec");
}

static LogicalResult exportMeshIndex(nn::MeshIndexOp op, OprExporter &exp) {
  return exportIndexItems(
      op, exp, op.getBatched() ? "BatchedMeshIndexing" : "MeshIndexing");
}

static LogicalResult exportMeshIndexPut(nn::MeshIndexPutOp op,
                                        OprExporter &exp) {
  return exportIndexItems(
      op, exp, op.getBatched() ? "BatchedSetMeshIndexing" : "SetMeshIndexing");
}

static LogicalResult exportDiag(nn::DiagOp op, OprExporter &exp) {
  exp.setOpr("Diag");
  return setField(exp, "diagonal", op.getDiagonal(),
                  exp.addParam<param::DiagT>().k);
}

/// Fills operator `name`, which has an Axis param.
static LogicalResult exportWithAxis(OprExporter &exp, StringRef name,
                                    int64_t axis) {
  exp.setOpr(name);
  return setField(exp, "axis", axis, exp.addParam<param::AxisT>().axis);
}

static LogicalResult exportIndexOneHot(nn::IndexOneHotOp op, OprExporter &exp) {
  return exportWithAxis(exp, "IndexingOneHot", op.getAxis());
}

static LogicalResult exportIndexPutOneHot(nn::IndexPutOneHotOp op,
                                          OprExporter &exp) {
  return exportWithAxis(exp, "IndexingSetOneHot", op.getAxis());
}

static LogicalResult exportArgMax(nn::ArgMaxOp op, OprExporter &exp) {
  return exportWithAxis(exp, "Argmax", op.getAxis());
}

static LogicalResult exportArgMin(nn::ArgMinOp op, OprExporter &exp) {
  return exportWithAxis(exp, "Argmin", op.getAxis());
}

static LogicalResult exportGatherND(nn::GatherNDOp op, OprExporter &exp) {
  exp.setOpr("IndexingRemap");
  exp.addParam<param::IndexingRemapT>().is_non_overlapping =
      op.getNonOverlapping();
  return success();
}

static LogicalResult exportArgSort(nn::ArgSortOp op, OprExporter &exp) {
  exp.setOpr("Argsort");
  exp.addParam<param::ArgsortT>().order =
      static_cast<param::ArgsortOrder>(op.getOrder());
  return success();
}

static LogicalResult exportTopK(nn::TopKOp op, OprExporter &exp) {
  exp.setOpr("TopK");
  exp.addParam<param::TopKT>().mode =
      static_cast<param::TopKMode>(op.getMode());
  return success();
}

static LogicalResult exportCumSum(nn::CumSumOp op, OprExporter &exp) {
  exp.setOpr("CumsumV1");
  auto &param = exp.addParam<param::CumsumT>();
  param.exclusive = op.getExclusive();
  param.reverse = op.getReverse();
  return setField(exp, "axis", op.getAxis(), param.axis);
}

static LogicalResult exportCondTake(nn::CondTakeOp op, OprExporter &exp) {
  exp.setOpr("CondTake");
  auto &param = exp.addParam<param::CondTakeT>();
  param.mode = static_cast<param::CondTakeMode>(op.getPredicate());
  param.val = op.getValue().convertToFloat();
  param.eps = op.getEpsilon().convertToFloat();
  return success();
}

static LogicalResult exportNonZero(nn::NonZeroOp, OprExporter &exp) {
  exp.setOpr("NonZero");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportSelect(nn::SelectOp, OprExporter &exp) {
  exp.setOpr("Where");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportMaskedFill(nn::MaskedFillOp op, OprExporter &exp) {
  exp.setOpr("MaskedFill");
  exp.addParam<param::FillT>().value = op.getValue().convertToFloat();
  return success();
}

void mgb::registerIndexExports(ExportRegistry &registry) {
  registry.add(exportIndex);
  registry.add(exportIndexPut);
  registry.add(exportMeshIndex);
  registry.add(exportMeshIndexPut);
  registry.add(exportDiag);
  registry.add(exportIndexOneHot);
  registry.add(exportIndexPutOneHot);
  registry.add(exportArgMax);
  registry.add(exportArgMin);
  registry.add(exportGatherND);
  registry.add(exportArgSort);
  registry.add(exportTopK);
  registry.add(exportCumSum);
  registry.add(exportCondTake);
  registry.add(exportNonZero);
  registry.add(exportSelect);
  registry.add(exportMaskedFill);
}
