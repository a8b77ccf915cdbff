//===- ModelIO.h - Read and write models of every format --------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TOOLS_MODELIO_H
#define MODELWRIGHT_TOOLS_MODELIO_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>
#include <optional>

namespace modelwright {

/// Exit codes of all tools.
enum ExitCode {
  kExitGood = 0,
  kExitBadInput = 1,
  kExitUsage = 2,
  kExitMismatch = 3, ///< Numbers differ from those expected.
};

/// What a tool writes.
enum class EmitKind {
  MLIR,   ///< Text.
  MLIRBC, ///< MLIR bytecode.
  MGB,    ///< MegEngine, in the input's encoding (MGBC if it has none).
  MGBS,   ///< MegEngine V1, first header.
  MGBC,   ///< MegEngine V1, second header.
  MGV2,   ///< MegEngine V2.
  OM,     ///< GE model in an IMOD container.
  GE,     ///< Bare GE model.
  GEText, ///< GE model as protobuf text.
};

/// The names of the kinds, for messages and --help.
inline constexpr llvm::StringLiteral kEmitKinds =
    "mlir, mlirbc, mgb, mgbs, mgbc, mgv2, om, pb, pbtxt";

/// Whether a kind is MLIR rather than a model file.
bool isMLIR(EmitKind kind);

/// Whether a kind is a GE model.
bool isGE(EmitKind kind);

/// The kind for `--emit=NAME`; nullopt for an unknown name.
std::optional<EmitKind> parseEmitKind(llvm::StringRef name);

/// The kind that a file name's extension asks for: .mlir, .mlirbc, .mgb,
/// .mge, .om, .pb, .pbtxt.
std::optional<EmitKind> getEmitKindOfPath(llvm::StringRef path);

/// Maps a file, or reads standard input for "-". Large files are not read.
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openInput(llvm::StringRef path);

/// What a file is by content.
enum class ModelFormat {
  MLIR, ///< Text or bytecode.
  GE,   ///< GE / HiAI.
  MGB,  ///< MegEngine, and everything unknown.
};

/// Tells the format of a file by its content.
ModelFormat sniffFormat(llvm::StringRef bytes);

/// Whether the bytes are MLIR text or bytecode rather than a model file. No
/// bytes are neither.
bool isMLIR(llvm::StringRef bytes);

/// Prints diagnostics as "file: error: opr #N: message" or, for text, as
/// "file:line:column: error: message"; notes below.
class ModelDiagnosticHandler : public mlir::ScopedDiagnosticHandler {
public:
  ModelDiagnosticHandler(mlir::MLIRContext *context, llvm::StringRef filename,
                         llvm::raw_ostream &os);
};

/// Reads a model file or MLIR by content. Diagnostics go to the context.
llvm::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
readModel(std::unique_ptr<llvm::MemoryBuffer> buffer, llvm::StringRef filename,
          mlir::MLIRContext *context);

struct WriteModelOptions {
  EmitKind kind = EmitKind::MLIR;
  /// Elide weights longer than this from text; negative = never.
  int64_t elideWeights = -1;
  /// The .mgb file is for a GPU, whose ConvBias reads its residual input.
  bool gpu = false;
  /// Called with the path of a model file that is complete but not in its place
  /// yet: it goes there only if this succeeds. Not called for what is written
  /// in place (standard output, devices).
  std::function<llvm::LogicalResult(llvm::StringRef)> verify;
};

/// Writes a module to `path` ("-" is standard output). A file appears whole or
/// not at all, and may be the one that the module was read from. The module is
/// legalized for the target format on the way.
llvm::LogicalResult writeModel(mlir::ModuleOp module, llvm::StringRef path,
                               const WriteModelOptions &options);

} // namespace modelwright

#endif // MODELWRIGHT_TOOLS_MODELIO_H
