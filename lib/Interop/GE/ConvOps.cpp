//===- ConvOps.cpp - GE convolutions --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "Quantization.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

static LogicalResult importConvolution(OpImporter &imp) {
  const bool depthwise = imp.getType() == "ConvolutionDepthwise";
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the filter");
  FailureOr<ConvAttrs> attrs = readConvAttrs(imp, /*defaultsToSame=*/depthwise);
  if (failed(attrs))
    return failure();
  Value input = imp.getOperand(0), filter = imp.getOperand(1);
  auto inputType = dyn_cast<RankedTensorType>(input.getType());
  auto filterType = dyn_cast<RankedTensorType>(filter.getType());
  if (!inputType || !filterType || !filterType.hasStaticShape())
    return imp.decline("input or filter of unknown shape");
  if (inputType.getRank() != 4 || filterType.getRank() != 4)
    return imp.emitError() << "input and filter must have rank 4, not "
                           << inputType << " and " << filterType;
  int64_t channels = inputType.getDimSize(attrs->nhwc ? 3 : 1);
  if (depthwise) {
    // The attribute may say anything (semantics.md 3).
    if (ShapedType::isDynamic(channels) || channels == 0)
      return imp.decline("depthwise convolution of unknown channels");
    attrs->groups = channels;
    ArrayRef<int64_t> shape = filterType.getShape();
    if (shape[0] == 1 && shape[1] == channels && channels > 1) {
      FailureOr<Value> turned =
          imp.createReshape(filter, {channels, 1, shape[2], shape[3]});
      if (failed(turned))
        return failure();
      filter = *turned;
      filterType = cast<RankedTensorType>(filter.getType());
    }
  }
  if (attrs->groups <= 0 || filterType.getDimSize(0) % attrs->groups != 0)
    return imp.emitError() << "filter of " << filterType.getDimSize(0)
                           << " output channels does not split into "
                           << attrs->groups << " groups";
  FailureOr<DequantizedFilter> dequantized =
      dequantizeFilter(imp, filter, /*channelDim=*/0);
  if (failed(dequantized))
    return failure();
  Type element = inputType.getElementType();
  FailureOr<Value> converted = imp.createCast(dequantized->filter, element);
  if (succeeded(converted))
    converted = convertFilter(imp, *converted, *attrs);
  if (failed(converted))
    return failure();

  FailureOr<SmallVector<int64_t>> pads = resolvePads(
      imp, attrs->padding,
      attrs->nhwc ? inputType.getShape().slice(1, 2)
                  : inputType.getShape().slice(2, 2),
      filterType.getShape().drop_front(2), attrs->strides, attrs->dilations);
  if (failed(pads))
    return failure();

  SmallVector<Value> operands{input, *converted};
  nn::Conv2DOp::Properties properties;
  if (Value bias = imp.getOperand(2)) {
    FailureOr<Value> real = dequantizeBias(imp, bias, *dequantized);
    if (succeeded(real))
      real = convertBias(imp, *real, filterType.getDimSize(0), attrs->nhwc,
                         element);
    if (failed(real))
      return failure();
    operands.push_back(*real);
  }
  properties.operandSegmentSizes = {1, 1, operands.size() == 3, 0};
  properties.strides = imp.i64s(attrs->strides);
  properties.pads = imp.i64s(*pads);
  properties.dilations = imp.i64s(attrs->dilations);
  properties.groups = imp.i64(attrs->groups);
  properties.group_filter = imp.unit(attrs->nhwc && attrs->groups != 1);
  properties.layout = imp.getLayoutAttr(attrs->nhwc);
  properties.activation =
      nn::ActivationAttr::get(imp.getContext(), attrs->activation);
  return imp.create<nn::Conv2DOp>(operands, properties);
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

static LogicalResult exportConv2D(OpExporter &exp) {
  auto op = cast<nn::Conv2DOp>(exp.getSource());
  if (op.getResidual())
    return exp.refuse("a convolution has no residual");
  if (op.getFlipFilter() || op.getOutTypeAttr())
    return exp.refuse("flipped filters and results of another type are not "
                      "known to the format");
  if (op.getLayout() != nn::Layout::NCHW && op.getLayout() != nn::Layout::NHWC)
    return exp.refuse("layout " + nn::stringifyLayout(op.getLayout()) +
                      " is not known to the format");
  FailureOr<Value> filter =
      findFileFilter(exp, op.getFilter(), op.getLayout(), op.getGroupFilter());
  if (failed(filter))
    return failure();
  auto filterType = dyn_cast<RankedTensorType>(filter->getType());
  if (!filterType)
    return exp.refuse("its filter has no known shape");
  bool nhwc = op.getLayout() == nn::Layout::NHWC;
  bool depthwise = op.getGroups() != 1 && filterType.getDimSize(1) == 1;
  exp.setType(depthwise ? "ConvolutionDepthwise" : "Convolution");
  exp.addInput(op.getInput());
  exp.addInput(*filter);
  if (op.getBias())
    exp.addInput(op.getBias());
  exp.setInts("strides", op.getStrides());
  exp.setInts("dilations", op.getDilations());
  writePads(exp, "pads", op.getPads());
  if (!depthwise)
    exp.setInt("groups", op.getGroups());
  exp.setString("data_format", nhwc ? "NHWC" : "NCHW");
  return writeFusedActivation(exp, op.getActivation());
}

void modelwright::ge::registerConvOps(OpRegistry &registry) {
  registry.addImport<nn::Conv2DOp>({"Convolution", "ConvolutionDepthwise"},
                                   importConvolution);
  registry.addExport<nn::Conv2DOp>(exportConv2D);
}
