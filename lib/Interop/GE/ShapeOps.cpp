//===- ShapeOps.cpp - GE shape ops ----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

/// A reshape whose result shape is known now.
static LogicalResult createStaticReshape(OpImporter &imp,
                                         ArrayRef<int64_t> shape) {
  return imp.create<nn::ReshapeOp>(
      {imp.getOperand(0), imp.createConstantInts(shape)});
}

/// Resolves dims of 0 (a copy) and -1 (what is left) of a shape that replaces
/// the dims `replaced`.
static LogicalResult resolveShape(OpImporter &imp, ArrayRef<int64_t> replaced,
                                  SmallVector<int64_t> &target) {
  int64_t inferred = -1;
  for (auto [k, dim] : llvm::enumerate(target)) {
    if (dim == 0) {
      if (k >= replaced.size())
        return imp.emitError()
               << "dim " << k << " of the shape copies one that "
               << "the input does not have";
      dim = replaced[k];
    } else if (dim == -1) {
      if (inferred >= 0)
        return imp.emitError() << "the shape has two dims of -1";
      inferred = k;
    } else if (dim < 0) {
      return imp.emitError() << "the shape has a dim of " << dim;
    }
  }
  if (inferred < 0)
    return success();
  target[inferred] = 1;
  int64_t rest = multiply(target), count = multiply(replaced);
  if (rest <= 0 || count < 0 || count % rest != 0)
    return imp.emitError() << "the shape does not fit the input's " << count
                           << " elements";
  target[inferred] = count / rest;
  return success();
}

static LogicalResult importReshape(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("axis", 0);
  FailureOr<int64_t> numAxes = imp.getInt("num_axes", -1);
  FailureOr<RankedTensorType> input = getStaticType(imp, 0);
  if (failed(axis) || failed(numAxes) || failed(input))
    return failure();
  FailureOr<SmallVector<int64_t>> target = imp.getInts("shape", {});
  if (imp.getOperand(1))
    target = getInts(imp, 1, "shape");
  if (failed(target))
    return failure();
  // The shape replaces `num_axes` dims from `axis` on.
  int64_t rank = input->getRank();
  int64_t begin = *axis < 0 ? *axis + rank + 1 : *axis;
  if (begin < 0 || begin > rank || *numAxes < -1 || *numAxes > rank - begin)
    return imp.emitError() << *numAxes << " axes from " << *axis
                           << " on are no range of rank " << rank;
  int64_t count = *numAxes == -1 ? rank - begin : *numAxes;
  ArrayRef<int64_t> dims = input->getShape();
  if (failed(resolveShape(imp, dims.slice(begin, count), *target)))
    return failure();
  SmallVector<int64_t> shape(dims.take_front(begin));
  llvm::append_range(shape, *target);
  llvm::append_range(shape, dims.drop_front(begin + count));
  return createStaticReshape(imp, shape);
}

static LogicalResult importFlatten(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> begin = imp.getInt("axis", 1);
  FailureOr<int64_t> end = imp.getInt("end_axis", -1);
  FailureOr<RankedTensorType> input = getStaticType(imp, 0);
  if (failed(begin) || failed(end) || failed(input))
    return failure();
  int64_t rank = input->getRank();
  if (*begin < 0)
    *begin += rank;
  if (*end < 0)
    *end += rank;
  if (*begin < 0 || *begin > *end || *end >= rank)
    return imp.emitError() << "axes " << *begin << " to " << *end
                           << " are no range of rank " << rank;
  ArrayRef<int64_t> dims = input->getShape();
  SmallVector<int64_t> shape(dims.take_front(*begin));
  shape.push_back(multiply(dims.slice(*begin, *end - *begin + 1)));
  llvm::append_range(shape, dims.drop_front(*end + 1));
  return createStaticReshape(imp, shape);
}

/// The axes of an op that has them as input 1 (the newest name of it) or as an
/// attribute.
static FailureOr<SmallVector<int64_t>> getAxes(OpImporter &imp,
                                               StringRef name) {
  if (imp.getOperand(1))
    return getInts(imp, 1, name);
  return imp.getInts(name, {});
}

static LogicalResult importSqueeze(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> axes = getAxes(imp, "axis");
  FailureOr<RankedTensorType> input = getStaticType(imp, 0);
  if (failed(axes) || failed(input))
    return failure();
  llvm::SmallDenseSet<int64_t> dropped;
  for (int64_t axis : *axes) {
    FailureOr<int64_t> position = getAxis(imp, axis, input->getRank());
    if (failed(position))
      return failure();
    if (input->getDimSize(*position) != 1)
      return imp.emitError() << "axis " << axis << " is no dim of size 1";
    dropped.insert(*position);
  }
  SmallVector<int64_t> shape;
  for (auto [k, dim] : llvm::enumerate(input->getShape()))
    if (axes->empty() ? dim != 1 : !dropped.contains(k))
      shape.push_back(dim);
  return createStaticReshape(imp, shape);
}

/// New dims of 1 at axes of the result.
static LogicalResult createExpanded(OpImporter &imp, ArrayRef<int64_t> axes) {
  FailureOr<RankedTensorType> input = getStaticType(imp, 0);
  if (failed(input))
    return failure();
  auto rank = input->getRank() + static_cast<int64_t>(axes.size());
  llvm::SmallDenseSet<int64_t> added;
  for (int64_t axis : axes) {
    FailureOr<int64_t> position = getAxis(imp, axis, rank);
    if (failed(position))
      return failure();
    if (!added.insert(*position).second)
      return imp.emitError() << "axis " << axis << " is added twice";
  }
  SmallVector<int64_t> shape;
  ArrayRef<int64_t> rest = input->getShape();
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (added.contains(axis)) {
      shape.push_back(1);
      continue;
    }
    shape.push_back(rest.front());
    rest = rest.drop_front();
  }
  return createStaticReshape(imp, shape);
}

static LogicalResult importExpandDims(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<int64_t> axis = getInt(imp, 1, "axis");
  if (failed(axis))
    return failure();
  return createExpanded(imp, {*axis});
}

/// CANN's names: Unsqueeze has an attribute `axes`, V2 one `axis`, V3 an input.
static LogicalResult importUnsqueeze(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> axes =
      getAxes(imp, imp.getType() == "UnsqueezeV2" ? "axis" : "axes");
  if (failed(axes))
    return failure();
  return createExpanded(imp, *axes);
}

static LogicalResult exportReshape(OpExporter &exp) {
  auto op = cast<nn::ReshapeOp>(exp.getSource());
  exp.setType("Reshape");
  exp.addInput(op.getInput());
  // The same shape spelled with a dim to infer is the shape itself, and so is
  // one that a long computation finds out.
  auto type = dyn_cast<RankedTensorType>(op.getType());
  bool isStatic = type && type.hasStaticShape();
  if (isStatic &&
      (op.getInferredAxis() || !op.getShape().getDefiningOp<nn::ConstantOp>()))
    exp.addInts(type.getShape());
  else if (op.getInferredAxis())
    return exp.refuse("its shape is not known");
  else
    exp.addInput(op.getShape());
  return success();
}

static LogicalResult exportExpandSqueeze(OpExporter &exp) {
  auto op = cast<nn::ExpandSqueezeOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (!type || !type.hasStaticShape())
    return exp.refuse("its shape is not known");
  exp.setType("Reshape");
  exp.addInput(op.getInput());
  exp.addInts(type.getShape());
  return success();
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// An empty order reverses the axes.
static LogicalResult createTranspose(OpImporter &imp, StringRef name,
                                     SmallVector<int64_t> order) {
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type)
    return imp.decline("a permutation of unknown rank");
  if (order.empty() || (order.size() == 1 && order.front() == -1)) {
    order.clear();
    for (int64_t k = type.getRank(); k-- > 0;)
      order.push_back(k);
  }
  if (static_cast<int64_t>(order.size()) != type.getRank() ||
      llvm::any_of(order, [](int64_t axis) { return axis < 0; }))
    return imp.emitError() << "'" << name << "' is no permutation of rank "
                           << type.getRank();
  return finish(imp, makeTranspose(imp, imp.getOperand(0), order));
}

static LogicalResult importPermute(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  // CANN's TransposeD calls it `perm`.
  StringRef name = imp.getType() == "TransposeD" ? "perm" : "order";
  FailureOr<SmallVector<int64_t>> order = imp.getInts(name, {});
  if (failed(order))
    return failure();
  return createTranspose(imp, name, *order);
}

static LogicalResult importTranspose(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> order = getInts(imp, 1, "perm");
  if (failed(order))
    return failure();
  return createTranspose(imp, "perm", *order);
}

static LogicalResult exportTranspose(OpExporter &exp) {
  auto op = cast<nn::TransposeOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return exp.refuse("its rank is not known");
  exp.addInput(op.getInput());
  bool isPermutation =
      type.getRank() == static_cast<int64_t>(op.getPermutation().size()) &&
      !llvm::is_contained(op.getPermutation(), -1);
  if (isPermutation) {
    exp.setType("Permute");
    exp.setInts("order", op.getPermutation());
    return success();
  }
  // New and dropped dims of 1 move no element when the others stay in order.
  SmallVector<int64_t> kept;
  for (int64_t axis : op.getPermutation())
    if (axis >= 0 && type.getDimSize(axis) != 1)
      kept.push_back(axis);
  auto result = dyn_cast<RankedTensorType>(op.getType());
  if (!llvm::is_sorted(kept) || !result || !result.hasStaticShape())
    return exp.refuse("it adds or drops axes while it moves others");
  exp.setType("Reshape");
  exp.addInts(result.getShape());
  return success();
}

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

/// Converts i32 results to the type in attribute `dtype`.
static LogicalResult finishIntegers(OpImporter &imp, Value value) {
  FailureOr<int64_t> dtype = imp.getInt("dtype", 3);
  if (failed(dtype))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  if (!isa_and_nonnull<IntegerType>(element))
    return imp.emitError() << "element type " << *dtype
                           << " of attribute 'dtype' is no integer";
  return finish(imp, makeCast(imp, value, element));
}

static LogicalResult importShape(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return finishIntegers(imp, make<nn::ShapeOfOp>(imp, {imp.getOperand(0)}));
}

/// The number of elements: the product of the shape.
static LogicalResult importSize(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  Value shape = make<nn::ShapeOfOp>(imp, {imp.getOperand(0)});
  Value count = makeReduce<nn::ReduceProdOp>(imp, shape, {0});
  return finishIntegers(imp, makeReshape(imp, count, {}));
}

/// The rank: the shape of the shape.
static LogicalResult importRank(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  Value shape = make<nn::ShapeOfOp>(imp, {imp.getOperand(0)});
  Value rank = make<nn::ShapeOfOp>(imp, {shape});
  return finish(imp, makeReshape(imp, rank, {}));
}

static LogicalResult exportShapeOf(OpExporter &exp) {
  auto op = cast<nn::ShapeOfOp>(exp.getSource());
  if (op.getInputs().size() != 1 || op.getAxis())
    return exp.refuse("only the whole shape of one tensor is known to the "
                      "format");
  exp.setType("Shape");
  exp.addInput(op.getInputs().front());
  exp.setInt("dtype", 3);
  return success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static LogicalResult importIdentity(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return imp.create<nn::CopyOp>({imp.getOperand(0)});
}

/// Within one device a copy is the identity.
static LogicalResult exportCopy(OpExporter &exp) {
  exp.setType("Identity");
  exp.addInput(exp.getSource()->getOperand(0));
  return success();
}

void modelwright::ge::registerShapeOps(OpRegistry &registry) {
  registry.addImport<nn::ReshapeOp>({"Reshape"}, importReshape);
  registry.addImport<nn::ReshapeOp>({"Flatten", "FlattenV2"}, importFlatten);
  registry.addImport<nn::ReshapeOp>({"Squeeze", "SqueezeV2", "SqueezeV3"},
                                    importSqueeze);
  registry.addImport<nn::ReshapeOp>({"ExpandDims"}, importExpandDims);
  registry.addImport<nn::ReshapeOp>({"Unsqueeze", "UnsqueezeV2", "UnsqueezeV3"},
                                    importUnsqueeze);
  registry.addExport<nn::ReshapeOp>(exportReshape);
  registry.addExport<nn::ExpandSqueezeOp>(exportExpandSqueeze);
  registry.addImport<nn::TransposeOp>({"Permute", "TransposeD"}, importPermute);
  registry.addImport<nn::TransposeOp>({"Transpose"}, importTranspose);
  registry.addExport<nn::TransposeOp>(exportTranspose);
  registry.addImport<nn::ShapeOfOp>({"Shape"}, importShape);
  registry.addExport<nn::ShapeOfOp>(exportShapeOf);
  registry.addImport<nn::ShapeOfOp, nn::ReduceProdOp, nn::ReshapeOp>(
      {"Size"}, importSize);
  registry.addImport<nn::ShapeOfOp, nn::ReshapeOp>({"Rank"}, importRank);
  registry.addImport<nn::CopyOp>({"Identity", "StopGradient"}, importIdentity);
  registry.addExport<nn::CopyOp>(exportCopy);
  registry.addExport<nn::IdentityOp>(exportCopy);
}
