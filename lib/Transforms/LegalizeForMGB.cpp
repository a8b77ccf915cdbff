//===- LegalizeForMGB.cpp - Rewrite what .mgb cannot express --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = nn.conv2d %x, %w bias %b residual %r {activation = relu}
// -->
//   %1 = nn.conv2d %x, %w bias %b
//   %0 = nn.add %1, %r {activation = relu}
//
//===----------------------------------------------------------------------===//

#include "DecomposeResize.h"
#include "Legalize.h"
#include "Utils.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_LEGALIZEFORMGB
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using nn::Activation;

static constexpr StringLiteral kPass = "legalize-for-mgb";

namespace {
struct LegalizeForMGB : modelwright::impl::LegalizeForMGBBase<LegalizeForMGB> {
  using LegalizeForMGBBase::LegalizeForMGBBase;

  void runOnOperation() override;

private:
  void evenPads(Operation *op);
  bool mustSplit(ConvView conv);
  void decomposeResizes();
  void shareImplicitConstants();
  void separateOutputs();
  void split(ConvView conv);
  bool keepsResidual(ConvView conv);
  Value getSix(Type element);

  /// The constants 6 by element type.
  llvm::DenseMap<Type, Value> sixes;
};
} // namespace

/// What the format's ConvBias applies.
static bool isConvBiasActivation(Activation activation) {
  return activation == Activation::none || activation == Activation::relu ||
         activation == Activation::sigmoid || activation == Activation::h_swish;
}

/// What the format's Elemwise applies to a sum.
static bool isAddActivation(Activation activation) {
  return isConvBiasActivation(activation) || activation == Activation::tanh;
}

void LegalizeForMGB::runOnOperation() {
  sixes.clear();
  // A file of the format may leave the shape of an input open by rank 0.
  if (!getOperation()->hasAttr(mgb::attr::kEncoding))
    numScalars += addDimToScalars(getOperation());
  shareImplicitConstants();
  SmallVector<ConvView> convs;
  SmallVector<Operation *> uneven;
  getOperation().walk([&](Operation *op) {
    if (std::optional<ConvView> conv = ConvView::get(op))
      convs.push_back(*conv);
    if (hasUnevenPads(op))
      uneven.push_back(op);
  });
  for (Operation *op : uneven)
    evenPads(op);
  for (ConvView conv : convs) {
    // The format's grouped filters have a group dim of their own.
    numGroupDims += addGroupDim(conv);
    if (mustSplit(conv))
      split(conv);
  }
  decomposeResizes();
  separateOutputs();
  // Parameters of the image preprocessing of a device, which import leaves
  // behind where the preprocessing does nothing.
  getOperation().walk([](nn::ForeignOp op) {
    if (op.getFormat() == "ge" && op.getType() == "AippConfig" &&
        op.use_empty())
      op.erase();
  });
}

void LegalizeForMGB::decomposeResizes() {
  SmallVector<nn::Resize2DOp> resizes;
  getOperation().walk([&](nn::Resize2DOp op) {
    if (!isMGBResize(op))
      resizes.push_back(op);
  });
  for (nn::Resize2DOp op : resizes) {
    StringRef coordinates = nn::stringifyCoordinates(op.getCoordinates());
    Attribute compNode = op->getDiscardableAttr(mgb::attr::kCompNode);
    if (Operation *last = decomposeResize(op)) {
      ++numResizes;
      if (compNode)
        last->setDiscardableAttr(mgb::attr::kCompNode, compNode);
      remarkPassed(last, kPass, "resize")
          << remark::add("decomposed a resize at coordinates {0}", coordinates);
    } else {
      remarkMissed(op, kPass, "resize")
          << remark::reason("only linear and nearest resizes of static NCHW or "
                            "NHWC shapes are decomposed");
    }
  }
}

/// Every GE op has its own copies of the numbers that it implies; among ops
/// that read values, equal ones are one. Large ones are not looked into.
void LegalizeForMGB::shareImplicitConstants() {
  for (Block &block : getOperation().getBody()) {
    llvm::DenseMap<std::pair<Type, Attribute>, nn::ConstantOp> first;
    for (auto constant :
         llvm::make_early_inc_range(block.getOps<nn::ConstantOp>())) {
      if (!constant->hasAttr(ge::attr::kImplicit) ||
          !isa<DenseElementsAttr>(constant.getValue()))
        continue;
      auto [it, added] = first.try_emplace(
          {constant.getType(), constant.getValue()}, constant);
      if (added)
        continue;
      constant.replaceAllUsesWith(it->second.getResult());
      constant.erase();
    }
  }
}

/// A var has one name. A value that leaves the graph under several gets a copy
/// for each but the first.
void LegalizeForMGB::separateOutputs() {
  func::FuncOp func = getOperation();
  if (!func.getBody().hasOneBlock())
    return;
  Operation *terminator = func.front().getTerminator();
  llvm::DenseMap<Value, StringAttr> first;
  llvm::DenseMap<std::pair<Value, StringAttr>, Value> copies;
  OpBuilder builder(terminator);
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned number = operand.getOperandNumber();
    auto name =
        func.getResultAttrOfType<StringAttr>(number, nn::NNDialect::kNameAttr);
    if (!name)
      continue;
    Value value = operand.get();
    StringAttr usual = first.try_emplace(value, name).first->second;
    if (usual == name)
      continue;
    Value &copy = copies[{value, name}];
    if (!copy) {
      copy = nn::IdentityOp::create(builder, value.getLoc(), value.getType(),
                                    value);
      copy.getDefiningOp()->setDiscardableAttr(mgb::attr::kVars,
                                               builder.getArrayAttr({name}));
      ++numCopies;
      remarkPassed(copy.getDefiningOp(), kPass, "copy")
          << remark::add("output '{0}' is output '{1}' as well",
                         name.getValue(), usual.getValue());
    }
    operand.set(copy);
  }
}

/// The format pads both sides alike.
void LegalizeForMGB::evenPads(Operation *op) {
  StringRef reason;
  if (!splitUnevenPads(op, reason)) {
    remarkMissed(op, kPass, "pads") << remark::reason("{0}", reason);
    return;
  }
  ++numPads;
  remarkPassed(op, kPass, "pads") << remark::add(
      "padded apart what was uneven of {0}", op->getName().stripDialect());
}

bool LegalizeForMGB::mustSplit(ConvView conv) {
  if (conv.isTransposed())
    return conv.getBias() || conv.getActivation() != Activation::none;
  if (!isConvBiasActivation(conv.getActivation()))
    return true;
  return conv.getResidual() && !keepsResidual(conv);
}

/// Whether the residual is written as the fourth input of ConvBias.
bool LegalizeForMGB::keepsResidual(ConvView conv) {
  return conv.getResidual() && (conv.getOperation()->hasAttr(mgb::attr::kOpr) ||
                                (gpu && conv.getBias()));
}

/// Place of a constant 6 among those of other element types.
static unsigned getSixRank(Type element) {
  return element.isF32() ? 0 : element.isF16() ? 1 : 2;
}

/// The constant 6 of shape (1). Those of all element types stand first in the
/// graph, in an order of their own, and one that is there already is taken: a
/// second run, which may fuse the relu6 that it spells and unfuse it again,
/// finds or puts it in the same place.
Value LegalizeForMGB::getSix(Type element) {
  Value &six = sixes[element];
  if (six)
    return six;
  Block &block = getOperation().front();
  auto type = RankedTensorType::get({1}, element);
  auto isSix = [](nn::ConstantOp constant) {
    return cast<RankedTensorType>(constant.getType()).getShape() ==
               ArrayRef<int64_t>{1} &&
           isSplatConstant(constant, 6) &&
           getSharedAttributes(constant).empty();
  };
  Block::iterator place = block.begin();
  for (; auto constant = dyn_cast<nn::ConstantOp>(*place); ++place)
    if (!isSix(constant) || getSixRank(nn::getElementType(
                                constant.getType())) >= getSixRank(element))
      break;
  for (auto constant : block.getOps<nn::ConstantOp>())
    if (constant.getType() == type && isSix(constant)) {
      if (constant->getIterator() != place)
        constant->moveBefore(&block, place);
      return six = constant;
    }
  OpBuilder builder(&block, place);
  return six = nn::ConstantOp::create(builder, getOperation().getLoc(), type,
                                      nn::makeFloatElements(type, "", {6}));
}

/// Lets the convolution return its accumulator if its result is quantized with
/// another scale, and returns the `out_type` for the op that quantizes then.
static TypeAttr exposeAccumulator(ConvView conv) {
  Value result = conv.getResult();
  Type element = nn::getElementType(result.getType());
  Type product = nn::getQuantizedProductType(
      nn::getElementType(conv.getInput().getType()),
      nn::getElementType(conv.getFilter().getType()));
  if (!nn::isQuantized(element) || !product || product == element)
    return {};
  result.setType(nn::getTypeLike(result.getType(), product));
  conv.removeOutType();
  return TypeAttr::get(element);
}

/// Takes off what the format's convolution cannot do.
void LegalizeForMGB::split(ConvView conv) {
  Operation *op = conv.getOperation();
  Value result = conv.getResult();
  Type type = result.getType();
  Activation activation = conv.getActivation();
  Location loc = op->getLoc();
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);

  // The format's quantized sums and activations compute in f32 between codes.
  // Where it has none, this does the same by ops.
  bool inFloat =
      nn::isQuantized(nn::getElementType(type)) && !isAddActivation(activation);
  TypeAttr outType = exposeAccumulator(conv);

  // What is added after the convolution.
  Value addend = keepsResidual(conv) ? Value() : conv.getResidual();
  if (addend) {
    ++numResiduals;
    cast<nn::Conv2DOp>(op).getResidualMutable().clear();
  } else if (conv.isTransposed() && conv.getBias()) {
    addend = conv.getBias();
    ++numBiases;
    conv.setBias({});
  }
  if (activation != Activation::none)
    ++numActivations;
  // relu6 is min(relu(x), 6), where the relu may be the convolution's.
  bool isCut = activation == Activation::relu6 && !modernElemwise;
  if (isCut)
    activation = Activation::relu;
  bool keepsRelu = isCut && !addend && !inFloat && !conv.isTransposed();
  conv.setActivation(keepsRelu ? activation : Activation::none);
  if (keepsRelu)
    activation = Activation::none;

  Value value = result;
  Type quantized = type;
  auto castTo = [&](Value operand, Type like) -> Value {
    return nn::CastOp::create(builder, loc, like, operand,
                              TypeAttr::get(nn::getElementType(like)));
  };
  if (inFloat) {
    type = nn::getTypeLike(type, builder.getF32Type());
    outType = {};
    value = castTo(value, type);
    if (addend)
      addend = castTo(addend,
                      nn::getTypeLike(addend.getType(), builder.getF32Type()));
  }
  if (addend) {
    bool fits = isAddActivation(activation);
    value = nn::AddOp::create(builder, loc, type, value, addend,
                              fits ? activation : Activation::none, outType);
    if (fits)
      activation = Activation::none;
  }
  value = appendActivation(builder, loc, value, activation, type, outType);
  if (isCut)
    value = nn::MinimumOp::create(builder, loc, type, value,
                                  getSix(nn::getElementType(type)), TypeAttr());
  if (inFloat)
    value = castTo(value, quantized);
  remarkPassed(op, kPass, "split") << "unfused a convolution";

  // The new ops stand between the convolution and `value`.
  Operation *last = value.getDefiningOp();
  llvm::SmallPtrSet<Operation *, 8> added = {last};
  for (Operation *next = op->getNextNode(); next != last;
       next = next->getNextNode())
    added.insert(next);
  result.replaceAllUsesExcept(value, added);
  moveNames(op, last);
  if (Attribute compNode = op->getDiscardableAttr(mgb::attr::kCompNode))
    for (Operation *next : added)
      next->setDiscardableAttr(mgb::attr::kCompNode, compNode);
}
