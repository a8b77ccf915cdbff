//===- ElementwiseBody.cpp - Bodies of elementwise linalg ops -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementwiseBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace modelwright;

bool cpu::hasVectorBody(linalg::GenericOp op) {
  for (Operation &inner : op.getRegion().front().without_terminator()) {
    if (isa<arith::ConstantOp>(inner))
      continue;
    if (!OpTrait::hasElementwiseMappableTraits(&inner))
      return false;
    for (Value operand : inner.getOperands())
      if (operand.getParentRegion() != &op.getRegion() &&
          !operand.getDefiningOp<arith::ConstantOp>())
        return false;
  }
  Value yielded = op.getRegion().front().getTerminator()->getOperand(0);
  return yielded.getParentRegion() == &op.getRegion();
}

TypedAttr cpu::getSplat(Value tensor) {
  DenseElementsAttr elements;
  if (!matchPattern(tensor, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return dyn_cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

Value cpu::cloneBody(ImplicitLocOpBuilder &b, linalg::GenericOp op,
                     ValueRange inputs) {
  IRMapping mapping;
  Block &body = op.getRegion().front();
  for (auto [i, input] : llvm::enumerate(inputs))
    mapping.map(body.getArgument(i), input);
  for (Operation &inner : body.without_terminator()) {
    for (Value used : inner.getOperands())
      if (!mapping.contains(used) && used.getParentRegion() != &op.getRegion())
        mapping.map(used, b.clone(*used.getDefiningOp())->getResult(0));
    b.clone(inner, mapping);
  }
  return mapping.lookup(body.getTerminator()->getOperand(0));
}
