//===- ConstantEval.h - Evaluate ops on constants ---------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TRANSFORMS_CONSTANTEVAL_H
#define MODELWRIGHT_LIB_TRANSFORMS_CONSTANTEVAL_H

#include "modelwright/Dialect/NN/IR/NNOps.h"

#include <vector>

namespace modelwright {

/// The value of a tensor: its bytes row major, or those of the one element
/// that all elements equal.
struct EvalTensor {
  /// The value of a constant; nullopt if its bytes are missing or its elements
  /// are narrower than a byte.
  static std::optional<EvalTensor> get(nn::ConstantOp constant);

  /// A tensor of a splat (one element's bytes) or of all elements' bytes.
  EvalTensor(mlir::RankedTensorType type, std::vector<char> bytes,
             bool isSplat);
  EvalTensor(EvalTensor &&) = default;
  EvalTensor(const EvalTensor &) = delete;

  /// As the value of an `nn.constant`; `name` is for a blob.
  mlir::ElementsAttr getAttr(llvm::StringRef name) const;

  unsigned getElementSize() const;
  /// Bytes that a file needs for it.
  uint64_t getByteSize() const;

  mlir::RankedTensorType type;
  llvm::ArrayRef<char> bytes; ///< Into `storage` or into an attribute.
  bool isSplat;

private:
  EvalTensor(mlir::RankedTensorType type) : type(type), isSplat(false) {}

  std::vector<char> storage;
};

/// Whether `evaluate` has a rule for the op and its types.
bool canEvaluate(mlir::Operation *op);

/// The op's result for these operands. nullopt when the values have no exact
/// result (a cast out of range). Precondition: canEvaluate(op).
std::optional<EvalTensor> evaluate(mlir::Operation *op,
                                   llvm::ArrayRef<const EvalTensor *> operands);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TRANSFORMS_CONSTANTEVAL_H
