//===- FoldConstants.cpp - Evaluate ops on constants ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.constant dense<2.0>
//   %1 = nn.constant dense<3.0>
//   %2 = nn.mul %0, %1              -->  %2 = nn.constant dense<6.0>
//
// Ops that ConstantEval.h has rules for are evaluated in one sweep in program
// order, with values beside the IR; only those that an op which stays reads
// become constants at the end. What then hangs on constants alone is run, all
// of it at once, if a target that can do so is registered. Both take turns
// until nothing changes: a rule may refuse what a run would compute.
//
//===----------------------------------------------------------------------===//

#include "ConstantEval.h"
#include "Utils.h"
#include "mlir/IR/Verifier.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/ConstantEvaluator.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Transforms/Macs.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace modelwright {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "fold-constants";

namespace {
struct FoldConstants : modelwright::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override;

private:
  void foldByRules(BlobNames &names);
  bool visit(Operation *op);
  const EvalTensor *lookup(Value value);
  bool fits(Operation *op);
  bool spend(Operation *op);
  void release(Operation *op);

  bool foldByRunning(const nn::ConstantEvaluator &evaluator, BlobNames &names);
  bool canRun(Operation *op);
  bool isKnown(Value value);
  void erase(ArrayRef<Operation *> ops);
  bool replace(Value value, nn::ConstantOp constant);
  template <typename... Args>
  void refuse(Operation *op, StringRef name, Args &&...why);

  /// Values of constants and of evaluated ops that an op may still read.
  llvm::DenseMap<Value, std::shared_ptr<const EvalTensor>> values;
  /// Readers of an evaluated op that are not evaluated (yet).
  llvm::DenseMap<Value, int64_t> pending;
  /// Ops that are to be run.
  llvm::SetVector<Operation *> running;
  /// Multiply-accumulates of what was run or is to be.
  uint64_t spentMacs = 0;
  /// Ops that have no value, by a run that found out.
  llvm::DenseSet<Operation *> faulty;
  /// Ops that have a remark.
  llvm::DenseSet<Operation *> refused;
  /// Whether the bytes of a constant are there.
  llvm::DenseMap<Operation *, bool> hasBytes;
};
} // namespace

void FoldConstants::runOnOperation() {
  spentMacs = 0;
  faulty.clear();
  refused.clear();
  hasBytes.clear();
  BlobNames names(getOperation(), "folded");
  auto *dialect = getContext().getLoadedDialect<nn::NNDialect>();
  auto *evaluator =
      dialect ? dialect->getRegisteredInterface<nn::ConstantEvaluator>()
              : nullptr;
  do
    foldByRules(names);
  while (evaluator && foldByRunning(*evaluator, names));
}

/// A remark why `op` stays, once.
template <typename... Args>
void FoldConstants::refuse(Operation *op, StringRef name, Args &&...why) {
  if (refused.insert(op).second)
    remarkMissed(op, kPass, name) << reason(std::forward<Args>(why)...);
}

/// Erases ops that nothing reads any more, and the constants that only these
/// did.
void FoldConstants::erase(ArrayRef<Operation *> ops) {
  llvm::SetVector<Operation *> constants;
  for (Operation *op : llvm::reverse(ops)) {
    if (!op->use_empty())
      continue;
    for (Value operand : op->getOperands())
      if (getConstant(operand))
        constants.insert(operand.getDefiningOp());
    op->erase();
    ++numFolded;
  }
  for (Operation *constant : constants) {
    if (!constant->use_empty())
      continue;
    hasBytes.erase(constant);
    constant->erase();
  }
}

/// Puts `constant` in the place of `value`. Not if an op that reads it is
/// invalid then: a slice that begins before the first element is an error of
/// the run, which may never come to it, and not of the model.
bool FoldConstants::replace(Value value, nn::ConstantOp constant) {
  SmallVector<OpOperand *> uses(llvm::make_pointer_range(value.getUses()));
  for (OpOperand *use : uses)
    use->set(constant.getResult());
  ScopedDiagnosticHandler silent(&getContext(),
                                 [](Diagnostic &) { return success(); });
  if (llvm::all_of(uses, [](OpOperand *use) {
        return succeeded(verify(use->getOwner(), /*verifyRecursively=*/false));
      }))
    return true;
  for (OpOperand *use : uses)
    use->set(value);
  constant->erase();
  refuse(value.getDefiningOp(), "users", "what reads it would be invalid");
  return false;
}

//===----------------------------------------------------------------------===//
// By rules
//===----------------------------------------------------------------------===//

void FoldConstants::foldByRules(BlobNames &names) {
  values.clear();
  pending.clear();
  SmallVector<Operation *> folded;
  getOperation().walk([&](Operation *op) {
    if (canEvaluate(op) && visit(op))
      folded.push_back(op);
  });
  for (Operation *op : folded) {
    Value result = op->getResult(0);
    auto it = values.find(result);
    if (it == values.end())
      continue;
    OpBuilder builder(op);
    auto constant =
        nn::ConstantOp::create(builder, op->getLoc(), it->second->type,
                               it->second->getAttr(names.next()));
    values.erase(it);
    if (!replace(result, constant))
      continue;
    remarkPassed(op, kPass, "fold")
        << remark::add("evaluated {0}", op->getName().getStringRef());
    moveNames(op, constant);
  }
  values.clear();
  erase(folded);
}

/// The value of `value` if it is known.
const EvalTensor *FoldConstants::lookup(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second.get();
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  if (!constant)
    return nullptr;
  std::optional<EvalTensor> tensor = EvalTensor::get(constant);
  if (!tensor)
    return nullptr;
  auto shared = std::make_shared<const EvalTensor>(std::move(*tensor));
  return (values[value] = std::move(shared)).get();
}

/// Whether the model grows by no more than the limit if `op` is evaluated.
bool FoldConstants::fits(Operation *op) {
  uint64_t size = 0, freed = 0;
  for (Type type : op->getResultTypes())
    size += *nn::getByteSize(cast<RankedTensorType>(type));
  llvm::SmallPtrSet<void *, 4> seen;
  for (Value operand : op->getOperands())
    if (seen.insert(operand.getAsOpaquePointer()).second &&
        llvm::all_equal(operand.getUsers()))
      freed += *nn::getByteSize(cast<RankedTensorType>(operand.getType()));
  if (size <= freed || size - freed <= maxGrowthBytes)
    return true;
  refuse(op, "growth",
         "the model would grow by {0} bytes, max-growth-bytes is {1}",
         size - freed, uint64_t(maxGrowthBytes));
  return false;
}

/// Evaluates `op` if all operands are known.
bool FoldConstants::visit(Operation *op) {
  if (op->use_empty() || isPartOfFileOp(op))
    return false;
  SmallVector<const EvalTensor *> operands;
  for (Value operand : op->getOperands()) {
    const EvalTensor *tensor = lookup(operand);
    if (!tensor && getConstant(operand))
      refuse(op, "bytes", "the bytes of a constant are missing");
    if (!tensor)
      return false;
    operands.push_back(tensor);
  }
  if (!fits(op))
    return false;
  std::optional<EvalTensor> result = evaluate(op, operands);
  if (!result) {
    refuse(op, "value", "a value has no exact result in the result's type");
    return false;
  }
  Value value = op->getResult(0);
  pending[value] = std::distance(value.use_begin(), value.use_end());
  values[value] = std::make_shared<const EvalTensor>(std::move(*result));
  release(op);
  return true;
}

/// Frees the operands of an evaluated op that nothing else reads.
void FoldConstants::release(Operation *op) {
  for (Value operand : op->getOperands()) {
    auto it = pending.find(operand);
    if (it != pending.end() && --it->second == 0)
      values.erase(operand);
  }
}

//===----------------------------------------------------------------------===//
// By running
//===----------------------------------------------------------------------===//

/// Whether `value` is a constant whose bytes are there, or will be one.
bool FoldConstants::isKnown(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  auto constant = dyn_cast<nn::ConstantOp>(op);
  if (!constant)
    return running.contains(op);
  auto [it, isNew] = hasBytes.try_emplace(op, true);
  if (isNew && !constant.getValue().isSplat()) {
    SmallVector<char> storage;
    it->second = nn::getRawBytes(constant.getValue(), storage).has_value();
  }
  return it->second;
}

/// Takes the work of `op` from what the function may spend on runs, if so much
/// is left.
bool FoldConstants::spend(Operation *op) {
  uint64_t macs = getMacs(op);
  uint64_t total = llvm::SaturatingAdd(spentMacs, macs);
  if (macs == 0 || total <= maxRunMacs) {
    spentMacs = total;
    return true;
  }
  refuse(op, "work",
         "it takes {0} multiply-accumulates, max-run-macs leaves {1} of {2}",
         macs, maxRunMacs - std::min<uint64_t>(spentMacs, maxRunMacs),
         uint64_t(maxRunMacs));
  return false;
}

/// Whether `op` hangs on constants alone and is one to run.
bool FoldConstants::canRun(Operation *op) {
  if (!isa_and_nonnull<nn::NNDialect>(op->getDialect()) ||
      op->getNumOperands() == 0 || op->use_empty() || isPartOfFileOp(op) ||
      faulty.contains(op) ||
      !llvm::all_of(op->getOperands(), [&](Value v) { return isKnown(v); }))
    return false;
  // An identity may be there for the second name of an output, and a copy says
  // on what device its value lies.
  if (isa<nn::CopyOp>(op) || (isa<nn::IdentityOp>(op) && leavesGraph(op)))
    return false;
  // A rule has refused it. Casts are left to the rules in any case: these know
  // which values have no exact result.
  if (canEvaluate(op) &&
      (isa<nn::CastOp>(op) || llvm::all_of(op->getOperands(), getConstant)))
    return false;
  if (isa<nn::ForeignOp>(op)) {
    refuse(op, "foreign", "what it computes is not known");
    return false;
  }
  if (!isPure(op) || op->getNumRegions() != 0 ||
      isa<SymbolUserOpInterface>(op)) {
    refuse(op, "effects", "it does more than to compute its results");
    return false;
  }
  auto hasSize = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && nn::getByteSize(tensor);
  };
  if (!llvm::all_of(op->getResultTypes(), hasSize)) {
    refuse(op, "shape", "the size of a result is not known");
    return false;
  }
  // Names of the results of one op are the format's business.
  if (op->getNumResults() != 1 && leavesGraph(op)) {
    refuse(op, "names", "one of several results leaves the graph");
    return false;
  }
  return fits(op) && spend(op);
}

/// Replaces what hangs on constants alone and has no rule. Whether there is
/// reason to look again.
bool FoldConstants::foldByRunning(const nn::ConstantEvaluator &evaluator,
                                  BlobNames &names) {
  running.clear();
  if (getOperation().isExternal())
    return false;
  for (Operation &op : getOperation().front())
    if (canRun(&op))
      running.insert(&op);
  if (running.empty())
    return false;
  if (running.size() > maxRunOps) {
    refuse(running.front(), "ops",
           "{0} ops hang on constants alone, max-run-ops is {1}",
           running.size(), uint64_t(maxRunOps));
    return false;
  }
  SmallVector<Value> roots;
  for (Operation *op : running)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !running.contains(user);
          }))
        roots.push_back(result);
  bool isChanged = false;
  for (auto [root, evaluation] : llvm::zip_equal(
           roots, evaluator.evaluate(roots, [&] { return names.next(); }))) {
    Operation *op = root.getDefiningOp();
    if (!evaluation.value) {
      Operation *culprit = evaluation.culprit ? evaluation.culprit : op;
      refuse(culprit, "run", "{0}", evaluation.reason);
      isChanged |= evaluation.culprit && faulty.insert(culprit).second;
      continue;
    }
    OpBuilder builder(op);
    auto constant = nn::ConstantOp::create(
        builder, op->getLoc(), cast<RankedTensorType>(root.getType()),
        evaluation.value);
    if (!replace(root, constant)) {
      isChanged |= faulty.insert(op).second;
      continue;
    }
    remarkPassed(op, kPass, "run")
        << remark::add("evaluated {0}", op->getName().getStringRef());
    if (op->getNumResults() == 1)
      moveNames(op, constant);
    isChanged = true;
  }
  SmallVector<Operation *> ops = running.takeVector();
  numRun += llvm::count_if(ops, [](Operation *op) { return op->use_empty(); });
  erase(ops);
  return isChanged;
}
