//===- LowerRuntimeChecks.cpp - Assertions as a status --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_LOWERRUNTIMECHECKS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {
class LowerRuntimeChecks
    : public cpu::impl::LowerRuntimeChecksBase<LowerRuntimeChecks> {
public:
  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry)
      return;
    SmallVector<cf::AssertOp> checks;
    entry.walk([&](cf::AssertOp check) { checks.push_back(check); });
    if (checks.empty())
      return;
    Value status = getStatus(entry);
    if (!status) {
      entry.emitError("has checks and no argument marked 'nn.status'");
      return signalPassFailure();
    }
    // One exit for all: the number arrives as a block argument.
    auto *exit = new Block;
    entry.getBody().push_back(exit);
    ImplicitLocOpBuilder b(entry.getLoc(), &getContext());
    b.setInsertionPointToStart(exit);
    Value number = exit->addArgument(b.getI64Type(), entry.getLoc());
    Value zero = arith::ConstantIndexOp::create(b, 0);
    memref::StoreOp::create(b, number, status, ValueRange(zero));
    SmallVector<Value> nothing;
    for (Type type : entry.getResultTypes())
      nothing.push_back(ub::PoisonOp::create(b, type));
    func::ReturnOp::create(b, nothing);
    SmallVector<Attribute> list;
    for (cf::AssertOp check : checks) {
      list.push_back(b.getArrayAttr(
          {check.getMsgAttr(), cast<Attribute>(LocationAttr(check.getLoc()))}));
      Block *block = check->getBlock();
      Block *rest = block->splitBlock(check->getNextNode());
      b.setInsertionPoint(check);
      b.setLoc(check.getLoc());
      Value own =
          arith::ConstantIntOp::create(b, b.getI64Type(), int64_t(list.size()));
      cf::CondBranchOp::create(b, check.getArg(), rest, ValueRange(), exit,
                               ValueRange(own));
      check.erase();
    }
    entry->setAttr(kChecksAttr, b.getArrayAttr(list));
  }

private:
  static Value getStatus(func::FuncOp entry) {
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (entry.getArgAttr(i, nn::NNDialect::kStatusAttr))
        return entry.getArgument(i);
    return {};
  }
};
} // namespace
