//===- MergeCommonOps.cpp - Merge ops that compute the same ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.exp %x {mgb.name = "a"}
//   %1 = nn.exp %x {mgb.name = "b"}    -->  one op
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"

namespace modelwright {
#define GEN_PASS_DEF_MERGECOMMONOPS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

static constexpr StringLiteral kPass = "merge-common-ops";

namespace {
struct MergeCommonOps : modelwright::impl::MergeCommonOpsBase<MergeCommonOps> {
  void runOnOperation() override;
};

/// Ops by what they compute. The shared attributes are uniqued once per op.
struct Candidate {
  Operation *op;
  DictionaryAttr attrs;
};
} // namespace

template <> struct llvm::DenseMapInfo<Candidate> {
  using PointerInfo = DenseMapInfo<Operation *>;

  static Candidate getEmptyKey() { return {PointerInfo::getEmptyKey(), {}}; }
  static Candidate getTombstoneKey() {
    return {PointerInfo::getTombstoneKey(), {}};
  }
  static unsigned getHashValue(const Candidate &key) {
    Operation *op = key.op;
    return hash_combine(
        op->getBlock(), op->getName(), key.attrs, op->hashProperties(),
        hash_combine_range(op->result_type_begin(), op->result_type_end()),
        hash_combine_range(op->operand_begin(), op->operand_end()));
  }
  static bool isEqual(const Candidate &lhs, const Candidate &rhs) {
    auto isSpecial = [](Operation *op) {
      return op == PointerInfo::getEmptyKey() ||
             op == PointerInfo::getTombstoneKey();
    };
    Operation *a = lhs.op, *b = rhs.op;
    if (a == b)
      return true;
    if (isSpecial(a) || isSpecial(b))
      return false;
    return a->getBlock() == b->getBlock() && a->getName() == b->getName() &&
           lhs.attrs == rhs.attrs &&
           a->getResultTypes() == b->getResultTypes() &&
           a->getOperands() == b->getOperands() &&
           a->getName().compareOpProperties(a->getPropertiesStorage(),
                                            b->getPropertiesStorage());
  }
};

static bool haveSameNames(Operation *lhs, Operation *rhs) {
  auto getNames = [](Operation *op) {
    SmallVector<NamedAttribute> names;
    for (NamedAttribute attr : op->getDiscardableAttrs())
      if (isNameAttribute(attr.getName()))
        names.push_back(attr);
    return names;
  };
  return getNames(lhs) == getNames(rhs);
}

void MergeCommonOps::runOnOperation() {
  llvm::DenseSet<Candidate> seen;
  // In program order: operands are merged before their users are looked at.
  getOperation().walk([&](Operation *op) {
    if (op->getNumRegions() != 0 || op->getNumResults() == 0 ||
        op->hasTrait<OpTrait::ConstantLike>() || !isMemoryEffectFree(op))
      return;
    auto [it, isNew] = seen.insert({op, getSharedAttributes(op)});
    if (isNew)
      return;
    Operation *original = it->op;
    if (leavesGraph(op) && !haveSameNames(op, original)) {
      if (leavesGraph(original)) {
        remarkMissed(op, kPass, "graph-output")
            << remark::reason("both leave the graph under their own names");
        return;
      }
      for (NamedAttribute attr :
           llvm::to_vector(original->getDiscardableAttrs()))
        if (isNameAttribute(attr.getName()))
          original->removeDiscardableAttr(attr.getName());
      for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
        if (isNameAttribute(attr.getName()))
          original->setDiscardableAttr(attr.getName(), attr.getValue());
    }
    remarkPassed(op, kPass, "merge")
        << remark::add("merged {0}", op->getName().getStringRef());
    original->setLoc(
        FusedLoc::get(op->getContext(), {original->getLoc(), op->getLoc()}));
    op->replaceAllUsesWith(original);
    op->erase();
    ++numMerged;
  });
}
