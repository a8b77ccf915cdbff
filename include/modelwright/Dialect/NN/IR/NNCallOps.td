//===- NNCallOps.td - Control flow by functions ------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Branches and bodies are private functions of the module, not regions: the
// formats refer to graphs by name and pass every input explicitly, and a pass
// over functions optimizes each of them without having to know that constants,
// names and outputs of one graph are none of another's.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_TD

include "mlir/IR/SymbolInterfaces.td"
include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

/// An op that calls functions with `inputs`. Types of arguments and results
/// must be compatible: either side may know less.
class NN_CallingOp<string mnemonic>
    : NN_Op<mnemonic, [DeclareOpInterfaceMethods<SymbolUserOpInterface>]>;

def NN_IfOp : NN_CallingOp<"if"> {
  let summary = "one of two functions";
  let description = [{
    `outputs = condition ? then_branch(inputs) : else_branch(inputs)`. The
    condition is one element; it holds if that is not 0.
  }];
  let arguments = (ins NN_Tensor:$condition, Variadic<NN_Tensor>:$inputs,
                       FlatSymbolRefAttr:$then_branch,
                       FlatSymbolRefAttr:$else_branch);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    $condition `then` $then_branch `else` $else_branch `(` $inputs `)`
    attr-dict `:` functional-type(operands, results)
  }];
}

def NN_CaseOp : NN_CallingOp<"case"> {
  let summary = "one of several functions";
  let description = [{
    `outputs = branches[index](inputs)`. The index is one integer; the last
    branch is taken if there is none of that number.
  }];
  let arguments = (ins NN_Tensor:$index, Variadic<NN_Tensor>:$inputs,
                       TypedArrayAttrBase<FlatSymbolRefAttr,
                                          "functions">:$branches);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $index `of` $branches `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_WhileOp : NN_CallingOp<"while"> {
  let summary = "a function as long as another says so";
  let description = [{
    `values = inputs; while (cond(values)) values = body(values); outputs =
    values`. `cond` has one result of one element, which is compared with 0.
  }];
  let arguments = (ins Variadic<NN_Tensor>:$inputs, FlatSymbolRefAttr:$cond,
                       FlatSymbolRefAttr:$body);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let hasVerifier = 1;
  let assemblyFormat = [{
    $cond `do` $body `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def NN_CallOp : NN_CallingOp<"call"> {
  let summary = "a function";
  let description = "`outputs = callee(inputs)`.";
  let arguments = (ins Variadic<NN_Tensor>:$inputs, FlatSymbolRefAttr:$callee);
  let results = (outs Variadic<NN_Tensor>:$outputs);
  let assemblyFormat = [{
    $callee `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNCALLOPS_TD
