//===- HostData.cpp - Tensor data as generated code wants it --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostData.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/MathExtras.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// A cache line, and the widest vector.
static constexpr size_t kAlignment = 64;

uint64_t cpu::getLoweredBytes(RankedTensorType type) {
  return llvm::divideCeil(nn::getStorageBits(type.getElementType()), 8u) *
         uint64_t(type.getNumElements());
}

bool cpu::canAllocate(uint64_t bytes) {
  // Volatile, or the compiler would leave out both calls.
  void *volatile probe = std::malloc(bytes);
  std::free(probe);
  return probe != nullptr || bytes == 0;
}

FailureOr<LoweredData> LoweredData::allocate(RankedTensorType type) {
  // Elements of less than a byte have one each.
  std::optional<uint64_t> packed = nn::getByteSize(type);
  if (!packed || *packed > uint64_t(PTRDIFF_MAX) / 16)
    return failure();
  LoweredData data;
  uint64_t size =
      llvm::alignTo(std::max<uint64_t>(getLoweredBytes(type), 1), kAlignment);
  data.owned.reset(static_cast<char *>(std::aligned_alloc(kAlignment, size)),
                   std::free);
  if (!data.owned)
    return failure();
  data.pointer = data.owned.get();
  return data;
}

LoweredData LoweredData::allocateCopy(RankedTensorType type) {
  FailureOr<LoweredData> data = allocate(type);
  if (failed(data))
    llvm::report_bad_alloc_error("no memory for a copy of a tensor");
  return std::move(*data);
}

LoweredData LoweredData::view(char *pointer, RankedTensorType) {
  LoweredData data;
  data.pointer = pointer;
  return data;
}

/// Rows of elements of `bits` < 8 bits, packed lower bits first and padded to
/// whole bytes.
static void unpack(const char *from, char *to, RankedTensorType type,
                   unsigned bits, bool isSigned) {
  int64_t count = type.getNumElements();
  int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
  uint64_t rowBytes = llvm::divideCeil(uint64_t(row) * bits, 8);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bit = uint64_t(i % row) * bits;
    auto byte = static_cast<unsigned char>(
        from[uint64_t(i / row) * rowBytes + bit / 8]);
    auto value = static_cast<uint8_t>((byte >> (bit % 8)) &
                                      llvm::maskTrailingOnes<unsigned>(bits));
    if (isSigned)
      value = static_cast<uint8_t>(llvm::SignExtend64(value, bits));
    to[i] = static_cast<char>(value);
  }
}

static bool isSignedElement(Type element) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(element))
    return quantized.isSigned();
  return !element.isUnsignedInteger();
}

FailureOr<LoweredData> LoweredData::get(ArrayRef<char> bytes,
                                        RankedTensorType type) {
  std::optional<uint64_t> size = nn::getByteSize(type);
  if (!size || *size != bytes.size())
    return failure();
  Type element = type.getElementType();
  unsigned bits = nn::getStorageBits(element);
  if (bits % 8 != 0) {
    LoweredData data = allocateCopy(type);
    unpack(bytes.data(), data.pointer, type, bits, isSignedElement(element));
    return data;
  }
  // Generated code assumes the alignment of an element (a power of 2, complex
  // numbers apart, whose halves are aligned) and does not write here.
  if (llvm::isAddrAligned(llvm::Align(llvm::bit_floor(std::min(bits / 8, 8u))),
                          bytes.data()) &&
      !element.isSignlessInteger(1))
    return view(const_cast<char *>(bytes.data()), type);
  LoweredData data = allocateCopy(type);
  std::memcpy(data.pointer, bytes.data(), bytes.size());
  // Any byte but 0 is true; code loads the lowest bit only.
  if (element.isSignlessInteger(1))
    for (size_t i = 0; i < bytes.size(); ++i)
      data.pointer[i] = data.pointer[i] != 0;
  return data;
}

FailureOr<LoweredData> LoweredData::get(ElementsAttr value,
                                        RankedTensorType type) {
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> bytes = nn::getRawBytes(value, storage);
  if (!bytes)
    return failure();
  FailureOr<LoweredData> data = get(*bytes, type);
  // A view of what goes away here would dangle.
  if (succeeded(data) && !data->owned && !storage.empty()) {
    LoweredData copy = allocateCopy(type);
    std::memcpy(copy.pointer, bytes->data(), bytes->size());
    return copy;
  }
  return data;
}

FailureOr<std::vector<char>> LoweredData::toBytes(RankedTensorType type) const {
  // A vector that finds no memory ends the program.
  if (!canAllocate(*nn::getByteSize(type)))
    return failure();
  unsigned bits = nn::getStorageBits(type.getElementType());
  if (bits % 8 == 0)
    return std::vector<char>(pointer, pointer + getLoweredBytes(type));
  std::vector<char> bytes(*nn::getByteSize(type), 0);
  int64_t row = type.getRank() == 0 ? 1 : type.getShape().back();
  uint64_t rowBytes = llvm::divideCeil(uint64_t(row) * bits, 8);
  for (int64_t i = 0, count = type.getNumElements(); i < count; ++i) {
    uint64_t bit = uint64_t(i % row) * bits;
    auto code = static_cast<unsigned char>(pointer[i]) &
                llvm::maskTrailingOnes<unsigned>(bits);
    bytes[uint64_t(i / row) * rowBytes + bit / 8] |=
        static_cast<char>(code << (bit % 8));
  }
  return bytes;
}
