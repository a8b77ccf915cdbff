//===- ConvertIntegers.cpp - Convolutions and products of bytes -----------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With x and w the codes, zx and zw their zero points, a convolution of
// quantized tensors adds up (x - zx) * (w - zw). The weights are packed without
// zw. Of the rest, the sum of x * (w - zw) is the kernel's, and zx times the
// sum of an output channel's weights is known here: padding holds zx, so that
// every output has all of them. All is done modulo 2^32, as in the plain path.
// Matrix products are the same without padding.
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "KernelPatterns.h"
#include "PackWeights.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Whether an element is a byte: a quantized code, or an integer as it is.
static bool isByte(Type element) {
  if (auto codes = dyn_cast<quant::UniformQuantizedType>(element))
    return codes.getStorageTypeIntegralWidth() == 8;
  return element.isInteger(8);
}

static int32_t getZeroPoint(Type element) {
  auto codes = dyn_cast<quant::UniformQuantizedType>(element);
  return codes ? int32_t(codes.getZeroPoint()) : 0;
}

/// The elements of a constant of bytes or of i32, without their zero point.
static std::optional<SmallVector<int32_t>> getConstantIntegers(Value value) {
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  if (!constant)
    return std::nullopt;
  nn::KnownInts known = nn::readInts(constant.getValue(), UINT64_MAX);
  if (!known)
    return std::nullopt;
  Type element = cast<ShapedType>(value.getType()).getElementType();
  bool isUnsigned = nn::isUnsignedElement(element);
  int32_t zero = getZeroPoint(element);
  return llvm::map_to_vector(*known, [&](int64_t code) {
    // Storage types do not say whether they are signed.
    if (isUnsigned && isByte(element))
      code &= 0xff;
    return int32_t(code) - zero;
  });
}

/// The factor that turns a code into a number, as the plain path has it.
static float getScale(Type element) {
  return float(cast<quant::UniformQuantizedType>(element).getScale());
}

/// Whether a kernel can store and read such elements.
static bool isStored(Type lowered) {
  return lowered.isF32() || lowered.isInteger(8) || lowered.isInteger(16) ||
         lowered.isInteger(32);
}

/// What products of such elements are added up to; null if they cannot be
/// multiplied.
static Type getAccumulator(Type input, Type weight) {
  if (!isByte(input) || !isByte(weight))
    return {};
  if (nn::isQuantized(input))
    return nn::getQuantizedProductType(input, weight);
  return input == weight ? Type(IntegerType::get(input.getContext(), 32))
                         : Type();
}

/// How the sums are formed: bytes hold most weights without their zero point.
static Products chooseProducts(ArrayRef<int32_t> weights, Products products) {
  bool fits = llvm::all_of(
      weights, [](int32_t weight) { return llvm::isInt<8>(weight); });
  return products == Products::dot_i8 && !fits ? Products::madd_i16 : products;
}

/// For each of the outputs, what the sums of codes have too little: each output
/// has as many weights, which lie together.
static std::vector<int32_t> getCorrection(ArrayRef<int32_t> weights,
                                          int64_t outputs, Type input,
                                          Products products) {
  int64_t zero = getZeroPoint(input);
  if (products == Products::dot_i8 && !nn::isUnsignedElement(input))
    zero += 128;
  int64_t size = int64_t(weights.size()) / outputs;
  std::vector<int32_t> correction;
  for (int64_t o = 0; o < outputs; ++o) {
    int64_t sum = 0;
    for (int64_t i = 0; i < size; ++i)
      sum += weights[o * size + i];
    correction.push_back(int32_t(uint32_t(-zero * sum)));
  }
  return correction;
}

namespace {
/// What a convolution of bytes computes with.
struct Codes {
  Type input, accumulator;
  SmallVector<int32_t> filter;
  FilterShape shape;
  bool isDepthwise, isGrouped;
};

class IntegerConvPattern : public OpRewritePattern<nn::Conv2DOp> {
public:
  IntegerConvPattern(MLIRContext *context, int64_t lanes, Products products)
      : OpRewritePattern(context), lanes(lanes), products(products) {}

  LogicalResult matchAndRewrite(nn::Conv2DOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Codes> codes = getCodes(op);
    if (!codes)
      return failure();
    auto result = dyn_cast<RankedTensorType>(op.getType());
    auto stored =
        dyn_cast_or_null<RankedTensorType>(nn::getLoweredType(result));
    if (!stored || !stored.hasStaticShape() || stored.getRank() != 4 ||
        !isStored(stored.getElementType()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);

    // What the epilogue adds to a sum, as its arguments.
    SmallVector<Type> addends;
    std::optional<Addend> bias;
    if (op.getBias()) {
      bias = getBias(op, *codes, result.getElementType());
      if (!bias)
        return failure();
      addends.push_back(bias->element);
    }
    if (op.getResidual()) {
      auto type = dyn_cast<RankedTensorType>(op.getResidual().getType());
      if (!type || type.getShape() != result.getShape() ||
          !nn::getLoweredType(type) ||
          !isStored(nn::getLoweredElementType(type.getElementType())))
        return failure();
      addends.push_back(type.getElementType());
    }
    FailureOr<nn::ConvResult> finish = nn::ConvResult::get(
        codes->accumulator, result.getElementType(), addends,
        op.getResidual() != nullptr, op.getActivation());
    if (failed(finish))
      return failure();

    Products own = codes->isDepthwise ? Products::lanes
                                      : chooseProducts(codes->filter, products);
    SmallVector<Value> extras;
    std::vector<int32_t> correction =
        getCorrection(codes->filter, codes->shape.outputs, codes->input, own);
    bool isCorrected = llvm::any_of(correction, [](int32_t c) { return c; });
    SmallVector<int64_t> channelShape{
        int64_t(llvm::divideCeil(codes->shape.outputs, lanes)), lanes};
    if (isCorrected)
      extras.push_back(emitConstant(b, packChannels<int32_t>(correction, lanes),
                                    channelShape, 32));
    if (bias)
      extras.push_back(
          bias->element.isF32()
              ? emitConstant(b, packChannels<float>(bias->floats, lanes),
                             channelShape)
              : emitConstant(b, packChannels<int32_t>(bias->integers, lanes),
                             channelShape, 32));
    if (op.getResidual())
      extras.push_back(emitPack(b, emitStored(b, op.getResidual()), lanes));
    Operation *conv = emitConv(b, op, *codes, own, extras,
                               emitBlockedEmpty(b, stored, lanes));
    SmallVector<Type> types{b.getI32Type()};
    llvm::append_range(types, getElementTypes(extras));
    emitEpilogue(b, conv->getRegion(0), types,
                 [&](ImplicitLocOpBuilder &inner, ValueRange arguments) {
                   SmallVector<Value> values(arguments);
                   if (isCorrected) {
                     values[0] = nn::emitAdd(inner, values[0], values[1]);
                     values.erase(values.begin() + 1);
                   }
                   return finish->emit(inner, values);
                 });
    Value image = emitUnpack(b, conv->getResult(0), stored);
    rewriter.replaceOp(op, emitRestored(b, image, result));
    return success();
  }

private:
  struct Addend {
    Type element;
    SmallVector<float> floats;
    SmallVector<int32_t> integers;
  };

  std::optional<Codes> getCodes(nn::Conv2DOp op) const {
    auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto filter = dyn_cast<RankedTensorType>(op.getFilter().getType());
    if (!input || !filter || !input.hasStaticShape() ||
        !filter.hasStaticShape() || input.getRank() != 4 ||
        input.getNumElements() == 0 || op.getLayout() != nn::Layout::NCHW)
      return std::nullopt;
    Type element = input.getElementType(), weight = filter.getElementType();
    Codes codes;
    codes.input = element;
    codes.accumulator = getAccumulator(element, weight);
    if (!codes.accumulator)
      return std::nullopt;
    auto dims = nn::decodeFilter(std::nullopt, nn::Layout::NCHW,
                                 op.getGroupFilter(), filter.getShape());
    auto result = dyn_cast<RankedTensorType>(op.getType());
    if (failed(dims) || !result)
      return std::nullopt;
    int64_t channels = input.getDimSize(1), outputs = result.getDimSize(1);
    int64_t groups = op.getGroups();
    codes.isDepthwise = groups > 1 && groups == channels && groups == outputs;
    int64_t together = codes.isDepthwise ? 1
                                         : countGroupsTogether(groups, channels,
                                                               outputs, lanes);
    if (together == 0)
      return std::nullopt;
    codes.isGrouped = groups != 1;
    std::optional<SmallVector<int32_t>> known =
        getConstantIntegers(op.getFilter());
    if (!known)
      return std::nullopt;
    codes.filter = std::move(*known);
    codes.shape = {outputs, channels / groups, dims->kh, dims->kw};
    if (op.getFlipFilter())
      flipFilter<int32_t>(codes.filter, codes.shape);
    if (together > 1)
      codes.filter =
          joinGroups<int32_t>(codes.filter, codes.shape, groups, together);
    return codes;
  }

  /// A constant bias: one number per channel. Quantized ones become the floats
  /// that they are dequantized to, unless sums stay integers.
  static std::optional<Addend> getBias(nn::Conv2DOp op, const Codes &codes,
                                       Type result) {
    auto type = dyn_cast<RankedTensorType>(op.getBias().getType());
    if (!type || !type.hasStaticShape() ||
        type.getNumElements() != codes.shape.outputs)
      return std::nullopt;
    Addend addend;
    addend.element = type.getElementType();
    if (addend.element.isF32()) {
      std::optional<SmallVector<float>> known = getConstantFloats(op.getBias());
      if (!known)
        return std::nullopt;
      addend.floats = std::move(*known);
      return addend;
    }
    Type stored = nn::getStorageElementType(addend.element);
    std::optional<SmallVector<int32_t>> known;
    if (stored.isInteger(32) && !nn::isUnsignedElement(addend.element))
      known = getConstantIntegers(op.getBias());
    if (!known)
      return std::nullopt;
    FailureOr<nn::ConvResult> finish =
        nn::ConvResult::get(codes.accumulator, result, addend.element,
                            op.getResidual() != nullptr, op.getActivation());
    if (failed(finish))
      return std::nullopt;
    if (finish->isInteger || !nn::isQuantized(addend.element)) {
      addend.integers = std::move(*known);
      return addend;
    }
    float scale = getScale(addend.element);
    for (int32_t code : *known)
      addend.floats.push_back(float(code) * scale);
    addend.element = Float32Type::get(op.getContext());
    return addend;
  }

  Value emitWeights(ImplicitLocOpBuilder &b, const Codes &codes, Products own,
                    int64_t inputBlock) const {
    if (codes.isDepthwise)
      return emitConstant(
          b, packDepthwise<int32_t>(codes.filter, codes.shape, lanes),
          getDepthwiseShape(codes.shape, lanes), 32);
    if (own == Products::lanes)
      return emitConstant(
          b, packDense<int32_t>(codes.filter, codes.shape, inputBlock, lanes),
          getDenseShape(codes.shape, inputBlock, lanes), 16);
    bool isByte = own == Products::dot_i8;
    return emitConstant(
        b,
        packGrouped<int32_t>(codes.filter, codes.shape, inputBlock, lanes,
                             isByte ? 4 : 2),
        getGroupedShape(codes.shape, inputBlock, lanes, getGroupSize(own)),
        isByte ? 8 : 16);
  }

  Operation *emitConv(ImplicitLocOpBuilder &b, nn::Conv2DOp op,
                      const Codes &codes, Products own, ValueRange extras,
                      Value init) const {
    // Whole quads of channels.
    int64_t inputBlock =
        codes.isGrouped ? lanes
                        : getInputBlock(codes.shape.inputs, lanes, /*group=*/4);
    Value input = emitPack(b, emitStored(b, op.getInput()), inputBlock);
    Value weights = emitWeights(b, codes, own, inputBlock);
    SmallVector<int64_t> none(4, 0);
    SmallVector<Attribute> halos(extras.size(), b.getDenseI64ArrayAttr(none));
    SmallVector<int64_t> pads{nn::getPadPair(op.getPads(), 0).before,
                              nn::getPadPair(op.getPads(), 1).before};
    bool isUnsigned = nn::isUnsignedElement(codes.input);
    IntegerAttr padding;
    if (int64_t zero = getZeroPoint(codes.input))
      padding = b.getI64IntegerAttr(zero);
    if (codes.isDepthwise)
      return DepthwiseConv2DOp::create(
          b, init.getType(), input, weights, extras, init, op.getStrides(),
          op.getDilations(), pads, none, none, b.getArrayAttr(halos),
          DenseI64ArrayAttr(), isUnsigned, padding, IntegerAttr());
    ProductsAttr products;
    if (own != Products::lanes)
      products = ProductsAttr::get(b.getContext(), own);
    return Conv2DOp::create(
        b, init.getType(), input, weights, extras,
        /*scratch=*/Value(), init, op.getStrides(), op.getDilations(), pads,
        none, none, b.getArrayAttr(halos), Algorithm::direct,
        DenseI64ArrayAttr(), products, isUnsigned, padding, IntegerAttr(),
        getLastChannels(input, op.getInput()));
  }

  int64_t lanes;
  Products products;
};

/// nn.matmul with a constant right operand.
class IntegerMatMulPattern : public OpRewritePattern<nn::MatMulOp> {
public:
  IntegerMatMulPattern(MLIRContext *context, int64_t lanes, Products products)
      : OpRewritePattern(context), lanes(lanes), products(products) {}

  LogicalResult matchAndRewrite(nn::MatMulOp op,
                                PatternRewriter &rewriter) const override {
    RankedTensorType lhs = getMatrix(op.getLhs());
    RankedTensorType rhs = getMatrix(op.getRhs());
    RankedTensorType result = getMatrix(op.getResult());
    if (!lhs || !rhs || !result || op.getTransposeA() ||
        op.getFormat() != nn::MatMulFormat::Default)
      return failure();
    Type accumulator =
        getAccumulator(lhs.getElementType(), rhs.getElementType());
    FailureOr<nn::ConvResult> finish =
        getResult(accumulator, result.getElementType());
    std::optional<SmallVector<int32_t>> matrix;
    if (succeeded(finish))
      matrix = getConstantIntegers(op.getRhs());
    if (!matrix)
      return failure();
    int64_t depth = lhs.getDimSize(1), columns = result.getDimSize(1);
    SmallVector<int32_t> weights = *matrix;
    for (int64_t k = 0; !op.getTransposeB() && k < depth; ++k)
      for (int64_t n = 0; n < columns; ++n)
        weights[n * depth + k] = (*matrix)[k * columns + n];

    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Products own = chooseProducts(weights, products);
    SmallVector<Value> extras;
    std::vector<int32_t> correction =
        getCorrection(weights, columns, lhs.getElementType(), own);
    bool isCorrected = llvm::any_of(correction, [](int32_t c) { return c; });
    if (isCorrected)
      extras.push_back(emitConstant(b, correction, {columns}, /*bits=*/32));
    auto stored = cast<RankedTensorType>(nn::getLoweredType(result));
    Value init =
        tensor::EmptyOp::create(b, stored.getShape(), stored.getElementType());
    ProductsAttr attr;
    if (own != Products::lanes)
      attr = ProductsAttr::get(b.getContext(), own);
    auto matmul = MatMulOp::create(b, stored, emitStored(b, op.getLhs()),
                                   emitWeights(b, weights, depth, columns, own),
                                   extras, init, DenseI64ArrayAttr(), attr,
                                   nn::isUnsignedElement(lhs.getElementType()));
    SmallVector<Type> types(1 + extras.size(), b.getI32Type());
    emitEpilogue(b, matmul.getEpilogue(), types,
                 [&](ImplicitLocOpBuilder &inner, ValueRange arguments) {
                   Value sum = arguments[0];
                   if (isCorrected)
                     sum = nn::emitAdd(inner, sum, arguments[1]);
                   return finish->emit(inner, sum);
                 });
    rewriter.replaceOp(op, emitRestored(b, matmul.getResult(), result));
    return success();
  }

private:
  static RankedTensorType getMatrix(Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    bool isStatic = type && type.getRank() == 2 && type.hasStaticShape() &&
                    type.getNumElements() != 0;
    return isStatic ? type : RankedTensorType();
  }

  /// What becomes of a sum, if it is what the op says: wide codes are the sums
  /// whatever their scale is, others are requantized.
  static FailureOr<nn::ConvResult> getResult(Type accumulator, Type element) {
    Type lowered = nn::getLoweredElementType(element);
    if (!accumulator || !lowered || !isStored(lowered) ||
        nn::isQuantized(accumulator) != nn::isQuantized(element) ||
        isa<FloatType>(lowered))
      return failure();
    FailureOr<nn::ConvResult> finish = nn::ConvResult::get(
        accumulator, element, {}, /*hasResidual=*/false, nn::Activation::none);
    if (succeeded(finish) && lowered.isInteger(32) && !finish->isIdentity)
      return failure();
    return finish;
  }

  Value emitWeights(ImplicitLocOpBuilder &b, ArrayRef<int32_t> weights,
                    int64_t depth, int64_t columns, Products own) const {
    // A convolution of one pixel, with one block of input channels.
    FilterShape shape{columns, depth, 1, 1};
    int64_t group = getGroupSize(own);
    auto block = int64_t(llvm::alignTo(depth, group));
    SmallVector<int64_t> dims{int64_t(llvm::divideCeil(columns, lanes)),
                              block / group, group * lanes};
    if (own == Products::lanes)
      return emitConstant(b, packDense<int32_t>(weights, shape, block, lanes),
                          dims, /*bits=*/16);
    bool isDot = own == Products::dot_i8;
    return emitConstant(
        b, packGrouped<int32_t>(weights, shape, block, lanes, isDot ? 4 : 2),
        dims, isDot ? 8 : 16);
  }

  int64_t lanes;
  Products products;
};
} // namespace

void cpu::populateIntegerPatterns(RewritePatternSet &patterns, int64_t lanes,
                                  Products products) {
  patterns.add<IntegerConvPattern, IntegerMatMulPattern>(patterns.getContext(),
                                                         lanes, products);
}
