//===- ConstantData.h - Read and make tensor constants ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `nn.constant` holds an ElementsAttr whose bytes are, for `dense_resource`
// blobs, exactly the bytes of the model file: row major, little endian, one
// byte per boolean; sub-byte elements two (or more) to a byte, the lower bits
// first, each innermost row padded to whole bytes. Blobs are not aligned.
// These helpers are the only code that knows.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_CONSTANTDATA_H
#define MODELWRIGHT_DIALECT_NN_IR_CONSTANTDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "modelwright/Dialect/NN/IR/Inference.h"

#include <memory>

namespace modelwright::nn {

/// Bits that one element takes in memory (8 for i1, 4 for a 4-bit storage).
/// 0 when the element type has no storage (`!nn.unknown`).
unsigned getStorageBits(mlir::Type elementType);

/// The builtin element type that the value attribute of a constant of
/// `elementType` has: the storage integer of quantized types, else itself.
mlir::Type getStorageElementType(mlir::Type elementType);

/// Bytes of a constant of `type` in the layout above; nullopt on overflow or
/// for a type without static shape or storage.
std::optional<uint64_t> getByteSize(mlir::RankedTensorType type);

/// The bytes of an attribute, or nullopt when they are not there (elided) or
/// lie in a form without raw bytes (packed i1 splats and the like; use
/// `readFloats`/`readInts` for those). `storage` backs the result when the
/// attribute's own bytes differ from the layout above.
std::optional<llvm::ArrayRef<char>>
getRawBytes(mlir::ElementsAttr attr, llvm::SmallVectorImpl<char> &storage);

/// The value in what a constant folds to (see ConstantOp::fold), as folders
/// get it for their operands. Null if it is none.
mlir::ElementsAttr getFoldedElements(mlir::Attribute folded);

/// The elements as integers (booleans as 0 and 1), at most `maxElements`.
KnownInts readInts(mlir::ElementsAttr attr, uint64_t maxElements);

/// The elements as floats, from f32, f16 and bf16 data. nullopt when the bytes
/// are elided or the element type is not a float.
std::optional<llvm::SmallVector<float>> readFloats(mlir::ElementsAttr attr);

/// Makes a value attribute of `type` (its shape with the storage element type)
/// that points at `bytes`, kept alive by `owner`. Nothing is copied.
mlir::ElementsAttr makeMappedElements(mlir::RankedTensorType type,
                                      llvm::StringRef name,
                                      llvm::ArrayRef<char> bytes,
                                      std::shared_ptr<void> owner);

/// Makes a value attribute that owns a copy of `bytes`: `dense<>` up to 64
/// elements of a type it can print, else a resource blob called `name`.
mlir::ElementsAttr makeOwnedElements(mlir::RankedTensorType type,
                                     llvm::StringRef name,
                                     llvm::ArrayRef<char> bytes);

/// The same from floats, rounded to nearest even for f16 and bf16.
mlir::ElementsAttr makeFloatElements(mlir::RankedTensorType type,
                                     llvm::StringRef name,
                                     llvm::ArrayRef<float> values);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_CONSTANTDATA_H
