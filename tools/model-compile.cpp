//===- model-compile.cpp - Make a library of a model ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Tools/ToolMains.h"

int main(int argc, char **argv) {
  return modelwright::modelCompileMain(argc, argv);
}
