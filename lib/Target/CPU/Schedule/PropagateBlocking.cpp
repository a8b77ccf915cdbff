//===- PropagateBlocking.cpp - Elementwise functions on blocked tensors ---===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "ElementwiseBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_PROPAGATEBLOCKING
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {

/// How an elementwise function of images reads an operand.
enum class OperandKind {
  Image,    ///< Each element in its place.
  Channel,  ///< One number per channel.
  Constant, ///< One number, known.
};

struct Operand {
  OperandKind kind;
  Value value;
  TypedAttr constant;
};

class EltwisePattern : public OpRewritePattern<linalg::GenericOp> {
public:
  EltwisePattern(MLIRContext *context, int64_t lanes)
      : OpRewritePattern(context), lanes(lanes) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType type = getImageResult(op);
    if (!type || !hasVectorBody(op) || hasIntegerDivision(op))
      return failure();
    SmallVector<Operand> operands;
    bool isFromKernel = false;
    for (OpOperand *input : op.getDpsInputOperands()) {
      std::optional<Operand> operand =
          classify(op, type, input->get(), op.getMatchingIndexingMap(input));
      if (!operand)
        return failure();
      isFromKernel |= operand->kind == OperandKind::Image &&
                      operand->value.getDefiningOp<UnpackOp>();
      operands.push_back(*operand);
    }
    if (!isFromKernel)
      return failure();

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> extras;
    for (const Operand &operand : operands) {
      if (operand.kind == OperandKind::Image)
        extras.push_back(emitPack(b, operand.value, lanes));
      else if (operand.kind == OperandKind::Channel)
        extras.push_back(emitChannels(b, operand.value));
    }
    bool isMasked = type.getDimSize(1) % lanes != 0 && !isFiniteOnSurplus(op);
    if (isMasked)
      extras.push_back(emitMask(b, type.getDimSize(1)));
    Value init = emitBlockedEmpty(b, type, lanes);
    SmallVector<int64_t> none(4, 0);
    SmallVector<Attribute> halos(extras.size(), b.getDenseI64ArrayAttr(none));
    auto eltwise = EltwiseOp::create(b, init.getType(), extras, init, none,
                                     b.getArrayAttr(halos), IntegerAttr());
    emitEpilogue(
        b, eltwise.getEpilogue(), getElementTypes(extras),
        [&](ImplicitLocOpBuilder &inner, ValueRange arguments) {
          SmallVector<Value> values;
          unsigned next = 0;
          for (const Operand &operand : operands)
            values.push_back(
                operand.kind == OperandKind::Constant
                    ? Value(arith::ConstantOp::create(inner, operand.constant))
                    : arguments[next++]);
          Value value = cloneBody(inner, op, values);
          return isMasked ? emitMasked(inner, arguments.back(), value) : value;
        });
    rewriter.replaceOp(op, emitUnpack(b, eltwise.getResult(), type));
    return success();
  }

private:
  /// Whether blocked tensors hold such elements.
  static bool isElement(Type type) {
    return isa<FloatType>(type)
               ? type.isF32() || type.isF16() || type.isBF16()
               : type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
                     type.isSignlessInteger(32);
  }

  /// The type of the result if the op maps images to one image.
  static RankedTensorType getImageResult(linalg::GenericOp op) {
    if (op.getNumResults() != 1 || op.getNumLoops() != 4 ||
        op.getNumParallelLoops() != 4)
      return {};
    auto type = dyn_cast<RankedTensorType>(op.getResult(0).getType());
    if (!type || !type.hasStaticShape() || !isElement(type.getElementType()))
      return {};
    OpOperand *init = op.getDpsInitOperand(0);
    if (!op.getMatchingIndexingMap(init).isIdentity() ||
        op.payloadUsesValueFromOperand(init))
      return {};
    return type;
  }

  /// Surplus channels may be divided by 0, which ends the process.
  static bool hasIntegerDivision(linalg::GenericOp op) {
    return llvm::any_of(op.getBody()->without_terminator(), [](Operation &op) {
      return isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
                 arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(
          op);
    });
  }

  static std::optional<Operand> classify(linalg::GenericOp op,
                                         RankedTensorType type, Value value,
                                         AffineMap map) {
    auto own = dyn_cast<RankedTensorType>(value.getType());
    if (!own || !isElement(own.getElementType()) || !own.hasStaticShape())
      return std::nullopt;
    DenseElementsAttr elements;
    if (matchPattern(value, m_Constant(&elements)) && elements.isSplat())
      return Operand{OperandKind::Constant,
                     {},
                     cast<TypedAttr>(elements.getSplatValue<Attribute>())};
    if (map.isIdentity() && own.getShape() == type.getShape())
      return Operand{OperandKind::Image, value, {}};
    // Reads of one image per batch entry would need its number, too.
    if (own.getNumElements() != type.getDimSize(1))
      return std::nullopt;
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      bool isChannel = expr == getAffineDimExpr(1, op.getContext());
      bool isOne = own.getDimSize(dim) == 1 &&
                   isa<AffineConstantExpr, AffineDimExpr>(expr);
      if (!isChannel && !isOne)
        return std::nullopt;
    }
    return Operand{OperandKind::Channel, value, {}};
  }

  /// One number per channel as [C/b][b].
  Value emitChannels(ImplicitLocOpBuilder &b, Value value) const {
    int64_t channels = cast<RankedTensorType>(value.getType()).getNumElements();
    int64_t blocks = int64_t(llvm::divideCeil(channels, lanes));
    if (channels % lanes != 0) {
      Value image = nn::emitReshape(b, value, {1, channels, 1, 1});
      value = emitPack(b, image, lanes);
    }
    return nn::emitReshape(b, value, {blocks, lanes});
  }

  /// Surplus channels hold something finite and small, mostly 0: whether the
  /// body makes it neither infinite nor NaN, as a division by 0 would. Then 0
  /// times it, which a convolution adds, is 0.
  static bool isFiniteOnSurplus(linalg::GenericOp op) {
    // 0 times any integer is 0.
    if (isa<IntegerType>(op.getBody()->getTerminator()->getOperandTypes()[0]))
      return true;
    return llvm::all_of(
        op.getRegion().front().without_terminator(), [](Operation &inner) {
          return isa<arith::ConstantOp, arith::AddFOp, arith::SubFOp,
                     arith::MulFOp, arith::NegFOp, arith::MaximumFOp,
                     arith::MaxNumFOp, arith::MinimumFOp, arith::MinNumFOp,
                     arith::CmpFOp, arith::SelectOp, arith::ExtFOp,
                     arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
                     arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
                     arith::AddIOp, arith::SubIOp, math::AbsFOp, math::TanhOp,
                     math::ErfOp>(inner);
        });
  }

  /// 1 for each channel that there is, 0 for surplus ones, as [C/b][b].
  Value emitMask(ImplicitLocOpBuilder &b, int64_t channels) const {
    int64_t blocks = int64_t(llvm::divideCeil(channels, lanes));
    SmallVector<float> mask(blocks * lanes, 0.0f);
    std::fill_n(mask.begin(), channels, 1.0f);
    auto type = RankedTensorType::get({blocks, lanes}, b.getF32Type());
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef<float>(mask)));
  }

  static Value emitMasked(ImplicitLocOpBuilder &b, Value mask, Value value) {
    Value none = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
    Value isThere =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, mask, none);
    Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
    return arith::SelectOp::create(b, isThere, value, zero);
  }

  int64_t lanes;
};

class PropagateBlocking
    : public cpu::impl::PropagateBlockingBase<PropagateBlocking> {
public:
  using PropagateBlockingBase::PropagateBlockingBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<EltwisePattern>(&getContext(), lanes);
    PackOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
