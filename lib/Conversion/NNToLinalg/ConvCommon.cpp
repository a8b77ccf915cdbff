//===- ConvCommon.cpp - What convolutions share ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

Window Window::get(ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
                   ArrayRef<int64_t> pads, ArrayRef<int64_t> dilations,
                   bool flip) {
  Window window;
  window.kernel.assign(kernel.begin(), kernel.end());
  window.strides.assign(strides.begin(), strides.end());
  window.dilations.assign(kernel.size(), 1);
  if (!dilations.empty())
    window.dilations.assign(dilations.begin(), dilations.end());
  for (size_t k = 0; k < kernel.size(); ++k)
    window.pads.push_back(pads.size() == 3 ? PadPair{pads[k], pads[k]}
                                           : getPadPair(pads, k));
  window.flip = flip;
  return window;
}

AffineExpr Window::getTap(size_t k, AffineExpr position, AffineExpr tap) const {
  AffineExpr start = position * strides[k];
  return flip ? start + getSpan(k) - tap * dilations[k]
              : start + tap * dilations[k];
}

Value Window::emitPadded(ImplicitLocOpBuilder &b, Value tensor,
                         ArrayRef<int64_t> spatialDims, Value zero) const {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  SmallVector<int64_t> low(rank, 0), high(rank, 0);
  for (auto [dim, pad] : llvm::zip_equal(spatialDims, pads)) {
    low[dim] = pad.before;
    high[dim] = pad.after;
  }
  return emitPad(b, tensor, low, high, zero);
}

int64_t Window::emitPositions(ImplicitLocOpBuilder &b, Value padded, size_t k,
                              int64_t dim,
                              SmallVectorImpl<Value> &dynamicSizes) const {
  auto type = cast<RankedTensorType>(padded.getType());
  if (!type.isDynamicDim(dim))
    return (type.getDimSize(dim) - getSpan(k) - 1) / strides[k] + 1;
  Value room =
      emitSub(b, emitDim(b, padded, dim), emitConstantIndex(b, getSpan(k) + 1));
  Value fits = arith::CmpIOp::create(b, arith::CmpIPredicate::sge, room,
                                     emitConstantIndex(b, 0));
  emitCheck(b, fits, "the window is larger than its input");
  Value steps =
      arith::DivSIOp::create(b, room, emitConstantIndex(b, strides[k]));
  dynamicSizes.push_back(emitAdd(b, steps, emitConstantIndex(b, 1)));
  return ShapedType::kDynamic;
}

Value nn::emitWindowReduction(ImplicitLocOpBuilder &b, Value tensor,
                              ArrayRef<int64_t> spatialDims,
                              const Window &window, Value outside, Value init,
                              ElementBody body) {
  Value padded = window.emitPadded(b, tensor, spatialDims, outside);
  auto type = cast<RankedTensorType>(padded.getType());
  int64_t rank = type.getRank();
  auto count = static_cast<int64_t>(spatialDims.size());
  // The loops over a window go around those over its positions (see ConvNest).
  int64_t first = spatialDims.front();
  using Iterator = utils::IteratorType;
  SmallVector<Iterator> iterators(rank, Iterator::parallel);
  iterators.insert(iterators.begin() + first, count, Iterator::reduction);
  SmallVector<int64_t> shape;
  SmallVector<Value> sizes;
  SmallVector<AffineExpr> in, taps, out;
  for (int64_t k = 0; k < count; ++k)
    taps.push_back(b.getAffineDimExpr(first + k));
  for (int64_t dim = 0; dim < rank; ++dim) {
    AffineExpr position = b.getAffineDimExpr(dim < first ? dim : dim + count);
    out.push_back(position);
    const auto *it = llvm::find(spatialDims, dim);
    if (it != spatialDims.end()) {
      size_t k = it - spatialDims.begin();
      shape.push_back(window.emitPositions(b, padded, k, dim, sizes));
      in.push_back(window.getTap(k, position, taps[k]));
      continue;
    }
    shape.push_back(type.getDimSize(dim));
    if (type.isDynamicDim(dim))
      sizes.push_back(emitDim(b, padded, dim));
    in.push_back(position);
  }
  SmallVector<AffineMap> maps;
  for (const auto &exprs : {in, taps, out})
    maps.push_back(AffineMap::get(rank + count, 0, exprs, b.getContext()));
  // Says the bounds of the window's loops; its elements are not read.
  Value bounds =
      emitEmpty(b, RankedTensorType::get(window.kernel, init.getType()));
  return emitReduction(
      b, RankedTensorType::get(shape, init.getType()), {padded, bounds}, maps,
      iterators, init,
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        return body(inner, {elements[0], elements[2]});
      },
      sizes);
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

FailureOr<ConvNumbers> ConvNumbers::get(Value input, Value filter) {
  ConvNumbers numbers = {nn::getElementType(input.getType()),
                         nn::getElementType(filter.getType()), Type()};
  MLIRContext *context = input.getContext();
  if (isQuantized(numbers.input)) {
    numbers.accumulator =
        getQuantizedProductType(numbers.input, numbers.filter);
    if (!numbers.accumulator)
      return failure();
    return numbers;
  }
  if (numbers.input != numbers.filter)
    return failure();
  if (numbers.input.isF64())
    numbers.accumulator = numbers.input;
  else if (isFloat(numbers.input))
    numbers.accumulator = Float32Type::get(context);
  else if (isa<IntegerType>(numbers.input))
    numbers.accumulator = IntegerType::get(context, 32);
  else
    return failure();
  return numbers;
}

Value ConvNumbers::emitNumber(ImplicitLocOpBuilder &b, Value value,
                              Type element) const {
  if (accumulator.isF64())
    return value;
  if (isFloat(accumulator))
    return emitToF32(b, value, element);
  Type lowered = getLoweredAccumulator();
  value = emitResizeInt(b, value, element, lowered);
  auto quantized = dyn_cast<quant::UniformQuantizedType>(element);
  if (!quantized || quantized.getZeroPoint() == 0)
    return value;
  return emitSub(
      b, value,
      emitConstant(b, lowered, static_cast<double>(quantized.getZeroPoint())));
}

//===----------------------------------------------------------------------===//
// Loop nests
//===----------------------------------------------------------------------===//

ConvNest ConvNest::get(ImplicitLocOpBuilder &b, Value input,
                       ArrayRef<int64_t> filterShape, const Window &window,
                       Type accumulator, Value inputZero) {
  ConvNest nest;
  size_t rank = window.getRank();
  SmallVector<int64_t> spatialDims;
  for (size_t k = 0; k < rank; ++k)
    spatialDims.push_back(static_cast<int64_t>(k) + 2);
  Value padded = window.emitPadded(b, input, spatialDims, inputZero);
  auto paddedType = cast<RankedTensorType>(padded.getType());
  int64_t groups = filterShape[0];
  SmallVector<int64_t> shape = {paddedType.getDimSize(0), groups,
                                filterShape[1]};
  if (paddedType.isDynamicDim(0))
    nest.dynamicSizes.push_back(emitDim(b, padded, 0));
  for (size_t k = 0; k < rank; ++k)
    shape.push_back(
        window.emitPositions(b, padded, k, spatialDims[k], nest.dynamicSizes));
  nest.type = RankedTensorType::get(shape, getLoweredElementType(accumulator));
  nest.input = emitSplitDim(b, padded, 1, {groups, filterShape[2]});

  using Iterator = utils::IteratorType;
  nest.iterators.assign(3, Iterator::parallel);
  nest.iterators.append(1 + rank, Iterator::reduction);
  nest.iterators.append(rank, Iterator::parallel);
  nest.n = b.getAffineDimExpr(0);
  nest.g = b.getAffineDimExpr(1);
  nest.oc = b.getAffineDimExpr(2);
  nest.ic = b.getAffineDimExpr(3);
  for (unsigned k = 0; k < rank; ++k) {
    nest.taps.push_back(b.getAffineDimExpr(4 + k));
    nest.positions.push_back(b.getAffineDimExpr(4 + rank + k));
  }
  SmallVector<AffineExpr> in = {nest.n, nest.g, nest.ic};
  for (size_t k = 0; k < rank; ++k)
    in.push_back(window.getTap(k, nest.positions[k], nest.taps[k]));
  nest.inputMap = nest.getMap(in);
  SmallVector<AffineExpr> taps = {nest.g, nest.oc, nest.ic};
  taps.append(nest.taps.begin(), nest.taps.end());
  nest.filterMap = nest.getMap(taps);
  SmallVector<AffineExpr> out = {nest.n, nest.g, nest.oc};
  out.append(nest.positions.begin(), nest.positions.end());
  nest.resultMap = nest.getMap(out);
  return nest;
}

AffineMap ConvNest::getMap(ArrayRef<AffineExpr> results) const {
  return AffineMap::get(iterators.size(), 0, results,
                        type.getElementType().getContext());
}

Value ConvNest::emitSums(ImplicitLocOpBuilder &b, Value filter,
                         ValueRange others, ArrayRef<AffineMap> otherMaps,
                         ElementBody product) const {
  SmallVector<Value> inputs = {input, filter};
  inputs.append(others.begin(), others.end());
  SmallVector<AffineMap> maps = {inputMap, filterMap};
  maps.append(otherMaps.begin(), otherMaps.end());
  maps.push_back(resultMap);
  Value zero = emitConstant(b, type.getElementType(), 0);
  Value sums = emitReduction(
      b, type, inputs, maps, iterators, zero,
      [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        Value value = product(inner, elements.drop_back());
        return emitAdd(inner, elements.back(), value);
      },
      dynamicSizes);
  return emitJoinDims(b, sums, 1, 2);
}

Value nn::emitConv(ImplicitLocOpBuilder &b, Value input, Value filter,
                   const Window &window, const ConvNumbers &numbers,
                   bool hasBatch) {
  ArrayRef<int64_t> filterShape =
      cast<RankedTensorType>(filter.getType()).getShape();
  ConvNest nest =
      ConvNest::get(b, input, filterShape.drop_front(hasBatch), window,
                    numbers.accumulator, emitRealZero(b, numbers.input));
  if (hasBatch) {
    SmallVector<AffineExpr> taps(nest.filterMap.getResults());
    taps.insert(taps.begin(), nest.n);
    nest.filterMap = nest.getMap(taps);
  }
  return nest.emitSums(
      b, filter, {}, {}, [&](ImplicitLocOpBuilder &inner, ValueRange elements) {
        return numbers.emitProduct(inner, elements[0], elements[1]);
      });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Whether integers of both types stand for the same numbers: the product of
/// two scales may have been rounded otherwise by whoever wrote the file.
static bool haveSameScale(Type accumulator, Type element) {
  auto own = dyn_cast<quant::UniformQuantizedType>(accumulator);
  auto other = dyn_cast<quant::UniformQuantizedType>(element);
  return own && other && other.isSigned() &&
         other.getStorageTypeIntegralWidth() == 32 &&
         other.getZeroPoint() == 0 &&
         std::fabs(own.getScale() - other.getScale()) <= 1e-6 * own.getScale();
}

FailureOr<ConvResult> ConvResult::get(Type accumulator, Type element,
                                      ArrayRef<Type> addends, bool hasResidual,
                                      Activation activation) {
  if (!getLoweredElementType(element))
    return failure();
  ConvResult result;
  result.accumulator = accumulator;
  result.element = element;
  result.addends.assign(addends.begin(), addends.end());
  result.activation = activation;
  bool isPlain = activation == Activation::none && !hasResidual;
  bool keepsCodes = isPlain && haveSameScale(accumulator, element);
  result.isInteger = isa<IntegerType>(accumulator) || keepsCodes;
  result.isIdentity =
      isPlain && addends.empty() && (accumulator == element || keepsCodes);
  if (result.isInteger && !isQuantized(accumulator) &&
      llvm::any_of(addends, [](Type type) { return isFloat(type); }))
    return failure();
  return result;
}

/// Sums of integers, or of codes that need no other scale, stay integers.
Value ConvResult::emitInteger(ImplicitLocOpBuilder &b,
                              ValueRange values) const {
  Type i32 = b.getI32Type();
  Value sum = values[0];
  for (auto [term, from] : llvm::zip_equal(values.drop_front(), addends)) {
    // A float bias counts in units of the accumulators.
    Value number = isQuantized(accumulator) && !isQuantized(from)
                       ? emitFromF32(b, emitToF32(b, term, from), accumulator)
                       : emitResizeInt(b, term, from, i32);
    sum = emitAdd(b, sum, number);
  }
  if (activation == Activation::relu)
    sum = arith::MaxSIOp::create(b, sum, emitConstant(b, i32, 0));
  else if (activation != Activation::none)
    sum = emitFromF32(b, emitActivation(b, emitToF32(b, sum, i32), activation),
                      i32);
  return emitResizeInt(b, sum, i32, getLoweredElementType(element));
}

Value ConvResult::emit(ImplicitLocOpBuilder &b, ValueRange values) const {
  if (isIdentity)
    return values[0];
  if (isInteger)
    return emitInteger(b, values);
  bool isF64 = element.isF64();
  auto emitTerm = [&](Value value, Type from) {
    return isF64 ? emitCast(b, value, from, element)
                 : emitToF32(b, value, from);
  };
  Value sum = emitTerm(values[0], accumulator);
  for (auto [value, from] : llvm::zip_equal(values.drop_front(), addends))
    sum = emitAdd(b, sum, emitTerm(value, from));
  sum = emitActivation(b, sum, activation);
  // As the format's kernels: ties depend on it.
  return isF64 ? sum : emitFromF32(b, sum, element, QuantizeWith::Reciprocal);
}

FailureOr<Value> nn::emitConvResult(ImplicitLocOpBuilder &b, Value sums,
                                    Type accumulator, Type element,
                                    const Addend &bias, const Addend &residual,
                                    Activation activation) {
  SmallVector<Value> inputs = {sums};
  SmallVector<Type> addends;
  for (const Addend &addend : {bias, residual}) {
    if (!addend.value)
      continue;
    inputs.push_back(addend.value);
    addends.push_back(addend.element);
  }
  FailureOr<ConvResult> result = ConvResult::get(
      accumulator, element, addends, residual.value != nullptr, activation);
  if (failed(result))
    return failure();
  if (result->isIdentity)
    return sums;
  auto type = cast<RankedTensorType>(sums.getType())
                  .clone(getLoweredElementType(element));
  return emitElementwise(b, type, inputs,
                         [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                           return result->emit(inner, values);
                         });
}

//===----------------------------------------------------------------------===//
// The family
//===----------------------------------------------------------------------===//

void nn::populateConvLowerings(TypeConverter &converter,
                               RewritePatternSet &patterns) {
  populateConv2DLowerings(converter, patterns);
  populateConv3DLowerings(converter, patterns);
  populateConvTransposeLowerings(converter, patterns);
  populateConvRelativeLowerings(converter, patterns);
}
