//===- Layers.h - What recurrent layers and attention share -----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_LAYERS_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_LAYERS_H

#include "modelwright/Conversion/NNToLinalg/Lowering.h"

namespace modelwright::nn {

inline mlir::RankedTensorType getTensor(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

/// What numbers of a float type are computed in.
mlir::Type getNumberType(mlir::Type element);

/// Whether all tensors of an op have static shapes, but for the last
/// `numScratch` results.
bool isStatic(mlir::Operation *op, unsigned numScratch = 0);

/// `input[.., i] * weight[i, o]`, or `weight[o, i]` if it is transposed.
mlir::Value emitDense(mlir::ImplicitLocOpBuilder &b, mlir::Value input,
                      mlir::Value weight, bool isTransposed);

/// `lhs + rhs`, broadcast to the shape of `lhs`.
mlir::Value emitSum(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs);

/// `tensor` with `part` written at `offsets`; `part` lacks the leading dims,
/// which are 1 there.
mlir::Value emitInsert(mlir::ImplicitLocOpBuilder &b, mlir::Value part,
                       mlir::Value tensor,
                       llvm::ArrayRef<mlir::OpFoldResult> offsets);

/// Hands out the parts of packed weights in turn.
class PackedWeights {
public:
  PackedWeights(mlir::ImplicitLocOpBuilder &b, mlir::Value weights);

  /// The next elements in a shape.
  mlir::Value take(llvm::ArrayRef<int64_t> shape);

private:
  mlir::ImplicitLocOpBuilder &b;
  mlir::Value flat;
  int64_t position = 0;
};

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_LAYERS_H
