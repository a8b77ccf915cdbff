//===- ModelStats.h - Counts of a model -------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_MODELSTATS_H
#define MODELWRIGHT_TOOLS_MODELSTATS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <map>

namespace modelwright {

/// The graph that is the model: the first that is no testcase. Null if there
/// is none.
mlir::func::FuncOp getMainGraph(mlir::ModuleOp module);

/// What a model's main graph amounts to.
struct ModelStats {
  /// Ops by name, constants included.
  std::map<std::string, uint64_t> ops;
  uint64_t computeOps = 0; ///< Ops other than constants and variables.
  uint64_t parameters = 0; ///< Elements of all constants.
  uint64_t bytes = 0;      ///< Bytes of all constants.
  /// Multiply-accumulates of convolutions and matrix products with static
  /// shapes.
  uint64_t macs = 0;
  /// Constants by element type: count, elements, bytes.
  struct Weights {
    uint64_t count = 0, elements = 0, bytes = 0;
  };
  std::map<std::string, Weights> weights;
};

/// Counts the main graph of a module (testcase graphs are left out).
ModelStats computeStats(mlir::ModuleOp module);

/// Prints the table of ops, parameters, bytes and MACs before and after.
void printSummary(const ModelStats &before, const ModelStats &after,
                  llvm::raw_ostream &os);

/// Prints everything model-info tells of a module, as text.
void printInfo(mlir::ModuleOp module, llvm::StringRef filename,
               llvm::raw_ostream &os);

/// The same as a JSON object.
llvm::json::Value getInfoJSON(mlir::ModuleOp module, llvm::StringRef filename);

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_MODELSTATS_H
