//===- Compose.h - Small compositions -------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pieces of which import functions make what nn has no op for.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_INTEROP_GE_COMPOSE_H
#define MODELWRIGHT_LIB_INTEROP_GE_COMPOSE_H

#include "modelwright/Interop/GE/OpImporter.h"

namespace modelwright::ge {

/// The elements `[begins[k], begins[k] + sizes[k])` of each axis; axes that
/// stay whole cost nothing. The shape must be static.
llvm::FailureOr<mlir::Value> createSlice(OpImporter &imp, mlir::Value value,
                                         llvm::ArrayRef<int64_t> begins,
                                         llvm::ArrayRef<int64_t> sizes);

/// A permutation of axes; the value itself if it changes nothing.
llvm::FailureOr<mlir::Value> createTranspose(OpImporter &imp, mlir::Value value,
                                             llvm::ArrayRef<int64_t> order);

/// One number of the element type of `like`, in the shape `1`.
mlir::Value createNumber(OpImporter &imp, mlir::Value like, float number);

/// Result of an op with one result and no attributes.
template <typename OpT>
llvm::FailureOr<mlir::Value> apply(OpImporter &imp, mlir::ValueRange operands) {
  llvm::FailureOr<OpT> op = imp.create<OpT>(operands);
  if (failed(op))
    return mlir::failure();
  return mlir::Value((*op)->getResult(0));
}

/// The same with a number as second operand.
template <typename OpT>
llvm::FailureOr<mlir::Value> apply(OpImporter &imp, mlir::Value value,
                                   float number) {
  return apply<OpT>(imp, {value, createNumber(imp, value, number)});
}

/// The floats of a constant operand, or nullopt.
std::optional<llvm::SmallVector<float>> readFloatConstant(mlir::Value value);

/// The format of an input's dims that CANN's descriptor tells: `origin_format`
/// if the shape is the original one, else its layout.
std::string getDescriptorFormat(OpImporter &imp, int input);

/// The type of a value if it is a tensor of static shape, else null.
mlir::RankedTensorType getStaticType(mlir::Value value);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_INTEROP_GE_COMPOSE_H
