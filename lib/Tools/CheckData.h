//===- CheckData.h - Inputs that a folder holds -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_CHECKDATA_H
#define MODELWRIGHT_LIB_TOOLS_CHECKDATA_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace modelwright {

/// The sets of inputs that a folder holds, each as `name=file` for
/// prepareInputs. A set is the files `<name>.npy` or `<name>.bin` of a folder;
/// '/' in a name is '_' in that of its file. `dir` is one set, or holds nothing
/// but folders, in the order of their names, that are one each. An input
/// without a default needs its file.
llvm::Expected<std::vector<std::vector<std::string>>>
findCheckData(mlir::ModuleOp module, llvm::StringRef dir);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_CHECKDATA_H
