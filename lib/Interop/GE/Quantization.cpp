//===- Quantization.cpp - Weights stored as integers ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantization.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Interop/GE/OpExporter.h"
#include "llvm/Support/Endian.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
struct Scales {
  SmallVector<float> filter;
  float input = 1.0f;
};
} // namespace

/// f32 values stored as bytes.
static SmallVector<float> readFloatBytes(StringRef bytes) {
  SmallVector<float> values;
  for (; bytes.size() >= 4; bytes = bytes.drop_front(4))
    values.push_back(
        llvm::bit_cast<float>(llvm::support::endian::read32le(bytes.data())));
  return values;
}

static FailureOr<Scales> readScales(OpImporter &imp) {
  Scales scales;
  if (const proto::NamedAttrs *info = imp.findFunc("QuantizeInfo")) {
    const proto::AttrDef *filter = findAttr(info->attr(), "scale_weight_value");
    const proto::AttrDef *input = findAttr(info->attr(), "scale_data_value");
    if (filter && filter->has_bt())
      scales.filter = readFloatBytes(filter->bt());
    // Models with quantized filters only have no scale of the data.
    if (input && input->has_f() && input->f() != 0.0f)
      scales.input = input->f();
    return scales;
  }
  // The names follow those of the op's inputs.
  StringRef type = imp.getType();
  bool isMatMul = type.contains("MatMul");
  StringRef filterName = isMatMul                ? "x2_quant_scales"
                         : type.contains("Full") ? "w_quant_scales"
                                                 : "filter_quant_scales";
  FailureOr<SmallVector<float>> filter = imp.getFloats(filterName, {});
  FailureOr<float> input =
      imp.getFloat(isMatMul ? "x1_quant_scale" : "x_quant_scale", 1.0f);
  if (failed(filter) || failed(input))
    return failure();
  scales.filter = *filter;
  if (*input != 0.0f)
    scales.input = *input;
  return scales;
}

FailureOr<DequantizedFilter>
modelwright::ge::dequantizeFilter(OpImporter &imp, Value filter,
                                  unsigned channelDim) {
  auto type = cast<RankedTensorType>(filter.getType());
  if (!isa<IntegerType>(type.getElementType()))
    return DequantizedFilter{filter, {}};
  FailureOr<Scales> scales = readScales(imp);
  if (failed(scales))
    return failure();
  int64_t channels = type.getDimSize(channelDim);
  size_t count = scales->filter.size();
  if (count != 1 && count != static_cast<size_t>(channels))
    return imp.decline("an integer filter of " + llvm::Twine(channels) +
                       " channels with " + llvm::Twine(count) + " scales");
  DequantizedFilter result;
  for (int64_t c = 0; c < channels; ++c)
    result.biasScales.push_back(scales->filter[count == 1 ? 0 : c] *
                                scales->input);
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[channelDim] = static_cast<int64_t>(count);
  Type f32 = imp.builder.getF32Type();
  FailureOr<Value> real = imp.createCast(filter, f32);
  if (failed(real))
    return failure();
  Value scale = imp.createConstant(shape, scales->filter, f32);
  FailureOr<nn::MulOp> product = imp.create<nn::MulOp>({*real, scale});
  if (failed(product))
    return failure();
  result.filter = *product;
  return result;
}

FailureOr<bool> modelwright::ge::multipliesCodes(OpImporter &imp, Value input,
                                                 Value filter) {
  Type element = nn::getElementType(input.getType());
  if (nn::isFloat(element))
    return false;
  FailureOr<int64_t> offset = imp.getInt("offset_x", 0);
  if (failed(offset))
    return failure();
  bool hasScales =
      llvm::any_of(imp.op.attr(), [](const proto::AttrEntry &entry) {
        return StringRef(entry.key()).contains_insensitive("quant");
      });
  if (!element.isSignlessInteger(8) || hasScales || *offset != 0 ||
      nn::getElementType(filter.getType()) != element)
    return imp.decline("a product of integers with scales or offsets");
  return true;
}

FailureOr<Value>
modelwright::ge::dequantizeBias(OpImporter &imp, Value bias,
                                const DequantizedFilter &filter) {
  auto type = dyn_cast<RankedTensorType>(bias.getType());
  if (!type || !isa<IntegerType>(type.getElementType()))
    return bias;
  if (filter.biasScales.empty())
    return imp.decline("an integer bias of a filter that is not quantized");
  Type f32 = imp.builder.getF32Type();
  FailureOr<Value> real = imp.createCast(bias, f32);
  if (failed(real))
    return failure();
  SmallVector<int64_t> shape(type.getShape());
  if (type.getNumElements() != static_cast<int64_t>(filter.biasScales.size()))
    return imp.emitError() << "bias of type " << type << " does not fit "
                           << filter.biasScales.size() << " channels";
  Value scale = imp.createConstant(shape, filter.biasScales, f32);
  FailureOr<nn::MulOp> product = imp.create<nn::MulOp>({*real, scale});
  if (failed(product))
    return failure();
  return Value(*product);
}
