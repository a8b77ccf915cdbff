//===- RoundTrip.cpp - What must hold for any input -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"

#include "mlir/Parser/Parser.h"
#include "modelwright/Export/MGB/Export.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Import/MGB/Import.h"
#include "modelwright/InitAll.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace modelwright;

namespace {

/// Collects diagnostics, and whether each says where.
class Collector {
public:
  explicit Collector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diag) {
          add(diag);
          return success();
        }) {}

  std::vector<std::string> list;
  bool hasError = false, allLocated = true;

private:
  void add(Diagnostic &diag) {
    if (diag.getSeverity() != DiagnosticSeverity::Error)
      return;
    hasError = true;
    FileLineColLoc found;
    diag.getLocation()->walk([&](Location inner) {
      found = dyn_cast<FileLineColLoc>(inner);
      return found ? WalkResult::interrupt() : WalkResult::advance();
    });
    std::string text = "error: ";
    llvm::raw_string_ostream os(text);
    if (found)
      os << found.getFilename().getValue() << ":" << found.getLine() << ": ";
    else
      allLocated = false;
    os.write_escaped(diag.str());
    list.push_back(std::move(text));
  }

  ScopedDiagnosticHandler handler;
};

} // namespace

static OwningOpRef<ModuleOp>
read(const std::shared_ptr<llvm::MemoryBuffer> &buffer, bool isMLIR,
     MLIRContext *context) {
  if (!isMLIR) {
    std::string name = buffer->getBufferIdentifier().str();
    FailureOr<OwningOpRef<ModuleOp>> module = importMGB(buffer, name, context);
    if (failed(module))
      return {};
    return std::move(*module);
  }
  llvm::SourceMgr sourceMgr;
  sourceMgr.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(),
                                           buffer->getBufferIdentifier()),
      llvm::SMLoc());
  return parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
}

/// Every field of a file, as text.
static std::string dump(const std::shared_ptr<llvm::MemoryBuffer> &buffer) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::Expected<mgb::File> file = mgb::readFile(buffer);
  if (file)
    mgb::dump(*file, os);
  else
    os << llvm::toString(file.takeError());
  return text;
}

/// The first line of `left` that `right` has not.
static std::string findDifference(StringRef left, StringRef right) {
  while (!left.empty()) {
    auto [leftLine, leftRest] = left.split('\n');
    auto [rightLine, rightRest] = right.split('\n');
    if (leftLine != rightLine)
      return ("'" + leftLine + "' became '" + rightLine + "'").str();
    left = leftRest;
    right = rightRest;
  }
  return "more at the end";
}

RoundTripResult
modelwright::roundTrip(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
                       bool isMLIR, MLIRContext *context) {
  Collector diagnostics(context);
  auto finish = [&](Outcome outcome, StringRef fault = {}) {
    if (!fault.empty())
      diagnostics.list.push_back("broken: " + fault.str());
    return RoundTripResult{outcome, std::move(diagnostics.list)};
  };
  auto refuse = [&](Outcome outcome) {
    if (!diagnostics.hasError)
      return finish(Outcome::Broken, "refused without a diagnostic");
    if (!diagnostics.allLocated)
      return finish(Outcome::Broken, "a diagnostic has no location");
    return finish(outcome);
  };

  OwningOpRef<ModuleOp> module = read(buffer, isMLIR, context);
  if (!module)
    return refuse(Outcome::Refused);
  if (diagnostics.hasError)
    return finish(Outcome::Broken, "imported in spite of an error");
  llvm::SmallVector<char, 0> first;
  llvm::raw_svector_ostream firstStream(first);
  if (failed(exportMGB(*module, firstStream)))
    return refuse(Outcome::NotExported);

  std::shared_ptr<llvm::MemoryBuffer> written =
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(first.data(), first.size()), "written");
  if (!isMLIR) {
    std::string before = dump(buffer), after = dump(written);
    if (before != after)
      return finish(Outcome::Broken, "the written file differs: " +
                                         findDifference(before, after));
  }
  OwningOpRef<ModuleOp> again = read(written, /*isMLIR=*/false, context);
  if (!again)
    return finish(Outcome::Broken, "what was written is refused");
  llvm::SmallVector<char, 0> second;
  llvm::raw_svector_ostream secondStream(second);
  if (failed(exportMGB(*again, secondStream)) || first != second)
    return finish(Outcome::Broken, "a second round trip differs");
  return finish(Outcome::RoundTripped);
}

std::unique_ptr<MLIRContext> modelwright::makeRoundTripContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}
