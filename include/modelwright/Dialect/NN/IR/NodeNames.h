//===- NodeNames.h - Names of nodes beyond their format ---------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format's attributes keep the names of its own files. What a file of the
// other format calls a node is its location's name: with it a model that is
// converted keeps its names.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NODENAMES_H
#define MODELWRIGHT_DIALECT_NN_IR_NODENAMES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace modelwright::nn {

/// The name in a location, empty if there is none. Of a fused location it is
/// that of the last source, for which the fused op stands.
llvm::StringRef getNodeName(mlir::Location loc);

/// Names those ops of a block that `isNameless` and whose location has a name
/// that is not in `taken`; adds it there. Of several ops with one name (parts
/// of one node) the last has it, the others stay nameless.
llvm::DenseMap<mlir::Operation *, llvm::StringRef>
nameNodes(mlir::Block &block,
          llvm::function_ref<bool(mlir::Operation *)> isNameless,
          llvm::StringSet<> &taken);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_NODENAMES_H
