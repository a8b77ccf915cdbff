//===- SliceOps.cpp - GE slices -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Offsets and sizes
//===----------------------------------------------------------------------===//

/// Elements offset .. offset + size - 1 of one axis; size -1 takes the rest.
static LogicalResult addPart(OpImporter &imp, RankedTensorType type,
                             int64_t axis, int64_t offset, int64_t size,
                             SmallVectorImpl<AxisRange> &ranges) {
  int64_t dim = type.getDimSize(axis);
  if (offset < 0 || offset > dim || size < -1 || size > dim - offset)
    return imp.emitError() << "offset " << offset << " and size " << size
                           << " do not fit " << dim << " elements of axis "
                           << axis;
  if (size == -1)
    size = dim - offset;
  if (size == 0)
    return imp.decline("an empty slice");
  ranges.push_back({axis, offset, 1, size});
  return success();
}

/// The shape that Crop cuts to: HiAI gives it as a vector of integers, Caffe
/// and CANN as a tensor that has it.
static FailureOr<SmallVector<int64_t>> readCropShape(OpImporter &imp,
                                                     int64_t rank) {
  FailureOr<RankedTensorType> wanted = getStaticType(imp, 1);
  if (failed(wanted))
    return failure();
  if (isa<IntegerType>(wanted->getElementType()) && wanted->getRank() == 1 &&
      wanted->getDimSize(0) == rank)
    return getInts(imp, 1, "size");
  if (wanted->getRank() != rank)
    return imp.emitError() << "input 1 has rank " << wanted->getRank()
                           << ", expected " << rank;
  return SmallVector<int64_t>(wanted->getShape());
}

/// The cut that Caffe's Crop makes from `axis` on. Files store it as Slice; its
/// attribute tells it apart.
static LogicalResult importCrop(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  if (failed(type))
    return failure();
  int64_t rank = type->getRank();
  FailureOr<SmallVector<int64_t>> wanted = readCropShape(imp, rank);
  if (failed(wanted))
    return failure();
  FailureOr<int64_t> attribute = imp.getInt("axis", 2);
  FailureOr<SmallVector<int64_t>> offsets = imp.getInts("offsets", {});
  if (failed(attribute) || failed(offsets))
    return failure();
  FailureOr<int64_t> axis = getAxis(imp, *attribute, rank);
  if (failed(axis))
    return failure();
  // One offset holds for all axes.
  if (offsets->size() == 1)
    offsets->assign(rank - *axis, offsets->front());
  if (static_cast<int64_t>(offsets->size()) != rank - *axis)
    return imp.emitError() << "attribute 'offsets' has " << offsets->size()
                           << " elements, expected 1 or " << rank - *axis;
  SmallVector<AxisRange> ranges;
  for (auto [k, offset] : llvm::enumerate(*offsets)) {
    auto current = *axis + static_cast<int64_t>(k);
    if (failed(
            addPart(imp, *type, current, offset, (*wanted)[current], ranges)))
      return failure();
  }
  return finish(imp, makeSlice(imp, imp.getOperand(0), ranges));
}

static LogicalResult importSlice(OpImporter &imp) {
  if (imp.has("offsets"))
    return importCrop(imp);
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> offsets = getInts(imp, 1, "offsets");
  FailureOr<SmallVector<int64_t>> sizes = getInts(imp, 2, "size");
  if (failed(type) || failed(offsets) || failed(sizes))
    return failure();
  // All axes, or those that SliceWithAxes lists.
  SmallVector<int64_t> all =
      llvm::to_vector(llvm::seq<int64_t>(0, type->getRank()));
  FailureOr<SmallVector<int64_t>> axes = imp.getInts("axes", all);
  if (failed(axes))
    return failure();
  if (offsets->size() != axes->size() || sizes->size() != axes->size())
    return imp.emitError() << "has " << offsets->size() << " offsets and "
                           << sizes->size() << " sizes for " << axes->size()
                           << " axes";
  SmallVector<AxisRange> ranges;
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [listed, offset, size] : llvm::zip_equal(*axes, *offsets, *sizes)) {
    FailureOr<int64_t> axis = getAxis(imp, listed, type->getRank());
    if (failed(axis))
      return failure();
    if (!seen.insert(*axis).second)
      return imp.emitError() << "axis " << listed << " is sliced twice";
    if (failed(addPart(imp, *type, *axis, offset, size, ranges)))
      return failure();
  }
  return finish(imp, makeSlice(imp, imp.getOperand(0), ranges));
}

//===----------------------------------------------------------------------===//
// Strided slices
//===----------------------------------------------------------------------===//

namespace {
/// One entry of begin, end and strides.
struct Bounds {
  std::optional<int64_t> begin, end; ///< Absent: from the edge.
  int64_t stride = 1;
};
} // namespace

/// What bounds select of an axis: negative ones count from its end, then they
/// are clamped to it.
static LogicalResult addBounds(OpImporter &imp, RankedTensorType type,
                               int64_t axis, Bounds bounds,
                               SmallVectorImpl<AxisRange> &ranges) {
  int64_t dim = type.getDimSize(axis), stride = bounds.stride;
  if (stride == 0)
    return imp.emitError() << "the stride of axis " << axis << " is 0";
  int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
  auto clamp = [&](std::optional<int64_t> value, int64_t absent) {
    if (!value)
      return absent;
    return std::clamp(*value < 0 ? *value + dim : *value, low, high);
  };
  int64_t begin = clamp(bounds.begin, stride > 0 ? low : high);
  int64_t end = clamp(bounds.end, stride > 0 ? high : low);
  int64_t span = stride > 0 ? end - begin : begin - end;
  if (span <= 0)
    return imp.decline("an empty slice");
  // The most negative stride has no positive counterpart.
  int64_t step = std::clamp(stride, -dim, dim);
  ranges.push_back({axis, begin, step, (span - 1) / std::abs(step) + 1});
  return success();
}

static bool hasBit(int64_t mask, size_t k) { return k < 64 && mask >> k & 1; }

/// begin, end and strides of the leading axes, with masks whose bit k speaks of
/// entry k.
static LogicalResult importStridedSlice(OpImporter &imp) {
  if (failed(imp.expectOperands(4, 4)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> begin = getInts(imp, 1, "begin");
  FailureOr<SmallVector<int64_t>> end = getInts(imp, 2, "end");
  FailureOr<SmallVector<int64_t>> strides = getInts(imp, 3, "strides");
  FailureOr<int64_t> beginMask = imp.getInt("begin_mask", 0);
  FailureOr<int64_t> endMask = imp.getInt("end_mask", 0);
  FailureOr<int64_t> ellipsisMask = imp.getInt("ellipsis_mask", 0);
  FailureOr<int64_t> newAxisMask = imp.getInt("new_axis_mask", 0);
  FailureOr<int64_t> shrinkMask = imp.getInt("shrink_axis_mask", 0);
  if (failed(type) || failed(begin) || failed(end) || failed(strides) ||
      failed(beginMask) || failed(endMask) || failed(ellipsisMask) ||
      failed(newAxisMask) || failed(shrinkMask))
    return failure();
  size_t count = begin->size();
  if (end->size() != count || strides->size() != count)
    return imp.emitError() << "begin, end and strides have " << count << ", "
                           << end->size() << " and " << strides->size()
                           << " elements";
  int64_t rank = type->getRank(), named = 0;
  bool hasEllipsis = false;
  for (size_t k = 0; k < count; ++k) {
    if (!hasBit(*ellipsisMask, k))
      named += !hasBit(*newAxisMask, k);
    else if (std::exchange(hasEllipsis, true))
      return imp.emitError() << "attribute 'ellipsis_mask' has two bits";
  }
  if (named > rank)
    return imp.emitError() << "slices " << named << " axes of rank " << rank;

  SmallVector<AxisRange> ranges;
  SmallVector<int64_t> shape;
  int64_t axis = 0;
  for (size_t k = 0; k < count; ++k) {
    if (hasBit(*ellipsisMask, k)) {
      for (int64_t whole = named; whole < rank; ++whole)
        shape.push_back(type->getDimSize(axis++));
      continue;
    }
    if (hasBit(*newAxisMask, k)) {
      shape.push_back(1);
      continue;
    }
    if (hasBit(*shrinkMask, k)) {
      int64_t dim = type->getDimSize(axis);
      if ((*begin)[k] < -dim || (*begin)[k] >= dim)
        return imp.emitError()
               << "index " << (*begin)[k] << " is out of range for " << dim
               << " elements of axis " << axis;
      int64_t place = (*begin)[k] < 0 ? (*begin)[k] + dim : (*begin)[k];
      ranges.push_back({axis++, place, 1, 1, /*isDropped=*/true});
      continue;
    }
    Bounds bounds;
    if (!hasBit(*beginMask, k))
      bounds.begin = (*begin)[k];
    if (!hasBit(*endMask, k))
      bounds.end = (*end)[k];
    bounds.stride = (*strides)[k];
    if (failed(addBounds(imp, *type, axis, bounds, ranges)))
      return failure();
    shape.push_back(ranges.back().count);
    ++axis;
  }
  llvm::append_range(shape, type->getShape().drop_front(axis));

  // Only new axes need another op, and a result without any.
  Value result = makeSlice(imp, imp.getOperand(0), ranges);
  return finish(imp, makeReshape(imp, result, shape));
}

/// begin and end of the axes that are listed (by default the leading ones).
static LogicalResult importStridedSliceV2(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 5)))
    return failure();
  // Reserved by HiAI; CANN does not say what they would do with axes.
  for (StringRef name : {"begin_mask", "end_mask", "ellipsis_mask",
                         "new_axis_mask", "shrink_axis_mask"}) {
    FailureOr<int64_t> mask = imp.getInt(name, 0);
    if (failed(mask))
      return failure();
    if (*mask != 0)
      return imp.decline("a mask in '" + name + "'");
  }
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> begin = getInts(imp, 1, "begin");
  FailureOr<SmallVector<int64_t>> end = getInts(imp, 2, "end");
  if (failed(type) || failed(begin) || failed(end))
    return failure();
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, begin->size()));
  SmallVector<int64_t> strides(begin->size(), 1);
  for (auto [k, list] : {std::pair(3, &axes), std::pair(4, &strides)})
    if (imp.getOperand(k)) {
      FailureOr<SmallVector<int64_t>> values =
          getInts(imp, k, k == 3 ? "axes" : "strides");
      if (failed(values))
        return failure();
      *list = *values;
    }
  if (end->size() != begin->size() || axes.size() != begin->size() ||
      strides.size() != begin->size())
    return imp.emitError() << "begin, end, axes and strides have "
                           << begin->size() << ", " << end->size() << ", "
                           << axes.size() << " and " << strides.size()
                           << " elements";
  SmallVector<AxisRange> ranges;
  llvm::SmallDenseSet<int64_t> seen;
  for (auto [listed, first, last, stride] :
       llvm::zip_equal(axes, *begin, *end, strides)) {
    FailureOr<int64_t> axis = getAxis(imp, listed, type->getRank());
    if (failed(axis))
      return failure();
    if (!seen.insert(*axis).second)
      return imp.emitError() << "axis " << listed << " is sliced twice";
    if (failed(addBounds(imp, *type, *axis, {first, last, stride}, ranges)))
      return failure();
  }
  return finish(imp, makeSlice(imp, imp.getOperand(0), ranges));
}

static LogicalResult exportSlice(OpExporter &exp) {
  auto op = cast<nn::SliceOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return exp.refuse("its rank is not known");
  int64_t rank = type.getRank();
  SmallVector<int64_t> begin(rank, 0), end(rank, 0), strides(rank, 1);
  int64_t beginMask = (int64_t{1} << rank) - 1, endMask = beginMask, shrink = 0;
  size_t next = 0;
  auto take = [&](bool has, int64_t &bound, int64_t &mask,
                  int64_t bit) -> LogicalResult {
    if (!has)
      return success();
    nn::KnownInts known = exp.getKnownInts(op.getIndices()[next++]);
    if (!known || known->size() != 1)
      return exp.refuse("its bounds are computed");
    bound = known->front();
    mask &= ~bit;
    return success();
  };
  int64_t noMask = 0;
  for (auto [k, listed] : llvm::enumerate(op.getAxes())) {
    int64_t axis = listed < 0 ? listed + rank : listed,
            bit = int64_t{1} << axis;
    if (failed(take(op.getHasBegin()[k], begin[axis], beginMask, bit)) ||
        failed(take(op.getHasEnd()[k], end[axis], endMask, bit)) ||
        failed(take(op.getHasStep()[k], strides[axis], noMask, bit)) ||
        failed(take(op.getHasIndex()[k], begin[axis], beginMask, bit)))
      return failure();
    if (!op.getHasIndex()[k])
      continue;
    shrink |= bit;
    end[axis] = begin[axis] + 1;
    // From -1 the end is that of the axis.
    if (end[axis] != 0)
      endMask &= ~bit;
  }
  // Without axes nn's result has the shape 1.
  if (rank > 0 && shrink == (int64_t{1} << rank) - 1)
    shrink &= ~(int64_t{1} << (rank - 1));
  exp.setType("StridedSlice");
  exp.addInput(op.getInput());
  exp.addInts(begin);
  exp.addInts(end);
  exp.addInts(strides);
  exp.setInt("begin_mask", beginMask);
  exp.setInt("end_mask", endMask);
  exp.setInt("ellipsis_mask", 0);
  exp.setInt("new_axis_mask", 0);
  exp.setInt("shrink_axis_mask", shrink);
  return success();
}

void modelwright::ge::registerSliceOps(OpRegistry &registry) {
  registry.addImport<nn::SliceOp>({"Slice", "SliceWithAxes"}, importSlice);
  registry.addImport<nn::SliceOp>({"Crop"}, importCrop);
  registry.addImport<nn::SliceOp, nn::ReshapeOp>({"StridedSlice"},
                                                 importStridedSlice);
  registry.addImport<nn::SliceOp>({"StridedSliceV2", "StridedSliceV3"},
                                  importStridedSliceV2);
  registry.addExport<nn::SliceOp>(exportSlice);
}
