//===- AssignHalos.cpp - Padding in memory --------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockedBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_ASSIGNHALOS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// What windows of `kernel` rows and columns reach around the input, if
/// `outputs` rows and columns are made.
template <typename OpT>
static Halo getWindowHalo(OpT op, ArrayRef<int64_t> kernel,
                          ArrayRef<int64_t> outputs) {
  BlockedShape input = BlockedShape::get(
      cast<ShapedType>(op.getInput().getType()), Halo::get(op.getInputHalo()));
  auto reach = [&](unsigned dim, int64_t size) {
    int64_t last = (outputs[dim] - 1) * op.getStrides()[dim] -
                   op.getPads()[dim] +
                   (kernel[dim] - 1) * op.getDilations()[dim];
    return std::max<int64_t>(0, last + 1 - size);
  };
  return {std::max<int64_t>(0, op.getPads()[0]),
          std::max<int64_t>(0, op.getPads()[1]), reach(0, input.height),
          reach(1, input.width)};
}

/// The halo that the reader `operand` needs.
static Halo getWantedHalo(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (operand.getOperandNumber() != 0)
    return {};
  auto getOutputs = [](auto conv) {
    BlockedShape shape = BlockedShape::get(
        cast<ShapedType>(conv.getInit().getType()), Halo::get(conv.getHalo()));
    return SmallVector<int64_t, 2>{shape.height, shape.width};
  };
  if (auto conv = dyn_cast<Conv2DOp>(op)) {
    SmallVector<int64_t, 2> outputs = getOutputs(conv);
    // Squares that stick out of the result read what these outputs would.
    if (conv.getAlgorithm() == Algorithm::winograd4)
      for (auto [output, squares] :
           llvm::zip_equal(outputs, conv.getWinogradSquares()))
        output = 4 * squares;
    return getWindowHalo(conv, conv.getKernelSize(), outputs);
  }
  if (auto conv = dyn_cast<DepthwiseConv2DOp>(op)) {
    auto weights = cast<ShapedType>(conv.getWeights().getType());
    return getWindowHalo(conv, weights.getShape().slice(1, 2),
                         getOutputs(conv));
  }
  return {};
}

/// What the reader `operand` wants to find in the halo.
static int64_t getWantedFill(OpOperand &operand) {
  if (operand.getOperandNumber() != 0)
    return 0;
  return llvm::TypeSwitch<Operation *, int64_t>(operand.getOwner())
      .Case<Conv2DOp, DepthwiseConv2DOp>(
          [](auto conv) { return int64_t(conv.getPadding().value_or(0)); })
      .Default([](Operation *) { return 0; });
}

/// Sets element `index` of an array of halos.
static ArrayAttr replaceHalo(ArrayAttr halos, unsigned index, Attribute halo) {
  SmallVector<Attribute> changed(halos.getValue());
  changed[index] = halo;
  return ArrayAttr::get(halos.getContext(), changed);
}

/// Tells the reader `operand` of its new halo.
static void setOperandHalo(OpOperand &operand, DenseI64ArrayAttr halo) {
  unsigned index = operand.getOperandNumber();
  auto setExtra = [&](auto op, unsigned first) {
    op.setExtraHalosAttr(replaceHalo(op.getExtraHalos(), index - first, halo));
  };
  llvm::TypeSwitch<Operation *>(operand.getOwner())
      .Case<Conv2DOp, DepthwiseConv2DOp>([&](auto op) {
        if (index == 0)
          op.setInputHaloAttr(halo);
        else
          setExtra(op, 2);
      })
      .Case<EltwiseOp>([&](auto op) { setExtra(op, 0); })
      .Case<GatherChannelsOp>([&](auto op) {
        op.setInputHalosAttr(replaceHalo(op.getInputHalos(), index, halo));
      })
      .Case<Pool2DOp>([&](auto op) { op.setInputHaloAttr(halo); })
      .Case<UnpackOp>([&](auto op) { op.setHaloAttr(halo); });
}

namespace {
class AssignHalos : public cpu::impl::AssignHalosBase<AssignHalos> {
public:
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      llvm::TypeSwitch<Operation *>(op)
          .Case<PackOp, Conv2DOp, DepthwiseConv2DOp, EltwiseOp,
                GatherChannelsOp, Pool2DOp>([&](auto kernel) {
            if (failed(assign(kernel)))
              signalPassFailure();
          });
    });
  }

private:
  /// Channel vectors are blocked tensors, too, but reshaped: readers of other
  /// dialects, which know no halo, get a copy without one.
  template <typename OpT> static void keepForOthers(OpT op) {
    auto isOther = [](OpOperand &use) {
      return !isa<CPUDialect>(use.getOwner()->getDialect());
    };
    Value result = op.getResult();
    if (llvm::none_of(result.getUses(), isOther))
      return;
    auto type = cast<RankedTensorType>(result.getType());
    BlockedShape shape = BlockedShape::get(type, Halo::get(op.getHalo()));
    ImplicitLocOpBuilder b(op.getLoc(), op->getContext());
    b.setInsertionPointAfter(op);
    Value image = emitUnpack(
        b, result,
        RankedTensorType::get({shape.batch, shape.blocks * shape.block,
                               shape.height, shape.width},
                              type.getElementType()));
    Value copy = emitPack(b, image, shape.block);
    result.replaceUsesWithIf(copy, isOther);
  }

  template <typename OpT> static LogicalResult assign(OpT op) {
    Value result = op.getResult();
    if (!result)
      return success();
    Halo halo;
    std::optional<int64_t> fill;
    for (OpOperand &use : result.getUses()) {
      Halo wanted = getWantedHalo(use);
      if (wanted.isEmpty())
        continue;
      // Readers of the same numbers want the same code for 0.
      if (fill && *fill != getWantedFill(use))
        return op.emitOpError("is padded in two ways by its readers");
      fill = getWantedFill(use);
      halo = {std::max(halo.top, wanted.top), std::max(halo.left, wanted.left),
              std::max(halo.bottom, wanted.bottom),
              std::max(halo.right, wanted.right)};
    }
    if (halo.isEmpty() || halo == Halo::get(op.getHalo()))
      return success();
    auto old = cast<RankedTensorType>(result.getType());
    BlockedShape shape = BlockedShape::get(old, Halo::get(op.getHalo()));
    auto type =
        RankedTensorType::get(shape.getShape(halo), old.getElementType());
    keepForOthers(op);
    OpBuilder builder(op);
    auto attr = builder.getDenseI64ArrayAttr(halo.toArray());
    op.getInitMutable().assign(tensor::EmptyOp::create(
        builder, op.getLoc(), type.getShape(), type.getElementType()));
    op.setHaloAttr(attr);
    if (*fill != 0)
      op.setFill(*fill);
    result.setType(type);
    for (OpOperand &use : result.getUses())
      setOperandHalo(use, attr);
    return success();
  }
};
} // namespace
