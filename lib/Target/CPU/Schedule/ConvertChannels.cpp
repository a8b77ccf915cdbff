//===- ConvertChannels.cpp - Ops that only move channels ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Behind kernels, concatenation, slices and shuffles of channels stay on
// blocked tensors, as cpu.gather_channels, so that nothing is unpacked for
// them.
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "KernelPatterns.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/IndexItems.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"

#include <numeric>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Whether a value was unpacked from a kernel's result. Packing what was not
/// blocked would be one copy more than moving the channels.
static bool isFromKernel(Value value) {
  if (auto cast = value.getDefiningOp<UnrealizedConversionCastOp>())
    value = cast.getInputs()[0];
  return value.getDefiningOp<UnpackOp>() != nullptr;
}

/// Channels of images, as pairs of an image's number and a channel of it.
using Channels = SmallVector<std::pair<int64_t, int64_t>>;

/// Whether there are channels, and not so many that the code for blocks that
/// are no copies, one by one, would be large.
static bool isInReach(const Channels &channels) {
  constexpr size_t kMostChannels = 4096;
  return !channels.empty() && channels.size() <= kMostChannels;
}

/// Replaces `result` of `op`, which has these channels of `images`.
static void replaceByGather(Operation *op, Value result, ValueRange images,
                            const Channels &channels, int64_t lanes,
                            PatternRewriter &rewriter) {
  RankedTensorType type = getImageType(result);
  ImplicitLocOpBuilder b(op->getLoc(), rewriter);
  SmallVector<int64_t> none(4, 0), firsts, flat;
  SmallVector<Value> packed;
  SmallVector<Attribute> halos(images.size(), b.getDenseI64ArrayAttr(none));
  int64_t first = 0;
  for (Value image : images) {
    packed.push_back(emitPack(b, emitStored(b, image), lanes));
    firsts.push_back(first);
    first += int64_t(llvm::alignTo(getImageType(image).getDimSize(1), lanes));
  }
  for (auto [image, channel] : channels)
    flat.push_back(firsts[image] + channel);
  auto stored = cast<RankedTensorType>(nn::getLoweredType(type));
  Value init = emitBlockedEmpty(b, stored, lanes);
  auto gather =
      GatherChannelsOp::create(b, init.getType(), packed, init, flat, none,
                               b.getArrayAttr(halos), IntegerAttr());
  Value image = emitUnpack(b, gather.getResult(), stored);
  rewriter.replaceAllUsesWith(result, emitRestored(b, image, type));
}

/// The channels from `first` on of image number `image`.
static void appendChannels(Channels &channels, int64_t image, int64_t first,
                           int64_t count) {
  for (int64_t channel = first; channel < first + count; ++channel)
    channels.push_back({image, channel});
}

static bool isChannelAxis(int64_t axis) { return axis == 1 || axis == -3; }

namespace {

template <typename OpT> class ChannelPattern : public OpRewritePattern<OpT> {
public:
  ChannelPattern(MLIRContext *context, int64_t lanes)
      : OpRewritePattern<OpT>(context), lanes(lanes) {}

protected:
  /// Replaces an op of one result.
  LogicalResult replace(OpT op, ValueRange images, const Channels &channels,
                        PatternRewriter &rewriter) const {
    if (!isInReach(channels))
      return failure();
    replaceByGather(op, op->getResult(0), images, channels, lanes, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

  int64_t lanes;
};

class ConcatPattern : public ChannelPattern<nn::ConcatOp> {
public:
  using ChannelPattern::ChannelPattern;

  LogicalResult matchAndRewrite(nn::ConcatOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType result = getImageType(op.getResult());
    if (!result || !isChannelAxis(op.getAxis()) ||
        !llvm::any_of(op.getInputs(), isFromKernel))
      return failure();
    Channels channels;
    for (auto [k, input] : llvm::enumerate(op.getInputs())) {
      RankedTensorType type = getImageType(input);
      if (!type || type.getElementType() != result.getElementType())
        return failure();
      appendChannels(channels, int64_t(k), 0, type.getDimSize(1));
    }
    return replace(op, op.getInputs(), channels, rewriter);
  }
};

class SlicePattern : public ChannelPattern<nn::SliceOp> {
public:
  using ChannelPattern::ChannelPattern;

  LogicalResult matchAndRewrite(nn::SliceOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType input = getImageType(op.getInput());
    RankedTensorType result = getImageType(op.getResult());
    if (!input || !result || !isFromKernel(op.getInput()))
      return failure();
    auto items = nn::readIndexItems(std::nullopt, nn::IndexSpec::get(op),
                                    input.getRank());
    if (failed(items) || items->size() != 1 || items->front().index ||
        items->front().axis != 1)
      return failure();
    auto slice = nn::sliceAxis(std::nullopt, input.getDimSize(1),
                               items->front(), nn::getConstantInts);
    if (failed(slice) || ShapedType::isDynamic(slice->start) ||
        slice->size != result.getDimSize(1))
      return failure();
    Channels channels;
    for (int64_t k = 0; k < slice->size; ++k)
      channels.push_back({0, slice->start + k * slice->step});
    return replace(op, op.getInput(), channels, rewriter);
  }
};

class SplitPattern : public ChannelPattern<nn::SplitOp> {
public:
  using ChannelPattern::ChannelPattern;

  LogicalResult matchAndRewrite(nn::SplitOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType input = getImageType(op.getInput());
    if (!input || !isFromKernel(op.getInput()) || !isChannelAxis(op.getAxis()))
      return failure();
    int64_t first = 0;
    SmallVector<Channels> parts;
    for (Value result : op.getResults()) {
      RankedTensorType type = getImageType(result);
      if (!type)
        return failure();
      appendChannels(parts.emplace_back(), 0, first, type.getDimSize(1));
      first += type.getDimSize(1);
    }
    if (first != input.getDimSize(1) || !llvm::all_of(parts, isInReach))
      return failure();
    for (auto [result, channels] : llvm::zip_equal(op.getResults(), parts))
      replaceByGather(op, result, op.getInput(), channels, lanes, rewriter);
    rewriter.eraseOp(op);
    return success();
  }
};

/// Channels in groups, of which the first of each come first, then the second
/// of each: ShuffleNet's way to mix groups, as reshape, transpose, reshape.
class ShufflePattern : public ChannelPattern<nn::ReshapeOp> {
public:
  using ChannelPattern::ChannelPattern;

  LogicalResult matchAndRewrite(nn::ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto transpose = op.getInput().getDefiningOp<nn::TransposeOp>();
    auto split = transpose ? transpose.getInput().getDefiningOp<nn::ReshapeOp>()
                           : nn::ReshapeOp();
    RankedTensorType result = getImageType(op.getResult());
    if (!split || !result || !isFromKernel(split.getInput()) ||
        getImageType(split.getInput()) != result)
      return failure();
    auto groups = dyn_cast<RankedTensorType>(split.getResult().getType());
    if (!groups || !groups.hasStaticShape() || groups.getRank() != 5 ||
        ArrayRef<int64_t>(transpose.getPermutation()) !=
            ArrayRef<int64_t>{0, 2, 1, 3, 4})
      return failure();
    int64_t count = groups.getDimSize(1), size = groups.getDimSize(2);
    if (groups.getDimSize(0) != result.getDimSize(0) ||
        count * size != result.getDimSize(1) ||
        groups.getDimSize(3) != result.getDimSize(2) ||
        groups.getDimSize(4) != result.getDimSize(3))
      return failure();
    Channels channels;
    for (int64_t channel = 0; channel < size; ++channel)
      for (int64_t group = 0; group < count; ++group)
        channels.push_back({0, group * size + channel});
    return replace(op, split.getInput(), channels, rewriter);
  }
};

} // namespace

void cpu::populateChannelPatterns(RewritePatternSet &patterns, int64_t lanes) {
  patterns.add<ConcatPattern, SlicePattern, SplitPattern, ShufflePattern>(
      patterns.getContext(), lanes);
  PackOp::getCanonicalizationPatterns(patterns, patterns.getContext());
  GatherChannelsOp::getCanonicalizationPatterns(patterns,
                                                patterns.getContext());
}
