//===- NNIndexOps.cpp - Index ops -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNIndexOps.h"
#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNIndexOps.cpp.inc"

void NNDialect::registerIndexOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNIndexOps.cpp.inc"
      >();
}

using Shape = SmallVector<int64_t>;

/// Fails unless `type` may be an i32 tensor.
static LogicalResult checkIndexElement(std::optional<Location> loc,
                                       StringRef what, Type type) {
  return checkElementType(loc, what, type,
                          IntegerType::get(type.getContext(), 32));
}

/// Reads the items and applies their slices to a copy of the input's shape.
static FailureOr<SmallVector<IndexItem>>
applySlices(std::optional<Location> loc, const IndexSpec &spec,
            RankedTensorType input, KnownValues values, Shape &dims) {
  auto items = readIndexItems(loc, spec, input.getRank());
  if (failed(items))
    return failure();
  dims.assign(input.getShape().begin(), input.getShape().end());
  for (const IndexItem &item : *items) {
    if (item.index) {
      if (failed(checkIndexElement(loc, "index", item.index.getType())))
        return failure();
      continue;
    }
    FailureOr<AxisSlice> slice = sliceAxis(loc, dims[item.axis], item, values);
    if (failed(slice))
      return failure();
    dims[item.axis] = slice->size;
  }
  return items;
}

//===----------------------------------------------------------------------===//
// Broadcasting indices
//===----------------------------------------------------------------------===//

/// The shape that nn.index reads or nn.index_put writes; nullopt if the rank
/// is not known.
static FailureOr<std::optional<Shape>>
getIndexedShape(std::optional<Location> loc, const IndexSpec &spec,
                RankedTensorType input, KnownValues values) {
  Shape dims;
  auto items = applySlices(loc, spec, input, values, dims);
  if (failed(items))
    return failure();
  llvm::BitVector indexed(dims.size());
  Shape indexShape;
  bool ranked = true;
  for (const IndexItem &item : *items) {
    if (!item.index)
      continue;
    indexed.set(item.axis);
    RankedTensorType type = getRanked(item.index.getType());
    if (!type)
      ranked = false;
    else if (failed(
                 broadcastShapes(loc, indexShape, type.getShape(), indexShape)))
      return failure();
  }
  if (!ranked)
    return std::optional<Shape>();
  if (indexed.none())
    return std::optional<Shape>(dims);
  int first = indexed.find_first(), last = indexed.find_last();
  bool consecutive = last - first + 1 == static_cast<int>(indexed.count());
  Shape shape;
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!indexed.test(axis))
      shape.push_back(dim);
  shape.insert(shape.begin() + (consecutive ? first : 0), indexShape.begin(),
               indexShape.end());
  if (shape.empty())
    shape.push_back(1);
  return std::optional<Shape>(shape);
}

LogicalResult IndexOp::inferTypes(std::optional<Location> loc, Adaptor adaptor,
                                  KnownValues values,
                                  SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    addUnranked(inputType, types);
    return readIndexItems(loc, spec, std::nullopt);
  }
  auto shape = getIndexedShape(loc, spec, input, values);
  if (failed(shape))
    return failure();
  if (*shape)
    return addRankedType(loc, **shape, input.getElementType(), types);
  addUnranked(inputType, types);
  return success();
}

LogicalResult IndexPutOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           IndexPutOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  types.push_back(inputType);
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType input = getRanked(inputType);
  if (!input)
    return readIndexItems(loc, spec, std::nullopt);
  auto shape = getIndexedShape(loc, spec, input, getConstantInts);
  if (failed(shape))
    return failure();
  if (!*shape)
    return success();
  return checkUpdate(loc, adaptor.getValue().getType(), inputType, **shape);
}

//===----------------------------------------------------------------------===//
// Mesh indices
//===----------------------------------------------------------------------===//

/// The shape that nn.mesh_index reads or nn.mesh_index_put writes.
static FailureOr<Shape> getMeshShape(std::optional<Location> loc,
                                     const IndexSpec &spec, bool batched,
                                     RankedTensorType input,
                                     KnownValues values) {
  Shape dims;
  auto items = applySlices(loc, spec, input, values, dims);
  if (failed(items))
    return failure();
  int64_t indexRank = batched ? 2 : 1;
  for (const IndexItem &item : *items) {
    if (!item.index)
      continue;
    if (batched && item.axis == 0)
      return emitOptionalError(loc, "the batch axis 0 cannot have an index");
    int64_t &dim = dims[item.axis];
    dim = ShapedType::kDynamic;
    RankedTensorType type = getRanked(item.index.getType());
    if (!type)
      continue;
    if (type.getRank() != indexRank)
      return emitOptionalError(loc, "index of axis ", item.axis, " has rank ",
                               type.getRank(), ", expected ", indexRank);
    if (batched && dimsDiffer(type.getDimSize(0), dims[0]))
      return emitOptionalError(loc, "index of axis ", item.axis, " has ",
                               type.getDimSize(0), " rows, expected ", dims[0]);
    dim = type.getShape().back();
  }
  return dims;
}

LogicalResult MeshIndexOp::inferTypes(std::optional<Location> loc,
                                      Adaptor adaptor, KnownValues values,
                                      SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    types.push_back(inputType);
    return readIndexItems(loc, spec, std::nullopt);
  }
  FailureOr<Shape> shape =
      getMeshShape(loc, spec, adaptor.getBatched(), input, values);
  if (failed(shape))
    return failure();
  return addRankedType(loc, *shape, input.getElementType(), types);
}

LogicalResult MeshIndexPutOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> loc,
                                               MeshIndexPutOp::Adaptor adaptor,
                                               SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  types.push_back(inputType);
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType input = getRanked(inputType);
  if (!input)
    return readIndexItems(loc, spec, std::nullopt);
  FailureOr<Shape> shape =
      getMeshShape(loc, spec, adaptor.getBatched(), input, getConstantInts);
  if (failed(shape))
    return failure();
  return checkUpdate(loc, adaptor.getValue().getType(), inputType, *shape);
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

LogicalResult GatherNDOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           GatherNDOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type mapType = adaptor.getMap().getType();
  if (failed(checkIndexElement(loc, "map", mapType)))
    return failure();
  RankedTensorType input = getRanked(inputType), map = getRanked(mapType);
  if (!map) {
    addUnranked(inputType, types);
    return success();
  }
  if (map.getRank() < 2)
    return emitOptionalError(loc, "map has rank ", map.getRank(),
                             ", expected at least 2");
  if (input && dimsDiffer(map.getShape().back(), input.getRank()))
    return emitOptionalError(loc, "map has coordinates of ",
                             map.getShape().back(),
                             " axes, the input has rank ", input.getRank());
  return addRankedType(loc, map.getShape().drop_back(),
                       nn::getElementType(inputType), types);
}

/// Checks the index of a one-hot op and returns the shape of one element per
/// coordinate, or nullopt if the input is not ranked.
static FailureOr<std::optional<Shape>>
getOneHotShape(std::optional<Location> loc, Type inputType, Type indexType,
               int64_t axis) {
  if (failed(checkIndexElement(loc, "index", indexType)))
    return failure();
  RankedTensorType input = getRanked(inputType);
  if (!input)
    return std::optional<Shape>();
  FailureOr<int64_t> normal = normalizeAxis(loc, axis, input.getRank());
  if (failed(normal))
    return failure();
  Shape shape(input.getShape()), expected(shape);
  shape[*normal] = 1;
  expected.erase(expected.begin() + *normal);
  if (expected.empty())
    expected.push_back(1);
  if (failed(verifyCompatibleShape(
          indexType,
          RankedTensorType::get(expected, nn::getElementType(indexType)))))
    return emitOptionalError(
        loc, "index has type ", indexType, ", expected ",
        RankedTensorType::get(expected, nn::getElementType(indexType)));
  return std::optional<Shape>(shape);
}

LogicalResult IndexOneHotOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              IndexOneHotOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  auto shape = getOneHotShape(loc, inputType, adaptor.getIndex().getType(),
                              adaptor.getAxis());
  if (failed(shape))
    return failure();
  if (*shape)
    return addRankedType(loc, **shape, nn::getElementType(inputType), types);
  types.push_back(inputType);
  return success();
}

LogicalResult
IndexPutOneHotOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                   IndexPutOneHotOp::Adaptor adaptor,
                                   SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type valueType = adaptor.getValue().getType();
  Type element = nn::getElementType(inputType);
  types.push_back(inputType);
  auto shape = getOneHotShape(loc, inputType, adaptor.getIndex().getType(),
                              adaptor.getAxis());
  if (failed(shape))
    return failure();
  if (!isUnknown(element) &&
      failed(checkElementType(loc, "value", valueType, element)))
    return failure();
  if (!*shape)
    return success();
  auto expected = RankedTensorType::get(**shape, element);
  if (failed(verifyCompatibleShape(valueType, expected)))
    return emitOptionalError(loc, "value has type ", valueType, ", expected ",
                             expected);
  return success();
}

LogicalResult DiagOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       DiagOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  RankedTensorType input = getRanked(inputType);
  int64_t diagonal = adaptor.getDiagonal();
  if (!input) {
    addUnranked(inputType, types);
    return success();
  }
  if (input.getRank() == 1) {
    int64_t size = input.getDimSize(0);
    if (!ShapedType::isDynamic(size) &&
        llvm::AddOverflow(size, std::abs(diagonal), size))
      return emitOptionalError(loc, "the result has too many elements");
    return addRankedType(loc, {size, size}, input.getElementType(), types);
  }
  if (input.getRank() != 2)
    return emitOptionalError(loc, "input has rank ", input.getRank(),
                             ", expected 1 or 2");
  int64_t size = ShapedType::kDynamic;
  if (input.hasStaticShape()) {
    int64_t rows = input.getDimSize(0), columns = input.getDimSize(1);
    size = diagonal >= 0 ? std::min(rows, columns - diagonal)
                         : std::min(rows + diagonal, columns);
    if (size <= 0)
      return emitOptionalError(loc, "diagonal ", diagonal, " is outside of ",
                               input);
  }
  return addRankedType(loc, size, input.getElementType(), types);
}
