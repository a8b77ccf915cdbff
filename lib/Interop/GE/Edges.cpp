//===- Edges.cpp - The texts that connect ops -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/Edges.h"

using namespace modelwright::ge;
using llvm::StringRef;

std::optional<Edge> modelwright::ge::parseEdge(StringRef text) {
  Edge edge;
  if (text.empty())
    return edge;
  size_t colon = text.rfind(':');
  if (colon == StringRef::npos || colon == 0)
    return std::nullopt;
  StringRef digits = text.drop_front(colon + 1);
  if (digits.getAsInteger(10, edge.output) || edge.output < -1)
    return std::nullopt;
  // One spelling each, so that an edge that is written again is the same text.
  if (digits != std::to_string(edge.output))
    return std::nullopt;
  edge.producer = text.take_front(colon);
  return edge;
}

std::string modelwright::ge::formatEdge(StringRef producer, int64_t output) {
  return producer.str() + ":" + std::to_string(output);
}
