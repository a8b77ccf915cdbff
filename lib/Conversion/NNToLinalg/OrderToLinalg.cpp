//===- OrderToLinalg.cpp - Extrema, sorting and prefix sums ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// The type of the keys by which elements are ordered: f32, f64, i32 or i64.
/// Null if they have no order.
static Type getKeyType(Type element, MLIRContext *context) {
  Type lowered = getLoweredElementType(element);
  if (auto floating = dyn_cast<FloatType>(lowered))
    return floating.getWidth() > 32 ? Type(Float64Type::get(context))
                                    : Type(Float32Type::get(context));
  if (!isa<IntegerType>(lowered))
    return {};
  return IntegerType::get(context,
                          lowered.getIntOrFloatBitWidth() > 32 ? 64 : 32);
}

/// A number of the key's type that is ordered as `value` is among its like.
static Value emitKey(ImplicitLocOpBuilder &b, Value value, Type element,
                     Type key) {
  if (isa<FloatType>(key))
    return value.getType() == key ? value
                                  : Value(arith::ExtFOp::create(b, key, value));
  bool isFull = value.getType() == key;
  value = emitResizeInt(b, value, element, key);
  if (!isFull || !isUnsignedElement(element))
    return value;
  // Unsigned order is the signed one with the top bit flipped.
  Value top = arith::ConstantOp::create(
      b, IntegerAttr::get(
             key, APInt::getSignedMinValue(key.getIntOrFloatBitWidth())));
  return arith::XOrIOp::create(b, value, top);
}

//===----------------------------------------------------------------------===//
// Extrema
//===----------------------------------------------------------------------===//

namespace {
template <typename OpT> class ArgExtremumLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Values lower(OpT op, OpT::Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    constexpr bool isMax = std::is_same_v<OpT, ArgMaxOp>;
    RankedTensorType type = this->getResultType(op.getResult());
    Value input = adaptor.getInput();
    auto inputType = dyn_cast<RankedTensorType>(input.getType());
    Type element = nn::getElementType(op.getInput().getType());
    Type key = getKeyType(element, b.getContext());
    if (!type || !inputType || !key)
      return failure();
    int64_t axis = op.getAxis();
    axis = axis < 0 ? axis + inputType.getRank() : axis;
    SmallVector<Value> sizes = emitSizes(b, input);
    Value length = sizes[axis];
    sizes[axis] = emitConstantIndex(b, 1);
    // Nothing is worse, a NaN included: it never wins.
    Value worst = emitWorst(b, key, isMax);
    auto predicate = isMax ? Predicate::gt : Predicate::lt;
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          Value zero = emitConstantIndex(inner, 0);
          auto loop = scf::ForOp::create(
              inner, zero, length, emitConstantIndex(inner, 1),
              ValueRange{worst, zero},
              [&](OpBuilder &builder, Location loc, Value index,
                  ValueRange carried) {
                ImplicitLocOpBuilder body(loc, builder);
                SmallVector<Value> at(indices);
                at[axis] = index;
                Value value =
                    emitKey(body, emitRead(body, input, at), element, key);
                Value isBetter =
                    emitCompare(body, predicate, value, carried[0], key);
                Value best =
                    arith::SelectOp::create(body, isBetter, value, carried[0]);
                Value where =
                    arith::SelectOp::create(body, isBetter, index, carried[1]);
                scf::YieldOp::create(body, ValueRange{best, where});
              });
          return Value(arith::IndexCastOp::create(inner, inner.getI32Type(),
                                                  loop.getResult(1)));
        },
        emitDynamicSizes(b, type, sizes))};
  }

private:
  static Value emitWorst(ImplicitLocOpBuilder &b, Type key, bool isMax) {
    if (isa<FloatType>(key)) {
      double infinity = std::numeric_limits<double>::infinity();
      return emitConstant(b, key, isMax ? -infinity : infinity);
    }
    unsigned width = key.getIntOrFloatBitWidth();
    return arith::ConstantOp::create(
        b, IntegerAttr::get(key, isMax ? APInt::getSignedMinValue(width)
                                       : APInt::getSignedMaxValue(width)));
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Sorting
//===----------------------------------------------------------------------===//

/// The i32 matrix that tells for each row of `input` where the elements of the
/// sorted row were. `descending` is an index, 0 or 1. Null if they have no
/// order.
static Value emitArgSort(ImplicitLocOpBuilder &b, Value input, Type element,
                         Value descending) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  Type key = getKeyType(element, b.getContext());
  if (!type || !key)
    return {};
  RankedTensorType keyType = type.clone(key);
  RankedTensorType indexType = type.clone(b.getI32Type());
  Value keys = input;
  if (type != keyType || isUnsignedElement(element))
    keys = emitElementwise(b, keyType, input,
                           [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                             return emitKey(inner, values[0], element, key);
                           });
  SmallVector<Value> sizes = emitSizes(b, input);
  SmallVector<Value> dynamicSizes = emitDynamicSizes(b, type, sizes);
  dynamicSizes.append(dynamicSizes.begin(), dynamicSizes.end());
  std::string name = isa<FloatType>(key) ? "mw_argsort_f" : "mw_argsort_i";
  name += std::to_string(key.getIntOrFloatBitWidth());
  return emitRuntimeCall(b, name, keys, {keyType, indexType},
                         {sizes[0], sizes[1], descending}, dynamicSizes)[1];
}

/// `input[i, indices[i, j]]`, where `indices` come from emitArgSort. `column`
/// replaces j if it is given.
static Value emitSorted(ImplicitLocOpBuilder &b, RankedTensorType type,
                        Value input, Value indices, ValueRange dynamicSizes,
                        Value column = {}) {
  return emitGenerate(
      b, type,
      [&](ImplicitLocOpBuilder &inner, ValueRange at) {
        Value from = emitRead(inner, indices, {at[0], column ? column : at[1]});
        return emitRead(inner, input,
                        {at[0], emitToIndex(inner, from, inner.getI32Type())});
      },
      dynamicSizes);
}

namespace {
class ArgSortLowering : public Lowering<ArgSortOp> {
public:
  using Lowering::Lowering;
  Values lower(ArgSortOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op.getValues());
    RankedTensorType indexType = getResultType(op.getIndices());
    Value descending =
        emitConstantIndex(b, op.getOrder() == SortOrder::descending ? 1 : 0);
    Value indices = emitArgSort(
        b, input, nn::getElementType(op.getInput().getType()), descending);
    if (!type || !indexType || !indices)
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    Value sorted =
        emitSorted(b, type, input, indices, emitDynamicSizes(b, type, sizes));
    emitDynamicSizes(b, indexType, sizes);
    return SmallVector<Value>{sorted, emitAsType(b, indices, indexType)};
  }
};

class TopKLowering : public Lowering<TopKOp> {
public:
  using Lowering::Lowering;
  Values lower(TopKOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op.getValues());
    Value k = emitReadInteger(b, op.getK(), adaptor.getK());
    if (!type || !k || !isa<RankedTensorType>(input.getType()))
      return failure();
    Value zero = math.constant(0), one = math.constant(1);
    Value isLargest = math.isLess(k, zero);
    Value indices =
        emitArgSort(b, input, nn::getElementType(op.getInput().getType()),
                    math.select(isLargest, one, zero));
    if (!indices)
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    // The least integer has no absolute value, but is as good as any other.
    Value bounded = math.max(k, math.constant(-INT32_MAX));
    Value count =
        math.min(math.max(bounded, math.sub(zero, bounded)), sizes[1]);
    emitCheck(b, math.compare(arith::CmpIPredicate::ne, k, zero),
              "the k of topk is 0");
    if (op.getMode() == TopKMode::kth_only) {
      Value isGood = math.isLess(zero, count);
      emitCheck(b, isGood, "topk of an empty row");
      return SmallVector<Value>{emitSorted(b, type, input, indices,
                                           emitDynamicSizes(b, type, sizes[0]),
                                           math.sub(count, one))};
    }
    RankedTensorType indexType = getResultType(op.getIndices());
    if (!indexType)
      return failure();
    Value sorted = emitSorted(b, type, input, indices,
                              emitDynamicSizes(b, type, {sizes[0], count}));
    emitDynamicSizes(b, indexType, {sizes[0], count});
    SmallVector<OpFoldResult> offsets(2, b.getIndexAttr(0)),
        strides(2, b.getIndexAttr(1));
    SmallVector<OpFoldResult> extents = {getAsOpFoldResult(sizes[0]),
                                         getAsOpFoldResult(count)};
    Value first =
        tensor::ExtractSliceOp::create(b, indices, offsets, extents, strides);
    return SmallVector<Value>{sorted, emitAsType(b, first, indexType)};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Prefix sums
//===----------------------------------------------------------------------===//

namespace {
class CumSumLowering : public Lowering<CumSumOp> {
public:
  using Lowering::Lowering;
  Values lower(CumSumOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op.getResult());
    Type element = nn::getElementType(op.getInput().getType());
    // A sum of quantized codes would not be the code of a sum.
    bool isNumber = isa<FloatType, ComplexType>(element) ||
                    (isa<IntegerType>(element) && !element.isInteger(1));
    if (!type || !isa<RankedTensorType>(input.getType()) || !isNumber)
      return failure();
    int64_t axis = op.getAxis();
    axis = axis < 0 ? axis + type.getRank() : axis;
    SmallVector<Value> sizes = emitSizes(b, input);
    Value result = emitEmpty(b, type, emitDynamicSizes(b, type, sizes));
    Value zero = math.constant(0), one = math.constant(1);
    Value length = sizes[axis];
    sizes[axis] = one;
    // 16-bit floats are summed in f32.
    bool isNarrow = element.isF16() || element.isBF16();
    Type sumType = isNarrow ? Type(b.getF32Type()) : type.getElementType();
    Value start = emitZero(b, sumType);
    SmallVector<Value> zeros(sizes.size(), zero), ones(sizes.size(), one);
    auto sumRow = [&](OpBuilder &builder, Location loc, ValueRange indices,
                      ValueRange tensors) -> scf::ValueVector {
      auto addOne = [&](OpBuilder &rowBuilder, Location rowLoc, Value step,
                        ValueRange carried) {
        ImplicitLocOpBuilder body(rowLoc, rowBuilder);
        SmallVector<Value> at(indices);
        Value last = arith::SubIOp::create(body, length, one);
        at[axis] =
            op.getReverse() ? arith::SubIOp::create(body, last, step) : step;
        Value value = emitRead(body, input, at);
        if (isNarrow)
          value = emitToF32(body, value, element);
        Value sum = emitAdd(body, carried[1], value);
        Value given = op.getExclusive() ? carried[1] : sum;
        if (isNarrow)
          given = emitFromF32(body, given, element);
        Value written = tensor::InsertOp::create(body, given, carried[0], at);
        scf::YieldOp::create(body, ValueRange{written, sum});
      };
      auto loop = scf::ForOp::create(builder, loc, zero, length, one,
                                     ValueRange{tensors[0], start}, addOne);
      return {loop.getResult(0)};
    };
    return SmallVector<Value>{scf::buildLoopNest(b, b.getLoc(), zeros, sizes,
                                                 ones, ValueRange(result),
                                                 sumRow)
                                  .results.front()};
  }

private:
  static Value emitZero(ImplicitLocOpBuilder &b, Type type) {
    return arith::ConstantOp::materialize(b, b.getZeroAttr(type), type,
                                          b.getLoc());
  }
};
} // namespace

void nn::populateOrderLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ArgExtremumLowering<ArgMaxOp>, ArgExtremumLowering<ArgMinOp>,
               ArgSortLowering, TopKLowering, CumSumLowering>(
      converter, patterns.getContext());
}
