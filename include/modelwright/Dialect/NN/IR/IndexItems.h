//===- IndexItems.h - Items of slicing and indexing ops ---------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes axes, has_begin, has_end, has_step and has_index say how
// `indices` are to be read; nn.slice's description has the rules.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_INDEXITEMS_H
#define MODELWRIGHT_DIALECT_NN_IR_INDEXITEMS_H

#include "modelwright/Dialect/NN/IR/NNDialect.h"

namespace modelwright::nn {

/// One item with the operands it consumes (null: not given).
struct IndexItem {
  int64_t axis = 0; ///< Not negative if the rank is known.
  mlir::Value begin, end, step, index;

  bool isWhole() const { return !begin && !end && !step && !index; }
};

/// What an op with items says, before it is checked.
struct IndexSpec {
  llvm::ArrayRef<int64_t> axes;
  llvm::ArrayRef<bool> hasBegin, hasEnd, hasStep, hasIndex;
  mlir::ValueRange indices;

  template <typename Adaptor> static IndexSpec get(Adaptor adaptor) {
    return {adaptor.getAxes(),    adaptor.getHasBegin(), adaptor.getHasEnd(),
            adaptor.getHasStep(), adaptor.getHasIndex(), adaptor.getIndices()};
  }
};

/// Pairs the items with their operands. `rank` is that of the input, or
/// nullopt. Items keep their order; an axis may occur once.
llvm::FailureOr<llvm::SmallVector<IndexItem>>
readIndexItems(std::optional<mlir::Location> loc, const IndexSpec &spec,
               std::optional<int64_t> rank);

/// Where a slice of one axis starts, how it goes on and how long it is.
/// Start and size are kDynamic if not known.
struct AxisSlice {
  int64_t start, step, size;
};

/// Applies the begin, end and step of `item` to an axis of `dim` elements.
llvm::FailureOr<AxisSlice> sliceAxis(std::optional<mlir::Location> loc,
                                     int64_t dim, const IndexItem &item,
                                     KnownValues values);

/// Applies the index of `item`, one integer, to an axis of `dim` elements:
/// the element it selects, or kDynamic.
llvm::FailureOr<int64_t> selectElement(std::optional<mlir::Location> loc,
                                       int64_t dim, const IndexItem &item,
                                       KnownValues values);

/// Fails unless `value` may be one integer.
llvm::LogicalResult checkIntegerScalar(std::optional<mlir::Location> loc,
                                       llvm::StringRef what, mlir::Value value);

/// The value of a scalar operand, if known.
std::optional<int64_t> getKnownScalar(mlir::Value value, KnownValues values);

/// Fails unless `type` may be a tensor of `elementType`.
llvm::LogicalResult checkElementType(std::optional<mlir::Location> loc,
                                     llvm::StringRef what, mlir::Type type,
                                     mlir::Type elementType);

/// Fails unless element types of `value` and `input` may be equal and the shape
/// of `value` broadcasts to `shape`.
llvm::LogicalResult checkUpdate(std::optional<mlir::Location> loc,
                                mlir::Type value, mlir::Type input,
                                llvm::ArrayRef<int64_t> shape);

/// Appends an unranked tensor type with the element type of `like`.
void addUnranked(mlir::Type like, llvm::SmallVectorImpl<mlir::Type> &types);

/// Appends a tensor type after checking that its elements can be counted.
llvm::LogicalResult addRankedType(std::optional<mlir::Location> loc,
                                  llvm::ArrayRef<int64_t> shape,
                                  mlir::Type elementType,
                                  llvm::SmallVectorImpl<mlir::Type> &types);

} // namespace modelwright::nn

#endif // MODELWRIGHT_DIALECT_NN_IR_INDEXITEMS_H
