//===- LinearToLinalg.cpp - Linear algebra --------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

#include <array>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Results = FailureOr<SmallVector<Value>>;
using utils::IteratorType;

/// The types and operands of a product of matrices or vectors.
namespace {
class Product {
public:
  /// Null accumulators say that the types have no product.
  Product(ImplicitLocOpBuilder &b, ValueRange operands, Type lhs, Type rhs,
          Type result)
      : b(b), operands(operands), elements({lhs, rhs}), result(result) {
    accumulator = getAccumulator();
  }

  bool isKnown() const { return accumulator != Type(); }

  /// The sums over the reduction dims of `iterators`; the maps are those of
  /// both operands and the result.
  Value emit(RankedTensorType type, ArrayRef<AffineMap> maps,
             ArrayRef<IteratorType> iterators, ValueRange dynamicSizes) const;

private:
  Type getAccumulator() const;
  Value emitFactor(ImplicitLocOpBuilder &inner, Value value,
                   Type element) const;
  Value emitResult(ImplicitLocOpBuilder &inner, Value sum) const;

  ImplicitLocOpBuilder &b;
  ValueRange operands;
  std::array<Type, 2> elements;
  Type result;
  Type accumulator;
};
} // namespace

/// 16-bit floats are accumulated in f32, narrow integers and codes in i32.
Type Product::getAccumulator() const {
  for (Type element : elements)
    if (isQuantized(element) != isQuantized(elements[0]) ||
        isa<FloatType>(element) != isa<FloatType>(elements[0]))
      return {};
  if (elements[0].isF64())
    return elements[0];
  if (isa<FloatType>(elements[0]))
    return b.getF32Type();
  if (isQuantized(elements[0]))
    return isQuantized(result) ? Type(b.getI32Type()) : Type();
  // A wide integer keeps its type, signedness included.
  if (auto integer = dyn_cast<IntegerType>(elements[0]))
    return integer.getWidth() < 32 && result.isSignlessInteger()
               ? Type(b.getI32Type())
               : Type(integer);
  return {};
}

Value Product::emitFactor(ImplicitLocOpBuilder &inner, Value value,
                          Type element) const {
  auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
  if (!quantized)
    return emitCast(inner, value, element, accumulator);
  Value code = emitResizeInt(inner, value, element, accumulator);
  if (quantized.getZeroPoint() == 0)
    return code;
  return emitSub(
      inner, code,
      emitConstant(inner, accumulator, double(quantized.getZeroPoint())));
}

/// The sum as an element of the result. The codes of a wide quantized result
/// are the sums themselves; a narrow one is requantized.
Value Product::emitResult(ImplicitLocOpBuilder &inner, Value sum) const {
  auto quantized = dyn_cast<quant::UniformQuantizedType>(result);
  if (!quantized)
    return emitCast(inner, sum, accumulator, result);
  auto lhs = cast<quant::UniformQuantizedType>(elements[0]);
  auto rhs = cast<quant::UniformQuantizedType>(elements[1]);
  bool isNibble = lhs.getStorageTypeIntegralWidth() == 4 && lhs.isSigned();
  unsigned sumBits = isNibble ? 16 : 32;
  if (quantized.getStorageTypeIntegralWidth() == sumBits)
    return emitResizeInt(inner, sum, accumulator,
                         getLoweredElementType(result));
  float scale =
      static_cast<float>(lhs.getScale()) * static_cast<float>(rhs.getScale());
  Type f32 = inner.getF32Type();
  Value number = emitMul(inner, arith::SIToFPOp::create(inner, f32, sum),
                         emitConstant(inner, f32, scale));
  return emitFromF32(inner, number, result, QuantizeWith::Reciprocal);
}

Value Product::emit(RankedTensorType type, ArrayRef<AffineMap> maps,
                    ArrayRef<IteratorType> iterators,
                    ValueRange dynamicSizes) const {
  Type lowered = getLoweredElementType(accumulator);
  Value sums = emitReduction(
      b, RankedTensorType::get(type.getShape(), lowered), operands, maps,
      iterators, emitConstant(b, lowered, 0),
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value factors[2];
        for (unsigned i = 0; i < 2; ++i)
          factors[i] = emitFactor(inner, values[i], elements[i]);
        return emitAdd(inner, values[2],
                       emitMul(inner, factors[0], factors[1]));
      },
      dynamicSizes);
  if (accumulator == result)
    return sums;
  return emitMap(
      b, type, sums, b.getMultiDimIdentityMap(type.getRank()),
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        return emitResult(inner, values[0]);
      },
      dynamicSizes);
}

//===----------------------------------------------------------------------===//
// Matrix products
//===----------------------------------------------------------------------===//

namespace {
/// How the formats split the dims of the matrices; see nn.matmul.
struct Blocking {
  /// Elements in a block of m and in one of k.
  int64_t size;
  /// Whether a block of the left matrix has its rows (m) inside.
  bool isRowInner;
};

/// nn.matmul and nn.batch_matmul.
template <typename OpT> class MatMulLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Results lower(OpT op, OpT::Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override;

private:
  static constexpr bool isBatch = std::is_same_v<OpT, BatchMatMulOp>;

  /// The block size of nn.matmul's formats. MegEngine has no kernel that says
  /// what N32K4_DOT is for two matrices.
  static FailureOr<std::optional<Blocking>> getBlocking(MatMulFormat format) {
    if (isBatch)
      return std::optional<Blocking>();
    switch (format) {
    case MatMulFormat::Default:
      return std::optional<Blocking>();
    case MatMulFormat::MK4:
      return std::optional(Blocking{4, /*isRowInner=*/true});
    case MatMulFormat::MK8:
      return std::optional(Blocking{8, /*isRowInner=*/true});
    case MatMulFormat::MK4_DOT:
      return std::optional(Blocking{4, /*isRowInner=*/false});
    case MatMulFormat::N32K4_DOT:
      return failure();
    }
    llvm_unreachable("a format of no kind");
  }
};
} // namespace

template <typename OpT>
Results MatMulLowering<OpT>::lower(OpT op, OpT::Adaptor adaptor,
                                   ImplicitLocOpBuilder &b) const {
  RankedTensorType type = this->getResultType(op.getResult());
  Type lhsElement = nn::getElementType(op.getLhs().getType());
  Type rhsElement = nn::getElementType(op.getRhs().getType());
  auto lhs = dyn_cast<RankedTensorType>(adaptor.getLhs().getType());
  auto rhs = dyn_cast<RankedTensorType>(adaptor.getRhs().getType());
  FailureOr<std::optional<Blocking>> blocking = getBlocking(op.getFormat());
  if (!type || !lhs || !rhs || failed(blocking))
    return failure();
  unsigned lead = isBatch ? 1 : 0;
  int64_t lhsRow = lead + (op.getTransposeA() ? 1 : 0);
  int64_t lhsInner = lead + (op.getTransposeA() ? 0 : 1);
  int64_t rhsInner = lead + (op.getTransposeB() ? 1 : 0);
  int64_t rhsColumn = lead + (op.getTransposeB() ? 0 : 1);
  Value operands[] = {adaptor.getLhs(), adaptor.getRhs()};
  Product product(b, operands, lhsElement, rhsElement,
                  nn::getElementType(op.getType()));
  if (!product.isKnown())
    return failure();
  emitSameSize(b, operands[0], lhsInner, operands[1], rhsInner);
  if (isBatch)
    emitSameSize(b, operands[0], 0, operands[1], 0);

  // The loops, outermost first. Where the columns of the right matrix are
  // adjacent in memory they are the innermost loop, which needs no sum across
  // its iterations; else the terms of one sum are.
  SmallVector<IteratorType> iterators;
  auto addLoop = [&](IteratorType kind) {
    iterators.push_back(kind);
    return b.getAffineDimExpr(iterators.size() - 1);
  };
  SmallVector<AffineExpr> batch;
  if (isBatch)
    batch.push_back(addLoop(IteratorType::parallel));
  AffineExpr m = addLoop(IteratorType::parallel), k, n;
  if (op.getTransposeB())
    n = addLoop(IteratorType::parallel);
  k = addLoop(IteratorType::reduction);
  if (!op.getTransposeB())
    n = addLoop(IteratorType::parallel);
  auto order = [&](bool isSwapped, AffineExpr first, AffineExpr second) {
    SmallVector<AffineExpr> exprs(batch);
    exprs.push_back(isSwapped ? second : first);
    exprs.push_back(isSwapped ? first : second);
    return exprs;
  };
  SmallVector<AffineExpr> exprs[] = {order(op.getTransposeA(), m, k),
                                     order(op.getTransposeB(), k, n),
                                     order(false, m, n)};
  SmallVector<int64_t> shape(type.getShape());
  if (*blocking) {
    int64_t size = (*blocking)->size;
    AffineExpr inner = addLoop(IteratorType::reduction);
    AffineExpr row = addLoop(IteratorType::parallel);
    bool isRowInner = (*blocking)->isRowInner;
    exprs[0].push_back(isRowInner ? inner : row);
    exprs[0].push_back(isRowInner ? row : inner);
    exprs[1].push_back(inner);
    exprs[2].push_back(row);
    for (int64_t dim :
         {lhs.getDimSize(2), lhs.getDimSize(3), rhs.getDimSize(2)})
      if (dim != size)
        return failure();
    shape.back() = size;
  }
  SmallVector<AffineMap> maps;
  for (ArrayRef<AffineExpr> list : exprs)
    maps.push_back(AffineMap::get(iterators.size(), 0, list, b.getContext()));
  SmallVector<Value> sizes;
  std::pair<Value, int64_t> sources[] = {{operands[0], lhsRow},
                                         {operands[1], rhsColumn}};
  if (isBatch && type.isDynamicDim(0))
    sizes.push_back(emitDim(b, operands[0], 0));
  for (auto [index, source] : llvm::enumerate(sources))
    if (type.isDynamicDim(lead + int64_t(index)))
      sizes.push_back(emitDim(b, source.first, source.second));
  Value value =
      product.emit(RankedTensorType::get(shape, type.getElementType()), maps,
                   iterators, sizes);
  if (value.getType() != type)
    value = tensor::CastOp::create(b, type, value);
  return SmallVector<Value>{value};
}

namespace {
class DotLowering : public Lowering<DotOp> {
public:
  using Lowering::Lowering;
  Results lower(DotOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    auto lhs = dyn_cast<RankedTensorType>(adaptor.getLhs().getType());
    auto rhs = dyn_cast<RankedTensorType>(adaptor.getRhs().getType());
    Product product(b, adaptor.getOperands(),
                    nn::getElementType(op.getLhs().getType()),
                    nn::getElementType(op.getRhs().getType()),
                    nn::getElementType(op.getType()));
    // Whether a vector of unknown length is to be repeated is not known.
    if (!type || !lhs || !rhs || !lhs.hasStaticShape() ||
        !rhs.hasStaticShape() || !product.isKnown())
      return failure();
    int64_t length = std::max(lhs.getDimSize(0), rhs.getDimSize(0));
    if (lhs.getDimSize(0) == 0 || rhs.getDimSize(0) == 0)
      length = 0;
    AffineExpr i = b.getAffineDimExpr(0), zero = b.getAffineConstantExpr(0);
    SmallVector<AffineMap> maps;
    for (RankedTensorType operand : {lhs, rhs})
      maps.push_back(
          AffineMap::get(2, 0, operand.getDimSize(0) == length ? i : zero));
    maps.push_back(AffineMap::get(2, 0, b.getAffineDimExpr(1)));
    return SmallVector<Value>{product.emit(
        type, maps, {IteratorType::reduction, IteratorType::parallel}, {})};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

namespace {
class CrossLowering : public Lowering<CrossOp> {
public:
  using Lowering::Lowering;
  Results lower(CrossOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Type element = nn::getElementType(op.getType());
    if (!type || !isa<RankedTensorType>(adaptor.getLhs().getType()) ||
        !isa<RankedTensorType>(adaptor.getRhs().getType()) ||
        (!isFloat(element) && !isa<IntegerType>(element)))
      return failure();
    int64_t rank = type.getRank();
    Value operands[] = {adaptor.getLhs(), adaptor.getRhs()};
    int64_t axes[] = {int64_t(op.getAxisA()), int64_t(op.getAxisB()),
                      int64_t(op.getAxisC())};
    // The sizes of both operands are those of the result.
    SmallVector<int64_t> others(type.getShape());
    for (int64_t &axis : axes)
      axis = axis < 0 ? axis + rank : axis;
    others.erase(others.begin() + axes[2]);
    for (unsigned i = 0; i < 2; ++i) {
      SmallVector<int64_t> shape(others);
      shape.insert(shape.begin() + axes[i], 3);
      operands[i] = emitRefine(b, operands[i], shape);
    }
    SmallVector<Value> sizes;
    for (int64_t dim = 0, other = 0; dim < rank; ++dim) {
      if (dim == axes[2])
        continue;
      int64_t dims[] = {other < axes[0] ? other : other + 1,
                        other < axes[1] ? other : other + 1};
      emitSameSize(b, operands[0], dims[0], operands[1], dims[1]);
      if (type.isDynamicDim(dim))
        sizes.push_back(emitDim(b, operands[0], dims[0]));
      ++other;
    }
    Type number =
        isFloat(element) && !element.isF64() ? Type(b.getF32Type()) : element;
    auto body = [&](ImplicitLocOpBuilder &inner, ValueRange indices) -> Value {
      SmallVector<Value> at(indices);
      Value own = at[axes[2]], three = emitConstantIndex(inner, 3);
      at.erase(at.begin() + axes[2]);
      auto read = [&](unsigned operand, int64_t step) {
        Value sum = emitAdd(inner, own, emitConstantIndex(inner, step));
        SmallVector<Value> place(at);
        place.insert(place.begin() + axes[operand],
                     arith::RemUIOp::create(inner, sum, three));
        return emitCast(inner, emitRead(inner, operands[operand], place),
                        element, number);
      };
      Value first = emitMul(inner, read(0, 1), read(1, 2));
      Value second = emitMul(inner, read(0, 2), read(1, 1));
      return emitCast(inner, emitSub(inner, first, second), number, element);
    };
    return SmallVector<Value>{emitGenerate(b, type, body, sizes)};
  }
};

class MatrixInverseLowering : public Lowering<MatrixInverseOp> {
public:
  using Lowering::Lowering;
  Results lower(MatrixInverseOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    if (!type || !type.hasStaticShape() || adaptor.getInput().getType() != type)
      return failure();
    Type element = nn::getElementType(op.getType()), f64 = b.getF64Type();
    int64_t n = type.getShape().back();
    ArrayRef<int64_t> lead = type.getShape().drop_back(2);
    auto matrix = RankedTensorType::get({n, n}, f64);
    SmallVector<Value> results =
        emitRuntimeCall(b, "mw_matrix_inverse_f64",
                        emitCastTensor(b, adaptor.getInput(), element, f64),
                        {RankedTensorType::get(type.getShape(), f64), matrix},
                        {emitConstantIndex(b, ShapedType::getNumElements(lead)),
                         emitConstantIndex(b, n)});
    return SmallVector<Value>{emitCastTensor(b, results[0], f64, element)};
  }
};

class SVDLowering : public Lowering<SVDOp> {
public:
  using Lowering::Lowering;
  Results lower(SVDOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    auto type = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || !type.hasStaticShape())
      return failure();
    Type element = nn::getElementType(op.getInput().getType());
    Type f64 = b.getF64Type();
    bool isFull = op.getFullMatrices() && op.getComputeUv();
    ArrayRef<int64_t> lead = type.getShape().drop_back(2);
    int64_t m = type.getDimSize(lead.size()), n = type.getShape().back();
    int64_t least = std::min(m, n), length = std::max(m, n);
    auto getType = [&](ArrayRef<int64_t> dims) {
      SmallVector<int64_t> shape(lead);
      shape.append(dims.begin(), dims.end());
      return RankedTensorType::get(shape, f64);
    };
    int64_t scratch = (isFull ? length : least) * length + least * least;
    SmallVector<Value> results = emitRuntimeCall(
        b, "mw_svd_f64", emitCastTensor(b, adaptor.getInput(), element, f64),
        {getType({m, isFull ? m : least}), getType({least}),
         getType({isFull ? n : least, n}),
         RankedTensorType::get({scratch}, f64)},
        {emitConstantIndex(b, ShapedType::getNumElements(lead)),
         emitConstantIndex(b, m), emitConstantIndex(b, n),
         emitConstantIndex(b, isFull)});
    SmallVector<Value> outputs;
    for (Value result : ArrayRef(results).drop_back())
      outputs.push_back(emitCastTensor(b, result, f64, element));
    if (!op.getComputeUv())
      outputs = {outputs[1]};
    for (auto [output, own] : llvm::zip_equal(outputs, op.getOutputs()))
      if (output.getType() != getResultType(own))
        return failure();
    return outputs;
  }
};
} // namespace

void nn::populateLinearLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<MatMulLowering<MatMulOp>, MatMulLowering<BatchMatMulOp>,
               DotLowering, CrossLowering, MatrixInverseLowering, SVDLowering>(
      converter, patterns.getContext());
}
