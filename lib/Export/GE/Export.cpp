//===- Export.cpp - MLIR to GE files --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Export/GE/Export.h"
#include "GraphExporter.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ContainerAttr.h"
#include "modelwright/Interop/GE/MessageAttr.h"

#include <xxhash.h>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Tells a descriptor where its weights lie, in the field that it used.
static void setOffset(proto::TensorDescriptor &desc, uint64_t offset,
                      uint64_t size) {
  if (findAttr(desc.attr(), "merged_offset"))
    getAttr(*desc.mutable_attr(), "merged_offset").set_i(offset);
  else
    desc.set_data_offset(offset);
  if (desc.has_weight_size())
    desc.set_weight_size(size);
}

/// Whether what `piece` shares with the stretches in `laid`, which are in order
/// and touch each other, are the same bytes.
static bool agrees(const std::vector<WeightsPiece> &laid,
                   const WeightsPiece &piece) {
  uint64_t end = piece.offset + piece.bytes.size();
  for (const WeightsPiece &other : llvm::reverse(laid)) {
    uint64_t otherEnd = other.offset + other.bytes.size();
    if (otherEnd <= piece.offset)
      break;
    uint64_t from = std::max(other.offset, piece.offset);
    uint64_t to = std::min(otherEnd, end);
    if (from < to &&
        other.bytes.slice(from - other.offset, to - other.offset) !=
            piece.bytes.slice(from - piece.offset, to - piece.offset))
      return false;
  }
  return true;
}

/// The content of WEIGHTS_DATA: constants where they lay, and what lay between
/// them. If a constant is gone, has another size, or other bytes than one that
/// it shared them with, all move together.
static std::vector<StringRef>
layOutWeights(std::vector<StoredWeights> weights,
              const std::vector<WeightsPiece> &rest, uint64_t size) {
  auto isBefore = [](const WeightsPiece &a, const WeightsPiece &b) {
    return std::pair(a.offset, a.bytes.size()) <
           std::pair(b.offset, b.bytes.size());
  };
  llvm::sort(weights, [&](const StoredWeights &a, const StoredWeights &b) {
    return isBefore(a.piece, b.piece);
  });
  std::vector<WeightsPiece> all = rest;
  for (const StoredWeights &stored : weights)
    all.push_back(stored.piece);
  llvm::sort(all, isBefore);
  std::vector<WeightsPiece> laid;
  uint64_t at = 0;
  bool fits = true;
  for (const WeightsPiece &piece : all) {
    // Constants may share their bytes, or some of them.
    if (piece.offset > at || !agrees(laid, piece)) {
      fits = false;
      break;
    }
    uint64_t shared = at - piece.offset;
    if (shared >= piece.bytes.size())
      continue;
    laid.push_back({at, piece.bytes.drop_front(shared)});
    at += laid.back().bytes.size();
  }
  std::vector<StringRef> pieces;
  if (fits && at == size) {
    for (const WeightsPiece &piece : laid)
      pieces.push_back(piece.bytes);
    return pieces;
  }

  // As tools write them: one after the other, without alignment.
  at = 0;
  for (StoredWeights &stored : weights) {
    setOffset(*stored.tensor->mutable_desc(), at, stored.piece.bytes.size());
    pieces.push_back(stored.piece.bytes);
    at += stored.piece.bytes.size();
  }
  return pieces;
}

//===----------------------------------------------------------------------===//
// Container
//===----------------------------------------------------------------------===//

/// The kind that the module came in.
static GEContainerKind getOwnKind(ModuleOp module) {
  if (module->hasAttr(attr::kText))
    return GEContainerKind::Text;
  if (module->hasAttr(attr::kContainer) || !module->hasAttr(attr::kModel))
    return GEContainerKind::IMOD;
  return GEContainerKind::None;
}

/// Device code belongs to the graph that it was compiled from.
static LogicalResult checkCompiled(ModuleOp module, const Container &container,
                                   bool changed) {
  if (!changed)
    return success();
  for (const Partition &partition : container.partitions)
    if (partition.type == kTaskInfo && partition.getSize() != 0)
      return module.emitError()
             << "the model was compiled for a device: its TASK_INFO would not "
                "fit the changed graph, which cannot be written";
  return success();
}

/// Puts the container around the model.
static LogicalResult wrap(ModuleOp module, std::vector<StoredWeights> weights,
                          bool changed, File &file) {
  auto dict = module->getAttrOfType<DictionaryAttr>(attr::kContainer);
  if (!dict) {
    if (module->hasAttr(attr::kContainer))
      return module.emitError() << "ge.container must be a dictionary";
    file.container = makeMobileContainer(file.model->name());
    Partition model;
    model.pieces.push_back("");
    file.container->partitions.push_back(std::move(model));
    return success();
  }
  std::vector<WeightsPiece> rest;
  uint64_t weightsSize = 0;
  FailureOr<Container> container =
      fromAttr(dict, rest, weightsSize, [&] { return module.emitError(); });
  if (failed(container) || failed(checkCompiled(module, *container, changed)))
    return failure();
  for (Partition &partition : container->partitions)
    if (partition.type == kWeightsData) {
      partition.pieces = layOutWeights(std::move(weights), rest, weightsSize);
      break;
    }
  file.container = std::move(*container);
  return success();
}

/// Without a container weights lie in the message.
static void inlineWeights(const std::vector<StoredWeights> &weights,
                          File &file) {
  for (const StoredWeights &stored : weights) {
    proto::TensorDescriptor &desc = *stored.tensor->mutable_desc();
    auto *attrs = desc.mutable_attr();
    for (int k = attrs->size(); k-- > 0;)
      if (attrs->Get(k).key() == "merged_offset")
        attrs->DeleteSubrange(k, 1);
    desc.clear_data_offset();
    stored.tensor->set_blob(file.blobs.size());
    file.blobs.push_back(stored.piece.bytes);
  }
  for (proto::GraphDef &graph : *file.model->mutable_graph())
    if (findAttr(graph.attr(), "weight_merged"))
      getAttr(*graph.mutable_attr(), "weight_merged").set_b(false);
}

//===----------------------------------------------------------------------===//
// Unusual spellings
//===----------------------------------------------------------------------===//

namespace {
/// A stream that hashes what is written.
class HashingStream : public llvm::raw_ostream {
public:
  HashingStream() : raw_ostream(/*unbuffered=*/true) {
    XXH3_128bits_reset(state.get());
  }
  ~HashingStream() override = default;

  XXH128_hash_t digest() const { return XXH3_128bits_digest(state.get()); }

private:
  void write_impl(const char *data, size_t size) override {
    XXH3_128bits_update(state.get(), data, size);
    position += size;
  }
  uint64_t current_pos() const override { return position; }

  struct Free {
    void operator()(XXH3_state_t *state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state{XXH3_createState()};
  uint64_t position = 0;
};
} // namespace

/// Whether the model in `wire` says what `file` says, though in other bytes.
static bool saysTheSame(StringRef wire, const File &file) {
  llvm::Expected<File> original =
      readFile(llvm::MemoryBuffer::getMemBuffer(wire, "", false));
  if (!original) {
    llvm::consumeError(original.takeError());
    return false;
  }
  HashingStream a, b;
  llvm::Error error =
      llvm::joinErrors(writeModel(*original, a), writeModel(file, b));
  if (error) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return XXH128_isEqual(a.digest(), b.digest());
}

//===----------------------------------------------------------------------===//
// Module
//===----------------------------------------------------------------------===//

/// The functions that are written within the ops that call them only.
static llvm::DenseSet<Operation *> findNestedGraphs(ModuleOp module) {
  llvm::DenseSet<Operation *> nested, shared;
  SymbolTable symbols(module);
  module.walk([&](Operation *op) {
    auto callees = nn::getCallees(op);
    if (callees.empty())
      return;
    for (auto [callee, isHeld] : llvm::zip_equal(callees, getHeldGraphs(op)))
      if (Operation *func = symbols.lookup(callee.getAttr()))
        (isHeld ? nested : shared).insert(func);
  });
  for (Operation *func : shared)
    nested.erase(func);
  // The first is the model, whatever calls it.
  auto funcs = module.getOps<func::FuncOp>();
  if (!funcs.empty())
    nested.erase(*funcs.begin());
  return nested;
}

LogicalResult modelwright::exportGE(ModuleOp module, llvm::raw_ostream &os,
                                    const GEExportOptions &options) {
  File file;
  GEContainerKind kind = options.container.value_or(getOwnKind(module));
  bool changed = kind != getOwnKind(module);
  if (auto dict = module->getAttrOfType<DictionaryAttr>(attr::kModel)) {
    if (failed(fromAttr(dict, *file.model, file,
                        [&] { return module.emitError(); })))
      return failure();
  } else if (module->hasAttr(attr::kModel)) {
    return module.emitError() << attr::kModel << " must be a dictionary";
  } else {
    changed = true;
    file.model->set_custom_version("1.0");
    file.model->set_name("model");
  }
  FileFacts facts;
  // What the written file will be read as decides: an op of a text model that
  // goes into a container unchanged would change its meaning there.
  facts.isOM = kind == GEContainerKind::IMOD;
  std::vector<StoredWeights> weights;
  std::deque<std::string> storage;
  bool ok = true;
  llvm::DenseSet<Operation *> nested = findNestedGraphs(module);
  for (auto func : module.getOps<func::FuncOp>()) {
    if (nested.contains(func))
      continue;
    if (func.isExternal()) {
      func.emitError() << "a function without a body is no graph";
      ok = false;
      continue;
    }
    GraphExporter exporter(func, file, facts, weights, storage, changed);
    ok &= succeeded(exporter.run(*file.model->add_graph()));
  }
  if (!ok)
    return failure();
  if (file.model->graph_size() == 0)
    return module.emitError() << "the module has no function to write";
  file.encoding =
      kind == GEContainerKind::Text ? Encoding::Text : Encoding::Binary;
  if (kind != GEContainerKind::IMOD)
    inlineWeights(weights, file);
  else if (failed(wrap(module, std::move(weights), changed, file)))
    return failure();

  std::optional<StringRef> wire = getBytes(module->getAttr(attr::kWire));
  bool asRead = wire && kind == getOwnKind(module) && saysTheSame(*wire, file);
  if (asRead)
    file.wire = wire;
  if (llvm::Error error = writeFile(file, os, asRead))
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}
