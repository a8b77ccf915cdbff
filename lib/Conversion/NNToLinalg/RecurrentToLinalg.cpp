//===- RecurrentToLinalg.cpp - Recurrent layers ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Results = FailureOr<SmallVector<Value>>;

/// The operands of one float type, as numbers.
static SmallVector<Value> toNumbers(ImplicitLocOpBuilder &b, ValueRange values,
                                    Type element) {
  return llvm::map_to_vector(values, [&](Value value) {
    return emitCastTensor(b, value, element, getNumberType(element));
  });
}

/// Entry `index` (of index type) along the first dim.
static Value emitEntry(ImplicitLocOpBuilder &b, Value tensor,
                       OpFoldResult index) {
  RankedTensorType type = getTensor(tensor);
  SmallVector<OpFoldResult> offsets(type.getRank(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes, strides(type.getRank(), b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  offsets[0] = index;
  sizes[0] = b.getIndexAttr(1);
  return tensor::ExtractSliceOp::create(
      b,
      RankedTensorType::get(type.getShape().drop_front(),
                            type.getElementType()),
      tensor, offsets, sizes, strides);
}

namespace {
/// What is kept from one time step to the next: the second is an LSTM's.
struct State {
  Value hidden, cell;
};
} // namespace

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static Value emitRNNStep(ImplicitLocOpBuilder &b, Value gates,
                         Activation activation) {
  return emitElementwise(b, getTensor(gates), gates,
                         [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                           return emitActivation(inner, values[0], activation);
                         });
}

/// The columns of a matrix from `column` on, as a tensor of `type`.
static Value emitColumns(ImplicitLocOpBuilder &b, Value matrix, int64_t column,
                         RankedTensorType type) {
  SmallVector<OpFoldResult> offsets = {b.getIndexAttr(0),
                                       b.getIndexAttr(column)};
  SmallVector<OpFoldResult> sizes, strides(2, b.getIndexAttr(1));
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  return tensor::ExtractSliceOp::create(b, type, matrix, offsets, sizes,
                                        strides);
}

/// The step of nn.lstm_cell; the gates are `B,4*H`.
static State emitLSTMStep(ImplicitLocOpBuilder &b, Value gates, Value cell) {
  RankedTensorType type = getTensor(cell);
  Value parts[4];
  for (int64_t gate = 0; gate < 4; ++gate)
    parts[gate] = emitColumns(b, gates, gate * type.getDimSize(1), type);
  auto sigmoid = [](ImplicitLocOpBuilder &inner, Value value) {
    return emitActivation(inner, value, Activation::sigmoid);
  };
  auto tanh = [](ImplicitLocOpBuilder &inner, Value value) {
    return emitActivation(inner, value, Activation::tanh);
  };
  State next;
  next.cell = emitElementwise(
      b, type, {parts[0], parts[1], parts[2], cell},
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value kept = emitMul(inner, sigmoid(inner, values[1]), values[3]);
        Value fresh =
            emitMul(inner, sigmoid(inner, values[0]), tanh(inner, values[2]));
        return emitAdd(inner, kept, fresh);
      });
  next.hidden =
      emitElementwise(b, type, {parts[3], next.cell},
                      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
                        return emitMul(inner, sigmoid(inner, values[0]),
                                       tanh(inner, values[1]));
                      });
  return next;
}

/// `input * weight_ih^T + bias_ih + hidden * weight_hh^T + bias_hh`, of the
/// first six operands of a cell.
static Value emitGates(ImplicitLocOpBuilder &b, ArrayRef<Value> numbers) {
  Value gates = emitDense(b, numbers[0], numbers[1], /*isTransposed=*/true);
  gates = emitSum(b, gates, numbers[2]);
  Value own = emitDense(b, numbers[3], numbers[4], /*isTransposed=*/true);
  return emitSum(b, emitSum(b, gates, own), numbers[5]);
}

namespace {
class RNNCellLowering : public Lowering<RNNCellOp> {
public:
  using Lowering::Lowering;
  Results lower(RNNCellOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    if (!isStatic(op))
      return failure();
    Type element = nn::getElementType(op.getType());
    Value gates = emitGates(b, toNumbers(b, adaptor.getOperands(), element));
    Value hidden = emitRNNStep(b, gates, op.getActivation());
    return SmallVector<Value>{
        emitCastTensor(b, hidden, getNumberType(element), element)};
  }
};

class LSTMCellLowering : public Lowering<LSTMCellOp> {
public:
  using Lowering::Lowering;
  Results lower(LSTMCellOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override {
    if (!isStatic(op))
      return failure();
    Type element = nn::getElementType(op.getNewHidden().getType());
    SmallVector<Value> numbers = toNumbers(b, adaptor.getOperands(), element);
    Value gates = emitGates(b, numbers);
    State next = emitLSTMStep(b, gates, numbers[6]);
    SmallVector<Value> results;
    for (Value value : {next.hidden, next.cell, gates})
      results.push_back(
          emitCastTensor(b, value, getNumberType(element), element));
    return results;
  }
};

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// nn.rnn and nn.lstm.
template <typename OpT> class LayersLowering : public Lowering<OpT> {
public:
  using Lowering<OpT>::Lowering;
  Results lower(OpT op, OpT::Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override;

private:
  static constexpr bool isLSTM = std::is_same_v<OpT, LSTMOp>;

  static State emitStep(OpT op, ImplicitLocOpBuilder &b, Value gates,
                        State state) {
    if constexpr (isLSTM)
      return emitLSTMStep(b, gates, state.cell);
    else
      return {emitRNNStep(b, gates, op.getActivation()), Value()};
  }

  /// Runs all steps of one direction of one layer, with `gates` (`T,B,..`)
  /// without the part of the hidden state. Updates entry `index` of the states,
  /// and writes the hidden ones into the columns of `output` from `column` on.
  static void emitSteps(OpT op, ImplicitLocOpBuilder &b, Value gates,
                        Value weight, bool isBackward, int64_t index,
                        int64_t column, State &states, Value &output);
};
} // namespace

template <typename OpT>
void LayersLowering<OpT>::emitSteps(OpT op, ImplicitLocOpBuilder &b,
                                    Value gates, Value weight, bool isBackward,
                                    int64_t index, int64_t column,
                                    State &states, Value &output) {
  Value zero = emitConstantIndex(b, 0), one = emitConstantIndex(b, 1);
  Value end = emitDim(b, gates, 0), last = emitSub(b, end, one);
  OpFoldResult at = b.getIndexAttr(index), first = b.getIndexAttr(0);
  SmallVector<Value> carried = {output, states.hidden};
  if (isLSTM)
    carried.push_back(states.cell);
  auto loop = scf::ForOp::create(
      b, zero, end, one, carried,
      [&](OpBuilder &builder, Location loc, Value step, ValueRange values) {
        ImplicitLocOpBuilder inner(loc, builder);
        Value time = isBackward ? emitSub(inner, last, step) : step;
        State state = {emitEntry(inner, values[1], at),
                       isLSTM ? emitEntry(inner, values[2], at) : Value()};
        Value own =
            emitDense(inner, state.hidden, weight, /*isTransposed=*/true);
        Value sum = emitSum(inner, emitEntry(inner, gates, time), own);
        state = emitStep(op, inner, sum, state);
        // In place, as what a loop carries must be.
        SmallVector<Value> yielded = {
            emitInsert(inner, state.hidden, values[0],
                       {time, first, inner.getIndexAttr(column)}),
            emitInsert(inner, state.hidden, values[1], {at, first, first})};
        if (isLSTM)
          yielded.push_back(
              emitInsert(inner, state.cell, values[2], {at, first, first}));
        scf::YieldOp::create(inner, yielded);
      });
  output = loop.getResult(0);
  states = {loop.getResult(1), isLSTM ? loop.getResult(2) : Value()};
}

template <typename OpT>
Results LayersLowering<OpT>::lower(OpT op, OpT::Adaptor adaptor,
                                   ImplicitLocOpBuilder &b) const {
  // A dropout that draws random numbers has no result to be right about.
  if (!isStatic(op) || (op.getTraining() && !op.getDropout().isZero()))
    return failure();
  if constexpr (isLSTM)
    if (op.getProjectionSize() != 0)
      return failure();
  Type element = nn::getElementType(op.getOutput().getType());
  Type number = getNumberType(element);
  SmallVector<Value> numbers = toNumbers(b, adaptor.getOperands(), element);
  Value input = numbers[0];
  State states = {numbers[1], isLSTM ? numbers[2] : Value()};
  PackedWeights weights(b, numbers.back());
  int64_t size = op.getHiddenSize(), rows = size * (isLSTM ? 4 : 1);
  int64_t directions = op.getBidirectional() ? 2 : 1;
  ArrayRef<int64_t> shape = getTensor(input).getShape();
  auto outputType =
      RankedTensorType::get({shape[0], shape[1], directions * size}, number);
  for (int64_t layer = 0; layer < int64_t(op.getNumLayers()); ++layer) {
    Value output = emitEmpty(b, outputType);
    for (int64_t direction = 0; direction < directions; ++direction) {
      Value inputWeight = weights.take({rows, getTensor(input).getDimSize(2)});
      Value hiddenWeight = weights.take({rows, size});
      Value gates = emitDense(b, input, inputWeight, /*isTransposed=*/true);
      for (int bias = 0; op.getBias() && bias < 2; ++bias)
        gates = emitSum(b, gates, weights.take(rows));
      emitSteps(op, b, gates, hiddenWeight, /*isBackward=*/direction == 1,
                layer * directions + direction, direction * size, states,
                output);
    }
    input = output;
  }
  SmallVector<Value> results = {input, states.hidden};
  if (isLSTM)
    results.push_back(states.cell);
  for (Value &result : results)
    result = emitCastTensor(b, result, number, element);
  // The reserve's content is not defined, but is the same in every run.
  results.push_back(emitSplat(b, this->getResultType(op.getReserve()),
                              emitConstant(b, b.getI8Type(), 0)));
  return results;
}

void nn::populateRecurrentLowerings(TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<RNNCellLowering, LSTMCellLowering, LayersLowering<RNNOp>,
               LayersLowering<LSTMOp>>(converter, patterns.getContext());
}
