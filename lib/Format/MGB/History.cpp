//===- History.cpp - What numbers meant in old releases -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/History.h"
#include "modelwright/Format/MGB/Registry.h"

using namespace modelwright::mgb;

using Format = param::ConvolutionFormat;

namespace {

/// Stands for a layout that is gone.
constexpr auto kGone = Format(UINT32_MAX);

/// One span of releases: the meanings of 7, 8, 9, ...
using Meanings = llvm::ArrayRef<Format>;

constexpr Format kSinceV031[] = {kGone, kGone, Format::CHWN4};
constexpr Format kSinceV032[] = {Format::NCHW44, kGone, kGone, kGone,
                                 Format::CHWN4};
constexpr Format kSinceV050[] = {
    Format::NCHW44, Format::NCHW44_DOT, kGone, kGone, kGone, Format::CHWN4};
constexpr Format kSinceV120[] = {Format::NCHW44,
                                 Format::NCHW44_DOT,
                                 kGone,
                                 kGone,
                                 kGone,
                                 Format::NCHW4_NCHW32,
                                 Format::NCHW32_NCHW4,
                                 Format::NCHW4_NCHW,
                                 Format::NHWC_NCHW,
                                 Format::NHWC_NCHW4_IC_SMALL,
                                 Format::NCHW_NCHW4_IC_SMALL,
                                 Format::CHWN4};
constexpr Format kSinceV130[] = {Format::NCHW44,
                                 Format::NCHW44_DOT,
                                 Format::NCHW4_NCHW32,
                                 Format::NCHW32_NCHW4,
                                 Format::NCHW4_NCHW,
                                 Format::NHWC_NCHW,
                                 Format::NHWC_NCHW4_IC_SMALL,
                                 Format::NCHW_NCHW4_IC_SMALL,
                                 Format::CHWN4};
constexpr Format kSinceV150[] = {Format::NCHW44,
                                 Format::NCHW44_DOT,
                                 Format::NCHW4_NCHW32,
                                 Format::NCHW32_NCHW4,
                                 Format::NCHW4_NCHW,
                                 Format::NCHW4_NHWC,
                                 Format::NHWC_NCHW,
                                 Format::NHWC_NCHW4_IC_SMALL,
                                 Format::NCHW_NCHW4_IC_SMALL,
                                 Format::CHWN4,
                                 Format::NCHW64};
constexpr Format kSinceV160[] = {Format::NCHW44,
                                 Format::NCHW44_DOT,
                                 Format::NCHW4_NCHW32,
                                 Format::NCHW32_NCHW4,
                                 Format::NCHW4_NCHW,
                                 Format::NHWC_NCHW,
                                 Format::NHWC_NCHW4_IC_SMALL,
                                 Format::NCHW_NCHW4_IC_SMALL,
                                 Format::CHWN4,
                                 Format::NCHW64,
                                 Format::NCHW4_NHWC};

/// The spans that a graph may be of; more than one for the snapshot number.
llvm::SmallVector<Meanings, 2> spansOf(const Graph &graph) {
  if (graph.encoding == Encoding::V2 || !isOldEra(graph.version))
    return {kSinceV160};
  if (graph.version == 1799900) {
    // Metadata exist since v1.5.0, operator names since v1.3.0.
    if (graph.metadata)
      return {kSinceV150, kSinceV160};
    for (const Operator &opr : graph.oprs)
      if (opr.name)
        return {kSinceV130};
    return {kSinceV050, kSinceV130};
  }
  if (graph.version < 800301)
    return {kSinceV031};
  if (graph.version < 800401)
    return {kSinceV032};
  if (graph.version < 800900)
    return {kSinceV050};
  if (graph.version < 801000)
    return {kSinceV120};
  if (graph.version < 801200)
    return {kSinceV130};
  return {kSinceV150};
}

} // namespace

std::optional<Format> modelwright::mgb::resolveFormat(Format stored,
                                                      const Graph &graph) {
  constexpr size_t kFirstMoved = 7;
  auto number = static_cast<size_t>(stored);
  if (number < kFirstMoved)
    return stored;
  std::optional<Format> result;
  for (Meanings meanings : spansOf(graph)) {
    Format meaning = number - kFirstMoved < meanings.size()
                         ? meanings[number - kFirstMoved]
                         : kGone;
    if (meaning == kGone || (result && *result != meaning))
      return std::nullopt;
    result = meaning;
  }
  return result;
}
