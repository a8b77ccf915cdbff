//===- RemoveDeadOps.cpp - Remove ops that nothing uses -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace modelwright {
#define GEN_PASS_DEF_REMOVEDEADOPS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

static constexpr StringLiteral kPass = "remove-dead-ops";

namespace {
struct RemoveDeadOps : modelwright::impl::RemoveDeadOpsBase<RemoveDeadOps> {
  void runOnOperation() override;
};
} // namespace

void RemoveDeadOps::runOnOperation() {
  // A set: an op could enter once per result that is freed. What is inside of
  // a dead op goes with it.
  llvm::SetVector<Operation *> worklist;
  getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == getOperation() || !isOpTriviallyDead(op))
      return WalkResult::advance();
    worklist.insert(op);
    return WalkResult::skip();
  });
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    SmallVector<Operation *> producers;
    op->walk([&](Operation *inner) {
      if (inner != op)
        worklist.remove(inner);
      for (Value operand : inner->getOperands())
        if (Operation *producer = operand.getDefiningOp())
          if (!op->isAncestor(producer))
            producers.push_back(producer);
    });
    if (auto constant = dyn_cast<nn::ConstantOp>(op)) {
      auto size = nn::getByteSize(cast<RankedTensorType>(constant.getType()));
      numBytes += size.value_or(0);
    }
    remarkPassed(op, kPass, "dead")
        << remark::add("removed {0}", op->getName().getStringRef());
    op->erase();
    ++numOps;
    for (Operation *producer : producers)
      if (isOpTriviallyDead(producer))
        worklist.insert(producer);
  }
}
