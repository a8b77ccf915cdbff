//===- FuseMatMulEpilogues.cpp - Elementwise functions into matrix products
//===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ElementwiseBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_FUSEMATMULEPILOGUES
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {

/// How an elementwise function of a product reads an operand.
struct Operand {
  enum Kind { Product, Matrix, Column, Constant } kind;
  Value value;
  TypedAttr constant;
};

class FusePattern : public OpRewritePattern<linalg::GenericOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (op.getNumResults() != 1 ||
        op.getNumParallelLoops() != op.getNumLoops() || !hasVectorBody(op))
      return failure();
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    OpOperand *init = op.getDpsInitOperand(0);
    if (!type || !type.getElementType().isF32() ||
        !op.getMatchingIndexingMap(init).isIdentity() ||
        op.payloadUsesValueFromOperand(init))
      return failure();
    MatMulOp product = findProduct(op, type);
    if (!product)
      return failure();
    SmallVector<Operand> operands;
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<Operand> operand = classify(
          product, type, input->get(), op.getMatchingIndexingMap(input));
      if (!operand)
        return failure();
      operands.push_back(*operand);
    }
    fuse(product, op, operands, rewriter);
    return success();
  }

private:
  /// The product of the result's type that only `op` reads, as the last of
  /// those that there are.
  static MatMulOp findProduct(linalg::GenericOp op, RankedTensorType type) {
    MatMulOp best;
    for (OpOperand *input : op.getDpsInputOperands()) {
      auto product = input->get().getDefiningOp<MatMulOp>();
      if (product && product.getResult().getType() == type &&
          product->getBlock() == op->getBlock() &&
          op.getMatchingIndexingMap(input).isIdentity() &&
          llvm::all_of(product->getUsers(),
                       [&](Operation *user) { return user == op; }) &&
          (!best || best->isBeforeInBlock(product)))
        best = product;
    }
    return best;
  }

  static std::optional<Operand> classify(MatMulOp product,
                                         RankedTensorType type, Value value,
                                         AffineMap map) {
    if (TypedAttr constant = getSplat(value))
      return Operand{Operand::Constant, {}, constant};
    auto own = dyn_cast<RankedTensorType>(value.getType());
    if (!own || !own.getElementType().isF32())
      return std::nullopt;
    if (map.isIdentity() && own == type)
      return Operand{value == product.getResult() ? Operand::Product
                                                  : Operand::Matrix,
                     value,
                     {}};
    // One number per column: the last dim, and dims of size 1.
    int64_t rank = type.getRank();
    if (own.getRank() == 0 || !own.hasStaticShape() ||
        own.getNumElements() != type.getDimSize(rank - 1) ||
        map.getResults().back() !=
            getAffineDimExpr(unsigned(rank - 1), map.getContext()) ||
        own.getShape().back() != type.getDimSize(rank - 1))
      return std::nullopt;
    return Operand{Operand::Column, value, {}};
  }

  static void fuse(MatMulOp product, linalg::GenericOp op,
                   ArrayRef<Operand> operands, PatternRewriter &rewriter) {
    ImplicitLocOpBuilder b(
        rewriter.getFusedLoc({product.getLoc(), op.getLoc()}), rewriter);
    b.setInsertionPoint(op);
    SmallVector<Value> extras(product.getExtras());
    for (const Operand &operand : operands) {
      if (operand.kind == Operand::Matrix)
        extras.push_back(operand.value);
      else if (operand.kind == Operand::Column)
        extras.push_back(
            nn::emitReshape(b, operand.value,
                            {cast<RankedTensorType>(operand.value.getType())
                                 .getNumElements()}));
    }
    auto fused = MatMulOp::create(
        b, product.getResult().getType(), product.getLhs(), product.getRhs(),
        extras, product.getInit(), product.getTileAttr(),
        product.getProductsAttr(), product.getUnsignedInput());
    rewriter.inlineRegionBefore(product.getEpilogue(), fused.getEpilogue(),
                                fused.getEpilogue().begin());
    Block &block = fused.getEpilogue().front();
    auto yield = cast<YieldOp>(block.getTerminator());
    b.setInsertionPoint(yield);
    SmallVector<Value> inputs;
    for (const Operand &operand : operands) {
      if (operand.kind == Operand::Product)
        inputs.push_back(yield.getValue());
      else if (operand.kind == Operand::Constant)
        inputs.push_back(arith::ConstantOp::create(b, operand.constant));
      else
        inputs.push_back(block.addArgument(b.getF32Type(), op.getLoc()));
    }
    Value value = cloneBody(b, op, inputs);
    rewriter.modifyOpInPlace(yield,
                             [&] { yield.getValueMutable().assign(value); });
    rewriter.replaceOp(op, fused.getResult());
    rewriter.eraseOp(product);
  }
};

class FuseMatMulEpilogues
    : public cpu::impl::FuseMatMulEpiloguesBase<FuseMatMulEpilogues> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FusePattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
