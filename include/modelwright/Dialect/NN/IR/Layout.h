//===- Layout.h - Physical layouts of activations and filters ---*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of physical shapes that each layout gives to an activation and to
// a convolution filter, in both directions.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_LAYOUT_H
#define MODELWRIGHT_DIALECT_NN_IR_LAYOUT_H

#include "modelwright/Dialect/NN/IR/NNDialect.h"

namespace modelwright::nn {

/// The layout in which an op with attribute `layout` reads its input.
Layout getInputLayout(Layout layout);

/// The layout in which an op with attribute `layout` writes its result.
Layout getOutputLayout(Layout layout);

/// Channels per block of a single layout: 1 for NCHW and NHWC.
int64_t getChannelBlock(Layout layout);

/// Logical dims of an activation. Channels of a blocked layout include the
/// padding of the last block.
struct ActivationDims {
  int64_t n, c, h, w;
};

/// Rank of an activation in a single layout (4 or 5).
int64_t getActivationRank(Layout layout);

/// Position of the channel (block) dim of an activation in a single layout.
int64_t getChannelDim(Layout layout);

/// Reads the physical shape of an activation in a single layout.
llvm::FailureOr<ActivationDims>
decodeActivation(std::optional<mlir::Location> loc, Layout layout,
                 llvm::ArrayRef<int64_t> shape);

/// The physical shape of an activation in a single layout; channels are
/// padded up to whole blocks.
llvm::SmallVector<int64_t> encodeActivation(Layout layout,
                                            const ActivationDims &dims);

/// Logical dims of a filter; oc and ic count per group.
struct FilterDims {
  int64_t groups, oc, ic, kh, kw;
  /// Reads an unblocked NCHW input though the layout is blocked (first conv).
  bool hybrid = false;
};

/// Reads the physical shape of a filter. `grouped`: it has group dims.
llvm::FailureOr<FilterDims> decodeFilter(std::optional<mlir::Location> loc,
                                         Layout layout, bool grouped,
                                         llvm::ArrayRef<int64_t> shape);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_LAYOUT_H
