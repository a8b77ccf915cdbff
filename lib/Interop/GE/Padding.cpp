//===- Padding.cpp - Windows and fused activations ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

static FailureOr<PadMode> readPadMode(OpImporter &imp, bool defaultsToSame) {
  const proto::AttrDef *value = imp.find("pad_mode");
  if (!value)
    return defaultsToSame ? PadMode::Same : PadMode::Explicit;
  std::optional<PadMode> mode;
  if (value->has_s())
    mode = llvm::StringSwitch<std::optional<PadMode>>(value->s())
               .Cases({"SPECIFIC", "CALCULATED"}, PadMode::Explicit)
               .Case("VALID", PadMode::Valid)
               .Case("SAME", PadMode::Same)
               .Default(std::nullopt);
  else if (value->has_i() && value->i() >= 0 && value->i() <= 6)
    mode = value->i() == 5   ? PadMode::Valid
           : value->i() == 6 ? PadMode::Same
                             : PadMode::Explicit;
  if (!mode)
    return imp.emitError() << "attribute 'pad_mode' has no value of the format";
  return *mode;
}

FailureOr<Padding> modelwright::ge::readPadding(OpImporter &imp, StringRef name,
                                                bool defaultsToSame) {
  FailureOr<PadMode> mode = readPadMode(imp, defaultsToSame);
  FailureOr<SmallVector<int64_t>> pads = imp.expectInts(name, 4, {0, 0, 0, 0});
  // Explicit padding of an older tool, in front of the op's own.
  FailureOr<SmallVector<int64_t>> before = imp.getInts("before_pad", {});
  if (failed(mode) || failed(pads) || failed(before))
    return failure();
  if (llvm::any_of(*before, [](int64_t pad) { return pad != 0; }))
    return imp.decline("padding by 'before_pad'");
  if (llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return imp.emitError() << "attribute '" << name << "' is negative";
  Padding padding;
  padding.mode = *mode;
  padding.pads = *pads;
  // Pads that are there count under VALID too, as in the vendor's converter.
  if (*mode == PadMode::Valid &&
      llvm::any_of(*pads, [](int64_t pad) { return pad != 0; }))
    padding.mode = PadMode::Explicit;
  return padding;
}

FailureOr<SmallVector<int64_t>> modelwright::ge::resolvePads(
    OpImporter &imp, const Padding &padding, ArrayRef<int64_t> inputSize,
    ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
    ArrayRef<int64_t> dilations) {
  SmallVector<int64_t> pads = padding.pads;
  if (padding.mode == PadMode::Valid)
    return SmallVector<int64_t>{0, 0};
  if (padding.mode == PadMode::Same)
    for (size_t k = 0; k < 2; ++k) {
      if (ShapedType::isDynamic(inputSize[k]))
        return imp.decline("SAME padding of an unknown size");
      if (strides[k] <= 0)
        return imp.emitError() << "stride " << strides[k] << " is not positive";
      int64_t out = llvm::divideCeil(inputSize[k], strides[k]);
      int64_t reach, span, needed;
      if (llvm::MulOverflow(out - 1, strides[k], reach) ||
          llvm::MulOverflow(kernel[k] - 1, dilations[k], span) ||
          llvm::AddOverflow(reach, span, needed) || needed == INT64_MAX)
        return imp.emitError() << "window, stride or dilation is out of range";
      int64_t total = std::max<int64_t>(needed + 1 - inputSize[k], 0);
      pads[2 * k] = total / 2;
      pads[2 * k + 1] = total - total / 2;
    }
  if (pads[0] == pads[1] && pads[2] == pads[3])
    return SmallVector<int64_t>{pads[0], pads[2]};
  return pads;
}

void modelwright::ge::writePads(OpExporter &exp, StringRef name,
                                ArrayRef<int64_t> pads) {
  exp.setString("pad_mode", "SPECIFIC");
  if (pads.size() == 2)
    exp.setInts(name, {pads[0], pads[0], pads[1], pads[1]});
  else
    exp.setInts(name, pads);
}

FailureOr<nn::Activation>
modelwright::ge::readFusedActivation(OpImporter &imp) {
  FailureOr<bool> flag = imp.getBool("relu_flag", false);
  FailureOr<int64_t> mode = imp.getInt("relu_mode", 1);
  if (failed(flag) || failed(mode))
    return failure();
  if (!*flag)
    return nn::Activation::none;
  return *mode == 2 ? nn::Activation::relu6 : nn::Activation::relu;
}

LogicalResult modelwright::ge::applyFusedActivation(OpImporter &imp,
                                                    Value value,
                                                    nn::Activation activation) {
  switch (activation) {
  case nn::Activation::none:
    return success();
  case nn::Activation::relu:
    return imp.create<nn::ReluOp>({value});
  case nn::Activation::relu6:
    return imp.create<nn::Relu6Op>({value});
  default:
    llvm_unreachable("the format fuses no other");
  }
}

LogicalResult modelwright::ge::writeFusedActivation(OpExporter &exp,
                                                    nn::Activation activation) {
  switch (activation) {
  case nn::Activation::none:
    exp.clear("relu_flag");
    exp.clear("relu_mode");
    return success();
  case nn::Activation::relu:
    exp.setBool("relu_flag", true);
    exp.clear("relu_mode");
    return success();
  case nn::Activation::relu6:
    exp.setBool("relu_flag", true);
    exp.setInt("relu_mode", 2);
    return success();
  default:
    return exp.refuse("the format fuses no activation but relu and relu6");
  }
}
