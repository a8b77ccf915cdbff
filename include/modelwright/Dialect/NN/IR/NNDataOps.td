//===- NNDataOps.td - Constants, variables and copies ------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNDATAOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNDATAOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

def NN_ConstantOp : NN_Op<"constant", [Pure, ConstantLike]> {
  let summary = "tensor constant";
  let description = [{
    The value's type has the result's shape and the result's storage element
    type (the storage integer of a quantized type). For a `dense_resource` the
    blob holds the elements row major and little endian: one byte per boolean;
    elements narrower than a byte are packed lower bits first, each innermost
    row padded to whole bytes.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "attr-dict $value `:` type($result)";
  let builders = [OpBuilder<(ins "::mlir::RankedTensorType":$type,
                                 "::mlir::ElementsAttr":$value)>];
  let skipDefaultBuilders = 1;
  let hasFolder = 1;
  let hasVerifier = 1;
}

def NN_VariableOp : NN_Op<"variable", [MemoryEffects<[MemRead]>]> {
  let summary = "tensor that the application or another op may change";
  let description = [{
    Reads a variable with the initial `value`, laid out as in `nn.constant`.
    It is not a constant: nothing folds it, two of them are never merged.
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "attr-dict $value `:` type($result)";
  let hasVerifier = 1;
}

def NN_CopyOp : NN_InferredOp<"copy"> {
  let summary = "copy to another device";
  let description = [{
    `result = input`. Where the copy goes is format data (`mgb.comp_node`);
    within one device it is the identity.
  }];
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = "$input attr-dict `:` functional-type(operands, results)";
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNDATAOPS_TD
