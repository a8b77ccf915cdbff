//===- Container.h - The IMOD container -------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_GE_CONTAINER_H
#define MODELWRIGHT_LIB_FORMAT_GE_CONTAINER_H

#include "modelwright/Format/GE/FileIO.h"

namespace modelwright::ge {

/// Reads header and partition table. The result points into `bytes`.
llvm::Expected<Container> readContainer(llvm::StringRef bytes);

/// Writes header and table for partitions of the given sizes. The caller
/// writes gaps, partitions and tail behind it.
llvm::Error writeContainerHead(const Container &container,
                               llvm::ArrayRef<uint64_t> sizes,
                               llvm::raw_ostream &os);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_FORMAT_GE_CONTAINER_H
