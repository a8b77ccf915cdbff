//===- Padding.h - Windows and fused activations ----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What convolutions and pooling share (semantics.md 3 and 7).
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_INTEROP_GE_PADDING_H
#define MODELWRIGHT_LIB_INTEROP_GE_PADDING_H

#include "modelwright/Interop/GE/OpExporter.h"
#include "modelwright/Interop/GE/OpImporter.h"

namespace modelwright::ge {

enum class PadMode { Explicit, Valid, Same };

struct Padding {
  PadMode mode = PadMode::Explicit;
  /// Top, bottom, left, right.
  llvm::SmallVector<int64_t> pads;
};

/// Reads `pad_mode`, a string or an integer, and the pads in attribute `name`.
llvm::FailureOr<Padding> readPadding(OpImporter &imp, llvm::StringRef name,
                                     bool defaultsToSame);

/// The pads of an op in nn's form: `[h, w]` if they are symmetric, else
/// `[top, bottom, left, right]`. SAME pads follow from sizes: with
/// `out = ceil(in / stride)`, `total = max((out - 1)*stride +
/// (k - 1)*dilation + 1 - in, 0)`, half of it (rounded down) comes first.
llvm::FailureOr<llvm::SmallVector<int64_t>>
resolvePads(OpImporter &imp, const Padding &padding,
            llvm::ArrayRef<int64_t> inputSize, llvm::ArrayRef<int64_t> kernel,
            llvm::ArrayRef<int64_t> strides, llvm::ArrayRef<int64_t> dilations);

/// Writes nn's pads as explicit ones.
void writePads(OpExporter &exp, llvm::StringRef name,
               llvm::ArrayRef<int64_t> pads);

/// The activation that `relu_flag` and `relu_mode` fuse into an op.
llvm::FailureOr<nn::Activation> readFusedActivation(OpImporter &imp);

/// Applies an activation by an op of its own, as the last op of an import.
llvm::LogicalResult applyFusedActivation(OpImporter &imp, mlir::Value value,
                                         nn::Activation activation);

/// Writes a fused activation; refuses what the format cannot fuse.
llvm::LogicalResult writeFusedActivation(OpExporter &exp,
                                         nn::Activation activation);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_INTEROP_GE_PADDING_H
