//===- ModelInfo.cpp - model-info -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Coverage.h"
#include "OutputFile.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Format/MGB/Registry.h"
#include "modelwright/Import/MGB/Import.h"
#include "modelwright/InitAll.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ModelStats.h"
#include "modelwright/Tools/ToolMains.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

/// Prints every field of a file that was read, or why it was not.
template <typename FileT>
static int dumpFile(llvm::Expected<FileT> file, StringRef filename) {
  if (!file) {
    llvm::handleAllErrors(
        file.takeError(), [&](const llvm::ErrorInfoBase &error) {
          llvm::errs() << filename << ": error: " << error.message() << "\n";
        });
    return kExitBadInput;
  }
  dump(*file, llvm::outs());
  return kExitGood;
}

/// Prints every field of a model file without building a graph of it.
static int dumpFile(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    StringRef filename) {
  if (sniffFormat(buffer->getBuffer()) == ModelFormat::GE)
    return dumpFile(ge::readFile(std::move(buffer)), filename);
  return dumpFile(mgb::readFile(std::move(buffer)), filename);
}

/// Imports each file that standard input names and answers "good PATH" or
/// "refused N PATH" with the number of diagnostics, one line each.
static int runBatch() {
  DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  auto names = llvm::MemoryBuffer::getSTDIN();
  if (!names)
    return kExitBadInput;
  std::unique_ptr<MLIRContext> context;
  unsigned diagnostics = 0, runs = 0;
  bool allGood = true;
  SmallVector<StringRef> paths;
  (*names)->getBuffer().split(paths, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef path : paths) {
    // Constants live as long as their context: do not let them pile up.
    if (runs++ % 256 == 0) {
      context = std::make_unique<MLIRContext>(registry,
                                              MLIRContext::Threading::DISABLED);
      context->getDiagEngine().registerHandler([&](Diagnostic &) {
        ++diagnostics;
        return success();
      });
    }
    diagnostics = 0;
    auto buffer = openInput(path);
    bool good = false;
    if (!buffer)
      ++diagnostics;
    else
      good = succeeded(readModel(std::move(*buffer), path, context.get()));
    allGood &= good;
    if (good)
      llvm::outs() << "good " << path << "\n";
    else
      llvm::outs() << "refused " << diagnostics << " " << path << "\n";
  }
  return allGood ? kExitGood : kExitBadInput;
}

/// The exit code once everything printed has arrived.
static int finish(int code) {
  return flushStdout("model-info") ? code : int(kExitBadInput);
}

int modelwright::modelInfoMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  cl::OptionCategory category("model-info options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<input>"),
                             cl::cat(category));
  cl::opt<bool> json("json", cl::desc("Print JSON"), cl::cat(category));
  cl::opt<bool> dump("dump",
                     cl::desc("Print every field of the file, for comparison"),
                     cl::cat(category));
  cl::opt<bool> coverage("coverage",
                         cl::desc("Print which operators of MegEngine are "
                                  "typed, as Markdown"),
                         cl::cat(category));
  cl::opt<bool> batch("batch",
                      cl::desc("Import every file that stdin names, a line "
                               "each; tell which are good"),
                      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Describes a model: format, inputs, outputs, ops, weights, MACs.\n\n"
          "  model-info net.mge\n\n"
          "Exit codes: 0 good, 1 bad input, 2 usage.",
          &llvm::errs()))
    return kExitUsage;
  auto failUsage = [](const llvm::Twine &message) {
    llvm::errs() << "model-info: error: " << message << "\n";
    return kExitUsage;
  };
  if (json + dump + coverage + batch > 1)
    return failUsage("--json, --dump, --coverage and --batch exclude each "
                     "other");
  if (coverage || batch) {
    if (!input.empty())
      return failUsage("--coverage and --batch take no input file");
    return finish(coverage ? printCoverage(llvm::outs()) : runBatch());
  }
  if (input.empty())
    return failUsage("no input file; see --help");
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(input);
  if (!buffer) {
    llvm::errs() << input
                 << ": error: cannot open: " << buffer.getError().message()
                 << "\n";
    return kExitBadInput;
  }
  std::string filename = input == "-" ? "<stdin>" : input.getValue();
  if (dump)
    return finish(dumpFile(std::move(*buffer), filename));
  DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n", getInfoJSON(**module, filename));
  else
    printInfo(**module, filename, llvm::outs());
  return finish(kExitGood);
}
