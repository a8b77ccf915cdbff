//===- TestGraphs.h - Small graphs for tests --------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_UNITTESTS_FORMAT_MGB_TESTGRAPHS_H
#define MODELWRIGHT_UNITTESTS_FORMAT_MGB_TESTGRAPHS_H

#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Format/MGB/Registry.h"

#include "gtest/gtest.h"

#include <numeric>

namespace modelwright::mgb::test {

/// `count` bytes that live forever, 1, 2, 3, ...
inline llvm::ArrayRef<uint8_t> makeBytes(size_t count) {
  static const std::vector<uint8_t> bytes = [] {
    std::vector<uint8_t> list(1 << 16);
    std::iota(list.begin(), list.end(), uint8_t(1));
    return list;
  }();
  return llvm::ArrayRef(bytes).take_front(count);
}

template <typename T> Param makeParam(T table) {
  Param param;
  param.Set(std::move(table));
  return param;
}

inline param::ElemwiseT makeElemwise(param::ElemwiseMode mode) {
  param::ElemwiseT table;
  table.mode = mode;
  return table;
}

/// An operator without outputs yet.
inline Operator makeOpr(llvm::StringRef registered,
                        std::vector<uint32_t> inputs = {},
                        std::vector<Param> params = {}) {
  Operator opr;
  opr.info = lookupOprByName(registered);
  EXPECT_NE(opr.info, nullptr) << registered.str();
  opr.inputs = std::move(inputs);
  opr.params = std::move(params);
  return opr;
}

/// An operator of which nothing but the id is known.
inline Operator makeUnknown(uint64_t typeId, std::vector<uint32_t> inputs) {
  Operator opr;
  opr.typeId = typeId;
  opr.inputs = std::move(inputs);
  return opr;
}

/// Appends `opr` to `graph` with the next `nrOutputs` var ids.
inline Operator &append(Graph &graph, Operator opr, uint32_t nrOutputs = 1) {
  for (uint32_t k = 0; k != nrOutputs; ++k)
    opr.outputs.push_back(graph.numVars++);
  if (opr.info && opr.info->name == "SharedDeviceTensor")
    graph.nrSharedTensor += opr.tensors.size();
  graph.oprs.push_back(std::move(opr));
  return graph.oprs.back();
}

inline Operator makeInput(llvm::StringRef name, std::vector<uint32_t> shape) {
  Operator opr =
      makeOpr("Host2DeviceCopy", {}, {makeParam(param::Host2DeviceCopyT())});
  opr.name = name.str();
  Tensor &tensor = opr.tensors.emplace_back();
  tensor.name = name.str();
  tensor.shape = std::move(shape);
  tensor.compNode = CompNode{"xpux"};
  tensor.dtype = DType();
  return opr;
}

inline Operator makeConstant(std::vector<uint32_t> shape,
                             DType dtype = DType()) {
  Operator opr = makeOpr("SharedDeviceTensor");
  Tensor &tensor = opr.tensors.emplace_back();
  tensor.area = makeBytes(*payloadSize(shape, dtype));
  tensor.hasData = true;
  tensor.shape = std::move(shape);
  tensor.dtype = dtype;
  return opr;
}

inline Graph makeEmpty(Encoding encoding) {
  Graph graph;
  graph.encoding = encoding;
  graph.version = encoding == Encoding::MGBS ? 801100 : 101304;
  graph.modelVersion = encoding == Encoding::V2 ? 2 : 0;
  graph.hash = encoding == Encoding::V2 ? 0 : 77;
  return graph;
}

/// x + w, with names and metadata.
inline Graph makeSmall(Encoding encoding) {
  Graph graph = makeEmpty(encoding);
  append(graph, makeInput("x", {2, 3}));
  append(graph, makeConstant({2, 3}));
  Operator &add = append(
      graph, makeOpr("Elemwise", {0, 1},
                     {makeParam(makeElemwise(param::ElemwiseMode::ADD))}));
  add.name = "add";
  if (encoding != Encoding::V2)
    add.outputNames = {"y"};
  else
    for (const char *name : {"x", "w", "y"}) {
      graph.middleTensors =
          graph.middleTensors.value_or(std::vector<MiddleTensor>());
      graph.middleTensors->emplace_back().name = name;
      graph.middleTensors->back().shape = {2, 3};
    }
  graph.outputs = {{2, 20}};
  graph.metadata = Metadata{true, false, 5, std::string("user\0info", 9)};
  return graph;
}

inline File makeFile(Graph graph) {
  File file;
  file.graph = std::move(graph);
  return file;
}

/// The bytes of `file`; empty and a test failure when it cannot be written.
inline std::string write(const File &file) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (llvm::Error error = writeFile(file, os)) {
    ADD_FAILURE() << llvm::toString(std::move(error));
    return {};
  }
  return bytes;
}

inline std::string write(const Graph &graph) { return write(makeFile(graph)); }

/// The message of writing `graph`, which must fail.
inline std::string writeFault(const Graph &graph) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  llvm::Error error = writeFile(makeFile(graph), os);
  EXPECT_TRUE(bool(error));
  return llvm::toString(std::move(error));
}

inline llvm::Expected<File> tryRead(llvm::StringRef bytes) {
  return readFile(std::shared_ptr<llvm::MemoryBuffer>(
      llvm::MemoryBuffer::getMemBufferCopy(bytes)));
}

/// `bytes` as a file; a test failure when they are none.
inline File read(llvm::StringRef bytes) {
  llvm::Expected<File> file = tryRead(bytes);
  if (!file) {
    ADD_FAILURE() << llvm::toString(file.takeError());
    return {};
  }
  return std::move(*file);
}

/// The message of reading `bytes`, which must fail.
inline std::string readFault(llvm::StringRef bytes) {
  llvm::Expected<File> file = tryRead(bytes);
  if (file) {
    ADD_FAILURE() << "reading succeeded";
    return {};
  }
  return llvm::toString(file.takeError());
}

inline std::string dumpText(const File &file) {
  std::string text;
  llvm::raw_string_ostream os(text);
  dump(file, os);
  return text;
}

/// Writes `graph` and reads it again. The bytes that the result refers to live
/// as long as the program.
inline Graph roundTrip(const Graph &graph) {
  static std::vector<std::shared_ptr<llvm::MemoryBuffer>> buffers;
  File file = read(write(graph));
  buffers.push_back(file.buffer);
  return std::move(file.graph);
}

#define EXPECT_CONTAINS(TEXT, PART)                                            \
  EXPECT_NE((TEXT).find(PART), std::string::npos) << (TEXT)

constexpr Encoding kAllEncodings[] = {Encoding::MGBS, Encoding::MGBC,
                                      Encoding::V2};

} // namespace modelwright::mgb::test

#endif // MODELWRIGHT_UNITTESTS_FORMAT_MGB_TESTGRAPHS_H
