//===- ExportRecurrent.cpp - Recurrent and attention operators from nn ----===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNRecurrentOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// The verifier admits no other activations.
static param::RNNCellNonlineMode getNonlineMode(nn::Activation activation) {
  switch (activation) {
  case nn::Activation::relu:
    return param::RNNCellNonlineMode::RELU;
  case nn::Activation::tanh:
    return param::RNNCellNonlineMode::TANH;
  default:
    return param::RNNCellNonlineMode::IDENTITY;
  }
}

static param::BNFwdMode getForwardMode(bool training) {
  return training ? param::BNFwdMode::TRAINING : param::BNFwdMode::INFERENCE;
}

static LogicalResult exportRNNCell(nn::RNNCellOp op, OprExporter &exp) {
  exp.setOpr("RNNCellForward");
  exp.addParam<param::RNNCellT>().nonlineMode =
      getNonlineMode(op.getActivation());
  return success();
}

static LogicalResult exportLSTMCell(nn::LSTMCellOp op, OprExporter &exp) {
  exp.setOpr("LSTMCellForward");
  exp.addParam<param::EmptyT>();
  return success();
}

static LogicalResult exportRNN(nn::RNNOp op, OprExporter &exp) {
  exp.setOpr("RNNForward");
  auto &param = exp.addParam<param::RNNT>();
  param.num_layers = op.getNumLayers();
  param.bidirectional = op.getBidirectional();
  param.bias = op.getBias();
  param.hidden_size = op.getHiddenSize();
  param.dropout = op.getDropout().convertToFloat();
  param.nonlineMode = getNonlineMode(op.getActivation());
  param.fwd_mode = getForwardMode(op.getTraining());
  return success();
}

static LogicalResult exportLSTM(nn::LSTMOp op, OprExporter &exp) {
  exp.setOpr("LSTMForward");
  auto &param = exp.addParam<param::LSTMT>();
  param.num_layers = op.getNumLayers();
  param.bidirectional = op.getBidirectional();
  param.bias = op.getBias();
  param.hidden_size = op.getHiddenSize();
  param.proj_size = op.getProjectionSize();
  param.dropout = op.getDropout().convertToFloat();
  param.fwd_mode = getForwardMode(op.getTraining());
  return success();
}

static LogicalResult exportMultiHeadAttention(nn::MultiHeadAttentionOp op,
                                              OprExporter &exp) {
  using Combination = param::MultiHeadAttnTensorCombinationType;
  exp.setOpr("MultiHeadAttn");
  auto &param = exp.addParam<param::MultiHeadAttnT>();
  bool hasMask = static_cast<bool>(op.getMask());
  bool hasRows = static_cast<bool>(op.getKeyBiasRow());
  param.tensor_combination_type =
      hasMask ? (hasRows ? Combination::ALL : Combination::ONLY_MASK)
              : (hasRows ? Combination::ONLY_BIASKV : Combination::NONE);
  param.num_heads = op.getNumHeads();
  param.embeding_size = op.getQuerySize();
  param.k_size = op.getKeySize();
  param.v_size = op.getValueSize();
  param.qproj_size = op.getQueryProjectionSize();
  param.kproj_size = op.getKeyProjectionSize();
  param.vproj_size = op.getValueProjectionSize();
  param.oproj_size = op.getOutputProjectionSize();
  param.qbias = op.getQueryBias();
  param.kbias = op.getKeyBias();
  param.vbias = op.getValueBias();
  param.obias = op.getOutputBias();
  param.sm_scaler = op.getScale().convertToFloat();
  param.input_order = op.getInputOrder();
  param.attn_mask_type =
      static_cast<param::MultiHeadAttnAttnMaskType>(op.getMaskType());
  param.add_zero_attn = op.getAddZeroAttention();
  param.need_weights = op.getNeedWeights();
  param.reslink = op.getResidual();
  param.training = op.getTraining();
  param.seed = op.getSeed();
  param.attn_prob = op.getAttentionDropout().convertToFloat();
  param.out_prob = op.getOutputDropout().convertToFloat();
  return success();
}

void mgb::registerRecurrentExports(ExportRegistry &registry) {
  registry.add(exportRNNCell);
  registry.add(exportLSTMCell);
  registry.add(exportRNN);
  registry.add(exportLSTM);
  registry.add(exportMultiHeadAttention);
}
