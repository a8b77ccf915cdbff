//===- Interface.h - The C interface of a library ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a library of model-compile has for its caller, from which both its code
// and its C header are made.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_INTERFACE_H
#define MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_INTERFACE_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/IR/Module.h"

namespace modelwright::cpu {

/// Bytes of an arena before those that the model's code uses, and what arenas
/// and weights are aligned to.
inline constexpr uint64_t kArenaHeaderBytes = 64;

/// Types of elements in memory, in the order of the header's enumeration.
inline constexpr llvm::StringLiteral kDtypeNames[] = {
    "BOOL", "I8",  "I16", "I32", "I64",  "U8",  "U16",
    "U32",  "U64", "F16", "F32", "BF16", "F64", "COMPLEX64"};

/// An input or an output.
struct InterfaceTensor {
  std::string name;
  /// The element type as the dialect writes it.
  std::string type;
  /// An index of kDtypeNames.
  unsigned dtype = 0;
  /// Those of an element that count: 4 for codes of 4 bits in a byte each.
  unsigned bits = 0;
  llvm::SmallVector<int64_t> shape;
  uint64_t bytes = 0;
  /// Quantization parameters: none, one, or one for each index along `axis`.
  std::vector<double> scales;
  std::vector<int64_t> zeroPoints;
  int axis = -1;
};

struct Interface {
  std::string prefix;
  std::vector<InterfaceTensor> inputs, outputs;
  /// Names of the versions, and the features of CPUFeatures.def that each
  /// needs. The best version is last.
  std::vector<std::string> versions;
  std::vector<uint64_t> features;
  /// Bytes of the arena, header included.
  uint64_t arenaBytes = 0;
  /// Bytes of all weights, and whether they are a file.
  uint64_t weightBytes = 0;
  bool separateWeights = false;
  /// Of the model and its weights.
  uint64_t id = 0;
  /// Messages of the checks, number 1 first.
  std::vector<std::string> checks;
};

/// Describes a tensor. Nullopt for an element type that C has no name for.
std::optional<InterfaceTensor> describeTensor(const TensorInfo &info);

/// The C header.
std::string printHeader(const Interface &interface);

/// Code of one version: a function of pointers, in the order of LoweredModel's
/// arguments.
struct VersionCode {
  llvm::Function *function = nullptr;
  /// Where each constant is in the weights.
  llvm::SmallVector<uint64_t> constants;
  bool hasArena = false;
  /// Of Interface::checks, how many come before those of this version.
  unsigned firstCheck = 0;
};

/// Adds the functions of the interface to a module. `weights` are those in the
/// library, or null. Functions of lib/Runtime/Library are declared.
void emitInterface(llvm::Module &module, const Interface &interface,
                   llvm::ArrayRef<VersionCode> versions,
                   llvm::GlobalVariable *weights);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_INTERFACE_H
