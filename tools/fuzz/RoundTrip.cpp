//===- RoundTrip.cpp - What must hold for any input -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"

#include "mlir/Parser/Parser.h"
#include "modelwright/Export/GE/Export.h"
#include "modelwright/Export/MGB/Export.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Import/GE/Import.h"
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
read(const std::shared_ptr<llvm::MemoryBuffer> &buffer, InputKind kind,
     MLIRContext *context) {
  if (kind != InputKind::MLIR) {
    std::string name = buffer->getBufferIdentifier().str();
    FailureOr<OwningOpRef<ModuleOp>> module =
        kind == InputKind::GE ? importGE(buffer, name, context)
                              : importMGB(buffer, name, context);
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

static LogicalResult write(ModuleOp module, InputKind kind,
                           llvm::raw_ostream &os) {
  return kind == InputKind::GE ? exportGE(module, os) : exportMGB(module, os);
}

/// Every field of a file, as text.
template <typename FileT>
static std::string dumpFile(llvm::Expected<FileT> file) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (file)
    dump(*file, os);
  else
    os << llvm::toString(file.takeError());
  return text;
}

static std::string dumpFile(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
                            InputKind kind) {
  return kind == InputKind::GE ? dumpFile(ge::readFile(buffer))
                               : dumpFile(mgb::readFile(buffer));
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
                       InputKind kind, MLIRContext *context) {
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

  OwningOpRef<ModuleOp> module = read(buffer, kind, context);
  if (!module)
    return refuse(Outcome::Refused);
  if (diagnostics.hasError)
    return finish(Outcome::Broken, "imported in spite of an error");
  llvm::SmallVector<char, 0> first;
  llvm::raw_svector_ostream firstStream(first);
  if (failed(write(*module, kind, firstStream)))
    return refuse(Outcome::NotExported);

  std::shared_ptr<llvm::MemoryBuffer> written =
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(first.data(), first.size()), "written");
  if (kind != InputKind::MLIR && written->getBuffer() != buffer->getBuffer()) {
    std::string before = dumpFile(buffer, kind);
    std::string after = dumpFile(written, kind);
    if (before != after)
      return finish(Outcome::Broken, "the written file differs: " +
                                         findDifference(before, after));
    // A MegEngine file may be laid out in other ways, a GE file not.
    if (kind == InputKind::GE)
      return finish(Outcome::Broken, "the same fields in other bytes");
  }
  InputKind writtenKind = kind == InputKind::GE ? kind : InputKind::MGB;
  OwningOpRef<ModuleOp> again = read(written, writtenKind, context);
  if (!again)
    return finish(Outcome::Broken, "what was written is refused");
  llvm::SmallVector<char, 0> second;
  llvm::raw_svector_ostream secondStream(second);
  if (failed(write(*again, writtenKind, secondStream)) || first != second)
    return finish(Outcome::Broken, "a second round trip differs");
  return finish(Outcome::RoundTripped);
}

std::unique_ptr<MLIRContext> modelwright::makeRoundTripContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}

int modelwright::fuzzOneInput(const uint8_t *data, size_t size, StringRef name,
                              InputKind kind) {
  static std::unique_ptr<MLIRContext> context;
  static unsigned runs = 0;
  if (runs++ % kInputsPerContext == 0)
    context = makeRoundTripContext();
  RoundTripResult result = roundTrip(
      llvm::MemoryBuffer::getMemBufferCopy(
          StringRef(reinterpret_cast<const char *>(data), size), name),
      kind, context.get());
  if (result.outcome != Outcome::Broken)
    return 0;
  for (const std::string &line : result.diagnostics)
    llvm::errs() << line << "\n";
  abort();
}
