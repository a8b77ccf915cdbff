//===- RunLabels.h - What a classifier says ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNLABELS_H
#define MODELWRIGHT_LIB_TOOLS_RUNLABELS_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"

namespace modelwright {

/// The lines of a file, without the end of the line.
llvm::Expected<std::vector<std::string>> readLabels(llvm::StringRef path);

/// Prints the `count` largest numbers of each batch item of an output with
/// their classes: of the first output that has as many classes as there are
/// labels, or of the first output if there are no labels. The first dim is the
/// batch if there are several; all others are classes. The numbers are printed
/// as they are: no softmax is applied.
llvm::Error printTop(llvm::ArrayRef<cpu::HostTensor> outputs,
                     llvm::ArrayRef<std::string> labels, unsigned count,
                     llvm::raw_ostream &os);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNLABELS_H
