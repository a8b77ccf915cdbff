//===- BlockedBuilder.cpp - Emit ops on blocked tensors -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

int64_t cpu::getInputBlock(int64_t channels, int64_t lanes) {
  return channels <= 4 ? channels : lanes;
}

RankedTensorType cpu::getBlockedType(RankedTensorType image, int64_t block) {
  ArrayRef<int64_t> shape = image.getShape();
  return RankedTensorType::get({shape[0],
                                int64_t(llvm::divideCeil(shape[1], block)),
                                shape[2], shape[3], block},
                               image.getElementType());
}

Value cpu::emitBlockedEmpty(ImplicitLocOpBuilder &b, RankedTensorType image,
                            int64_t block) {
  RankedTensorType type = getBlockedType(image, block);
  return tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
}

Value cpu::emitPack(ImplicitLocOpBuilder &b, Value image, int64_t block) {
  Value init =
      emitBlockedEmpty(b, cast<RankedTensorType>(image.getType()), block);
  return PackOp::create(b, init.getType(), image, init,
                        ArrayRef<int64_t>{0, 0, 0, 0})
      .getResult();
}

Value cpu::emitUnpack(ImplicitLocOpBuilder &b, Value blocked,
                      RankedTensorType image) {
  Value init =
      tensor::EmptyOp::create(b, image.getShape(), image.getElementType());
  return UnpackOp::create(b, image, blocked, init,
                          ArrayRef<int64_t>{0, 0, 0, 0})
      .getResult();
}

Value cpu::emitConstant(ImplicitLocOpBuilder &b, ArrayRef<float> values,
                        ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, b.getF32Type());
  return nn::ConstantOp::create(b, type,
                                nn::makeFloatElements(type, "packed", values));
}

void cpu::emitEpilogue(
    ImplicitLocOpBuilder &b, Region &region, unsigned arguments,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types(arguments, b.getF32Type());
  SmallVector<Location> locs(arguments, b.getLoc());
  Block *block = b.createBlock(&region, {}, types, locs);
  YieldOp::create(b, body(b, block->getArguments()));
}

/// `a > b ? a : b`, the instruction; a NaN in `b` stays.
static Value emitMax(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  Value isGreater =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, lhs, rhs);
  return arith::SelectOp::create(b, isGreater, lhs, rhs);
}

static Value emitMin(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  Value isLess = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, lhs, rhs);
  return arith::SelectOp::create(b, isLess, lhs, rhs);
}

Value cpu::emitFastActivation(ImplicitLocOpBuilder &b, Value value,
                              nn::Activation activation) {
  auto number = [&](float constant) {
    return nn::emitConstant(b, b.getF32Type(), constant);
  };
  auto clip06 = [&](Value inner) {
    return emitMin(b, number(6), emitMax(b, number(0), inner));
  };
  switch (activation) {
  case nn::Activation::relu:
    return emitMax(b, number(0), value);
  case nn::Activation::relu6:
    return clip06(value);
  case nn::Activation::h_swish: {
    Value clipped = clip06(arith::AddFOp::create(b, value, number(3)));
    return arith::MulFOp::create(b, arith::MulFOp::create(b, value, clipped),
                                 number(1.0f / 6));
  }
  case nn::Activation::h_sigmoid: {
    Value clipped = clip06(arith::AddFOp::create(b, value, number(3)));
    return arith::MulFOp::create(b, clipped, number(1.0f / 6));
  }
  default:
    return nn::emitActivation(b, value, activation);
  }
}
