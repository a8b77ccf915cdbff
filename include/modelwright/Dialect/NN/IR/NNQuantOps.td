//===- NNQuantOps.td - Quant ops -*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

#endif // MODELWRIGHT_DIALECT_NN_IR_NNQUANTOPS_TD
