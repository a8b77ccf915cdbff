//===- MatMulKernel.cpp - Matrix products ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
        shape(cast<ShapedType>(result.getType()).getShape()),
        packed(cast<ShapedType>(rhs.getType()).getShape()) {}

  void emit() {
    int64_t rows = (*op.getTile())[0], together = (*op.getTile())[1];
    int64_t whole = shape[1] / e.lanes;
    auto strip = [&](Value block, int64_t blocks, bool isPartial) {
      e.tiles(shape[0], rows, [&](Value row, int64_t height) {
        emitTile(row, height, block, blocks, isPartial);
      });
    };
    e.tiles(whole, together,
            [&](Value block, int64_t blocks) { strip(block, blocks, false); });
    if (whole != packed[0])
      strip(e.index(whole), 1, true);
  }

private:
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
        columns.push_back(e.load(rhs, {e.add(block, o), k, e.index(0)}));
      for (int64_t r = 0; r < height; ++r) {
        Value element = e.broadcast(e.loadScalar(lhs, {e.add(row, r), k}));
        for (int64_t o = 0; o < blocks; ++o)
          next.push_back(e.fma(element, columns[o], inner[r * blocks + o]));
      }
      return next;
    });
    Value mask = isPartial ? getMask() : Value();
    for (int64_t r = 0; r < height; ++r) {
      for (int64_t o = 0; o < blocks; ++o) {
        Value y = e.add(row, r);
        Value x = e.mul(e.add(block, o), e.lanes);
        Values values{sums[r * blocks + o]};
        for (Value extra : extras)
          values.push_back(readExtra(extra, y, x, mask));
        Value value = e.epilogue(op.getEpilogue(), values);
        if (mask)
          vector::MaskedStoreOp::create(e.b, result, ValueRange{y, x}, mask,
                                        value);
        else
          e.store(value, result, {y, x});
      }
    }
  }

  Value readExtra(Value extra, Value y, Value x, Value mask) {
    if (cast<ShapedType>(extra.getType()).getRank() == 1)
      return e.load(extra, x);
    if (!mask)
      return e.load(extra, {y, x});
    return vector::MaskedLoadOp::create(e.b, e.vector, extra, ValueRange{y, x},
                                        mask, e.splat(0));
  }

  Emitter &e;
  MatMulOp op;
  Value lhs, rhs, result;
  ValueRange extras;
  ArrayRef<int64_t> shape, packed;
};
} // namespace

void cpu::emitMatMul(Emitter &e, MatMulOp op, ValueRange arguments) {
  MatMul(e, op, arguments).emit();
}
