//===- Executable.h - Run a model in this process ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_EXECUTABLE_H
#define MODELWRIGHT_TARGET_CPU_EXECUTABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "modelwright/Target/CPU/Passes.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace modelwright::cpu {

/// A tensor in this process: elements row major and little endian, as the data
/// of an `nn.constant` (one byte per boolean; rows of elements narrower than a
/// byte are packed).
struct HostTensor {
  /// Static shape; the element type is the dialect's (quantized, unsigned).
  mlir::RankedTensorType type;
  std::string name;
  std::vector<char> data;
};

/// Whether there is memory for that many bytes of data, which a vector takes
/// for granted.
bool canAllocate(uint64_t bytes);

/// An input or an output of a model.
struct TensorInfo {
  std::string name;
  /// As in the graph: dims may be dynamic.
  mlir::RankedTensorType type;
};

/// A part of a run that is measured: a kernel, or loops.
struct ProfiledUnit {
  /// What computes: a kernel with its algorithm and tile, or `loops`.
  std::string kernel;
  /// The ops of the model that it is for, as their numbers among those of the
  /// nn dialect in the module that was compiled, in the order of a walk.
  llvm::SmallVector<int64_t> ops;
  /// Whether it only moves data for one that computes.
  bool isMove = false;
  /// Bytes of the buffers that it reads and writes; 0 if that is not known.
  int64_t bytes = 0;
  /// Time spent in it, of all runs since resetProfile().
  int64_t nanoseconds = 0;
};

struct CompileOptions {
  /// `lanes` of 0 stands for what the CPU has.
  PipelineOptions pipeline = {.lanes = 0};
  /// LLVM's name of the CPU to make code for, such as x86-64-v3; empty for the
  /// one that this process runs on.
  std::string cpu;
  /// Optimization level of LLVM's passes, 0 to 3.
  unsigned optLevel = 1;
  /// Prints the module behind each pass.
  bool printIR = false;
  /// Prints how long each pass took.
  bool timePasses = false;
};

/// A model compiled for the CPU that it runs on. Not to be run by two threads
/// at once; its module's context must outlive it.
class Executable {
public:
  virtual ~Executable() = default;

  /// Compiles the entry function of `module`, which stays as it is. Ops that
  /// have no lowering are all reported, and nothing is compiled.
  static llvm::FailureOr<std::unique_ptr<Executable>>
  compile(mlir::ModuleOp module, const CompileOptions &options = {});

  llvm::ArrayRef<TensorInfo> getInputs() const { return inputs; }
  llvm::ArrayRef<TensorInfo> getOutputs() const { return outputs; }

  /// Bytes of the arena, and the least that is possible.
  int64_t getArenaBytes() const { return arenaBytes; }
  int64_t getArenaLowerBound() const { return arenaLowerBound; }

  /// Bytes of the weights, in the form in which kernels read them.
  int64_t getWeightBytes() const { return weightBytes; }

  /// How many threads run it.
  int64_t getThreads() const { return threads; }

  /// What `pipeline.profile` measured, in the order of the run.
  virtual std::vector<ProfiledUnit> getProfile() const = 0;
  virtual void resetProfile() = 0;

  /// Runs the model. The inputs must be as many as getInputs(), in its order,
  /// of the same element types and of compatible shapes. Fails, with a
  /// diagnostic at the op, when the values are such that an op has no result
  /// (an index out of range).
  virtual llvm::LogicalResult
  run(llvm::ArrayRef<const HostTensor *> arguments,
      llvm::SmallVectorImpl<HostTensor> &results) = 0;

protected:
  llvm::SmallVector<TensorInfo> inputs, outputs;
  int64_t arenaBytes = 0, arenaLowerBound = 0, weightBytes = 0;
  int64_t threads = 1;
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_TARGET_CPU_EXECUTABLE_H
