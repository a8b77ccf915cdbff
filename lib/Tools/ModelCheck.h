//===- ModelCheck.h - Whether passes kept what a model computes -*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The model is run before and after the passes on the same inputs. Where the
// outputs differ, the passes are run again with a copy of the module kept
// behind each that changed something; a binary search over these finds the
// first pass that is to blame, and a comparison of all values that have a name
// and a type in common the first op.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_MODELCHECK_H
#define MODELWRIGHT_LIB_TOOLS_MODELCHECK_H

#include "TensorFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

#include <optional>

namespace modelwright {

struct CheckOptions {
  /// How many sets of random inputs there are, with the seeds `seed`,
  /// `seed + 1`, ...
  unsigned runs = 1;
  uint64_t seed = 0;
  /// Where inputs are read from instead: files that are called as the inputs,
  /// `<name>.npy` or `<name>.bin`, or a folder of such files for each run.
  std::string dataDir;
  /// Bounds of the absolute error, and of that over the largest magnitude of
  /// the output. Without the latter, there is none for integers and quantized
  /// codes, and for floats it depends on the narrowest that the model computes:
  /// 1e-4 for f32 and f64; 5e-3 for f16 and 4e-2 for bf16, five units in the
  /// last place at the largest magnitude, since fused ops round less often and
  /// what one layer rounds otherwise goes through all behind it.
  double atol = 0;
  std::optional<double> rtol;
  /// Run both models by the plain path.
  bool plain = false;
  /// The bound for floats if `rtol` is not given.
  double floatRel = 1e-4;
};

/// The largest relative error that `options` allow for an output.
double getAllowedRel(mlir::Type elementType, const CheckOptions &options);

/// Whether a difference is within what `options` allow.
bool isWithin(const TensorDifference &difference, mlir::Type elementType,
              const CheckOptions &options);

/// A model's outputs for one set of inputs after another.
using RunOutputs = std::vector<llvm::SmallVector<cpu::HostTensor>>;

class ModelCheck {
public:
  /// Runs the main graph of `module`, which stays as it is, on the inputs that
  /// `options` name, or on those of the testcases that the module holds. Fails,
  /// after a diagnostic, where it cannot be run.
  static llvm::FailureOr<std::unique_ptr<ModelCheck>>
  create(mlir::ModuleOp module, const CheckOptions &options);

  /// Runs `module` on the same inputs and prints a line for each output: the
  /// worst of all runs. Whether all are within bounds; fails where it cannot be
  /// run or has other inputs or outputs. `what` says what was compared.
  llvm::FailureOr<bool> compare(mlir::ModuleOp module, llvm::StringRef what,
                                llvm::raw_ostream &os) const;

  /// Finds the first pass of a pipeline, as `build` makes it, behind which the
  /// outputs differ, and the first op, and reports both as an error.
  void blame(
      llvm::function_ref<llvm::LogicalResult(mlir::PassManager &)> build) const;

private:
  ModelCheck() = default;

  llvm::FailureOr<RunOutputs> run(mlir::ModuleOp module) const;
  std::string findOp(mlir::ModuleOp good, mlir::ModuleOp bad) const;

  CheckOptions options;
  /// The module as it was; its testcases have become `inputs`.
  mlir::OwningOpRef<mlir::ModuleOp> original;
  std::vector<llvm::SmallVector<cpu::HostTensor>> inputs;
  RunOutputs expected;
};

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_MODELCHECK_H
