//===- InitAll.h - Everything a tool registers ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INITALL_H
#define MODELWRIGHT_INITALL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"

namespace modelwright {

/// The dialects that models are made of.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<nn::NNDialect, mlir::func::FuncDialect,
                  mlir::quant::QuantDialect>();
}

} // namespace modelwright

#endif // MODELWRIGHT_INITALL_H
