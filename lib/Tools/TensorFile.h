//===- TensorFile.h - Read and write tensors --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TOOLS_TENSORFILE_H
#define MODELWRIGHT_LIB_TOOLS_TENSORFILE_H

#include "modelwright/Target/CPU/Executable.h"
#include "llvm/Support/Error.h"

namespace modelwright {

/// Reads the elements of `type` (dims may be dynamic) from a file: `.npy`, or
/// anything else as raw little-endian bytes in the type's own form, which needs
/// a static shape. NumPy has no quantized types and no bfloat16: their bytes
/// come as the integer that holds them; a `.npy` of another float or integer
/// type is refused, not converted.
llvm::Expected<cpu::HostTensor> readTensor(llvm::StringRef path,
                                           mlir::RankedTensorType type);

/// Writes a `.npy` file, with the integer that holds them for elements that
/// NumPy does not know.
llvm::Error writeNpy(llvm::StringRef path, const cpu::HostTensor &tensor);

/// How far two tensors of one type are apart, as numbers (dequantized).
struct TensorDifference {
  /// Largest absolute difference, the same over the largest magnitude that was
  /// expected, and the cosine of the angle between the two.
  double maxAbs = 0, maxRel = 0, cosine = 1;
  double largest = 0;
  /// Whether a NaN or an infinity faces another number.
  bool nonFinite = false;
};
TensorDifference compareTensors(const cpu::HostTensor &actual,
                                const cpu::HostTensor &expected);

/// The elements as numbers.
std::vector<double> getNumbers(const cpu::HostTensor &tensor);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TOOLS_TENSORFILE_H
