//===- Packing.h - Between physical layouts and plain NCHW ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Batch and spatial dims may be dynamic; channels are static.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_PACKING_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_PACKING_H

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/Layout.h"

namespace modelwright::nn {

/// Splits dim `dim` into dims of `sizes`, whose product it is.
mlir::Value emitSplitDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                         int64_t dim, llvm::ArrayRef<int64_t> sizes);

/// Joins `count` dims from `dim` on.
mlir::Value emitJoinDims(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                         int64_t dim, int64_t count);

/// The first `size` elements of a dim.
mlir::Value emitTruncateDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                            int64_t dim, int64_t size);

/// Pads the end of a static dim with `value` up to a size.
mlir::Value emitPadDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                       int64_t dim, int64_t size, mlir::Value value);

/// What holds the real number 0 in a lowered tensor of `element`: the zero
/// point of a quantized type.
mlir::Value emitRealZero(mlir::ImplicitLocOpBuilder &b, mlir::Type element);

/// An activation in a single layout as N,C,H,W.
mlir::Value unpackActivation(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                             Layout layout);

/// N,C,H,W in a single layout. `zero` fills the last block of channels.
mlir::Value packActivation(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                           Layout layout, mlir::Value zero);

/// A filter of `layout` as G,OC,IC,FH,FW; `dims` is what decodeFilter says of
/// it, with oc and ic per group. With `hasBatch` there is one filter per batch
/// entry, in front of everything else.
mlir::Value unpackFilter(mlir::ImplicitLocOpBuilder &b, mlir::Value filter,
                         Layout layout, bool grouped, const FilterDims &dims,
                         bool hasBatch);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_PACKING_H
