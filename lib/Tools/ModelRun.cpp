//===- ModelRun.cpp - model-run -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "RunBench.h"
#include "RunImage.h"
#include "RunInputs.h"
#include "RunLabels.h"
#include "RunTestcases.h"
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

#include <cmath>
#include <thread>

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

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

static llvm::Error failWrite(StringRef path, llvm::Error error) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + llvm::toString(std::move(error)));
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
    std::string path = join(dir, file);
    if (llvm::Error error = writeNpy(path, output))
      return failWrite(path, std::move(error));
    std::string type;
    llvm::raw_string_ostream(type) << output.type.getElementType();
    list.push_back(llvm::json::Object{
        {"name", llvm::json::fixUTF8(output.name)},
        {"file", file},
        {"type", type},
        {"shape", llvm::json::Array(output.type.getShape())}});
  }
  std::string path = join(dir, "outputs.json");
  auto file = OutputFile::create(path);
  if (!file)
    return failWrite(path, file.takeError());
  (*file)->os() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(list)));
  if (llvm::Error error = (*file)->keep())
    return failWrite(path, std::move(error));
  return llvm::Error::success();
}

namespace {
struct Tolerance {
  double atol = 0, rtol = 0;
};
} // namespace

static bool isTolerance(double number) {
  return std::isfinite(number) && number >= 0;
}

/// Prints how far an output is from what is expected; whether that will do.
static bool compareOutput(const cpu::HostTensor &output,
                          const cpu::HostTensor &expected,
                          const Tolerance &tolerance) {
  if (output.type != expected.type) {
    llvm::outs() << output.name << ": " << output.type << ", expected "
                 << expected.type << ": MISMATCH\n";
    return false;
  }
  TensorDifference difference = compareTensors(output, expected);
  bool isGood =
      !difference.nonFinite &&
      difference.maxAbs <= tolerance.atol + tolerance.rtol * difference.largest;
  llvm::outs() << llvm::formatv(
      "{0}: max abs {1:e3}, max rel {2:e3}, cosine {3:f9}{4}{5}\n", output.name,
      difference.maxAbs, difference.maxRel, difference.cosine,
      difference.nonFinite ? ", NaN or infinity in one of the two" : "",
      isGood ? "" : ": MISMATCH");
  return isGood;
}

/// Prints how far each output is from DIR/<index>.npy; the exit code.
static int compareOutputs(StringRef dir, ArrayRef<cpu::HostTensor> outputs,
                          const Tolerance &tolerance) {
  bool isGood = true;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    auto expected = readTensor(join(dir, llvm::Twine(i) + ".npy"), output.type);
    if (!expected)
      return failInput("output '" + output.name +
                       "': " + llvm::toString(expected.takeError()));
    isGood &= compareOutput(output, *expected, tolerance);
  }
  return isGood ? kExitGood : kExitMismatch;
}

static SmallVector<const cpu::HostTensor *>
getPointers(ArrayRef<cpu::HostTensor> tensors) {
  return llvm::to_vector(llvm::make_pointer_range(tensors));
}

/// Runs each testcase of a file and judges its outputs; the exit code.
static int runTestcases(cpu::Executable &executable, const Testcases &testcases,
                        const Tolerance &tolerance, StringRef outputDir) {
  bool isGood = true;
  for (auto [number, inputs] : llvm::enumerate(testcases.inputs)) {
    SmallVector<cpu::HostTensor> outputs;
    if (failed(executable.run(getPointers(inputs), outputs)))
      return kExitBadInput;
    if (!outputDir.empty()) {
      std::string dir = testcases.inputs.size() == 1
                            ? outputDir.str()
                            : join(outputDir, llvm::Twine(number));
      if (llvm::Error error = writeOutputs(dir, outputs))
        return failInput(llvm::toString(std::move(error)));
    }
    llvm::outs() << "testcase " << number << "\n";
    for (auto [output, expected] :
         llvm::zip_equal(outputs, testcases.expected)) {
      if (expected >= 0)
        isGood &= compareOutput(output, inputs[expected], tolerance);
      else
        printOutputs(output, llvm::outs());
    }
  }
  return isGood ? kExitGood : kExitMismatch;
}

/// Numbers of an option, separated by commas.
static bool parseNumbers(StringRef text, std::vector<double> &numbers) {
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  for (StringRef part : parts)
    if (part.trim().getAsDouble(numbers.emplace_back()) ||
        !std::isfinite(numbers.back()))
      return false;
  return true;
}

namespace {
struct RunOptions {
  std::string model;
  std::vector<std::string> inputs;
  uint64_t seed;
  ImageOptions image;
  std::string outputDir, compareDir;
  Tolerance tolerance;
  std::string labels;
  unsigned top;
  bool printTop;
  bool optimize;
  cpu::CompileOptions compile;
  BenchOptions bench;

  bool isTimed() const {
    return bench.bench != BenchKind::None || bench.profile != ProfileKind::None;
  }
};

/// What a run takes, as files give it.
struct RunData {
  /// None unless the model's file has them and no input is given.
  Testcases testcases;
  /// Inputs of the one run, or of the first testcase.
  SmallVector<cpu::HostTensor> arguments;
  std::vector<std::string> labels;

  bool hasTestcases() const { return !testcases.inputs.empty(); }
};
} // namespace

/// Reads what the options name; takes testcases out of the module.
static llvm::Expected<RunData> readData(ModuleOp module,
                                        const RunOptions &options) {
  RunData data;
  if (options.inputs.empty()) {
    auto taken = takeTestcases(module);
    if (!taken)
      return taken.takeError();
    data.testcases = std::move(*taken);
  }
  if (data.hasTestcases()) {
    if (!options.compareDir.empty())
      return llvm::createStringError("the file has testcases of its own: "
                                     "--compare goes with --input");
    data.arguments = data.testcases.inputs.front();
  } else {
    auto prepared =
        prepareInputs(module, options.inputs, options.seed, options.image);
    if (!prepared)
      return prepared.takeError();
    data.arguments = std::move(*prepared);
  }
  if (!options.labels.empty()) {
    auto lines = readLabels(options.labels);
    if (!lines)
      return lines.takeError();
    data.labels = std::move(*lines);
  }
  return data;
}

/// Runs the model once and does with the outputs what is asked for; the exit
/// code.
static int runOnce(cpu::Executable &executable, const RunData &data,
                   const RunOptions &options) {
  SmallVector<cpu::HostTensor> outputs;
  if (failed(executable.run(getPointers(data.arguments), outputs)))
    return kExitBadInput;
  if (!options.outputDir.empty() && !data.hasTestcases())
    if (llvm::Error error = writeOutputs(options.outputDir, outputs))
      return failInput(llvm::toString(std::move(error)));
  int code = kExitGood;
  if (!options.compareDir.empty())
    code = compareOutputs(options.compareDir, outputs, options.tolerance);
  if (options.printTop)
    if (llvm::Error error =
            printTop(outputs, data.labels, options.top, llvm::outs()))
      return failInput(llvm::toString(std::move(error)));
  if (options.outputDir.empty() && options.compareDir.empty() &&
      !options.isTimed() && !options.printTop)
    printOutputs(outputs, llvm::outs());
  return code;
}

static int runModel(RunOptions options) {
  auto buffer = openInput(options.model);
  if (!buffer)
    return failInput("cannot open '" + options.model +
                     "': " + buffer.getError().message());
  DialectRegistry registry;
  registerAllDialects(registry);
  cpu::registerConstantEvaluator(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  std::string filename = options.model == "-" ? "<stdin>" : options.model;
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  auto module = readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  auto data = readData(**module, options);
  if (!data)
    return failInput(llvm::toString(data.takeError()));
  Stopwatch compileTime;
  if (options.optimize &&
      options.compile.pipeline.schedule == cpu::Schedule::Full) {
    PassManager pm(&context);
    buildO1Pipeline(pm);
    if (failed(pm.run(**module)))
      return kExitBadInput;
  }
  auto executable = cpu::Executable::compile(**module, options.compile);
  if (failed(executable))
    return kExitBadInput;
  options.bench.compileSeconds = compileTime.getSeconds();
  int code = kExitGood;
  if (data->hasTestcases())
    code = runTestcases(**executable, data->testcases, options.tolerance,
                        options.outputDir);
  if (code != kExitBadInput && (!data->hasTestcases() || options.printTop))
    if (int once = runOnce(**executable, *data, options))
      code = once;
  if (code == kExitBadInput)
    return code;
  if (options.isTimed() &&
      failed(runBench(**executable, **module, getPointers(data->arguments),
                      options.bench)))
    return kExitBadInput;
  return flushStdout("model-run") ? code : int(kExitBadInput);
}

int modelwright::modelRunMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  cl::OptionCategory category("model-run options");
  cl::opt<std::string> model(cl::Positional, cl::desc("<model>"), cl::Required,
                             cl::cat(category));
  cl::list<std::string> inputs(
      "input",
      cl::desc(
          "Value of an input: a file (.npy, an image, or raw little-endian "
          "bytes in the input's own type), 'random' or 'zeros'. The name may "
          "be "
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
  Tolerance tolerance;
  cl::opt<double, true> atol(
      "atol", cl::desc("Absolute error that --compare allows"),
      cl::location(tolerance.atol), cl::init(0), cl::cat(category));
  cl::opt<double, true> rtol(
      "rtol",
      cl::desc("Error that --compare allows, over the largest magnitude of the "
               "output (default 1e-4)"),
      cl::location(tolerance.rtol), cl::init(1e-4), cl::cat(category));
  ImageOptions image;
  cl::opt<std::string> mean(
      "mean",
      cl::desc("What is subtracted from the pixels (0 to 255) of an image: a "
               "number, or one per channel in the order of the tensor"),
      cl::value_desc("m[,m,m]"), cl::cat(category));
  cl::opt<std::string> deviation("std",
                                 cl::desc("What the difference is divided by"),
                                 cl::value_desc("s[,s,s]"), cl::cat(category));
  cl::opt<double> scale("scale",
                        cl::desc("What the difference is multiplied by"),
                        cl::cat(category));
  cl::opt<ChannelOrder, true> order(
      "channel-order", cl::desc("Order of an image's channels in the tensor"),
      cl::values(clEnumValN(ChannelOrder::RGB, "rgb", "red first (default)"),
                 clEnumValN(ChannelOrder::BGR, "bgr", "blue first")),
      cl::location(image.order), cl::init(ChannelOrder::RGB),
      cl::cat(category));
  cl::opt<ImageLayout, true> layout(
      "image-layout",
      cl::desc("Layout of an input that is an image (default: by which dim "
               "can be that of channels)"),
      cl::values(clEnumValN(ImageLayout::NCHW, "nchw", "channels first"),
                 clEnumValN(ImageLayout::NHWC, "nhwc", "channels last")),
      cl::location(image.layout), cl::init(ImageLayout::FromShape),
      cl::cat(category));
  cl::opt<std::string> labels(
      "labels",
      cl::desc("Print the classes of the largest outputs by the names in this "
               "file, one a line"),
      cl::value_desc("file"), cl::cat(category));
  cl::opt<unsigned> top("top",
                        cl::desc("How many classes to print (default 5)"),
                        cl::init(5), cl::cat(category));
  BenchOptions benchOptions;
  cl::opt<BenchKind, true> bench(
      "bench", cl::desc("Time the model"), cl::ValueOptional,
      cl::values(clEnumValN(BenchKind::Line, "", "one line"),
                 clEnumValN(BenchKind::JSON, "json", "as JSON")),
      cl::location(benchOptions.bench), cl::init(BenchKind::None),
      cl::cat(category));
  cl::opt<ProfileKind, true> profile(
      "profile",
      cl::desc("Time each kernel and each loop of the model: the mean of "
               "--iters runs, some 35 ns longer for each"),
      cl::ValueOptional,
      cl::values(clEnumValN(ProfileKind::Table, "", "a table by time"),
                 clEnumValN(ProfileKind::JSON, "json",
                            "as JSON, in the order of the run")),
      cl::location(benchOptions.profile), cl::init(ProfileKind::None),
      cl::cat(category));
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
  cl::opt<bool, true> strassen(
      "strassen",
      cl::desc("Let Strassen's algorithm compute 1x1 convolutions, faster and "
               "with somewhat larger rounding errors (default)"),
      cl::location(compileOptions.pipeline.strassen), cl::init(true),
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
          "  model-run net.om --bench\n"
          "  model-run net.om --input photo.jpg --labels=labels.txt\n\n"
          "A file that has testcases runs and judges these if no --input is "
          "given.\n"
          "Exit codes: 0 good, 1 bad input, 2 usage, 3 outputs differ from "
          "those expected.",
          &llvm::errs()))
    return kExitUsage;
  const char *wrong = nullptr;
  if (scale.getNumOccurrences())
    image.scale = scale;
  if (optLevel > 3)
    wrong = "--opt-level is 0 to 3";
  else if (iterations == 0)
    wrong = "--iters must be at least 1";
  else if (lanes.getNumOccurrences() && lanes != 8 && lanes != 16)
    wrong = "--lanes is 8 or 16";
  else if (threads < 0 || threads > kMostThreads)
    wrong = "--threads is 0 to 1024";
  else if (top == 0)
    wrong = "--top must be at least 1";
  else if (!isTolerance(tolerance.atol) || !isTolerance(tolerance.rtol))
    wrong = "--atol and --rtol are finite and not below 0";
  else if (image.scale && !std::isfinite(*image.scale))
    wrong = "--scale is a finite number";
  else if (bench == BenchKind::JSON && profile == ProfileKind::JSON)
    wrong = "--bench=json and --profile=json are two documents: one at a time";
  else if (deviation.getNumOccurrences() && scale.getNumOccurrences())
    wrong = "--std and --scale exclude each other";
  else if (mean.getNumOccurrences() && !parseNumbers(mean, image.mean))
    wrong = "--mean takes numbers, separated by commas";
  else if (deviation.getNumOccurrences() &&
           (!parseNumbers(deviation, image.std) ||
            llvm::is_contained(image.std, 0)))
    wrong = "--std takes numbers other than 0, separated by commas";
  else if (bench == BenchKind::None && profile == ProfileKind::None &&
           iterations.getNumOccurrences())
    wrong = "--iters goes with --bench or --profile";
  else if (bench == BenchKind::None && profile == ProfileKind::None &&
           warmup.getNumOccurrences())
    wrong = "--warmup goes with --bench or --profile";
  else if (llvm::none_of(inputs, isImagePath) &&
           (mean.getNumOccurrences() || deviation.getNumOccurrences() ||
            scale.getNumOccurrences() || order.getNumOccurrences() ||
            layout.getNumOccurrences()))
    wrong =
        "--mean, --std, --scale, --channel-order and --image-layout go with "
        "an --input that is an image";
  if (wrong) {
    llvm::errs() << "model-run: error: " << wrong << "\n";
    return kExitUsage;
  }
  if (threads == 0)
    threads = std::max(1U, std::thread::hardware_concurrency());

  RunOptions options{
      model,       {inputs.begin(), inputs.end()},
      seed,        image,
      outputDir,   compareDir,
      tolerance,   labels,
      top,         !labels.empty() || top.getNumOccurrences() != 0,
      optimize,    compileOptions,
      benchOptions};
  options.compile.pipeline.profile = profile != ProfileKind::None;
  return runModel(options);
}
