//===- NNElementwiseFolds.cpp - Folders of elementwise ops ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only what is true for every element of every type it fires on: bit for bit,
// except that a signaling NaN stays one.
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Larger constants that are not splats are not read.
static constexpr int64_t kMaxElements = 64;

/// Whether all elements of a float or integer constant equal `value`, zeros
/// being told apart by their sign.
static bool isSplatOf(Attribute attr, double value) {
  ElementsAttr elements = getFoldedElements(attr);
  if (!elements || isa<DenseStringElementsAttr>(elements) || elements.empty())
    return false;
  if (auto dense = dyn_cast<DenseElementsAttr>(elements);
      dense && dense.isSplat()) {
    if (isa<FloatType>(dense.getElementType())) {
      double splat = dense.getSplatValue<APFloat>().convertToDouble();
      return splat == value && std::signbit(splat) == std::signbit(value);
    }
    if (auto type = dyn_cast<IntegerType>(dense.getElementType());
        type && type.getWidth() > 1)
      return dense.getSplatValue<APInt>() == static_cast<uint64_t>(value) &&
             !std::signbit(value);
    return false;
  }
  if (elements.getNumElements() > kMaxElements)
    return false;
  if (std::optional<SmallVector<float>> floats = readFloats(elements))
    return llvm::all_of(*floats, [&](float element) {
      return element == value && std::signbit(element) == std::signbit(value);
    });
  if (!isa<IntegerType>(elements.getElementType()) || std::signbit(value))
    return false;
  KnownInts ints = readInts(elements, kMaxElements);
  return ints && llvm::all_of(*ints, [&](int64_t element) {
           return element == static_cast<int64_t>(value);
         });
}

/// Whether `input` may stand for the result of `op`: same type, and no codes
/// that would be quantized anew.
template <typename OpT> static bool canForward(OpT op, Value input) {
  return input.getType() == op.getResult().getType() &&
         !isQuantized(nn::getElementType(input.getType())) &&
         !isUnknown(nn::getElementType(input.getType()));
}

/// Whether `input` may stand for the result of a binary `op` whose other
/// operand is a constant of `value`, its neutral element. The constant must not
/// stretch a dim that is 1 at run time.
template <typename OpT>
static bool isNeutral(OpT op, Value input, Value constant, Attribute attr,
                      double value) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  auto other = dyn_cast<RankedTensorType>(constant.getType());
  if (!type || !other || !canForward(op, input))
    return false;
  bool isScalar = other.hasStaticShape() && other.getNumElements() == 1 &&
                  other.getRank() <= type.getRank();
  return (isScalar || type.hasStaticShape()) && isSplatOf(attr, value);
}

static bool isFloatTensor(Value value) {
  return isFloat(nn::getElementType(value.getType()));
}

/// f(f(x)) = f(x).
template <typename OpT> static OpFoldResult foldIdempotent(OpT op) {
  Value input = op.getInput();
  if (input.getDefiningOp<OpT>() && canForward(op, input))
    return input;
  return {};
}

/// f(f(x)) = x.
template <typename OpT> static OpFoldResult foldInvolution(OpT op) {
  if (auto inner = op.getInput().template getDefiningOp<OpT>())
    if (canForward(op, inner.getInput()) && canForward(op, op.getInput()))
      return inner.getInput();
  return {};
}

/// f(x, x) = x.
template <typename OpT> static OpFoldResult foldSelf(OpT op) {
  if (op.getLhs() == op.getRhs() && canForward(op, op.getLhs()))
    return op.getLhs();
  return {};
}

OpFoldResult AbsOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult ReluOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult Relu6Op::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult CeilOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult FloorOp::fold(FoldAdaptor) { return foldIdempotent(*this); }
OpFoldResult RoundOp::fold(FoldAdaptor) { return foldIdempotent(*this); }

OpFoldResult NegOp::fold(FoldAdaptor) { return foldInvolution(*this); }
OpFoldResult LogicalNotOp::fold(FoldAdaptor) { return foldInvolution(*this); }

OpFoldResult MaximumOp::fold(FoldAdaptor) { return foldSelf(*this); }
OpFoldResult MinimumOp::fold(FoldAdaptor) { return foldSelf(*this); }
OpFoldResult LogicalAndOp::fold(FoldAdaptor) { return foldSelf(*this); }
OpFoldResult LogicalOrOp::fold(FoldAdaptor) { return foldSelf(*this); }

OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (getActivation() != Activation::none)
    return {};
  // -0 + 0 = 0: the neutral element of floats is -0.
  double zero = isFloatTensor(getResult()) ? -0.0 : 0.0;
  if (isNeutral(*this, getLhs(), getRhs(), adaptor.getRhs(), zero))
    return getLhs();
  if (isNeutral(*this, getRhs(), getLhs(), adaptor.getLhs(), zero))
    return getRhs();
  return {};
}

OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  if (isNeutral(*this, getLhs(), getRhs(), adaptor.getRhs(), 0.0))
    return getLhs();
  return {};
}

OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isNeutral(*this, getLhs(), getRhs(), adaptor.getRhs(), 1.0))
    return getLhs();
  if (isNeutral(*this, getRhs(), getLhs(), adaptor.getLhs(), 1.0))
    return getRhs();
  return {};
}

OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  if (isNeutral(*this, getLhs(), getRhs(), adaptor.getRhs(), 1.0))
    return getLhs();
  return {};
}

OpFoldResult PowConstOp::fold(FoldAdaptor) {
  if (getExponent().isExactlyValue(1.0) && canForward(*this, getInput()))
    return getInput();
  return {};
}

OpFoldResult CastOp::fold(FoldAdaptor) {
  Type element = nn::getElementType(getInput().getType());
  if (getInput().getType() == getResult().getType() && getTo() == element &&
      !isUnknown(element))
    return getInput();
  return {};
}
