//===- ShapeValues.cpp - Known elements of small integer tensors ----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/ShapeValues.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Ints = SmallVector<int64_t>;

/// Larger tensors are not evaluated.
static constexpr int64_t kMaxElements = 64;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// The type if it is that of a small integer tensor, else null.
static RankedTensorType getSmallIntegerType(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return {};
  auto element = dyn_cast<IntegerType>(ranked.getElementType());
  std::optional<int64_t> count = multiplyDims(ranked.getShape());
  if (!element || element.getWidth() > 32 || !count || *count > kMaxElements)
    return {};
  return ranked;
}

/// What `value` becomes when it is stored as an integer of this type.
static int64_t wrap(int64_t value, IntegerType type) {
  unsigned width = type.getWidth();
  auto bits =
      static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(width);
  bool isSigned = !type.isUnsigned() && !type.isInteger(1);
  return isSigned ? llvm::SignExtend64(bits, width)
                  : static_cast<int64_t>(bits);
}

/// The most that both types say; null if they contradict each other.
static Type meetTypes(Type lhs, Type rhs) {
  Type element = nn::getElementType(lhs);
  Type other = nn::getElementType(rhs);
  if (isUnknown(element))
    element = other;
  else if (element != other && !isUnknown(other))
    return {};
  RankedTensorType left = getRanked(lhs), right = getRanked(rhs);
  if (!left || !right)
    return getTypeLike(left ? lhs : rhs, element);
  if (failed(verifyCompatibleShape(left, right)))
    return {};
  Ints shape(left.getShape());
  for (auto [dim, known] : llvm::zip_equal(shape, right.getShape()))
    if (ShapedType::isDynamic(dim))
      dim = known;
  return RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

/// Row-major strides, 0 for axes of size 1 (so that they broadcast).
static Ints getStrides(ArrayRef<int64_t> shape) {
  Ints strides(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- != 0;) {
    strides[axis] = shape[axis] == 1 ? 0 : stride;
    stride *= shape[axis];
  }
  return strides;
}

/// Calls `visit` with the offset `start + sum(index * strides)` of every index
/// of a small tensor in row-major order.
static void forEachOffset(ArrayRef<int64_t> shape, int64_t start,
                          ArrayRef<int64_t> strides,
                          function_ref<void(int64_t)> visit) {
  int64_t count = ShapedType::getNumElements(shape);
  Ints index(shape.size(), 0);
  int64_t offset = start;
  for (int64_t i = 0; i != count; ++i) {
    visit(offset);
    for (size_t axis = shape.size(); axis-- != 0;) {
      offset += strides[axis];
      if (++index[axis] != shape[axis])
        break;
      offset -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
}

static Ints readStrided(ArrayRef<int64_t> values, ArrayRef<int64_t> shape,
                        int64_t start, ArrayRef<int64_t> strides) {
  Ints result;
  forEachOffset(shape, start, strides,
                [&](int64_t offset) { result.push_back(values[offset]); });
  return result;
}

/// The elements of a tensor of shape `from` broadcast to `to`.
static Ints broadcast(ArrayRef<int64_t> values, ArrayRef<int64_t> from,
                      ArrayRef<int64_t> to) {
  Ints strides(to.size() - from.size(), 0);
  llvm::append_range(strides, getStrides(from));
  return readStrided(values, to, 0, strides);
}

namespace {
/// Evaluates one op whose result is a small integer tensor.
class Evaluator {
public:
  Evaluator(Operation *op, RankedTensorType type, KnownValues values)
      : op(op), type(type), element(cast<IntegerType>(type.getElementType())),
        values(values) {}

  KnownInts run();

private:
  /// The elements of a small integer operand.
  KnownInts get(Value value) {
    if (!getSmallIntegerType(value.getType()))
      return std::nullopt;
    return values(value);
  }
  static ArrayRef<int64_t> shapeOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  }

  KnownInts evaluate(ShapeOfOp shapeOf);
  KnownInts evaluate(SliceOp slice);
  KnownInts evaluate(ConcatOp concat);
  KnownInts evaluate(BroadcastToOp broadcastTo);
  KnownInts evaluate(TransposeOp transpose);
  KnownInts map(Value input, function_ref<int64_t(int64_t)> function);
  KnownInts
  combine(Value lhs, Value rhs,
          function_ref<std::optional<int64_t>(int64_t, int64_t)> function);
  KnownInts reduce(Value input, std::optional<int64_t> axis, int64_t neutral,
                   function_ref<int64_t(int64_t, int64_t)> function);
  KnownInts evaluateBinary();

  Operation *op;
  RankedTensorType type;
  IntegerType element;
  KnownValues values;
};
} // namespace

KnownInts Evaluator::evaluate(ShapeOfOp shapeOf) {
  Ints shape;
  for (Value input : shapeOf.getInputs()) {
    RankedTensorType ranked = getRanked(input.getType());
    if (!ranked || !ranked.hasStaticShape() ||
        failed(broadcastShapes(std::nullopt, shape, ranked.getShape(), shape)))
      return std::nullopt;
  }
  std::optional<int64_t> axis = shapeOf.getAxis();
  if (!axis)
    return shape;
  FailureOr<int64_t> normal = normalizeAxis(std::nullopt, *axis, shape.size());
  if (failed(normal))
    return std::nullopt;
  return Ints{shape[*normal]};
}

KnownInts Evaluator::evaluate(SliceOp slice) {
  KnownInts input = get(slice.getInput());
  if (!input)
    return std::nullopt;
  Ints shape(shapeOf(slice.getInput()));
  Ints strides = getStrides(shape);
  auto items =
      readIndexItems(std::nullopt, IndexSpec::get(slice), shape.size());
  if (failed(items))
    return std::nullopt;
  int64_t start = 0;
  for (const IndexItem &item : *items) {
    int64_t &dim = shape[item.axis], &stride = strides[item.axis];
    FailureOr<AxisSlice> part =
        item.index ? FailureOr<AxisSlice>(AxisSlice{0, 1, 1})
                   : sliceAxis(std::nullopt, dim, item, values);
    if (item.index) {
      FailureOr<int64_t> position =
          selectElement(std::nullopt, dim, item, values);
      if (failed(position))
        return std::nullopt;
      part->start = *position;
    }
    if (failed(part) || ShapedType::isDynamic(part->start) ||
        ShapedType::isDynamic(part->size))
      return std::nullopt;
    dim = part->size;
    start += part->start * stride;
    // A step across one element is never taken, however far it goes.
    stride = dim > 1 ? stride * part->step : 0;
  }
  // Axes that are dropped have one element: the order stays.
  return readStrided(*input, shape, start, strides);
}

KnownInts Evaluator::evaluate(ConcatOp concat) {
  FailureOr<int64_t> axis =
      normalizeAxis(std::nullopt, concat.getAxis(), type.getRank());
  if (failed(axis))
    return std::nullopt;
  SmallVector<Ints> inputs;
  for (Value input : concat.getInputs()) {
    KnownInts known = get(input);
    if (!known)
      return std::nullopt;
    inputs.push_back(std::move(*known));
  }
  // One run of every input per index of the axes before.
  int64_t runs = ShapedType::getNumElements(type.getShape().take_front(*axis));
  Ints result;
  for (int64_t run = 0; run != runs; ++run)
    for (ArrayRef<int64_t> input : inputs) {
      size_t length = input.size() / runs;
      llvm::append_range(result, input.slice(run * length, length));
    }
  return result;
}

KnownInts Evaluator::evaluate(BroadcastToOp broadcastTo) {
  KnownInts input = get(broadcastTo.getInput());
  if (!input)
    return std::nullopt;
  return broadcast(*input, shapeOf(broadcastTo.getInput()), type.getShape());
}

KnownInts Evaluator::evaluate(TransposeOp transpose) {
  KnownInts input = get(transpose.getInput());
  if (!input)
    return std::nullopt;
  Ints inputStrides = getStrides(shapeOf(transpose.getInput())), strides;
  for (int64_t axis : transpose.getPermutation())
    strides.push_back(axis == -1 ? 0 : inputStrides[axis]);
  return readStrided(*input, type.getShape(), 0, strides);
}

KnownInts Evaluator::map(Value input, function_ref<int64_t(int64_t)> function) {
  KnownInts result = get(input);
  if (result)
    for (int64_t &value : *result)
      value = function(value);
  return result;
}

KnownInts Evaluator::combine(
    Value lhs, Value rhs,
    function_ref<std::optional<int64_t>(int64_t, int64_t)> function) {
  KnownInts left = get(lhs), right = get(rhs);
  if (!left || !right)
    return std::nullopt;
  Ints result = broadcast(*left, shapeOf(lhs), type.getShape());
  Ints other = broadcast(*right, shapeOf(rhs), type.getShape());
  for (auto [value, operand] : llvm::zip_equal(result, other)) {
    std::optional<int64_t> combined = function(value, operand);
    if (!combined)
      return std::nullopt;
    value = *combined;
  }
  return result;
}

KnownInts Evaluator::reduce(Value input, std::optional<int64_t> axis,
                            int64_t neutral,
                            function_ref<int64_t(int64_t, int64_t)> function) {
  KnownInts known = get(input);
  if (!known)
    return std::nullopt;
  ArrayRef<int64_t> shape = shapeOf(input);
  // Where the result keeps an axis its stride moves, elsewhere it is 0.
  Ints strides = getStrides(type.getShape());
  if (strides.size() > shape.size())
    return std::nullopt;
  strides.insert(strides.begin(), shape.size() - strides.size(), 0);
  Ints result(type.getNumElements(), neutral);
  size_t next = 0;
  forEachOffset(shape, 0, strides, [&](int64_t offset) {
    result[offset] = wrap(function(result[offset], (*known)[next++]), element);
  });
  return result;
}

KnownInts Evaluator::evaluateBinary() {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  // Operands have at most 32 bits: 64 hold every result.
  using Function = std::optional<int64_t> (*)(int64_t, int64_t);
  using MaybeInt = std::optional<int64_t>;
  auto floorDiv = [](int64_t a, int64_t b) -> MaybeInt {
    if (b == 0)
      return std::nullopt;
    return llvm::divideFloorSigned(a, b);
  };
  auto floorMod = [](int64_t a, int64_t b) -> MaybeInt {
    if (b == 0)
      return std::nullopt;
    return a - llvm::divideFloorSigned(a, b) * b;
  };
  Function function =
      TypeSwitch<Operation *, Function>(op)
          .Case([](AddOp add) -> Function {
            if (add.getActivation() != Activation::none)
              return nullptr;
            return [](int64_t a, int64_t b) -> MaybeInt { return a + b; };
          })
          .Case([](SubOp) -> Function {
            return [](int64_t a, int64_t b) -> MaybeInt { return a - b; };
          })
          .Case([](MulOp) -> Function {
            return [](int64_t a, int64_t b) -> MaybeInt { return a * b; };
          })
          .Case([](MaximumOp) -> Function {
            return
                [](int64_t a, int64_t b) -> MaybeInt { return std::max(a, b); };
          })
          .Case([](MinimumOp) -> Function {
            return
                [](int64_t a, int64_t b) -> MaybeInt { return std::min(a, b); };
          })
          .Case([&](FloorDivOp) -> Function { return floorDiv; })
          .Case([&](ModOp) -> Function { return floorMod; })
          .Default([](Operation *) -> Function { return nullptr; });
  if (!function)
    return std::nullopt;
  return combine(op->getOperand(0), op->getOperand(1), function);
}

KnownInts Evaluator::run() {
  KnownInts result =
      TypeSwitch<Operation *, KnownInts>(op)
          .Case([](ConstantOp constant) {
            return readInts(constant.getValue(), kMaxElements);
          })
          .Case<ShapeOfOp, SliceOp, ConcatOp, BroadcastToOp, TransposeOp>(
              [&](auto shapeOp) { return evaluate(shapeOp); })
          .Case<ReshapeOp, ExpandSqueezeOp>(
              [&](auto view) { return get(view.getInput()); })
          .Case([&](CastOp cast) {
            bool toBool = element.isInteger(1);
            return map(cast.getInput(), [&](int64_t value) {
              return toBool ? value != 0 : value;
            });
          })
          .Case([&](NegOp neg) {
            return map(neg.getInput(), [](int64_t value) { return -value; });
          })
          .Case([&](ReduceProdOp prod) {
            return reduce(prod.getInput(), prod.getAxis(), 1,
                          [](int64_t a, int64_t b) { return a * b; });
          })
          .Case([&](ReduceSumOp sum) {
            return reduce(sum.getInput(), sum.getAxis(), 0,
                          [](int64_t a, int64_t b) { return a + b; });
          })
          .Default([&](Operation *) { return evaluateBinary(); });
  if (!result)
    return std::nullopt;
  // Types may promise more than the op does; do not record nonsense.
  if (static_cast<int64_t>(result->size()) != type.getNumElements())
    return std::nullopt;
  for (int64_t &value : *result)
    value = wrap(value, element);
  return result;
}

//===----------------------------------------------------------------------===//
// ShapeValues
//===----------------------------------------------------------------------===//

/// Narrows the results of a value-shaped op to what `values` tells.
static LogicalResult narrowResults(ValueShapedOpInterface op,
                                   KnownValues values) {
  SmallVector<Type> inferred;
  if (failed(op.inferTypesWithValues(values, inferred)))
    return failure();
  if (inferred.size() != op->getNumResults())
    return op->emitOpError("has ")
           << op->getNumResults() << " results, its operands imply "
           << inferred.size();
  for (auto [result, type] : llvm::zip_equal(op->getResults(), inferred)) {
    Type narrowed = meetTypes(result.getType(), type);
    if (!narrowed)
      return op->emitOpError("has a result of type ")
             << result.getType() << ", its operands imply " << type;
    result.setType(narrowed);
  }
  return success();
}

LogicalResult ShapeValues::visit(Operation *op) {
  auto values = [this](Value value) { return lookup(value); };
  if (auto shaped = dyn_cast<ValueShapedOpInterface>(op))
    if (failed(narrowResults(shaped, values)))
      return failure();
  if (op->getNumResults() != 1)
    return success();
  RankedTensorType type = getSmallIntegerType(op->getResult(0).getType());
  if (!type)
    return success();
  if (KnownInts result = Evaluator(op, type, values).run())
    known[op->getResult(0)] = std::move(*result);
  return success();
}

void ShapeValues::forget(Operation *op) {
  for (Value result : op->getResults())
    known.erase(result);
}

KnownInts ShapeValues::lookup(Value value) const {
  auto it = known.find(value);
  if (it == known.end())
    return getConstantInts(value);
  return it->second;
}
