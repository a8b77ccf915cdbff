//===- ImportTensor.cpp - Tensor records to types and values --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportTensor.h"
#include "mlir/IR/Builders.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

FailureOr<RankedTensorType> mgb::getTensorType(MLIRContext *context,
                                               const Tensor &tensor,
                                               EmitError emitError) {
  Type element =
      getElementType(context, tensor.dtype.value_or(DType()), emitError);
  if (!element)
    return failure();
  SmallVector<int64_t> shape;
  if (tensor.shape)
    llvm::append_range(shape, *tensor.shape);
  if (!nn::multiplyDims(shape))
    return emitError() << "the tensor's element count overflows";
  auto type = RankedTensorType::get(shape, element);
  if (!nn::getByteSize(type))
    return emitError() << "the size of the tensor overflows";
  return type;
}

FailureOr<ElementsAttr>
mgb::getTensorValue(const Tensor &tensor, RankedTensorType type,
                    std::shared_ptr<llvm::MemoryBuffer> buffer, size_t index,
                    EmitError emitError) {
  std::optional<uint64_t> size = nn::getByteSize(type);
  if (!size)
    return emitError() << "a value of type " << type << " cannot be stored";
  ArrayRef<uint8_t> payload =
      tensor.hasData ? tensor.payload() : ArrayRef<uint8_t>();
  if (payload.size() != *size)
    return emitError() << "the value has " << payload.size() << " bytes, "
                       << type << " needs " << *size;
  std::string name = tensor.name ? *tensor.name : "w" + std::to_string(index);
  return nn::makeMappedElements(
      type, name,
      ArrayRef(reinterpret_cast<const char *>(payload.data()), payload.size()),
      std::move(buffer));
}

Attribute mgb::getCompNodeAttr(MLIRContext *context, const CompNode &compNode) {
  if (!compNode.locator)
    return UnitAttr::get(context);
  return StringAttr::get(context, *compNode.locator);
}

DictionaryAttr
mgb::getTensorRecord(MLIRContext *context, const Tensor &tensor,
                     const std::optional<CompNode> &usualCompNode,
                     Encoding encoding) {
  Builder b(context);
  NamedAttrList record;
  if (tensor.name)
    record.append("name", b.getStringAttr(*tensor.name));
  if (tensor.compNode != usualCompNode) {
    if (tensor.compNode)
      record.append("comp_node", getCompNodeAttr(context, *tensor.compNode));
    else
      record.append("no_comp_node", b.getUnitAttr());
  }
  if (!tensor.dtype)
    record.append("no_dtype", b.getUnitAttr());
  if (!tensor.shape)
    record.append("no_shape", b.getUnitAttr());
  if (tensor.offset)
    record.append("skipped",
                  b.getDenseI8ArrayAttr(ArrayRef(
                      reinterpret_cast<const int8_t *>(tensor.area.data()),
                      tensor.offset)));
  using Kind = TensorFormat::Kind;
  switch (tensor.format.kind) {
  case Kind::None:
    // V1 has no formats; a V2 writer names the default one.
    if (encoding == Encoding::V2)
      record.append("no_format", b.getUnitAttr());
    break;
  case Kind::Default:
    break;
  case Kind::Image2DPacked:
    record.append("image2d_axis", b.getI64IntegerAttr(tensor.format.alignAxis));
    break;
  case Kind::LowbitsAligned:
    record.append("lowbits",
                  b.getDenseI64ArrayAttr({tensor.format.sizeNbits,
                                          tensor.format.alignSizeInBits}));
    break;
  }
  if (record.empty())
    return {};
  return record.getDictionary(context);
}
