//===- InitTool.cpp - What all tool mains share ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Tools/ToolMains.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace modelwright;

/// Leaves the options of code generators, which LLVM's shared library brings,
/// to --help-hidden.
static void hideLibraryOptions() {
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (option->getOptionHiddenFlag() == llvm::cl::NotHidden &&
        llvm::is_contained(option->Categories, &llvm::cl::getGeneralCategory()))
      option->setHiddenFlag(llvm::cl::Hidden);
}

void modelwright::initTool(int &argc, char **&argv) {
  hideLibraryOptions();
  llvm::setBugReportMsg(
      "PLEASE report this as a bug of Modelwright, with the model file (or one "
      "that shows the same) and the command line.\n");
  llvm::sys::PrintStackTraceOnErrorSignal(argv[0]);
  llvm::EnablePrettyStackTrace();
  // A limit on the size of files is a failed write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &os) {
    os << "Modelwright " << MODELWRIGHT_VERSION << ", LLVM "
       << LLVM_VERSION_STRING << "\n";
  });
}
