//===- Peers.cpp - oneDNN and OpenBLAS ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layer.h"

#include <cblas.h>
#include <dnnl.hpp>

#include <cstring>
#include <memory>
#include <vector>

using namespace modelwright::bench;

using DataType = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;

static DataType getDataType(Element element) {
  switch (element) {
  case Element::F32:
    return DataType::f32;
  case Element::BF16:
    return DataType::bf16;
  case Element::S8:
    return DataType::s8;
  case Element::U8:
    return DataType::u8;
  }
  return DataType::undef;
}

// Of the OpenMP that oneDNN was built with, if it was.
extern "C" __attribute__((weak)) void omp_set_num_threads(int count);

/// One thread, as we have, whatever the environment says.
static void useOneThread() {
  if (omp_set_num_threads)
    omp_set_num_threads(1);
  openblas_set_num_threads(1);
}

/// Memory with something small and normal in it: denormals are slow.
static dnnl::memory makeMemory(const dnnl::memory::desc &desc,
                               const dnnl::engine &engine) {
  dnnl::memory memory(desc, engine);
  auto *data = static_cast<char *>(memory.get_data_handle());
  size_t size = desc.get_size();
  std::memset(data, 0, size);
  if (desc.data_type() == DataType::f32)
    for (size_t i = 0; i + sizeof(float) <= size; i += sizeof(float)) {
      float number = float(i % 512) / 512 - 0.5f;
      std::memcpy(data + i, &number, sizeof(number));
    }
  else if (desc.data_type() == DataType::s8 || desc.data_type() == DataType::u8)
    for (size_t i = 0; i < size; ++i)
      data[i] = char(i % 127);
  return memory;
}

Peer modelwright::bench::makeDNNLPeer(const Layer &layer) {
  useOneThread();
  dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream(engine);
  DataType type = getDataType(layer.element);
  bool isByte = type == DataType::s8 || type == DataType::u8;
  bool isDepthwise = layer.kind == Layer::Kind::Depthwise;
  int64_t size = layer.getOutputSize(), pad = layer.getPad();
  dnnl::memory::dims filter{layer.outputs, layer.inputs, layer.kernel,
                            layer.kernel};
  if (isDepthwise)
    filter = {layer.inputs, 1, 1, layer.kernel, layer.kernel};
  auto any = [](dnnl::memory::dims dims, DataType of) {
    return dnnl::memory::desc(std::move(dims), of, Tag::any);
  };
  dnnl::convolution_forward::desc desc(
      dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
      any({1, layer.inputs, layer.size, layer.size}, type),
      any(filter, isByte ? DataType::s8 : type),
      any({layer.outputs}, isByte ? DataType::s32 : DataType::f32),
      any({1, layer.outputs, size, size}, type), {layer.stride, layer.stride},
      {pad, pad}, {pad, pad});
  dnnl::primitive_attr attr;
  if (isByte)
    attr.set_output_scales(0, {0.0625f});
  dnnl::post_ops post;
  post.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
  attr.set_post_ops(post);
  dnnl::convolution_forward::primitive_desc primitive(desc, attr, engine);
  dnnl::convolution_forward conv(primitive);
  std::unordered_map<int, dnnl::memory> arguments{
      {DNNL_ARG_SRC, makeMemory(primitive.src_desc(), engine)},
      {DNNL_ARG_WEIGHTS, makeMemory(primitive.weights_desc(), engine)},
      {DNNL_ARG_BIAS, makeMemory(primitive.bias_desc(), engine)},
      {DNNL_ARG_DST, makeMemory(primitive.dst_desc(), engine)}};
  return {"oneDNN", [conv, stream, arguments]() mutable {
            conv.execute(stream, arguments);
            stream.wait();
          }};
}

Peer modelwright::bench::makeOpenBLASPeer(const Layer &layer) {
  useOneThread();
  auto makeMatrix = [](int64_t rows, int64_t columns) {
    auto matrix = std::make_shared<std::vector<float>>(rows * columns);
    for (size_t i = 0; i < matrix->size(); ++i)
      (*matrix)[i] = float(i % 512) / 512 - 0.5f;
    return matrix;
  };
  auto m = blasint(layer.m), n = blasint(layer.n), k = blasint(layer.k);
  auto a = makeMatrix(m, k), b = makeMatrix(k, n), c = makeMatrix(m, n);
  if (m == 1)
    return {"OpenBLAS", [=] {
              cblas_sgemv(CblasRowMajor, CblasTrans, k, n, 1, b->data(), n,
                          a->data(), 1, 0, c->data(), 1);
            }};
  return {"OpenBLAS", [=] {
            cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1,
                        a->data(), k, b->data(), n, 0, c->data(), n);
          }};
}
