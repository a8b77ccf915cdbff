//===- LayerKernel.h - The kernel of one layer ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_BENCHMARKS_LAYERS_LAYERKERNEL_H
#define MODELWRIGHT_BENCHMARKS_LAYERS_LAYERKERNEL_H

#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/IR/BuiltinOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <string>
#include <vector>

namespace modelwright::bench {

/// The kernel of a model of one layer, alone: the model goes through the passes
/// of the full schedule, and what they made of its one convolution or matrix
/// product runs on buffers of its own, without the packing and the copies
/// around it. The buffers hold random numbers.
class LayerKernel {
public:
  /// `model` is text of the nn dialect. `options` may be open.
  static llvm::FailureOr<std::unique_ptr<LayerKernel>>
  compile(mlir::MLIRContext &context, llvm::StringRef model,
          cpu::PipelineOptions options);

  void run() { entry(arguments.data()); }

  /// Algorithm and tile, as choose-kernels wrote them.
  llvm::StringRef getChoice() const { return choice; }

private:
  /// The arguments of a function on buffers of these types.
  void allocate(llvm::ArrayRef<mlir::Type> types);
  llvm::LogicalResult
  createEngine(mlir::ModuleOp module,
               std::unique_ptr<llvm::TargetMachine> machine);

  std::string choice;
  std::vector<std::unique_ptr<char[]>> memory;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers, arguments;
  std::unique_ptr<mlir::ExecutionEngine> engine;
  void (*entry)(void **) = nullptr;
};

} // namespace modelwright::bench

#endif // MODELWRIGHT_BENCHMARKS_LAYERS_LAYERKERNEL_H
