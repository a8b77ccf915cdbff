//===- NNOps.h - All ops of the nn dialect ----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNOPS_H
#define MODELWRIGHT_DIALECT_NN_IR_NNOPS_H

#include "modelwright/Dialect/NN/IR/NNControlOps.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNDetectionOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Dialect/NN/IR/NNQuantOps.h"
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

#endif // MODELWRIGHT_DIALECT_NN_IR_NNOPS_H
