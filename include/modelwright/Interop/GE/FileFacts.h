//===- FileFacts.h - What ops depend on besides themselves ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_FILEFACTS_H
#define MODELWRIGHT_INTEROP_GE_FILEFACTS_H

namespace modelwright::ge {

/// What the reading of an op depends on besides the op.
struct FileFacts {
  /// The file has an IMOD header: the vendor's tool wrote it, which orders
  /// constants in another way than the public API (semantics.md 4, 10).
  bool isOM = false;
  /// The graph was compiled for a device (modeltype 4).
  bool isCompiled = false;
};

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_FILEFACTS_H
