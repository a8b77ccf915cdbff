//===- OutputFile.h - A file that appears whole or not at all ---*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_OUTPUTFILE_H
#define MODELWRIGHT_LIB_TOOLS_OUTPUTFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>
#include <string>

namespace modelwright {

/// Where a tool writes its result. A file is written beside its target and
/// renamed over it by `keep`, so that the target may be the very input whose
/// pages are still mapped, and a run that fails leaves it as it was. Devices
/// and pipes are written in place; "-" is standard output.
class OutputFile {
public:
  /// Opens `path` for writing. A target that exists must be writable; through
  /// a symbolic link the file it points to is replaced.
  static llvm::Expected<std::unique_ptr<OutputFile>>
  create(llvm::StringRef path);

  OutputFile(const OutputFile &) = delete;
  OutputFile &operator=(const OutputFile &) = delete;
  /// Removes what was written unless it was kept.
  ~OutputFile();

  llvm::raw_ostream &os() { return *stream; }

  /// Closes the output, which is not in its place yet; fails if any byte of it
  /// could not be written. Of several outputs, all are closed before one is
  /// kept.
  llvm::Error close();

  /// Where the bytes are until they are kept; empty for what is written in
  /// place.
  llvm::StringRef getTemporaryPath() const { return temporary; }

  /// Closes the output if it is open and puts it in its place; fails if any
  /// byte of it could not be written.
  llvm::Error keep();

private:
  OutputFile() = default;

  /// The path to rename to, and from; empty for what is written in place.
  std::string target, temporary;
  std::unique_ptr<llvm::raw_fd_ostream> file;
  /// Null once closed.
  llvm::raw_fd_ostream *stream = nullptr;
};

/// Flushes standard output: false, after a message that starts with the tool's
/// name, if it could not take everything.
bool flushStdout(llvm::StringRef tool);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_OUTPUTFILE_H
