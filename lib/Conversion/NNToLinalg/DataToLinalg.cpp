//===- DataToLinalg.cpp - Constants and copies ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// The elements in their lowered type; null if the bytes are missing.
static DenseElementsAttr getLoweredElements(ElementsAttr value,
                                            RankedTensorType type) {
  Type element = type.getElementType();
  auto given = cast<RankedTensorType>(value.getShapedType());
  unsigned bits = getStorageBits(given.getElementType());
  if (auto splat = dyn_cast<SplatElementsAttr>(value)) {
    if (auto number = dyn_cast<IntegerAttr>(splat.getSplatValue<Attribute>())) {
      // Narrow codes widen by their sign.
      unsigned width = element.getIntOrFloatBitWidth();
      APInt wide = given.getElementType().isUnsignedInteger()
                       ? number.getValue().zextOrTrunc(width)
                       : number.getValue().sextOrTrunc(width);
      return DenseElementsAttr::get(type, wide);
    }
  }
  if (bits % 8 != 0) {
    KnownInts ints = readInts(value, UINT64_MAX);
    if (!ints)
      return {};
    SmallVector<APInt> elements;
    for (int64_t number : *ints)
      elements.emplace_back(element.getIntOrFloatBitWidth(), number,
                            /*isSigned=*/true);
    return DenseElementsAttr::get(type, elements);
  }
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> bytes = getRawBytes(value, storage);
  if (!bytes)
    return {};
  if (element.isInteger(1)) {
    SmallVector<bool> flags;
    for (char byte : *bytes)
      flags.push_back(byte != 0);
    return DenseElementsAttr::get(type, ArrayRef<bool>(flags));
  }
  bool isSplat = false;
  if (!DenseElementsAttr::isValidRawBuffer(type, *bytes, isSplat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(type, *bytes);
}

namespace {
class ConstantLowering : public Lowering<ConstantOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(ConstantOp op, Adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    if (!type)
      return failure();
    DenseElementsAttr value = getLoweredElements(op.getValue(), type);
    if (!value)
      return failure();
    return SmallVector<Value>{arith::ConstantOp::create(b, value)};
  }
};

/// An op whose result is its operand.
template <typename OpT> class ForwardLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  FailureOr<SmallVector<Value>> lower(OpT op, OpT::Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Value value = adaptor.getOperands().front();
    // The result may be known more exactly.
    RankedTensorType type = this->getResultType(op->getResult(0));
    if (!type)
      return failure();
    if (value.getType() != type)
      value = tensor::CastOp::create(b, type, value);
    return SmallVector<Value>{value};
  }
};
} // namespace

void nn::populateDataLowerings(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  patterns.add<ConstantLowering, ForwardLowering<CopyOp>>(
      converter, patterns.getContext());
}
