//===- fuzz-ge-import.cpp - libFuzzer target for GE models ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Imports arbitrary bytes; what imports must export, and come back the same.
//
// A protobuf message within a message is a length before its bytes: plain
// mutations break all lengths around what they insert. Therefore half of the
// mutations work on the tree of messages (GEMutator.h).
//
//===----------------------------------------------------------------------===//

#include "GEMutator.h"
#include "RoundTrip.h"

#include <cstring>

using namespace modelwright;

// libFuzzer's own.
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 2) {
    std::optional<std::string> mutated = mutateGEModel(
        llvm::StringRef(reinterpret_cast<const char *>(data), size), seed / 2);
    if (mutated && mutated->size() <= maxSize) {
      std::memcpy(data, mutated->data(), mutated->size());
      return mutated->size();
    }
  }
  return LLVMFuzzerMutate(data, size, maxSize);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzzOneInput(data, size, "fuzz.om", InputKind::GE);
}
