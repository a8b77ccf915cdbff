//===- NNShapeOps.cpp - Shape ops -----------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNShapeOps.cpp.inc"

void NNDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNShapeOps.cpp.inc"
      >();
}

namespace {
/// What is known of a shape given as data.
struct ShapeOperand {
  std::optional<int64_t> rank;
  KnownInts dims;
};
} // namespace

/// Reads a vector of dims, all of them but `ignored` not negative.
static FailureOr<ShapeOperand>
readShapeOperand(std::optional<Location> loc, Value shape, KnownValues values,
                 std::optional<int64_t> ignored = std::nullopt) {
  Type element = nn::getElementType(shape.getType());
  RankedTensorType type = getRanked(shape.getType());
  if ((type && type.getRank() > 1) ||
      !(isUnknown(element) || isa<IntegerType>(element)))
    return emitOptionalError(loc, "shape must be a vector of integers, got ",
                             shape.getType());
  ShapeOperand result;
  if (type && type.hasStaticShape())
    result.rank = type.getNumElements();
  result.dims = values(shape);
  if (!result.dims)
    return result;
  result.rank = result.dims->size();
  if (ignored && *ignored < 0)
    *ignored += *result.rank;
  for (auto [i, dim] : llvm::enumerate(*result.dims))
    if (dim < 0 && static_cast<int64_t>(i) != ignored)
      return emitOptionalError(loc, "shape has the negative dim ", dim);
  return result;
}

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

/// The shape of a slice of a ranked tensor.
static FailureOr<SmallVector<int64_t>> sliceShape(std::optional<Location> loc,
                                                  const IndexSpec &spec,
                                                  RankedTensorType input,
                                                  KnownValues values) {
  auto items = readIndexItems(loc, spec, input.getRank());
  if (failed(items))
    return failure();
  SmallVector<int64_t> dims(input.getShape());
  SmallVector<bool> dropped(dims.size(), false);
  for (const IndexItem &item : *items) {
    int64_t &dim = dims[item.axis];
    if (item.index) {
      if (failed(selectElement(loc, dim, item, values)))
        return failure();
      dropped[item.axis] = true;
      continue;
    }
    FailureOr<AxisSlice> slice = sliceAxis(loc, dim, item, values);
    if (failed(slice))
      return failure();
    dim = slice->size;
  }
  SmallVector<int64_t> shape;
  for (auto [dim, drop] : llvm::zip_equal(dims, dropped))
    if (!drop)
      shape.push_back(dim);
  // Scalars have one axis.
  if (shape.empty() && !dims.empty())
    shape.push_back(1);
  return shape;
}

LogicalResult SliceOp::inferTypes(std::optional<Location> loc, Adaptor adaptor,
                                  KnownValues values,
                                  SmallVectorImpl<Type> &types) {
  Type input = adaptor.getInput().getType();
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType ranked = getRanked(input);
  if (!ranked) {
    addUnranked(input, types);
    return readIndexItems(loc, spec, std::nullopt);
  }
  FailureOr<SmallVector<int64_t>> shape = sliceShape(loc, spec, ranked, values);
  if (failed(shape))
    return failure();
  return addRankedType(loc, *shape, ranked.getElementType(), types);
}

LogicalResult SliceUpdateOp::inferReturnTypes(MLIRContext *,
                                              std::optional<Location> loc,
                                              SliceUpdateOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  Type input = adaptor.getInput().getType();
  types.push_back(input);
  IndexSpec spec = IndexSpec::get(adaptor);
  RankedTensorType ranked = getRanked(input);
  if (!ranked)
    return readIndexItems(loc, spec, std::nullopt);
  FailureOr<SmallVector<int64_t>> shape =
      sliceShape(loc, spec, ranked, getConstantInts);
  if (failed(shape))
    return failure();
  return checkUpdate(loc, adaptor.getValue().getType(), input, *shape);
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

LogicalResult BroadcastToOp::inferTypes(std::optional<Location> loc,
                                        Adaptor adaptor, KnownValues values,
                                        SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type element = nn::getElementType(inputType);
  FailureOr<ShapeOperand> shape =
      readShapeOperand(loc, adaptor.getShape(), values);
  if (failed(shape))
    return failure();
  if (!shape->rank) {
    addUnranked(inputType, types);
    return success();
  }
  SmallVector<int64_t> dims = shape->dims.value_or(
      SmallVector<int64_t>(*shape->rank, ShapedType::kDynamic));
  RankedTensorType input = getRanked(inputType);
  if (!input)
    return addRankedType(loc, dims, element, types);
  if (input.getRank() > *shape->rank)
    return emitOptionalError(loc, "cannot broadcast ", input, " to rank ",
                             *shape->rank);
  MutableArrayRef<int64_t> targets =
      MutableArrayRef<int64_t>(dims).take_back(input.getRank());
  for (auto [dim, target] : llvm::zip_equal(input.getShape(), targets)) {
    if (dim == 1)
      continue;
    if (dimsDiffer(dim, target))
      return emitOptionalError(loc, "cannot broadcast dim ", dim, " of ", input,
                               " to ", target);
    if (ShapedType::isDynamic(target))
      target = dim;
  }
  return addRankedType(loc, dims, element, types);
}

LogicalResult TransposeOp::inferReturnTypes(MLIRContext *,
                                            std::optional<Location> loc,
                                            TransposeOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  RankedTensorType input = getRanked(inputType);
  ArrayRef<int64_t> permutation = adaptor.getPermutation();
  int64_t inputRank = adaptor.getInputRank();
  if (permutation.empty())
    return emitOptionalError(loc, "permutation is empty");
  if (inputRank < 0)
    return emitOptionalError(loc, "input_rank is negative: ", inputRank);
  if (input && inputRank != 0 && inputRank != input.getRank())
    return emitOptionalError(loc, "input has rank ", input.getRank(),
                             ", expected ", inputRank);
  std::optional<int64_t> rank;
  if (input)
    rank = input.getRank();
  else if (inputRank != 0)
    rank = inputRank;

  SmallVector<int64_t> shape;
  llvm::DenseSet<int64_t> used;
  for (int64_t axis : permutation) {
    if (axis == -1) {
      shape.push_back(1);
      continue;
    }
    if (axis < 0 || (rank && axis >= *rank))
      return emitOptionalError(loc, "permutation has axis ", axis,
                               ", expected -1 or an axis of ", inputType);
    if (!used.insert(axis).second)
      return emitOptionalError(loc, "permutation names axis ", axis, " twice");
    shape.push_back(input ? input.getDimSize(axis) : ShapedType::kDynamic);
  }
  if (input)
    for (auto [axis, dim] : llvm::enumerate(input.getShape()))
      if (!used.contains(axis) && dimsDiffer(dim, 1))
        return emitOptionalError(loc, "cannot drop axis ", axis, " of size ",
                                 dim);
  return addRankedType(loc, shape, nn::getElementType(inputType), types);
}

LogicalResult
ExpandSqueezeOp::inferReturnTypes(MLIRContext *, std::optional<Location> loc,
                                  ExpandSqueezeOp::Adaptor adaptor,
                                  SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  ArrayRef<int64_t> axes = adaptor.getAxes();
  ArrayRef<bool> squeeze = adaptor.getSqueeze();
  if (axes.size() != squeeze.size())
    return emitOptionalError(loc, "got ", axes.size(), " axes and ",
                             squeeze.size(), " squeeze flags");
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    types.push_back(inputType);
    return success();
  }
  SmallVector<int64_t> shape(input.getShape());
  for (auto [position, removes] : llvm::zip_equal(axes, squeeze)) {
    int64_t rank = shape.size();
    FailureOr<int64_t> axis =
        normalizeAxis(loc, position, removes ? rank : rank + 1);
    if (failed(axis))
      return failure();
    if (!removes) {
      shape.insert(shape.begin() + *axis, 1);
      continue;
    }
    if (dimsDiffer(shape[*axis], 1))
      return emitOptionalError(loc, "cannot squeeze axis ", *axis, " of size ",
                               shape[*axis]);
    if (rank > 1)
      shape.erase(shape.begin() + *axis);
    else
      shape[*axis] = 1;
  }
  return addRankedType(loc, shape, input.getElementType(), types);
}

/// Sets the dim of a reshape that follows from the number of elements.
static LogicalResult inferAxis(std::optional<Location> loc, int64_t axis,
                               RankedTensorType input,
                               MutableArrayRef<int64_t> dims) {
  dims[axis] = 1;
  std::optional<int64_t> others = multiplyDims(dims);
  dims[axis] = ShapedType::kDynamic;
  if (!others)
    return emitOptionalError(loc, "the result has too many elements");
  if (!input || !input.hasStaticShape() || ShapedType::isDynamic(*others))
    return success();
  std::optional<int64_t> count = multiplyDims(input.getShape());
  if (!count)
    return emitOptionalError(loc, "the input has too many elements");
  if (*others == 0 || *count % *others != 0)
    return emitOptionalError(loc, "cannot infer axis ", axis, ": ", *count,
                             " elements do not divide by ", *others);
  dims[axis] = *count / *others;
  return success();
}

LogicalResult ReshapeOp::inferTypes(std::optional<Location> loc,
                                    Adaptor adaptor, KnownValues values,
                                    SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  Type element = nn::getElementType(inputType);
  std::optional<int64_t> axis = adaptor.getInferredAxis();
  FailureOr<ShapeOperand> shape =
      readShapeOperand(loc, adaptor.getShape(), values, axis);
  if (failed(shape))
    return failure();
  if (!shape->rank) {
    addUnranked(inputType, types);
    return success();
  }
  int64_t position = 0;
  if (axis) {
    FailureOr<int64_t> normal = normalizeAxis(loc, *axis, *shape->rank);
    if (failed(normal))
      return failure();
    position = *normal;
  }
  RankedTensorType input = getRanked(inputType);
  if (!shape->dims)
    return addRankedType(
        loc, SmallVector<int64_t>(*shape->rank, ShapedType::kDynamic), element,
        types);
  SmallVector<int64_t> dims = *shape->dims;
  if (axis) {
    if (failed(inferAxis(loc, position, input, dims)))
      return failure();
  } else if (input && input.hasStaticShape() &&
             multiplyDims(dims) != multiplyDims(input.getShape())) {
    return emitOptionalError(loc, "cannot reshape ", input, " to ",
                             RankedTensorType::get(dims, element));
  }
  return addRankedType(loc, dims, element, types);
}

//===----------------------------------------------------------------------===//
// Joins and parts
//===----------------------------------------------------------------------===//

LogicalResult ConcatOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> loc,
                                         ConcatOp::Adaptor adaptor,
                                         SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "needs an input");
  Type element;
  SmallVector<int64_t> shape;
  bool hasRank = false, hasUnranked = false;
  int64_t axis = 0;
  for (auto [i, input] : llvm::enumerate(adaptor.getInputs())) {
    Type inputElement = nn::getElementType(input.getType());
    if (!element || isUnknown(element))
      element = inputElement;
    else if (failed(checkElementType(loc, "every input", input.getType(),
                                     element)))
      return failure();
    RankedTensorType ranked = getRanked(input.getType());
    if (!ranked) {
      hasUnranked = true;
      continue;
    }
    if (!hasRank) {
      hasRank = true;
      FailureOr<int64_t> normal =
          normalizeAxis(loc, adaptor.getAxis(), ranked.getRank());
      if (failed(normal))
        return failure();
      axis = *normal;
      shape.assign(ranked.getShape().begin(), ranked.getShape().end());
      continue;
    }
    if (ranked.getRank() != static_cast<int64_t>(shape.size()))
      return emitOptionalError(loc, "input ", i, " has rank ", ranked.getRank(),
                               ", expected ", shape.size());
    for (auto [k, dim] : llvm::enumerate(ranked.getShape())) {
      int64_t &sum = shape[k];
      if (static_cast<int64_t>(k) == axis) {
        if (ShapedType::isDynamic(sum) || ShapedType::isDynamic(dim))
          sum = ShapedType::kDynamic;
        else if (llvm::AddOverflow(sum, dim, sum))
          return emitOptionalError(loc, "the result has too many elements");
      } else if (dimsDiffer(sum, dim)) {
        return emitOptionalError(loc, "input ", i, " has ", dim,
                                 " elements in axis ", k, ", expected ", sum);
      } else if (ShapedType::isDynamic(sum)) {
        sum = dim;
      }
    }
  }
  if (!hasRank) {
    types.push_back(UnrankedTensorType::get(element));
    return success();
  }
  if (hasUnranked)
    shape[axis] = ShapedType::kDynamic;
  return addRankedType(loc, shape, element, types);
}

LogicalResult SplitOp::inferTypes(std::optional<Location> loc, Adaptor adaptor,
                                  KnownValues values,
                                  SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  if (adaptor.getSizes().empty())
    return emitOptionalError(loc, "needs a part size");
  RankedTensorType input = getRanked(inputType);
  int64_t axis = 0;
  if (input) {
    FailureOr<int64_t> normal =
        normalizeAxis(loc, adaptor.getAxis(), input.getRank());
    if (failed(normal))
      return failure();
    axis = *normal;
  }
  int64_t sum = 0;
  bool sumKnown = true;
  for (Value operand : adaptor.getSizes()) {
    if (failed(checkIntegerScalar(loc, "part size", operand)))
      return failure();
    std::optional<int64_t> size = getKnownScalar(operand, values);
    if (size && (*size < 0 || llvm::AddOverflow(sum, *size, sum)))
      return emitOptionalError(loc, "part size is out of range: ", *size);
    sumKnown &= size.has_value();
    if (!input) {
      addUnranked(inputType, types);
      continue;
    }
    SmallVector<int64_t> shape(input.getShape());
    shape[axis] = size.value_or(ShapedType::kDynamic);
    if (failed(addRankedType(loc, shape, input.getElementType(), types)))
      return failure();
  }
  if (input && sumKnown && dimsDiffer(input.getDimSize(axis), sum))
    return emitOptionalError(loc, "part sizes add up to ", sum, ", axis ", axis,
                             " has ", input.getDimSize(axis), " elements");
  return success();
}

LogicalResult PadOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      PadOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Type inputType = adaptor.getInput().getType();
  RankedTensorType input = getRanked(inputType);
  if (!input) {
    types.push_back(inputType);
    return success();
  }
  SmallVector<int64_t> shape(input.getShape());
  for (auto [axis, dim] : llvm::enumerate(shape)) {
    int64_t total = dim;
    for (ArrayRef<int64_t> pads : {adaptor.getLow(), adaptor.getHigh()}) {
      int64_t pad = axis < pads.size() ? pads[axis] : 0;
      if (pad < 0)
        return emitOptionalError(loc, "axis ", axis, " has the negative pad ",
                                 pad);
      if (ShapedType::isDynamic(dim))
        continue;
      if (adaptor.getMode() == PadMode::reflect && pad != 0 && pad >= dim)
        return emitOptionalError(loc, "cannot reflect ", pad,
                                 " elements of axis ", axis, ", which has ",
                                 dim);
      if (llvm::AddOverflow(total, pad, total))
        return emitOptionalError(loc, "the result has too many elements");
    }
    dim = total;
  }
  return addRankedType(loc, shape, input.getElementType(), types);
}

//===----------------------------------------------------------------------===//
// Shapes and sequences as data
//===----------------------------------------------------------------------===//

LogicalResult ShapeOfOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          ShapeOfOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "needs an input");
  Type element = IntegerType::get(context, 32);
  SmallVector<int64_t> shape;
  bool ranked = true;
  for (Value input : adaptor.getInputs()) {
    RankedTensorType type = getRanked(input.getType());
    if (!type)
      ranked = false;
    else if (failed(broadcastShapes(loc, shape, type.getShape(), shape)))
      return failure();
  }
  if (std::optional<int64_t> axis = adaptor.getAxis()) {
    if (ranked && failed(normalizeAxis(loc, *axis, shape.size())))
      return failure();
    types.push_back(RankedTensorType::get({1}, element));
    return success();
  }
  types.push_back(RankedTensorType::get(
      {ranked ? static_cast<int64_t>(shape.size()) : ShapedType::kDynamic},
      element));
  return success();
}

LogicalResult LinspaceOp::inferTypes(std::optional<Location> loc,
                                     Adaptor adaptor, KnownValues values,
                                     SmallVectorImpl<Type> &types) {
  for (auto [name, operand] : {std::pair("start", adaptor.getStart()),
                               std::pair("stop", adaptor.getStop())}) {
    RankedTensorType type = getRanked(operand.getType());
    if (type && (type.getRank() > 1 ||
                 (type.getRank() == 1 && dimsDiffer(type.getDimSize(0), 1))))
      return emitOptionalError(loc, name, " must have one element, got ", type);
  }
  if (failed(checkIntegerScalar(loc, "num", adaptor.getNum())))
    return failure();
  std::optional<int64_t> num = getKnownScalar(adaptor.getNum(), values);
  if (num && *num < 1)
    return emitOptionalError(loc, "num must be positive, got ", *num);
  return addRankedType(loc, num.value_or(ShapedType::kDynamic),
                       Float32Type::get(adaptor.getNum().getContext()), types);
}

LogicalResult EyeOp::inferTypes(std::optional<Location> loc, Adaptor adaptor,
                                KnownValues values,
                                SmallVectorImpl<Type> &types) {
  Type element = adaptor.getElementType();
  if (!TensorType::isValidElementType(element))
    return emitOptionalError(loc, "no tensor has element type ", element);
  FailureOr<ShapeOperand> shape =
      readShapeOperand(loc, adaptor.getShape(), values);
  if (failed(shape))
    return failure();
  if (shape->rank && *shape->rank != 1 && *shape->rank != 2)
    return emitOptionalError(loc, "shape must have 1 or 2 dims, got ",
                             *shape->rank);
  SmallVector<int64_t> dims(2, ShapedType::kDynamic);
  if (shape->dims)
    dims = {shape->dims->front(), shape->dims->back()};
  return addRankedType(loc, dims, element, types);
}
