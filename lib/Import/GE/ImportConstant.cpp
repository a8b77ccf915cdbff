//===- ImportConstant.cpp - Import of GE weights --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Where in WEIGHTS_DATA a tensor without data of its own lies, or nullopt.
static std::optional<int64_t>
getWeightsOffset(const proto::TensorDescriptor &desc) {
  if (const proto::AttrDef *merged = findAttr(desc.attr(), "merged_offset");
      merged && merged->has_i())
    return merged->i();
  if (desc.has_data_offset() || desc.weight_size() > 0)
    return desc.data_offset();
  return std::nullopt;
}

FailureOr<ElementsAttr>
GraphImporter::getConstantValue(int index, const proto::TensorDef &tensor,
                                RankedTensorType &type,
                                std::optional<int64_t> &offset) {
  auto error = [&] { return emitError(index); };
  std::optional<uint64_t> size = nn::getByteSize(type);
  if (!size)
    return error() << "shape and element type " << type
                   << " have no size in bytes";
  llvm::StringRef bytes;
  if (tensor.has_blob()) {
    bytes = file.blobs[tensor.blob()];
  } else if (*size != 0) {
    offset = getWeightsOffset(tensor.desc());
    const Partition *weights =
        file.container ? file.container->find(kWeightsData) : nullptr;
    if (!offset || !weights)
      return error() << "has no data";
    llvm::StringRef all = weights->pieces.front();
    uint64_t stored = tensor.desc().weight_size();
    if (stored == 0)
      stored = *size;
    if (*offset < 0 || static_cast<uint64_t>(*offset) > all.size() ||
        stored > all.size() - *offset)
      return error() << "has " << stored << " bytes at " << *offset
                     << " of the " << all.size() << " bytes of weights";
    bytes = all.substr(*offset, stored);
  }
  // Filters of quantized models hold one byte per element under the element
  // type of what they stand for; the op that reads them knows the scale.
  if (bytes.size() != *size && nn::isFloat(type.getElementType()) &&
      static_cast<int64_t>(bytes.size()) == type.getNumElements())
    type = type.clone(builder.getI8Type());
  else if (bytes.size() != *size)
    return error() << "has " << bytes.size() << " bytes of data, its type "
                   << type << " needs " << *size;
  return nn::makeMappedElements(
      type, graph.op(index).name(), ArrayRef<char>(bytes.data(), bytes.size()),
      tensor.has_blob() ? file.dataBuffer : file.buffer);
}

LogicalResult GraphImporter::importConstant(int index) {
  const proto::OpDef &op = graph.op(index);
  const proto::AttrDef *value = findAttr(op.attr(), "value");
  if (!value || !value->has_t())
    return emitError(index) << "has no tensor in attribute 'value'";
  FailureOr<TensorType> type =
      getTensorType(builder.getContext(), value->t().desc(),
                    [&] { return emitError(index); });
  if (failed(type))
    return failure();
  auto ranked = dyn_cast<RankedTensorType>(*type);
  if (!ranked || !ranked.hasStaticShape())
    return emitError(index) << "has no static shape";
  std::optional<int64_t> offset;
  FailureOr<ElementsAttr> elements =
      getConstantValue(index, value->t(), ranked, offset);
  if (failed(elements))
    return failure();
  auto constant =
      nn::ConstantOp::create(builder, getLoc(index), ranked, *elements);
  if (failed(shapeValues.visit(constant)))
    return failure();
  attachOpAttrs(index, constant);
  if (offset)
    constant->setAttr(attr::kOffset, builder.getI64IntegerAttr(*offset));
  outputs[index].push_back(constant);
  return success();
}
