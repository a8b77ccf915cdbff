//===- ConstantEval.cpp - Evaluate ops on constants -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantEval.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;

//===----------------------------------------------------------------------===//
// EvalTensor
//===----------------------------------------------------------------------===//

/// Bytes of an element; 0 for those narrower than a byte or without storage.
static unsigned getSize(Type element) {
  unsigned bits = nn::getStorageBits(element);
  return bits % 8 ? 0 : bits / 8;
}

EvalTensor::EvalTensor(RankedTensorType type, std::vector<char> data,
                       bool isSplat)
    : type(type), isSplat(isSplat), storage(std::move(data)) {
  bytes = storage;
}

unsigned EvalTensor::getElementSize() const {
  return getSize(type.getElementType());
}

uint64_t EvalTensor::getByteSize() const { return *nn::getByteSize(type); }

std::optional<EvalTensor> EvalTensor::get(nn::ConstantOp constant) {
  EvalTensor tensor(cast<RankedTensorType>(constant.getType()));
  if (tensor.getElementSize() == 0)
    return std::nullopt;
  ElementsAttr value = constant.getValue();
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (dense && dense.isSplat() && !dense.getElementType().isInteger(1)) {
    tensor.isSplat = true;
    tensor.bytes = dense.getRawData();
    return tensor;
  }
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> raw = nn::getRawBytes(value, storage);
  if (!raw)
    return std::nullopt;
  tensor.bytes = *raw;
  if (!storage.empty()) {
    tensor.storage.assign(raw->begin(), raw->end());
    tensor.bytes = tensor.storage;
  }
  return tensor;
}

ElementsAttr EvalTensor::getAttr(StringRef name) const {
  auto valueType = RankedTensorType::get(
      type.getShape(), nn::getStorageElementType(type.getElementType()));
  if (isSplat)
    return DenseElementsAttr::getFromRawBuffer(valueType, bytes);
  return nn::makeOwnedElements(type, name, bytes);
}

//===----------------------------------------------------------------------===//
// Walks over elements
//===----------------------------------------------------------------------===//

/// Row-major strides in elements.
static SmallVector<int64_t> getStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = strides[i] * shape[i];
  return strides;
}

/// Strides with which a tensor of `shape` is read to fill `target`.
static SmallVector<int64_t> getBroadcastStrides(const EvalTensor &tensor,
                                                ArrayRef<int64_t> target) {
  SmallVector<int64_t> result(target.size(), 0);
  if (tensor.isSplat)
    return result;
  ArrayRef<int64_t> shape = tensor.type.getShape();
  SmallVector<int64_t> strides = getStrides(shape);
  size_t lead = target.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1)
      result[lead + i] = strides[i];
  return result;
}

/// Offsets of up to two operands while the elements of a result go by.
namespace {
class Cursor {
public:
  Cursor(ArrayRef<int64_t> shape, ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs)
      : shape(shape), strides{lhs, rhs}, index(shape.size(), 0) {}

  int64_t offset[2] = {0, 0};

  void advance() {
    for (size_t dim = shape.size(); dim-- > 0;) {
      for (int i : {0, 1})
        if (!strides[i].empty())
          offset[i] += strides[i][dim];
      if (++index[dim] < shape[dim])
        return;
      index[dim] = 0;
      for (int i : {0, 1})
        if (!strides[i].empty())
          offset[i] -= strides[i][dim] * shape[dim];
    }
  }

private:
  ArrayRef<int64_t> shape;
  std::array<ArrayRef<int64_t>, 2> strides;
  SmallVector<int64_t> index;
};
} // namespace

/// The result's elements, read from `input` with `strides`.
static EvalTensor gather(const EvalTensor &input, RankedTensorType type,
                         ArrayRef<int64_t> strides) {
  if (input.isSplat)
    return EvalTensor(type, input.bytes.vec(), /*isSplat=*/true);
  size_t size = input.getElementSize();
  std::vector<char> bytes(*nn::getByteSize(type));
  Cursor cursor(type.getShape(), strides, {});
  for (size_t at = 0; at < bytes.size(); at += size, cursor.advance())
    std::memcpy(&bytes[at], &input.bytes[cursor.offset[0] * size], size);
  return EvalTensor(type, std::move(bytes), /*isSplat=*/false);
}

template <typename T> static T load(const EvalTensor &tensor, int64_t index) {
  T value;
  std::memcpy(&value, &tensor.bytes[index * sizeof(T)], sizeof(T));
  return value;
}

/// Applies `function` to pairs of elements.
template <typename T, typename Function>
static EvalTensor mapBinary(const EvalTensor &lhs, const EvalTensor &rhs,
                            RankedTensorType type, Function function) {
  bool isSplat = lhs.isSplat && rhs.isSplat;
  int64_t count = isSplat ? 1 : type.getNumElements();
  std::vector<char> bytes(count * sizeof(T));
  auto lhsStrides = getBroadcastStrides(lhs, type.getShape());
  auto rhsStrides = getBroadcastStrides(rhs, type.getShape());
  Cursor cursor(type.getShape(), lhsStrides, rhsStrides);
  for (int64_t i = 0; i < count; ++i, cursor.advance()) {
    T value = function(load<T>(lhs, cursor.offset[0]),
                       load<T>(rhs, cursor.offset[1]));
    std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
  }
  return EvalTensor(type, std::move(bytes), isSplat);
}

/// Applies `function`, which may give up (nullopt), to all elements.
template <typename From, typename To, typename Function>
static std::optional<EvalTensor>
mapUnary(const EvalTensor &input, RankedTensorType type, Function function) {
  int64_t count = input.isSplat ? 1 : type.getNumElements();
  std::vector<char> bytes(count * sizeof(To));
  for (int64_t i = 0; i < count; ++i) {
    std::optional<To> value = function(load<From>(input, i));
    if (!value)
      return std::nullopt;
    std::memcpy(&bytes[i * sizeof(To)], &*value, sizeof(To));
  }
  return EvalTensor(type, std::move(bytes), input.isSplat);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Whether `op` only moves elements (or tells their number).
static bool isMovement(Operation *op) {
  return isa<nn::ReshapeOp, nn::ExpandSqueezeOp, nn::TransposeOp,
             nn::BroadcastToOp, nn::ConcatOp, nn::ShapeOfOp>(op);
}

/// Strides with which nn.transpose reads its input.
static SmallVector<int64_t> getTransposedStrides(nn::TransposeOp op,
                                                 const EvalTensor &input) {
  SmallVector<int64_t> strides = getStrides(input.type.getShape());
  SmallVector<int64_t> result;
  for (int64_t axis : op.getPermutation())
    result.push_back(axis < 0 ? 0 : strides[axis]);
  return result;
}

static EvalTensor concat(RankedTensorType type, int64_t axis,
                         ArrayRef<const EvalTensor *> operands) {
  const EvalTensor &first = *operands.front();
  if (llvm::all_of(operands, [&](const EvalTensor *operand) {
        return operand->isSplat && operand->bytes == first.bytes;
      }))
    return EvalTensor(type, first.bytes.vec(), /*isSplat=*/true);
  ArrayRef<int64_t> shape = type.getShape();
  if (axis < 0)
    axis += shape.size();
  size_t size = first.getElementSize();
  int64_t outer = ShapedType::getNumElements(shape.take_front(axis));
  int64_t inner = ShapedType::getNumElements(shape.drop_front(axis + 1));
  std::vector<char> bytes;
  bytes.reserve(*nn::getByteSize(type));
  for (int64_t i = 0; i < outer; ++i)
    for (const EvalTensor *operand : operands) {
      int64_t count = operand->type.getDimSize(axis) * inner;
      if (operand->isSplat) {
        for (int64_t k = 0; k < count; ++k)
          bytes.insert(bytes.end(), operand->bytes.begin(),
                       operand->bytes.end());
        continue;
      }
      const char *row = operand->bytes.data() + i * count * size;
      bytes.insert(bytes.end(), row, row + count * size);
    }
  return EvalTensor(type, std::move(bytes), /*isSplat=*/false);
}

static std::optional<EvalTensor>
shapeOf(nn::ShapeOfOp op, RankedTensorType type,
        ArrayRef<const EvalTensor *> operands) {
  SmallVector<int64_t> shape;
  for (const EvalTensor *operand : operands)
    if (failed(nn::broadcastShapes(std::nullopt, shape,
                                   operand->type.getShape(), shape)))
      return std::nullopt;
  if (std::optional<int64_t> axis = op.getAxis()) {
    FailureOr<int64_t> dim =
        nn::normalizeAxis(std::nullopt, *axis, shape.size());
    if (failed(dim))
      return std::nullopt;
    shape = {shape[*dim]};
  } else if (shape.empty()) {
    shape = {1};
  }
  SmallVector<int32_t> dims(shape.begin(), shape.end());
  if (type.getNumElements() != static_cast<int64_t>(dims.size()))
    return std::nullopt;
  const char *data = reinterpret_cast<const char *>(dims.data());
  return EvalTensor(type, {data, data + dims.size() * sizeof(int32_t)},
                    /*isSplat=*/false);
}

static std::optional<EvalTensor> move(Operation *op, RankedTensorType type,
                                      ArrayRef<const EvalTensor *> operands) {
  const EvalTensor &input = *operands[0];
  if (isa<nn::ReshapeOp, nn::ExpandSqueezeOp>(op)) {
    if (input.type.getNumElements() != type.getNumElements())
      return std::nullopt;
    return EvalTensor(type, input.bytes.vec(), input.isSplat);
  }
  if (auto transpose = dyn_cast<nn::TransposeOp>(op))
    return gather(input, type, getTransposedStrides(transpose, input));
  if (isa<nn::BroadcastToOp>(op))
    return gather(input, type, getBroadcastStrides(input, type.getShape()));
  if (auto shape = dyn_cast<nn::ShapeOfOp>(op))
    return shapeOf(shape, type, operands);
  return concat(type, cast<nn::ConcatOp>(op).getAxis(), operands);
}

/// How elements of type `T` enter and leave: an op in its own type.
template <typename T>
static std::optional<EvalTensor>
evaluateBinary(Operation *op, RankedTensorType type, const EvalTensor &lhs,
               const EvalTensor &rhs) {
  // Integers wrap.
  using Wide = std::conditional_t<std::is_integral_v<T>, uint32_t, T>;
  auto map = [&](auto function) {
    return mapBinary<T>(lhs, rhs, type, function);
  };
  if (isa<nn::AddOp>(op))
    return map([](T x, T y) { return T(Wide(x) + Wide(y)); });
  if (isa<nn::SubOp>(op))
    return map([](T x, T y) { return T(Wide(x) - Wide(y)); });
  if (isa<nn::MulOp>(op))
    return map([](T x, T y) { return T(Wide(x) * Wide(y)); });
  if (isa<nn::MaximumOp>(op))
    return map([](T x, T y) { return x > y ? x : y; });
  if (isa<nn::MinimumOp>(op))
    return map([](T x, T y) { return x < y ? x : y; });
  if constexpr (std::is_floating_point_v<T>)
    if (isa<nn::DivOp>(op))
      return map([](T x, T y) { return x / y; });
  return std::nullopt;
}

/// x^exponent as the nn dialect defines it: some exponents have rules.
static float power(float x, float exponent) {
  auto is = [&](float value) { return std::abs(exponent - value) < 1e-6f; };
  if (is(0))
    return 1;
  if (is(1))
    return x;
  if (is(2))
    return x * x;
  if (is(3))
    return x * x * x;
  if (is(0.5f))
    return std::sqrt(x);
  if (is(-0.5f))
    return 1 / std::sqrt(x);
  if (is(-1))
    return 1 / x;
  if (is(-2))
    return 1 / (x * x);
  return std::pow(x, exponent);
}

template <typename T>
static std::optional<EvalTensor>
evaluateUnary(Operation *op, RankedTensorType type, const EvalTensor &input) {
  auto map = [&](auto function) {
    return mapUnary<T, T>(input, type,
                          [&](T x) -> std::optional<T> { return function(x); });
  };
  if (isa<nn::ReluOp>(op))
    return map([](T x) { return x <= 0 ? T(0) : x; });
  if constexpr (std::is_integral_v<T>) {
    if (isa<nn::NegOp>(op))
      return map([](T x) { return T(-uint32_t(x)); });
  } else {
    if (isa<nn::NegOp>(op))
      return map([](T x) { return -x; });
    if (isa<nn::SqrtOp>(op))
      return map([](T x) { return std::sqrt(x); });
    if (isa<nn::ExpOp>(op))
      return map([](T x) { return std::exp(x); });
    if (auto pow = dyn_cast<nn::PowConstOp>(op)) {
      float exponent = pow.getExponent().convertToFloat();
      return map([=](T x) { return power(x, exponent); });
    }
  }
  return std::nullopt;
}

static float halfToFloat(uint16_t bits) {
  APFloat value(APFloat::IEEEhalf(), APInt(16, bits));
  bool lost;
  value.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  return value.convertToFloat();
}

static uint16_t floatToHalf(float number) {
  APFloat value(number);
  bool lost;
  value.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  return value.bitcastToAPInt().getZExtValue();
}

/// Toward zero; nullopt outside of i32.
static std::optional<int32_t> floatToInt(float value) {
  // A NaN is neither.
  bool fits = value >= -2147483648.0f && value < 2147483648.0f;
  if (!fits)
    return std::nullopt;
  return static_cast<int32_t>(value);
}

static std::optional<EvalTensor> evaluateCast(RankedTensorType type,
                                              const EvalTensor &input) {
  Type from = input.type.getElementType(), to = type.getElementType();
  if (from == to)
    return EvalTensor(type, input.bytes.vec(), input.isSplat);
  auto isInt = [](Type type) { return type.isSignlessInteger(32); };
  if (from.isF16() && to.isF32())
    return mapUnary<uint16_t, float>(
        input, type,
        [](uint16_t x) -> std::optional<float> { return halfToFloat(x); });
  if (from.isF16() && isInt(to))
    return mapUnary<uint16_t, int32_t>(
        input, type, [](uint16_t x) { return floatToInt(halfToFloat(x)); });
  if (from.isF32() && to.isF16())
    return mapUnary<float, uint16_t>(
        input, type,
        [](float x) -> std::optional<uint16_t> { return floatToHalf(x); });
  if (from.isF32() && isInt(to))
    return mapUnary<float, int32_t>(input, type, floatToInt);
  if (isInt(from) && to.isF32())
    return mapUnary<int32_t, float>(
        input, type,
        [](int32_t x) -> std::optional<float> { return float(x); });
  // Through f32 an integer would be rounded twice.
  if (isInt(from) && to.isF16())
    return mapUnary<int32_t, uint16_t>(
        input, type, [](int32_t x) -> std::optional<uint16_t> {
          if (int32_t(float(x)) != x)
            return std::nullopt;
          return floatToHalf(float(x));
        });
  return std::nullopt;
}

static bool isCastType(Type element) {
  return element.isF32() || element.isF16() || element.isSignlessInteger(32);
}

/// Whether a product is small enough to be evaluated by a plain loop.
static bool isSmallProduct(nn::MatMulOp op) {
  RankedTensorType lhs = nn::getRanked(op.getLhs().getType());
  RankedTensorType rhs = nn::getRanked(op.getRhs().getType());
  RankedTensorType type = nn::getRanked(op.getResult().getType());
  if (!lhs || !rhs || !type || type.getRank() != 2 ||
      !lhs.getElementType().isF32() || !rhs.getElementType().isF32() ||
      !type.getElementType().isF32() || !lhs.hasStaticShape() ||
      !rhs.hasStaticShape() || !type.hasStaticShape() || lhs.getRank() != 2 ||
      rhs.getRank() != 2)
    return false;
  std::optional<int64_t> work =
      nn::multiplyDims({type.getDimSize(0), type.getDimSize(1),
                        lhs.getDimSize(op.getTransposeA() ? 0 : 1)});
  return work && *work <= (1 << 24);
}

bool modelwright::canEvaluate(Operation *op) {
  if (op->getNumResults() != 1)
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || getSize(type.getElementType()) == 0 ||
      !nn::getByteSize(type))
    return false;
  Type element = type.getElementType();
  bool sameTypes = llvm::all_of(op->getOperandTypes(), [&](Type operand) {
    return nn::getElementType(operand) == element;
  });
  bool isInt = element.isSignlessInteger(32);
  if (auto add = dyn_cast<nn::AddOp>(op))
    if (add.getActivation() != nn::Activation::none)
      return false;
  if (isa<nn::AddOp, nn::SubOp, nn::MulOp, nn::MaximumOp, nn::MinimumOp,
          nn::NegOp, nn::ReluOp>(op))
    return sameTypes && (element.isF32() || isInt);
  if (isa<nn::DivOp, nn::SqrtOp, nn::ExpOp, nn::PowConstOp>(op))
    return sameTypes && element.isF32();
  if (auto matmul = dyn_cast<nn::MatMulOp>(op))
    return isSmallProduct(matmul);
  if (isa<nn::CastOp>(op))
    return isCastType(element) &&
           isCastType(nn::getElementType(op->getOperand(0).getType()));
  if (isa<nn::ShapeOfOp>(op))
    return isInt && op->getNumOperands() != 0;
  // The first operand (all of a concat) has the elements.
  return isMovement(op) && op->getNumOperands() != 0 &&
         nn::getElementType(op->getOperand(0).getType()) == element &&
         (sameTypes || !isa<nn::ConcatOp>(op));
}

/// A product of f32 matrices, each element summed in double and rounded once.
static std::optional<EvalTensor> evaluateMatMul(nn::MatMulOp op,
                                                RankedTensorType type,
                                                const EvalTensor &lhs,
                                                const EvalTensor &rhs) {
  int64_t rows = type.getDimSize(0), columns = type.getDimSize(1);
  int64_t depth = lhs.type.getDimSize(op.getTransposeA() ? 0 : 1);
  auto read = [](const EvalTensor &tensor, int64_t i, int64_t j,
                 bool transposed) {
    int64_t index = tensor.isSplat ? 0
                    : transposed   ? j * tensor.type.getDimSize(1) + i
                                   : i * tensor.type.getDimSize(1) + j;
    float value;
    std::memcpy(&value, tensor.bytes.data() + 4 * index, 4);
    return value;
  };
  std::vector<char> bytes(4 * rows * columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < depth; ++k)
        sum += double(read(lhs, i, k, op.getTransposeA())) *
               read(rhs, k, j, op.getTransposeB());
      float value = static_cast<float>(sum);
      std::memcpy(bytes.data() + 4 * (i * columns + j), &value, 4);
    }
  return EvalTensor(type, std::move(bytes), /*isSplat=*/false);
}

std::optional<EvalTensor>
modelwright::evaluate(Operation *op, ArrayRef<const EvalTensor *> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (isa<nn::CastOp>(op))
    return evaluateCast(type, *operands[0]);
  if (isMovement(op))
    return move(op, type, operands);
  if (auto matmul = dyn_cast<nn::MatMulOp>(op))
    return evaluateMatMul(matmul, type, *operands[0], *operands[1]);
  bool isFloat = type.getElementType().isF32();
  if (operands.size() == 1)
    return isFloat ? evaluateUnary<float>(op, type, *operands[0])
                   : evaluateUnary<int32_t>(op, type, *operands[0]);
  return isFloat
             ? evaluateBinary<float>(op, type, *operands[0], *operands[1])
             : evaluateBinary<int32_t>(op, type, *operands[0], *operands[1]);
}
