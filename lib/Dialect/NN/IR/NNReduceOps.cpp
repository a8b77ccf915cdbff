//===- NNReduceOps.cpp - Reductions ---------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNReduceOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Whether a quantized 8-bit type is the asymmetric (unsigned) or symmetric
/// (signed) one.
static bool isQuantized8(Type element, bool isSigned) {
  auto type = dyn_cast<quant::UniformQuantizedType>(element);
  return type && type.getStorageTypeIntegralWidth() == 8 &&
         type.isSigned() == isSigned;
}

/// Whether quantized codes can be reduced without leaving their type.
template <typename OpT> static bool keepsCodes(Type element) {
  constexpr bool isPower =
      std::is_same_v<OpT, ReduceSumSqrOp> || std::is_same_v<OpT, ReduceProdOp>;
  constexpr bool isSum = std::is_same_v<OpT, ReduceSumOp>;
  if (isQuantized8(element, /*isSigned=*/true))
    return !isPower;
  if (isQuantized8(element, /*isSigned=*/false))
    return !isPower && !isSum;
  return true;
}

template <typename OpT>
static FailureOr<Type> inferReducedElement(std::optional<Location> loc,
                                           Type element, ReduceType dataType) {
  MLIRContext *context = element.getContext();
  bool isUnknownElement = isUnknown(element);
  switch (dataType) {
  case ReduceType::same:
    if (isUnknownElement)
      return element;
    if (element.isSignlessInteger(1) || isa<ComplexType>(element) ||
        !keepsCodes<OpT>(element))
      return emitOptionalError(loc, "element type ", element, " has no ",
                               OpT::getOperationName());
    return element;
  case ReduceType::o32_c32:
    if (isUnknownElement || isFloat(element) ||
        (isa<IntegerType>(element) && !element.isSignlessInteger(1)))
      return Type(Float32Type::get(context));
    break;
  case ReduceType::io16_c32:
  case ReduceType::o16_c32:
    if (isUnknownElement || isFloat(element))
      return Type(Float16Type::get(context));
    break;
  case ReduceType::quint8_o32:
  case ReduceType::qint8_o32: {
    if (isUnknownElement)
      return element;
    if (!isQuantized8(element, dataType == ReduceType::qint8_o32))
      break;
    auto type = cast<quant::UniformQuantizedType>(element);
    Builder builder(context);
    return getQuantType([&] { return emitError(builder.getUnknownLoc()); },
                        context, /*bits=*/32, /*isSigned=*/true,
                        type.getScale(), /*zeroPoint=*/0);
  }
  }
  return emitOptionalError(loc, "data_type ", stringifyReduceType(dataType),
                           " does not take ", element);
}

/// The result shape for a target whose elements are `target`; kDynamic ones
/// are not known.
static FailureOr<SmallVector<int64_t>>
inferTargetShape(std::optional<Location> loc, ArrayRef<int64_t> input,
                 ArrayRef<int64_t> target) {
  if (target.size() > input.size() || target.empty())
    return emitOptionalError(loc, "target shape has rank ", target.size(),
                             ", the input ", input.size());
  SmallVector<int64_t> shape(target);
  size_t lead = input.size() - target.size();
  for (auto [index, dim] : llvm::enumerate(shape)) {
    int64_t in = input[lead + index];
    // An input dim of 1 can only stay.
    if (ShapedType::isDynamic(dim) && in == 1)
      dim = 1;
    if (ShapedType::isDynamic(dim))
      continue;
    if (dim != 1 && (dim < 0 || dimsDiffer(dim, in)))
      return emitOptionalError(loc, "target dim ", index, " is ", dim,
                               ", expected 1 or the input's ", in);
  }
  return shape;
}

template <typename OpT>
static LogicalResult
inferReduce(std::optional<Location> loc, typename OpT::Adaptor adaptor,
            KnownValues values, SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferReducedElement<OpT>(
      loc, nn::getElementType(adaptor.getInput().getType()),
      adaptor.getDataType());
  if (failed(element))
    return failure();
  Value target = adaptor.getTargetShape();
  std::optional<int64_t> axis;
  if (IntegerAttr attr = adaptor.getAxisAttr())
    axis = attr.getInt();
  if (axis.has_value() == static_cast<bool>(target))
    return emitOptionalError(loc, "needs either 'axis' or a target shape, got ",
                             axis ? "both" : "neither");
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  if (!input) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  if (axis) {
    FailureOr<int64_t> index = normalizeAxis(loc, *axis, input.getRank());
    if (failed(index))
      return failure();
    SmallVector<int64_t> shape(input.getShape());
    shape[*index] = 1;
    types.push_back(RankedTensorType::get(shape, *element));
    return success();
  }

  Type targetElement = nn::getElementType(target.getType());
  if (!isUnknown(targetElement) && !isa<IntegerType>(targetElement))
    return emitOptionalError(loc, "target shape must hold integers, got ",
                             targetElement);
  SmallVector<int64_t> dims;
  RankedTensorType targetType = getRanked(target.getType());
  if (targetType && targetType.getRank() != 1)
    return emitOptionalError(loc, "target shape must have rank 1, got ",
                             targetType.getRank());
  if (KnownInts known = values(target)) {
    for (int64_t dim : *known)
      if (dim < 0)
        return emitOptionalError(loc, "target shape has the dim ", dim);
    dims = std::move(*known);
  } else if (targetType && !targetType.isDynamicDim(0) &&
             targetType.getDimSize(0) <= input.getRank()) {
    dims.assign(targetType.getDimSize(0), ShapedType::kDynamic);
  } else if (targetType && !targetType.isDynamicDim(0)) {
    return emitOptionalError(loc, "target shape has rank ",
                             targetType.getDimSize(0), ", the input ",
                             input.getRank());
  } else {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  FailureOr<SmallVector<int64_t>> shape =
      inferTargetShape(loc, input.getShape(), dims);
  if (failed(shape))
    return failure();
  types.push_back(RankedTensorType::get(*shape, *element));
  return success();
}

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNReduceOps.cpp.inc"

void NNDialect::registerReduceOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNReduceOps.cpp.inc"
      >();
}
