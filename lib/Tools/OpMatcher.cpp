//===- OpMatcher.cpp - Pair the ops of two graphs -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpMatcher.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace modelwright;

//===----------------------------------------------------------------------===//
// Content of attributes
//===----------------------------------------------------------------------===//

/// A GE op's list of producers, which the operands are for.
static bool isEdgeList(NamedAttribute attr) {
  return attr.getName() == "input" && isa<ArrayAttr>(attr.getValue());
}

bool modelwright::haveSameContent(Attribute a, Attribute b) {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  if (auto list = dyn_cast<ArrayAttr>(a)) {
    auto other = dyn_cast<ArrayAttr>(b);
    return other && llvm::equal(list, other, haveSameContent);
  }
  if (auto dict = dyn_cast<DictionaryAttr>(a)) {
    auto other = dyn_cast<DictionaryAttr>(b);
    return other &&
           llvm::equal(dict, other, [](NamedAttribute x, NamedAttribute y) {
             return x.getName() == y.getName() &&
                    ((isEdgeList(x) && isEdgeList(y)) ||
                     haveSameContent(x.getValue(), y.getValue()));
           });
  }
  // The graphs that ops call are compared as such.
  if (isa<FlatSymbolRefAttr>(a))
    return isa<FlatSymbolRefAttr>(b);
  auto elements = dyn_cast<ElementsAttr>(a);
  auto other = dyn_cast<ElementsAttr>(b);
  if (!elements || !other || elements.getShapedType() != other.getShapedType())
    return false;
  SmallVector<char> storageA, storageB;
  std::optional<ArrayRef<char>> bytesA = nn::getRawBytes(elements, storageA);
  std::optional<ArrayRef<char>> bytesB = nn::getRawBytes(other, storageB);
  return bytesA && bytesB && *bytesA == *bytesB;
}

static uint64_t combine(ArrayRef<uint64_t> parts) {
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(parts.data()),
               parts.size() * sizeof(uint64_t)));
}

/// Equal for attributes of the same content. Only good within one context:
/// attributes without structure are hashed by identity.
static uint64_t hashContent(Attribute attr) {
  auto identity = [](const void *pointer) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
  };
  if (!attr)
    return 0;
  if (isa<FlatSymbolRefAttr>(attr))
    return 1;
  SmallVector<uint64_t> parts;
  if (auto list = dyn_cast<ArrayAttr>(attr)) {
    for (Attribute element : list)
      parts.push_back(hashContent(element));
  } else if (auto dict = dyn_cast<DictionaryAttr>(attr)) {
    for (NamedAttribute entry : dict) {
      parts.push_back(identity(entry.getName().getAsOpaquePointer()));
      parts.push_back(isEdgeList(entry) ? 1 : hashContent(entry.getValue()));
    }
  } else if (auto elements = dyn_cast<ElementsAttr>(attr)) {
    SmallVector<char> storage;
    std::optional<ArrayRef<char>> bytes = nn::getRawBytes(elements, storage);
    if (!bytes)
      return identity(attr.getAsOpaquePointer());
    parts.push_back(identity(elements.getShapedType().getAsOpaquePointer()));
    parts.push_back(llvm::xxh3_64bits(ArrayRef(
        reinterpret_cast<const uint8_t *>(bytes->data()), bytes->size())));
  } else {
    return identity(attr.getAsOpaquePointer());
  }
  return combine(parts);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

DictionaryAttr modelwright::getInherentAttributes(Operation *op) {
  Attribute attr = op->getPropertiesAsAttribute();
  auto dict = dyn_cast_if_present<DictionaryAttr>(attr);
  return dict ? dict : DictionaryAttr::get(op->getContext());
}

StringRef modelwright::getOpName(Operation *op) {
  for (StringRef key : {ge::attr::kName, mgb::attr::kName})
    if (auto name = op->getAttrOfType<StringAttr>(key))
      if (!name.empty())
        return name;
  // The name of what an op computes is that of its first var.
  if (auto vars = op->getAttrOfType<ArrayAttr>(mgb::attr::kVars);
      vars && !vars.empty())
    if (auto name = dyn_cast<StringAttr>(vars[0]))
      return name;
  return {};
}

GraphIndex::GraphIndex(func::FuncOp func, ArrayRef<uint64_t> inputs)
    : func(func) {
  for (BlockArgument input : func.getArguments())
    values[input] = combine({1, inputs[input.getArgNumber()]});
  for (Operation &op : func.front()) {
    hashOp(&op, 0);
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    positions[&op] = ops.size();
    ops.push_back(&op);
  }
}

uint64_t GraphIndex::hashOp(Operation *op, unsigned depth) {
  auto identity = [](const void *pointer) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(pointer));
  };
  SmallVector<uint64_t> parts{identity(op->getName().getAsOpaquePointer()),
                              hashContent(getInherentAttributes(op))};
  for (Type type : op->getResultTypes())
    parts.push_back(identity(type.getAsOpaquePointer()));
  for (Region &region : op->getRegions())
    parts.push_back(hashRegion(region, depth + 1));
  uint64_t own = local[op] = combine(parts);
  parts = {own};
  for (Value operand : op->getOperands())
    parts.push_back(values.lookup(operand));
  uint64_t cone = combine(parts);
  for (OpResult result : op->getResults())
    values[result] = combine({cone, result.getResultNumber()});
  return cone;
}

uint64_t GraphIndex::hashRegion(Region &region, unsigned depth) {
  SmallVector<uint64_t> parts;
  for (Block &block : region) {
    for (BlockArgument argument : block.getArguments()) {
      parts.push_back(static_cast<uint64_t>(reinterpret_cast<uintptr_t>(
          argument.getType().getAsOpaquePointer())));
      values[argument] = combine({2, depth, argument.getArgNumber()});
    }
    for (Operation &op : block)
      parts.push_back(hashOp(&op, depth));
  }
  return combine(parts);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

InputPairs::InputPairs(func::FuncOp a, func::FuncOp b) {
  auto getName = [](func::FuncOp func, unsigned k) {
    auto name = func.getArgAttrOfType<StringAttr>(k, nn::NNDialect::kNameAttr);
    return name ? name.getValue() : StringRef();
  };
  // An input without a partner is like no other of either graph.
  unsigned nrA = a.getNumArguments(), nrB = b.getNumArguments();
  partnerOfA.assign(nrA, -1);
  partnerOfB.assign(nrB, -1);
  auto pair = [&](unsigned k, unsigned m) {
    partnerOfA[k] = static_cast<int>(m);
    partnerOfB[m] = static_cast<int>(k);
  };
  llvm::StringMap<unsigned> byName;
  for (unsigned m = 0; m < nrB; ++m)
    if (StringRef name = getName(b, m); !name.empty())
      byName.try_emplace(name, m);
  for (unsigned k = 0; k < nrA; ++k)
    if (auto it = byName.find(getName(a, k));
        it != byName.end() && partnerOfB[it->second] < 0)
      pair(k, it->second);
  // Conversion may rename them: the rest pairs up in order.
  for (unsigned k = 0, m = 0; k < nrA; ++k) {
    while (m < nrB && partnerOfB[m] >= 0)
      ++m;
    if (partnerOfA[k] < 0 && m < nrB)
      pair(k, m);
  }
}

SmallVector<uint64_t> InputPairs::getIdsOfA() const {
  SmallVector<uint64_t> ids;
  for (uint64_t k = 0; k < partnerOfA.size(); ++k)
    ids.push_back(k);
  return ids;
}

SmallVector<uint64_t> InputPairs::getIdsOfB() const {
  SmallVector<uint64_t> ids;
  for (auto [m, k] : llvm::enumerate(partnerOfB))
    ids.push_back(k >= 0 ? static_cast<uint64_t>(k) : partnerOfA.size() + m);
  return ids;
}

OpMatcher::OpMatcher(const GraphIndex &a, const GraphIndex &b,
                     const InputPairs &inputs)
    : a(a), b(b), inputs(inputs) {
  matchByName(/*sameKind=*/true);
  matchByCone();
  matchByOperands();
  // What is left under one name was rewritten, as a convolution is that takes
  // the name of its activation.
  matchByName(/*sameKind=*/false);
  matchByUsers();
}

void OpMatcher::pair(Operation *opOfA, Operation *opOfB) {
  partners[opOfA] = opOfB;
  taken.insert(opOfB);
}

void OpMatcher::matchByName(bool sameKind) {
  // Names may repeat: the k-th of one pairs up with the k-th of the other.
  using Key = std::pair<StringRef, const void *>;
  auto getKey = [&](Operation *op) {
    return Key(getOpName(op),
               sameKind ? op->getName().getAsOpaquePointer() : nullptr);
  };
  llvm::DenseMap<Key, SmallVector<Operation *, 1>> byName;
  for (Operation *op : llvm::reverse(b.ops))
    if (!taken.contains(op) && !getOpName(op).empty())
      byName[getKey(op)].push_back(op);
  for (Operation *op : a.ops) {
    if (!isFree(op) || getOpName(op).empty())
      continue;
    auto it = byName.find(getKey(op));
    if (it != byName.end() && !it->second.empty())
      pair(op, it->second.pop_back_val());
  }
}

void OpMatcher::matchByCone() {
  // The cone of an op without results is not hashed; such ops have operands to
  // pair up by.
  llvm::DenseMap<uint64_t, SmallVector<Operation *, 1>> byHash;
  for (Operation *op : llvm::reverse(b.ops))
    if (!taken.contains(op) && op->getNumResults())
      byHash[b.getHash(op->getResult(0))].push_back(op);
  for (Operation *op : a.ops) {
    if (!isFree(op) || !op->getNumResults())
      continue;
    auto it = byHash.find(a.getHash(op->getResult(0)));
    if (it != byHash.end() && !it->second.empty())
      pair(op, it->second.pop_back_val());
  }
}

Value OpMatcher::translate(Value value) const {
  if (auto input = dyn_cast<BlockArgument>(value)) {
    int partner = inputs.partnerOfA[input.getArgNumber()];
    func::FuncOp func = b.func;
    return partner < 0 ? Value() : Value(func.getArgument(partner));
  }
  auto result = cast<OpResult>(value);
  Operation *partner = partners.lookup(result.getOwner());
  return partner && result.getResultNumber() < partner->getNumResults()
             ? partner->getResult(result.getResultNumber())
             : Value();
}

void OpMatcher::matchByOperands() {
  // In program order: a pair makes its readers candidates.
  auto getKey = [](uint64_t local, ValueRange operands) {
    SmallVector<uint64_t> parts{local};
    for (Value operand : operands)
      parts.push_back(static_cast<uint64_t>(
          reinterpret_cast<uintptr_t>(operand.getAsOpaquePointer())));
    return combine(parts);
  };
  llvm::DenseMap<uint64_t, SmallVector<Operation *, 1>> byKey;
  for (Operation *op : llvm::reverse(b.ops))
    if (!taken.contains(op) && op->getNumOperands())
      byKey[getKey(b.getLocalHash(op), op->getOperands())].push_back(op);
  for (Operation *op : a.ops) {
    if (!isFree(op) || !op->getNumOperands())
      continue;
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(translate(operand));
    if (llvm::is_contained(operands, Value()))
      continue;
    auto it = byKey.find(getKey(a.getLocalHash(op), operands));
    if (it != byKey.end() && !it->second.empty())
      pair(op, it->second.pop_back_val());
  }
}

void OpMatcher::matchByUsers() {
  // Against program order: an operand of a pair makes a pair if it is an op of
  // the same kind on both sides.
  auto matchOperands = [&](Operation *opOfA, Operation *opOfB) {
    if (opOfA->getName() != opOfB->getName())
      return;
    for (auto [x, y] : llvm::zip(opOfA->getOperands(), opOfB->getOperands())) {
      Operation *producer = x.getDefiningOp(), *other = y.getDefiningOp();
      if (producer && other && isFree(producer) && !taken.contains(other) &&
          producer->getName() == other->getName())
        pair(producer, other);
    }
  };
  func::FuncOp funcA = a.func, funcB = b.func;
  matchOperands(funcA.front().getTerminator(), funcB.front().getTerminator());
  for (Operation *op : llvm::reverse(a.ops))
    if (Operation *partner = getPartner(op))
      matchOperands(op, partner);
}

bool OpMatcher::isSame(Value x, Value y) const {
  return translate(x) == y || a.getHash(x) == b.getHash(y);
}
