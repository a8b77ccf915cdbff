//===- ConvInference.h - Inference shared by convolutions -------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_DIALECT_NN_IR_CONVINFERENCE_H
#define MODELWRIGHT_LIB_DIALECT_NN_IR_CONVINFERENCE_H

#include "modelwright/Dialect/NN/IR/Layout.h"

namespace modelwright::nn {

/// Element type of a product-accumulating op; see nn.conv2d's description.
llvm::FailureOr<mlir::Type>
inferAccumulatorType(std::optional<mlir::Location> loc, mlir::Type input,
                     mlir::Type filter, std::optional<mlir::Type> outType);

/// Element type of a convolution that takes floats only: that of the operands,
/// which must agree where known.
llvm::FailureOr<mlir::Type>
inferFloatConvType(std::optional<mlir::Location> loc,
                   llvm::ArrayRef<mlir::Type> operandTypes);

/// What the 2-D convolutions say in attributes.
struct ConvAttrs {
  Layout layout = Layout::NCHW;
  bool groupFilter;
  int64_t groups;
  llvm::ArrayRef<int64_t> strides, pads, dilations;

  template <typename Adaptor>
  static ConvAttrs get(Adaptor &adaptor, Layout layout = Layout::NCHW) {
    return {layout,
            adaptor.getGroupFilter(),
            static_cast<int64_t>(adaptor.getGroups()),
            adaptor.getStrides(),
            adaptor.getPads(),
            adaptor.getDilations()};
  }

  /// Checks what holds for any operands.
  llvm::LogicalResult verify(std::optional<mlir::Location> loc,
                             size_t spatialRank) const;
};

/// Checks that `groups` is what the filter says and returns the filter's dims
/// with oc and ic counted per group.
llvm::FailureOr<FilterDims> getFilterDims(std::optional<mlir::Location> loc,
                                          const ConvAttrs &attrs,
                                          llvm::ArrayRef<int64_t> shape);

/// Logical dims of the result of a 2-D convolution.
llvm::FailureOr<ActivationDims>
inferConv2DDims(std::optional<mlir::Location> loc, const ConvAttrs &attrs,
                llvm::ArrayRef<int64_t> input, llvm::ArrayRef<int64_t> filter);

/// A bias is one value per output channel (shape 1,OC,1,1 in the layout) or
/// has the result's own shape.
llvm::LogicalResult checkBias(std::optional<mlir::Location> loc,
                              mlir::Type biasType, Layout layout,
                              int64_t channels,
                              llvm::ArrayRef<int64_t> resultShape);

/// A residual has the result's shape.
llvm::LogicalResult checkResidual(std::optional<mlir::Location> loc,
                                  mlir::Type residualType,
                                  llvm::ArrayRef<int64_t> resultShape);

/// Channels of all groups; kDynamic when unknown (or beyond int64).
int64_t timesGroups(int64_t channels, int64_t groups);

/// (in - 1)*stride + ((kernel - 1)*dilation + 1) - 2*pad.
llvm::FailureOr<int64_t> transposedOutputDim(std::optional<mlir::Location> loc,
                                             llvm::StringRef what, int64_t in,
                                             int64_t kernel, int64_t pad,
                                             int64_t stride, int64_t dilation);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_DIALECT_NN_IR_CONVINFERENCE_H
