//===- NumberOps.cpp - Op numbers in locations ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_NUMBEROPS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

namespace {
class NumberOps : public cpu::impl::NumberOpsBase<NumberOps> {
public:
  void runOnOperation() override {
    Builder builder(&getContext());
    int64_t number = 0;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isa_and_nonnull<nn::NNDialect>(op->getDialect()))
        op->setLoc(FusedLoc::get({op->getLoc()},
                                 builder.getI64IntegerAttr(number++),
                                 &getContext()));
    });
  }
};
} // namespace
