//===- Macs.cpp - Multiply-accumulates of an op ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Transforms/Macs.h"
#include "modelwright/Dialect/NN/IR/Layout.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace modelwright;

uint64_t modelwright::countElements(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || !ranked.hasStaticShape())
    return 0;
  std::optional<int64_t> count = nn::multiplyDims(ranked.getShape());
  return count.value_or(0);
}

/// Products summed for one element of a convolution's result.
static uint64_t getFilterTaps(nn::Layout layout, bool grouped, Type filter) {
  auto ranked = dyn_cast<RankedTensorType>(filter);
  if (!ranked || !ranked.hasStaticShape())
    return 0;
  FailureOr<nn::FilterDims> dims =
      nn::decodeFilter(std::nullopt, layout, grouped, ranked.getShape());
  return failed(dims) ? 0 : dims->ic * dims->kh * dims->kw;
}

uint64_t modelwright::getMacs(Operation *op) {
  return llvm::TypeSwitch<Operation *, uint64_t>(op)
      .Case([](nn::Conv2DOp conv) -> uint64_t {
        return llvm::SaturatingMultiply(
            countElements(conv.getResult().getType()),
            getFilterTaps(conv.getLayout(), conv.getGroupFilter(),
                          conv.getFilter().getType()));
      })
      .Case([](nn::ConvTranspose2DOp conv) -> uint64_t {
        // Every input element meets every tap of its output channels.
        auto filter = dyn_cast<RankedTensorType>(conv.getFilter().getType());
        if (!filter || !filter.hasStaticShape())
          return 0;
        FailureOr<nn::FilterDims> dims =
            nn::decodeFilter(std::nullopt, conv.getLayout(),
                             conv.getGroupFilter(), filter.getShape());
        return failed(dims) ? 0
                            : llvm::SaturatingMultiply(
                                  countElements(conv.getInput().getType()),
                                  uint64_t(dims->ic * dims->kh * dims->kw));
      })
      .Case([](nn::MatMulOp matmul) -> uint64_t {
        auto lhs = dyn_cast<RankedTensorType>(matmul.getLhs().getType());
        if (!lhs || lhs.getRank() != 2 || !lhs.hasStaticShape())
          return 0;
        return llvm::SaturatingMultiply(
            countElements(matmul.getResult().getType()),
            uint64_t(lhs.getDimSize(matmul.getTransposeA() ? 0 : 1)));
      })
      .Case([](nn::BatchMatMulOp matmul) -> uint64_t {
        auto lhs = dyn_cast<RankedTensorType>(matmul.getLhs().getType());
        if (!lhs || lhs.getRank() != 3 || !lhs.hasStaticShape())
          return 0;
        return llvm::SaturatingMultiply(
            countElements(matmul.getResult().getType()),
            uint64_t(lhs.getDimSize(matmul.getTransposeA() ? 1 : 2)));
      })
      .Default([](Operation *) -> uint64_t { return 0; });
}
