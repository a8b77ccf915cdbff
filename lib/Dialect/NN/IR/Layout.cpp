//===- Layout.cpp - Physical layouts of activations and filters -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/Layout.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

Layout nn::getInputLayout(Layout layout) {
  switch (layout) {
  case Layout::NCHW44_DOT:
    return Layout::NCHW44;
  case Layout::NCHW_NCHW4_IC_SMALL:
    return Layout::NCHW;
  case Layout::NCHW4_NCHW32:
  case Layout::NCHW4_NCHW:
  case Layout::NCHW4_NHWC:
    return Layout::NCHW4;
  case Layout::NCHW32_NCHW4:
    return Layout::NCHW32;
  case Layout::NHWC_NCHW:
  case Layout::NHWC_NCHW4_IC_SMALL:
    return Layout::NHWC;
  default:
    return layout;
  }
}

Layout nn::getOutputLayout(Layout layout) {
  switch (layout) {
  case Layout::NCHW4_NCHW32:
    return Layout::NCHW32;
  case Layout::NCHW32_NCHW4:
  case Layout::NHWC_NCHW4_IC_SMALL:
  case Layout::NCHW_NCHW4_IC_SMALL:
    return Layout::NCHW4;
  case Layout::NCHW4_NCHW:
  case Layout::NHWC_NCHW:
    return Layout::NCHW;
  case Layout::NCHW4_NHWC:
    return Layout::NHWC;
  default:
    return getInputLayout(layout);
  }
}

int64_t nn::getChannelBlock(Layout layout) {
  switch (getInputLayout(layout)) {
  case Layout::NHWCD4:
  case Layout::NCHW4:
  case Layout::NCHW44:
  case Layout::CHWN4:
    return 4;
  case Layout::NCHW8:
  case Layout::NCHW88:
    return 8;
  case Layout::NCHW32:
    return 32;
  case Layout::NCHW64:
    return 64;
  case Layout::NC1HWC0:
    return 16;
  default:
    return 1;
  }
}

int64_t nn::getActivationRank(Layout layout) {
  Layout single = getInputLayout(layout);
  if (single == Layout::NCDHW || single == Layout::NDHWC)
    return 5;
  return getChannelBlock(single) == 1 ? 4 : 5;
}

int64_t nn::getChannelDim(Layout layout) {
  switch (getInputLayout(layout)) {
  case Layout::NHWC:
    return 3;
  case Layout::NDHWC:
    return 4;
  case Layout::NHWCD4:
    return 2;
  case Layout::CHWN4:
    return 0;
  default:
    return 1;
  }
}

/// kDynamic when unknown (or beyond int64).
static int64_t timesBlock(int64_t blocks, int64_t block) {
  return multiplyDims({blocks, block}).value_or(ShapedType::kDynamic);
}

static int64_t ceilBlocks(int64_t channels, int64_t block) {
  if (ShapedType::isDynamic(channels) || channels == 0)
    return channels;
  return (channels - 1) / block + 1;
}

FailureOr<ActivationDims> nn::decodeActivation(std::optional<Location> loc,
                                               Layout layout,
                                               ArrayRef<int64_t> shape) {
  int64_t rank = getActivationRank(layout), block = getChannelBlock(layout);
  if (static_cast<int64_t>(shape.size()) != rank)
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " needs a tensor of rank ", rank, ", got rank ",
                             shape.size());
  if (block != 1 && dimsDiffer(shape.back(), block))
    return emitOptionalError(loc, "layout ", stringifyLayout(layout),
                             " needs an innermost dim of ", block, ", got ",
                             shape.back());
  switch (layout) {
  case Layout::NHWC:
    return ActivationDims{shape[0], shape[3], shape[1], shape[2]};
  case Layout::NHWCD4:
    return ActivationDims{shape[0], timesBlock(shape[2], 4), shape[1],
                          shape[3]};
  case Layout::CHWN4:
    return ActivationDims{shape[3], timesBlock(shape[0], 4), shape[1],
                          shape[2]};
  default:
    return ActivationDims{shape[0], timesBlock(shape[1], block), shape[2],
                          shape[3]};
  }
}

SmallVector<int64_t> nn::encodeActivation(Layout layout,
                                          const ActivationDims &dims) {
  int64_t block = getChannelBlock(layout);
  int64_t blocks = ceilBlocks(dims.c, block);
  switch (layout) {
  case Layout::NHWC:
    return {dims.n, dims.h, dims.w, dims.c};
  case Layout::NHWCD4:
    return {dims.n, dims.h, blocks, dims.w, 4};
  case Layout::CHWN4:
    return {blocks, dims.h, dims.w, dims.n, 4};
  default:
    if (block == 1)
      return {dims.n, dims.c, dims.h, dims.w};
    return {dims.n, blocks, dims.h, dims.w, block};
  }
}

FailureOr<FilterDims> nn::decodeFilter(std::optional<Location> loc,
                                       Layout layout, bool grouped,
                                       ArrayRef<int64_t> shape) {
  auto wrongRank = [&]() -> FailureOr<FilterDims> {
    return emitOptionalError(loc, "a ", grouped ? "grouped" : "dense",
                             " filter in layout ", stringifyLayout(layout),
                             " cannot have rank ", shape.size());
  };
  // Without its group dim, a grouped filter looks like a dense one, except for
  // the channel-wise forms below.
  ArrayRef<int64_t> s = shape;
  int64_t groups = 1;
  if (grouped) {
    if (s.empty())
      return wrongRank();
    groups = s.front();
    s = s.drop_front();
  }
  Layout in = getInputLayout(layout);
  int64_t block = getChannelBlock(in);
  switch (in) {
  case Layout::NCHW:
    if (layout == Layout::NCHW_NCHW4_IC_SMALL && s.size() == 5)
      return FilterDims{groups, s[0], timesBlock(s[1], 4), s[2], s[3]};
    if (s.size() != 4)
      return wrongRank();
    return FilterDims{groups, s[0], s[1], s[2], s[3]};
  case Layout::NHWC:
    if (s.size() != 4)
      return wrongRank();
    return FilterDims{groups, s[0], s[3], s[1], s[2]};
  case Layout::NCHW44:
  case Layout::NCHW88:
    if (grouped && s.size() == 5) // G/x,1,1,FH,FW,x: one channel per group.
      return FilterDims{timesBlock(groups, block), 1, 1, s[2], s[3]};
    if (!grouped && s.size() == 5) // First conv on NCHW: OC/x,FH,FW,IC,x.
      return FilterDims{1, timesBlock(s[0], block), s[3], s[1], s[2], true};
    if (s.size() != 6)
      return wrongRank();
    return FilterDims{groups, timesBlock(s[0], block), timesBlock(s[1], block),
                      s[2], s[3]};
  case Layout::NHWCD4:
    if (grouped && s.size() == 4) // G/4,1,FH,FW,4: one channel per group.
      return FilterDims{timesBlock(groups, 4), 1, 1, s[1], s[2]};
    if (s.size() == 5)
      return FilterDims{groups, timesBlock(s[0], 4), s[3], s[1], s[2]};
    if (s.size() == 6)
      return FilterDims{groups, timesBlock(s[0], 4), timesBlock(s[3], 4), s[1],
                        s[2]};
    return wrongRank();
  case Layout::CHWN4:
    if (s.size() != 5)
      return wrongRank();
    return FilterDims{groups, s[3], timesBlock(s[0], 4), s[1], s[2]};
  default: // NCHW4, NCHW8, NCHW32, NCHW64: OC,IC/x,FH,FW,x.
    if (s.size() != 5)
      return wrongRank();
    return FilterDims{groups, s[0], timesBlock(s[1], block), s[2], s[3]};
  }
}
