//===- Diagnostics.cpp - Diagnostics of importers -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Support/Diagnostics.h"

using namespace mlir;
using namespace modelwright;

PrefixDiagnosticHandler::PrefixDiagnosticHandler(
    MLIRContext *context, std::function<std::string()> getPrefix,
    std::function<bool(StringRef)> isPrefixed,
    std::function<Location(Diagnostic &)> relocate)
    : ScopedDiagnosticHandler(context) {
  setHandler([context, getPrefix = std::move(getPrefix),
              isPrefixed = std::move(isPrefixed),
              relocate = std::move(relocate)](Diagnostic &diag) {
    std::string prefix = getPrefix(), message = diag.str();
    if (prefix.empty() || isPrefixed(message))
      return failure();
    InFlightDiagnostic named = context->getDiagEngine().emit(
        relocate ? relocate(diag) : diag.getLocation(), diag.getSeverity());
    named << prefix << message;
    for (Diagnostic &note : diag.getNotes())
      named.attachNote(note.getLocation()) << note.str();
    named.report();
    return success();
  });
}
