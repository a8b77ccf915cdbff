//===- StrassenKernel.cpp - 1x1 convolutions by Strassen's algorithm ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A convolution of windows of 1x1 is the product of a matrix A, pixels by input
// channels, and B, input by output channels. Both are cut into quarters, and
// seven products of quarters do in place of eight (Strassen, "Gaussian
// Elimination is not Optimal", 1969; in the form with fewest additions of
// Winograd, 1971):
//
//   S1 = A21 + A22   S2 = S1 - A11    S3 = A11 - A21   S4 = A12 - S2
//   T1 = B12 - B11   T2 = B22 - T1    T3 = B22 - B12   T4 = T2 - B21
//
//   U1 = A11 B11     U2 = U1 + S2 T2  U3 = U2 + S3 T3  P  = S1 T1
//   C11 = U1 + A12 B21                C12 = U2 + P + S4 B22
//   C21 = U3 - A22 T4                 C22 = U3 + P
//
// The T are made when weights are packed, the S in a pass over the input, one
// addition for each element where an eighth of its products is saved. What is
// left is done while the sums of a tile are in registers: a product that is
// added to another continues its sums, and only U1, U2 and U3 are kept, on the
// stack, in the first cache.
//
//===----------------------------------------------------------------------===//

#include "ConvKernel.h"
#include "Strassen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

StrassenScratch StrassenScratch::get(Conv2DOp op) {
  BlockedShape shape = BlockedShape::get(
      cast<ShapedType>(op.getInit().getType()), Halo::get(op.getHalo()));
  auto weights = cast<ShapedType>(op.getWeights().getType());
  bool cutsRows = shape.height % 2 == 0;
  return {shape.batch,
          weights.getDimSize(2),
          cutsRows ? shape.height / 2 : shape.height,
          cutsRows ? shape.width : shape.width / 2,
          cutsRows,
          VectorType::get({weights.getDimSize(3)}, weights.getElementType())};
}

MemRefType StrassenScratch::getType() const {
  return MemRefType::get({4 * getVectors(), vector.getDimSize(0)},
                         vector.getElementType());
}

namespace {
class Strassen : private ConvKernel<Conv2DOp> {
public:
  Strassen(Emitter &e, Conv2DOp op, ValueRange arguments)
      : ConvKernel(e, op, arguments), scratch(arguments[arguments.size() - 2]),
        memory(StrassenScratch::get(op)) {}

  /// The S.
  void emitSums() {
    e.units({memory.batch, memory.blocks, memory.height},
            [&](ArrayRef<Value> unit) {
              e.loop(0, memory.width, 1,
                     [&](Value x) { emitSums(unit[0], unit[1], unit[2], x); });
            });
  }

  void emitOutputs() {
    int64_t pixels = (*op.getTile())[0], together = (*op.getTile())[1];
    int64_t half = shape.blocks / 2;
    for (Value &buffer : kept)
      buffer = e.allocate(pixels * together, getSumType());
    auto type = cast<ShapedType>(weights.getType());
    e.imageUnits(
        memory.batch, Emitter::countTiles(half, together), memory.height,
        [&](ArrayRef<Value> unit) {
          e.tile(unit[1], half, together, [&](Value block, int64_t blocks) {
            e.tiles(memory.width, pixels, [&](Value x, int64_t width) {
              emitTile(unit[0], block, blocks, unit[2], x, width);
            });
          });
        },
        type.getNumElements() * type.getElementTypeBitWidth() / 8);
    e.fillHalo(result, halo, 0);
  }

private:
  /// What a product reads: a quarter of the input, or a sum.
  struct Factor {
    bool isSum;
    /// Number of the sum.
    int64_t sum = 0;
    /// Whether it is of the second half of the pixels, of the channels.
    bool second = false, secondChannels = false;
  };

  Value moveRow(Value y, bool second) {
    return second && memory.cutsRows ? e.add(y, memory.height) : y;
  }
  Value moveColumn(Value x, bool second) {
    return second && !memory.cutsRows ? e.add(x, memory.width) : x;
  }

  Value loadQuarter(bool second, bool secondChannels, Value n, Value block,
                    Value y, Value x) {
    return e.load(input,
                  {n, secondChannels ? e.add(block, memory.blocks) : block,
                   getWindowRow(moveRow(y, second)),
                   getWindowColumn(moveColumn(x, second)), e.index(0)});
  }

  /// The first vector of a sum in a row of a block.
  Value getSumRow(int64_t sum, Value n, Value block, Value y) {
    Value row =
        e.add(e.mul(e.add(e.mul(n, memory.blocks), block), memory.height), y);
    return e.add(e.mul(row, memory.width), sum * memory.getVectors());
  }

  void emitSums(Value n, Value block, Value y, Value x) {
    Value a11 = loadQuarter(false, false, n, block, y, x);
    Value a12 = loadQuarter(false, true, n, block, y, x);
    Value a21 = loadQuarter(true, false, n, block, y, x);
    Value a22 = loadQuarter(true, true, n, block, y, x);
    auto sub = [&](Value a, Value b) -> Value {
      return arith::SubFOp::create(e.b, a, b);
    };
    Value s1 = arith::AddFOp::create(e.b, a21, a22);
    Value s2 = sub(s1, a11);
    Value sums[] = {s1, s2, sub(a11, a21), sub(a12, s2)};
    for (auto [k, sum] : llvm::enumerate(sums))
      e.store(sum, scratch,
              {e.add(getSumRow(int64_t(k), n, block, y), x), e.index(0)});
  }

  /// Adds product number `k` of the packed weights to the sums of a tile.
  Values addProduct(const Factor &factor, int64_t k, Value n, Value block,
                    int64_t blocks, Value y, Value x, int64_t width,
                    ValueRange sums) {
    return e.reduce(0, memory.blocks, sums, [&](Value ib, ValueRange outer) {
      Value row, column, from = ib;
      if (factor.isSum) {
        row = e.add(getSumRow(factor.sum, n, ib, y), x);
      } else {
        row = getWindowRow(moveRow(y, factor.second));
        column = getWindowColumn(moveColumn(x, factor.second));
        if (factor.secondChannels)
          from = e.add(ib, memory.blocks);
      }
      // The next block lies far from this one.
      for (int64_t t = 0; memory.blocks > 1 && t < width; ++t)
        if (factor.isSum)
          e.prefetch(scratch, {e.add(row, memory.height * memory.width + t),
                               e.index(0)});
        else
          e.prefetch(input,
                     {n, e.add(from, 1), row, e.add(column, t), e.index(0)});
      return e.reduce(0, e.lanes, outer, [&](Value ic, ValueRange inner) {
        Values columns, next;
        for (int64_t o = 0; o < blocks; ++o)
          columns.push_back(e.load(
              weights, {e.index(k), e.add(block, o), ib, ic, e.index(0)}));
        for (int64_t t = 0; t < width; ++t) {
          Value number =
              factor.isSum
                  ? e.loadScalar(scratch, {e.add(row, t), ic})
                  : e.loadScalar(input, {n, from, row, e.add(column, t), ic});
          Value pixel = e.broadcast(number);
          for (int64_t o = 0; o < blocks; ++o)
            next.push_back(e.fma(pixel, columns[o], inner[t * blocks + o]));
        }
        return next;
      });
    });
  }

  void emitTile(Value n, Value block, int64_t blocks, Value y, Value x,
                int64_t width) {
    auto multiply = [&](const Factor &factor, int64_t k, ValueRange sums) {
      return addProduct(factor, k, n, block, blocks, y, x, width, sums);
    };
    auto keep = [&](Value buffer, ValueRange sums) {
      for (auto [i, sum] : llvm::enumerate(sums))
        e.store(sum, buffer, {e.index(int64_t(i)), e.index(0)});
    };
    auto load = [&](Value buffer) {
      Values sums;
      for (int64_t i = 0; i < width * blocks; ++i)
        sums.push_back(e.load(buffer, {e.index(i), e.index(0)}));
      return sums;
    };
    auto finish = [&](ValueRange sums, bool second, bool secondBlocks) {
      int64_t first = secondBlocks ? shape.blocks / 2 : 0;
      finishTile(sums, blocks, [&](Value t, Value o) {
        return std::array<Value, 4>{n, e.add(e.add(block, o), first),
                                    moveRow(y, second),
                                    moveColumn(e.add(x, t), second)};
      });
    };
    Values sums = getZeroSums(width * blocks);
    sums = multiply({.isSum = false}, 0, sums);
    keep(kept[0], sums);
    sums = multiply({.isSum = true, .sum = 1}, 1, sums);
    keep(kept[1], sums);
    sums = multiply({.isSum = true, .sum = 2}, 2, sums);
    keep(kept[2], sums);
    sums = multiply({.isSum = false, .second = true, .secondChannels = true}, 3,
                    sums);
    finish(sums, /*second=*/true, /*secondBlocks=*/false);
    sums = multiply({.isSum = true, .sum = 0}, 4, getZeroSums(width * blocks));
    // U2 + P and U3 + P: the latter takes the place of U2.
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Values at{e.index(int64_t(i)), e.index(0)};
      Value u2 = e.load(kept[1], at), u3 = e.load(kept[2], at);
      e.store(arith::AddFOp::create(e.b, u3, sum), kept[2], at);
      sum = arith::AddFOp::create(e.b, u2, sum);
    }
    sums = multiply({.isSum = true, .sum = 3}, 5, sums);
    finish(sums, /*second=*/false, /*secondBlocks=*/true);
    finish(load(kept[2]), /*second=*/true, /*secondBlocks=*/true);
    sums = multiply({.isSum = false, .secondChannels = true}, 6, load(kept[0]));
    finish(sums, /*second=*/false, /*secondBlocks=*/false);
  }

  /// The sums of the input, and U1, U2 and U3 of a tile.
  Value scratch, kept[3];
  StrassenScratch memory;
};
} // namespace

void cpu::emitStrassen(Emitter &e, Conv2DOp op, ValueRange arguments,
                       unsigned part) {
  Strassen kernel(e, op, arguments);
  if (part == 0)
    kernel.emitSums();
  else
    kernel.emitOutputs();
}
