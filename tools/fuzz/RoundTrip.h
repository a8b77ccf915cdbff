//===- RoundTrip.h - What must hold for any input ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the fuzz targets and by the driver of the bad-input tests.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_FUZZ_ROUNDTRIP_H
#define MODELWRIGHT_TOOLS_FUZZ_ROUNDTRIP_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace modelwright {

/// What became of an input.
enum class Outcome {
  Refused,      ///< It was not imported, and a diagnostic says why.
  NotExported,  ///< It was imported; a diagnostic says why no file holds it.
  RoundTripped, ///< It was imported, exported, and the same came back.
  Broken, ///< A promise of ours is broken; the last diagnostic says which.
};

struct RoundTripResult {
  Outcome outcome;
  /// "error: FILE:OPERATOR: message", one for each diagnostic.
  std::vector<std::string> diagnostics;
};

enum class InputKind { MLIR, MGB, GE };

/// Imports a model file (or parses MLIR), exports it, and does both again with
/// what was written. Broken are: a refusal without a diagnostic or with one
/// that has no location; a written file that does not have every field of the
/// one that was read (of a GE file: every byte), is refused, or is written
/// differently the next time. MLIR goes into a MegEngine file.
RoundTripResult roundTrip(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
                          InputKind kind, mlir::MLIRContext *context);

/// The body of a fuzz target: a round trip of the bytes as a file of that name;
/// aborts after what is Broken.
int fuzzOneInput(const uint8_t *data, size_t size, llvm::StringRef name,
                 InputKind kind);

/// A context for a number of inputs: making one costs milliseconds, but
/// keeping one keeps every constant.
std::unique_ptr<mlir::MLIRContext> makeRoundTripContext();
inline constexpr unsigned kInputsPerContext = 256;

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_FUZZ_ROUNDTRIP_H
