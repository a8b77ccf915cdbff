//===- ParallelizeKernels.cpp - Kernels shared among threads --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
//   llvm.call @conv2d_0(%in, %weights, %out, %zero, %zero, %count)
//
// becomes
//
//   store %in, %weights, %out into a structure on the stack
//   llvm.call @mw_parallel_for(%pool, @conv2d_0_task, %structure, %count,
//                              %threads)
//
// with a function conv2d_0_task(structure, thread, begin, end) that calls the
// kernel with what the structure holds.
//

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_PARALLELIZEKERNELS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Arguments behind those of a kernel itself: thread, begin and end.
static constexpr unsigned kRangeArguments = 3;

/// The function's argument that is the pool, or null.
static Value getPool(LLVM::LLVMFuncOp function) {
  if (function.isExternal())
    return {};
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, kPoolAttr))
      return function.getArgument(i);
  return {};
}

namespace {
class ParallelizeKernels
    : public cpu::impl::ParallelizeKernelsBase<ParallelizeKernels> {
public:
  using ParallelizeKernelsBase::ParallelizeKernelsBase;

  void runOnOperation() override {
    SymbolTable table(getOperation());
    symbols = &table;
    tasks.clear();
    SmallVector<LLVM::LLVMFuncOp> functions(
        getOperation().getOps<LLVM::LLVMFuncOp>());
    for (LLVM::LLVMFuncOp function : functions)
      if (Value pool = getPool(function))
        rewrite(function, pool);
  }

private:
  /// The kernel that is called, if it is worth to be shared.
  LLVM::LLVMFuncOp getKernel(LLVM::CallOp call) {
    std::optional<StringRef> name = call.getCallee();
    auto kernel = name ? symbols->lookup<LLVM::LLVMFuncOp>(*name) : nullptr;
    auto units =
        kernel ? kernel->getAttrOfType<DenseI64ArrayAttr>(kUnitsAttr) : nullptr;
    if (!units || units[0] < 2 || units[1] < minCost)
      return {};
    return kernel;
  }

  void rewrite(LLVM::LLVMFuncOp function, Value pool) {
    SmallVector<std::pair<LLVM::CallOp, LLVM::LLVMFuncOp>> calls;
    unsigned words = 1;
    function.walk([&](LLVM::CallOp call) {
      if (LLVM::LLVMFuncOp kernel = getKernel(call)) {
        calls.emplace_back(call, kernel);
        words = std::max(words, kernel.getNumArguments() - kRangeArguments);
      }
    });
    if (calls.empty())
      return;
    numCalls += calls.size();
    ImplicitLocOpBuilder b(function.getLoc(), &getContext());
    b.setInsertionPointToStart(&function.getBody().front());
    // One structure for all: a word for each argument, whatever its type.
    Value one = constant(b, 1);
    Value structure = LLVM::AllocaOp::create(
        b, pool.getType(), LLVM::LLVMArrayType::get(b.getI64Type(), words),
        one);
    for (auto [call, kernel] : calls) {
      b.setInsertionPoint(call);
      b.setLoc(call.getLoc());
      unsigned count = kernel.getNumArguments() - kRangeArguments;
      for (unsigned i = 0; i < count; ++i)
        LLVM::StoreOp::create(b, call.getArgOperands()[i],
                              getWord(b, structure, i));
      Value task = LLVM::AddressOfOp::create(b, getTask(kernel));
      auto units = kernel->getAttrOfType<DenseI64ArrayAttr>(kUnitsAttr);
      LLVM::CallOp::create(b, getParallelFor(),
                           ValueRange{pool, task, structure,
                                      constant(b, units[0]),
                                      constant(b, threads)});
      call.erase();
    }
  }

  static Value constant(ImplicitLocOpBuilder &b, int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI64IntegerAttr(value));
  }

  static Value getWord(ImplicitLocOpBuilder &b, Value structure,
                       unsigned index) {
    return LLVM::GEPOp::create(
        b, structure.getType(), b.getI64Type(), structure,
        ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(index)});
  }

  /// The function that calls `kernel` with the words of a structure.
  LLVM::LLVMFuncOp getTask(LLVM::LLVMFuncOp kernel) {
    LLVM::LLVMFuncOp &task = tasks[kernel];
    if (task)
      return task;
    ImplicitLocOpBuilder b(kernel.getLoc(), &getContext());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(&getContext()),
        {pointer, b.getI64Type(), b.getI64Type(), b.getI64Type()});
    task = LLVM::LLVMFuncOp::create(b, (kernel.getName() + "_task").str(), type,
                                    LLVM::Linkage::Internal);
    symbols->insert(task);
    b.setInsertionPointToStart(task.addEntryBlock(b));
    SmallVector<Value> operands;
    unsigned count = kernel.getNumArguments() - kRangeArguments;
    for (unsigned i = 0; i < count; ++i)
      operands.push_back(LLVM::LoadOp::create(
          b, kernel.getArgumentTypes()[i], getWord(b, task.getArgument(0), i)));
    llvm::append_range(operands, task.getArguments().drop_front());
    LLVM::CallOp::create(b, kernel, operands);
    LLVM::ReturnOp::create(b, ValueRange());
    return task;
  }

  LLVM::LLVMFuncOp getParallelFor() {
    constexpr StringLiteral name = "mw_parallel_for";
    if (auto known = symbols->lookup<LLVM::LLVMFuncOp>(name))
      return known;
    OpBuilder b(&getContext());
    auto pointer = LLVM::LLVMPointerType::get(&getContext());
    auto type = LLVM::LLVMFunctionType::get(
        LLVM::LLVMVoidType::get(&getContext()),
        {pointer, pointer, pointer, b.getI64Type(), b.getI64Type()});
    auto function =
        LLVM::LLVMFuncOp::create(b, getOperation().getLoc(), name, type);
    symbols->insert(function);
    return function;
  }

  SymbolTable *symbols = nullptr;
  llvm::DenseMap<Operation *, LLVM::LLVMFuncOp> tasks;
};
} // namespace
