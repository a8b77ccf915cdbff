//===- PoolOps.cpp - GE pooling -------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "Padding.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
enum class PoolKind { Max, Average, L2 };

struct Pool {
  PoolKind kind = PoolKind::Max;
  /// The window is the whole image.
  bool isGlobal = false;
  SmallVector<int64_t> window, strides;
  Padding padding;
  bool roundsUp = false;
  /// Whether an average counts its padding.
  bool countsPads = false;
  bool nhwc = false;
};
} // namespace

/// Pads that make a floored size the ceiled one: the last window may begin
/// inside of the image or its first pad only (the rule of Caffe).
static LogicalResult applyCeilMode(OpImporter &imp, ArrayRef<int64_t> size,
                                   ArrayRef<int64_t> window,
                                   ArrayRef<int64_t> strides,
                                   SmallVector<int64_t> &pads) {
  if (pads.size() == 2)
    pads = {pads[0], pads[0], pads[1], pads[1]};
  for (size_t k = 0; k < 2; ++k) {
    if (ShapedType::isDynamic(size[k]))
      return imp.decline("rounded-up pooling of an unknown size");
    int64_t padded = size[k] + pads[2 * k] + pads[2 * k + 1];
    if (padded < window[k])
      return imp.emitError() << "window of " << window[k]
                             << " is larger than the padded size " << padded;
    int64_t out = llvm::divideCeil(padded - window[k], strides[k]) + 1;
    if ((out - 1) * strides[k] >= size[k] + pads[2 * k])
      --out;
    pads[2 * k + 1] += (out - 1) * strides[k] + window[k] - padded;
  }
  if (pads[0] == pads[1] && pads[2] == pads[3])
    pads = {pads[0], pads[2]};
  return success();
}

/// Factors that make an average over whole windows one over the part of each
/// window that lies in the padded image, as Caffe divides: the size of a window
/// over that of the part. Null if all windows lie in it.
static Value createPartFactors(OpImporter &imp, const Pool &pool,
                               ArrayRef<int64_t> padded, Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  unsigned firstDim = pool.nhwc ? 1 : 2;
  bool isWhole = true;
  SmallVector<SmallVector<float>> factors(2);
  for (size_t axis = 0; axis < 2; ++axis)
    for (int64_t i = 0; i < type.getDimSize(firstDim + axis); ++i) {
      int64_t rest = padded[axis] - i * pool.strides[axis];
      int64_t window = pool.window[axis], part = std::min(window, rest);
      isWhole &= part == window;
      factors[axis].push_back(static_cast<float>(window) /
                              static_cast<float>(part));
    }
  if (isWhole)
    return {};
  SmallVector<float> values;
  for (float row : factors[0])
    for (float column : factors[1])
      values.push_back(row * column);
  SmallVector<int64_t> shape(4, 1);
  shape[firstDim] = type.getDimSize(firstDim);
  shape[firstDim + 1] = type.getDimSize(firstDim + 1);
  return imp.createConstant(shape, values, type.getElementType());
}

static FailureOr<Value> createPool(OpImporter &imp, Pool pool) {
  Value input = imp.getOperand(0);
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    return imp.decline("pooling of an unknown shape");
  if (type.getRank() != 4)
    return imp.emitError() << "input must have rank 4, not " << type;
  ArrayRef<int64_t> size = type.getShape().slice(pool.nhwc ? 1 : 2, 2);
  SmallVector<int64_t> pads{0, 0}, padded(size);
  if (pool.isGlobal) {
    if (llvm::any_of(size, ShapedType::isDynamic))
      return imp.decline("global pooling of an unknown size");
    pool.window = SmallVector<int64_t>(size);
    pool.strides = {1, 1};
  } else {
    auto fits = [](int64_t value) { return value > 0 && value < INT32_MAX; };
    if (!llvm::all_of(pool.window, fits) || !llvm::all_of(pool.strides, fits))
      return imp.emitError() << "window and stride must be positive";
    if (llvm::any_of(pool.padding.pads,
                     [](int64_t pad) { return pad >= INT32_MAX; }))
      return imp.emitError() << "the padding is out of range";
    FailureOr<SmallVector<int64_t>> resolved =
        resolvePads(imp, pool.padding, size, pool.window, pool.strides, {1, 1});
    if (failed(resolved))
      return failure();
    pads = *resolved;
    for (size_t axis = 0; axis < 2; ++axis)
      padded[axis] += pads.size() == 2 ? 2 * pads[axis]
                                       : pads[2 * axis] + pads[2 * axis + 1];
    if (pool.roundsUp && pool.padding.mode != PadMode::Same &&
        failed(applyCeilMode(imp, size, pool.window, pool.strides, pads)))
      return failure();
  }
  auto setWindow = [&](auto &properties) {
    properties.kernel = imp.i64s(pool.window);
    properties.strides = imp.i64s(pool.strides);
    properties.pads = imp.i64s(pads);
    properties.layout = imp.getLayoutAttr(pool.nhwc);
  };
  if (pool.kind == PoolKind::Max) {
    nn::MaxPool2DOp::Properties properties;
    setWindow(properties);
    FailureOr<nn::MaxPool2DOp> max =
        imp.create<nn::MaxPool2DOp>({input}, properties);
    if (failed(max))
      return failure();
    return Value(*max);
  }
  if (pool.kind == PoolKind::L2) {
    FailureOr<Value> square = apply<nn::SquareOp>(imp, {input});
    if (failed(square))
      return failure();
    input = *square;
  }
  nn::AvgPool2DOp::Properties properties;
  setWindow(properties);
  bool isPadded = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
  properties.count_include_pad = imp.unit(isPadded && pool.countsPads);
  FailureOr<nn::AvgPool2DOp> average =
      imp.create<nn::AvgPool2DOp>({input}, properties);
  if (failed(average))
    return failure();
  Value value = *average;
  if (properties.count_include_pad)
    if (Value factors = createPartFactors(imp, pool, padded, value))
      return apply<nn::MulOp>(imp, {value, factors});
  if (pool.kind == PoolKind::L2)
    return apply<nn::SqrtOp>(imp, {value});
  return value;
}

//===----------------------------------------------------------------------===//
// HiAI
//===----------------------------------------------------------------------===//

static LogicalResult importPooling(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  Pool pool;
  FailureOr<int64_t> mode = imp.getInt("mode", 0);
  FailureOr<bool> global = imp.getBool("global_pooling", false);
  FailureOr<SmallVector<int64_t>> window = imp.expectInts("window", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> strides = imp.expectInts("stride", 2, {1, 1});
  FailureOr<Padding> padding =
      readPadding(imp, "pad", /*defaultsToSame=*/false);
  FailureOr<int64_t> ceilMode = imp.getInt("ceil_mode", 0);
  FailureOr<int64_t> dataMode = imp.getInt("data_mode", 1);
  FailureOr<bool> nhwc = imp.isNHWC();
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(mode) || failed(global) || failed(window) || failed(strides) ||
      failed(padding) || failed(ceilMode) || failed(dataMode) || failed(nhwc) ||
      failed(activation))
    return failure();
  if (*mode < 0 || *mode > 2)
    return imp.emitError() << "unknown pooling mode " << *mode;
  // L2 is that of NNAPI, for which the mode was made: the root of the mean of
  // squares.
  pool.kind = *mode == 0   ? PoolKind::Max
              : *mode == 1 ? PoolKind::Average
                           : PoolKind::L2;
  pool.isGlobal = *global;
  pool.window = *window;
  pool.strides = *strides;
  pool.padding = *padding;
  pool.roundsUp = *ceilMode == 1;
  // Models of Caffe count the padding, those of TensorFlow do not
  // (semantics.md 7).
  pool.countsPads =
      *mode == 1 && *dataMode == 0 && padding->mode != PadMode::Same;
  pool.nhwc = *nhwc;
  FailureOr<Value> result = createPool(imp, pool);
  if (failed(result))
    return failure();
  return applyFusedActivation(imp, *result, *activation);
}

/// Maxima alone: nn has no op that tells where they were.
static LogicalResult importMaxPoolWithArgmax(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> window = imp.getInts("ksize", {});
  FailureOr<SmallVector<int64_t>> strides = imp.getInts("strides", {});
  FailureOr<SmallVector<int64_t>> pads = imp.getInts("pads", {});
  FailureOr<SmallVector<int64_t>> dilations = imp.getInts("dilation", {1, 1});
  FailureOr<bool> ceilMode = imp.getBool("ceil_mode", false);
  if (failed(window) || failed(strides) || failed(pads) || failed(dilations) ||
      failed(ceilMode))
    return failure();
  if (imp.isOutputRead(1))
    return imp.decline("pooling whose argmax is read");
  if (window->size() != 2 || strides->size() != 2 || pads->size() != 4 ||
      llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }) ||
      llvm::any_of(*dilations, [](int64_t d) { return d != 1; }))
    return imp.decline("pooling with a dilated or unusual window");
  Pool pool;
  pool.window = *window;
  pool.strides = *strides;
  pool.padding.pads = *pads;
  pool.roundsUp = *ceilMode;
  FailureOr<Value> result = createPool(imp, pool);
  if (failed(result))
    return failure();
  SmallVector<Value> results(std::max(imp.op.output_desc_size(), 1));
  results[0] = *result;
  imp.setResults(results);
  return success();
}

//===----------------------------------------------------------------------===//
// CANN
//===----------------------------------------------------------------------===//

/// Reads height and width of a list that has an entry per dim.
static FailureOr<SmallVector<int64_t>> readSpatial(OpImporter &imp,
                                                   StringRef name, bool nhwc) {
  if (!imp.has(name))
    return imp.emitError() << "attribute '" << name << "' is missing";
  FailureOr<SmallVector<int64_t>> values = imp.expectInts(name, 4, {});
  if (failed(values))
    return failure();
  if ((*values)[0] != 1 || (*values)[nhwc ? 3 : 1] != 1)
    return imp.decline("pooling over batch or channels");
  return SmallVector<int64_t>(ArrayRef(*values).slice(nhwc ? 1 : 2, 2));
}

/// MaxPool and AvgPool (`padding`), MaxPoolV3 and AvgPoolV2 (`padding_mode`
/// and `pads`).
static LogicalResult importServerPool(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  const bool isAverage = imp.getType().starts_with("Avg");
  const bool hasPads =
      imp.getType().ends_with("V2") || imp.getType().ends_with("V3");
  Pool pool;
  FailureOr<bool> nhwc = imp.isNHWC(/*defaultsToNHWC=*/!hasPads);
  if (failed(nhwc))
    return failure();
  FailureOr<SmallVector<int64_t>> window = readSpatial(imp, "ksize", *nhwc);
  FailureOr<SmallVector<int64_t>> strides = readSpatial(imp, "strides", *nhwc);
  FailureOr<std::string> mode =
      imp.getString(hasPads ? "padding_mode" : "padding", "CALCULATED");
  FailureOr<SmallVector<int64_t>> pads =
      imp.expectInts("pads", 4, {0, 0, 0, 0});
  FailureOr<bool> global = imp.getBool("global_pooling", false);
  FailureOr<bool> ceilMode = imp.getBool("ceil_mode", false);
  FailureOr<bool> exclusive = imp.getBool("exclusive", true);
  FailureOr<int64_t> divisor = imp.getInt("divisor_override", 0);
  if (failed(window) || failed(strides) || failed(mode) || failed(pads) ||
      failed(global) || failed(ceilMode) || failed(exclusive) ||
      failed(divisor))
    return failure();
  if (*divisor != 0)
    return imp.decline("an average with a divisor of its own");
  if (*mode != "SAME" && *mode != "VALID" &&
      (!hasPads || *mode != "CALCULATED"))
    return imp.emitError() << "padding \"" << *mode
                           << "\" is not known to the op";
  if (llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return imp.emitError() << "attribute 'pads' is negative";
  pool.kind = isAverage ? PoolKind::Average : PoolKind::Max;
  pool.isGlobal = *global;
  pool.window = *window;
  pool.strides = *strides;
  pool.padding.mode = *mode == "SAME"    ? PadMode::Same
                      : *mode == "VALID" ? PadMode::Valid
                                         : PadMode::Explicit;
  pool.padding.pads = *pads;
  pool.roundsUp = *ceilMode;
  pool.countsPads = isAverage && !*exclusive;
  pool.nhwc = *nhwc;
  return createPool(imp, pool);
}

/// CANN's Pooling. HiAI's PoolingD has this name in version 0, with a
/// `pad_mode` and a `data_mode` that CANN's has not.
static LogicalResult importServerPooling(OpImporter &imp) {
  if (!imp.isServerOp() || imp.has("pad_mode") || imp.has("data_mode"))
    return importPooling(imp);
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<int64_t> mode = imp.getInt("mode", 0);
  FailureOr<bool> global = imp.getBool("global_pooling", false);
  FailureOr<SmallVector<int64_t>> window = imp.expectInts("window", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> strides = imp.expectInts("stride", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> pads = imp.expectInts("pad", 4, {0, 0, 0, 0});
  FailureOr<SmallVector<int64_t>> dilations = imp.getInts("dilation", {});
  FailureOr<bool> nhwc = imp.isNHWC();
  if (failed(mode) || failed(global) || failed(window) || failed(strides) ||
      failed(pads) || failed(dilations) || failed(nhwc))
    return failure();
  if (*mode != 0 && *mode != 1)
    return imp.emitError() << "unknown pooling mode " << *mode;
  if (llvm::any_of(*dilations, [](int64_t d) { return d != 1; }))
    return imp.decline("dilated pooling");
  if (llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return imp.emitError() << "attribute 'pad' is negative";
  bool isPadded = llvm::any_of(*pads, [](int64_t pad) { return pad != 0; });
  if (*mode == 1 && isPadded && !*global)
    return imp.decline("an average that may or may not count its padding");
  auto type = getStaticType(imp.getOperand(0));
  // Which way 'ceil_mode' rounds is not settled: it must not matter.
  if (type && type.getRank() == 4 && !*global)
    for (size_t axis = 0; axis < 2; ++axis) {
      int64_t in = type.getDimSize((*nhwc ? 1 : 2) + axis), padded;
      if ((*strides)[axis] <= 0 || (*pads)[2 * axis] >= INT32_MAX ||
          (*pads)[2 * axis + 1] >= INT32_MAX ||
          llvm::SubOverflow(in + (*pads)[2 * axis] + (*pads)[2 * axis + 1],
                            (*window)[axis], padded))
        return imp.emitError() << "window, stride or pad is out of range";
      if (padded % (*strides)[axis] != 0)
        return imp.decline("pooling whose size depends on how 'ceil_mode' "
                           "rounds");
    }
  Pool pool;
  pool.kind = *mode == 1 ? PoolKind::Average : PoolKind::Max;
  pool.isGlobal = *global;
  pool.window = *window;
  pool.strides = *strides;
  pool.padding.pads = *pads;
  pool.nhwc = *nhwc;
  return createPool(imp, pool);
}

static LogicalResult importGlobalAveragePool(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  auto type = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  if (!type || type.getRank() != 4)
    return imp.decline("global pooling of other than N,C,H,W");
  Pool pool;
  pool.kind = PoolKind::Average;
  pool.isGlobal = true;
  return createPool(imp, pool);
}

/// Bins of equal size are those of nn's adaptive pooling; others overlap.
template <typename OpT>
static LogicalResult importAdaptivePool(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<SmallVector<int64_t>> size = imp.expectInts("output_size", 2, {});
  if (failed(size))
    return failure();
  auto type = getStaticType(imp.getOperand(0));
  if (!type || type.getRank() != 4)
    return imp.decline("adaptive pooling of other than N,C,H,W");
  for (size_t axis = 0; axis < 2; ++axis) {
    int64_t out = (*size)[axis];
    if (out <= 0 || out > INT32_MAX)
      return imp.emitError()
             << "attribute 'output_size' is out of range: " << out;
    if (type.getDimSize(2 + axis) % out != 0)
      return imp.decline("adaptive pooling into bins of different sizes");
  }
  if (imp.isOutputRead(1))
    return imp.decline("pooling whose argmax is read");
  FailureOr<OpT> pool =
      imp.create<OpT>({imp.getOperand(0), imp.createConstantInts(*size)}, {});
  if (failed(pool))
    return failure();
  SmallVector<Value> results(std::max(imp.op.output_desc_size(), 1));
  results[0] = *pool;
  imp.setResults(results);
  return success();
}

//===----------------------------------------------------------------------===//
// Export
//===----------------------------------------------------------------------===//

template <typename OpT> static LogicalResult exportPool(OpExporter &exp) {
  auto op = cast<OpT>(exp.getSource());
  if (op.getLayout() != nn::Layout::NCHW && op.getLayout() != nn::Layout::NHWC)
    return exp.refuse("layout " + nn::stringifyLayout(op.getLayout()) +
                      " is not known to the format");
  constexpr bool isAverage = std::is_same_v<OpT, nn::AvgPool2DOp>;
  bool countsPads = false;
  if constexpr (isAverage)
    countsPads = op.getCountIncludePad() &&
                 llvm::any_of(op.getPads(), [](int64_t p) { return p != 0; });
  exp.setType("PoolingD");
  exp.addInput(op.getInput());
  exp.setInt("mode", isAverage ? 1 : 0);
  exp.setInt("pad_mode", 0);
  exp.setBool("global_pooling", false);
  exp.setInts("window", op.getKernel());
  exp.setInts("stride", op.getStrides());
  ArrayRef<int64_t> pads = op.getPads();
  if (pads.size() == 2)
    exp.setInts("pad", {pads[0], pads[0], pads[1], pads[1]});
  else
    exp.setInts("pad", pads);
  exp.setInt("ceil_mode", 0);
  exp.setInt("data_mode", countsPads ? 0 : 1);
  if (op.getLayout() == nn::Layout::NHWC)
    exp.setInt("format", 1);
  else
    exp.clear("format");
  return success();
}

/// Writes adaptive pooling as the plain pooling that it is.
template <typename OpT>
static LogicalResult exportAdaptivePool(OpExporter &exp) {
  auto op = cast<OpT>(exp.getSource());
  auto input = getStaticType(op.getInput()),
       result = getStaticType(op.getResult());
  if (!input || !result)
    return exp.refuse("its shapes are not known");
  bool nhwc = op.getLayout() == nn::Layout::NHWC;
  if (!nhwc && op.getLayout() != nn::Layout::NCHW)
    return exp.refuse("layout " + nn::stringifyLayout(op.getLayout()) +
                      " is not known to the format");
  SmallVector<int64_t> window, strides;
  for (unsigned axis = nhwc ? 1 : 2; window.size() < 2; ++axis) {
    int64_t in = input.getDimSize(axis), out = result.getDimSize(axis);
    if (out <= 0 || in < out)
      return exp.refuse("its result is larger than its input");
    strides.push_back(in / out);
    window.push_back(in - (out - 1) * strides.back());
  }
  exp.setType("PoolingD");
  exp.addInput(op.getInput());
  exp.setInt("mode", std::is_same_v<OpT, nn::AdaptiveAvgPool2DOp> ? 1 : 0);
  exp.setInt("pad_mode", 0);
  exp.setBool("global_pooling", false);
  exp.setInts("window", window);
  exp.setInts("stride", strides);
  exp.setInts("pad", {0, 0, 0, 0});
  exp.setInt("ceil_mode", 0);
  exp.setInt("data_mode", 1);
  if (nhwc)
    exp.setInt("format", 1);
  return success();
}

void modelwright::ge::registerPoolOps(OpRegistry &registry) {
  registry.addImport<nn::MaxPool2DOp, nn::AvgPool2DOp>({"PoolingD"},
                                                       importPooling);
  registry.addImport<nn::MaxPool2DOp, nn::AvgPool2DOp>({"Pooling"},
                                                       importServerPooling);
  registry.addImport<nn::MaxPool2DOp>({"MaxPoolWithArgmaxV2"},
                                      importMaxPoolWithArgmax);
  registry.addImport<nn::MaxPool2DOp>({"MaxPool", "MaxPoolV3"},
                                      importServerPool);
  registry.addImport<nn::AvgPool2DOp>({"AvgPool", "AvgPoolV2"},
                                      importServerPool);
  registry.addImport<nn::AvgPool2DOp>({"GlobalAveragePool"},
                                      importGlobalAveragePool);
  registry.addImport<nn::AdaptiveAvgPool2DOp>(
      {"AdaptiveAvgPool2d"}, importAdaptivePool<nn::AdaptiveAvgPool2DOp>);
  registry.addImport<nn::AdaptiveMaxPool2DOp>(
      {"AdaptiveMaxPool2d"}, importAdaptivePool<nn::AdaptiveMaxPool2DOp>);
  registry.addExport<nn::AdaptiveMaxPool2DOp>(
      exportAdaptivePool<nn::AdaptiveMaxPool2DOp>);
  registry.addExport<nn::AdaptiveAvgPool2DOp>(
      exportAdaptivePool<nn::AdaptiveAvgPool2DOp>);
  registry.addExport<nn::MaxPool2DOp>(exportPool<nn::MaxPool2DOp>);
  registry.addExport<nn::AvgPool2DOp>(exportPool<nn::AvgPool2DOp>);
}
