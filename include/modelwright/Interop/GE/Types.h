//===- Types.h - GE element types and descriptors ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_TYPES_H
#define MODELWRIGHT_INTEROP_GE_TYPES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace modelwright::ge {

namespace proto {
class AttrDef;
class TensorDescriptor;
} // namespace proto

/// The element type of a descriptor's number (proto::DataType, format.md 6.1),
/// or null if the dialect has no such type.
mlir::Type getDescriptorElementType(mlir::MLIRContext *context, int dtype);

/// The descriptor's number of an element type, or nullopt. Quantized types
/// have that of their storage.
std::optional<int> getDescriptorDType(mlir::Type elementType);

/// The element type of a number in an attribute (C++ ge::DataType, format.md
/// 6.2: another numbering), or null.
mlir::Type getAttributeElementType(mlir::MLIRContext *context, int64_t dtype);

/// The number of an element type in an attribute, or nullopt.
std::optional<int64_t> getAttributeDType(mlir::Type elementType);

/// The tensor type that a descriptor tells. -1 is a dynamic dim; -2 alone an
/// unknown rank. Fails after a message on dims below that, more than 32 dims,
/// or an unknown element type.
llvm::FailureOr<mlir::TensorType>
getTensorType(mlir::MLIRContext *context, const proto::TensorDescriptor &desc,
              llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Writes dtype, shape and layout of `type` into a descriptor, and the device
/// fields that the public API sets if the descriptor is new.
void setDescriptor(mlir::Type type, llvm::StringRef layout,
                   proto::TensorDescriptor &desc);

/// The element type that an attribute of CANN's kind `dt` names, numbered as
/// getAttributeElementType has it; nullopt for values of other kinds. Its field
/// number is that of another kind in the schema (format.md 7).
std::optional<int64_t> getDataType(const proto::AttrDef &value);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_TYPES_H
