//===- ConvOps.cpp - GE convolutions --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "ConvCommon.h"
#include "Quantization.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Creates the convolution of the first operand and an OIHW filter.
static LogicalResult createConv2D(OpImporter &imp, const ConvAttrs &attrs,
                                  Value filter, Value bias) {
  Value input = imp.getOperand(0);
  auto inputType = cast<RankedTensorType>(input.getType());
  auto filterType = cast<RankedTensorType>(filter.getType());
  if (attrs.groups <= 0 || filterType.getDimSize(0) % attrs.groups != 0)
    return imp.emitError() << "filter of " << filterType.getDimSize(0)
                           << " output channels does not split into "
                           << attrs.groups << " groups";
  FailureOr<bool> isExact = multipliesCodes(imp, input, filter);
  if (failed(isExact))
    return failure();
  FailureOr<DequantizedFilter> dequantized = DequantizedFilter{filter, {}};
  if (!*isExact)
    dequantized = dequantizeFilter(imp, filter, /*channelDim=*/0);
  if (failed(dequantized))
    return failure();
  Type element = inputType.getElementType();
  FailureOr<Value> converted = imp.createCast(dequantized->filter, element);
  if (succeeded(converted))
    converted = convertFilter(imp, *converted, attrs);
  if (failed(converted))
    return failure();

  FailureOr<SmallVector<int64_t>> pads = resolvePads(
      imp, attrs.padding,
      attrs.nhwc ? inputType.getShape().slice(1, 2)
                 : inputType.getShape().slice(2, 2),
      filterType.getShape().drop_front(2), attrs.strides, attrs.dilations);
  if (failed(pads))
    return failure();

  SmallVector<Value> operands{input, *converted};
  nn::Conv2DOp::Properties properties;
  if (bias && !*isExact) {
    FailureOr<Value> real = dequantizeBias(imp, bias, *dequantized);
    if (succeeded(real))
      real = convertBias(imp, *real, filterType.getDimSize(0), attrs.nhwc,
                         element);
    if (failed(real))
      return failure();
    operands.push_back(*real);
  }
  properties.operandSegmentSizes = {1, 1, operands.size() == 3, 0};
  properties.strides = imp.i64s(attrs.strides);
  properties.pads = imp.i64s(*pads);
  properties.dilations = imp.i64s(attrs.dilations);
  properties.groups = imp.i64(attrs.groups);
  properties.group_filter = imp.unit(attrs.nhwc && attrs.groups != 1);
  properties.layout = imp.getLayoutAttr(attrs.nhwc);
  properties.activation = nn::ActivationAttr::get(
      imp.getContext(), *isExact ? nn::Activation::none : attrs.activation);
  FailureOr<nn::Conv2DOp> conv = imp.create<nn::Conv2DOp>(operands, properties);
  if (failed(conv) || !*isExact)
    return conv;
  // What comes behind integers works on their sums.
  Value sum = *conv;
  if (bias) {
    FailureOr<Value> shaped = convertBias(imp, bias, filterType.getDimSize(0),
                                          attrs.nhwc, imp.builder.getI32Type());
    if (failed(shaped))
      return failure();
    FailureOr<Value> next = apply<nn::AddOp>(imp, {sum, *shaped});
    if (failed(next))
      return failure();
    sum = *next;
  }
  return applyFusedActivation(imp, sum, attrs.activation);
}

/// Makes a depthwise convolution of `attrs`; the filter may be 1,C,FH,FW.
static FailureOr<Value> makeDepthwise(OpImporter &imp, ConvAttrs &attrs,
                                      Value filter) {
  auto inputType = cast<RankedTensorType>(imp.getOperand(0).getType());
  int64_t channels = inputType.getDimSize(attrs.nhwc ? 3 : 1);
  // The attribute may say anything (semantics.md 3).
  if (ShapedType::isDynamic(channels) || channels == 0)
    return imp.decline("depthwise convolution of unknown channels");
  attrs.groups = channels;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(filter.getType()).getShape();
  if (shape[0] == 1 && shape[1] == channels && channels > 1)
    return imp.createReshape(filter, {channels, 1, shape[2], shape[3]});
  return filter;
}

/// Declines unknown shapes; reports other ranks than 4.
static LogicalResult checkConvTypes(OpImporter &imp) {
  auto inputType = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto filterType = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (!inputType || !filterType || !filterType.hasStaticShape())
    return imp.decline("input or filter of unknown shape");
  if (inputType.getRank() != 4 || filterType.getRank() != 4)
    return imp.emitError() << "input and filter must have rank 4, not "
                           << inputType << " and " << filterType;
  return success();
}

/// Convolution, ConvolutionDepthwise, and Correlation, whose filter another op
/// computes.
static LogicalResult importConvolution(OpImporter &imp) {
  // The names with Quantized are the API's; it stores the others.
  const bool depthwise = imp.getType().ends_with("ConvolutionDepthwise");
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the filter");
  FailureOr<ConvAttrs> attrs = readConvAttrs(imp, /*defaultsToSame=*/depthwise);
  if (failed(attrs) || failed(checkConvTypes(imp)))
    return failure();
  FailureOr<Value> filter = imp.getOperand(1);
  if (depthwise)
    filter = makeDepthwise(imp, *attrs, *filter);
  if (failed(filter))
    return failure();
  return createConv2D(imp, *attrs, *filter, imp.getOperand(2));
}

/// CANN's Conv2D and DepthwiseConv2D.
static LogicalResult importServerConv2D(OpImporter &imp) {
  const bool depthwise = imp.getType() == "DepthwiseConv2D";
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the filter");
  FailureOr<ConvAttrs> attrs = readServerConvAttrs(imp);
  if (failed(attrs) || failed(checkConvTypes(imp)))
    return failure();
  FailureOr<Value> filter;
  if (depthwise && getDescriptorFormat(imp, 1) == "HWCN") {
    // FH,FW,C,M: channel c makes the output channels from c*M on.
    auto type = cast<RankedTensorType>(imp.getOperand(1).getType());
    filter = createTranspose(imp, imp.getOperand(1), {2, 3, 0, 1});
    if (succeeded(filter))
      filter = imp.createReshape(*filter,
                                 {type.getDimSize(2) * type.getDimSize(3), 1,
                                  type.getDimSize(0), type.getDimSize(1)});
  } else {
    filter = convertServerFilter(imp, 1);
  }
  if (succeeded(filter) && depthwise)
    filter = makeDepthwise(imp, *attrs, *filter);
  if (failed(filter))
    return failure();
  return createConv2D(imp, *attrs, *filter, imp.getOperand(2));
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
  registry.addImport<nn::Conv2DOp>({"Convolution", "ConvolutionDepthwise",
                                    "Correlation", "QuantizedConvolution",
                                    "QuantizedConvolutionDepthwise"},
                                   importConvolution);
  registry.addImport<nn::Conv2DOp>({"Conv2D", "DepthwiseConv2D"},
                                   importServerConv2D);
  registry.addExport<nn::Conv2DOp>(exportConv2D);
}
