//===- RunProfile.h - Where the time of a model goes ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNPROFILE_H
#define MODELWRIGHT_LIB_TOOLS_RUNPROFILE_H

#include "modelwright/Target/CPU/Executable.h"

namespace modelwright {

enum class ProfileKind { None, Table, JSON };

/// Prints what an executable of `module` measured in `runs` runs that took
/// `seconds` each on average: a row for each part of a run, in a table by
/// falling time or as JSON in the order of the run. What the parts do not
/// account for, such as copies of inputs and outputs, is a row of its own, so
/// that the shares add up to 100 %.
void printProfile(const cpu::Executable &executable, mlir::ModuleOp module,
                  unsigned runs, double seconds, ProfileKind kind,
                  llvm::raw_ostream &os);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNPROFILE_H
