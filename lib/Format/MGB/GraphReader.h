//===- GraphReader.h - What both schema readers share -----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// FlatBuffers lets two parents refer to one child, so that a small file can
// unfold to a huge one. The readers therefore never run flatc's recursive
// verification over a graph: they walk operators themselves, verify each leaf
// table on its own, and charge everything they visit or copy to a budget that
// grows with the size of the buffer.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_MGB_GRAPHREADER_H
#define MODELWRIGHT_LIB_FORMAT_MGB_GRAPHREADER_H

#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Format/MGB/Registry.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace modelwright::mgb {

/// Collects the faults of one graph, the first 20 of them.
class Faults {
public:
  static constexpr unsigned kMaxFaults = 20;

  explicit Faults(int64_t graphIndex) : graphIndex(graphIndex) {}

  /// Adds a fault of the graph as a whole.
  void add(const llvm::Twine &message) { add(message, -1, nullptr); }
  /// Adds a fault of operator `oprIndex`; `opr` gives its name and type.
  void add(const llvm::Twine &message, int64_t oprIndex, const Operator *opr);

  bool empty() const { return list.empty(); }
  unsigned size() const { return list.size() + nrMore; }
  /// Whether further faults would only be counted.
  bool full() const { return list.size() >= kMaxFaults; }
  llvm::Error take();

private:
  int64_t graphIndex;
  std::vector<ReadError> list;
  unsigned nrMore = 0;
};

/// A FlatBuffer of a file, at an address that its members can be read from.
class BufferView {
public:
  /// `bytes` starts with the size prefix; copies them when they lie at an
  /// address that is not a multiple of four.
  explicit BufferView(llvm::ArrayRef<uint8_t> bytes);

  const uint8_t *data() const { return bytes.data(); }
  size_t size() const { return bytes.size(); }

  /// The file's own bytes of a vector in this buffer.
  llvm::ArrayRef<uint8_t> original(const flatbuffers::Vector<uint8_t> &vec) {
    return {origin + (vec.data() - bytes.data()), vec.size()};
  }

private:
  llvm::ArrayRef<uint8_t> bytes;
  const uint8_t *origin;
  std::unique_ptr<uint8_t[]> copy;
};

/// Walks the FlatBuffer of one graph.
class GraphReader {
public:
  GraphReader(llvm::ArrayRef<uint8_t> bytes, Graph &graph, Faults &faults);

protected:
  //===--- Verification --------------------------------------------------===//

  /// A verifier for one table and its leaves. A new one for each, since a
  /// failed verification leaves its depth counter wrong.
  flatbuffers::Verifier makeVerifier() const;

  /// Checks size, identifier and root offset; null (and a fault) when wrong.
  template <typename T> const T *getRoot(llvm::StringRef identifier) {
    return reinterpret_cast<const T *>(getRootTable(identifier));
  }

  /// The k-th table of a verified vector, or null when the element is null or
  /// does not lie in the buffer. The table itself is not verified.
  template <typename T>
  const T *element(const flatbuffers::Vector<flatbuffers::Offset<T>> *vec,
                   uint32_t k) const {
    return reinterpret_cast<const T *>(elementAt(vec->Data() + 4 * size_t(k)));
  }

  /// As `element`, and verifies it with flatc's code; a fault when it fails.
  /// Only for tables that hold no vectors of tables or strings.
  template <typename T>
  const T *leaf(const flatbuffers::Vector<flatbuffers::Offset<T>> *vec,
                uint32_t k, llvm::StringRef what) {
    const T *table = element(vec, k);
    if (!table) {
      fault(what + " " + llvm::Twine(k) + " is missing");
      return nullptr;
    }
    return verifyLeaf(table, what) ? table : nullptr;
  }

  template <typename T> bool verifyLeaf(const T *table, llvm::StringRef what) {
    flatbuffers::Verifier verifier = makeVerifier();
    if (!charge(kTableCost))
      return false;
    if (table->Verify(verifier))
      return true;
    fault("the " + what + " table is damaged");
    return false;
  }

  /// Takes `cost` bytes off the budget; false (and a fault) when it is used up.
  bool charge(uint64_t cost);

  /// Adds a fault at the operator being read, or at the graph.
  void fault(const llvm::Twine &message);

  //===--- Members that both schemas have --------------------------------===//

  std::optional<std::string> readString(const flatbuffers::String *str);
  std::vector<uint32_t> readIds(const flatbuffers::Vector<uint32_t> *vec);
  std::optional<std::vector<uint32_t>>
  readShape(const flatbuffers::Vector<uint32_t> *vec);
  std::optional<DType> readDType(const fbs::DType *dtype);

  template <typename T> CompNode readCompNode(const T *compNode) {
    return {readString(compNode->logical_locator())};
  }

  template <typename T>
  std::optional<std::vector<CompNode>>
  readCompNodes(const flatbuffers::Vector<flatbuffers::Offset<T>> *vec) {
    if (!vec)
      return std::nullopt;
    std::vector<CompNode> result;
    for (uint32_t k = 0; k != vec->size() && !stop(); ++k)
      if (const T *compNode = leaf(vec, k, "comp node"))
        result.push_back(readCompNode(compNode));
    return result;
  }

  template <typename T>
  void readBlobs(const flatbuffers::Vector<flatbuffers::Offset<T>> *vec,
                 Operator &opr) {
    for (uint32_t k = 0; vec && k != vec->size() && !stop(); ++k) {
      const T *blob = leaf(vec, k, "blob");
      if (!blob)
        continue;
      if (!blob->data()) {
        fault("blob " + llvm::Twine(k) + " has no data");
        continue;
      }
      if (charge(blob->data()->size()))
        opr.blobs.push_back(view.original(*blob->data()));
    }
  }

  template <typename T> void readTensorHead(const T *table, Tensor &tensor) {
    tensor.name = readString(table->name());
    tensor.shape = readShape(table->shape());
    if (table->comp_node())
      tensor.compNode = readCompNode(table->comp_node());
    tensor.dtype = readDType(table->dtype());
  }

  template <typename T> std::optional<Metadata> readMetadata(const T *table) {
    if (!table || !verifyLeaf(table, "metadata"))
      return std::nullopt;
    return Metadata{table->is_valid(), table->graph_modified(),
                    table->optimize_options(), readString(table->user_info())};
  }

  /// Checks that the value of a tensor has the size of its shape.
  void checkPayload(const Tensor &tensor, const Operator &opr);

  /// Checks what is special to operators that hold tensors.
  void checkHolder(const Operator &opr);

  //===--- Params --------------------------------------------------------===//

  /// Reads `param` and `additional_params` of an operator.
  void readParams(fbs::OperatorParam type, const void *value,
                  const flatbuffers::Vector<fbs::OperatorParam> *types,
                  const flatbuffers::Vector<flatbuffers::Offset<void>> *values,
                  Operator &opr);

  /// Checks the params of a known operator against the registry.
  void checkParams(const Operator &opr);

  //===--- State ---------------------------------------------------------===//

  /// Whether going on makes no sense: too many faults or an empty budget.
  bool stop() const { return faults.full() || exhausted; }

  static constexpr uint64_t kTableCost = 16;

  BufferView view;
  Graph &graph;
  Faults &faults;
  /// The operator being read, for faults; -1 = none.
  int64_t currentIndex = -1;
  const Operator *current = nullptr;

private:
  const void *getRootTable(llvm::StringRef identifier);
  const void *elementAt(const uint8_t *slot) const;
  std::optional<Param> readParam(fbs::OperatorParam type, const void *value);
  bool checkParamType(fbs::OperatorParam type);

  uint64_t budget;
  bool exhausted = false;
};

/// Corrects `param`, as flatc read it from `table`, for the layout it has.
void toNewestLayout(Param &param, const void *table, const Graph &graph);

/// Sets `graph.layouts` from the version and what tells versions apart.
void detectLayouts(Graph &graph);

/// Maps a discriminator of the shifted numbering to the canonical one.
fbs::OperatorParam unshift(fbs::OperatorParam type);
/// The opposite.
fbs::OperatorParam shift(fbs::OperatorParam type);

/// Gives the operators of a V1 graph their outputs and checks inputs.
void numberVars(Graph &graph, Faults &faults);

/// Checks what operators of a sound graph share: names of inputs and vars,
/// which must be unique, and the count of tensors that graphs may have in
/// common.
void checkSharing(const Graph &graph, Faults &faults);

/// Counts of vars that `opr` may own, the likeliest first; empty = unknown.
llvm::SmallVector<uint32_t, 2> candidateCounts(const Operator &opr,
                                               uint32_t version);

/// Whether `opr` takes its value, or values, from tensors in the file.
bool isTensorHolder(const OprInfo &info);

/// Whether the tensors of `opr` are kept in a format of their own.
bool hasFormats(const OprInfo &info);

/// Reads one graph at the start of `bytes`; returns the bytes it takes, or 0
/// when that is unknown because of a fault.
uint64_t readGraphV1(llvm::ArrayRef<uint8_t> bytes, Graph &graph,
                     Faults &faults);
uint64_t readGraphV2(llvm::ArrayRef<uint8_t> bytes, Graph &graph,
                     Faults &faults);

/// `opr`'s type in words, for messages.
std::string describeType(const Operator &opr);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_FORMAT_MGB_GRAPHREADER_H
