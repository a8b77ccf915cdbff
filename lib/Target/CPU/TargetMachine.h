//===- TargetMachine.h - LLVM's view of the target --------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_TARGETMACHINE_H
#define MODELWRIGHT_LIB_TARGET_CPU_TARGETMACHINE_H

#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace modelwright::cpu {

/// A target machine for position-independent code. An empty triple is this
/// machine's; an empty CPU is the one that this process runs on, or LLVM's
/// generic one if the triple's architecture is another. Fails for what is
/// neither x86-64 nor AArch64, no ELF, and for CPUs that LLVM does not know.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef triple, llvm::StringRef cpu,
                    llvm::StringRef features);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_TARGETMACHINE_H
