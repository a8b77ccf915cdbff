//===- Library.h - A model as a library with a C interface ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_LIBRARY_H
#define MODELWRIGHT_TARGET_CPU_LIBRARY_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <functional>

namespace modelwright::cpu {

/// Code for one kind of CPU.
struct LibraryVersion {
  /// What the header calls it: "x86_64_v4"; empty for the CPU's name.
  std::string name;
  /// LLVM's names of the CPU and of features beyond it ("+avx512vnni").
  std::string cpu, features;
};

struct LibraryOptions {
  /// How to compile. `cpu`, `features` and `pipeline.lanes` are set for each
  /// version.
  CompileOptions compile;
  /// What all symbols and the header's names start with: a C identifier.
  std::string prefix;
  /// The target triple; empty for this machine's.
  std::string triple;
  /// What to make code for, the one to be preferred last; empty for the CPU
  /// that this process runs on.
  std::vector<LibraryVersion> versions;
  /// Whether the weights are a file of their own rather than a section.
  bool separateWeights = false;
  /// What the library says of a check that failed.
  std::function<std::string(mlir::Location, llvm::StringRef)> describeCheck;
};

/// A compiled model.
struct Library {
  /// A relocatable ELF object, which refers to nothing but functions of the C
  /// library and of libm.
  llvm::SmallVector<char, 0> object;
  /// The C header.
  std::string header;
  /// The file of weights if these are separate.
  std::vector<char> weights;
  /// The target triple.
  std::string triple;
  /// Names of the versions.
  std::vector<std::string> versions;
  /// Bytes of machine code, of weights, and of the largest version's arena: how
  /// many there are and how many are needed at least.
  uint64_t codeBytes = 0, weightBytes = 0;
  int64_t arenaBytes = 0, arenaLowerBound = 0;
};

/// Whether a name may be the prefix of a library.
bool isCIdentifier(llvm::StringRef name);

/// Compiles the entry function of `module`, which stays as it is. All shapes
/// must be static.
llvm::FailureOr<Library> compileLibrary(mlir::ModuleOp module,
                                        const LibraryOptions &options);

/// The object as the one member, called `member`, of an archive.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
archiveLibrary(const Library &library, llvm::StringRef member);

/// The object as a shared library that is called `soname`, linked by LLVM's
/// linker.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
linkLibrary(const Library &library, llvm::StringRef soname);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_TARGET_CPU_LIBRARY_H
