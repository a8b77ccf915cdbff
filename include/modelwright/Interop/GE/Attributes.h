//===- Attributes.h - The ge.* attributes -----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discardable attributes that carry what a GE file says and the nn dialect does
// not model. The importer writes them, the exporter reads them; an op without
// them is written as the public API would write it.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_ATTRIBUTES_H
#define MODELWRIGHT_INTEROP_GE_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace modelwright::ge::attr {

//===--- On ops, function arguments (Data) and returns (NetOutput) --------===//

/// Name of the op in the graph. String.
inline constexpr llvm::StringLiteral kName = "ge.name";
/// The OpDef as stored, but for its name and for the data of a constant.
/// Dictionary, see MessageAttr.h.
inline constexpr llvm::StringLiteral kOp = "ge.op";
/// Position of the op in the file's list. i64.
inline constexpr llvm::StringLiteral kIndex = "ge.index";
/// The op is not in the file: it is a part of what the op that uses it says
/// (the reshape of a bias, the dequantization of a filter). Unit.
inline constexpr llvm::StringLiteral kImplicit = "ge.implicit";
/// On a foreign op of a type that is usually typed: why this one is not.
/// String; for people, the exporter does not read it.
inline constexpr llvm::StringLiteral kDeclined = "ge.declined";
/// On an op that took others in: their names, which control edges may hold.
/// Array of strings.
inline constexpr llvm::StringLiteral kAbsorbed = "ge.absorbed";
/// On such an op: the control edges of the others. Array of strings.
inline constexpr llvm::StringLiteral kControl = "ge.control";
/// On a constant: where its bytes lie in WEIGHTS_DATA. i64.
inline constexpr llvm::StringLiteral kOffset = "ge.offset";

//===--- On functions -----------------------------------------------------===//

/// The GraphDef without its ops. Dictionary.
inline constexpr llvm::StringLiteral kGraph = "ge.graph";

//===--- On the module ----------------------------------------------------===//

/// The ModelDef without its graphs. Dictionary.
inline constexpr llvm::StringLiteral kModel = "ge.model";
/// The IMOD container: header and partitions. Dictionary.
inline constexpr llvm::StringLiteral kContainer = "ge.container";
/// The file is protobuf text. Unit.
inline constexpr llvm::StringLiteral kText = "ge.text";
/// Bytes of the ModelDef in a spelling that protobuf would not choose.
/// Elements of i8.
inline constexpr llvm::StringLiteral kWire = "ge.wire";

} // namespace modelwright::ge::attr

#endif // MODELWRIGHT_INTEROP_GE_ATTRIBUTES_H
