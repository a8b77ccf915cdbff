//===- RunInputs.h - What model-run feeds and prints ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNINPUTS_H
#define MODELWRIGHT_LIB_TOOLS_RUNINPUTS_H

#include "RunImage.h"
#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"

namespace modelwright {

/// One tensor for each input of the entry function, from `[name=]value`
/// specifications: a file (of a tensor or of an image), `random` or `zeros`.
/// Inputs that no specification names take the default that the model gives
/// them, else random numbers. Random floats are uniform in [-1, 1), integers
/// small, codes over their whole range; the same seed gives the same numbers on
/// every machine.
llvm::Expected<llvm::SmallVector<cpu::HostTensor>>
prepareInputs(mlir::ModuleOp module, llvm::ArrayRef<std::string> specifications,
              uint64_t seed, const ImageOptions &image);

/// Name, type and the first elements of each tensor, a line each.
void printOutputs(llvm::ArrayRef<cpu::HostTensor> outputs,
                  llvm::raw_ostream &os);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNINPUTS_H
