//===- ConvCommon.h - What convolutions share -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All convolutions compute on one plain form: input N,C,spatial..., filter
// G,OC,IC,spatial..., result N,G*OC,spatial... Blocked layouts are unpacked
// before and packed afterwards (see Packing.h).
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_CONVCOMMON_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_CONVCOMMON_H

#include "Packing.h"
#include "modelwright/Dialect/NN/IR/Inference.h"

namespace modelwright::nn {

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// A window that slides over the spatial dims of a tensor.
struct Window {
  llvm::SmallVector<int64_t, 3> kernel, strides, dilations;
  llvm::SmallVector<PadPair, 3> pads;
  /// Taps are counted from the far end.
  bool flip = false;

  /// `pads` as in nn.conv2d; no dilations: 1.
  static Window get(llvm::ArrayRef<int64_t> kernel,
                    llvm::ArrayRef<int64_t> strides,
                    llvm::ArrayRef<int64_t> pads,
                    llvm::ArrayRef<int64_t> dilations = {}, bool flip = false);

  size_t getRank() const { return kernel.size(); }

  /// Distance of the first tap of spatial dim `k` from the last one.
  int64_t getSpan(size_t k) const { return (kernel[k] - 1) * dilations[k]; }

  /// Where tap `tap` of the window at `position` lies in the padded tensor.
  mlir::AffineExpr getTap(size_t k, mlir::AffineExpr position,
                          mlir::AffineExpr tap) const;

  /// The tensor padded with `zero` in the spatial dims.
  mlir::Value emitPadded(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                         llvm::ArrayRef<int64_t> spatialDims,
                         mlir::Value zero) const;

  /// How many positions dim `dim` of a padded tensor has: static, or kDynamic
  /// and a value (checked not to be below 1) at the end of `dynamicSizes`.
  int64_t emitPositions(mlir::ImplicitLocOpBuilder &b, mlir::Value padded,
                        size_t k, int64_t dim,
                        llvm::SmallVectorImpl<mlir::Value> &dynamicSizes) const;
};

/// Reduces the windows of a tensor, which `outside` pads: `body` gets an
/// element and the accumulator, which starts as `init`. All dims but the
/// spatial ones, of which the first is in front of the others, stay.
mlir::Value emitWindowReduction(mlir::ImplicitLocOpBuilder &b,
                                mlir::Value tensor,
                                llvm::ArrayRef<int64_t> spatialDims,
                                const Window &window, mlir::Value outside,
                                mlir::Value init, ElementBody body);

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

/// The numbers that a convolution multiplies and adds, as types of the dialect.
struct ConvNumbers {
  mlir::Type input, filter;
  /// f32 for floats (f64 for f64), i32 for integers, a quantized i32 with the
  /// product of the scales for codes.
  mlir::Type accumulator;

  static llvm::FailureOr<ConvNumbers> get(mlir::Value input,
                                          mlir::Value filter);

  mlir::Type getLoweredAccumulator() const {
    return getLoweredElementType(accumulator);
  }
  mlir::Value emitZero(mlir::ImplicitLocOpBuilder &b) const {
    return emitConstant(b, getLoweredAccumulator(), 0);
  }
  /// An element as the accumulator's number, without its zero point.
  mlir::Value emitNumber(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                         mlir::Type element) const;
  mlir::Value emitProduct(mlir::ImplicitLocOpBuilder &b, mlir::Value inputValue,
                          mlir::Value filterValue) const {
    return emitMul(b, emitNumber(b, inputValue, input),
                   emitNumber(b, filterValue, filter));
  }
};

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

/// The loops `n, g, oc, ic, taps..., positions...` of a convolution. Positions
/// are innermost: consecutive elements of input and result are independent of
/// each other, which sums are not.
struct ConvNest {
  /// Padded, N,G,IC,spatial...
  mlir::Value input;
  mlir::AffineExpr n, g, oc, ic;
  llvm::SmallVector<mlir::AffineExpr, 3> taps, positions;
  mlir::AffineMap inputMap, filterMap, resultMap;
  llvm::SmallVector<mlir::utils::IteratorType> iterators;
  /// N,G,OC,positions... of accumulators.
  mlir::RankedTensorType type;
  llvm::SmallVector<mlir::Value> dynamicSizes;

  /// `filterShape` is G,OC,IC,taps...; `inputZero` pads the input.
  static ConvNest get(mlir::ImplicitLocOpBuilder &b, mlir::Value input,
                      llvm::ArrayRef<int64_t> filterShape, const Window &window,
                      mlir::Type accumulator, mlir::Value inputZero);

  /// A map from the loops.
  mlir::AffineMap getMap(llvm::ArrayRef<mlir::AffineExpr> results) const;

  /// The sums of `product(input element, filter element, others...)` as
  /// N,G*OC,positions...
  mlir::Value emitSums(mlir::ImplicitLocOpBuilder &b, mlir::Value filter,
                       mlir::ValueRange others,
                       llvm::ArrayRef<mlir::AffineMap> otherMaps,
                       ElementBody product) const;
};

/// The accumulators of a convolution. With `hasBatch` the filter has a batch
/// dim in front.
mlir::Value emitConv(mlir::ImplicitLocOpBuilder &b, mlir::Value input,
                     mlir::Value filter, const Window &window,
                     const ConvNumbers &numbers, bool hasBatch = false);

/// The accumulators of a transposed convolution: `input` is N,G*OC,spatial...,
/// the filter is that of the forward convolution. `sizes` are the spatial sizes
/// of the result.
mlir::Value emitConvTranspose(mlir::ImplicitLocOpBuilder &b, mlir::Value input,
                              mlir::Value filter, const Window &window,
                              const ConvNumbers &numbers,
                              llvm::ArrayRef<mlir::OpFoldResult> sizes);

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// An optional operand: its lowered value and the element type of the dialect.
struct Addend {
  mlir::Value value;
  mlir::Type element;

  static Addend get(mlir::Value original, mlir::Value lowered) {
    if (!original)
      return {};
    return {lowered, getElementType(original.getType())};
  }
};

/// `activation(accumulator + bias + residual)` as elements of `element`.
/// Everything is in the layout of the result. Fails for a bias that cannot be
/// added to such accumulators.
llvm::FailureOr<mlir::Value>
emitConvResult(mlir::ImplicitLocOpBuilder &b, mlir::Value sums,
               mlir::Type accumulator, mlir::Type element, const Addend &bias,
               const Addend &residual, Activation activation);

//===----------------------------------------------------------------------===//
// Filters of the 2-D ops
//===----------------------------------------------------------------------===//

/// What the type of a 2-D filter says; failure if it is not static.
template <typename OpT>
llvm::FailureOr<FilterDims> getStaticFilterDims(OpT op, Layout layout,
                                                bool hasBatch = false) {
  mlir::RankedTensorType type = getRanked(op.getFilter().getType());
  if (!type || !type.hasStaticShape())
    return mlir::failure();
  llvm::FailureOr<FilterDims> dims =
      decodeFilter(std::nullopt, layout, op.getGroupFilter(),
                   type.getShape().drop_front(hasBatch ? 1 : 0));
  if (mlir::failed(dims))
    return mlir::failure();
  if (!op.getGroupFilter()) {
    dims->groups = static_cast<int64_t>(op.getGroups());
    dims->oc /= dims->groups;
  }
  return dims;
}

//===----------------------------------------------------------------------===//
// Operands of the 3-D ops
//===----------------------------------------------------------------------===//

/// A volume as N,C,D,H,W, and back.
mlir::Value unpackVolume(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                         Layout layout);
mlir::Value packVolume(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                       Layout layout);

/// A static filter as G,OC,IC,FD,FH,FW.
mlir::Value unpackVolumeFilter(mlir::ImplicitLocOpBuilder &b,
                               mlir::Value filter, Layout layout, bool grouped,
                               int64_t groups);

/// What the 3-D ops compute with: input N,C,D,H,W, filter G,OC,IC,FD,FH,FW.
struct VolumeConv {
  ConvNumbers numbers;
  mlir::Value input, filter;
  Window window;

  /// Fails if channels or filter are not static.
  template <typename OpT>
  static llvm::FailureOr<VolumeConv> get(mlir::ImplicitLocOpBuilder &b, OpT op,
                                         OpT::Adaptor adaptor) {
    Layout layout = op.getLayout();
    llvm::FailureOr<ConvNumbers> numbers =
        ConvNumbers::get(op.getInput(), op.getFilter());
    mlir::RankedTensorType inputType = getRanked(op.getInput().getType());
    mlir::RankedTensorType filterType = getRanked(op.getFilter().getType());
    if (mlir::failed(numbers) || !inputType || !filterType ||
        !filterType.hasStaticShape() ||
        inputType.isDynamicDim(getChannelDim(layout)))
      return mlir::failure();
    mlir::Value filter =
        unpackVolumeFilter(b, adaptor.getFilter(), layout, op.getGroupFilter(),
                           static_cast<int64_t>(op.getGroups()));
    llvm::ArrayRef<int64_t> kernel =
        mlir::cast<mlir::RankedTensorType>(filter.getType())
            .getShape()
            .take_back(3);
    return VolumeConv{*numbers, unpackVolume(b, adaptor.getInput(), layout),
                      filter,
                      Window::get(kernel, op.getStrides(), op.getPads(),
                                  op.getDilations(), op.getFlipFilter())};
  }

  /// The result in the op's layout.
  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  emitResult(mlir::ImplicitLocOpBuilder &b, mlir::Value sums, Layout layout,
             mlir::Type element) const;
};

/// The parts of the family, by file.
void populateConv2DLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateConv3DLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateConvTransposeLowerings(mlir::TypeConverter &,
                                    mlir::RewritePatternSet &);
void populateConvRelativeLowerings(mlir::TypeConverter &,
                                   mlir::RewritePatternSet &);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_CONVCOMMON_H
