//===- Layers.cpp - What recurrent layers and attention share -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using utils::IteratorType;

Type nn::getNumberType(Type element) {
  return element.isF64() ? element : Float32Type::get(element.getContext());
}

bool nn::isStatic(Operation *op, unsigned numScratch) {
  auto check = [](Type type) {
    auto tensor = dyn_cast_or_null<RankedTensorType>(getLoweredType(type));
    return tensor && tensor.hasStaticShape();
  };
  TypeRange results(op->getResultTypes());
  return llvm::all_of(op->getOperandTypes(), check) &&
         llvm::all_of(results.drop_back(numScratch), check);
}

Value nn::emitDense(ImplicitLocOpBuilder &b, Value input, Value weight,
                    bool isTransposed) {
  unsigned lead = getTensor(input).getRank() - 1;
  SmallVector<int64_t> shape(getTensor(input).getShape().drop_back());
  shape.push_back(getTensor(weight).getDimSize(isTransposed ? 0 : 1));
  // The innermost loop runs where the weight's elements are adjacent.
  AffineExpr in = b.getAffineDimExpr(isTransposed ? lead + 1 : lead);
  AffineExpr out = b.getAffineDimExpr(isTransposed ? lead : lead + 1);
  SmallVector<IteratorType> iterators(lead + 2, IteratorType::parallel);
  iterators[isTransposed ? lead + 1 : lead] = IteratorType::reduction;
  SmallVector<AffineExpr> inputExprs, outputExprs;
  for (unsigned dim = 0; dim < lead; ++dim) {
    inputExprs.push_back(b.getAffineDimExpr(dim));
    outputExprs.push_back(b.getAffineDimExpr(dim));
  }
  inputExprs.push_back(in);
  outputExprs.push_back(out);
  SmallVector<AffineExpr> weightExprs = {in, out};
  if (isTransposed)
    std::swap(weightExprs[0], weightExprs[1]);
  AffineMap maps[] = {AffineMap::get(lead + 2, 0, inputExprs, b.getContext()),
                      AffineMap::get(lead + 2, 0, weightExprs, b.getContext()),
                      AffineMap::get(lead + 2, 0, outputExprs, b.getContext())};
  Type number = getTensor(input).getElementType();
  return emitReduction(b, RankedTensorType::get(shape, number), {input, weight},
                       maps, iterators, emitConstant(b, number, 0),
                       [](ImplicitLocOpBuilder &inner, ValueRange values) {
                         return emitAdd(inner, values[2],
                                        emitMul(inner, values[0], values[1]));
                       });
}

Value nn::emitSum(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return emitElementwise(b, getTensor(lhs), {lhs, rhs},
                         [](ImplicitLocOpBuilder &inner, ValueRange values) {
                           return emitAdd(inner, values[0], values[1]);
                         });
}

Value nn::emitInsert(ImplicitLocOpBuilder &b, Value part, Value tensor,
                     ArrayRef<OpFoldResult> offsets) {
  RankedTensorType type = getTensor(tensor), own = getTensor(part);
  SmallVector<OpFoldResult> sizes(type.getRank() - own.getRank(),
                                  b.getIndexAttr(1));
  for (int64_t size : own.getShape())
    sizes.push_back(b.getIndexAttr(size));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(b, part, tensor, offsets, sizes,
                                       strides);
}

PackedWeights::PackedWeights(ImplicitLocOpBuilder &b, Value weights)
    : b(b), flat(emitReshape(b, weights, getTensor(weights).getNumElements())) {
}

Value PackedWeights::take(ArrayRef<int64_t> shape) {
  int64_t size = ShapedType::getNumElements(shape);
  Type element = getTensor(flat).getElementType();
  Value part = tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(size, element), flat,
      ArrayRef<OpFoldResult>(b.getIndexAttr(position)),
      ArrayRef<OpFoldResult>(b.getIndexAttr(size)),
      ArrayRef<OpFoldResult>(b.getIndexAttr(1)));
  position += size;
  return emitReshape(b, part, shape);
}
