//===- CorpusTest.cpp - Real files ----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs over the files below the folder that MODELWRIGHT_CORPUS_DIR names, and
// is skipped without it.
//
//===----------------------------------------------------------------------===//

#include "TestFiles.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace modelwright::ge;
using namespace modelwright::ge::test;

static std::vector<std::string> listFiles() {
  std::vector<std::string> files;
  const char *folder = std::getenv("MODELWRIGHT_CORPUS_DIR");
  if (!folder)
    return files;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, ec), end;
       it != end && !ec; it.increment(ec)) {
    llvm::StringRef extension = llvm::sys::path::extension(it->path());
    if (extension == ".om" || extension == ".pb")
      files.push_back(it->path());
  }
  llvm::sort(files);
  return files;
}

TEST(CorpusTest, KeepsBytes) {
  std::vector<std::string> files = listFiles();
  if (files.empty())
    GTEST_SKIP() << "MODELWRIGHT_CORPUS_DIR names no files";
  for (const std::string &path : files) {
    auto buffer = llvm::MemoryBuffer::getFile(path, false, false);
    ASSERT_TRUE(buffer) << path;
    std::shared_ptr<llvm::MemoryBuffer> shared = std::move(*buffer);
    llvm::Expected<File> file = readFile(shared);
    if (!file) {
      ADD_FAILURE() << path << ": " << llvm::toString(file.takeError());
      continue;
    }
    EXPECT_TRUE(write(*file) == shared->getBuffer()) << path;
    // Nothing in the corpus needs to be kept verbatim.
    EXPECT_FALSE(file->wire) << path;
  }
}
