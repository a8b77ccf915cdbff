//===- Inference.h - Shape and dtype inference helpers ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the `inferReturnTypes` of all op families share. A dimension is an
// int64_t with ShapedType::kDynamic for "not known"; all helpers accept it.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_INFERENCE_H
#define MODELWRIGHT_DIALECT_NN_IR_INFERENCE_H

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace modelwright::nn {

/// What is known of the elements of a small integer tensor, or nullopt.
using KnownInts = std::optional<llvm::SmallVector<int64_t>>;

/// Tells the elements of a value, when they are known at compile time.
using KnownValues = llvm::function_ref<KnownInts(mlir::Value)>;

/// Elements of `value` if a constant op with at most 64 integer elements
/// defines it. The KnownValues of plain type inference.
KnownInts getConstantInts(mlir::Value value);

/// Whether `actual` results may stand where `inferred` was computed: same
/// count, equal element types (or one unknown) and compatible shapes.
bool areCompatibleResultTypes(mlir::TypeRange inferred, mlir::TypeRange actual);

/// The element type of a tensor type (or the type itself).
mlir::Type getElementType(mlir::Type type);

/// A tensor type with the shape of `like` (ranked or not) and `element`.
mlir::TensorType getTypeLike(mlir::Type like, mlir::Type element);

/// Ranked type of a value, or null when unranked.
mlir::RankedTensorType getRanked(mlir::Type type);

/// Whether nothing is known of the element type.
bool isUnknown(mlir::Type elementType);

/// Whether the element type is `!quant.uniform`.
bool isQuantized(mlir::Type elementType);

/// f16, bf16, f32 or f64.
bool isFloat(mlir::Type elementType);

/// A per-tensor quantized type. Errors (bad scale) go to `emitError`.
mlir::Type
getQuantType(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
             mlir::MLIRContext *context, unsigned bits, bool isSigned,
             double scale, int64_t zeroPoint);

/// Quantized type of a product accumulator: scale = lhs * rhs in f32. Null
/// when one of them is not quantized, or the product is zero or infinite.
mlir::Type getQuantizedProductType(mlir::Type lhs, mlir::Type rhs,
                                   unsigned bits = 32);

/// numpy broadcast, right aligned. Fails with a message on a mismatch.
llvm::LogicalResult broadcastShapes(std::optional<mlir::Location> loc,
                                    llvm::ArrayRef<int64_t> lhs,
                                    llvm::ArrayRef<int64_t> rhs,
                                    llvm::SmallVectorImpl<int64_t> &result);

/// Padding before and after one spatial dim.
struct PadPair {
  int64_t before, after;
};

/// The pads of spatial dim k (0 height, 1 width) of an op whose `pads` are
/// `[h, w]` or `[top, bottom, left, right]`.
PadPair getPadPair(llvm::ArrayRef<int64_t> pads, unsigned k);

/// Output size of a sliding window: (in + 2*pad - ((kernel-1)*dilation + 1))
/// / stride + 1, floored. kDynamic if unknown; failure (a message) if the
/// window does not fit.
llvm::FailureOr<int64_t> windowOutputDim(std::optional<mlir::Location> loc,
                                         llvm::StringRef what, int64_t in,
                                         int64_t kernel, PadPair pads,
                                         int64_t stride, int64_t dilation);

/// The same with equal pads.
llvm::FailureOr<int64_t> windowOutputDim(std::optional<mlir::Location> loc,
                                         llvm::StringRef what, int64_t in,
                                         int64_t kernel, int64_t pad,
                                         int64_t stride, int64_t dilation);

/// Reads an operand `output_size` of `count` integers, not less than `min`.
/// They are kDynamic when not known.
llvm::FailureOr<llvm::SmallVector<int64_t>>
readOutputSize(std::optional<mlir::Location> loc, mlir::Value size,
               int64_t count, int64_t min, KnownValues values);

/// Checks that an array attribute has `count` values from `min` to 2^32 - 1.
llvm::LogicalResult checkValues(std::optional<mlir::Location> loc,
                                llvm::StringRef name,
                                llvm::ArrayRef<int64_t> values, size_t count,
                                int64_t min);

/// Checks that an attribute lies in [min, 2^32 - 1].
llvm::LogicalResult checkValue(std::optional<mlir::Location> loc,
                               llvm::StringRef name, int64_t value,
                               int64_t min);

/// Normalizes a possibly negative axis; failure with a message if it is not in
/// [-rank, rank).
llvm::FailureOr<int64_t> normalizeAxis(std::optional<mlir::Location> loc,
                                       int64_t axis, int64_t rank);

/// Product of dims; kDynamic if one is unknown, nullopt on int64 overflow.
std::optional<int64_t> multiplyDims(llvm::ArrayRef<int64_t> dims);

/// True when both are known and differ.
bool dimsDiffer(int64_t lhs, int64_t rhs);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_INFERENCE_H
