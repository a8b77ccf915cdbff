//===- OpRegistry.cpp - Op types and who translates them ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/OpRegistry.h"

using namespace modelwright::ge;

const OpRegistry &OpRegistry::get() {
  static const OpRegistry registry = [] {
    OpRegistry made;
    registerActivationOps(made);
    registerArithmeticOps(made);
    registerControlOps(made);
    registerConvOps(made);
    registerConvTransposeOps(made);
    registerCopyOps(made);
    registerDetectionOps(made);
    registerElementwiseOps(made);
    registerIndexOps(made);
    registerJoinOps(made);
    registerImageOps(made);
    registerLinearOps(made);
    registerMomentNormOps(made);
    registerNormOps(made);
    registerOrderOps(made);
    registerPadOps(made);
    registerPoolOps(made);
    registerRearrangeOps(made);
    registerQuantizedOps(made);
    registerReduceOps(made);
    registerResizeOps(made);
    registerShapeOps(made);
    registerSliceOps(made);
    registerVolumeOps(made);
    return made;
  }();
  return registry;
}

const OpImport *OpRegistry::lookupImport(llvm::StringRef type) const {
  auto it = imports.find(type);
  return it == imports.end() ? nullptr : &it->second;
}

ExportFn OpRegistry::lookupExport(llvm::StringRef opName) const {
  return exports.lookup(opName);
}

void OpRegistry::addImport(llvm::StringRef type, OpImport import) {
  [[maybe_unused]] bool added = imports.try_emplace(type, import).second;
  assert(added && "two import functions for one type");
}

void OpRegistry::addExport(llvm::StringRef opName, ExportFn function) {
  [[maybe_unused]] bool added = exports.try_emplace(opName, function).second;
  assert(added && "two export functions for one op");
}
