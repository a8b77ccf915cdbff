//===- NNAttrs.td - Enum attributes shared by op families ------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNATTRS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNATTRS_TD

include "modelwright/Dialect/NN/IR/NNBase.td"

class NN_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::modelwright::nn";
  let genSpecializedAttr = 0;
}

class NN_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<NN_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

/// Physical layouts. A pair A_B reads activations in A and writes them in B.
def NN_Layout : NN_Enum<"Layout", "physical layout of activations", [
  I32EnumAttrCase<"NCHW", 0>, I32EnumAttrCase<"NHWC", 1>,
  I32EnumAttrCase<"NHWCD4", 2>, I32EnumAttrCase<"NCHW4", 3>,
  I32EnumAttrCase<"NCHW8", 4>, I32EnumAttrCase<"NCHW32", 5>,
  I32EnumAttrCase<"NCHW88", 6>, I32EnumAttrCase<"NCHW44", 7>,
  I32EnumAttrCase<"NCHW44_DOT", 8>, I32EnumAttrCase<"NCHW4_NCHW32", 9>,
  I32EnumAttrCase<"NCHW32_NCHW4", 10>, I32EnumAttrCase<"NCHW4_NCHW", 11>,
  I32EnumAttrCase<"NHWC_NCHW", 12>,
  I32EnumAttrCase<"NHWC_NCHW4_IC_SMALL", 13>,
  I32EnumAttrCase<"NCHW_NCHW4_IC_SMALL", 14>, I32EnumAttrCase<"CHWN4", 15>,
  I32EnumAttrCase<"NCHW64", 16>, I32EnumAttrCase<"NCHW4_NHWC", 17>,
  I32EnumAttrCase<"NCHW_WINOGRAD", 18>, I32EnumAttrCase<"NCHW88_WINOGRAD", 19>,
  I32EnumAttrCase<"NCHW44_WINOGRAD", 20>, I32EnumAttrCase<"NC1HWC0", 21>,
  I32EnumAttrCase<"NCDHW", 22>, I32EnumAttrCase<"NDHWC", 23>
]>;
def NN_LayoutAttr : NN_EnumAttr<NN_Layout, "layout">;

/// What a fused op applies to its result before it leaves the accumulators.
def NN_Activation : NN_Enum<"Activation", "fused activation", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"relu", 1>,
  I32EnumAttrCase<"sigmoid", 2>, I32EnumAttrCase<"h_swish", 3>,
  I32EnumAttrCase<"tanh", 4>, I32EnumAttrCase<"relu6", 5>,
  I32EnumAttrCase<"silu", 6>, I32EnumAttrCase<"h_sigmoid", 7>
]>;
def NN_ActivationAttr : NN_EnumAttr<NN_Activation, "activation">;

def NN_Interpolation : NN_Enum<"Interpolation", "how samples are mixed", [
  I32EnumAttrCase<"nearest", 0>, I32EnumAttrCase<"linear", 1>,
  I32EnumAttrCase<"area", 2>, I32EnumAttrCase<"cubic", 3>,
  I32EnumAttrCase<"lanczos4", 4>
]>;
def NN_InterpolationAttr : NN_EnumAttr<NN_Interpolation, "interpolation">;

def NN_Border : NN_Enum<"Border", "what lies outside of an image", [
  I32EnumAttrCase<"replicate", 0>, I32EnumAttrCase<"reflect", 1>,
  I32EnumAttrCase<"reflect_101", 2>, I32EnumAttrCase<"wrap", 3>,
  I32EnumAttrCase<"constant", 4>, I32EnumAttrCase<"transparent", 5>,
  I32EnumAttrCase<"isolated", 6>
]>;
def NN_BorderAttr : NN_EnumAttr<NN_Border, "border">;

#endif // MODELWRIGHT_DIALECT_NN_IR_NNATTRS_TD
