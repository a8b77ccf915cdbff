//===- IndexArithmetic.h - Sizes and positions at run time ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Arithmetic on values of index type that folds at once, so that what is known
// at compile time ends as a constant and the same code serves static and
// run-time sizes.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_INDEXARITHMETIC_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_INDEXARITHMETIC_H

#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/IndexItems.h"

namespace modelwright::nn {

/// Signed index arithmetic. A builder of its own so that formulas read as such.
class IndexMath {
public:
  explicit IndexMath(mlir::ImplicitLocOpBuilder &b) : b(b) {}

  mlir::Value constant(int64_t value) { return emitConstantIndex(b, value); }
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value sub(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, mlir::Value rhs);
  /// Quotient rounded toward zero and its remainder: `rhs` is not 0.
  mlir::Value div(mlir::Value lhs, mlir::Value rhs);
  mlir::Value rem(mlir::Value lhs, mlir::Value rhs);
  mlir::Value min(mlir::Value lhs, mlir::Value rhs);
  mlir::Value max(mlir::Value lhs, mlir::Value rhs);
  mlir::Value select(mlir::Value condition, mlir::Value lhs, mlir::Value rhs);
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value isEqual(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isLess(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isAtLeast(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isAnd(mlir::Value lhs, mlir::Value rhs);
  mlir::Value isOr(mlir::Value lhs, mlir::Value rhs);

private:
  mlir::ImplicitLocOpBuilder &b;
};

/// The value of an index that folded to a constant.
std::optional<int64_t> getConstantIndex(mlir::Value index);

/// An integer element as an index, by the signedness of `element`.
mlir::Value emitToIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                        mlir::Type element);

/// Element `at` of an operand that is an integer or a vector of integers, as
/// an index; a constant if `original`, the same operand before it was lowered,
/// is one. Null if the elements are no integers.
mlir::Value emitReadInteger(mlir::ImplicitLocOpBuilder &b, mlir::Value original,
                            mlir::Value lowered, int64_t at = 0);

/// Checks that a size is what `type` says of its dim, where it says it.
void emitCheckDim(mlir::ImplicitLocOpBuilder &b, mlir::RankedTensorType type,
                  int64_t dim, mlir::Value size);

/// The sizes of the dynamic dims of `type`, of all of its `sizes`. The static
/// ones are checked.
llvm::SmallVector<mlir::Value> emitDynamicSizes(mlir::ImplicitLocOpBuilder &b,
                                                mlir::RankedTensorType type,
                                                mlir::ValueRange sizes);

/// A size that becomes dim `dim` of `type`: checked, and a constant, where the
/// type says it.
mlir::Value emitDimOfType(mlir::ImplicitLocOpBuilder &b,
                          mlir::RankedTensorType type, int64_t dim,
                          mlir::Value size);

/// `value` with what `type` knows of its sizes, which were checked.
mlir::Value emitAsType(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                       mlir::RankedTensorType type);

/// Checks that a tensor with such sizes, which the model computes, can be: none
/// is negative, and the number of bytes does not overflow.
void emitCheckSizes(mlir::ImplicitLocOpBuilder &b, mlir::ValueRange sizes);

/// All sizes of a tensor.
llvm::SmallVector<mlir::Value> emitSizes(mlir::ImplicitLocOpBuilder &b,
                                         mlir::Value tensor);

/// The number of elements.
mlir::Value emitNumElements(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor);

/// What an item selects of one axis: `count` elements, `step` apart.
struct AxisRange {
  mlir::Value start, step, count;
};

/// Applies begin, end and step of an item to an axis of `size` elements, with
/// the checks of nn.slice: every element of the range exists. `lowered` is the
/// item with lowered operands. Failure if an operand is no integer.
llvm::FailureOr<AxisRange> emitAxisRange(mlir::ImplicitLocOpBuilder &b,
                                         const IndexItem &item,
                                         const IndexItem &lowered,
                                         mlir::Value size);

/// What the items of an op select of each axis. An axis with an index stays
/// whole in `axes` and has the index in both of its types.
struct ItemRanges {
  llvm::SmallVector<AxisRange> axes;
  llvm::SmallVector<IndexItem> original, lowered;

  bool isIndexed(int64_t axis) const { return bool(original[axis].index); }
};

/// Applies items to `input`, as emitAxisRange does to one axis.
llvm::FailureOr<ItemRanges> emitItemRanges(mlir::ImplicitLocOpBuilder &b,
                                           const IndexSpec &original,
                                           const IndexSpec &lowered,
                                           mlir::Value input);

/// A copy of `target` in which `body`, run for all indices below `sizes` in
/// row-major order, puts a value each: it returns the value and, appended to
/// `at`, where it goes. The last one to write an element wins.
using ScatterBody = llvm::function_ref<mlir::Value(
    mlir::ImplicitLocOpBuilder &b, mlir::ValueRange indices,
    llvm::SmallVectorImpl<mlir::Value> &at)>;
mlir::Value emitScatter(mlir::ImplicitLocOpBuilder &b, mlir::Value target,
                        mlir::ValueRange sizes, ScatterBody body);

/// Reads `tensor` as if numpy had broadcast it to more or larger dims, of which
/// `indices` names an element.
mlir::Value emitBroadcastRead(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                              mlir::ValueRange indices);

/// Checks that `tensor` broadcasts to `sizes`.
void emitCheckBroadcast(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                        mlir::ValueRange sizes);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_INDEXARITHMETIC_H
