//===- ImageOps.cpp - GE image preprocessing ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
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

void modelwright::ge::registerImageOps(OpRegistry &registry) {
  registry.addImport<nn::CastOp>({"Aipp"}, importAipp);
}
