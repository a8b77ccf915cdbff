//===- MappedFile.cpp - Files in memory and their pages -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Support/MappedFile.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Process.h"

#include <map>
#include <mutex>

#include <sys/mman.h>

using namespace modelwright;

namespace {
/// Where mapped files lie: what may be given back, and nothing else.
class Mappings {
public:
  void add(const char *begin, const char *end) {
    std::lock_guard<std::mutex> lock(mutex);
    ends[begin] = end;
  }

  void remove(const char *begin) {
    std::lock_guard<std::mutex> lock(mutex);
    ends.erase(begin);
  }

  /// Gives back whole pages in [begin, end), under the lock: the file must not
  /// be unmapped meanwhile.
  void release(const char *begin, const char *end) {
    std::lock_guard<std::mutex> lock(mutex);
    auto it = ends.upper_bound(begin);
    if (it == ends.begin() || end > std::prev(it)->second)
      return;
    static const auto page =
        llvm::Align(llvm::sys::Process::getPageSizeEstimate());
    uintptr_t first = llvm::alignAddr(begin, page);
    uintptr_t last = reinterpret_cast<uintptr_t>(end) & ~(page.value() - 1);
    if (first < last)
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address within the file.
      ::madvise(reinterpret_cast<void *>(first), last - first, MADV_DONTNEED);
  }

private:
  std::mutex mutex;
  std::map<const char *, const char *> ends;
};

/// A buffer that is known to lie in a mapped file.
class MappedBuffer : public llvm::MemoryBuffer {
public:
  MappedBuffer(std::unique_ptr<llvm::MemoryBuffer> file);
  ~MappedBuffer() override;

  llvm::StringRef getBufferIdentifier() const override {
    return file->getBufferIdentifier();
  }
  BufferKind getBufferKind() const override { return file->getBufferKind(); }

private:
  std::unique_ptr<llvm::MemoryBuffer> file;
};
} // namespace

static Mappings &getMappings() {
  // Never destroyed: buffers may live as long as the process.
  static auto *mappings = new Mappings;
  return *mappings;
}

MappedBuffer::MappedBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer)
    : file(std::move(buffer)) {
  init(file->getBufferStart(), file->getBufferEnd(),
       /*RequiresNullTerminator=*/false);
  getMappings().add(getBufferStart(), getBufferEnd());
}

MappedBuffer::~MappedBuffer() { getMappings().remove(getBufferStart()); }

llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
modelwright::openMappedFile(llvm::StringRef path) {
  auto buffer =
      llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!buffer ||
      (*buffer)->getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return buffer;
  return std::make_unique<MappedBuffer>(std::move(*buffer));
}

void modelwright::releasePages(llvm::ArrayRef<char> bytes) {
  // A call of the system is not worth less.
  constexpr size_t kLeast = size_t(1) << 16;
  if (bytes.size() >= kLeast)
    getMappings().release(bytes.begin(), bytes.end());
}
