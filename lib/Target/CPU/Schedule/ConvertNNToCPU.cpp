//===- ConvertNNToCPU.cpp - Ops that the target has kernels for -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "ChooseKernels.h"
#include "KernelPatterns.h"
#include "PackWeights.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"
#include "modelwright/Dialect/NN/IR/NNPoolOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Support/MappedFile.h"
#include "modelwright/Target/CPU/Passes.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_CONVERTNNTOCPU
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

RankedTensorType cpu::getImageType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getRank() != 4 || !type.hasStaticShape() ||
      type.getNumElements() == 0)
    return {};
  Type element = type.getElementType();
  auto codes = dyn_cast<quant::UniformQuantizedType>(element);
  bool isByte = codes && codes.getStorageTypeIntegralWidth() == 8;
  if (!isByte && !element.isF32() && !element.isF16() && !element.isBF16())
    return {};
  return type;
}

std::optional<SmallVector<float>> cpu::getConstantFloats(Value value) {
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  if (!constant ||
      !isa<FloatType>(cast<ShapedType>(value.getType()).getElementType()))
    return std::nullopt;
  std::optional<SmallVector<float>> numbers =
      nn::readFloats(constant.getValue());
  // What comes of them takes their place.
  SmallVector<char> storage;
  if (auto bytes = nn::getRawBytes(constant.getValue(), storage))
    releasePages(*bytes);
  return numbers;
}

namespace {

class ConvPattern : public OpRewritePattern<nn::Conv2DOp> {
public:
  ConvPattern(MLIRContext *context, int64_t lanes,
              const AllowedAlgorithms &allowed, bool bf16Dot)
      : OpRewritePattern(context), lanes(lanes), allowed(allowed),
        bf16Dot(bf16Dot) {}

  LogicalResult matchAndRewrite(nn::Conv2DOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType input = getImageType(op.getInput());
    RankedTensorType result = getImageType(op.getResult());
    if (!input || !result || op.getLayout() != nn::Layout::NCHW ||
        !isa<FloatType>(input.getElementType()) ||
        result.getElementType() != input.getElementType())
      return failure();
    auto filterType = dyn_cast<RankedTensorType>(op.getFilter().getType());
    if (!filterType || !filterType.hasStaticShape())
      return failure();
    auto dims = nn::decodeFilter(std::nullopt, nn::Layout::NCHW,
                                 op.getGroupFilter(), filterType.getShape());
    if (failed(dims))
      return failure();
    int64_t groups = op.getGroups();
    int64_t channels = input.getDimSize(1), outChannels = result.getDimSize(1);
    bool isDepthwise =
        groups > 1 && groups == channels && groups == outChannels;
    int64_t together =
        isDepthwise ? 1
                    : countGroupsTogether(groups, channels, outChannels, lanes);
    if (together == 0)
      return failure();
    std::optional<SmallVector<float>> filter =
        getConstantFloats(op.getFilter());
    SmallVector<float> bias(outChannels, 0.0f);
    if (!filter)
      return failure();
    if (op.getBias()) {
      std::optional<SmallVector<float>> given = getConstantFloats(op.getBias());
      if (!given || int64_t(given->size()) != outChannels)
        return failure();
      bias = *given;
    }
    FilterShape shape{outChannels, channels / groups, dims->kh, dims->kw};
    if (op.getFlipFilter())
      flipFilter<float>(*filter, shape);
    if (together > 1)
      *filter = joinGroups<float>(*filter, shape, groups, together);

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    bool hasPairs = bf16Dot && groups == 1 && input.getElementType().isBF16();
    int64_t inputBlock =
        groups != 1 ? lanes : getInputBlock(channels, lanes, hasPairs ? 2 : 1);
    Value packed = emitPack(b, op.getInput(), inputBlock);
    Value weights;
    auto algorithm = Algorithm::direct;
    nn::PadPair rows = nn::getPadPair(op.getPads(), 0);
    nn::PadPair columns = nn::getPadPair(op.getPads(), 1);
    if (groups == 1 && inputBlock == lanes && input.getElementType().isF32())
      algorithm = chooseAlgorithm({channels,
                                   outChannels,
                                   result.getDimSize(2),
                                   result.getDimSize(3),
                                   {shape.height, shape.width},
                                   {op.getStrides()[0], op.getStrides()[1]},
                                   {op.getDilations()[0], op.getDilations()[1]},
                                   {rows.before, columns.before}},
                                  lanes, allowed);
    if (algorithm == Algorithm::strassen)
      weights = emitConstant(b, packStrassen(*filter, shape, lanes),
                             getStrassenShape(shape, lanes));
    else if (algorithm == Algorithm::winograd4)
      weights = emitConstant(b, packWinograd(*filter, shape, lanes),
                             getWinogradShape(shape, lanes));
    else if (isDepthwise)
      weights = emitConstant(b, packDepthwise<float>(*filter, shape, lanes),
                             getDepthwiseShape(shape, lanes));
    else if (hasPairs)
      weights = emitConstant(
          b, packGrouped<float>(*filter, shape, inputBlock, lanes, 2),
          getGroupedShape(shape, inputBlock, lanes, 2), /*isBF16=*/true);
    else
      weights =
          emitConstant(b, packDense<float>(*filter, shape, inputBlock, lanes),
                       getDenseShape(shape, inputBlock, lanes));
    SmallVector<Value> extras{
        emitConstant(b, packChannels<float>(bias, lanes),
                     {int64_t(llvm::divideCeil(outChannels, lanes)), lanes})};
    if (op.getResidual())
      extras.push_back(emitPack(b, op.getResidual(), lanes));
    Value init = emitBlockedEmpty(b, result, lanes);
    Value conv = emitConv(b, op, isDepthwise, algorithm, packed, weights,
                          extras, init, {rows.before, columns.before});
    rewriter.replaceOp(op, emitUnpack(b, conv, result));
    return success();
  }

private:
  static Value emitConv(ImplicitLocOpBuilder &b, nn::Conv2DOp op,
                        bool isDepthwise, Algorithm algorithm, Value input,
                        Value weights, ValueRange extras, Value init,
                        ArrayRef<int64_t> pads) {
    SmallVector<int64_t> none(4, 0);
    SmallVector<Attribute> halos(extras.size(), b.getDenseI64ArrayAttr(none));
    // f32 weights go with one product per lane.
    bool isBF16Dot =
        cast<ShapedType>(weights.getType()).getElementType().isBF16();
    Operation *conv;
    if (isDepthwise)
      conv = DepthwiseConv2DOp::create(
          b, init.getType(), input, weights, extras, init, op.getStrides(),
          op.getDilations(), pads, none, none, b.getArrayAttr(halos),
          DenseI64ArrayAttr(), /*unsigned_input=*/false, IntegerAttr(),
          IntegerAttr());
    else
      conv = Conv2DOp::create(
          b, init.getType(), input, weights, extras,
          /*scratch=*/Value(), init, op.getStrides(), op.getDilations(), pads,
          none, none, b.getArrayAttr(halos), algorithm, DenseI64ArrayAttr(),
          isBF16Dot ? ProductsAttr::get(b.getContext(), Products::dot_bf16)
                    : ProductsAttr(),
          /*unsigned_input=*/false, IntegerAttr(), IntegerAttr(),
          getLastChannels(input, op.getInput()));
    SmallVector<Type> types{b.getF32Type()};
    llvm::append_range(types, getElementTypes(extras));
    Type element = cast<ShapedType>(init.getType()).getElementType();
    emitEpilogue(b, conv->getRegion(0), types,
                 [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                   Value sum = values[0];
                   for (Value extra : values.drop_front())
                     sum = nn::emitAdd(
                         inner, sum,
                         nn::emitToF32(inner, extra, extra.getType()));
                   sum = emitFastActivation(inner, sum, op.getActivation());
                   return nn::emitFromF32(inner, sum, element);
                 });
    return conv->getResult(0);
  }

  int64_t lanes;
  AllowedAlgorithms allowed;
  bool bf16Dot;
};

template <typename OpT> class PoolPattern : public OpRewritePattern<OpT> {
public:
  PoolPattern(MLIRContext *context, int64_t lanes)
      : OpRewritePattern<OpT>(context), lanes(lanes) {}

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType input = getImageType(op.getInput());
    RankedTensorType result = getImageType(op.getResult());
    if (!input || !result || op.getLayout() != nn::Layout::NCHW)
      return failure();
    // Few channels would fill a fraction of a vector.
    if (input.getDimSize(1) * 2 < lanes ||
        input.getElementType() != result.getElementType() || !isExact(op))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<int64_t> none(4, 0);
    Value packed = emitPack(b, emitStored(b, op.getInput()), lanes);
    auto stored = cast<RankedTensorType>(nn::getLoweredType(result));
    Value init = emitBlockedEmpty(b, stored, lanes);
    int64_t top = nn::getPadPair(op.getPads(), 0).before;
    int64_t left = nn::getPadPair(op.getPads(), 1).before;
    auto pool = Pool2DOp::create(
        b, init.getType(), packed, init, getKind(op), op.getKernel(),
        op.getStrides(), ArrayRef<int64_t>{top, left}, none, none,
        nn::isUnsignedElement(input.getElementType()), IntegerAttr());
    Value image = emitUnpack(b, pool.getResult(), stored);
    rewriter.replaceOp(op, emitRestored(b, image, result));
    return success();
  }

private:
  /// Whether the kernel computes what the op says: means of codes are integers.
  static bool isExact(nn::MaxPool2DOp) { return true; }
  static bool isExact(nn::AvgPool2DOp op) {
    auto codes = dyn_cast<quant::UniformQuantizedType>(
        getImageType(op.getInput()).getElementType());
    if (!codes)
      return true;
    // Padding that counts would add the code of 0.
    bool hasPads =
        llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; });
    if (op.getCountIncludePad() && hasPads && codes.getZeroPoint() != 0)
      return false;
    // Twice the sum, and as much as a window, in 32 bits.
    return op.getKernel()[0] * op.getKernel()[1] <= 1 << 21;
  }

  static PoolKind getKind(nn::MaxPool2DOp) { return PoolKind::max; }
  static PoolKind getKind(nn::AvgPool2DOp op) {
    return op.getCountIncludePad() ? PoolKind::average
                                   : PoolKind::average_inside;
  }

  int64_t lanes;
};

class ConvertNNToCPU : public cpu::impl::ConvertNNToCPUBase<ConvertNNToCPU> {
public:
  using ConvertNNToCPUBase::ConvertNNToCPUBase;

  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry)
      return;
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvPattern>(
        &getContext(), lanes,
        AllowedAlgorithms{.winograd = winograd, .strassen = strassen}, bf16Dot);
    patterns.add<PoolPattern<nn::MaxPool2DOp>, PoolPattern<nn::AvgPool2DOp>>(
        &getContext(), lanes);
    populateChannelPatterns(patterns, lanes);
    populateIntegerPatterns(patterns, lanes, products);
    populateMatMulPatterns(patterns, lanes);
    GreedyRewriteConfig config;
    config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(entry, std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
