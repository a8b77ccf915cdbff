//===- LowerModel.h - From a model to the LLVM dialect ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_LOWERMODEL_H
#define MODELWRIGHT_LIB_TARGET_CPU_LOWERMODEL_H

#include "HostData.h"
#include "mlir/IR/OwningOpRef.h"
#include "modelwright/Target/CPU/Executable.h"

namespace modelwright::cpu {

/// Weights that the entry function takes as an argument.
struct ModelConstant {
  /// In their lowered form: a view of the model's bytes where these can be used
  /// in place, which the context of the module owns.
  LoweredData data;
  mlir::RankedTensorType type;
  /// The position in the entry function of the first op that reads it.
  unsigned firstUse = 0;
};

/// How the entry function takes tensors.
enum class CallConvention {
  Descriptors,  ///< As memref descriptors, by its C wrapper.
  BarePointers, ///< As pointers to the elements, of static shapes.
};

/// A model in the LLVM dialect, and what its caller must know. The arguments of
/// the entry function are, in this order, inputs, constants, a status of one
/// i64 (see lower-runtime-checks), outputs if all of their shapes are static,
/// the arena if it is not empty, the times (see instrument-units) if it is to
/// be profiled, and the thread pool if it takes one.
struct LoweredModel {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  /// Of the entry function; its C wrapper, if it has one, is `_mlir_ciface_`
  /// and this name.
  std::string entryName;
  mlir::LocationAttr loc;
  /// As in the graph, before lowering.
  llvm::SmallVector<TensorInfo> inputs, outputs;
  /// Whether all outputs have static shapes. Else they are returned.
  bool staticResults = true;
  CallConvention convention = CallConvention::Descriptors;
  llvm::SmallVector<ModelConstant> constants;
  /// Messages and locations of the checks, number 1 first; null for none.
  mlir::ArrayAttr checks;
  /// Bytes of the arena, and the least that is possible.
  int64_t arenaBytes = 0, arenaLowerBound = 0;
  /// The most threads that run it; it takes a pool if that is more than one.
  int64_t threads = 1;
  /// Whether it takes an argument for the times of its parts, and which these
  /// are.
  bool isProfiled = false;
  std::vector<ProfiledUnit> profile;
};

/// Lowers a copy of `source`. Ops that have no lowering are all reported.
llvm::FailureOr<LoweredModel> lowerModel(mlir::ModuleOp source,
                                         const CompileOptions &options);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_LOWERMODEL_H
