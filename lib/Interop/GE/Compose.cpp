//===- Compose.cpp - Small compositions -----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpExporter.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

FailureOr<Value> modelwright::ge::createSlice(OpImporter &imp, Value value,
                                              ArrayRef<int64_t> begins,
                                              ArrayRef<int64_t> sizes) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(value.getType()).getShape();
  SmallVector<Value> operands{value};
  SmallVector<int64_t> axes;
  for (auto [axis, dim] : llvm::enumerate(shape)) {
    if (begins[axis] == 0 && sizes[axis] == dim)
      continue;
    axes.push_back(static_cast<int64_t>(axis));
    operands.push_back(imp.createConstantInts({begins[axis]}));
    operands.push_back(imp.createConstantInts({begins[axis] + sizes[axis]}));
  }
  if (axes.empty())
    return value;
  SmallVector<bool> yes(axes.size(), true), no(axes.size(), false);
  nn::SliceOp::Properties properties;
  properties.axes = imp.i64s(axes);
  properties.has_begin = imp.builder.getDenseBoolArrayAttr(yes);
  properties.has_end = imp.builder.getDenseBoolArrayAttr(yes);
  properties.has_step = imp.builder.getDenseBoolArrayAttr(no);
  properties.has_index = imp.builder.getDenseBoolArrayAttr(no);
  FailureOr<nn::SliceOp> slice = imp.create<nn::SliceOp>(operands, properties);
  if (failed(slice))
    return failure();
  return Value(*slice);
}

FailureOr<Value> modelwright::ge::createTranspose(OpImporter &imp, Value value,
                                                  ArrayRef<int64_t> order) {
  bool isIdentity = true;
  for (auto [k, axis] : llvm::enumerate(order))
    isIdentity &= static_cast<int64_t>(k) == axis;
  if (isIdentity)
    return value;
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(order);
  FailureOr<nn::TransposeOp> transpose =
      imp.create<nn::TransposeOp>({value}, properties);
  if (failed(transpose))
    return failure();
  return Value(*transpose);
}

Value modelwright::ge::createNumber(OpImporter &imp, Value like, float number) {
  return imp.createConstant({1}, {number}, nn::getElementType(like.getType()));
}

std::optional<SmallVector<float>>
modelwright::ge::readFloatConstant(Value value) {
  auto constant = value ? value.getDefiningOp<nn::ConstantOp>() : nullptr;
  return constant ? nn::readFloats(constant.getValue()) : std::nullopt;
}

std::string modelwright::ge::getDescriptorFormat(OpImporter &imp, int input) {
  if (input >= imp.op.input_desc_size())
    return "";
  const proto::TensorDescriptor &desc = imp.op.input_desc(input);
  const proto::AttrDef *origin = findAttr(desc.attr(), "origin_format");
  const proto::AttrDef *shape = findAttr(desc.attr(), "origin_shape");
  bool isOriginal = !shape || !shape->has_list() ||
                    llvm::equal(shape->list().i(), desc.shape().dim());
  return origin && origin->has_s() && isOriginal ? origin->s() : desc.layout();
}

RankedTensorType modelwright::ge::getStaticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}
