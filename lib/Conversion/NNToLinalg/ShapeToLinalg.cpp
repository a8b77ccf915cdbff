//===- ShapeToLinalg.cpp - Views, joins and parts -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

/// The type of a lowered operand; null if unranked.
static RankedTensorType getRankedType(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// The sizes that a reshape's operand asks for, with the checks that they fit
/// `count` elements. `inferred` is the axis that makes them fit, or -1.
static SmallVector<Value> emitReshapeSizes(ImplicitLocOpBuilder &b, Value count,
                                           ValueRange asked, int64_t inferred) {
  IndexMath math(b);
  Value zero = math.constant(0), one = math.constant(1);
  Value isEmpty = math.isEqual(count, zero), hasZero;
  Value product = one;
  for (auto [dim, size] : llvm::enumerate(asked)) {
    if (int64_t(dim) == inferred)
      continue;
    Value isZero = math.isEqual(size, zero);
    hasZero = hasZero ? math.isOr(hasZero, isZero) : isZero;
    // The product stays within the count, so it cannot overflow. It means
    // nothing for an empty tensor, of which one size has to be 0.
    Value fits = math.isAnd(math.isLess(zero, size),
                            math.isAtLeast(math.div(count, product), size));
    emitCheck(b,
              math.isOr(fits, math.isAnd(isEmpty, math.isAtLeast(size, zero))),
              "dim " + Twine(dim) +
                  " of the new shape does not fit the number of elements");
    product = math.select(isEmpty, one, math.mul(product, size));
  }
  if (!hasZero)
    hasZero = arith::ConstantIntOp::create(b, b.getI1Type(), 0);
  SmallVector<Value> sizes(asked);
  Value isWhole;
  if (inferred < 0) {
    isWhole = math.select(isEmpty, hasZero, math.isEqual(product, count));
  } else {
    Value divides = math.isEqual(math.rem(count, product), zero);
    Value isFree = math.isEqual(
        hasZero, arith::ConstantIntOp::create(b, b.getI1Type(), 0));
    isWhole = math.isAnd(divides, isFree);
    sizes[inferred] = math.div(count, product);
  }
  emitCheck(b, isWhole, "the new shape does not fit the number of elements");
  return sizes;
}

namespace {
class ReshapeLowering : public Lowering<ReshapeOp> {
public:
  using Lowering::Lowering;
  Values lower(ReshapeOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    RankedTensorType shapeType = getRankedType(adaptor.getShape());
    if (!type || !inputType || !shapeType)
      return failure();
    bool isStatic = type.hasStaticShape() && inputType.hasStaticShape();
    // The op's inference has tested what is known.
    if (isStatic && getConstantInts(op.getShape()))
      return SmallVector<Value>{emitReshape(b, input, type.getShape())};

    int64_t rank = type.getRank();
    int64_t inferred = op.getInferredAxis().value_or(-1 - rank);
    if (inferred < 0)
      inferred += rank;
    if (shapeType.getRank() == 1 && shapeType.getDimSize(0) != rank)
      emitCheck(b,
                IndexMath(b).isEqual(emitDim(b, adaptor.getShape(), 0),
                                     emitConstantIndex(b, rank)),
                "the new shape does not have " + Twine(rank) + " dims");
    SmallVector<Value> asked;
    for (int64_t dim = 0; dim < rank; ++dim) {
      Value size = emitReadInteger(b, op.getShape(), adaptor.getShape(), dim);
      if (!size)
        return failure();
      asked.push_back(size);
    }
    SmallVector<Value> sizes =
        emitReshapeSizes(b, emitNumElements(b, input), asked, inferred);
    emitDynamicSizes(b, type, sizes);
    if (isStatic)
      return SmallVector<Value>{emitReshape(b, input, type.getShape())};
    Value shape = tensor::FromElementsOp::create(
        b, RankedTensorType::get({rank}, b.getIndexType()), sizes);
    return SmallVector<Value>{tensor::ReshapeOp::create(b, type, input, shape)};
  }
};
} // namespace

/// Moves, inserts and drops axes: result dim i is dim `sources[i]` of `input`,
/// or new where that is -1. Dims that are not named have one element.
static Value emitMoveAxes(ImplicitLocOpBuilder &b, RankedTensorType type,
                          Value input, ArrayRef<int64_t> sources) {
  IndexMath math(b);
  auto inputType = cast<RankedTensorType>(input.getType());
  SmallVector<AffineExpr> exprs(inputType.getRank(),
                                b.getAffineConstantExpr(0));
  SmallVector<Value> sizes;
  SmallVector<bool> isNamed(inputType.getRank(), false);
  for (auto [dim, source] : llvm::enumerate(sources)) {
    if (source != -1) {
      exprs[source] = b.getAffineDimExpr(dim);
      isNamed[source] = true;
    }
    sizes.push_back(source == -1 ? math.constant(1)
                                 : emitDim(b, input, source));
  }
  for (int64_t dim = 0; dim < inputType.getRank(); ++dim)
    if (!isNamed[dim] && inputType.isDynamicDim(dim))
      emitCheck(b, math.isEqual(emitDim(b, input, dim), math.constant(1)),
                "dim " + Twine(dim) + " is dropped and has not one element");
  auto map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
  return emitMap(
      b, type, input, map,
      [](ImplicitLocOpBuilder &, ValueRange elements) { return elements[0]; },
      emitDynamicSizes(b, type, sizes));
}

namespace {
class TransposeLowering : public Lowering<TransposeOp> {
public:
  using Lowering::Lowering;
  Values lower(TransposeOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    if (!type || !inputType)
      return failure();
    ArrayRef<int64_t> permutation = op.getPermutation();
    if (int64_t(permutation.size()) != inputType.getRank() ||
        llvm::is_contained(permutation, -1) ||
        type.getNumDynamicDims() != inputType.getNumDynamicDims())
      return SmallVector<Value>{emitMoveAxes(b, type, input, permutation)};
    return SmallVector<Value>{emitTranspose(b, input, permutation)};
  }
};

class ExpandSqueezeLowering : public Lowering<ExpandSqueezeOp> {
public:
  using Lowering::Lowering;
  Values lower(ExpandSqueezeOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    if (!type || !inputType)
      return failure();
    if (type.hasStaticShape() && inputType.hasStaticShape())
      return SmallVector<Value>{emitReshape(b, input, type.getShape())};
    auto sources = llvm::to_vector(llvm::seq<int64_t>(0, inputType.getRank()));
    for (auto [position, removes] :
         llvm::zip_equal(op.getAxes(), op.getSqueeze())) {
      auto rank = int64_t(sources.size());
      int64_t axis =
          position < 0 ? position + (removes ? rank : rank + 1) : position;
      if (!removes)
        sources.insert(sources.begin() + axis, -1);
      else if (rank > 1)
        sources.erase(sources.begin() + axis);
      else
        sources[axis] = -1;
    }
    return SmallVector<Value>{emitMoveAxes(b, type, input, sources)};
  }
};

class BroadcastToLowering : public Lowering<BroadcastToOp> {
public:
  using Lowering::Lowering;
  Values lower(BroadcastToOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    if (!type || !inputType)
      return failure();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = emitReadInteger(b, op.getShape(), adaptor.getShape(), dim);
      if (!size)
        return failure();
      sizes.push_back(size);
    }
    emitCheckSizes(b, sizes);
    emitCheckBroadcast(b, input, sizes);
    SmallVector<Value> dynamicSizes = emitDynamicSizes(b, type, sizes);
    if (!inputType.hasStaticShape())
      return SmallVector<Value>{emitGenerate(
          b, type,
          [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
            return emitBroadcastRead(inner, input, indices);
          },
          dynamicSizes)};
    int64_t offset = type.getRank() - inputType.getRank();
    SmallVector<AffineExpr> exprs;
    for (int64_t dim = 0; dim < inputType.getRank(); ++dim)
      exprs.push_back(inputType.getDimSize(dim) == 1
                          ? b.getAffineConstantExpr(0)
                          : b.getAffineDimExpr(dim + offset));
    auto map = AffineMap::get(type.getRank(), 0, exprs, b.getContext());
    return SmallVector<Value>{emitMap(
        b, type, input, map,
        [](ImplicitLocOpBuilder &, ValueRange elements) { return elements[0]; },
        dynamicSizes)};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Joins and parts
//===----------------------------------------------------------------------===//

/// `axis`, counted from the front.
static int64_t getAxis(int64_t axis, int64_t rank) {
  return axis < 0 ? axis + rank : axis;
}

/// The part of `input` with `size` elements from `start` along `axis`.
static Value emitPart(ImplicitLocOpBuilder &b, RankedTensorType type,
                      Value input, int64_t axis, Value start, Value size) {
  SmallVector<OpFoldResult> offsets, sizes,
      strides(type.getRank(), b.getIndexAttr(1));
  for (Value whole : emitSizes(b, input)) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(getAsOpFoldResult(whole));
  }
  offsets[axis] = getAsOpFoldResult(start);
  sizes[axis] = getAsOpFoldResult(size);
  Value part =
      tensor::ExtractSliceOp::create(b, input, offsets, sizes, strides);
  return emitAsType(b, part, type);
}

namespace {
class ConcatLowering : public Lowering<ConcatOp> {
public:
  using Lowering::Lowering;
  Values lower(ConcatOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    RankedTensorType type = getResultType(op);
    if (!type || !llvm::all_of(adaptor.getInputs(), getRankedType))
      return failure();
    int64_t axis = getAxis(op.getAxis(), type.getRank());
    SmallVector<Value> sizes = emitSizes(b, adaptor.getInputs().front());
    for (Value input : adaptor.getInputs().drop_front())
      for (auto [dim, size] : llvm::enumerate(emitSizes(b, input))) {
        if (int64_t(dim) == axis) {
          sizes[dim] = math.add(sizes[dim], size);
          continue;
        }
        Value isGood = math.isEqual(sizes[dim], size);
        if (!matchPattern(isGood, m_One()))
          emitCheck(b, isGood,
                    "sizes of the operands differ in dim " + Twine(dim));
      }
    Value result = emitEmpty(b, type, emitDynamicSizes(b, type, sizes));
    Value start = math.constant(0);
    SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
    for (Value input : adaptor.getInputs()) {
      SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
      offsets[axis] = getAsOpFoldResult(start);
      SmallVector<Value> own = emitSizes(b, input);
      // Nothing to copy, and no place at the end of the result to copy it to.
      if (getConstantIndex(own[axis]) == 0)
        continue;
      start = math.add(start, own[axis]);
      result = tensor::InsertSliceOp::create(b, input, result, offsets,
                                             getAsOpFoldResult(own), strides);
    }
    return SmallVector<Value>{result};
  }
};

class SplitLowering : public Lowering<SplitOp> {
public:
  using Lowering::Lowering;
  Values lower(SplitOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    if (!inputType)
      return failure();
    int64_t axis = getAxis(op.getAxis(), inputType.getRank());
    Value whole = emitDim(b, input, axis);
    Value zero = math.constant(0), start = zero;
    SmallVector<Value> parts;
    for (auto [k, result] : llvm::enumerate(op.getResults())) {
      RankedTensorType type = getResultType(result);
      Value size = emitReadInteger(b, op.getSizes()[k], adaptor.getSizes()[k]);
      if (!type || !size)
        return failure();
      emitCheckDim(b, type, axis, size);
      Value isGood = math.isAnd(math.isAtLeast(size, zero),
                                math.isAtLeast(math.sub(whole, start), size));
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood, "part " + Twine(k) + " exceeds the tensor");
      // A view of nothing must not start past the end.
      Value from = math.select(math.isEqual(size, zero), zero, start);
      parts.push_back(emitPart(b, type, input, axis, from, size));
      start = math.add(start, size);
    }
    Value isAll = math.isEqual(start, whole);
    if (!matchPattern(isAll, m_One()))
      emitCheck(b, isAll, "the parts are not the whole tensor");
    return parts;
  }
};

class PadLowering : public Lowering<PadOp> {
public:
  using Lowering::Lowering;
  Values lower(PadOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    RankedTensorType inputType = getRankedType(input);
    if (!type || !inputType)
      return failure();
    SmallVector<int64_t> low(op.getLow()), high(op.getHigh());
    low.resize(type.getRank(), 0);
    high.resize(type.getRank(), 0);
    if (op.getMode() == PadMode::constant) {
      Value value = getPadValue(op, b);
      if (!value)
        return failure();
      Value padded = emitPad(b, input, low, high, value);
      return SmallVector<Value>{emitAsType(b, padded, type)};
    }
    SmallVector<Value> sizes = emitSizes(b, input), padded;
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      int64_t widest = std::max(low[dim], high[dim]);
      // Replicating needs an element, reflecting one more than it adds.
      Value least = math.constant(
          widest == 0 ? 0
                      : (op.getMode() == PadMode::reflect ? widest + 1 : 1));
      Value isGood = math.isAtLeast(sizes[dim], least);
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood,
                  "dim " + Twine(dim) + " is too small to be padded");
      padded.push_back(
          math.add(sizes[dim], math.constant(low[dim] + high[dim])));
    }
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          SmallVector<Value> at;
          for (int64_t dim = 0; dim < type.getRank(); ++dim)
            at.push_back(low[dim] + high[dim] == 0
                             ? indices[dim]
                             : emitSource(inner, op.getMode(), indices[dim],
                                          low[dim], sizes[dim]));
          return emitRead(inner, input, at);
        },
        emitDynamicSizes(b, type, padded))};
  }

private:
  /// The value as an element: the number itself, also for quantized codes.
  static Value getPadValue(PadOp op, ImplicitLocOpBuilder &b) {
    Type element = nn::getElementType(op.getInput().getType());
    Type lowered = getLoweredElementType(element);
    double value = op.getValue().convertToDouble();
    if (isa<FloatType>(lowered))
      return emitConstant(b, lowered, value);
    if (lowered.isInteger(1))
      return emitConstant(b, lowered, value != 0);
    if (!isa<IntegerType>(lowered))
      return {};
    // Rounded toward zero and wrapped, within what is defined.
    double bounded = std::isnan(value) ? 0 : std::clamp(value, -0x1p62, 0x1p62);
    return emitConstant(b, lowered, std::trunc(bounded));
  }

  /// Where the element at `index` of the padded dim comes from.
  static Value emitSource(ImplicitLocOpBuilder &b, PadMode mode, Value index,
                          int64_t low, Value size) {
    IndexMath math(b);
    Value zero = math.constant(0), one = math.constant(1);
    Value at = math.sub(index, math.constant(low));
    Value last = math.sub(size, one);
    if (mode == PadMode::replicate)
      return math.min(math.max(at, zero), last);
    Value mirrored = math.max(at, math.sub(zero, at));
    return math.min(mirrored, math.sub(math.add(last, last), mirrored));
  }
};
} // namespace

void nn::populateShapeLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ReshapeLowering, TransposeLowering, ExpandSqueezeLowering,
               BroadcastToLowering, ConcatLowering, SplitLowering, PadLowering>(
      converter, patterns.getContext());
}
