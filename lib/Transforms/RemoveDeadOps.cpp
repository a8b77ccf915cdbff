//===- RemoveDeadOps.cpp - Remove ops that nothing uses -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace modelwright {
#define GEN_PASS_DEF_REMOVEDEADOPS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

static constexpr StringLiteral kPass = "remove-dead-ops";

namespace {
struct RemoveDeadOps : modelwright::impl::RemoveDeadOpsBase<RemoveDeadOps> {
  using RemoveDeadOpsBase::RemoveDeadOpsBase;

  void runOnOperation() override;
};
} // namespace

/// The ops of a GE file that the others name as inputs ("name:index"). What an
/// op says by its attributes may be a constant there, which then has no user
/// here.
static llvm::StringSet<> getNamedInputs(func::FuncOp func) {
  llvm::StringSet<> names;
  func.walk([&](Operation *op) {
    auto dict = op->getAttrOfType<DictionaryAttr>(ge::attr::kOp);
    auto inputs = dict ? dict.getAs<ArrayAttr>("input") : ArrayAttr();
    for (Attribute input : inputs ? inputs.getValue() : ArrayRef<Attribute>())
      if (auto text = dyn_cast<StringAttr>(input))
        names.insert(text.getValue().rsplit(':').first);
  });
  return names;
}

/// The name of a constant of a GE file, else null.
static StringAttr getNodeName(Operation *op) {
  return isa<nn::ConstantOp>(op)
             ? op->getAttrOfType<StringAttr>(ge::attr::kName)
             : StringAttr();
}

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
  llvm::SetVector<Operation *> waiting;
  auto remove = [&](Operation *op) {
    SmallVector<Operation *> producers;
    op->walk([&](Operation *inner) {
      if (inner != op) {
        worklist.remove(inner);
        waiting.remove(inner);
      }
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
  };
  // Constants of GE files wait until it is known which of their readers stay.
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (keepNamed && getNodeName(op))
      waiting.insert(op);
    else
      remove(op);
  }
  if (waiting.empty())
    return;
  llvm::StringSet<> named = getNamedInputs(getOperation());
  for (Operation *op : waiting.takeVector())
    if (!named.contains(getNodeName(op).getValue()))
      remove(op);
}
