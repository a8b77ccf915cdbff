//===- InlineBranches.cpp - Branches that constants choose ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %c = nn.constant dense<true>
//   %0 = nn.if %c then @a else @b (%x)      -->  the ops of @a
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/PassManager.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_INLINEBRANCHES
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "inline-branches";

namespace {
struct InlineBranches : modelwright::impl::InlineBranchesBase<InlineBranches> {
  void runOnOperation() override;

private:
  /// One sweep; whether anything changed.
  bool inlineAll(bool remarks);
  bool inlineCall(Operation *op, func::FuncOp callee, bool remarks);
  void replace(Operation *op, ValueRange values,
               const llvm::DenseSet<Operation *> &made);
  /// Removes private functions that nothing calls any more.
  void removeUnused(ArrayRef<StringAttr> symbols);
};
} // namespace

void InlineBranches::runOnOperation() {
  // What was inlined may bring the constants that choose the next one.
  for (bool changed = inlineAll(/*remarks=*/false); changed;) {
    OpPassManager pm(ModuleOp::getOperationName());
    pm.addNestedPass<func::FuncOp>(createFoldConstants());
    if (failed(runPipeline(pm, getOperation())))
      return signalPassFailure();
    changed = inlineAll(/*remarks=*/false);
  }
  inlineAll(/*remarks=*/true);
}

/// The one element of a constant, as an integer.
static std::optional<int64_t> getNumber(Value value) {
  ElementsAttr attr = getConstant(value);
  if (!attr || attr.getNumElements() != 1)
    return std::nullopt;
  if (nn::KnownInts ints = nn::readInts(attr, 1))
    return ints->front();
  if (std::optional<SmallVector<float>> floats = nn::readFloats(attr))
    return floats->front() != 0.0f;
  return std::nullopt;
}

/// The function that `op` surely calls, once; null if that is open.
static FlatSymbolRefAttr getOnlyCallee(Operation *op) {
  if (auto branch = dyn_cast<nn::IfOp>(op)) {
    std::optional<int64_t> number = getNumber(branch.getCondition());
    if (number)
      return *number ? branch.getThenBranchAttr() : branch.getElseBranchAttr();
  } else if (auto branches = dyn_cast<nn::CaseOp>(op)) {
    SmallVector<FlatSymbolRefAttr> callees = nn::getCallees(op);
    std::optional<int64_t> number = getNumber(branches.getIndex());
    if (number)
      return *number >= 0 && static_cast<size_t>(*number) < callees.size()
                 ? callees[*number]
                 : callees.back();
  } else if (auto call = dyn_cast<nn::CallOp>(op)) {
    return call.getCalleeAttr();
  }
  return {};
}

bool InlineBranches::inlineAll(bool remarks) {
  SymbolTable symbols(getOperation());
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) {
    if (!nn::getCallees(op).empty())
      ops.push_back(op);
  });
  bool changed = false;
  for (Operation *op : ops) {
    SmallVector<StringAttr> callees;
    for (FlatSymbolRefAttr callee : nn::getCallees(op))
      callees.push_back(callee.getAttr());
    FlatSymbolRefAttr symbol = getOnlyCallee(op);
    auto callee = symbol ? symbols.lookup<func::FuncOp>(symbol.getAttr())
                         : func::FuncOp();
    if (auto loop = dyn_cast<nn::WhileOp>(op)) {
      // A loop whose condition is a constant runs never or for ever.
      auto cond = symbols.lookup<func::FuncOp>(loop.getCondAttr().getAttr());
      std::optional<int64_t> number =
          cond && !cond.isExternal()
              ? getNumber(cond.front().getTerminator()->getOperand(0))
              : std::nullopt;
      if (number != 0 ||
          loop.getInputs().getTypes() != loop.getOutputs().getTypes())
        continue;
      remarkPassed(op, kPass, "loop") << remark::add("it never runs");
      replace(op, loop.getInputs(), {});
    } else if (!callee || callee.isExternal() ||
               !inlineCall(op, callee, remarks)) {
      continue;
    }
    changed = true;
    ++numInlined;
    removeUnused(callees);
    // Functions may have gone with ops of the list.
    return true;
  }
  return changed;
}

bool InlineBranches::inlineCall(Operation *op, func::FuncOp callee,
                                bool remarks) {
  auto refuse = [&](StringRef what) {
    if (remarks)
      remarkMissed(op, kPass, "call") << reason("{0}", what);
    return false;
  };
  if (callee == op->getParentOfType<func::FuncOp>())
    return refuse("the graph calls itself");
  // A copy for each caller could be a much larger model.
  if (isa<nn::CallOp>(op)) {
    std::optional<SymbolTable::UseRange> uses =
        callee.getSymbolUses(getOperation());
    if (!uses || !llvm::hasSingleElement(*uses))
      return refuse("others call the graph as well");
  }
  ValueRange inputs = op->getOperands();
  if (!isa<nn::CallOp>(op))
    inputs = inputs.drop_front();
  if (inputs.getTypes() != TypeRange(callee.getArgumentTypes()) ||
      op->getResultTypes() != TypeRange(callee.getResultTypes()))
    return refuse("the types of the graph and of its call differ");

  remarkPassed(op, kPass, "inline")
      << remark::add("inlined {0}", callee.getName());
  IRMapping mapping;
  mapping.map(callee.getArguments(), inputs);
  OpBuilder builder(op);
  auto caller = op->getAttrOfType<StringAttr>(ge::attr::kName);
  llvm::DenseSet<Operation *> made;
  for (Operation &inner : callee.front().without_terminator()) {
    Operation *copy = builder.clone(inner, mapping);
    made.insert(copy);
    // Places and names are those of another graph.
    copy->removeDiscardableAttr(ge::attr::kIndex);
    if (auto name = copy->getAttrOfType<StringAttr>(ge::attr::kName))
      copy->setDiscardableAttr(
          ge::attr::kName,
          builder.getStringAttr((caller ? caller.getValue() : "call") + "/" +
                                name.getValue()));
  }
  SmallVector<Value> results;
  for (Value result : callee.front().getTerminator()->getOperands())
    results.push_back(mapping.lookup(result));
  replace(op, results, made);
  return true;
}

void InlineBranches::replace(Operation *op, ValueRange values,
                             const llvm::DenseSet<Operation *> &made) {
  SmallVector<Value> results(values);
  // An output keeps the name that it had: the op that computes it takes it, or
  // a copy of what another op computes.
  if (leavesGraph(op) && op->getNumResults() == 1) {
    Operation *producer = results[0].getDefiningOp();
    bool hasName = llvm::any_of(op->getDiscardableAttrs(), [](auto attr) {
      return isNameAttribute(attr.getName());
    });
    if (hasName && (!producer || !made.contains(producer) ||
                    producer->getNumResults() != 1 ||
                    producer->hasAttr(ge::attr::kImplicit))) {
      OpBuilder builder(op);
      producer = nn::CopyOp::create(builder, op->getLoc(), results[0].getType(),
                                    results[0]);
      results[0] = producer->getResult(0);
    }
    if (hasName)
      moveNames(op, producer);
  }
  SmallVector<Value> operands(op->getOperands());
  op->replaceAllUsesWith(results);
  op->erase();
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value operand : operands)
    if (getConstant(operand) &&
        seen.insert(operand.getAsOpaquePointer()).second)
      eraseIfUnused(operand);
}

void InlineBranches::removeUnused(ArrayRef<StringAttr> symbols) {
  SmallVector<StringAttr> work(symbols);
  while (!work.empty()) {
    auto func = getOperation().lookupSymbol<func::FuncOp>(work.pop_back_val());
    if (!func || !func.isPrivate() ||
        !SymbolTable::symbolKnownUseEmpty(func, getOperation()))
      continue;
    func.walk([&](Operation *op) {
      for (FlatSymbolRefAttr callee : nn::getCallees(op))
        work.push_back(callee.getAttr());
    });
    func.erase();
    ++numFunctions;
  }
}
