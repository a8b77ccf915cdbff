//===- fuzz-mgb-import.cpp - libFuzzer target for MegEngine files ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports arbitrary bytes; what imports must verify and export again.
//
//===----------------------------------------------------------------------===//

#include "modelwright/Export/MGB/Export.h"
#include "modelwright/Import/MGB/Import.h"
#include "modelwright/InitAll.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace modelwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A context costs milliseconds and keeps every constant: one serves a while.
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % 256 == 0) {
    DialectRegistry registry;
    modelwright::registerAllDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }
  std::shared_ptr<llvm::MemoryBuffer> buffer =
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(reinterpret_cast<const char *>(data), size), "fuzz");
  FailureOr<OwningOpRef<ModuleOp>> module =
      importMGB(buffer, "fuzz.mge", context.get());
  if (failed(module))
    return 0;
  llvm::SmallVector<char> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (failed(exportMGB(**module, os)))
    return 0;
  return 0;
}
