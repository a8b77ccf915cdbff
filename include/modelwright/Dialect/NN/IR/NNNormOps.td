//===- NNNormOps.td - Norm ops -----------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNNORMOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNNORMOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

def NN_BatchNormOp : NN_InferredOp<"batch_norm", [AttrSizedOperandSegments]> {
  let summary = "batch normalization";
  let description = [{
    `result = scale*(input - mean) / sqrt(variance + epsilon) + bias`

    on a tensor of rank 4; the parameters have the shape that `param_dim` says
    (`dim_1c11`: `1,C,1,1`) and broadcast. With `training`, mean and (biased)
    variance are those of the batch over the dims that are 1 in that shape;
    otherwise they are the operands.

    `num_stats` further results, all of the parameters' type but the last:

    * `running_mean`, `running_variance`: only with `training` and both
      operands: `(1 - avg_factor)*old + avg_factor*batch`, with the unbiased
      variance of the batch;
    * `save_mean`: the batch's mean; `save_variance`: with `training`
      `1 / sqrt(variance + epsilon)` of the batch;
    * `reserve`: `0 x si8`, optional; scratch memory of some back ends.

    So `num_stats` is 0 (none of them), 2 or 3, and 4 or 5 with the running
    ones.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$scale, NN_Tensor:$bias,
    Optional<NN_Tensor>:$mean, Optional<NN_Tensor>:$variance,
    F64Attr:$epsilon, F64Attr:$avg_factor, UnitAttr:$training,
    DefaultValuedAttr<NN_ParamDimAttr, "ParamDim::dim_1c11">:$param_dim,
    DefaultValuedAttr<I64Attr, "0">:$num_stats);
  let results = (outs NN_Tensor:$result, Variadic<NN_Tensor>:$stats);
  let assemblyFormat = [{
    $input `,` $scale `,` $bias (`stats` $mean^ `,` $variance)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_LRNOp : NN_InferredOp<"lrn"> {
  let summary = "local response normalization";
  let description = [{
    `result[c] = input[c] * (k + alpha*S)^(-beta)` with `S` the sum of
    `input[j]^2` over the channels j with `|j - c| <= size/2`; alpha is not
    divided by `size`, which is odd. NCHW floats.
  }];
  let arguments = (ins NN_Tensor:$input, I64Attr:$size, F32Attr:$k,
    F32Attr:$alpha, F32Attr:$beta);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

/// Norms that also give the mean and 1 / sqrt(variance + epsilon) they used.
class NN_MomentsNormOp<string mnemonic>
    : NN_InferredOp<mnemonic, [AttrSizedOperandSegments]> {
  dag normOperands = (ins NN_Tensor:$input, Optional<NN_Tensor>:$weight,
    Optional<NN_Tensor>:$bias, F32Attr:$epsilon);
  let results = (outs NN_Tensor:$result, NN_Tensor:$mean, NN_Tensor:$rstd);
  let assemblyFormat = [{
    $input (`weight` $weight^ `bias` $bias)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_LayerNormOp : NN_MomentsNormOp<"layer_norm"> {
  let summary = "normalization over the last dims";
  let description = [{
    `result = (input - mean) * rstd * weight + bias` with mean and
    `rstd = 1 / sqrt(variance + epsilon)` (biased variance) taken over the last
    `normalized_dims` dims, which are not all of them and hold
    `normalized_size` elements. Weight and bias have the shape of those dims;
    without them the result is `(input - mean) * rstd`. `mean` and `rstd` are
    `f32` of the other dims.
  }];
  let arguments = !con(normOperands,
    (ins I64Attr:$normalized_dims, I64Attr:$normalized_size));
}

def NN_GeneralNormOp : NN_MomentsNormOp<"general_norm"> {
  let summary = "normalization over a range of dims";
  let description = [{
    `nn.layer_norm` over the dims `[axis_begin, axis_end)`. Weight and bias
    have the shape of those dims. `mean` and `rstd` are `f32` of the other
    dims, `1` if there is none.
  }];
  let arguments = !con(normOperands,
    (ins NN_I32RangeAttr:$axis_begin, NN_I32RangeAttr:$axis_end));
}

def NN_GroupNormOp : NN_MomentsNormOp<"group_norm"> {
  let summary = "normalization over groups of channels";
  let description = [{
    `result = (input - mean) * rstd * weight + bias` on `N,C,H,W` with mean and
    `rstd = 1 / sqrt(variance + epsilon)` (biased variance) taken over each of
    the `groups` groups of `C/groups` channels with their spatial dims. Weight
    and bias hold one value per channel; without them the result is
    `(input - mean) * rstd`. `mean` and `rstd` are `N,groups` of `f32`.
  }];
  let arguments = !con(normOperands, (ins I64Attr:$groups));
}

def NN_InstanceNormOp : NN_MomentsNormOp<"instance_norm"> {
  let summary = "normalization of each channel";
  let description = [{
    `nn.group_norm` with as many groups as channels; `mean` and `rstd` are
    `N,C` of `f32`.
  }];
  let arguments = normOperands;
}

def NN_SoftmaxOp : NN_InferredOp<"softmax"> {
  let summary = "softmax along an axis";
  let description = [{
    `result = exp(input - m) / sum(exp(input - m))` along `axis` (negative
    counts from the end), m being the maximum along it. Floats.
  }];
  let arguments = (ins NN_Tensor:$input, NN_I32RangeAttr:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNNORMOPS_TD
