//===- Types.cpp - GE element types and descriptors -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/Types.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
/// One element type in both numberings; -1 = has no number there.
struct ElementType {
  int descriptor;
  int attribute;
  Type (*get)(MLIRContext *);
};
} // namespace

template <unsigned bits,
          IntegerType::SignednessSemantics sign = IntegerType::Signless>
static Type getInteger(MLIRContext *context) {
  return IntegerType::get(context, bits, sign);
}

template <typename T> static Type getFloat(MLIRContext *context) {
  return T::get(context);
}

static Type getComplex64(MLIRContext *context) {
  return ComplexType::get(Float32Type::get(context));
}

static constexpr ElementType kElementTypes[] = {
    {proto::DT_FLOAT, 0, getFloat<Float32Type>},
    {proto::DT_FLOAT16, 1, getFloat<Float16Type>},
    {proto::DT_INT8, 2, getInteger<8>},
    {proto::DT_INT32, 3, getInteger<32>},
    {proto::DT_UINT8, 4, getInteger<8, IntegerType::Unsigned>},
    {proto::DT_INT16, 6, getInteger<16>},
    {proto::DT_UINT16, 7, getInteger<16, IntegerType::Unsigned>},
    {proto::DT_UINT32, 8, getInteger<32, IntegerType::Unsigned>},
    {proto::DT_INT64, 9, getInteger<64>},
    {proto::DT_UINT64, 10, getInteger<64, IntegerType::Unsigned>},
    {proto::DT_DOUBLE, 11, getFloat<Float64Type>},
    {proto::DT_BOOL, 12, getInteger<1>},
    {proto::DT_COMPLEX64, 16, getComplex64},
    {proto::DT_BF16, 27, getFloat<BFloat16Type>},
};

Type modelwright::ge::getDescriptorElementType(MLIRContext *context,
                                               int dtype) {
  for (const ElementType &type : kElementTypes)
    if (type.descriptor == dtype)
      return type.get(context);
  return {};
}

Type modelwright::ge::getAttributeElementType(MLIRContext *context,
                                              int64_t dtype) {
  for (const ElementType &type : kElementTypes)
    if (type.attribute == dtype)
      return type.get(context);
  return {};
}

std::optional<int> modelwright::ge::getDescriptorDType(Type elementType) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(elementType))
    elementType = IntegerType::get(
        elementType.getContext(), quantized.getStorageTypeIntegralWidth(),
        quantized.isSigned() ? IntegerType::Signless : IntegerType::Unsigned);
  for (const ElementType &type : kElementTypes)
    if (type.get(elementType.getContext()) == elementType)
      return type.descriptor;
  return std::nullopt;
}

std::optional<int64_t> modelwright::ge::getAttributeDType(Type elementType) {
  for (const ElementType &type : kElementTypes)
    if (type.get(elementType.getContext()) == elementType)
      return type.attribute;
  return std::nullopt;
}

FailureOr<TensorType> modelwright::ge::getTensorType(
    MLIRContext *context, const proto::TensorDescriptor &desc,
    llvm::function_ref<InFlightDiagnostic()> emitError) {
  // Types that nn has not are those of ops that it has not; the descriptor,
  // which is kept, tells.
  Type element = getDescriptorElementType(context, desc.dtype());
  if (!element)
    element = nn::UnknownType::get(context);
  const auto &dims = desc.shape().dim();
  if (dims.size() == 1 && dims[0] == -2)
    return cast<TensorType>(UnrankedTensorType::get(element));
  // More dims than any framework allows are a damaged file.
  if (dims.size() > 32)
    return emitError() << "a shape of " << dims.size() << " dims";
  SmallVector<int64_t> shape;
  for (int64_t dim : dims) {
    if (dim < -1)
      return emitError() << "dim " << dim << " is not possible";
    shape.push_back(dim == -1 ? ShapedType::kDynamic : dim);
  }
  return cast<TensorType>(RankedTensorType::get(shape, element));
}

void modelwright::ge::setDescriptor(Type type, StringRef layout,
                                    proto::TensorDescriptor &desc) {
  auto tensor = cast<TensorType>(type);
  desc.set_dtype(
      static_cast<proto::DataType>(getDescriptorDType(tensor.getElementType())
                                       .value_or(proto::DT_UNDEFINED)));
  desc.mutable_shape()->clear_dim();
  if (tensor.hasRank())
    for (int64_t dim : tensor.getShape())
      desc.mutable_shape()->add_dim(ShapedType::isDynamic(dim) ? -1 : dim);
  else
    desc.mutable_shape()->add_dim(-2);
  if (!desc.has_layout())
    desc.set_layout(layout.str());
  if (!desc.has_has_out_attr())
    desc.set_has_out_attr(true);
  if (!desc.has_device_type())
    desc.set_device_type("NPU");
}

std::optional<int64_t>
modelwright::ge::getDataType(const proto::AttrDef &value) {
  if (value.value_case() != proto::AttrDef::VALUE_NOT_SET)
    return std::nullopt;
  const google::protobuf::UnknownFieldSet &unknown =
      value.GetReflection()->GetUnknownFields(value);
  for (int k = unknown.field_count(); k-- > 0;)
    if (const google::protobuf::UnknownField &field = unknown.field(k);
        field.number() == proto::AttrDef::kListListFloatFieldNumber &&
        field.type() == google::protobuf::UnknownField::TYPE_VARINT)
      return static_cast<int64_t>(field.varint());
  return std::nullopt;
}
