//===- CPUOps.cpp - Kernels over blocked tensors --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

BlockedShape BlockedShape::get(ShapedType type, const Halo &halo) {
  ArrayRef<int64_t> shape = type.getShape();
  return {shape[0], shape[1], shape[2] - halo.top - halo.bottom,
          shape[3] - halo.left - halo.right, shape[4]};
}

SmallVector<int64_t, 5> BlockedShape::getShape(const Halo &halo) const {
  return {batch, blocks, height + halo.top + halo.bottom,
          width + halo.left + halo.right, block};
}

//===----------------------------------------------------------------------===//
// Effects and verifiers
//===----------------------------------------------------------------------===//

/// On buffers, inputs are read and the destination is written.
static void
getKernelEffects(DestinationStyleOpInterface op,
                 SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    bool isScratch = false;
    if (auto conv = dyn_cast<Conv2DOp>(op.getOperation()))
      isScratch = conv.getScratch() && operand.get() == conv.getScratch();
    if (op.isDpsInit(&operand) || isScratch)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    if (!op.isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

/// Whether kernels can hold elements of this type in vectors.
static bool isElement(Type type) {
  if (isa<FloatType>(type))
    return type.isF32() || type.isF16() || type.isBF16();
  return type.isSignlessInteger(8) || type.isSignlessInteger(16) ||
         type.isSignlessInteger(32);
}

static Type getElementType(Value shaped) {
  return cast<ShapedType>(shaped.getType()).getElementType();
}

/// The region of an op with an epilogue: one argument for the sum (if there is
/// one; f32, or i32 for integers) and one for each of `extras`.
static LogicalResult verifyEpilogue(Operation *op, Value summed,
                                    OperandRange extras, Value init) {
  Block &block = op->getRegion(0).front();
  unsigned sums = summed ? 1 : 0;
  if (block.getNumArguments() != sums + extras.size())
    return op->emitOpError()
           << "has " << block.getNumArguments()
           << " region arguments, expected " << sums + extras.size();
  SmallVector<Type> expected;
  if (summed)
    expected.push_back(isa<FloatType>(getElementType(summed))
                           ? Type(Float32Type::get(op->getContext()))
                           : IntegerType::get(op->getContext(), 32));
  for (Value extra : extras)
    expected.push_back(getElementType(extra));
  for (auto [argument, type] :
       llvm::zip_equal(block.getArgumentTypes(), expected))
    if (argument != type)
      return op->emitOpError("has a region argument of type ")
             << argument << ", expected " << type;
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return op->emitOpError("region must end with cpu.yield");
  if (yield.getValue().getType() != getElementType(init))
    return op->emitOpError("yields ")
           << yield.getValue().getType() << ", but stores "
           << getElementType(init);
  return success();
}

/// `shaped` is a static blocked tensor that has room for `halo`.
static LogicalResult verifyBlocked(Operation *op, Value shaped,
                                   ArrayRef<int64_t> halo) {
  auto type = cast<ShapedType>(shaped.getType());
  if (type.getRank() != 5 || !type.hasStaticShape() ||
      !isElement(type.getElementType()))
    return op->emitOpError() << type << " is no blocked tensor";
  if (halo.size() != 4 ||
      llvm::any_of(halo, [](int64_t size) { return size < 0; }))
    return op->emitOpError("takes four numbers for each halo");
  BlockedShape shape = BlockedShape::get(type, Halo::get(halo));
  if (shape.height < 0 || shape.width < 0)
    return op->emitOpError() << type << " has no room for its halo";
  return success();
}

/// Each of `halos` is one.
static LogicalResult verifyHalos(Operation *op, ArrayAttr halos) {
  for (Attribute attr : halos) {
    auto halo = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!halo || halo.size() != 4)
      return op->emitOpError("takes four numbers for each halo");
  }
  return success();
}

/// `image` in NCHW is the one that `blocked` holds.
static LogicalResult verifyPacking(Operation *op, Value image, Value blocked,
                                   ArrayRef<int64_t> halo) {
  if (failed(verifyBlocked(op, blocked, halo)))
    return failure();
  auto type = cast<ShapedType>(image.getType());
  auto blockedType = cast<ShapedType>(blocked.getType());
  BlockedShape shape = BlockedShape::get(blockedType, Halo::get(halo));
  if (type.getRank() != 4 || !type.hasStaticShape() ||
      type.getElementType() != blockedType.getElementType() ||
      type.getDimSize(0) != shape.batch ||
      int64_t(llvm::divideCeil(type.getDimSize(1), shape.block)) !=
          shape.blocks ||
      type.getDimSize(2) != shape.height || type.getDimSize(3) != shape.width)
    return op->emitOpError() << type << " is not the image of " << blockedType;
  return success();
}

LogicalResult PackOp::verify() {
  return verifyPacking(*this, getSource(), getInit(), getHalo());
}

LogicalResult UnpackOp::verify() {
  return verifyPacking(*this, getInit(), getSource(), getHalo());
}

LogicalResult Pool2DOp::verify() {
  if (getKernel().size() != 2 || getStrides().size() != 2 ||
      getPads().size() != 2)
    return emitOpError("takes two numbers for kernel, strides and pads");
  if (failed(verifyBlocked(*this, getInput(), getInputHalo())) ||
      failed(verifyBlocked(*this, getInit(), getHalo())))
    return failure();
  auto input = cast<ShapedType>(getInput().getType());
  auto init = cast<ShapedType>(getInit().getType());
  for (unsigned dim : {0, 1, 4})
    if (input.getDimSize(dim) != init.getDimSize(dim))
      return emitOpError("pools each channel for itself");
  if (input.getElementType() != init.getElementType())
    return emitOpError("gives elements of the type that it reads");
  return success();
}

LogicalResult GatherChannelsOp::verify() {
  if (getInputHalos().size() != getInputs().size())
    return emitOpError("must have a halo for each of its inputs");
  if (failed(verifyHalos(*this, getInputHalos())) ||
      failed(verifyBlocked(*this, getInit(), getHalo())))
    return failure();
  auto getShape = [](Value value, ArrayRef<int64_t> halo) {
    return BlockedShape::get(cast<ShapedType>(value.getType()),
                             Halo::get(halo));
  };
  BlockedShape result = getShape(getInit(), getHalo());
  int64_t channels = 0;
  for (auto [input, attr] : llvm::zip_equal(getInputs(), getInputHalos())) {
    ArrayRef<int64_t> halo = cast<DenseI64ArrayAttr>(attr).asArrayRef();
    if (failed(verifyBlocked(*this, input, halo)))
      return failure();
    BlockedShape shape = getShape(input, halo);
    channels += shape.blocks * shape.block;
    if (getElementType(input) != getElementType(getInit()) ||
        shape.batch != result.batch || shape.height != result.height ||
        shape.width != result.width || shape.block != result.block)
      return emitOpError() << "input of type " << input.getType()
                           << " does not fit the result";
  }
  auto count = int64_t(getChannels().size());
  if (int64_t(llvm::divideCeil(count, result.block)) != result.blocks)
    return emitOpError() << "gathers " << count << " channels into "
                         << result.blocks << " blocks of " << result.block;
  for (int64_t channel : getChannels())
    if (channel < 0 || channel >= channels)
      return emitOpError() << "reads channel " << channel << " of " << channels;
  return success();
}

template <typename OpT> static LogicalResult verifyExtraHalos(OpT op) {
  if (failed(verifyHalos(op, op.getExtraHalos())))
    return failure();
  if (op.getExtraHalos().size() != op.getExtras().size())
    return op.emitOpError("must have a halo for each of its extras");
  return success();
}

template <typename OpT> static LogicalResult verifyConv(OpT op) {
  if (failed(verifyExtraHalos(op)))
    return failure();
  auto isOf = [](ArrayRef<int64_t> values, size_t size) {
    return values.size() == size;
  };
  if (!isOf(op.getStrides(), 2) || !isOf(op.getDilations(), 2) ||
      !isOf(op.getPads(), 2) || !isOf(op.getInputHalo(), 4) ||
      !isOf(op.getHalo(), 4))
    return op.emitOpError("takes two strides, dilations and pads, and four "
                          "numbers for each halo");
  if (cast<ShapedType>(op.getInput().getType()).getRank() != 5 ||
      cast<ShapedType>(op.getInit().getType()).getRank() != 5)
    return op.emitOpError("takes blocked tensors");
  if (!isElement(getElementType(op.getInput())))
    return op.emitOpError("takes no ") << getElementType(op.getInput());
  return verifyEpilogue(op, op.getInput(), op.getExtras(), op.getInit());
}

SmallVector<int64_t, 2> Conv2DOp::getKernelSize() {
  if (getAlgorithm() == Algorithm::winograd4)
    return {3, 3};
  if (getAlgorithm() == Algorithm::strassen)
    return {1, 1};
  auto weights = cast<ShapedType>(getWeights().getType());
  return {weights.getDimSize(2), weights.getDimSize(3)};
}

SmallVector<int64_t, 2> Conv2DOp::getWinogradSquares() {
  BlockedShape shape = BlockedShape::get(cast<ShapedType>(getInit().getType()),
                                         Halo::get(getHalo()));
  return {int64_t(llvm::divideCeil(shape.height, 4)),
          int64_t(llvm::divideCeil(shape.width, 4))};
}

/// What algorithms need that compute with transformed weights, of f32 and in
/// `planes`: `parts` parts of the blocks of result and input each.
static LogicalResult verifyTransformed(Conv2DOp op, int64_t planes,
                                       int64_t parts) {
  StringRef name = stringifyAlgorithm(op.getAlgorithm());
  auto isOne = [](int64_t value) { return value == 1; };
  if (!llvm::all_of(op.getStrides(), isOne) ||
      !llvm::all_of(op.getDilations(), isOne))
    return op.emitOpError() << name << " takes steps of 1 only";
  auto weights = cast<ShapedType>(op.getWeights().getType());
  auto input = cast<ShapedType>(op.getInput().getType());
  auto init = cast<ShapedType>(op.getInit().getType());
  if (weights.getRank() != 5 || weights.getDimSize(0) != planes ||
      weights.getDimSize(1) * parts != init.getDimSize(1) ||
      weights.getDimSize(2) * parts != input.getDimSize(1) ||
      weights.getDimSize(3) != input.getDimSize(4) ||
      weights.getDimSize(4) != init.getDimSize(4) ||
      input.getDimSize(4) != init.getDimSize(4) ||
      !input.getElementType().isF32())
    return op.emitOpError()
           << "weights of type " << weights << " do not fit input and result";
  return success();
}

static LogicalResult verifyStrassen(Conv2DOp op) {
  if (llvm::any_of(op.getPads(), [](int64_t pad) { return pad != 0; }))
    return op.emitOpError("strassen takes no pads");
  BlockedShape shape = BlockedShape::get(
      cast<ShapedType>(op.getInit().getType()), Halo::get(op.getHalo()));
  if (shape.height % 2 != 0 && shape.width % 2 != 0)
    return op.emitOpError("strassen takes an even number of rows or columns");
  return verifyTransformed(op, /*planes=*/7, /*parts=*/2);
}

int64_t cpu::getGroupSize(Products products) {
  switch (products) {
  case Products::lanes:
    return 1;
  case Products::dot_bf16:
    return 2;
  case Products::madd_i16:
  case Products::dot_i8:
    return 4;
  }
  llvm_unreachable("products of no kind");
}

/// The type of the weights that a convolution multiplies with elements of
/// `input` in the way of `products`; null if it cannot.
static Type getWeightType(Type input, Products products) {
  MLIRContext *context = input.getContext();
  if (products == Products::dot_bf16)
    return input.isBF16() ? input : Type();
  if (isa<FloatType>(input))
    return products == Products::lanes ? Type(Float32Type::get(context))
                                       : Type();
  if (products == Products::dot_i8)
    return input.isInteger(8) ? Type(IntegerType::get(context, 8)) : Type();
  return input.isInteger(8) ? Type(IntegerType::get(context, 16)) : Type();
}

LogicalResult Conv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  int64_t block = cast<ShapedType>(getInput().getType()).getShape().back();
  if (std::optional<int64_t> last = getLastChannels();
      last && (*last <= 0 || *last > block))
    return emitOpError() << "has " << *last << " channels in a block of "
                         << block;
  if (getAlgorithm() == Algorithm::winograd4)
    return verifyTransformed(*this, /*planes=*/36, /*parts=*/1);
  if (getAlgorithm() == Algorithm::strassen)
    return verifyStrassen(*this);
  auto weights = cast<ShapedType>(getWeights().getType());
  auto input = cast<ShapedType>(getInput().getType());
  auto init = cast<ShapedType>(getInit().getType());
  Products products = getProducts().value_or(Products::lanes);
  if (weights.getElementType() !=
      getWeightType(input.getElementType(), products))
    return emitOpError() << "has no products of " << input.getElementType()
                         << " and " << weights.getElementType() << " as "
                         << stringifyProducts(products);
  // Channels of the input per vector of weights.
  int64_t together = getGroupSize(products);
  // Of a grouped convolution, input and result have as many sections.
  auto hasSections = [&] {
    int64_t size = weights.getDimSize(1), blocks = input.getDimSize(1);
    return size > 0 && blocks % size == 0 &&
           init.getDimSize(1) % (blocks / size) == 0;
  };
  if (weights.getRank() != 6 || weights.getDimSize(0) != init.getDimSize(1) ||
      (weights.getDimSize(1) != input.getDimSize(1) && !hasSections()) ||
      weights.getDimSize(4) * together != input.getDimSize(4) ||
      weights.getDimSize(5) != init.getDimSize(4) * together)
    return emitOpError() << "weights of type " << weights
                         << " do not fit input and result";
  return success();
}

LogicalResult DepthwiseConv2DOp::verify() {
  if (failed(verifyConv(*this)))
    return failure();
  auto weights = cast<ShapedType>(getWeights().getType());
  auto init = cast<ShapedType>(getInit().getType());
  Type sum = getEpilogue().getArgument(0).getType();
  if (weights.getRank() != 4 || weights.getDimSize(0) != init.getDimSize(1) ||
      weights.getDimSize(3) != init.getDimSize(4) ||
      weights.getElementType() != sum)
    return emitOpError() << "weights of type " << weights
                         << " do not fit the result";
  return success();
}

LogicalResult EltwiseOp::verify() {
  if (failed(verifyExtraHalos(*this)) ||
      failed(verifyBlocked(*this, getInit(), getHalo())))
    return failure();
  return verifyEpilogue(*this, Value(), getExtras(), getInit());
}

LogicalResult MatMulOp::verify() {
  auto lhs = cast<ShapedType>(getLhs().getType());
  auto rhs = cast<ShapedType>(getRhs().getType());
  auto init = cast<ShapedType>(getInit().getType());
  int64_t rank = lhs.getRank();
  if ((rank != 2 && rank != 3) || rhs.getRank() != rank + 1 ||
      init.getRank() != rank)
    return emitOpError("takes matrices, or a batch of them");
  Products products = getProducts().value_or(Products::lanes);
  Type element = lhs.getElementType();
  if ((!element.isF32() && !element.isInteger(8)) ||
      rhs.getElementType() != getWeightType(element, products))
    return emitOpError() << "has no products of " << element << " and "
                         << rhs.getElementType() << " as "
                         << stringifyProducts(products);
  int64_t group = getGroupSize(products);
  if (rhs.getDimSize(rank - 1) !=
          int64_t(llvm::divideCeil(lhs.getDimSize(rank - 1), group)) ||
      int64_t(llvm::divideCeil(init.getDimSize(rank - 1),
                               rhs.getDimSize(rank) / group)) !=
          rhs.getDimSize(rank - 2))
    return emitOpError() << "right operand of type " << rhs
                         << " does not fit the others";
  for (Value extra : getExtras()) {
    auto type = cast<ShapedType>(extra.getType());
    bool isColumn =
        type.getRank() == 1 && type.getDimSize(0) >= init.getDimSize(rank - 1);
    if (type.getShape() != init.getShape() && !isColumn)
      return emitOpError() << "epilogue cannot read a " << type
                           << " at the places of a " << init;
  }
  return verifyEpilogue(*this, getLhs(), getExtras(), getInit());
}

//===----------------------------------------------------------------------===//
// Canonicalization
//===----------------------------------------------------------------------===//

namespace {
/// What was unpacked only to be packed again.
struct CancelUnpack : OpRewritePattern<PackOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(PackOp op,
                                PatternRewriter &rewriter) const override {
    auto unpack = op.getSource().getDefiningOp<UnpackOp>();
    if (!unpack || !op.getResult() ||
        unpack.getSource().getType() != op.getResult().getType() ||
        unpack.getHalo() != op.getHalo() ||
        (op.getFill().value_or(0) != 0 && !Halo::get(op.getHalo()).isEmpty()))
      return failure();
    rewriter.replaceOp(op, unpack.getSource());
    return success();
  }
};

/// Channels of what was itself gathered, if for nothing but to be gathered
/// from.
struct ComposeGathers : OpRewritePattern<GatherChannelsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherChannelsOp op,
                                PatternRewriter &rewriter) const override {
    // More sources than these would be many vectors to pick a few lanes of.
    constexpr size_t kMostInputs = 4;
    auto isInner = [&](Value input) {
      auto inner = input.getDefiningOp<GatherChannelsOp>();
      return inner && Halo::get(inner.getHalo()).isEmpty() &&
             llvm::all_of(inner->getUsers(), llvm::IsaPred<GatherChannelsOp>);
    };
    auto it = llvm::find_if(op.getInputs(), isInner);
    if (it == op.getInputs().end() || !op.getResult())
      return failure();
    auto inner = (*it).getDefiningOp<GatherChannelsOp>();
    SmallVector<Value> inputs;
    SmallVector<Attribute> halos;
    auto addInput = [&](Value input, Attribute halo) {
      const auto *known = llvm::find(inputs, input);
      auto number = int64_t(known - inputs.begin());
      if (known == inputs.end()) {
        inputs.push_back(input);
        halos.push_back(halo);
      }
      return number;
    };
    // Input and channel in it, for each channel that is read.
    auto decode = [](GatherChannelsOp gather, int64_t channel) {
      for (auto [k, input] : llvm::enumerate(gather.getInputs())) {
        auto type = cast<ShapedType>(input.getType());
        int64_t count = type.getDimSize(1) * type.getDimSize(4);
        if (channel < count)
          return std::pair(int64_t(k), channel);
        channel -= count;
      }
      llvm_unreachable("verified");
    };
    SmallVector<std::pair<int64_t, int64_t>> places;
    for (int64_t channel : op.getChannels()) {
      auto [k, own] = decode(op, channel);
      Value input = op.getInputs()[k];
      Attribute halo = op.getInputHalos()[k];
      if (input == inner.getResult()) {
        // Surplus channels, which nothing should read, are not there inside.
        if (own >= int64_t(inner.getChannels().size()))
          return failure();
        auto [from, channelThere] = decode(inner, inner.getChannels()[own]);
        input = inner.getInputs()[from];
        halo = inner.getInputHalos()[from];
        own = channelThere;
      }
      places.push_back({addInput(input, halo), own});
    }
    if (inputs.size() > kMostInputs)
      return failure();
    SmallVector<int64_t> firsts{0}, channels;
    for (Value input : inputs) {
      auto type = cast<ShapedType>(input.getType());
      firsts.push_back(firsts.back() + type.getDimSize(1) * type.getDimSize(4));
    }
    for (auto [number, channel] : places)
      channels.push_back(firsts[number] + channel);
    rewriter.replaceOpWithNewOp<GatherChannelsOp>(
        op, op.getResult().getType(), inputs, op.getInit(), channels,
        op.getHalo(), rewriter.getArrayAttr(halos), op.getFillAttr());
    return success();
  }
};
} // namespace

void GatherChannelsOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<ComposeGathers>(context);
}

void PackOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                         MLIRContext *context) {
  patterns.add<CancelUnpack>(context);
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

/// `: type`, which may be left out for f32.
static ParseResult parseElementType(OpAsmParser &parser, Type &type) {
  type = parser.getBuilder().getF32Type();
  return failed(parser.parseOptionalColon()) ? ParseResult::success()
                                             : parser.parseType(type);
}

static void printElementType(OpAsmPrinter &printer, Operation *, Type type) {
  if (!type.isF32())
    printer << ": " << type;
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

void CPUDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "modelwright/Target/CPU/IR/CPUAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "modelwright/Target/CPU/IR/CPUOps.cpp.inc"
      >();
}

#include "modelwright/Target/CPU/IR/CPUDialect.cpp.inc"
#include "modelwright/Target/CPU/IR/CPUEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "modelwright/Target/CPU/IR/CPUAttributes.cpp.inc"

#define GET_OP_CLASSES
#include "modelwright/Target/CPU/IR/CPUOps.cpp.inc"
