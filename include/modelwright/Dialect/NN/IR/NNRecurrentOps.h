//===- NNRecurrentOps.h - Recurrent ops -------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_H
#define MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_H

#include "modelwright/Dialect/NN/IR/NNDialect.h"

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h.inc"

#endif // MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_H
