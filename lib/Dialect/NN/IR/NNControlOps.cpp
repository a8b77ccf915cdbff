//===- NNControlOps.cpp - Control ops -------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNControlOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNControlOps.cpp.inc"

void NNDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNControlOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNCallOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Conditional execution
//===----------------------------------------------------------------------===//

static RankedTensorType getPredicateType(MLIRContext *context) {
  return RankedTensorType::get({1}, IntegerType::get(context, 32));
}

static LogicalResult checkPredicate(std::optional<Location> loc, Value value) {
  Type expected = getPredicateType(value.getContext());
  Type element = nn::getElementType(value.getType());
  if ((isUnknown(element) || element.isSignlessInteger(32)) &&
      succeeded(verifyCompatibleShape(expected, value.getType())))
    return success();
  return emitOptionalError(loc, "a predicate must be of type ", expected,
                           ", got ", value.getType());
}

static LogicalResult checkScalar(std::optional<Location> loc, StringRef what,
                                 Type type) {
  if (succeeded(verifyCompatibleShape(
          RankedTensorType::get({1}, nn::getElementType(type)), type)))
    return success();
  return emitOptionalError(loc, what, " must be a scalar of shape 1, got ",
                           type);
}

LogicalResult CondPredOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           CondPredOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  ValueRange keys = adaptor.getKeys();
  Type valueType = adaptor.getValue().getType();
  if (keys.empty())
    return emitOptionalError(loc, "needs one key or more");
  if (failed(checkScalar(loc, "the value", valueType)))
    return failure();
  Type element = nn::getElementType(valueType);
  for (Value key : keys) {
    if (failed(checkScalar(loc, "a key", key.getType())))
      return failure();
    Type other = nn::getElementType(key.getType());
    if (other != element && !isUnknown(other) && !isUnknown(element))
      return emitOptionalError(loc, "element types of value and key differ: ",
                               element, " and ", other);
  }
  bool hasMore = adaptor.getMode() != CondPredMode::Case;
  types.append(keys.size() + hasMore, getPredicateType(context));
  return success();
}

LogicalResult CondLogicalOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              CondLogicalOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  if (adaptor.getPredicates().empty())
    return emitOptionalError(loc, "needs one predicate or more");
  for (Value predicate : adaptor.getPredicates())
    if (failed(checkPredicate(loc, predicate)))
      return failure();
  types.push_back(getPredicateType(context));
  return success();
}

LogicalResult CondMarkOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           CondMarkOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  if (adaptor.getInputs().empty())
    return emitOptionalError(loc, "needs one input or more");
  llvm::append_range(types, adaptor.getInputs().getTypes());
  return checkPredicate(loc, adaptor.getPredicate());
}

/// The type of what `values`, one per branch, merge to.
static FailureOr<Type> mergeTypes(std::optional<Location> loc,
                                  ArrayRef<Type> values, bool sameShape) {
  Type element = nn::getElementType(values.front());
  for (Type type : values) {
    Type other = nn::getElementType(type);
    if (isUnknown(element))
      element = other;
    if (other != element && !isUnknown(other))
      return emitOptionalError(
          loc, "element types of branches differ: ", element, " and ", other);
    if (sameShape && failed(verifyCompatibleShape(values.front(), type)))
      return emitOptionalError(
          loc, "shapes of branches differ: ", values.front(), " and ", type);
  }
  RankedTensorType first = getRanked(values.front());
  if (!first)
    return Type(UnrankedTensorType::get(element));
  SmallVector<int64_t> shape(first.getShape());
  for (Type type : values.drop_front()) {
    RankedTensorType other = getRanked(type);
    if (!other || other.getRank() != first.getRank())
      return Type(UnrankedTensorType::get(element));
    for (auto [dim, otherDim] : llvm::zip_equal(shape, other.getShape())) {
      if (sameShape && ShapedType::isDynamic(dim))
        dim = otherDim;
      else if (!sameShape && dim != otherDim)
        dim = ShapedType::kDynamic;
    }
  }
  return Type(RankedTensorType::get(shape, element));
}

LogicalResult CondMergeOp::inferReturnTypes(MLIRContext *context,
                                            std::optional<Location> loc,
                                            CondMergeOp::Adaptor adaptor,
                                            SmallVectorImpl<Type> &types) {
  ValueRange branches = adaptor.getBranches();
  CondMergeMode mode = adaptor.getMode();
  int64_t numOutputs = adaptor.getNumOutputs();
  auto numBranches = static_cast<int64_t>(branches.size());
  if (numOutputs < 1 || numBranches < 1 || numBranches % numOutputs)
    return emitOptionalError(loc, numBranches, " branch values do not make ",
                             numOutputs, " outputs");
  auto numShapes = static_cast<int64_t>(adaptor.getOutputShapes().size());
  int64_t expectedShapes = mode == CondMergeMode::sum ? numOutputs : 0;
  if (numShapes != expectedShapes)
    return emitOptionalError(loc, "mode ", stringifyCondMergeMode(mode),
                             " needs ", expectedShapes, " shapes, got ",
                             numShapes);
  bool hasPredicate = mode == CondMergeMode::sum_cond_out;
  Value predicate = adaptor.getPredicate();
  if (hasPredicate != static_cast<bool>(predicate))
    return emitOptionalError(loc, "mode ", stringifyCondMergeMode(mode),
                             hasPredicate ? " needs a predicate"
                                          : " takes no predicate");
  if (predicate && failed(checkPredicate(loc, predicate)))
    return failure();
  for (int64_t k = 0; k != numOutputs; ++k) {
    SmallVector<Type> values;
    for (int64_t i = k; i < numBranches; i += numOutputs)
      values.push_back(branches[i].getType());
    FailureOr<Type> type =
        mergeTypes(loc, values, mode != CondMergeMode::exact_one);
    if (failed(type))
      return failure();
    types.push_back(*type);
  }
  if (hasPredicate)
    types.push_back(getPredicateType(context));
  return success();
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

LogicalResult IdentityOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           IdentityOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getInput().getType());
  return success();
}

OpFoldResult IdentityOp::fold(FoldAdaptor) {
  if (getInput().getType() != getResult().getType())
    return {};
  return getInput();
}

LogicalResult AssertEqualOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              AssertEqualOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  Type expected = adaptor.getExpected().getType();
  Type actual = adaptor.getActual().getType();
  if (failed(verifyCompatibleShape(expected, actual)))
    return emitOptionalError(loc, "shapes differ: expected ", expected,
                             ", got ", actual);
  types.push_back(expected);
  return checkScalar(loc, "the error", adaptor.getError().getType());
}
