//===- ImageKernels.cpp - Pooling, elementwise functions and copies -------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

/// Calls `body` for each batch entry, block, row and column; rows are units.
static void
forEachPixel(Emitter &e, const BlockedShape &shape,
             function_ref<void(Value n, Value c, Value y, Value x)> body) {
  e.imageUnits(shape.batch, shape.blocks, shape.height,
               [&](ArrayRef<Value> unit) {
                 e.loop(0, shape.width, 1,
                        [&](Value x) { body(unit[0], unit[1], unit[2], x); });
               });
}

static BlockedShape getShape(Value buffer, const Halo &halo) {
  return BlockedShape::get(cast<ShapedType>(buffer.getType()), halo);
}

void cpu::emitEltwise(Emitter &e, EltwiseOp op, ValueRange arguments) {
  Halo halo = Halo::get(op.getHalo());
  Value result = arguments.back();
  ExtraReader extras(e, arguments.drop_back(), op.getExtraHalos());
  forEachPixel(
      e, getShape(result, halo), [&](Value n, Value c, Value y, Value x) {
        Values values = extras.read(n, c, y, x);
        e.store(e.epilogue(op.getEpilogue(), values), result,
                {n, c, e.add(y, halo.top), e.add(x, halo.left), e.index(0)});
      });
  e.fillHalo(result, halo, op.getFill().value_or(0));
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

namespace {
class Pool {
public:
  Pool(Emitter &e, Pool2DOp op, ValueRange arguments)
      : e(e), op(op), input(arguments.front()), result(arguments.back()),
        inputHalo(Halo::get(op.getInputHalo())), halo(Halo::get(op.getHalo())),
        inputShape(getShape(input, inputHalo)), shape(getShape(result, halo)) {}

  void emit() {
    // Rows and columns whose windows lie inside of the image need no bounds.
    Range rows = getInside(0, inputShape.height, shape.height);
    Range columns = getInside(1, inputShape.width, shape.width);
    auto emitRow = [&](ArrayRef<Value> unit, bool isInside) {
      auto part = [&](int64_t x0, int64_t x1, bool isPartInside) {
        e.loop(x0, x1, 1, [&](Value x) {
          emitPixel(unit[0], unit[1], unit[2], x, isInside && isPartInside);
        });
      };
      part(0, columns.first, false);
      part(columns.first, columns.last, true);
      part(columns.last, shape.width, false);
    };
    e.imageUnits(
        shape.batch, shape.blocks, shape.height, [&](ArrayRef<Value> unit) {
          if (rows.first == rows.last)
            return emitRow(unit, false);
          e.branch(
              e.isWithin(unit[2], rows.first, rows.last, shape.height),
              [&] { emitRow(unit, true); }, [&] { emitRow(unit, false); });
        });
    e.fillHalo(result, halo, op.getFill().value_or(0));
  }

private:
  struct Range {
    int64_t first, last;
  };

  /// The outputs whose windows lie inside of `size`.
  Range getInside(unsigned dim, int64_t size, int64_t outputs) {
    int64_t stride = op.getStrides()[dim], pad = op.getPads()[dim];
    int64_t first = std::min(
        outputs, int64_t(llvm::divideCeil(std::max<int64_t>(pad, 0), stride)));
    int64_t room = size + pad - op.getKernel()[dim];
    int64_t last = room < 0 ? first : std::min(outputs, room / stride + 1);
    return {first, std::max(first, last)};
  }

  /// The part [low, high) of a window along `dim` that lies in the image.
  std::pair<Value, Value> getBounds(unsigned dim, Value begin, int64_t size) {
    Value low = arith::MaxSIOp::create(
        e.b, e.index(0), arith::SubIOp::create(e.b, e.index(0), begin));
    Value high = arith::MinSIOp::create(
        e.b, e.index(op.getKernel()[dim]),
        arith::SubIOp::create(e.b, e.index(size), begin));
    return {low, arith::MaxSIOp::create(e.b, low, high)};
  }

  Type getElement() {
    return cast<MemRefType>(input.getType()).getElementType();
  }
  bool isFloat() { return isa<FloatType>(getElement()); }

  /// What a window of nothing gives: sums are of f32 or i32, maxima of
  /// elements.
  Value getInit() {
    if (op.getKind() != PoolKind::max)
      return isFloat() ? e.splat(0) : e.splat(e.b.getI32Type(), 0);
    if (auto type = dyn_cast<FloatType>(getElement()))
      return arith::ConstantOp::create(
          e.b, DenseElementsAttr::get(
                   e.getVector(type),
                   APFloat::getInf(type.getFloatSemantics(), true)));
    unsigned bits = getElement().getIntOrFloatBitWidth();
    APInt least = op.getUnsignedInput() ? APInt::getMinValue(bits)
                                        : APInt::getSignedMinValue(bits);
    return arith::ConstantOp::create(
        e.b, DenseElementsAttr::get(e.getVector(getElement()), least));
  }

  Value combine(Value sum, Value value) {
    if (op.getKind() != PoolKind::max) {
      value = e.widen(value, op.getUnsignedInput());
      if (!isFloat())
        return e.add(sum, value);
      return arith::AddFOp::create(e.b, sum, value);
    }
    if (!isFloat() && op.getUnsignedInput())
      return arith::MaxUIOp::create(e.b, sum, value);
    if (!isFloat())
      return arith::MaxSIOp::create(e.b, sum, value);
    Value isGreater =
        arith::CmpFOp::create(e.b, arith::CmpFPredicate::OGT, sum, value);
    return arith::SelectOp::create(e.b, isGreater, sum, value);
  }

  void emitPixel(Value n, Value c, Value y, Value x, bool isInside) {
    // The first row and column of the window, in the image.
    Value row = e.add(e.mul(y, op.getStrides()[0]), -op.getPads()[0]);
    Value column = e.add(e.mul(x, op.getStrides()[1]), -op.getPads()[1]);
    auto load = [&](Value ky, Value kx) {
      return e.load(input,
                    {n, c, e.add(e.add(row, ky), inputHalo.top),
                     e.add(e.add(column, kx), inputHalo.left), e.index(0)});
    };
    Value sum = getInit();
    int64_t height = op.getKernel()[0], width = op.getKernel()[1];
    Value count;
    if (isInside && height * width <= 9) {
      for (int64_t k = 0; k < height * width; ++k)
        sum = combine(sum, load(e.index(k / width), e.index(k % width)));
    } else {
      std::pair<Value, Value> rows{e.index(0), e.index(height)};
      std::pair<Value, Value> columns{e.index(0), e.index(width)};
      if (!isInside) {
        rows = getBounds(0, row, inputShape.height);
        columns = getBounds(1, column, inputShape.width);
        Value counted = arith::MulIOp::create(
            e.b, arith::SubIOp::create(e.b, rows.second, rows.first),
            arith::SubIOp::create(e.b, columns.second, columns.first));
        count = arith::MaxSIOp::create(e.b, counted, e.index(1));
      }
      sum = e.reduce(rows.first, rows.second, sum,
                     [&](Value ky, ValueRange outer) {
                       return e.reduce(columns.first, columns.second, outer,
                                       [&](Value kx, ValueRange inner) {
                                         return Values{
                                             combine(inner[0], load(ky, kx))};
                                       });
                     })
                .front();
    }
    e.store(finish(sum, count), result,
            {n, c, e.add(y, halo.top), e.add(x, halo.left), e.index(0)});
  }

  Value finish(Value sum, Value count) {
    if (op.getKind() == PoolKind::max)
      return sum;
    int64_t whole = op.getKernel()[0] * op.getKernel()[1];
    Type i32 = e.b.getI32Type();
    Value divisor;
    if (count && op.getKind() == PoolKind::average_inside) {
      divisor = arith::IndexCastOp::create(e.b, i32, count);
      if (isFloat())
        divisor = arith::SIToFPOp::create(e.b, e.b.getF32Type(), divisor);
      divisor = e.broadcast(divisor);
    } else {
      divisor = isFloat() ? e.splat(double(whole)) : e.splat(i32, whole);
    }
    Value mean = isFloat() ? Value(arith::DivFOp::create(e.b, sum, divisor))
                           : emitIntMean(sum, divisor);
    if (mean.getType() == e.getVector(getElement()))
      return mean;
    if (isFloat())
      return arith::TruncFOp::create(e.b, e.getVector(getElement()), mean);
    return arith::TruncIOp::create(e.b, e.getVector(getElement()), mean);
  }

  /// Rounded half away from zero: (2*|sum| + count) / (2*count) with the sign
  /// of the sum.
  Value emitIntMean(Value sum, Value count) {
    Value zero = e.splat(e.b.getI32Type(), 0);
    Value size = math::AbsIOp::create(e.b, sum);
    Value twice = e.add(e.add(size, size), count);
    Value mean = arith::DivUIOp::create(e.b, twice, e.add(count, count));
    Value isNegative =
        arith::CmpIOp::create(e.b, arith::CmpIPredicate::slt, sum, zero);
    return arith::SelectOp::create(
        e.b, isNegative, arith::SubIOp::create(e.b, zero, mean), mean);
  }

  Emitter &e;
  Pool2DOp op;
  Value input, result;
  Halo inputHalo, halo;
  BlockedShape inputShape, shape;
};
} // namespace

void cpu::emitPool2D(Emitter &e, Pool2DOp op, ValueRange arguments) {
  Pool(e, op, arguments).emit();
}
