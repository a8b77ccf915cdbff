//===- Sampling.cpp - Images at coordinates that are computed -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sampling.h"
#include "modelwright/Dialect/NN/IR/Layout.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// Coordinates beyond this are outside of every image; as integers they do not
/// overflow.
static constexpr double kFarAway = 1e8;

ImageDims nn::getImageDims(Layout layout) {
  switch (getInputLayout(layout)) {
  case Layout::NHWC:
    return {0, 1, 2};
  case Layout::CHWN4:
    return {3, 1, 2};
  case Layout::NHWCD4:
    return {0, 1, 3};
  default:
    return {0, 2, 3};
  }
}

BorderIndex nn::emitBorder(Number index, Number size, Border mode) {
  Number zero = index.like(0), last = size - 1;
  switch (mode) {
  case Border::reflect: {
    Number folded = index.modulo(size * 2);
    return {(folded < size).select(folded, size * 2 - 1 - folded).get(), {}};
  }
  case Border::reflect_101: {
    // A single element reflects to itself.
    Number folded = index.modulo((last * 2).max(index.like(1)));
    return {(folded < size).select(folded, last * 2 - folded).get(), {}};
  }
  case Border::wrap:
    return {index.modulo(size).get(), {}};
  case Border::constant:
    return {index.clamp(zero, last).get(),
            ((index >= zero) & (index < size)).get()};
  case Border::replicate:
  case Border::transparent:
  case Border::isolated:
    return {index.clamp(zero, last).get(), {}};
  }
  llvm_unreachable("a border of no kind");
}

bool Sampler::isKnown() const {
  return border != Border::transparent && border != Border::isolated &&
         mode != Interpolation::area;
}

namespace {
/// One tap of an axis.
struct AxisTap {
  BorderIndex at;
  /// Null for the only tap.
  std::optional<Number> weight;
};
} // namespace

/// The taps of an axis around `at` (f64, within reach).
static SmallVector<AxisTap> emitTaps(Number at, Number size, Interpolation mode,
                                     Border border) {
  SmallVector<AxisTap> taps;
  if (mode == Interpolation::nearest) {
    taps.push_back(
        {emitBorder(at.roundHalfAway().toIndex(), size, border), {}});
    return taps;
  }
  Number low = at.floor(), fraction = at - low;
  int count = 2, before = 0;
  if (mode == Interpolation::cubic) {
    count = 4;
    before = 1;
  } else if (mode == Interpolation::lanczos4) {
    count = 8;
    before = 3;
  }
  Number first = low.toIndex() - double(before);
  for (int k = 0; k < count; ++k) {
    Number weight = k == 0 ? 1 - fraction : fraction;
    if (mode == Interpolation::cubic)
      weight = emitCubicWeight(fraction, fraction.like(k));
    else if (mode == Interpolation::lanczos4)
      weight = emitLanczosWeight(fraction, fraction.like(k));
    taps.push_back({emitBorder(first + double(k), size, border), weight});
  }
  return taps;
}

Number Sampler::emit(ImplicitLocOpBuilder &b, Number y, Number x, Number height,
                     Number width, PixelReader read) const {
  double infinity = std::numeric_limits<double>::infinity();
  Number isFound = (y.abs() < infinity) & (x.abs() < infinity);
  auto taps = [&](Number at, Number size) {
    return emitTaps(at.clamp(-kFarAway, kFarAway), size, mode, border);
  };
  Number outside = y.like(borderValue);
  std::optional<Number> sum;
  SmallVector<AxisTap> columns = taps(x, width);
  for (const AxisTap &row : taps(y, height))
    for (const AxisTap &column : columns) {
      Number value = read(b, row.at.index, column.at.index);
      if (border == Border::constant)
        value = (Number(b, row.at.isInside) & Number(b, column.at.isInside))
                    .select(value, outside);
      if (row.weight)
        value = value * *row.weight * *column.weight;
      sum = sum ? *sum + value : value;
    }
  return isFound.select(*sum, outside);
}

Number nn::emitBilinearOrZero(ImplicitLocOpBuilder &b, Number y, Number x,
                              Number height, Number width, PixelReader read) {
  auto taps = [&](Number at, Number size) {
    return emitTaps(at.clamp(-kFarAway, kFarAway), size, Interpolation::linear,
                    Border::constant);
  };
  std::optional<Number> sum;
  SmallVector<AxisTap> columns = taps(x, width);
  for (const AxisTap &row : taps(y, height))
    for (const AxisTap &column : columns) {
      Number value = read(b, row.at.index, column.at.index);
      Number weight = *row.weight * *column.weight;
      Number isInside =
          Number(b, row.at.isInside) & Number(b, column.at.isInside);
      Number part = isInside.select(value * weight, weight.like(0));
      sum = sum ? *sum + part : part;
    }
  return *sum;
}

bool nn::isSampleable(Type element) {
  return isa<FloatType>(element) || isRoundable(element);
}

Number nn::emitReadF64(ImplicitLocOpBuilder &b, Value tensor,
                       ValueRange indices, Type element) {
  Value value = emitRead(b, tensor, indices);
  if (isa<FloatType>(element))
    return Number(b, value).toF64();
  value = emitResizeInt(b, value, element, b.getI64Type());
  return Number(b, value).toF64();
}

Value nn::emitFromF64(Number value, Type element) {
  if (isa<FloatType>(element))
    return value.to(element).get();
  return emitRoundedElement(value, element);
}
