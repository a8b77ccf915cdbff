//===- Quantization.h - Weights stored as integers --------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Filters of quantized models hold integers whose scales the op tells
// (format.md 5.1, semantics.md 15). Import makes the real filter of them by
// implicit ops: `filter = integers * scale`.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_INTEROP_GE_QUANTIZATION_H
#define MODELWRIGHT_LIB_INTEROP_GE_QUANTIZATION_H

#include "modelwright/Interop/GE/OpImporter.h"

namespace modelwright::ge {

struct DequantizedFilter {
  mlir::Value filter;
  /// Scale of each output channel times the scale of the input, for an integer
  /// bias; empty if the filter was not quantized.
  llvm::SmallVector<float> biasScales;
};

/// The real filter. Its scales go along dim `channelDim`.
llvm::FailureOr<DequantizedFilter>
dequantizeFilter(OpImporter &imp, mlir::Value filter, unsigned channelDim);

/// Whether an op multiplies plain i8 codes into i32 sums, as CANN's do between
/// AscendQuant and AscendDequant: both operands are i8 and the op has no
/// scales. Declines other operands that are not floats: their scales are those
/// of ops around.
llvm::FailureOr<bool> multipliesCodes(OpImporter &imp, mlir::Value input,
                                      mlir::Value filter);

/// The real bias: integers times the scale of input and filter.
llvm::FailureOr<mlir::Value> dequantizeBias(OpImporter &imp, mlir::Value bias,
                                            const DequantizedFilter &filter);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_INTEROP_GE_QUANTIZATION_H
