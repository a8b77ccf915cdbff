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

#include <cstring>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

int64_t cpu::getInputBlock(int64_t channels, int64_t lanes, int64_t group) {
  return channels <= 4 ? int64_t(llvm::alignTo(channels, group)) : lanes;
}

int64_t cpu::countGroupsTogether(int64_t groups, int64_t inputs,
                                 int64_t outputs, int64_t lanes) {
  constexpr int64_t kMost = 8;
  for (int64_t together = 1; together <= std::min(groups, kMost); ++together)
    if (together == groups ||
        (groups % together == 0 && inputs / groups * together % lanes == 0 &&
         outputs / groups * together % lanes == 0))
      return together;
  return 0;
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
                        ArrayRef<int64_t>{0, 0, 0, 0}, IntegerAttr())
      .getResult();
}

IntegerAttr cpu::getLastChannels(Value blocked, Value image) {
  int64_t block = cast<ShapedType>(blocked.getType()).getShape().back();
  int64_t last = cast<ShapedType>(image.getType()).getDimSize(1) % block;
  return last == 0 ? IntegerAttr()
                   : Builder(blocked.getContext()).getI64IntegerAttr(last);
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
                        ArrayRef<int64_t> shape, bool isBF16) {
  auto type = RankedTensorType::get(shape, isBF16 ? Type(b.getBF16Type())
                                                  : b.getF32Type());
  return nn::ConstantOp::create(b, type,
                                nn::makeFloatElements(type, "packed", values));
}

/// The values as little endian integers.
template <typename T>
static std::vector<char> narrow(ArrayRef<int32_t> values) {
  std::vector<char> bytes(values.size() * sizeof(T));
  for (auto [i, value] : llvm::enumerate(values)) {
    auto element = static_cast<T>(value);
    assert(element == value && "the integers are too narrow");
    std::memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
  }
  return bytes;
}

Value cpu::emitConstant(ImplicitLocOpBuilder &b, ArrayRef<int32_t> values,
                        ArrayRef<int64_t> shape, unsigned bits) {
  auto type = RankedTensorType::get(shape, b.getIntegerType(bits));
  std::vector<char> bytes = bits == 8    ? narrow<int8_t>(values)
                            : bits == 16 ? narrow<int16_t>(values)
                                         : narrow<int32_t>(values);
  return nn::ConstantOp::create(b, type,
                                nn::makeOwnedElements(type, "packed", bytes));
}

/// convert-nn-to-linalg, which changes the types of all tensors, folds the
/// casts.
static Value emitRetyped(ImplicitLocOpBuilder &b, Value tensor, Type type) {
  if (tensor.getType() == type)
    return tensor;
  auto cast = tensor.getDefiningOp<UnrealizedConversionCastOp>();
  if (cast && cast.getInputs().size() == 1 &&
      cast.getInputs()[0].getType() == type)
    return cast.getInputs()[0];
  return UnrealizedConversionCastOp::create(b, type, tensor).getResult(0);
}

Value cpu::emitStored(ImplicitLocOpBuilder &b, Value tensor) {
  return emitRetyped(b, tensor, nn::getLoweredType(tensor.getType()));
}

Value cpu::emitRestored(ImplicitLocOpBuilder &b, Value stored, Type type) {
  return emitRetyped(b, stored, type);
}

SmallVector<Type> cpu::getElementTypes(ValueRange tensors) {
  return llvm::map_to_vector(tensors, [](Value tensor) {
    return cast<ShapedType>(tensor.getType()).getElementType();
  });
}

void cpu::emitEpilogue(
    ImplicitLocOpBuilder &b, Region &region, TypeRange types,
    function_ref<Value(ImplicitLocOpBuilder &, ValueRange)> body) {
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Location> locs(types.size(), b.getLoc());
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
