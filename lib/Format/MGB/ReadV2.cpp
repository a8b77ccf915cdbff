//===- ReadV2.cpp - Reader of the V2 schema (mgv2) ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "GraphReader.h"

#include "modelwright/Schema/mgv2_generated.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;

namespace v2 = fbs::v2;
using llvm::Twine;

namespace {

class ReaderV2 : GraphReader {
public:
  ReaderV2(llvm::ArrayRef<uint8_t> buffer, Graph &graph, Faults &faults)
      : GraphReader(buffer, graph, faults) {}

  void read();

private:
  bool verifyRoot(const v2::Model *root);
  bool verifyOperator(const v2::Operator *table);
  void readOperator(const v2::Operator *table, Operator &opr);
  void readTensor(const v2::Tensor *table, Tensor &tensor);
  void readMiddleTensors(const v2::Model *root);
  void readOutputs(const v2::Model *root);
  void checkVars();

  template <typename T> TensorFormat readFormat(const T *table);
};

} // namespace

/// Everything of the root table except what its vectors and tables hold.
bool ReaderV2::verifyRoot(const v2::Model *root) {
  using T = v2::Model;
  const auto *table = reinterpret_cast<const flatbuffers::Table *>(root);
  flatbuffers::Verifier verifier = makeVerifier();
  return table->VerifyTableStart(verifier) &&
         table->VerifyField<uint32_t>(verifier, T::VT_MGE_VERSION, 4) &&
         table->VerifyField<uint32_t>(verifier, T::VT_MODEL_VERSION, 4) &&
         table->VerifyOffset(verifier, T::VT_OPRS) &&
         verifier.VerifyVector(root->oprs()) &&
         table->VerifyOffset(verifier, T::VT_MIDDLE_TENSORS) &&
         verifier.VerifyVector(root->middle_tensors()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_VARS_IDX) &&
         verifier.VerifyVector(root->output_vars_idx()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_ALIAS) &&
         verifier.VerifyVector(root->output_alias()) &&
         table->VerifyField<uint32_t>(verifier, T::VT_NR_SHARED_TENSOR, 4) &&
         table->VerifyOffset(verifier, T::VT_METADATA);
}

/// Everything of an operator table except what its vectors of tables and
/// params hold.
bool ReaderV2::verifyOperator(const v2::Operator *opr) {
  using T = v2::Operator;
  const auto *table = reinterpret_cast<const flatbuffers::Table *>(opr);
  flatbuffers::Verifier verifier = makeVerifier();
  if (!charge(kTableCost))
    return false;
  return table->VerifyTableStart(verifier) &&
         table->VerifyOffset(verifier, T::VT_TYPE) &&
         verifier.VerifyString(opr->type()) &&
         table->VerifyField<uint64_t>(verifier, T::VT_TYPE_ID, 8) &&
         table->VerifyOffset(verifier, T::VT_NAME) &&
         verifier.VerifyString(opr->name()) &&
         table->VerifyField<uint8_t>(verifier, T::VT_PARAM_TYPE, 1) &&
         table->VerifyOffset(verifier, T::VT_PARAM) &&
         table->VerifyOffset(verifier, T::VT_ADDITIONAL_PARAMS_TYPE) &&
         verifier.VerifyVector(opr->additional_params_type()) &&
         table->VerifyOffset(verifier, T::VT_ADDITIONAL_PARAMS) &&
         verifier.VerifyVector(opr->additional_params()) &&
         table->VerifyOffset(verifier, T::VT_INPUTS) &&
         verifier.VerifyVector(opr->inputs()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUTS) &&
         verifier.VerifyVector(opr->outputs()) &&
         table->VerifyOffset(verifier, T::VT_COMP_NODE) &&
         verifier.VerifyVector(opr->comp_node()) &&
         table->VerifyOffset(verifier, T::VT_OUTPUT_DTYPE) &&
         verifier.VerifyTable(opr->output_dtype()) &&
         table->VerifyOffset(verifier, T::VT_TENSORS) &&
         verifier.VerifyVector(opr->tensors()) &&
         table->VerifyField<uint32_t>(verifier, T::VT_OPR_VERSION, 4) &&
         table->VerifyField<int32_t>(verifier, T::VT_PRIORITY, 4) &&
         table->VerifyOffset(verifier, T::VT_CUSTOM_DATA) &&
         verifier.VerifyVector(opr->custom_data());
}

void ReaderV2::read() {
  const auto *root = getRoot<v2::Model>(v2::ModelIdentifier());
  if (!root)
    return;
  if (!verifyRoot(root))
    return fault("the model table is damaged");
  graph.version = root->mge_version();
  graph.modelVersion = root->model_version();
  graph.nrSharedTensor = root->nr_shared_tensor();
  graph.metadata = readMetadata(root->metadata());
  if (!root->oprs())
    return fault("the graph has no operators");

  graph.oprs.reserve(root->oprs()->size());
  for (currentIndex = 0; currentIndex != root->oprs()->size() && !stop();
       ++currentIndex) {
    const v2::Operator *table = element(root->oprs(), currentIndex);
    Operator &opr = graph.oprs.emplace_back();
    current = nullptr;
    if (!table) {
      fault("the operator is missing");
    } else if (!verifyOperator(table)) {
      fault("the operator table is damaged");
    } else {
      current = &opr;
      readOperator(table, opr);
    }
  }
  currentIndex = -1;
  current = nullptr;
  if (stop())
    return;
  readMiddleTensors(root);
  readOutputs(root);
  checkVars();
  if (faults.empty())
    checkSharing(graph, faults);
}

void ReaderV2::readOperator(const v2::Operator *table, Operator &opr) {
  unsigned nrFaults = faults.size();
  opr.typeId = table->type_id();
  opr.oprVersion = table->opr_version();
  opr.info = lookupOpr(graph.encoding, opr.typeId, opr.oprVersion);
  opr.type = readString(table->type());
  // Readers do not look at it, so a known operator may lack it.
  if (!opr.type && opr.info)
    opr.type =
        (opr.oprVersion == 2 ? opr.info->className : opr.info->name).str();
  opr.name = readString(table->name());
  if (opr.typeId == 0)
    fault("has no type id");
  opr.priority = table->priority();
  opr.inputs = readIds(table->inputs());
  opr.outputs = readIds(table->outputs());
  opr.compNodes = readCompNodes(table->comp_node());
  opr.outputDType = readDType(table->output_dtype());
  readParams(table->param_type(), table->param(),
             table->additional_params_type(), table->additional_params(), opr);
  const auto *tensors = table->tensors();
  for (uint32_t k = 0; tensors && k != tensors->size() && !stop(); ++k) {
    opr.tensors.emplace_back();
    if (const v2::Tensor *tensor = leaf(tensors, k, "tensor"))
      readTensor(tensor, opr.tensors.back());
  }
  readBlobs(table->custom_data(), opr);

  if (faults.size() != nrFaults)
    return;
  checkParams(opr);
  checkHolder(opr);
  for (const Tensor &tensor : opr.tensors)
    checkPayload(tensor, opr);
}

template <typename T> TensorFormat ReaderV2::readFormat(const T *table) {
  TensorFormat format;
  if (table->format_type() == v2::TensorFormat::NONE)
    return format;
  if (!table->format()) {
    fault("the value of a tensor format is missing");
    return format;
  }
  switch (table->format_type()) {
  case v2::TensorFormat::DefaultTensorFormat:
    format.kind = TensorFormat::Kind::Default;
    return format;
  case v2::TensorFormat::Image2DPackedTensorFormat:
    format.kind = TensorFormat::Kind::Image2DPacked;
    format.alignAxis =
        table->format_as_Image2DPackedTensorFormat()->align_axis();
    return format;
  case v2::TensorFormat::LowbitsAlignedTensorFormat: {
    const auto *lowbits = table->format_as_LowbitsAlignedTensorFormat();
    format.kind = TensorFormat::Kind::LowbitsAligned;
    format.sizeNbits = lowbits->size_nbits();
    format.alignSizeInBits = lowbits->align_size_in_bits();
    return format;
  }
  case v2::TensorFormat::NONE:
    break;
  }
  fault("tensor format " + Twine(unsigned(table->format_type())) +
        " is unknown");
  return format;
}

void ReaderV2::readTensor(const v2::Tensor *table, Tensor &tensor) {
  readTensorHead(table, tensor);
  tensor.format = readFormat(table);
  const auto *data = table->data();
  tensor.hasData = data != nullptr;
  if (data && charge(data->size()))
    tensor.area = view.original(*data);
}

void ReaderV2::readMiddleTensors(const v2::Model *root) {
  const auto *tables = root->middle_tensors();
  if (!tables)
    return;
  graph.middleTensors.emplace();
  for (uint32_t k = 0; k != tables->size() && !stop(); ++k) {
    MiddleTensor &tensor = graph.middleTensors->emplace_back();
    const v2::MiddleTensor *table = leaf(tables, k, "middle tensor");
    if (!table)
      continue;
    tensor.name = readString(table->name());
    tensor.shape = readShape(table->shape());
    if (table->comp_node())
      tensor.compNode = readCompNode(table->comp_node());
    tensor.dtype = readDType(table->dtype());
    tensor.format = readFormat(table);
  }
}

void ReaderV2::readOutputs(const v2::Model *root) {
  const auto *outputs = root->output_vars_idx();
  for (uint32_t k = 0; outputs && k != outputs->size() && !stop(); ++k)
    if (const v2::OutputVar *output = leaf(outputs, k, "output"))
      graph.outputs.push_back({output->compact_id(), output->original_id()});
  const auto *aliases = root->output_alias();
  if (!aliases)
    return;
  graph.outputAliases.emplace();
  for (uint32_t k = 0; k != aliases->size() && !stop(); ++k)
    if (const v2::OutputAlias *alias = leaf(aliases, k, "output alias"))
      graph.outputAliases->push_back({alias->id(), readString(alias->name())});
}

/// Var ids must be 0 to N-1, each defined by one operator before it is read.
void ReaderV2::checkVars() {
  uint64_t nrVars = 0;
  for (const Operator &opr : graph.oprs)
    nrVars += opr.outputs.size();
  if (graph.middleTensors && graph.middleTensors->size() < nrVars)
    fault("operators have " + Twine(nrVars) + " outputs, but only " +
          Twine(graph.middleTensors->size()) + " middle tensors are stored");

  std::vector<bool> defined(nrVars);
  for (size_t k = 0; k != graph.oprs.size() && !stop(); ++k) {
    current = &graph.oprs[k];
    currentIndex = static_cast<int64_t>(k);
    for (uint32_t id : current->inputs)
      if (id >= nrVars || !defined[id])
        fault("input var " + Twine(id) + " is not defined before");
    for (uint32_t id : current->outputs) {
      if (id >= nrVars)
        fault("output var " + Twine(id) + " is not among the " + Twine(nrVars) +
              " vars of the graph");
      else if (defined[id])
        fault("output var " + Twine(id) + " is defined twice");
      else
        defined[id] = true;
    }
    const OprInfo *info = current->info;
    if (info && isTensorHolder(*info) &&
        current->outputs.size() != current->tensors.size())
      fault("has " + Twine(current->outputs.size()) + " outputs for " +
            Twine(current->tensors.size()) + " tensors");
  }
  current = nullptr;
  currentIndex = -1;
  graph.numVars = static_cast<uint32_t>(nrVars);
  for (const OutputVar &output : graph.outputs)
    if (output.compactId >= nrVars && !stop())
      fault("output var " + Twine(output.compactId) + " is not among the " +
            Twine(nrVars) + " vars of the graph");
}

uint64_t modelwright::mgb::readGraphV2(llvm::ArrayRef<uint8_t> bytes,
                                       Graph &graph, Faults &faults) {
  graph.encoding = Encoding::V2;
  uint64_t size = uint64_t(llvm::support::endian::read32le(bytes.data())) +
                  sizeof(uint32_t);
  if (size > bytes.size() || size > kMaxFlatBufferBytes) {
    faults.add("a FlatBuffer of " + Twine(size) +
               " bytes, where the file has " + Twine(bytes.size()));
    return 0;
  }
  ReaderV2(bytes.take_front(size), graph, faults).read();
  return size;
}
