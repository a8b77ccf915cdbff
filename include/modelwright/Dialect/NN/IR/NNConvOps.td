//===- NNConvOps.td - Convolutions -*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNCONVOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNCONVOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

def NN_Conv2DOp : NN_InferredOp<"conv2d", [AttrSizedOperandSegments]> {
  let summary = "2-D convolution with optional bias, residual and activation";
  let description = [{
    `result = activation(conv(input, filter) + bias + residual)`

    Spatial size: `O = (I + 2*pad - ((K - 1)*dilation + 1)) / stride + 1`,
    floored; padding holds zeros (real 0 for quantized inputs). Without
    `flip_filter` it is a cross-correlation; with it the filter is mirrored in
    both spatial dims.

    The filter is in the layout's own order (NCHW: `OC,IC,FH,FW`). With
    `group_filter` a leading group dim is added (NCHW: `G,OCg,ICg,FH,FW`) and
    `groups` equals it; group g reads input channels `[g*ICg, (g+1)*ICg)` and
    writes output channels `[g*OCg, (g+1)*OCg)`. In NCHW44 and NCHW88 a
    channel-wise filter is `G/x,1,1,FH,FW,x`. Without `group_filter` and with
    `groups > 1` the NCHW filter is `OC,IC/groups,FH,FW`.

    `bias` has the shape `1,OC,1,1` of the output layout or the result's own
    shape; `residual` has the result's shape.

    Element types: floats give the same float; `i8` gives `i32`, or `i16` if
    `out_type` says so; quantized inputs give `!quant.uniform<i32>` with scale
    `scale(input)*scale(filter)` unless `out_type` sets another quantized type.
    Quantized results are `quantize(activation(dequantize(acc) +
    dequantize(bias) + dequantize(residual)))`, every step rounded to f32.
    `accumulate_f32` asks for f32 accumulation of 16-bit floats.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$filter,
    Optional<NN_Tensor>:$bias, Optional<NN_Tensor>:$residual,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    DefaultValuedAttr<NN_ActivationAttr, "Activation::none">:$activation,
    OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter (`bias` $bias^)? (`residual` $residual^)? attr-dict `:`
    functional-type(operands, results)
  }];
  code nnClassDeclaration = [{
    /// Number of output channels, or kDynamic.
    int64_t getOutputChannels();
  }];
}

def NN_ConvTranspose2DOp
    : NN_InferredOp<"conv_transpose2d", [AttrSizedOperandSegments]> {
  let summary = "2-D transposed convolution";
  let description = [{
    The adjoint of `nn.conv2d` with the same filter and attributes, optionally
    followed by bias and activation:
    `O = (I - 1)*stride + ((K - 1)*dilation + 1) - 2*pad` per spatial dim, or
    the spatial size of `output_shape_like` when that operand is given (only
    its shape is read).

    The filter is that of the forward convolution: its OC is the channel count
    of `input`, its IC that of the result. Element types as in `nn.conv2d`.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$filter,
    Optional<NN_Tensor>:$bias, Optional<NN_Tensor>:$output_shape_like,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    DefaultValuedAttr<NN_ActivationAttr, "Activation::none">:$activation,
    OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter (`bias` $bias^)? (`like` $output_shape_like^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNCONVOPS_TD
