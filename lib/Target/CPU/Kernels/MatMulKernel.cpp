//===- MatMulKernel.cpp - Matrix products ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

namespace {
/// Sums of `rows` rows times `blocks` blocks of columns in registers, over all
/// of K: rows of the left matrix are read as they lie, one broadcast each.
class MatMul {
public:
  MatMul(Emitter &e, MatMulOp op, ValueRange arguments)
      : e(e), op(op), lhs(arguments[0]), rhs(arguments[1]),
        result(arguments.back()), extras(arguments.drop_front(2).drop_back()),
        shape(cast<ShapedType>(result.getType()).getShape().take_back(2)),
        packed(cast<ShapedType>(rhs.getType()).getShape().take_back(3)) {}

  void emit() {
    auto type = cast<ShapedType>(result.getType());
    bool isBatch = type.getRank() == 3;
    int64_t rows = (*op.getTile())[0], together = (*op.getTile())[1];
    // Strips of whole blocks of columns; a block that is not whole is one more.
    int64_t whole = shape[1] / e.lanes;
    int64_t strips = Emitter::countTiles(whole, together);
    int64_t heights = Emitter::countTiles(shape[0], rows);
    e.units({isBatch ? type.getDimSize(0) : 1,
             strips + (whole != packed[0] ? 1 : 0), heights},
            [&](ArrayRef<Value> unit) {
              if (isBatch)
                batch = {unit[0]};
              auto emitRows = [&](Value block, int64_t blocks, bool isPartial) {
                e.tile(unit[2], shape[0], rows, [&](Value row, int64_t height) {
                  emitTile(row, height, block, blocks, isPartial);
                });
              };
              auto emitWhole = [&] {
                e.tile(unit[1], whole, together,
                       [&](Value block, int64_t blocks) {
                         emitRows(block, blocks, false);
                       });
              };
              auto emitPartial = [&] { emitRows(e.index(whole), 1, true); };
              if (whole == packed[0])
                emitWhole();
              else if (strips == 0)
                emitPartial();
              else
                e.branch(e.isWithin(unit[1], 0, strips, strips + 1), emitWhole,
                         emitPartial);
            });
  }

private:
  /// Indices behind that of the batch entry.
  Values at(std::initializer_list<Value> indices) {
    Values all(batch);
    all.append(indices);
    return all;
  }

  /// The columns of the last block that are there, as a mask.
  Value getMask() {
    SmallVector<bool> lanes(e.lanes);
    for (int64_t i = 0; i < shape[1] % e.lanes; ++i)
      lanes[i] = true;
    auto type = VectorType::get({e.lanes}, e.b.getI1Type());
    return arith::ConstantOp::create(
        e.b, DenseElementsAttr::get(type, ArrayRef<bool>(lanes)));
  }

  void emitTile(Value row, int64_t height, Value block, int64_t blocks,
                bool isPartial) {
    Values sums(height * blocks, e.splat(0));
    sums = e.reduce(0, packed[1], sums, [&](Value k, ValueRange inner) {
      Values columns, next;
      for (int64_t o = 0; o < blocks; ++o)
        columns.push_back(e.load(rhs, at({e.add(block, o), k, e.index(0)})));
      for (int64_t r = 0; r < height; ++r) {
        Value element = e.broadcast(e.loadScalar(lhs, at({e.add(row, r), k})));
        for (int64_t o = 0; o < blocks; ++o)
          next.push_back(e.fma(element, columns[o], inner[r * blocks + o]));
      }
      return next;
    });
    Value mask = isPartial ? getMask() : Value();
    auto finish = [&](Value sum, Value y, Value x) {
      Values values{sum};
      for (Value extra : extras)
        values.push_back(readExtra(extra, y, x, mask));
      Value value = e.epilogue(op.getEpilogue(), values);
      if (mask)
        e.storeMasked(value, result, at({y, x}), mask);
      else
        e.store(value, result, at({y, x}));
    };
    bool isLong = !mask && Emitter::isLongEpilogue(op.getEpilogue());
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t o = 0; o < blocks; ++o) {
        Value y = e.add(row, r), x = e.mul(e.add(block, o), e.lanes);
        if (isLong)
          e.store(sums[r * blocks + o], result, at({y, x}));
        else
          finish(sums[r * blocks + o], y, x);
      }
    }
    if (!isLong)
      return;
    e.loop(0, height, 1, [&](Value r) {
      e.loop(0, blocks, 1, [&](Value o) {
        Value y = e.add(row, r), x = e.mul(e.add(block, o), e.lanes);
        finish(e.load(result, at({y, x})), y, x);
      });
    });
  }

  Value readExtra(Value extra, Value y, Value x, Value mask) {
    Values place = cast<ShapedType>(extra.getType()).getRank() == 1
                       ? Values{x}
                       : at({y, x});
    if (!mask)
      return e.load(extra, place);
    return e.loadMasked(extra, place, mask);
  }

  Emitter &e;
  MatMulOp op;
  Value lhs, rhs, result;
  ValueRange extras;
  ArrayRef<int64_t> shape, packed;
  Values batch;
};
} // namespace

void cpu::emitPackMatrix(Emitter &e, PackMatrixOp op, ValueRange arguments) {
  Value source = arguments[0], result = arguments[1];
  ArrayRef<int64_t> shape = cast<ShapedType>(result.getType()).getShape();
  ArrayRef<int64_t> from = cast<ShapedType>(source.getType()).getShape();
  int64_t rows = shape[shape.size() - 2];
  int64_t columns =
      from[op.getTransposed() ? from.size() - 2 : from.size() - 1];
  bool isBatch = shape.size() == 4;
  Value zero = arith::ConstantOp::create(e.b, e.b.getF32FloatAttr(0));
  int64_t blocks = Emitter::countTiles(columns, e.lanes);
  e.units({isBatch ? shape[0] : 1, blocks}, [&](ArrayRef<Value> unit) {
    auto at = [&](std::initializer_list<Value> indices) {
      Values all;
      if (isBatch)
        all.push_back(unit[0]);
      all.append(indices);
      return all;
    };
    auto packBlock = [&](Value first, int64_t present) {
      e.loop(0, rows, 1, [&](Value k) {
        for (int64_t lane = 0; lane < e.lanes; ++lane) {
          Value column = e.add(first, lane);
          Value value = zero;
          if (lane < present)
            value = e.loadScalar(source, op.getTransposed() ? at({column, k})
                                                            : at({k, column}));
          e.store(value, result, at({unit[1], k, e.index(lane)}));
        }
      });
    };
    e.tile(unit[1], columns, e.lanes, packBlock);
  });
}

void cpu::emitMatMul(Emitter &e, MatMulOp op, ValueRange arguments) {
  MatMul(e, op, arguments).emit();
}
