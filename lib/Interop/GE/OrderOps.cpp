//===- OrderOps.cpp - GE ops on orders and sequences ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Converts i32 indices to the element type in an attribute.
static Value toIndexType(OpImporter &imp, Value value, StringRef name,
                         int64_t defaultType) {
  FailureOr<int64_t> dtype = imp.getInt(name, defaultType);
  if (failed(dtype))
    return {};
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  if (!isa_and_nonnull<IntegerType>(element)) {
    imp.emitError() << "element type " << *dtype << " of attribute '" << name
                    << "' is no integer";
    return {};
  }
  return makeCast(imp, value, element);
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

/// The shape with an axis taken away.
static SmallVector<int64_t> dropAxis(RankedTensorType type, int64_t axis) {
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  return shape;
}

template <typename OpT>
static Value makeArgExtremum(OpImporter &imp, int64_t axis) {
  typename OpT::Properties properties;
  properties.axis = imp.i64(axis);
  return make<OpT>(imp, {imp.getOperand(0)}, properties);
}

/// The axis is an input or, in version 0 (ArgMax), an attribute.
static LogicalResult importArgMaxExt2(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis =
      imp.getOperand(1) ? getInt(imp, 1, "axis") : imp.getInt("axis", 0);
  FailureOr<bool> keepDims = imp.getBool("keep_dims", false);
  FailureOr<bool> wantsValue = imp.getBool("outmaxval", false);
  FailureOr<int64_t> count = imp.getInt("topk", 1);
  if (failed(type) || failed(axis) || failed(keepDims) || failed(wantsValue) ||
      failed(count))
    return failure();
  if (*wantsValue || *count != 1)
    return imp.decline("more than the index of one maximum");
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  Value index = makeArgExtremum<nn::ArgMaxOp>(imp, *axis);
  if (!*keepDims)
    index = makeReshape(imp, index, dropAxis(*type, *axis));
  return finish(imp, toIndexType(imp, index, "output_type", 3));
}

/// CANN's ArgMaxV2 and ArgMin; their results are i64 unless they say other.
template <typename OpT>
static LogicalResult importArgExtremum(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis = getInt(imp, 1, "dimension");
  if (failed(type) || failed(axis))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  Value index = makeReshape(imp, makeArgExtremum<OpT>(imp, *axis),
                            dropAxis(*type, *axis));
  return finish(imp, toIndexType(imp, index, "dtype", 9));
}

/// CANN's maxima with their indices, which come first.
static LogicalResult importArgMaxWithValue(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis = imp.getInt("dimension", 0);
  FailureOr<bool> keepDims = imp.getBool("keep_dims", false);
  if (failed(type) || failed(axis) || failed(keepDims))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  Value index = makeArgExtremum<nn::ArgMaxOp>(imp, *axis);
  Value value = makeReduce<nn::ReduceMaxOp>(imp, imp.getOperand(0), {*axis});
  if (!*keepDims) {
    index = makeReshape(imp, index, dropAxis(*type, *axis));
    value = makeReshape(imp, value, dropAxis(*type, *axis));
  }
  index = toIndexType(imp, index, "indice_dtype", 3);
  return finish(imp, {index, value});
}

static LogicalResult exportArgMax(OpExporter &exp) {
  auto op = cast<nn::ArgMaxOp>(exp.getSource());
  exp.setType("ArgMaxExt2");
  exp.addInput(op.getInput());
  exp.addInt(op.getAxis());
  exp.setInt("output_type", 3);
  exp.setBool("keep_dims", true);
  exp.setBool("outmaxval", false);
  exp.setInt("topk", 1);
  return success();
}

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

namespace {
/// A tensor seen as the matrix of its rows along an axis.
struct Rows {
  Rows(RankedTensorType type, int64_t axis) : shape(type.getShape()) {
    for (int64_t k = 0; k < type.getRank(); ++k)
      order.push_back(k);
    std::swap(order[axis], order.back());
    std::swap(shape[axis], shape.back());
  }

  Value flatten(OpImporter &imp, Value value) const {
    if (!isLast())
      value = makeTranspose(imp, value, order);
    return makeReshape(imp, value,
                       {multiply(ArrayRef(shape).drop_back()), shape.back()});
  }
  /// The inverse for rows of another length.
  Value restore(OpImporter &imp, Value value, int64_t length) const {
    SmallVector<int64_t> result(shape);
    result.back() = length;
    value = makeReshape(imp, value, result);
    // A swap is its own inverse.
    return isLast() ? value : makeTranspose(imp, value, order);
  }

  bool isLast() const { return llvm::is_sorted(order); }

  SmallVector<int64_t> order, shape;
};
} // namespace

/// HiAI's TopK (TopKV2 in version 0) takes the last axis; the types of that
/// name in CANN and TopKD have attributes for others and for the smallest.
static LogicalResult importTopK(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  // TopKD's second input is scratch data of the device.
  FailureOr<int64_t> k =
      imp.getType() == "TopKD" ? imp.getInt("k", -1) : getInt(imp, 1, "k");
  FailureOr<int64_t> axis = imp.getInt("dim", -1);
  FailureOr<bool> largest = imp.getBool("largest", true);
  FailureOr<bool> sorted = imp.getBool("sorted", true);
  if (failed(type) || failed(k) || failed(axis) || failed(largest) ||
      failed(sorted))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  int64_t dim = type->getDimSize(*axis);
  if (*k < 1 || *k > dim)
    return imp.emitError() << "takes " << *k << " of " << dim << " elements";
  Rows rows(*type, *axis);
  Value matrix = rows.flatten(imp, imp.getOperand(0));
  if (!matrix)
    return failure();
  nn::TopKOp::Properties properties;
  properties.mode =
      nn::TopKModeAttr::get(imp.getContext(), *sorted ? nn::TopKMode::sorted
                                                      : nn::TopKMode::unsorted);
  FailureOr<nn::TopKOp> top = imp.create<nn::TopKOp>(
      {matrix, imp.createConstantInts({*largest ? -*k : *k})}, properties);
  if (failed(top))
    return failure();
  Value indices = rows.restore(imp, top->getIndices(), *k);
  return finish(imp, {rows.restore(imp, top->getValues(), *k),
                      toIndexType(imp, indices, "indices_dtype", 3)});
}

static LogicalResult exportTopK(OpExporter &exp) {
  auto op = cast<nn::TopKOp>(exp.getSource());
  nn::KnownInts known = exp.getKnownInts(op.getK());
  if (!known || known->size() != 1)
    return exp.refuse("its number of elements is computed");
  if (known->front() >= 0)
    return exp.refuse("only the largest elements are known to the format");
  if (op.getMode() == nn::TopKMode::kth_only)
    return exp.refuse("one element alone is not known to the format");
  // A count beyond the row takes all of it.
  int64_t count = -known->front();
  if (auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
      type && !type.isDynamicDim(1))
    count = std::min(count, type.getDimSize(1));
  exp.setType("TopK");
  exp.addInput(op.getInput());
  exp.addInt(count);
  exp.setBool("sorted", op.getMode() == nn::TopKMode::sorted);
  return success();
}

static LogicalResult importSort(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis = imp.getInt("axis", -1);
  FailureOr<bool> descending = imp.getBool("descending", false);
  FailureOr<bool> stable = imp.getBool("stable", false);
  if (failed(type) || failed(axis) || failed(descending) || failed(stable))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  if (*stable)
    return imp.decline("a stable sort");
  Rows rows(*type, *axis);
  Value matrix = rows.flatten(imp, imp.getOperand(0));
  if (!matrix)
    return failure();
  nn::ArgSortOp::Properties properties;
  properties.order = nn::SortOrderAttr::get(
      imp.getContext(),
      *descending ? nn::SortOrder::descending : nn::SortOrder::ascending);
  FailureOr<nn::ArgSortOp> sort =
      imp.create<nn::ArgSortOp>({matrix}, properties);
  if (failed(sort))
    return failure();
  int64_t dim = type->getDimSize(*axis);
  Value indices = rows.restore(imp, sort->getIndices(), dim);
  return finish(imp, {rows.restore(imp, sort->getValues(), dim),
                      toIndexType(imp, indices, "y2_dtype", 3)});
}

/// Where the elements of a permutation were: sorting tells.
static LogicalResult importInvertPermutation(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  if (failed(type))
    return failure();
  if (type->getRank() != 1)
    return imp.emitError() << "a permutation is a vector, got " << *type;
  Value row = makeReshape(imp, imp.getOperand(0), {1, type->getDimSize(0)});
  if (!row)
    return failure();
  FailureOr<nn::ArgSortOp> sort = imp.create<nn::ArgSortOp>({row});
  if (failed(sort))
    return failure();
  return finish(imp,
                makeReshape(imp, sort->getIndices(), {type->getDimSize(0)}));
}

static LogicalResult importCumSum(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> axis = getInt(imp, 1, "axis");
  FailureOr<bool> exclusive = imp.getBool("exclusive", false);
  FailureOr<bool> reverse = imp.getBool("reverse", false);
  if (failed(type) || failed(axis) || failed(exclusive) || failed(reverse))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  nn::CumSumOp::Properties properties;
  properties.axis = imp.i64(*axis);
  properties.exclusive = imp.unit(*exclusive);
  properties.reverse = imp.unit(*reverse);
  return imp.create<nn::CumSumOp>({imp.getOperand(0)}, properties);
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// start, start + delta, ... before the limit.
static LogicalResult importRange(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  Value start = imp.getOperand(0), delta = imp.getOperand(2);
  Type element = nn::getElementType(start.getType());
  double first, limit, step;
  for (auto [k, name, number] :
       {std::tuple(0, "start", &first), std::tuple(1, "limit", &limit),
        std::tuple(2, "delta", &step)}) {
    if (nn::getElementType(imp.getOperand(k).getType()) != element)
      return imp.emitError() << "input " << k << " ('" << name
                             << "') differs in element type from the others";
    // Integers of 32 bits are exact as doubles.
    if (nn::isFloat(element)) {
      FailureOr<float> value = getNumber(imp, k, name);
      if (failed(value))
        return failure();
      *number = *value;
    } else {
      FailureOr<int64_t> value = getInt(imp, k, name);
      if (failed(value))
        return failure();
      *number = static_cast<double>(*value);
    }
  }
  if (!(step != 0))
    return imp.emitError() << "the delta is 0";
  double count = std::ceil((limit - first) / step);
  if (!(count >= 1))
    return imp.decline("an empty range");
  if (count > 1 << 24)
    return imp.emitError() << "a range of " << count << " elements";
  Value places = makeIota(imp, {static_cast<int64_t>(count)}, element);
  return finish(imp, make<nn::AddOp>(
                         imp, {make<nn::MulOp>(imp, {places, delta}), start}));
}

/// All elements of some axes in reverse order.
static LogicalResult importReverse(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> axes = getInts(imp, 1, "axis");
  if (failed(type) || failed(axes))
    return failure();
  SmallVector<AxisRange> ranges;
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t listed : *axes) {
    FailureOr<int64_t> axis = getAxis(imp, listed, type->getRank());
    if (failed(axis))
      return failure();
    if (!seen.insert(*axis).second)
      return imp.emitError() << "axis " << listed << " is reversed twice";
    int64_t dim = type->getDimSize(*axis);
    if (dim > 1)
      ranges.push_back({*axis, dim - 1, -1, dim});
  }
  return finish(imp, makeSlice(imp, imp.getOperand(0), ranges));
}

/// Place t of a sequence of length n reads place n - 1 - t, if that exists.
static LogicalResult importReverseSequence(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<RankedTensorType> lengths = getStaticType(imp, 1);
  FailureOr<int64_t> sequence = imp.getInt("seq_dim", 0);
  FailureOr<int64_t> batch = imp.getInt("batch_dim", 0);
  if (failed(type) || failed(lengths) || failed(sequence) || failed(batch))
    return failure();
  int64_t rank = type->getRank();
  sequence = getAxis(imp, *sequence, rank);
  batch = getAxis(imp, *batch, rank);
  if (failed(sequence) || failed(batch))
    return failure();
  if (*sequence == *batch)
    return imp.emitError() << "axis " << *batch
                           << " holds both sequences and their elements";
  int64_t count = type->getDimSize(*batch),
          length = type->getDimSize(*sequence);
  if (lengths->getShape() != ArrayRef<int64_t>{count})
    return imp.emitError() << "has lengths of type " << *lengths << " for "
                           << count << " sequences";
  // Indices go with the axes in their order.
  bool batchFirst = *batch < *sequence;
  SmallVector<int64_t> column{count, 1}, row{1, length};
  if (!batchFirst) {
    std::swap(column[0], column[1]);
    std::swap(row[0], row[1]);
  }
  Type i32 = imp.builder.getI32Type();
  Value n = makeReshape(imp, makeCast(imp, imp.getOperand(1), i32), column);
  Value t = makeIota(imp, row, i32);
  // t + (t < n)*(n - 1 - 2*t)
  Value inside = make<nn::LessOp>(imp, {t, n});
  Value last = make<nn::SubOp>(imp, {n, makeNumber(imp, 1, i32)});
  Value twice = make<nn::AddOp>(imp, {t, t});
  Value move =
      make<nn::MulOp>(imp, {inside, make<nn::SubOp>(imp, {last, twice})});
  Value place = make<nn::AddOp>(imp, {t, move});
  Value which = makeIota(imp, column, i32);
  if (!place)
    return failure();
  SmallVector<int64_t> axes{*batch, *sequence};
  SmallVector<Value> operands{imp.getOperand(0), which, place};
  if (!batchFirst) {
    std::swap(axes[0], axes[1]);
    std::swap(operands[1], operands[2]);
  }
  SmallVector<bool> none(2, false), all(2, true);
  nn::IndexOp::Properties properties;
  properties.axes = imp.i64s(axes);
  properties.has_begin = imp.builder.getDenseBoolArrayAttr(none);
  properties.has_end = properties.has_begin;
  properties.has_step = properties.has_begin;
  properties.has_index = imp.builder.getDenseBoolArrayAttr(all);
  Value result = make<nn::IndexOp>(imp, operands, properties);
  // Of axes that are not neighbours the indexed ones come first.
  if (axes[1] != axes[0] + 1) {
    SmallVector<int64_t> order;
    for (int64_t axis = 0, next = 2; axis < rank; ++axis)
      order.push_back(axis == axes[0] ? 0 : axis == axes[1] ? 1 : next++);
    result = makeTranspose(imp, result, order);
  }
  return finish(imp, result);
}

void modelwright::ge::registerOrderOps(OpRegistry &registry) {
  registry.addImport<nn::ArgMaxOp, nn::ReshapeOp>({"ArgMaxExt2", "ArgMax"},
                                                  importArgMaxExt2);
  registry.addImport<nn::ArgMaxOp, nn::ReshapeOp, nn::CastOp>(
      {"ArgMaxV2"}, importArgExtremum<nn::ArgMaxOp>);
  registry.addImport<nn::ArgMinOp, nn::ReshapeOp, nn::CastOp>(
      {"ArgMin"}, importArgExtremum<nn::ArgMinOp>);
  registry.addImport<nn::ArgMaxOp, nn::ReduceMaxOp>({"ArgMaxWithValue"},
                                                    importArgMaxWithValue);
  registry.addExport<nn::ArgMaxOp>(exportArgMax);
  registry.addImport<nn::TopKOp>({"TopK", "TopKV2", "TopKD"}, importTopK);
  registry.addExport<nn::TopKOp>(exportTopK);
  registry.addImport<nn::ArgSortOp>({"Sort"}, importSort);
  registry.addImport<nn::ArgSortOp>({"InvertPermutation"},
                                    importInvertPermutation);
  registry.addImport<nn::CumSumOp>({"Cumsum"}, importCumSum);
  registry.addImport<nn::MulOp, nn::AddOp>({"Range"}, importRange);
  registry.addImport<nn::SliceOp>({"ReverseV2"}, importReverse);
  registry.addImport<nn::LessOp, nn::IndexOp>({"ReverseSequence"},
                                              importReverseSequence);
}
