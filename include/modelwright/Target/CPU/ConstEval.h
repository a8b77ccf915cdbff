//===- ConstEval.h - Evaluate constant subgraphs by running them *- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_CONSTEVAL_H
#define MODELWRIGHT_TARGET_CPU_CONSTEVAL_H

#include "mlir/IR/DialectRegistry.h"
#include "modelwright/Dialect/NN/IR/ConstantEvaluator.h"

namespace modelwright::cpu {

/// Computes `roots` as nn::ConstantEvaluator says: what they hang on becomes
/// one function without inputs, in a module and a context of its own, which the
/// plain path compiles and runs in this process. So the numbers are those that
/// the model computes with `--schedule=plain`.
///
/// Roots that hang on an op without a lowering, or on one whose check fails in
/// the run (an index out of range), are left out with the reason; the others
/// are computed in another run.
llvm::SmallVector<nn::ConstantEvaluation>
evaluateConstants(llvm::ArrayRef<mlir::Value> roots,
                  llvm::function_ref<std::string()> nextName);

/// Lets the nn dialect of contexts made from `registry` evaluate constants by
/// that function.
void registerConstantEvaluator(mlir::DialectRegistry &registry);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_TARGET_CPU_CONSTEVAL_H
