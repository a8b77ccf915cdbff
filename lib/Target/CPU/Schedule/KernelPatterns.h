//===- KernelPatterns.h - From the nn dialect to kernels --------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H

#include "mlir/IR/PatternMatch.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"

#include <optional>

namespace modelwright::cpu {

/// A static tensor of rank 4 with elements that kernels compute on: f32, f16,
/// bf16, or bytes that are quantized codes. Null for others.
mlir::RankedTensorType getImageType(mlir::Value value);

/// The elements of a float constant of the nn dialect.
std::optional<llvm::SmallVector<float>> getConstantFloats(mlir::Value value);

/// Convolutions and matrix products of bytes.
void populateIntegerPatterns(mlir::RewritePatternSet &patterns, int64_t lanes,
                             Products products);

/// Concatenation, slices and shuffles of channels, and what becomes of several
/// of them in a row.
void populateChannelPatterns(mlir::RewritePatternSet &patterns, int64_t lanes);

/// Matrix products.
void populateMatMulPatterns(mlir::RewritePatternSet &patterns, int64_t lanes);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_KERNELPATTERNS_H
