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

template <typename Adaptor>
llvm::FailureOr<mlir::Type>
inferAccumulatorType(std::optional<mlir::Location> loc, Adaptor &adaptor) {
  return inferAccumulatorType(loc, getElementType(adaptor.getInput().getType()),
                              getElementType(adaptor.getFilter().getType()),
                              adaptor.getOutType());
}

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

  /// Checks what holds for any operands. With `asymmetricPads` there may be
  /// four pads (see getPadPair) instead of one per dim.
  llvm::LogicalResult verify(std::optional<mlir::Location> loc,
                             size_t spatialRank,
                             bool asymmetricPads = false) const;
};

/// Checks that `groups` is what the filter says and returns the filter's dims
/// with oc and ic counted per group.
llvm::FailureOr<FilterDims> getFilterDims(std::optional<mlir::Location> loc,
                                          const ConvAttrs &attrs,
                                          llvm::ArrayRef<int64_t> shape);

/// Checks the number of groups that a filter has, or splits the output channels
/// of a filter without group dim.
llvm::LogicalResult splitGroups(std::optional<mlir::Location> loc,
                                const ConvAttrs &attrs, int64_t filterGroups,
                                int64_t &outputChannels);

/// Fails unless the input has the channels that the filter reads.
llvm::LogicalResult checkInputChannels(std::optional<mlir::Location> loc,
                                       int64_t actual, int64_t expected);

/// Input and filter of a convolution.
struct ConvOperands {
  mlir::RankedTensorType input, filter;
};

/// The operands if both are ranked. Otherwise the result cannot be: appends
/// its unranked type.
template <typename Adaptor>
std::optional<ConvOperands>
getRankedOperands(Adaptor &adaptor, mlir::Type element,
                  llvm::SmallVectorImpl<mlir::Type> &types) {
  ConvOperands operands = {getRanked(adaptor.getInput().getType()),
                           getRanked(adaptor.getFilter().getType())};
  if (operands.input && operands.filter)
    return operands;
  types.push_back(mlir::UnrankedTensorType::get(element));
  return std::nullopt;
}

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

/// Checks bias and residual of a 2-D convolution with a result of `dims`, and
/// appends the result's type.
template <typename Adaptor>
llvm::LogicalResult addConvResult(std::optional<mlir::Location> loc,
                                  Adaptor &adaptor, const ActivationDims &dims,
                                  mlir::Type element,
                                  llvm::SmallVectorImpl<mlir::Type> &types) {
  Layout layout = getOutputLayout(adaptor.getLayout());
  llvm::SmallVector<int64_t> shape = encodeActivation(layout, dims);
  if (mlir::Value bias = adaptor.getBias())
    if (failed(checkBias(loc, bias.getType(), layout, dims.c, shape)))
      return mlir::failure();
  if constexpr (requires { adaptor.getResidual(); })
    if (mlir::Value residual = adaptor.getResidual())
      if (failed(checkResidual(loc, residual.getType(), shape)))
        return mlir::failure();
  types.push_back(mlir::RankedTensorType::get(shape, element));
  return mlir::success();
}

/// Channels of all groups; kDynamic when unknown (or beyond int64).
int64_t timesGroups(int64_t channels, int64_t groups);

/// (in - 1)*stride + ((kernel - 1)*dilation + 1) - 2*pad.
llvm::FailureOr<int64_t> transposedOutputDim(std::optional<mlir::Location> loc,
                                             llvm::StringRef what, int64_t in,
                                             int64_t kernel, int64_t pad,
                                             int64_t stride, int64_t dilation);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_DIALECT_NN_IR_CONVINFERENCE_H
