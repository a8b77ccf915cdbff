//===- CPUOps.h - Kernels over blocked tensors ------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_TARGET_CPU_IR_CPUOPS_H
#define MODELWRIGHT_TARGET_CPU_IR_CPUOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "modelwright/Target/CPU/IR/CPUDialect.h.inc"
#include "modelwright/Target/CPU/IR/CPUEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "modelwright/Target/CPU/IR/CPUAttributes.h.inc"

#define GET_OP_CLASSES
#include "modelwright/Target/CPU/IR/CPUOps.h.inc"

namespace modelwright::cpu {

/// Rows and columns of zeros around an image.
struct Halo {
  int64_t top = 0, left = 0, bottom = 0, right = 0;

  static Halo get(llvm::ArrayRef<int64_t> values) {
    return {values[0], values[1], values[2], values[3]};
  }
  llvm::SmallVector<int64_t, 4> toArray() const {
    return {top, left, bottom, right};
  }
  bool isEmpty() const { return !top && !left && !bottom && !right; }
  bool operator==(const Halo &other) const = default;
};

/// The dims of a blocked tensor or buffer without its halo.
struct BlockedShape {
  int64_t batch, blocks, height, width, block;

  /// `type` is of rank 5 and static.
  static BlockedShape get(mlir::ShapedType type, const Halo &halo);
  /// With a halo around it.
  llvm::SmallVector<int64_t, 5> getShape(const Halo &halo) const;
};

/// Channels of the input that each lane of a vector of weights multiplies.
int64_t getGroupSize(Products products);

/// Registers the dialect's bufferization.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_TARGET_CPU_IR_CPUOPS_H
