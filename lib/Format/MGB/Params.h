//===- Params.h - Generic code over all param tables ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_MGB_PARAMS_H
#define MODELWRIGHT_LIB_FORMAT_MGB_PARAMS_H

#include "modelwright/Format/MGB/Model.h"
#include "llvm/Support/raw_ostream.h"

namespace modelwright::mgb {

/// Prints every field of `param`, defaults included.
void printParam(const Param &param, llvm::raw_ostream &os);

/// Whether a field of `param` is a negative zero, which flatc's code takes for
/// a zero, the usual default, and would not write.
bool hasNegativeZero(const Param &param);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_FORMAT_MGB_PARAMS_H
