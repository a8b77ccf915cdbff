//===- ModelIO.cpp - Read and write models of every format ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Tools/ModelIO.h"
#include "OutputFile.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "modelwright/Export/GE/Export.h"
#include "modelwright/Export/MGB/Export.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Import/GE/Import.h"
#include "modelwright/Import/MGB/Import.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Support/MappedFile.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace modelwright;

/// Whether the bytes are a GE model, or one of the kinds that its reader knows
/// by name only.
static bool isGEModel(StringRef bytes) {
  if (mgb::sniff(bytes) != mgb::FileKind::Unknown)
    return false;
  switch (ge::sniff(bytes)) {
  case ge::FileKind::Unknown:
    return false;
  case ge::FileKind::Model:
    // A bare model begins with a name, as text may: its first bytes tell.
    return !bytes.starts_with("ML\xefR");
  default:
    return true;
  }
}

std::optional<EmitKind> modelwright::parseEmitKind(StringRef name) {
  return llvm::StringSwitch<std::optional<EmitKind>>(name)
      .Case("mlir", EmitKind::MLIR)
      .Case("mlirbc", EmitKind::MLIRBC)
      .Cases({"mgb", "mge"}, EmitKind::MGB)
      .Case("mgbs", EmitKind::MGBS)
      .Case("mgbc", EmitKind::MGBC)
      .Case("mgv2", EmitKind::MGV2)
      .Case("om", EmitKind::OM)
      .Case("pb", EmitKind::GE)
      .Case("pbtxt", EmitKind::GEText)
      .Default(std::nullopt);
}

bool modelwright::isMLIR(EmitKind kind) {
  return kind == EmitKind::MLIR || kind == EmitKind::MLIRBC;
}

bool modelwright::isGE(EmitKind kind) {
  return kind == EmitKind::OM || kind == EmitKind::GE ||
         kind == EmitKind::GEText;
}

ModelFormat modelwright::sniffFormat(StringRef bytes) {
  if (isGEModel(bytes))
    return ModelFormat::GE;
  return isMLIR(bytes) ? ModelFormat::MLIR : ModelFormat::MGB;
}

std::optional<EmitKind> modelwright::getEmitKindOfPath(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (!extension.consume_front("."))
    return std::nullopt;
  // "out.mgbs" is no extension anybody uses: only the plain ones count.
  if (!llvm::is_contained({"mlir", "mlirbc", "mgb", "mge", "om", "pb", "pbtxt"},
                          extension))
    return std::nullopt;
  return parseEmitKind(extension);
}

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
modelwright::openInput(StringRef path) {
  return openMappedFile(path);
}

bool modelwright::isMLIR(StringRef bytes) {
  if (isGEModel(bytes))
    return false;
  // Nothing is a model that was cut to nothing, not an empty module.
  if (bytes.empty())
    return false;
  if (bytes.starts_with("ML\xefR"))
    return true;
  // Text has no NUL; every model file has one within its first bytes. A pickle
  // or RawPOD file may be short, but starts with a byte that text cannot have.
  StringRef head = bytes.take_front(64);
  if (head.starts_with("mgb0") || head.starts_with("packed_model") ||
      head.starts_with("{\""))
    return false;
  // Behind its first byte, text may have any byte of UTF-8.
  auto first = static_cast<unsigned char>(head.front());
  return (first < 0x80 || first >= 0xc2) &&
         llvm::all_of(head, [](unsigned char c) {
           return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\t' ||
                  c == '\r';
         });
}

/// The file and operator index that a location was made of.
static FileLineColLoc findFileLoc(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

static StringRef getSeverityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

ModelDiagnosticHandler::ModelDiagnosticHandler(MLIRContext *context,
                                               StringRef filename,
                                               llvm::raw_ostream &os)
    : ScopedDiagnosticHandler(context) {
  std::string file = filename.str();
  setHandler([file, &os](Diagnostic &diag) {
    auto print = [&](Diagnostic &one) {
      os << file;
      // The column tells a place in text from an operator of a model file.
      FileLineColLoc loc = findFileLoc(one.getLocation());
      if (loc && loc.getFilename() != file)
        loc = {};
      if (loc && loc.getColumn() != 0)
        os << ":" << loc.getLine() << ":" << loc.getColumn();
      os << ": " << getSeverityName(one.getSeverity()) << ": ";
      std::string message = one.str();
      // Passes and exporters do not know operator numbers; the location does.
      if (loc && loc.getColumn() == 0 && loc.getLine() != 0 &&
          !StringRef(message).starts_with("opr #") &&
          !StringRef(message).starts_with("op #") &&
          !StringRef(message).starts_with("graph "))
        os << "opr #" << loc.getLine() << ": ";
      os << message << "\n";
    };
    print(diag);
    for (Diagnostic &note : diag.getNotes())
      print(note);
    return success();
  });
}

FailureOr<OwningOpRef<ModuleOp>>
modelwright::readModel(std::unique_ptr<llvm::MemoryBuffer> buffer,
                       StringRef filename, MLIRContext *context) {
  if (isGEModel(buffer->getBuffer()))
    return importGE(std::move(buffer), filename, context);
  if (!isMLIR(buffer->getBuffer()))
    return importMGB(std::move(buffer), filename, context);
  // The parser wants a terminated buffer: text and bytecode are copied if the
  // mapping is not.
  llvm::SourceMgr sourceMgr;
  auto owned =
      llvm::MemoryBuffer::getMemBufferCopy(buffer->getBuffer(), filename);
  sourceMgr.AddNewSourceBuffer(std::move(owned), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sourceMgr, context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(sourceMgr, ParserConfig(context));
  if (!module)
    return failure();
  return module;
}

/// Whether a function of the module has an attribute that functions of a file
/// format have.
static bool isFrom(ModuleOp module, StringRef attr) {
  return llvm::any_of(module.getOps<func::FuncOp>(),
                      [&](func::FuncOp func) { return func->hasAttr(attr); });
}

/// Rewrites what the target cannot express. A model of the other format also
/// loses what only that format's spelling needed (the axes of a reduction).
static LogicalResult legalize(ModuleOp module, StringRef ownAttr,
                              StringRef otherAttr, std::unique_ptr<Pass> pass) {
  PassManager pm(module.getContext());
  pm.addNestedPass<func::FuncOp>(std::move(pass));
  if (isFrom(module, otherAttr) && !isFrom(module, ownAttr)) {
    RemoveDeadOpsOptions options;
    options.keepNamed = false;
    pm.addNestedPass<func::FuncOp>(createRemoveDeadOps(options));
  }
  return pm.run(module);
}

/// Prepares a copy-free module for a MegEngine file and writes it.
static LogicalResult writeMGB(ModuleOp module, llvm::raw_ostream &os,
                              const WriteModelOptions &options) {
  // The format has one graph only.
  PassManager pm(module.getContext());
  pm.addPass(createInlineBranches());
  LegalizeForMGBOptions legalizeOptions;
  legalizeOptions.gpu = options.gpu;
  if (failed(pm.run(module)) ||
      failed(legalize(module, mgb::attr::kEncoding, ge::attr::kGraph,
                      createLegalizeForMGB(legalizeOptions))))
    return failure();
  MGBExportOptions exportOptions;
  switch (options.kind) {
  case EmitKind::MGBS:
    exportOptions.encoding = mgb::Encoding::MGBS;
    break;
  case EmitKind::MGBC:
    exportOptions.encoding = mgb::Encoding::MGBC;
    break;
  case EmitKind::MGV2:
    exportOptions.encoding = mgb::Encoding::V2;
    break;
  default:
    break;
  }
  return exportMGB(module, os, exportOptions);
}

static LogicalResult writeGE(ModuleOp module, llvm::raw_ostream &os,
                             const WriteModelOptions &options) {
  if (failed(legalize(module, ge::attr::kGraph, mgb::attr::kEncoding,
                      createLegalizeForGE())))
    return failure();
  GEExportOptions exportOptions;
  switch (options.kind) {
  case EmitKind::OM:
    exportOptions.container = GEContainerKind::IMOD;
    break;
  case EmitKind::GEText:
    exportOptions.container = GEContainerKind::Text;
    break;
  default:
    exportOptions.container = GEContainerKind::None;
    break;
  }
  return exportGE(module, os, exportOptions);
}

static LogicalResult writeTo(ModuleOp module, llvm::raw_ostream &os,
                             const WriteModelOptions &options) {
  switch (options.kind) {
  case EmitKind::MLIR: {
    OpPrintingFlags flags;
    if (options.elideWeights >= 0) {
      flags.elideLargeResourceString(options.elideWeights);
      flags.elideLargeElementsAttrs(options.elideWeights);
    }
    module.print(os, flags);
    os << "\n";
    return success();
  }
  case EmitKind::MLIRBC:
    return writeBytecodeToFile(module, os);
  case EmitKind::OM:
  case EmitKind::GE:
  case EmitKind::GEText:
    return writeGE(module, os, options);
  default:
    return writeMGB(module, os, options);
  }
}

LogicalResult modelwright::writeModel(ModuleOp module, StringRef path,
                                      const WriteModelOptions &options) {
  auto fail = [&](llvm::Error error) {
    return emitError(UnknownLoc::get(module.getContext()))
           << "cannot write '" << path
           << "': " << llvm::toString(std::move(error));
  };
  llvm::Expected<std::unique_ptr<OutputFile>> output = OutputFile::create(path);
  if (!output)
    return fail(output.takeError());
  if (failed(writeTo(module, (*output)->os(), options)))
    return failure();
  if (llvm::Error error = (*output)->close())
    return fail(std::move(error));
  StringRef written = (*output)->getTemporaryPath();
  if (options.verify && !written.empty() && failed(options.verify(written)))
    return failure();
  if (llvm::Error error = (*output)->keep())
    return fail(std::move(error));
  return success();
}
