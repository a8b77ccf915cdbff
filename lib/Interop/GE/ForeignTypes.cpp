//===- ForeignTypes.cpp - Op types that stay foreign ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/OpRegistry.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

StringRef modelwright::ge::getForeignReason(StringRef type) {
  return llvm::StringSwitch<StringRef>(type)
      .Cases({"LSTM", "BidirectionLSTM"}, "the order of its gates is not known")
      .Cases({"LSTMV2", "BidirectionalSequenceLstm", "RNNV3",
              "BidirectionalSequenceRnn"},
             "recurrence with a weight per gate is not modelled")
      .Case("SVDF", "its state over calls is not modelled")
      .Case("DynamicRNN", "its gate order and outputs are not modelled")
      .Cases({"ROIAlignV2", "ROIAlign"},
             "what 'roi_end_mode' and a 'sample_num' of 0 mean is not known")
      .Case("PSROIPooling", "position-sensitive pooling is not modelled")
      .Cases({"NonMaxSuppressionV3D", "NonMaxSuppressionV6",
              "NonMaxSuppressionV3"},
             "the number of boxes it keeps depends on values")
      .Cases({"SSDDetectionOutput", "FSRDetectionOutput", "Proposal",
              "DetectionPostprocessing", "YoloDetectionOutput", "Yolo"},
             "how the device decodes and suppresses boxes is not known")
      .Cases({"DecodeBBox", "Clipboxes", "AxisAlignedBboxTransform"},
             "the order of its coordinates is not known")
      .Case("DequantizeV2", "its scale is that of ops around it")
      .Cases({"AscendRequant", "QuantBatchMatmulV3"},
             "its scales are packed bits")
      .Case("MaxUnpool2D", "scattering by flat positions is not modelled")
      .Case("FractionalPooling", "its regions are random")
      .Case("WinoConvolution", "its filter is in a device's layout")
      .Cases({"ImageCrop", "ImageChannelSwap", "ImageColorSpaceConvertion",
              "ImageResize", "ImageDataTypeConversion", "ImageRotation",
              "ImagePadding", "ImageMultiFrameJoint"},
             "preprocessing of a device, whose arithmetic is not known")
      .Cases({"ImageData", "DynamicImageData", "ConfigData", "ImageCropV2",
              "ImageResizeV2", "ImageChannelSwapV2",
              "ImageColorSpaceConvertionV2", "ImageDataTypeConvertionV2",
              "ImageRotateV2", "ImagePadV2", "AippConfigFusion", "AippConfig"},
             "preprocessing of a device, with parameters at run time")
      .Default("");
}
