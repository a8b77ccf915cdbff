//===- FuseEpilogues.cpp - Elementwise functions into kernels -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_FUSEEPILOGUES
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Operands that are read twice become one.
static LogicalResult mergeEqualExtras(EltwiseOp op, PatternRewriter &rewriter) {
  for (unsigned i = 0; i < op.getExtras().size(); ++i) {
    for (unsigned j = i + 1; j < op.getExtras().size(); ++j) {
      if (op.getExtras()[i] != op.getExtras()[j])
        continue;
      rewriter.modifyOpInPlace(op, [&] {
        Block &block = op.getEpilogue().front();
        rewriter.replaceAllUsesWith(block.getArgument(j), block.getArgument(i));
        block.eraseArgument(j);
        SmallVector<Attribute> halos(op.getExtraHalos().getValue());
        halos.erase(halos.begin() + j);
        op.setExtraHalosAttr(rewriter.getArrayAttr(halos));
        op.getExtrasMutable().erase(j);
      });
      return success();
    }
  }
  return failure();
}

static ArrayRef<int64_t> getShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// Whether `value` is read by `reader` alone, and once.
static bool isReadOnce(Value value, Operation *reader) {
  return value.hasOneUse() && *value.getUsers().begin() == reader;
}

/// `producer` with the region of `consumer`, which reads its result as extra
/// number `index`, behind its own; `sums` region arguments are not extras.
template <typename OpT>
static void fuse(OpT producer, EltwiseOp consumer, unsigned index,
                 unsigned sums, PatternRewriter &rewriter) {
  Location loc = rewriter.getFusedLoc({producer.getLoc(), consumer.getLoc()});
  rewriter.setInsertionPoint(consumer);
  auto fused = cast<OpT>(rewriter.cloneWithoutRegions(*producer));
  fused->setLoc(loc);
  Region &region = fused.getEpilogue();
  rewriter.inlineRegionBefore(producer.getEpilogue(), region, region.begin());
  Block &block = region.front();
  Block &tail = consumer.getEpilogue().front();

  SmallVector<Value> extras(producer.getExtras());
  SmallVector<Attribute> halos(producer.getExtraHalos().getValue());
  SmallVector<Value> replacements;
  auto yield = cast<YieldOp>(block.getTerminator());
  for (unsigned i = 0; i < consumer.getExtras().size(); ++i) {
    if (i == index) {
      replacements.push_back(yield.getValue());
      continue;
    }
    Value extra = consumer.getExtras()[i];
    // What both read is read once.
    auto *known = llvm::find(extras, extra);
    if (known != extras.end()) {
      replacements.push_back(
          block.getArgument(sums + (known - extras.begin())));
      continue;
    }
    extras.push_back(extra);
    halos.push_back(consumer.getExtraHalos()[i]);
    replacements.push_back(
        block.addArgument(tail.getArgument(i).getType(), consumer.getLoc()));
  }
  rewriter.eraseOp(yield);
  rewriter.mergeBlocks(&tail, &block, replacements);
  rewriter.modifyOpInPlace(fused, [&] {
    fused.getExtrasMutable().assign(extras);
    fused.setExtraHalosAttr(rewriter.getArrayAttr(halos));
    fused.getInitMutable().assign(consumer.getInit());
    fused.setHaloAttr(consumer.getHaloAttr());
    fused.setFillAttr(consumer.getFillAttr());
    fused.getResult().setType(
        cast<RankedTensorType>(consumer.getInit().getType()));
  });
  rewriter.replaceOp(consumer, fused.getResult());
  rewriter.eraseOp(producer);
}

namespace {
class FusePattern : public OpRewritePattern<EltwiseOp> {
public:
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(EltwiseOp op,
                                PatternRewriter &rewriter) const override {
    if (succeeded(mergeEqualExtras(op, rewriter)))
      return success();
    // Of several, the one that was computed last: the others are there by then.
    Operation *best = nullptr;
    unsigned bestIndex = 0;
    for (auto [i, extra] : llvm::enumerate(op.getExtras())) {
      Operation *producer = extra.getDefiningOp();
      if (!producer || producer->getBlock() != op->getBlock() ||
          getShape(extra) != getShape(op.getInit()) ||
          !isa<Conv2DOp, DepthwiseConv2DOp, EltwiseOp>(producer) ||
          !isReadOnce(extra, op))
        continue;
      if (best && (isa<EltwiseOp>(producer) ||
                   (!isa<EltwiseOp>(best) && producer->isBeforeInBlock(best))))
        continue;
      best = producer;
      bestIndex = i;
    }
    if (!best)
      return failure();
    if (auto conv = dyn_cast<Conv2DOp>(best))
      fuse(conv, op, bestIndex, 1, rewriter);
    else if (auto depthwise = dyn_cast<DepthwiseConv2DOp>(best))
      fuse(depthwise, op, bestIndex, 1, rewriter);
    else
      fuse(cast<EltwiseOp>(best), op, bestIndex, 0, rewriter);
    return success();
  }
};

class FuseEpilogues : public cpu::impl::FuseEpiloguesBase<FuseEpilogues> {
public:
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<FusePattern>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
