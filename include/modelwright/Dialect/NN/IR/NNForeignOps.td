//===- NNForeignOps.td - Unmodelled operators --------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNFOREIGNOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNFOREIGNOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

def NN_ForeignOp : NN_Op<"foreign"> {
  let summary = "op of a file format without a typed twin";
  let description = [{
    Carries an operator whole: `format` ("mgb", "ge"), `type` (the format's
    name of it, or its hexadecimal id if it has no known name) and `params`
    (the format's parameters, one dictionary each). It may do anything, so
    nothing moves across it or removes it.
  }];
  let arguments = (ins StrAttr:$format, StrAttr:$type,
                       DefaultValuedAttr<ArrayAttr, "{}">:$params,
                       Variadic<NN_Tensor>:$operands);
  let results = (outs Variadic<NN_Tensor>:$results);
  let assemblyFormat = [{
    $format $type `(` $operands `)` attr-dict `:`
    functional-type($operands, $results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNFOREIGNOPS_TD
