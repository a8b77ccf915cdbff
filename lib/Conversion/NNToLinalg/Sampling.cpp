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

BorderIndex nn::emitBorder(Scalar index, Scalar size, Border mode) {
  Scalar zero = index.like(0), last = size - 1;
  switch (mode) {
  case Border::reflect: {
    Scalar folded = index.modulo(size * 2);
    return {(folded < size).select(folded, size * 2 - 1 - folded).get(), {}};
  }
  case Border::reflect_101: {
    // A single element reflects to itself.
    Scalar folded = index.modulo((last * 2).max(index.like(1)));
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
  std::optional<Scalar> weight;
};
} // namespace

/// The taps of an axis around `at` (f64, within reach).
static SmallVector<AxisTap> emitTaps(Scalar at, Scalar size, Interpolation mode,
                                     Border border) {
  SmallVector<AxisTap> taps;
  if (mode == Interpolation::nearest) {
    taps.push_back(
        {emitBorder(at.roundHalfAway().toIndex(), size, border), {}});
    return taps;
  }
  Scalar low = at.floor(), fraction = at - low;
  int count = 2, before = 0;
  if (mode == Interpolation::cubic) {
    count = 4;
    before = 1;
  } else if (mode == Interpolation::lanczos4) {
    count = 8;
    before = 3;
  }
  Scalar first = low.toIndex() - double(before);
  for (int k = 0; k < count; ++k) {
    Scalar weight = k == 0 ? 1 - fraction : fraction;
    if (mode == Interpolation::cubic)
      weight = emitCubicWeight(fraction, fraction.like(k));
    else if (mode == Interpolation::lanczos4)
      weight = emitLanczosWeight(fraction, fraction.like(k));
    taps.push_back({emitBorder(first + double(k), size, border), weight});
  }
  return taps;
}

Scalar Sampler::emit(ImplicitLocOpBuilder &b, Scalar y, Scalar x, Scalar height,
                     Scalar width, PixelReader read) const {
  double infinity = std::numeric_limits<double>::infinity();
  Scalar isFound = (y.abs() < infinity) & (x.abs() < infinity);
  auto taps = [&](Scalar at, Scalar size) {
    return emitTaps(at.clamp(-kFarAway, kFarAway), size, mode, border);
  };
  Scalar outside = y.like(borderValue);
  std::optional<Scalar> sum;
  SmallVector<AxisTap> columns = taps(x, width);
  for (const AxisTap &row : taps(y, height))
    for (const AxisTap &column : columns) {
      Scalar value = read(b, row.at.index, column.at.index);
      if (border == Border::constant)
        value = (Scalar(b, row.at.isInside) & Scalar(b, column.at.isInside))
                    .select(value, outside);
      if (row.weight)
        value = value * *row.weight * *column.weight;
      sum = sum ? *sum + value : value;
    }
  return isFound.select(*sum, outside);
}

Scalar nn::emitBilinearOrZero(ImplicitLocOpBuilder &b, Scalar y, Scalar x,
                              Scalar height, Scalar width, PixelReader read) {
  auto taps = [&](Scalar at, Scalar size) {
    return emitTaps(at.clamp(-kFarAway, kFarAway), size, Interpolation::linear,
                    Border::constant);
  };
  std::optional<Scalar> sum;
  SmallVector<AxisTap> columns = taps(x, width);
  for (const AxisTap &row : taps(y, height))
    for (const AxisTap &column : columns) {
      Scalar value = read(b, row.at.index, column.at.index);
      Scalar weight = *row.weight * *column.weight;
      Scalar isInside =
          Scalar(b, row.at.isInside) & Scalar(b, column.at.isInside);
      Scalar part = isInside.select(value * weight, weight.like(0));
      sum = sum ? *sum + part : part;
    }
  return *sum;
}

bool nn::isSampleable(Type element) {
  return isa<FloatType>(element) || isRoundable(element);
}

Scalar nn::emitReadF64(ImplicitLocOpBuilder &b, Value tensor,
                       ValueRange indices, Type element) {
  Value value = emitRead(b, tensor, indices);
  if (isa<FloatType>(element))
    return Scalar(b, value).toF64();
  value = emitResizeInt(b, value, element, b.getI64Type());
  return Scalar(b, value).toF64();
}

Value nn::emitFromF64(Scalar value, Type element) {
  if (isa<FloatType>(element))
    return value.to(element).get();
  return emitRoundedElement(value, element);
}
