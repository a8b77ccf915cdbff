//===- NodeNames.cpp - Names of nodes beyond their format -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NodeNames.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace modelwright;

StringRef nn::getNodeName(Location loc) {
  StringRef name;
  loc->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner))
      name = named.getName();
    return WalkResult::advance();
  });
  return name;
}

llvm::DenseMap<Operation *, StringRef>
nn::nameNodes(Block &block, function_ref<bool(Operation *)> isNameless,
              llvm::StringSet<> &taken) {
  llvm::DenseMap<Operation *, StringRef> names;
  for (Operation &op : llvm::reverse(block)) {
    if (!isNameless(&op))
      continue;
    StringRef name = getNodeName(op.getLoc());
    if (!name.empty() && taken.insert(name).second)
      names[&op] = name;
  }
  return names;
}
