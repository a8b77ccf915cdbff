//===- LayoutToLinalg.cpp - Conversions between physical layouts
//-------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

//===----------------------------------------------------------------------===//
// Activations
//===----------------------------------------------------------------------===//

namespace {
struct LayoutPair {
  Layout from, to;
};
} // namespace

/// The layouts that a mode for activations names: `FROM_TO`, where an image
/// tensor (NHWCD4I) holds what the plain one does.
static LayoutPair getLayouts(RelayoutMode mode) {
  StringRef name = stringifyRelayoutMode(mode);
  name.consume_back("_IC_SMALL");
  auto [from, to] = name.split('_');
  from.consume_back("I");
  to.consume_back("I");
  std::optional<Layout> source = symbolizeLayout(from);
  std::optional<Layout> target = symbolizeLayout(to);
  assert(source && target && "a mode that names no layouts");
  return {*source, *target};
}

static Value convertActivation(ImplicitLocOpBuilder &b, RelayoutOp op,
                               Value input, Value zero) {
  RelayoutMode mode = op.getMode();
  LayoutPair layouts = getLayouts(mode);
  Value plain = unpackActivation(b, input, layouts.from);
  int64_t channels = cast<RankedTensorType>(plain.getType()).getDimSize(1);
  auto groups = static_cast<int64_t>(op.getGroups());
  auto kept = static_cast<int64_t>(op.getOutChannels());
  if (mode == RelayoutMode::NCHW_NCHW4 && groups > 1) {
    // Each group is padded on its own.
    int64_t own = channels / groups;
    plain = emitSplitDim(b, plain, 1, {groups, own});
    plain = emitPadDim(b, plain, 2, llvm::divideCeil(own, 4) * 4, zero);
    plain = emitJoinDims(b, plain, 1, 2);
  }
  if ((mode == RelayoutMode::NCHW4_NCHW || mode == RelayoutMode::NCHW64_NCHW) &&
      kept != 0)
    plain = emitTruncateDim(b, plain, 1, kept);
  return packActivation(b, plain, layouts.to, zero);
}

//===----------------------------------------------------------------------===//
// Filters
//===----------------------------------------------------------------------===//

namespace {
/// How a mode arranges a filter: the channels of G,OC,IC,FH,FW are padded to
/// whole blocks and split into `G,OC/o,o,IC/i,i,FH,FW`, then reordered.
struct FilterForm {
  int64_t ocPadding, ocBlock, icBlock;
  SmallVector<int64_t, 7> order;
};
} // namespace

/// None for the channel-wise modes.
static std::optional<FilterForm> getFilterForm(RelayoutMode mode) {
  switch (mode) {
  case RelayoutMode::INTER_WEIGHT_DENSE:
  case RelayoutMode::INTER_WEIGHT_DENSEI:
  case RelayoutMode::INTER_WEIGHT_GROUP:
  case RelayoutMode::INTER_WEIGHT_GROUPI:
    return FilterForm{4, 4, 1, {0, 1, 5, 6, 3, 4, 2}};
  case RelayoutMode::INTER_WEIGHT_DENSEI_DOT:
  case RelayoutMode::INTER_WEIGHT_GROUPI_DOT:
    return FilterForm{4, 4, 4, {0, 1, 5, 6, 3, 2, 4}};
  case RelayoutMode::NCHW_NCHW88_CONV_DENSE_WEIGHT:
  case RelayoutMode::NCHW_NCHW88_CONV_GROUP_WEIGHT:
    return FilterForm{8, 8, 8, {0, 1, 3, 5, 6, 4, 2}};
  case RelayoutMode::NCHW_NCHW4_WEIGHT:
    return FilterForm{4, 1, 4, {0, 1, 2, 3, 5, 6, 4}};
  case RelayoutMode::NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT:
    return FilterForm{1, 1, 4, {0, 1, 2, 3, 5, 6, 4}};
  default:
    return std::nullopt;
  }
}

static int64_t roundUp(int64_t size, int64_t block) {
  return llvm::divideCeil(size, block) * block;
}

static Value convertFilter(ImplicitLocOpBuilder &b, RelayoutMode mode,
                           Value filter, ArrayRef<int64_t> resultShape,
                           Value zero) {
  SmallVector<int64_t> shape(
      cast<RankedTensorType>(filter.getType()).getShape());
  if (std::optional<FilterForm> form = getFilterForm(mode)) {
    if (shape.size() == 4) {
      filter = emitSplitDim(b, filter, 0, {1, shape[0]});
      shape.insert(shape.begin(), 1);
    }
    int64_t oc = roundUp(shape[1], form->ocPadding);
    int64_t ic = roundUp(shape[2], form->icBlock);
    filter = emitPadDim(b, filter, 1, oc, zero);
    filter = emitPadDim(b, filter, 2, ic, zero);
    filter = emitSplitDim(b, filter, 2, {ic / form->icBlock, form->icBlock});
    filter = emitSplitDim(b, filter, 1, {oc / form->ocBlock, form->ocBlock});
    filter = emitTranspose(b, filter, form->order);
  } else {
    // G,1,1,FH,FW: the groups are the lanes.
    int64_t block = resultShape.back();
    int64_t groups = roundUp(shape[0], block);
    filter = emitPadDim(b, filter, 0, groups, zero);
    filter = emitSplitDim(b, filter, 0, {groups / block, block});
    filter = emitTranspose(b, filter, {0, 2, 3, 4, 5, 1});
  }
  return emitReshape(b, filter, resultShape);
}

//===----------------------------------------------------------------------===//
// Lowerings
//===----------------------------------------------------------------------===//

namespace {
class RelayoutLowering : public Lowering<RelayoutOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(RelayoutOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    RankedTensorType type = getResultType(op);
    auto inputType = dyn_cast<RankedTensorType>(adaptor.getInput().getType());
    if (!type || !inputType)
      return failure();
    Type from = nn::getElementType(op.getInput().getType());
    Type to = nn::getElementType(op.getType());
    Value input = adaptor.getInput();
    if (from != to)
      input =
          emitElementwise(b, inputType.clone(type.getElementType()), {input},
                          [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                            return emitCast(inner, values[0], from, to);
                          });
    Value zero = emitRealZero(b, to);
    RelayoutMode mode = op.getMode();
    if (stringifyRelayoutMode(mode).contains("WEIGHT")) {
      if (!inputType.hasStaticShape())
        return failure();
      return SmallVector<Value>{
          convertFilter(b, mode, input, type.getShape(), zero)};
    }
    if (inputType.isDynamicDim(getChannelDim(getLayouts(mode).from)))
      return failure();
    return SmallVector<Value>{convertActivation(b, op, input, zero)};
  }
};
} // namespace

void nn::populateLayoutLowerings(TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<RelayoutLowering>(converter, patterns.getContext());
}
