//===- IndexArithmetic.cpp - Sizes and positions at run time --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

//===----------------------------------------------------------------------===//
// IndexMath
//===----------------------------------------------------------------------===//

Value IndexMath::add(Value lhs, Value rhs) {
  return b.createOrFold<arith::AddIOp>(lhs, rhs);
}

Value IndexMath::sub(Value lhs, Value rhs) {
  return b.createOrFold<arith::SubIOp>(lhs, rhs);
}

Value IndexMath::mul(Value lhs, Value rhs) {
  return b.createOrFold<arith::MulIOp>(lhs, rhs);
}

Value IndexMath::div(Value lhs, Value rhs) {
  return b.createOrFold<arith::DivSIOp>(lhs, rhs);
}

Value IndexMath::rem(Value lhs, Value rhs) {
  return b.createOrFold<arith::RemSIOp>(lhs, rhs);
}

Value IndexMath::min(Value lhs, Value rhs) {
  return b.createOrFold<arith::MinSIOp>(lhs, rhs);
}

Value IndexMath::max(Value lhs, Value rhs) {
  return b.createOrFold<arith::MaxSIOp>(lhs, rhs);
}

Value IndexMath::select(Value condition, Value lhs, Value rhs) {
  return b.createOrFold<arith::SelectOp>(condition, lhs, rhs);
}

Value IndexMath::compare(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
  return b.createOrFold<arith::CmpIOp>(predicate, lhs, rhs);
}

Value IndexMath::isEqual(Value lhs, Value rhs) {
  return compare(arith::CmpIPredicate::eq, lhs, rhs);
}

Value IndexMath::isLess(Value lhs, Value rhs) {
  return compare(arith::CmpIPredicate::slt, lhs, rhs);
}

Value IndexMath::isAtLeast(Value lhs, Value rhs) {
  return compare(arith::CmpIPredicate::sge, lhs, rhs);
}

Value IndexMath::isAnd(Value lhs, Value rhs) {
  return b.createOrFold<arith::AndIOp>(lhs, rhs);
}

Value IndexMath::isOr(Value lhs, Value rhs) {
  return b.createOrFold<arith::OrIOp>(lhs, rhs);
}

//===----------------------------------------------------------------------===//
// Values and sizes
//===----------------------------------------------------------------------===//

std::optional<int64_t> nn::getConstantIndex(Value index) {
  return getConstantIntValue(getAsOpFoldResult(index));
}

Value nn::emitToIndex(ImplicitLocOpBuilder &b, Value value, Type element) {
  if (isUnsignedElement(element))
    return b.createOrFold<arith::IndexCastUIOp>(b.getIndexType(), value);
  return b.createOrFold<arith::IndexCastOp>(b.getIndexType(), value);
}

Value nn::emitReadInteger(ImplicitLocOpBuilder &b, Value original,
                          Value lowered, int64_t at) {
  KnownInts known = getConstantInts(original);
  if (known && at < int64_t(known->size()))
    return emitConstantIndex(b, (*known)[at]);
  auto type = dyn_cast<RankedTensorType>(lowered.getType());
  Type element = nn::getElementType(original.getType());
  if (!type || type.getRank() > 1 || !isa<IntegerType>(element))
    return {};
  SmallVector<Value> indices;
  if (type.getRank() == 1) {
    indices.push_back(emitConstantIndex(b, at));
    if (type.isDynamicDim(0))
      emitCheck(b, IndexMath(b).isLess(indices.back(), emitDim(b, lowered, 0)),
                "a vector of integers is too short");
  }
  return emitToIndex(b, emitRead(b, lowered, indices), element);
}

void nn::emitCheckDim(ImplicitLocOpBuilder &b, RankedTensorType type,
                      int64_t dim, Value size) {
  if (type.isDynamicDim(dim))
    return;
  IndexMath math(b);
  Value isGood = math.isEqual(size, math.constant(type.getDimSize(dim)));
  if (!matchPattern(isGood, m_One()))
    emitCheck(b, isGood,
              "dim " + Twine(dim) + " of the result is not " +
                  Twine(type.getDimSize(dim)) + ", as its type says");
}

SmallVector<Value> nn::emitDynamicSizes(ImplicitLocOpBuilder &b,
                                        RankedTensorType type,
                                        ValueRange sizes) {
  SmallVector<Value> result;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    emitCheckDim(b, type, int64_t(dim), size);
    if (type.isDynamicDim(dim))
      result.push_back(size);
  }
  return result;
}

Value nn::emitDimOfType(ImplicitLocOpBuilder &b, RankedTensorType type,
                        int64_t dim, Value size) {
  emitCheckDim(b, type, dim, size);
  return type.isDynamicDim(dim) ? size
                                : emitConstantIndex(b, type.getDimSize(dim));
}

Value nn::emitAsType(ImplicitLocOpBuilder &b, Value value,
                     RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(b, type, value);
}

void nn::emitCheckSizes(ImplicitLocOpBuilder &b, ValueRange sizes) {
  IndexMath math(b);
  Value zero = math.constant(0), one = math.constant(1), count = one;
  Value limit = math.constant(int64_t(1) << 40);
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    Value room = math.div(limit, math.max(count, one));
    Value isGood =
        math.isAnd(math.isAtLeast(size, zero), math.isAtLeast(room, size));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood,
                "dim " + Twine(dim) +
                    " of the result is negative or too large");
    count = math.mul(count, size);
  }
}

SmallVector<Value> nn::emitSizes(ImplicitLocOpBuilder &b, Value tensor) {
  SmallVector<Value> sizes;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(emitDim(b, tensor, dim));
  return sizes;
}

Value nn::emitNumElements(ImplicitLocOpBuilder &b, Value tensor) {
  IndexMath math(b);
  Value count = math.constant(1);
  for (Value size : emitSizes(b, tensor))
    count = math.mul(count, size);
  return count;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

FailureOr<AxisRange> nn::emitAxisRange(ImplicitLocOpBuilder &b,
                                       const IndexItem &item,
                                       const IndexItem &lowered, Value size) {
  IndexMath math(b);
  Value zero = math.constant(0), one = math.constant(1);
  Value minusOne = math.constant(-1);
  if (item.isWhole())
    return AxisRange{zero, one, size};
  auto fromEnd = [&](Value value) {
    return math.select(math.isLess(value, zero), math.add(value, size), value);
  };
  Value step = one;
  if (item.step) {
    step = emitReadInteger(b, item.step, lowered.step);
    if (!step)
      return failure();
    emitCheck(b, math.compare(arith::CmpIPredicate::ne, step, zero),
              "the step of a slice is 0");
  }
  Value isBackward = math.isLess(step, zero);
  Value isEmpty = math.isEqual(size, zero);
  Value first = math.select(isBackward, math.sub(size, one), zero);
  if (item.begin) {
    Value begin = emitReadInteger(b, item.begin, lowered.begin);
    if (!begin)
      return failure();
    first = math.min(fromEnd(begin),
                     math.select(isBackward, math.sub(size, one), size));
    emitCheck(b, math.isOr(isEmpty, math.isAtLeast(first, zero)),
              "a slice begins before the first element");
  }
  // One past the last element, in the step's direction.
  Value last = math.select(isBackward, minusOne, size);
  if (item.end) {
    Value end = emitReadInteger(b, item.end, lowered.end);
    if (!end)
      return failure();
    last = math.min(math.max(fromEnd(end), minusOne), size);
  }
  Value span =
      math.select(isBackward, math.sub(first, last), math.sub(last, first));
  Value stride = math.select(isBackward, math.sub(zero, step), step);
  Value count = math.add(math.div(math.sub(span, one), stride), one);
  isEmpty =
      math.isOr(isEmpty, math.compare(arith::CmpIPredicate::sle, span, zero));
  // An empty range starts at 0, which views of empty tensors demand.
  return AxisRange{math.select(isEmpty, zero, first), step,
                   math.select(isEmpty, zero, count)};
}

FailureOr<ItemRanges> nn::emitItemRanges(ImplicitLocOpBuilder &b,
                                         const IndexSpec &original,
                                         const IndexSpec &lowered,
                                         Value input) {
  IndexMath math(b);
  ItemRanges ranges;
  for (Value size : emitSizes(b, input))
    ranges.axes.push_back({math.constant(0), math.constant(1), size});
  auto rank = int64_t(ranges.axes.size());
  ranges.original.resize(rank);
  ranges.lowered.resize(rank);
  auto items = readIndexItems(std::nullopt, original, rank);
  auto loweredItems = readIndexItems(std::nullopt, lowered, rank);
  if (failed(items) || failed(loweredItems))
    return failure();
  for (auto [item, loweredItem] : llvm::zip_equal(*items, *loweredItems)) {
    ranges.original[item.axis] = item;
    ranges.lowered[item.axis] = loweredItem;
    AxisRange &range = ranges.axes[item.axis];
    if (item.index)
      continue;
    FailureOr<AxisRange> own = emitAxisRange(b, item, loweredItem, range.count);
    if (failed(own))
      return failure();
    range = *own;
  }
  return ranges;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

Value nn::emitScatter(ImplicitLocOpBuilder &b, Value target, ValueRange sizes,
                      ScatterBody body) {
  Value zero = emitConstantIndex(b, 0), one = emitConstantIndex(b, 1);
  SmallVector<Value> zeros(sizes.size(), zero), ones(sizes.size(), one);
  auto insert = [&](OpBuilder &builder, Location loc, ValueRange indices,
                    Value tensor) -> Value {
    ImplicitLocOpBuilder inner(loc, builder);
    SmallVector<Value> at;
    Value value = body(inner, indices, at);
    return tensor::InsertOp::create(inner, value, tensor, at);
  };
  scf::LoopNest nest = scf::buildLoopNest(
      b, b.getLoc(), zeros, sizes, ones, ValueRange(target),
      [&](OpBuilder &builder, Location loc, ValueRange indices,
          ValueRange tensors) -> scf::ValueVector {
        return {insert(builder, loc, indices, tensors.front())};
      });
  return nest.results.front();
}

Value nn::emitBroadcastRead(ImplicitLocOpBuilder &b, Value tensor,
                            ValueRange indices) {
  IndexMath math(b);
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<Value> at;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value index = indices[indices.size() - type.getRank() + dim];
    Value isOne = math.isEqual(emitDim(b, tensor, dim), math.constant(1));
    at.push_back(math.select(isOne, math.constant(0), index));
  }
  return emitRead(b, tensor, at);
}

void nn::emitCheckBroadcast(ImplicitLocOpBuilder &b, Value tensor,
                            ValueRange sizes) {
  IndexMath math(b);
  auto type = cast<RankedTensorType>(tensor.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    Value own = emitDim(b, tensor, dim);
    Value size = sizes[sizes.size() - type.getRank() + dim];
    Value isGood =
        math.isOr(math.isEqual(own, math.constant(1)), math.isEqual(own, size));
    if (!matchPattern(isGood, m_One()))
      emitCheck(b, isGood,
                "dim " + Twine(dim) + " of an operand does not broadcast");
  }
}
