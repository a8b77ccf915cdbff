//===- NNShapeFolds.cpp - Folders of shape ops ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Whether two tensors of this type have the same shape.
static bool isStatic(Type type) {
  RankedTensorType ranked = getRanked(type);
  return ranked && ranked.hasStaticShape();
}

/// Whether `result` surely has the shape of `input`.
static bool haveSameShape(Value input, Value result) {
  return isStatic(input.getType()) && input.getType() == result.getType();
}

OpFoldResult SliceOp::fold(FoldAdaptor) {
  // Items without operands take the whole axis.
  if (getIndices().empty() && getInput().getType() == getResult().getType())
    return getInput();
  return {};
}

OpFoldResult BroadcastToOp::fold(FoldAdaptor) {
  if (haveSameShape(getInput(), getResult()))
    return getInput();
  return {};
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  RankedTensorType input = getRanked(getInput().getType());
  ArrayRef<int64_t> permutation = getPermutation();
  if (input && input == getResult().getType() &&
      llvm::equal(permutation, llvm::seq<int64_t>(0, input.getRank())))
    return getInput();

  // transpose(transpose(x)): what the outer one drops has size 1.
  auto inner = getInput().getDefiningOp<TransposeOp>();
  if (!inner || inner == *this)
    return {};
  SmallVector<int64_t> composed;
  for (int64_t axis : permutation)
    composed.push_back(axis == -1 ? -1 : inner.getPermutation()[axis]);
  setPermutation(composed);
  setInputRank(inner.getInputRank());
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult ExpandSqueezeOp::fold(FoldAdaptor) {
  if (getAxes().empty() && getInput().getType() == getResult().getType())
    return getInput();
  return {};
}

OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  if (haveSameShape(getInput(), getResult()))
    return getInput();
  auto inner = getInput().getDefiningOp<ReshapeOp>();
  if (!inner || inner == *this)
    return {};
  getInputMutable().assign(inner.getInput());
  return getResult();
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 &&
      getInputs().front().getType() == getResult().getType())
    return getInputs().front();
  return {};
}

LogicalResult SplitOp::fold(FoldAdaptor,
                            SmallVectorImpl<OpFoldResult> &results) {
  if (getNumResults() != 1 || getInput().getType() != getResult(0).getType())
    return failure();
  results.push_back(getInput());
  return success();
}

OpFoldResult ShapeOfOp::fold(FoldAdaptor) {
  SmallVector<int64_t> shape;
  for (Value input : getInputs())
    if (!isStatic(input.getType()) ||
        failed(broadcastShapes(std::nullopt, shape,
                               getRanked(input.getType()).getShape(), shape)))
      return {};
  if (std::optional<int64_t> axis = getAxis()) {
    FailureOr<int64_t> normal =
        normalizeAxis(std::nullopt, *axis, shape.size());
    if (failed(normal))
      return {};
    shape = {shape[*normal]};
  }
  auto type = RankedTensorType::get({static_cast<int64_t>(shape.size())},
                                    IntegerType::get(getContext(), 32));
  if (type != getResult().getType() ||
      llvm::any_of(shape, [](int64_t dim) { return dim > INT32_MAX; }))
    return {};
  SmallVector<int32_t> values(shape.begin(), shape.end());
  return DenseElementsAttr::get(type, ArrayRef(values));
}
