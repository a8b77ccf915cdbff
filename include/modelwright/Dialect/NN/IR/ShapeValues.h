//===- ShapeValues.h - Known elements of small integer tensors --*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes often travel through a graph as data: shape_of, slice, concat,
// reshape. This forward analysis evaluates that arithmetic on tensors of at
// most 64 integers, op by op in program order, without recursion.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_SHAPEVALUES_H
#define MODELWRIGHT_DIALECT_NN_IR_SHAPEVALUES_H

#include "mlir/IR/Operation.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "llvm/ADT/DenseMap.h"

namespace modelwright::nn {

class ShapeValues {
public:
  /// Records the results of `op` that can be evaluated, and narrows the
  /// result types of value-shaped ops in place. Ops must come in order.
  /// Fails (after a diagnostic) when the values contradict the op.
  llvm::LogicalResult visit(mlir::Operation *op);

  /// Drops what is known of the results of `op`, which is about to go.
  void forget(mlir::Operation *op);

  /// The elements of `value`, or nullopt.
  KnownInts lookup(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, llvm::SmallVector<int64_t>> known;
};

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_SHAPEVALUES_H
