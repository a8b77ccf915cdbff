//===- History.cpp - What numbers meant in old releases -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/History.h"
#include "modelwright/Format/MGB/Registry.h"
#include "llvm/ADT/STLExtras.h"

using namespace modelwright::mgb;

using Format = param::ConvolutionFormat;

/// The numbers below this one never moved.
static constexpr uint32_t kFirstMoved = 7;

/// Stands for a layout that is gone.
static constexpr auto kGone = Format(UINT32_MAX);

static constexpr Format kSinceV031[] = {kGone, kGone, Format::CHWN4};
static constexpr Format kSinceV032[] = {Format::NCHW44, kGone, kGone, kGone,
                                        Format::CHWN4};
static constexpr Format kSinceV050[] = {
    Format::NCHW44, Format::NCHW44_DOT, kGone, kGone, kGone, Format::CHWN4};
static constexpr Format kSinceV120[] = {Format::NCHW44,
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
static constexpr Format kSinceV130[] = {Format::NCHW44,
                                        Format::NCHW44_DOT,
                                        Format::NCHW4_NCHW32,
                                        Format::NCHW32_NCHW4,
                                        Format::NCHW4_NCHW,
                                        Format::NHWC_NCHW,
                                        Format::NHWC_NCHW4_IC_SMALL,
                                        Format::NCHW_NCHW4_IC_SMALL,
                                        Format::CHWN4};
static constexpr Format kSinceV150[] = {Format::NCHW44,
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
static constexpr Format kSinceV160[] = {Format::NCHW44,
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

FormatNumbering FormatNumbering::of(const Graph &graph) {
  bool hasNames = llvm::any_of(
      graph.oprs, [](const Operator &opr) { return opr.name.has_value(); });
  return of(graph.encoding, graph.version, graph.metadata.has_value(),
            hasNames);
}

FormatNumbering FormatNumbering::of(Encoding encoding, uint32_t version,
                                    bool hasMetadata, bool hasNames) {
  auto make = [](std::initializer_list<Meanings> spans) {
    return FormatNumbering(spans);
  };
  if (encoding == Encoding::V2 || !isOldEra(version))
    return make({kSinceV160});
  if (version == 1799900) {
    // Metadata exist since v1.5.0, operator names since v1.3.0.
    if (hasMetadata)
      return make({kSinceV150, kSinceV160});
    return hasNames ? make({kSinceV130}) : make({kSinceV050, kSinceV130});
  }
  if (version < 800301)
    return make({kSinceV031});
  if (version < 800401)
    return make({kSinceV032});
  if (version < 800900)
    return make({kSinceV050});
  if (version < 801000)
    return make({kSinceV120});
  if (version < 801200)
    return make({kSinceV130});
  return make({kSinceV150});
}

std::optional<Format> FormatNumbering::getFormat(uint32_t number) const {
  if (number < kFirstMoved)
    return Format(number);
  std::optional<Format> result;
  for (Meanings meanings : spans) {
    uint32_t offset = number - kFirstMoved;
    Format meaning = offset < meanings.size() ? meanings[offset] : kGone;
    if (meaning == kGone || (result && *result != meaning))
      return std::nullopt;
    result = meaning;
  }
  return result;
}

std::optional<uint32_t> FormatNumbering::getNumber(Format format) const {
  auto number = static_cast<uint32_t>(format);
  if (number < kFirstMoved)
    return number;
  std::optional<uint32_t> result;
  for (Meanings meanings : spans) {
    const Format *found = llvm::find(meanings, format);
    if (found == meanings.end())
      return std::nullopt;
    uint32_t candidate = kFirstMoved + (found - meanings.begin());
    if (result && *result != candidate)
      return std::nullopt;
    result = candidate;
  }
  return result;
}
