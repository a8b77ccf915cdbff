//===- RunImage.h - Images as inputs of a model -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_RUNIMAGE_H
#define MODELWRIGHT_LIB_TOOLS_RUNIMAGE_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"

#include <optional>

namespace modelwright {

enum class ImageLayout { FromShape, NCHW, NHWC };
enum class ChannelOrder { RGB, BGR };

/// How pixels become the elements of an input: (pixel - mean) / std or
/// (pixel - mean) * scale, with pixels from 0 to 255.
struct ImageOptions {
  ImageLayout layout = ImageLayout::FromShape;
  ChannelOrder order = ChannelOrder::RGB;
  /// One number, or one for each channel in the order of the tensor.
  std::vector<double> mean, std;
  std::optional<double> scale;
};

/// Whether a path has the extension of an image: .jpg, .jpeg, .png, .bmp, .ppm
/// or .pgm.
bool isImagePath(llvm::StringRef path);

/// Reads an image as a tensor of `type`: [1]CHW or [1]HWC of 1 channel (gray),
/// 3 or 4 (with alpha). It is resized, by triangle filter, to the input's
/// height and width; if these are dynamic it keeps its own. Integers are
/// rounded and saturate, quantized elements hold the real number.
llvm::Expected<cpu::HostTensor> readImage(llvm::StringRef path,
                                          mlir::RankedTensorType type,
                                          const ImageOptions &options);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_RUNIMAGE_H
