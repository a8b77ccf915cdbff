//===- SplitEmptyTensors.cpp - A destination for each op ------------------===//
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
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_SPLITEMPTYTENSORS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

namespace {
class SplitEmptyTensors
    : public cpu::impl::SplitEmptyTensorsBase<SplitEmptyTensors> {
public:
  using SplitEmptyTensorsBase::SplitEmptyTensorsBase;

  void runOnOperation() override {
    SmallVector<tensor::EmptyOp> shared;
    getOperation().walk([&](tensor::EmptyOp empty) {
      if (!empty->use_empty() && !empty->hasOneUse())
        shared.push_back(empty);
    });
    for (tensor::EmptyOp empty : shared) {
      // Where the shared one is: within a loop, each turn would allocate.
      OpBuilder builder(empty);
      SmallVector<OpOperand *> uses(llvm::make_pointer_range(empty->getUses()));
      // The list of uses has the last one first.
      for (OpOperand *use : llvm::reverse(ArrayRef(uses).drop_back())) {
        use->set(builder.clone(*empty)->getResult(0));
        ++numSplit;
      }
    }
  }
};
} // namespace
