//===- GEMutator.h - Mutations of GE models ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_FUZZ_GEMUTATOR_H
#define MODELWRIGHT_TOOLS_FUZZ_GEMUTATOR_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace modelwright {

/// A model with one change to its tree of messages: a field set, cleared,
/// doubled, moved, or a message taken from another place of the model. Lengths
/// and the container around it are made anew. nullopt for what is no model.
std::optional<std::string> mutateGEModel(llvm::StringRef bytes, unsigned seed);

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_FUZZ_GEMUTATOR_H
