//===- IndexItems.cpp - Items of slicing and indexing ops -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

FailureOr<SmallVector<IndexItem>>
nn::readIndexItems(std::optional<Location> loc, const IndexSpec &spec,
                   std::optional<int64_t> rank) {
  size_t count = spec.axes.size();
  for (ArrayRef<bool> flags :
       {spec.hasBegin, spec.hasEnd, spec.hasStep, spec.hasIndex})
    if (flags.size() != count)
      return emitOptionalError(loc, "every item needs four flags: got ", count,
                               " axes and ", flags.size(), " flags");

  SmallVector<IndexItem> items;
  llvm::SmallSet<int64_t, 8> seen;
  size_t next = 0, needed = 0;
  auto take = [&](bool has) {
    if (!has)
      return Value();
    ++needed;
    return next < spec.indices.size() ? spec.indices[next++] : Value();
  };
  for (size_t k = 0; k != count; ++k) {
    IndexItem item;
    item.axis = spec.axes[k];
    if (rank) {
      FailureOr<int64_t> axis = normalizeAxis(loc, item.axis, *rank);
      if (failed(axis))
        return failure();
      item.axis = *axis;
    }
    if (!seen.insert(item.axis).second)
      return emitOptionalError(loc, "axis ", item.axis, " has two items");
    if (spec.hasIndex[k] &&
        (spec.hasBegin[k] || spec.hasEnd[k] || spec.hasStep[k]))
      return emitOptionalError(loc, "item ", k,
                               " has an index and slice bounds");
    item.begin = take(spec.hasBegin[k]);
    item.end = take(spec.hasEnd[k]);
    item.step = take(spec.hasStep[k]);
    item.index = take(spec.hasIndex[k]);
    items.push_back(item);
  }
  if (needed != spec.indices.size())
    return emitOptionalError(loc, "the items read ", needed, " indices, got ",
                             spec.indices.size());
  return items;
}

/// Whether the type may be a tensor with one element.
static bool mayBeScalar(Type type) {
  RankedTensorType ranked = getRanked(type);
  return !ranked || ranked.getRank() == 0 ||
         (ranked.getRank() == 1 && !dimsDiffer(ranked.getDimSize(0), 1));
}

LogicalResult nn::checkIntegerScalar(std::optional<Location> loc,
                                     StringRef what, Value value) {
  Type type = value.getType(), element = nn::getElementType(type);
  if (mayBeScalar(type) && (isUnknown(element) || isa<IntegerType>(element)))
    return success();
  return emitOptionalError(loc, what, " must be one integer, got ", type);
}

std::optional<int64_t> nn::getKnownScalar(Value value, KnownValues values) {
  KnownInts known = values(value);
  if (!known || known->size() != 1)
    return std::nullopt;
  return known->front();
}

FailureOr<AxisSlice> nn::sliceAxis(std::optional<Location> loc, int64_t dim,
                                   const IndexItem &item, KnownValues values) {
  bool allKnown = true;
  auto read = [&](StringRef what, Value value,
                  std::optional<int64_t> &result) -> LogicalResult {
    if (!value)
      return success();
    if (failed(checkIntegerScalar(loc, what, value)))
      return failure();
    result = getKnownScalar(value, values);
    allKnown &= result.has_value();
    return success();
  };
  std::optional<int64_t> begin, end, step;
  if (failed(read("slice begin", item.begin, begin)) ||
      failed(read("slice end", item.end, end)) ||
      failed(read("slice step", item.step, step)))
    return failure();
  if (step && *step == 0)
    return emitOptionalError(loc, "slice of axis ", item.axis, " has step 0");
  if (item.isWhole())
    return AxisSlice{0, 1, dim};
  if (!allKnown || ShapedType::isDynamic(dim))
    return AxisSlice{ShapedType::kDynamic, step.value_or(1),
                     ShapedType::kDynamic};

  // Known values come from elements of at most 32 bits: sums cannot overflow.
  // Clamp anyway, other callers may know more.
  auto limit = [](int64_t value) {
    return std::clamp<int64_t>(value, INT64_MIN / 4, INT64_MAX / 4);
  };
  auto fromEnd = [&](int64_t value) {
    value = limit(value);
    return value < 0 ? value + dim : value;
  };
  int64_t by = step ? limit(*step) : 1;
  if (dim == 0)
    return AxisSlice{0, by, 0};
  int64_t first, last; // One past the last element in the step's direction.
  if (by > 0) {
    first = begin ? std::min(fromEnd(*begin), dim) : 0;
    last = end ? std::min(fromEnd(*end), dim) : dim;
  } else {
    first = begin ? std::min(fromEnd(*begin), dim - 1) : dim - 1;
    last = end ? std::max<int64_t>(fromEnd(*end), -1) : -1;
  }
  if (begin && first < 0)
    return emitOptionalError(loc, "slice begin ", *begin,
                             " is out of range for ", dim, " elements of axis ",
                             item.axis);
  int64_t span = by > 0 ? last - first : first - last;
  int64_t stride = by > 0 ? by : -by;
  int64_t size = span <= 0 ? 0 : (span - 1) / stride + 1;
  return AxisSlice{first, by, size};
}

FailureOr<int64_t> nn::selectElement(std::optional<Location> loc, int64_t dim,
                                     const IndexItem &item,
                                     KnownValues values) {
  if (failed(checkIntegerScalar(loc, "index", item.index)))
    return failure();
  std::optional<int64_t> index = getKnownScalar(item.index, values);
  if (!index || ShapedType::isDynamic(dim))
    return ShapedType::kDynamic;
  if (*index < -dim || *index >= dim)
    return emitOptionalError(loc, "index ", *index, " is out of range for ",
                             dim, " elements of axis ", item.axis);
  return *index < 0 ? *index + dim : *index;
}

LogicalResult nn::checkElementType(std::optional<Location> loc, StringRef what,
                                   Type type, Type elementType) {
  Type element = nn::getElementType(type);
  if (isUnknown(element) || element == elementType)
    return success();
  return emitOptionalError(loc, what, " must have element type ", elementType,
                           ", got ", type);
}

LogicalResult nn::checkUpdate(std::optional<Location> loc, Type value,
                              Type input, ArrayRef<int64_t> shape) {
  Type element = nn::getElementType(input);
  if (!isUnknown(element) &&
      failed(checkElementType(loc, "value", value, element)))
    return failure();
  RankedTensorType ranked = getRanked(value);
  if (!ranked)
    return success();
  ArrayRef<int64_t> dims = ranked.getShape();
  bool fits = dims.size() <= shape.size();
  if (fits)
    for (auto [dim, target] :
         llvm::zip_equal(dims, shape.take_back(dims.size())))
      fits &= dim == 1 || !dimsDiffer(dim, target);
  if (fits)
    return success();
  return emitOptionalError(loc, "value of type ", value,
                           " does not broadcast to the indexed ",
                           RankedTensorType::get(shape, element));
}

void nn::addUnranked(Type like, SmallVectorImpl<Type> &types) {
  types.push_back(UnrankedTensorType::get(nn::getElementType(like)));
}

LogicalResult nn::addRankedType(std::optional<Location> loc,
                                ArrayRef<int64_t> shape, Type elementType,
                                SmallVectorImpl<Type> &types) {
  // A run-time dim can be 1: the product of the others must still fit.
  SmallVector<int64_t> known(llvm::make_filter_range(
      shape, [](int64_t dim) { return !ShapedType::isDynamic(dim); }));
  if (!multiplyDims(known))
    return emitOptionalError(loc, "the result has too many elements");
  types.push_back(RankedTensorType::get(shape, elementType));
  return success();
}
