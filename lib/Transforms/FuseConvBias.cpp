//===- FuseConvBias.cpp - Bias, residual, activation into convolutions ----===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.conv2d %x, %w          %0 = nn.conv2d %x, %w bias %b
//   %1 = nn.add %0, %b       -->          {activation = relu}
//   %2 = nn.relu %1
//
// Each convolution grows in place for as long as its only user can be taken
// in; every step removes one op, so the pass is linear.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_FUSECONVBIAS
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "fuse-conv-bias";

/// Whether the format of `type` and the activation give the same result
/// before and after rounding to it.
static bool takesActivation(Type element, nn::Activation activation) {
  return activation == nn::Activation::none || nn::isFloat(element) ||
         (activation == nn::Activation::relu && !nn::isUnknown(element));
}

namespace {
struct FuseConvBias : modelwright::impl::FuseConvBiasBase<FuseConvBias> {
  using FuseConvBiasBase::FuseConvBiasBase;

  void runOnOperation() override;

private:
  /// `absorb`, with the position in `order`.
  void take(ConvView conv, Operation *last) {
    order[conv.getOperation()] = order.lookup(last);
    order.erase(last);
    absorb(conv.getOperation(), last);
  }

  bool growOnce(ConvView conv);
  bool fuseActivation(ConvView conv, Operation *user);
  bool fuseRelu6(ConvView conv, Operation *user);
  bool fuseAddend(ConvView conv, Operation *user, unsigned position);
  bool fuseBias(ConvView conv, Operation *user, Value addend);
  bool addResidual(ConvView conv, nn::AddOp add, Value addend);
  Value makeBias(ConvView conv, Operation *user, Value addend,
                 ArrayRef<int64_t> shape);
  Value mergeBiases(ConvView conv, Operation *user, Value addend);

  template <typename... Args>
  bool refuse(Operation *user, StringRef name, const char *format,
              Args &&...args) {
    remarkMissed(user, kPass, name)
        << reason(format, std::forward<Args>(args)...);
    return false;
  }

  std::optional<BlobNames> names;
  /// Positions of ops in the function. Op's own isBeforeInBlock numbers the
  /// whole block anew after every op that moves.
  llvm::DenseMap<Operation *, int64_t> order;
};
} // namespace

/// Whether the pass could take `op` in if it were the only user.
static bool isCandidate(Operation *op) {
  return isa<nn::AddOp, nn::SubOp>(op) ||
         getActivationOf(op) != nn::Activation::none;
}

void FuseConvBias::runOnOperation() {
  names.emplace(getOperation(), "bias");
  SmallVector<ConvView> convs;
  order.clear();
  getOperation().walk([&](Operation *op) {
    order[op] = order.size();
    if (std::optional<ConvView> conv = ConvView::get(op))
      convs.push_back(*conv);
  });
  for (ConvView conv : convs)
    while (growOnce(conv))
      ;
}

/// Takes in the user of the convolution. Returns false if that cannot be.
bool FuseConvBias::growOnce(ConvView conv) {
  Value result = conv.getResult();
  if (!result.hasOneUse()) {
    for (Operation *user : result.getUsers()) {
      if (!isCandidate(user))
        continue;
      return refuse(user, "shared-result",
                    leavesGraph(conv.getOperation())
                        ? "the convolution's result leaves the graph"
                        : "the convolution's result has other users");
    }
    return false;
  }
  OpOperand &use = *result.use_begin();
  Operation *user = use.getOwner();
  if (user->getBlock() != conv.getOperation()->getBlock())
    return false;
  if (isa<nn::MaximumOp, nn::MinimumOp>(user))
    return fuseRelu6(conv, user);
  if (!isCandidate(user))
    return false;
  if (user->getResult(0).getType() != result.getType())
    return refuse(user, "type", "the result has type {0}, the convolution {1}",
                  user->getResult(0).getType(), result.getType());
  if (isa<nn::AddOp, nn::SubOp>(user))
    return fuseAddend(conv, user, use.getOperandNumber());
  return fuseActivation(conv, user);
}

bool FuseConvBias::fuseActivation(ConvView conv, Operation *user) {
  nn::Activation activation = getActivationOf(user);
  nn::Activation present = conv.getActivation();
  if (present != nn::Activation::none &&
      (present != nn::Activation::relu || activation != present))
    return refuse(user, "activation", "the convolution ends with {0} already",
                  nn::stringifyActivation(present));
  Type element = nn::getElementType(conv.getResult().getType());
  if (!takesActivation(element, activation))
    return refuse(user, "activation", "{0} of {1} rounds differently if fused",
                  nn::stringifyActivation(activation), element);
  remarkPassed(user, kPass, "activation")
      << remark::add("fused {0}", nn::stringifyActivation(activation));
  conv.setActivation(activation);
  take(conv, user);
  ++numActivations;
  return true;
}

/// The other operand of a binary op.
static Value getOther(Operation *op, Value value) {
  return op->getOperand(op->getOperand(0) == value ? 1 : 0);
}

/// Whether `op` is the minimum of `value` and 6.
static bool cutsAtSix(Operation *op, Value value) {
  return isa<nn::MinimumOp>(op) && isSplatConstant(getOther(op, value), 6);
}

/// Whether `op` is the maximum of `value` and 0.
static bool cutsAtZero(Operation *op, Value value) {
  return isa<nn::ReluOp>(op) ||
         (isa<nn::MaximumOp>(op) && isSplatConstant(getOther(op, value), 0));
}

/// min(max(x, 0), 6) and max(min(x, 6), 0), where max(x, 0) may be relu; one
/// that came first is the convolution's activation by now.
bool FuseConvBias::fuseRelu6(ConvView conv, Operation *user) {
  Type type = conv.getResult().getType();
  nn::Activation present = conv.getActivation();
  bool isUpper = cutsAtSix(user, conv.getResult());
  if (user->getResult(0).getType() != type ||
      (!isUpper && !cutsAtZero(user, conv.getResult())))
    return false;
  SmallVector<Operation *, 2> ops = {user};
  if (!isUpper || present != nn::Activation::relu) {
    Value inner = user->getResult(0);
    if (!inner.hasOneUse())
      return false;
    Operation *outer = *inner.user_begin();
    if (outer->getBlock() != user->getBlock() ||
        !(isUpper ? cutsAtZero(outer, inner) : cutsAtSix(outer, inner)) ||
        outer->getResult(0).getType() != type)
      return false;
    if (present != nn::Activation::none)
      return refuse(user, "activation", "the convolution ends with {0} already",
                    nn::stringifyActivation(present));
    ops.push_back(outer);
  }
  remarkPassed(ops.back(), kPass, "activation") << "fused relu6";
  conv.setActivation(nn::Activation::relu6);
  for (Operation *op : ops) {
    SmallVector<Value> operands(op->getOperands());
    take(conv, op);
    for (Value operand : operands)
      if (operand != conv.getResult())
        eraseIfUnused(operand);
  }
  ++numActivations;
  return true;
}

bool FuseConvBias::fuseAddend(ConvView conv, Operation *user,
                              unsigned position) {
  Value addend = user->getOperand(1 - position);
  if (conv.getActivation() != nn::Activation::none)
    return refuse(user, "activation-first",
                  "the convolution applies {0} before the addition",
                  nn::stringifyActivation(conv.getActivation()));
  auto add = dyn_cast<nn::AddOp>(user);
  if (!add && position == 1)
    return refuse(user, "subtrahend", "the convolution is subtracted");
  Type element = nn::getElementType(conv.getResult().getType());
  if (add && !takesActivation(element, add.getActivation()))
    return refuse(user, "activation", "{0} of {1} rounds differently if fused",
                  nn::stringifyActivation(add.getActivation()), element);
  if (getConstant(addend))
    return fuseBias(conv, user, addend);
  if (!add)
    return refuse(user, "addend", "the subtrahend is not a constant");
  return addResidual(conv, add, addend);
}

/// Whether a constant of element type `bias` may be added to an accumulator
/// of type `result`.
static bool isBiasType(ConvView conv, Type bias, Type result) {
  if (bias == result && !nn::isQuantized(result))
    return true;
  auto biasType = dyn_cast<quant::UniformQuantizedType>(bias);
  auto resultType = dyn_cast<quant::UniformQuantizedType>(result);
  Type product = nn::getQuantizedProductType(
      nn::getElementType(conv.getInput().getType()),
      nn::getElementType(conv.getFilter().getType()));
  if (!biasType || !resultType || !product)
    return false;
  double scale = cast<quant::UniformQuantizedType>(product).getScale();
  auto matches = [&](quant::UniformQuantizedType type) {
    return type.getStorageTypeIntegralWidth() == 32 &&
           type.getZeroPoint() == 0 &&
           std::abs(type.getScale() - scale) <= 1e-6 * scale;
  };
  return matches(biasType) && matches(resultType);
}

bool FuseConvBias::fuseBias(ConvView conv, Operation *user, Value addend) {
  auto addendType = cast<RankedTensorType>(addend.getType());
  Type element = nn::getElementType(conv.getResult().getType());
  std::optional<SmallVector<int64_t>> shape = conv.getPerChannelShape();
  if (!shape)
    return refuse(user, "bias", "the number of output channels is not known");
  if (!broadcastsPerChannel(addendType.getShape(), *shape)) {
    RankedTensorType resultType = nn::getRanked(conv.getResult().getType());
    if (addendType.getShape() == resultType.getShape())
      return refuse(user, "bias", "the constant has the full output shape");
    return refuse(user, "bias",
                  "a constant of type {0} does not run along the channels",
                  addendType);
  }
  if (!isBiasType(conv, addendType.getElementType(), element))
    return refuse(user, "bias",
                  "{0} is no bias type of a convolution from {1} and {2} to "
                  "{3}",
                  addendType.getElementType(),
                  nn::getElementType(conv.getInput().getType()),
                  nn::getElementType(conv.getFilter().getType()), element);
  if (isa<nn::SubOp>(user) && nn::isQuantized(element))
    return refuse(user, "bias", "a quantized subtrahend has no negation");
  if (conv.getResidual())
    return refuse(user, "bias", "the residual is added before the bias");
  Value bias = makeBias(conv, user, addend, *shape);
  if (!bias)
    return refuse(user, "bias",
                  "the constant's bytes are missing or it covers only a part "
                  "of a channel block");
  if (Value present = conv.getBias()) {
    Value sum = mergeBiases(conv, user, bias);
    if (bias != addend)
      eraseIfUnused(bias);
    if (!sum)
      return refuse(user, "bias",
                    "the convolution has a bias that the constant does not "
                    "add to");
    conv.setBias(sum);
    eraseIfUnused(present);
  } else {
    conv.setBias(bias);
  }
  remarkPassed(user, kPass, "bias") << "fused a bias";
  if (auto add = dyn_cast<nn::AddOp>(user))
    if (add.getActivation() != nn::Activation::none) {
      conv.setActivation(add.getActivation());
      ++numActivations;
    }
  take(conv, user);
  eraseIfUnused(addend);
  ++numBiases;
  return true;
}

/// Flips the signs of little endian numbers.
static void negate(MutableArrayRef<char> bytes, Type element) {
  unsigned size = nn::getStorageBits(element) / 8;
  for (size_t i = 0; i + size <= bytes.size(); i += size) {
    if (nn::isFloat(element)) {
      bytes[i + size - 1] ^= static_cast<char>(0x80);
      continue;
    }
    uint64_t value = 0;
    std::memcpy(&value, &bytes[i], size);
    value = -value;
    std::memcpy(&bytes[i], &value, size);
  }
}

/// The addend of `user` as a constant of the bias's shape.
Value FuseConvBias::makeBias(ConvView conv, Operation *user, Value addend,
                             ArrayRef<int64_t> shape) {
  auto addendType = cast<RankedTensorType>(addend.getType());
  auto type = RankedTensorType::get(shape, addendType.getElementType());
  bool negated = isa<nn::SubOp>(user);
  if (!negated && addendType == type)
    return addend;
  ElementsAttr attr = getConstant(addend), value;
  int64_t count = type.getNumElements();
  if (!negated && addendType.getNumElements() == count) {
    value = reshapeElements(attr, shape);
  } else {
    SmallVector<char> storage, bytes;
    std::optional<ArrayRef<char>> raw = nn::getRawBytes(attr, storage);
    unsigned bits = nn::getStorageBits(type.getElementType());
    if (!raw || bits % 8 || bits > 64)
      return {};
    int64_t copies = count / addendType.getNumElements();
    if (copies != 1 && addendType.getNumElements() != 1)
      return {};
    for (int64_t i = 0; i < copies; ++i)
      bytes.append(raw->begin(), raw->end());
    if (negated)
      negate(bytes, type.getElementType());
    value = nn::makeOwnedElements(type, names->next(), bytes);
  }
  if (!value)
    return {};
  OpBuilder builder(user);
  return nn::ConstantOp::create(builder, addend.getLoc(), type, value);
}

/// The convolution's bias plus another; null unless both are float constants
/// of one type.
Value FuseConvBias::mergeBiases(ConvView conv, Operation *user, Value addend) {
  Value bias = conv.getBias();
  if (bias.getType() != addend.getType())
    return {};
  std::optional<SmallVector<float>> lhs = getConstantFloats(bias),
                                    rhs = getConstantFloats(addend);
  if (!lhs || !rhs)
    return {};
  auto type = cast<RankedTensorType>(bias.getType());
  double limit = getLargestFloat(type.getElementType());
  for (auto [sum, term] : llvm::zip_equal(*lhs, *rhs)) {
    sum += term;
    if (!(std::abs(sum) <= limit))
      return {};
  }
  OpBuilder builder(user);
  Location loc = builder.getFusedLoc({bias.getLoc(), addend.getLoc()});
  return nn::ConstantOp::create(
      builder, loc, type, nn::makeFloatElements(type, names->next(), *lhs));
}

bool FuseConvBias::addResidual(ConvView conv, nn::AddOp add, Value addend) {
  Type type = conv.getResult().getType();
  if (addend.getType() != type)
    return refuse(add, "addend",
                  "the addend of type {0} is neither a constant nor a tensor "
                  "of the result's type",
                  addend.getType());
  auto conv2d = dyn_cast<nn::Conv2DOp>(conv.getOperation());
  if (!conv2d || !fuseResidual)
    return refuse(add, "residual",
                  conv2d ? "residuals are switched off"
                         : "a transposed convolution takes no residual");
  if (conv2d.getResidual())
    return refuse(add, "residual", "the convolution has a residual already");
  // Of two convolutions that are added, the later one takes the other's result:
  // it stands where the sum did before, so that a second run decides the same.
  auto other = addend.getDefiningOp<nn::Conv2DOp>();
  if (other && other->getBlock() == conv2d->getBlock() && addend.hasOneUse() &&
      !other.getResidual() && other.getActivation() == nn::Activation::none &&
      order.lookup(conv2d) < order.lookup(other))
    return refuse(add, "residual",
                  "the other addend is a later convolution, which takes it");
  if (!nn::isFloat(nn::getElementType(type)))
    return refuse(add, "residual", "{0} is not a float type",
                  nn::getElementType(type));
  if (!cast<ShapedType>(type).hasStaticShape())
    return refuse(add, "residual",
                  "the shapes are dynamic and could broadcast");
  remarkPassed(add, kPass, "residual") << "fused a residual";
  conv2d.getResidualMutable().assign(addend);
  if (add.getActivation() != nn::Activation::none) {
    conv2d.setActivation(add.getActivation());
    ++numActivations;
  }
  take(conv, add);
  ++numResiduals;
  return true;
}
