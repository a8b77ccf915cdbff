//===- Passes.h - Native code for CPUs --------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_PASSES_H
#define MODELWRIGHT_TARGET_CPU_PASSES_H

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"

#include <optional>

namespace llvm {
class MCSubtargetInfo;
} // namespace llvm

namespace modelwright::cpu {

#define GEN_PASS_DECL
#include "modelwright/Target/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "modelwright/Target/CPU/Passes.h.inc"

/// The attribute of the entry function that lists its checks; see
/// lower-runtime-checks.
inline constexpr llvm::StringLiteral kChecksAttr = "nn.checks";

/// Marks the entry function's argument that is its arena; on the function, its
/// size and the least that is possible, in bytes. See plan-memory.
inline constexpr llvm::StringLiteral kArenaAttr = "cpu.arena";

/// Marks the entry function's argument that takes the times of a run; on the
/// function, the list of what they are of. See instrument-units.
inline constexpr llvm::StringLiteral kProfileAttr = "cpu.profile";

/// Marks the functions that emit-kernels makes, in LLVM IR as well.
inline constexpr llvm::StringLiteral kKernelAttr = "modelwright-kernel";

/// On a function whose last three arguments are the number of a thread and a
/// range of units, each of which any thread may compute at any time: how many
/// units there are, and how many operations they take together. See
/// emit-kernels.
inline constexpr llvm::StringLiteral kUnitsAttr = "cpu.units";

/// Marks the entry function's argument that is the thread pool. See
/// add-thread-pool.
inline constexpr llvm::StringLiteral kPoolAttr = "cpu.pool";

/// What MLIR's conversion of functions to LLVM looks for: buffers are passed as
/// pointers.
inline constexpr llvm::StringLiteral kBarePointersAttr = "llvm.bareptr";

/// How much of the target's own schedule is used.
enum class Schedule {
  Plain, ///< Loops as linalg has them: slow, for every op.
  Full,  ///< Kernels on blocked tensors where there are any.
};

struct PipelineOptions {
  Schedule schedule = Schedule::Full;
  /// f32 numbers in a vector: 16 for AVX-512, 8 for AVX2.
  int64_t lanes = 16;
  /// How bytes are multiplied: what the CPU has instructions for. Nothing
  /// stands for `lanes`, which every CPU can, until setTargetOptions.
  std::optional<Products> products = std::nullopt;
  /// Whether the CPU adds pairs of products of bf16: not until
  /// setTargetOptions.
  std::optional<bool> bf16Dot = std::nullopt;
  /// Whether Winograd's algorithm may be chosen.
  bool winograd = true;
  /// Whether Strassen's algorithm may be chosen.
  bool strassen = true;
  /// The most threads that run a model. With more than one, the full schedule
  /// gives the entry function an argument for a pool, behind all others.
  int64_t threads = 1;
  /// Operations from which on a kernel is shared among threads.
  int64_t sharedCost = 8192;
  /// Whether all results have static shapes.
  bool staticResults = true;
  /// Whether the code measures its parts.
  bool profile = false;
};

/// Sets what `options` leave open (`lanes` of 0, no `products`, no `bf16Dot`)
/// to what the CPU can do, as LLVM knows it.
void setTargetOptions(const llvm::MCSubtargetInfo &target,
                      PipelineOptions &options);

/// From the nn dialect to the schedule's kernels: before prepare-entry.
void buildKernelPipeline(mlir::OpPassManager &pm,
                         const PipelineOptions &options);

/// From where linalg and the cpu dialect meet to kernels with all that they
/// compute by: part of the next.
void buildSchedulePipeline(mlir::OpPassManager &pm,
                           const PipelineOptions &options);

/// From the nn dialect, prepared by prepare-entry, to buffers. The entry
/// function takes memrefs; its results become arguments behind all others if
/// all of them have static shapes.
void buildBufferPipeline(mlir::OpPassManager &pm,
                         const PipelineOptions &options);

/// From buffers to the LLVM dialect, the kernels among it.
void buildLLVMPipeline(mlir::OpPassManager &pm, const PipelineOptions &options);

/// Registers `cpu-buffers`: from the nn dialect to planned buffers, kernels
/// being ops still, for a model whose results have static shapes.
void registerPipelines();

/// What the pipelines need of dialect interfaces.
void registerPipelineInterfaces(mlir::DialectRegistry &registry);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_TARGET_CPU_PASSES_H
