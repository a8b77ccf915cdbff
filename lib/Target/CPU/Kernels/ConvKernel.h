//===- ConvKernel.h - What convolution kernels share ------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_KERNELS_CONVKERNEL_H
#define MODELWRIGHT_LIB_TARGET_CPU_KERNELS_CONVKERNEL_H

#include "Emitter.h"

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
