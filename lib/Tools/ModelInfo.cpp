//===- ModelInfo.cpp - model-info -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/InitAll.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ModelStats.h"
#include "modelwright/Tools/ToolMains.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;

/// Prints every field of a model file without building a graph of it.
static int dumpFile(std::unique_ptr<llvm::MemoryBuffer> buffer,
                    StringRef filename) {
  llvm::Expected<mgb::File> file = mgb::readFile(std::move(buffer));
  if (!file) {
    llvm::handleAllErrors(file.takeError(),
                          [&](const llvm::ErrorInfoBase &error) {
                            llvm::errs() << filename
                                         << ": error: " << error.message()
                                         << "\n";
                          });
    return kExitBadInput;
  }
  mgb::dump(*file, llvm::outs());
  return kExitGood;
}

int modelwright::modelInfoMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  cl::OptionCategory category("model-info options");
  cl::opt<std::string> input(cl::Positional, cl::desc("<input>"), cl::Required,
                             cl::cat(category));
  cl::opt<bool> json("json", cl::desc("Print JSON"), cl::cat(category));
  cl::opt<bool> dump("dump",
                     cl::desc("Print every field of the file, for comparison"),
                     cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Describes a model: format, inputs, outputs, ops, weights, MACs.\n\n"
          "  model-info net.mge\n\n"
          "Exit codes: 0 good, 1 bad input, 2 usage.",
          &llvm::errs()))
    return kExitUsage;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer = openInput(input);
  if (!buffer) {
    llvm::errs() << input << ": error: cannot open: "
                 << buffer.getError().message() << "\n";
    return kExitBadInput;
  }
  std::string filename = input == "-" ? "<stdin>" : input.getValue();
  if (dump)
    return dumpFile(std::move(*buffer), filename);
  DialectRegistry registry;
  modelwright::registerAllDialects(registry);
  MLIRContext context(registry);
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  FailureOr<OwningOpRef<ModuleOp>> module =
      readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n", getInfoJSON(**module, filename));
  else
    printInfo(**module, filename, llvm::outs());
  return kExitGood;
}
