//===- ModelOpt.cpp - model-opt -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a model or MLIR, runs the passes of the command line, writes a model
// or MLIR. MLIR to MLIR without options of ours is mlir-opt itself; all else
// goes through `optimize` below.
//
//===----------------------------------------------------------------------===//

#include "ModelCheck.h"
#include "OutputFile.h"
#include "Remarks.h"
#include "mlir/Debug/CLOptionsSetup.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/InitAll.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Target/CPU/ConstEval.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ModelStats.h"
#include "modelwright/Tools/ToolMains.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

namespace {
enum class Target { None, GE, MGB };

/// The options that model-opt adds to mlir-opt's.
struct Options {
  cl::OptionCategory category{"model-opt options"};
  cl::opt<std::string> emit{
      "emit",
      cl::desc("What to write: mlir, mlirbc, mgb (the input's own "
               "encoding), mgbs, mgbc, mgv2, om, pb (GE without container), "
               "pbtxt (default: by the extension of -o, else mlir)"),
      cl::value_desc("kind"), cl::cat(category)};
  cl::opt<bool> summary{
      "summary",
      cl::desc("Print a table of ops, parameters, bytes and MACs before and "
               "after, to stderr"),
      cl::cat(category)};
  cl::opt<RemarkSelection> remarks{
      "remarks", cl::desc("Print what passes did and what they refused"),
      cl::values(clEnumValN(RemarkSelection::Passed, "passed", "what was done"),
                 clEnumValN(RemarkSelection::Missed, "missed",
                            "what was refused, and why"),
                 clEnumValN(RemarkSelection::All, "all", "both")),
      cl::init(RemarkSelection::None), cl::cat(category)};
  cl::opt<Target> legalizeFor{
      "legalize-for",
      cl::desc("After the passes, rewrite what a format cannot express "
               "(writing a model does so by itself)"),
      cl::values(clEnumValN(Target::GE, "ge", "GE / HiAI models"),
                 clEnumValN(Target::MGB, "mgb", "MegEngine files")),
      cl::init(Target::None), cl::cat(category)};
  cl::opt<bool> gpu{
      "gpu",
      cl::desc("A written .mgb is for a GPU: residuals stay fused into "
               "ConvBias, which MegEngine's CPU kernels ignore"),
      cl::cat(category)};
  cl::opt<std::string> check{
      "check",
      cl::desc("Run the model before and after on N sets of random inputs, or "
               "on those of its testcases, and compare; where the outputs "
               "differ, nothing is written, the first pass and op that differ "
               "are named and the exit code is 3"),
      cl::value_desc("N"), cl::ValueOptional, cl::cat(category)};
  cl::opt<std::string> checkData{
      "check-data",
      cl::desc("--check on inputs in this folder: <name>.npy or <name>.bin, or "
               "a folder of these for each run"),
      cl::value_desc("dir"), cl::cat(category)};
  cl::opt<uint64_t> checkSeed{"check-seed",
                              cl::desc("Seed of the first random inputs"),
                              cl::init(0), cl::cat(category)};
  cl::opt<double> checkAtol{
      "check-atol", cl::desc("Absolute error that --check allows (default 0)"),
      cl::init(0), cl::cat(category)};
  cl::opt<double> checkRtol{
      "check-rtol",
      cl::desc("Error that --check allows, over the largest magnitude of the "
               "output (default 0 for integers; for floats by the narrowest "
               "that the model computes: 1e-4, 5e-3 if that is f16, 4e-2 if "
               "bf16)"),
      cl::cat(category)};
  cl::opt<bool> checkPlain{
      "check-plain",
      cl::desc("Run both models without the CPU schedule's kernels"),
      cl::cat(category)};
};
} // namespace

/// Whether the command line has an option.
static bool isGiven(StringRef name) {
  const cl::Option *option = cl::getRegisteredOptions().lookup(name);
  return option && option->getNumOccurrences() != 0;
}

/// Whether the passes are to be proven by running the model.
static bool isChecked() { return isGiven("check") || isGiven("check-data"); }

/// The option, if one is given, that only mlir-opt's own way from MLIR to MLIR
/// heeds.
static std::optional<StringRef> findTextOnlyOption() {
  for (StringRef name : {"elide-resource-data-from-bytecode",
                         "emit-bytecode-version",
                         "irdl-file",
                         "mlir-diagnostic-verbosity-level",
                         "mlir-disable-diagnostic-notes",
                         "mlir-very-unsafe-disable-verifier-on-parsing",
                         "no-implicit-module",
                         "output-split-marker",
                         "remark-format",
                         "remark-policy",
                         "remarks-filter",
                         "remarks-filter-analyse",
                         "remarks-filter-failed",
                         "remarks-filter-missed",
                         "remarks-filter-passed",
                         "remarks-output-file",
                         "run-reproducer",
                         "split-input-file",
                         "verify-diagnostics",
                         "verify-roundtrip"})
    if (isGiven(name))
      return name;
  return std::nullopt;
}

static int failUsage(const llvm::Twine &message) {
  llvm::errs() << "model-opt: error: " << message << "\n";
  return kExitUsage;
}

/// What the options of --check say; nullopt after a message.
static std::optional<CheckOptions> getCheckOptions(const Options &options) {
  CheckOptions check;
  for (StringRef name :
       {"check-seed", "check-atol", "check-rtol", "check-plain"})
    if (isGiven(name) && !isChecked()) {
      failUsage("--" + name + " goes with --check or --check-data");
      return std::nullopt;
    }
  if (!options.check.empty() &&
      (!llvm::to_integer(options.check.getValue(), check.runs) ||
       check.runs == 0)) {
    failUsage("--check=" + options.check + ": expected a number from 1");
    return std::nullopt;
  }
  if (!options.check.empty() && isGiven("check-data")) {
    failUsage("--check-data says how many runs there are: --check takes no "
              "number then");
    return std::nullopt;
  }
  auto isTolerance = [](double number) {
    return std::isfinite(number) && number >= 0;
  };
  if (!isTolerance(options.checkAtol) ||
      (isGiven("check-rtol") && !isTolerance(options.checkRtol))) {
    failUsage("--check-atol and --check-rtol are finite and not below 0");
    return std::nullopt;
  }
  check.dataDir = options.checkData;
  check.seed = options.checkSeed;
  check.atol = options.checkAtol;
  if (isGiven("check-rtol"))
    check.rtol = options.checkRtol;
  check.plain = options.checkPlain;
  return check;
}

/// What --emit, --emit-bytecode and -o ask for; nullopt after a message.
static std::optional<EmitKind> getEmitKind(const Options &options,
                                           StringRef output, bool readsText) {
  if (isGiven("emit") && isGiven("emit-bytecode")) {
    failUsage("--emit and --emit-bytecode exclude each other");
    return std::nullopt;
  }
  if (isGiven("emit")) {
    std::optional<EmitKind> kind = parseEmitKind(options.emit);
    if (!kind)
      failUsage("unknown --emit kind '" + options.emit + "', expected one of " +
                kEmitKinds);
    return kind;
  }
  if (isGiven("emit-bytecode"))
    return EmitKind::MLIRBC;
  if (std::optional<EmitKind> kind = getEmitKindOfPath(output))
    return kind;
  // As mlir-opt does, text goes to any name. A model under a name that tells
  // nothing was hardly meant to become text.
  StringRef extension = llvm::sys::path::extension(output);
  if (readsText || extension.empty())
    return EmitKind::MLIR;
  failUsage("cannot tell from the extension of '" + output +
            "' what to write: give --emit");
  return std::nullopt;
}

/// The path for everything that touches a model file or an option of ours.
static int optimize(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef input,
                    StringRef output, EmitKind kind, const Options &options,
                    const CheckOptions &checkOptions,
                    const MlirOptMainConfig &config,
                    DialectRegistry &registry) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  // The generic form of an operation tells a model's owner little, and that of
  // a whole graph nothing.
  if (!isGiven("mlir-print-op-on-diagnostic"))
    context.printOpOnDiagnostic(false);
  tracing::InstallDebugHandler debugHandler(context, config.getDebugConfig());
  StringRef filename = input == "-" ? StringRef("<stdin>") : input;

  // What the command line got wrong shows before the model is read.
  PassManager pm(&context, ModuleOp::getOperationName(),
                 PassManager::Nesting::Implicit);
  auto buildPasses = [&](PassManager &passes) -> LogicalResult {
    passes.enableVerifier(config.shouldVerifyPasses());
    if (failed(config.setupPassPipeline(passes)))
      return failure();
    if (options.legalizeFor == Target::GE) {
      passes.addNestedPass<func::FuncOp>(createLegalizeForGE());
    } else if (options.legalizeFor == Target::MGB) {
      LegalizeForMGBOptions legalize;
      legalize.gpu = options.gpu;
      passes.addNestedPass<func::FuncOp>(createLegalizeForMGB(legalize));
    }
    return success();
  };
  {
    ModelDiagnosticHandler handler(&context, "model-opt", llvm::errs());
    if (failed(applyPassManagerCLOptions(pm)) || failed(buildPasses(pm)))
      return kExitUsage;
  }
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  // Remarks come in the order of the functions, every time.
  if (options.remarks != RemarkSelection::None)
    context.disableMultithreading();
  if (failed(enableRemarks(context, options.remarks, filename)))
    return kExitBadInput;

  DefaultTimingManager timing;
  applyDefaultTimingManagerCLOptions(timing);
  TimingScope total = timing.getRootScope();
  TimingScope scope = total.nest("Read");
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModel(std::move(buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  std::unique_ptr<ModelCheck> check;
  if (isChecked()) {
    scope = total.nest("Check");
    FailureOr<std::unique_ptr<ModelCheck>> created =
        ModelCheck::create(**module, checkOptions);
    if (failed(created))
      return kExitBadInput;
    check = std::move(*created);
  }
  scope = total.nest("Optimize");

  std::optional<ModelStats> before;
  if (options.summary)
    before = computeStats(**module);
  OperationFingerPrint original(**module);
  pm.enableTiming(scope);
  if (failed(pm.run(**module)))
    return kExitBadInput;
  // Another graph must not carry the digest that tells loaders it is the same.
  if (OperationFingerPrint(**module) != original)
    for (Operation &op : *(*module)->getBody())
      op.removeAttr(mgb::attr::kHash);
  if (before)
    printSummary(*before, computeStats(**module), llvm::errs());
  if (check) {
    scope = total.nest("Check");
    FailureOr<bool> isSame = check->compare(**module, "check", llvm::errs());
    if (failed(isSame))
      return kExitBadInput;
    if (!*isSame) {
      check->blame(buildPasses);
      return kExitMismatch;
    }
  }

  scope = total.nest("Write");
  WriteModelOptions writeOptions;
  writeOptions.kind = kind;
  writeOptions.gpu = options.gpu;
  // Text on a terminal or in a pipe is for reading: long weights are elided.
  if (output == "-" && kind == EmitKind::MLIR &&
      !isGiven("mlir-elide-elementsattrs-if-larger") &&
      !isGiven("mlir-elide-resource-strings-if-larger"))
    writeOptions.elideWeights = 32;
  // A format's spelling of the model is another model, in which what cannot be
  // written was rewritten.
  int code = kExitBadInput;
  if (check && !isMLIR(kind))
    writeOptions.verify = [&](StringRef path) {
      auto written = openInput(path);
      if (!written)
        return failure();
      auto reread = readModel(std::move(*written), path, &context);
      if (failed(reread))
        return failure();
      FailureOr<bool> isSame =
          check->compare(**reread, "check as written", llvm::errs());
      if (succeeded(isSame) && !*isSame)
        code = kExitMismatch;
      return success(succeeded(isSame) && *isSame);
    };
  return failed(writeModel(**module, output, writeOptions)) ? code : kExitGood;
}

int modelwright::modelOptMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  cpu::registerConstantEvaluator(registry);
  // What is between the nn dialect and native code, so that each pass on the
  // way can be run for itself.
  registry
      .insert<arith::ArithDialect, bufferization::BufferizationDialect,
              cf::ControlFlowDialect, cpu::CPUDialect, linalg::LinalgDialect,
              LLVM::LLVMDialect, math::MathDialect, memref::MemRefDialect,
              scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  cpu::registerPipelineInterfaces(registry);
  registerTransformsPasses();
  registerModelwrightPasses();
  registerModelwrightConversionPasses();
  cpu::registerModelwrightTargetCPUPasses();
  cpu::registerPipelines();
  Options options;
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                             cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output file ('-': stdout)"),
                              cl::value_desc("file"), cl::init("-"));
  std::string header = registerCLIOptions(
      "Optimizes neural-network models.\n\n"
      "  model-opt --fuse-conv-bias --fold-bn in.mgb -o out.mgb\n"
      "  model-opt -O1 --summary in.mge -o out.mge\n"
      "  model-opt -O1 --check=3 in.om -o out.om\n\n"
      "Reads MegEngine files, GE / HiAI models and MLIR by content ('-' is "
      "standard input); "
      "without -o, writes MLIR text with long weights elided. All options of "
      "mlir-opt work. Exit codes: 0 good, 1 bad input, 2 usage, 3 outputs "
      "differ (--check).",
      registry);
  if (!cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs()))
    return kExitUsage;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return kExitGood;
  }
  if (config.shouldShowDialects())
    return failed(MlirOptMain(argc, argv, input, output, registry))
               ? kExitBadInput
               : kExitGood;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(input);
  if (!buffer) {
    llvm::errs() << input
                 << ": error: cannot open: " << buffer.getError().message()
                 << "\n";
    return kExitBadInput;
  }
  bool readsText = isMLIR((*buffer)->getBuffer());
  std::optional<EmitKind> kind = getEmitKind(options, output, readsText);
  std::optional<CheckOptions> checkOptions = getCheckOptions(options);
  if (!kind || !checkOptions)
    return kExitUsage;
  bool writesText = isMLIR(*kind);
  if (!readsText || !writesText || options.summary || isChecked() ||
      options.legalizeFor != Target::None ||
      options.remarks != RemarkSelection::None) {
    if (std::optional<StringRef> name = findTextOnlyOption())
      return failUsage("--" + *name +
                       " is for MLIR to MLIR, without --summary, --remarks, "
                       "--check and --legalize-for");
    return optimize(std::move(*buffer), input, output, *kind, options,
                    *checkOptions, config, registry);
  }

  config.emitBytecode(*kind == EmitKind::MLIRBC);
  auto fail = [&](llvm::Error error) {
    llvm::errs() << input << ": error: cannot write '" << output
                 << "': " << llvm::toString(std::move(error)) << "\n";
    return kExitBadInput;
  };
  llvm::Expected<std::unique_ptr<OutputFile>> file = OutputFile::create(output);
  if (!file)
    return fail(file.takeError());
  // The parser wants a terminated buffer; standard input is read only once.
  if (failed(MlirOptMain(
          (*file)->os(),
          llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), input),
          registry, config)))
    return kExitBadInput;
  if (llvm::Error error = (*file)->keep())
    return fail(std::move(error));
  return kExitGood;
}
