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

#include "Remarks.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Support/Timing.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "modelwright/InitAll.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ModelStats.h"
#include "modelwright/Tools/ToolMains.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

namespace {
/// The options that model-opt adds to mlir-opt's.
struct Options {
  cl::OptionCategory category{"model-opt options"};
  cl::opt<std::string> emit{
      "emit",
      cl::desc("What to write: mlir, mlirbc, mgb (the input's own "
               "encoding), mgbs, mgbc, mgv2 (default: by the "
               "extension of -o, else mlir)"),
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
  cl::opt<bool> gpu{
      "gpu",
      cl::desc("A written .mgb is for a GPU: residuals stay fused into "
               "ConvBias, which MegEngine's CPU kernels ignore"),
      cl::cat(category)};
};
} // namespace

/// What -o and --emit ask for; nullopt after a message.
static std::optional<EmitKind> getEmitKind(const Options &options,
                                           StringRef output, bool bytecode) {
  if (!options.emit.empty()) {
    std::optional<EmitKind> kind = parseEmitKind(options.emit);
    if (!kind)
      llvm::errs() << "model-opt: error: unknown --emit kind '" << options.emit
                   << "', expected mlir, mlirbc, mgb, mgbs, mgbc or mgv2\n";
    return kind;
  }
  if (std::optional<EmitKind> kind = getEmitKindOfPath(output))
    return kind;
  return bytecode ? EmitKind::MLIRBC : EmitKind::MLIR;
}

/// The path for everything that touches a model file or an option of ours.
static int optimize(std::unique_ptr<llvm::MemoryBuffer> buffer, StringRef input,
                    StringRef output, EmitKind kind, const Options &options,
                    const MlirOptMainConfig &config,
                    DialectRegistry &registry) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects(config.shouldAllowUnregisteredDialects());
  StringRef filename = input == "-" ? StringRef("<stdin>") : input;
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
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
  scope = total.nest("Optimize");

  std::optional<ModelStats> before;
  if (options.summary)
    before = computeStats(**module);
  OperationFingerPrint original(**module);
  PassManager pm((**module)->getName(), PassManager::Nesting::Implicit);
  pm.enableVerifier(config.shouldVerifyPasses());
  if (failed(applyPassManagerCLOptions(pm)) ||
      failed(config.setupPassPipeline(pm)))
    return kExitUsage;
  pm.enableTiming(scope);
  if (failed(pm.run(**module)))
    return kExitBadInput;
  // Another graph must not carry the digest that tells loaders it is the same.
  if (OperationFingerPrint(**module) != original)
    for (Operation &op : *(*module)->getBody())
      op.removeAttr(mgb::attr::kHash);
  if (before)
    printSummary(*before, computeStats(**module), llvm::errs());

  scope = total.nest("Write");
  WriteModelOptions writeOptions;
  writeOptions.kind = kind;
  writeOptions.gpu = options.gpu;
  // Text on a terminal or in a pipe is for reading: long weights are elided.
  if (output == "-" && kind == EmitKind::MLIR)
    writeOptions.elideWeights = 32;
  return failed(writeModel(**module, output, writeOptions)) ? kExitBadInput
                                                            : kExitGood;
}

int modelwright::modelOptMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  DialectRegistry registry;
  registerAllDialects(registry);
  registerTransformsPasses();
  registerModelwrightPasses();
  Options options;
  cl::opt<std::string> input(cl::Positional, cl::desc("<input file>"),
                             cl::init("-"));
  cl::opt<std::string> output("o", cl::desc("Output file ('-': stdout)"),
                              cl::value_desc("file"), cl::init("-"));
  std::string header = registerCLIOptions(
      "Optimizes neural-network models.\n\n"
      "  model-opt --fuse-conv-bias --fold-bn in.mgb -o out.mgb\n"
      "  model-opt -O1 --summary in.mge -o out.mge\n\n"
      "Reads MegEngine files and MLIR by content ('-' is standard input); "
      "without -o, writes MLIR text with long weights elided. All options of "
      "mlir-opt work. Exit codes: 0 good, 1 bad input, 2 usage.",
      registry);
  if (!cl::ParseCommandLineOptions(argc, argv, header, &llvm::errs()))
    return kExitUsage;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return kExitGood;
  }
  std::optional<EmitKind> kind =
      getEmitKind(options, output, config.shouldEmitBytecode());
  if (!kind)
    return kExitUsage;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(input);
  if (!buffer) {
    llvm::errs() << input
                 << ": error: cannot open: " << buffer.getError().message()
                 << "\n";
    return kExitBadInput;
  }
  bool isText = isMLIR((*buffer)->getBuffer());
  bool writesMLIR = *kind == EmitKind::MLIR || *kind == EmitKind::MLIRBC;
  bool ours = !isText || !writesMLIR || options.summary ||
              options.remarks != RemarkSelection::None || !options.emit.empty();
  if (ours && !config.shouldVerifyDiagnostics() &&
      config.inputSplitMarker().empty())
    return optimize(std::move(*buffer), input, output, *kind, options, config,
                    registry);
  if (config.shouldShowDialects() || config.shouldRunReproducer())
    return failed(MlirOptMain(argc, argv, input, output, registry))
               ? kExitBadInput
               : kExitGood;
  std::string message;
  auto file = openOutputFile(output, &message);
  if (!file) {
    llvm::errs() << "model-opt: error: " << message << "\n";
    return kExitBadInput;
  }
  // The parser wants a terminated buffer; standard input is read only once.
  if (failed(MlirOptMain(
          file->os(),
          llvm::MemoryBuffer::getMemBufferCopy((*buffer)->getBuffer(), input),
          registry, config)))
    return kExitBadInput;
  file->keep();
  return kExitGood;
}
