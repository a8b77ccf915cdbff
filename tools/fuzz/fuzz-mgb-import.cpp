//===- fuzz-mgb-import.cpp - libFuzzer target for MegEngine files ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports arbitrary bytes; what imports must export, and come back the same.
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"

#include "llvm/Support/raw_ostream.h"

using namespace modelwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static std::unique_ptr<mlir::MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % kInputsPerContext == 0)
    context = makeRoundTripContext();
  RoundTripResult result =
      roundTrip(llvm::MemoryBuffer::getMemBufferCopy(
                    llvm::StringRef(reinterpret_cast<const char *>(data), size),
                    "fuzz.mge"),
                /*isMLIR=*/false, context.get());
  if (result.outcome != Outcome::Broken)
    return 0;
  for (const std::string &line : result.diagnostics)
    llvm::errs() << line << "\n";
  abort();
}
