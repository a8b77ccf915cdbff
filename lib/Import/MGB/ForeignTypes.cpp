//===- ForeignTypes.cpp - Result types of foreign operators ---------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Training and utility operators are not modelled, but a graph that has one
// should not lose the types behind it. The table says, per var, which operand
// has the var's type.
//
//===----------------------------------------------------------------------===//

#include "GraphImporter.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Operand index of each var's type, or -1 if no operand has it.
static ArrayRef<int> getTypeSources(StringRef name) {
  static constexpr int first[] = {0}, second[] = {1}, third[] = {2},
                       firstTwo[] = {0, 1}, secondThird[] = {1, 2};
  return llvm::StringSwitch<ArrayRef<int>>(name)
      .Cases({"AddUpdate",
              "IncrSubtensor",
              "IndexingIncrMultiAxisVec",
              "IncrMeshIndexing",
              "BatchedIncrMeshIndexing",
              "LRNBackward",
              "PoolingBackwardV1",
              "AdaptivePoolingBackwardV1",
              "MarkDynamicVar",
              "MarkNoBroadcastElemwise",
              "VirtualDep",
              "PersistentOutputStorage",
              "Sleep",
              "CondExecMarkIfNeed",
              "SoftmaxBackward",
              "DropoutBackward",
              "ShuffleRNG",
              "PoissonRNG",
              "ExponentialRNG",
              "Dropout",
              "AffineInt"},
             first)
      .Cases({"ResizeBackward", "Images2NeibsBackward", "PaddingBackward",
              "SlidingWindowTransposeBackward", "DiagBackward",
              "WarpPerspectiveBackwardMatV2", "RemapBackwardMatV1",
              "ROIPoolingBackward", "ROIAlignBackwardV1", "FakeQuantBackward",
              "CorrelationBackwardData1", "VirtualGrad"},
             second)
      .Cases({"ConvolutionBackwardFilterV2", "Convolution3DBackwardFilter",
              "LocalBackwardDataV2", "LocalBackwardFilterV2",
              "GroupLocalBackwardDataV2", "GroupLocalBackwardFilterV2",
              "LocalShareBackwardDataV1", "LocalShareBackwardFilterV1",
              "WarpPerspectiveBackwardDataV2", "RemapBackwardDataV1",
              "IndexingRemapBackward", "ArgsortBackward",
              "CorrelationBackwardData2", "ShuffleRNGBackward"},
             third)
      .Cases({"TQTBackward", "WhereBackward"}, firstTwo)
      .Cases({"LSQBackward"}, secondThird)
      .Default({});
}

SmallVector<Type> mgb::inferForeignTypes(MLIRContext *context,
                                         const Operator &opr,
                                         ArrayRef<Value> operands) {
  Type unknown = UnrankedTensorType::get(nn::UnknownType::get(context));
  SmallVector<Type> types(opr.outputs.size(), unknown);
  if (!opr.info)
    return types;
  for (auto [k, source] : llvm::enumerate(getTypeSources(opr.info->name)))
    if (k < types.size() && static_cast<size_t>(source) < operands.size())
      types[k] = operands[source].getType();
  return types;
}
