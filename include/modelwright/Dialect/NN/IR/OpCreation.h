//===- OpCreation.h - Ops with inferred types -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_OPCREATION_H
#define MODELWRIGHT_DIALECT_NN_IR_OPCREATION_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "modelwright/Dialect/NN/IR/ShapeValues.h"

namespace modelwright::nn {

/// Creates an op of given result types; `values` narrows the types of ops that
/// read operand values. Fails with a located message when these contradict it.
template <typename OpT>
llvm::FailureOr<OpT>
createWithTypes(mlir::OpBuilder &builder, mlir::Location loc,
                mlir::TypeRange types, mlir::ValueRange operands,
                typename OpT::Properties properties, ShapeValues &values) {
  mlir::OperationState state(loc, OpT::getOperationName());
  state.addOperands(operands);
  state.addTypes(types);
  state.getOrAddProperties<typename OpT::Properties>() = std::move(properties);
  mlir::Operation *op = builder.create(state);
  if (failed(values.visit(op)))
    return mlir::failure();
  return mlir::cast<OpT>(op);
}

/// The same with inferred result types. Fails with a located message when the
/// operands or attributes do not fit the op.
template <typename OpT>
llvm::FailureOr<OpT>
createInferred(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::ValueRange operands, typename OpT::Properties properties,
               ShapeValues &values) {
  // Inference reads attributes that were left at their defaults.
  OpT::populateDefaultProperties(
      mlir::OperationName(OpT::getOperationName(), builder.getContext()),
      properties);
  llvm::SmallVector<mlir::Type> types;
  if (failed(OpT::inferReturnTypes(
          builder.getContext(), loc, operands, mlir::DictionaryAttr(),
          mlir::OpaqueProperties(&properties), {}, types)))
    return mlir::failure();
  return createWithTypes<OpT>(builder, loc, types, operands,
                              std::move(properties), values);
}

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_OPCREATION_H
