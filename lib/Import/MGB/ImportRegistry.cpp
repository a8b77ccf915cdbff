//===- ImportRegistry.cpp - All import functions --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Import/MGB/Import.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

const ImportRegistry &ImportRegistry::get() {
  static const ImportRegistry registry = [] {
    ImportRegistry result;
    registerControlImports(result);
    registerConvImports(result);
    registerDataImports(result);
    registerDetectionImports(result);
    registerElementwiseImports(result);
    registerImageImports(result);
    registerIndexImports(result);
    registerLinearImports(result);
    registerNormImports(result);
    registerPoolImports(result);
    registerQuantImports(result);
    registerRecurrentImports(result);
    registerReduceImports(result);
    registerShapeImports(result);
    return result;
  }();
  return registry;
}

void ImportRegistry::add(llvm::StringLiteral oprName, OprImport import) {
  assert(lookupOprByName(oprName) && "import of an operator that is not known");
  bool inserted = imports.try_emplace(oprName, import).second;
  assert(inserted && "two imports for one operator");
  (void)inserted;
}

const OprImport *ImportRegistry::lookup(StringRef name) const {
  auto it = imports.find(name);
  return it == imports.end() ? nullptr : &it->second;
}

OprSupport mgb::getImportSupport(StringRef name) {
  // Inputs become function arguments, see GraphImporter.
  return name == "Host2DeviceCopy" || ImportRegistry::get().lookup(name)
             ? OprSupport::Typed
             : OprSupport::Foreign;
}

ArrayRef<llvm::StringLiteral> mgb::getImportTargets(StringRef name) {
  static constexpr llvm::StringLiteral argument[] = {"function argument"};
  if (name == "Host2DeviceCopy")
    return argument;
  const OprImport *import = ImportRegistry::get().lookup(name);
  return import ? import->targets : ArrayRef<llvm::StringLiteral>();
}
