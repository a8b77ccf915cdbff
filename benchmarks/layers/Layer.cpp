//===- Layer.cpp - Layers to measure --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer.h"

#include <fmt/format.h>

using namespace modelwright::bench;

static const char *getPrefix(Element element) {
  switch (element) {
  case Element::F32:
    return "f32";
  case Element::BF16:
    return "bf16";
  case Element::S8:
    return "s8";
  case Element::U8:
    return "u8";
  }
  return "";
}

std::string Layer::getName() const {
  std::string name = getPrefix(element);
  if (kind == Kind::MatMul)
    return name + (m == 1 ? fmt::format("-gemv-{}x{}", k, n)
                          : fmt::format("-gemm-{}x{}x{}", m, n, k));
  name += kind == Kind::Depthwise ? "-depthwise" : "-conv";
  name += fmt::format("-{0}x{0}", kernel);
  name += kind == Kind::Depthwise ? fmt::format("-{}", inputs)
                                  : fmt::format("-{}-{}", inputs, outputs);
  name += fmt::format("@{}", size);
  if (stride != 1)
    name += fmt::format("-s{}", stride);
  return winograd ? name + "-winograd" : name;
}

double Layer::getOperations() const {
  if (kind == Kind::MatMul)
    return 2.0 * double(m) * double(n) * double(k);
  double pixels = double(getOutputSize()) * double(getOutputSize());
  double products = double(kernel * kernel * outputs);
  if (kind == Kind::Conv)
    products *= double(inputs);
  return 2 * pixels * products;
}

/// A convolution of floats.
static std::string getFloatConv(const Layer &layer) {
  const char *element = getPrefix(layer.element);
  bool isDepthwise = layer.kind == Layer::Kind::Depthwise;
  std::string filter =
      isDepthwise ? fmt::format("{0}x1x1x{1}x{1}", layer.inputs, layer.kernel)
                  : fmt::format("{0}x{1}x{2}x{2}", layer.outputs, layer.inputs,
                                layer.kernel);
  return fmt::format(
      R"(func.func @main(%x: tensor<1x{in}x{size}x{size}x{t}>) -> tensor<1x{out}x{osize}x{osize}x{t}> {{
  %w = nn.constant dense<0.5> : tensor<{filter}x{t}> : tensor<{filter}x{t}>
  %b = nn.constant dense<0.25> : tensor<1x{out}x1x1x{t}> : tensor<1x{out}x1x1x{t}>
  %0 = nn.conv2d %x, %w bias %b {{strides = array<i64: {s}, {s}>, pads = array<i64: {p}, {p}>, dilations = array<i64: 1, 1>, {groups}activation = #nn.activation<relu>}} : (tensor<1x{in}x{size}x{size}x{t}>, tensor<{filter}x{t}>, tensor<1x{out}x1x1x{t}>) -> tensor<1x{out}x{osize}x{osize}x{t}>
  return %0 : tensor<1x{out}x{osize}x{osize}x{t}>
}})",
      fmt::arg("in", layer.inputs), fmt::arg("out", layer.outputs),
      fmt::arg("size", layer.size), fmt::arg("osize", layer.getOutputSize()),
      fmt::arg("t", element), fmt::arg("filter", filter),
      fmt::arg("s", layer.stride), fmt::arg("p", layer.getPad()),
      fmt::arg("groups", isDepthwise
                             ? fmt::format("groups = {} : i64, group_filter, ",
                                           layer.inputs)
                             : std::string()));
}

/// A convolution of bytes, requantized to bytes.
static std::string getByteConv(const Layer &layer) {
  bool isDepthwise = layer.kind == Layer::Kind::Depthwise;
  std::string filter =
      isDepthwise ? fmt::format("{0}x1x1x{1}x{1}", layer.inputs, layer.kernel)
                  : fmt::format("{0}x{1}x{2}x{2}", layer.outputs, layer.inputs,
                                layer.kernel);
  return fmt::format(
      R"(!x = !quant.uniform<{t}:f32, 0.05>
!w = !quant.uniform<i8:f32, 0.0625>
!b = !quant.uniform<i32:f32, 0.003125>
func.func @main(%x: tensor<1x{in}x{size}x{size}x!x>) -> tensor<1x{out}x{osize}x{osize}x!x> {{
  %w = nn.constant dense<3> : tensor<{filter}xi8> : tensor<{filter}x!w>
  %b = nn.constant dense<5> : tensor<1x{out}x1x1xi32> : tensor<1x{out}x1x1x!b>
  %0 = nn.conv2d %x, %w bias %b {{strides = array<i64: {s}, {s}>, pads = array<i64: {p}, {p}>, dilations = array<i64: 1, 1>, {groups}activation = #nn.activation<relu>, out_type = !x}} : (tensor<1x{in}x{size}x{size}x!x>, tensor<{filter}x!w>, tensor<1x{out}x1x1x!b>) -> tensor<1x{out}x{osize}x{osize}x!x>
  return %0 : tensor<1x{out}x{osize}x{osize}x!x>
}})",
      fmt::arg("in", layer.inputs), fmt::arg("out", layer.outputs),
      fmt::arg("size", layer.size), fmt::arg("osize", layer.getOutputSize()),
      fmt::arg("t", layer.element == Element::U8 ? "u8" : "i8"),
      fmt::arg("filter", filter), fmt::arg("s", layer.stride),
      fmt::arg("p", layer.getPad()),
      fmt::arg("groups", isDepthwise
                             ? fmt::format("groups = {} : i64, group_filter, ",
                                           layer.inputs)
                             : std::string()));
}

std::string Layer::getModel() const {
  if (kind == Kind::MatMul)
    return fmt::format(
        R"(func.func @main(%x: tensor<{0}x{2}xf32>) -> tensor<{0}x{1}xf32> {{
  %w = nn.constant dense<0.5> : tensor<{2}x{1}xf32> : tensor<{2}x{1}xf32>
  %0 = nn.matmul %x, %w : (tensor<{0}x{2}xf32>, tensor<{2}x{1}xf32>) -> tensor<{0}x{1}xf32>
  return %0 : tensor<{0}x{1}xf32>
}})",
        m, n, k);
  bool isByte = element == Element::S8 || element == Element::U8;
  return isByte ? getByteConv(*this) : getFloatConv(*this);
}
