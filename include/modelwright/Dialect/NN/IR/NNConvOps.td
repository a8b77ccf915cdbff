//===- NNConvOps.td - Convolutions -------------------------*- tablegen -*-===//
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

    `pads` is `[height, width]`, or `[top, bottom, left, right]` where both
    sides differ (the sum of both sides then stands for `2*pad`).

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
    `scale(input)*scale(filter)` unless `out_type` sets another quantized type
    or `f32`.
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

//===----------------------------------------------------------------------===//
// 3-D convolutions
//===----------------------------------------------------------------------===//

class NN_Conv3DLikeOp<string mnemonic, list<Trait> traits = []>
    : NN_InferredOp<mnemonic, traits> {
  dag convAttributes = (ins
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCDHW">:$layout);
  let results = (outs NN_Tensor:$result);
}

def NN_Conv3DOp : NN_Conv3DLikeOp<"conv3d"> {
  let summary = "3-D convolution";
  let description = [{
    `result = conv(input, filter)` over depth, height and width. Per spatial
    dim: `O = (I + 2*pad - ((K - 1)*dilation + 1)) / stride + 1`, floored;
    padding holds zeros. `flip_filter` mirrors the filter in all three spatial
    dims.

    `layout` is `NCDHW` with filter `OC,IC,FD,FH,FW` or `NDHWC` with filter
    `OC,FD,FH,FW,IC`. Groups are as in `nn.conv2d`: `group_filter` puts a group
    dim in front of the filter. Floats only; the result has the operands'
    element type. `accumulate_f32` asks for f32 accumulation of 16-bit floats.
  }];
  let arguments = !con((ins NN_Tensor:$input, NN_Tensor:$filter),
                       convAttributes);
  let assemblyFormat = [{
    $input `,` $filter attr-dict `:` functional-type(operands, results)
  }];
}

def NN_ConvTranspose3DOp : NN_Conv3DLikeOp<"conv_transpose3d"> {
  let summary = "3-D transposed convolution";
  let description = [{
    The adjoint of `nn.conv3d` with the same filter and attributes. Per spatial
    dim: `O = (I - 1)*stride + ((K - 1)*dilation + 1) - 2*pad`, or the size of
    `output_shape_like` when that operand is given (only its shape is read).

    The filter is that of the forward convolution: its OC is the channel count
    of `input`, its IC that of the result.
  }];
  let arguments = !con((ins NN_Tensor:$input, NN_Tensor:$filter,
                            Optional<NN_Tensor>:$output_shape_like),
                       convAttributes);
  let assemblyFormat = [{
    $input `,` $filter (`like` $output_shape_like^)? attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Relatives of the 2-D convolution
//===----------------------------------------------------------------------===//

def NN_BatchConv2DOp
    : NN_InferredOp<"batch_conv2d", [AttrSizedOperandSegments]> {
  let summary = "2-D convolution with a filter per batch entry";
  let description = [{
    `result[n] = activation(conv(input[n], filter[n]) + bias + residual[n])`

    `nn.conv2d` with a batch dim in front of everything else in the filter
    (NCHW: `N,OC,IC,FH,FW`, or `N,G,OCg,ICg,FH,FW` with `group_filter`). All
    else, bias included, is as there.
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
}

/// The attributes of a convolution that knows no layout but NCHW.
class NN_PlainConv2DOp<string mnemonic> : NN_InferredOp<mnemonic> {
  dag convAttributes = (ins
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32);
  let results = (outs NN_Tensor:$result);
}

def NN_DeformConv2DOp : NN_PlainConv2DOp<"deform_conv2d"> {
  let summary = "2-D convolution with learned sample positions";
  let description = [{
    `result[n,oc,oh,ow] = sum over ic,fh,fw of filter[oc,ic,fh,fw] *
    mask[n,g*K + k,oh,ow] * bilinear(input[n,ic], y, x)` with `K = FH*FW`,
    `k = fh*FW + fw`, `y = oh*stride - pad + fh*dilation +
    offset[n,2*(g*K + k),oh,ow]`, and `x` likewise from the offset channel
    behind it. g is the deformable group of channel ic: the input channels
    split evenly into `DG = (channels of offset) / (2*K)` groups. Taps outside
    of the image count as zero.

    NCHW floats. `offset` is `N,2*DG*K,OH,OW`, `mask` is `N,DG*K,OH,OW`; DG
    divides the channels of input and result. Size, filter and groups are as in
    `nn.conv2d`.
  }];
  let arguments = !con((ins NN_Tensor:$input, NN_Tensor:$filter,
                            NN_Tensor:$offset, NN_Tensor:$mask),
                       convAttributes);
  let assemblyFormat = [{
    $input `,` $filter `offset` $offset `mask` $mask attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_RegionConv2DOp : NN_PlainConv2DOp<"region_conv2d"> {
  let summary = "2-D convolution within regions";
  let description = [{
    `nn.conv2d` in which the tap at input position `(ih, iw)` counts for output
    position `(oh, ow)` only where `region_in[n,ih,iw] ==
    region_out[n,oh,ow]`.

    NCHW floats; `region_in` is `N,IH,IW` and `region_out` is `N,OH,OW`, both
    `i32` or both `ui8`.
  }];
  let arguments = !con((ins NN_Tensor:$input, NN_Tensor:$filter,
                            NN_Tensor:$region_in, NN_Tensor:$region_out),
                       convAttributes);
  let assemblyFormat = [{
    $input `,` $filter `in` $region_in `out` $region_out attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_MaskConv2DOp : NN_InferredOp<"mask_conv2d"> {
  let summary = "2-D convolution at chosen output positions";
  let description = [{
    `result[n,oc,oh,ow] = mask[oh,ow] != 0 ? conv(input, filter)[n,oc,oh,ow]
    : 0`

    with the convolution, the layouts and the element types of `nn.conv2d`.
    `mask` is `OH,OW` of `i8`, `i16` or `i32`.
  }];
  let arguments = (ins
    NN_Tensor:$input, NN_Tensor:$filter, NN_Tensor:$mask,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32,
    DefaultValuedAttr<NN_LayoutAttr, "Layout::NCHW">:$layout,
    OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter `mask` $mask attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_MaskPropagateOp : NN_InferredOp<"mask_propagate"> {
  let summary = "the mask of the outputs that a masked input reaches";
  let description = [{
    `result[oh,ow] = 1` if an element of `input` (`IH,IW`) under the window of
    `(oh, ow)` is not zero, else 0. Padding counts as zero. Size as in
    `nn.conv2d` with a filter of `kernel`. Integers; the result has the input's
    element type.
  }];
  let arguments = (ins NN_Tensor:$input,
    DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_LocalConv2DOp : NN_InferredOp<"local_conv2d"> {
  let summary = "2-D convolution with a filter of its own at each position";
  let description = [{
    `result[n,oc,oh,ow] = sum over ic,fh,fw of
    filter[oh,ow,ic,fh,fw,oc] * input[n,ic,oh*stride - pad + fh,
    ow*stride - pad + fw]`

    (a locally connected layer). Padding holds zeros, `flip_filter` mirrors the
    filters. NCHW floats. The filter is `OH,OW,IC,FH,FW,OC`; with
    `group_filter` it is `G,OH,OW,ICg,FH,FW,OCg` and group g reads and writes
    the g-th part of the channels.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$filter,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    UnitAttr:$group_filter, UnitAttr:$flip_filter, UnitAttr:$accumulate_f32);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter attr-dict `:` functional-type(operands, results)
  }];
}

def NN_LocalShareConv2DOp : NN_InferredOp<"local_share_conv2d"> {
  let summary = "2-D convolution with a filter of its own in each tile";
  let description = [{
    `nn.local_conv2d` in which the output positions of a tile share a filter:
    the output splits evenly into `spatial_groups` tiles in height and width,
    and the filter is `TH,TW,IC,FH,FW,OC` for tiles `(TH, TW)`, or
    `G,TH,TW,ICg,FH,FW,OCg` with `group_filter`. NCHW `f32`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$filter,
    DenseI64ArrayAttr:$spatial_groups,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    UnitAttr:$group_filter, UnitAttr:$flip_filter);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $filter attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

def NN_Im2ColOp : NN_InferredOp<"im2col"> {
  let summary = "sliding windows made explicit";
  let description = [{
    `result[n,c,oh,ow,fh,fw] = input[n,c,oh*stride - pad + fh*dilation,
    ow*stride - pad + fw*dilation]`, zero outside of the image. `input` is
    `N,C,H,W`, the result `N,C,OH,OW,kernel...` with OH and OW as in
    `nn.conv2d`.
  }];
  let arguments = (ins NN_Tensor:$input,
    DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$strides,
    DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_Col2ImOp : NN_InferredOp<"col2im"> {
  let summary = "sum of overlapping sliding windows";
  let description = [{
    The adjoint of `nn.im2col`: `result[n,c,h,w]` is the sum of the elements of
    `input` (`N,C,OH,OW,kernel...`) that `nn.im2col` with the same attributes
    reads from `(h, w)`. The result is `N,C,output_size...`; OH and OW must be
    what `nn.im2col` makes of that size.
  }];
  let arguments = (ins NN_Tensor:$input,
    DenseI64ArrayAttr:$output_size, DenseI64ArrayAttr:$kernel,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads,
    DenseI64ArrayAttr:$dilations);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_CorrelationOp : NN_InferredOp<"correlation"> {
  let summary = "correlation of two feature maps over displacements";
  let description = [{
    With `r = max_displacement / stride2`, `D = 2*r + 1`, kernel radius
    `kr = (kernel_size - 1) / 2` (all floored) and channel `k` of the `D*D` of
    the result standing for the displacement `dx = (k % D - r)*stride2`,
    `dy = (k / D - r)*stride2`:

    `result[n,k,i,j] = sum over c and |u|,|v| <= kr of
    f(lhs[n,c,y + u,x + v], rhs[n,c,y + dy + u,x + dx + v]) /
    (kernel_size^2 * C)` at `y = i*stride1 + kr + max_displacement - pad`, x
    likewise. f multiplies if `multiply`, else it is the absolute difference;
    elements outside of a map are zero.

    Size: `ceil((I + 2*pad - 2*(max_displacement + kr)) / stride1)`. NCHW
    floats of one shape.
  }];
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs,
    I64Attr:$kernel_size, I64Attr:$max_displacement, I64Attr:$stride1,
    I64Attr:$stride2, I64Attr:$pad, BoolAttr:$multiply);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNCONVOPS_TD
