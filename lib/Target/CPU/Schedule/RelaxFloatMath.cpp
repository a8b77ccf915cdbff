//===- RelaxFloatMath.cpp - Float arithmetic that vectors can do ----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_RELAXFLOATMATH
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

/// Lets the sums of a reduction be added in any order.
static void relaxReduction(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  for (Operation &inner : op->getRegion(0).front()) {
    auto arithmetic = dyn_cast<arith::ArithFastMathInterface>(inner);
    if (!arithmetic || !isa<arith::AddFOp, arith::MulFOp>(inner))
      continue;
    inner.setAttr(arithmetic.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(
                      op.getContext(), arith::FastMathFlags::reassoc |
                                           arith::FastMathFlags::contract));
  }
}

/// Makes the maxima and minima of a reduction LLVM's intrinsics. They mean the
/// same, but arith-expand would make comparisons and choices of them, in which
/// LLVM's vectorizer finds no reduction.
static void useIntrinsics(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  for (Operation &inner :
       llvm::make_early_inc_range(op->getRegion(0).front())) {
    if (!isa<arith::MaximumFOp, arith::MinimumFOp>(inner) ||
        !isa<Float32Type, Float64Type>(inner.getResult(0).getType()))
      continue;
    OpBuilder b(&inner);
    Value lhs = inner.getOperand(0), rhs = inner.getOperand(1);
    Value result =
        isa<arith::MaximumFOp>(inner)
            ? Value(LLVM::MaximumOp::create(b, inner.getLoc(), lhs, rhs))
            : Value(LLVM::MinimumOp::create(b, inner.getLoc(), lhs, rhs));
    inner.getResult(0).replaceAllUsesWith(result);
    inner.erase();
  }
}

namespace {
class RelaxFloatMath : public cpu::impl::RelaxFloatMathBase<RelaxFloatMath> {
public:
  void runOnOperation() override {
    getOperation().walk([](linalg::LinalgOp op) {
      relaxReduction(op);
      useIntrinsics(op);
    });
    RewritePatternSet patterns(&getContext());
    // Not sin and cos: their polynomials lose all accuracy for large arguments,
    // and half of it for small negative ones.
    auto isWanted = [](StringRef name) {
      return llvm::is_contained({"math.exp", "math.expm1", "math.log",
                                 "math.log1p", "math.tanh", "math.erf"},
                                name);
    };
    populateMathPolynomialApproximationPatterns(patterns, isWanted);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
