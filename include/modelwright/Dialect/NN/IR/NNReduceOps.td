//===- NNReduceOps.td - Reductions -------------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNREDUCEOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNREDUCEOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

class NN_ReduceOp<string name, string formula>
    : NN_ValueShapedOp<"reduce_" # name> {
  let summary = "reduction: " # name;
  let description = "`result = " # formula # [{`

    With `axis` (negative counts from the end) that dim is reduced and stays as
    1. With `target_shape`, an integer vector, the result has that shape: right
    aligned, each of its dims is the input's or 1 (reduced); leading dims of the
    input that it lacks are reduced too. Exactly one of both is given.

    `data_type`: `same` accumulates and gives the input's type; `o32_c32` and
    `o16_c32` accumulate in f32 and give f32 and f16; `io16_c32` is an old
    spelling of `o16_c32`; `quint8_o32` and `qint8_o32` add up the codes
    (without the zero point) of a quantized 8-bit input and give
    `!quant.uniform<i32>` of the input's scale.

    Float minima and maxima propagate NaN. An integer mean truncates toward
    zero; that of quantized codes rounds halves away from zero.
  }];
  let arguments = (ins NN_Tensor:$input, Optional<NN_Tensor>:$target_shape,
    OptionalAttr<NN_I32RangeAttr>:$axis,
    DefaultValuedAttr<NN_ReduceTypeAttr, "ReduceType::same">:$data_type);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input (`to` $target_shape^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let nnClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferTypes(
        std::optional<::mlir::Location> loc, Adaptor adaptor,
        KnownValues values, ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferReduce<$cppClass>(loc, adaptor, values, types);
    }
  }];
}

def NN_ReduceSumOp : NN_ReduceOp<"sum", "sum of x">;
def NN_ReduceSumSqrOp : NN_ReduceOp<"sum_sqr", "sum of x*x">;
def NN_ReduceProdOp : NN_ReduceOp<"prod", "product of x">;
def NN_ReduceMinOp : NN_ReduceOp<"min", "least x">;
def NN_ReduceMaxOp : NN_ReduceOp<"max", "greatest x">;
def NN_ReduceMeanOp : NN_ReduceOp<"mean", "sum of x / number of x">;

#endif // MODELWRIGHT_DIALECT_NN_IR_NNREDUCEOPS_TD
