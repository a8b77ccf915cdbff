//===- Payload.cpp - Sizes of tensor values -------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/FileIO.h"

#include "llvm/Support/MathExtras.h"

using namespace modelwright::mgb;

/// Bits of an element in a file, or 0 for a dtype out of range.
static unsigned bitsOf(DTypeEnum type) {
  switch (type) {
  case DTypeEnum::IntB1:
    return 1;
  case DTypeEnum::IntB2:
    return 2;
  case DTypeEnum::IntB4:
  case DTypeEnum::UintB4:
  case DTypeEnum::Quantized4Asymm:
  case DTypeEnum::QuantizedS4:
    return 4;
  case DTypeEnum::Uint8:
  case DTypeEnum::Int8:
  case DTypeEnum::Byte:
  case DTypeEnum::Quantized8Asymm:
  case DTypeEnum::QuantizedS8:
  case DTypeEnum::Bool:
  case DTypeEnum::QuantizedS1: // One byte per element, whatever its name.
    return 8;
  case DTypeEnum::Int16:
  case DTypeEnum::Uint16:
  case DTypeEnum::Float16:
  case DTypeEnum::BFloat16:
  case DTypeEnum::QuantizedS16:
    return 16;
  case DTypeEnum::Float32:
  case DTypeEnum::Int32:
  case DTypeEnum::QuantizedS32:
    return 32;
  case DTypeEnum::Complex64:
    return 64;
  }
  return 0;
}

std::optional<uint64_t>
modelwright::mgb::payloadSize(llvm::ArrayRef<uint32_t> shape,
                              const DType &dtype) {
  unsigned bits = bitsOf(dtype.type);
  if (bits == 0)
    return std::nullopt;
  // A tensor without a shape has no elements.
  if (shape.empty() || llvm::is_contained(shape, 0u))
    return 0;
  // Rows are padded to whole bytes.
  uint64_t size = llvm::divideCeil(uint64_t(shape.back()) * bits, 8);
  for (uint32_t dim : shape.drop_back())
    if (__builtin_mul_overflow(size, uint64_t(dim), &size))
      return std::nullopt;
  return size;
}
