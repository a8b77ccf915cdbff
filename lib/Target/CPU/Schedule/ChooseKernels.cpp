//===- ChooseKernels.cpp - Algorithms and register tiles ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseKernels.h"
#include "../Kernels/Strassen.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_CHOOSEKERNELS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {

/// What a register file of vectors holds: measured on Zen 5 (AVX-512: 32
/// registers) and for x86-64-v3 (16 registers). A tile of sums leaves room for
/// one weight per block and one broadcast.
struct Registers {
  int64_t sums;      ///< Sums in flight of a dense kernel with two blocks.
  int64_t depthwise; ///< Pixels of a depthwise tile, with nine weights held.
};

} // namespace

static Registers getRegisters(int64_t lanes) {
  return lanes >= 16 ? Registers{28, 14} : Registers{12, 4};
}

/// The length of tiles that `size` is cut into: the largest divisor up to
/// `most`; if that is small, `most` itself and a shorter rest.
static int64_t chooseTile(int64_t size, int64_t most) {
  if (size <= most)
    return size;
  int64_t best = 1;
  for (int64_t tile = 2; tile <= most; ++tile)
    if (size % tile == 0)
      best = tile;
  return 2 * best > most ? best : most;
}

static DenseI64ArrayAttr getTile(Operation *op, ArrayRef<int64_t> tile) {
  return DenseI64ArrayAttr::get(op->getContext(), tile);
}

static BlockedShape getResultShape(Value init, ArrayRef<int64_t> halo) {
  return BlockedShape::get(cast<ShapedType>(init.getType()), Halo::get(halo));
}

/// Whether Winograd's algorithm can compute a convolution, and pays.
static bool isForWinograd(const ConvShape &shape) {
  // With few channels the transforms cost more than the products save; with
  // few outputs, reading weights that are four times as large does.
  using Two = std::array<int64_t, 2>;
  return shape.kernel == Two{3, 3} && shape.strides == Two{1, 1} &&
         shape.dilations == Two{1, 1} && shape.inputs >= 48 &&
         shape.outputs >= 48 && shape.inputs * shape.outputs <= 65536 &&
         shape.height >= 12 && shape.width >= 12;
}

/// Whether Strassen's algorithm can compute a convolution, and pays.
static bool isForStrassen(const ConvShape &shape, int64_t lanes) {
  using Two = std::array<int64_t, 2>;
  auto hasHalves = [&](int64_t channels) {
    return int64_t(llvm::divideCeil(channels, lanes)) % 2 == 0;
  };
  if (shape.kernel != Two{1, 1} || shape.strides != Two{1, 1} ||
      shape.pads != Two{0, 0} || !hasHalves(shape.inputs) ||
      !hasHalves(shape.outputs) ||
      (shape.height % 2 != 0 && shape.width % 2 != 0))
    return false;
  // Of a product for each pixel, input and output, one of eight is saved, but
  // surplus channels are computed, too. The sums of the input cost some 2
  // operations for each pixel and input, what is kept of a tile 3 for each
  // pixel and output. Weights that few pixels use are dear to read, and there
  // are 7/4 as many.
  auto computed = int64_t(llvm::alignTo(shape.inputs, lanes));
  return (8 * shape.inputs - 7 * computed) * shape.outputs >=
             64 * (shape.inputs + shape.outputs) &&
         shape.height * shape.width >= 100;
}

Algorithm cpu::chooseAlgorithm(const ConvShape &shape, int64_t lanes,
                               const AllowedAlgorithms &allowed) {
  if (allowed.winograd && isForWinograd(shape))
    return Algorithm::winograd4;
  if (allowed.strassen && isForStrassen(shape, lanes))
    return Algorithm::strassen;
  return Algorithm::direct;
}

/// Squares of a Winograd convolution at a time, and blocks of channels.
static void chooseWinograd(Conv2DOp op, int64_t sums) {
  SmallVector<int64_t, 2> squares = op.getWinogradSquares();
  int64_t count = squares[0] * squares[1];
  int64_t blocks =
      cast<ShapedType>(op.getWeights().getType()).getDimSize(1) >= 2 ? 2 : 1;
  // All at once, so that weights are read once, if one block allows it.
  if (count <= sums && count * blocks > sums)
    blocks = 1;
  op.setTileAttr(getTile(op, {chooseTile(count, sums / blocks), blocks}));
}

static void choose(Conv2DOp op) {
  BlockedShape shape = getResultShape(op.getInit(), op.getHalo());
  int64_t sums = getRegisters(shape.block).sums;
  // Weights and input take two registers each.
  if (op.getProducts() == Products::madd_i16)
    sums -= 4;
  if (op.getAlgorithm() == Algorithm::winograd4)
    return chooseWinograd(op, sums);
  if (op.getAlgorithm() == Algorithm::strassen) {
    // Rows and blocks of a quarter of the result.
    StrassenScratch half = StrassenScratch::get(op);
    int64_t together = shape.blocks >= 4 ? 2 : 1;
    op.setTileAttr(
        getTile(op, {chooseTile(half.width, sums / together), together}));
    return;
  }
  int64_t blocks = shape.blocks >= 2 ? 2 : 1;
  // Small images leave registers to more blocks: weights are read less often.
  if (shape.width * 4 <= sums / 2 && shape.blocks % 4 == 0)
    blocks = 4;
  SmallVector<int64_t> tile{chooseTile(shape.width, sums / blocks), blocks};
  // Of short rows several: weights, which many images of few pixels have, are
  // read once for all of them. A row alone leaves out what a window has in the
  // padding above and below, if padding is 0 (see getWindowRows): more is
  // gained by that while the second cache holds the weights of a tile with
  // ease.
  constexpr int64_t kEasyBytes = 384 << 10;
  int64_t rows = std::min(shape.height, sums / (tile[0] * blocks));
  auto input = cast<ShapedType>(op.getInput().getType());
  auto weights = cast<ShapedType>(op.getWeights().getType());
  int64_t tileBytes = weights.getNumElements() / weights.getDimSize(0) *
                      blocks * weights.getElementTypeBitWidth() / 8;
  bool leavesOut = op.getPads()[0] != 0 && op.getKernelSize()[0] > 1 &&
                   isa<FloatType>(input.getElementType()) &&
                   tileBytes <= kEasyBytes;
  if (tile[0] == shape.width && rows > 1 && !leavesOut)
    tile.push_back(rows);
  op.setTileAttr(getTile(op, tile));
}

static void choose(DepthwiseConv2DOp op) {
  BlockedShape shape = getResultShape(op.getInit(), op.getHalo());
  int64_t pixels = getRegisters(shape.block).depthwise;
  bool isDense = op.getStrides()[0] == 1 && op.getDilations()[0] == 1;
  int64_t rows = isDense && shape.height >= 2 ? 2 : 1;
  op.setTileAttr(getTile(
      op, {chooseTile(shape.width, std::max<int64_t>(1, pixels / 2)), rows}));
}

static void choose(MatMulOp op) {
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  auto rhs = cast<ShapedType>(op.getRhs().getType());
  int64_t rank = lhs.getRank();
  int64_t rows = lhs.getDimSize(rank - 2), blocks = rhs.getDimSize(rank - 2);
  Products products = op.getProducts().value_or(Products::lanes);
  int64_t sums =
      getRegisters(rhs.getDimSize(rank) / getGroupSize(products)).sums;
  if (products == Products::madd_i16)
    sums -= 4;
  // A vector times a matrix waits for memory: many streams at once.
  int64_t together = std::min<int64_t>(blocks, rows == 1 ? 8 : 2);
  op.setTileAttr(getTile(op, {chooseTile(rows, sums / together), together}));
}

namespace {
class ChooseKernels : public cpu::impl::ChooseKernelsBase<ChooseKernels> {
public:
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<Conv2DOp, DepthwiseConv2DOp, MatMulOp>([](auto kernel) {
            if (!kernel.getTile())
              choose(kernel);
          });
    });
  }
};
} // namespace
