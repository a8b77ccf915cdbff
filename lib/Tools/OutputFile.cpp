//===- OutputFile.cpp - A file that appears whole or not at all -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"

using namespace modelwright;
namespace fs = llvm::sys::fs;
using llvm::StringRef;

llvm::Expected<std::unique_ptr<OutputFile>> OutputFile::create(StringRef path) {
  std::unique_ptr<OutputFile> output(new OutputFile);
  if (path == "-") {
    output->stream = &llvm::outs();
    return output;
  }
  fs::file_status status;
  bool exists = !fs::status(path, status);
  std::error_code error;
  int fd = -1;
  if (exists && status.type() == fs::file_type::directory_file)
    return llvm::errorCodeToError(
        std::make_error_code(std::errc::is_a_directory));
  if (exists && status.type() != fs::file_type::regular_file) {
    // A device or a pipe: there is nothing to replace.
    error = fs::openFileForWrite(path, fd, fs::CD_OpenExisting);
    if (error)
      return llvm::errorCodeToError(error);
  } else {
    llvm::SmallString<128> target(path);
    if (exists) {
      // The rename below would replace a file that forbids writing.
      error = fs::access(path, fs::AccessMode::Write);
      if (!error)
        error = fs::real_path(path, target);
      if (error)
        return llvm::errorCodeToError(error);
    }
    output->target = target.str().str();
    // The temporary file does not take its name from the target: the name may
    // be as long as names can be.
    llvm::SmallString<128> temporary;
    do {
      temporary = llvm::sys::path::parent_path(target);
      llvm::sys::path::append(
          temporary,
          ".modelwright-" +
              llvm::utohexstr(llvm::sys::Process::GetRandomNumber()));
      error = fs::openFileForWrite(temporary, fd, fs::CD_CreateNew);
    } while (error == std::errc::file_exists);
    if (error)
      return llvm::errorCodeToError(error);
    output->temporary = temporary.str().str();
    llvm::sys::RemoveFileOnSignal(temporary);
    // A file system without permissions writes the model all the same.
    if (exists)
      (void)fs::setPermissions(fd, status.permissions());
  }
  output->file =
      std::make_unique<llvm::raw_fd_ostream>(fd, /*shouldClose=*/true);
  output->stream = output->file.get();
  return output;
}

/// Closes a stream and takes its error: one that dies with an error ends the
/// program.
static std::error_code closeStream(std::unique_ptr<llvm::raw_fd_ostream> file) {
  file->close();
  std::error_code error = file->error();
  file->clear_error();
  return error;
}

OutputFile::~OutputFile() {
  // Nobody is left to tell of a failure.
  if (file)
    (void)closeStream(std::move(file));
  if (temporary.empty())
    return;
  (void)fs::remove(temporary);
  llvm::sys::DontRemoveFileOnSignal(temporary);
}

llvm::Error OutputFile::close() {
  if (!stream)
    return llvm::Error::success();
  std::error_code error;
  if (file) {
    error = closeStream(std::move(file));
  } else {
    stream->flush();
    error = stream->error();
    stream->clear_error();
  }
  stream = nullptr;
  return llvm::errorCodeToError(error);
}

llvm::Error OutputFile::keep() {
  if (llvm::Error error = close())
    return error;
  if (temporary.empty())
    return llvm::Error::success();
  if (std::error_code error = fs::rename(temporary, target))
    return llvm::errorCodeToError(error);
  llvm::sys::DontRemoveFileOnSignal(temporary);
  temporary.clear();
  return llvm::Error::success();
}

bool modelwright::flushStdout(StringRef tool) {
  llvm::outs().flush();
  std::error_code error = llvm::outs().error();
  if (!error)
    return true;
  llvm::outs().clear_error();
  llvm::errs() << tool << ": error: cannot write to standard output: "
               << error.message() << "\n";
  return false;
}
