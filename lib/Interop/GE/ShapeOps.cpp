//===- ShapeOps.cpp - GE shape ops ----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// The static shape of the first operand; declines without one.
static FailureOr<SmallVector<int64_t>> getStaticShape(OpImporter &imp) {
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type || !type.hasStaticShape())
    return imp.decline("an input of unknown shape");
  return SmallVector<int64_t>(type.getShape());
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

static int64_t multiply(ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims)
    product *= dim;
  return product;
}

/// A reshape whose result shape is known now.
static LogicalResult createStaticReshape(OpImporter &imp,
                                         ArrayRef<int64_t> shape) {
  return imp.create<nn::ReshapeOp>(
      {imp.getOperand(0), imp.createConstantInts(shape)});
}

static LogicalResult importReshape(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("axis", 0);
  FailureOr<int64_t> numAxes = imp.getInt("num_axes", -1);
  FailureOr<SmallVector<int64_t>> input = getStaticShape(imp);
  if (failed(axis) || failed(numAxes) || failed(input))
    return failure();
  FailureOr<SmallVector<int64_t>> target = imp.getInts("shape", {});
  if (imp.getOperand(1)) {
    nn::KnownInts known = imp.getKnownInts(imp.getOperand(1));
    if (!known)
      return imp.decline("a reshape to a computed shape");
    target = *known;
  }
  if (failed(target))
    return failure();
  if (*axis != 0 || *numAxes != -1)
    return imp.decline("a reshape of some axes only");
  int64_t inferred = -1;
  for (auto [k, dim] : llvm::enumerate(*target)) {
    if (dim == 0) {
      if (k >= input->size())
        return imp.emitError()
               << "dim " << k << " of the shape copies one that "
               << "the input does not have";
      dim = (*input)[k];
    } else if (dim == -1) {
      if (inferred >= 0)
        return imp.emitError() << "the shape has two dims of -1";
      inferred = k;
    } else if (dim < 0) {
      return imp.emitError() << "the shape has a dim of " << dim;
    }
  }
  if (inferred >= 0) {
    (*target)[inferred] = 1;
    int64_t rest = multiply(*target);
    if (rest == 0 || multiply(*input) % rest != 0)
      return imp.emitError() << "the shape does not fit the input's "
                             << multiply(*input) << " elements";
    (*target)[inferred] = multiply(*input) / rest;
  }
  return createStaticReshape(imp, *target);
}

static LogicalResult importFlatten(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> begin = imp.getInt("axis", 1);
  FailureOr<int64_t> end = imp.getInt("end_axis", -1);
  FailureOr<SmallVector<int64_t>> input = getStaticShape(imp);
  if (failed(begin) || failed(end) || failed(input))
    return failure();
  auto rank = static_cast<int64_t>(input->size());
  if (*begin < 0)
    *begin += rank;
  if (*end < 0)
    *end += rank;
  if (*begin < 0 || *begin > *end || *end >= rank)
    return imp.emitError() << "axes " << *begin << " to " << *end
                           << " are no range of rank " << rank;
  ArrayRef<int64_t> dims = *input;
  SmallVector<int64_t> shape(dims.take_front(*begin));
  shape.push_back(multiply(dims.slice(*begin, *end - *begin + 1)));
  llvm::append_range(shape, dims.drop_front(*end + 1));
  return createStaticReshape(imp, shape);
}

static LogicalResult importSqueeze(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> axes = imp.getInts("axis", {});
  FailureOr<SmallVector<int64_t>> input = getStaticShape(imp);
  if (failed(axes) || failed(input))
    return failure();
  auto rank = static_cast<int64_t>(input->size());
  llvm::SmallDenseSet<int64_t> dropped;
  for (int64_t axis : *axes) {
    int64_t position = axis < 0 ? axis + rank : axis;
    if (position < 0 || position >= rank || (*input)[position] != 1)
      return imp.emitError() << "axis " << axis << " is no dim of size 1";
    dropped.insert(position);
  }
  SmallVector<int64_t> shape;
  for (auto [k, dim] : llvm::enumerate(*input))
    if (axes->empty() ? dim != 1 : !dropped.contains(k))
      shape.push_back(dim);
  return createStaticReshape(imp, shape);
}

static LogicalResult importExpandDims(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<SmallVector<int64_t>> input = getStaticShape(imp);
  FailureOr<SmallVector<int64_t>> axis = imp.expectKnownInts(1, "axis");
  if (failed(input) || failed(axis))
    return failure();
  if (axis->size() != 1)
    return imp.emitError() << "'axis' has " << axis->size() << " elements";
  auto rank = static_cast<int64_t>(input->size());
  int64_t position =
      axis->front() < 0 ? axis->front() + rank + 1 : axis->front();
  if (position < 0 || position > rank)
    return imp.emitError() << "axis " << axis->front()
                           << " is out of range for rank " << rank;
  input->insert(input->begin() + position, 1);
  return createStaticReshape(imp, *input);
}

static LogicalResult exportReshape(OpExporter &exp) {
  auto op = cast<nn::ReshapeOp>(exp.getSource());
  exp.setType("Reshape");
  exp.addInput(op.getInput());
  // The same shape spelled with a dim to infer is the shape itself.
  auto type = dyn_cast<RankedTensorType>(op.getType());
  if (op.getInferredAxis() && type && type.hasStaticShape())
    exp.addInts(type.getShape());
  else if (op.getInferredAxis())
    return exp.refuse("its shape is not known");
  else
    exp.addInput(op.getShape());
  return success();
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

static LogicalResult importPermute(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> order = imp.getInts("order", {});
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (failed(order))
    return failure();
  if (!type)
    return imp.decline("a permutation of unknown rank");
  if (order->empty() || (order->size() == 1 && order->front() == -1)) {
    order->clear();
    for (int64_t k = type.getRank(); k-- > 0;)
      order->push_back(k);
  }
  if (static_cast<int64_t>(order->size()) != type.getRank() ||
      llvm::any_of(*order, [](int64_t axis) { return axis < 0; }))
    return imp.emitError() << "attribute 'order' is no permutation of rank "
                           << type.getRank();
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(*order);
  return imp.create<nn::TransposeOp>({imp.getOperand(0)}, properties);
}

static LogicalResult exportTranspose(OpExporter &exp) {
  auto op = cast<nn::TransposeOp>(exp.getSource());
  if (llvm::any_of(op.getPermutation(), [](int64_t axis) { return axis < 0; }))
    return exp.refuse("it adds axes");
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type ||
      type.getRank() != static_cast<int64_t>(op.getPermutation().size()))
    return exp.refuse("it drops axes");
  exp.setType("Permute");
  exp.addInput(op.getInput());
  exp.setInts("order", op.getPermutation());
  return success();
}

//===----------------------------------------------------------------------===//
// Concatenation and split
//===----------------------------------------------------------------------===//

static LogicalResult importConcat(OpImporter &imp) {
  FailureOr<int64_t> axis = imp.getInt("concat_dim", 0);
  if (failed(axis))
    return failure();
  SmallVector<Value> inputs = imp.getOperands();
  if (inputs.empty())
    return imp.emitError() << "has no input";
  // Version 0 may give the axis as a constant before or after the tensors too.
  auto isAxis = [&](Value value, Value other) {
    nn::KnownInts known = imp.getKnownInts(value);
    return known && known->size() == 1 &&
           cast<TensorType>(value.getType()).getElementType().isInteger(32) &&
           value.getType() != other.getType();
  };
  if (imp.getType() == "Concat" && inputs.size() > 1) {
    Value dropped;
    if (isAxis(inputs.back(), inputs.front()))
      dropped = inputs.pop_back_val();
    else if (isAxis(inputs.front(), inputs.back())) {
      dropped = inputs.front();
      inputs.erase(inputs.begin());
    }
    if (dropped && !imp.has("concat_dim"))
      axis = imp.getKnownInts(dropped)->front();
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

static LogicalResult importSplit(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  FailureOr<int64_t> axis = imp.getInt("split_dim", 0);
  FailureOr<int64_t> count = imp.getInt("num_split", 1);
  if (failed(axis) || failed(count))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type || imp.getOperand(1))
    return imp.decline("a split of unknown rank or of a computed axis");
  int64_t position = *axis < 0 ? *axis + type.getRank() : *axis;
  if (position < 0 || position >= type.getRank())
    return imp.emitError() << "axis " << *axis << " is out of range for "
                           << type;
  int64_t dim = type.getDimSize(position);
  if (ShapedType::isDynamic(dim))
    return imp.decline("a split of an unknown dim");
  if (*count < 1 || dim % *count != 0)
    return imp.emitError() << "a dim of " << dim << " does not split into "
                           << *count << " equal parts";
  SmallVector<Value> operands{imp.getOperand(0)};
  Value size = imp.createConstantInts({dim / *count});
  operands.append(*count, size);
  nn::SplitOp::Properties properties;
  properties.axis = imp.i64(*axis);
  SmallVector<int64_t> part(type.getShape());
  part[position] = dim / *count;
  SmallVector<Type> types(*count,
                          RankedTensorType::get(part, type.getElementType()));
  return imp.createWithTypes<nn::SplitOp>(types, operands, properties);
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
// Shapes as values
//===----------------------------------------------------------------------===//

static LogicalResult importShape(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> dtype = imp.getInt("dtype", 3);
  if (failed(dtype))
    return failure();
  if (*dtype != 3)
    return imp.decline("a shape of other integers than i32");
  return imp.create<nn::ShapeOfOp>({imp.getOperand(0)});
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

void modelwright::ge::registerShapeOps(OpRegistry &registry) {
  registry.addImport<nn::ReshapeOp>({"Reshape"}, importReshape);
  registry.addImport<nn::ReshapeOp>({"Flatten", "FlattenV2"}, importFlatten);
  registry.addImport<nn::ReshapeOp>({"Squeeze"}, importSqueeze);
  registry.addImport<nn::ReshapeOp>({"ExpandDims"}, importExpandDims);
  registry.addExport<nn::ReshapeOp>(exportReshape);
  registry.addImport<nn::TransposeOp>({"Permute"}, importPermute);
  registry.addExport<nn::TransposeOp>(exportTranspose);
  registry.addImport<nn::ConcatOp>({"ConcatD", "Concat"}, importConcat);
  registry.addExport<nn::ConcatOp>(exportConcat);
  registry.addImport<nn::SplitOp>({"SplitD", "Split"}, importSplit);
  registry.addExport<nn::SplitOp>(exportSplit);
  registry.addImport<nn::ShapeOfOp>({"Shape"}, importShape);
  registry.addExport<nn::ShapeOfOp>(exportShapeOf);
  registry.addImport<nn::CopyOp>({"Identity", "StopGradient"}, importIdentity);
}
