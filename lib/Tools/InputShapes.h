//===- InputShapes.h - Fix the shapes of inputs -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_INPUTSHAPES_H
#define MODELWRIGHT_LIB_TOOLS_INPUTSHAPES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace modelwright {

/// Gives inputs of the entry function other shapes, from specifications like
/// `name=1x3x224x224`, and infers those of all ops anew. The name may be left
/// out if there is one input. The rank stays, as do dims that are known.
llvm::Error setInputShapes(mlir::ModuleOp module,
                           llvm::ArrayRef<std::string> specifications);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_INPUTSHAPES_H
