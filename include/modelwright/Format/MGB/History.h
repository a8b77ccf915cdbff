//===- History.h - What numbers meant in old releases -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_HISTORY_H
#define MODELWRIGHT_FORMAT_MGB_HISTORY_H

#include "modelwright/Format/MGB/Model.h"
#include "llvm/ADT/SmallVector.h"

namespace modelwright::mgb {

/// What the numbers in `format` fields mean. The enumerators of
/// ConvolutionFormat above 6 moved several times before v1.6.0; params in
/// memory keep the file's number. (Correlation has a numbering of its own.)
class FormatNumbering {
public:
  /// The numbering of the release that wrote `graph`.
  static FormatNumbering of(const Graph &graph);

  /// The same from what tells the releases of one version apart: whether the
  /// graph has metadata, and whether an operator has a name.
  static FormatNumbering of(Encoding encoding, uint32_t version,
                            bool hasMetadata, bool hasNames);

  /// The layout that `number` stands for. Nullopt for a layout that is gone
  /// (Winograd), for an unknown number, and where the releases that share the
  /// graph's version disagree.
  std::optional<param::ConvolutionFormat> getFormat(uint32_t number) const;

  /// The inverse of getFormat.
  std::optional<uint32_t> getNumber(param::ConvolutionFormat format) const;

private:
  /// The meanings of 7, 8, 9, ... in one span of releases.
  using Meanings = llvm::ArrayRef<param::ConvolutionFormat>;

  explicit FormatNumbering(llvm::ArrayRef<Meanings> spans)
      : spans(spans.begin(), spans.end()) {}

  /// More than one where releases of several spans share a version.
  llvm::SmallVector<Meanings, 2> spans;
};

} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_HISTORY_H
