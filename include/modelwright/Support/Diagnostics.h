//===- Diagnostics.h - Diagnostics of importers -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_SUPPORT_DIAGNOSTICS_H
#define MODELWRIGHT_SUPPORT_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>

namespace modelwright {

/// Puts the operator that is being imported before every message of the walk
/// and of type inference, which know nothing of it.
class PrefixDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  /// `getPrefix` tells what to put in front, "" for nothing; `isPrefixed` which
  /// messages have it. Handlers nest, and what an outer one puts something in
  /// front of comes to the inner ones again: they must know it by then.
  /// `relocate` may give a message another location.
  PrefixDiagnosticHandler(
      mlir::MLIRContext *context, std::function<std::string()> getPrefix,
      std::function<bool(llvm::StringRef)> isPrefixed,
      std::function<mlir::Location(mlir::Diagnostic &)> relocate = {});
};

/// Reports each of a reader's errors at its operator: errors of type
/// `ReadErrorT` tell that by `index`, -1 being none.
template <typename ReadErrorT, typename IndexT>
void reportReadErrors(llvm::Error error, llvm::StringRef filename,
                      mlir::MLIRContext *context, IndexT ReadErrorT::*index) {
  auto file = mlir::StringAttr::get(context, filename);
  llvm::handleAllErrors(
      std::move(error),
      [&](const ReadErrorT &fault) {
        std::string message;
        llvm::raw_string_ostream os(message);
        fault.log(os);
        unsigned line = fault.*index < 0 ? 0 : fault.*index;
        mlir::emitError(mlir::FileLineColLoc::get(file, line, 0)) << message;
      },
      [&](const llvm::ErrorInfoBase &other) {
        mlir::emitError(mlir::FileLineColLoc::get(file, 0, 0))
            << other.message();
      });
}

} // namespace modelwright

#endif // MODELWRIGHT_SUPPORT_DIAGNOSTICS_H
