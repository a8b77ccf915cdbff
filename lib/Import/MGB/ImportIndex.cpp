//===- ImportIndex.cpp - Index operators to nn ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexItems.h"
#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static LogicalResult importIndexing(OprImporter &imp) {
  return importIndexItems<nn::IndexOp>(imp, 1);
}

static LogicalResult importIndexingSet(OprImporter &imp) {
  return importIndexItems<nn::IndexPutOp>(imp, 2);
}

static LogicalResult importMeshIndexing(OprImporter &imp) {
  return importIndexItems<nn::MeshIndexOp>(imp, 1);
}

static LogicalResult importBatchedMeshIndexing(OprImporter &imp) {
  nn::MeshIndexOp::Properties properties;
  properties.batched = imp.unit(true);
  return importIndexItems<nn::MeshIndexOp>(imp, 1, properties);
}

static LogicalResult importSetMeshIndexing(OprImporter &imp) {
  return importIndexItems<nn::MeshIndexPutOp>(imp, 2);
}

static LogicalResult importBatchedSetMeshIndexing(OprImporter &imp) {
  nn::MeshIndexPutOp::Properties properties;
  properties.batched = imp.unit(true);
  return importIndexItems<nn::MeshIndexPutOp>(imp, 2, properties);
}

static LogicalResult importDiag(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  nn::DiagOp::Properties properties;
  properties.diagonal = imp.i64(imp.param<param::DiagT>().k);
  return imp.create<nn::DiagOp>(imp.operands, properties);
}

/// An operator with an Axis param that becomes an op with an `axis`.
template <typename OpT, size_t NumInputs>
static LogicalResult importWithAxis(OprImporter &imp) {
  if (failed(imp.expectInputs(NumInputs, NumInputs)))
    return failure();
  typename OpT::Properties properties;
  properties.axis = imp.i64(imp.param<param::AxisT>().axis);
  return imp.create<OpT>(imp.operands, properties);
}

static LogicalResult importIndexingRemap(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::GatherNDOp::Properties properties;
  properties.non_overlapping =
      imp.unit(imp.param<param::IndexingRemapT>().is_non_overlapping);
  return imp.create<nn::GatherNDOp>(imp.operands, properties);
}

static LogicalResult importArgsort(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  auto code = static_cast<uint32_t>(imp.param<param::ArgsortT>().order);
  auto order = nn::symbolizeSortOrder(code);
  if (!order)
    return imp.emitError() << "unknown sort order " << code;
  nn::ArgSortOp::Properties properties;
  properties.order = nn::SortOrderAttr::get(imp.getContext(), *order);
  return imp.create<nn::ArgSortOp>(imp.operands, properties);
}

static LogicalResult importTopK(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  auto code = static_cast<uint32_t>(imp.param<param::TopKT>().mode);
  auto mode = nn::symbolizeTopKMode(code);
  if (!mode)
    return imp.emitError() << "unknown top-k mode " << code;
  nn::TopKOp::Properties properties;
  properties.mode = nn::TopKModeAttr::get(imp.getContext(), *mode);
  return imp.create<nn::TopKOp>(imp.operands, properties);
}

static LogicalResult importCumsum(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::CumsumT>();
  nn::CumSumOp::Properties properties;
  properties.axis = imp.i64(param.axis);
  properties.exclusive = imp.unit(param.exclusive);
  properties.reverse = imp.unit(param.reverse);
  return imp.create<nn::CumSumOp>(imp.operands, properties);
}

static LogicalResult importCondTake(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::CondTakeT>();
  auto code = static_cast<uint32_t>(param.mode);
  auto predicate = nn::symbolizePredicate(code);
  if (!predicate)
    return imp.emitError() << "unknown comparison mode " << code;
  nn::CondTakeOp::Properties properties;
  properties.predicate = nn::PredicateAttr::get(imp.getContext(), *predicate);
  properties.value = imp.f32(param.val);
  properties.epsilon = imp.f32(param.eps);
  return imp.create<nn::CondTakeOp>(imp.operands, properties);
}

static LogicalResult importNonZero(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  return imp.create<nn::NonZeroOp>(imp.operands);
}

static LogicalResult importWhere(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  return imp.create<nn::SelectOp>(imp.operands);
}

static LogicalResult importMaskedFill(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  nn::MaskedFillOp::Properties properties;
  properties.value = imp.f32(imp.param<param::FillT>().value);
  return imp.create<nn::MaskedFillOp>(imp.operands, properties);
}

void mgb::registerIndexImports(ImportRegistry &registry) {
  registry.add<nn::IndexOp>("IndexingMultiAxisVec", importIndexing);
  registry.add<nn::IndexPutOp>("IndexingSetMultiAxisVec", importIndexingSet);
  registry.add<nn::MeshIndexOp>("MeshIndexing", importMeshIndexing);
  registry.add<nn::MeshIndexOp>("BatchedMeshIndexing",
                                importBatchedMeshIndexing);
  registry.add<nn::MeshIndexPutOp>("SetMeshIndexing", importSetMeshIndexing);
  registry.add<nn::MeshIndexPutOp>("BatchedSetMeshIndexing",
                                   importBatchedSetMeshIndexing);
  registry.add<nn::DiagOp>("Diag", importDiag);
  registry.add<nn::IndexOneHotOp>("IndexingOneHot",
                                  importWithAxis<nn::IndexOneHotOp, 2>);
  registry.add<nn::IndexPutOneHotOp>("IndexingSetOneHot",
                                     importWithAxis<nn::IndexPutOneHotOp, 3>);
  registry.add<nn::GatherNDOp>("IndexingRemap", importIndexingRemap);
  registry.add<nn::ArgMaxOp>("Argmax", importWithAxis<nn::ArgMaxOp, 1>);
  registry.add<nn::ArgMinOp>("Argmin", importWithAxis<nn::ArgMinOp, 1>);
  registry.add<nn::ArgSortOp>("Argsort", importArgsort);
  registry.add<nn::TopKOp>("TopK", importTopK);
  registry.add<nn::CumSumOp>("CumsumV1", importCumsum);
  registry.add<nn::CondTakeOp>("CondTake", importCondTake);
  registry.add<nn::NonZeroOp>("NonZero", importNonZero);
  registry.add<nn::SelectOp>("Where", importWhere);
  registry.add<nn::MaskedFillOp>("MaskedFill", importMaskedFill);
}
