//===- IndexOps.cpp - GE gathers, scatters and choices --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNIndexOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The items of `axes`, each with an index.
template <typename OpT>
static OpT::Properties getIndexItems(OpImporter &imp, ArrayRef<int64_t> axes) {
  SmallVector<bool> none(axes.size(), false), all(axes.size(), true);
  typename OpT::Properties properties;
  properties.axes = imp.i64s(axes);
  properties.has_begin = imp.builder.getDenseBoolArrayAttr(none);
  properties.has_end = properties.has_begin;
  properties.has_step = properties.has_begin;
  properties.has_index = imp.builder.getDenseBoolArrayAttr(all);
  return properties;
}

/// Indices as nn has them.
static Value toI32(OpImporter &imp, Value value) {
  return makeCast(imp, value, imp.builder.getI32Type());
}

/// Element `index`, one integer, of an axis, which goes.
static Value makeElement(OpImporter &imp, Value value, int64_t axis,
                         Value index) {
  return make<nn::SliceOp>(imp, {value, index},
                           getIndexItems<nn::SliceOp>(imp, {axis}));
}

/// The coordinates in the last dim of `indices`, one tensor per axis.
static SmallVector<Value> splitCoordinates(OpImporter &imp, Value indices) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<Value> columns;
  for (int64_t k = 0; k < type.getShape().back(); ++k)
    columns.push_back(makeElement(imp, indices, type.getRank() - 1,
                                  imp.createConstantInts({k})));
  return columns;
}

/// The type of the indices of a gather or scatter on leading axes of a tensor.
static FailureOr<RankedTensorType> getCoordinates(OpImporter &imp, size_t k,
                                                  int64_t rank) {
  FailureOr<RankedTensorType> type = getStaticType(imp, k);
  if (failed(type))
    return failure();
  if (type->getRank() < 1 || type->getShape().back() < 1 ||
      type->getShape().back() > rank)
    return imp.emitError() << "indices of type " << *type
                           << " do not address a tensor of rank " << rank;
  return type;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The elements `indices` of an axis, which their shape replaces.
static LogicalResult createGather(OpImporter &imp, int64_t axis) {
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<RankedTensorType> indices = getStaticType(imp, 1);
  if (failed(type) || failed(indices))
    return failure();
  FailureOr<int64_t> position = getAxis(imp, axis, type->getRank());
  if (failed(position))
    return failure();
  Value index = toI32(imp, imp.getOperand(1));
  if (!index)
    return failure();
  if (indices->getRank() == 0) {
    // nn.slice keeps one dim in any case.
    SmallVector<int64_t> shape(type->getShape());
    shape.erase(shape.begin() + *position);
    return finish(
        imp,
        makeReshape(imp, makeElement(imp, imp.getOperand(0), *position, index),
                    shape));
  }
  return finish(
      imp, make<nn::IndexOp>(imp, {imp.getOperand(0), index},
                             getIndexItems<nn::IndexOp>(imp, {*position})));
}

/// HiAI's GatherV2D (Gather in version 0) has an attribute `axis`; CANN's
/// Gather has none and takes rows.
static LogicalResult importGather(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("axis", 0);
  FailureOr<int64_t> batchDims = imp.getInt("batch_dims", 0);
  if (failed(axis) || failed(batchDims))
    return failure();
  if (*batchDims != 0)
    return imp.decline("a gather in batches");
  return createGather(imp, *axis);
}

/// CANN's GatherV2: the axis is an input.
static LogicalResult importGatherV2(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<int64_t> axis = getInt(imp, 2, "axis");
  FailureOr<int64_t> batchDims = imp.getInt("batch_dims", 0);
  if (failed(axis) || failed(batchDims))
    return failure();
  if (*batchDims != 0)
    return imp.decline("a gather in batches");
  return createGather(imp, *axis);
}

static LogicalResult importGatherNd(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  if (failed(type))
    return failure();
  int64_t rank = type->getRank();
  FailureOr<RankedTensorType> indices = getCoordinates(imp, 1, rank);
  if (failed(indices))
    return failure();
  Value x = imp.getOperand(0), map = toI32(imp, imp.getOperand(1));
  if (!map)
    return failure();
  int64_t count = indices->getShape().back();
  if (count == rank && indices->getRank() >= 2)
    return finish(imp, make<nn::GatherNDOp>(imp, {x, map}));
  SmallVector<Value> operands{x};
  llvm::append_range(operands, splitCoordinates(imp, map));
  SmallVector<int64_t> axes = llvm::to_vector(llvm::seq<int64_t>(0, count));
  Value result =
      make<nn::IndexOp>(imp, operands, getIndexItems<nn::IndexOp>(imp, axes));
  // nn has no tensors of rank 0 to index with.
  SmallVector<int64_t> shape(indices->getShape().drop_back());
  llvm::append_range(shape, type->getShape().drop_front(count));
  return finish(imp, makeReshape(imp, result, shape));
}

static LogicalResult exportGatherND(OpExporter &exp) {
  auto op = cast<nn::GatherNDOp>(exp.getSource());
  exp.setType("GatherNd");
  exp.addInput(op.getInput());
  exp.addInput(op.getMap());
  return success();
}

/// One index tensor is a gather along an axis.
static LogicalResult exportIndex(OpExporter &exp) {
  auto op = cast<nn::IndexOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (op.getAxes().size() != 1 || !op.getHasIndex()[0])
    return exp.refuse("only indices of one axis are known to the format");
  int64_t axis = op.getAxes()[0];
  if (!type && axis < 0)
    return exp.refuse("its rank is not known");
  exp.setType("GatherV2D");
  exp.addInput(op.getInput());
  exp.addInput(op.getIndices()[0]);
  exp.setInt("axis", axis < 0 ? axis + type.getRank() : axis);
  return success();
}

static LogicalResult exportMeshIndex(OpExporter &exp) {
  auto op = cast<nn::MeshIndexOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (op.getAxes().size() != 1 || !op.getHasIndex()[0] || op.getBatched())
    return exp.refuse("only indices of one axis are known to the format");
  int64_t axis = op.getAxes()[0];
  if (!type && axis < 0)
    return exp.refuse("its rank is not known");
  exp.setType("GatherV2D");
  exp.addInput(op.getInput());
  exp.addInput(op.getIndices()[0]);
  exp.setInt("axis", axis < 0 ? axis + type.getRank() : axis);
  return success();
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// `base` with `updates` at the coordinates in `indices`.
static Value makeScatter(OpImporter &imp, Value base, Value indices,
                         Value updates) {
  indices = indices ? toI32(imp, indices) : Value();
  if (!base || !indices)
    return {};
  SmallVector<Value> operands{base, updates};
  llvm::append_range(operands, splitCoordinates(imp, indices));
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, operands.size() - 2));
  return make<nn::IndexPutOp>(imp, operands,
                              getIndexItems<nn::IndexPutOp>(imp, axes));
}

/// Adds rows to a tensor of zeros. nn replaces, which is the same when no
/// coordinate occurs twice.
static LogicalResult importScatterNd(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = getInts(imp, 2, "shape");
  if (failed(shape))
    return failure();
  FailureOr<RankedTensorType> type =
      getCoordinates(imp, 0, static_cast<int64_t>(shape->size()));
  FailureOr<SmallVector<int64_t>> indices = getInts(imp, 0, "indices");
  if (failed(type) || failed(indices))
    return failure();
  auto length = static_cast<size_t>(type->getShape().back());
  llvm::DenseSet<ArrayRef<int64_t>> seen;
  for (ArrayRef<int64_t> rest = *indices; !rest.empty();
       rest = rest.drop_front(length)) {
    for (auto [k, index] : llvm::enumerate(rest.take_front(length)))
      if (index < 0 || index >= (*shape)[k])
        return imp.emitError() << "index " << index << " is out of range for "
                               << (*shape)[k] << " elements of axis " << k;
    if (!seen.insert(rest.take_front(length)).second)
      return imp.decline("a sum of rows at one place");
  }
  Value zeros =
      makeBroadcast(imp, makeNumber(imp, 0, imp.getOperand(1)), *shape);
  return finish(imp,
                makeScatter(imp, zeros, imp.getOperand(0), imp.getOperand(1)));
}

/// A copy with the elements `indices` of an axis replaced.
static LogicalResult importScatterUpdate(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<RankedTensorType> indices = getStaticType(imp, 1);
  FailureOr<int64_t> axis = imp.getInt("axis", 0);
  if (failed(type) || failed(indices) || failed(axis))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  if (indices->getRank() == 0)
    return imp.decline("a scalar index");
  Value index = toI32(imp, imp.getOperand(1));
  return finish(imp, make<nn::IndexPutOp>(
                         imp, {imp.getOperand(0), imp.getOperand(2), index},
                         getIndexItems<nn::IndexPutOp>(imp, {*axis})));
}

/// Indices of one axis with a value for each.
static LogicalResult exportIndexPut(OpExporter &exp) {
  auto op = cast<nn::IndexPutOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  auto value = dyn_cast<RankedTensorType>(op.getValue().getType());
  if (op.getAxes().size() != 1 || !op.getHasIndex()[0])
    return exp.refuse("only indices of one axis are known to the format");
  auto indices = dyn_cast<RankedTensorType>(op.getIndices()[0].getType());
  if (!type || !value || !indices)
    return exp.refuse("its rank is not known");
  int64_t axis = op.getAxes()[0];
  axis = axis < 0 ? axis + type.getRank() : axis;
  SmallVector<int64_t> shape(type.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, type.getShape().drop_front(axis + 1));
  if (value.getShape() != ArrayRef(shape) || !value.hasStaticShape())
    return exp.refuse("values that broadcast are not known to the format");
  exp.setType("ScatterUpdate");
  exp.addInput(op.getInput());
  exp.addInput(op.getIndices()[0]);
  exp.addInput(op.getValue());
  exp.setInt("axis", axis);
  return success();
}

/// The same at coordinates of leading axes.
static LogicalResult importScatterNdUpdate(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  if (failed(type) || failed(getCoordinates(imp, 1, type->getRank())))
    return failure();
  return finish(imp, makeScatter(imp, imp.getOperand(0), imp.getOperand(1),
                                 imp.getOperand(2)));
}

/// Values at coordinates (a vector of them for a vector), a default elsewhere.
static LogicalResult importSparseToDense(OpImporter &imp) {
  if (failed(imp.expectOperands(4, 4)))
    return failure();
  FailureOr<SmallVector<int64_t>> shape = getInts(imp, 1, "output_shape");
  FailureOr<RankedTensorType> indices = getStaticType(imp, 0);
  if (failed(shape) || failed(indices))
    return failure();
  auto rank = static_cast<int64_t>(shape->size());
  int64_t length = indices->getRank() == 2 ? indices->getDimSize(1) : 1;
  if (indices->getRank() > 2 || length != rank)
    return imp.emitError() << "indices of type " << *indices
                           << " do not address a tensor of rank " << rank;
  int64_t count = indices->getRank() == 0 ? 1 : indices->getDimSize(0);
  Value base = makeBroadcast(imp, imp.getOperand(3), *shape);
  Value table = makeReshape(imp, imp.getOperand(0), {count, length});
  return finish(imp, makeScatter(imp, base, table, imp.getOperand(2)));
}

//===----------------------------------------------------------------------===//
// One element per place
//===----------------------------------------------------------------------===//

/// The coordinates of the elements that an index tensor names along an axis:
/// their own place along the others.
static SmallVector<Value> makePlaces(OpImporter &imp, Value indices,
                                     int64_t axis) {
  auto type = cast<RankedTensorType>(indices.getType());
  SmallVector<Value> places;
  for (auto [k, dim] : llvm::enumerate(type.getShape())) {
    if (static_cast<int64_t>(k) == axis) {
      places.push_back(toI32(imp, indices));
      continue;
    }
    SmallVector<int64_t> shape(type.getRank(), 1);
    shape[k] = dim;
    places.push_back(makeIota(imp, shape, imp.builder.getI32Type()));
  }
  return places;
}

/// The axis of such an op, checked against its operands.
static FailureOr<int64_t> readElementAxis(OpImporter &imp, StringRef name) {
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<RankedTensorType> indices = getStaticType(imp, 1);
  FailureOr<int64_t> axis = imp.getInt(name, 0);
  if (failed(type) || failed(indices) || failed(axis))
    return failure();
  if (indices->getRank() != type->getRank())
    return imp.emitError() << "indices of type " << *indices
                           << " do not address elements of " << *type;
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  for (int64_t k = 0; k < type->getRank(); ++k)
    if (k != *axis && indices->getDimSize(k) > type->getDimSize(k))
      return imp.emitError() << "indices of type " << *indices
                             << " do not address elements of " << *type;
  return axis;
}

static LogicalResult importGatherElements(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<int64_t> axis = readElementAxis(imp, "dim");
  if (failed(axis))
    return failure();
  SmallVector<Value> operands{imp.getOperand(0)};
  llvm::append_range(operands, makePlaces(imp, imp.getOperand(1), *axis));
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, operands.size() - 1));
  return finish(imp, make<nn::IndexOp>(imp, operands,
                                       getIndexItems<nn::IndexOp>(imp, axes)));
}

static LogicalResult importScatterElements(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<std::string> reduction = imp.getString("reduction", "none");
  FailureOr<int64_t> axis = readElementAxis(imp, "axis");
  if (failed(reduction) || failed(axis))
    return failure();
  if (*reduction != "none")
    return imp.decline("a scatter that combines values");
  SmallVector<Value> operands{imp.getOperand(0), imp.getOperand(2)};
  llvm::append_range(operands, makePlaces(imp, imp.getOperand(1), *axis));
  SmallVector<int64_t> axes =
      llvm::to_vector(llvm::seq<int64_t>(0, operands.size() - 2));
  return finish(imp,
                make<nn::IndexPutOp>(imp, operands,
                                     getIndexItems<nn::IndexPutOp>(imp, axes)));
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// `on` where the index is that of the place along the new axis, else `off`.
static LogicalResult importOneHot(OpImporter &imp) {
  if (failed(imp.expectOperands(4, 4)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> depth = getInt(imp, 1, "depth");
  FailureOr<int64_t> attribute = imp.getInt("axis", -1);
  if (failed(type) || failed(depth) || failed(attribute))
    return failure();
  FailureOr<int64_t> axis = getAxis(imp, *attribute, type->getRank() + 1);
  if (failed(axis))
    return failure();
  if (*depth < 1 || *depth > INT32_MAX)
    return imp.emitError() << "a depth of " << *depth;
  SmallVector<int64_t> shape(type->getShape());
  shape.insert(shape.begin() + *axis, 1);
  SmallVector<int64_t> places(shape.size(), 1);
  places[*axis] = *depth;
  Type i32 = imp.builder.getI32Type();
  Value index = makeReshape(imp, toI32(imp, imp.getOperand(0)), shape);
  Value mask =
      makeComparison<nn::EqualOp>(imp, index, makeIota(imp, places, i32));
  return finish(imp,
                makeSelect(imp, mask, imp.getOperand(2), imp.getOperand(3)));
}

/// A vector as condition of tensors of higher rank chooses their rows; CANN's
/// SelectV2 broadcasts like numpy instead.
static LogicalResult importSelect(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> mask = getStaticType(imp, 0);
  FailureOr<RankedTensorType> type = getStaticType(imp, 1);
  if (failed(mask) || failed(type))
    return failure();
  Value condition = imp.getOperand(0);
  if (imp.getType() == "Select" && mask->getRank() == 1 &&
      type->getRank() > 1) {
    SmallVector<int64_t> shape(type->getRank(), 1);
    shape[0] = mask->getDimSize(0);
    condition = makeReshape(imp, condition, shape);
  }
  return finish(
      imp, makeSelect(imp, condition, imp.getOperand(1), imp.getOperand(2)));
}

static LogicalResult exportSelect(OpExporter &exp) {
  auto op = cast<nn::SelectOp>(exp.getSource());
  exp.setType("Select");
  exp.addInput(op.getMask());
  exp.addInput(op.getOnTrue());
  exp.addInput(op.getOnFalse());
  return success();
}

static LogicalResult importMaskedFill(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  return finish(imp, makeSelect(imp, imp.getOperand(1), imp.getOperand(2),
                                imp.getOperand(0)));
}

/// What lies on or below (`isLower`), or on or above a diagonal of matrices;
/// zeros elsewhere.
template <bool isLower> static LogicalResult importTriangle(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> diagonal = imp.getInt("diagonal", 0);
  if (failed(type) || failed(diagonal))
    return failure();
  if (type->getRank() < 2)
    return imp.emitError() << "input has rank " << type->getRank()
                           << ", expected at least 2";
  if (*diagonal < INT32_MIN / 2 || *diagonal > INT32_MAX / 2)
    return imp.emitError() << "attribute 'diagonal' is " << *diagonal;
  ArrayRef<int64_t> matrix = type->getShape().take_back(2);
  Type i32 = imp.builder.getI32Type();
  Value row = makeIota(imp, {matrix[0], 1}, i32);
  Value column = makeIota(imp, {1, matrix[1]}, i32);
  row = make<nn::AddOp>(
      imp, {row, makeNumber(imp, static_cast<double>(*diagonal), i32)});
  Value mask = isLower ? makeComparison<nn::LessEqualOp>(imp, column, row)
                       : makeComparison<nn::LessEqualOp>(imp, row, column);
  Value x = imp.getOperand(0);
  return finish(imp, makeSelect(imp, mask, x, makeNumber(imp, 0, x)));
}

/// The coordinates of elements that are not zero, one row each unless
/// `transpose` asks for columns; their number is known at run time only.
static LogicalResult importNonZero(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<bool> inColumns = imp.getBool("transpose", false);
  FailureOr<int64_t> dtype = imp.getInt("dtype", 9);
  if (failed(inColumns) || failed(dtype))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  if (!isa_and_nonnull<IntegerType>(element))
    return imp.emitError() << "element type " << *dtype
                           << " of attribute 'dtype' is no integer";
  Value places = make<nn::NonZeroOp>(imp, {imp.getOperand(0)});
  if (!*inColumns)
    places = makeTranspose(imp, places, {1, 0});
  return finish(imp, makeCast(imp, places, element));
}

void modelwright::ge::registerIndexOps(OpRegistry &registry) {
  registry.addImport<nn::IndexOp, nn::SliceOp>(
      {"GatherV2D", "Gather", "BatchReindex", "Embedding"}, importGather);
  registry.addImport<nn::IndexOp, nn::SliceOp>({"GatherV2"}, importGatherV2);
  registry.addExport<nn::IndexOp>(exportIndex);
  registry.addExport<nn::MeshIndexOp>(exportMeshIndex);
  registry.addImport<nn::GatherNDOp, nn::IndexOp>({"GatherNd"}, importGatherNd);
  registry.addExport<nn::GatherNDOp>(exportGatherND);
  registry.addImport<nn::BroadcastToOp, nn::IndexPutOp>({"ScatterNd"},
                                                        importScatterNd);
  registry.addImport<nn::IndexPutOp>({"ScatterUpdate"}, importScatterUpdate);
  registry.addExport<nn::IndexPutOp>(exportIndexPut);
  registry.addImport<nn::IndexPutOp>({"ScatterNdUpdate"},
                                     importScatterNdUpdate);
  registry.addImport<nn::BroadcastToOp, nn::IndexPutOp>({"SparseToDense"},
                                                        importSparseToDense);
  registry.addImport<nn::EqualOp, nn::SelectOp>({"OneHot"}, importOneHot);
  registry.addImport<nn::SelectOp>({"Select", "SelectV2"}, importSelect);
  registry.addExport<nn::SelectOp>(exportSelect);
  registry.addImport<nn::SelectOp>({"MaskedFill"}, importMaskedFill);
  registry.addImport<nn::IndexOp>({"GatherElements"}, importGatherElements);
  registry.addImport<nn::IndexPutOp>({"ScatterElements"},
                                     importScatterElements);
  registry.addImport<nn::LessEqualOp, nn::SelectOp>({"Tril"},
                                                    importTriangle<true>);
  registry.addImport<nn::LessEqualOp, nn::SelectOp>({"Triu"},
                                                    importTriangle<false>);
  registry.addImport<nn::NonZeroOp, nn::TransposeOp, nn::CastOp>(
      {"NonZero", "Where"}, importNonZero);
}
