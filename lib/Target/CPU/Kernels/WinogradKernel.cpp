//===- WinogradKernel.cpp - Convolutions by Winograd's algorithm ----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// F(4x4, 3x3) of Lavin and Gray, "Fast Algorithms for Convolutional Neural
// Networks" (2015): squares of 6x6 inputs, 4 apart, are transformed (B^T d B),
// multiplied with the transformed weights, place by place and summed over the
// input channels, and transformed back to 4x4 outputs (A^T m A). 36 products in
// place of 144.
//
//===----------------------------------------------------------------------===//

#include "ConvKernel.h"
#include "Winograd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

WinogradScratch WinogradScratch::get(Conv2DOp op) {
  auto weights = cast<ShapedType>(op.getWeights().getType());
  int64_t squares = (*op.getTile())[0];
  auto element = weights.getElementType();
  return {weights.getDimSize(2), weights.getDimSize(1),
          llvm::isPowerOf2_64(squares) ? squares + 1 : squares,
          VectorType::get({weights.getDimSize(4)}, element)};
}

MemRefType WinogradScratch::getType(int64_t threads) const {
  return MemRefType::get({threads * getVectors(), vector.getDimSize(0)},
                         vector.getElementType());
}

namespace {
class Winograd : private ConvKernel<Conv2DOp> {
public:
  Winograd(Emitter &e, Conv2DOp op, ValueRange arguments)
      : ConvKernel(e, op, arguments), scratch(arguments[arguments.size() - 2]),
        memory(WinogradScratch::get(op)), squares(op.getWinogradSquares()) {}

  /// All squares of a tile after one another, in the thread's own scratch.
  void emit() {
    int64_t count = squares[0] * squares[1];
    int64_t tile = (*op.getTile())[0];
    int64_t threads =
        cast<ShapedType>(scratch.getType()).getDimSize(0) / memory.getVectors();
    base =
        threads == 1 ? e.index(0) : e.mul(e.range.thread, memory.getVectors());
    e.units({shape.batch, Emitter::countTiles(count, tile)},
            [&](ArrayRef<Value> unit) {
              // The last tile begins earlier rather than being shorter: it
              // computes some squares once more, with the same code and to the
              // same bits.
              Value first = e.mul(unit[1], tile);
              if (count % tile != 0)
                first =
                    arith::MinSIOp::create(e.b, first, e.index(count - tile));
              emitInputs(unit[0], first, tile);
              emitProducts(tile);
              emitOutputs(unit[0], first, tile);
            });
    e.fillHalo(result, halo, op.getFill().value_or(0));
  }

  /// The steps of the only tile one by one, for threads to share each.
  void emitPart(unsigned part) {
    int64_t tile = (*op.getTile())[0];
    base = e.index(0);
    if (part == 0) {
      e.units({memory.inputBlocks, tile}, [&](ArrayRef<Value> unit) {
        emitInput(e.index(0), unit[0], e.index(0), unit[1]);
      });
    } else if (part == 1) {
      int64_t together = (*op.getTile())[1];
      int64_t groups = Emitter::countTiles(memory.outputBlocks, together);
      e.units({36, groups}, [&](ArrayRef<Value> unit) {
        e.tile(unit[1], memory.outputBlocks, together,
               [&](Value output, int64_t blocks) {
                 emitProduct(unit[0], output, blocks, tile);
               });
      });
    } else {
      e.units({memory.outputBlocks, tile}, [&](ArrayRef<Value> unit) {
        emitOutput(e.index(0), unit[0], e.index(0), unit[1]);
      });
      e.fillHalo(result, halo, op.getFill().value_or(0));
    }
  }

private:
  /// Row and column of a square's first output.
  std::pair<Value, Value> getCorner(Value square) {
    Value columns = e.index(squares[1]);
    return {e.mul(arith::DivUIOp::create(e.b, square, columns), 4),
            e.mul(arith::RemUIOp::create(e.b, square, columns), 4)};
  }

  Value add(Value a, Value b) { return arith::AddFOp::create(e.b, a, b); }
  Value sub(Value a, Value b) { return arith::SubFOp::create(e.b, a, b); }
  /// `factor * a + b`.
  Value axpy(double factor, Value a, Value b) {
    return e.fma(e.splat(factor), a, b);
  }

  /// `B^T d` for six values.
  Values transformInput(ArrayRef<Value> d) {
    Value a = axpy(-4, d[2], d[4]), b = axpy(-4, d[1], d[3]);
    Value c = sub(d[4], d[2]), f = sub(d[3], d[1]);
    return {axpy(4, d[0], axpy(-5, d[2], d[4])),
            add(b, a),
            sub(a, b),
            axpy(2, f, c),
            axpy(-2, f, c),
            axpy(4, d[1], axpy(-5, d[3], d[5]))};
  }

  /// `A^T m` for six values.
  Values transformOutput(ArrayRef<Value> m) {
    Value a = add(m[1], m[2]), b = sub(m[1], m[2]);
    Value c = add(m[3], m[4]), d = sub(m[3], m[4]);
    return {add(add(m[0], a), c), axpy(2, d, b), axpy(4, c, a),
            add(axpy(8, d, b), m[5])};
  }

  /// A transform along columns, then along rows, of a square of `from` x `from`
  /// values, row by row.
  template <typename Transform>
  static Values transformSquare(const Values &square, int64_t from, int64_t to,
                                Transform transform) {
    SmallVector<Values> columns;
    for (int64_t x = 0; x < from; ++x) {
      Values column;
      for (int64_t y = 0; y < from; ++y)
        column.push_back(square[y * from + x]);
      columns.push_back(transform(column));
    }
    Values result;
    for (int64_t y = 0; y < to; ++y) {
      Values row;
      for (int64_t x = 0; x < from; ++x)
        row.push_back(columns[x][y]);
      result.append(transform(row));
    }
    return result;
  }

  void emitInputs(Value n, Value first, int64_t tile) {
    e.loop(0, memory.inputBlocks, 1, [&](Value block) {
      e.loop(0, tile, 1, [&](Value t) { emitInput(n, block, first, t); });
    });
  }

  void emitInput(Value n, Value block, Value first, Value t) {
    auto [y, x] = getCorner(e.add(first, t));
    Value row = getWindowRow(y), column = getWindowColumn(x);
    Values square;
    for (int64_t k = 0; k < 36; ++k)
      square.push_back(e.load(input, {n, block, e.add(row, k / 6),
                                      e.add(column, k % 6), e.index(0)}));
    Values transformed =
        transformSquare(square, 6, 6, [&](ArrayRef<Value> values) {
          return transformInput(values);
        });
    Value place = e.add(base, e.add(e.mul(block, memory.stride), t));
    for (int64_t k = 0; k < 36; ++k)
      e.store(
          transformed[k], scratch,
          {e.add(place, k * memory.inputBlocks * memory.stride), e.index(0)});
  }

  void emitProducts(int64_t tile) {
    int64_t together = (*op.getTile())[1];
    e.loop(0, 36, 1, [&](Value k) {
      e.tiles(memory.outputBlocks, together, [&](Value output, int64_t blocks) {
        emitProduct(k, output, blocks, tile);
      });
    });
  }

  void emitProduct(Value k, Value output, int64_t blocks, int64_t tile) {
    Value inputs = e.add(base, e.mul(k, memory.inputBlocks * memory.stride));
    Value products =
        e.add(base, e.add(e.mul(k, memory.outputBlocks * memory.stride),
                          memory.getProducts()));
    Values sums(blocks * tile, e.splat(0));
    sums = e.reduce(
        0, memory.inputBlocks, sums, [&](Value block, ValueRange outer) {
          Value place = e.add(inputs, e.mul(block, memory.stride));
          return e.reduce(0, e.lanes, outer, [&](Value c, ValueRange inner) {
            return multiply(k, output, blocks, block, c, place, tile, inner);
          });
        });
    for (int64_t t = 0; t < tile; ++t)
      for (int64_t o = 0; o < blocks; ++o)
        e.store(
            sums[t * blocks + o], scratch,
            {e.add(e.add(products, e.mul(e.add(output, o), memory.stride)), t),
             e.index(0)});
  }

  Values multiply(Value k, Value output, int64_t blocks, Value block, Value c,
                  Value place, int64_t tile, ValueRange sums) {
    Values columns, next;
    for (int64_t o = 0; o < blocks; ++o)
      columns.push_back(
          e.load(weights, {k, e.add(output, o), block, c, e.index(0)}));
    for (int64_t t = 0; t < tile; ++t) {
      Value number = e.broadcast(e.loadScalar(scratch, {e.add(place, t), c}));
      for (int64_t o = 0; o < blocks; ++o)
        next.push_back(e.fma(number, columns[o], sums[t * blocks + o]));
    }
    return next;
  }

  void emitOutputs(Value n, Value first, int64_t tile) {
    e.loop(0, memory.outputBlocks, 1, [&](Value block) {
      e.loop(0, tile, 1, [&](Value t) { emitOutput(n, block, first, t); });
    });
  }

  void emitOutput(Value n, Value block, Value first, Value t) {
    auto [y, x] = getCorner(e.add(first, t));
    Value place = e.add(base, e.add(e.add(e.mul(block, memory.stride), t),
                                    memory.getProducts()));
    auto getKept = [&](int64_t k) {
      return e.add(place, k * memory.outputBlocks * memory.stride);
    };
    Values square;
    for (int64_t k = 0; k < 36; ++k)
      square.push_back(e.load(scratch, {getKept(k), e.index(0)}));
    Values sums = transformSquare(square, 6, 4, [&](ArrayRef<Value> values) {
      return transformOutput(values);
    });
    // Long epilogues run in a loop over the sums, which are kept in place of
    // the products that they were made of.
    bool isLong = Emitter::isLongEpilogue(op.getEpilogue());
    for (int64_t k = 0; k < 16; ++k) {
      if (isLong)
        e.store(sums[k], scratch, {getKept(k), e.index(0)});
      else
        storeInside(n, block, e.add(y, k / 4), k / 4, e.add(x, k % 4), k % 4,
                    sums[k]);
    }
    if (isLong)
      emitLongEpilogue(n, block, y, x, place);
  }

  void emitLongEpilogue(Value n, Value block, Value y, Value x, Value place) {
    e.loop(0, 4, 1, [&](Value row) {
      e.loop(0, 4, 1, [&](Value column) {
        Value k = e.add(e.mul(row, 4), column);
        Value kept =
            e.add(place, e.mul(k, memory.outputBlocks * memory.stride));
        // Any row and column may stick out: 3 tests like the last one.
        storeInside(n, block, e.add(y, row), 3, e.add(x, column), 3,
                    e.load(scratch, {kept, e.index(0)}));
      });
    });
  }

  /// Stores an output unless its square sticks out of the result there.
  void storeInside(Value n, Value block, Value y, int64_t row, Value x,
                   int64_t column, Value sum) {
    Value isInside;
    auto require = [&](Value at, int64_t offset, int64_t size) {
      if (offset == 0 || size % 4 == 0 || offset < size % 4)
        return;
      Value isLess = arith::CmpIOp::create(e.b, arith::CmpIPredicate::slt, at,
                                           e.index(size));
      isInside = isInside ? Value(arith::AndIOp::create(e.b, isInside, isLess))
                          : isLess;
    };
    require(y, row, shape.height);
    require(x, column, shape.width);
    e.branch(isInside, [&] { finish(sum, n, block, y, x); });
  }

  /// The memory to work in, and the first vector of what is ours of it.
  Value scratch, base;
  WinogradScratch memory;
  SmallVector<int64_t, 2> squares;
};
} // namespace

unsigned cpu::countWinogradParts(Conv2DOp op) {
  auto result = cast<ShapedType>(op.getInit().getType());
  SmallVector<int64_t, 2> squares = op.getWinogradSquares();
  bool isOneTile = result.getDimSize(0) == 1 &&
                   squares[0] * squares[1] <= (*op.getTile())[0];
  return isOneTile ? 3 : 1;
}

void cpu::emitWinograd(Emitter &e, Conv2DOp op, ValueRange arguments,
                       unsigned part) {
  Winograd kernel(e, op, arguments);
  if (countWinogradParts(op) == 1)
    kernel.emit();
  else
    kernel.emitPart(part);
}
