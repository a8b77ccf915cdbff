//===- Sampling.h - Images at coordinates that are computed -----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SAMPLING_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SAMPLING_H

#include "Scalar.h"

namespace modelwright::nn {

/// The dims of batch, height and width in a layout of images.
struct ImageDims {
  int64_t n, h, w;
};
ImageDims getImageDims(Layout layout);

/// An index that may lie outside of an axis, brought inside as a border mode
/// says. In mode constant `isInside` (i1) tells whether there is an element.
struct BorderIndex {
  mlir::Value index;
  mlir::Value isInside;
};

/// `index` and `size` are of index type, `size` is positive. Border modes
/// transparent and isolated do not say which element it is.
BorderIndex emitBorder(Scalar index, Scalar size, Border mode);

/// Reads an element of an image as f64.
using PixelReader = llvm::function_ref<Scalar(mlir::ImplicitLocOpBuilder &b,
                                              mlir::Value y, mlir::Value x)>;

/// What lies at a place of an image, and what lies outside.
struct Sampler {
  Interpolation mode;
  Border border;
  double borderValue;

  /// Whether the modes are ones that images can be sampled in.
  bool isKnown() const;

  /// The value at `(x, y)`, f64 coordinates, of an image of such sizes (of
  /// index type, positive).
  Scalar emit(mlir::ImplicitLocOpBuilder &b, Scalar y, Scalar x, Scalar height,
              Scalar width, PixelReader read) const;
};

/// The bilinear mix of the four elements around `(x, y)`, those outside of the
/// image counting as 0.
Scalar emitBilinearOrZero(mlir::ImplicitLocOpBuilder &b, Scalar y, Scalar x,
                          Scalar height, Scalar width, PixelReader read);

/// An element of `tensor` as f64: an integer or code as it is.
Scalar emitReadF64(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                   mlir::ValueRange indices, mlir::Type element);

/// Whether emitReadF64 and emitFromF64 can do such elements.
bool isSampleable(mlir::Type element);

/// An f64 number as an element: integers and codes rounded half away from zero,
/// floats narrowed.
mlir::Value emitFromF64(Scalar value, mlir::Type element);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SAMPLING_H
