//===- QuantizedOps.cpp - GE conversions between floats and codes ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format's codes are tensors of plain integers, so these become arithmetic
// (semantics.md 15). Quantized weights are in Quantization.cpp.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// The numbers of an 8- or 16-bit integer type.
static std::optional<std::pair<float, float>> getRange(Type type) {
  auto integer = dyn_cast_or_null<IntegerType>(type);
  if (!integer || (integer.getWidth() != 8 && integer.getWidth() != 16))
    return std::nullopt;
  int64_t half = int64_t{1} << (integer.getWidth() - 1);
  if (integer.isUnsigned())
    return std::pair(0.0f, static_cast<float>(2 * half - 1));
  return std::pair(static_cast<float>(-half), static_cast<float>(half - 1));
}

/// The one value of a list of floats, or `defaultValue` for none.
static FailureOr<float> getOneFloat(OpImporter &imp, StringRef name,
                                    float defaultValue) {
  FailureOr<SmallVector<float>> values = imp.getFloats(name, {defaultValue});
  if (failed(values))
    return failure();
  if (values->size() != 1)
    return imp.decline("quantization with " + Twine(values->size()) + " '" +
                       name + "' values");
  return values->front();
}

/// clip(round(value) + offset) as integers of `type`.
static LogicalResult createCodes(OpImporter &imp, Value value, float offset,
                                 Type type) {
  auto range = getRange(type);
  if (!range)
    return imp.decline("codes of another width than 8 or 16 bits");
  FailureOr<Value> rounded = apply<nn::RoundOp>(imp, {value});
  if (succeeded(rounded) && offset != 0.0f)
    rounded = apply<nn::AddOp>(imp, *rounded, offset);
  if (succeeded(rounded))
    rounded = apply<nn::ClipOp>(imp, {*rounded,
                                      createNumber(imp, value, range->first),
                                      createNumber(imp, value, range->second)});
  if (failed(rounded))
    return failure();
  return imp.createCast(*rounded, type);
}

/// round(x / scale) + offset
static LogicalResult importQuantizeV2(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = getOneFloat(imp, "scale", 1.0f);
  FailureOr<float> offset = getOneFloat(imp, "offset", 0.0f);
  FailureOr<int64_t> dtype = imp.getInt("dtype", -1);
  FailureOr<std::string> rounding = imp.getString("round_mode", "Round");
  FailureOr<bool> sqrtMode = imp.getBool("sqrt_mode", false);
  if (failed(scale) || failed(offset) || failed(dtype) || failed(rounding) ||
      failed(sqrtMode))
    return failure();
  Value input = imp.getOperand(0);
  if (*rounding != "Round" || *sqrtMode || !(*scale > 0.0f) ||
      !nn::isFloat(nn::getElementType(input.getType())))
    return imp.decline("a quantization of an unusual mode");
  FailureOr<Value> quotient = apply<nn::DivOp>(imp, input, *scale);
  if (failed(quotient))
    return failure();
  return createCodes(imp, *quotient, *offset,
                     getAttributeElementType(imp.getContext(), *dtype));
}

/// CANN's AscendQuant: round(x*scale + offset); `sqrt_mode` applies the scale
/// twice.
static LogicalResult importAscendQuant(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<float> offset = imp.getFloat("offset", 0.0f);
  FailureOr<int64_t> dtype = imp.getInt("dst_type", 2);
  FailureOr<std::string> rounding = imp.getString("round_mode", "Round");
  FailureOr<bool> sqrtMode = imp.getBool("sqrt_mode", false);
  if (failed(scale) || failed(offset) || failed(dtype) || failed(rounding) ||
      failed(sqrtMode))
    return failure();
  Value input = imp.getOperand(0);
  if (*rounding != "Round" || !nn::isFloat(nn::getElementType(input.getType())))
    return imp.decline("a quantization that rounds by " + *rounding);
  FailureOr<Value> value = apply<nn::MulOp>(imp, input, *scale);
  if (succeeded(value) && *sqrtMode)
    value = apply<nn::MulOp>(imp, *value, *scale);
  if (succeeded(value) && *offset != 0.0f)
    value = apply<nn::AddOp>(imp, *value, *offset);
  if (failed(value))
    return failure();
  return createCodes(imp, *value, /*offset=*/0.0f,
                     getAttributeElementType(imp.getContext(), *dtype));
}

/// CANN's AscendDequant: x * deq_scale (twice in `sqrt_mode`), then a ReLU if
/// `relu_flag`. The scale is one number or one per channel.
static LogicalResult importAscendDequant(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<bool> sqrtMode = imp.getBool("sqrt_mode", false);
  FailureOr<bool> relu = imp.getBool("relu_flag", false);
  FailureOr<int64_t> dtype = imp.getInt("dtype", 0);
  if (failed(sqrtMode) || failed(relu) || failed(dtype))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto scaleType = getStaticType(imp.getOperand(1));
  // A scale of integers holds f32 bits among others.
  if (!element || !nn::isFloat(element) || !type || !scaleType ||
      !nn::isFloat(scaleType.getElementType()))
    return imp.decline("a dequantization by packed scales");
  bool nhwc =
      imp.op.input_desc_size() > 0 && imp.op.input_desc(0).layout() == "NHWC";
  SmallVector<int64_t> shape(std::max<int64_t>(type.getRank(), 1), 1);
  int64_t channel = type.getRank() == 4 && !nhwc ? 1 : type.getRank() - 1;
  if (channel >= 0)
    shape[channel] = scaleType.getNumElements();
  FailureOr<Value> value = imp.createCast(imp.getOperand(0), element);
  FailureOr<Value> scale = imp.createCast(imp.getOperand(1), element);
  if (succeeded(scale))
    scale = imp.createReshape(*scale, shape);
  if (failed(value) || failed(scale))
    return failure();
  for (int times = *sqrtMode ? 2 : 1; times > 0 && succeeded(value); --times)
    value = apply<nn::MulOp>(imp, {*value, *scale});
  if (failed(value) || !*relu)
    return value;
  return imp.create<nn::ReluOp>({*value});
}

/// CANN's AscendAntiQuant: (x + offset) * scale.
static LogicalResult importAscendAntiQuant(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<float> scale = imp.getFloat("scale", 1.0f);
  FailureOr<float> offset = imp.getFloat("offset", 0.0f);
  FailureOr<bool> sqrtMode = imp.getBool("sqrt_mode", false);
  FailureOr<int64_t> dtype = imp.getInt("dtype", 0);
  if (failed(scale) || failed(offset) || failed(sqrtMode) || failed(dtype))
    return failure();
  Type element = getAttributeElementType(imp.getContext(), *dtype);
  if (!element || !nn::isFloat(element))
    return imp.decline("a dequantization to other than floats");
  FailureOr<Value> value = imp.createCast(imp.getOperand(0), element);
  if (succeeded(value) && *offset != 0.0f)
    value = apply<nn::AddOp>(imp, *value, *offset);
  for (int times = *sqrtMode ? 2 : 1; times > 0 && succeeded(value); --times)
    value = apply<nn::MulOp>(imp, *value, *scale);
  return value;
}

//===----------------------------------------------------------------------===//
// By a range of floats, as TensorFlow defines them
//===----------------------------------------------------------------------===//

/// Quantize and Dequantize, MIN_COMBINED: code 0 is `min_range` and code 255
/// `max_range`.
static LogicalResult importRangeQuantize(OpImporter &imp) {
  const bool isInverse = imp.getType() == "Dequantize";
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<std::string> mode = imp.getString("mode", "MIN_COMBINED");
  if (failed(mode))
    return failure();
  Value input = imp.getOperand(0), low = imp.getOperand(1),
        high = imp.getOperand(2);
  Type element = nn::getElementType(input.getType());
  Type ui8 = imp.builder.getIntegerType(8, /*isSigned=*/false);
  if (*mode != "MIN_COMBINED" ||
      !(isInverse ? element == ui8 : nn::isFloat(element)))
    return imp.decline("a quantization of an unusual mode");
  for (Value bound : {low, high}) {
    auto type = getStaticType(bound);
    if (!type || type.getNumElements() != 1 ||
        !nn::isFloat(type.getElementType()))
      return imp.decline("a quantization whose range is not two floats");
  }
  FailureOr<Value> extent = apply<nn::SubOp>(imp, {high, low});
  if (failed(extent))
    return failure();
  if (isInverse) {
    FailureOr<Value> step = apply<nn::DivOp>(imp, *extent, 255.0f);
    FailureOr<Value> value =
        imp.createCast(input, nn::getElementType(low.getType()));
    if (failed(step) || failed(value))
      return failure();
    value = apply<nn::MulOp>(imp, {*value, *step});
    if (failed(value))
      return failure();
    return imp.create<nn::AddOp>({*value, low});
  }
  FailureOr<Value> factor =
      apply<nn::DivOp>(imp, {createNumber(imp, low, 255.0f), *extent});
  FailureOr<Value> value = apply<nn::ClipOp>(imp, {input, low, high});
  if (succeeded(value))
    value = apply<nn::SubOp>(imp, {*value, low});
  if (failed(factor) || failed(value))
    return failure();
  value = apply<nn::MulOp>(imp, {*value, *factor});
  if (failed(value))
    return failure();
  return createCodes(imp, *value, /*offset=*/0.0f, ui8);
}

/// Quantize and dequantize with `num_bits`, after TensorFlow: the range moves
/// so that zero is a code, and halves round up. PerChannel has a range for
/// each place of the last dim.
static LogicalResult importFakeQuant(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<int64_t> bits = imp.getInt("num_bits", 8);
  FailureOr<bool> narrow = imp.getBool("narrow_range", false);
  if (failed(bits) || failed(narrow))
    return failure();
  if (*bits < 2 || *bits > 16)
    return imp.emitError() << "attribute 'num_bits' must be from 2 to 16, not "
                           << *bits;
  auto lows = readFloatConstant(imp.getOperand(1));
  auto highs = readFloatConstant(imp.getOperand(2));
  Value input = imp.getOperand(0);
  auto type = getStaticType(input);
  Type element = nn::getElementType(input.getType());
  if (!lows || !highs || !nn::isFloat(element))
    return imp.decline("a fake quantization whose range is computed");
  const bool perChannel = imp.getType().ends_with("PerChannel");
  if (perChannel && (!type || type.getRank() == 0))
    return imp.decline("a fake quantization of an unknown shape");
  size_t count =
      perChannel ? static_cast<size_t>(type.getShape().back()) : size_t{1};
  if (lows->size() != count || highs->size() != count)
    return imp.emitError() << "has " << lows->size() << " and " << highs->size()
                           << " bounds, expected " << count;
  float codeLow = *narrow ? 1.0f : 0.0f;
  auto codeHigh = static_cast<float>((int64_t{1} << *bits) - 1);
  SmallVector<float> scales, nudgedLows, nudgedHighs;
  for (auto [low, high] : llvm::zip_equal(*lows, *highs)) {
    if (!(low < high))
      return imp.emitError()
             << "the range [" << low << ", " << high << "] is empty";
    float scale = (high - low) / (codeHigh - codeLow);
    float zero = codeLow - low / scale;
    float nudged = zero < codeLow    ? codeLow
                   : zero > codeHigh ? codeHigh
                                     : std::round(zero);
    scales.push_back(scale);
    nudgedLows.push_back((codeLow - nudged) * scale);
    nudgedHighs.push_back((codeHigh - nudged) * scale);
  }
  auto make = [&](ArrayRef<float> values) {
    return imp.createConstant({static_cast<int64_t>(count)}, values, element);
  };
  Value low = make(nudgedLows), scale = make(scales);
  FailureOr<Value> value =
      apply<nn::ClipOp>(imp, {input, low, make(nudgedHighs)});
  if (succeeded(value))
    value = apply<nn::SubOp>(imp, {*value, low});
  if (succeeded(value))
    value = apply<nn::DivOp>(imp, {*value, scale});
  if (succeeded(value))
    value = apply<nn::AddOp>(imp, *value, 0.5f);
  if (succeeded(value))
    value = apply<nn::FloorOp>(imp, {*value});
  if (succeeded(value))
    value = apply<nn::MulOp>(imp, {*value, scale});
  if (failed(value))
    return failure();
  return imp.create<nn::AddOp>({*value, low});
}

void modelwright::ge::registerQuantizedOps(OpRegistry &registry) {
  registry.addImport<nn::DivOp, nn::RoundOp, nn::AddOp, nn::ClipOp, nn::CastOp>(
      {"QuantizeV2"}, importQuantizeV2);
  registry.addImport<nn::MulOp, nn::AddOp, nn::RoundOp, nn::ClipOp, nn::CastOp>(
      {"AscendQuant"}, importAscendQuant);
  registry.addImport<nn::CastOp, nn::MulOp, nn::ReluOp>({"AscendDequant"},
                                                        importAscendDequant);
  registry.addImport<nn::CastOp, nn::AddOp, nn::MulOp>({"AscendAntiQuant"},
                                                       importAscendAntiQuant);
  registry.addImport<nn::ClipOp, nn::SubOp, nn::MulOp, nn::RoundOp, nn::CastOp>(
      {"Quantize"}, importRangeQuantize);
  registry.addImport<nn::CastOp, nn::MulOp, nn::AddOp>({"Dequantize"},
                                                       importRangeQuantize);
  registry.addImport<nn::ClipOp, nn::SubOp, nn::DivOp, nn::AddOp, nn::FloorOp,
                     nn::MulOp>(
      {"FakeQuantWithMinMaxVars", "FakeQuantWithMinMaxVarsPerChannel"},
      importFakeQuant);
}
