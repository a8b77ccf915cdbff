//===- Container.h - Tags and header sizes of the containers ----*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_MGB_CONTAINER_H
#define MODELWRIGHT_LIB_FORMAT_MGB_CONTAINER_H

#include "llvm/ADT/StringRef.h"

namespace modelwright::mgb {

inline constexpr llvm::StringLiteral kTestcaseTag = "mgbtest0";
inline constexpr llvm::StringLiteral kPackedTag = "packed_model";

/// The most bytes that detection looks at.
inline constexpr size_t kSniffBytes = 25;

/// V1 headers: tag, reserved or feature bits, offset of the FlatBuffer.
inline constexpr size_t kMGBSHeaderBytes = 16;
inline constexpr size_t kMGBCHeaderBytes = 24;

/// What a FlatBuffer can address, and the library asserts on.
inline constexpr uint64_t kMaxFlatBufferBytes = (uint64_t(1) << 31) - 2;

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_FORMAT_MGB_CONTAINER_H
