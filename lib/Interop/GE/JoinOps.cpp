//===- JoinOps.cpp - GE joins, parts and repetitions ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// Whether `value` may be the axis of a concatenation of things like `other`.
static bool isAxis(OpImporter &imp, Value value, Value other) {
  nn::KnownInts known = imp.getKnownInts(value);
  Type element = nn::getElementType(value.getType());
  return known && known->size() == 1 &&
         (element.isInteger(32) || element.isInteger(64)) &&
         value.getType() != other.getType();
}

static LogicalResult importConcat(OpImporter &imp) {
  FailureOr<int64_t> axis = imp.getInt("concat_dim", 0);
  if (failed(axis))
    return failure();
  SmallVector<Value> inputs = imp.getOperands();
  if (inputs.empty())
    return imp.emitError() << "has no input";
  // HiAI's version 0 may give the axis as a constant before or after the
  // tensors as well; in CANN, Concat has it in front and ConcatV2 behind, and
  // no attribute.
  if (imp.getType() != "ConcatD" && inputs.size() > 1) {
    Value dropped;
    if (isAxis(imp, inputs.back(), inputs.front())) {
      dropped = inputs.pop_back_val();
    } else if (isAxis(imp, inputs.front(), inputs.back())) {
      dropped = inputs.front();
      inputs.erase(inputs.begin());
    }
    if (dropped && !imp.has("concat_dim"))
      axis = imp.getKnownInts(dropped)->front();
    else if (!dropped && !imp.has("concat_dim"))
      return imp.decline("a concatenation along a computed axis");
  }
  nn::ConcatOp::Properties properties;
  properties.axis = imp.i64(*axis);
  return imp.create<nn::ConcatOp>(inputs, properties);
}

static LogicalResult exportConcat(OpExporter &exp) {
  auto op = cast<nn::ConcatOp>(exp.getSource());
  exp.setType("ConcatD");
  for (Value input : op.getInputs())
    exp.addInput(input);
  exp.setInt("concat_dim", op.getAxis());
  exp.setInt("N", op.getInputs().size());
  return success();
}

/// Stacks tensors of one shape along a new axis.
static LogicalResult importPack(OpImporter &imp) {
  SmallVector<Value> inputs = imp.getOperands();
  if (inputs.empty())
    return imp.emitError() << "has no input";
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> attribute = imp.getInt("axis", 0);
  if (failed(type) || failed(attribute))
    return failure();
  FailureOr<int64_t> axis = getAxis(imp, *attribute, type->getRank() + 1);
  if (failed(axis))
    return failure();
  SmallVector<int64_t> shape(type->getShape());
  shape.insert(shape.begin() + *axis, 1);
  for (Value &input : inputs) {
    if (input.getType() != *type)
      return imp.emitError()
             << "stacks " << *type << " and " << input.getType();
    input = makeReshape(imp, input, shape);
  }
  return finish(imp, makeConcat(imp, inputs, *axis));
}

//===----------------------------------------------------------------------===//
// Splits
//===----------------------------------------------------------------------===//

/// Parts of the first tensor that is no axis, along an axis counted from the
/// front.
static FailureOr<nn::SplitOp> createSplit(OpImporter &imp, Value input,
                                          int64_t axis,
                                          ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(input.getType());
  SmallVector<Value> operands{input};
  llvm::SmallDenseMap<int64_t, Value> constants;
  SmallVector<Type> types;
  for (int64_t size : sizes) {
    Value &constant = constants[size];
    if (!constant)
      constant = imp.createConstantInts({size});
    operands.push_back(constant);
    SmallVector<int64_t> part(type.getShape());
    part[axis] = size;
    types.push_back(RankedTensorType::get(part, type.getElementType()));
  }
  nn::SplitOp::Properties properties;
  properties.axis = imp.i64(axis);
  return imp.createWithTypes<nn::SplitOp>(types, operands, properties);
}

/// The number of parts is a count of results to make: bounded by the dim.
static LogicalResult checkCount(OpImporter &imp, int64_t count, int64_t dim) {
  if (count >= 1 && count <= dim && dim % count == 0)
    return success();
  return imp.emitError() << "a dim of " << dim << " does not split into "
                         << count << " equal parts";
}

static LogicalResult importSplit(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("split_dim", 0);
  FailureOr<int64_t> count = imp.getInt("num_split", 1);
  if (failed(axis) || failed(count))
    return failure();
  // CANN's Split has the axis as its first input; so may HiAI's version 0,
  // beside the attribute.
  size_t position = imp.getOperand(1) ? 1 : 0;
  if (position == 1) {
    axis = getInt(imp, 0, "split_dim");
    if (failed(axis))
      return failure();
  }
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(position).getType());
  if (!type)
    return imp.decline("a split of unknown rank");
  axis = getAxis(imp, *axis, type.getRank());
  if (failed(axis))
    return failure();
  int64_t dim = type.getDimSize(*axis);
  if (ShapedType::isDynamic(dim))
    return imp.decline("a split of an unknown dim");
  if (failed(checkCount(imp, *count, dim)))
    return failure();
  SmallVector<int64_t> sizes(*count, dim / *count);
  return createSplit(imp, imp.getOperand(position), *axis, sizes);
}

static LogicalResult importSplitV(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<SmallVector<int64_t>> sizes = getInts(imp, 1, "size_splits");
  FailureOr<int64_t> axis = getInt(imp, 2, "split_dim");
  if (failed(sizes) || failed(axis))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type)
    return imp.decline("a split of unknown rank");
  axis = getAxis(imp, *axis, type.getRank());
  FailureOr<int64_t> count = imp.getInt("num_split", sizes->size());
  if (failed(axis) || failed(count))
    return failure();
  if (sizes->empty() || *count != static_cast<int64_t>(sizes->size()))
    return imp.emitError() << "has " << sizes->size() << " sizes for " << *count
                           << " parts";
  int64_t dim = type.getDimSize(*axis);
  if (ShapedType::isDynamic(dim))
    return imp.decline("a split of an unknown dim");
  // One size may be what the others leave.
  int64_t *rest = nullptr, left = dim;
  for (int64_t &size : *sizes) {
    if (size == -1 && !std::exchange(rest, &size))
      continue;
    if (size < 0 || size > left)
      return imp.emitError() << "the sizes do not add up to a dim of " << dim;
    left -= size;
  }
  if (rest)
    *rest = left;
  else if (left != 0)
    return imp.emitError() << "the sizes do not add up to a dim of " << dim;
  if (llvm::is_contained(*sizes, 0))
    return imp.decline("an empty part");
  return createSplit(imp, imp.getOperand(0), *axis, *sizes);
}

/// Splits an axis into its elements, which lose it.
static LogicalResult importUnpack(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> attribute = imp.getInt("axis", 0);
  if (failed(type) || failed(attribute))
    return failure();
  FailureOr<int64_t> axis = getAxis(imp, *attribute, type->getRank());
  if (failed(axis))
    return failure();
  int64_t dim = type->getDimSize(*axis);
  FailureOr<int64_t> count = imp.getInt("num", dim);
  if (failed(count))
    return failure();
  if (*count != dim || dim == 0)
    return imp.emitError() << "axis " << *attribute << " has " << dim
                           << " elements, attribute 'num' is " << *count;
  SmallVector<int64_t> sizes(dim, 1);
  FailureOr<nn::SplitOp> split =
      createSplit(imp, imp.getOperand(0), *axis, sizes);
  if (failed(split))
    return failure();
  SmallVector<int64_t> shape(type->getShape());
  shape.erase(shape.begin() + *axis);
  SmallVector<Value> results;
  for (Value part : split->getResults())
    results.push_back(makeReshape(imp, part, shape));
  return finish(imp, results);
}

static LogicalResult exportSplit(OpExporter &exp) {
  auto op = cast<nn::SplitOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type || op.getResults().empty())
    return exp.refuse("its shape is not known");
  int64_t axis = op.getAxis() < 0 ? op.getAxis() + type.getRank()
                                  : static_cast<int64_t>(op.getAxis());
  SmallVector<int64_t> sizes;
  for (Value result : op.getResults()) {
    auto part = dyn_cast<RankedTensorType>(result.getType());
    if (!part || ShapedType::isDynamic(part.getDimSize(axis)))
      return exp.refuse("its shape is not known");
    sizes.push_back(part.getDimSize(axis));
  }
  exp.addInput(op.getInput());
  if (llvm::all_equal(sizes)) {
    exp.setType("SplitD");
    exp.setInt("split_dim", axis);
  } else {
    exp.setType("SplitV");
    exp.addInts(sizes);
    exp.addInt(axis);
  }
  exp.setInt("num_split", sizes.size());
  return success();
}

//===----------------------------------------------------------------------===//
// Repetitions
//===----------------------------------------------------------------------===//

static LogicalResult importTile(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> multiples = getInts(imp, 1, "multiples");
  if (failed(type) || failed(multiples))
    return failure();
  if (static_cast<int64_t>(multiples->size()) != type->getRank())
    return imp.emitError() << "has " << multiples->size()
                           << " multiples for rank " << type->getRank();
  Value value = imp.getOperand(0);
  SmallVector<int64_t> shape(type->getShape());
  for (auto [axis, count] : llvm::enumerate(*multiples)) {
    if (count == 0)
      return imp.decline("an empty repetition");
    // Sizes behind it are products that the file may make as large as it
    // likes.
    int64_t size;
    if (count < 0 || llvm::MulOverflow(shape[axis], count, size) ||
        size > INT32_MAX)
      return imp.emitError()
             << "repeats axis " << axis << " " << count << " times";
    if (count == 1)
      continue;
    // Three dims do, however many the tensor has: what is before the axis, the
    // repetitions, and the axis with what follows.
    int64_t before = multiply(ArrayRef(shape).take_front(axis));
    int64_t after = multiply(ArrayRef(shape).drop_front(axis));
    value = makeReshape(imp, value, {before, 1, after});
    value = makeBroadcast(imp, value, {before, count, after});
    shape[axis] = size;
    value = makeReshape(imp, value, shape);
    if (!value)
      return failure();
  }
  return finish(imp, value);
}

/// numpy broadcast of the input. With `both`, dims of 1 in the shape keep those
/// of the input.
template <bool both> static LogicalResult importBroadcastTo(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  if (!both && !imp.getKnownInts(imp.getOperand(1)))
    return imp.create<nn::BroadcastToOp>(imp.getOperands());
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> shape = getInts(imp, 1, "shape");
  if (failed(type) || failed(shape))
    return failure();
  auto lead = static_cast<int64_t>(shape->size()) - type->getRank();
  for (auto [k, dim] : llvm::enumerate(*shape)) {
    int64_t source = static_cast<int64_t>(k) - lead;
    bool keeps = dim == -1 || (both && dim == 1);
    if (keeps && source >= 0)
      dim = type->getDimSize(source);
    if (dim < 0)
      return imp.emitError() << "the shape has a dim of " << dim;
  }
  if (both && lead < 0)
    shape->insert(shape->begin(), type->getShape().begin(),
                  type->getShape().begin() - lead);
  return finish(imp, makeBroadcast(imp, imp.getOperand(0), *shape));
}

static LogicalResult exportBroadcastTo(OpExporter &exp) {
  auto op = cast<nn::BroadcastToOp>(exp.getSource());
  exp.setType("BroadcastTo");
  exp.addInput(op.getInput());
  // The shape may be what a long computation finds out; here it is known.
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (type && type.hasStaticShape())
    exp.addInts(type.getShape());
  else
    exp.addInput(op.getShape());
  return success();
}

/// A scalar repeated to a shape.
static LogicalResult importFill(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != 1)
    return imp.emitError() << "input 1 ('value') must be one element, got "
                           << imp.getOperand(1).getType();
  return imp.create<nn::BroadcastToOp>({imp.getOperand(1), imp.getOperand(0)});
}

/// Zeros or ones in the shape of the input.
template <int64_t number> static LogicalResult importLike(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  Value shape = make<nn::ShapeOfOp>(imp, {imp.getOperand(0)});
  return finish(imp,
                make<nn::BroadcastToOp>(
                    imp, {makeNumber(imp, number, imp.getOperand(0)), shape}));
}

/// CANN's constant; it has no input.
static LogicalResult importEye(OpImporter &imp) {
  if (failed(imp.expectOperands(0, 0)))
    return failure();
  FailureOr<int64_t> rows = imp.getInt("num_rows", 0);
  FailureOr<int64_t> columns = imp.getInt("num_columns", 0);
  FailureOr<SmallVector<int64_t>> batch = imp.getInts("batch_shape", {});
  FailureOr<int64_t> dtype = imp.getInt("dtype", 0);
  if (failed(rows) || failed(columns) || failed(batch) || failed(dtype))
    return failure();
  if (!batch->empty())
    return imp.decline("a batch of matrices");
  if (*columns == 0)
    *columns = *rows;
  if (*rows < 1 || *rows > 1 << 24 || *columns < 1 || *columns > 1 << 24)
    return imp.emitError() << "a matrix of " << *rows << "," << *columns;
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  if (!element)
    return imp.emitError() << "element type " << *dtype
                           << " of attribute 'dtype' is not supported";
  nn::EyeOp::Properties properties;
  properties.element_type = TypeAttr::get(element);
  return finish(
      imp, make<nn::EyeOp>(imp, {imp.createConstantInts({*rows, *columns})},
                           properties));
}

void modelwright::ge::registerJoinOps(OpRegistry &registry) {
  registry.addImport<nn::ConcatOp>({"ConcatD", "Concat", "ConcatV2"},
                                   importConcat);
  registry.addExport<nn::ConcatOp>(exportConcat);
  registry.addImport<nn::ReshapeOp, nn::ConcatOp>({"Pack"}, importPack);
  registry.addImport<nn::SplitOp>({"SplitD", "Split"}, importSplit);
  registry.addImport<nn::SplitOp>({"SplitV"}, importSplitV);
  registry.addImport<nn::SplitOp, nn::ReshapeOp>({"Unpack"}, importUnpack);
  registry.addExport<nn::SplitOp>(exportSplit);
  registry.addImport<nn::ReshapeOp, nn::BroadcastToOp>({"Tile"}, importTile);
  registry.addImport<nn::BroadcastToOp>({"BroadcastTo"},
                                        importBroadcastTo<false>);
  registry.addImport<nn::BroadcastToOp>({"Expand"}, importBroadcastTo<true>);
  registry.addExport<nn::BroadcastToOp>(exportBroadcastTo);
  registry.addImport<nn::BroadcastToOp>({"Fill"}, importFill);
  registry.addImport<nn::ShapeOfOp, nn::BroadcastToOp>({"OnesLike"},
                                                       importLike<1>);
  registry.addImport<nn::ShapeOfOp, nn::BroadcastToOp>({"ZerosLike"},
                                                       importLike<0>);
  registry.addImport<nn::EyeOp>({"Eye"}, importEye);
}
