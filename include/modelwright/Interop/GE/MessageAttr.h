//===- MessageAttr.h - GE messages as MLIR attributes -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any message of schemas/ge/model.proto as a dictionary of the fields that are
// set, and back, without loss:
//
//   numbers, booleans, bytes   integer, float, boolean and string attributes
//   repeated numbers           array<i64: ...>, array<f32: ...>, array<i1: ...>
//   attribute maps             [["key", value], ...] in the order of the file
//   AttrDef                    the value itself for s, i, f, b and lists of
//                              them; {kind = value} for other kinds; unit for
//                              a value of no kind
//   tensor data                a string, or dense_resource from 1 KiB on
//   unknown fields             their wire bytes, as `unknown`
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_MESSAGEATTR_H
#define MODELWRIGHT_INTEROP_GE_MESSAGEATTR_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "modelwright/Format/GE/Model.h"

namespace google::protobuf {
class Message;
} // namespace google::protobuf

namespace modelwright::ge {

/// The message as a dictionary. Blobs are looked up in `file` and stay there.
mlir::DictionaryAttr toAttr(mlir::MLIRContext *context,
                            const google::protobuf::Message &message,
                            const File &file);

/// Fills the (empty) message from a dictionary; tensor data is added to
/// `file.blobs` and must be kept alive by the attribute. Fails after a message
/// through `emitError` on anything that `toAttr` does not make.
llvm::LogicalResult
fromAttr(mlir::DictionaryAttr attr, google::protobuf::Message &message,
         File &file, llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_MESSAGEATTR_H
