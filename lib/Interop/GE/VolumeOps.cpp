//===- VolumeOps.cpp - GE ops on volumes ----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 3-D convolutions, and 3-D pooling as 2-D pooling over height and width and
// one more along depth: maxima and means are separable, and so is the number of
// elements that a mean counts.
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "Padding.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
/// A sliding window over depth, height and width.
struct Window {
  SmallVector<int64_t> size, strides, dilations{1, 1, 1};
  /// Front, back, top, bottom, left, right.
  SmallVector<int64_t> pads;
  /// Whether the last dim holds the channels.
  bool isNDHWC = false;
};
} // namespace

/// Height and width, depth and so on of a list that CANN gives per dim.
static FailureOr<SmallVector<int64_t>>
readTriple(OpImporter &imp, StringRef name, bool hasAllDims, bool isNDHWC,
           ArrayRef<int64_t> defaultValue) {
  FailureOr<SmallVector<int64_t>> values = imp.getInts(name, defaultValue);
  if (failed(values))
    return failure();
  if (values->size() == 3)
    return values;
  if (!hasAllDims || values->size() != 5)
    return imp.emitError() << "attribute '" << name << "' has "
                           << values->size() << " elements, expected "
                           << (hasAllDims ? 5 : 3);
  if ((*values)[0] != 1 || (*values)[isNDHWC ? 4 : 1] != 1)
    return imp.decline("a window over batch or channels");
  return SmallVector<int64_t>(ArrayRef(*values).slice(isNDHWC ? 1 : 2, 3));
}

/// Reads strides, dilations, pads and their mode; `window.size` is set.
static LogicalResult readWindow(OpImporter &imp, Window &window,
                                RankedTensorType type, bool isServer,
                                StringRef modeName) {
  FailureOr<SmallVector<int64_t>> strides =
      readTriple(imp, "strides", isServer, window.isNDHWC, {1, 1, 1});
  FailureOr<SmallVector<int64_t>> dilations =
      readTriple(imp, imp.has("dilation") ? "dilation" : "dilations", isServer,
                 window.isNDHWC, {1, 1, 1});
  FailureOr<SmallVector<int64_t>> pads =
      imp.expectInts("pads", 6, {0, 0, 0, 0, 0, 0});
  if (failed(strides) || failed(dilations) || failed(pads))
    return failure();
  auto fits = [](int64_t value) { return value > 0 && value < INT32_MAX; };
  if (!llvm::all_of(*strides, fits) || !llvm::all_of(*dilations, fits) ||
      !llvm::all_of(window.size, fits))
    return imp.emitError() << "window, strides and dilations must be positive";
  if (llvm::any_of(*pads,
                   [](int64_t pad) { return pad < 0 || pad >= INT32_MAX; }))
    return imp.emitError() << "attribute 'pads' is out of range";
  window.strides = *strides;
  window.dilations = *dilations;
  window.pads = *pads;

  bool isSame = false, isValid = false;
  if (const proto::AttrDef *mode = imp.find(modeName)) {
    isSame = mode->has_s() ? mode->s() == "SAME" : mode->i() == 6;
    isValid = mode->has_s() ? mode->s() == "VALID" : mode->i() == 5;
  }
  if (isValid && !llvm::any_of(*pads, [](int64_t pad) { return pad != 0; }))
    window.pads.assign(6, 0);
  if (!isSame)
    return success();
  for (size_t axis = 0; axis < 3; ++axis) {
    int64_t in = type.getDimSize((window.isNDHWC ? 1 : 2) + axis);
    int64_t stride = window.strides[axis], span;
    int64_t out = llvm::divideCeil(in, stride);
    if (llvm::MulOverflow(window.size[axis] - 1, window.dilations[axis], span))
      return imp.emitError() << "window and dilation are out of range";
    int64_t total = std::max<int64_t>((out - 1) * stride + 1 - in + span, 0);
    window.pads[2 * axis] = total / 2;
    window.pads[2 * axis + 1] = total - total / 2;
  }
  return success();
}

/// Whether the volumes are N,D,H,W,C.
static FailureOr<bool> readsNDHWC(OpImporter &imp, StringRef usual) {
  FailureOr<std::string> format = imp.getString("data_format", usual);
  if (failed(format))
    return failure();
  if (*format != "NCDHW" && *format != "NDHWC")
    return imp.emitError() << "attribute 'data_format' \"" << *format
                           << "\" is not supported";
  return *format == "NDHWC";
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Adds pads that differ between both sides by an op of its own, since nn pads
/// both alike.
static FailureOr<Value> padVolume(OpImporter &imp, Value value,
                                  Window &window) {
  SmallVector<int64_t> low(5, 0), high(5, 0);
  bool isAlike = true;
  for (size_t axis = 0; axis < 3; ++axis) {
    low[axis + (window.isNDHWC ? 1 : 2)] = window.pads[2 * axis];
    high[axis + (window.isNDHWC ? 1 : 2)] = window.pads[2 * axis + 1];
    isAlike &= window.pads[2 * axis] == window.pads[2 * axis + 1];
  }
  if (isAlike)
    return value;
  window.pads.assign(6, 0);
  nn::PadOp::Properties properties;
  properties.low = imp.i64s(low);
  properties.high = imp.i64s(high);
  FailureOr<nn::PadOp> pad = imp.create<nn::PadOp>({value}, properties);
  if (failed(pad))
    return failure();
  return Value(*pad);
}

/// HiAI's Convolution3D and CANN's Conv3D. The filter is OC,IC/groups,D,H,W;
/// CANN's may be in another order, which its descriptor tells.
static LogicalResult importConvolution3D(OpImporter &imp) {
  const bool isServer = imp.getType() == "Conv3D";
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the filter");
  auto type = getStaticType(imp.getOperand(0));
  auto filterType = getStaticType(imp.getOperand(1));
  if (!type || !filterType)
    return imp.decline("input or filter of unknown shape");
  if (type.getRank() != 5 || filterType.getRank() != 5)
    return imp.emitError() << "input and filter must have rank 5, not " << type
                           << " and " << filterType;
  Window window;
  FailureOr<bool> ndhwc = readsNDHWC(imp, isServer ? "NDHWC" : "NCDHW");
  FailureOr<int64_t> groups = imp.getInt("groups", 1);
  if (failed(ndhwc) || failed(groups))
    return failure();
  window.isNDHWC = *ndhwc;
  FailureOr<Value> filter = imp.getOperand(1);
  if (isServer) {
    std::string order = getDescriptorFormat(imp, 1);
    if (order == "DHWCN")
      filter = createTranspose(imp, *filter, {4, 3, 0, 1, 2});
    else if (order == "NDHWC")
      filter = createTranspose(imp, *filter, {0, 4, 1, 2, 3});
    else if (order != "NCDHW")
      return imp.decline("a filter in the order " + order);
    if (failed(filter))
      return failure();
    filterType = cast<RankedTensorType>(filter->getType());
  }
  if (*groups <= 0 || filterType.getDimSize(0) % *groups != 0)
    return imp.emitError() << "filter of " << filterType.getDimSize(0)
                           << " output channels does not split into " << *groups
                           << " groups";
  window.size = SmallVector<int64_t>(filterType.getShape().drop_front(2));
  if (failed(readWindow(imp, window, type, isServer, "pad_mode")))
    return failure();
  FailureOr<Value> input = padVolume(imp, imp.getOperand(0), window);
  filter = imp.createCast(*filter, type.getElementType());
  // A group dim of its own is what both nn's layouts and MegEngine know.
  const bool isGrouped = *groups != 1;
  if (succeeded(filter) && isGrouped) {
    SmallVector<int64_t> shape(filterType.getShape());
    shape[0] /= *groups;
    shape.insert(shape.begin(), *groups);
    filter = imp.createReshape(*filter, shape);
  }
  if (succeeded(filter) && window.isNDHWC)
    filter = isGrouped ? createTranspose(imp, *filter, {0, 1, 3, 4, 5, 2})
                       : createTranspose(imp, *filter, {0, 2, 3, 4, 1});
  if (failed(input) || failed(filter))
    return failure();
  nn::Conv3DOp::Properties properties;
  properties.strides = imp.i64s(window.strides);
  properties.pads = imp.i64s({window.pads[0], window.pads[2], window.pads[4]});
  properties.dilations = imp.i64s(window.dilations);
  properties.groups = imp.i64(*groups);
  properties.group_filter = imp.unit(isGrouped);
  properties.layout = nn::LayoutAttr::get(
      imp.getContext(), window.isNDHWC ? nn::Layout::NDHWC : nn::Layout::NCDHW);
  FailureOr<nn::Conv3DOp> conv =
      imp.create<nn::Conv3DOp>({*input, *filter}, properties);
  Value bias = imp.getOperand(2);
  if (failed(conv) || !bias)
    return conv;
  auto biasType = getStaticType(bias);
  int64_t channels = filterType.getDimSize(0);
  if (!biasType || biasType.getNumElements() != channels)
    return imp.emitError() << "bias of type " << bias.getType()
                           << " does not fit " << channels << " channels";
  SmallVector<int64_t> shape(5, 1);
  shape[window.isNDHWC ? 4 : 1] = channels;
  FailureOr<Value> shaped = imp.createCast(bias, type.getElementType());
  if (succeeded(shaped))
    shaped = imp.createReshape(*shaped, shape);
  if (failed(shaped))
    return failure();
  return imp.create<nn::AddOp>({*conv, *shaped});
}

static LogicalResult exportConv3D(OpExporter &exp) {
  auto op = cast<nn::Conv3DOp>(exp.getSource());
  if (op.getFlipFilter() || op.getLayout() != nn::Layout::NCDHW)
    return exp.refuse("only N,C,D,H,W with a filter that is not flipped is "
                      "known to the format");
  Value filter = op.getFilter();
  if (op.getGroupFilter()) {
    // What import reshaped.
    auto reshape = filter.getDefiningOp<nn::ReshapeOp>();
    auto type = reshape ? getStaticType(reshape.getInput()) : nullptr;
    if (!type || type.getRank() != 5)
      return exp.refuse("its filter is not in the order OC,IC/groups,D,H,W");
    filter = reshape.getInput();
  }
  ArrayRef<int64_t> pads = op.getPads();
  exp.setType("Convolution3D");
  exp.addInput(op.getInput());
  exp.addInput(filter);
  exp.setInts("strides", op.getStrides());
  exp.setInts("dilations", op.getDilations());
  exp.setString("pad_mode", "SPECIFIC");
  exp.setInts("pads", {pads[0], pads[0], pads[1], pads[1], pads[2], pads[2]});
  exp.setInt("groups", op.getGroups());
  exp.setString("data_format", "NCDHW");
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Pools an N,C,H,W tensor over its last two dims.
static FailureOr<Value> poolPlane(OpImporter &imp, Value value, bool isAverage,
                                  bool countsPads, ArrayRef<int64_t> size,
                                  ArrayRef<int64_t> strides,
                                  ArrayRef<int64_t> pads) {
  auto set = [&](auto &properties) {
    properties.kernel = imp.i64s(size);
    properties.strides = imp.i64s(strides);
    properties.pads = imp.i64s(pads);
    if (pads[0] == pads[1] && pads[2] == pads[3])
      properties.pads = imp.i64s({pads[0], pads[2]});
  };
  if (isAverage) {
    nn::AvgPool2DOp::Properties properties;
    set(properties);
    bool isPadded = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
    properties.count_include_pad = imp.unit(countsPads && isPadded);
    FailureOr<nn::AvgPool2DOp> pool =
        imp.create<nn::AvgPool2DOp>({value}, properties);
    if (failed(pool))
      return failure();
    return Value(*pool);
  }
  nn::MaxPool2DOp::Properties properties;
  set(properties);
  FailureOr<nn::MaxPool2DOp> pool =
      imp.create<nn::MaxPool2DOp>({value}, properties);
  if (failed(pool))
    return failure();
  return Value(*pool);
}

static LogicalResult importPooling3D(OpImporter &imp) {
  const bool isAverage = imp.getType().starts_with("Avg");
  const bool isServer = !imp.getType().contains("Pooling");
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  auto type = getStaticType(imp.getOperand(0));
  if (!type)
    return imp.decline("pooling of an unknown shape");
  if (type.getRank() != 5)
    return imp.emitError() << "input must have rank 5, not " << type;
  Window window;
  FailureOr<bool> ndhwc = readsNDHWC(imp, isServer ? "NDHWC" : "NCDHW");
  FailureOr<bool> ceilMode = imp.getBool("ceil_mode", false);
  FailureOr<bool> counts =
      imp.getBool("count_include_pad", isServer && isAverage);
  FailureOr<int64_t> divisor = imp.getInt("divisor_override", 0);
  if (failed(ndhwc) || failed(ceilMode) || failed(counts) || failed(divisor))
    return failure();
  window.isNDHWC = *ndhwc;
  FailureOr<SmallVector<int64_t>> size =
      readTriple(imp, "ksize", isServer, window.isNDHWC, {});
  if (failed(size))
    return failure();
  window.size = *size;
  if (failed(readWindow(imp, window, type, isServer,
                        isServer ? "padding" : "pad_mode")))
    return failure();
  if (*ceilMode || *divisor != 0 ||
      llvm::any_of(window.dilations, [](int64_t d) { return d != 1; }))
    return imp.decline("3-D pooling that rounds up, dilates or divides by a "
                       "number of its own");
  FailureOr<Value> value = imp.getOperand(0);
  if (window.isNDHWC)
    value = createTranspose(imp, *value, {0, 4, 1, 2, 3});
  if (failed(value))
    return failure();
  ArrayRef<int64_t> in = cast<RankedTensorType>(value->getType()).getShape();
  int64_t batch = in[0], channels = in[1], depth = in[2];
  int64_t planes;
  if (llvm::MulOverflow(channels, depth, planes))
    return imp.emitError() << "the input is too large";
  value = imp.createReshape(*value, {batch, planes, in[3], in[4]});
  if (succeeded(value))
    value = poolPlane(imp, *value, isAverage, *counts,
                      ArrayRef(window.size).drop_front(),
                      ArrayRef(window.strides).drop_front(),
                      ArrayRef(window.pads).drop_front(2));
  if (failed(value))
    return failure();
  ArrayRef<int64_t> plane = cast<RankedTensorType>(value->getType()).getShape();
  int64_t height = plane[2], width = plane[3];
  value = imp.createReshape(*value, {batch, channels, depth, height * width});
  if (succeeded(value))
    value = poolPlane(imp, *value, isAverage, *counts, {window.size[0], 1},
                      {window.strides[0], 1},
                      {window.pads[0], window.pads[1], 0, 0});
  if (failed(value))
    return failure();
  depth = cast<RankedTensorType>(value->getType()).getDimSize(2);
  value = imp.createReshape(*value, {batch, channels, depth, height, width});
  if (succeeded(value) && window.isNDHWC)
    value = createTranspose(imp, *value, {0, 2, 3, 4, 1});
  return value;
}

void modelwright::ge::registerVolumeOps(OpRegistry &registry) {
  registry.addImport<nn::Conv3DOp, nn::AddOp>({"Convolution3D", "Conv3D"},
                                              importConvolution3D);
  registry.addExport<nn::Conv3DOp>(exportConv3D);
  registry.addImport<nn::MaxPool2DOp>({"MaxPooling3D", "MaxPool3D"},
                                      importPooling3D);
  registry.addImport<nn::AvgPool2DOp>({"AvgPooling3D", "AvgPool3D"},
                                      importPooling3D);
}
