//===- PadOps.cpp - GE pads -----------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
struct Paddings {
  RankedTensorType input;
  SmallVector<int64_t> low, high;
};
} // namespace

/// Input 1 holds a pair per axis; PadV3 may say that all lows come before all
/// highs.
static FailureOr<Paddings> readPaddings(OpImporter &imp) {
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> values = getInts(imp, 1, "paddings");
  FailureOr<bool> inPairs = imp.getBool("paddings_contiguous", true);
  if (failed(type) || failed(values) || failed(inPairs))
    return failure();
  auto rank = static_cast<size_t>(type->getRank());
  if (values->size() != 2 * rank)
    return imp.emitError() << "has " << values->size() << " paddings for rank "
                           << rank;
  Paddings paddings{*type, {}, {}};
  for (size_t axis = 0; axis < rank; ++axis) {
    paddings.low.push_back((*values)[*inPairs ? 2 * axis : axis]);
    paddings.high.push_back((*values)[*inPairs ? 2 * axis + 1 : rank + axis]);
    for (int64_t pad : {paddings.low.back(), paddings.high.back()}) {
      if (pad < 0)
        return imp.decline("a negative padding");
      if (pad > INT32_MAX)
        return imp.emitError() << "pads axis " << axis << " by " << pad;
    }
  }
  return paddings;
}

static Value makePad(OpImporter &imp, const Paddings &paddings,
                     nn::PadMode mode, float value) {
  nn::PadOp::Properties properties;
  properties.low = imp.i64s(paddings.low);
  properties.high = imp.i64s(paddings.high);
  properties.mode = nn::PadModeAttr::get(imp.getContext(), mode);
  properties.value = imp.f32(value);
  return make<nn::PadOp>(imp, {imp.getOperand(0)}, properties);
}

/// Pad, and PadV2 and PadV3, which may give the value. Version 0 calls PadV3
/// either of the other names.
static LogicalResult importPad(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<Paddings> paddings = readPaddings(imp);
  // Files before version 5 have numbers, of which 0 is constant.
  const proto::AttrDef *attribute = imp.find("mode");
  FailureOr<std::string> mode =
      attribute && attribute->has_i()
          ? FailureOr<std::string>(attribute->i() == 0
                                       ? "constant"
                                       : std::to_string(attribute->i()))
          : imp.getString("mode", "constant");
  if (failed(paddings) || failed(mode))
    return failure();
  // HiAI knows constants only, CANN the others as well.
  if (*mode == "edge")
    return finish(imp, makePad(imp, *paddings, nn::PadMode::replicate, 0.0f));
  if (*mode == "reflect")
    return finish(imp, makePad(imp, *paddings, nn::PadMode::reflect, 0.0f));
  if (*mode != "constant")
    return imp.decline("pad mode '" + *mode + "'");
  float value = 0.0f;
  if (imp.getOperand(2)) {
    FailureOr<float> number = getNumber(imp, 2, "constant_values");
    if (failed(number))
      return failure();
    value = *number;
  }
  return finish(imp, makePad(imp, *paddings, nn::PadMode::constant, value));
}

/// The mirror image with the edge repeated: parts of each axis, reversed.
static Value makeSymmetric(OpImporter &imp, const Paddings &paddings) {
  Value value = imp.getOperand(0);
  for (auto [axis, dim, low, high] : llvm::enumerate(
           paddings.input.getShape(), paddings.low, paddings.high)) {
    auto position = static_cast<int64_t>(axis);
    SmallVector<Value> parts;
    if (low > 0)
      parts.push_back(makeSlice(imp, value, {{position, low - 1, -1, low}}));
    parts.push_back(value);
    if (high > 0)
      parts.push_back(makeSlice(imp, value, {{position, dim - 1, -1, high}}));
    value = makeConcat(imp, parts, position);
  }
  return value;
}

static LogicalResult importMirrorPad(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<Paddings> paddings = readPaddings(imp);
  if (failed(paddings))
    return failure();
  // A string, or an integer in versions before 5.
  const proto::AttrDef *attribute = imp.find("mode");
  std::string mode;
  if (attribute && attribute->has_i())
    mode = attribute->i() == 1   ? "REFLECT"
           : attribute->i() == 2 ? "SYMMETRIC"
                                 : std::to_string(attribute->i());
  else if (attribute && attribute->has_s())
    mode = attribute->s();
  if (mode != "REFLECT" && mode != "SYMMETRIC")
    return imp.emitError() << "attribute 'mode' must be REFLECT or SYMMETRIC";
  bool isSymmetric = mode == "SYMMETRIC";
  for (auto [axis, dim, low, high] : llvm::enumerate(
           paddings->input.getShape(), paddings->low, paddings->high)) {
    int64_t most = isSymmetric ? dim : dim - 1;
    if (low > most || high > most)
      return imp.emitError()
             << "mirrors " << std::max(low, high) << " elements of axis "
             << axis << ", which has " << dim;
  }
  return finish(imp, isSymmetric
                         ? makeSymmetric(imp, *paddings)
                         : makePad(imp, *paddings, nn::PadMode::reflect, 0.0f));
}

static LogicalResult exportPad(OpExporter &exp) {
  auto op = cast<nn::PadOp>(exp.getSource());
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!type)
    return exp.refuse("its rank is not known");
  if (op.getMode() == nn::PadMode::replicate)
    return exp.refuse("only constants and mirror images are known to the "
                      "format");
  auto rank = static_cast<size_t>(type.getRank());
  SmallVector<int32_t> paddings;
  for (size_t axis = 0; axis < rank; ++axis)
    for (ArrayRef<int64_t> pads : {op.getLow(), op.getHigh()})
      paddings.push_back(
          static_cast<int32_t>(axis < pads.size() ? pads[axis] : 0));
  exp.addInput(op.getInput());
  exp.addConstant(DenseElementsAttr::get(
      RankedTensorType::get({type.getRank(), 2},
                            IntegerType::get(op.getContext(), 32)),
      ArrayRef<int32_t>(paddings)));
  if (op.getMode() == nn::PadMode::reflect) {
    exp.setType("MirrorPad");
    exp.setString("mode", "REFLECT");
    return success();
  }
  float value = op.getValue().convertToFloat();
  if (value == 0.0f) {
    exp.setType("Pad");
    return success();
  }
  Type element = type.getElementType();
  auto scalar = RankedTensorType::get({}, element);
  Attribute number;
  if (nn::isFloat(element))
    number = FloatAttr::get(element, value);
  else if (auto integer = dyn_cast<IntegerType>(element))
    number = IntegerAttr::get(
        integer, APInt(integer.getWidth(), static_cast<int64_t>(value),
                       /*isSigned=*/true, /*implicitTrunc=*/true));
  else
    return exp.refuse("the format has no constant of its element type");
  exp.setType("PadV2");
  exp.addConstant(DenseElementsAttr::get(scalar, number));
  return success();
}

void modelwright::ge::registerPadOps(OpRegistry &registry) {
  registry.addImport<nn::PadOp>({"Pad", "PadV2", "PadV3"}, importPad);
  registry.addImport<nn::PadOp, nn::SliceOp, nn::ConcatOp>({"MirrorPad"},
                                                           importMirrorPad);
  registry.addExport<nn::PadOp>(exportPad);
}
