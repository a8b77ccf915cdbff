//===- LegalizeForGE.cpp - What GE models cannot express ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Legalize.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Dialect/NN/IR/NNConvOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Transforms/Passes.h"

namespace modelwright {
#define GEN_PASS_DEF_LEGALIZEFORGE
#include "modelwright/Transforms/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;
using nn::Activation;

static constexpr llvm::StringLiteral kPass = "legalize-for-ge";

/// What `relu_flag` and `relu_mode` can say.
static bool isFusible(Activation activation) {
  return activation == Activation::none || activation == Activation::relu ||
         activation == Activation::relu6;
}

namespace {
struct LegalizeForGE : modelwright::impl::LegalizeForGEBase<LegalizeForGE> {
  void runOnOperation() override {
    spellCodesAsFloats(getOperation(), [&](Operation *op) {
      ++numQuantized;
      remarkPassed(op, kPass, "quantized") << remark::add(
          "spelled a quantized {0} by floats", op->getName().stripDialect());
    });
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      if (std::optional<ConvView> conv = ConvView::get(op)) {
        numGroupDims += dropGroupDim(*conv);
        numFilters += orderFilterForGE(*conv);
        split(*conv);
      } else if (auto add = dyn_cast<nn::AddOp>(op)) {
        split(add);
      }
    }
    // What was split off may have no spelling of its own.
    decompose();
  }

private:
  /// Replaces what can be spelled by other ops.
  void decompose();
  void split(ConvView conv);
  void split(nn::AddOp add);
  /// Lets `last` stand where `op`, which it is computed from, stood.
  static void replace(Operation *op, Value last);
  static void refuse(Operation *op);
};
} // namespace

void LegalizeForGE::decompose() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) { ops.push_back(op); });
  nn::ShapeValues values;
  for (Operation *op : ops) {
    // Values that contradict an op are the verifier's matter, not this pass's.
    if (failed(values.visit(op)) || op->getNumResults() == 0)
      continue;
    Value value = decomposeForGE(op, values);
    if (!value)
      continue;
    ++numDecomposed;
    remarkPassed(op, kPass, "decompose") << remark::add(
        "spelled a {0} by other ops", op->getName().stripDialect());
    Operation *last = value.getDefiningOp();
    if (last && !llvm::is_contained(op->getOperands(), value))
      moveNames(op, last);
    op->getResult(0).replaceAllUsesWith(value);
    values.forget(op);
    op->erase();
  }
}

void LegalizeForGE::replace(Operation *op, Value last) {
  llvm::SmallPtrSet<Operation *, 4> added;
  Operation *end = last.getDefiningOp();
  for (Operation *next = op->getNextNode(); next != end;
       next = next->getNextNode())
    added.insert(next);
  added.insert(end);
  op->getResult(0).replaceAllUsesExcept(last, added);
  moveNames(op, end);
  remarkPassed(op, kPass, "split")
      << remark::add("unfused a {0}", op->getName().stripDialect());
}

void LegalizeForGE::refuse(Operation *op) {
  // Integers and codes round once in the fused op and twice in two.
  remarkMissed(op, kPass, "type")
      << remark::reason("only float results are unfused exactly");
}

/// Whether the bias has one value per output channel.
static bool hasChannelBias(ConvView conv) {
  std::optional<SmallVector<int64_t>> channels = conv.getPerChannelShape();
  RankedTensorType type = nn::getRanked(conv.getBias().getType());
  return channels && type && broadcastsPerChannel(type.getShape(), *channels);
}

void LegalizeForGE::split(ConvView conv) {
  Activation activation = conv.getActivation();
  SmallVector<Value, 2> addends;
  if (Value bias = conv.getBias(); bias && !hasChannelBias(conv))
    addends.push_back(bias);
  if (Value residual = conv.getResidual())
    addends.push_back(residual);
  if (addends.empty() && isFusible(activation) &&
      (!conv.isTransposed() || activation == Activation::none))
    return;
  Operation *op = conv.getOperation();
  Value result = conv.getResult();
  Type type = result.getType();
  if (!nn::isFloat(nn::getElementType(type)))
    return refuse(op);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  conv.setActivation(Activation::none);
  Value value = result;
  for (Value addend : addends) {
    if (addend == conv.getBias()) {
      ++numBiases;
      conv.setBias({});
    } else {
      ++numResiduals;
      cast<nn::Conv2DOp>(op).getResidualMutable().clear();
    }
    bool fits = addend == addends.back() && isFusible(activation) &&
                addend.getType() == type;
    value = nn::AddOp::create(builder, op->getLoc(), type, value, addend,
                              fits ? activation : Activation::none, TypeAttr());
    if (fits)
      activation = Activation::none;
  }
  numActivations += activation != Activation::none;
  value = appendActivation(builder, op->getLoc(), value, activation, type,
                           TypeAttr());
  replace(op, value);
}

void LegalizeForGE::split(nn::AddOp add) {
  Activation activation = add.getActivation();
  bool fits =
      isFusible(activation) && add.getLhs().getType() == add.getRhs().getType();
  if (activation == Activation::none || fits)
    return;
  if (!nn::isFloat(nn::getElementType(add.getType())))
    return refuse(add);
  ++numActivations;
  OpBuilder builder(add.getContext());
  builder.setInsertionPointAfter(add);
  add.setActivation(Activation::none);
  replace(add,
          appendActivation(builder, add.getLoc(), add.getResult(), activation,
                           add.getType(), add.getOutTypeAttr()));
}
