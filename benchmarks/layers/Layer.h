//===- Layer.h - Layers to measure ------------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_BENCHMARKS_LAYERS_LAYER_H
#define MODELWRIGHT_BENCHMARKS_LAYERS_LAYER_H

#include <cstdint>
#include <functional>
#include <string>

namespace modelwright::bench {

/// Of what input, weights and result are.
enum class Element { F32, BF16, S8, U8 };

/// A convolution with bias and ReLU of one square image, padded so that stride
/// 1 keeps its size; or a product of an [m][k] matrix with a constant [k][n]
/// one.
struct Layer {
  enum class Kind { Conv, Depthwise, MatMul } kind;
  int64_t inputs = 0, outputs = 0, size = 0, kernel = 1, stride = 1;
  int64_t m = 0, n = 0, k = 0;
  Element element = Element::F32;
  /// Whether Winograd's algorithm may be used, by us: peers compute directly.
  bool winograd = false;

  int64_t getPad() const { return kernel / 2; }
  int64_t getOutputSize() const {
    return (size + 2 * getPad() - kernel) / stride + 1;
  }
  std::string getName() const;
  /// Products and sums, of a direct computation.
  double getOperations() const;
  /// The layer in the nn dialect.
  std::string getModel() const;
};

/// The peer's name, and what runs the layer once, on one thread, with operands
/// in the form that the peer likes best.
struct Peer {
  std::string name;
  std::function<void()> run;
};
Peer makeDNNLPeer(const Layer &layer);
Peer makeOpenBLASPeer(const Layer &layer);

} // namespace modelwright::bench

#endif // MODELWRIGHT_BENCHMARKS_LAYERS_LAYER_H
