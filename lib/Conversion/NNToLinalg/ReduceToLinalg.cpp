//===- ReduceToLinalg.cpp - Reductions ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

namespace {
enum class Kind { Sum, SumSqr, Prod, Min, Max, Mean };

/// One reduction, whatever its op.
class Reduction {
public:
  Reduction(ImplicitLocOpBuilder &b, Kind kind, Value input, Type element,
            Type result, bool isWide)
      : b(b), kind(kind), input(input), element(element), result(result),
        isWide(isWide) {}

  /// Which dims of the input are reduced. An axis is normalized.
  LogicalResult setAxis(int64_t axis, RankedTensorType resultType);
  LogicalResult setTarget(Value target, RankedTensorType resultType);

  Value emit(RankedTensorType resultType);

private:
  bool isExtremum() const { return kind == Kind::Min || kind == Kind::Max; }
  RankedTensorType getInputType() const {
    return cast<RankedTensorType>(input.getType());
  }
  Type getAccumulatorElement() const;
  Value emitInit(Type lowered) const;
  Value emitNumber(ImplicitLocOpBuilder &inner, Value value) const;
  Value emitStep(ImplicitLocOpBuilder &inner, Value value,
                 Value accumulator) const;
  Value emitCount() const;
  Value emitMean(ImplicitLocOpBuilder &inner, Value sum, Value count) const;
  Value emitResult(ImplicitLocOpBuilder &inner, Value value) const;

  ImplicitLocOpBuilder &b;
  Kind kind;
  Value input;
  Type element, result;
  /// Codes of a quantized type are reduced without the zero point.
  bool isWide;
  SmallVector<bool> isReduced;
  /// Leading dims of the input that the result lacks.
  int64_t numLeading = 0;
  /// As a type of the dialect: it says the signedness.
  Type accumulator;
};
} // namespace

LogicalResult Reduction::setAxis(int64_t axis, RankedTensorType resultType) {
  int64_t rank = getInputType().getRank();
  isReduced.assign(rank, false);
  isReduced[axis < 0 ? axis + rank : axis] = true;
  return success();
}

LogicalResult Reduction::setTarget(Value target, RankedTensorType resultType) {
  RankedTensorType type = getInputType();
  SmallVector<int64_t> dims(resultType.getShape());
  if (KnownInts known = getConstantInts(target))
    dims = std::move(*known);
  // A dim that is known at run time only may be reduced or not.
  if (ShapedType::isDynamicShape(dims))
    return failure();
  numLeading = type.getRank() - int64_t(dims.size());
  isReduced.assign(numLeading, true);
  SmallVector<int64_t> shape(type.getShape());
  for (auto [index, dim] : llvm::enumerate(dims)) {
    int64_t own = numLeading + int64_t(index);
    isReduced.push_back(dim == 1 && shape[own] != 1);
    if (!isReduced.back())
      shape[own] = dim;
  }
  input = emitRefine(b, input, shape);
  return success();
}

/// Sums are accumulated wider than any element: the result is then that of
/// exact arithmetic, whatever the order and the number of the terms.
Type Reduction::getAccumulatorElement() const {
  if (isFloat(result)) {
    bool isNarrow = isExtremum() && !element.isF64();
    return isNarrow ? b.getF32Type() : b.getF64Type();
  }
  if (isExtremum() && !isWide)
    return element;
  return b.getI64Type();
}

Value Reduction::emitInit(Type lowered) const {
  bool isMax = kind == Kind::Max;
  if (!isExtremum())
    return emitConstant(b, lowered, kind == Kind::Prod ? 1 : 0);
  if (isa<FloatType>(lowered)) {
    double infinity = std::numeric_limits<double>::infinity();
    return emitConstant(b, lowered, isMax ? -infinity : infinity);
  }
  unsigned bits = lowered.getIntOrFloatBitWidth();
  APInt worst =
      isUnsignedElement(accumulator)
          ? (isMax ? APInt::getMinValue(bits) : APInt::getMaxValue(bits))
          : (isMax ? APInt::getSignedMinValue(bits)
                   : APInt::getSignedMaxValue(bits));
  return arith::ConstantOp::create(b, b.getIntegerAttr(lowered, worst));
}

/// An element of the input as an accumulator's.
Value Reduction::emitNumber(ImplicitLocOpBuilder &inner, Value value) const {
  if (accumulator == element)
    return value;
  auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
  if (!quantized)
    return emitCast(inner, value, element, accumulator);
  Type lowered = getLoweredElementType(accumulator);
  Value code = emitResizeInt(inner, value, element, lowered);
  if (!isWide || quantized.getZeroPoint() == 0)
    return code;
  return emitSub(
      inner, code,
      emitConstant(inner, lowered, double(quantized.getZeroPoint())));
}

Value Reduction::emitStep(ImplicitLocOpBuilder &inner, Value value,
                          Value total) const {
  Value number = emitNumber(inner, value);
  switch (kind) {
  case Kind::Sum:
  case Kind::Mean:
    return emitAdd(inner, total, number);
  case Kind::SumSqr:
    return emitAdd(inner, total, emitMul(inner, number, number));
  case Kind::Prod:
    return emitMul(inner, total, number);
  case Kind::Min:
    return emitMin(inner, total, number, accumulator);
  case Kind::Max:
    return emitMax(inner, total, number, accumulator);
  }
  llvm_unreachable("a reduction of no kind");
}

/// The number of elements behind one of the result, an i64.
Value Reduction::emitCount() const {
  Value count = emitConstantIndex(b, 1);
  for (auto [dim, isOne] : llvm::enumerate(isReduced))
    if (isOne)
      count = emitMul(b, count, emitDim(b, input, int64_t(dim)));
  return arith::IndexCastOp::create(b, b.getI64Type(), count);
}

Value Reduction::emitMean(ImplicitLocOpBuilder &inner, Value sum,
                          Value count) const {
  Type type = sum.getType();
  if (isa<FloatType>(type))
    return arith::DivFOp::create(inner, sum,
                                 arith::SIToFPOp::create(inner, type, count));
  // No element has no mean, but must not trap.
  Value one = emitConstant(inner, type, 1);
  count = arith::MaxSIOp::create(inner, count, one);
  if (!isQuantized(element))
    return arith::DivSIOp::create(inner, sum, count);
  // Half of the count more, in the direction of the sum, rounds halves away
  // from zero.
  Value zero = emitConstant(inner, type, 0);
  Value isNegative =
      arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, sum, zero);
  Value half = arith::ShRSIOp::create(inner, count, one);
  half = arith::SelectOp::create(inner, isNegative, emitSub(inner, zero, half),
                                 half);
  return arith::DivSIOp::create(inner, emitAdd(inner, sum, half), count);
}

/// What was accumulated as an element of the result; integers wrap.
Value Reduction::emitResult(ImplicitLocOpBuilder &inner, Value value) const {
  if (!isQuantized(result))
    return emitCast(inner, value, accumulator, result);
  Value code =
      emitResizeInt(inner, value, accumulator, getLoweredElementType(result));
  auto codes = cast<quant::UniformQuantizedType>(result);
  return emitWrap(inner, code,
                  IntegerType::get(inner.getContext(),
                                   codes.getStorageTypeIntegralWidth(),
                                   codes.isSigned() ? IntegerType::Signed
                                                    : IntegerType::Unsigned));
}

Value Reduction::emit(RankedTensorType resultType) {
  accumulator = getAccumulatorElement();
  Type lowered = getLoweredElementType(accumulator);
  RankedTensorType type = getInputType();
  int64_t rank = type.getRank();
  SmallVector<int64_t> keptShape;
  SmallVector<Value> keptSizes, sizes;
  SmallVector<AffineExpr> kept, read;
  SmallVector<utils::IteratorType> iterators;
  for (int64_t dim = 0; dim < rank; ++dim) {
    iterators.push_back(isReduced[dim] ? utils::IteratorType::reduction
                                       : utils::IteratorType::parallel);
    if (isReduced[dim])
      continue;
    keptShape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      keptSizes.push_back(emitDim(b, input, dim));
    kept.push_back(b.getAffineDimExpr(dim));
    read.push_back(b.getAffineDimExpr(dim - numLeading));
  }
  Value total = emitReduction(
      b, RankedTensorType::get(keptShape, lowered), input,
      {b.getMultiDimIdentityMap(rank),
       AffineMap::get(rank, 0, kept, b.getContext())},
      iterators, emitInit(lowered),
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        return emitStep(inner, elements[0], elements[1]);
      },
      keptSizes);
  for (int64_t dim = 0; dim < resultType.getRank(); ++dim)
    if (resultType.isDynamicDim(dim))
      sizes.push_back(emitDim(b, input, dim + numLeading));
  Value count = kind == Kind::Mean ? emitCount() : Value();
  return emitMap(
      b, resultType, total,
      AffineMap::get(resultType.getRank(), 0, read, b.getContext()),
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        Value value = elements[0];
        if (count)
          value = emitMean(inner, value, count);
        return emitResult(inner, value);
      },
      sizes);
}

namespace {
template <typename OpT, Kind kind> class ReduceLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  FailureOr<SmallVector<Value>> lower(OpT op, OpT::Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = this->getResultType(op.getResult());
    if (!type || !isa_and_nonnull<RankedTensorType>(
                     getLoweredType(op.getInput().getType())))
      return failure();
    bool isWide = op.getDataType() == ReduceType::quint8_o32 ||
                  op.getDataType() == ReduceType::qint8_o32;
    Reduction reduction(b, kind, adaptor.getInput(),
                        nn::getElementType(op.getInput().getType()),
                        nn::getElementType(op.getType()), isWide);
    std::optional<uint64_t> axis = op.getAxis();
    LogicalResult isKnown =
        axis ? reduction.setAxis(int64_t(*axis), type)
             : reduction.setTarget(op.getTargetShape(), type);
    if (failed(isKnown))
      return failure();
    return SmallVector<Value>{reduction.emit(type)};
  }
};
} // namespace

void nn::populateReduceLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ReduceLowering<ReduceSumOp, Kind::Sum>,
               ReduceLowering<ReduceSumSqrOp, Kind::SumSqr>,
               ReduceLowering<ReduceProdOp, Kind::Prod>,
               ReduceLowering<ReduceMinOp, Kind::Min>,
               ReduceLowering<ReduceMaxOp, Kind::Max>,
               ReduceLowering<ReduceMeanOp, Kind::Mean>>(converter,
                                                         patterns.getContext());
}
