//===- NNElementwiseOps.cpp - Elementwise ops -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

namespace {
/// What element types an op takes; see the top of NNElementwiseOps.td.
enum class ElementwiseRule {
  Numeric,
  Real,
  Integer,
  Logical,
  Predicate,
  Product
};
} // namespace

static bool isBool(Type element) { return element.isSignlessInteger(1); }

/// An integer that is not a boolean.
static bool isNumber(Type element) {
  return isa<IntegerType>(element) && !isBool(element);
}

/// The result element type for operands of one element type.
static FailureOr<Type> applyRule(std::optional<Location> loc,
                                 ElementwiseRule rule, Type element) {
  bool isInt = isNumber(element);
  bool isArithmetic = isInt || isFloat(element) || isQuantized(element);
  switch (rule) {
  case ElementwiseRule::Numeric:
  case ElementwiseRule::Product:
    if (isArithmetic)
      return element;
    break;
  case ElementwiseRule::Real:
    if (isInt)
      return Type(Float32Type::get(element.getContext()));
    if (isArithmetic)
      return element;
    break;
  case ElementwiseRule::Integer:
    if (isInt)
      return element;
    return emitOptionalError(loc, "operands must be integers, got ", element);
  case ElementwiseRule::Logical:
    if (isBool(element))
      return element;
    return emitOptionalError(loc, "operands must be i1, got ", element);
  case ElementwiseRule::Predicate:
    if (isArithmetic || isBool(element))
      return element;
    break;
  }
  return emitOptionalError(loc, "element type ", element, " has no arithmetic");
}

/// The wide type of a product of a narrow integer with wider operands, or
/// null: i16*i32, i16*float, ui8*float.
static Type getMixedProductType(ArrayRef<Type> elements) {
  Type narrow = elements.front(), wide = elements.back();
  // The factors of a plain product may come in any order.
  if (elements.size() == 2 && narrow.isF32())
    std::swap(narrow, wide);
  if (elements.size() > 2 && !llvm::all_equal(elements.drop_front()))
    return {};
  if (narrow.isSignlessInteger(16) &&
      (wide.isF32() || (wide.isSignlessInteger(32) && elements.size() > 2)))
    return wide;
  if (narrow.isUnsignedInteger(8) && wide.isF32() && elements.size() > 2)
    return wide;
  return {};
}

static FailureOr<Type> inferElement(std::optional<Location> loc,
                                    ElementwiseRule rule,
                                    ArrayRef<Type> elements,
                                    std::optional<Type> outType) {
  bool isPredicateToBool =
      rule == ElementwiseRule::Predicate && outType && isBool(*outType);
  if (const Type *unknown = llvm::find_if(elements, isUnknown);
      unknown != elements.end())
    return outType.value_or(*unknown);
  if (outType && !isPredicateToBool) {
    for (Type element : elements)
      if (!isQuantized(element))
        return emitOptionalError(loc, "'out_type' ", *outType,
                                 " needs quantized operands, got ", element);
    if (!isQuantized(*outType))
      return emitOptionalError(loc, "'out_type' must be quantized, got ",
                               *outType);
    if (failed(applyRule(loc, rule, elements.front())))
      return failure();
    return *outType;
  }
  if (rule == ElementwiseRule::Product)
    if (Type wide = getMixedProductType(elements))
      return wide;
  for (Type element : elements.drop_front())
    if (element != elements.front())
      return emitOptionalError(loc, "operand element types differ: ",
                               elements.front(), " and ", element);
  FailureOr<Type> result = applyRule(loc, rule, elements.front());
  if (failed(result))
    return failure();
  return isPredicateToBool ? *outType : *result;
}

/// Appends the broadcast shape of all operands with `element`.
static LogicalResult inferShape(std::optional<Location> loc,
                                ValueRange operands, Type element,
                                SmallVectorImpl<Type> &types) {
  SmallVector<int64_t> shape;
  for (Value operand : operands) {
    RankedTensorType type = getRanked(operand.getType());
    if (!type) {
      types.push_back(UnrankedTensorType::get(element));
      return success();
    }
    SmallVector<int64_t> joined;
    if (failed(broadcastShapes(loc, shape, type.getShape(), joined)))
      return failure();
    shape = std::move(joined);
  }
  types.push_back(RankedTensorType::get(shape, element));
  return success();
}

static SmallVector<Type> getElementTypes(ValueRange values) {
  return llvm::map_to_vector(
      values, [](Value value) { return nn::getElementType(value.getType()); });
}

static LogicalResult inferElementwise(std::optional<Location> loc,
                                      ElementwiseRule rule, ValueRange operands,
                                      std::optional<Type> outType,
                                      SmallVectorImpl<Type> &types) {
  FailureOr<Type> element =
      inferElement(loc, rule, getElementTypes(operands), outType);
  if (failed(element))
    return failure();
  return inferShape(loc, operands, *element, types);
}

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.cpp.inc"

void NNDialect::registerElementwiseOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.cpp.inc"
      >();
}

LogicalResult AddOp::inferReturnTypes(MLIRContext *,
                                      std::optional<Location> loc,
                                      AddOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  Activation activation = adaptor.getActivation();
  bool isExact = activation == Activation::none ||
                 activation == Activation::relu ||
                 activation == Activation::relu6;
  return inferElementwise(
      loc, isExact ? ElementwiseRule::Numeric : ElementwiseRule::Real,
      adaptor.getOperands(), adaptor.getOutType(), types);
}

//===----------------------------------------------------------------------===//
// Integer arithmetic with saturation
//===----------------------------------------------------------------------===//

/// Fails unless the operand has the element type (or an unknown one).
static LogicalResult expectElement(std::optional<Location> loc, StringRef name,
                                   Value value, Type expected) {
  Type element = nn::getElementType(value.getType());
  if (element == expected || isUnknown(element))
    return success();
  return emitOptionalError(loc, "'", name, "' must hold ", expected, ", got ",
                           element);
}

static LogicalResult expectIntegers(std::optional<Location> loc, StringRef name,
                                    Value value) {
  Type element = nn::getElementType(value.getType());
  if (isNumber(element) || isUnknown(element))
    return success();
  return emitOptionalError(loc, "'", name, "' must hold integers, got ",
                           element);
}

/// Fails if the operand surely has more or less than one element.
static LogicalResult expectScalar(std::optional<Location> loc, StringRef name,
                                  Value value) {
  RankedTensorType type = getRanked(value.getType());
  if (!type || llvm::all_of(type.getShape(), [](int64_t dim) {
        return dim == 1 || ShapedType::isDynamic(dim);
      }))
    return success();
  return emitOptionalError(loc, "'", name, "' must have one element, got ",
                           type);
}

LogicalResult FmaSaturateOp::inferReturnTypes(MLIRContext *context,
                                              std::optional<Location> loc,
                                              FmaSaturateOp::Adaptor adaptor,
                                              SmallVectorImpl<Type> &types) {
  Type f32 = Float32Type::get(context);
  if (failed(expectIntegers(loc, "a", adaptor.getA())) ||
      failed(expectElement(loc, "b", adaptor.getB(), f32)) ||
      failed(expectElement(loc, "c", adaptor.getC(), f32)))
    return failure();
  return inferShape(loc, adaptor.getOperands(), IntegerType::get(context, 8),
                    types);
}

LogicalResult ShiftRightSaturateOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    ShiftRightSaturateOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type i8 = IntegerType::get(context, 8);
  Type outType = adaptor.getOutType();
  if (outType != i8 && !outType.isSignlessInteger(16))
    return emitOptionalError(loc, "'out_type' must be i8 or i16, got ",
                             outType);
  if (failed(expectIntegers(loc, "input", adaptor.getInput())) ||
      failed(expectElement(loc, "shift", adaptor.getShift(), i8)) ||
      failed(expectScalar(loc, "shift", adaptor.getShift())))
    return failure();
  return inferShape(loc, adaptor.getOperands(), outType, types);
}

LogicalResult AddRequantizeOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    AddRequantizeOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Type i8 = IntegerType::get(context, 8);
  Type wide = nn::getElementType(adaptor.getLhs().getType());
  if (!wide.isSignlessInteger(16) && !wide.isSignlessInteger(32) &&
      !isUnknown(wide))
    return emitOptionalError(loc, "'lhs' must hold i16 or i32, got ", wide);
  if (!isUnknown(wide) &&
      (failed(expectElement(loc, "rhs", adaptor.getRhs(), wide)) ||
       failed(expectElement(loc, "multiplier", adaptor.getMultiplier(), wide))))
    return failure();
  std::pair<StringRef, Value> bytes[] = {{"shift", adaptor.getShift()},
                                         {"min", adaptor.getMin()},
                                         {"max", adaptor.getMax()}};
  if (failed(expectScalar(loc, "multiplier", adaptor.getMultiplier())))
    return failure();
  for (auto [name, value] : bytes)
    if (failed(expectElement(loc, name, value, i8)) ||
        failed(expectScalar(loc, name, value)))
      return failure();
  return inferShape(loc, adaptor.getOperands(), i8, types);
}

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

LogicalResult PowConstOp::inferReturnTypes(MLIRContext *,
                                           std::optional<Location> loc,
                                           PowConstOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  Type type = adaptor.getInput().getType();
  Type element = nn::getElementType(type);
  if (!isFloat(element) && !isUnknown(element))
    return emitOptionalError(loc, "input must hold floats, got ", element);
  types.push_back(type);
  return success();
}

LogicalResult CastOp::inferReturnTypes(MLIRContext *,
                                       std::optional<Location> loc,
                                       CastOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  Type to = adaptor.getTo();
  if (!TensorType::isValidElementType(to) || isa<ShapedType>(to))
    return emitOptionalError(loc, "'to' must be an element type, got ", to);
  types.push_back(getTypeLike(adaptor.getInput().getType(), to));
  return success();
}
