//===- BlockedBuilder.h - Emit ops on blocked tensors -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_BLOCKEDBUILDER_H
#define MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_BLOCKEDBUILDER_H

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"

namespace modelwright::cpu {

/// The block of a convolution's input: few channels are a block of their own,
/// which is padded to whole groups only.
int64_t getInputBlock(int64_t channels, int64_t lanes, int64_t group = 1);

/// How many groups of a convolution are computed as one, whose weights are 0
/// for inputs of another group: the fewest that fill whole blocks of `lanes`
/// inputs and outputs, or all. 0 if that would be too many products in vain.
int64_t countGroupsTogether(int64_t groups, int64_t inputs, int64_t outputs,
                            int64_t lanes);

/// The blocked type, without halo, of a static NCHW tensor.
mlir::RankedTensorType getBlockedType(mlir::RankedTensorType image,
                                      int64_t block);

mlir::Value emitBlockedEmpty(mlir::ImplicitLocOpBuilder &b,
                             mlir::RankedTensorType image, int64_t block);

/// Between NCHW and blocked, without halo.
mlir::Value emitPack(mlir::ImplicitLocOpBuilder &b, mlir::Value image,
                     int64_t block);

/// The attribute `last_channels` of a convolution of `image`, packed to
/// `blocked`; null if all blocks are whole.
mlir::IntegerAttr getLastChannels(mlir::Value blocked, mlir::Value image);
mlir::Value emitUnpack(mlir::ImplicitLocOpBuilder &b, mlir::Value blocked,
                       mlir::RankedTensorType image);

/// An nn.constant of f32 numbers, or of bf16 ones that hold them.
mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &b,
                         llvm::ArrayRef<float> values,
                         llvm::ArrayRef<int64_t> shape, bool isBF16 = false);

/// An nn.constant of integers of `bits`, which hold the values.
mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &b,
                         llvm::ArrayRef<int32_t> values,
                         llvm::ArrayRef<int64_t> shape, unsigned bits);

/// A tensor of the nn dialect with elements as the memory holds them, and back:
/// quantized codes and unsigned integers are signless ones.
mlir::Value emitStored(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor);
mlir::Value emitRestored(mlir::ImplicitLocOpBuilder &b, mlir::Value stored,
                         mlir::Type type);

/// The element types of tensors.
llvm::SmallVector<mlir::Type> getElementTypes(mlir::ValueRange tensors);

/// Fills an empty region, which gets arguments of these types; what `body`
/// gives is yielded.
void emitEpilogue(mlir::ImplicitLocOpBuilder &b, mlir::Region &region,
                  mlir::TypeRange arguments,
                  llvm::function_ref<mlir::Value(mlir::ImplicitLocOpBuilder &,
                                                 mlir::ValueRange)>
                      body);

/// An activation of f32 scalars in the form that is fast on vectors: max and
/// min as one instruction, which may turn -0 into 0 and back.
mlir::Value emitFastActivation(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                               nn::Activation activation);

} // namespace modelwright::cpu

#endif // MODELWRIGHT_LIB_TARGET_CPU_SCHEDULE_BLOCKEDBUILDER_H
