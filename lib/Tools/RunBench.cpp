//===- RunBench.cpp - Timing a model --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunBench.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;

LogicalResult modelwright::runBench(cpu::Executable &executable,
                                    ArrayRef<const cpu::HostTensor *> arguments,
                                    const BenchOptions &options) {
  std::vector<double> times;
  for (unsigned i = 0; i < options.warmup + options.iterations; ++i) {
    SmallVector<cpu::HostTensor> outputs;
    Stopwatch time;
    if (failed(executable.run(arguments, outputs)))
      return failure();
    if (i >= options.warmup)
      times.push_back(time.getSeconds() * 1e3);
  }
  llvm::sort(times);
  auto at = [&](double fraction) {
    return times[size_t(std::lround(fraction * double(times.size() - 1)))];
  };
  llvm::outs() << llvm::formatv(
      "median {0:f3} ms, p90 {1:f3} ms, min {2:f3} ms over {3} runs; arena {4} "
      "bytes, {5} alive at once; compiled in {6:f3} s; {7} thread{8}\n",
      at(0.5), at(0.9), times.front(), times.size(), executable.getArenaBytes(),
      executable.getArenaLowerBound(), options.compileSeconds,
      executable.getThreads(), executable.getThreads() == 1 ? "" : "s");
  return success();
}
