//===- Edges.h - The texts that connect ops ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_EDGES_H
#define MODELWRIGHT_INTEROP_GE_EDGES_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace modelwright::ge {

/// One text of OpDef.input, GraphDef.input or GraphDef.output.
struct Edge {
  /// Name of the producer; empty = not connected.
  llvm::StringRef producer;
  /// Output of the producer; -1 = control edge.
  int64_t output = 0;

  bool isHole() const { return producer.empty(); }
  bool isControl() const { return !isHole() && output < 0; }
};

/// Reads "producer:index", split at the last colon (names may hold colons), or
/// "" for a hole. nullopt if it is neither.
std::optional<Edge> parseEdge(llvm::StringRef text);

std::string formatEdge(llvm::StringRef producer, int64_t output);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_EDGES_H
