//===- Utils.cpp - What the fusing passes share ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Support/MappedFile.h"
#include "llvm/ADT/SetVector.h"

#include <numeric>

using namespace mlir;
using namespace modelwright;

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

StringRef modelwright::getFunctionName(Operation *op) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    function = op->getParentOfType<FunctionOpInterface>();
  return function ? function.getName() : StringRef();
}

remark::detail::InFlightRemark
modelwright::remarkPassed(Operation *op, StringRef pass, StringRef name) {
  return remark::passed(op->getLoc(),
                        remark::RemarkOpts::name(name).category(pass).function(
                            getFunctionName(op)));
}

remark::detail::InFlightRemark
modelwright::remarkMissed(Operation *op, StringRef pass, StringRef name) {
  return remark::missed(op->getLoc(),
                        remark::RemarkOpts::name(name).category(pass).function(
                            getFunctionName(op)));
}

//===----------------------------------------------------------------------===//
// Fused ops
//===----------------------------------------------------------------------===//

bool modelwright::isNameAttribute(StringRef name) {
  return name == mgb::attr::kName || name == mgb::attr::kVars ||
         name == ge::attr::kName;
}

/// The names of an op, with `mgb.vars` cut down to the one of its first result:
/// the batch norm of the format returns that as its last var.
static void appendNames(Operation *op, SmallVectorImpl<NamedAttribute> &names) {
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    if (!isNameAttribute(attr.getName()))
      continue;
    auto vars = dyn_cast<ArrayAttr>(attr.getValue());
    if (attr.getName() == mgb::attr::kVars && vars && vars.size() > 1)
      attr.setValue(ArrayAttr::get(
          op->getContext(),
          isa<nn::BatchNormOp>(op) ? vars.getValue().back() : vars[0]));
    names.push_back(attr);
  }
}

/// The control edges that a GE op reads.
static void appendControlEdges(Operation *op,
                               llvm::SetVector<Attribute> &list) {
  if (auto edges = op->getAttrOfType<ArrayAttr>(ge::attr::kControl))
    list.insert(edges.begin(), edges.end());
  auto def = op->getAttrOfType<DictionaryAttr>(ge::attr::kOp);
  auto inputs = def ? def.getAs<ArrayAttr>("input") : ArrayAttr();
  for (Attribute input : inputs ? inputs.getValue() : ArrayRef<Attribute>())
    if (auto text = dyn_cast<StringAttr>(input);
        text && text.getValue().ends_with(":-1"))
      list.insert(text);
}

/// What control edges held or hold of two GE ops that become one.
static void mergeControl(Operation *fused, Operation *last,
                         SmallVectorImpl<NamedAttribute> &attrs) {
  llvm::SetVector<Attribute> edges, names;
  appendControlEdges(last, edges);
  if (!edges.empty())
    appendControlEdges(fused, edges);
  Attribute name = last->getDiscardableAttr(ge::attr::kName);
  for (Operation *op : {fused, last}) {
    if (auto list = op->getAttrOfType<ArrayAttr>(ge::attr::kAbsorbed))
      names.insert(list.begin(), list.end());
    Attribute own = op->getDiscardableAttr(ge::attr::kName);
    if (own && name && own != name)
      names.insert(own);
  }
  auto set = [&](StringRef key, const llvm::SetVector<Attribute> &list) {
    llvm::erase_if(attrs, [&](NamedAttribute attr) {
      return attr.getName() == key && !list.empty();
    });
    if (!list.empty())
      attrs.push_back(
          {StringAttr::get(fused->getContext(), key),
           ArrayAttr::get(fused->getContext(), list.getArrayRef())});
  };
  set(ge::attr::kControl, edges);
  set(ge::attr::kAbsorbed, names);
}

SmallVector<NamedAttribute> modelwright::mergeAttributes(Operation *fused,
                                                         Operation *last) {
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr : fused->getDiscardableAttrs()) {
    StringRef name = attr.getName();
    bool isScheduling = name == mgb::attr::kPolicy ||
                        name == mgb::attr::kCompNode ||
                        name == mgb::attr::kPriority;
    // A part of another op that now computes a result of its own is a part no
    // more.
    if (name == ge::attr::kImplicit && !last->hasAttr(ge::attr::kImplicit))
      continue;
    if (!isNameAttribute(name) && (isScheduling || !name.starts_with("mgb.")))
      attrs.push_back(attr);
  }
  if (!fused->hasAttr(ge::attr::kIndex))
    if (Attribute index = last->getDiscardableAttr(ge::attr::kIndex))
      attrs.push_back(
          {StringAttr::get(fused->getContext(), ge::attr::kIndex), index});
  mergeControl(fused, last, attrs);
  appendNames(last, attrs);
  return attrs;
}

void modelwright::absorb(Operation *fused, Operation *last) {
  fused->setDiscardableAttrs(mergeAttributes(fused, last));
  fused->setLoc(
      FusedLoc::get(fused->getContext(), {fused->getLoc(), last->getLoc()}));
  fused->moveBefore(last);
  last->getResult(0).replaceAllUsesWith(fused->getResult(0));
  last->erase();
}

DictionaryAttr modelwright::getSharedAttributes(Operation *op) {
  SmallVector<NamedAttribute> attrs;
  for (NamedAttribute attr : op->getDiscardableAttrs())
    // What a GE op says beyond its name is its spelling only.
    if (!isNameAttribute(attr.getName()) &&
        attr.getName() != mgb::attr::kPriority &&
        !attr.getName().strref().starts_with("ge."))
      attrs.push_back(attr);
  return DictionaryAttr::get(op->getContext(), attrs);
}

bool modelwright::isPartOfFileOp(Operation *op) {
  if (op->hasAttr(ge::attr::kImplicit))
    return true;
  return op->hasAttr(ge::attr::kOp) &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           Operation *producer = operand.getDefiningOp();
           // A constant says how, as an attribute does.
           return producer && producer->hasAttr(ge::attr::kImplicit) &&
                  !isa<nn::ConstantOp>(producer);
         });
}

bool modelwright::leavesGraph(Operation *op) {
  return llvm::any_of(op->getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::IsTerminator>();
  });
}

void modelwright::moveNames(Operation *from, Operation *to) {
  SmallVector<NamedAttribute> names;
  appendNames(from, names);
  for (NamedAttribute attr : names) {
    from->removeDiscardableAttr(attr.getName());
    to->setDiscardableAttr(attr.getName(), attr.getValue());
  }
}

Value modelwright::appendActivation(OpBuilder &builder, Location loc,
                                    Value value, nn::Activation activation,
                                    Type type, TypeAttr outType) {
  switch (activation) {
  case nn::Activation::none:
    return value;
  case nn::Activation::relu:
    return nn::ReluOp::create(builder, loc, type, value, outType);
  case nn::Activation::sigmoid:
    return nn::SigmoidOp::create(builder, loc, type, value, outType);
  case nn::Activation::h_swish:
    return nn::HSwishOp::create(builder, loc, type, value, outType);
  case nn::Activation::tanh:
    return nn::TanhOp::create(builder, loc, type, value, outType);
  case nn::Activation::silu:
    return nn::SiluOp::create(builder, loc, type, value, outType);
  case nn::Activation::h_sigmoid:
    return nn::HSigmoidOp::create(builder, loc, type, value, outType);
  case nn::Activation::relu6:
    return nn::Relu6Op::create(builder, loc, type, value, outType);
  }
  llvm_unreachable("unknown activation");
}

nn::Activation modelwright::getActivationOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, nn::Activation>(op)
      .Case([](nn::ReluOp) { return nn::Activation::relu; })
      .Case([](nn::SigmoidOp) { return nn::Activation::sigmoid; })
      .Case([](nn::HSwishOp) { return nn::Activation::h_swish; })
      .Case([](nn::TanhOp) { return nn::Activation::tanh; })
      .Case([](nn::Relu6Op) { return nn::Activation::relu6; })
      .Case([](nn::SiluOp) { return nn::Activation::silu; })
      .Case([](nn::HSigmoidOp) { return nn::Activation::h_sigmoid; })
      .Default([](Operation *) { return nn::Activation::none; });
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

BlobNames::BlobNames(Operation *op, StringRef tag)
    : prefix((getFunctionName(op) + "_" + tag + "_").str()) {}

std::string BlobNames::next() { return prefix + std::to_string(count++); }

ElementsAttr modelwright::getConstant(Value value) {
  auto constant = value.getDefiningOp<nn::ConstantOp>();
  return constant ? constant.getValue() : ElementsAttr();
}

std::optional<SmallVector<float>> modelwright::getConstantFloats(Value value) {
  ElementsAttr attr = getConstant(value);
  if (!attr)
    return std::nullopt;
  std::optional<SmallVector<float>> numbers = nn::readFloats(attr);
  // What comes of them takes their place.
  SmallVector<char> storage;
  if (auto bytes = nn::getRawBytes(attr, storage))
    releasePages(*bytes);
  return numbers;
}

ElementsAttr modelwright::reshapeElements(ElementsAttr attr,
                                          ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, attr.getElementType());
  if (auto dense = dyn_cast<DenseElementsAttr>(attr))
    return dense.isSplat() ? dense.resizeSplat(type) : dense.reshape(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr))
    return DenseResourceElementsAttr::get(type, resource.getRawHandle());
  return {};
}

double modelwright::getLargestFloat(Type element) {
  APFloat largest =
      APFloat::getLargest(cast<FloatType>(element).getFloatSemantics());
  bool lost;
  largest.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
  return largest.convertToDouble();
}

bool modelwright::isSplatConstant(Value value, float number) {
  ElementsAttr attr = getConstant(value);
  if (!attr)
    return false;
  auto dense = dyn_cast<DenseElementsAttr>(attr);
  if (dense && dense.isSplat())
    attr = dense.resizeSplat(dense.getType().clone({1}));
  if (attr.getNumElements() != 1)
    return false;
  std::optional<SmallVector<float>> values = nn::readFloats(attr);
  return values && values->front() == number;
}

std::optional<MovedConstant> MovedConstant::get(Value value) {
  MovedConstant moved;
  while (true) {
    auto type = nn::getRanked(value.getType());
    Operation *op = value.getDefiningOp();
    if (!type || !type.hasStaticShape() || !op)
      return std::nullopt;
    moved.shared |= !value.hasOneUse();
    if (isa<nn::ConstantOp>(op))
      break;
    auto transpose = dyn_cast<nn::TransposeOp>(op);
    auto reshape = dyn_cast<nn::ReshapeOp>(op);
    // Axes that come and go are nobody's way to store a filter.
    if ((!transpose && !(reshape && ::getConstant(reshape.getShape()))) ||
        (transpose &&
         (llvm::is_contained(transpose.getPermutation(), -1) ||
          nn::getRanked(transpose.getInput().getType()).getRank() !=
              type.getRank())))
      return std::nullopt;
    moved.moves.push_back(op);
    value = op->getOperand(0);
  }
  moved.constant = value;
  std::reverse(moved.moves.begin(), moved.moves.end());
  return moved;
}

SmallVector<int64_t> MovedConstant::getOrder() const {
  auto type = cast<RankedTensorType>(constant.getType());
  SmallVector<int64_t> order(type.getNumElements());
  std::iota(order.begin(), order.end(), 0);
  for (Operation *op : moves) {
    auto transpose = dyn_cast<nn::TransposeOp>(op);
    if (!transpose)
      continue;
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    ArrayRef<int64_t> from =
        cast<RankedTensorType>(transpose.getInput().getType()).getShape();
    ArrayRef<int64_t> to =
        cast<RankedTensorType>(transpose.getType()).getShape();
    SmallVector<int64_t> strides(from.size(), 1), index(to.size(), 0);
    for (size_t axis = from.size(); axis-- > 1;)
      strides[axis - 1] = strides[axis] * from[axis];
    SmallVector<int64_t> moved;
    moved.reserve(order.size());
    int64_t offset = 0;
    for (size_t k = 0; k < order.size(); ++k) {
      moved.push_back(order[offset]);
      for (size_t axis = to.size(); axis-- > 0;) {
        int64_t stride = strides[permutation[axis]];
        offset += stride;
        if (++index[axis] < to[axis])
          break;
        offset -= stride * to[axis];
        index[axis] = 0;
      }
    }
    order = std::move(moved);
  }
  return order;
}

Value MovedConstant::rebuild(OpBuilder &builder, Value newConstant) const {
  Value value = newConstant;
  for (Operation *op : moves) {
    IRMapping mapping;
    mapping.map(op->getOperand(0), value);
    value = builder.clone(*op, mapping)->getResult(0);
  }
  return value;
}

void modelwright::eraseIfUnused(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<nn::ConstantOp, nn::ReshapeOp, nn::TransposeOp>(op) ||
      !op->use_empty())
    return;
  // What moves goes only with the constant that it moves.
  llvm::SmallSetVector<Value, 2> operands(op->operand_begin(),
                                          op->operand_end());
  if (!isa<nn::ConstantOp>(op) && !MovedConstant::get(value))
    return;
  op->erase();
  for (Value operand : operands)
    eraseIfUnused(operand);
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

std::optional<ConvView> ConvView::get(Operation *op) {
  if (isa<nn::Conv2DOp, nn::ConvTranspose2DOp>(op))
    return ConvView(op);
  return std::nullopt;
}

/// Calls `function` with the op by its class.
template <typename Function>
static auto visit(Operation *op, Function function) {
  if (auto conv = dyn_cast<nn::Conv2DOp>(op))
    return function(conv);
  return function(cast<nn::ConvTranspose2DOp>(op));
}

Value ConvView::getBias() const {
  return visit(op, [](auto conv) -> Value { return conv.getBias(); });
}

void ConvView::setBias(Value bias) {
  visit(op, [&](auto conv) {
    if (bias)
      conv.getBiasMutable().assign(bias);
    else
      conv.getBiasMutable().clear();
  });
}

Value ConvView::getResidual() const {
  auto conv = dyn_cast<nn::Conv2DOp>(op);
  return conv ? conv.getResidual() : Value();
}

nn::Activation ConvView::getActivation() const {
  return visit(op, [](auto conv) { return conv.getActivation(); });
}

void ConvView::setActivation(nn::Activation activation) {
  visit(op, [&](auto conv) { conv.setActivation(activation); });
}

nn::Layout ConvView::getLayout() const {
  return visit(op, [](auto conv) { return conv.getLayout(); });
}

bool ConvView::hasGroupFilter() const {
  return visit(op, [](auto conv) { return conv.getGroupFilter(); });
}

void ConvView::setGroupFilter(bool hasGroupDim) {
  visit(op, [&](auto conv) { conv.setGroupFilter(hasGroupDim); });
}

void ConvView::removeOutType() {
  visit(op, [](auto conv) { conv.removeOutTypeAttr(); });
}

int64_t ConvView::getGroups() const {
  return visit(op, [](auto conv) -> int64_t { return conv.getGroups(); });
}

std::optional<SmallVector<int64_t>> ConvView::getPerChannelShape() const {
  RankedTensorType type = nn::getRanked(getResult().getType());
  if (!type)
    return std::nullopt;
  nn::Layout layout = nn::getOutputLayout(getLayout());
  FailureOr<nn::ActivationDims> dims =
      nn::decodeActivation(std::nullopt, layout, type.getShape());
  if (failed(dims) || ShapedType::isDynamic(dims->c))
    return std::nullopt;
  return nn::encodeActivation(layout, {1, dims->c, 1, 1});
}

bool modelwright::broadcastsPerChannel(ArrayRef<int64_t> shape,
                                       ArrayRef<int64_t> perChannel) {
  if (shape.size() > perChannel.size())
    return false;
  ArrayRef<int64_t> aligned = perChannel.take_back(shape.size());
  for (auto [dim, channels] : llvm::zip_equal(shape, aligned))
    if (dim != 1 && dim != channels)
      return false;
  return true;
}
