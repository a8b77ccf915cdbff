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

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

namespace {
/// What a reduction reduces.
struct ReducedAxes {
  SmallVector<int64_t> axes;
  /// The result's shape.
  SmallVector<int64_t> shape;
};
} // namespace

/// The axes are a constant input or, in types with a D, an attribute.
static FailureOr<ReducedAxes> readAxes(OpImporter &imp,
                                       StringRef keepName = "keep_dims") {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> listed = imp.getInts("axes", {});
  FailureOr<bool> keepDims = imp.getBool(keepName, false);
  FailureOr<bool> isNoop = imp.getBool("noop_with_empty_axes", true);
  if (imp.getOperand(1))
    listed = getInts(imp, 1, "axes");
  if (failed(type) || failed(listed) || failed(keepDims) || failed(isNoop))
    return failure();
  int64_t rank = type->getRank();
  if (listed->empty() && !*isNoop)
    llvm::append_range(*listed, llvm::seq<int64_t>(0, rank));
  // CANN says what no axis means; HiAI does not.
  if (listed->empty() && !imp.has("noop_with_empty_axes"))
    return imp.decline("a reduction of no axis");
  ReducedAxes reduced;
  for (int64_t axis : *listed) {
    FailureOr<int64_t> position = getAxis(imp, axis, rank);
    if (failed(position))
      return failure();
    if (llvm::is_contained(reduced.axes, *position))
      return imp.emitError() << "axis " << axis << " is reduced twice";
    reduced.axes.push_back(*position);
  }
  llvm::sort(reduced.axes);
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (!llvm::is_contained(reduced.axes, axis))
      reduced.shape.push_back(type->getDimSize(axis));
    else if (*keepDims)
      reduced.shape.push_back(1);
  }
  return reduced;
}

template <typename OpT> static LogicalResult importReduce(OpImporter &imp) {
  FailureOr<ReducedAxes> reduced = readAxes(imp);
  if (failed(reduced))
    return failure();
  Value value = makeReduce<OpT>(imp, imp.getOperand(0), reduced->axes);
  return finish(imp, makeReshape(imp, value, reduced->shape));
}

//===----------------------------------------------------------------------===//
// Made of others
//===----------------------------------------------------------------------===//

/// The sum of squares over axes: squares are taken once.
static Value makeSumOfSquares(OpImporter &imp, Value value,
                              ArrayRef<int64_t> axes) {
  if (axes.empty())
    return make<nn::SquareOp>(imp, {value});
  value = makeReduce<nn::ReduceSumSqrOp>(imp, value, axes.front());
  return makeReduce<nn::ReduceSumOp>(imp, value, axes.drop_front());
}

static LogicalResult importReduceL2(OpImporter &imp) {
  FailureOr<ReducedAxes> reduced = readAxes(imp);
  if (failed(reduced))
    return failure();
  Value sum = makeSumOfSquares(imp, imp.getOperand(0), reduced->axes);
  return finish(imp,
                makeReshape(imp, make<nn::SqrtOp>(imp, {sum}), reduced->shape));
}

/// `m + log(sum(exp(x - m)))` with the maximum m, which keeps exp in range.
static LogicalResult importLogSumExp(OpImporter &imp) {
  // HiAI spells this attribute without an underscore.
  FailureOr<ReducedAxes> reduced =
      readAxes(imp, imp.has("keepdims") ? "keepdims" : "keep_dims");
  if (failed(reduced))
    return failure();
  Value x = imp.getOperand(0);
  Value most = makeReduce<nn::ReduceMaxOp>(imp, x, reduced->axes);
  Value sum = make<nn::ExpOp>(imp, {make<nn::SubOp>(imp, {x, most})});
  sum = makeReduce<nn::ReduceSumOp>(imp, sum, reduced->axes);
  Value result = make<nn::AddOp>(imp, {make<nn::LogOp>(imp, {sum}), most});
  return finish(imp, makeReshape(imp, result, reduced->shape));
}

/// Booleans as numbers: the least says whether all, the greatest whether any
/// is true.
template <typename OpT> static LogicalResult importLogical(OpImporter &imp) {
  FailureOr<ReducedAxes> reduced = readAxes(imp);
  if (failed(reduced))
    return failure();
  Value x = imp.getOperand(0);
  if (!nn::getElementType(x.getType()).isInteger(1))
    return imp.emitError() << "reduces booleans, got " << x.getType();
  Value number = makeCast(imp, x, imp.builder.getI32Type());
  number = makeReduce<OpT>(imp, number, reduced->axes);
  number = makeReshape(imp, number, reduced->shape);
  return finish(imp, makeCast(imp, number, imp.builder.getI1Type()));
}

/// Caffe's: all dims from `axis` on, times a coefficient.
static LogicalResult importReduction(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<std::string> operation = imp.getString("operation", "ASUM");
  FailureOr<int64_t> axis = imp.getInt("axis", 0);
  FailureOr<float> coefficient = imp.getFloat("coeff", 1.0f);
  if (failed(type) || failed(operation) || failed(axis) || failed(coefficient))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  ArrayRef<int64_t> dims = type->getShape();
  Value rows = makeReshape(
      imp, imp.getOperand(0),
      {multiply(dims.take_front(*axis)), multiply(dims.drop_front(*axis))});
  Value result;
  if (*operation == "SUM")
    result = makeReduce<nn::ReduceSumOp>(imp, rows, {1});
  else if (*operation == "ASUM")
    result =
        makeReduce<nn::ReduceSumOp>(imp, make<nn::AbsOp>(imp, {rows}), {1});
  else if (*operation == "SUMSQ")
    result = makeReduce<nn::ReduceSumSqrOp>(imp, rows, {1});
  else if (*operation == "MEAN")
    result = makeReduce<nn::ReduceMeanOp>(imp, rows, {1});
  else
    return imp.emitError() << "attribute 'operation' \"" << *operation
                           << "\" is not supported";
  if (result && *coefficient != 1.0f)
    result =
        make<nn::MulOp>(imp, {result, makeNumber(imp, *coefficient, result)});
  return finish(imp, makeReshape(imp, result, dims.take_front(*axis)));
}

/// Rows that share a segment id, reduced. The ids ascend; where they are known
/// each segment is a slice.
template <typename OpT> static LogicalResult importSegments(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> ids = getInts(imp, 1, "segment_ids");
  if (failed(type) || failed(ids))
    return failure();
  if (type->getRank() < 1 || ids->empty() ||
      static_cast<int64_t>(ids->size()) != type->getDimSize(0))
    return imp.emitError() << "has " << ids->size() << " segment ids for "
                           << *type;
  if (!llvm::is_sorted(*ids))
    return imp.emitError() << "the segment ids do not ascend";
  SmallVector<Value> segments;
  for (size_t begin = 0; begin < ids->size();) {
    int64_t id = (*ids)[begin];
    // What a segment without rows holds is not said anywhere.
    if (id != static_cast<int64_t>(segments.size()))
      return imp.decline("an empty segment");
    size_t end = begin;
    while (end < ids->size() && (*ids)[end] == id)
      ++end;
    Value rows = makeSlice(imp, imp.getOperand(0),
                           {{0, static_cast<int64_t>(begin), 1,
                             static_cast<int64_t>(end - begin)}});
    segments.push_back(makeReduce<OpT>(imp, rows, {0}));
    begin = end;
  }
  return finish(imp, makeConcat(imp, segments, 0));
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

template <typename OpT>
static LogicalResult exportReduce(OpExporter &exp, StringRef name,
                                  bool axesAreInput) {
  auto op = cast<OpT>(exp.getSource());
  if (!op.getAxis())
    return exp.refuse("a reduction to a shape is not known to the format");
  if (op.getDataType() != nn::ReduceType::same)
    return exp.refuse("its result type is set apart from its operand's");
  int64_t axis = *op.getAxis();
  exp.setType(name);
  exp.addInput(op.getInput());
  if (axesAreInput)
    exp.addInts({axis});
  else
    exp.setInts("axes", {axis});
  exp.setBool("keep_dims", true);
  return success();
}

static LogicalResult exportSum(OpExporter &exp) {
  return exportReduce<nn::ReduceSumOp>(exp, "ReduceSum", true);
}
static LogicalResult exportMax(OpExporter &exp) {
  return exportReduce<nn::ReduceMaxOp>(exp, "ReduceMax", true);
}
static LogicalResult exportMin(OpExporter &exp) {
  return exportReduce<nn::ReduceMinOp>(exp, "ReduceMin", true);
}
static LogicalResult exportMean(OpExporter &exp) {
  return exportReduce<nn::ReduceMeanOp>(exp, "ReduceMean", true);
}
static LogicalResult exportProd(OpExporter &exp) {
  return exportReduce<nn::ReduceProdOp>(exp, "ReduceProdD", false);
}

void modelwright::ge::registerReduceOps(OpRegistry &registry) {
  registry.addImport<nn::ReduceSumOp>({"ReduceSum", "ReduceSumD"},
                                      importReduce<nn::ReduceSumOp>);
  registry.addImport<nn::ReduceMaxOp>({"ReduceMax", "ReduceMaxD"},
                                      importReduce<nn::ReduceMaxOp>);
  registry.addImport<nn::ReduceMinOp>({"ReduceMin", "ReduceMinD"},
                                      importReduce<nn::ReduceMinOp>);
  registry.addImport<nn::ReduceMeanOp>({"ReduceMean", "ReduceMeanD"},
                                       importReduce<nn::ReduceMeanOp>);
  registry.addImport<nn::ReduceProdOp>({"ReduceProdD", "ReduceProd"},
                                       importReduce<nn::ReduceProdOp>);
  registry.addExport<nn::ReduceSumOp>(exportSum);
  registry.addExport<nn::ReduceMaxOp>(exportMax);
  registry.addExport<nn::ReduceMinOp>(exportMin);
  registry.addExport<nn::ReduceMeanOp>(exportMean);
  registry.addExport<nn::ReduceProdOp>(exportProd);
  registry.addImport<nn::ReduceSumSqrOp, nn::SqrtOp>({"ReduceL2D"},
                                                     importReduceL2);
  registry.addImport<nn::ReduceMaxOp, nn::ExpOp, nn::ReduceSumOp, nn::LogOp>(
      {"ReduceLogSumExp"}, importLogSumExp);
  registry.addImport<nn::CastOp, nn::ReduceMinOp>(
      {"ReduceAllD", "ReduceAll"}, importLogical<nn::ReduceMinOp>);
  registry.addImport<nn::CastOp, nn::ReduceMaxOp>(
      {"ReduceAnyD", "ReduceAny"}, importLogical<nn::ReduceMaxOp>);
  registry.addImport<nn::ReduceSumOp, nn::ReduceSumSqrOp, nn::ReduceMeanOp>(
      {"Reduction"}, importReduction);
  registry.addImport<nn::SliceOp, nn::ReduceSumOp, nn::ConcatOp>(
      {"SegmentSum"}, importSegments<nn::ReduceSumOp>);
  registry.addImport<nn::SliceOp, nn::ReduceMaxOp, nn::ConcatOp>(
      {"SegmentMax"}, importSegments<nn::ReduceMaxOp>);
  registry.addImport<nn::SliceOp, nn::ReduceMinOp, nn::ConcatOp>(
      {"SegmentMin"}, importSegments<nn::ReduceMinOp>);
  registry.addImport<nn::SliceOp, nn::ReduceMeanOp, nn::ConcatOp>(
      {"SegmentMean"}, importSegments<nn::ReduceMeanOp>);
  registry.addImport<nn::SliceOp, nn::ReduceProdOp, nn::ConcatOp>(
      {"SegmentProd"}, importSegments<nn::ReduceProdOp>);
}
