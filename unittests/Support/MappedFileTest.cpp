//===- MappedFileTest.cpp - Pages of mapped files -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Support/MappedFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <cstring>
#include <vector>

#include <sys/mman.h>

using namespace modelwright;

namespace {

constexpr size_t kSize = size_t(1) << 20;

/// A file of 1 MB, which goes with its test.
class MappedFileTest : public testing::Test {
protected:
  void SetUp() override {
    int descriptor;
    ASSERT_FALSE(
        llvm::sys::fs::createTemporaryFile("mapped", "bin", descriptor, path));
    llvm::raw_fd_ostream os(descriptor, /*shouldClose=*/true);
    for (size_t i = 0; i < kSize; ++i)
      os << static_cast<char>(i % 251);
  }
  void TearDown() override { (void)llvm::sys::fs::remove(path); }

  static bool isIntact(llvm::StringRef bytes) {
    for (size_t i = 0; i < bytes.size(); ++i)
      if (static_cast<unsigned char>(bytes[i]) != i % 251)
        return false;
    return bytes.size() == kSize;
  }

  llvm::SmallString<128> path;
};

TEST_F(MappedFileTest, ReleasedBytesAreReadAgain) {
  auto buffer = openMappedFile(path);
  ASSERT_TRUE(bool(buffer));
  EXPECT_EQ((*buffer)->getBufferKind(), llvm::MemoryBuffer::MemoryBuffer_MMap);
  llvm::StringRef bytes = (*buffer)->getBuffer();
  EXPECT_TRUE(isIntact(bytes));
  releasePages(llvm::ArrayRef(bytes.data(), bytes.size()));
  EXPECT_TRUE(isIntact(bytes));
  // A part that begins and ends within pages.
  releasePages(llvm::ArrayRef(bytes.data() + 100, bytes.size() / 2));
  EXPECT_TRUE(isIntact(bytes));
}

TEST_F(MappedFileTest, OtherMemoryStays) {
  auto buffer = openMappedFile(path);
  ASSERT_TRUE(bool(buffer));
  std::vector<char> heap(kSize, 'x');
  releasePages(heap);
  EXPECT_EQ(llvm::count(heap, 'x'), ptrdiff_t(kSize));
  // Anonymous pages would become zeros.
  void *pages = ::mmap(nullptr, kSize, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(pages, MAP_FAILED);
  llvm::MutableArrayRef<char> anonymous(static_cast<char *>(pages), kSize);
  llvm::fill(anonymous, 'y');
  releasePages(anonymous);
  EXPECT_EQ(llvm::count(anonymous, 'y'), ptrdiff_t(kSize));
  ::munmap(pages, kSize);
}

TEST_F(MappedFileTest, FilesThatAreGoneAreNot) {
  const char *begin;
  {
    auto buffer = openMappedFile(path);
    ASSERT_TRUE(bool(buffer));
    begin = (*buffer)->getBufferStart();
  }
  // Whatever lies there now is somebody else's: it is only not looked at.
  releasePages(llvm::ArrayRef(begin, kSize));
  void *pages =
      ::mmap(const_cast<char *>(begin), kSize, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages == MAP_FAILED)
    GTEST_SKIP() << "the place is taken";
  std::memset(pages, 'z', kSize);
  releasePages(llvm::ArrayRef(begin, kSize));
  EXPECT_EQ(*static_cast<char *>(pages), 'z');
  ::munmap(pages, kSize);
}

} // namespace
