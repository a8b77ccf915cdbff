//===- ConvCommon.h - What the convolutions share ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes, filters and biases of the format's convolutions, in nn's form
// (semantics.md 2 and 3).
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_INTEROP_GE_CONVCOMMON_H
#define MODELWRIGHT_LIB_INTEROP_GE_CONVCOMMON_H

#include "Padding.h"

namespace modelwright::ge {

/// What the convolutions of the format have in common.
struct ConvAttrs {
  llvm::SmallVector<int64_t> strides, dilations;
  Padding padding;
  int64_t groups = 1;
  bool nhwc = false;
  nn::Activation activation = nn::Activation::none;
};

/// Reads the attributes of a 2-D convolution.
llvm::FailureOr<ConvAttrs> readConvAttrs(OpImporter &imp, bool defaultsToSame);

/// The same of CANN's, which gives strides, dilations and `adjustName` per dim
/// in the order of `data_format`; `adjust` gets the latter's height and width.
llvm::FailureOr<ConvAttrs>
readServerConvAttrs(OpImporter &imp, llvm::StringRef adjustName = "",
                    llvm::SmallVectorImpl<int64_t> *adjust = nullptr);

/// CANN's filter, whose order its descriptor tells, as OC,IC,FH,FW. Declines
/// others than HWCN, NCHW and NHWC.
llvm::FailureOr<mlir::Value> convertServerFilter(OpImporter &imp,
                                                 unsigned operand);

/// The filter in the layout that nn wants. Files hold it OIHW also where
/// activations are NHWC; nn puts channels last there. A grouped one gets a
/// group dim then.
llvm::FailureOr<mlir::Value> convertFilter(OpImporter &imp, mlir::Value filter,
                                           const ConvAttrs &attrs);

/// The bias, which files hold as C or 1,C,1,1, in the shape that the layout
/// gives it, and of the result's element type.
llvm::FailureOr<mlir::Value> convertBias(OpImporter &imp, mlir::Value bias,
                                         int64_t channels, bool nhwc,
                                         mlir::Type elementType);

/// The filter as a file holds it; fails after `refuse`. A filter in nn's form
/// is what an implicit op made of the file's.
llvm::FailureOr<mlir::Value> findFileFilter(OpExporter &exp, mlir::Value filter,
                                            nn::Layout layout,
                                            bool hasGroupDim);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_INTEROP_GE_CONVCOMMON_H
