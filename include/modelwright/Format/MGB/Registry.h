//===- Registry.h - The 186 operators of MegEngine --------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of every operator of the format, from Oprs.def: registered
// name, type ids per encoding, params in write order, and the number of vars
// that one operator owns.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_REGISTRY_H
#define MODELWRIGHT_FORMAT_MGB_REGISTRY_H

#include "modelwright/Format/MGB/Model.h"

namespace modelwright::mgb {

/// The part of a model's life that an operator belongs to.
enum class OprKind : uint8_t {
  Inference,  ///< Occurs in inference graphs; must have a typed nn op.
  Training,   ///< Gradients, updates, random numbers.
  Utility,    ///< Identity, dependencies, marks, assertions.
  Vendor,     ///< Runtimes of other vendors, custom operators.
  NotInFiles, ///< Cannot be stored in FlatBuffers files.
};

struct OprInfo {
  llvm::StringLiteral name;      ///< Registered name, e.g. "ConvolutionV2".
  llvm::StringLiteral className; ///< V2 `type` of opr_version 2.
  uint64_t unversionedId;        ///< MGBS, and V2 opr_version 1.
  uint64_t persistentId;         ///< MGBC.
  /// V2: 0 = cannot be stored, 1 = opr_version 1 only, 2 = has a version-2
  /// form whose id is `v2Id`.
  uint8_t maxOprVersion;
  bool hasOprVersion1; ///< Whether V2 can store it with opr_version 1 as well.
  uint64_t v2Id;
  OprKind kind;
  /// Params in write order; an absent trailing ExecutionPolicy is accepted.
  llvm::ArrayRef<fbs::OperatorParam> params;
};

/// All operators, in the order of Oprs.def.
llvm::ArrayRef<OprInfo> getAllOprs();

/// Finds an operator by registered name; null when unknown.
const OprInfo *lookupOprByName(llvm::StringRef name);

/// Finds an operator by the id a file of `encoding` holds for it.
/// `oprVersion` is only used for V2. Retired versioned names of old MGBC files
/// (e.g. ConvolutionV1) resolve to their current operator.
const OprInfo *lookupOpr(Encoding encoding, uint64_t typeId,
                         uint32_t oprVersion = 0);

/// The type id of the `dynamic` loader, in every encoding.
inline constexpr uint64_t kDynamicTypeId = 0x1844d7e32fc15038ULL;

/// XXH64 with the format's seed; `persistent` includes the terminating NUL,
/// otherwise one trailing `V<digit>` is dropped first. Never returns 0.
uint64_t computeTypeId(llvm::StringRef name, bool persistent);

/// Whether files with this `mgb_version` were written before v1.7.0
/// ("old era": internal version numbers, 8xxxxx or the snapshot 1799900).
bool isOldEra(uint32_t version);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_REGISTRY_H
