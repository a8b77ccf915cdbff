//===- ImageOps.cpp - GE image preprocessing ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNImageOps.h"
#include "modelwright/Interop/GE/OpExporter.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "modelwright/Interop/GE/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// The preprocessing of a device (semantics.md 16): crop, colour, resize,
/// padding, rotation, and mean and variance per channel. With all of it off it
/// is a cast, which is typed; what the stages do to what layout is not known
/// well enough to type more. The second input holds the same parameters for the
/// device.
static LogicalResult importAipp(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 2)))
    return failure();
  const proto::NamedAttrs *config = imp.findFunc("aipp");
  if (!config)
    return imp.decline("preprocessing without parameters");
  for (StringRef name :
       {"crop", "resize", "padding", "csc_switch", "rbuv_swap_switch",
        "ax_swap_switch", "dtc_switch", "support_rotation", "single_line_mode"})
    if (const proto::AttrDef *value = findAttr(config->attr(), name);
        value && (value->b() || value->i() != 0))
      return imp.decline("preprocessing that has '" + name + "' on");
  constexpr std::pair<StringLiteral, float> kNeutral[] = {
      {"mean_chn_", 0.0f}, {"min_chn_", 0.0f}, {"var_reci_chn_", 1.0f}};
  for (unsigned channel = 0; channel < 4; ++channel)
    for (auto [prefix, neutral] : kNeutral) {
      std::string name = (prefix + Twine(channel)).str();
      const proto::AttrDef *value = findAttr(config->attr(), name);
      if (value && (value->has_f() ? value->f()
                                   : static_cast<float>(value->i())) != neutral)
        return imp.decline("preprocessing by '" + name + "'");
    }
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (imp.op.output_desc_size() != 1 || !type)
    return imp.decline("preprocessing of an unknown shape");
  FailureOr<TensorType> result = getTensorType(
      imp.getContext(), imp.op.output_desc(0), [&] { return imp.emitError(); });
  if (failed(result))
    return failure();
  if (!result->hasRank() || result->getShape() != type.getShape() ||
      result->getElementType() == type.getElementType() ||
      !nn::isFloat(result->getElementType()))
    return imp.decline("preprocessing into another shape");
  return imp.createCast(imp.getOperand(0), result->getElementType());
}

/// CANN's GridSample and GridSampler2D: places x, y in -1 .. 1, from the centre
/// of the first element to that of the last (`align_corners`) or from edge to
/// edge of the image.
static LogicalResult importGridSample(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<std::string> mode = imp.getString("interpolation_mode", "bilinear");
  FailureOr<std::string> padding = imp.getString("padding_mode", "zeros");
  FailureOr<bool> corners = imp.getBool("align_corners", false);
  FailureOr<bool> channelLast = imp.getBool("channel_last", false);
  if (failed(mode) || failed(padding) || failed(corners) || failed(channelLast))
    return failure();
  auto type = getStaticType(imp.getOperand(0));
  auto grid = getStaticType(imp.getOperand(1));
  if (!type || !grid || type.getRank() != 4 || grid.getRank() != 4 ||
      *channelLast || !nn::isFloat(grid.getElementType()))
    return imp.decline("samples of other than N,C,H,W");
  // Nearest samples round halves to even here and away from zero in nn.
  if (*mode != "bilinear" || (*padding != "zeros" && *padding != "border"))
    return imp.decline("samples by " + *mode + " with padding " + *padding);
  SmallVector<float> scales, shifts;
  for (unsigned axis : {3, 2}) {
    auto size = static_cast<float>(type.getDimSize(axis));
    scales.push_back((*corners ? size - 1.0f : size) / 2.0f);
    shifts.push_back((size - 1.0f) / 2.0f);
  }
  Type element = grid.getElementType();
  FailureOr<Value> map = apply<nn::MulOp>(
      imp, {imp.getOperand(1), imp.createConstant({2}, scales, element)});
  if (succeeded(map))
    map =
        apply<nn::AddOp>(imp, {*map, imp.createConstant({2}, shifts, element)});
  if (failed(map))
    return failure();
  nn::RemapOp::Properties properties;
  properties.border = nn::BorderAttr::get(
      imp.getContext(),
      *padding == "zeros" ? nn::Border::constant : nn::Border::replicate);
  return imp.create<nn::RemapOp>({imp.getOperand(0), *map}, properties);
}

void modelwright::ge::registerImageOps(OpRegistry &registry) {
  registry.addImport<nn::MulOp, nn::AddOp, nn::RemapOp>(
      {"GridSample", "GridSampler2D"}, importGridSample);
  registry.addImport<nn::CastOp>({"Aipp"}, importAipp);
}
