//===- ModelDiff.h - Structural comparison of models ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_MODELDIFF_H
#define MODELWRIGHT_TOOLS_MODELDIFF_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <string>
#include <vector>

namespace modelwright {

/// One thing that two matched ops, inputs or outputs do not share.
struct Difference {
  /// "attribute 'strides'", "operand 1", "weights", ...
  std::string what;
  /// What A and B have there. `b` is empty where `a` tells it all.
  std::string a, b;
};

/// An op, input or output of either model with what is different.
struct ChangedEntry {
  std::string entry;
  std::vector<Difference> differences;
};

/// What sets two models apart. All lists are in the order of the graphs.
struct ModelDiff {
  /// Number of graphs, names of testcases and the like.
  std::vector<Difference> model;
  std::vector<ChangedEntry> inputs, outputs, changed;
  std::vector<std::string> onlyInA, onlyInB;
  /// Ops that have a partner, changed ones included.
  uint64_t numMatched = 0;

  bool isSame() const {
    return model.empty() && inputs.empty() && outputs.empty() &&
           changed.empty() && onlyInA.empty() && onlyInB.empty();
  }
};

struct ModelDiffOptions {
  /// Compare what a file says beyond the dialect's ops, too: attributes of the
  /// format (where both models have them), but no names and positions.
  bool formatAttributes = false;
};

/// Compares two modules of one context. Ops pair up by name first, then by what
/// they compute from what, then by their place around paired ops; the cost is
/// that of reading both models once. Constants are compared where they lie.
ModelDiff diffModels(mlir::ModuleOp a, mlir::ModuleOp b,
                     const ModelDiffOptions &options = {});

/// Prints a line for each difference and one that sums up.
void printDiff(const ModelDiff &diff, llvm::StringRef a, llvm::StringRef b,
               llvm::raw_ostream &os);

/// The same as a JSON object.
llvm::json::Value getDiffJSON(const ModelDiff &diff, llvm::StringRef a,
                              llvm::StringRef b);

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_MODELDIFF_H
