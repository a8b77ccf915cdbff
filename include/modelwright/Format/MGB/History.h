//===- History.h - What numbers meant in old releases -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_HISTORY_H
#define MODELWRIGHT_FORMAT_MGB_HISTORY_H

#include "modelwright/Format/MGB/Model.h"

namespace modelwright::mgb {

/// The activation layout that `stored`, the `format` field of any param but
/// Correlation, means in `graph`. The enumerators of ConvolutionFormat above 6
/// moved several times before v1.6.0; params in memory keep the file's number.
///
/// Returns nullopt for layouts that are gone (Winograd), for unknown numbers,
/// and for numbers that mean different things in the releases that share
/// `graph`'s version.
std::optional<param::ConvolutionFormat>
resolveFormat(param::ConvolutionFormat stored, const Graph &graph);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_HISTORY_H
