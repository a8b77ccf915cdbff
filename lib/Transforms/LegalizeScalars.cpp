//===- LegalizeScalars.cpp - Tensors of rank 0 for .mgb -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.reduce_max %x {axis = 0 : i64} : (tensor<4xf32>) -> tensor<1xf32>
//   %1 = nn.reshape %0, %empty : (tensor<1xf32>, tensor<0xi32>) -> tensor<f32>
//   %2 = nn.mul %1, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
// -->
//   %1 = nn.reshape %0, %one : (tensor<1xf32>, tensor<1xi32>) -> tensor<1xf32>
//   %2 = nn.mul %1, %1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
//
//===----------------------------------------------------------------------===//

#include "Utils.h"

using namespace mlir;
using namespace modelwright;

/// Gives a value of rank 0 one dim of 1.
static bool addDim(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 0)
    return false;
  value.setType(RankedTensorType::get({1}, type.getElementType()));
  return true;
}

/// What the op says of its result's rank.
static void adjust(Operation *op) {
  OpBuilder builder(op);
  if (auto constant = dyn_cast<nn::ConstantOp>(op)) {
    if (ElementsAttr value = reshapeElements(constant.getValue(), {1}))
      constant.setValueAttr(value);
  } else if (auto reshape = dyn_cast<nn::ReshapeOp>(op)) {
    auto type = RankedTensorType::get({1}, builder.getI32Type());
    Value empty = reshape.getShape();
    reshape.getShapeMutable().assign(nn::ConstantOp::create(
        builder, op->getLoc(), type,
        cast<ElementsAttr>(DenseElementsAttr::get(type, int32_t{1}))));
    reshape.removeInferredAxisAttr();
    eraseIfUnused(empty);
  } else if (auto transpose = dyn_cast<nn::TransposeOp>(op)) {
    transpose.setPermutation({0});
  }
}

unsigned modelwright::addDimToScalars(func::FuncOp func) {
  unsigned count = 0;
  func.walk([&](Block *block) {
    for (BlockArgument argument : block->getArguments())
      count += addDim(argument);
  });
  func.walk([&](Operation *op) {
    bool any = false;
    for (Value result : op->getResults())
      any |= addDim(result);
    if (any)
      adjust(op);
    count += any;
  });
  if (count != 0 && func.getBody().hasOneBlock())
    func.setFunctionType(
        FunctionType::get(func.getContext(), func.front().getArgumentTypes(),
                          func.front().getTerminator()->getOperandTypes()));
  return count;
}
