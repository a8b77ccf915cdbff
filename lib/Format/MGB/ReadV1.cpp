//===- ReadV1.cpp - Reader of the V1 schema (MGBS, MGBC) ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "GraphReader.h"

#include "modelwright/Schema/mgb1_generated.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;

namespace v1 = fbs::v1;
using llvm::Twine;

namespace {

class ReaderV1 : GraphReader {
public:
  ReaderV1(llvm::ArrayRef<uint8_t> buffer, llvm::ArrayRef<uint8_t> area,
           Graph &graph, Faults &faults)
      : GraphReader(buffer, graph, faults), area(area) {}

  void read();

private:
  using OprTables = std::vector<const v1::Operator *>;

  bool verifyRoot(const v1::Graph *root);
  bool verifyOperator(const v1::Operator *table);
  bool isShifted(const OprTables &tables);
  void readOperator(const v1::Operator *table, Operator &opr);
  void readTensor(const v1::Tensor *table, Tensor &tensor);
  void readOutputs(const v1::Graph *root);

  /// Whether the operators read so far tell how many vars they own.
  bool countable = true;
  /// The tensor area, and how much of it the tensors read so far take.
  llvm::ArrayRef<uint8_t> area;
  uint64_t used = 0;
};

} // namespace

/// Everything of the root table except what its vectors and tables hold.
bool ReaderV1::verifyRoot(const v1::Graph *root) {
  using T = v1::Graph;
  const auto *table = reinterpret_cast<const flatbuffers::Table *>(root);
  flatbuffers::Verifier verifier = makeVerifier();
  return table->VerifyTableStart(verifier) &&
         table->VerifyField<uint32_t>(verifier, T::VT_MGB_VERSION, 4) &&
         table->VerifyField<uint64_t>(verifier, T::VT_HASH, 8) &&
         table->VerifyField<uint32_t>(verifier, T::VT_NR_SHARED_TENSOR, 4) &&
         table->VerifyOffset(verifier, T::VT_OPRS) &&
         verifier.VerifyVector(root->oprs()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_VARS_IDX) &&
         verifier.VerifyVector(root->output_vars_idx()) &&
         table->VerifyOffset(verifier, T::VT_METADATA);
}

/// Everything of an operator table except what its vectors of tables and
/// params hold.
bool ReaderV1::verifyOperator(const v1::Operator *opr) {
  using T = v1::Operator;
  const auto *table = reinterpret_cast<const flatbuffers::Table *>(opr);
  flatbuffers::Verifier verifier = makeVerifier();
  if (!charge(kTableCost))
    return false;
  return table->VerifyTableStart(verifier) &&
         table->VerifyField<uint64_t>(verifier, T::VT_TYPE_ID, 8) &&
         table->VerifyField<uint8_t>(verifier, T::VT_PARAM_TYPE, 1) &&
         table->VerifyOffset(verifier, T::VT_PARAM) &&
         table->VerifyOffset(verifier, T::VT_INPUTS) &&
         verifier.VerifyVector(opr->inputs()) &&
         table->VerifyOffset(verifier, T::VT_COMP_NODE) &&
         verifier.VerifyVector(opr->comp_node()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_NAME) &&
         verifier.VerifyVector(opr->output_name()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_DTYPE) &&
         verifier.VerifyTable(opr->output_dtype()) &&
         table->VerifyOffset(verifier, T::VT_TENSORS) &&
         verifier.VerifyVector(opr->tensors()) &&
         table->VerifyField<int32_t>(verifier, T::VT_PRIORITY, 4) &&
         table->VerifyOffset(verifier, T::VT_BLOBS) &&
         verifier.VerifyVector(opr->blobs()) &&
         table->VerifyOffset(verifier, T::VT_ADDITIONAL_PARAMS_TYPE) &&
         verifier.VerifyVector(opr->additional_params_type()) &&
         table->VerifyOffset(verifier, T::VT_ADDITIONAL_PARAMS) &&
         verifier.VerifyVector(opr->additional_params()) &&
         table->VerifyOffset(verifier, T::VT_NAME) &&
         verifier.VerifyString(opr->name());
}

void ReaderV1::read() {
  const auto *root = getRoot<v1::Graph>(v1::GraphIdentifier());
  if (!root)
    return;
  if (!verifyRoot(root))
    return fault("the graph table is damaged");
  graph.version = root->mgb_version();
  graph.hash = root->hash();
  graph.nrSharedTensor = root->nr_shared_tensor();
  graph.metadata = readMetadata(root->metadata());
  if (graph.hash == 0)
    fault("the hash of the graph is zero, which marks an unfinished file");
  if (!root->oprs())
    return fault("the graph has no operators");

  OprTables tables(root->oprs()->size());
  for (currentIndex = 0; currentIndex != int64_t(tables.size()) && !stop();
       ++currentIndex) {
    const v1::Operator *table = element(root->oprs(), currentIndex);
    if (!table)
      fault("the operator is missing");
    else if (!verifyOperator(table))
      fault("the operator table is damaged");
    tables[currentIndex] = table;
  }
  currentIndex = -1;
  if (!faults.empty())
    return;

  detectLayouts(graph);
  graph.shiftedUnion = isShifted(tables);
  graph.oprs.resize(tables.size());
  for (currentIndex = 0; currentIndex != int64_t(tables.size()) && !stop();
       ++currentIndex) {
    current = &graph.oprs[currentIndex];
    readOperator(tables[currentIndex], graph.oprs[currentIndex]);
  }
  currentIndex = -1;
  current = nullptr;
  if (stop())
    return;
  if (used < area.size())
    fault("tensors take " + Twine(used) + " bytes of a tensor area of " +
          Twine(area.size()));
  readOutputs(root);
  // Params decide how many vars an operator owns: after a fault in one of
  // them the numbers of all later vars would be guesses.
  if (countable)
    numberVars(graph, faults);
  if (faults.empty())
    checkSharing(graph, faults);
}

/// Whether the union members are numbered as by the development builds that
/// inserted one in the middle. Nothing in a file says so: the numbering is
/// theirs when it, and not the canonical one, suits every known operator.
bool ReaderV1::isShifted(const OprTables &tables) {
  if (graph.encoding != Encoding::MGBS || !isOldEra(graph.version))
    return false;
  bool canonical = true;
  for (const v1::Operator *table : tables) {
    const OprInfo *info = lookupOpr(graph.encoding, table->type_id());
    if (!info || info->kind == OprKind::Vendor)
      continue;
    const auto *more = table->additional_params_type();
    size_t nrFound = 1 + (more ? more->size() : 0);
    for (size_t k = 0; k != std::min(info->params.size(), nrFound); ++k) {
      fbs::OperatorParam found = k == 0
                                     ? table->param_type()
                                     : more->GetEnum<fbs::OperatorParam>(k - 1);
      if (found != shift(info->params[k]))
        return false;
      canonical &= found == info->params[k];
    }
  }
  return !canonical;
}

void ReaderV1::readOperator(const v1::Operator *table, Operator &opr) {
  unsigned nrFaults = faults.size();
  opr.typeId = table->type_id();
  opr.info = lookupOpr(graph.encoding, opr.typeId);
  opr.name = readString(table->name());
  if (opr.typeId == 0)
    fault("has no type id");
  opr.priority = table->priority();
  opr.inputs = readIds(table->inputs());
  opr.compNodes = readCompNodes(table->comp_node());
  opr.outputDType = readDType(table->output_dtype());
  // An empty list says no more than none.
  if (const auto *names = table->output_name(); names && names->size()) {
    opr.outputNames.emplace();
    for (uint32_t k = 0; k != names->size() && !stop(); ++k) {
      const auto *name = element(names, k);
      if (!name || !makeVerifier().VerifyString(name)) {
        fault("output name " + Twine(k) + " is damaged");
        continue;
      }
      charge(kTableCost);
      opr.outputNames->push_back(readString(name).value_or(""));
    }
  }
  readParams(table->param_type(), table->param(),
             table->additional_params_type(), table->additional_params(), opr);
  const auto *tensors = table->tensors();
  for (uint32_t k = 0; tensors && k != tensors->size() && !stop(); ++k) {
    opr.tensors.emplace_back();
    if (const v1::Tensor *tensor = leaf(tensors, k, "tensor"))
      readTensor(tensor, opr.tensors.back());
  }
  readBlobs(table->blobs(), opr);

  if (faults.size() == nrFaults)
    checkParams(opr);
  countable &= faults.size() == nrFaults;
  if (faults.size() != nrFaults)
    return;
  checkHolder(opr);
  for (const Tensor &tensor : opr.tensors)
    checkPayload(tensor, opr);
}

void ReaderV1::readTensor(const v1::Tensor *table, Tensor &tensor) {
  readTensorHead(table, tensor);
  uint32_t size = table->data_size();
  tensor.offset = table->offset();
  tensor.hasData = size != 0;
  if (tensor.offset > size) {
    fault("a tensor skips " + Twine(tensor.offset) + " of its " + Twine(size) +
          " bytes");
    tensor.offset = 0;
  }
  if (size > area.size() - used) {
    fault("a tensor of " + Twine(size) +
          " bytes goes beyond the tensor area of " + Twine(area.size()));
    tensor.offset = 0;
    tensor.hasData = false;
    return;
  }
  tensor.area = area.slice(used, size);
  used += size;
}

void ReaderV1::readOutputs(const v1::Graph *root) {
  const auto *outputs = root->output_vars_idx();
  if (!outputs || !charge(uint64_t(outputs->size()) * sizeof(v1::OutputVar)))
    return;
  for (const v1::OutputVar *output : *outputs)
    graph.outputs.push_back({output->compact_id(), output->original_id()});
}

uint64_t modelwright::mgb::readGraphV1(llvm::ArrayRef<uint8_t> bytes,
                                       Graph &graph, Faults &faults) {
  using llvm::support::endian::read32le;
  using llvm::support::endian::read64le;
  bool first = bytes[3] == 'S';
  graph.encoding = first ? Encoding::MGBS : Encoding::MGBC;
  size_t header = first ? kMGBSHeaderBytes : kMGBCHeaderBytes;
  if (bytes.size() < header) {
    faults.add("the file ends in the header");
    return 0;
  }
  if (first && read32le(&bytes[4]) != 0)
    faults.add("the reserved field of the header is not zero");
  if (!first && read64le(&bytes[4]) != 0)
    faults.add("the file needs features 0x" +
               llvm::utohexstr(read64le(&bytes[4]), true) +
               " that nobody has defined");
  if (!first && read32le(&bytes[12]) != 0)
    faults.add("the reserved field of the header is not zero");
  uint64_t offset = read64le(&bytes[header - 8]);
  if (!faults.empty())
    return 0;
  llvm::ArrayRef<uint8_t> rest = bytes.drop_front(header);
  if (offset > rest.size() || rest.size() - offset < sizeof(uint32_t)) {
    faults.add("the FlatBuffer at offset " + Twine(offset) +
               " lies beyond the end of the file");
    return 0;
  }
  llvm::ArrayRef<uint8_t> area = rest.take_front(offset);
  rest = rest.drop_front(offset);
  uint64_t size = uint64_t(read32le(rest.data())) + sizeof(uint32_t);
  if (size > rest.size() || size > kMaxFlatBufferBytes) {
    faults.add("a FlatBuffer of " + Twine(size) +
               " bytes, where the file has " + Twine(rest.size()));
    return 0;
  }
  ReaderV1(rest.take_front(size), area, graph, faults).read();
  return header + offset + size;
}
