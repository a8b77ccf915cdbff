//===- MatMulKernel.cpp - Matrix products ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "GroupProducts.h"
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
        packed(cast<ShapedType>(rhs.getType()).getShape().take_back(3)),
        products(e, op.getProducts().value_or(Products::lanes),
                 op.getUnsignedInput()) {}

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
    Values sums(height * blocks, e.splat(getSumType(), 0));
    // The last group may have less than its elements in the left matrix.
    int64_t depth = cast<ShapedType>(lhs.getType()).getShape().back();
    int64_t whole = depth / products.getGroupSize();
    auto emitProducts = [&](Value group, ValueRange inner, int64_t count) {
      return isGrouped() ? multiplyGroups(row, height, block, blocks, group,
                                          inner, count)
                         : multiply(row, height, block, blocks, group, inner);
    };
    if (whole != 0)
      sums = e.reduce(0, whole, sums, [&](Value group, ValueRange inner) {
        return emitProducts(group, inner, products.getGroupSize());
      });
    if (whole != packed[1])
      sums =
          emitProducts(e.index(whole), sums, depth % products.getGroupSize());
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
    auto finishAt = [&](Value sum, Value r, Value o) {
      finish(sum, e.add(row, r), e.mul(e.add(block, o), e.lanes));
    };
    if (mask || !Emitter::isLongEpilogue(op.getEpilogue())) {
      for (int64_t r = 0; r < height; ++r)
        for (int64_t o = 0; o < blocks; ++o)
          finishAt(sums[r * blocks + o], e.index(r), e.index(o));
      return;
    }
    Value kept = e.allocate(height * blocks, getSumType());
    for (int64_t i = 0; i < height * blocks; ++i)
      e.store(sums[i], kept, {e.index(i), e.index(0)});
    e.loop(0, height, 1, [&](Value r) {
      e.loop(0, blocks, 1, [&](Value o) {
        Value place = e.add(e.mul(r, blocks), o);
        finishAt(e.load(kept, {place, e.index(0)}), r, o);
      });
    });
  }

  bool isGrouped() { return products.getGroupSize() != 1; }
  Type getSumType() { return op.getEpilogue().getArgument(0).getType(); }

  /// The products of element `k` of each row.
  Values multiply(Value row, int64_t height, Value block, int64_t blocks,
                  Value k, ValueRange sums) {
    Values columns, next;
    for (int64_t o = 0; o < blocks; ++o)
      columns.push_back(
          e.widen(e.load(rhs, at({e.add(block, o), k, e.index(0)})),
                  /*isUnsigned=*/false));
    for (int64_t r = 0; r < height; ++r) {
      Value element = e.loadScalar(lhs, at({e.add(row, r), k}));
      element = e.broadcast(e.widen(element, op.getUnsignedInput()));
      for (int64_t o = 0; o < blocks; ++o)
        next.push_back(
            e.multiplyAdd(element, columns[o], sums[r * blocks + o]));
    }
    return next;
  }

  /// The products of the first `count` elements of a group of each row.
  Values multiplyGroups(Value row, int64_t height, Value block, int64_t blocks,
                        Value group, ValueRange sums, int64_t count) {
    SmallVector<GroupProducts::Operand> columns;
    Values next;
    for (int64_t o = 0; o < blocks; ++o)
      columns.push_back(
          products.loadWeights(rhs, at({e.add(block, o), group, e.index(0)})));
    Value k = e.mul(group, products.getGroupSize());
    for (int64_t r = 0; r < height; ++r) {
      Values place = at({e.add(row, r), k});
      GroupProducts::Operand elements =
          count == products.getGroupSize()
              ? products.loadInput(lhs, place)
              : products.loadPart(lhs, place, count);
      for (int64_t o = 0; o < blocks; ++o)
        next.push_back(
            products.add(sums[r * blocks + o], elements, columns[o]));
    }
    return next;
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
  GroupProducts products;
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
