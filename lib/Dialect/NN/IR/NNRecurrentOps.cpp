//===- NNRecurrentOps.cpp - Recurrent and attention ops -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.cpp.inc"

void NNDialect::registerRecurrentOps() {
  addOperations<
#define GET_OP_LIST
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Shared checks
//===----------------------------------------------------------------------===//

/// Element counts as sums of products. Unknown dims and overflow end up as
/// "not known" and a flag.
namespace {

class Count {
public:
  Count &add(ArrayRef<int64_t> factors) {
    std::optional<int64_t> product = multiplyDims(factors);
    if (product &&
        (ShapedType::isDynamic(*product) || ShapedType::isDynamic(total)))
      total = ShapedType::kDynamic;
    else if (!product || llvm::AddOverflow(total, *product, total))
      overflows = true;
    return *this;
  }

  /// The sum; fails with a message on overflow.
  FailureOr<int64_t> get(std::optional<Location> loc) const {
    if (overflows)
      return emitOptionalError(loc, "an element count overflows");
    return total;
  }

private:
  int64_t total = 0;
  bool overflows = false;
};

} // namespace

static int64_t refine(int64_t lhs, int64_t rhs) {
  return ShapedType::isDynamic(lhs) ? rhs : lhs;
}

/// The shape of an operand that must have rank `rank`; all dynamic when it is
/// unranked.
static FailureOr<SmallVector<int64_t>>
getShape(std::optional<Location> loc, StringRef name, Type type, int64_t rank) {
  RankedTensorType ranked = getRanked(type);
  if (!ranked)
    return SmallVector<int64_t>(rank, ShapedType::kDynamic);
  if (ranked.getRank() != rank)
    return emitOptionalError(loc, "'", name, "' must have rank ", rank,
                             ", got rank ", ranked.getRank());
  return SmallVector<int64_t>(ranked.getShape());
}

static LogicalResult checkDim(std::optional<Location> loc, StringRef name,
                              StringRef what, int64_t dim, int64_t expected) {
  if (!dimsDiffer(dim, expected))
    return success();
  return emitOptionalError(loc, "'", name, "' must have ", expected, " ", what,
                           ", got ", dim);
}

/// All operands are of one float type.
static FailureOr<Type> getFloatType(std::optional<Location> loc,
                                    ValueRange operands) {
  Type found;
  for (Value operand : operands) {
    Type element = nn::getElementType(operand.getType());
    if (isUnknown(element))
      continue;
    if (!isFloat(element))
      return emitOptionalError(loc, "needs floats, got ", element);
    if (found && found != element)
      return emitOptionalError(loc, "operand element types differ: ", found,
                               " and ", element);
    found = element;
  }
  return found ? found : nn::getElementType(operands.front().getType());
}

static LogicalResult checkRecurrentActivation(std::optional<Location> loc,
                                              Activation activation) {
  if (activation == Activation::none || activation == Activation::relu ||
      activation == Activation::tanh)
    return success();
  return emitOptionalError(loc, "activation must be none, relu or tanh, got ",
                           stringifyActivation(activation));
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

namespace {

struct CellDims {
  int64_t batch, hidden, gates;
};

} // namespace

/// Checks the operands that both cells have; `gates` rows of weights belong
/// to one hidden feature.
template <typename Adaptor>
static FailureOr<CellDims> getCellDims(std::optional<Location> loc,
                                       Adaptor adaptor, int64_t gates) {
  auto input = getShape(loc, "input", adaptor.getInput().getType(), 2);
  auto hidden = getShape(loc, "hidden", adaptor.getHidden().getType(), 2);
  auto weightIh =
      getShape(loc, "weight_ih", adaptor.getWeightIh().getType(), 2);
  auto weightHh =
      getShape(loc, "weight_hh", adaptor.getWeightHh().getType(), 2);
  if (failed(input) || failed(hidden) || failed(weightIh) || failed(weightHh))
    return failure();
  CellDims dims;
  dims.hidden = refine((*hidden)[1], (*weightHh)[1]);
  std::optional<int64_t> rows = multiplyDims({gates, dims.hidden});
  if (!rows)
    return emitOptionalError(loc, "an element count overflows");
  dims.gates = refine(*rows, refine((*weightHh)[0], (*weightIh)[0]));
  dims.batch = refine((*input)[0], (*hidden)[0]);
  if (failed(checkDim(loc, "hidden", "rows", (*hidden)[0], dims.batch)) ||
      failed(
          checkDim(loc, "weight_ih", "columns", (*weightIh)[1], (*input)[1])) ||
      failed(
          checkDim(loc, "weight_hh", "columns", (*weightHh)[1], dims.hidden)) ||
      failed(checkDim(loc, "weight_ih", "rows", (*weightIh)[0], dims.gates)) ||
      failed(checkDim(loc, "weight_hh", "rows", (*weightHh)[0], dims.gates)))
    return failure();
  for (auto [name, bias] : {std::make_pair("bias_ih", adaptor.getBiasIh()),
                            std::make_pair("bias_hh", adaptor.getBiasHh())}) {
    RankedTensorType type = getRanked(bias.getType());
    if (!type)
      continue;
    if (type.getRank() < 1 || type.getRank() > 2 ||
        (type.getRank() == 2 && dimsDiffer(type.getDimSize(0), 1)) ||
        dimsDiffer(type.getShape().back(), dims.gates))
      return emitOptionalError(loc, "'", name, "' must have ", dims.gates,
                               " elements, got ", type);
  }
  return dims;
}

LogicalResult RNNCellOp::inferReturnTypes(MLIRContext *context,
                                          std::optional<Location> loc,
                                          RNNCellOp::Adaptor adaptor,
                                          SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = getFloatType(loc, adaptor.getOperands());
  if (failed(element) ||
      failed(checkRecurrentActivation(loc, adaptor.getActivation())))
    return failure();
  FailureOr<CellDims> dims = getCellDims(loc, adaptor, 1);
  if (failed(dims))
    return failure();
  types.push_back(RankedTensorType::get({dims->batch, dims->hidden}, *element));
  return success();
}

LogicalResult LSTMCellOp::inferReturnTypes(MLIRContext *context,
                                           std::optional<Location> loc,
                                           LSTMCellOp::Adaptor adaptor,
                                           SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = getFloatType(loc, adaptor.getOperands());
  FailureOr<CellDims> dims = getCellDims(loc, adaptor, 4);
  auto cell = getShape(loc, "cell", adaptor.getCell().getType(), 2);
  if (failed(element) || failed(dims) || failed(cell) ||
      failed(checkDim(loc, "cell", "rows", (*cell)[0], dims->batch)) ||
      failed(checkDim(loc, "cell", "columns", (*cell)[1], dims->hidden)))
    return failure();
  Type state = RankedTensorType::get({dims->batch, dims->hidden}, *element);
  types.append({state, state,
                RankedTensorType::get({dims->batch, dims->gates}, *element)});
  return success();
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// Result types of nn.rnn and nn.lstm: the output, one or two states and the
/// reserve. `gates` as in getCellDims; `states` must be the hidden state and,
/// for an LSTM, the cell state.
template <typename Adaptor>
static LogicalResult inferLayers(std::optional<Location> loc, Adaptor adaptor,
                                 ArrayRef<std::pair<StringRef, Value>> states,
                                 int64_t gates, bool isProjected,
                                 SmallVectorImpl<Type> &types) {
  FailureOr<Type> element = getFloatType(loc, adaptor.getOperands());
  auto input = getShape(loc, "input", adaptor.getInput().getType(), 3);
  if (failed(element) || failed(input) ||
      failed(checkValue(loc, "hidden_size", adaptor.getHiddenSize(), 1)) ||
      failed(checkValue(loc, "num_layers", adaptor.getNumLayers(), 1)))
    return failure();
  int64_t directions = adaptor.getBidirectional() ? 2 : 1;
  int64_t layers = adaptor.getNumLayers(), hidden = adaptor.getHiddenSize();
  int64_t time = (*input)[0], batch = (*input)[1], features = (*input)[2];

  int64_t stateSize = isProjected ? ShapedType::kDynamic : hidden;
  for (auto [name, state] : states) {
    auto shape = getShape(loc, name, state.getType(), 3);
    if (failed(shape) ||
        failed(checkDim(loc, name, "states (layers times directions)",
                        (*shape)[0], layers * directions)) ||
        failed(checkDim(loc, name, "batches", (*shape)[1], batch)) ||
        failed(checkDim(loc, name, "features", (*shape)[2], stateSize)))
      return failure();
    batch = refine(batch, (*shape)[1]);
    if (state == states.front().second)
      stateSize = refine(stateSize, (*shape)[2]);
  }

  RankedTensorType weights = getRanked(adaptor.getWeights().getType());
  if (weights && !isProjected) {
    int64_t rows = gates * hidden; // Both below 2^32.
    Count count;
    count.add({rows, directions, features}).add({rows, directions, hidden});
    count.add({rows, layers - 1, directions, directions + 1, hidden});
    if (adaptor.getBias())
      count.add({rows, layers, directions, 2});
    FailureOr<int64_t> expected = count.get(loc);
    FailureOr<int64_t> actual = Count().add(weights.getShape()).get(loc);
    if (failed(expected) || failed(actual) ||
        failed(checkDim(loc, "weights", "elements", *actual, *expected)))
      return failure();
  }

  FailureOr<int64_t> width = isProjected
                                 ? ShapedType::kDynamic
                                 : Count().add({directions, hidden}).get(loc);
  unsigned bits = getStorageBits(*element);
  FailureOr<int64_t> reserve =
      isProjected || !bits
          ? ShapedType::kDynamic
          : Count()
                .add({layers, directions, time, batch, hidden, bits / 8,
                      static_cast<int64_t>(states.size())})
                .get(loc);
  if (failed(width) || failed(reserve))
    return failure();
  types.push_back(RankedTensorType::get({time, batch, *width}, *element));
  for (auto [name, state] : states) {
    int64_t size = isProjected ? ShapedType::kDynamic : hidden;
    if (RankedTensorType type = getRanked(state.getType()))
      size = refine(type.getDimSize(2), size);
    types.push_back(
        RankedTensorType::get({layers * directions, batch, size}, *element));
  }
  Type byte = IntegerType::get(element->getContext(), 8, IntegerType::Signed);
  types.push_back(RankedTensorType::get({*reserve}, byte));
  return success();
}

LogicalResult RNNOp::inferReturnTypes(MLIRContext *context,
                                      std::optional<Location> loc,
                                      RNNOp::Adaptor adaptor,
                                      SmallVectorImpl<Type> &types) {
  if (failed(checkRecurrentActivation(loc, adaptor.getActivation())))
    return failure();
  return inferLayers(loc, adaptor, {{"hidden", adaptor.getHidden()}},
                     /*gates=*/1, /*isProjected=*/false, types);
}

LogicalResult LSTMOp::inferReturnTypes(MLIRContext *context,
                                       std::optional<Location> loc,
                                       LSTMOp::Adaptor adaptor,
                                       SmallVectorImpl<Type> &types) {
  int64_t projection = adaptor.getProjectionSize();
  if (failed(checkValue(loc, "projection_size", projection, 0)))
    return failure();
  return inferLayers(
      loc, adaptor,
      {{"hidden", adaptor.getHidden()}, {"cell", adaptor.getCell()}},
      /*gates=*/4, /*isProjected=*/projection != 0, types);
}

/// Drawing random numbers changes the state of their generator.
static void
addRandomEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void RNNOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getTraining() && !getDropout().isZero())
    addRandomEffects(effects);
}

void LSTMOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getTraining() && !getDropout().isZero())
    addRandomEffects(effects);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

using AttentionAdaptor = MultiHeadAttentionOp::Adaptor;

namespace {

/// The size attributes, signed.
struct AttentionSizes {
  int64_t heads, query, key, value;
  int64_t queryProjection, keyProjection, valueProjection, outputProjection;

  explicit AttentionSizes(AttentionAdaptor adaptor)
      : heads(adaptor.getNumHeads()), query(adaptor.getQuerySize()),
        key(adaptor.getKeySize()), value(adaptor.getValueSize()),
        queryProjection(adaptor.getQueryProjectionSize()),
        keyProjection(adaptor.getKeyProjectionSize()),
        valueProjection(adaptor.getValueProjectionSize()),
        outputProjection(adaptor.getOutputProjectionSize()) {}

  LogicalResult check(std::optional<Location> loc) const {
    const std::pair<StringRef, int64_t> sizes[] = {
        {"query_size", query},
        {"key_size", key},
        {"value_size", value},
        {"query_projection_size", queryProjection},
        {"key_projection_size", keyProjection},
        {"value_projection_size", valueProjection},
        {"output_projection_size", outputProjection}};
    for (auto [name, size] : sizes)
      if (failed(checkValue(loc, name, size, 0)))
        return failure();
    return checkValue(loc, "num_heads", heads, 1);
  }
};

} // namespace

/// Elements of the packed projections.
static FailureOr<int64_t> getWeightCount(std::optional<Location> loc,
                                         AttentionAdaptor adaptor,
                                         const AttentionSizes &sizes) {
  Count count;
  auto add = [&](ArrayRef<int64_t> rows, int64_t columns, bool hasBias) {
    if (!columns)
      return;
    SmallVector<int64_t> factors(rows);
    factors.push_back(columns);
    count.add(factors);
    if (hasBias)
      count.add({columns});
  };
  add({sizes.query}, sizes.queryProjection, adaptor.getQueryBias());
  add({sizes.key}, sizes.keyProjection, adaptor.getKeyBias());
  add({sizes.value}, sizes.valueProjection, adaptor.getValueBias());
  SmallVector<int64_t> outputRows = {sizes.valueProjection};
  if (!sizes.valueProjection)
    outputRows = {sizes.heads, sizes.value};
  add(outputRows, sizes.outputProjection, adaptor.getOutputBias());
  return count.get(loc);
}

LogicalResult MultiHeadAttentionOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> loc,
    MultiHeadAttentionOp::Adaptor adaptor, SmallVectorImpl<Type> &types) {
  Value floats[] = {adaptor.getQuery(), adaptor.getKey(), adaptor.getValue(),
                    adaptor.getWeights()};
  FailureOr<Type> element = getFloatType(loc, floats);
  AttentionSizes sizes(adaptor);
  if (failed(element) || failed(sizes.check(loc)) ||
      failed(checkValue(loc, "input_order", adaptor.getInputOrder(), 0)))
    return failure();
  if (!adaptor.getKeyBiasRow() != !adaptor.getValueBiasRow())
    return emitOptionalError(loc, "needs both bias rows or none");
  auto query = getShape(loc, "query", adaptor.getQuery().getType(), 3);
  auto key = getShape(loc, "key", adaptor.getKey().getType(), 3);
  auto value = getShape(loc, "value", adaptor.getValue().getType(), 3);
  if (failed(query) || failed(key) || failed(value))
    return failure();
  int64_t batch = refine((*query)[0], refine((*key)[0], (*value)[0]));
  int64_t positions = refine((*key)[1], (*value)[1]);
  if (failed(checkDim(loc, "key", "batches", (*key)[0], batch)) ||
      failed(checkDim(loc, "value", "batches", (*value)[0], batch)) ||
      failed(checkDim(loc, "value", "positions", (*value)[1], positions)))
    return failure();

  // The layout of v1.12.3 does not tell sizes.
  Type byte = IntegerType::get(context, 8, IntegerType::Signed);
  constexpr int64_t dynamic = ShapedType::kDynamic;
  if (adaptor.getSingleReserve()) {
    types.push_back(
        RankedTensorType::get({batch, (*query)[1], (*query)[2]}, *element));
    types.push_back(RankedTensorType::get({dynamic}, *element));
    return success();
  }
  if (failed(checkDim(loc, "query", "features", (*query)[2], sizes.query)) ||
      failed(checkDim(loc, "key", "features", (*key)[2], sizes.key)) ||
      failed(checkDim(loc, "value", "features", (*value)[2], sizes.value)))
    return failure();
  FailureOr<int64_t> weightCount = getWeightCount(loc, adaptor, sizes);
  if (failed(weightCount))
    return failure();
  if (RankedTensorType weights = getRanked(adaptor.getWeights().getType())) {
    FailureOr<int64_t> actual = Count().add(weights.getShape()).get(loc);
    if (failed(actual) ||
        (*weightCount &&
         failed(checkDim(loc, "weights", "elements", *actual, *weightCount))))
      return failure();
  }

  Count keys, heads, features;
  keys.add({positions});
  if (adaptor.getKeyBiasRow())
    keys.add({1});
  if (adaptor.getAddZeroAttention())
    keys.add({1});
  heads.add({batch, sizes.heads});
  if (sizes.outputProjection)
    features.add({sizes.outputProjection});
  else if (sizes.valueProjection)
    features.add({sizes.valueProjection});
  else
    features.add({sizes.value, sizes.heads});
  auto numKeys = keys.get(loc), numHeads = heads.get(loc),
       numFeatures = features.get(loc);
  if (failed(numKeys) || failed(numHeads) || failed(numFeatures))
    return failure();
  if (Value mask = adaptor.getMask()) {
    RankedTensorType type = getRanked(mask.getType());
    SmallVector<int64_t> expected = {*numHeads, (*query)[1], *numKeys};
    if (type && type.getRank() == 2)
      expected.erase(expected.begin());
    if (type && failed(verifyCompatibleShape(expected, type.getShape())))
      return emitOptionalError(loc, "'mask' must be of shape ",
                               RankedTensorType::get(expected, *element),
                               ", got ", type);
  }
  types.append(
      {RankedTensorType::get({batch, (*query)[1], *numFeatures}, *element),
       RankedTensorType::get({*numHeads, (*query)[1], *numKeys}, *element),
       RankedTensorType::get({dynamic}, byte),
       RankedTensorType::get({dynamic}, *element)});
  return success();
}

void MultiHeadAttentionOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  if (getTraining() &&
      !(getAttentionDropout().isZero() && getOutputDropout().isZero()))
    addRandomEffects(effects);
}
