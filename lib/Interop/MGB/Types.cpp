//===- Types.cpp - dtypes and layouts of MegEngine in nn ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/MGB/Types.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

Type mgb::getElementType(MLIRContext *context, const DType &dtype,
                         function_ref<InFlightDiagnostic()> emitError) {
  Builder b(context);
  auto quantized = [&](unsigned bits, bool isSigned) -> Type {
    return nn::getQuantType(emitError, context, bits, isSigned, dtype.scale,
                            isSigned ? 0 : dtype.zeroPoint);
  };
  auto integer = [&](unsigned bits, IntegerType::SignednessSemantics sign) {
    return IntegerType::get(context, bits, sign);
  };
  switch (dtype.type) {
  case DTypeEnum::Float32:
    return b.getF32Type();
  case DTypeEnum::Float16:
    return b.getF16Type();
  case DTypeEnum::BFloat16:
    return b.getBF16Type();
  case DTypeEnum::Uint8:
    return integer(8, IntegerType::Unsigned);
  case DTypeEnum::Int8:
    return b.getI8Type();
  case DTypeEnum::Int16:
    return b.getI16Type();
  case DTypeEnum::Uint16:
    return integer(16, IntegerType::Unsigned);
  case DTypeEnum::Int32:
    return b.getI32Type();
  case DTypeEnum::IntB1:
    return integer(1, IntegerType::Signed);
  case DTypeEnum::IntB2:
    return integer(2, IntegerType::Signless);
  case DTypeEnum::IntB4:
    return integer(4, IntegerType::Signless);
  case DTypeEnum::UintB4:
    return integer(4, IntegerType::Unsigned);
  case DTypeEnum::Byte:
    return integer(8, IntegerType::Signed);
  case DTypeEnum::Bool:
    return b.getI1Type();
  case DTypeEnum::Complex64:
    return ComplexType::get(b.getF32Type());
  case DTypeEnum::Quantized8Asymm:
    return quantized(8, false);
  case DTypeEnum::Quantized4Asymm:
    return quantized(4, false);
  case DTypeEnum::QuantizedS32:
    return quantized(32, true);
  case DTypeEnum::QuantizedS16:
    return quantized(16, true);
  case DTypeEnum::QuantizedS8:
    return quantized(8, true);
  case DTypeEnum::QuantizedS4:
    return quantized(4, true);
  case DTypeEnum::QuantizedS1:
    return quantized(1, false);
  }
  emitError() << "unknown dtype " << static_cast<int>(dtype.type);
  return {};
}

static std::optional<DTypeEnum> getQuantizedEnum(unsigned bits, bool isSigned) {
  switch (bits) {
  case 1:
    return isSigned ? std::nullopt : std::optional(DTypeEnum::QuantizedS1);
  case 4:
    return isSigned ? DTypeEnum::QuantizedS4 : DTypeEnum::Quantized4Asymm;
  case 8:
    return isSigned ? DTypeEnum::QuantizedS8 : DTypeEnum::Quantized8Asymm;
  case 16:
    return isSigned ? std::optional(DTypeEnum::QuantizedS16) : std::nullopt;
  case 32:
    return isSigned ? std::optional(DTypeEnum::QuantizedS32) : std::nullopt;
  }
  return std::nullopt;
}

static std::optional<DType>
getQuantizedDType(quant::UniformQuantizedType type) {
  std::optional<DTypeEnum> known =
      getQuantizedEnum(type.getStorageTypeIntegralWidth(), type.isSigned());
  if (!known || (type.isSigned() && type.getZeroPoint() != 0))
    return std::nullopt;
  DType dtype;
  dtype.type = *known;
  dtype.hasQuantization = true;
  // The importer widened an f32: narrowing back is exact.
  dtype.scale = static_cast<float>(type.getScale());
  dtype.zeroPoint = static_cast<uint8_t>(type.getZeroPoint());
  return dtype;
}

static std::optional<DTypeEnum> getIntegerDType(IntegerType type) {
  switch (type.getWidth()) {
  case 1:
    return type.isSignless() ? DTypeEnum::Bool : DTypeEnum::IntB1;
  case 2:
    return DTypeEnum::IntB2;
  case 4:
    return type.isUnsigned() ? DTypeEnum::UintB4 : DTypeEnum::IntB4;
  case 8:
    return type.isUnsigned() ? DTypeEnum::Uint8
           : type.isSigned() ? DTypeEnum::Byte
                             : DTypeEnum::Int8;
  case 16:
    return type.isUnsigned() ? DTypeEnum::Uint16 : DTypeEnum::Int16;
  case 32:
    if (type.isUnsigned())
      return std::nullopt;
    return DTypeEnum::Int32;
  }
  return std::nullopt;
}

std::optional<DType> mgb::getDType(Type type) {
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(type))
    return getQuantizedDType(quantized);
  DType dtype;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    std::optional<DTypeEnum> known = getIntegerDType(integer);
    if (!known)
      return std::nullopt;
    dtype.type = *known;
    return dtype;
  }
  if (type.isF32())
    dtype.type = DTypeEnum::Float32;
  else if (type.isF16())
    dtype.type = DTypeEnum::Float16;
  else if (type.isBF16())
    dtype.type = DTypeEnum::BFloat16;
  else if (auto complex = dyn_cast<ComplexType>(type);
           complex && complex.getElementType().isF32())
    dtype.type = DTypeEnum::Complex64;
  else
    return std::nullopt;
  return dtype;
}

// nn took the names of the layouts from the format.
std::optional<nn::Layout> mgb::getLayout(param::ConvolutionFormat format) {
  return nn::symbolizeLayout(param::EnumNameConvolutionFormat(format));
}

std::optional<param::ConvolutionFormat>
mgb::getConvolutionFormat(nn::Layout layout) {
  StringRef name = nn::stringifyLayout(layout);
  for (param::ConvolutionFormat format : param::EnumValuesConvolutionFormat())
    if (name == param::EnumNameConvolutionFormat(format))
      return format;
  return std::nullopt;
}
