//===- NNQuantOps.cpp - Fake quantization ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNQuantOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// The result has the type of the first operand; the others have its element
/// type and broadcast to it.
static LogicalResult inferFakeQuantize(std::optional<Location> loc,
                                       ValueRange operands,
                                       SmallVectorImpl<Type> &types) {
  Type type = operands.front().getType();
  Type element = nn::getElementType(type);
  if (!isFloat(element) && !isUnknown(element))
    return emitOptionalError(loc, "input must hold floats, got ", element);
  RankedTensorType input = getRanked(type);
  for (Value operand : operands.drop_front()) {
    Type other = nn::getElementType(operand.getType());
    if (other != element && !isUnknown(other) && !isUnknown(element))
      return emitOptionalError(loc, "operand element types differ: ", element,
                               " and ", other);
    RankedTensorType ranked = getRanked(operand.getType());
    if (!input || !ranked)
      continue;
    SmallVector<int64_t> shape;
    if (failed(
            broadcastShapes(loc, input.getShape(), ranked.getShape(), shape)))
      return failure();
    if (shape.size() != input.getShape().size() ||
        llvm::any_of(llvm::zip_equal(shape, input.getShape()), [](auto dims) {
          return dimsDiffer(std::get<0>(dims), std::get<1>(dims));
        }))
      return emitOptionalError(loc, "operand of type ", ranked,
                               " does not broadcast to the input ", input);
  }
  types.push_back(type);
  return success();
}

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNQuantOps.cpp.inc"

void NNDialect::registerQuantOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNQuantOps.cpp.inc"
      >();
}
