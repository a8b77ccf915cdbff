//===- Optimize.h - LLVM's passes over a model's code -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_OPTIMIZE_H
#define MODELWRIGHT_LIB_TARGET_CPU_OPTIMIZE_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace modelwright::cpu {

/// Runs LLVM's pipeline of `level`, 0 to 3, over `module`. Functions that carry
/// kKernelAttr are left as they were emitted: their loops and addresses are
/// what they should be, and the passes take longer than all else and make
/// ResNet-18 no faster.
void optimize(llvm::Module &module, llvm::TargetMachine &machine,
              unsigned level);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_OPTIMIZE_H
