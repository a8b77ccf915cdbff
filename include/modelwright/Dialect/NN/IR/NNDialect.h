//===- NNDialect.h - The nn dialect -----------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNDIALECT_H
#define MODELWRIGHT_DIALECT_NN_IR_NNDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "modelwright/Dialect/NN/IR/Inference.h"

#include "modelwright/Dialect/NN/IR/NNDialect.h.inc"
#include "modelwright/Dialect/NN/IR/NNEnums.h.inc"
#include "modelwright/Dialect/NN/IR/NNInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "modelwright/Dialect/NN/IR/NNTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "modelwright/Dialect/NN/IR/NNAttributes.h.inc"

#endif // MODELWRIGHT_DIALECT_NN_IR_NNDIALECT_H
