//===- Layouts.cpp - Param layouts and numberings of old releases ---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphReader.h"

using namespace modelwright::mgb;

using fbs::OperatorParam;

namespace {
constexpr uint32_t kVersion130 = 801000;
constexpr uint32_t kVersion140 = 801100;
constexpr uint32_t kSnapshot = 1799900;
} // namespace

OperatorParam modelwright::mgb::unshift(OperatorParam type) {
  auto number = static_cast<unsigned>(type);
  if (number <= 40)
    return type;
  return number == 41 ? OperatorParam::Remap : OperatorParam(number - 1);
}

OperatorParam modelwright::mgb::shift(OperatorParam type) {
  auto number = static_cast<unsigned>(type);
  if (number <= 40)
    return type;
  return type == OperatorParam::Remap ? OperatorParam(41)
                                      : OperatorParam(number + 1);
}

void modelwright::mgb::detectLayouts(Graph &graph) {
  graph.layouts = {};
  if (graph.encoding == Encoding::V2 || !isOldEra(graph.version))
    return;
  if (graph.version == kSnapshot) {
    // v1.0.0, v1.3.1, v1.5.0 and v1.6.0 share this number; metadata exist
    // since v1.5.0. v1.0.0 cannot be told from v1.3.1 without names: assume
    // the later one, whose strategy default only affects speed.
    graph.layouts.earlyWindow = !graph.metadata;
    return;
  }
  graph.layouts.zeroStrategy = graph.version <= kVersion130;
  graph.layouts.earlyWindow = graph.version < kVersion140;
}

void modelwright::mgb::toNewestLayout(Param &param, const void *value,
                                      const Graph &graph) {
  const auto *table = static_cast<const flatbuffers::Table *>(value);
  switch (param.type) {
  case OperatorParam::ConvBias: {
    // Slots 10 and 11 were output_block_size and compute_mode until v1.2.0;
    // since then slot 10 is compute_mode.
    param::ConvBiasT &bias = *param.AsConvBias();
    auto slot10 = static_cast<uint32_t>(bias.compute_mode);
    if (bias.output_block_size) {
      bias.compute_mode =
          param::ConvolutionV1ComputeMode(*bias.output_block_size);
      bias.output_block_size = slot10;
    } else if (slot10 > 1 && isOldEra(graph.version)) {
      bias.compute_mode = param::ConvolutionV1ComputeMode::DEFAULT;
      bias.output_block_size = slot10;
    }
    break;
  }
  case OperatorParam::Images2Neibs: {
    if (!graph.layouts.earlyWindow)
      break;
    param::Images2NeibsT &neibs = *param.AsImages2Neibs();
    neibs.window_h =
        table->GetField<uint32_t>(param::Images2Neibs::VT_DILATE_H, 3);
    neibs.window_w =
        table->GetField<uint32_t>(param::Images2Neibs::VT_DILATE_W, 3);
    neibs.dilate_h = neibs.dilate_w = 1;
    break;
  }
  case OperatorParam::ExecutionPolicy:
    if (graph.layouts.zeroStrategy &&
        !table->CheckField(param::ExecutionPolicy::VT_STRATEGY))
      param.AsExecutionPolicy()->strategy = param::ExecutionPolicyStrategy(0);
    break;
  default:
    break;
  }
}
