//===- LegalizeForMGB.cpp - Rewrite what .mgb cannot express --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.conv2d %x, %w bias %b residual %r {activation = relu}
// -->
//   %1 = nn.conv2d %x, %w bias %b
//   %0 = nn.add %1, %r {activation = relu}
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_LEGALIZEFORMGB
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using nn::Activation;
using remark::reason;

static constexpr StringLiteral kPass = "legalize-for-mgb";

namespace {
struct LegalizeForMGB : modelwright::impl::LegalizeForMGBBase<LegalizeForMGB> {
  using LegalizeForMGBBase::LegalizeForMGBBase;

  void runOnOperation() override;

private:
  void addGroupDim(ConvView conv);
  bool mustSplit(ConvView conv);
  void split(ConvView conv);
  Value appendActivation(OpBuilder &builder, Location loc, Value value,
                         Activation activation, Type type, TypeAttr outType);
  Value makeScalar(OpBuilder &builder, Location loc, Type element, float value);
};
} // namespace

/// What the format's ConvBias applies.
static bool isConvBiasActivation(Activation activation) {
  return activation == Activation::none || activation == Activation::relu ||
         activation == Activation::sigmoid || activation == Activation::h_swish;
}

/// What the format's Elemwise applies to a sum.
static bool isAddActivation(Activation activation) {
  return isConvBiasActivation(activation) || activation == Activation::tanh;
}

void LegalizeForMGB::runOnOperation() {
  SmallVector<ConvView> convs;
  getOperation().walk([&](Operation *op) {
    if (std::optional<ConvView> conv = ConvView::get(op))
      convs.push_back(*conv);
  });
  for (ConvView conv : convs) {
    addGroupDim(conv);
    if (mustSplit(conv))
      split(conv);
  }
}

/// The format's grouped filters have a group dim of their own.
void LegalizeForMGB::addGroupDim(ConvView conv) {
  Value filter = conv.getFilter();
  ElementsAttr value = getConstant(filter);
  if (conv.hasGroupFilter() || conv.getGroups() == 1 || !value)
    return;
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() /= conv.getGroups();
  shape.insert(shape.begin(), conv.getGroups());
  ElementsAttr reshaped = reshapeElements(value, shape);
  if (!reshaped)
    return;
  OpBuilder builder(conv.getOperation());
  conv.setFilter(nn::ConstantOp::create(
      builder, filter.getLoc(),
      RankedTensorType::get(shape, type.getElementType()), reshaped));
  conv.setGroupFilter();
  eraseIfUnused(filter);
}

bool LegalizeForMGB::mustSplit(ConvView conv) {
  if (conv.isTransposed())
    return conv.getBias() || conv.getActivation() != Activation::none;
  if (!isConvBiasActivation(conv.getActivation()))
    return true;
  if (!conv.getResidual() || conv.getOperation()->hasAttr(mgb::attr::kOpr))
    return false;
  return !gpu || !conv.getBias();
}

/// A constant of shape (1).
Value LegalizeForMGB::makeScalar(OpBuilder &builder, Location loc, Type element,
                                 float value) {
  auto type = RankedTensorType::get({1}, element);
  return nn::ConstantOp::create(builder, loc, type,
                                nn::makeFloatElements(type, "", {value}));
}

/// Applies `activation` by ops of its own; the result has type `type`, and
/// `outType` says so if it is quantized.
Value LegalizeForMGB::appendActivation(OpBuilder &builder, Location loc,
                                       Value value, Activation activation,
                                       Type type, TypeAttr outType) {
  switch (activation) {
  case Activation::none:
    return value;
  case Activation::relu:
    return nn::ReluOp::create(builder, loc, type, value, outType);
  case Activation::sigmoid:
    return nn::SigmoidOp::create(builder, loc, type, value, outType);
  case Activation::h_swish:
    return nn::HSwishOp::create(builder, loc, type, value, outType);
  case Activation::tanh:
    return nn::TanhOp::create(builder, loc, type, value, outType);
  case Activation::silu:
    return nn::SiluOp::create(builder, loc, type, value, outType);
  case Activation::h_sigmoid:
    return nn::HSigmoidOp::create(builder, loc, type, value, outType);
  case Activation::relu6:
    break;
  }
  Type element = nn::getElementType(type);
  if (modernElemwise || !nn::isFloat(element))
    return nn::Relu6Op::create(builder, loc, type, value, outType);
  Value zero = makeScalar(builder, loc, element, 0);
  Value max =
      nn::MaximumOp::create(builder, loc, type, value, zero, TypeAttr());
  Value six = makeScalar(builder, loc, element, 6);
  return nn::MinimumOp::create(builder, loc, type, max, six, TypeAttr());
}

/// Lets the convolution return its accumulator if its result is quantized with
/// another scale, and returns the `out_type` for the op that quantizes then.
static TypeAttr exposeAccumulator(ConvView conv) {
  Value result = conv.getResult();
  Type element = nn::getElementType(result.getType());
  Type product = nn::getQuantizedProductType(
      nn::getElementType(conv.getInput().getType()),
      nn::getElementType(conv.getFilter().getType()));
  if (!nn::isQuantized(element) || !product || product == element)
    return {};
  result.setType(nn::getTypeLike(result.getType(), product));
  conv.removeOutType();
  return TypeAttr::get(element);
}

/// Takes off what the format's convolution cannot do.
void LegalizeForMGB::split(ConvView conv) {
  Operation *op = conv.getOperation();
  Value result = conv.getResult();
  Type type = result.getType();
  Activation activation = conv.getActivation();
  Location loc = op->getLoc();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);

  bool hasAddend =
      conv.getResidual() || (conv.isTransposed() && conv.getBias());
  if (hasAddend && !isAddActivation(activation) &&
      nn::isQuantized(nn::getElementType(type))) {
    remarkMissed(op, kPass, "split")
        << reason("the format has no quantized sum with {0}",
                  nn::stringifyActivation(activation));
    return;
  }
  TypeAttr outType = exposeAccumulator(conv);

  // What is added after the convolution.
  Value addend = conv.getResidual();
  if (addend) {
    ++numResiduals;
    cast<nn::Conv2DOp>(op).getResidualMutable().clear();
  } else if (conv.isTransposed() && conv.getBias()) {
    addend = conv.getBias();
    ++numBiases;
    conv.setBias({});
  }
  if (activation != Activation::none)
    ++numActivations;
  conv.setActivation(Activation::none);

  Value value = result;
  if (addend) {
    bool fits = isAddActivation(activation);
    value = nn::AddOp::create(builder, loc, type, value, addend,
                              fits ? activation : Activation::none, outType);
    if (fits)
      activation = Activation::none;
  }
  value = appendActivation(builder, loc, value, activation, type, outType);
  remarkPassed(op, kPass, "split") << "unfused a convolution";

  // The new ops stand between the convolution and `value`.
  Operation *last = value.getDefiningOp();
  llvm::SmallPtrSet<Operation *, 8> added = {last};
  for (Operation *next = op->getNextNode(); next != last;
       next = next->getNextNode())
    added.insert(next);
  result.replaceAllUsesExcept(value, added);
  moveNames(op, last);
  if (Attribute compNode = op->getDiscardableAttr(mgb::attr::kCompNode))
    for (Operation *next : added)
      next->setDiscardableAttr(mgb::attr::kCompNode, compNode);
}
