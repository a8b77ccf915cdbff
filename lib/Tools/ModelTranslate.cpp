//===- ModelTranslate.cpp - model-translate -------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/InitAll.h"
#include "modelwright/Target/CPU/ConstEval.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ToolMains.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

int modelwright::modelTranslateMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  enum class Direction { ByOutput, MGBToMLIR, MLIRToMGB, GEToMLIR, MLIRToGE };
  cl::OptionCategory category("model-translate options");
  cl::opt<Direction> direction(
      cl::desc("Direction (default: by the extension of -o)"),
      cl::values(clEnumValN(Direction::MGBToMLIR, "mgb-to-mlir",
                            "MegEngine file to MLIR text"),
                 clEnumValN(Direction::MLIRToMGB, "mlir-to-mgb",
                            "MLIR to a MegEngine file"),
                 clEnumValN(Direction::GEToMLIR, "ge-to-mlir",
                            "GE / HiAI model to MLIR text"),
                 clEnumValN(Direction::MLIRToGE, "mlir-to-ge",
                            "MLIR to a GE / HiAI model")),
      cl::init(Direction::ByOutput), cl::cat(category));
  cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::init("-"),
                             cl::cat(category));
  cl::opt<std::string> output("o", cl::desc("Output file ('-': stdout)"),
                              cl::value_desc("file"), cl::init("-"),
                              cl::cat(category));
  // The option keeps a reference to its description.
  const std::string emitHelp = "Exact kind: " + kEmitKinds.str();
  cl::opt<std::string> emit("emit", cl::desc(emitHelp), cl::value_desc("kind"),
                            cl::cat(category));
  cl::opt<bool> elide("elide-weights",
                      cl::desc("Leave long weights out of MLIR text"),
                      cl::cat(category));
  cl::opt<bool> gpu("gpu", cl::desc("A written .mgb is for a GPU"),
                    cl::cat(category));
  cl::HideUnrelatedOptions(category);
  std::string overview = "Converts models between file formats and MLIR.\n\n"
                         "  model-translate --mgb-to-mlir in.mgb -o out.mlir\n"
                         "  model-translate --mlir-to-mgb in.mlir -o out.mgb\n"
                         "  model-translate --ge-to-mlir in.om -o out.mlir\n\n"
                         "Exit codes: 0 good, 1 bad input, 2 usage.";
  if (!cl::ParseCommandLineOptions(argc, argv, overview, &llvm::errs()))
    return kExitUsage;

  auto failUsage = [](const llvm::Twine &message) {
    llvm::errs() << "model-translate: error: " << message << "\n";
    return kExitUsage;
  };
  if (direction.getNumOccurrences() > 1)
    return failUsage("give one direction");
  std::optional<EmitKind> kind;
  if (emit.getNumOccurrences()) {
    kind = parseEmitKind(emit);
    if (!kind)
      return failUsage("unknown --emit kind '" + emit + "', expected one of " +
                       kEmitKinds);
  } else {
    kind = getEmitKindOfPath(output);
  }
  const bool givesText =
      direction == Direction::MGBToMLIR || direction == Direction::GEToMLIR;
  if (!kind && givesText)
    kind = EmitKind::MLIR;
  else if (!kind && direction == Direction::MLIRToMGB)
    kind = EmitKind::MGB;
  else if (!kind && direction == Direction::MLIRToGE)
    kind = EmitKind::OM;
  if (!kind)
    return failUsage("cannot tell what to write: give a direction, --emit, or "
                     "-o with a known extension");
  bool writesText = isMLIR(*kind);
  const bool writesGE = isGE(*kind);
  if (direction != Direction::ByOutput &&
      (writesText != givesText ||
       (!writesText && writesGE != (direction == Direction::MLIRToGE))))
    return failUsage("the direction and what --emit or -o ask for exclude each "
                     "other");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(input);
  if (!buffer) {
    llvm::errs() << input
                 << ": error: cannot open: " << buffer.getError().message()
                 << "\n";
    return kExitBadInput;
  }
  std::string filename = input == "-" ? "<stdin>" : input.getValue();
  ModelFormat format = sniffFormat((*buffer)->getBuffer());
  auto isFrom = [&](ModelFormat wanted, StringRef name) {
    if (format == wanted)
      return true;
    llvm::errs() << filename << ": error: the input is no " << name << "\n";
    return false;
  };
  if ((direction == Direction::MGBToMLIR &&
       !isFrom(ModelFormat::MGB, "MegEngine file")) ||
      (direction == Direction::GEToMLIR &&
       !isFrom(ModelFormat::GE, "GE model")) ||
      (direction != Direction::ByOutput && !givesText &&
       !isFrom(ModelFormat::MLIR, "MLIR")))
    return kExitBadInput;
  DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  cpu::registerConstantEvaluator(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  WriteModelOptions options;
  options.kind = *kind;
  options.gpu = gpu;
  options.elideWeights = elide ? 32 : -1;
  return failed(writeModel(**module, output, options)) ? kExitBadInput
                                                       : kExitGood;
}
