//===- NNRecurrentOps.td - Recurrent and attention ops -----*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

def NN_RNNCellOp : NN_InferredOp<"rnn_cell"> {
  let summary = "one step of a recurrent layer";
  let description = [{
    `result = activation(input * weight_ih^T + bias_ih +
    hidden * weight_hh^T + bias_hh)` with `input` `B,I`, `hidden` `B,H`,
    weights `H,I` and `H,H`, biases `1,H` or `H`. The activation is none, relu
    or tanh.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$weight_ih, NN_Tensor:$bias_ih,
    NN_Tensor:$hidden, NN_Tensor:$weight_hh, NN_Tensor:$bias_hh,
    DefaultValuedAttr<NN_ActivationAttr, "Activation::none">:$activation);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def NN_LSTMCellOp : NN_InferredOp<"lstm_cell"> {
  let summary = "one step of a long short-term memory layer";
  let description = [{
    With `gates = input * weight_ih^T + bias_ih + hidden * weight_hh^T +
    bias_hh` (`B,4*H`), split along the last dim into i, f, g, o:
    `new_cell = sigmoid(f)*cell + sigmoid(i)*tanh(g)` and
    `new_hidden = sigmoid(o)*tanh(new_cell)`.

    `input` is `B,I`, `hidden` and `cell` are `B,H`, the weights `4*H,I` and
    `4*H,H`, the biases `1,4*H` or `4*H`.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$weight_ih, NN_Tensor:$bias_ih,
    NN_Tensor:$hidden, NN_Tensor:$weight_hh, NN_Tensor:$bias_hh,
    NN_Tensor:$cell);
  let results = (outs NN_Tensor:$new_hidden, NN_Tensor:$new_cell,
                      NN_Tensor:$gates);
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// An op that is pure unless it draws random numbers for dropout.
class NN_DropoutOp<string mnemonic, list<Trait> traits = []>
    : NN_Op<mnemonic, [InferTypeOpAdaptor,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>] # traits> {
  let assemblyFormat = [{
    `(` operands `)` attr-dict `:` functional-type(operands, results)
  }];
}

def NN_RNNOp : NN_DropoutOp<"rnn"> {
  let summary = "stack of recurrent layers";
  let description = [{
    Runs the steps of `nn.rnn_cell` over `input` `T,B,I` (time, batch,
    features) through `num_layers` layers (L), in D directions (2 if
    `bidirectional`: the second runs backwards in time, and the outputs are
    concatenated). Layers above the first read `D*H` features, H =
    `hidden_size`.

    `hidden` and `new_hidden` are `D*L,B,H`, indexed by layer*D + direction.
    `weights` holds for each layer, for each direction: W_ih (`H` rows),
    W_hh, then, if `bias`, b_ih and b_hh. `output` is `T,B,D*H`.

    `reserve` is scratch memory for a backward pass, whose content is not
    defined: the bytes of `L*D*T*B*H` elements. `dropout` is the probability to
    drop an output between layers when `training`.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$hidden, NN_Tensor:$weights,
    I64Attr:$hidden_size, DefaultValuedAttr<I64Attr, "1">:$num_layers,
    UnitAttr:$bidirectional, DefaultValuedAttr<BoolAttr, "true">:$bias,
    DefaultValuedAttr<F32Attr, "0.0">:$dropout,
    DefaultValuedAttr<NN_ActivationAttr, "Activation::none">:$activation,
    UnitAttr:$training);
  let results = (outs NN_Tensor:$output, NN_Tensor:$new_hidden,
                      NN_Tensor:$reserve);
}

def NN_LSTMOp : NN_DropoutOp<"lstm"> {
  let summary = "stack of long short-term memory layers";
  let description = [{
    Runs the steps of `nn.lstm_cell`, laid out as in `nn.rnn`: `hidden`,
    `cell`, `new_hidden` and `new_cell` are `D*L,B,H`; W_ih, W_hh and the
    biases have 4*H rows, the gates i, f, g, o in turn. `reserve` has the bytes
    of `2*L*D*T*B*H` elements.

    `projection_size` other than 0 asks for a projection of the hidden state,
    which no implementation computes; sizes are then not checked.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$hidden, NN_Tensor:$cell, NN_Tensor:$weights,
    I64Attr:$hidden_size, DefaultValuedAttr<I64Attr, "1">:$num_layers,
    DefaultValuedAttr<I64Attr, "0">:$projection_size,
    UnitAttr:$bidirectional, DefaultValuedAttr<BoolAttr, "true">:$bias,
    DefaultValuedAttr<F32Attr, "0.0">:$dropout, UnitAttr:$training);
  let results = (outs NN_Tensor:$output, NN_Tensor:$new_hidden,
                      NN_Tensor:$new_cell, NN_Tensor:$reserve);
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

def NN_MultiHeadAttentionOp
    : NN_DropoutOp<"multi_head_attention", [AttrSizedOperandSegments]> {
  let summary = "multi-head attention with packed projections";
  let description = [{
    `Q = query*Wq + bq`, `K = key*Wk + bk`, `V = value*Wv + bv`, split along
    the last dim into `num_heads` heads; per head
    `softmax(scale * Q * K^T + mask) * V`; the concatenated heads, times Wo
    plus bo, are `output`. With `residual` the query is added.

    `query` is `N,Sq,query_size`, `key` `N,Sk,key_size`, `value`
    `N,Sk,value_size`. `weights` packs Wq, Wk, Wv, Wo (each `in,out`, row
    major), then bq, bk, bv, bo; a projection of size 0 is left out, and so is a
    bias without its flag (`query_bias` ...). `key_bias_row` and
    `value_bias_row` (`1,1,size`) are appended to the keys and values as one
    more position; `add_zero_attention` appends one of zeros.

    `mask` is read if `mask_type` is `user`: `Sq,Sk'` or `N*num_heads,Sq,Sk'`
    with Sk' = Sk plus the appended positions. `attention` holds the
    softmax, `N*num_heads,Sq,Sk'`; `mask_reserve` and `reserve` are scratch
    memory for a backward pass. Files of MegEngine v1.12.3 have no `attention`
    and `mask_reserve` (`single_reserve`).

    When `training`, `attention_dropout` and `output_dropout` are
    probabilities to drop scores and outputs, drawn from `seed`.
  }];
  let arguments = (ins
    NN_Tensor:$query, NN_Tensor:$key, NN_Tensor:$value, NN_Tensor:$weights,
    Optional<NN_Tensor>:$mask, Optional<NN_Tensor>:$key_bias_row,
    Optional<NN_Tensor>:$value_bias_row,
    I64Attr:$num_heads,
    DefaultValuedAttr<I64Attr, "0">:$query_size,
    DefaultValuedAttr<I64Attr, "0">:$key_size,
    DefaultValuedAttr<I64Attr, "0">:$value_size,
    DefaultValuedAttr<I64Attr, "0">:$query_projection_size,
    DefaultValuedAttr<I64Attr, "0">:$key_projection_size,
    DefaultValuedAttr<I64Attr, "0">:$value_projection_size,
    DefaultValuedAttr<I64Attr, "0">:$output_projection_size,
    UnitAttr:$query_bias, UnitAttr:$key_bias, UnitAttr:$value_bias,
    UnitAttr:$output_bias,
    DefaultValuedAttr<F32Attr, "1.0">:$scale,
    DefaultValuedAttr<I64Attr, "0">:$input_order,
    DefaultValuedAttr<NN_AttentionMaskAttr, "AttentionMask::none">:$mask_type,
    UnitAttr:$add_zero_attention, UnitAttr:$need_weights, UnitAttr:$residual,
    UnitAttr:$training, DefaultValuedAttr<I64Attr, "0">:$seed,
    DefaultValuedAttr<F32Attr, "0.0">:$attention_dropout,
    DefaultValuedAttr<F32Attr, "0.0">:$output_dropout,
    UnitAttr:$single_reserve);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    `(` $query `,` $key `,` $value `,` $weights `)` (`mask` $mask^)?
    (`bias_rows` $key_bias_row^ `,` $value_bias_row)? attr-dict `:`
    functional-type(operands, results)
  }];
  code nnClassDeclaration = [{
    /// The attended values.
    ::mlir::Value getOutput() { return getOutputs().front(); }
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNRECURRENTOPS_TD
