//===- ColorToLinalg.cpp - Colour conversions -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexArithmetic.h"
#include "Scalar.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Values = FailureOr<SmallVector<Value>>;
using Mode = ColorConversion;

/// The channels of one pixel, as i32 for bytes and as f32 for floats.
using Pixel = SmallVector<Scalar>;

/// Reads channel `channel` of the pixel of the input at the indices' place.
using ChannelReader = llvm::function_ref<Scalar(int64_t channel)>;

/// A product sum with 14 bits, rounded.
static Scalar scaleDown(Scalar value) { return (value + 8192) >> 14; }

/// Grey from red, green and blue.
static Scalar emitGray(Scalar red, Scalar green, Scalar blue) {
  if (red.isFloat())
    return 0.299 * red + 0.587 * green + 0.114 * blue;
  return scaleDown(4899 * red + 9617 * green + 1868 * blue);
}

static Pixel emitToYuv(Scalar first, Scalar second, Scalar third) {
  if (first.isFloat()) {
    Scalar y = 0.114 * first + 0.587 * second + 0.299 * third;
    return {y, (first - y) * 0.492 + 0.5, (third - y) * 0.877 + 0.5};
  }
  Scalar y = scaleDown(1868 * first + 9617 * second + 4899 * third);
  constexpr double half = 128 << 14;
  return {y, scaleDown((first - y) * 8061 + half),
          scaleDown((third - y) * 14369 + half)};
}

static Pixel emitFromYuv(Scalar y, Scalar first, Scalar second) {
  if (y.isFloat()) {
    Scalar u = first - 0.5, v = second - 0.5;
    return {y + 2.032 * u, y - 0.395 * u - 0.581 * v, y + 1.140 * v};
  }
  Scalar u = first - 128, v = second - 128;
  return {y + scaleDown(33292 * u), y + scaleDown(-6472 * u - 9519 * v),
          y + scaleDown(18678 * v)};
}

/// Whether the input has one channel per pixel and one for the differences
/// between colours below.
static bool isPlanar(Mode mode) {
  switch (mode) {
  case Mode::RGB2GRAY:
  case Mode::BGR2GRAY:
  case Mode::RGB2YUV:
  case Mode::YUV2RGB:
  case Mode::RGB2BGR:
  case Mode::BGR2RGB:
  case Mode::GRAY2RGB:
  case Mode::RGBA2RGB:
  case Mode::RGBA2BGR:
  case Mode::RGBA2GRAY:
    return false;
  default:
    return true;
  }
}

/// Whether elements move without arithmetic.
static bool isMove(Mode mode) {
  switch (mode) {
  case Mode::RGB2BGR:
  case Mode::BGR2RGB:
  case Mode::GRAY2RGB:
  case Mode::RGBA2RGB:
  case Mode::RGBA2BGR:
    return true;
  default:
    return false;
  }
}

/// The channels of a pixel whose input is packed.
static Pixel emitPacked(Mode mode, ChannelReader read) {
  switch (mode) {
  case Mode::RGB2GRAY:
  case Mode::RGBA2GRAY:
    return {emitGray(read(0), read(1), read(2))};
  case Mode::BGR2GRAY:
    return {emitGray(read(2), read(1), read(0))};
  case Mode::RGB2YUV:
    return emitToYuv(read(0), read(1), read(2));
  case Mode::YUV2RGB:
    return emitFromYuv(read(0), read(1), read(2));
  case Mode::GRAY2RGB:
    return {read(0), read(0), read(0)};
  case Mode::RGBA2RGB:
    return {read(0), read(1), read(2)};
  default: // What swaps red and blue.
    return {read(2), read(1), read(0)};
  }
}

namespace {
/// Where the colour differences of planar YUV 4:2:0 are.
enum class PlaneOrder { NV12, NV21, YU12, YV12 };

/// What a planar mode does.
struct PlanarMode {
  PlaneOrder order;
  bool isGray = false, isBgr = false, isBT601 = false;

  static PlanarMode get(Mode mode) {
    StringRef name = stringifyColorConversion(mode);
    PlanarMode planar = {PlaneOrder::NV21};
    if (name.ends_with("NV12"))
      planar.order = PlaneOrder::NV12;
    else if (name.ends_with("YU12"))
      planar.order = PlaneOrder::YU12;
    else if (name.ends_with("YV12"))
      planar.order = PlaneOrder::YV12;
    planar.isGray = name.contains("GRAY");
    planar.isBgr = name.contains("2BGR");
    planar.isBT601 = name.starts_with("BT601");
    return planar;
  }
};
} // namespace

/// The colours of Y, U and V (i32).
static Pixel emitColors(PlanarMode mode, Scalar y, Scalar u, Scalar v) {
  Scalar red = y, green = y, blue = y;
  if (mode.isBT601) {
    Scalar luma = (y * 257 * 18997) >> 16;
    blue = (luma + 128 * u - 17544) >> 6;
    green = (luma - 25 * u - 52 * v + 8696) >> 6;
    red = (luma + 102 * v - 14216) >> 6;
  } else {
    Scalar du = u - 128, dv = v - 128;
    red = y + ((359 * dv) >> 8);
    blue = y + ((454 * du) >> 8);
    green = y - ((88 * du + 183 * dv) >> 8);
  }
  if (mode.isBgr)
    return {blue, green, red};
  return {red, green, blue};
}

/// The element of the channel `channel`, of index type.
static Scalar pickChannel(const Pixel &pixel, Scalar channel) {
  Scalar picked = pixel.front();
  for (size_t k = 1; k < pixel.size(); ++k)
    picked = (channel == double(k)).select(pixel[k], picked);
  return picked;
}

namespace {
class CvtColorLowering : public Lowering<CvtColorOp> {
public:
  using Lowering::Lowering;
  Values lower(CvtColorOp op, Adaptor adaptor,
               ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    Value input = adaptor.getInput();
    Type element = nn::getElementType(op.getInput().getType());
    Mode mode = op.getMode();
    bool isByte = element.isUnsignedInteger(8);
    if (!type || !isa<RankedTensorType>(input.getType()))
      return failure();
    if (isPlanar(mode)) {
      if (!isByte)
        return failure();
      return SmallVector<Value>{
          emitPlanar(b, type, input, element, PlanarMode::get(mode))};
    }
    bool moves = isMove(mode);
    if (!moves && !isByte && !isa<FloatType>(element))
      return failure();
    SmallVector<Value> sizes = emitSizes(b, input);
    sizes[3] = emitConstantIndex(b, type.getDimSize(3));
    return SmallVector<Value>{emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          auto read = [&](int64_t channel) {
            Value value = emitRead(inner, input,
                                   {indices[0], indices[1], indices[2],
                                    emitConstantIndex(inner, channel)});
            return moves ? Scalar(inner, value)
                         : emitWide(inner, value, element);
          };
          Scalar channel(inner, indices[3]);
          Scalar value = pickChannel(emitPacked(mode, read), channel);
          return moves ? value.get() : emitNarrow(inner, value, element);
        },
        emitDynamicSizes(b, type, sizes))};
  }

private:
  static Scalar emitWide(ImplicitLocOpBuilder &b, Value value, Type element) {
    if (isa<FloatType>(element))
      return {b, emitToF32(b, value, element)};
    return {b, emitResizeInt(b, value, element, b.getI32Type())};
  }

  static Value emitNarrow(ImplicitLocOpBuilder &b, Scalar value, Type element) {
    if (isa<FloatType>(element))
      return emitFromF32(b, value.get(), element);
    return value.clamp(0, 255).to(b.getI8Type()).get();
  }

  /// A conversion from planar YUV 4:2:0: rows of Y, then of the differences.
  static Value emitPlanar(ImplicitLocOpBuilder &b, RankedTensorType type,
                          Value input, Type element, PlanarMode mode) {
    IndexMath math(b);
    SmallVector<Value> sizes = emitSizes(b, input);
    Value rows = sizes[1], width = sizes[2];
    bool isPaired =
        mode.order == PlaneOrder::NV12 || mode.order == PlaneOrder::NV21;
    auto checkMultiple = [&](Value size, int64_t unit, const Twine &message) {
      Value isGood =
          math.isEqual(math.rem(size, math.constant(unit)), math.constant(0));
      if (!matchPattern(isGood, m_One()))
        emitCheck(b, isGood, message);
    };
    checkMultiple(rows, isPaired ? 3 : 6,
                  "planar YUV has not the rows for its format");
    checkMultiple(width, 2, "the width of planar YUV is odd");
    Value height = math.mul(math.div(rows, math.constant(3)), math.constant(2));
    sizes[1] = height;
    sizes[3] = emitConstantIndex(b, type.getDimSize(3));
    return emitGenerate(
        b, type,
        [&](ImplicitLocOpBuilder &inner, ValueRange indices) {
          Value zero = emitConstantIndex(inner, 0);
          auto read = [&](Value row, Value column) {
            return emitWide(
                inner, emitRead(inner, input, {indices[0], row, column, zero}),
                element);
          };
          Scalar y = read(indices[1], indices[2]);
          if (mode.isGray)
            return emitNarrow(inner, y, element);
          // Behind the Y rows, counted in elements, dense.
          Scalar first(inner, height), across(inner, width);
          Scalar row = Scalar(inner, indices[1]) >> 1;
          Scalar column = Scalar(inner, indices[2]) >> 1;
          auto readPlane = [&](bool isSecond) {
            Scalar at = row * across + column * 2;
            if (isPaired) {
              at = isSecond ? at + 1 : at;
            } else {
              Scalar half = across >> 1;
              at = row * half + column;
              if (isSecond)
                at = at + half * (first >> 1);
            }
            Scalar up = at / across;
            return read((first + up).get(), (at - up * across).get());
          };
          bool isUFirst =
              mode.order == PlaneOrder::NV12 || mode.order == PlaneOrder::YU12;
          Scalar u = readPlane(!isUFirst), v = readPlane(isUFirst);
          Scalar channel(inner, indices[3]);
          return emitNarrow(
              inner, pickChannel(emitColors(mode, y, u, v), channel), element);
        },
        emitDynamicSizes(b, type, sizes));
  }
};
} // namespace

void nn::populateColorLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<CvtColorLowering>(converter, patterns.getContext());
}
