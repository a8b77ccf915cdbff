//===- Passes.cpp - Pipelines and registration ----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace modelwright;

void modelwright::buildO1Pipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createFoldConstants());
  pm.addPass(createInlineBranches());
  OpPassManager &graph = pm.nest<func::FuncOp>();
  GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  // Constants merge in dedup-constants, which knows what must stay apart.
  config.enableConstantCSE(false);
  // Folds of static shapes make constants for what follows, and ops that are
  // merged leave their operands to a single user: fusion waits for both.
  // Before the canonicalizer, which joins transposes and reshapes as well but
  // knows nothing of names.
  graph.addPass(createSimplifyMoves());
  graph.addPass(createCanonicalizerPass(config));
  graph.addPass(createFoldConstants());
  graph.addPass(createDedupConstants());
  graph.addPass(createMergeCommonOps());
  graph.addPass(createReassociateConstants());
  graph.addPass(createFoldConstants());
  graph.addPass(createFusePad());
  graph.addPass(createFoldBN());
  graph.addPass(createFuseConvBias());
  graph.addPass(createFuseAddActivation());
  graph.addPass(createCanonicalizerPass(config));
  graph.addPass(createCSEPass());
  // Equal biases first, then the convolutions that read them.
  graph.addPass(createDedupConstants());
  graph.addPass(createMergeCommonOps());
  graph.addPass(createRemoveDeadOps());
}

void modelwright::registerModelwrightPasses() {
  registerModelwrightTransformsPasses();
  PassPipelineRegistration<>("O1", "modelwright-O1: safe for every target",
                             buildO1Pipeline);
}
