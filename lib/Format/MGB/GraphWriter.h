//===- GraphWriter.h - What both schema writers share -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FlatBuffers are built back to front: children before parents. The writers
// create children in the order MegEngine's own dump creates them, so that a
// file which is read and written again keeps its bytes.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_MGB_GRAPHWRITER_H
#define MODELWRIGHT_LIB_FORMAT_MGB_GRAPHWRITER_H

#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Format/MGB/Registry.h"

#include "llvm/ADT/Twine.h"

namespace modelwright::mgb {

/// Memory for a FlatBuffer whose largest parts are never touched: reserved
/// address space that takes pages only where something is written.
class ReservedMemory : public flatbuffers::Allocator {
public:
  explicit ReservedMemory(size_t size);
  ~ReservedMemory() override;

  bool isValid() const { return base != nullptr; }
  size_t size() const { return reserved; }

  uint8_t *allocate(size_t size) override;
  void deallocate(uint8_t *p, size_t size) override;

private:
  uint8_t *base = nullptr;
  size_t reserved;
};

/// Builds one FlatBuffer and streams it, payloads straight from their source.
class BufferBuilder {
public:
  using Writer = llvm::function_ref<llvm::Error(llvm::raw_ostream &)>;

  /// `upperBound` must not be less than the size of the finished buffer.
  explicit BufferBuilder(uint64_t upperBound);

  /// Fails when `upperBound` was more than a FlatBuffer or memory can hold.
  llvm::Error check() const;

  flatbuffers::FlatBufferBuilder &operator*() { return builder; }
  flatbuffers::FlatBufferBuilder *operator->() { return &builder; }

  /// Reserves a vector of `size` bytes to be streamed later.
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>> reserveBytes(size_t size);
  /// As above, and remembers that `bytes` go there.
  flatbuffers::Offset<flatbuffers::Vector<uint8_t>>
  addPayload(llvm::ArrayRef<uint8_t> bytes);

  /// Writes the finished buffer. `writeReserved` is called where the vector of
  /// `reserveBytes` lies.
  llvm::Error stream(llvm::raw_ostream &os, Writer writeReserved = nullptr);

private:
  struct Gap {
    /// Distance of its first byte from the end of the buffer.
    size_t fromEnd;
    size_t size;
    /// Null: `writeReserved` knows.
    const uint8_t *source;
  };

  uint64_t upperBound;
  ReservedMemory memory;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<Gap> gaps;
};

/// Creates what both schemas have, and checks a graph before it is written.
class GraphWriter {
protected:
  using StringOffset = flatbuffers::Offset<flatbuffers::String>;
  template <typename T>
  using VectorOffset = flatbuffers::Offset<flatbuffers::Vector<T>>;
  template <typename T>
  using TablesOffset = VectorOffset<flatbuffers::Offset<T>>;

  GraphWriter(const Graph &graph, uint64_t payloadBytes);

  StringOffset createString(const std::optional<std::string> &text) {
    return text ? fbb->CreateSharedString(*text) : StringOffset();
  }
  template <typename T>
  VectorOffset<T> createVector(const std::optional<std::vector<T>> &vec) {
    return vec ? fbb->CreateVector(*vec) : VectorOffset<T>();
  }
  template <typename T>
  VectorOffset<T> createVectorIfAny(const std::vector<T> &vec) {
    return vec.empty() ? VectorOffset<T>() : fbb->CreateVector(vec);
  }
  flatbuffers::Offset<fbs::DType> createDType(const std::optional<DType> &type);
  flatbuffers::Offset<void> createParam(const Param &param);

  /// The number that the file holds for a param.
  fbs::OperatorParam numberOf(const Param &param) const;

  template <typename T>
  flatbuffers::Offset<T> createCompNode(const std::optional<CompNode> &node) {
    if (!node)
      return {};
    StringOffset locator = createString(node->locator);
    typename T::Builder builder(*fbb);
    builder.add_logical_locator(locator);
    return builder.Finish();
  }

  template <typename T>
  TablesOffset<T>
  createCompNodes(const std::optional<std::vector<CompNode>> &nodes) {
    if (!nodes)
      return {};
    std::vector<flatbuffers::Offset<T>> tables;
    for (const CompNode &node : *nodes)
      tables.push_back(createCompNode<T>(node));
    return fbb->CreateVector(tables);
  }

  template <typename T>
  flatbuffers::Offset<T> createBlob(llvm::ArrayRef<uint8_t> bytes) {
    // The digest of a V1 graph covers its blobs, so they must be in memory.
    auto data = graph.encoding == Encoding::V2
                    ? fbb.addPayload(bytes)
                    : fbb->CreateVector(bytes.data(), bytes.size());
    typename T::Builder builder(*fbb);
    builder.add_data(data);
    return builder.Finish();
  }

  template <typename T>
  flatbuffers::Offset<T>
  createMetadata(const std::optional<Metadata> &metadata) {
    if (!metadata)
      return {};
    StringOffset info = createString(metadata->userInfo);
    typename T::Builder builder(*fbb);
    builder.add_is_valid(metadata->isValid);
    builder.add_graph_modified(metadata->graphModified);
    builder.add_user_info(info);
    builder.add_optimize_options(metadata->optimizeOptions);
    return builder.Finish();
  }

  /// The type id that the file holds for `opr`.
  llvm::Expected<uint64_t> getTypeId(const Operator &opr, size_t index) const;

  /// Checks var ids, params and everything else a reader relies on.
  llvm::Error checkGraph() const;

  llvm::Error makeError(size_t index, const llvm::Twine &message) const;

  const Graph &graph;
  BufferBuilder fbb;

private:
  llvm::Error checkOperator(const Operator &opr, size_t index) const;
};

/// No less than the FlatBuffer of `graph` takes without tensor values.
uint64_t estimateStructure(const Graph &graph);

/// `opr_version` under which a V2 file holds `opr`.
uint32_t v2VersionOf(const Operator &opr);

llvm::Error writeGraphV1(const Graph &graph, llvm::raw_ostream &os);
llvm::Error writeGraphV2(const Graph &graph, llvm::raw_ostream &os);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_FORMAT_MGB_GRAPHWRITER_H
