//===- bench-layers.cpp - Kernels of single layers and their peers --------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times the kernels of layers of well known nets, those of oneDNN
// (convolutions) and OpenBLAS (matrix products), and loops of nothing but the
// CPU's best instruction, on one thread, in turns: whatever else the machine
// does slows down all three. Times are those of the thread's CPU clock,
// medians. Prints
//
//   name ours_ms peer peer_ms ratio share algorithm
//
// with the share of the loop's speed that our kernel reaches (Winograd's
// algorithm does fewer operations than it is counted for). Options are those of
// Google Benchmark.
//
//   bench-layers --benchmark_filter=f32-conv
//
//===----------------------------------------------------------------------===//

#include "Layer.h"
#include "LayerKernel.h"
#include "Peak.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "modelwright/InitAll.h"
#include "llvm/Support/TargetSelect.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

using namespace modelwright;
using namespace modelwright::bench;

/// Seconds of CPU time of this thread.
static double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

namespace {
/// Runs of something, as seconds per run. Short ones are repeated.
class Timer {
public:
  explicit Timer(std::function<void()> run) : run(std::move(run)) {
    this->run();
    double start = now();
    this->run();
    constexpr double kSample = 1e-4;
    turns = std::max(1, int(kSample / std::max(now() - start, 1e-7)));
  }

  double sample() {
    double start = now();
    for (int i = 0; i < turns; ++i)
      run();
    samples.push_back((now() - start) / turns);
    return samples.back() * turns;
  }

  double getMedian() {
    auto middle = samples.begin() + long(samples.size() / 2);
    std::nth_element(samples.begin(), middle, samples.end());
    return *middle;
  }

private:
  std::function<void()> run;
  int turns = 1;
  std::vector<double> samples;
};
} // namespace

static double (*getPeak(Element element))() {
  switch (element) {
  case Element::F32:
    return runFMAs;
  case Element::BF16:
    return runBF16Dots() != 0 ? runBF16Dots : runFMAs;
  case Element::S8:
  case Element::U8:
    return runByteDots() != 0 ? runByteDots : runFMAs;
  }
  return runFMAs;
}

static void runLayer(benchmark::State &state, mlir::MLIRContext &context,
                     const Layer &layer) {
  cpu::PipelineOptions options;
  options.lanes = 0;
  options.winograd = layer.winograd;
  auto kernel = LayerKernel::compile(context, layer.getModel(), options);
  if (mlir::failed(kernel)) {
    state.SkipWithError("the layer cannot be compiled");
    return;
  }
  Peer peer = layer.kind == Layer::Kind::MatMul ? makeOpenBLASPeer(layer)
                                                : makeDNNLPeer(layer);
  double (*runPeak)() = getPeak(layer.element);
  double peakOperations = runPeak();
  Timer ours([&] { (*kernel)->run(); }), theirs(peer.run),
      peak([&] { runPeak(); });
  for ([[maybe_unused]] auto turn : state) {
    state.SetIterationTime(ours.sample());
    theirs.sample();
    peak.sample();
  }
  double oursTime = ours.getMedian(), theirTime = theirs.getMedian();
  double share =
      layer.getOperations() / oursTime / (peakOperations / peak.getMedian());
  state.SetLabel(fmt::format("{} {:.4f} {} {:.4f} {:.3f} {:.2f} {}",
                             layer.getName(), 1e3 * oursTime, peer.name,
                             1e3 * theirTime, oursTime / theirTime, share,
                             (*kernel)->getChoice().str()));
}

static std::vector<Layer> getLayers() {
  std::vector<Layer> layers;
  using Kind = Layer::Kind;
  auto conv = [&](Element element, int64_t inputs, int64_t outputs,
                  int64_t size, int64_t kernel, int64_t stride) {
    layers.push_back({.kind = Kind::Conv,
                      .inputs = inputs,
                      .outputs = outputs,
                      .size = size,
                      .kernel = kernel,
                      .stride = stride,
                      .element = element});
  };
  // ResNet-18 and the 1x1 layers of ResNet-50.
  for (Element element :
       {Element::F32, Element::U8, Element::S8, Element::BF16}) {
    conv(element, 3, 64, 224, 7, 2);
    conv(element, 64, 64, 56, 3, 1);
    conv(element, 128, 128, 28, 3, 1);
    conv(element, 256, 256, 14, 3, 1);
    conv(element, 512, 512, 7, 3, 1);
    conv(element, 64, 128, 56, 3, 2);
    conv(element, 128, 256, 28, 3, 2);
    conv(element, 256, 512, 14, 3, 2);
    conv(element, 64, 128, 56, 1, 2);
    conv(element, 64, 256, 56, 1, 1);
    conv(element, 256, 64, 56, 1, 1);
    conv(element, 512, 512, 14, 1, 1);
  }
  for (Layer layer : {layers[1], layers[2], layers[3]}) {
    layer.winograd = true;
    layers.push_back(layer);
  }
  // MobileNet.
  for (Element element : {Element::F32, Element::S8})
    for (auto [channels, size] : {std::pair<int64_t, int64_t>{32, 112},
                                  {128, 56},
                                  {256, 28},
                                  {512, 14}})
      for (int64_t stride : {1, 2})
        layers.push_back({.kind = Kind::Depthwise,
                          .inputs = channels,
                          .outputs = channels,
                          .size = size,
                          .kernel = 3,
                          .stride = stride,
                          .element = element});
  for (int64_t size : {512, 1024})
    layers.push_back({.kind = Kind::MatMul, .m = size, .n = size, .k = size});
  layers.push_back({.kind = Kind::MatMul, .m = 1, .n = 1000, .k = 512});
  layers.push_back({.kind = Kind::MatMul, .m = 1, .n = 4096, .k = 4096});
  return layers;
}

namespace {
/// One line per row, which the row has made.
class LineReporter : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &runs) override {
    for (const Run &run : runs)
      fmt::print("{}\n", run.error_occurred
                             ? run.benchmark_name() + " " + run.error_message
                             : run.report_label);
    std::fflush(stdout);
  }
};
} // namespace

int main(int argc, char **argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  cpu::registerPipelineInterfaces(registry);
  mlir::registerAllToLLVMIRTranslations(registry);
  mlir::MLIRContext context(registry);
  for (const Layer &layer : getLayers())
    benchmark::RegisterBenchmark(layer.getName().c_str(),
                                 [&context, layer](benchmark::State &state) {
                                   runLayer(state, context, layer);
                                 })
        ->UseManualTime();
  LineReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  return 0;
}
