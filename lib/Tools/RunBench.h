//===- RunBench.h - Timing a model ------------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNBENCH_H
#define MODELWRIGHT_LIB_TOOLS_RUNBENCH_H

#include "RunProfile.h"
#include "modelwright/Target/CPU/Executable.h"

#include <chrono>

namespace modelwright {

/// Wall time since it was made.
class Stopwatch {
public:
  double getSeconds() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start = Clock::now();
};

/// How --bench prints.
enum class BenchKind { None, Line, JSON };

struct BenchOptions {
  unsigned warmup = 3;
  unsigned iterations = 20;
  BenchKind bench = BenchKind::None;
  ProfileKind profile = ProfileKind::None;
  double compileSeconds = 0;
};

/// Runs the model, which was compiled from `module`, again and again; prints
/// median, 90th percentile and minimum, and where the time went, as asked for.
llvm::LogicalResult runBench(cpu::Executable &executable, mlir::ModuleOp module,
                             llvm::ArrayRef<const cpu::HostTensor *> arguments,
                             const BenchOptions &options);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNBENCH_H
