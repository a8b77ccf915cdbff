//===- WriteContainer.cpp - Files, testcases and packed models ------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "GraphWriter.h"

#include "modelwright/Schema/pack_model_generated.h"

#include "llvm/Support/EndianStream.h"
#include "llvm/Support/Errc.h"

using namespace modelwright::mgb;

namespace pack = fbs::pack;
using llvm::Error;

namespace {

/// Counts what is written to it.
class CountingStream : public llvm::raw_ostream {
public:
  CountingStream() { SetUnbuffered(); }

private:
  void write_impl(const char *, size_t size) override { position += size; }
  uint64_t current_pos() const override { return position; }

  uint64_t position = 0;
};

} // namespace

static Error writeGraph(const Graph &graph, llvm::raw_ostream &os) {
  return graph.encoding == Encoding::V2 ? writeGraphV2(graph, os)
                                        : writeGraphV1(graph, os);
}

static Error writeGraphs(const File &file, llvm::raw_ostream &os) {
  if (!file.isTestcase && !file.testcases.empty())
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "testcase graphs need a testcase container");
  if (file.isTestcase) {
    os << kTestcaseTag;
    llvm::support::endian::write<uint32_t>(
        os, static_cast<uint32_t>(file.testcases.size()),
        llvm::endianness::little);
  }
  if (Error error = writeGraph(file.graph, os))
    return error;
  for (const Graph &graph : file.testcases)
    if (Error error = writeGraph(graph, os))
      return error;
  return Error::success();
}

static Error writePacked(const File &file, llvm::raw_ostream &os) {
  const PackedModel &packed = *file.packed;
  if (packed.modelDecryption && !packed.modelDecryption->empty() &&
      *packed.modelDecryption != "NONE")
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "cannot encrypt a packed model");
  // The size of the model precedes it: write it twice, once to count.
  CountingStream counter;
  if (Error error = writeGraphs(file, counter))
    return error;
  uint64_t modelBytes = counter.tell();

  uint64_t bound = modelBytes + 4096;
  for (const auto *text :
       {&packed.name, &packed.infoDecryption, &packed.infoParse,
        &packed.modelDecryption, &packed.infoCacheParse, &packed.infoData,
        &packed.algoPolicy, &packed.binaryCache})
    bound += *text ? (*text)->size() + 32 : 0;
  BufferBuilder fbb(bound);
  if (Error error = fbb.check())
    return error;

  auto createString = [&](const std::optional<std::string> &text) {
    return text ? fbb->CreateString(*text)
                : flatbuffers::Offset<flatbuffers::String>();
  };
  auto createBytes = [&](const std::optional<std::string> &bytes) {
    return bytes ? fbb->CreateVector(
                       reinterpret_cast<const uint8_t *>(bytes->data()),
                       bytes->size())
                 : flatbuffers::Offset<flatbuffers::Vector<uint8_t>>();
  };
  auto data = pack::CreateModelData(*fbb, fbb.reserveBytes(modelBytes));
  flatbuffers::Offset<pack::ModelInfo> info;
  if (packed.hasInfo) {
    auto infoData = createBytes(packed.infoData);
    auto algoPolicy = createBytes(packed.algoPolicy);
    auto binaryCache = createBytes(packed.binaryCache);
    info = pack::CreateModelInfo(*fbb, infoData, algoPolicy, binaryCache);
  }
  auto name = createString(packed.name);
  auto infoDecryption = createString(packed.infoDecryption);
  auto infoParse = createString(packed.infoParse);
  auto modelDecryption = createString(packed.modelDecryption);
  auto infoCacheParse = createString(packed.infoCacheParse);
  auto header = pack::CreateModelHeader(*fbb, name, infoDecryption, infoParse,
                                        modelDecryption, infoCacheParse,
                                        packed.fastRunCache);
  auto model = pack::CreateModel(*fbb, header, info, data);
  auto models = fbb->CreateVector(&model, 1);
  fbb->Finish(pack::CreatePackModel(*fbb, models));
  os << kPackedTag;
  return fbb.stream(
      os, [&](llvm::raw_ostream &os) { return writeGraphs(file, os); });
}

Error modelwright::mgb::writeFile(const File &file, llvm::raw_ostream &os) {
  return file.packed ? writePacked(file, os) : writeGraphs(file, os);
}
