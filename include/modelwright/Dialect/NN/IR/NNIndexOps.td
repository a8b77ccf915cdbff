//===- NNIndexOps.td - Index ops ---------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNINDEXOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNINDEXOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

//===----------------------------------------------------------------------===//
// Indexing by items, as in nn.slice
//===----------------------------------------------------------------------===//

def NN_IndexOp : NN_ValueShapedOp<"index"> {
  let summary = "indexing by vectors that broadcast together";
  let description = [{
    Items as in `nn.slice`, but an index is an i32 tensor. Slice items are
    applied first. The index tensors broadcast to one shape S; element
    `i` of S selects, in each indexed axis, the element its tensor names
    (negative: from the end). S stands at the first indexed axis if the indexed
    axes are consecutive, otherwise in front.
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
}

def NN_IndexPutOp : NN_InferredOp<"index_put"> {
  let summary = "copy of a tensor with indexed elements replaced";
  let description = [{
    `result = input; result[indices] = value`, indexed as by `nn.index`;
    `value` broadcasts to the indexed shape.
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

def NN_MeshIndexOp : NN_ValueShapedOp<"mesh_index"> {
  let summary = "indexing by the outer product of vectors";
  let description = [{
    Items as in `nn.slice`, but an index is an i32 vector v and replaces its
    axis by `v.size` elements: `result[.., i, ..] = input[.., v[i], ..]`, for
    each axis on its own. With `batched` the indices are matrices with one row
    per element of axis 0 (which has no index itself):
    `result[b, .., i, ..] = input[b, .., v[b, i], ..]`.
  }];
  let arguments = (ins NN_Tensor:$input, Variadic<NN_Tensor>:$indices,
    DenseI64ArrayAttr:$axes, DenseBoolArrayAttr:$has_begin,
    DenseBoolArrayAttr:$has_end, DenseBoolArrayAttr:$has_step,
    DenseBoolArrayAttr:$has_index, UnitAttr:$batched);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`[` $indices^ `]`)? attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_MeshIndexPutOp : NN_InferredOp<"mesh_index_put"> {
  let summary = "copy of a tensor with mesh-indexed elements replaced";
  let description = [{
    `result = input; result[mesh] = value`, indexed as by `nn.mesh_index`;
    `value` broadcasts to the indexed shape.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$value,
    Variadic<NN_Tensor>:$indices,
    DenseI64ArrayAttr:$axes, DenseBoolArrayAttr:$has_begin,
    DenseBoolArrayAttr:$has_end, DenseBoolArrayAttr:$has_step,
    DenseBoolArrayAttr:$has_index, UnitAttr:$batched);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`[` $indices^ `]`)? `=` $value attr-dict `:`
    functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

def NN_GatherNDOp : NN_InferredOp<"gather_nd"> {
  let summary = "gather by full coordinates";
  let description = [{
    `result[i..] = input[map[i.., 0], map[i.., 1], ..]`: the last dim of the
    i32 tensor `map` is the rank of the input, the others are the result's
    shape. `non_overlapping` promises that no coordinate occurs twice.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$map,
    UnitAttr:$non_overlapping);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $map attr-dict `:` functional-type(operands, results)
  }];
}

def NN_IndexOneHotOp : NN_InferredOp<"index_one_hot"> {
  let summary = "one element along an axis for each other coordinate";
  let description = [{
    `result[.., 0, ..] = input[.., index[..], ..]`: `index` is an i32 tensor
    with the input's shape without `axis`; the result's dim there is 1.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$index,
    NN_I32RangeAttr:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $index attr-dict `:` functional-type(operands, results)
  }];
}

def NN_IndexPutOneHotOp : NN_InferredOp<"index_put_one_hot"> {
  let summary = "copy with one element along an axis replaced per coordinate";
  let description = [{
    `result = input; result[.., index[..], ..] = value[.., 0, ..]`, where
    `index` and `value` have the shapes of index and result of
    `nn.index_one_hot`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$index, NN_Tensor:$value,
    NN_I32RangeAttr:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $index `,` $value attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_DiagOp : NN_InferredOp<"diag"> {
  let summary = "diagonal of a matrix, or the matrix of a diagonal";
  let description = [{
    A vector of size n gives a square matrix of size n + |diagonal| with it on
    that diagonal and zeros elsewhere; a matrix gives the vector of
    `input[i, i + diagonal]`.
  }];
  let arguments = (ins NN_Tensor:$input,
    DefaultValuedAttr<NN_I32RangeAttr, "0">:$diagonal);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

class NN_ArgExtremumOp<string mnemonic, string what> : NN_InferredOp<mnemonic> {
  let summary = "index of the " # what # " along an axis";
  let description = [{
    The i32 index of the first extremal element along `axis` (negative: from
    the end), whose dim becomes 1.
  }];
  let arguments = (ins NN_Tensor:$input, NN_I32RangeAttr:$axis);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}
def NN_ArgMaxOp : NN_ArgExtremumOp<"argmax", "maximum">;
def NN_ArgMinOp : NN_ArgExtremumOp<"argmin", "minimum">;

def NN_ArgSortOp : NN_InferredOp<"argsort"> {
  let summary = "sorted rows of a matrix and where their elements were";
  let description = [{
    Sorts each row: `values[i, j] = input[i, indices[i, j]]`, in `order`. Equal
    elements keep no particular order.
  }];
  let arguments = (ins NN_Tensor:$input,
    DefaultValuedAttr<NN_SortOrderAttr, "SortOrder::ascending">:$order);
  let results = (outs NN_Tensor:$values, NN_Tensor:$indices);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_TopKOp : NN_ValueShapedOp<"topk"> {
  let summary = "smallest or largest elements of each row of a matrix";
  let description = [{
    For k > 0 the k smallest, for k < 0 the |k| largest elements of each row
    (all of it if it is shorter). Mode `sorted` gives them ascending for k > 0
    and descending for k < 0, `unsorted` in any order, both with i32 indices
    into the row; `kth_only` gives the k-th element of each row alone and has
    one result.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$k, NN_TopKModeAttr:$mode);
  let results = (outs NN_Tensor:$values, Optional<NN_Tensor>:$indices);
  let assemblyFormat = [{
    $input `,` $k attr-dict `:` functional-type(operands, results)
  }];
}

def NN_CumSumOp : NN_InferredOp<"cumsum"> {
  let summary = "prefix sums along an axis";
  let description = [{
    `result[i] = sum of input[j], j <= i` along `axis` (negative: from the
    end); j < i if `exclusive`; j >= i (or j > i) if `reverse`.
  }];
  let arguments = (ins NN_Tensor:$input, NN_I32RangeAttr:$axis,
    UnitAttr:$exclusive, UnitAttr:$reverse);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

def NN_CondTakeOp : NN_InferredOp<"cond_take"> {
  let summary = "elements at which a mask compares true";
  let description = [{
    Over the flattened tensors: the values and i32 indices of the elements of
    `input` where `mask <predicate> value`. For float masks eq means
    |mask - value| < `epsilon`, and ne, le, ge follow from eq, lt and gt. The
    sizes are known at run time only.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$mask,
    NN_PredicateAttr:$predicate, F32Attr:$value, F32Attr:$epsilon);
  let results = (outs NN_Tensor:$values, NN_Tensor:$indices);
  let assemblyFormat = [{
    $input `,` $mask attr-dict `:` functional-type(operands, results)
  }];
}

def NN_NonZeroOp : NN_InferredOp<"nonzero"> {
  let summary = "coordinates of the elements that are not zero";
  let description = [{
    An i32 matrix with one row per axis of the input and one column per
    element, in row-major order. Their number is known at run time only.
  }];
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_SelectOp : NN_InferredOp<"select"> {
  let summary = "elementwise choice between two tensors";
  let description = [{
    `result = mask ? on_true : on_false`. The mask is boolean, all shapes are
    equal.
  }];
  let arguments = (ins NN_Tensor:$mask, NN_Tensor:$on_true,
    NN_Tensor:$on_false);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $mask `,` $on_true `,` $on_false attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_MaskedFillOp : NN_InferredOp<"masked_fill"> {
  let summary = "copy of a tensor with masked elements replaced";
  let description = [{
    `result = mask ? value : input`. The boolean mask has the leading dims of
    the input and holds for all elements of the trailing ones.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$mask, F32Attr:$value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input `,` $mask attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNINDEXOPS_TD
