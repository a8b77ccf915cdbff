//===- SimplifyMoves.cpp - Casts, transposes and reshapes in vain ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %1 = nn.cast %x             f16 -> f32
//   %2 = nn.transpose %1        [0, 2, 3, 1]
//   %3 = nn.cast %2             f32 -> f16
//   %4 = nn.transpose %3        [0, 3, 1, 2]      -->  %x
//
// Casts change elements and moves their places: both kinds of a chain are
// reduced on their own.
//
//===----------------------------------------------------------------------===//

#include "Utils.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace modelwright {
#define GEN_PASS_DEF_SIMPLIFYMOVES
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using remark::reason;

static constexpr StringLiteral kPass = "simplify-moves";

/// Longer chains are looked at from their end only.
static constexpr size_t kLongestChain = 32;

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
enum class Kind { Copy, Cast, Transpose, Reshape, Relayout };

/// What one op of a chain does, apart from its operand.
struct Step {
  Kind kind;
  /// The op that says so, or one whose other facts the step keeps.
  Operation *source;
  /// Element types of a cast.
  Type from, to;
  /// Shapes of a move.
  SmallVector<int64_t> inputShape, shape;
  /// Of a transpose.
  SmallVector<int64_t> permutation;
};
} // namespace

static std::optional<Step> getStep(Operation *op) {
  if (!op || op->getNumResults() != 1 ||
      (!isa<nn::CopyOp>(op) && isPartOfFileOp(op)))
    return std::nullopt;
  Kind kind;
  if (isa<nn::IdentityOp>(op) ||
      (isa<nn::CopyOp>(op) && !op->hasAttr(mgb::attr::kCompNode)))
    kind = Kind::Copy;
  else if (isa<nn::CastOp>(op))
    kind = Kind::Cast;
  else if (isa<nn::TransposeOp>(op))
    kind = Kind::Transpose;
  else if (isa<nn::ReshapeOp, nn::ExpandSqueezeOp>(op))
    kind = Kind::Reshape;
  else if (isa<nn::RelayoutOp>(op))
    kind = Kind::Relayout;
  else
    return std::nullopt;
  RankedTensorType input = nn::getRanked(op->getOperand(0).getType());
  RankedTensorType result = nn::getRanked(op->getResult(0).getType());
  if (!input || !result)
    return std::nullopt;
  Step step{kind,
            op,
            input.getElementType(),
            result.getElementType(),
            llvm::to_vector(input.getShape()),
            llvm::to_vector(result.getShape()),
            {}};
  // Anything that is said of an element beyond its place is not modelled here.
  if (kind != Kind::Cast && step.from != step.to)
    return std::nullopt;
  if (auto transpose = dyn_cast<nn::TransposeOp>(op)) {
    step.permutation = llvm::to_vector(transpose.getPermutation());
    if (static_cast<int64_t>(step.permutation.size()) != input.getRank() ||
        llvm::is_contained(step.permutation, -1))
      return std::nullopt;
  }
  if (auto relayout = dyn_cast<nn::RelayoutOp>(op))
    if (relayout.getGroups() != 1 || relayout.getOutTypeAttr())
      return std::nullopt;
  return step;
}

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Whether every value of type `from` is one of type `to`.
static bool keepsValues(Type from, Type to) {
  if (from == to)
    return true;
  auto fromFloat = dyn_cast<FloatType>(from);
  auto toFloat = dyn_cast<FloatType>(to);
  if (fromFloat && toFloat) {
    const llvm::fltSemantics &a = fromFloat.getFloatSemantics();
    const llvm::fltSemantics &b = toFloat.getFloatSemantics();
    return APFloat::semanticsPrecision(a) <= APFloat::semanticsPrecision(b) &&
           APFloat::semanticsMaxExponent(a) <=
               APFloat::semanticsMaxExponent(b) &&
           APFloat::semanticsMinExponent(a) >= APFloat::semanticsMinExponent(b);
  }
  auto fromInt = dyn_cast<IntegerType>(from);
  if (!fromInt)
    return false;
  // A boolean is 0 or 1 in every type; others are signed unless they say so.
  unsigned width = fromInt.getWidth();
  bool isUnsigned = fromInt.isUnsigned() || width == 1;
  unsigned digits = isUnsigned ? width : width - 1;
  if (toFloat)
    return digits <= APFloat::semanticsPrecision(toFloat.getFloatSemantics());
  auto toInt = dyn_cast<IntegerType>(to);
  if (!toInt || toInt.getWidth() == 1)
    return false;
  if (toInt.isUnsigned())
    return isUnsigned && width <= toInt.getWidth();
  return digits <= toInt.getWidth() - 1;
}

/// The shortest sequence of casts that computes what `casts` does. `narrowed`
/// is set to a cast that stands in the way.
static SmallVector<Step> reduceCasts(ArrayRef<Step> casts,
                                     Operation *&narrowed) {
  SmallVector<Step> reduced;
  for (Step step : casts) {
    if (!reduced.empty() && !nn::isUnknown(step.to)) {
      Step &last = reduced.back();
      if (keepsValues(last.from, last.to)) {
        step.from = last.from;
        reduced.pop_back();
      } else if (last.from == step.to) {
        narrowed = last.source;
      }
    }
    if (step.from != step.to || nn::isUnknown(step.to))
      reduced.push_back(std::move(step));
  }
  return reduced;
}

//===----------------------------------------------------------------------===//
// Moves
//===----------------------------------------------------------------------===//

static bool isStatic(ArrayRef<int64_t> shape) {
  return !ShapedType::isDynamicShape(shape);
}

static bool isNoMove(const Step &step) {
  switch (step.kind) {
  case Kind::Transpose:
    return llvm::equal(step.permutation,
                       llvm::seq<int64_t>(0, step.permutation.size()));
  case Kind::Reshape:
    return isStatic(step.shape) && step.shape == step.inputShape;
  default:
    return false;
  }
}

/// Whether the second relayout takes back what the first does. The first must
/// not drop anything: padding is dropped by the second at most.
static bool undoes(const Step &first, const Step &second) {
  using Mode = nn::RelayoutMode;
  static constexpr std::pair<Mode, Mode> kInverse[] = {
      {Mode::NHWC_NHWCD4, Mode::NHWCD4_NHWC},
      {Mode::NHWC_NHWCD4I, Mode::NHWCD4I_NHWC},
      {Mode::NCHW_NHWCD4, Mode::NHWCD4_NCHW},
      {Mode::NCHW_NHWCD4I, Mode::NHWCD4I_NCHW},
      {Mode::NCHW4_CHWN4, Mode::CHWN4_NCHW4},
      {Mode::NCHW_NCHW88, Mode::NCHW88_NCHW},
      {Mode::NCHW_NCHW4, Mode::NCHW4_NCHW},
      {Mode::NCHW_NCHW64, Mode::NCHW64_NCHW},
      {Mode::NCHW_NHWC, Mode::NHWC_NCHW}};
  if (!isStatic(first.inputShape) || first.inputShape != second.shape)
    return false;
  Mode a = cast<nn::RelayoutOp>(first.source).getMode();
  Mode b = cast<nn::RelayoutOp>(second.source).getMode();
  if (llvm::is_contained(kInverse, std::pair(a, b)))
    return true;
  // From blocks and back: only without lanes that the plain layout has not.
  return llvm::is_contained(kInverse, std::pair(b, a)) &&
         isStatic(first.shape) &&
         ShapedType::getNumElements(first.shape) ==
             ShapedType::getNumElements(first.inputShape);
}

/// Lets `last` do what both do; false if no single move can.
static bool mergeMoves(const Step &first, Step &last) {
  if (first.kind != last.kind)
    return false;
  switch (first.kind) {
  case Kind::Transpose:
    for (int64_t &axis : last.permutation)
      axis = first.permutation[axis];
    break;
  case Kind::Reshape:
    // A reshape takes its shape from its operand, whatever it reads.
    if (!isa<nn::ReshapeOp>(last.source) &&
        !(isStatic(last.shape) && last.shape == first.inputShape))
      return false;
    break;
  case Kind::Relayout:
    if (!undoes(first, last))
      return false;
    break;
  default:
    return false;
  }
  last.inputShape = first.inputShape;
  return true;
}

static SmallVector<Step> reduceMoves(ArrayRef<Step> moves) {
  SmallVector<Step> reduced;
  for (Step step : moves) {
    bool gone = isNoMove(step);
    while (!gone && !reduced.empty() && mergeMoves(reduced.back(), step)) {
      gone = isNoMove(step) || step.kind == Kind::Relayout;
      reduced.pop_back();
    }
    if (!gone)
      reduced.push_back(std::move(step));
  }
  return reduced;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// A chain of ops and the steps that can take its place.
struct Plan {
  /// From the first op to the last.
  SmallVector<Step> chain;
  SmallVector<Step> steps;
  /// Ops that the graph loses, less those it gains.
  int profit = 0;
};

struct SimplifyMoves : modelwright::impl::SimplifyMovesBase<SimplifyMoves> {
  void runOnOperation() override;

private:
  bool simplify(Operation *last, bool remarks);
  bool rewrite(Operation *last, const Plan &plan, bool remarks);

  /// Shapes of reshapes that are gone. They go at the end of a sweep: they may
  /// be what another chain reads.
  llvm::SetVector<Value> constants;
};
} // namespace

void SimplifyMoves::runOnOperation() {
  // What becomes free of other readers may go in another sweep. The last one,
  // which changes nothing, tells why.
  for (bool changed = true, remarks = false; changed || !remarks;) {
    remarks = !changed;
    changed = false;
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      if (getStep(op))
        ops.push_back(op);
    });
    // From the end, so that a chain is seen whole before its parts; what an op
    // takes along comes before it and is not looked at again.
    llvm::DenseSet<Operation *> alive(ops.begin(), ops.end());
    for (Operation *op : llvm::reverse(ops)) {
      if (!alive.contains(op))
        continue;
      SmallVector<Operation *> sources;
      for (Operation *at = op; at && getStep(at);
           at = at->getOperand(0).getDefiningOp())
        sources.push_back(at);
      if (!simplify(op, remarks))
        continue;
      changed = true;
      // The op is gone, and of its sources those that had no other reader.
      for (Operation *source : sources)
        alive.erase(source);
    }
    llvm::for_each(constants, eraseIfUnused);
    constants.clear();
  }
}

/// The chain that ends with `last`, from its first op.
static SmallVector<Step> getChain(Operation *last) {
  SmallVector<Step> chain;
  bool hasCast = false, hasRelayout = false;
  for (Operation *op = last; chain.size() < kLongestChain;
       op = op->getOperand(0).getDefiningOp()) {
    std::optional<Step> step = getStep(op);
    if (!step || op->getBlock() != last->getBlock())
      break;
    // Relayouts make elements, of padding, that a cast would see.
    hasCast |= step->kind == Kind::Cast;
    hasRelayout |= step->kind == Kind::Relayout;
    if (hasCast && hasRelayout)
      break;
    chain.push_back(std::move(*step));
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

bool SimplifyMoves::simplify(Operation *last, bool remarks) {
  SmallVector<Step> chain = getChain(last);
  Plan best;
  Operation *narrowed = nullptr;
  for (size_t begin = 0; begin < chain.size(); ++begin) {
    Plan plan;
    plan.chain.assign(chain.begin() + begin, chain.end());
    SmallVector<Step> casts, moves;
    for (const Step &step : plan.chain)
      if (step.kind != Kind::Copy)
        (step.kind == Kind::Cast ? casts : moves).push_back(step);
    casts = reduceCasts(casts, narrowed);
    moves = reduceMoves(moves);
    // A chain that began with a cast does so on.
    bool castsFirst = plan.chain.front().kind == Kind::Cast;
    plan.steps = castsFirst ? casts : moves;
    llvm::append_range(plan.steps, castsFirst ? moves : casts);
    // Ops that others read stay, and what they are made from.
    int removed = 1;
    for (const Step &step : llvm::reverse(ArrayRef(plan.chain).drop_back())) {
      if (!step.source->hasOneUse())
        break;
      ++removed;
    }
    plan.profit = removed - static_cast<int>(plan.steps.size());
    // Of equal ones the shortest chain: the last.
    if (plan.profit > 0 && plan.profit >= best.profit)
      best = std::move(plan);
  }
  if (best.profit > 0)
    return rewrite(last, best, remarks);
  if (narrowed && remarks)
    remarkMissed(narrowed, kPass, "narrowing")
        << reason("the cast loses values that the one back cannot restore");
  return false;
}

/// Whether the name of `last` can go over to what computes `value`.
static std::optional<StringRef> findNameClash(Operation *last, Value value) {
  bool hasName = llvm::any_of(last->getDiscardableAttrs(), [](auto attr) {
    return isNameAttribute(attr.getName());
  });
  if (!hasName || !leavesGraph(last))
    return std::nullopt;
  Operation *producer = value.getDefiningOp();
  if (!producer)
    return "an input would leave the graph under another name";
  if (leavesGraph(producer))
    return "a value would leave the graph under two names";
  if (producer->getNumResults() != 1 || producer->hasAttr(ge::attr::kImplicit))
    return "what computes the value cannot take its name";
  return std::nullopt;
}

/// Makes the op of one step.
static Operation *make(OpBuilder &builder, const Step &step, Value input) {
  auto type = cast<RankedTensorType>(input.getType());
  // The step's own facts stay; operand and types change.
  Operation *op = builder.clone(*step.source);
  op->setOperand(0, input);
  if (step.kind == Kind::Cast) {
    op->getResult(0).setType(RankedTensorType::get(type.getShape(), step.to));
    return op;
  }
  if (auto transpose = dyn_cast<nn::TransposeOp>(op))
    transpose.setPermutation(step.permutation);
  op->getResult(0).setType(
      RankedTensorType::get(step.shape, type.getElementType()));
  return op;
}

bool SimplifyMoves::rewrite(Operation *last, const Plan &plan, bool remarks) {
  Value value = plan.chain.front().source->getOperand(0);
  if (plan.steps.empty())
    if (std::optional<StringRef> clash = findNameClash(last, value)) {
      if (remarks)
        remarkMissed(last, kPass, "output-name") << reason("{0}", *clash);
      return false;
    }
  SmallVector<Location> locations;
  for (const Step &step : plan.chain)
    locations.push_back(step.source->getLoc());
  OpBuilder builder(last);
  builder.setInsertionPoint(last);
  for (const Step &step : plan.steps) {
    Operation *op = make(builder, step, value);
    for (NamedAttribute attr : llvm::to_vector(op->getDiscardableAttrs()))
      if (isNameAttribute(attr.getName()))
        op->removeDiscardableAttr(attr.getName());
    op->setLoc(FusedLoc::get(op->getContext(), locations));
    value = op->getResult(0);
    ++numMade;
  }
  remarkPassed(last, kPass, "simplify") << remark::add(
      "{0} ops became {1}", plan.chain.size(), plan.steps.size());
  if (!plan.steps.empty() || leavesGraph(last))
    if (Operation *producer = value.getDefiningOp()) {
      moveNames(last, producer);
      if (Attribute index = last->getDiscardableAttr(ge::attr::kIndex);
          index && !plan.steps.empty())
        producer->setDiscardableAttr(ge::attr::kIndex, index);
    }
  last->getResult(0).replaceAllUsesWith(value);
  for (const Step &step : llvm::reverse(plan.chain)) {
    Operation *op = step.source;
    if (!op->use_empty())
      break;
    for (Value operand : op->getOperands().drop_front())
      if (getConstant(operand))
        constants.insert(operand);
    op->erase();
    ++numRemoved;
  }
  return true;
}
