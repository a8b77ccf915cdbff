//===- RunBench.cpp - Timing a model --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunBench.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <numeric>

#include <sys/resource.h>

using namespace mlir;
using namespace modelwright;

/// The most memory that this process ever had, shared libraries and mapped
/// files included.
static int64_t getPeakMemory() {
  struct rusage usage;
  ::getrusage(RUSAGE_SELF, &usage);
  return int64_t(usage.ru_maxrss) * 1024;
}

/// Prints what the times, sorted, amount to.
static void printTimes(ArrayRef<double> times,
                       const cpu::Executable &executable,
                       const BenchOptions &options, llvm::raw_ostream &os) {
  auto at = [&](double fraction) {
    return times[size_t(std::lround(fraction * double(times.size() - 1)))] *
           1e3;
  };
  if (options.bench == BenchKind::Line) {
    os << llvm::formatv(
        "median {0:f3} ms, p90 {1:f3} ms, min {2:f3} ms over {3} runs; arena "
        "{4} bytes, {5} alive at once; compiled in {6:f3} s; {7} thread{8}\n",
        at(0.5), at(0.9), at(0), times.size(), executable.getArenaBytes(),
        executable.getArenaLowerBound(), options.compileSeconds,
        executable.getThreads(), executable.getThreads() == 1 ? "" : "s");
    return;
  }
  os << llvm::formatv(
      "{0:2}\n", llvm::json::Value(llvm::json::Object{
                     {"runs", int64_t(times.size())},
                     {"median_ms", at(0.5)},
                     {"p90_ms", at(0.9)},
                     {"min_ms", at(0)},
                     {"arena_bytes", executable.getArenaBytes()},
                     {"arena_lower_bound", executable.getArenaLowerBound()},
                     {"weight_bytes", executable.getWeightBytes()},
                     {"peak_memory_bytes", getPeakMemory()},
                     {"threads", executable.getThreads()},
                     {"compile_s", options.compileSeconds}}));
}

LogicalResult modelwright::runBench(cpu::Executable &executable,
                                    ModuleOp module,
                                    ArrayRef<const cpu::HostTensor *> arguments,
                                    const BenchOptions &options) {
  std::vector<double> times;
  for (uint64_t i = 0; i < uint64_t(options.warmup) + options.iterations; ++i) {
    if (i == options.warmup)
      executable.resetProfile();
    SmallVector<cpu::HostTensor> outputs;
    Stopwatch time;
    if (failed(executable.run(arguments, outputs)))
      return failure();
    if (i >= options.warmup)
      times.push_back(time.getSeconds());
  }
  llvm::sort(times);
  if (options.bench != BenchKind::None)
    printTimes(times, executable, options, llvm::outs());
  if (options.profile != ProfileKind::None) {
    double total = std::accumulate(times.begin(), times.end(), 0.0);
    printProfile(executable, module, options.iterations,
                 total / options.iterations, options.profile, llvm::outs());
  }
  return success();
}
