//===- Remarks.h - What passes did and refused ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_REMARKS_H
#define MODELWRIGHT_LIB_TOOLS_REMARKS_H

#include "mlir/IR/MLIRContext.h"

namespace modelwright {

enum class RemarkSelection { None, Passed, Missed, All };

/// Prints the selected remarks of all passes to stderr, one line each:
/// "file: remark: [pass] message".
llvm::LogicalResult enableRemarks(mlir::MLIRContext &context,
                                  RemarkSelection selection,
                                  llvm::StringRef filename);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_REMARKS_H
