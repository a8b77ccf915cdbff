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
// One sweep in program order keeps values beside the IR; only those that an
// op which stays reads become constants at the end.
//
//===----------------------------------------------------------------------===//

#include "ConstantEval.h"
#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

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
  bool visit(Operation *op);
  const EvalTensor *lookup(Value value);
  bool fits(Operation *op, ArrayRef<const EvalTensor *> operands);
  void release(Operation *op);

  /// Values of constants and of evaluated ops that an op may still read.
  llvm::DenseMap<Value, std::shared_ptr<const EvalTensor>> values;
  /// Readers of an evaluated op that are not evaluated (yet).
  llvm::DenseMap<Value, int64_t> pending;
};
} // namespace

void FoldConstants::runOnOperation() {
  values.clear();
  pending.clear();
  SmallVector<Operation *> folded;
  getOperation().walk([&](Operation *op) {
    if (canEvaluate(op) && visit(op))
      folded.push_back(op);
  });
  BlobNames names(getOperation(), "folded");
  for (Operation *op : folded) {
    Value result = op->getResult(0);
    auto it = values.find(result);
    if (it == values.end())
      continue;
    remarkPassed(op, kPass, "fold")
        << remark::add("evaluated {0}", op->getName().getStringRef());
    OpBuilder builder(op);
    auto constant =
        nn::ConstantOp::create(builder, op->getLoc(), it->second->type,
                               it->second->getAttr(names.next()));
    moveNames(op, constant);
    result.replaceAllUsesWith(constant.getResult());
    values.erase(it);
  }
  values.clear();
  llvm::SetVector<Value> operands;
  for (Operation *op : llvm::reverse(folded)) {
    for (Value operand : op->getOperands())
      if (getConstant(operand))
        operands.insert(operand);
    op->erase();
    ++numFolded;
  }
  llvm::for_each(operands, eraseIfUnused);
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
bool FoldConstants::fits(Operation *op, ArrayRef<const EvalTensor *> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  uint64_t size = *nn::getByteSize(type), freed = 0;
  llvm::SmallPtrSet<void *, 4> seen;
  for (auto [operand, tensor] : llvm::zip_equal(op->getOperands(), operands))
    if (seen.insert(operand.getAsOpaquePointer()).second &&
        llvm::all_equal(operand.getUsers()))
      freed += tensor->getByteSize();
  if (size <= freed || size - freed <= maxGrowthBytes)
    return true;
  remarkMissed(op, kPass, "growth")
      << reason("the model would grow by {0} bytes, max-growth-bytes is {1}",
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
      remarkMissed(op, kPass, "bytes")
          << reason("the bytes of a constant are missing");
    if (!tensor)
      return false;
    operands.push_back(tensor);
  }
  if (!fits(op, operands))
    return false;
  std::optional<EvalTensor> result = evaluate(op, operands);
  if (!result) {
    remarkMissed(op, kPass, "value")
        << reason("a value has no exact result in the result's type");
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
