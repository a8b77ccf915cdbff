//===- RearrangeOps.cpp - GE ops that regroup dims ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each views some dims as several, permutes those, and views the result in the
// shape it has: reshape, transpose, reshape.
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

static Value regroup(OpImporter &imp, Value value, ArrayRef<int64_t> view,
                     ArrayRef<int64_t> permutation, ArrayRef<int64_t> shape) {
  value = makeReshape(imp, value, view);
  return makeReshape(imp, makeTranspose(imp, value, permutation), shape);
}

/// The layout of an op on images: its attribute, else that of its descriptor
/// (CANN has no attribute for some), else `defaultNHWC`.
static FailureOr<bool> isNHWC(OpImporter &imp, bool defaultNHWC) {
  if (imp.has("data_format") || imp.has("format"))
    return imp.isNHWC();
  if (imp.op.input_desc_size() && imp.op.input_desc(0).layout() == "NHWC")
    return true;
  return defaultNHWC;
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

/// Element k of group g comes g-th among those of all groups. ShuffleChannel
/// has no axis: it shuffles channels.
static LogicalResult importShuffle(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> groups = imp.getInt("group", 1);
  FailureOr<int64_t> axis =
      imp.getType() == "ShuffleChannel" ? 1 : imp.getInt("axis", 0);
  if (failed(type) || failed(groups) || failed(axis))
    return failure();
  axis = getAxis(imp, *axis, type->getRank());
  if (failed(axis))
    return failure();
  int64_t dim = type->getDimSize(*axis);
  if (*groups < 1 || dim % *groups != 0)
    return imp.emitError() << "a dim of " << dim << " does not split into "
                           << *groups << " groups";
  ArrayRef<int64_t> dims = type->getShape();
  return finish(imp,
                regroup(imp, imp.getOperand(0),
                        {multiply(dims.take_front(*axis)), *groups,
                         dim / *groups, multiply(dims.drop_front(*axis + 1))},
                        {0, 2, 1, 3}, dims));
}

//===----------------------------------------------------------------------===//
// Space and depth
//===----------------------------------------------------------------------===//

namespace {
/// An image and the edge of its blocks.
struct Blocks {
  bool nhwc;
  int64_t n, c, h, w, block;
};
} // namespace

static FailureOr<Blocks> readBlocks(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<int64_t> block = imp.getInt("block_size", 0);
  FailureOr<bool> nhwc = isNHWC(imp, /*defaultNHWC=*/true);
  if (failed(type) || failed(block) || failed(nhwc))
    return failure();
  if (type->getRank() != 4)
    return imp.emitError() << "input has rank " << type->getRank()
                           << ", expected 4";
  ArrayRef<int64_t> dims = type->getShape();
  if (*block < 1 || *block > INT32_MAX)
    return imp.emitError() << "attribute 'block_size' is " << *block;
  if (*nhwc)
    return Blocks{true, dims[0], dims[3], dims[1], dims[2], *block};
  return Blocks{false, dims[0], dims[1], dims[2], dims[3], *block};
}

/// Channel (y*block + x)*C + c of the result is c at place y, x of the block.
static LogicalResult importSpaceToDepth(OpImporter &imp) {
  FailureOr<Blocks> blocks = readBlocks(imp);
  if (failed(blocks))
    return failure();
  auto [nhwc, n, c, h, w, block] = *blocks;
  if (h % block != 0 || w % block != 0)
    return imp.emitError() << "an image of " << h << "," << w
                           << " has no whole blocks of " << block;
  int64_t depth = multiply({c, block, block});
  Value x = imp.getOperand(0);
  Value result =
      nhwc ? regroup(imp, x, {n, h / block, block, w / block, block, c},
                     {0, 1, 3, 2, 4, 5}, {n, h / block, w / block, depth})
           : regroup(imp, x, {n, c, h / block, block, w / block, block},
                     {0, 3, 5, 1, 2, 4}, {n, depth, h / block, w / block});
  return finish(imp, result);
}

/// The inverse. Mode DCR reads channels as block, block, C; CRD as C, block,
/// block.
static LogicalResult importDepthToSpace(OpImporter &imp) {
  FailureOr<Blocks> blocks = readBlocks(imp);
  FailureOr<std::string> mode = imp.getString("mode", "DCR");
  if (failed(blocks) || failed(mode))
    return failure();
  if (*mode != "DCR" && *mode != "CRD")
    return imp.emitError() << "attribute 'mode' \"" << *mode
                           << "\" is not supported";
  bool depthFirst = *mode == "DCR";
  auto [nhwc, n, depth, h, w, block] = *blocks;
  int64_t area = block * block;
  if (depth % area != 0)
    return imp.emitError() << depth << " channels make no blocks of " << block;
  int64_t c = depth / area, height = multiply({h, block}),
          width = multiply({w, block});
  Value x = imp.getOperand(0);
  Value result;
  if (nhwc)
    result = depthFirst ? regroup(imp, x, {n, h, w, block, block, c},
                                  {0, 1, 3, 2, 4, 5}, {n, height, width, c})
                        : regroup(imp, x, {n, h, w, c, block, block},
                                  {0, 1, 4, 2, 5, 3}, {n, height, width, c});
  else
    result = depthFirst ? regroup(imp, x, {n, block, block, c, h, w},
                                  {0, 3, 4, 1, 5, 2}, {n, c, height, width})
                        : regroup(imp, x, {n, c, block, block, h, w},
                                  {0, 1, 4, 2, 5, 3}, {n, c, height, width});
  return finish(imp, result);
}

//===----------------------------------------------------------------------===//
// Space and batch
//===----------------------------------------------------------------------===//

namespace {
/// The operands of SpaceToBatchND and BatchToSpaceND on an image: block edges
/// and what is padded or cropped before and after height and width.
struct Batches {
  Blocks image;
  int64_t blockH, blockW, top, bottom, left, right;
};
} // namespace

static FailureOr<Batches> readBatches(OpImporter &imp, StringRef margins) {
  if (failed(imp.expectOperands(3, 3)))
    return failure();
  FailureOr<RankedTensorType> type = getStaticType(imp, 0);
  FailureOr<SmallVector<int64_t>> block = getInts(imp, 1, "block_shape");
  FailureOr<SmallVector<int64_t>> margin = getInts(imp, 2, margins);
  FailureOr<bool> nhwc = isNHWC(imp, /*defaultNHWC=*/false);
  if (failed(type) || failed(block) || failed(margin) || failed(nhwc))
    return failure();
  if (type->getRank() != 4 || block->size() != 2 || margin->size() != 4)
    return imp.decline("blocks of other things than images");
  for (int64_t edge : *block)
    if (edge < 1 || edge > INT32_MAX)
      return imp.emitError() << "a block of " << edge;
  for (int64_t size : *margin)
    if (size < 0 || size > INT32_MAX)
      return imp.emitError() << "'" << margins << "' holds " << size;
  ArrayRef<int64_t> dims = type->getShape();
  Blocks image = *nhwc ? Blocks{true, dims[0], dims[3], dims[1], dims[2], 0}
                       : Blocks{false, dims[0], dims[1], dims[2], dims[3], 0};
  return Batches{image,        (*block)[0],  (*block)[1], (*margin)[0],
                 (*margin)[1], (*margin)[2], (*margin)[3]};
}

/// Place y, x of the blocks of image n becomes image (y*blockW + x)*N + n.
static LogicalResult importSpaceToBatch(OpImporter &imp) {
  FailureOr<Batches> batches = readBatches(imp, "paddings");
  if (failed(batches))
    return failure();
  auto [image, bh, bw, top, bottom, left, right] = *batches;
  int64_t h = image.h + top + bottom, w = image.w + left + right;
  if (h % bh != 0 || w % bw != 0)
    return imp.emitError() << "a padded image of " << h << "," << w
                           << " has no whole blocks of " << bh << "," << bw;
  int64_t n = image.n, c = image.c, batch = multiply({n, bh, bw});
  Value x = imp.getOperand(0);
  if (h != image.h || w != image.w) {
    nn::PadOp::Properties properties;
    SmallVector<int64_t> low{0, 0, top, left}, high{0, 0, bottom, right};
    if (image.nhwc) {
      low = {0, top, left, 0};
      high = {0, bottom, right, 0};
    }
    properties.low = imp.i64s(low);
    properties.high = imp.i64s(high);
    x = make<nn::PadOp>(imp, {x}, properties);
  }
  Value result = image.nhwc
                     ? regroup(imp, x, {n, h / bh, bh, w / bw, bw, c},
                               {2, 4, 0, 1, 3, 5}, {batch, h / bh, w / bw, c})
                     : regroup(imp, x, {n, c, h / bh, bh, w / bw, bw},
                               {3, 5, 0, 1, 2, 4}, {batch, c, h / bh, w / bw});
  return finish(imp, result);
}

static LogicalResult importBatchToSpace(OpImporter &imp) {
  FailureOr<Batches> batches = readBatches(imp, "crops");
  if (failed(batches))
    return failure();
  auto [image, bh, bw, top, bottom, left, right] = *batches;
  if (image.n % (bh * bw) != 0)
    return imp.emitError() << image.n << " images make no blocks of " << bh
                           << "," << bw;
  int64_t n = image.n / (bh * bw), c = image.c;
  int64_t h = multiply({image.h, bh}), w = multiply({image.w, bw});
  if (top + bottom >= h || left + right >= w)
    return imp.emitError() << "crops all of an image of " << h << "," << w;
  Value x = imp.getOperand(0);
  Value whole = image.nhwc ? regroup(imp, x, {bh, bw, n, image.h, image.w, c},
                                     {2, 3, 0, 4, 1, 5}, {n, h, w, c})
                           : regroup(imp, x, {bh, bw, n, c, image.h, image.w},
                                     {2, 3, 4, 0, 5, 1}, {n, c, h, w});
  int64_t axisH = image.nhwc ? 1 : 2;
  return finish(imp, makeSlice(imp, whole,
                               {{axisH, top, 1, h - top - bottom},
                                {axisH + 1, left, 1, w - left - right}}));
}

void modelwright::ge::registerRearrangeOps(OpRegistry &registry) {
  registry.addImport<nn::ReshapeOp, nn::TransposeOp>(
      {"ShuffleChannel", "ShuffleChannelV2", "ChannelShuffle"}, importShuffle);
  registry.addImport<nn::ReshapeOp, nn::TransposeOp>({"SpaceToDepth"},
                                                     importSpaceToDepth);
  registry.addImport<nn::ReshapeOp, nn::TransposeOp>({"DepthToSpace"},
                                                     importDepthToSpace);
  registry.addImport<nn::PadOp, nn::ReshapeOp, nn::TransposeOp>(
      {"SpaceToBatchND"}, importSpaceToBatch);
  registry.addImport<nn::ReshapeOp, nn::TransposeOp, nn::SliceOp>(
      {"BatchToSpaceND"}, importBatchToSpace);
}
