//===- SeparateResults.cpp - A buffer for each result ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_SEPARATERESULTS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

/// A new buffer with the elements of `buffer`.
static Value emitCopy(OpBuilder &b, Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(unsigned(i)))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, i));
  Value copy = memref::AllocOp::create(b, loc, type, sizes);
  memref::CopyOp::create(b, loc, buffer, copy);
  return copy;
}

namespace {
class SeparateResults : public cpu::impl::SeparateResultsBase<SeparateResults> {
public:
  void runOnOperation() override {
    BufferViewFlowAnalysis aliases(getOperation());
    getOperation().walk([&](func::ReturnOp op) {
      OpBuilder builder(op);
      // All that earlier results may be views of.
      llvm::DenseSet<Value> returned;
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<MemRefType>(operand.get().getType()))
          continue;
        auto origins = aliases.resolveReverse(operand.get());
        if (llvm::any_of(origins,
                         [&](Value value) { return returned.contains(value); }))
          operand.set(emitCopy(builder, op.getLoc(), operand.get()));
        else
          returned.insert(origins.begin(), origins.end());
      }
    });
  }
};
} // namespace
