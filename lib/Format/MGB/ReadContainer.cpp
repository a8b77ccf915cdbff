//===- ReadContainer.cpp - Files, testcases and packed models -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Format/MGB/FileIO.h"

#include "Container.h"
#include "GraphReader.h"

#include "modelwright/Schema/pack_model_generated.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;

namespace pack = fbs::pack;
using llvm::Error;
using llvm::StringRef;
using llvm::Twine;

static Error makeError(const Twine &message) {
  return llvm::make_error<ReadError>(message.str());
}

/// Names what `bytes` are instead of a graph.
static std::string describeForeign(StringRef bytes) {
  switch (sniff(bytes)) {
  case FileKind::RawPOD:
    return "a RawPOD dump (mgb0001), a format older than the FlatBuffers ones "
           "that no open source loader reads";
  case FileKind::Pickle:
    return "a Python pickle (training state or a single tensor), not a graph";
  case FileKind::JSON:
    return "JSON text, not a graph";
  case FileKind::PackedModel:
    return "a packed model where a graph is expected";
  case FileKind::Testcase:
    return "a testcase header where a graph is expected";
  case FileKind::Unknown:
    return bytes.empty() ? "empty"
                         : "not a MegEngine file; it may be an encrypted model";
  case FileKind::MGBS:
  case FileKind::MGBC:
  case FileKind::V2:
    break;
  }
  llvm_unreachable("graphs are not foreign");
}

/// Reads the graph at the start of `bytes` and drops it from there. Returns
/// false when its end is unknown.
static bool readGraph(StringRef &bytes, Graph &graph, int64_t graphIndex,
                      Error &errors) {
  Faults faults(graphIndex);
  llvm::ArrayRef<uint8_t> view(reinterpret_cast<const uint8_t *>(bytes.data()),
                               bytes.size());
  uint64_t size = 0;
  switch (sniff(bytes)) {
  case FileKind::MGBS:
  case FileKind::MGBC:
    size = readGraphV1(view, graph, faults);
    break;
  case FileKind::V2:
    size = readGraphV2(view, graph, faults);
    break;
  default:
    faults.add("this is " + describeForeign(bytes));
    break;
  }
  errors = llvm::joinErrors(std::move(errors), faults.take());
  bytes = bytes.drop_front(size);
  return size != 0;
}

static std::optional<std::string> toString(const flatbuffers::String *str) {
  if (!str)
    return std::nullopt;
  return str->str();
}

static std::optional<std::string>
toString(const flatbuffers::Vector<uint8_t> *vec) {
  if (!vec)
    return std::nullopt;
  return std::string(reinterpret_cast<const char *>(vec->data()), vec->size());
}

/// Takes the wrapper off: `bytes` becomes the graph file within.
static Error readPacked(StringRef &bytes, PackedModel &packed) {
  bytes = bytes.drop_front(kPackedTag.size());
  if (bytes.size() < 2 * sizeof(uint32_t) || bytes.size() > kMaxFlatBufferBytes)
    return makeError("the packed model has an impossible size");
  if (reinterpret_cast<uintptr_t>(bytes.data()) % sizeof(uint32_t) != 0)
    return makeError("the packed model is not aligned in memory");
  flatbuffers::Verifier verifier(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
  if (!pack::VerifyPackModelBuffer(verifier))
    return makeError("the wrapper of the packed model is damaged");
  const auto *models = pack::GetPackModel(bytes.data())->models();
  if (!models || models->size() != 1)
    return makeError("the packed model holds " +
                     Twine(models ? models->size() : 0) +
                     " models, expected one");
  const pack::Model *model = models->Get(0);
  if (const pack::ModelHeader *header = model->header()) {
    packed.name = toString(header->name());
    packed.infoDecryption = toString(header->info_decryption_method());
    packed.infoParse = toString(header->info_parse_method());
    packed.modelDecryption = toString(header->model_decryption_method());
    packed.infoCacheParse = toString(header->info_cache_parse_method());
    packed.fastRunCache = header->is_fast_run_cache();
  }
  if (packed.modelDecryption && !packed.modelDecryption->empty() &&
      *packed.modelDecryption != "NONE")
    return makeError("the packed model is encrypted with '" +
                     *packed.modelDecryption + "'");
  if (const pack::ModelInfo *info = model->info()) {
    packed.hasInfo = true;
    packed.infoData = toString(info->data());
    packed.algoPolicy = toString(info->algo_policy());
    packed.binaryCache = toString(info->binary_cache());
  }
  if (!model->data() || !model->data()->data())
    return makeError("the packed model has no data");
  const auto *data = model->data()->data();
  bytes = StringRef(reinterpret_cast<const char *>(data->data()), data->size());
  return Error::success();
}

llvm::Expected<File>
modelwright::mgb::readFile(std::shared_ptr<llvm::MemoryBuffer> buffer) {
  File file;
  StringRef bytes = buffer->getBuffer();
  file.buffer = std::move(buffer);

  if (sniff(bytes) == FileKind::PackedModel)
    if (Error error = readPacked(bytes, file.packed.emplace()))
      return std::move(error);

  uint32_t nrTestcases = 0;
  if (sniff(bytes) == FileKind::Testcase) {
    bytes = bytes.drop_front(kTestcaseTag.size());
    if (bytes.size() < sizeof(uint32_t))
      return makeError("the file ends in the testcase header");
    file.isTestcase = true;
    nrTestcases = llvm::support::endian::read32le(bytes.data());
    bytes = bytes.drop_front(sizeof(uint32_t));
  }

  Error errors = Error::success();
  bool going = readGraph(bytes, file.graph, 0, errors);
  for (uint32_t k = 0; going && k != nrTestcases; ++k) {
    if (bytes.empty()) {
      errors = llvm::joinErrors(std::move(errors),
                                makeError("the file ends after " + Twine(k) +
                                          " of " + Twine(nrTestcases) +
                                          " testcase graphs"));
      break;
    }
    going = readGraph(bytes, file.testcases.emplace_back(), k + 1, errors);
  }
  if (errors)
    return std::move(errors);
  if (!bytes.empty())
    return makeError(Twine(bytes.size()) + " bytes follow the last graph");
  return std::move(file);
}
