//===- ImportControl.cpp - Control operators to nn -===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

void mgb::registerControlImports(ImportRegistry &registry) {}
