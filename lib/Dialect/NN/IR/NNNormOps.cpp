//===- NNNormOps.cpp - Norm ops -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNNormOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNNormOps.cpp.inc"

void NNDialect::registerNormOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNNormOps.cpp.inc"
      >();
}

static LogicalResult checkFloat(std::optional<Location> loc, Type type) {
  Type element = nn::getElementType(type);
  if (isUnknown(element) || isFloat(element))
    return success();
  return emitOptionalError(loc, "element type ", element,
                           " has no normalization");
}

static LogicalResult checkRank(std::optional<Location> loc,
                               RankedTensorType type, int64_t rank) {
  if (!type || type.getRank() == rank)
    return success();
  return emitOptionalError(loc, "input must have rank ", rank, ", got rank ",
                           type.getRank());
}

/// Checks a ranked parameter's shape.
static LogicalResult checkParameter(std::optional<Location> loc, StringRef name,
                                    Type type, ArrayRef<int64_t> expected) {
  RankedTensorType ranked = getRanked(type);
  if (!ranked || succeeded(verifyCompatibleShape(ranked.getShape(), expected)))
    return success();
  return emitOptionalError(
      loc, "'", name, "' of type ", type, " has not the shape of ",
      RankedTensorType::get(expected, ranked.getElementType()));
}

//===----------------------------------------------------------------------===//
// Batch norm
//===----------------------------------------------------------------------===//

static SmallVector<int64_t> getParamShape(ParamDim dim,
                                          ArrayRef<int64_t> input) {
  switch (dim) {
  case ParamDim::dim_11hw:
    return {1, 1, input[2], input[3]};
  case ParamDim::dim_1chw:
    return {1, input[1], input[2], input[3]};
  case ParamDim::dim_1c11:
    return {1, input[1], 1, 1};
  case ParamDim::dim_111c:
    return {1, 1, 1, input[3]};
  }
  llvm_unreachable("all cases covered");
}

LogicalResult BatchNormOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            BatchNormOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Value mean = adaptor.getMean(), variance = adaptor.getVariance();
  if (failed(checkFloat(loc, inputType)))
    return failure();
  if (bool(mean) != bool(variance))
    return emitOptionalError(loc, "mean and variance come together");
  if (!adaptor.getTraining() && !mean)
    return emitOptionalError(loc, "inference needs mean and variance");

  RankedTensorType input = getRanked(inputType);
  if (failed(checkRank(loc, input, 4)))
    return failure();
  SmallVector<int64_t> unknownShape(4, ShapedType::kDynamic);
  SmallVector<int64_t> shape = getParamShape(
      adaptor.getParamDim(), input ? input.getShape() : ArrayRef(unknownShape));
  Type element = UnknownType::get(context);
  auto check = [&](StringRef name, Value value) -> LogicalResult {
    if (!value)
      return success();
    Type own = nn::getElementType(value.getType());
    if (failed(checkFloat(loc, own)) ||
        failed(checkParameter(loc, name, value.getType(), shape)))
      return failure();
    if (isUnknown(own))
      return success();
    if (!isUnknown(element) && own != element)
      return emitOptionalError(loc, "'", name, "' has element type ", own,
                               ", the parameters before it have ", element);
    element = own;
    // The parameters may know what the input does not.
    if (RankedTensorType ranked = getRanked(value.getType()))
      for (auto [dim, known] : llvm::zip_equal(shape, ranked.getShape()))
        if (ShapedType::isDynamic(dim))
          dim = known;
    return success();
  };
  if (failed(check("scale", adaptor.getScale())) ||
      failed(check("bias", adaptor.getBias())) || failed(check("mean", mean)) ||
      failed(check("variance", variance)))
    return failure();

  types.push_back(inputType);
  int64_t count = adaptor.getNumStats();
  if (count == 0)
    return success();
  int64_t least = adaptor.getTraining() && mean ? 4 : 2;
  if (count != least && count != least + 1)
    return emitOptionalError(loc, "'num_stats' must be 0, ", least, " or ",
                             least + 1, ", got ", count);
  types.append(least, RankedTensorType::get(shape, element));
  if (count > least)
    types.push_back(RankedTensorType::get(
        {0}, IntegerType::get(context, 8, IntegerType::Signed)));
  return success();
}

LogicalResult LRNOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      LRNOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  if (failed(checkFloat(loc, type)) ||
      failed(checkRank(loc, getRanked(type), 4)) ||
      failed(checkValue(loc, "size", adaptor.getSize(), 1)))
    return failure();
  if (adaptor.getSize() % 2 == 0)
    return emitOptionalError(loc, "'size' must be odd, got ",
                             adaptor.getSize());
  types.push_back(type);
  return success();
}

//===----------------------------------------------------------------------===//
// Norms with moments
//===----------------------------------------------------------------------===//

/// Checks what the norms with moments share.
template <typename Adaptor>
static LogicalResult checkAffine(std::optional<Location> loc, Adaptor adaptor) {
  Value weight = adaptor.getWeight(), bias = adaptor.getBias();
  if (bool(weight) != bool(bias))
    return emitOptionalError(loc, "weight and bias come together");
  if (failed(checkFloat(loc, adaptor.getInput().getType())))
    return failure();
  if (!weight)
    return success();
  if (failed(checkFloat(loc, weight.getType())) ||
      failed(checkFloat(loc, bias.getType())))
    return failure();
  Type lhs = nn::getElementType(weight.getType());
  Type rhs = nn::getElementType(bias.getType());
  if (lhs != rhs && !isUnknown(lhs) && !isUnknown(rhs))
    return emitOptionalError(loc, "weight and bias element types differ: ", lhs,
                             " and ", rhs);
  return success();
}

/// Appends the types of result, mean and rstd; no moments' shape: unranked.
static LogicalResult addMomentTypes(Type input,
                                    std::optional<ArrayRef<int64_t>> moments,
                                    SmallVectorImpl<Type> &types) {
  Type f32 = Float32Type::get(input.getContext());
  types.push_back(input);
  types.append(2, moments ? Type(RankedTensorType::get(*moments, f32))
                          : Type(UnrankedTensorType::get(f32)));
  return success();
}

LogicalResult LayerNormOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            LayerNormOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  int64_t dims = adaptor.getNormalizedDims();
  int64_t size = adaptor.getNormalizedSize();
  if (failed(checkAffine(loc, adaptor)) ||
      failed(checkValue(loc, "normalized_dims", dims, 1)))
    return failure();
  if (size < 1)
    return emitOptionalError(loc, "'normalized_size' must be positive, got ",
                             size);
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (!input)
    return addMomentTypes(type, std::nullopt, types);
  if (dims >= input.getRank())
    return emitOptionalError(loc, "'normalized_dims' must be less than rank ",
                             input.getRank(), ", got ", dims);
  ArrayRef<int64_t> normalized = input.getShape().take_back(dims);
  std::optional<int64_t> product = multiplyDims(normalized);
  if (!product || dimsDiffer(*product, size))
    return emitOptionalError(loc, "the last ", dims, " dims of ", type,
                             " do not hold ", size, " elements");
  if (adaptor.getWeight())
    if (failed(checkParameter(loc, "weight", adaptor.getWeight().getType(),
                              normalized)) ||
        failed(checkParameter(loc, "bias", adaptor.getBias().getType(),
                              normalized)))
      return failure();
  return addMomentTypes(type, input.getShape().drop_back(dims), types);
}

LogicalResult GeneralNormOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              GeneralNormOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  int64_t begin = adaptor.getAxisBegin(), end = adaptor.getAxisEnd();
  if (failed(checkAffine(loc, adaptor)))
    return failure();
  if (begin < 0 || end <= begin)
    return emitOptionalError(loc, "axes [", begin, ", ", end, ") are no range");
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (!input)
    return addMomentTypes(type, std::nullopt, types);
  if (end > input.getRank())
    return emitOptionalError(loc, "axes [", begin, ", ", end,
                             ") are out of range for rank ", input.getRank());
  ArrayRef<int64_t> normalized = input.getShape().slice(begin, end - begin);
  if (adaptor.getWeight())
    if (failed(checkParameter(loc, "weight", adaptor.getWeight().getType(),
                              normalized)) ||
        failed(checkParameter(loc, "bias", adaptor.getBias().getType(),
                              normalized)))
      return failure();
  SmallVector<int64_t> moments(input.getShape().take_front(begin));
  llvm::append_range(moments, input.getShape().drop_front(end));
  if (moments.empty())
    moments.push_back(1);
  return addMomentTypes(type, ArrayRef<int64_t>(moments), types);
}

/// Shared by group and instance norm; no `groups`: one per channel.
template <typename Adaptor>
static LogicalResult
inferGroupNorm(std::optional<Location> loc, Adaptor adaptor,
               std::optional<int64_t> groups, SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  RankedTensorType input = getRanked(type);
  if (failed(checkAffine(loc, adaptor)) || failed(checkRank(loc, input, 4)) ||
      (groups && failed(checkValue(loc, "groups", *groups, 1))))
    return failure();
  int64_t batch = ShapedType::kDynamic, channels = ShapedType::kDynamic;
  if (input) {
    batch = input.getDimSize(0);
    channels = input.getDimSize(1);
  }
  if (groups && !ShapedType::isDynamic(channels) && channels % *groups)
    return emitOptionalError(loc, channels, " channels do not split into ",
                             *groups, " groups");
  for (Value value : {adaptor.getWeight(), adaptor.getBias()}) {
    RankedTensorType ranked = value ? getRanked(value.getType()) : nullptr;
    if (!ranked)
      continue;
    std::optional<int64_t> size = multiplyDims(ranked.getShape());
    if (!size || dimsDiffer(*size, channels))
      return emitOptionalError(loc, "a parameter of type ", ranked,
                               " has not one value for each of ", channels,
                               " channels");
  }
  return addMomentTypes(
      type, ArrayRef<int64_t>({batch, groups.value_or(channels)}), types);
}

LogicalResult GroupNormOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            GroupNormOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  return inferGroupNorm(loc, adaptor, adaptor.getGroups(), types);
}

LogicalResult InstanceNormOp::inferReturnTypes(MLIRContext *context,
                                               std::optional<Location> loc,
                                               InstanceNormOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  return inferGroupNorm(loc, adaptor, /*groups=*/std::nullopt, types);
}

LogicalResult SoftmaxOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          SoftmaxOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  if (failed(checkFloat(loc, type)))
    return failure();
  if (RankedTensorType input = getRanked(type))
    if (failed(normalizeAxis(loc, adaptor.getAxis(), input.getRank())))
      return failure();
  types.push_back(type);
  return success();
}
