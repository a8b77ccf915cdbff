//===- NNLinearOps.cpp - Linear algebra ops -------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNLinearOps.cpp.inc"

void NNDialect::registerLinearOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNLinearOps.cpp.inc"
      >();
}

static quant::UniformQuantizedType asQuantized(Type type) {
  return dyn_cast<quant::UniformQuantizedType>(type);
}

/// The element type of a product of quantized operands without `out_type`.
static FailureOr<Type> getQuantizedProduct(std::optional<Location> loc,
                                           Type lhsType, Type rhsType) {
  auto lhs = asQuantized(lhsType), rhs = asQuantized(rhsType);
  if (lhs.getStorageType() != rhs.getStorageType() ||
      lhs.isSigned() != rhs.isSigned())
    return emitOptionalError(loc, "operand element types differ: ", lhsType,
                             " and ", rhsType);
  unsigned bits = lhs.getStorageTypeIntegralWidth();
  if (bits != 8 && bits != 4)
    return emitOptionalError(loc, "element type ", lhsType,
                             " has no matrix product");
  unsigned resultBits = bits == 4 && lhs.isSigned() ? 16 : 32;
  if (Type product = getQuantizedProductType(lhsType, rhsType, resultBits))
    return product;
  return emitOptionalError(loc, "the product of the scales of ", lhsType,
                           " and ", rhsType, " is not a scale");
}

/// Element type of a matrix product; see nn.matmul's description.
static FailureOr<Type> inferProductType(std::optional<Location> loc, Type lhs,
                                        Type rhs, std::optional<Type> outType) {
  if (isUnknown(lhs) || isUnknown(rhs)) {
    if (outType)
      return *outType;
    return Type(UnknownType::get(lhs.getContext()));
  }
  if (isQuantized(lhs) && isQuantized(rhs)) {
    if (!outType)
      return getQuantizedProduct(loc, lhs, rhs);
    if (!isQuantized(*outType))
      return emitOptionalError(loc, "'out_type' ", *outType,
                               " does not fit quantized operands");
    return *outType;
  }
  if (lhs != rhs)
    return emitOptionalError(loc, "operand element types differ: ", lhs,
                             " and ", rhs);
  Type inferred;
  if (isFloat(lhs))
    inferred = lhs;
  else if (lhs.isSignlessInteger(8) || lhs.isSignlessInteger(16))
    inferred = IntegerType::get(lhs.getContext(), 32);
  else
    return emitOptionalError(loc, "element type ", lhs,
                             " has no matrix product");
  if (!outType || *outType == inferred)
    return inferred;
  if (lhs.isSignlessInteger(8) && outType->isSignlessInteger(16))
    return *outType;
  return emitOptionalError(loc, "a product of ", lhs, " elements cannot be of ",
                           "type ", *outType);
}

/// The dims of one matrix, after its transposition.
static std::pair<int64_t, int64_t> getMatrix(ArrayRef<int64_t> dims,
                                             bool transpose) {
  if (transpose)
    return {dims[1], dims[0]};
  return {dims[0], dims[1]};
}

/// Checks that the inner dims agree and returns the outer ones.
template <typename Adaptor>
static FailureOr<std::pair<int64_t, int64_t>>
multiplyMatrices(std::optional<Location> loc, Adaptor adaptor,
                 ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs) {
  auto a = getMatrix(lhs, adaptor.getTransposeA());
  auto b = getMatrix(rhs, adaptor.getTransposeB());
  if (dimsDiffer(a.second, b.first))
    return emitOptionalError(loc, "inner dims differ: ", a.second, " and ",
                             b.first);
  return std::make_pair(a.first, b.second);
}

static LogicalResult checkRanks(std::optional<Location> loc,
                                RankedTensorType lhs, int64_t lhsRank,
                                RankedTensorType rhs, int64_t rhsRank) {
  if (lhs.getRank() == lhsRank && rhs.getRank() == rhsRank)
    return success();
  return emitOptionalError(loc, "operands must have ranks ", lhsRank, " and ",
                           rhsRank, ", got ", lhs.getRank(), " and ",
                           rhs.getRank());
}

template <typename Adaptor>
static FailureOr<Type> inferProductElement(std::optional<Location> loc,
                                           Adaptor adaptor) {
  FailureOr<Type> element = inferProductType(
      loc, nn::getElementType(adaptor.getLhs().getType()),
      nn::getElementType(adaptor.getRhs().getType()), adaptor.getOutType());
  if (failed(element))
    return failure();
  Type lhs = nn::getElementType(adaptor.getLhs().getType());
  if (adaptor.getAccumulateF32() && !isUnknown(lhs) && !lhs.isF16() &&
      !lhs.isBF16())
    return emitOptionalError(loc, "'accumulate_f32' needs 16-bit floats, got ",
                             lhs);
  return element;
}

/// Elements in the blocks of a format; 0 when the format does not tell.
static int64_t getPackSize(MatMulFormat format) {
  switch (format) {
  case MatMulFormat::MK4:
    return 4;
  case MatMulFormat::MK8:
    return 8;
  default:
    return 0;
  }
}

LogicalResult MatMulOp::inferReturnTypes(MLIRContext *context,
                                         std::optional<Location> loc,
                                         MatMulOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferProductElement(loc, adaptor);
  if (failed(element))
    return failure();
  RankedTensorType lhs = getRanked(adaptor.getLhs().getType());
  RankedTensorType rhs = getRanked(adaptor.getRhs().getType());
  if (!lhs || !rhs) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  bool isPlain = adaptor.getFormat() == MatMulFormat::Default;
  if (failed(checkRanks(loc, lhs, isPlain ? 2 : 4, rhs, isPlain ? 2 : 3)))
    return failure();
  int64_t pack = getPackSize(adaptor.getFormat());
  if (pack)
    for (int64_t dim :
         {lhs.getDimSize(2), lhs.getDimSize(3), rhs.getDimSize(2)})
      if (dimsDiffer(dim, pack))
        return emitOptionalError(loc, "format ",
                                 stringifyMatMulFormat(adaptor.getFormat()),
                                 " needs blocks of ", pack, ", got ", dim);
  auto outer = multiplyMatrices(loc, adaptor, lhs.getShape(), rhs.getShape());
  if (failed(outer))
    return failure();
  SmallVector<int64_t> shape = {outer->first, outer->second};
  if (!isPlain)
    shape.push_back(pack ? pack : ShapedType::kDynamic);
  types.push_back(RankedTensorType::get(shape, *element));
  return success();
}

LogicalResult BatchMatMulOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              BatchMatMulOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = inferProductElement(loc, adaptor);
  if (failed(element))
    return failure();
  RankedTensorType lhs = getRanked(adaptor.getLhs().getType());
  RankedTensorType rhs = getRanked(adaptor.getRhs().getType());
  if (!lhs || !rhs) {
    types.push_back(UnrankedTensorType::get(*element));
    return success();
  }
  if (failed(checkRanks(loc, lhs, 3, rhs, 3)))
    return failure();
  int64_t batch = lhs.getDimSize(0);
  if (dimsDiffer(batch, rhs.getDimSize(0)))
    return emitOptionalError(loc, "batch sizes differ: ", batch, " and ",
                             rhs.getDimSize(0));
  if (ShapedType::isDynamic(batch))
    batch = rhs.getDimSize(0);
  auto outer = multiplyMatrices(loc, adaptor, lhs.getShape().drop_front(),
                                rhs.getShape().drop_front());
  if (failed(outer))
    return failure();
  types.push_back(
      RankedTensorType::get({batch, outer->first, outer->second}, *element));
  return success();
}

LogicalResult DotOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      DotOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type lhs = nn::getElementType(adaptor.getLhs().getType());
  Type rhs = nn::getElementType(adaptor.getRhs().getType());
  if (lhs != rhs && !isUnknown(lhs) && !isUnknown(rhs))
    return emitOptionalError(loc, "operand element types differ: ", lhs,
                             " and ", rhs);
  RankedTensorType lhsType = getRanked(adaptor.getLhs().getType());
  RankedTensorType rhsType = getRanked(adaptor.getRhs().getType());
  for (RankedTensorType type : {lhsType, rhsType})
    if (type && type.getRank() != 1)
      return emitOptionalError(loc, "operands must be vectors, got rank ",
                               type.getRank());
  if (lhsType && rhsType) {
    int64_t a = lhsType.getDimSize(0), b = rhsType.getDimSize(0);
    if (a != 1 && b != 1 && dimsDiffer(a, b))
      return emitOptionalError(loc, "vector lengths differ: ", a, " and ", b);
  }
  Type element = isUnknown(lhs) ? rhs : lhs;
  if (element.isSignlessInteger(8))
    element = IntegerType::get(context, 32);
  types.push_back(RankedTensorType::get({1}, element));
  return success();
}

LogicalResult MatrixInverseOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    MatrixInverseOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Type element = nn::getElementType(type);
  if (!isFloat(element) && !isUnknown(element))
    return emitOptionalError(loc, "needs floats, got ", element);
  if (RankedTensorType ranked = getRanked(type)) {
    int64_t rank = ranked.getRank();
    if (rank < 2)
      return emitOptionalError(loc, "input must have rank 2 or more, got ",
                               rank);
    int64_t rows = ranked.getDimSize(rank - 2),
            columns = ranked.getDimSize(rank - 1);
    if (dimsDiffer(rows, columns))
      return emitOptionalError(loc, "matrices must be square, got ", rows,
                               " by ", columns);
  }
  types.push_back(type);
  return success();
}

LogicalResult SVDOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      SVDOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type element = nn::getElementType(adaptor.getInput().getType());
  if (!element.isF32() && !isUnknown(element))
    return emitOptionalError(loc, "needs f32 elements, got ", element);
  bool computeUV = adaptor.getComputeUv();
  RankedTensorType input = getRanked(adaptor.getInput().getType());
  if (!input) {
    types.append(computeUV ? 3 : 1, UnrankedTensorType::get(element));
    return success();
  }
  int64_t rank = input.getRank();
  if (rank < 2)
    return emitOptionalError(loc, "input must have rank 2 or more, got ", rank);
  int64_t m = input.getDimSize(rank - 2), n = input.getDimSize(rank - 1);
  int64_t least = ShapedType::isDynamic(m) || ShapedType::isDynamic(n)
                      ? ShapedType::kDynamic
                      : std::min(m, n);
  auto addResult = [&](ArrayRef<int64_t> dims) {
    SmallVector<int64_t> shape(input.getShape().drop_back(2));
    shape.append(dims.begin(), dims.end());
    types.push_back(RankedTensorType::get(shape, element));
  };
  bool isFull = adaptor.getFullMatrices();
  if (computeUV)
    addResult({m, isFull ? m : least});
  addResult({least});
  if (computeUV)
    addResult({isFull ? n : least, n});
  return success();
}

LogicalResult CrossOp::inferReturnTypes(MLIRContext *context,
                                        std::optional<Location> loc,
                                        CrossOp::Adaptor adaptor,
                                        SmallVectorImpl<Type> &types) {
  Type lhsElement = nn::getElementType(adaptor.getLhs().getType());
  Type rhsElement = nn::getElementType(adaptor.getRhs().getType());
  if (lhsElement != rhsElement && !isUnknown(lhsElement) &&
      !isUnknown(rhsElement))
    return emitOptionalError(loc, "operand element types differ: ", lhsElement,
                             " and ", rhsElement);
  Type element = isUnknown(lhsElement) ? rhsElement : lhsElement;
  RankedTensorType lhs = getRanked(adaptor.getLhs().getType());
  RankedTensorType rhs = getRanked(adaptor.getRhs().getType());
  if (!lhs || !rhs) {
    types.push_back(UnrankedTensorType::get(element));
    return success();
  }
  if (lhs.getRank() != rhs.getRank())
    return emitOptionalError(loc, "operand ranks differ: ", lhs.getRank(),
                             " and ", rhs.getRank());
  FailureOr<int64_t> axisA =
      normalizeAxis(loc, adaptor.getAxisA(), lhs.getRank());
  FailureOr<int64_t> axisB =
      normalizeAxis(loc, adaptor.getAxisB(), lhs.getRank());
  FailureOr<int64_t> axisC =
      normalizeAxis(loc, adaptor.getAxisC(), lhs.getRank());
  if (failed(axisA) || failed(axisB) || failed(axisC))
    return failure();
  for (int64_t dim : {lhs.getDimSize(*axisA), rhs.getDimSize(*axisB)})
    if (dimsDiffer(dim, 3))
      return emitOptionalError(loc, "vectors must have 3 elements, got ", dim);

  SmallVector<int64_t> shape(lhs.getShape()), others(rhs.getShape());
  shape.erase(shape.begin() + *axisA);
  others.erase(others.begin() + *axisB);
  for (auto [dim, other] : llvm::zip_equal(shape, others)) {
    if (dimsDiffer(dim, other))
      return emitOptionalError(loc, "operand shapes differ: ", lhs, " and ",
                               rhs);
    if (ShapedType::isDynamic(dim))
      dim = other;
  }
  shape.insert(shape.begin() + *axisC, 3);
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}
