//===- SplitDestinations.cpp - A destination for each op ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %e = tensor.empty()                 %e0 = tensor.empty()
//   %0 = linalg.exp outs(%e)       -->  %e1 = tensor.empty()
//   %1 = linalg.exp outs(%e)            %0 = linalg.exp outs(%e0)
//                                       %1 = linalg.exp outs(%e1)
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_SPLITDESTINATIONS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

/// Gives each of `uses` but the first a copy of `op`; how many there are.
/// Copies stand where `op` does: within a loop, each turn would allocate.
static unsigned split(Operation *op, ArrayRef<OpOperand *> uses) {
  OpBuilder builder(op);
  for (OpOperand *use : uses.drop_front())
    use->set(builder.clone(*op)->getResult(0));
  return unsigned(uses.size()) - 1;
}

/// The uses of `op`'s result, in the order of the program as far as MLIR keeps
/// it: the list of uses has the last one first.
static SmallVector<OpOperand *> getUses(Operation *op) {
  SmallVector<OpOperand *> uses(llvm::make_pointer_range(op->getUses()));
  return {uses.rbegin(), uses.rend()};
}

static bool isDestination(OpOperand *use) {
  auto op = dyn_cast<DestinationStyleOpInterface>(use->getOwner());
  return op && op.isDpsInit(use);
}

namespace {
class SplitDestinations
    : public cpu::impl::SplitDestinationsBase<SplitDestinations> {
public:
  using SplitDestinationsBase::SplitDestinationsBase;

  void runOnOperation() override {
    // Fills before what they fill.
    SmallVector<Operation *> fills, empties;
    getOperation().walk([&](Operation *op) {
      if (isa<linalg::FillOp>(op))
        fills.push_back(op);
      else if (isa<tensor::EmptyOp>(op))
        empties.push_back(op);
    });
    for (Operation *fill : fills) {
      SmallVector<OpOperand *> uses = getUses(fill), written;
      llvm::copy_if(uses, std::back_inserter(written), isDestination);
      // Those who only read it share the original.
      if (written.size() != uses.size())
        written.insert(written.begin(), nullptr);
      if (!written.empty())
        numSplit += split(fill, written);
    }
    for (Operation *empty : empties) {
      SmallVector<OpOperand *> uses = getUses(empty);
      if (!uses.empty())
        numSplit += split(empty, uses);
    }
  }
};
} // namespace
