//===- ModelRun.cpp - model-run -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "RunBench.h"
#include "RunInputs.h"
#include "TensorFile.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/InitAll.h"
#include "modelwright/Target/CPU/ConstEval.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ToolMains.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

#include <thread>

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

/// The exit code for outputs that differ too much.
static constexpr int kExitMismatch = 3;

/// More are a slip of the finger.
static constexpr int64_t kMostThreads = 1024;

static int failInput(const llvm::Twine &message) {
  llvm::errs() << "model-run: error: " << message << "\n";
  return kExitBadInput;
}

static std::string join(StringRef dir, const llvm::Twine &name) {
  SmallString<128> path(dir);
  llvm::sys::path::append(path, name);
  return path.str().str();
}

/// DIR/0.npy, DIR/1.npy ... and DIR/outputs.json.
static llvm::Error writeOutputs(StringRef dir,
                                ArrayRef<cpu::HostTensor> outputs) {
  if (std::error_code error = llvm::sys::fs::create_directories(dir))
    return llvm::createStringError(error, "cannot make the folder '" + dir +
                                              "': " + error.message());
  llvm::json::Array list;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    std::string file = (llvm::Twine(i) + ".npy").str();
    if (llvm::Error error = writeNpy(join(dir, file), output))
      return error;
    std::string type;
    llvm::raw_string_ostream(type) << output.type.getElementType();
    list.push_back(llvm::json::Object{
        {"name", output.name},
        {"file", file},
        {"type", type},
        {"shape", llvm::json::Array(output.type.getShape())}});
  }
  auto file = OutputFile::create(join(dir, "outputs.json"));
  if (!file)
    return file.takeError();
  (*file)->os() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(list)));
  return (*file)->keep();
}

/// Prints how far each output is from DIR/<index>.npy; the exit code.
static int compareOutputs(StringRef dir, ArrayRef<cpu::HostTensor> outputs,
                          double atol, double rtol) {
  bool isGood = true;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    auto expected = readTensor(join(dir, llvm::Twine(i) + ".npy"), output.type);
    if (!expected)
      return failInput("output '" + output.name +
                       "': " + llvm::toString(expected.takeError()));
    Difference difference = compareTensors(output, *expected);
    bool isOutputGood = !difference.nonFinite &&
                        difference.maxAbs <= atol + rtol * difference.largest;
    isGood &= isOutputGood;
    llvm::outs() << llvm::formatv(
        "{0}: max abs {1:e3}, max rel {2:e3}, cosine {3:f9}{4}{5}\n",
        output.name, difference.maxAbs, difference.maxRel, difference.cosine,
        difference.nonFinite ? ", NaN or infinity in one of the two" : "",
        isOutputGood ? "" : ": MISMATCH");
  }
  return isGood ? int(kExitGood) : kExitMismatch;
}

int modelwright::modelRunMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  cl::OptionCategory category("model-run options");
  cl::opt<std::string> model(cl::Positional, cl::desc("<model>"), cl::Required,
                             cl::cat(category));
  cl::list<std::string> inputs(
      "input",
      cl::desc("Value of an input: a file (.npy, or raw little-endian bytes in "
               "the input's own type), 'random' or 'zeros'. The name may be "
               "left out if the model has one input. Inputs without a value "
               "that have no default are random"),
      cl::value_desc("[name=]value"), cl::cat(category));
  cl::opt<uint64_t> seed("seed", cl::desc("Seed of random inputs"), cl::init(0),
                         cl::cat(category));
  cl::opt<std::string> outputDir(
      "output-dir",
      cl::desc(
          "Write 0.npy, 1.npy ... in the order of the graph's outputs, and "
          "outputs.json with their names"),
      cl::value_desc("dir"), cl::cat(category));
  cl::opt<std::string> compareDir(
      "compare", cl::desc("Compare the outputs with 0.npy, 1.npy ... there"),
      cl::value_desc("dir"), cl::cat(category));
  cl::opt<double> atol("atol", cl::desc("Absolute error that --compare allows"),
                       cl::init(0), cl::cat(category));
  cl::opt<double> rtol(
      "rtol",
      cl::desc("Error that --compare allows, over the largest magnitude of the "
               "output (default 1e-4)"),
      cl::init(1e-4), cl::cat(category));
  cl::opt<bool> bench("bench", cl::desc("Time the model"), cl::cat(category));
  BenchOptions benchOptions;
  cl::opt<unsigned, true> warmup("warmup", cl::desc("Runs before timing"),
                                 cl::location(benchOptions.warmup), cl::init(3),
                                 cl::cat(category));
  cl::opt<unsigned, true> iterations("iters", cl::desc("Timed runs"),
                                     cl::location(benchOptions.iterations),
                                     cl::init(20), cl::cat(category));
  cpu::CompileOptions compileOptions;
  cl::opt<cpu::Schedule, true> schedule(
      "schedule", cl::desc("How much of the target's own kernels to use"),
      cl::values(clEnumValN(cpu::Schedule::Plain, "plain",
                            "loops as linalg has them: slow, for every op"),
                 clEnumValN(cpu::Schedule::Full, "full",
                            "kernels on blocked tensors (default)")),
      cl::location(compileOptions.pipeline.schedule),
      cl::init(cpu::Schedule::Full), cl::cat(category));
  cl::opt<bool> optimize(
      "optimize",
      cl::desc("Run model-opt's -O1 on the graph first (default; not with "
               "--schedule=plain, which runs the model as it is)"),
      cl::init(true), cl::cat(category));
  cl::opt<int64_t, true> lanes(
      "lanes",
      cl::desc("f32 numbers in a vector: 16 (AVX-512) or 8 (AVX2); default: "
               "what the CPU has"),
      cl::location(compileOptions.pipeline.lanes), cl::init(0),
      cl::cat(category));
  cl::opt<std::string, true> cpu(
      "cpu",
      cl::desc(
          "Make code for this CPU, by LLVM's name, rather than for the one "
          "that is here, which must be able to run it"),
      cl::value_desc("name"), cl::location(compileOptions.cpu),
      cl::cat(category));
  // LLVM's libraries register one of this name, for tools of their own.
  if (cl::Option *other = cl::getRegisteredOptions().lookup("threads"))
    other->removeArgument();
  cl::opt<int64_t, true> threads(
      "threads",
      cl::desc("Threads that run the model, with the same result for any "
               "number; 0: as many as there are cores. --schedule=plain uses "
               "one"),
      cl::location(compileOptions.pipeline.threads), cl::init(1),
      cl::cat(category));
  cl::opt<int64_t, true> sharedCost(
      "shared-cost",
      cl::desc("Operations from which on a kernel is shared among threads"),
      cl::location(compileOptions.pipeline.sharedCost),
      cl::init(compileOptions.pipeline.sharedCost), cl::Hidden,
      cl::cat(category));
  cl::opt<bool, true> winograd(
      "winograd",
      cl::desc("Let Winograd's algorithm compute 3x3 convolutions, faster and "
               "with somewhat larger rounding errors (default)"),
      cl::location(compileOptions.pipeline.winograd), cl::init(true),
      cl::cat(category));
  cl::opt<unsigned, true> optLevel(
      "opt-level", cl::desc("Level of LLVM's passes, 0 to 3"),
      cl::location(compileOptions.optLevel), cl::init(1), cl::cat(category));
  cl::opt<bool, true> printIR(
      "print-ir", cl::desc("Print the module behind each pass"),
      cl::location(compileOptions.printIR), cl::cat(category));
  cl::opt<bool, true> timePasses(
      "time-compile", cl::desc("Print how long each pass took"),
      cl::location(compileOptions.timePasses), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles a model for this machine and runs it.\n\n"
          "  model-run net.mge --input data=in.npy --output-dir=out\n"
          "  model-run net.om --bench\n\n"
          "Exit codes: 0 good, 1 bad input, 2 usage, 3 outputs differ from "
          "those of --compare.",
          &llvm::errs()))
    return kExitUsage;
  const char *wrong = nullptr;
  if (optLevel > 3)
    wrong = "--opt-level is 0 to 3";
  else if (iterations == 0)
    wrong = "--iters must be at least 1";
  else if (lanes.getNumOccurrences() && lanes != 8 && lanes != 16)
    wrong = "--lanes is 8 or 16";
  else if (threads < 0 || threads > kMostThreads)
    wrong = "--threads is 0 to 1024";
  if (wrong) {
    llvm::errs() << "model-run: error: " << wrong << "\n";
    return kExitUsage;
  }

  if (threads == 0)
    threads = std::max(1U, std::thread::hardware_concurrency());

  auto buffer = openInput(model);
  if (!buffer)
    return failInput("cannot open '" + model +
                     "': " + buffer.getError().message());
  DialectRegistry registry;
  registerAllDialects(registry);
  cpu::registerConstantEvaluator(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  std::string filename = model == "-" ? "<stdin>" : model.getValue();
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  auto module = readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  auto arguments = prepareInputs(**module, inputs, seed);
  if (!arguments)
    return failInput(llvm::toString(arguments.takeError()));
  Stopwatch compileTime;
  if (optimize && compileOptions.pipeline.schedule == cpu::Schedule::Full) {
    PassManager pm(&context);
    buildO1Pipeline(pm);
    if (failed(pm.run(**module)))
      return kExitBadInput;
  }
  auto executable = cpu::Executable::compile(**module, compileOptions);
  if (failed(executable))
    return kExitBadInput;
  benchOptions.compileSeconds = compileTime.getSeconds();
  SmallVector<const cpu::HostTensor *> pointers;
  for (const cpu::HostTensor &argument : *arguments)
    pointers.push_back(&argument);
  SmallVector<cpu::HostTensor> outputs;
  if (failed((*executable)->run(pointers, outputs)))
    return kExitBadInput;
  if (!outputDir.empty())
    if (llvm::Error error = writeOutputs(outputDir, outputs))
      return failInput(llvm::toString(std::move(error)));
  int code = kExitGood;
  if (!compareDir.empty())
    code = compareOutputs(compareDir, outputs, atol, rtol);
  if (bench && failed(runBench(**executable, pointers, benchOptions)))
    return kExitBadInput;
  if (outputDir.empty() && compareDir.empty() && !bench)
    printOutputs(outputs, llvm::outs());
  return flushStdout("model-run") ? code : int(kExitBadInput);
}
