//===- ObjectCode.h - ELF objects -------------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_OBJECTCODE_H
#define MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_OBJECTCODE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>
#include <optional>

namespace modelwright::cpu {

/// lib/Runtime for an architecture; null if it was not compiled for that.
std::unique_ptr<llvm::Module> parseRuntimeBitcode(const llvm::Triple &triple,
                                                  llvm::LLVMContext &context);

/// Compiles a module to an object.
llvm::Error emitObjectCode(llvm::Module &module, llvm::TargetMachine &machine,
                           llvm::SmallVectorImpl<char> &object);

/// What an object is made of.
struct ObjectFacts {
  /// Bytes in executable sections.
  uint64_t codeBytes = 0;
  /// Names of the symbols that others must define.
  std::vector<std::string> undefined;
};
llvm::Expected<ObjectFacts> getObjectFacts(llvm::ArrayRef<char> object);

/// Overwrites the contents of a section of the same size.
llvm::Error fillSection(llvm::MutableArrayRef<char> object,
                        llvm::StringRef section,
                        llvm::ArrayRef<uint8_t> contents);

/// The system's library that has a function which code may call, as a linker
/// knows it: "c" or "m". Nullopt for others.
std::optional<llvm::StringRef> getSystemLibrary(llvm::StringRef symbol);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_OBJECTCODE_H
