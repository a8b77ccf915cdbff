//===- CompactionToLinalg.cpp - Results as long as the data say -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;

/// Whether the element at `indices` is taken (i1).
using TakeTest =
    llvm::function_ref<Value(ImplicitLocOpBuilder &b, ValueRange indices)>;

/// Puts what belongs to the element at `indices`, the `next` one that is taken,
/// into the result tensors and returns these.
using TakeBody = llvm::function_ref<SmallVector<Value>(
    ImplicitLocOpBuilder &b, ValueRange indices, Value next,
    ValueRange results)>;

/// Runs `body` for all indices below `sizes`, in row-major order.
static SmallVector<Value>
emitLoops(ImplicitLocOpBuilder &b, ValueRange sizes, ValueRange starts,
          function_ref<scf::ValueVector(ImplicitLocOpBuilder &,
                                        ValueRange indices, ValueRange carried)>
              body) {
  SmallVector<Value> zeros(sizes.size(), emitConstantIndex(b, 0));
  SmallVector<Value> ones(sizes.size(), emitConstantIndex(b, 1));
  scf::LoopNest nest =
      scf::buildLoopNest(b, b.getLoc(), zeros, sizes, ones, starts,
                         [&](OpBuilder &builder, Location loc,
                             ValueRange indices, ValueRange carried) {
                           ImplicitLocOpBuilder inner(loc, builder);
                           return body(inner, indices, carried);
                         });
  return llvm::to_vector(nest.results);
}

/// The number of elements that are taken.
static Value emitCount(ImplicitLocOpBuilder &b, ValueRange sizes,
                       TakeTest test) {
  return emitLoops(b, sizes, emitConstantIndex(b, 0),
                   [&](ImplicitLocOpBuilder &inner, ValueRange indices,
                       ValueRange carried) -> scf::ValueVector {
                     Value isTaken = test(inner, indices);
                     Value one = arith::IndexCastUIOp::create(
                         inner, inner.getIndexType(), isTaken);
                     return {emitAdd(inner, carried[0], one)};
                   })
      .front();
}

/// Fills `results` with the elements that are taken.
static SmallVector<Value> emitTake(ImplicitLocOpBuilder &b, ValueRange sizes,
                                   TakeTest test, ValueRange results,
                                   TakeBody body) {
  SmallVector<Value> starts(results);
  starts.push_back(emitConstantIndex(b, 0));
  SmallVector<Value> filled =
      emitLoops(b, sizes, starts,
                [&](ImplicitLocOpBuilder &inner, ValueRange indices,
                    ValueRange carried) -> scf::ValueVector {
                  Value next = carried.back();
                  auto branch = scf::IfOp::create(
                      inner, test(inner, indices),
                      [&](OpBuilder &builder, Location loc) {
                        ImplicitLocOpBuilder taken(loc, builder);
                        SmallVector<Value> values =
                            body(taken, indices, next, carried.drop_back());
                        values.push_back(
                            emitAdd(taken, next, emitConstantIndex(taken, 1)));
                        scf::YieldOp::create(taken, values);
                      },
                      [&](OpBuilder &builder, Location loc) {
                        scf::YieldOp::create(builder, loc, carried);
                      });
                  return SmallVector<Value>(branch.getResults());
                });
  filled.pop_back();
  return filled;
}

/// An index as an i32 element.
static Value emitIndexElement(ImplicitLocOpBuilder &b, Value index) {
  return arith::IndexCastOp::create(b, b.getI32Type(), index);
}

namespace {
class CondTakeLowering : public Lowering<CondTakeOp> {
public:
  using Lowering::Lowering;
  Values lower(CondTakeOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput(), mask = adaptor.getMask();
    RankedTensorType valueType = getResultType(op.getValues());
    RankedTensorType indexType = getResultType(op.getIndices());
    Type maskElement = nn::getElementType(op.getMask().getType());
    if (!valueType || !indexType || !isa<RankedTensorType>(input.getType()) ||
        !isa<RankedTensorType>(mask.getType()) ||
        !isa<FloatType, IntegerType>(maskElement))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, mask),
                       inputSizes = emitSizes(b, input);
    for (auto [own, size] : llvm::zip_equal(inputSizes, sizes)) {
      Value isGood = IndexMath(b).isEqual(own, size);
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood, "the mask has not the shape of the input");
    }
    auto test = [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
      return emitTest(inner, op, emitRead(inner, mask, indices), maskElement);
    };
    Value count = emitCount(b, sizes, test);
    Value values =
        emitEmpty(b, valueType, emitDynamicSizes(b, valueType, count));
    Value places =
        emitEmpty(b, indexType, emitDynamicSizes(b, indexType, count));
    return emitTake(
        b, sizes, test, {values, places},
        [&](ImplicitLocOpBuilder &inner, ValueRange indices, Value next,
            ValueRange results) -> SmallVector<Value> {
          IndexMath math(inner);
          Value flat = math.constant(0);
          for (auto [index, size] : llvm::zip_equal(indices, sizes))
            flat = math.add(math.mul(flat, size), index);
          Value value = emitRead(inner, input, indices);
          return {tensor::InsertOp::create(inner, value, results[0], next),
                  tensor::InsertOp::create(inner, emitIndexElement(inner, flat),
                                           results[1], next)};
        });
  }

private:
  /// Whether an element of the mask compares true. Floats are compared in f32,
  /// and equal if they are near; integers exactly.
  static Value emitTest(ImplicitLocOpBuilder &b, CondTakeOp op, Value mask,
                        Type element) {
    bool isFloat = isa<FloatType>(element);
    Type type = isFloat ? b.getF32Type() : b.getF64Type();
    double number = op.getValue().convertToDouble();
    Value value = emitConstant(b, type, number);
    if (isFloat)
      mask = emitToF32(b, mask, element);
    else if (isUnsignedElement(element))
      mask = arith::UIToFPOp::create(b, type, mask);
    else
      mask = arith::SIToFPOp::create(b, type, mask);
    auto compare = [&](Predicate predicate) {
      return emitCompare(b, predicate, mask, value, type);
    };
    if (!isFloat)
      return compare(op.getPredicate());
    Value distance = math::AbsFOp::create(b, emitSub(b, mask, value));
    Value isEqual = emitCompare(
        b, Predicate::lt, distance,
        emitConstant(b, type, op.getEpsilon().convertToDouble()), type);
    switch (op.getPredicate()) {
    case Predicate::eq:
      return isEqual;
    case Predicate::ne:
      return arith::XOrIOp::create(b, isEqual,
                                   emitConstant(b, b.getI1Type(), 1));
    case Predicate::lt:
    case Predicate::gt:
      return compare(op.getPredicate());
    case Predicate::le:
      return arith::OrIOp::create(b, compare(Predicate::lt), isEqual);
    case Predicate::ge:
      return arith::OrIOp::create(b, compare(Predicate::gt), isEqual);
    }
    llvm_unreachable("a predicate of no kind");
  }
};

class NonZeroLowering : public Lowering<NonZeroOp> {
public:
  using Lowering::Lowering;
  Values lower(NonZeroOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    Value input = adaptor.getInput();
    RankedTensorType type = getResultType(op);
    Type element = nn::getElementType(op.getInput().getType());
    if (!type || !isa<RankedTensorType>(input.getType()) ||
        isa<ComplexType>(element))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    auto test = [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
      // The code of zero.
      double zero = 0;
      if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
        zero = double(quantized.getZeroPoint());
      Value value = emitRead(inner, input, indices);
      return emitCompare(inner, Predicate::ne, value,
                         emitConstant(inner, value.getType(), zero), element);
    };
    Value count = emitCount(b, sizes, test);
    Value rank = emitConstantIndex(b, int64_t(sizes.size()));
    Value places = emitEmpty(b, type, emitDynamicSizes(b, type, {rank, count}));
    return emitTake(
        b, sizes, test, places,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices, Value next,
            ValueRange results) -> SmallVector<Value> {
          Value result = results.front();
          for (auto [row, index] : llvm::enumerate(indices))
            result = tensor::InsertOp::create(
                inner, emitIndexElement(inner, index), result,
                ValueRange{emitConstantIndex(inner, int64_t(row)), next});
          return {result};
        });
  }
};
} // namespace

void nn::populateCompactionLowerings(TypeConverter &converter,
                                     RewritePatternSet &patterns) {
  patterns.add<CondTakeLowering, NonZeroLowering>(converter,
                                                  patterns.getContext());
}
