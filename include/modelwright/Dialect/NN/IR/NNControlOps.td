//===- NNControlOps.td - Control ops -----------------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNCONTROLOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNCONTROLOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

//===----------------------------------------------------------------------===//
// Conditional execution
//===----------------------------------------------------------------------===//
//
// A predicate is a value of type tensor<1xi32> that says whether a branch is
// taken. Ops that depend on a marked value run only if its predicate is true.

def NN_CondPredOp : NN_InferredOp<"cond_pred"> {
  let summary = "predicates of the branches of a case statement";
  let description = [{
    Compares the scalar `value` with the scalar `keys` and gives one
    predicate per branch. Floats are equal when `|value - key| < epsilon`,
    integers when they are the same.

    * `case`: branch k is taken if value = key k.
    * `case_fallback`: likewise; one more branch is taken if no other is.
    * `piecewise`: n keys in ascending order split the line into n + 1
      branches: below key 0, between two keys, from the last key on.
  }];
  let arguments = (ins
    Variadic<NN_Tensor>:$keys, NN_Tensor:$value,
    DefaultValuedAttr<NN_CondPredModeAttr, "CondPredMode::Case">:$mode,
    F32Attr:$epsilon);
  let results = (outs Variadic<NN_Tensor>:$predicates);
  let assemblyFormat = [{
    $value `keys` `(` $keys `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_CondLogicalOp : NN_InferredOp<"cond_logical"> {
  let summary = "logical combination of predicates";
  let description = [{
    `result = mode(predicates...)`, where nor, nand and xnor negate what or,
    and and xor give over all operands.
  }];
  let arguments = (ins
    Variadic<NN_Tensor>:$predicates,
    DefaultValuedAttr<NN_CondLogicalModeAttr, "CondLogicalMode::Or">:$mode);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $predicates attr-dict `:` functional-type(operands, results)
  }];
}

def NN_CondMarkOp : NN_InferredOp<"cond_mark"> {
  let summary = "values that exist only if a predicate is true";
  let description = [{
    `results = inputs`, for ops that are to run only if `predicate` is true.
    `grad_mode` and `static_infer` say how gradients are taken and whether
    shapes and values are inferred through the mark.
  }];
  let arguments = (ins
    Variadic<NN_Tensor>:$inputs, NN_Tensor:$predicate,
    DefaultValuedAttr<NN_CondGradModeAttr, "CondGradMode::sum">:$grad_mode,
    DefaultValuedAttr<NN_CondStaticInferAttr,
                      "CondStaticInfer::shape_value">:$static_infer);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    $inputs `if` $predicate attr-dict `:` functional-type(operands, results)
  }];
}

def NN_CondMergeOp
    : NN_InferredOp<"cond_merge", [AttrSizedOperandSegments]> {
  let summary = "results of the branches that ran";
  let description = [{
    With n = `num_outputs`, `branches` holds the n values of the first
    branch, then those of the second, ... Output k comes from value k of each
    branch:

    * `exact_one`: the value of the only branch that ran.
    * `exact_one_same_shape`: likewise; all branches have the same shapes.
    * `sum`: the sum over the branches that ran; if none did, zeros of shape
      `output_shapes[k]`.
    * `sum_cond_out`: the sum over the branches that ran, if `predicate` is
      true; one more result says whether one ran.
  }];
  let arguments = (ins
    Variadic<NN_Tensor>:$branches, Variadic<NN_Tensor>:$output_shapes,
    Optional<NN_Tensor>:$predicate,
    DefaultValuedAttr<I64Attr, "1">:$num_outputs,
    DefaultValuedAttr<NN_CondMergeModeAttr, "CondMergeMode::exact_one">:$mode);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    `(` $branches `)` (`shapes` `(` $output_shapes^ `)`)?
    (`if` $predicate^)? attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

def NN_IdentityOp : NN_InferredOp<"identity"> {
  let summary = "its operand";
  let description = "`result = input`.";
  let arguments = (ins NN_Tensor:$input);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $input attr-dict `:` functional-type(operands, results)
  }];
  let hasFolder = 1;
}

def NN_AssertEqualOp : NN_Op<"assert_equal", [InferTypeOpAdaptor]> {
  let summary = "check of a value against an expected one";
  let description = [{
    Fails at run time unless `0 <= error <= max_error`, where the scalar
    `error` measures how much `actual` differs from `expected`; `verbose`
    reports the error in any case. `result = expected`.
  }];
  let arguments = (ins NN_Tensor:$expected, NN_Tensor:$actual,
                       NN_Tensor:$error, F32Attr:$max_error,
                       UnitAttr:$verbose);
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    $expected `,` $actual `error` $error attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_ExternCallOp : NN_Op<"extern_call"> {
  let summary = "call of a vendor's runtime";
  let description = [{
    Calls the loader registered under `callee` with `data`, a model in the
    vendor's own form. `callee` is `name` or `name:extra`. Only the loader
    knows the types of results; they are unranked tensors of `!nn.unknown` when
    the model file does not tell more.
  }];
  let arguments = (ins StrAttr:$callee, DenseI8ArrayAttr:$data,
                       Variadic<NN_Tensor>:$inputs);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:`
    functional-type($inputs, $outputs)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNCONTROLOPS_TD
