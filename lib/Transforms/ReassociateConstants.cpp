//===- ReassociateConstants.cpp - Bring constant addends together ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.add %x, %c1            %s = nn.add %c1, %c2   (fold-constants)
//   %1 = nn.add %0, %c2      -->   %1 = nn.add %x, %s
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_REASSOCIATECONSTANTS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "reassociate-constants";

namespace {
struct ReassociateConstants
    : modelwright::impl::ReassociateConstantsBase<ReassociateConstants> {
  using ReassociateConstantsBase::ReassociateConstantsBase;

  void runOnOperation() override;

private:
  bool rewrite(nn::AddOp outer);
  bool isConstant(Value value);
  std::optional<unsigned> getConstantPosition(nn::AddOp add);

  /// The sums of constants made so far: constants to what follows in a chain.
  llvm::SmallPtrSet<Operation *, 8> sums;
};
} // namespace

void ReassociateConstants::runOnOperation() {
  sums.clear();
  SmallVector<nn::AddOp> adds;
  getOperation().walk([&](nn::AddOp add) { adds.push_back(add); });
  // In program order the inner sum of a longer chain is rewritten first. The
  // op that `rewrite` erases is an inner one, visited already.
  for (nn::AddOp add : adds)
    rewrite(add);
}

bool ReassociateConstants::isConstant(Value value) {
  return getConstant(value) || sums.contains(value.getDefiningOp());
}

/// Position of the constant operand, or nullopt unless there is exactly one.
std::optional<unsigned>
ReassociateConstants::getConstantPosition(nn::AddOp add) {
  bool lhs = isConstant(add.getLhs()), rhs = isConstant(add.getRhs());
  if (lhs == rhs)
    return std::nullopt;
  return lhs ? 0 : 1;
}

bool ReassociateConstants::rewrite(nn::AddOp outer) {
  std::optional<unsigned> outerAt = getConstantPosition(outer);
  if (!outerAt)
    return false;
  Value sum = outer->getOperand(1 - *outerAt),
        outerAddend = outer->getOperand(*outerAt);
  auto inner = sum.getDefiningOp<nn::AddOp>();
  if (!inner || inner->getBlock() != outer->getBlock() ||
      inner.getActivation() != nn::Activation::none)
    return false;
  std::optional<unsigned> innerAt = getConstantPosition(inner);
  if (!innerAt)
    return false;
  Value x = inner->getOperand(1 - *innerAt),
        innerAddend = inner->getOperand(*innerAt);
  Type type = outer.getResult().getType();
  auto refuse = [&](StringRef name, const char *why) {
    remarkMissed(outer, kPass, name) << reason(why);
    return false;
  };
  if (!inner.getResult().hasOneUse())
    return refuse("shared", "the first sum has other users");
  if (!nn::isFloat(nn::getElementType(type)) || x.getType() != type ||
      inner.getResult().getType() != type ||
      nn::getElementType(innerAddend.getType()) != nn::getElementType(type) ||
      nn::getElementType(outerAddend.getType()) != nn::getElementType(type))
    return refuse("type", "the sums are not of one float type");
  auto innerType = cast<RankedTensorType>(innerAddend.getType());
  auto outerType = cast<RankedTensorType>(outerAddend.getType());
  SmallVector<int64_t> shape;
  if (failed(nn::broadcastShapes(std::nullopt, innerType.getShape(),
                                 outerType.getShape(), shape)))
    return false;
  auto sumType = RankedTensorType::get(shape, innerType.getElementType());
  if (sumType.getShape() != innerType.getShape() &&
      sumType.getShape() != outerType.getShape())
    return refuse("growth", "the sum of the constants is larger than both");

  remarkPassed(outer, kPass, "add")
      << remark::add("joined two constant addends");
  OpBuilder builder(outer);
  auto constants = nn::AddOp::create(
      builder, builder.getFusedLoc({inner.getLoc(), outer.getLoc()}), sumType,
      innerAddend, outerAddend, nn::Activation::none, TypeAttr());
  sums.insert(constants);
  outer->setOperand(1 - *outerAt, x);
  outer->setOperand(*outerAt, constants.getResult());
  inner->erase();
  ++numJoined;
  return true;
}
