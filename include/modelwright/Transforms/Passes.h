//===- Passes.h - Graph optimizations ---------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes over the nn dialect and the pipelines made of them. Each pass is
// described in Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TRANSFORMS_PASSES_H
#define MODELWRIGHT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

namespace modelwright {

#define GEN_PASS_DECL
#include "modelwright/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "modelwright/Transforms/Passes.h.inc"

/// What every model gains from and no target minds: batch norms and biases
/// into convolutions, constants folded and shared, dead code away. `pm` is a
/// pass manager over builtin.module.
void buildO1Pipeline(mlir::OpPassManager &pm);

/// The passes of Passes.td and the pipelines by their flags.
void registerModelwrightPasses();

} // namespace modelwright

#endif // MODELWRIGHT_TRANSFORMS_PASSES_H
