//===- ImportRecurrent.cpp - Recurrent and attention operators to nn ------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static FailureOr<nn::ActivationAttr>
getActivation(OprImporter &imp, param::RNNCellNonlineMode mode) {
  static constexpr nn::Activation kActivations[] = {
      nn::Activation::none, nn::Activation::relu, nn::Activation::tanh};
  auto code = static_cast<uint32_t>(mode);
  if (code >= std::size(kActivations))
    return imp.emitError() << "unknown nonlinearity " << code;
  return nn::ActivationAttr::get(imp.getContext(), kActivations[code]);
}

/// Whether a layer is in training mode.
static FailureOr<UnitAttr> getTraining(OprImporter &imp,
                                       param::BNFwdMode mode) {
  if (static_cast<uint32_t>(mode) > 1)
    return imp.emitError() << "unknown forward mode "
                           << static_cast<uint32_t>(mode);
  return imp.unit(mode == param::BNFwdMode::TRAINING);
}

static LogicalResult importRNNCell(OprImporter &imp) {
  if (failed(imp.expectInputs(6, 6)))
    return failure();
  auto activation =
      getActivation(imp, imp.param<param::RNNCellT>().nonlineMode);
  if (failed(activation))
    return failure();
  nn::RNNCellOp::Properties properties;
  properties.activation = *activation;
  return imp.create<nn::RNNCellOp>(imp.operands, properties);
}

static LogicalResult importLSTMCell(OprImporter &imp) {
  if (failed(imp.expectInputs(7, 7)))
    return failure();
  return imp.create<nn::LSTMCellOp>(imp.operands);
}

static LogicalResult importRNN(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  const auto &param = imp.param<param::RNNT>();
  auto activation = getActivation(imp, param.nonlineMode);
  auto training = getTraining(imp, param.fwd_mode);
  if (failed(activation) || failed(training))
    return failure();
  nn::RNNOp::Properties properties;
  properties.hidden_size = imp.i64(param.hidden_size);
  properties.num_layers = imp.i64(param.num_layers);
  properties.bidirectional = imp.unit(param.bidirectional);
  properties.bias = imp.boolean(param.bias);
  properties.dropout = imp.f32(param.dropout);
  properties.activation = *activation;
  properties.training = *training;
  return imp.create<nn::RNNOp>(imp.operands, properties);
}

static LogicalResult importLSTM(OprImporter &imp) {
  if (failed(imp.expectInputs(4, 4)))
    return failure();
  const auto &param = imp.param<param::LSTMT>();
  auto training = getTraining(imp, param.fwd_mode);
  if (failed(training))
    return failure();
  nn::LSTMOp::Properties properties;
  properties.hidden_size = imp.i64(param.hidden_size);
  properties.num_layers = imp.i64(param.num_layers);
  properties.projection_size = imp.i64(param.proj_size);
  properties.bidirectional = imp.unit(param.bidirectional);
  properties.bias = imp.boolean(param.bias);
  properties.dropout = imp.f32(param.dropout);
  properties.training = *training;
  return imp.create<nn::LSTMOp>(imp.operands, properties);
}

/// The operands besides query, key, value and weights.
static LogicalResult
setAttentionSegments(OprImporter &imp, const param::MultiHeadAttnT &param,
                     nn::MultiHeadAttentionOp::Properties &properties) {
  using Combination = param::MultiHeadAttnTensorCombinationType;
  Combination combination = param.tensor_combination_type;
  if (static_cast<uint32_t>(combination) > 3)
    return imp.emitError() << "unknown tensor combination "
                           << static_cast<uint32_t>(combination);
  bool hasMask =
      combination == Combination::ONLY_MASK || combination == Combination::ALL;
  bool hasRows = combination == Combination::ONLY_BIASKV ||
                 combination == Combination::ALL;
  size_t count = 4 + hasMask + 2 * hasRows;
  properties.operandSegmentSizes = {1, 1, 1, 1, hasMask, hasRows, hasRows};
  return imp.expectInputs(count, count);
}

static LogicalResult importMultiHeadAttn(OprImporter &imp) {
  const auto &param = imp.param<param::MultiHeadAttnT>();
  nn::MultiHeadAttentionOp::Properties properties;
  if (failed(setAttentionSegments(imp, param, properties)))
    return failure();
  auto maskType =
      nn::symbolizeAttentionMask(static_cast<uint32_t>(param.attn_mask_type));
  if (!maskType)
    return imp.emitError() << "unknown attention mask type "
                           << static_cast<uint32_t>(param.attn_mask_type);
  if (imp.getNumVars() != 2 && imp.getNumVars() != 4)
    return imp.emitError() << "has " << imp.getNumVars()
                           << " outputs, expected 2 or 4";
  properties.num_heads = imp.i64(param.num_heads);
  properties.query_size = imp.i64(param.embeding_size);
  properties.key_size = imp.i64(param.k_size);
  properties.value_size = imp.i64(param.v_size);
  properties.query_projection_size = imp.i64(param.qproj_size);
  properties.key_projection_size = imp.i64(param.kproj_size);
  properties.value_projection_size = imp.i64(param.vproj_size);
  properties.output_projection_size = imp.i64(param.oproj_size);
  properties.query_bias = imp.unit(param.qbias);
  properties.key_bias = imp.unit(param.kbias);
  properties.value_bias = imp.unit(param.vbias);
  properties.output_bias = imp.unit(param.obias);
  properties.scale = imp.f32(param.sm_scaler);
  properties.input_order = imp.i64(param.input_order);
  properties.mask_type =
      nn::AttentionMaskAttr::get(imp.getContext(), *maskType);
  properties.add_zero_attention = imp.unit(param.add_zero_attn);
  properties.need_weights = imp.unit(param.need_weights);
  properties.residual = imp.unit(param.reslink);
  properties.training = imp.unit(param.training);
  properties.seed = imp.i64(static_cast<int64_t>(param.seed));
  properties.attention_dropout = imp.f32(param.attn_prob);
  properties.output_dropout = imp.f32(param.out_prob);
  properties.single_reserve = imp.unit(imp.getNumVars() == 2);
  return imp.create<nn::MultiHeadAttentionOp>(imp.operands, properties);
}

void mgb::registerRecurrentImports(ImportRegistry &registry) {
  registry.add<nn::RNNCellOp>("RNNCellForward", importRNNCell);
  registry.add<nn::LSTMCellOp>("LSTMCellForward", importLSTMCell);
  registry.add<nn::RNNOp>("RNNForward", importRNN);
  registry.add<nn::LSTMOp>("LSTMForward", importLSTM);
  registry.add<nn::MultiHeadAttentionOp>("MultiHeadAttn", importMultiHeadAttn);
}
