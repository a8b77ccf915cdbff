//===- model-lsp-server.cpp - Language server for MLIR with nn ------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "modelwright/InitAll.h"
#include "modelwright/Tools/ToolMains.h"

int main(int argc, char **argv) {
  modelwright::initTool(argc, argv);
  mlir::DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
