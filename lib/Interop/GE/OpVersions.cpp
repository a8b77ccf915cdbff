//===- OpVersions.cpp - The three op dialects -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/OpVersions.h"
#include "modelwright/Interop/GE/OpExporter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace modelwright::ge;
using llvm::StringRef;

namespace {
/// An attribute by its names in version 5 and version 0.
struct AttrNames {
  StringRef type; ///< In version 5.
  StringRef name, oldName;
};

struct TypeNames {
  StringRef type, oldType;
};
} // namespace

static constexpr TypeNames kTypes[] = {
    {"BNInference", "BatchNorm"},
    {"ConvTranspose", "Deconvolution"},
    {"PoolingD", "Pooling"},
    {"FullyConnection", "FullConnection"},
    {"CastT", "Cast"},
    {"ConcatD", "Concat"},
    {"SplitD", "Split"},
    {"GatherV2D", "Gather"},
    {"ReduceProdD", "ReduceProd"},
    {"ReduceAllD", "ReduceAll"},
    {"ArgMaxExt2", "ArgMax"},
    {"TopK", "TopKV2"},
    {"ClipByValue", "Clip"},
    {"PriorBox", "SSDPriorBox"},
    {"Normalize", "SSDNormalize"},
    {"PadV3", "PadV2"},
    {"ShuffleChannelV2", "ChannelShuffle"},
    {"PRelu", "PReLU"},
    {"FlattenV2", "Flatten"},
    {"ROIAlignV2", "ROIAlign"},
    {"ResizeNearestNeighborV2", "ResizeNearestNeighbor"},
    {"NonMaxSuppressionV3D", "NonMaxSuppression"},
    {"RandomUniformNoSeed", "RandomUniform"},
    {"RandomNormalNoSeed", "RandomNormal"},
    {"RandomShuffleNoSeed", "RandomShuffle"},
};

static constexpr AttrNames kAttrs[] = {
    {"Convolution", "pads", "pad"},
    {"Convolution", "strides", "stride"},
    {"Convolution", "dilations", "dilation"},
    {"Convolution", "groups", "group"},
    {"ConvolutionDepthwise", "pads", "pad"},
    {"ConvolutionDepthwise", "strides", "stride"},
    {"ConvolutionDepthwise", "dilations", "dilation"},
    {"ConvolutionDepthwise", "groups", "group"},
    {"ConvTranspose", "pads", "pad"},
    {"ConvTranspose", "strides", "stride"},
    {"ConvTranspose", "dilations", "dilation"},
    {"ConvTranspose", "groups", "group"},
    {"Correlation", "pads", "pad"},
    {"Correlation", "strides", "stride"},
    {"Correlation", "dilations", "dilation"},
    {"Correlation", "groups", "group"},
    {"ConcatD", "concat_dim", "axis"},
    {"SplitD", "split_dim", "axis"},
    {"SplitD", "num_split", "output_num"},
    {"LRN", "depth_radius", "lrn_localsize"},
    {"LRN", "alpha", "lrn_alpha"},
    {"LRN", "beta", "lrn_beta"},
    {"LRN", "bias", "lrn_k"},
    {"CastT", "src_dtype", "SrcT"},
    {"CastT", "dst_dtype", "DstT"},
    {"BatchMatMul", "adj_x1", "adj_x"},
    {"BatchMatMul", "adj_x2", "adj_y"},
    {"MatMul", "transpose_x1", "transposeX"},
    {"MatMul", "transpose_x2", "transposeW"},
    {"Upsample", "stride_h", "scale_h"},
    {"Upsample", "stride_w", "scale_w"},
    {"ShuffleChannelV2", "group", "num_group"},
    {"FullyConnection", "w_quant_type", "filter_quant_type"},
    {"FullyConnection", "w_quant_scales", "filter_quant_scales"},
    {"Proposal", "iou_thresh", "nms_thresh"},
    {"FSRDetectionOutput", "iou_threshold", "nms_threshold"},
    {"FSRDetectionOutput", "score_threshold", "confidence_threshold"},
    {"FSRDetectionOutput", "batch_rois", "batch_size"},
    {"SSDDetectionOutput", "share_location", "shared_location"},
    {"SSDDetectionOutput", "iou_threshold", "nms_threshold"},
};

/// The version-5 name of a type that may have its version-0 name.
static StringRef getNewType(StringRef type) {
  for (const TypeNames &names : kTypes)
    if (names.oldType == type)
      return names.type;
  return type;
}

StringRef modelwright::ge::getOldAttrName(StringRef type, StringRef name) {
  type = getNewType(type);
  for (const AttrNames &names : kAttrs)
    if (names.type == type && names.name == name)
      return names.oldName;
  return "";
}

/// The integer that versions before 5 have for a string, or nullopt.
static std::optional<int64_t> getOldValue(StringRef name, StringRef value) {
  if (name == "pad_mode")
    return llvm::StringSwitch<std::optional<int64_t>>(value)
        .Case("SPECIFIC", 0)
        .Case("VALID", 5)
        .Case("SAME", 6)
        .Default(std::nullopt);
  if (name == "data_format")
    return llvm::StringSwitch<std::optional<int64_t>>(value)
        .Case("NCHW", 0)
        .Case("NHWC", 1)
        .Default(std::nullopt);
  // MirrorPad's; other ops keep their mode as text.
  if (name == "mode")
    return llvm::StringSwitch<std::optional<int64_t>>(value)
        .Case("REFLECT", 1)
        .Case("SYMMETRIC", 2)
        .Default(std::nullopt);
  return std::nullopt;
}

void modelwright::ge::convertFromVersion(proto::OpDef &op) {
  const proto::AttrDef *version = findAttr(op.attr(), "version");
  // Some old type names are those of other ops by now.
  if (version && version->i() >= 3)
    return;
  op.set_type(getNewType(op.type()).str());
  for (proto::AttrEntry &entry : *op.mutable_attr())
    for (const AttrNames &names : kAttrs)
      if (names.type == op.type() && names.oldName == entry.key())
        entry.set_key(names.name.str());
}

void modelwright::ge::convertToVersion(proto::OpDef &op, int64_t version) {
  if (version >= 5)
    return;
  for (proto::AttrEntry &entry : *op.mutable_attr()) {
    // Strings of version 5 are integers before it.
    if (entry.value().has_s())
      if (auto value = getOldValue(entry.key(), entry.value().s())) {
        entry.mutable_value()->set_i(*value);
        if (entry.key() == "data_format")
          entry.set_key("format");
      }
    if (version < 3)
      if (StringRef old = getOldAttrName(op.type(), entry.key()); !old.empty())
        entry.set_key(old.str());
  }
  if (version >= 3)
    return;
  for (const TypeNames &names : kTypes)
    if (names.type == op.type()) {
      op.set_type(names.oldType.str());
      return;
    }
}
