//===- Expressions.h - Functions made of several nn ops ---------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Many op types are short expressions of nn ops. Here a value is null after a
// failure, which has been reported or declined, and an op of a null value is
// null too: an expression is checked once, at its end.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_INTEROP_GE_EXPRESSIONS_H
#define MODELWRIGHT_LIB_INTEROP_GE_EXPRESSIONS_H

#include "modelwright/Interop/GE/OpImporter.h"

namespace modelwright::ge {

/// An op with one result, or null.
template <typename OpT>
mlir::Value make(OpImporter &imp, llvm::ArrayRef<mlir::Value> operands,
                 typename OpT::Properties properties = {}) {
  if (llvm::is_contained(operands, mlir::Value()))
    return {};
  llvm::FailureOr<OpT> op =
      imp.create<OpT>(mlir::ValueRange(operands), std::move(properties));
  return succeeded(op) ? mlir::Value((*op)->getResult(0)) : mlir::Value();
}

/// The end of an expression: its value is the op's output. An operand becomes a
/// copy, so that there is an op for the OpDef.
llvm::LogicalResult finish(OpImporter &imp, mlir::Value value);
/// The same for several outputs. No operand may be among them.
llvm::LogicalResult finish(OpImporter &imp, llvm::ArrayRef<mlir::Value> values);

/// The static type of an operand; declines if it is not known.
llvm::FailureOr<mlir::RankedTensorType> getStaticType(OpImporter &imp,
                                                      size_t k);
/// The axis counted from the front; an error if there is none.
llvm::FailureOr<int64_t> getAxis(OpImporter &imp, int64_t axis, int64_t rank);
/// The elements of an integer operand; declines if they are not known.
llvm::FailureOr<llvm::SmallVector<int64_t>>
getInts(OpImporter &imp, size_t k, llvm::StringRef name,
        uint64_t maxElements = 1 << 16);
/// The one element of an operand likewise.
llvm::FailureOr<int64_t> getInt(OpImporter &imp, size_t k,
                                llvm::StringRef name);
/// The one element of a constant operand of any number type.
llvm::FailureOr<float> getNumber(OpImporter &imp, size_t k,
                                 llvm::StringRef name);

/// A constant scalar of a float or integer type. The latter hold `value`.
mlir::Value makeNumber(OpImporter &imp, double value, mlir::Type elementType);
/// One of the element type of `like`.
mlir::Value makeNumber(OpImporter &imp, double value, mlir::Value like);
/// The integers 0 .. count - 1 in a tensor of a shape.
mlir::Value makeIota(OpImporter &imp, llvm::ArrayRef<int64_t> shape,
                     mlir::Type elementType);

mlir::Value makeReshape(OpImporter &imp, mlir::Value value,
                        llvm::ArrayRef<int64_t> shape);
mlir::Value makeCast(OpImporter &imp, mlir::Value value,
                     mlir::Type elementType);
mlir::Value makeTranspose(OpImporter &imp, mlir::Value value,
                          llvm::ArrayRef<int64_t> permutation);
mlir::Value makeBroadcast(OpImporter &imp, mlir::Value value,
                          llvm::ArrayRef<int64_t> shape);
mlir::Value makeConcat(OpImporter &imp, llvm::ArrayRef<mlir::Value> values,
                       int64_t axis);

/// Elements `begin`, `begin + step`, ... of an axis, `count` of them. They must
/// exist. An axis of one that is dropped is not among the result's, but nn
/// keeps one axis in any case.
struct AxisRange {
  int64_t axis, begin, step, count;
  bool isDropped = false;
};
/// Ranges of axes, none twice. The value itself if that is all of it.
mlir::Value makeSlice(OpImporter &imp, mlir::Value value,
                      llvm::ArrayRef<AxisRange> ranges);

/// `mask ? onTrue : onFalse`, all of static shapes, which broadcast together.
mlir::Value makeSelect(OpImporter &imp, mlir::Value mask, mlir::Value onTrue,
                       mlir::Value onFalse);
/// A comparison with a boolean result.
template <typename OpT>
mlir::Value makeComparison(OpImporter &imp, mlir::Value lhs, mlir::Value rhs) {
  typename OpT::Properties properties;
  properties.out_type = mlir::TypeAttr::get(imp.builder.getI1Type());
  return make<OpT>(imp, {lhs, rhs}, properties);
}
/// `input ^ exponent`.
mlir::Value makePower(OpImporter &imp, mlir::Value input, float exponent);

/// Reduces axes, which stay as dims of 1.
template <typename OpT>
mlir::Value makeReduce(OpImporter &imp, mlir::Value value,
                       llvm::ArrayRef<int64_t> axes) {
  for (int64_t axis : axes) {
    typename OpT::Properties properties;
    properties.axis = imp.i64(axis);
    value = make<OpT>(imp, {value}, properties);
  }
  return value;
}

/// Product of dims; -1, which no shape takes, when it is beyond int64_t.
int64_t multiply(llvm::ArrayRef<int64_t> dims);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_INTEROP_GE_EXPRESSIONS_H
