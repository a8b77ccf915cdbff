//===- LegalizeWindows.cpp - Filters and pads in a format's own form ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantEval.h"
#include "Legalize.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Interop/GE/Attributes.h"

using namespace mlir;
using namespace modelwright;

//===----------------------------------------------------------------------===//
// Group dims
//===----------------------------------------------------------------------===//

/// The value in another shape of as many elements: a constant shares its bytes
/// (unless it shall stay `inGraph`), anything else is reshaped in the graph.
static Value reshapeValue(OpBuilder &builder, Value filter,
                          ArrayRef<int64_t> shape, bool inGraph = false) {
  Type element = nn::getElementType(filter.getType());
  auto type = RankedTensorType::get(shape, element);
  // One reshape after another is one.
  if (auto reshape = filter.getDefiningOp<nn::ReshapeOp>();
      reshape && !inGraph) {
    filter = reshape.getInput();
    if (filter.getType() == type)
      return filter;
  }
  ElementsAttr value = inGraph ? ElementsAttr() : getConstant(filter);
  ElementsAttr reshaped = value ? reshapeElements(value, shape) : value;
  if (reshaped) {
    OpBuilder before(filter.getDefiningOp());
    Value constant =
        nn::ConstantOp::create(before, filter.getLoc(), type, reshaped);
    eraseIfUnused(filter);
    return constant;
  }
  SmallVector<int32_t> dims(shape.begin(), shape.end());
  auto vector = RankedTensorType::get(static_cast<int64_t>(dims.size()),
                                      builder.getI32Type());
  Value dimsValue = nn::ConstantOp::create(
      builder, filter.getLoc(), vector,
      DenseElementsAttr::get(vector, ArrayRef<int32_t>(dims)));
  return nn::ReshapeOp::create(builder, filter.getLoc(), type, filter,
                               dimsValue, IntegerAttr());
}

static void replaceFilter(ConvView conv, ArrayRef<int64_t> shape) {
  OpBuilder builder(conv.getOperation());
  Value filter = conv.getFilter();
  // A computed filter that comes from one of this shape is that one.
  auto reshape = filter.getDefiningOp<nn::ReshapeOp>();
  auto source = reshape ? nn::getRanked(reshape.getInput().getType())
                        : RankedTensorType();
  conv.setFilter(source && source.getShape() == shape
                     ? reshape.getInput()
                     : reshapeValue(builder, filter, shape));
  eraseIfUnused(filter);
}

bool modelwright::addGroupDim(ConvView conv) {
  auto type = nn::getRanked(conv.getFilter().getType());
  if (conv.hasGroupFilter() || conv.getGroups() == 1 ||
      conv.getLayout() != nn::Layout::NCHW || !type || !type.hasStaticShape() ||
      type.getRank() != 4)
    return false;
  SmallVector<int64_t> shape(type.getShape());
  shape.front() /= conv.getGroups();
  shape.insert(shape.begin(), conv.getGroups());
  replaceFilter(conv, shape);
  conv.setGroupFilter(true);
  return true;
}

bool modelwright::dropGroupDim(ConvView conv) {
  auto type = nn::getRanked(conv.getFilter().getType());
  if (!conv.hasGroupFilter() || conv.getLayout() != nn::Layout::NCHW || !type ||
      !type.hasStaticShape() || type.getRank() != 5)
    return false;
  SmallVector<int64_t> shape(type.getShape().drop_front());
  shape.front() *= type.getDimSize(0);
  replaceFilter(conv, shape);
  conv.setGroupFilter(false);
  return true;
}

//===----------------------------------------------------------------------===//
// Filter orders
//===----------------------------------------------------------------------===//

static Value createTranspose(OpBuilder &builder, Value value,
                             ArrayRef<int64_t> permutation) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape;
  for (int64_t axis : permutation)
    shape.push_back(type.getDimSize(axis));
  return nn::TransposeOp::create(
      builder, value.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), value,
      builder.getDenseI64ArrayAttr(permutation), builder.getI64IntegerAttr(0));
}

/// The transposed constant; the value itself if it is no constant whose
/// elements can be moved.
static Value transposeNow(Value value) {
  auto transpose = value.getDefiningOp<nn::TransposeOp>();
  auto constant = transpose.getInput().getDefiningOp<nn::ConstantOp>();
  if (!constant || !canEvaluate(transpose))
    return value;
  std::optional<EvalTensor> input = EvalTensor::get(constant);
  if (!input)
    return value;
  std::optional<EvalTensor> result = evaluate(transpose, {&*input});
  if (!result)
    return value;
  OpBuilder builder(transpose);
  Value moved = nn::ConstantOp::create(builder, constant.getLoc(), result->type,
                                       result->getAttr("filter"));
  transpose->erase();
  return moved;
}

bool modelwright::orderFilterForGE(ConvView conv) {
  auto op = dyn_cast<nn::Conv2DOp>(conv.getOperation());
  Value filter = conv.getFilter();
  auto type = nn::getRanked(filter.getType());
  Operation *producer = filter.getDefiningOp();
  if (!op || conv.getLayout() != nn::Layout::NHWC || !type ||
      !type.hasStaticShape() ||
      (producer && producer->hasAttr(ge::attr::kImplicit)))
    return false;
  OpBuilder builder(op);
  const bool isGrouped = conv.hasGroupFilter();
  Value ordered =
      transposeNow(createTranspose(builder, filter,
                                   isGrouped ? ArrayRef<int64_t>{0, 1, 4, 2, 3}
                                             : ArrayRef<int64_t>{0, 3, 1, 2}));
  SmallVector<Value> parts;
  if (isGrouped) {
    SmallVector<int64_t> split(nn::getRanked(ordered.getType()).getShape());
    SmallVector<int64_t> joined(ArrayRef(split).drop_front());
    joined.front() *= split.front();
    ordered = reshapeValue(builder, ordered, joined);
    parts.push_back(reshapeValue(builder, ordered, split, /*inGraph=*/true));
    parts.push_back(createTranspose(builder, parts.back(), {0, 1, 3, 4, 2}));
  } else {
    parts.push_back(createTranspose(builder, ordered, {0, 2, 3, 1}));
  }
  for (Value part : parts) {
    Operation *made = part.getDefiningOp();
    made->setDiscardableAttr(ge::attr::kImplicit, builder.getUnitAttr());
    if (auto reshape = dyn_cast<nn::ReshapeOp>(made))
      reshape.getShape().getDefiningOp()->setDiscardableAttr(
          ge::attr::kImplicit, builder.getUnitAttr());
  }
  conv.setFilter(parts.back());
  eraseIfUnused(filter);
  return true;
}

//===----------------------------------------------------------------------===//
// Uneven pads
//===----------------------------------------------------------------------===//

namespace {
/// What nn.conv2d, nn.max_pool2d and nn.avg_pool2d have in common.
struct WindowView {
  Value input;
  ArrayRef<int64_t> pads;
  nn::Layout layout;
};
} // namespace

template <typename OpT> static WindowView getView(OpT op) {
  return {op.getInput(), op.getPads(), op.getLayout()};
}

static std::optional<WindowView> getWindow(Operation *op) {
  if (auto conv = dyn_cast<nn::Conv2DOp>(op))
    return getView(conv);
  if (auto pool = dyn_cast<nn::MaxPool2DOp>(op))
    return getView(pool);
  if (auto pool = dyn_cast<nn::AvgPool2DOp>(op))
    return getView(pool);
  return std::nullopt;
}

bool modelwright::hasUnevenPads(Operation *op) {
  std::optional<WindowView> window = getWindow(op);
  return window && window->pads.size() == 4;
}

static void setEvenPads(Operation *op, ArrayRef<int64_t> pads) {
  if (auto conv = dyn_cast<nn::Conv2DOp>(op))
    conv.setPads(pads);
  else if (auto pool = dyn_cast<nn::MaxPool2DOp>(op))
    pool.setPads(pads);
  else
    cast<nn::AvgPool2DOp>(op).setPads(pads);
}

/// For each position along one dim, how many elements of its window lie inside
/// of the image.
static SmallVector<int64_t> countInside(int64_t size, int64_t out,
                                        int64_t window, int64_t stride,
                                        int64_t before) {
  SmallVector<int64_t> counts;
  for (int64_t o = 0; o < out; ++o) {
    int64_t begin = o * stride - before;
    counts.push_back(std::min(begin + window, size) -
                     std::max<int64_t>(begin, 0));
  }
  return counts;
}

/// window / elements inside, per position; null if a shape is not known or a
/// window has no element inside.
static Value createMeanScale(OpBuilder &builder, nn::AvgPool2DOp pool,
                             unsigned heightAxis) {
  auto in = nn::getRanked(pool.getInput().getType());
  auto out = nn::getRanked(pool.getType());
  if (!in || !out || !in.hasStaticShape() || !out.hasStaticShape())
    return {};
  SmallVector<int64_t> counts[2];
  for (size_t k = 0; k < 2; ++k) {
    counts[k] = countInside(in.getDimSize(heightAxis + k),
                            out.getDimSize(heightAxis + k), pool.getKernel()[k],
                            pool.getStrides()[k], pool.getPads()[2 * k]);
    if (llvm::any_of(counts[k], [](int64_t count) { return count <= 0; }))
      return {};
  }
  auto area = static_cast<float>(pool.getKernel()[0] * pool.getKernel()[1]);
  SmallVector<float> scale;
  for (int64_t h : counts[0])
    for (int64_t w : counts[1])
      scale.push_back(area / static_cast<float>(h * w));
  SmallVector<int64_t> shape(out.getRank(), 1);
  shape[heightAxis] = out.getDimSize(heightAxis);
  shape[heightAxis + 1] = out.getDimSize(heightAxis + 1);
  auto type = RankedTensorType::get(shape, out.getElementType());
  return nn::ConstantOp::create(
      builder, pool.getLoc(), type,
      DenseElementsAttr::get(type, ArrayRef<float>(scale)));
}

bool modelwright::splitUnevenPads(Operation *op, StringRef &reason) {
  std::optional<WindowView> window = getWindow(op);
  auto type = nn::getRanked(window->input.getType());
  const bool isNHWC = window->layout == nn::Layout::NHWC;
  if (!type || (window->layout != nn::Layout::NCHW && !isNHWC) ||
      !nn::isFloat(type.getElementType())) {
    reason = "only NCHW and NHWC images of floats are padded apart";
    return false;
  }
  unsigned heightAxis = isNHWC ? 1 : 2;
  OpBuilder builder(op);
  auto pool = dyn_cast<nn::AvgPool2DOp>(op);
  const bool scales = pool && !pool.getCountIncludePad();
  Value scale;
  if (scales && type.getElementType().isF32())
    scale = createMeanScale(builder, pool, heightAxis);
  if (scales && !scale) {
    reason = "only a mean of f32 and of a known shape is scaled apart";
    return false;
  }

  // pads is [top, bottom, left, right]. A mean that is scaled counts all pads.
  SmallVector<int64_t> even, low(4, 0), high(4, 0);
  for (size_t k = 0; k < 2; ++k) {
    int64_t before = window->pads[2 * k], after = window->pads[2 * k + 1];
    even.push_back(std::min(before, after));
    low[heightAxis + k] = before - even.back();
    high[heightAxis + k] = after - even.back();
  }
  SmallVector<int64_t> shape(type.getShape());
  for (auto [axis, dim] : llvm::enumerate(shape))
    if (!ShapedType::isDynamic(dim))
      dim += low[axis] + high[axis];
  float fill =
      isa<nn::MaxPool2DOp>(op) ? -std::numeric_limits<float>::infinity() : 0.0f;
  op->setOperand(
      0, nn::PadOp::create(builder, op->getLoc(),
                           RankedTensorType::get(shape, type.getElementType()),
                           window->input, low, high, nn::PadMode::constant,
                           APFloat(fill)));
  setEvenPads(op, even);
  if (!scales)
    return true;
  pool.setCountIncludePad(true);
  builder.setInsertionPointAfter(op);
  Value mean = op->getResult(0);
  Value scaled = nn::MulOp::create(builder, op->getLoc(), mean.getType(), mean,
                                   scale, TypeAttr());
  mean.replaceAllUsesExcept(scaled, scaled.getDefiningOp());
  moveNames(op, scaled.getDefiningOp());
  return true;
}
