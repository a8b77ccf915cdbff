//===- ReduceOps.cpp - GE reductions --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format reduces any number of axes at once and may drop them; nn reduces
// one and keeps it as 1.
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

template <typename OpT> static LogicalResult importReduce(OpImporter &imp) {
  // The axes are a constant input or, in types with a D, an attribute.
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> axes = imp.getInts("axes", {});
  FailureOr<bool> keepDims = imp.getBool("keep_dims", false);
  if (failed(axes) || failed(keepDims))
    return failure();
  if (Value operand = imp.getOperand(1)) {
    nn::KnownInts known = imp.getKnownInts(operand);
    if (!known)
      return imp.decline("a reduction of computed axes");
    axes = *known;
  }
  Value value = imp.getOperand(0);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape())
    return imp.decline("a reduction of an unknown shape");
  llvm::SmallDenseSet<int64_t> reduced;
  for (int64_t axis : *axes) {
    int64_t position = axis < 0 ? axis + type.getRank() : axis;
    if (position < 0 || position >= type.getRank())
      return imp.emitError()
             << "axis " << axis << " is out of range for " << type;
    if (!reduced.insert(position).second)
      return imp.emitError() << "axis " << axis << " is reduced twice";
  }
  if (reduced.empty())
    return imp.decline("a reduction of no axis");
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (!reduced.contains(axis)) {
      shape.push_back(type.getDimSize(axis));
      continue;
    }
    if (*keepDims)
      shape.push_back(1);
    typename OpT::Properties properties;
    properties.axis = imp.i64(axis);
    FailureOr<OpT> op = imp.create<OpT>({value}, properties);
    if (failed(op))
      return failure();
    value = *op;
  }
  FailureOr<Value> result = imp.createReshape(value, shape);
  return result;
}

template <typename OpT>
static LogicalResult exportReduce(OpExporter &exp, StringRef name) {
  auto op = cast<OpT>(exp.getSource());
  if (!op.getAxis())
    return exp.refuse("a reduction to a shape is not known to the format");
  if (op.getDataType() != nn::ReduceType::same)
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType(name);
  exp.addInput(op.getInput());
  exp.addInts({static_cast<int64_t>(*op.getAxis())});
  exp.setBool("keep_dims", true);
  return success();
}

static LogicalResult exportSum(OpExporter &exp) {
  return exportReduce<nn::ReduceSumOp>(exp, "ReduceSum");
}
static LogicalResult exportMax(OpExporter &exp) {
  return exportReduce<nn::ReduceMaxOp>(exp, "ReduceMax");
}
static LogicalResult exportMin(OpExporter &exp) {
  return exportReduce<nn::ReduceMinOp>(exp, "ReduceMin");
}
static LogicalResult exportMean(OpExporter &exp) {
  return exportReduce<nn::ReduceMeanOp>(exp, "ReduceMean");
}

static LogicalResult exportProd(OpExporter &exp) {
  auto op = cast<nn::ReduceProdOp>(exp.getSource());
  if (!op.getAxis())
    return exp.refuse("a reduction to a shape is not known to the format");
  if (op.getDataType() != nn::ReduceType::same)
    return exp.refuse("its result type is set apart from its operand's");
  exp.setType("ReduceProdD");
  exp.addInput(op.getInput());
  exp.setInts("axes", {static_cast<int64_t>(*op.getAxis())});
  exp.setBool("keep_dims", true);
  return success();
}

void modelwright::ge::registerReduceOps(OpRegistry &registry) {
  registry.addImport<nn::ReduceSumOp>({"ReduceSum"},
                                      importReduce<nn::ReduceSumOp>);
  registry.addImport<nn::ReduceMaxOp>({"ReduceMax"},
                                      importReduce<nn::ReduceMaxOp>);
  registry.addImport<nn::ReduceMinOp>({"ReduceMin"},
                                      importReduce<nn::ReduceMinOp>);
  registry.addImport<nn::ReduceMeanOp>({"ReduceMean"},
                                       importReduce<nn::ReduceMeanOp>);
  registry.addImport<nn::ReduceProdOp>({"ReduceProdD", "ReduceProd"},
                                       importReduce<nn::ReduceProdOp>);
  registry.addExport<nn::ReduceSumOp>(exportSum);
  registry.addExport<nn::ReduceMaxOp>(exportMax);
  registry.addExport<nn::ReduceMinOp>(exportMin);
  registry.addExport<nn::ReduceMeanOp>(exportMean);
  registry.addExport<nn::ReduceProdOp>(exportProd);
}
