//===- PackKernels.cpp - Between NCHW and blocked tensors -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a channel lies together in NCHW, a pixel's channels in a blocked
// tensor: what is between are transposes, of some pixels of a block at a time.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

/// Pixels at a time of a block of few channels.
static constexpr int64_t kPixels = 16;

/// How many pixels of a block of `block` channels are moved at once; 1 for
/// those of which there is no transpose.
static int64_t getPixels(int64_t block, int64_t width) {
  int64_t pixels = block <= 4 ? kPixels : block;
  return width >= pixels && llvm::isPowerOf2_64(pixels) ? pixels : 1;
}

/// An image whose rows follow each other without a halo is one long row, if its
/// rows are too short to be moved in vectors.
static BlockedShape joinRows(BlockedShape shape, const Halo &halo) {
  if (halo.isEmpty() && getPixels(shape.block, shape.width) == 1) {
    shape.width *= shape.height;
    shape.height = 1;
  }
  return shape;
}

/// Calls `body` for some pixels of each block: `pixels` in a row from x on, of
/// `channels` channels that are no surplus. Rows are units.
static void
forEachPixelOfBlock(Emitter &e, const BlockedShape &shape, int64_t channels,
                    function_ref<void(ArrayRef<Value> unit, Value x,
                                      int64_t pixels, int64_t channels)>
                        body) {
  int64_t pixels = getPixels(shape.block, shape.width);
  e.imageUnits(
      shape.batch, shape.blocks, shape.height, [&](ArrayRef<Value> unit) {
        e.tile(unit[1], channels, shape.block, [&](Value, int64_t used) {
          int64_t whole = shape.width / pixels * pixels;
          e.loop(0, whole, pixels,
                 [&](Value x) { body(unit, x, pixels, used); });
          // The last ones begin earlier: some are moved twice.
          if (whole != shape.width)
            body(unit, e.index(shape.width - pixels), pixels, used);
        });
      });
}

/// `a` and `b`, of one length, element by element in turns: one half of it.
static Value interleaveHalf(Emitter &e, Value a, Value b, bool isUpper) {
  int64_t length = cast<VectorType>(a.getType()).getDimSize(0);
  SmallVector<int64_t> mask;
  for (int64_t i = 0; i < length; ++i)
    mask.push_back(i / 2 + (isUpper ? length / 2 : 0) +
                   (i % 2 == 0 ? 0 : length));
  return vector::ShuffleOp::create(e.b, a, b, mask);
}

/// The transpose of a square of vectors, as many as each has elements, a power
/// of two: log2 of it times the first half is interleaved with the second.
static Values transpose(Emitter &e, Values rows) {
  size_t half = rows.size() / 2;
  for (size_t step = 1; step < rows.size(); step *= 2) {
    Values next;
    for (size_t i = 0; i < half; ++i)
      for (bool isUpper : {false, true})
        next.push_back(interleaveHalf(e, rows[i], rows[i + half], isUpper));
    rows = next;
  }
  return rows;
}

/// One vector of the elements of all, in turns.
static Value interleave(Emitter &e, ArrayRef<Value> vectors) {
  int64_t length = cast<VectorType>(vectors[0].getType()).getDimSize(0);
  Value all = vectors[0];
  for (auto [k, vector] : llvm::enumerate(vectors.drop_front())) {
    auto count = int64_t(k) + 1;
    SmallVector<int64_t> mask;
    for (int64_t i = 0; i < length; ++i) {
      for (int64_t j = 0; j < count; ++j)
        mask.push_back(i * count + j);
      mask.push_back(length * count + i);
    }
    all = vector::ShuffleOp::create(e.b, all, vector, mask);
  }
  return all;
}

/// Element `lane`, `lane + step`, ... of a vector.
static Value everyNth(Emitter &e, Value vector, int64_t lane, int64_t step) {
  int64_t length = cast<VectorType>(vector.getType()).getDimSize(0);
  SmallVector<int64_t> mask;
  for (int64_t i = lane; i < length; i += step)
    mask.push_back(i);
  return vector::ShuffleOp::create(e.b, vector, vector, mask);
}

void cpu::emitPack(Emitter &e, PackOp op, ValueRange arguments) {
  Value source = arguments[0], result = arguments[1];
  Halo halo = Halo::get(op.getHalo());
  BlockedShape shape = joinRows(
      BlockedShape::get(cast<ShapedType>(result.getType()), halo), halo);
  int64_t channels = cast<ShapedType>(source.getType()).getDimSize(1);
  Type element = cast<MemRefType>(source.getType()).getElementType();
  Value zero = arith::ConstantOp::create(
      e.b, e.b.getZeroAttr(VectorType::get(
               {getPixels(shape.block, shape.width)}, element)));
  auto emit = [&](ArrayRef<Value> unit, Value x, int64_t pixels, int64_t used) {
    Values planes(shape.block, zero);
    for (int64_t lane = 0; lane < used; ++lane)
      planes[lane] = e.load(
          source,
          {unit[0], e.add(e.mul(unit[1], shape.block), lane), unit[2], x},
          pixels);
    auto storeAt = [&](Value value, int64_t pixel, int64_t lane) {
      e.store(value, result,
              {unit[0], unit[1], e.add(unit[2], halo.top),
               e.add(x, halo.left + pixel), e.index(lane)});
    };
    if (pixels == 1) {
      for (auto [lane, plane] : llvm::enumerate(planes))
        storeAt(plane, 0, int64_t(lane));
    } else if (pixels == shape.block) {
      for (auto [pixel, vector] : llvm::enumerate(transpose(e, planes)))
        storeAt(vector, int64_t(pixel), 0);
    } else {
      storeAt(interleave(e, planes), 0, 0);
    }
  };
  forEachPixelOfBlock(e, shape, channels, emit);
  e.fillHalo(result, halo, op.getFill().value_or(0));
}

void cpu::emitUnpack(Emitter &e, UnpackOp op, ValueRange arguments) {
  Value source = arguments[0], result = arguments[1];
  Halo halo = Halo::get(op.getHalo());
  BlockedShape shape = joinRows(
      BlockedShape::get(cast<ShapedType>(source.getType()), halo), halo);
  int64_t channels = cast<ShapedType>(result.getType()).getDimSize(1);
  auto emit = [&](ArrayRef<Value> unit, Value x, int64_t pixels, int64_t used) {
    auto loadAt = [&](int64_t pixel, int64_t lane, int64_t elements) {
      return e.load(source,
                    {unit[0], unit[1], e.add(unit[2], halo.top),
                     e.add(x, halo.left + pixel), e.index(lane)},
                    elements);
    };
    Values planes;
    if (pixels == shape.block) {
      for (int64_t pixel = 0; pixel < pixels; ++pixel)
        planes.push_back(loadAt(pixel, 0, shape.block));
      planes = transpose(e, planes);
    } else if (pixels == 1) {
      for (int64_t lane = 0; lane < used; ++lane)
        planes.push_back(loadAt(0, lane, 1));
    } else {
      Value all = loadAt(0, 0, pixels * shape.block);
      for (int64_t lane = 0; lane < used; ++lane)
        planes.push_back(everyNth(e, all, lane, shape.block));
    }
    for (int64_t lane = 0; lane < used; ++lane)
      e.store(planes[lane], result,
              {unit[0], e.add(e.mul(unit[1], shape.block), lane), unit[2], x});
  };
  forEachPixelOfBlock(e, shape, channels, emit);
}
