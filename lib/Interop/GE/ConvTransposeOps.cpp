//===- ConvTransposeOps.cpp - GE transposed convolutions ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the inputs depends on who wrote the file (semantics.md 3), so
// they are told apart by what they are. nn crops both sides of the full result
// alike (`pads`); what the format crops or adds beyond that is a slice or a pad
// behind the op.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "ConvCommon.h"
#include "Quantization.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
struct Inputs {
  Value input, filter, bias;
  /// Four dims in the order of the activations, if the file tells them.
  std::optional<SmallVector<int64_t>> outputShape;
};
} // namespace

/// Whether `value` can be an output shape: four integers.
static bool isShapeOperand(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1 && type.getDimSize(0) == 4 &&
         isa<IntegerType>(type.getElementType());
}

static bool isConstant(Value value) {
  return value.getDefiningOp<nn::ConstantOp>() != nullptr;
}

/// Whether `filter` can be one of an input with so many channels.
static bool isFilterOf(Value filter, Value input, bool nhwc) {
  auto type = dyn_cast<RankedTensorType>(filter.getType());
  auto inputType = dyn_cast<RankedTensorType>(input.getType());
  return type && inputType && type.getRank() == 4 && inputType.getRank() == 4 &&
         type.getDimSize(0) == inputType.getDimSize(nhwc ? 3 : 1);
}

static FailureOr<Inputs> sortInputs(OpImporter &imp, bool nhwc) {
  Inputs inputs;
  SmallVector<Value> rest;
  for (Value value : imp.getOperands()) {
    if (inputs.outputShape || !isShapeOperand(value)) {
      rest.push_back(value);
      continue;
    }
    nn::KnownInts known = imp.getKnownInts(value);
    if (!known)
      return imp.decline("an output shape that is computed");
    inputs.outputShape = *known;
  }
  if (rest.size() < 2)
    return imp.emitError() << "needs an input and a filter";
  SmallVector<Value> computed;
  llvm::copy_if(rest, std::back_inserter(computed),
                [](Value value) { return !isConstant(value); });
  if (computed.size() == 1) {
    inputs.input = computed.front();
    // A bias 1,C,1,1 fits one input channel as well, but is never larger.
    for (Value value : rest)
      if (value != inputs.input && isFilterOf(value, inputs.input, nhwc) &&
          (!inputs.filter ||
           cast<RankedTensorType>(value.getType()).getNumElements() >
               cast<RankedTensorType>(inputs.filter.getType())
                   .getNumElements()))
        inputs.filter = value;
  } else if (isFilterOf(rest[0], rest[1], nhwc)) {
    // The API's order.
    inputs.filter = rest[0];
    inputs.input = rest[1];
  } else if (isFilterOf(rest[1], rest[0], nhwc)) {
    inputs.input = rest[0];
    inputs.filter = rest[1];
  }
  if (!inputs.filter)
    return imp.decline("no filter that fits the input's channels");
  llvm::erase_if(rest, [&](Value value) {
    return value == inputs.input || value == inputs.filter;
  });
  if (rest.size() > 1)
    return imp.decline("a quantization offset of the filter");
  if (!rest.empty())
    inputs.bias = rest.front();
  return inputs;
}

/// How much of the full result goes at the begin and the end of an axis.
struct Crop {
  int64_t begin, end;
};

/// `full` is the size that the input reaches, `given` that of the output if it
/// is known.
static Crop getCrop(const ConvAttrs &attrs, size_t axis, int64_t in,
                    int64_t full, std::optional<int64_t> given,
                    int64_t adjust) {
  if (attrs.padding.mode == PadMode::Same) {
    int64_t out = given.value_or(in * attrs.strides[axis]);
    int64_t begin = std::max<int64_t>(full - out, 0) / 2;
    return {begin, full - out - begin};
  }
  bool isValid = attrs.padding.mode == PadMode::Valid;
  int64_t begin = isValid ? 0 : attrs.padding.pads[2 * axis];
  int64_t end = isValid ? 0 : attrs.padding.pads[2 * axis + 1];
  if (given)
    return {begin, full - begin - *given};
  return {begin, end - adjust};
}

/// Creates the op of inputs that are told apart; `adjust` adds to the end of
/// height and width.
static LogicalResult createConvTranspose(OpImporter &imp, const Inputs &inputs,
                                         const ConvAttrs &attrs,
                                         ArrayRef<int64_t> adjust) {
  auto isSize = [](int64_t value) { return value >= 0 && value < INT32_MAX; };
  if (!llvm::all_of(attrs.padding.pads, isSize) ||
      !llvm::all_of(adjust, isSize))
    return imp.emitError() << "pads or additions to the size are out of range";
  auto inputType = getStaticType(inputs.input);
  auto filterType = getStaticType(inputs.filter);
  if (!inputType || !filterType)
    return imp.decline("input or filter of unknown shape");
  if (!nn::isFloat(inputType.getElementType()))
    return imp.decline("a transposed convolution of integers");
  int64_t channels = filterType.getDimSize(0);
  if (attrs.groups <= 0 || channels % attrs.groups != 0)
    return imp.emitError() << "filter of " << channels
                           << " input channels does not split into "
                           << attrs.groups << " groups";

  // The result's element type is the input's.
  FailureOr<DequantizedFilter> dequantized =
      dequantizeFilter(imp, inputs.filter, /*channelDim=*/1);
  if (failed(dequantized))
    return failure();
  Type element = inputType.getElementType();
  FailureOr<Value> filter = imp.createCast(dequantized->filter, element);
  if (succeeded(filter))
    filter = convertFilter(imp, *filter, attrs);
  if (failed(filter))
    return failure();

  unsigned firstDim = attrs.nhwc ? 1 : 2;
  SmallVector<Crop> crops;
  SmallVector<int64_t> pads;
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t in = inputType.getDimSize(firstDim + axis), full;
    int64_t stride = attrs.strides[axis], dilation = attrs.dilations[axis];
    int64_t kernel = filterType.getDimSize(2 + axis), reach, span;
    if (in <= 0 || kernel <= 0 || stride <= 0 || dilation <= 0 ||
        llvm::MulOverflow(in - 1, stride, reach) ||
        llvm::MulOverflow(kernel - 1, dilation, span) ||
        llvm::AddOverflow(reach, span, full) || full >= INT32_MAX)
      return imp.emitError() << "sizes, strides and dilations must be positive "
                                "and fit 32 bits";
    ++full;
    std::optional<int64_t> given;
    if (inputs.outputShape)
      given = (*inputs.outputShape)[firstDim + axis];
    if (given && (*given <= 0 || *given >= INT32_MAX))
      return imp.emitError() << "output shape of dim " << *given;
    Crop crop = getCrop(attrs, axis, in, full, given, adjust[axis]);
    if (crop.begin >= full || crop.end >= full - crop.begin ||
        crop.end < -INT32_MAX)
      return imp.emitError() << "the padding removes everything";
    pads.push_back(std::max<int64_t>(0, std::min(crop.begin, crop.end)));
    crops.push_back({crop.begin - pads.back(), crop.end - pads.back()});
  }
  bool grows = crops[0].end < 0 || crops[1].end < 0;
  bool isCut = crops[0].begin > 0 || crops[1].begin > 0 || crops[0].end > 0 ||
               crops[1].end > 0;

  SmallVector<Value> operands{inputs.input, *filter};
  Value bias;
  if (inputs.bias) {
    FailureOr<Value> real = dequantizeBias(imp, inputs.bias, *dequantized);
    if (succeeded(real))
      real = convertBias(imp, *real, filterType.getDimSize(1) * attrs.groups,
                         attrs.nhwc, element);
    if (failed(real))
      return failure();
    bias = *real;
  }
  // Rows that are added hold the bias, too.
  bool fusesBias = bias && !grows;
  bool isLast = !grows && !isCut;
  if (fusesBias)
    operands.push_back(bias);
  nn::ConvTranspose2DOp::Properties properties;
  properties.operandSegmentSizes = {1, 1, fusesBias, 0};
  properties.strides = imp.i64s(attrs.strides);
  properties.pads = imp.i64s(pads);
  properties.dilations = imp.i64s(attrs.dilations);
  properties.groups = imp.i64(attrs.groups);
  properties.group_filter = imp.unit(attrs.nhwc && attrs.groups != 1);
  properties.layout = imp.getLayoutAttr(attrs.nhwc);
  properties.activation = nn::ActivationAttr::get(
      imp.getContext(), isLast ? attrs.activation : nn::Activation::none);
  FailureOr<nn::ConvTranspose2DOp> conv =
      imp.create<nn::ConvTranspose2DOp>(operands, properties);
  if (failed(conv) || isLast)
    return conv;

  Value value = *conv;
  SmallVector<int64_t> begins(4, 0), high(4, 0);
  SmallVector<int64_t> sizes(
      cast<RankedTensorType>(value.getType()).getShape());
  for (size_t axis = 0; axis < 2; ++axis) {
    begins[firstDim + axis] = crops[axis].begin;
    sizes[firstDim + axis] -=
        crops[axis].begin + std::max<int64_t>(crops[axis].end, 0);
    high[firstDim + axis] = std::max<int64_t>(-crops[axis].end, 0);
  }
  FailureOr<Value> sliced = createSlice(imp, value, begins, sizes);
  if (failed(sliced))
    return failure();
  value = *sliced;
  if (grows) {
    nn::PadOp::Properties padProperties;
    padProperties.low = imp.i64s({0, 0, 0, 0});
    padProperties.high = imp.i64s(high);
    FailureOr<nn::PadOp> pad = imp.create<nn::PadOp>({value}, padProperties);
    if (failed(pad))
      return failure();
    value = *pad;
    if (bias) {
      FailureOr<Value> sum = apply<nn::AddOp>(imp, {value, bias});
      if (failed(sum))
        return failure();
      value = *sum;
    }
  }
  return applyFusedActivation(imp, value, attrs.activation);
}

static LogicalResult importConvTranspose(OpImporter &imp) {
  FailureOr<ConvAttrs> attrs = readConvAttrs(imp, /*defaultsToSame=*/false);
  FailureOr<SmallVector<int64_t>> adjust = imp.expectInts("adj", 2, {0, 0});
  if (failed(attrs) || failed(adjust) || failed(imp.expectOperands(0, 5)))
    return failure();
  FailureOr<Inputs> inputs = sortInputs(imp, attrs->nhwc);
  if (failed(inputs))
    return failure();
  return createConvTranspose(imp, *inputs, *attrs, *adjust);
}

/// CANN's Conv2DTranspose: input_size (the size of the result), x, filter,
/// bias. An input_size of zeros tells nothing.
static LogicalResult importServerConvTranspose(OpImporter &imp) {
  if (failed(imp.expectOperands(3, 5)))
    return failure();
  if (imp.getOperand(4))
    return imp.decline("a quantization offset of the filter");
  SmallVector<int64_t> adjust;
  FailureOr<ConvAttrs> attrs =
      readServerConvAttrs(imp, "output_padding", &adjust);
  if (failed(attrs))
    return failure();
  nn::KnownInts size = imp.getKnownInts(imp.getOperand(0));
  if (!size)
    return imp.decline("an output shape that is computed");
  if (size->size() != 4)
    return imp.emitError() << "input 0 ('input_size') has " << size->size()
                           << " elements, expected 4";
  FailureOr<Value> filter = convertServerFilter(imp, 2);
  if (failed(filter))
    return failure();
  Inputs inputs;
  inputs.input = imp.getOperand(1);
  inputs.filter = *filter;
  inputs.bias = imp.getOperand(3);
  if (llvm::any_of(*size, [](int64_t dim) { return dim != 0; }))
    inputs.outputShape = *size;
  if (!isFilterOf(inputs.filter, inputs.input, attrs->nhwc))
    return imp.emitError() << "filter of type " << inputs.filter.getType()
                           << " does not fit input of type "
                           << inputs.input.getType();
  return createConvTranspose(imp, inputs, *attrs, adjust);
}

static LogicalResult exportConvTranspose(OpExporter &exp) {
  auto op = cast<nn::ConvTranspose2DOp>(exp.getSource());
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
  exp.setType("ConvTranspose");
  // Tools leave holes away and put the input first.
  bool isTool = exp.facts.isOM && !op.getOutputShapeLike();
  if (isTool)
    exp.addInput(op.getInput());
  else if (!op.getOutputShapeLike())
    exp.addHole();
  if (op.getOutputShapeLike()) {
    auto type = getStaticType(op.getResult());
    if (!type)
      return exp.refuse("its output shape is not known");
    exp.addInts(type.getShape());
  }
  exp.addInput(*filter);
  if (!isTool)
    exp.addInput(op.getInput());
  if (op.getBias())
    exp.addInput(op.getBias());
  exp.setInts("strides", op.getStrides());
  exp.setInts("dilations", op.getDilations());
  writePads(exp, "pads", op.getPads());
  exp.clear("adj");
  exp.setInt("groups", op.getGroups());
  exp.setString("data_format",
                op.getLayout() == nn::Layout::NHWC ? "NHWC" : "NCHW");
  return writeFusedActivation(exp, op.getActivation());
}

void modelwright::ge::registerConvTransposeOps(OpRegistry &registry) {
  registry.addImport<nn::ConvTranspose2DOp>({"ConvTranspose", "Deconvolution"},
                                            importConvTranspose);
  registry.addImport<nn::ConvTranspose2DOp>({"Conv2DTranspose"},
                                            importServerConvTranspose);
  registry.addExport<nn::ConvTranspose2DOp>(exportConvTranspose);
}
