//===- bad-input-driver.cpp - Many inputs in one process ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives each file that standard input names, a line each, to the importer and
// exporter of the format that its extension tells. Prints "PATH", then
// "OUTCOME" and the diagnostics, so that a crash tells its input. The tests in
// test/BadInput build this with sanitizers.
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace modelwright;

static llvm::StringRef getName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Refused:
    return "refused";
  case Outcome::NotExported:
    return "not exported";
  case Outcome::RoundTripped:
    return "good";
  case Outcome::Broken:
    return "broken";
  }
  llvm_unreachable("unknown outcome");
}

static InputKind getKind(llvm::StringRef path) {
  auto endsWith = [&](llvm::StringRef suffix) {
    return path.ends_with(suffix);
  };
  if (llvm::any_of(llvm::ArrayRef<llvm::StringRef>{".mlir", ".mlirbc"},
                   endsWith))
    return InputKind::MLIR;
  if (llvm::any_of(llvm::ArrayRef<llvm::StringRef>{".om", ".pb", ".pbtxt"},
                   endsWith))
    return InputKind::GE;
  return InputKind::MGB;
}

int main() {
  auto names = llvm::MemoryBuffer::getSTDIN();
  if (!names)
    return 2;
  llvm::SmallVector<llvm::StringRef> paths;
  (*names)->getBuffer().split(paths, '\n', -1, /*KeepEmpty=*/false);
  std::unique_ptr<mlir::MLIRContext> context;
  unsigned runs = 0;
  for (llvm::StringRef path : paths) {
    if (runs++ % kInputsPerContext == 0)
      context = makeRoundTripContext();
    llvm::outs() << path << "\n";
    llvm::outs().flush();
    auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                              /*RequiresNullTerminator=*/false);
    if (!buffer) {
      llvm::errs() << path << ": " << buffer.getError().message() << "\n";
      return 2;
    }
    RoundTripResult result =
        roundTrip(std::move(*buffer), getKind(path), context.get());
    llvm::outs() << "  " << getName(result.outcome) << "\n";
    for (const std::string &line : result.diagnostics)
      llvm::outs() << "  " << line << "\n";
  }
  return 0;
}
