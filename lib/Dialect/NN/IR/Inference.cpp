//===- Inference.cpp - Shape and dtype inference helpers ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/Inference.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

KnownInts nn::getConstantInts(Value value) {
  Attribute folded;
  if (!matchPattern(value, m_Constant(&folded)))
    return std::nullopt;
  ElementsAttr elements = getFoldedElements(folded);
  return elements ? readInts(elements, /*maxElements=*/64) : std::nullopt;
}

bool nn::areCompatibleResultTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size())
    return false;
  for (auto [lhs, rhs] : llvm::zip_equal(inferred, actual)) {
    Type lhsElement = nn::getElementType(lhs),
         rhsElement = nn::getElementType(rhs);
    if (lhsElement != rhsElement && !isUnknown(lhsElement) &&
        !isUnknown(rhsElement))
      return false;
    if (failed(verifyCompatibleShape(lhs, rhs)))
      return false;
  }
  return true;
}

Type nn::getElementType(Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.getElementType();
  return type;
}

TensorType nn::getTypeLike(Type like, Type element) {
  if (auto ranked = dyn_cast<RankedTensorType>(like))
    return RankedTensorType::get(ranked.getShape(), element);
  return UnrankedTensorType::get(element);
}

RankedTensorType nn::getRanked(Type type) {
  return dyn_cast<RankedTensorType>(type);
}

bool nn::isUnknown(Type elementType) { return isa<UnknownType>(elementType); }

bool nn::isQuantized(Type elementType) {
  return isa<quant::UniformQuantizedType>(elementType);
}

bool nn::isFloat(Type elementType) { return isa<FloatType>(elementType); }

Type nn::getQuantType(function_ref<InFlightDiagnostic()> emitError,
                      MLIRContext *context, unsigned bits, bool isSigned,
                      double scale, int64_t zeroPoint) {
  Type storage = IntegerType::get(context, bits);
  int64_t min =
      quant::QuantizedType::getDefaultMinimumForInteger(isSigned, bits);
  int64_t max =
      quant::QuantizedType::getDefaultMaximumForInteger(isSigned, bits);
  return quant::UniformQuantizedType::getChecked(
      emitError, isSigned ? quant::QuantizationFlags::Signed : 0, storage,
      Float32Type::get(context), scale, zeroPoint, min, max);
}

Type nn::getQuantizedProductType(Type lhs, Type rhs, unsigned bits) {
  auto lhsQuant = dyn_cast<quant::UniformQuantizedType>(lhs);
  auto rhsQuant = dyn_cast<quant::UniformQuantizedType>(rhs);
  if (!lhsQuant || !rhsQuant)
    return {};
  // The formats multiply the scales in f32.
  float scale = static_cast<float>(lhsQuant.getScale()) *
                static_cast<float>(rhsQuant.getScale());
  if (!(scale > 0) || !std::isfinite(scale))
    return {};
  MLIRContext *context = lhs.getContext();
  Builder builder(context);
  return getQuantType([&] { return emitError(builder.getUnknownLoc()); },
                      context, bits, /*isSigned=*/true, scale,
                      /*zeroPoint=*/0);
}

LogicalResult nn::broadcastShapes(std::optional<Location> loc,
                                  ArrayRef<int64_t> lhs, ArrayRef<int64_t> rhs,
                                  SmallVectorImpl<int64_t> &result) {
  if (lhs.size() < rhs.size())
    std::swap(lhs, rhs);
  SmallVector<int64_t> dims(lhs);
  size_t lead = lhs.size() - rhs.size();
  for (size_t i = 0; i < rhs.size(); ++i) {
    int64_t a = lhs[lead + i], b = rhs[i];
    int64_t &dim = dims[lead + i];
    if (a == 1 || (ShapedType::isDynamic(a) && b != 1))
      dim = b;
    else if (b != 1 && dimsDiffer(a, b))
      return emitOptionalError(loc, "operand shapes do not broadcast: dim ",
                               lead + i, " is ", a, " and ", b);
  }
  result.assign(dims.begin(), dims.end());
  return success();
}

PadPair nn::getPadPair(ArrayRef<int64_t> pads, unsigned k) {
  if (pads.size() == 2)
    return {pads[k], pads[k]};
  size_t first = size_t{2} * k;
  return {pads[first], pads[first + 1]};
}

FailureOr<int64_t> nn::windowOutputDim(std::optional<Location> loc,
                                       StringRef what, int64_t in,
                                       int64_t kernel, int64_t pad,
                                       int64_t stride, int64_t dilation) {
  return windowOutputDim(loc, what, in, kernel, PadPair{pad, pad}, stride,
                         dilation);
}

FailureOr<int64_t> nn::windowOutputDim(std::optional<Location> loc,
                                       StringRef what, int64_t in,
                                       int64_t kernel, PadPair pads,
                                       int64_t stride, int64_t dilation) {
  if (stride < 1 || dilation < 1 || pads.before < 0 || pads.after < 0)
    return emitOptionalError(loc, what,
                             ": strides and dilations must be positive and "
                             "pads not negative, got stride ",
                             stride, ", dilation ", dilation, ", pad ",
                             std::min(pads.before, pads.after));
  if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel))
    return ShapedType::kDynamic;
  if (kernel < 1)
    return emitOptionalError(loc, what, ": the window is empty");
  // Stay in int64: all attributes come from 32-bit fields, dims from 32 bits.
  int64_t span, padded;
  if (llvm::MulOverflow(kernel - 1, dilation, span) ||
      llvm::AddOverflow(pads.before, pads.after, padded) ||
      llvm::AddOverflow(padded, in, padded))
    return emitOptionalError(loc, what, ": window size overflows");
  if (padded < span + 1)
    return emitOptionalError(loc, what, ": a window of ", span + 1,
                             " does not fit into ", padded, " padded elements");
  return (padded - span - 1) / stride + 1;
}

FailureOr<SmallVector<int64_t>> nn::readOutputSize(std::optional<Location> loc,
                                                   Value size, int64_t count,
                                                   int64_t min,
                                                   KnownValues values) {
  if (RankedTensorType type = getRanked(size.getType()))
    if (type.getRank() != 1 || dimsDiffer(type.getDimSize(0), count))
      return emitOptionalError(loc, "'output_size' must have ", count,
                               " elements, got ", size.getType());
  Type element = nn::getElementType(size.getType());
  if (!isUnknown(element) && !isa<IntegerType>(element))
    return emitOptionalError(loc, "'output_size' must be of integers, got ",
                             element);
  KnownInts known = values(size);
  if (!known)
    return SmallVector<int64_t>(count, ShapedType::kDynamic);
  if (static_cast<int64_t>(known->size()) != count)
    return emitOptionalError(loc, "'output_size' must have ", count,
                             " elements, got ", known->size());
  for (int64_t dim : *known)
    if (dim < min)
      return emitOptionalError(loc, "'output_size' has the element ", dim,
                               ", expected at least ", min);
  return std::move(*known);
}

LogicalResult nn::checkValue(std::optional<Location> loc, StringRef name,
                             int64_t value, int64_t min) {
  if (value >= min && value <= UINT32_MAX)
    return success();
  return emitOptionalError(loc, "'", name, "' must lie in [", min, ", ",
                           UINT32_MAX, "], got ", value);
}

LogicalResult nn::checkValues(std::optional<Location> loc, StringRef name,
                              ArrayRef<int64_t> values, size_t count,
                              int64_t min) {
  if (values.size() != count)
    return emitOptionalError(loc, "'", name, "' needs ", count, " values, got ",
                             values.size());
  for (int64_t value : values)
    if (failed(checkValue(loc, name, value, min)))
      return failure();
  return success();
}

FailureOr<int64_t> nn::normalizeAxis(std::optional<Location> loc, int64_t axis,
                                     int64_t rank) {
  if (axis < -rank || axis >= rank)
    return emitOptionalError(loc, "axis ", axis, " is out of range for rank ",
                             rank);
  return axis < 0 ? axis + rank : axis;
}

std::optional<int64_t> nn::multiplyDims(ArrayRef<int64_t> dims) {
  int64_t product = 1;
  for (int64_t dim : dims) {
    if (ShapedType::isDynamic(dim))
      return ShapedType::kDynamic;
    if (llvm::MulOverflow(product, dim, product))
      return std::nullopt;
  }
  return product;
}

bool nn::dimsDiffer(int64_t lhs, int64_t rhs) {
  return !ShapedType::isDynamic(lhs) && !ShapedType::isDynamic(rhs) &&
         lhs != rhs;
}
