//===- AddThreadPool.cpp - A pool for the entry function ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_ADDTHREADPOOL
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {
class AddThreadPool : public cpu::impl::AddThreadPoolBase<AddThreadPool> {
public:
  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry)
      return;
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      if (entry.getArgAttr(i, kPoolAttr))
        return;
    Builder builder(&getContext());
    NamedAttribute mark(kPoolAttr, builder.getUnitAttr());
    if (failed(entry.insertArgument(
            entry.getNumArguments(), LLVM::LLVMPointerType::get(&getContext()),
            builder.getDictionaryAttr(mark), entry.getLoc())))
      signalPassFailure();
  }
};
} // namespace
