//===- Packing.cpp - Between physical layouts and plain NCHW --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Packing.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// One group per dim of a tensor, but for `count` dims from `dim` on, which
/// are a group together.
static SmallVector<ReassociationIndices> getGroups(int64_t rank, int64_t dim,
                                                   int64_t count) {
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i < rank; ++i)
    if (i > dim && i < dim + count)
      groups.back().push_back(i);
    else
      groups.push_back({i});
  return groups;
}

Value nn::emitSplitDim(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                       ArrayRef<int64_t> sizes) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  shape.insert(shape.begin() + dim, sizes.begin(), sizes.end());
  auto count = static_cast<int64_t>(sizes.size());
  auto rank = static_cast<int64_t>(shape.size());
  return tensor::ExpandShapeOp::create(
      b, RankedTensorType::get(shape, type.getElementType()), tensor,
      getGroups(rank, dim, count));
}

Value nn::emitJoinDims(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                       int64_t count) {
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  return tensor::CollapseShapeOp::create(b, tensor,
                                         getGroups(rank, dim, count));
}

Value nn::emitTruncateDim(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                          int64_t size) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (type.getDimSize(dim) == size)
    return tensor;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(b, b.getLoc(), tensor);
  sizes[dim] = b.getIndexAttr(size);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(type.getRank(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, tensor, offsets, sizes, strides);
}

Value nn::emitPadDim(ImplicitLocOpBuilder &b, Value tensor, int64_t dim,
                     int64_t size, Value value) {
  auto type = cast<RankedTensorType>(tensor.getType());
  SmallVector<int64_t> low(type.getRank(), 0), high(type.getRank(), 0);
  high[dim] = size - type.getDimSize(dim);
  return emitPad(b, tensor, low, high, value);
}

Value nn::emitRealZero(ImplicitLocOpBuilder &b, Type element) {
  double zero = 0;
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
    zero = static_cast<double>(quantized.getZeroPoint());
  return emitConstant(b, getLoweredElementType(element), zero);
}

/// The dims N,C/x,x,H,W (or N,C,H,W) of a single layout as positions in its
/// physical shape.
static SmallVector<int64_t> getActivationOrder(Layout layout) {
  switch (layout) {
  case Layout::NHWC:
    return {0, 3, 1, 2};
  case Layout::NHWCD4:
    return {0, 2, 4, 1, 3};
  case Layout::CHWN4:
    return {3, 0, 4, 1, 2};
  default:
    if (getChannelBlock(layout) == 1)
      return {0, 1, 2, 3};
    return {0, 1, 4, 2, 3};
  }
}

/// emitTranspose where there is something to do.
static Value emitReorder(ImplicitLocOpBuilder &b, Value tensor,
                         ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return tensor;
  return emitTranspose(b, tensor, order);
}

Value nn::unpackActivation(ImplicitLocOpBuilder &b, Value tensor,
                           Layout layout) {
  SmallVector<int64_t> order = getActivationOrder(layout);
  tensor = emitReorder(b, tensor, order);
  return order.size() == 4 ? tensor : emitJoinDims(b, tensor, 1, 2);
}

Value nn::packActivation(ImplicitLocOpBuilder &b, Value tensor, Layout layout,
                         Value zero) {
  if (int64_t block = getChannelBlock(layout); block != 1) {
    int64_t channels = cast<RankedTensorType>(tensor.getType()).getDimSize(1);
    int64_t blocks = llvm::divideCeil(channels, block);
    tensor = emitPadDim(b, tensor, 1, blocks * block, zero);
    tensor = emitSplitDim(b, tensor, 1, {blocks, block});
  }
  return emitReorder(b, tensor,
                     invertPermutationVector(getActivationOrder(layout)));
}

/// The order in which the dims of a filter, with a group dim in front, stand in
/// G,OC,IC,FH,FW, where the outer and the inner dim of what a layout splits
/// follow each other.
static SmallVector<int64_t> getFilterOrder(Layout layout, bool grouped,
                                           int64_t rank) {
  switch (Layout in = getInputLayout(layout)) {
  case Layout::NCHW:
    if (rank == 5)
      return {0, 1, 2, 3, 4};
    return {0, 1, 2, 5, 3, 4}; // NCHW_NCHW4_IC_SMALL: OC,1,FH,FW,4
  case Layout::NHWC:
    return {0, 1, 4, 2, 3};
  case Layout::NCHW44:
  case Layout::NCHW88:
    if (rank == 6)
      return grouped ? SmallVector<int64_t>{0, 5, 1, 2, 3, 4}  // channel-wise
                     : SmallVector<int64_t>{0, 1, 5, 4, 2, 3}; // first conv
    if (layout == Layout::NCHW44_DOT)
      return {0, 1, 5, 2, 6, 3, 4};
    return {0, 1, 6, 2, 5, 3, 4};
  case Layout::NHWCD4:
    if (rank == 5) // channel-wise
      return {0, 4, 1, 2, 3};
    if (rank == 6)
      return {0, 1, 5, 4, 2, 3};
    return {0, 1, 5, 4, 6, 2, 3};
  case Layout::CHWN4:
    return {0, 4, 1, 5, 2, 3};
  default:
    assert(getChannelBlock(in) != 1 && "a volume has no filter of this kind");
    return {0, 1, 2, 5, 3, 4};
  }
}

Value nn::unpackFilter(ImplicitLocOpBuilder &b, Value filter, Layout layout,
                       bool grouped, const FilterDims &dims, bool hasBatch) {
  int64_t lead = hasBatch ? 1 : 0;
  auto type = cast<RankedTensorType>(filter.getType());
  if (!grouped)
    filter = emitSplitDim(b, filter, lead, {1, type.getShape()[lead]});
  type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> order;
  if (hasBatch)
    order.push_back(0);
  for (int64_t dim : getFilterOrder(layout, grouped, type.getRank() - lead))
    order.push_back(dim + lead);
  filter = emitReorder(b, filter, order);
  SmallVector<int64_t> shape = {dims.groups, dims.oc, dims.ic, dims.kh,
                                dims.kw};
  if (hasBatch)
    shape.insert(shape.begin(), type.getDimSize(0));
  return emitReshape(b, filter, shape);
}
