//===- Optimize.cpp - LLVM's passes over a model's code -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;
using namespace modelwright;

static bool isKernel(const Function &function) {
  return function.hasFnAttribute(cpu::kKernelAttr);
}

/// Whether a pass runs on a function, a loop, a part of the call graph or a
/// module.
static bool shouldRun(Any unit) {
  if (const auto *const *function = any_cast<const Function *>(&unit))
    return !isKernel(**function);
  if (const auto *const *loop = any_cast<const Loop *>(&unit))
    return !isKernel(*(*loop)->getHeader()->getParent());
  if (const auto *const *component =
          any_cast<const LazyCallGraph::SCC *>(&unit))
    return none_of(**component, [](const LazyCallGraph::Node &node) {
      return isKernel(node.getFunction());
    });
  return true;
}

static OptimizationLevel getLevel(unsigned level) {
  switch (level) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default:
    return OptimizationLevel::O3;
  }
}

void cpu::optimize(Module &module, TargetMachine &machine, unsigned level) {
  PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback(
      [](StringRef, Any unit) { return shouldRun(std::move(unit)); });
  PassBuilder builder(&machine, PipelineTuningOptions(), std::nullopt,
                      &callbacks);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager manager =
      level == 0 ? builder.buildO0DefaultPipeline(OptimizationLevel::O0)
                 : builder.buildPerModuleDefaultPipeline(getLevel(level));
  manager.run(module, modules);
}
