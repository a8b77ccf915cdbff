//===- Coverage.h - docs/coverage.md ----------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_COVERAGE_H
#define MODELWRIGHT_LIB_TOOLS_COVERAGE_H

#include "llvm/Support/raw_ostream.h"

namespace modelwright {

/// Prints what the importers make of every operator of both formats. Returns
/// the tool's exit code.
int printCoverage(llvm::raw_ostream &os);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_COVERAGE_H
