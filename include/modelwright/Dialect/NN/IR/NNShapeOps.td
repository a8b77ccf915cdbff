//===- NNShapeOps.td - Shape ops ---------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNSHAPEOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNSHAPEOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

//===----------------------------------------------------------------------===//
// Slices
//===----------------------------------------------------------------------===//

def NN_SliceOp : NN_ValueShapedOp<"slice"> {
  let summary = "strided slice, with indices that drop axes";
  let description = [{
    Item k restricts axis `axes[k]` (negative: from the end); axes without an
    item stay whole. The items consume `indices` in order: a begin if
    `has_begin[k]`, an end if `has_end[k]`, a step if `has_step[k]`, or one
    index if `has_index[k]` (which excludes the others). Each is one integer.

    With size s of the axis: step defaults to 1 and is not 0; begin defaults to
    0 (s - 1 for a negative step), end to s (one before 0 for a negative step);
    negative values count from s; both are clamped to s (begin to s - 1 for a
    negative step), a begin before the first element is an error. The result
    holds elements begin, begin + step, ... before end. An index selects one
    element and drops the axis. If no axis is left the shape is `1`.
  }];
  let arguments = (ins NN_Tensor:$input, Variadic<NN_Tensor>:$indices,
    DenseI64ArrayAttr:$axes, DenseBoolArrayAttr:$has_begin,
    DenseBoolArrayAttr:$has_end, DenseBoolArrayAttr:$has_step,
    DenseBoolArrayAttr:$has_index);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`[` $indices^ `]`)? attr-dict `:`
    functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_SliceUpdateOp : NN_InferredOp<"slice_update"> {
  let summary = "copy of a tensor with one slice replaced";
  let description = [{
    `result = input; result[slice] = value`, the slice chosen as in
    `nn.slice`; `value` broadcasts to its shape.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$value,
    Variadic<NN_Tensor>:$indices,
    DenseI64ArrayAttr:$axes, DenseBoolArrayAttr:$has_begin,
    DenseBoolArrayAttr:$has_end, DenseBoolArrayAttr:$has_step,
    DenseBoolArrayAttr:$has_index);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`[` $indices^ `]`)? `=` $value attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

def NN_BroadcastToOp : NN_ValueShapedOp<"broadcast_to"> {
  let summary = "numpy broadcast to a shape";
  let description = [{
    `result[.., i, ..] = input[.., (dim == 1 ? 0 : i), ..]`, axes aligned at
    the right. `shape` is a vector of integers.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$shape);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $shape attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_TransposeOp : NN_InferredOp<"transpose"> {
  let summary = "permutation of axes, with new and dropped axes of size 1";
  let description = [{
    Result axis i is input axis `permutation[i]`, or a new axis of size 1 where
    that is -1. Input axes that are not named must have size 1 and are dropped.
    `input_rank` demands a rank of the input; 0 accepts any.
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$permutation,
    DefaultValuedAttr<I64Attr, "0">:$input_rank);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_ExpandSqueezeOp : NN_InferredOp<"expand_squeeze"> {
  let summary = "insertions and removals of axes of size 1";
  let description = [{
    In order, for each k: inserts an axis of size 1 at `axes[k]` (negative:
    from the end of the new shape), or, where `squeeze[k]`, removes axis
    `axes[k]`, which must have size 1. The last axis of a tensor always stays.
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$axes,
    DenseBoolArrayAttr:$squeeze);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_ReshapeOp : NN_ValueShapedOp<"reshape"> {
  let summary = "the same elements in another shape";
  let description = [{
    `shape` is a vector of integers. If `inferred_axis` is given (negative:
    from the end), that dim is what makes the number of elements fit and its
    value in `shape` is not read.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$shape,
    OptionalAttr<NN_I32RangeAttr>:$inferred_axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $shape attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Joins and parts
//===----------------------------------------------------------------------===//

def NN_ConcatOp : NN_InferredOp<"concat"> {
  let summary = "tensors one after another along an axis";
  let description = [{
    All dims but that of `axis` (negative: from the end) are equal; the
    result's is the sum.
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs, NN_I32RangeAttr:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_SplitOp : NN_ValueShapedOp<"split"> {
  let summary = "consecutive parts along an axis";
  let description = [{
    One result per size; result k holds the next `sizes[k]` elements along
    `axis` (negative: from the end). The sizes, each one integer, add up to the
    dim.
  }];
  let arguments = (ins NN_Tensor:$input, Variadic<NN_Tensor>:$sizes,
    NN_I32RangeAttr:$axis);
  let results = (outs Variadic<NN_Tensor>:$results);
  let assemblyFormat = [{
    $input (`,` $sizes^)? attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_PadOp : NN_InferredOp<"pad"> {
  let summary = "more elements around a tensor";
  let description = [{
    `low[i]` elements are added before and `high[i]` after axis i; missing
    entries are 0, entries past the rank have no effect. The new elements are
    `value` (mode constant), the nearest edge element (replicate), or the
    mirror image without repeating the edge (reflect, where each pad must be
    smaller than the dim).
  }];
  let arguments = (ins NN_Tensor:$input, DenseI64ArrayAttr:$low,
    DenseI64ArrayAttr:$high,
    DefaultValuedAttr<NN_PadModeAttr, "PadMode::constant">:$mode,
    DefaultValuedAttr<F32Attr, "0.0f">:$value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

def NN_RelayoutOp : NN_InferredOp<"relayout"> {
  let summary = "conversion between physical layouts";
  let description = [{
    `mode` A_B reads layout A and writes layout B (the shapes of `nn::Layout`;
    an I at the end of NHWCD4 stands for the image tensor of the same shape).
    With ceil(a/b) = (a + b - 1) / b and zeros in the padding lanes:

    - NHWC_NHWCD4 needs channels in whole blocks of 4; the other modes to
      NHWCD4 or NHWCD4I pad C up to blocks of 4 (NCHW_NHWCD4 leaves the padding
      undefined). From NHWCD4(I) to NHWC or NCHW: 4 channels per block.
    - NCHW_NCHW88, NCHW_NCHW64: C/x is ceil(C/x). NCHW_NCHW4 pads each of
      `groups` groups on its own: groups * ceil(C/groups/4) blocks.
      NCHW_NCHW4_IC_SMALL: one block, C <= 4.
    - NCHW4_NCHW, NCHW64_NCHW drop the channels from `out_channels` on unless
      it is 0; NCHW88_NCHW keeps all.
    - NCHW4_CHWN4 and CHWN4_NCHW4 permute axes.
    - INTER_WEIGHT_* turn an NCHW filter (DENSE: OC,IC,FH,FW, GROUP:
      G,OC,IC,FH,FW, CHAN: G,1,1,FH,FW) into the NHWCD4 filter (DENSE
      OC/4,FH,FW,IC,4, GROUP G,OC/4,FH,FW,IC,4, CHAN G/4,1,FH,FW,4; the DOT
      forms IC/4,4,4 instead of IC,4).
    - NCHW_NCHW88_CONV_*_WEIGHT: DENSE OC/8,ceil(IC/8),FH,FW,8,8, GROUP the
      same after G, CHAN ceil(G/8),1,1,FH,FW,8; OC is a multiple of 8.
      NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT: OC,1,FH,FW,4. NCHW_NCHW4_WEIGHT:
      OC padded up to a multiple of 4, then ceil(IC/4),FH,FW,4; per group if
      the filter has a group dim.

    The element type stays unless `out_type` names another one of the same
    width (the elements are then requantized while they move).
  }];
  let arguments = (ins NN_Tensor:$input, NN_RelayoutModeAttr:$mode,
    DefaultValuedAttr<I64Attr, "0">:$out_channels,
    DefaultValuedAttr<I64Attr, "1">:$groups,
    OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Shapes and sequences as data
//===----------------------------------------------------------------------===//

def NN_ShapeOfOp : NN_InferredOp<"shape_of"> {
  let summary = "shape as an i32 vector";
  let description = [{
    The shape of the input, or the shape that several inputs broadcast to. With
    `axis` (negative: from the end) only that dim, as a tensor of one element.
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs,
    OptionalAttr<NN_I32RangeAttr>:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_LinspaceOp : NN_ValueShapedOp<"linspace"> {
  let summary = "evenly spaced f32 vector";
  let description = [{
    `result[i] = start + i * (stop - start) / d`, i < num, with
    d = max(num - 1, 1) if `endpoint`, else num. The three operands have one
    element each.
  }];
  let arguments = (ins NN_Tensor:$start, NN_Tensor:$stop, NN_Tensor:$num,
    DefaultValuedAttr<BoolAttr, "true">:$endpoint);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $start `,` $stop `,` $num attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_EyeOp : NN_ValueShapedOp<"eye"> {
  let summary = "matrix with ones on one diagonal";
  let description = [{
    `result[i, j] = (j - i == diagonal ? 1 : 0)`. `shape` holds the two dims,
    or one value for a square matrix.
  }];
  let arguments = (ins NN_Tensor:$shape,
    DefaultValuedAttr<NN_I32RangeAttr, "0">:$diagonal, TypeAttr:$element_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $shape attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNSHAPEOPS_TD
