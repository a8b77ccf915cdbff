//===- NNLinearOps.td - Linear algebra ops -----------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNLINEAROPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNLINEAROPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

/// A matrix product; see nn.matmul.
class NN_ProductOp<string mnemonic> : NN_InferredOp<mnemonic> {
  let arguments = (ins
    NN_Tensor:$lhs, NN_Tensor:$rhs,
    UnitAttr:$transpose_a, UnitAttr:$transpose_b, UnitAttr:$accumulate_f32,
    DefaultValuedAttr<NN_MatMulFormatAttr, "MatMulFormat::Default">:$format,
    OptionalAttr<TypeAttr>:$out_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

def NN_MatMulOp : NN_ProductOp<"matmul"> {
  let summary = "product of two matrices";
  let description = [{
    `result[i, j] = sum over k of A[i, k] * B[k, j]`, where A is `lhs` or, with
    `transpose_a`, its transpose, and B likewise `rhs`.

    Shapes: `m,k` and `k,n` give `m,n`. In the formats MK4 and MK8 (x = 4, 8)
    `lhs` is `m/x,k/x,x,x` and `rhs` `k/x,n,x`, which give `m/x,n,x`; the
    shapes of the `_DOT` formats are `..,..,..,..` and `..,..,..` with a last
    dim that is not inferred.

    Element types: floats give the same float; `i8` gives `i32`, or `i16` if
    `out_type` says so, `i16` gives `i32`; quantized operands give
    `!quant.uniform` over `i32` (over `i16` for signed 4-bit storage) with scale
    `scale(lhs)*scale(rhs)` unless `out_type` sets another quantized type.
    `accumulate_f32` asks for f32 accumulation of 16-bit floats.
  }];
}

def NN_BatchMatMulOp : NN_ProductOp<"batch_matmul"> {
  let summary = "products of two batches of matrices";
  let description = [{
    `result[b] = A[b] * B[b]` for every batch index b, each product as in
    `nn.matmul`. Shapes: `b,m,k` and `b,k,n` give `b,m,n`; `transpose_a` and
    `transpose_b` swap the last two dims. Element types as in `nn.matmul`.
    `format` has no effect on shapes.
  }];
}

def NN_DotOp : NN_InferredOp<"dot"> {
  let summary = "inner product of two vectors";
  let description = [{
    `result[0] = sum over i of lhs[i] * rhs[i]`. A vector of length 1 is
    repeated to the length of the other. The result has shape `1`; `i8`
    operands give `i32`, other types stay.
  }];
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

def NN_MatrixInverseOp : NN_InferredOp<"matrix_inverse"> {
  let summary = "inverse of square matrices";
  let description = [{
    `result[.., :, :] = inverse(input[.., :, :])` for every matrix of the last
    two dims, which must be equal. The result has the input's type.
  }];
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
}

def NN_SVDOp : NN_InferredOp<"svd"> {
  let summary = "singular value decomposition";
  let description = [{
    `input[.., :, :] = u * diag(s) * vt` for every matrix of the last two dims,
    the singular values `s` in descending order. With p = min(m, n) an input
    `..,m,n` gives u `..,m,p`, s `..,p`, vt `..,p,n`; with `full_matrices`
    u is `..,m,m` and vt `..,n,n`. The results are u, s, vt, or s alone
    when `compute_uv` is false.
  }];
  let arguments = (ins NN_Tensor:$input, UnitAttr:$full_matrices,
                       DefaultValuedAttr<BoolAttr, "true">:$compute_uv);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
  code nnClassDeclaration = [{
    /// The singular values.
    ::mlir::Value getSingularValues() {
      return getOutputs()[getComputeUv() ? 1 : 0];
    }
  }];
}

def NN_CrossOp : NN_InferredOp<"cross"> {
  let summary = "cross product of 3-vectors";
  let description = [{
    With a = the vector of `lhs` along `axis_a` and b that of `rhs` along
    `axis_b`: `result = (a1*b2 - a2*b1, a2*b0 - a0*b2, a0*b1 - a1*b0)` along
    `axis_c` of the result. Both dims must be 3; the other dims of `lhs` and
    `rhs`, in order, must be equal and are those of the result. Negative axes
    count from the end.
  }];
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs,
                       DefaultValuedAttr<NN_I32RangeAttr, "-1">:$axis_a,
                       DefaultValuedAttr<NN_I32RangeAttr, "-1">:$axis_b,
                       DefaultValuedAttr<NN_I32RangeAttr, "-1">:$axis_c);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNLINEAROPS_TD
