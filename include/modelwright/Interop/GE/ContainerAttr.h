//===- ContainerAttr.h - The IMOD container as an attribute -----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dictionary of the header and the partitions. The model's partition has no
// content there, and WEIGHTS_DATA only the bytes that no constant holds.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_CONTAINERATTR_H
#define MODELWRIGHT_INTEROP_GE_CONTAINERATTR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "modelwright/Format/GE/Model.h"

namespace modelwright::ge {

/// Bytes as an attribute: a string, or from 1 KiB on a dense_resource of i8
/// called `name` that points at them.
mlir::Attribute makeBytesAttr(mlir::MLIRContext *context, llvm::StringRef name,
                              llvm::StringRef bytes,
                              std::shared_ptr<void> owner);

/// The bytes of such an attribute; nullopt if it is none or they are elided.
std::optional<llvm::StringRef> getBytes(mlir::Attribute attr);

/// A stretch of WEIGHTS_DATA.
struct WeightsPiece {
  uint64_t offset = 0;
  llvm::StringRef bytes;
};

/// The container of `file` as a dictionary. `used` are the stretches (offset
/// and size) of WEIGHTS_DATA that constants hold.
mlir::DictionaryAttr toAttr(mlir::MLIRContext *context, const File &file,
                            std::vector<std::pair<uint64_t, uint64_t>> used);

/// The container of a dictionary. `rest` gets what it tells of WEIGHTS_DATA and
/// `weightsSize` its size in the file it came from. Fails after a message.
llvm::FailureOr<Container>
fromAttr(mlir::DictionaryAttr attr, std::vector<WeightsPiece> &rest,
         uint64_t &weightsSize,
         llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_CONTAINERATTR_H
