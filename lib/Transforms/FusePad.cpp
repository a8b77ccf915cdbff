//===- FusePad.cpp - Pads into convolutions and pooling -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.pad %x {low = [0, 0, 1, 1], high = [0, 0, 1, 1]}
//   %1 = nn.conv2d %0, %w {pads = [0, 0]}
//     -->  %1 = nn.conv2d %x, %w {pads = [1, 1]}
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_FUSEPAD
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "fuse-pad";

/// Larger pads would not fit the fields of any format.
static constexpr int64_t kLargestPad = INT32_MAX;

namespace {
struct FusePad : modelwright::impl::FusePadBase<FusePad> {
  using FusePadBase::FusePadBase;

  void runOnOperation() override;

private:
  /// Lets `user` pad what `pad` reads; whether it does.
  template <typename OpT> bool fuse(nn::PadOp pad, OpT user);
};
} // namespace

void FusePad::runOnOperation() {
  SmallVector<nn::PadOp> pads;
  getOperation().walk([&](nn::PadOp pad) { pads.push_back(pad); });
  // From the last to the first: of two pads in a row, the second one goes into
  // the user first, and the first one meets that user then.
  for (nn::PadOp pad : llvm::reverse(pads)) {
    bool fused = false;
    for (Operation *user :
         llvm::make_early_inc_range(pad.getResult().getUsers())) {
      if (auto conv = dyn_cast<nn::Conv2DOp>(user))
        fused |= fuse(pad, conv);
      else if (auto pool = dyn_cast<nn::MaxPool2DOp>(user))
        fused |= fuse(pad, pool);
      else if (auto pool = dyn_cast<nn::AvgPool2DOp>(user))
        fused |= fuse(pad, pool);
    }
    if (fused && pad->use_empty())
      pad.erase();
  }
}

/// The elements of a value are never below this.
static double getLeast(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return -std::numeric_limits<double>::infinity();
  nn::Activation activation = getActivationOf(op);
  if (auto conv = ConvView::get(op))
    activation = conv->getActivation();
  else if (auto add = dyn_cast<nn::AddOp>(op))
    activation = add.getActivation();
  switch (activation) {
  case nn::Activation::relu:
  case nn::Activation::relu6:
  case nn::Activation::sigmoid:
  case nn::Activation::h_sigmoid:
    return 0;
  default:
    return -std::numeric_limits<double>::infinity();
  }
}

/// Why an op of a kind would not compute the same with its own padding in the
/// place of the number that `pad` adds; empty if it would.
static StringRef whyOtherValue(nn::PadOp pad, nn::Conv2DOp) {
  double value = pad.getValue().convertToDouble(), zero = 0;
  Type element = nn::getElementType(pad.getInput().getType());
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
    zero = static_cast<double>(quantized.getZeroPoint());
  return value == zero ? "" : "a convolution pads with 0";
}

static StringRef whyOtherValue(nn::PadOp pad, nn::AvgPool2DOp pool) {
  bool padsItself = llvm::any_of(pool.getPads(), [](int64_t n) { return n; });
  if (!pool.getCountIncludePad() && padsItself)
    return "its own padding is not counted, that of the pad is";
  double value = pad.getValue().convertToDouble(), zero = 0;
  Type element = nn::getElementType(pad.getInput().getType());
  if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
    zero = static_cast<double>(quantized.getZeroPoint());
  return value == zero ? "" : "mean pooling pads with 0";
}

static StringRef whyOtherValue(nn::PadOp pad, nn::MaxPool2DOp) {
  if (!nn::isFloat(nn::getElementType(pad.getInput().getType())))
    return "the padding of codes takes part in the maximum";
  // max(x, value) is x where no x is below; NaN compares as false.
  return pad.getValue().convertToDouble() <= getLeast(pad.getInput())
             ? ""
             : "the padding takes part in the maximum";
}

static void setKind(nn::AvgPool2DOp pool) { pool.setCountIncludePad(true); }
static void setKind(Operation *) {}

/// Whether a window of `op` may be padded by as much.
static bool hasElementInside(nn::Conv2DOp, nn::PadPair, unsigned) {
  return true;
}
template <typename OpT>
static bool hasElementInside(OpT pool, nn::PadPair pads, unsigned k) {
  int64_t kernel = pool.getKernel()[k];
  return pads.before < kernel && pads.after < kernel;
}

template <typename OpT> bool FusePad::fuse(nn::PadOp pad, OpT user) {
  auto refuse = [&](StringRef name, StringRef why) {
    remarkMissed(user, kPass, name) << reason("{0}", why);
    return false;
  };
  // A filter that is padded, or an input whose residual is: no input of
  // windows.
  if (user.getInput() != pad.getResult() ||
      llvm::count(user->getOperands(), pad.getResult()) != 1)
    return refuse("operand", "what is padded is not its input alone");
  if (isPartOfFileOp(pad) || isPartOfFileOp(user))
    return false;
  auto type = nn::getRanked(pad.getInput().getType());
  bool isNHWC = user.getLayout() == nn::Layout::NHWC;
  if (!type || (!isNHWC && user.getLayout() != nn::Layout::NCHW))
    return refuse("layout", "only NCHW and NHWC images are padded by the user");
  if (pad.getMode() != nn::PadMode::constant)
    return refuse("mode", "it pads with what is at the edge");
  if (StringRef why = whyOtherValue(pad, user); !why.empty())
    return refuse("value", why);
  const unsigned heightAxis = isNHWC ? 1 : 2;
  auto getPad = [](ArrayRef<int64_t> pads, unsigned axis) {
    return axis < pads.size() ? pads[axis] : 0;
  };
  for (unsigned axis = 0; axis < type.getRank(); ++axis)
    if (axis != heightAxis && axis != heightAxis + 1 &&
        (getPad(pad.getLow(), axis) != 0 || getPad(pad.getHigh(), axis) != 0))
      return refuse("axis", "it pads the batch or the channels");
  SmallVector<int64_t> all;
  for (unsigned k = 0; k < 2; ++k) {
    nn::PadPair own = nn::getPadPair(user.getPads(), k);
    nn::PadPair sum = {own.before, own.after};
    if (llvm::AddOverflow(own.before, getPad(pad.getLow(), heightAxis + k),
                          sum.before) ||
        llvm::AddOverflow(own.after, getPad(pad.getHigh(), heightAxis + k),
                          sum.after) ||
        sum.before > kLargestPad || sum.after > kLargestPad)
      return refuse("size", "the pads are too large");
    if (!hasElementInside(user, sum, k))
      return refuse("window", "a window would lie in the padding as a whole");
    all.append({sum.before, sum.after});
  }
  remarkPassed(user, kPass, "pad") << remark::add("fused a pad");
  // One number per dim where both sides agree, as formats say it.
  if (all[0] == all[1] && all[2] == all[3])
    all = {all[0], all[2]};
  user.setPads(all);
  setKind(user);
  user->setOperand(0, pad.getInput());
  user->setLoc(FusedLoc::get(user.getContext(), {pad.getLoc(), user.getLoc()}));
  ++numFused;
  return true;
}
