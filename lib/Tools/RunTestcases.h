//===- RunTestcases.h - Testcases within a model file -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A testcase file of MegEngine (`mgbtest0`) has graphs behind the main one, of
// which each returns a value for each of the main graph's inputs, in the order
// of their names. Where the main graph checks a value, the value that is
// expected is one of its inputs as well, `<name>:expect`, and the check, an
// nn.assert_equal, stands for the output.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNTESTCASES_H
#define MODELWRIGHT_LIB_TOOLS_RUNTESTCASES_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"

namespace modelwright {

/// The testcases of a model.
struct Testcases {
  /// The values of the main graph's inputs, for each testcase.
  std::vector<llvm::SmallVector<cpu::HostTensor>> inputs;
  /// For each output the number of the input that is expected of it, or -1.
  llvm::SmallVector<int64_t> expected;
};

/// Takes the testcases out of a module: their graphs go, and the main graph
/// returns what it compared instead of failing on it. None if the module has
/// none.
llvm::Expected<Testcases> takeTestcases(mlir::ModuleOp module);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNTESTCASES_H
