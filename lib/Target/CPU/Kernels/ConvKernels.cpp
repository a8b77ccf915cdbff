//===- ConvKernels.cpp - Convolutions -------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvKernel.h"
#include "GroupProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

using Values = Emitter::Values;

namespace {

/// A convolution whose sums stay in registers: some pixels of one row, or all
/// of some rows that are short, times some blocks of output channels, one
/// broadcast of an input element for all of these blocks. The loop over the
/// elements of an input block is not unrolled: LLVM would then load all of its
/// broadcasts ahead and spill.
class DirectConv : private ConvKernel<Conv2DOp> {
public:
  DirectConv(Emitter &e, Conv2DOp op, ValueRange arguments)
      : ConvKernel(e, op, arguments),
        products(e, op.getProducts().value_or(Products::lanes),
                 op.getUnsignedInput()) {}

  void emit() {
    ArrayRef<int64_t> tile = *op.getTile();
    int64_t pixels = tile[0], outputs = tile[1];
    int64_t rows = tile.size() == 3 ? tile[2] : 1;
    int64_t sections =
        cast<ShapedType>(input.getType()).getDimSize(1) / filter[1];
    int64_t sectionBlocks = shape.blocks / sections;
    int64_t groups = Emitter::countTiles(sectionBlocks, outputs);
    auto emitUnit = [&](ArrayRef<Value> unit) {
      Value group = unit[1], section = e.index(0);
      if (sections > 1) {
        section = arith::DivUIOp::create(e.b, group, e.index(groups));
        group = arith::RemUIOp::create(e.b, group, e.index(groups));
      }
      e.tile(group, sectionBlocks, outputs, [&](Value first, int64_t blocks) {
        Value block = e.add(first, e.mul(section, sectionBlocks));
        e.tile(unit[2], shape.height, rows, [&](Value y, int64_t height) {
          e.tiles(shape.width, pixels, [&](Value x, int64_t width) {
            emitTile(unit[0], section, block, blocks, y, height, x, width);
          });
        });
      });
    };
    auto type = cast<ShapedType>(weights.getType());
    e.imageUnits(shape.batch, sections * groups,
                 Emitter::countTiles(shape.height, rows), emitUnit,
                 type.getNumElements() * type.getElementTypeBitWidth() / 8);
    e.fillHalo(result, halo, op.getFill().value_or(0));
  }

private:
  void emitTile(Value n, Value section, Value block, int64_t blocks, Value y,
                int64_t height, Value x, int64_t width) {
    // The section's first block in the input.
    firstInput = e.mul(section, filter[1]);
    Values outputs;
    for (int64_t o = 0; o < blocks; ++o)
      outputs.push_back(e.add(block, o));
    // The first row and column of the window, in the buffer.
    Value row = getWindowRow(y);
    Value column = getWindowColumn(x);
    Values sums = getZeroSums(height * width * blocks);
    auto [firstRow, lastRow] = getWindowRows(y, height);
    // What a block of inputs adds, of as many (groups of) channels.
    auto addBlock = [&](Value ib, int64_t channels, ValueRange outer) {
      for (int64_t r = 0; r < height; ++r)
        prefetchNext(n, ib, e.add(row, r * op.getStrides()[0]), column, width);
      auto addRow = [&](Value ky, ValueRange rows) {
        Value iy = e.add(row, e.mul(ky, op.getDilations()[0]));
        return e.reduce(0, filter[3], rows, [&](Value kx, ValueRange columns) {
          Value ix = e.add(column, e.mul(kx, op.getDilations()[1]));
          auto body = [&](Value ic, ValueRange inner) {
            return emitProducts(n, ib, ky, kx, iy, ix, ic, outputs, width,
                                inner);
          };
          return e.reduce(0, channels, columns, body);
        });
      };
      return firstRow ? e.reduce(firstRow, lastRow, outer, addRow)
                      : e.reduce(0, filter[2], outer, addRow);
    };
    int64_t whole = op.getLastChannels() ? filter[1] - 1 : filter[1];
    if (whole > 0)
      sums = e.reduce(0, whole, sums, [&](Value ib, ValueRange outer) {
        return addBlock(ib, filter[4], outer);
      });
    if (std::optional<int64_t> last = op.getLastChannels())
      sums =
          addBlock(e.index(whole),
                   Emitter::countTiles(*last, products.getGroupSize()), sums);
    for (int64_t r = 0; r < height; ++r)
      finishTile(ValueRange(sums).slice(r * width * blocks, width * blocks),
                 blocks, [&](Value t, Value o) {
                   return std::array<Value, 4>{n, e.add(block, o), e.add(y, r),
                                               e.add(x, t)};
                 });
  }

  /// The rows of a window that do not lie in the padding as a whole, whose
  /// products are 0: of 14 rows that are padded by one, 5 % of all. Null if
  /// that is all of them, or padding counts (codes), or rows are computed
  /// together.
  std::pair<Value, Value> getWindowRows(Value y, int64_t height) {
    int64_t pad = op.getPads()[0], stride = op.getStrides()[0];
    if (height != 1 || op.getDilations()[0] != 1 || filter[2] == 1 ||
        !isa<FloatType>(cast<MemRefType>(input.getType()).getElementType()))
      return {};
    int64_t rows =
        BlockedShape::get(cast<ShapedType>(input.getType()), inputHalo).height;
    if (pad == 0 && (shape.height - 1) * stride + filter[2] <= rows)
      return {};
    Value first = e.mul(y, stride);
    auto sub = [&](int64_t from) -> Value {
      return arith::SubIOp::create(e.b, e.index(from), first);
    };
    return {arith::MaxSIOp::create(e.b, sub(pad), e.index(0)),
            arith::MinSIOp::create(e.b, sub(pad + rows), e.index(filter[2]))};
  }

  /// Row and column, in the input, of what pixel `t` of a tile reads.
  std::pair<Value, Value> getPixel(Value iy, Value ix, int64_t t,
                                   int64_t width) {
    return {e.add(iy, t / width * op.getStrides()[0]),
            e.add(ix, t % width * op.getStrides()[1])};
  }

  /// Fetches what a 1x1 window reads of the next block of input channels, which
  /// lies far from this one: each is read by few products.
  void prefetchNext(Value n, Value block, Value row, Value column,
                    int64_t width) {
    if (filter[1] == 1 || filter[2] != 1 || filter[3] != 1)
      return;
    constexpr int64_t kLineBits = 512;
    auto type = cast<MemRefType>(input.getType());
    int64_t pixelBits = shape.block * type.getElementTypeBitWidth();
    int64_t stride = op.getStrides()[1];
    int64_t step = std::max<int64_t>(1, kLineBits / (pixelBits * stride));
    for (int64_t t = 0; t < width; t += step)
      e.prefetch(input, {n, e.add(e.add(firstInput, block), 1), row,
                         e.add(column, t * stride), e.index(0)});
  }

  Values emitProducts(Value n, Value ib, Value ky, Value kx, Value iy, Value ix,
                      Value ic, ArrayRef<Value> outputs, int64_t width,
                      ValueRange sums) {
    if (op.getProducts().value_or(Products::lanes) != Products::lanes)
      return emitGroups(n, ib, ky, kx, iy, ix, ic, outputs, width, sums);
    Values columns, next;
    for (Value output : outputs)
      columns.push_back(
          e.widen(e.load(weights, {output, ib, ky, kx, ic, e.index(0)}),
                  /*isUnsigned=*/false));
    // Each broadcast is used at once: its life is short.
    int64_t pixels = int64_t(sums.size() / outputs.size());
    for (int64_t t = 0; t < pixels; ++t) {
      auto [y, x] = getPixel(iy, ix, t, width);
      Value element = e.loadScalar(input, {n, e.add(firstInput, ib), y, x, ic});
      Value pixel = e.broadcast(e.widen(element, op.getUnsignedInput()));
      for (size_t o = 0; o < outputs.size(); ++o)
        next.push_back(
            e.multiplyAdd(pixel, columns[o], sums[t * outputs.size() + o]));
    }
    return next;
  }

  /// The same for group number `group` of the channels.
  Values emitGroups(Value n, Value ib, Value ky, Value kx, Value iy, Value ix,
                    Value group, ArrayRef<Value> outputs, int64_t width,
                    ValueRange sums) {
    SmallVector<GroupProducts::Operand> columns;
    Values next;
    for (Value output : outputs)
      columns.push_back(products.loadWeights(
          weights, {output, ib, ky, kx, group, e.index(0)}));
    Value channel = e.mul(group, products.getGroupSize());
    int64_t pixels = int64_t(sums.size() / outputs.size());
    for (int64_t t = 0; t < pixels; ++t) {
      auto [y, x] = getPixel(iy, ix, t, width);
      GroupProducts::Operand pixel =
          products.loadInput(input, {n, e.add(firstInput, ib), y, x, channel});
      for (size_t o = 0; o < outputs.size(); ++o)
        next.push_back(
            products.add(sums[t * outputs.size() + o], pixel, columns[o]));
    }
    return next;
  }

  GroupProducts products;
  Value firstInput;
};

/// A depthwise convolution of `rows` rows times `pixels` columns: each input
/// vector is loaded once and used for all outputs that it reaches.
class DepthwiseConv : private ConvKernel<DepthwiseConv2DOp> {
public:
  DepthwiseConv(Emitter &e, DepthwiseConv2DOp op, ValueRange arguments)
      : ConvKernel(e, op, arguments) {}

  void emit() {
    int64_t pixels = (*op.getTile())[0], rows = (*op.getTile())[1];
    int64_t bands = Emitter::countTiles(shape.height, rows);
    e.imageUnits(shape.batch, shape.blocks, bands, [&](ArrayRef<Value> unit) {
      // Few enough weights stay in registers over the rows.
      Values window;
      bool isHeld = filter[1] * filter[2] <= 9;
      for (int64_t k = 0; isHeld && k < filter[1] * filter[2]; ++k)
        window.push_back(loadWeight(unit[1], k / filter[2], k % filter[2]));
      e.tile(unit[2], shape.height, rows, [&](Value y, int64_t height) {
        e.tiles(shape.width, pixels, [&](Value x, int64_t width) {
          emitTile(unit[0], unit[1], y, height, x, width, window);
        });
      });
    });
    e.fillHalo(result, halo, op.getFill().value_or(0));
  }

private:
  Value loadWeight(Value c, int64_t ky, int64_t kx) {
    return e.load(weights, {c, e.index(ky), e.index(kx), e.index(0)});
  }

  /// The window offset at which output `out` reads input `in`, if it does.
  std::optional<int64_t> getOffset(unsigned dim, int64_t in, int64_t out) {
    int64_t distance = in - out * op.getStrides()[dim];
    int64_t dilation = op.getDilations()[dim];
    if (distance < 0 || distance % dilation != 0 ||
        distance / dilation >= filter[1 + dim])
      return std::nullopt;
    return distance / dilation;
  }

  void emitTile(Value n, Value c, Value y, int64_t height, Value x,
                int64_t width, ArrayRef<Value> window) {
    Value row = getWindowRow(y);
    Value column = getWindowColumn(x);
    auto getReach = [&](unsigned dim, int64_t outputs) {
      return (outputs - 1) * op.getStrides()[dim] +
             (filter[1 + dim] - 1) * op.getDilations()[dim] + 1;
    };
    Values sums = getZeroSums(height * width);
    for (int64_t iy = 0; iy < getReach(0, height); ++iy) {
      for (int64_t ix = 0; ix < getReach(1, width); ++ix) {
        Value pixel;
        for (int64_t oy = 0; oy < height; ++oy) {
          for (int64_t ox = 0; ox < width; ++ox) {
            std::optional<int64_t> ky = getOffset(0, iy, oy);
            std::optional<int64_t> kx = getOffset(1, ix, ox);
            if (!ky || !kx)
              continue;
            if (!pixel)
              pixel = e.widen(e.load(input, {n, c, e.add(row, iy),
                                             e.add(column, ix), e.index(0)}),
                              op.getUnsignedInput());
            Value weight = window.empty() ? loadWeight(c, *ky, *kx)
                                          : window[*ky * filter[2] + *kx];
            Value &sum = sums[oy * width + ox];
            sum = e.multiplyAdd(pixel, weight, sum);
          }
        }
      }
    }
    finishTile(sums, width, [&](Value oy, Value ox) {
      return std::array<Value, 4>{n, c, e.add(y, oy), e.add(x, ox)};
    });
  }
};

} // namespace

void cpu::emitConv2D(Emitter &e, Conv2DOp op, ValueRange arguments,
                     unsigned part) {
  if (op.getAlgorithm() == Algorithm::winograd4)
    return emitWinograd(e, op, arguments, part);
  if (op.getAlgorithm() == Algorithm::strassen)
    return emitStrassen(e, op, arguments, part);
  DirectConv(e, op, arguments).emit();
}

void cpu::emitDepthwiseConv2D(Emitter &e, DepthwiseConv2DOp op,
                              ValueRange arguments) {
  DepthwiseConv(e, op, arguments).emit();
}
