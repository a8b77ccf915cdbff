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
#include "modelwright/Tools/ModelDiff.h"
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

static StringRef getFilename(StringRef path) {
  return path == "-" ? "<stdin>" : path;
}

/// Opens a file; null after a message.
static std::unique_ptr<llvm::MemoryBuffer> openFile(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(path);
  if (buffer)
    return std::move(*buffer);
  llvm::errs() << path
               << ": error: cannot open: " << buffer.getError().message()
               << "\n";
  return {};
}

/// Reads a model; null after a message.
static OwningOpRef<ModuleOp> openModel(StringRef path, MLIRContext &context) {
  std::unique_ptr<llvm::MemoryBuffer> buffer = openFile(path);
  if (!buffer)
    return {};
  StringRef filename = getFilename(path);
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModel(std::move(buffer), filename, &context);
  if (failed(module))
    return {};
  return std::move(*module);
}

/// `model-info A B`: 0 if they are the same, 1 if not, 2 if one is unreadable,
/// as diff and cmp have it.
static int compareModels(StringRef pathA, StringRef pathB, bool json,
                         const ModelDiffOptions &options,
                         MLIRContext &context) {
  OwningOpRef<ModuleOp> a = openModel(pathA, context);
  OwningOpRef<ModuleOp> b = openModel(pathB, context);
  if (!a || !b)
    return kExitUsage;
  ModelDiff diff = diffModels(*a, *b, options);
  StringRef nameA = getFilename(pathA), nameB = getFilename(pathB);
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n", getDiffJSON(diff, nameA, nameB));
  else
    printDiff(diff, nameA, nameB, llvm::outs());
  if (!flushStdout("model-info"))
    return kExitUsage;
  return diff.isSame() ? 0 : 1;
}

int modelwright::modelInfoMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  cl::OptionCategory category("model-info options");
  cl::list<std::string> inputs(cl::Positional, cl::desc("<model> [<model>]"),
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
  cl::opt<bool> formatAttributes(
      "format-attributes",
      cl::desc("With two models of one format: compare what their files say "
               "beyond the nn dialect, too"),
      cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Describes a model: format, inputs, outputs, ops, weights, MACs; or "
          "compares two.\n\n"
          "  model-info net.mge\n"
          "  model-info a.om b.mge\n\n"
          "Exit codes: 0 good, 1 bad input, 2 usage. Of two models: 0 same, "
          "1 different, 2 usage or bad input.",
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
    if (!inputs.empty())
      return failUsage("--coverage and --batch take no input file");
    return finish(coverage ? printCoverage(llvm::outs()) : runBatch());
  }
  if (inputs.empty())
    return failUsage("no input file; see --help");
  if (inputs.size() > 2)
    return failUsage("takes one model, or two to compare");
  DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  if (inputs.size() == 2) {
    if (dump)
      return failUsage("--dump takes one model");
    if (inputs[0] == "-" && inputs[1] == "-")
      return failUsage("standard input holds one model only");
    ModelDiffOptions options;
    options.formatAttributes = formatAttributes;
    return compareModels(inputs[0], inputs[1], json, options, context);
  }
  if (formatAttributes)
    return failUsage("--format-attributes is for two models");
  const std::string &input = inputs.front();
  if (dump) {
    std::unique_ptr<llvm::MemoryBuffer> buffer = openFile(input);
    return buffer ? finish(dumpFile(std::move(buffer), getFilename(input)))
                  : int(kExitBadInput);
  }
  OwningOpRef<ModuleOp> module = openModel(input, context);
  if (!module)
    return kExitBadInput;
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  getInfoJSON(*module, getFilename(input)));
  else
    printInfo(*module, getFilename(input), llvm::outs());
  return finish(kExitGood);
}
