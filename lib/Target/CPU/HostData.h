//===- HostData.h - Tensor data as generated code wants it ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_HOSTDATA_H
#define MODELWRIGHT_LIB_TARGET_CPU_HOSTDATA_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include <memory>
#include <vector>

namespace modelwright::cpu {

/// Bytes of a tensor as generated code holds it.
uint64_t getLoweredBytes(mlir::RankedTensorType type);

/// The elements of a tensor as generated code holds them: at least a byte each,
/// aligned. Bytes that are so already are used in place and must outlive it.
class LoweredData {
public:
  /// Of an attribute; fails if its bytes are missing or too few.
  static llvm::FailureOr<LoweredData> get(mlir::ElementsAttr value,
                                          mlir::RankedTensorType type);
  /// Of bytes laid out as those of `nn.constant`; fails if their number is not
  /// the one of `type`.
  static llvm::FailureOr<LoweredData> get(llvm::ArrayRef<char> bytes,
                                          mlir::RankedTensorType type);
  /// Uninitialized memory; fails if there is not as much.
  static llvm::FailureOr<LoweredData> allocate(mlir::RankedTensorType type);
  /// What lies at `data`, not owned.
  static LoweredData view(char *data, mlir::RankedTensorType type);

  void *get() { return pointer; }

  /// The elements as `nn.constant` lays them out; fails if there is no memory
  /// for them.
  llvm::FailureOr<std::vector<char>> toBytes(mlir::RankedTensorType type) const;

private:
  /// Memory for a copy of a tensor: the program ends if there is none.
  static LoweredData allocateCopy(mlir::RankedTensorType type);

  char *pointer = nullptr;
  std::shared_ptr<char> owned;
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_HOSTDATA_H
