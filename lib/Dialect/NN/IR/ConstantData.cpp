//===- ConstantData.cpp - Read and make tensor constants ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "constants are little endian in files and are used in place");

Type nn::getStorageElementType(Type elementType) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType))
    return quantized.getStorageType();
  return elementType;
}

unsigned nn::getStorageBits(Type elementType) {
  Type storage = getStorageElementType(elementType);
  if (auto complex = dyn_cast<ComplexType>(storage))
    return 2 * getStorageBits(complex.getElementType());
  if (!storage.isIntOrFloat())
    return 0;
  // A boolean, and a 1-bit quantized code, take a byte each.
  if (storage.isSignlessInteger(1))
    return 8;
  return storage.getIntOrFloatBitWidth();
}

std::optional<uint64_t> nn::getByteSize(RankedTensorType type) {
  uint64_t bits = getStorageBits(type.getElementType());
  if (bits == 0 || !type.hasStaticShape())
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();
  uint64_t size;
  if (bits % 8 == 0 || shape.empty()) {
    size = llvm::divideCeil(bits, 8);
  } else {
    // Rows are padded to whole bytes.
    uint64_t rowBits;
    if (__builtin_mul_overflow(uint64_t(shape.back()), bits, &rowBits) ||
        rowBits > UINT64_MAX - 7)
      return std::nullopt;
    size = llvm::divideCeil(rowBits, 8);
    shape = shape.drop_back();
  }
  for (int64_t dim : shape)
    if (__builtin_mul_overflow(size, uint64_t(dim), &size))
      return std::nullopt;
  return size;
}

std::optional<ArrayRef<char>> nn::getRawBytes(ElementsAttr attr,
                                              SmallVectorImpl<char> &storage) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return std::nullopt;
    return blob->getData();
  }
  auto dense = dyn_cast<DenseIntOrFPElementsAttr>(attr);
  if (!dense)
    return std::nullopt;
  unsigned bits = getStorageBits(dense.getElementType());
  int64_t count = dense.getNumElements();
  if (bits == 0)
    return std::nullopt;
  Type element = dense.getElementType();
  if (bits % 8 == 0 && !element.isInteger(1)) {
    ArrayRef<char> raw = dense.getRawData();
    if (!dense.isSplat() || count == 1)
      return raw;
    storage.clear();
    storage.reserve(raw.size() * count);
    for (int64_t i = 0; i < count; ++i)
      storage.append(raw.begin(), raw.end());
    return ArrayRef<char>(storage);
  }
  // Booleans and sub-byte integers: DenseElements packs or widens them.
  auto type = cast<RankedTensorType>(dense.getType());
  std::optional<uint64_t> size = getByteSize(type);
  if (!size)
    return std::nullopt;
  storage.assign(*size, 0);
  int64_t rowLength = type.getRank() == 0 ? 1 : type.getShape().back();
  uint64_t rowBytes = llvm::divideCeil(uint64_t(rowLength) * bits, 8);
  int64_t index = 0;
  for (const APInt &value : dense.getValues<APInt>()) {
    uint64_t bit = uint64_t(index % rowLength) * bits;
    uint64_t byte = uint64_t(index / rowLength) * rowBytes + bit / 8;
    storage[byte] |= static_cast<char>(value.getZExtValue() << (bit % 8));
    ++index;
  }
  return ArrayRef<char>(storage);
}

KnownInts nn::readInts(ElementsAttr attr, uint64_t maxElements) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  std::optional<int64_t> count = multiplyDims(type.getShape());
  auto element = dyn_cast<IntegerType>(type.getElementType());
  if (!count || !element || uint64_t(*count) > maxElements)
    return std::nullopt;
  unsigned bits = getStorageBits(element);
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> raw = getRawBytes(attr, storage);
  if (!raw || bits > 64)
    return std::nullopt;
  std::optional<uint64_t> size = getByteSize(type);
  if (!size || raw->size() != *size)
    return std::nullopt;
  int64_t rowLength = type.getRank() == 0 ? 1 : type.getShape().back();
  uint64_t rowBytes = llvm::divideCeil(uint64_t(rowLength) * bits, 8);
  bool isSigned = !element.isUnsignedInteger() && !element.isInteger(1);
  SmallVector<int64_t> result;
  result.reserve(*count);
  for (int64_t i = 0; i < *count; ++i) {
    uint64_t bit = uint64_t(i % rowLength) * bits;
    uint64_t byte = uint64_t(i / rowLength) * rowBytes + bit / 8;
    uint64_t value = 0;
    std::memcpy(&value, raw->data() + byte, llvm::divideCeil(bits, 8));
    value >>= bit % 8;
    value &= llvm::maskTrailingOnes<uint64_t>(bits);
    result.push_back(isSigned ? llvm::SignExtend64(value, bits)
                              : static_cast<int64_t>(value));
  }
  return result;
}

std::optional<SmallVector<float>> nn::readFloats(ElementsAttr attr) {
  auto type = dyn_cast<RankedTensorType>(attr.getShapedType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return std::nullopt;
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> raw = getRawBytes(attr, storage);
  std::optional<uint64_t> size = getByteSize(type);
  if (!raw || !size || raw->size() != *size)
    return std::nullopt;
  unsigned bytes = getStorageBits(element) / 8;
  SmallVector<float> result(*size / bytes);
  for (auto [i, value] : llvm::enumerate(result)) {
    const char *data = raw->data() + i * bytes;
    if (bytes == 4) {
      std::memcpy(&value, data, 4);
      continue;
    }
    APFloat wide(element.isF16() ? APFloat::IEEEhalf() : APFloat::BFloat(),
                 APInt(16, llvm::support::endian::read16le(data)));
    bool lost;
    wide.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
    value = wide.convertToFloat();
  }
  return result;
}

/// The type of a value attribute for a constant of `type`.
static RankedTensorType getValueType(RankedTensorType type) {
  return RankedTensorType::get(type.getShape(),
                               getStorageElementType(type.getElementType()));
}

ElementsAttr nn::makeMappedElements(RankedTensorType type, StringRef name,
                                    ArrayRef<char> bytes,
                                    std::shared_ptr<void> owner) {
  // Files do not align their payloads, hence alignment 1.
  AsmResourceBlob blob = UnmanagedAsmResourceBlob::allocateWithAlign(
      bytes, /*align=*/1,
      [owner = std::move(owner)](void *, size_t, size_t) mutable {
        owner.reset();
      },
      /*dataIsMutable=*/false);
  return DenseResourceElementsAttr::get(getValueType(type), name,
                                        std::move(blob));
}

ElementsAttr nn::makeOwnedElements(RankedTensorType type, StringRef name,
                                   ArrayRef<char> bytes) {
  RankedTensorType valueType = getValueType(type);
  unsigned bits = getStorageBits(valueType.getElementType());
  bool printsPlainly = bits % 8 == 0 &&
                       !valueType.getElementType().isInteger(1) &&
                       !isa<ComplexType>(valueType.getElementType());
  if (printsPlainly && valueType.getNumElements() <= 64)
    return DenseElementsAttr::getFromRawBuffer(valueType, bytes);
  return DenseResourceElementsAttr::get(
      valueType, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64));
}

ElementsAttr nn::makeFloatElements(RankedTensorType type, StringRef name,
                                   ArrayRef<float> values) {
  Type element = type.getElementType();
  if (element.isF32())
    return makeOwnedElements(
        type, name,
        ArrayRef(reinterpret_cast<const char *>(values.data()),
                 values.size() * sizeof(float)));
  if (element.isF64()) {
    SmallVector<double> wide(values);
    return makeOwnedElements(
        type, name,
        ArrayRef(reinterpret_cast<const char *>(wide.data()),
                 wide.size() * sizeof(double)));
  }
  const llvm::fltSemantics &semantics =
      element.isF16() ? APFloat::IEEEhalf() : APFloat::BFloat();
  SmallVector<char> bytes(values.size() * 2);
  for (auto [i, value] : llvm::enumerate(values)) {
    APFloat narrow(value);
    bool lost;
    narrow.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
    llvm::support::endian::write16le(bytes.data() + 2 * i,
                                     narrow.bitcastToAPInt().getZExtValue());
  }
  return makeOwnedElements(type, name, bytes);
}
