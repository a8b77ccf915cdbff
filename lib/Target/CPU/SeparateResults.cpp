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

/// A new buffer of `type` with the elements of `buffer`.
static Value emitCopy(OpBuilder &b, Location loc, Value buffer,
                      MemRefType type) {
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.isDynamicDim(unsigned(i)))
      sizes.push_back(memref::DimOp::create(b, loc, buffer, i));
  Value copy = memref::AllocOp::create(b, loc, type, sizes);
  memref::CopyOp::create(b, loc, buffer, copy);
  return copy;
}

/// The buffer that `value` is a reshaped view of, if it is one of our own and
/// all is static and dense.
static memref::AllocOp findReshaped(Value value) {
  auto isDense = [](Value buffer) {
    auto type = cast<MemRefType>(buffer.getType());
    return type.hasStaticShape() && type.getLayout().isIdentity();
  };
  Value source = value;
  while (isDense(source) &&
         isa_and_nonnull<memref::CollapseShapeOp, memref::ExpandShapeOp>(
             source.getDefiningOp()))
    source = source.getDefiningOp()->getOperand(0);
  return source != value && isDense(source)
             ? source.getDefiningOp<memref::AllocOp>()
             : memref::AllocOp();
}

/// Makes `value`, a view of `alloc`, the buffer, and `alloc` a view of it.
static Value swapWithView(memref::AllocOp alloc, Value value) {
  OpBuilder b(alloc);
  Location loc = alloc.getLoc();
  auto buffer = memref::AllocOp::create(
      b, loc, cast<MemRefType>(value.getType()), alloc.getAlignmentAttr());
  MemRefType type = alloc.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  auto view = memref::ReinterpretCastOp::create(b, loc, type, buffer, offset,
                                                type.getShape(), strides);
  alloc.getResult().replaceAllUsesWith(view.getResult());
  alloc.erase();
  return buffer;
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
        auto type = dyn_cast<MemRefType>(operand.get().getType());
        if (!type)
          continue;
        // Bufferization casts a view to the dense layout of results even
        // where strides or the offset are found at run time.
        auto cast = operand.get().getDefiningOp<memref::CastOp>();
        auto source = cast ? dyn_cast<MemRefType>(cast.getSource().getType())
                           : MemRefType();
        if (source && !source.getLayout().isIdentity()) {
          operand.set(emitCopy(builder, op.getLoc(), cast.getSource(), type));
          continue;
        }
        auto origins = aliases.resolveReverse(operand.get());
        if (llvm::any_of(origins,
                         [&](Value value) { return returned.contains(value); }))
          operand.set(emitCopy(builder, op.getLoc(), operand.get(), type));
        else
          returned.insert(origins.begin(), origins.end());
      }
    });
    // Behind the analysis, which knows the buffers as they were.
    getOperation().walk([](func::ReturnOp op) {
      for (OpOperand &operand : op->getOpOperands())
        if (memref::AllocOp alloc = findReshaped(operand.get()))
          operand.set(swapWithView(alloc, operand.get()));
    });
  }
};
} // namespace
