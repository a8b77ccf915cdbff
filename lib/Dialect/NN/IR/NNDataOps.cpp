//===- NNDataOps.cpp - Data ops -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNDataOps.cpp.inc"

void NNDialect::registerDataOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNDataOps.cpp.inc"
      >();
}

void ConstantOp::build(OpBuilder &builder, OperationState &state,
                       RankedTensorType type, ElementsAttr value) {
  state.getOrAddProperties<Properties>().value = value;
  state.addTypes(type);
}

/// MLIR's folder makes constants of equal folds one. A constant that carries
/// facts of a format (where it lives, how it is stored, its name) therefore
/// folds to its value together with them: only its like is equal to it.
OpFoldResult ConstantOp::fold(FoldAdaptor) {
  DictionaryAttr facts = (*this)->getDiscardableAttrDictionary();
  if (facts.empty())
    return getValue();
  return ArrayAttr::get(getContext(), {getValue(), facts});
}

ElementsAttr nn::getFoldedElements(Attribute folded) {
  if (auto pair = dyn_cast_or_null<ArrayAttr>(folded))
    return pair.size() == 2 ? dyn_cast<ElementsAttr>(pair[0]) : ElementsAttr();
  return dyn_cast_or_null<ElementsAttr>(folded);
}

/// Shared by everything that holds a value attribute.
static LogicalResult verifyValue(Operation *op, ElementsAttr value,
                                 Type resultType) {
  auto type = dyn_cast<RankedTensorType>(resultType);
  if (!type || !type.hasStaticShape())
    return op->emitOpError("needs a ranked result of static shape, got ")
           << resultType;
  if (getStorageBits(type.getElementType()) == 0)
    return op->emitOpError("element type ")
           << type.getElementType() << " has no constants";
  auto expected = RankedTensorType::get(
      type.getShape(), getStorageElementType(type.getElementType()));
  if (value.getShapedType() != expected)
    return op->emitOpError("value has type ")
           << value.getShapedType() << ", expected " << expected;
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || !resource.getRawHandle().getBlob())
    return success();
  std::optional<uint64_t> size = getByteSize(type);
  uint64_t got = resource.getRawHandle().getBlob()->getData().size();
  if (!size || got != *size)
    return op->emitOpError("value has ")
           << got << " bytes, " << resultType << " needs "
           << (size ? std::to_string(*size) : "more than 2^64");
  return success();
}

LogicalResult ConstantOp::verify() {
  return verifyValue(*this, getValue(), getResult().getType());
}

LogicalResult VariableOp::verify() {
  return verifyValue(*this, getValue(), getResult().getType());
}

LogicalResult CopyOp::inferReturnTypes(MLIRContext *, std::optional<Location>,
                                       CopyOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInput().getType());
  return success();
}
