//===- BufferBuilder.cpp - FlatBuffers whose payloads are streamed --------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "GraphWriter.h"

#include "llvm/Support/Errc.h"
#include "llvm/Support/MathExtras.h"

#include <sys/mman.h>

using namespace modelwright::mgb;

//===----------------------------------------------------------------------===//
// ReservedMemory
//===----------------------------------------------------------------------===//

ReservedMemory::ReservedMemory(size_t size)
    : reserved(llvm::alignTo(size, 1 << 16)) {
  void *p = mmap(nullptr, reserved, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p != MAP_FAILED)
    base = static_cast<uint8_t *>(p);
}

ReservedMemory::~ReservedMemory() {
  if (base)
    munmap(base, reserved);
}

uint8_t *ReservedMemory::allocate(size_t size) {
  // The builder asks once, for all of it: the bound that it was made with is
  // never exceeded.
  if (size != reserved)
    llvm::report_fatal_error("a FlatBuffer outgrew its estimate");
  return base;
}

void ReservedMemory::deallocate(uint8_t *, size_t) {}

//===----------------------------------------------------------------------===//
// BufferBuilder
//===----------------------------------------------------------------------===//

static size_t clampBound(uint64_t upperBound) {
  return std::min(upperBound, kMaxFlatBufferBytes);
}

BufferBuilder::BufferBuilder(uint64_t upperBound)
    : upperBound(upperBound), memory(clampBound(upperBound)),
      builder(memory.size(), &memory) {}

llvm::Error BufferBuilder::check() const {
  if (upperBound > kMaxFlatBufferBytes)
    return llvm::createStringError(
        llvm::errc::file_too_large,
        "the FlatBuffer needs up to %llu bytes and cannot exceed 2 GiB",
        static_cast<unsigned long long>(upperBound));
  if (!memory.isValid())
    return llvm::createStringError(llvm::errc::not_enough_memory,
                                   "cannot reserve %zu bytes of addresses",
                                   memory.size());
  return llvm::Error::success();
}

flatbuffers::Offset<flatbuffers::Vector<uint8_t>>
BufferBuilder::reserveBytes(size_t size) {
  uint8_t *unused;
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> vec =
      builder.CreateUninitializedVector(size, sizeof(uint8_t), &unused);
  gaps.push_back({vec.o - sizeof(flatbuffers::uoffset_t), size, nullptr});
  return vec;
}

flatbuffers::Offset<flatbuffers::Vector<uint8_t>>
BufferBuilder::addPayload(llvm::ArrayRef<uint8_t> bytes) {
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> vec =
      reserveBytes(bytes.size());
  gaps.back().source = bytes.data();
  return vec;
}

llvm::Error BufferBuilder::stream(llvm::raw_ostream &os, Writer writeReserved) {
  const uint8_t *data = builder.GetBufferPointer();
  size_t size = builder.GetSize(), done = 0;
  auto write = [&os](const uint8_t *from, size_t count) {
    os.write(reinterpret_cast<const char *>(from), count);
  };
  for (const Gap &gap : llvm::reverse(gaps)) {
    size_t position = size - gap.fromEnd;
    write(data + done, position - done);
    if (gap.source)
      write(gap.source, gap.size);
    else if (gap.size)
      if (llvm::Error error = writeReserved(os))
        return error;
    done = position + gap.size;
  }
  write(data + done, size - done);
  return llvm::Error::success();
}
