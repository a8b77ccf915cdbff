//===- Registry.cpp - The 186 operators of MegEngine ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/Registry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <unordered_map>
#include <xxhash.h>

using namespace modelwright::mgb;

namespace {
/// Forms in which a V2 file can store an operator.
enum class Forms : uint8_t { None, One, Both };

/// One line of Oprs.def.
struct Row {
  llvm::StringLiteral name;
  llvm::StringLiteral className;
  OprKind kind;
  Forms forms;
  /// Ends at the first NONE.
  fbs::OperatorParam params[2];
};
} // namespace

static constexpr Row kRows[] = {
#define P(MEMBER) fbs::OperatorParam::MEMBER
#define MGB_OPR(NAME, CLASS, KIND, FORMS, ...)                                 \
  {NAME, CLASS, OprKind::KIND, Forms::FORMS, {__VA_ARGS__}},
#include "Oprs.def"
#undef P
};

namespace {
struct RetiredRow {
  llvm::StringLiteral old;
  llvm::StringLiteral name;
};
} // namespace

static constexpr RetiredRow kRetired[] = {
#define MGB_RETIRED_OPR(OLD, NAME) {OLD, NAME},
#include "Oprs.def"
};

// Type ids are digests: std::unordered_map, unlike DenseMap, has no key values
// that a hostile file could hit to trip an assertion.
using IdMap = std::unordered_map<uint64_t, const OprInfo *>;

namespace {
/// Everything that follows from Oprs.def, made once.
struct Registry {
  std::vector<OprInfo> oprs;
  llvm::StringMap<const OprInfo *> byName;
  IdMap unversioned, persistent, v2One, v2Two;

  Registry() {
    oprs.reserve(std::size(kRows));
    for (const Row &row : kRows) {
      size_t nrParams = 0;
      while (nrParams < std::size(row.params) &&
             row.params[nrParams] != fbs::OperatorParam::NONE)
        ++nrParams;
      oprs.push_back(
          {row.name, row.className, computeTypeId(row.name, false),
           computeTypeId(row.name, true), static_cast<uint8_t>(row.forms),
           row.forms != Forms::None,
           row.forms == Forms::Both ? computeTypeId(row.className, true) : 0,
           row.kind, llvm::ArrayRef(row.params, nrParams)});
    }
    for (const OprInfo &info : oprs) {
      byName[info.name] = &info;
      unversioned[info.unversionedId] = &info;
      persistent[info.persistentId] = &info;
      if (info.hasOprVersion1)
        v2One[info.unversionedId] = &info;
      if (info.maxOprVersion >= 2)
        v2Two[info.v2Id] = &info;
    }
    for (const RetiredRow &row : kRetired)
      persistent.try_emplace(computeTypeId(row.old, true), byName[row.name]);
  }
};
} // namespace

static const Registry &registry() {
  static const Registry instance;
  return instance;
}

static const OprInfo *find(const IdMap &map, uint64_t id) {
  auto it = map.find(id);
  return it == map.end() ? nullptr : it->second;
}

llvm::ArrayRef<OprInfo> modelwright::mgb::getAllOprs() {
  return registry().oprs;
}

const OprInfo *modelwright::mgb::lookupOprByName(llvm::StringRef name) {
  return registry().byName.lookup(name);
}

const OprInfo *modelwright::mgb::lookupOpr(Encoding encoding, uint64_t typeId,
                                           uint32_t oprVersion) {
  const Registry &all = registry();
  switch (encoding) {
  case Encoding::MGBS:
    return find(all.unversioned, typeId);
  case Encoding::MGBC:
    return find(all.persistent, typeId);
  case Encoding::V2:
    if (oprVersion == 1)
      return find(all.v2One, typeId);
    return oprVersion == 2 ? find(all.v2Two, typeId) : nullptr;
  }
  llvm_unreachable("all encodings covered");
}

uint64_t modelwright::mgb::computeTypeId(llvm::StringRef name,
                                         bool persistent) {
  constexpr uint64_t kSeed = 20160701;
  std::string text = name.str();
  if (persistent)
    text.push_back('\0');
  else if (text.size() > 2 && llvm::isDigit(text.back()) &&
           text[text.size() - 2] == 'V')
    text.resize(text.size() - 2);
  uint64_t id = XXH64(text.data(), text.size(), kSeed);
  return id ? id : 1;
}

bool modelwright::mgb::isOldEra(uint32_t version) {
  return (version >= 800000 && version < 1000000) || version == 1799900;
}
