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

#include "TestGraphs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>

using namespace modelwright::mgb;
using namespace modelwright::mgb::test;

static std::vector<std::string> listFiles() {
  std::vector<std::string> files;
  const char *folder = std::getenv("MODELWRIGHT_CORPUS_DIR");
  if (!folder)
    return files;
  std::error_code ec;
  for (llvm::sys::fs::recursive_directory_iterator it(folder, ec), end;
       it != end && !ec; it.increment(ec)) {
    llvm::StringRef extension = llvm::sys::path::extension(it->path());
    if (extension == ".mge" || extension == ".mgb")
      files.push_back(it->path());
  }
  llvm::sort(files);
  return files;
}

static std::shared_ptr<llvm::MemoryBuffer> open(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer) {
    ADD_FAILURE() << path << ": " << buffer.getError().message();
    return llvm::MemoryBuffer::getMemBuffer("");
  }
  return std::move(*buffer);
}

static bool isGraph(FileKind kind) {
  switch (kind) {
  case FileKind::MGBS:
  case FileKind::MGBC:
  case FileKind::V2:
  case FileKind::Testcase:
  case FileKind::PackedModel:
    return true;
  default:
    return false;
  }
}

TEST(CorpusTest, KeepsBytes) {
  std::vector<std::string> files = listFiles();
  if (files.empty())
    GTEST_SKIP() << "MODELWRIGHT_CORPUS_DIR names no files";
  unsigned nrGraphs = 0;
  for (const std::string &path : files) {
    std::shared_ptr<llvm::MemoryBuffer> buffer = open(path);
    if (!isGraph(sniff(buffer->getBuffer())))
      continue;
    ++nrGraphs;
    llvm::Expected<File> file = readFile(buffer);
    if (!file) {
      ADD_FAILURE() << path << ": " << llvm::toString(file.takeError());
      continue;
    }
    std::string bytes = write(*file);
    EXPECT_EQ(dumpText(read(bytes)), dumpText(*file)) << path;
    EXPECT_TRUE(bytes == buffer->getBuffer()) << path;

    // Digests of MegEngine's own dumps come out the same.
    if (file->graph.encoding != Encoding::V2) {
      file->graph.hash = 0;
      EXPECT_TRUE(write(*file) == bytes) << path;
    }
  }
  EXPECT_GT(nrGraphs, 0u);
  RecordProperty("graphs", nrGraphs);
}

TEST(CorpusTest, NamesForeignFiles) {
  std::vector<std::string> files = listFiles();
  if (files.empty())
    GTEST_SKIP() << "MODELWRIGHT_CORPUS_DIR names no files";
  for (const std::string &path : files) {
    std::shared_ptr<llvm::MemoryBuffer> buffer = open(path);
    FileKind kind = sniff(buffer->getBuffer());
    if (isGraph(kind))
      continue;
    EXPECT_NE(kind, FileKind::Unknown) << path;
    llvm::Expected<File> file = readFile(buffer);
    ASSERT_FALSE(bool(file)) << path;
    std::string text = llvm::toString(file.takeError());
    const char *name = kind == FileKind::Pickle ? "pickle"
                       : kind == FileKind::JSON ? "JSON"
                                                : "RawPOD";
    EXPECT_CONTAINS(text, name);
  }
}
