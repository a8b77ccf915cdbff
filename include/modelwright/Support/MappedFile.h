//===- MappedFile.h - Files in memory and their pages -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Weights are read where they lie in a mapped file. Once they were copied into
// another form, their pages are only in the way: the system counts them as
// memory of this process until it needs them.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_SUPPORT_MAPPEDFILE_H
#define MODELWRIGHT_SUPPORT_MAPPEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/ErrorOr.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace modelwright {

/// Maps a file, or reads standard input for "-" (and small files).
llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
openMappedFile(llvm::StringRef path);

/// Gives back the pages that lie within `bytes`, if these are part of a file
/// that openMappedFile mapped; other memory stays untouched. The bytes are as
/// before: who reads them again has them read from the file.
void releasePages(llvm::ArrayRef<char> bytes);

} // namespace modelwright

#endif // MODELWRIGHT_SUPPORT_MAPPEDFILE_H
