//===- DedupConstants.cpp - Share constants of equal bytes ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.constant dense<[1.0, 2.0]>
//   %1 = nn.constant dense<[1.0, 2.0]>   -->  one constant
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/xxhash.h"

namespace modelwright {
#define GEN_PASS_DEF_DEDUPCONSTANTS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

static constexpr StringLiteral kPass = "dedup-constants";

namespace {
/// What must agree, besides the bytes, for two constants to be one.
struct Key {
  Block *block;
  Type type;
  Attribute attrs;
  uint64_t hash;

  bool operator==(const Key &other) const {
    return block == other.block && type == other.type && attrs == other.attrs &&
           hash == other.hash;
  }
};

struct DedupConstants : modelwright::impl::DedupConstantsBase<DedupConstants> {
  void runOnOperation() override;
};
} // namespace

template <> struct llvm::DenseMapInfo<Key> {
  static Key getEmptyKey() {
    return {DenseMapInfo<Block *>::getEmptyKey(), {}, {}, 0};
  }
  static Key getTombstoneKey() {
    return {DenseMapInfo<Block *>::getTombstoneKey(), {}, {}, 0};
  }
  static unsigned getHashValue(const Key &key) {
    return hash_combine(key.block, key.type, key.attrs, key.hash);
  }
  static bool isEqual(const Key &lhs, const Key &rhs) { return lhs == rhs; }
};

static bool haveSameBytes(ElementsAttr lhs, ElementsAttr rhs) {
  if (lhs == rhs)
    return true;
  SmallVector<char> lhsStorage, rhsStorage;
  auto lhsBytes = nn::getRawBytes(lhs, lhsStorage);
  auto rhsBytes = nn::getRawBytes(rhs, rhsStorage);
  return lhsBytes && rhsBytes && *lhsBytes == *rhsBytes;
}

void DedupConstants::runOnOperation() {
  // Bytes whose hashes collide are told apart in the bucket.
  llvm::DenseMap<Key, SmallVector<nn::ConstantOp, 1>> kept;
  SmallVector<nn::ConstantOp> constants;
  getOperation().walk(
      [&](nn::ConstantOp constant) { constants.push_back(constant); });
  for (nn::ConstantOp constant : constants) {
    ElementsAttr value = constant.getValue();
    SmallVector<char> storage;
    std::optional<ArrayRef<char>> bytes = nn::getRawBytes(value, storage);
    if (!bytes) {
      remarkMissed(constant, kPass, "bytes")
          << remark::reason("the bytes of the constant are missing");
      continue;
    }
    uint64_t hash = llvm::xxh3_64bits(ArrayRef(
        reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size()));
    auto &bucket = kept[{constant->getBlock(), constant.getType(),
                         getSharedAttributes(constant), hash}];
    auto *original = llvm::find_if(bucket, [&](nn::ConstantOp other) {
      return haveSameBytes(other.getValue(), value);
    });
    if (original == bucket.end()) {
      bucket.push_back(constant);
      continue;
    }
    if (leavesGraph(constant)) {
      remarkMissed(constant, kPass, "graph-output")
          << remark::reason("the constant leaves the graph");
      continue;
    }
    remarkPassed(constant, kPass, "share")
        << remark::add("shared {0} bytes", bytes->size());
    ++numShared;
    numBytes += bytes->size();
    constant.getResult().replaceAllUsesWith(original->getResult());
    constant.erase();
  }
}
