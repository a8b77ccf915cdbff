//===- SequenceToLinalg.cpp - Shapes and sequences as data ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

/// The first element of a tensor, which has one, and its check.
static Value emitReadScalar(ImplicitLocOpBuilder &b, Value tensor) {
  IndexMath math(b);
  SmallVector<Value> at;
  for (Value size : emitSizes(b, tensor)) {
    Value isOne = math.isEqual(size, math.constant(1));
    if (!matchPattern(isOne, m_One()))
      emitCheck(b, isOne, "an operand has not one element");
    at.push_back(math.constant(0));
  }
  return emitRead(b, tensor, at);
}

namespace {
class ShapeOfLowering : public Lowering<ShapeOfOp> {
public:
  using Lowering::Lowering;
  Values lower(ShapeOfOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    Value one = math.constant(1);
    size_t rank = 0;
    for (Value input : adaptor.getInputs()) {
      auto type = dyn_cast<RankedTensorType>(input.getType());
      if (!type)
        return failure();
      rank = std::max(rank, size_t(type.getRank()));
    }
    SmallVector<Value> shape(rank, one);
    for (Value input : adaptor.getInputs()) {
      SmallVector<Value> sizes = emitSizes(b, input);
      for (auto [all, own] : llvm::zip_equal(
               MutableArrayRef<Value>(shape).take_back(sizes.size()), sizes)) {
        Value isOne = math.isEqual(all, one);
        Value isGood = math.isOr(math.isOr(isOne, math.isEqual(own, one)),
                                 math.isEqual(all, own));
        if (!matchPattern(isGood, m_One()))
          emitCheck(b, isGood, "the shapes do not broadcast together");
        all = math.select(isOne, own, all);
      }
    }
    if (std::optional<int64_t> axis = op.getAxis())
      shape = {shape[*axis < 0 ? *axis + int64_t(rank) : *axis]};
    SmallVector<Value> elements;
    for (Value size : shape)
      elements.push_back(
          b.createOrFold<arith::IndexCastOp>(b.getI32Type(), size));
    RankedTensorType type = getResultType(op);
    if (!type)
      return failure();
    Value result = tensor::FromElementsOp::create(
        b, RankedTensorType::get({int64_t(shape.size())}, b.getI32Type()),
        elements);
    return SmallVector<Value>{emitAsType(b, result, type)};
  }
};

class LinspaceLowering : public Lowering<LinspaceOp> {
public:
  using Lowering::Lowering;
  Values lower(LinspaceOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    RankedTensorType type = getResultType(op);
    if (!type || !isa<RankedTensorType>(adaptor.getStart().getType()) ||
        !isa<RankedTensorType>(adaptor.getStop().getType()))
      return failure();
    Value num = emitReadInteger(b, op.getNum(), adaptor.getNum());
    if (!num)
      return failure();
    Value one = math.constant(1);
    emitCheckSizes(b, num);
    emitCheck(b, math.isAtLeast(num, one), "linspace needs one element");
    auto readNumber = [&](Value original, Value lowered) {
      return emitToF32(b, emitReadScalar(b, lowered),
                       nn::getElementType(original.getType()));
    };
    Value start = readNumber(op.getStart(), adaptor.getStart());
    Value stop = readNumber(op.getStop(), adaptor.getStop());
    Value parts = op.getEndpoint() ? math.max(math.sub(num, one), one) : num;
    Value step =
        arith::DivFOp::create(b, emitSub(b, stop, start), emitNumber(b, parts));
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          return emitAdd(inner, start,
                         emitMul(inner, emitNumber(inner, indices[0]), step));
        },
        emitDynamicSizes(b, type, num))};
  }

private:
  static Value emitNumber(ImplicitLocOpBuilder &b, Value index) {
    Value whole = arith::IndexCastOp::create(b, b.getI64Type(), index);
    return arith::SIToFPOp::create(b, b.getF32Type(), whole);
  }
};

class EyeLowering : public Lowering<EyeOp> {
public:
  using Lowering::Lowering;
  Values lower(EyeOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    IndexMath math(b);
    RankedTensorType type = getResultType(op);
    Value shape = adaptor.getShape();
    auto shapeType = dyn_cast<RankedTensorType>(shape.getType());
    if (!type || isa<ComplexType>(type.getElementType()) || !shapeType)
      return failure();
    Value first = emitReadInteger(b, op.getShape(), shape, 0);
    Value second = first;
    if (shapeType.getRank() == 1 && shapeType.isDynamicDim(0)) {
      // One value is that of both dims.
      Value last = math.sub(emitDim(b, shape, 0), math.constant(1));
      second = emitToIndex(b, emitRead(b, shape, last),
                           nn::getElementType(op.getShape().getType()));
    } else if (shapeType.getNumElements() == 2) {
      second = emitReadInteger(b, op.getShape(), shape, 1);
    }
    if (!first || !second)
      return failure();
    Value sizes[] = {first, second};
    emitCheckSizes(b, sizes);
    Value diagonal = math.constant(op.getDiagonal());
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          Value column = IndexMath(inner).add(indices[0], diagonal);
          return Value(arith::SelectOp::create(
              inner, IndexMath(inner).isEqual(column, indices[1]),
              emitConstant(inner, type.getElementType(), 1),
              emitConstant(inner, type.getElementType(), 0)));
        },
        emitDynamicSizes(b, type, sizes))};
  }
};
} // namespace

void nn::populateSequenceLowerings(TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<ShapeOfLowering, LinspaceLowering, EyeLowering>(
      converter, patterns.getContext());
}
