//===- NNAttrs.td - Enum attributes shared by op families --*- tablegen -*-===//
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
  I32EnumAttrCase<"NC1HWC0", 18>, I32EnumAttrCase<"NCDHW", 19>,
  I32EnumAttrCase<"NDHWC", 20>
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

/// Where the samples of a resize lie; see nn.resize2d.
def NN_Coordinates : NN_Enum<"Coordinates", "source coordinates of a resize", [
  I32EnumAttrCase<"half_pixel", 0>, I32EnumAttrCase<"asymmetric", 1>,
  I32EnumAttrCase<"align_corners", 2>
]>;
def NN_CoordinatesAttr : NN_EnumAttr<NN_Coordinates, "coordinates">;

def NN_Border : NN_Enum<"Border", "what lies outside of an image", [
  I32EnumAttrCase<"replicate", 0>, I32EnumAttrCase<"reflect", 1>,
  I32EnumAttrCase<"reflect_101", 2>, I32EnumAttrCase<"wrap", 3>,
  I32EnumAttrCase<"constant", 4>, I32EnumAttrCase<"transparent", 5>,
  I32EnumAttrCase<"isolated", 6>
]>;
def NN_BorderAttr : NN_EnumAttr<NN_Border, "border">;

/// Blocked forms of the operands of a matrix product.
def NN_MatMulFormat : NN_Enum<"MatMulFormat", "blocking of a matrix product", [
  I32EnumAttrCase<"Default", 0, "default">, I32EnumAttrCase<"MK4", 1>,
  I32EnumAttrCase<"MK8", 2>, I32EnumAttrCase<"MK4_DOT", 3>,
  I32EnumAttrCase<"N32K4_DOT", 4>
]>;
def NN_MatMulFormatAttr : NN_EnumAttr<NN_MatMulFormat, "matmul_format">;

/// Named after the source and the result; see nn.cvt_color.
def NN_ColorConversion : NN_Enum<"ColorConversion", "colour conversion", [
  I32EnumAttrCase<"RGB2GRAY", 0>, I32EnumAttrCase<"RGB2YUV", 1>,
  I32EnumAttrCase<"YUV2RGB", 2>, I32EnumAttrCase<"GRAY2RGB", 3>,
  I32EnumAttrCase<"RGBA2RGB", 4>, I32EnumAttrCase<"RGBA2BGR", 5>,
  I32EnumAttrCase<"RGBA2GRAY", 6>, I32EnumAttrCase<"RGB2BGR", 7>,
  I32EnumAttrCase<"BGR2GRAY", 8>, I32EnumAttrCase<"BGR2RGB", 9>,
  I32EnumAttrCase<"YUV2GRAY_NV21", 10>, I32EnumAttrCase<"YUV2RGB_NV21", 11>,
  I32EnumAttrCase<"YUV2BGR_NV21", 12>, I32EnumAttrCase<"YUV2GRAY_NV12", 13>,
  I32EnumAttrCase<"YUV2RGB_NV12", 14>, I32EnumAttrCase<"YUV2BGR_NV12", 15>,
  I32EnumAttrCase<"YUV2GRAY_YV12", 16>, I32EnumAttrCase<"YUV2RGB_YV12", 17>,
  I32EnumAttrCase<"YUV2BGR_YV12", 18>, I32EnumAttrCase<"YUV2GRAY_YU12", 19>,
  I32EnumAttrCase<"YUV2RGB_YU12", 20>, I32EnumAttrCase<"YUV2BGR_YU12", 21>,
  I32EnumAttrCase<"YCrCb2RGB", 22>, I32EnumAttrCase<"YCrCb2BGR", 23>,
  I32EnumAttrCase<"BT601_YUV2RGB_NV21", 24>,
  I32EnumAttrCase<"BT601_YUV2BGR_NV21", 25>,
  I32EnumAttrCase<"BT601_YUV2RGB_NV12", 26>,
  I32EnumAttrCase<"BT601_YUV2BGR_NV12", 27>,
  I32EnumAttrCase<"BT601_YUV2RGB_YV12", 28>,
  I32EnumAttrCase<"BT601_YUV2BGR_YV12", 29>,
  I32EnumAttrCase<"BT601_YUV2RGB_YU12", 30>,
  I32EnumAttrCase<"BT601_YUV2BGR_YU12", 31>
]>;
def NN_ColorConversionAttr : NN_EnumAttr<NN_ColorConversion, "color_conversion">;

def NN_AttentionMask : NN_Enum<"AttentionMask", "mask of attention scores", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"causal", 1>,
  I32EnumAttrCase<"cudnn_style", 2>, I32EnumAttrCase<"user", 3>
]>;
def NN_AttentionMaskAttr : NN_EnumAttr<NN_AttentionMask, "attention_mask">;

def NN_CondPredMode : NN_Enum<"CondPredMode", "how a branch is chosen", [
  I32EnumAttrCase<"Case", 0, "case">, I32EnumAttrCase<"case_fallback", 1>,
  I32EnumAttrCase<"piecewise", 2>
]>;
def NN_CondPredModeAttr : NN_EnumAttr<NN_CondPredMode, "cond_pred_mode">;

def NN_CondLogicalMode : NN_Enum<"CondLogicalMode", "logic on predicates", [
  I32EnumAttrCase<"Or", 0, "or">, I32EnumAttrCase<"And", 1, "and">,
  I32EnumAttrCase<"Xor", 2, "xor">, I32EnumAttrCase<"nor", 3>,
  I32EnumAttrCase<"nand", 4>, I32EnumAttrCase<"xnor", 5>
]>;
def NN_CondLogicalModeAttr : NN_EnumAttr<NN_CondLogicalMode, "cond_logical_mode">;

def NN_CondGradMode : NN_Enum<"CondGradMode", "gradient of a marked value", [
  I32EnumAttrCase<"sum", 0>, I32EnumAttrCase<"sum_cond_out", 1>
]>;
def NN_CondGradModeAttr : NN_EnumAttr<NN_CondGradMode, "cond_grad_mode">;

def NN_CondStaticInfer
    : NN_Enum<"CondStaticInfer", "what is inferred through a mark", [
  I32EnumAttrCase<"shape_value", 0>, I32EnumAttrCase<"shape_only", 1>,
  I32EnumAttrCase<"none", 2>
]>;
def NN_CondStaticInferAttr : NN_EnumAttr<NN_CondStaticInfer, "cond_static_infer">;

def NN_CondMergeMode : NN_Enum<"CondMergeMode", "how branches are joined", [
  I32EnumAttrCase<"exact_one", 0>, I32EnumAttrCase<"exact_one_same_shape", 1>,
  I32EnumAttrCase<"sum", 2>, I32EnumAttrCase<"sum_cond_out", 3>
]>;
def NN_CondMergeModeAttr : NN_EnumAttr<NN_CondMergeMode, "cond_merge_mode">;

/// What nn.relayout converts; see there.
def NN_RelayoutMode : NN_Enum<"RelayoutMode", "physical layout conversion", [
  I32EnumAttrCase<"NHWC_NHWCD4", 0>,
  I32EnumAttrCase<"NHWCD4_NHWC", 1>,
  I32EnumAttrCase<"NHWC_NHWCD4I", 2>,
  I32EnumAttrCase<"NCHW_NHWCD4", 3>,
  I32EnumAttrCase<"NCHW_NHWCD4I", 4>,
  I32EnumAttrCase<"NHWCD4I_NCHW", 5>,
  I32EnumAttrCase<"NHWCD4_NCHW", 6>,
  I32EnumAttrCase<"INTER_WEIGHT_DENSE", 7>,
  I32EnumAttrCase<"INTER_WEIGHT_DENSEI", 8>,
  I32EnumAttrCase<"INTER_WEIGHT_GROUP", 9>,
  I32EnumAttrCase<"INTER_WEIGHT_GROUPI", 10>,
  I32EnumAttrCase<"INTER_WEIGHT_CHAN", 11>,
  I32EnumAttrCase<"INTER_WEIGHT_CHANI", 12>,
  I32EnumAttrCase<"INTER_WEIGHT_DENSEI_DOT", 13>,
  I32EnumAttrCase<"INTER_WEIGHT_GROUPI_DOT", 14>,
  I32EnumAttrCase<"NCHW4_CHWN4", 15>,
  I32EnumAttrCase<"CHWN4_NCHW4", 16>,
  I32EnumAttrCase<"NCHW_NCHW88_CONV_DENSE_WEIGHT", 17>,
  I32EnumAttrCase<"NCHW_NCHW88_CONV_CHAN_WEIGHT", 18>,
  I32EnumAttrCase<"NCHW_NCHW88_CONV_GROUP_WEIGHT", 19>,
  I32EnumAttrCase<"NCHW_NCHW88", 20>,
  I32EnumAttrCase<"NCHW88_NCHW", 21>,
  I32EnumAttrCase<"NCHW_NCHW4_IC_SMALL", 22>,
  I32EnumAttrCase<"NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT", 23>,
  I32EnumAttrCase<"NCHW_NCHW4", 24>,
  I32EnumAttrCase<"NCHW4_NCHW", 25>,
  I32EnumAttrCase<"NCHW_NCHW4_WEIGHT", 26>,
  I32EnumAttrCase<"NCHW_NCHW64", 27>,
  I32EnumAttrCase<"NCHW64_NCHW", 28>,
  I32EnumAttrCase<"NCHW_NHWC", 29>,
  I32EnumAttrCase<"NHWC_NCHW", 30>,
  I32EnumAttrCase<"NHWCD4I_NHWC", 31>
]>;
def NN_RelayoutModeAttr : NN_EnumAttr<NN_RelayoutMode, "relayout_mode">;

def NN_PadMode : NN_Enum<"PadMode", "what padding holds", [
  I32EnumAttrCase<"replicate", 0>, I32EnumAttrCase<"reflect", 1>,
  I32EnumAttrCase<"constant", 2>
]>;
def NN_PadModeAttr : NN_EnumAttr<NN_PadMode, "pad_mode">;

def NN_SortOrder : NN_Enum<"SortOrder", "order of sorted elements", [
  I32EnumAttrCase<"ascending", 0>, I32EnumAttrCase<"descending", 1>
]>;
def NN_SortOrderAttr : NN_EnumAttr<NN_SortOrder, "sort_order">;

def NN_TopKMode : NN_Enum<"TopKMode", "what nn.topk gives", [
  I32EnumAttrCase<"kth_only", 0>, I32EnumAttrCase<"unsorted", 1>,
  I32EnumAttrCase<"sorted", 2>
]>;
def NN_TopKModeAttr : NN_EnumAttr<NN_TopKMode, "topk_mode">;

def NN_Predicate : NN_Enum<"Predicate", "comparison of an element", [
  I32EnumAttrCase<"eq", 0>, I32EnumAttrCase<"ne", 1>,
  I32EnumAttrCase<"lt", 2>, I32EnumAttrCase<"le", 3>,
  I32EnumAttrCase<"gt", 4>, I32EnumAttrCase<"ge", 5>
]>;
def NN_PredicateAttr : NN_EnumAttr<NN_Predicate, "predicate">;

/// Result and accumulator types of a reduction; see its description.
def NN_ReduceType : NN_Enum<"ReduceType", "result and accumulator types", [
  I32EnumAttrCase<"same", 0>, I32EnumAttrCase<"io16_c32", 1>,
  I32EnumAttrCase<"o32_c32", 2>, I32EnumAttrCase<"o16_c32", 3>,
  I32EnumAttrCase<"quint8_o32", 4>, I32EnumAttrCase<"qint8_o32", 5>
]>;
def NN_ReduceTypeAttr : NN_EnumAttr<NN_ReduceType, "reduce_type">;

def NN_PoolMode : NN_Enum<"PoolMode", "what becomes of a bin's samples", [
  I32EnumAttrCase<"max", 0>, I32EnumAttrCase<"average", 1>
]>;
def NN_PoolModeAttr : NN_EnumAttr<NN_PoolMode, "pool_mode">;

/// Shape of the parameters of a batch norm: 1 in the dims it reduces.
def NN_ParamDim : NN_Enum<"ParamDim", "shape of batch norm parameters", [
  I32EnumAttrCase<"dim_11hw", 0>, I32EnumAttrCase<"dim_1chw", 1>,
  I32EnumAttrCase<"dim_1c11", 2>, I32EnumAttrCase<"dim_111c", 3>
]>;
def NN_ParamDimAttr : NN_EnumAttr<NN_ParamDim, "param_dim">;

#endif // MODELWRIGHT_DIALECT_NN_IR_NNATTRS_TD
