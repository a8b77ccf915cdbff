//===- Attributes.h - The mgb.* attributes ----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Discardable attributes that carry what a MegEngine file says and the nn
// dialect does not model. The importer writes them, the exporter reads them;
// an op without them gets the format's defaults.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_MGB_ATTRIBUTES_H
#define MODELWRIGHT_INTEROP_MGB_ATTRIBUTES_H

#include "llvm/ADT/StringRef.h"

namespace modelwright::mgb::attr {

//===--- On ops (and, where it says so, on function arguments) ------------===//

/// Operator name. String; also on arguments.
inline constexpr llvm::StringLiteral kName = "mgb.name";
/// Names of the operator's vars, in var order. Array of strings (unit for an
/// unnamed one); also on arguments.
inline constexpr llvm::StringLiteral kVars = "mgb.vars";
/// Configured comp nodes. Array of strings; also on arguments.
inline constexpr llvm::StringLiteral kCompNode = "mgb.comp_node";
/// Explicit output dtype of an op that has no `out_type`. Type.
inline constexpr llvm::StringLiteral kOutputDType = "mgb.output_dtype";
/// Scale and zero point that a TypeCvt stores with a dtype that is not
/// quantized. Dictionary of `scale` (f32) and `zero_point` (i64).
inline constexpr llvm::StringLiteral kDTypeParam = "mgb.dtype_param";
/// Scheduling priority. i32.
inline constexpr llvm::StringLiteral kPriority = "mgb.priority";
/// Registered operator name where an op has several spellings. String.
inline constexpr llvm::StringLiteral kOpr = "mgb.opr";
/// ExecutionPolicy: `[strategy, workspace_limit]`. Array of two i64, the bits
/// of the unsigned fields.
inline constexpr llvm::StringLiteral kPolicy = "mgb.policy";
/// V2: opr_version other than the newest. i32.
inline constexpr llvm::StringLiteral kOprVersion = "mgb.opr_version";
/// V2: type name other than the registry's. String; also on arguments.
inline constexpr llvm::StringLiteral kType = "mgb.type";
/// V2: what the middle tensors say beyond the default. Array of dictionaries.
inline constexpr llvm::StringLiteral kMiddle = "mgb.middle";
/// Record of a stored tensor: dictionary of name, comp_node, format; on
/// constants, variables and arguments.
inline constexpr llvm::StringLiteral kTensor = "mgb.tensor";
/// Constants of one MultipleDeviceTensorHolder share this number. i64.
inline constexpr llvm::StringLiteral kHolder = "mgb.holder";
/// Blobs / custom data. Array of i8 arrays.
inline constexpr llvm::StringLiteral kBlobs = "mgb.blobs";
/// On arguments: the param, if it is not the default one, kept whole. On typed
/// ops: the fields of the param that the op does not model. Dictionary.
inline constexpr llvm::StringLiteral kParam = "mgb.param";

/// Batch norm without the `reserve` var (files before v1.7.0). Unit.
inline constexpr llvm::StringLiteral kNoReserve = "mgb.no_reserve";

//===--- On function arguments ------------------------------------------===//

/// Index of the operator in the file. i64.
inline constexpr llvm::StringLiteral kPosition = "mgb.position";

//===--- On functions ---------------------------------------------------===//

/// "MGBS", "MGBC" or "mgv2".
inline constexpr llvm::StringLiteral kEncoding = "mgb.encoding";
inline constexpr llvm::StringLiteral kVersion = "mgb.version";
inline constexpr llvm::StringLiteral kModelVersion = "mgb.model_version";
inline constexpr llvm::StringLiteral kHash = "mgb.hash";
inline constexpr llvm::StringLiteral kNrSharedTensor = "mgb.nr_shared_tensor";
inline constexpr llvm::StringLiteral kMetadata = "mgb.metadata";
inline constexpr llvm::StringLiteral kOutputAlias = "mgb.output_alias";
inline constexpr llvm::StringLiteral kShiftedUnion = "mgb.shifted_union";
/// Param layouts of old releases: [zeroStrategy, earlyWindow]. Booleans.
inline constexpr llvm::StringLiteral kLayouts = "mgb.layouts";
/// V2: the file keeps a table of middle tensors. Unit.
inline constexpr llvm::StringLiteral kKeepsVars = "mgb.keeps_vars";
/// Marks the k-th testcase graph. i64.
inline constexpr llvm::StringLiteral kTestcase = "mgb.testcase";
/// On a function result: the var id in the writer's graph. i64.
inline constexpr llvm::StringLiteral kOriginalId = "mgb.original_id";

//===--- On the module --------------------------------------------------===//

/// The file is an mgbtest0 container. Unit.
inline constexpr llvm::StringLiteral kTestcaseFile = "mgb.testcase_file";
/// The packed_model around the graph. Dictionary.
inline constexpr llvm::StringLiteral kPacked = "mgb.packed";

} // namespace modelwright::mgb::attr

#endif // MODELWRIGHT_INTEROP_MGB_ATTRIBUTES_H
