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

using namespace modelwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return fuzzOneInput(data, size, "fuzz.mge", InputKind::MGB);
}
