//===- Passes.td - Native code for CPUs --------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_PASSES_TD
#define MODELWRIGHT_TARGET_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerRuntimeChecks : Pass<"lower-runtime-checks", "::mlir::ModuleOp"> {
  let summary = "Make failed assertions end the run, not the process";
  let description = [{
    Each `cf.assert` of the entry function becomes a branch: if it does not
    hold, its number (from 1) is stored into the argument marked `nn.status`
    and the function returns. The function's attribute `nn.checks` lists message
    and location of each. Expects control flow as blocks, and no `cf.assert`
    in other functions.
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::ub::UBDialect"];
}

#endif // MODELWRIGHT_TARGET_CPU_PASSES_TD
