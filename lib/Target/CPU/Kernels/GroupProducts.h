//===- GroupProducts.h - Several products per lane --------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_GROUPPRODUCTS_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_GROUPPRODUCTS_H

#include "Emitter.h"

namespace modelwright::cpu {

/// Adds to each lane of a vector of sums the products of a group of elements,
/// the same in all lanes, with as many weights of its own. Integers are exact:
/// no instruction saturates. vdpbf16ps takes denormals for 0, of its operands
/// and its sums, and rounds to nearest whatever the mode is.
class GroupProducts {
public:
  GroupProducts(Emitter &e, Products products, bool isUnsigned)
      : e(e), products(products), isUnsigned(isUnsigned) {}

  /// `dot_i8` and `dot_bf16`: one vector of groups. `madd_i16`: two vectors of
  /// pairs of 16 bits.
  using Operand = llvm::SmallVector<mlir::Value, 2>;

  int64_t getGroupSize() const { return cpu::getGroupSize(products); }

  /// The group from `indices` on for all lanes. `dot_i8` reads codes as
  /// unsigned: 128 is added to signed ones.
  Operand loadInput(mlir::Value buffer, mlir::ValueRange indices);

  /// The first `count` elements of a group; the others are 0.
  Operand loadPart(mlir::Value buffer, mlir::ValueRange indices, int64_t count);

  /// The weights of all lanes; the last of `indices` is 0.
  Operand loadWeights(mlir::Value buffer, mlir::ValueRange indices);

  mlir::Value add(mlir::Value sums, const Operand &input,
                  const Operand &weights);

private:
  /// A group for all lanes.
  Operand spread(mlir::Value group);
  mlir::Value call(llvm::StringRef intrinsic, mlir::ValueRange operands);

  Emitter &e;
  Products products;
  bool isUnsigned;
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_GROUPPRODUCTS_H
