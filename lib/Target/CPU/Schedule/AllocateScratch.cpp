//===- AllocateScratch.cpp - Memory that kernels work in ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Kernels/Strassen.h"
#include "../Kernels/Winograd.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_ALLOCATESCRATCH
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {
class AllocateScratch : public cpu::impl::AllocateScratchBase<AllocateScratch> {
public:
  using AllocateScratchBase::AllocateScratchBase;

  void runOnOperation() override {
    getOperation().walk([&](Conv2DOp op) {
      if (op.getAlgorithm() == Algorithm::direct || op.getScratch() ||
          !op.hasPureBufferSemantics())
        return;
      OpBuilder builder(op);
      Value scratch =
          memref::AllocOp::create(builder, op.getLoc(), getType(op));
      op.getScratchMutable().assign(scratch);
    });
  }

private:
  MemRefType getType(Conv2DOp op) {
    if (op.getAlgorithm() == Algorithm::strassen)
      return StrassenScratch::get(op).getType();
    // Threads that share a tile share its memory.
    int64_t parts = countWinogradParts(op) == 1 ? threads : 1;
    return WinogradScratch::get(op).getType(parts);
  }
};
} // namespace
