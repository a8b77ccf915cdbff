//===- Peak.h - What the CPU can do at most ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_BENCHMARKS_LAYERS_PEAK_H
#define MODELWRIGHT_BENCHMARKS_LAYERS_PEAK_H

namespace modelwright::bench {

/// Loops of independent instructions on registers: each runs for some 20 us and
/// returns the operations that it did, a product and a sum counting as two. 0
/// if the CPU has no such instruction.
double runFMAs();     ///< Of f32.
double runByteDots(); ///< Of VNNI.
double runBF16Dots(); ///< Of AVX512-BF16.

} // namespace modelwright::bench

#endif // MODELWRIGHT_BENCHMARKS_LAYERS_PEAK_H
