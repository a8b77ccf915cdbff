//===- ConvOps.cpp - GE convolutions --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Padding.h"
#include "Quantization.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
/// What the convolutions of the format have in common.
struct ConvAttrs {
  SmallVector<int64_t> strides, dilations;
  Padding padding;
  int64_t groups = 1;
  bool nhwc = false;
  nn::Activation activation = nn::Activation::none;
};
} // namespace

static FailureOr<ConvAttrs> readAttrs(OpImporter &imp, bool defaultsToSame) {
  ConvAttrs attrs;
  FailureOr<SmallVector<int64_t>> strides =
      imp.expectInts("strides", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> dilations =
      imp.expectInts("dilations", 2, {1, 1});
  FailureOr<Padding> padding = readPadding(imp, "pads", defaultsToSame);
  FailureOr<int64_t> groups = imp.getInt("groups", 1);
  FailureOr<bool> nhwc = imp.isNHWC();
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(strides) || failed(dilations) || failed(padding) ||
      failed(groups) || failed(nhwc) || failed(activation))
    return failure();
  attrs.strides = *strides;
  attrs.dilations = *dilations;
  attrs.padding = *padding;
  attrs.groups = *groups;
  attrs.nhwc = *nhwc;
  attrs.activation = *activation;
  return attrs;
}

/// The filter in the layout that nn.conv2d wants. Files hold it OIHW also where
/// activations are NHWC (semantics.md 2); nn puts channels last there.
static FailureOr<Value> convertFilter(OpImporter &imp, Value filter,
                                      const ConvAttrs &attrs) {
  if (!attrs.nhwc)
    return filter;
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> permutation{0, 2, 3, 1};
  if (attrs.groups != 1) {
    ArrayRef<int64_t> shape = type.getShape();
    FailureOr<Value> grouped =
        imp.createReshape(filter, {attrs.groups, shape[0] / attrs.groups,
                                   shape[1], shape[2], shape[3]});
    if (failed(grouped))
      return failure();
    filter = *grouped;
    permutation = {0, 1, 3, 4, 2};
  }
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(permutation);
  FailureOr<nn::TransposeOp> transpose =
      imp.create<nn::TransposeOp>({filter}, properties);
  if (failed(transpose))
    return failure();
  return Value(*transpose);
}

/// The bias, which files hold as C or 1,C,1,1, in the shape that the layout
/// gives it, and of the result's element type.
static FailureOr<Value> convertBias(OpImporter &imp, Value bias,
                                    int64_t channels, bool nhwc,
                                    Type elementType) {
  auto type = dyn_cast<RankedTensorType>(bias.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != channels)
    return imp.emitError() << "bias of type " << bias.getType()
                           << " does not fit " << channels << " channels";
  FailureOr<Value> cast = imp.createCast(bias, elementType);
  if (failed(cast))
    return failure();
  if (nhwc)
    return imp.createReshape(*cast, {1, 1, 1, channels});
  return imp.createReshape(*cast, {1, channels, 1, 1});
}

static LogicalResult importConvolution(OpImporter &imp) {
  const bool depthwise = imp.getType() == "ConvolutionDepthwise";
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the filter");
  FailureOr<ConvAttrs> attrs = readAttrs(imp, /*defaultsToSame=*/depthwise);
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

/// The filter as a file holds it and the number of groups; fails after
/// `refuse`. A filter in nn's form is what an implicit op made of the file's.
static FailureOr<Value> findFileFilter(OpExporter &exp, nn::Conv2DOp op) {
  Value filter = op.getFilter();
  bool nhwc = op.getLayout() == nn::Layout::NHWC;
  if (!nhwc && !op.getGroupFilter())
    return filter;
  if (nhwc)
    if (auto transpose = filter.getDefiningOp<nn::TransposeOp>()) {
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      if (!op.getGroupFilter() &&
          permutation == ArrayRef<int64_t>({0, 2, 3, 1}))
        return transpose.getInput();
      if (op.getGroupFilter() &&
          permutation == ArrayRef<int64_t>({0, 1, 3, 4, 2}))
        if (auto reshape = transpose.getInput().getDefiningOp<nn::ReshapeOp>())
          if (auto type =
                  dyn_cast<RankedTensorType>(reshape.getInput().getType());
              type && type.getRank() == 4)
            return reshape.getInput();
    }
  // --legalize-for=ge brings filters into the file's form.
  (void)exp.refuse("its filter is not in the order OC,IC/groups,FH,FW");
  return failure();
}

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
  FailureOr<Value> filter = findFileFilter(exp, op);
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
