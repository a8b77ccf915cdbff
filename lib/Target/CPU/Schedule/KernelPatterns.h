//===- KernelPatterns.h - From the nn dialect to kernels --------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H

#include "mlir/IR/PatternMatch.h"

#include <optional>

namespace modelwright::cpu {

/// The elements of an f32 constant of the nn dialect.
std::optional<llvm::SmallVector<float>> getConstantFloats(mlir::Value value);

/// Matrix products.
void populateMatMulPatterns(mlir::RewritePatternSet &patterns, int64_t lanes);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H
