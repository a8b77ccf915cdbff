//===- AttentionToLinalg.cpp - Multi-head attention -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layers.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNNormOps.h"
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"

#include <limits>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

using Results = FailureOr<SmallVector<Value>>;
using utils::IteratorType;

namespace {
/// One of the three inputs of an attention, projected.
struct Heads {
  /// `N,S,F`; F are the features of all heads in turn, or, if they are shared,
  /// those that every head has.
  Value features;
  bool isShared;

  int64_t getHeadSize(int64_t heads) const {
    int64_t size = getTensor(features).getDimSize(2);
    return isShared ? size : size / heads;
  }
  /// `N,S,heads,F/heads` if not shared.
  Value split(ImplicitLocOpBuilder &b, int64_t heads) const {
    if (isShared)
      return features;
    ArrayRef<int64_t> shape = getTensor(features).getShape();
    return emitReshape(b, features,
                       {shape[0], shape[1], heads, shape[2] / heads});
  }
  /// The map to the elements of split() for a batch, a head, a position and a
  /// feature of the head.
  AffineMap getMap(AffineExpr batch, AffineExpr head, AffineExpr position,
                   AffineExpr feature, unsigned numDims) const {
    SmallVector<AffineExpr> exprs = {batch, position, head, feature};
    if (isShared)
      exprs.erase(exprs.begin() + 2);
    return AffineMap::get(numDims, 0, exprs, batch.getContext());
  }
};

/// A matrix of the packed weights: none if it has no outputs.
struct Projection {
  int64_t inputs, outputs;
  bool hasBias;
  Value weight = Value(), bias = Value();
};

class AttentionLowering : public Lowering<MultiHeadAttentionOp> {
public:
  using Lowering::Lowering;
  Results lower(MultiHeadAttentionOp op, Adaptor adaptor,
                ImplicitLocOpBuilder &b) const override;

private:
  static bool isSupported(MultiHeadAttentionOp op);
  static Value emitAppended(ImplicitLocOpBuilder &b, Value features, Value row,
                            bool hasZero);
  static Value emitScores(ImplicitLocOpBuilder &b, const Heads &query,
                          const Heads &key, int64_t heads);
  static Value emitMasked(MultiHeadAttentionOp op, ImplicitLocOpBuilder &b,
                          Value scores, Value mask);
  static Value emitAttended(ImplicitLocOpBuilder &b, Value attention,
                            const Heads &value, int64_t heads);
};
} // namespace

/// What has a definition: no random numbers, no layout of the library of a
/// GPU, sizes that are known.
bool AttentionLowering::isSupported(MultiHeadAttentionOp op) {
  bool isRandom = op.getTraining() && !(op.getAttentionDropout().isZero() &&
                                        op.getOutputDropout().isZero());
  return !isRandom && !op.getSingleReserve() && op.getInputOrder() == 0 &&
         op.getMaskType() != AttentionMask::cudnn_style &&
         isStatic(op, /*numScratch=*/2);
}

/// `N,S,F` with `row` (`1,1,F`, if any) as one more position of every batch,
/// and with one of zeros.
Value AttentionLowering::emitAppended(ImplicitLocOpBuilder &b, Value features,
                                      Value row, bool hasZero) {
  RankedTensorType type = getTensor(features);
  int64_t positions = type.getDimSize(1), next = positions;
  if (!row && !hasZero)
    return features;
  SmallVector<int64_t> shape(type.getShape());
  shape[1] = positions + (row ? 1 : 0) + (hasZero ? 1 : 0);
  Value all = emitSplat(b, type.clone(shape),
                        emitConstant(b, type.getElementType(), 0));
  auto insert = [&](Value part, int64_t position) {
    all = emitInsert(
        b, part, all,
        {b.getIndexAttr(0), b.getIndexAttr(position), b.getIndexAttr(0)});
  };
  insert(features, 0);
  if (row) {
    shape[1] = 1;
    insert(emitElementwise(b, type.clone(shape), row,
                           [](ImplicitLocOpBuilder &, ValueRange values) {
                             return values[0];
                           }),
           next);
  }
  return all;
}

/// `query * key^T`: `N,heads,Sq,Sk`.
Value AttentionLowering::emitScores(ImplicitLocOpBuilder &b, const Heads &query,
                                    const Heads &key, int64_t heads) {
  AffineExpr n, h, i, j, f;
  bindDims(b.getContext(), n, h, i, j, f);
  ArrayRef<int64_t> shape = getTensor(query.features).getShape();
  Type number = getTensor(query.features).getElementType();
  auto type = RankedTensorType::get(
      {shape[0], heads, shape[1], getTensor(key.features).getDimSize(1)},
      number);
  SmallVector<IteratorType> iterators(5, IteratorType::parallel);
  iterators[4] = IteratorType::reduction;
  return emitReduction(b, type, {query.split(b, heads), key.split(b, heads)},
                       {query.getMap(n, h, i, f, 5), key.getMap(n, h, j, f, 5),
                        AffineMap::get(5, 0, {n, h, i, j}, b.getContext())},
                       iterators, emitConstant(b, number, 0),
                       [](ImplicitLocOpBuilder &inner, ValueRange values) {
                         return emitAdd(inner, values[2],
                                        emitMul(inner, values[0], values[1]));
                       });
}

/// `scale * scores + mask`. A causal mask that is no operand forbids positions
/// behind the query's.
Value AttentionLowering::emitMasked(MultiHeadAttentionOp op,
                                    ImplicitLocOpBuilder &b, Value scores,
                                    Value mask) {
  RankedTensorType type = getTensor(scores);
  Type number = type.getElementType();
  bool isCausal = op.getMaskType() == AttentionMask::causal && !mask;
  SmallVector<Value> operands = {scores};
  SmallVector<AffineMap> maps = {b.getMultiDimIdentityMap(4)};
  Type maskElement;
  if (mask && op.getMaskType() != AttentionMask::none) {
    maskElement = nn::getElementType(op.getMask().getType());
    ArrayRef<int64_t> shape = type.getShape();
    bool isShared = getTensor(mask).getRank() == 2;
    operands.push_back(isShared ? mask : emitReshape(b, mask, shape));
    maps.push_back(isShared ? b.getMultiDimIdentityMap(4).getMinorSubMap(2)
                            : maps[0]);
  }
  float scale = op.getScale().convertToFloat();
  return emitMap(
      b, type, operands, maps,
      [&](ImplicitLocOpBuilder &inner, ValueRange values) {
        Value score =
            emitMul(inner, values[0], emitConstant(inner, number, scale));
        if (maskElement)
          score = emitAdd(inner, score,
                          emitCast(inner, values[1], maskElement, number));
        if (!isCausal)
          return score;
        Value isBehind = arith::CmpIOp::create(
            inner, arith::CmpIPredicate::ugt, linalg::IndexOp::create(inner, 3),
            linalg::IndexOp::create(inner, 2));
        Value never = emitConstant(inner, number,
                                   -std::numeric_limits<double>::infinity());
        return arith::SelectOp::create(inner, isBehind, never, score)
            .getResult();
      });
}

/// `attention * value`, the heads in turn: `N,Sq,F`.
Value AttentionLowering::emitAttended(ImplicitLocOpBuilder &b, Value attention,
                                      const Heads &value, int64_t heads) {
  AffineExpr n, i, h, j, f;
  bindDims(b.getContext(), n, i, h, j, f);
  ArrayRef<int64_t> shape = getTensor(attention).getShape();
  Type number = getTensor(attention).getElementType();
  int64_t size = value.getHeadSize(heads);
  SmallVector<IteratorType> iterators(5, IteratorType::parallel);
  iterators[3] = IteratorType::reduction;
  Value attended = emitReduction(
      b, RankedTensorType::get({shape[0], shape[2], heads, size}, number),
      {attention, value.split(b, heads)},
      {AffineMap::get(5, 0, {n, h, i, j}, b.getContext()),
       value.getMap(n, h, j, f, 5),
       AffineMap::get(5, 0, {n, i, h, f}, b.getContext())},
      iterators, emitConstant(b, number, 0),
      [](ImplicitLocOpBuilder &inner, ValueRange values) {
        return emitAdd(inner, values[2], emitMul(inner, values[0], values[1]));
      });
  return emitReshape(b, attended, {shape[0], shape[2], heads * size});
}

Results AttentionLowering::lower(MultiHeadAttentionOp op, Adaptor adaptor,
                                 ImplicitLocOpBuilder &b) const {
  if (!isSupported(op))
    return failure();
  Type element = nn::getElementType(op.getQuery().getType());
  Type number = getNumberType(element);
  int64_t heads = op.getNumHeads();
  auto toNumber = [&](Value value) {
    return emitCastTensor(b, value, element, number);
  };
  // Weights of all projections come first, then their biases.
  int64_t attended = op.getValueProjectionSize();
  if (attended == 0)
    attended = heads * int64_t(op.getValueSize());
  Projection projections[] = {
      {int64_t(op.getQuerySize()), int64_t(op.getQueryProjectionSize()),
       op.getQueryBias()},
      {int64_t(op.getKeySize()), int64_t(op.getKeyProjectionSize()),
       op.getKeyBias()},
      {int64_t(op.getValueSize()), int64_t(op.getValueProjectionSize()),
       op.getValueBias()},
      {attended, int64_t(op.getOutputProjectionSize()), op.getOutputBias()}};
  PackedWeights weights(b, toNumber(adaptor.getWeights()));
  for (Projection &projection : projections)
    if (projection.outputs)
      projection.weight = weights.take({projection.inputs, projection.outputs});
  for (Projection &projection : projections)
    if (projection.outputs && projection.hasBias)
      projection.bias = weights.take(projection.outputs);
  auto project = [&](Value value, const Projection &projection) {
    if (!projection.weight)
      return value;
    value = emitDense(b, value, projection.weight, /*isTransposed=*/false);
    return projection.bias ? emitSum(b, value, projection.bias) : value;
  };

  Value inputs[] = {toNumber(adaptor.getQuery()), toNumber(adaptor.getKey()),
                    toNumber(adaptor.getValue())};
  Value rows[] = {Value(), adaptor.getKeyBiasRow(), adaptor.getValueBiasRow()};
  SmallVector<Heads> parts;
  for (unsigned i = 0; i < 3; ++i) {
    // Features that are not projected belong to every head.
    Heads part = {project(inputs[i], projections[i]), !projections[i].weight};
    int64_t features = getTensor(part.features).getDimSize(2);
    if (!part.isShared && features % heads != 0)
      return failure();
    if (rows[i]) {
      if (getTensor(rows[i]).getShape() != ArrayRef<int64_t>({1, 1, features}))
        return failure();
      rows[i] = toNumber(rows[i]);
    }
    part.features = emitAppended(b, part.features, rows[i],
                                 i != 0 && op.getAddZeroAttention());
    parts.push_back(part);
  }
  if (parts[0].getHeadSize(heads) != parts[1].getHeadSize(heads))
    return failure();

  Value scores = emitScores(b, parts[0], parts[1], heads);
  scores = emitMasked(op, b, scores, adaptor.getMask());
  Value attention = SoftmaxOp::create(b, scores.getType(), scores, 3);
  Value output =
      project(emitAttended(b, attention, parts[2], heads), projections[3]);
  if (op.getResidual()) {
    if (output.getType() != inputs[0].getType())
      return failure();
    output = emitSum(b, output, inputs[0]);
  }
  auto attentionType = getResultType(op.getOutputs()[1]);
  SmallVector<Value> results = {
      emitCastTensor(b, output, number, element),
      emitCastTensor(b, emitReshape(b, attention, attentionType.getShape()),
                     number, element)};
  // The reserves are scratch memory, of which nothing is used here.
  for (Value reserve : op.getOutputs().drop_front(2)) {
    RankedTensorType type = getResultType(reserve);
    SmallVector<Value> sizes(type.getNumDynamicDims(), emitConstantIndex(b, 0));
    results.push_back(
        emitSplat(b, type, emitConstant(b, type.getElementType(), 0), sizes));
  }
  return results;
}

void nn::populateAttentionLowerings(TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<AttentionLowering>(converter, patterns.getContext());
}
