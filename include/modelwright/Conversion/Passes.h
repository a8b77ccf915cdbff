//===- Passes.h - Conversion of the nn dialect ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_CONVERSION_PASSES_H
#define MODELWRIGHT_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace modelwright {

#define GEN_PASS_DECL
#include "modelwright/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "modelwright/Conversion/Passes.h.inc"

} // namespace modelwright

#endif // MODELWRIGHT_CONVERSION_PASSES_H
