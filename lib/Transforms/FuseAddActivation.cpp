//===- FuseAddActivation.cpp - Elementwise ops with each other ------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.add %a, %b
//   %1 = nn.relu %0       -->  %1 = nn.add %a, %b {activation = relu}
//
//   %0 = nn.mul %a, %b
//   %1 = nn.add %0, %c    -->  %1 = nn.fma %a, %b, %c
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_FUSEADDACTIVATION
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "fuse-add-activation";

namespace {
struct FuseAddActivation
    : modelwright::impl::FuseAddActivationBase<FuseAddActivation> {
  using FuseAddActivationBase::FuseAddActivationBase;

  void runOnOperation() override;

private:
  void fuseActivation(nn::AddOp add);
  void fuseProducts(nn::AddOp add);
};
} // namespace

void FuseAddActivation::runOnOperation() {
  SmallVector<nn::AddOp> adds;
  getOperation().walk([&](nn::AddOp add) { adds.push_back(add); });
  for (nn::AddOp add : adds)
    fuseActivation(add);
  // Sums with an activation have no multiply-add form: the activation wins.
  if (fuseMulAdd)
    for (nn::AddOp add : adds)
      fuseProducts(add);
}

/// What nn.add can apply to its sum in every format.
static bool isAddActivation(nn::Activation activation) {
  return activation == nn::Activation::relu ||
         activation == nn::Activation::sigmoid ||
         activation == nn::Activation::tanh ||
         activation == nn::Activation::h_swish;
}

/// Why `value` cannot vanish into its candidate user; empty if it can.
static StringRef whyNotPrivate(Value value) {
  if (value.hasOneUse())
    return {};
  return leavesGraph(value.getDefiningOp()) ? "its operand leaves the graph"
                                            : "its operand has other users";
}

void FuseAddActivation::fuseActivation(nn::AddOp add) {
  Value sum = add.getResult();
  auto users = sum.getUsers();
  auto it = llvm::find_if(users, [](Operation *op) {
    return isAddActivation(getActivationOf(op));
  });
  if (it == users.end() || it->getBlock() != add->getBlock())
    return;
  Operation *user = *it;
  nn::Activation activation = getActivationOf(user);
  auto refuse = [&](StringRef why) {
    remarkMissed(user, kPass, "activation") << reason("{0}", why);
  };
  if (StringRef why = whyNotPrivate(sum); !why.empty())
    return refuse(why);
  if (add.getActivation() != nn::Activation::none)
    return refuse("the sum has an activation already");
  if (user->getResult(0).getType() != sum.getType())
    return refuse("the sum has another type");
  // Rounding to integers in between is seen by all but relu.
  if (!nn::isFloat(nn::getElementType(sum.getType())) &&
      activation != nn::Activation::relu)
    return refuse("the sum is rounded to integers before");
  remarkPassed(user, kPass, "activation")
      << remark::add("fused {0}", nn::stringifyActivation(activation));
  add.setActivation(activation);
  absorb(add, user);
  ++numActivations;
}

/// The product that only `add` reads through this operand, or null.
static nn::MulOp getPrivateProduct(nn::AddOp add, Value operand) {
  auto mul = operand.getDefiningOp<nn::MulOp>();
  if (!mul || isPartOfFileOp(mul))
    return {};
  StringRef why = whyNotPrivate(operand);
  if (why.empty() && mul->getBlock() == add->getBlock())
    return mul;
  if (!why.empty())
    remarkMissed(add, kPass, "product") << reason("{0}", why);
  return {};
}

void FuseAddActivation::fuseProducts(nn::AddOp add) {
  Type element = nn::getElementType(add.getResult().getType());
  if (!nn::isFloat(element) || add.getActivation() != nn::Activation::none)
    return;
  if (isPartOfFileOp(add))
    return;
  nn::MulOp lhs = getPrivateProduct(add, add.getLhs());
  nn::MulOp rhs = getPrivateProduct(add, add.getRhs());
  if (!lhs && !rhs)
    return;
  // A product of mixed types has no fused form.
  for (nn::MulOp mul : {lhs, rhs})
    if (mul && !llvm::all_of(mul->getOperandTypes(), [&](Type type) {
          return nn::getElementType(type) == element;
        }))
      return;
  OpBuilder builder(add);
  SmallVector<Location> locs;
  for (nn::MulOp mul : {lhs, rhs})
    if (mul)
      locs.push_back(mul.getLoc());
  locs.push_back(add.getLoc());
  Location loc = builder.getFusedLoc(locs);
  Type type = add.getResult().getType();
  Operation *fused;
  if (lhs && rhs) {
    fused = nn::Fma2Op::create(builder, loc, type, lhs.getLhs(), lhs.getRhs(),
                               rhs.getLhs(), rhs.getRhs(), TypeAttr());
  } else {
    nn::MulOp mul = lhs ? lhs : rhs;
    Value addend = lhs ? add.getRhs() : add.getLhs();
    fused = nn::FmaOp::create(builder, loc, type, mul.getLhs(), mul.getRhs(),
                              addend, TypeAttr());
  }
  // Every source op is as good as the first for where to compute.
  fused->setDiscardableAttrs(mergeAttributes(lhs ? lhs : rhs, add));
  remarkPassed(add, kPass, "product")
      << (lhs && rhs ? "fused two products" : "fused a product");
  add.getResult().replaceAllUsesWith(fused->getResult(0));
  add.erase();
  for (nn::MulOp mul : {lhs, rhs})
    if (mul) {
      mul.erase();
      ++numProducts;
    }
}
