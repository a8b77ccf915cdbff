//===- Legalize.h - What the legalizations are made of ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TRANSFORMS_LEGALIZE_H
#define MODELWRIGHT_LIB_TRANSFORMS_LEGALIZE_H

#include "Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Dialect/NN/IR/ShapeValues.h"

namespace modelwright {

/// Puts a group dim in front of a grouped NCHW filter (OC,IC/G,FH,FW becomes
/// G,OC/G,IC/G,FH,FW). True if the convolution changed.
bool addGroupDim(ConvView conv);

/// The opposite of addGroupDim.
bool dropGroupDim(ConvView conv);

/// Lets the NHWC filter of an nn.conv2d be read from one in the order in which
/// GE files keep all filters (OC,IC/G,FH,FW), through ops that are parts of the
/// convolution there (ge.implicit). A constant is moved now. True if the
/// convolution changed.
bool orderFilterForGE(ConvView conv);

/// Whether an nn.conv2d or nn.*_pool2d pads the two sides of a dim differently.
bool hasUnevenPads(mlir::Operation *op);

/// Leaves to the op what it pads on both sides alike and pads the rest by an
/// nn.pad before it: zeros, or minus infinity for a maximum. A mean that does
/// not count its padding is scaled after it by (window / elements counted), one
/// constant per position. Floats only (means that do not count: f32 only, since
/// the scale would round once more); false with `reason` for others.
bool splitUnevenPads(mlir::Operation *op, llvm::StringRef &reason);

/// Computes on the codes of quantized values as f32, since the tensors of GE
/// models have no scales: `real = (code - zero point) * scale`. Every sum of
/// products that stays below 2^24 is exact in f32, and only such are spelled;
/// so the codes are those of the quantized op. Takes per-tensor types of up to
/// 8 bits (and i32 for biases). Calls `done` with each op
/// before it goes. Values
/// that enter or leave the graph as codes stay.
void spellCodesAsFloats(mlir::func::FuncOp func,
                        llvm::function_ref<void(mlir::Operation *)> done);

/// Spells `op` by ops that GE models know, with the same result: see the table
/// in DecomposeForGE.cpp. Returns what stands for its only used result, or null
/// if the op is known there or no exact spelling exists for its types and
/// shapes. New ops stand before `op`, which is left without users.
mlir::Value decomposeForGE(mlir::Operation *op, nn::ShapeValues &values);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TRANSFORMS_LEGALIZE_H
