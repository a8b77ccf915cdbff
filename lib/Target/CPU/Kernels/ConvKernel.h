//===- ConvKernel.h - What convolution kernels share ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_CONVKERNEL_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_CONVKERNEL_H

#include "Emitter.h"

#include <array>

namespace modelwright::cpu {

/// A convolution of blocked tensors: what its op and the arguments of its
/// function say, and how an output is finished.
template <typename OpT> class ConvKernel {
protected:
  ConvKernel(Emitter &e, OpT op, mlir::ValueRange arguments)
      : e(e), op(op), input(arguments.front()), weights(arguments[1]),
        result(arguments.back()),
        extras(e, arguments.slice(2, op.getExtras().size()),
               op.getExtraHalos()),
        inputHalo(Halo::get(op.getInputHalo())), halo(Halo::get(op.getHalo())),
        shape(BlockedShape::get(mlir::cast<mlir::ShapedType>(result.getType()),
                                halo)),
        filter(mlir::cast<mlir::ShapedType>(weights.getType()).getShape()) {}

  /// Where output (y, x) of a block of channels lies in the result.
  Emitter::Values getPlace(mlir::Value n, mlir::Value block, mlir::Value y,
                           mlir::Value x) {
    return {n, block, e.add(y, halo.top), e.add(x, halo.left), e.index(0)};
  }

  /// Stores what the epilogue makes of a sum.
  void finish(mlir::Value sum, mlir::Value n, mlir::Value block, mlir::Value y,
              mlir::Value x) {
    Emitter::Values values{sum};
    values.append(extras.read(n, block, y, x));
    e.store(e.epilogue(op.getEpilogue(), values), result,
            getPlace(n, block, y, x));
  }

  /// What sums are of, and sums of nothing.
  mlir::Type getSumType() { return op.getEpilogue().getArgument(0).getType(); }
  Emitter::Values getZeroSums(int64_t count) {
    return Emitter::Values(count, e.splat(getSumType(), 0));
  }

  /// Stores what the epilogue makes of the sums of a tile: sum number i*inner +
  /// j goes to `getAt(i, j)`, as batch entry, block, row and column. A long
  /// epilogue is a loop over sums that are kept on the stack.
  void finishTile(
      mlir::ValueRange sums, int64_t inner,
      llvm::function_ref<std::array<mlir::Value, 4>(mlir::Value, mlir::Value)>
          getAt) {
    auto outer = int64_t(sums.size()) / inner;
    auto finishAt = [&](mlir::Value sum, mlir::Value i, mlir::Value j) {
      auto [n, block, y, x] = getAt(i, j);
      finish(sum, n, block, y, x);
    };
    if (!Emitter::isLongEpilogue(op.getEpilogue())) {
      for (int64_t i = 0; i < outer; ++i)
        for (int64_t j = 0; j < inner; ++j)
          finishAt(sums[i * inner + j], e.index(i), e.index(j));
      return;
    }
    mlir::Value kept = e.allocate(outer * inner, getSumType());
    for (int64_t i = 0; i < outer * inner; ++i)
      e.store(sums[i], kept, {e.index(i), e.index(0)});
    e.loop(0, outer, 1, [&](mlir::Value i) {
      e.loop(0, inner, 1, [&](mlir::Value j) {
        mlir::Value at = e.add(e.mul(i, inner), j);
        finishAt(e.load(kept, {at, e.index(0)}), i, j);
      });
    });
  }

  /// The first row and column, in the input's buffer, of the window of an
  /// output.
  mlir::Value getWindowRow(mlir::Value y) {
    return e.add(e.mul(y, op.getStrides()[0]), inputHalo.top - op.getPads()[0]);
  }
  mlir::Value getWindowColumn(mlir::Value x) {
    return e.add(e.mul(x, op.getStrides()[1]),
                 inputHalo.left - op.getPads()[1]);
  }

  Emitter &e;
  OpT op;
  mlir::Value input, weights, result;
  ExtraReader extras;
  Halo inputHalo, halo;
  BlockedShape shape;
  llvm::ArrayRef<int64_t> filter;
};

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_KERNELS_CONVKERNEL_H
