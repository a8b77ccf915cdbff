//===- TargetOptions.cpp - What the target CPU can do ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/Passes.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace modelwright;
using namespace modelwright::cpu;

void cpu::setTargetOptions(const llvm::MCSubtargetInfo &target,
                           PipelineOptions &options) {
  auto has = [&](llvm::StringRef features) {
    return target.checkFeatures(features.str());
  };
  bool isX86 = target.getTargetTriple().isX86();
  if (options.lanes == 0 && target.getTargetTriple().isAArch64())
    options.lanes = 4;
  if (options.lanes == 0)
    options.lanes = isX86 && has("+avx512f") ? 16 : 8;
  if (!options.bf16Dot)
    options.bf16Dot =
        isX86 &&
        has(options.lanes == 16 ? "+avx512bf16" : "+avx512bf16,+avx512vl");
  if (options.products)
    return;
  options.products = Products::lanes;
  if (!isX86)
    return;
  bool isWide = options.lanes == 16;
  if (isWide ? has("+avx512bw") : has("+avx2"))
    options.products = Products::madd_i16;
  if (isWide ? has("+avx512vnni,+avx512bw")
             : has("+avxvnni") || has("+avx512vnni,+avx512vl"))
    options.products = Products::dot_i8;
}
