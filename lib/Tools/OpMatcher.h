//===- OpMatcher.h - Pair the ops of two graphs -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_OPMATCHER_H
#define MODELWRIGHT_LIB_TOOLS_OPMATCHER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <vector>

namespace modelwright {

/// Whether two attributes say the same: constants by their bytes, wherever
/// these lie. Of a GE op's fields the names of its producers do not count.
bool haveSameContent(mlir::Attribute a, mlir::Attribute b);

/// What an op computes apart from its operands: its inherent attributes.
mlir::DictionaryAttr getInherentAttributes(mlir::Operation *op);

/// The name that an op has in its file, or "".
llvm::StringRef getOpName(mlir::Operation *op);

/// Which input of one graph is which of the other: by name first, the rest in
/// order.
struct InputPairs {
  InputPairs(mlir::func::FuncOp a, mlir::func::FuncOp b);

  /// Numbers that partners share, and nothing else does.
  llvm::SmallVector<uint64_t> getIdsOfA() const;
  llvm::SmallVector<uint64_t> getIdsOfB() const;

  /// Number of the partner, or -1.
  llvm::SmallVector<int> partnerOfA, partnerOfB;
};

/// A graph's ops and hashes of what they are.
class GraphIndex {
public:
  /// `inputs` are what to hash of the graph's inputs.
  GraphIndex(mlir::func::FuncOp func, llvm::ArrayRef<uint64_t> inputs);

  mlir::func::FuncOp func;
  /// The ops of the body but for the terminator.
  std::vector<mlir::Operation *> ops;

  /// Hash of an op without its operands.
  uint64_t getLocalHash(mlir::Operation *op) const { return local.lookup(op); }
  /// Hash of a value with everything that it is computed from.
  uint64_t getHash(mlir::Value value) const { return values.lookup(value); }
  /// Position among `ops`.
  size_t getPosition(mlir::Operation *op) const { return positions.at(op); }

private:
  uint64_t hashOp(mlir::Operation *op, unsigned depth);
  uint64_t hashRegion(mlir::Region &region, unsigned depth);

  llvm::DenseMap<mlir::Operation *, uint64_t> local;
  llvm::DenseMap<mlir::Value, uint64_t> values;
  llvm::DenseMap<mlir::Operation *, size_t> positions;
};

/// Pairs of ops of two graphs.
class OpMatcher {
public:
  OpMatcher(const GraphIndex &a, const GraphIndex &b, const InputPairs &inputs);

  /// The partner in B of an op of A; null if it has none.
  mlir::Operation *getPartner(mlir::Operation *op) const {
    return partners.lookup(op);
  }
  bool hasPartner(mlir::Operation *opOfB) const {
    return taken.contains(opOfB);
  }
  /// Whether a value of A is one of B: results of partners, or values that are
  /// computed in the same way from the same.
  bool isSame(mlir::Value a, mlir::Value b) const;

private:
  void pair(mlir::Operation *opOfA, mlir::Operation *opOfB);
  bool isFree(mlir::Operation *opOfA) const {
    return !partners.contains(opOfA);
  }
  void matchByName(bool sameKind);
  void matchByCone();
  void matchByOperands();
  void matchByUsers();
  /// The value of B that is a value of A, or null.
  mlir::Value translate(mlir::Value value) const;

  const GraphIndex &a, &b;
  const InputPairs &inputs;
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> partners;
  llvm::DenseSet<mlir::Operation *> taken;
};

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_OPMATCHER_H
