//===- FoldBN.cpp - Batch norms and scales into convolutions --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.conv2d %x, %w
//   %1 = nn.batch_norm %0, %scale, %bias, %mean, %var
// -->
//   %1 = nn.conv2d %x, %w' bias %b'
//
// The run of per-channel affine ops behind each convolution (and then the one
// before it) is first read into one factor and one offset per channel, then
// applied in one go.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

#include <cmath>

namespace modelwright {
#define GEN_PASS_DEF_FOLDBN
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "fold-bn";

namespace {
/// y = factor*x + offset per output channel, and the ops that it stands for.
struct Affine {
  SmallVector<double> factor, offset;
  SmallVector<Operation *> ops;
  /// One of `ops` does more than add.
  bool scales = false;
};

/// Where a run of affine ops is: the type of its values and the shape of one
/// value per channel.
struct Site {
  Type type;
  SmallVector<int64_t> channels;
};

struct FoldBN : modelwright::impl::FoldBNBase<FoldBN> {
  using FoldBNBase::FoldBNBase;

  void runOnOperation() override;

private:
  void foldInto(ConvView conv);
  void foldBefore(nn::Conv2DOp op);
  bool step(Affine &affine, const Site &site, OpOperand &use);
  bool stepBatchNorm(Affine &affine, const Site &site, nn::BatchNormOp op);
  bool hasScalableFilter(ConvView conv, Operation *user);
  bool apply(ConvView conv, const Affine &affine);
  bool applyBefore(ConvView conv, const Affine &affine);
  std::optional<SmallVector<float>> readWeights(ConvView conv, Operation *user);
  bool setWeights(ConvView conv, Operation *user, ArrayRef<float> weights,
                  ArrayRef<double> biases);
  std::optional<SmallVector<double>>
  readChannels(const Site &site, Operation *user, Value value, StringRef what);
  Value makeConstant(OpBuilder &builder, Value like, RankedTensorType type,
                     ArrayRef<float> values);

  template <typename... Args>
  bool refuse(Operation *user, StringRef name, const char *format,
              Args &&...args) {
    remarkMissed(user, kPass, name)
        << reason(format, std::forward<Args>(args)...);
    return false;
  }

  std::optional<BlobNames> names;
};
} // namespace

/// Whether `op` scales: what makes a run of affine ops worth folding.
static bool isScaling(Operation *op) {
  return isa<nn::BatchNormOp, nn::MulOp, nn::DivOp, nn::FmaOp>(op);
}

static bool isAffine(Operation *op) {
  return isScaling(op) || isa<nn::AddOp, nn::SubOp>(op);
}

/// What the elements of `value` are known from: a constant, also one that is
/// only reshaped, as by formats that hold biases as vectors. Null if unknown.
static Value getParameter(Value value) {
  if (auto reshape = value.getDefiningOp<nn::ReshapeOp>())
    if (cast<TensorType>(value.getType()).hasStaticShape())
      value = reshape.getInput();
  return getConstant(value) ? value : Value();
}

/// Whether some operand other than `value` is a constant: ops on two
/// activations are no candidates and deserve no remark.
static bool hasConstantOperand(Operation *op, Value value) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return operand != value && getParameter(operand);
  });
}

void FoldBN::runOnOperation() {
  names.emplace(getOperation(), "bn");
  SmallVector<ConvView> convs;
  getOperation().walk([&](Operation *op) {
    if (std::optional<ConvView> conv = ConvView::get(op))
      convs.push_back(*conv);
  });
  uint64_t before = numBatchNorms + numScales;
  for (ConvView conv : convs)
    foldInto(conv);
  for (ConvView conv : convs)
    if (auto op = dyn_cast<nn::Conv2DOp>(conv.getOperation()))
      foldBefore(op);
  if (!fuse || numBatchNorms + numScales == before)
    return;
  // What the batch norms kept from the convolutions is next to them now.
  OpPassManager pm(func::FuncOp::getOperationName());
  pm.addPass(createFuseConvBias());
  if (failed(runPipeline(pm, getOperation())))
    signalPassFailure();
}

void FoldBN::foldInto(ConvView conv) {
  Affine affine;
  Value value = conv.getResult();
  Site site = {value.getType(), {}};
  if (std::optional<SmallVector<int64_t>> shape = conv.getPerChannelShape())
    site.channels = *shape;
  while (true) {
    if (!value.hasOneUse()) {
      // The result of an addition may well be shared; that of a convolution
      // before a batch norm is what one wants to know about.
      for (Operation *user : value.getUsers())
        if (isa<nn::BatchNormOp>(user) ||
            (isScaling(user) && hasConstantOperand(user, value))) {
          refuse(user, "shared-result",
                 "its operand has other users or leaves the graph");
          break;
        }
      break;
    }
    OpOperand &use = *value.use_begin();
    Operation *user = use.getOwner();
    if (user->getBlock() != conv.getOperation()->getBlock() ||
        !isAffine(user) || !step(affine, site, use) ||
        !hasScalableFilter(conv, user))
      break;
    affine.ops.push_back(user);
    affine.scales |= isScaling(user);
    value = user->getResult(0);
  }
  if (affine.scales)
    apply(conv, affine);
}

/// Whether the weights lie channel by channel. Additions are no reason to ask.
bool FoldBN::hasScalableFilter(ConvView conv, Operation *user) {
  nn::Layout layout = conv.getLayout();
  if (layout == nn::Layout::NCHW || layout == nn::Layout::NHWC)
    return true;
  return isScaling(user)
             ? refuse(user, "layout", "filters of layout {0} are not scaled",
                      nn::stringifyLayout(layout))
             : false;
}

/// The operand of an affine op that is no parameter; null if there is none.
static OpOperand *getDataOperand(Operation *op) {
  if (isa<nn::BatchNormOp>(op))
    return &op->getOpOperand(0);
  OpOperand *data = nullptr;
  for (OpOperand &operand : op->getOpOperands()) {
    if (getParameter(operand.get()))
      continue;
    if (data)
      return nullptr;
    data = &operand;
  }
  return data;
}

/// bn(x) into the convolution that reads it. What pads the input is 0 before
/// and after a scale, but not an offset.
void FoldBN::foldBefore(nn::Conv2DOp op) {
  ConvView conv = *ConvView::get(op);
  auto type = dyn_cast<RankedTensorType>(conv.getInput().getType());
  nn::Layout layout = conv.getLayout();
  if (!type || type.getRank() != 4 ||
      (layout != nn::Layout::NCHW && layout != nn::Layout::NHWC))
    return;
  Site site = {type, {1, 1, 1, 1}};
  unsigned axis = layout == nn::Layout::NCHW ? 1 : 3;
  site.channels[axis] = type.getDimSize(axis);
  if (ShapedType::isDynamic(site.channels[axis]))
    return;

  // From the convolution backwards, then read in program order.
  SmallVector<OpOperand *> run;
  OpOperand *reader = &op->getOpOperand(0);
  while (Operation *producer = reader->get().getDefiningOp()) {
    if (!isAffine(producer) || producer->getBlock() != op->getBlock() ||
        producer->getResult(0) != reader->get())
      break;
    // A value that the op broadcasts is no run's beginning.
    OpOperand *data = getDataOperand(producer);
    if (!data || data->get().getType() != type)
      break;
    if (!reader->get().hasOneUse()) {
      if (isScaling(producer))
        refuse(producer, "shared-result",
               "its result has other users or leaves the graph");
      break;
    }
    run.push_back(data);
    reader = data;
  }
  Affine affine;
  for (OpOperand *data : llvm::reverse(run)) {
    Operation *user = data->getOwner();
    if (!step(affine, site, *data)) {
      affine = {};
      continue;
    }
    affine.ops.push_back(user);
    affine.scales |= isScaling(user);
  }
  if (affine.scales)
    applyBefore(conv, affine);
}

/// The values of a constant as one per channel.
std::optional<SmallVector<double>> FoldBN::readChannels(const Site &site,
                                                        Operation *user,
                                                        Value value,
                                                        StringRef what) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Value parameter = getParameter(value);
  if (!parameter) {
    refuse(user, "parameter", "{0} is not a constant", what);
    return std::nullopt;
  }
  if (!broadcastsPerChannel(type.getShape(), site.channels)) {
    refuse(user, "parameter", "{0} of type {1} does not run along the channels",
           what, type);
    return std::nullopt;
  }
  std::optional<SmallVector<float>> read = getConstantFloats(parameter);
  if (!read || read->empty()) {
    refuse(user, "parameter", "the bytes of {0} are missing or no floats",
           what);
    return std::nullopt;
  }
  int64_t channels = ShapedType::getNumElements(site.channels);
  SmallVector<double> values(channels);
  for (auto [i, number] : llvm::enumerate(values))
    number = (*read)[i % read->size()];
  return values;
}

/// Appends the user of `use` to the affine function. Returns false (after a
/// remark if it is a real candidate) when it is none.
bool FoldBN::step(Affine &affine, const Site &site, OpOperand &use) {
  Operation *user = use.getOwner();
  unsigned position = use.getOperandNumber();
  if (auto norm = dyn_cast<nn::BatchNormOp>(user)) {
    if (position != 0)
      return false;
  } else if (!hasConstantOperand(user, use.get())) {
    return false;
  }
  Type type = site.type;
  Type element = nn::getElementType(type);
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return isScaling(user)
               ? refuse(user, "type", "{0} is not a float type", element)
               : false;
  if (user->getResult(0).getType() != type)
    return isScaling(user) ? refuse(user, "type",
                                    "the result has type {0}, its operand {1}",
                                    user->getResult(0).getType(), type)
                           : false;
  if (site.channels.empty())
    return refuse(user, "type", "the number of channels is not known");
  if (affine.ops.empty()) {
    affine.factor.assign(ShapedType::getNumElements(site.channels), 1);
    affine.offset.assign(affine.factor.size(), 0);
  }
  if (auto norm = dyn_cast<nn::BatchNormOp>(user))
    return stepBatchNorm(affine, site, norm);

  if (isa<nn::DivOp, nn::SubOp>(user) && position != 0)
    return refuse(user, "operand", "the data is the right operand");
  if (isa<nn::FmaOp>(user) && position == 2)
    return false;
  if (auto add = dyn_cast<nn::AddOp>(user))
    if (add.getActivation() != nn::Activation::none)
      return false;
  Value other = user->getOperand(position == 0 ? 1 : 0);
  // An addition that is no bias ends the run; fuse-conv-bias says why.
  if (isa<nn::AddOp, nn::SubOp>(user)) {
    auto otherType = dyn_cast<RankedTensorType>(other.getType());
    if (!otherType ||
        !broadcastsPerChannel(otherType.getShape(), site.channels))
      return false;
  }
  auto values = readChannels(site, user, other, "the constant operand");
  if (!values)
    return false;
  std::optional<SmallVector<double>> addend;
  if (isa<nn::FmaOp>(user)) {
    addend = readChannels(site, user, user->getOperand(2), "the addend");
    if (!addend)
      return false;
  }
  for (size_t i = 0; i < values->size(); ++i) {
    double number = (*values)[i];
    if (isa<nn::AddOp>(user)) {
      affine.offset[i] += number;
    } else if (isa<nn::SubOp>(user)) {
      affine.offset[i] -= number;
    } else if (isa<nn::DivOp>(user)) {
      affine.factor[i] /= number;
      affine.offset[i] /= number;
    } else {
      affine.factor[i] *= number;
      affine.offset[i] *= number;
      if (addend)
        affine.offset[i] += (*addend)[i];
    }
  }
  return true;
}

bool FoldBN::stepBatchNorm(Affine &affine, const Site &site,
                           nn::BatchNormOp op) {
  if (op.getTraining())
    return refuse(op, "training", "it computes the statistics of the batch");
  for (Value stat : op->getResults().drop_front())
    if (!stat.use_empty())
      return refuse(op, "statistics", "its other results are used");
  if (!op.getMean() || !op.getVariance())
    return refuse(op, "statistics", "it has no mean and variance");
  auto scale = readChannels(site, op, op.getScale(), "the scale");
  if (!scale)
    return false;
  auto bias = readChannels(site, op, op.getBias(), "the bias");
  if (!bias)
    return false;
  auto mean = readChannels(site, op, op.getMean(), "the mean");
  if (!mean)
    return false;
  auto variance = readChannels(site, op, op.getVariance(), "the variance");
  if (!variance)
    return false;
  double epsilon = op.getEpsilon().convertToDouble();
  for (size_t i = 0; i < scale->size(); ++i) {
    double factor = (*scale)[i] / std::sqrt((*variance)[i] + epsilon);
    affine.factor[i] *= factor;
    affine.offset[i] =
        affine.offset[i] * factor + (*bias)[i] - (*mean)[i] * factor;
  }
  return true;
}

/// Output channel of every element of a filter, as a function of its index.
static std::function<int64_t(int64_t)> getChannelMap(ConvView conv) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  int64_t groups = conv.getGroups();
  int64_t size = type.getNumElements();
  nn::FilterDims dims = *nn::decodeFilter(
      std::nullopt, conv.getLayout(), conv.hasGroupFilter(), type.getShape());
  if (!conv.hasGroupFilter())
    dims.oc /= groups;
  if (!conv.isTransposed()) {
    // Groups and output channels lead in all plain layouts.
    int64_t inner = size / (groups * dims.oc);
    return [=](int64_t index) { return index / inner; };
  }
  // The result's channels are the filter's input channels.
  bool isLast = conv.getLayout() == nn::Layout::NHWC;
  int64_t window = dims.kh * dims.kw;
  return [=](int64_t index) {
    int64_t channel = isLast ? index % dims.ic : index / window % dims.ic;
    int64_t group = index / (window * dims.ic * dims.oc);
    return group * dims.ic + channel;
  };
}

/// Rounds to f32; false if that is not finite in `limit`.
static bool narrow(double value, double limit, float &result) {
  result = static_cast<float>(value);
  return std::abs(value) <= limit && std::isfinite(result);
}

Value FoldBN::makeConstant(OpBuilder &builder, Value like,
                           RankedTensorType type, ArrayRef<float> values) {
  return nn::ConstantOp::create(
      builder, like.getLoc(), type,
      nn::makeFloatElements(type, names->next(), values));
}

/// The weights, if they are there and may be changed.
std::optional<SmallVector<float>> FoldBN::readWeights(ConvView conv,
                                                      Operation *user) {
  Value filter = conv.getFilter();
  std::optional<MovedConstant> moved = MovedConstant::get(filter);
  std::optional<SmallVector<float>> weights;
  if (moved)
    weights = getConstantFloats(moved->getConstant());
  if (!weights) {
    refuse(user, "weights",
           moved ? "the bytes of the weights are missing or no floats"
                 : "the weights are not a constant");
    return std::nullopt;
  }
  if (moved->getConstant() != filter) {
    SmallVector<float> inOrder;
    inOrder.reserve(weights->size());
    for (int64_t index : moved->getOrder())
      inOrder.push_back((*weights)[index]);
    weights = std::move(inOrder);
  }
  uint64_t bytes = *nn::getByteSize(cast<RankedTensorType>(filter.getType()));
  if (moved->isShared() && bytes > maxSharedBytes) {
    refuse(user, "weights",
           "the weights are shared and their {0} bytes exceed "
           "max-shared-bytes={1}",
           bytes, uint64_t(maxSharedBytes));
    return std::nullopt;
  }
  return weights;
}

/// Replaces the weights and, unless they are all 0 and there was none, the
/// biases. Changes nothing if a bias is not finite.
bool FoldBN::setWeights(ConvView conv, Operation *user, ArrayRef<float> weights,
                        ArrayRef<double> biases) {
  Type element = nn::getElementType(conv.getResult().getType());
  SmallVector<float> narrowed(biases.size());
  for (auto [i, bias] : llvm::enumerate(narrowed))
    if (!narrow(biases[i], getLargestFloat(element), bias))
      return refuse(user, "overflow",
                    "channel {0}: the bias {1} is not finite "
                    "in {2}",
                    i, biases[i], element);
  Value filter = conv.getFilter();
  std::optional<MovedConstant> moved = MovedConstant::get(filter);
  Value constant = moved->getConstant();
  OpBuilder builder(conv.getOperation());
  if (moved->isShared())
    ++numCopies;
  // Back to where the weights lie in the constant.
  SmallVector<float> stored(weights);
  if (constant != filter)
    for (auto [weight, index] : llvm::zip_equal(weights, moved->getOrder()))
      stored[index] = weight;
  Value changed = makeConstant(
      builder, constant, cast<RankedTensorType>(constant.getType()), stored);
  conv.setFilter(moved->rebuild(builder, changed));
  eraseIfUnused(filter);
  Value oldBias = conv.getBias();
  if (oldBias || llvm::any_of(narrowed, [](float bias) { return bias != 0; })) {
    auto type = RankedTensorType::get(*conv.getPerChannelShape(), element);
    conv.setBias(makeConstant(builder, user->getResult(0), type, narrowed));
    if (oldBias)
      eraseIfUnused(oldBias);
  }
  return true;
}

bool FoldBN::apply(ConvView conv, const Affine &affine) {
  Operation *last = affine.ops.back();
  if (conv.getActivation() != nn::Activation::none)
    return refuse(last, "activation", "the convolution ends with {0}",
                  nn::stringifyActivation(conv.getActivation()));
  if (conv.getResidual())
    return refuse(last, "residual", "the convolution has a residual");
  std::optional<SmallVector<float>> weights = readWeights(conv, last);
  if (!weights)
    return false;
  SmallVector<double> offset(affine.offset);
  if (Value bias = conv.getBias()) {
    Site site = {conv.getResult().getType(), *conv.getPerChannelShape()};
    auto values = readChannels(site, last, bias, "the convolution's bias");
    if (!values)
      return false;
    for (size_t i = 0; i < offset.size(); ++i)
      offset[i] += (*values)[i] * affine.factor[i];
  }
  Type element = nn::getElementType(conv.getFilter().getType());
  auto channelOf = getChannelMap(conv);
  for (auto [i, weight] : llvm::enumerate(*weights)) {
    double factor = affine.factor[channelOf(i)];
    if (!std::isfinite(factor) ||
        !narrow(weight * factor, getLargestFloat(element), weight))
      return refuse(last, "overflow",
                    "channel {0}: a weight times {1} is not finite in {2}",
                    channelOf(i), factor, element);
  }
  if (!setWeights(conv, last, *weights, offset))
    return false;
  remarkPassed(last, kPass, "fold")
      << remark::add("folded {0} ops into the weights", affine.ops.size());
  for (Operation *op : affine.ops) {
    isa<nn::BatchNormOp>(op) ? ++numBatchNorms : ++numScales;
    llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
    absorb(conv.getOperation(), op);
    llvm::for_each(operands, eraseIfUnused);
  }
  return true;
}

/// Input channel of every element of a filter of nn.conv2d.
static std::function<int64_t(int64_t)> getInputChannelMap(ConvView conv) {
  auto type = cast<RankedTensorType>(conv.getFilter().getType());
  nn::FilterDims dims = *nn::decodeFilter(
      std::nullopt, conv.getLayout(), conv.hasGroupFilter(), type.getShape());
  int64_t ic = dims.ic, window = dims.kh * dims.kw;
  int64_t perGroup = type.getNumElements() / conv.getGroups();
  bool isLast = conv.getLayout() == nn::Layout::NHWC;
  return [=](int64_t index) {
    int64_t channel = isLast ? index % ic : index / window % ic;
    return index / perGroup * ic + channel;
  };
}

bool FoldBN::applyBefore(ConvView conv, const Affine &affine) {
  Operation *last = affine.ops.back();
  auto op = cast<nn::Conv2DOp>(conv.getOperation());
  bool shifts =
      llvm::any_of(affine.offset, [](double offset) { return offset != 0; });
  if (shifts && llvm::any_of(op.getPads(), [](int64_t pad) { return pad; }))
    return refuse(last, "padding",
                  "the padding of the convolution is not shifted");
  std::optional<SmallVector<int64_t>> shape = conv.getPerChannelShape();
  if (!shape)
    return refuse(last, "type", "the number of output channels is not known");
  std::optional<SmallVector<float>> weights = readWeights(conv, last);
  if (!weights)
    return false;
  SmallVector<double> biases(ShapedType::getNumElements(*shape), 0);
  if (Value bias = conv.getBias()) {
    Site site = {conv.getResult().getType(), *shape};
    auto values = readChannels(site, last, bias, "the convolution's bias");
    if (!values)
      return false;
    biases = *values;
  }
  Type element = nn::getElementType(conv.getFilter().getType());
  auto inputOf = getInputChannelMap(conv), outputOf = getChannelMap(conv);
  for (auto [i, weight] : llvm::enumerate(*weights)) {
    int64_t channel = inputOf(i);
    biases[outputOf(i)] += weight * affine.offset[channel];
    double factor = affine.factor[channel];
    if (!std::isfinite(factor) ||
        !narrow(weight * factor, getLargestFloat(element), weight))
      return refuse(last, "overflow",
                    "input channel {0}: a weight times {1} is not finite in "
                    "{2}",
                    channel, factor, element);
  }
  if (!setWeights(conv, last, *weights, biases))
    return false;
  remarkPassed(last, kPass, "fold") << remark::add(
      "folded {0} ops into the weights that read them", affine.ops.size());
  op->setLoc(FusedLoc::get(op->getContext(), {last->getLoc(), op->getLoc()}));
  op->setOperand(0, getDataOperand(affine.ops.front())->get());
  for (Operation *dead : llvm::reverse(affine.ops)) {
    isa<nn::BatchNormOp>(dead) ? ++numBatchNorms : ++numScales;
    llvm::SetVector<Value> operands(dead->operand_begin(), dead->operand_end());
    dead->erase();
    llvm::for_each(operands, eraseIfUnused);
  }
  return true;
}
