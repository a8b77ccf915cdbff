//===- ConstantEvaluator.h - Values of constant subgraphs -------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op computes is written once, in its lowering, and a target can run
// that. Passes over the dialect know of no target: whoever has one (a tool)
// registers this interface with the dialect, and passes ask the dialect for it.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_CONSTANTEVALUATOR_H
#define MODELWRIGHT_DIALECT_NN_IR_CONSTANTEVALUATOR_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectInterface.h"
#include "mlir/IR/Value.h"

#include <string>

namespace modelwright::nn {

/// The value of a tensor that hangs on constants alone, or why it has none.
struct ConstantEvaluation {
  /// As `nn.constant` holds it; null if it could not be computed.
  mlir::ElementsAttr value;
  /// If so, the op on the way that is at fault (null: none in particular) and
  /// what is wrong with it.
  mlir::Operation *culprit = nullptr;
  std::string reason;
};

/// Runs ops of the dialect on constants.
class ConstantEvaluator
    : public mlir::DialectInterface::Base<ConstantEvaluator> {
public:
  ConstantEvaluator(mlir::Dialect *dialect) : Base(dialect) {}

  /// The value of each root, all of them computed in one run. What they are
  /// made of are `nn.constant` and pure ops of the dialect without regions, in
  /// one block, of static shapes. `nextName` gives names for blobs. Leaves the
  /// IR as it is and emits no diagnostics; passes may call it on several
  /// functions at once.
  virtual llvm::SmallVector<ConstantEvaluation>
  evaluate(llvm::ArrayRef<mlir::Value> roots,
           llvm::function_ref<std::string()> nextName) const = 0;
};

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_CONSTANTEVALUATOR_H
