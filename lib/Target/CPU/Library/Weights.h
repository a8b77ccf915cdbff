//===- Weights.h - The weights of a library ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_WEIGHTS_H
#define MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_WEIGHTS_H

#include "../LowerModel.h"
#include "llvm/ADT/DenseMap.h"

namespace modelwright::cpu {

/// Lays constants out: one behind the other as the code uses them, each aligned
/// to a cache line, equal ones once.
class WeightsBuilder {
public:
  /// Adds the constants of one version; where each one is.
  llvm::SmallVector<uint64_t> add(llvm::MutableArrayRef<ModelConstant> list);

  llvm::ArrayRef<uint8_t> getBytes() const { return bytes; }

  /// The bytes behind a header that names the library; leaves nothing.
  std::vector<char> takeFile(uint64_t id);

private:
  uint64_t add(llvm::ArrayRef<uint8_t> constant);

  std::vector<uint8_t> bytes;
  /// Where the constants of a hash begin, and how long they are.
  llvm::DenseMap<uint64_t, llvm::SmallVector<std::pair<uint64_t, uint64_t>, 1>>
      known;
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_LIBRARY_WEIGHTS_H
