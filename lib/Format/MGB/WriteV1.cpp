//===- WriteV1.cpp - Writer of the V1 schema (MGBS, MGBC) -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "GraphWriter.h"

#include "modelwright/Schema/mgb1_generated.h"

#include "llvm/Support/EndianStream.h"

#include <xxhash.h>

using namespace modelwright::mgb;

namespace v1 = fbs::v1;
using flatbuffers::Offset;
using llvm::Error;

namespace {

class WriterV1 : GraphWriter {
public:
  explicit WriterV1(const Graph &graph) : GraphWriter(graph, 0) {}

  Error write(llvm::raw_ostream &os);

private:
  void build(llvm::ArrayRef<uint64_t> typeIds);
  Offset<v1::Operator> createOperator(const Operator &opr, uint64_t typeId);
  Offset<v1::Tensor> createTensor(const Tensor &tensor);
  void createTensorsAndBlobs(const Operator &opr,
                             std::vector<Offset<v1::Tensor>> &tensors,
                             std::vector<Offset<v1::Blob>> &blobs);
};

} // namespace

Offset<v1::Tensor> WriterV1::createTensor(const Tensor &tensor) {
  auto name = createString(tensor.name);
  auto shape = createVector(tensor.shape);
  auto compNode = createCompNode<v1::CompNode>(tensor.compNode);
  auto dtype = createDType(tensor.dtype);
  return v1::CreateTensor(*fbb, name, shape, compNode, dtype,
                          static_cast<uint32_t>(tensor.area.size()),
                          tensor.offset);
}

/// Creates them in the order that the operator's dumper does: a count of
/// tensors goes first, the format of a tensor follows it.
void WriterV1::createTensorsAndBlobs(const Operator &opr,
                                     std::vector<Offset<v1::Tensor>> &tensors,
                                     std::vector<Offset<v1::Blob>> &blobs) {
  size_t nrFirst =
      opr.blobs.size() > opr.tensors.size() ||
              (opr.info && opr.info->name == "MultipleDeviceTensorHolder")
          ? 1
          : 0;
  size_t next = 0;
  auto addBlob = [&] {
    if (next != opr.blobs.size())
      blobs.push_back(createBlob<v1::Blob>(opr.blobs[next++]));
  };
  if (nrFirst)
    addBlob();
  for (const Tensor &tensor : opr.tensors) {
    tensors.push_back(createTensor(tensor));
    addBlob();
  }
  while (next != opr.blobs.size())
    addBlob();
}

Offset<v1::Operator> WriterV1::createOperator(const Operator &opr,
                                              uint64_t typeId) {
  auto compNodes = createCompNodes<v1::CompNode>(opr.compNodes);
  auto inputs = createVectorIfAny(opr.inputs);
  auto name = createString(opr.name);
  VectorOffset<flatbuffers::Offset<flatbuffers::String>> outputNames;
  if (opr.outputNames) {
    // MegEngine shares all strings but these.
    std::vector<StringOffset> names;
    for (const std::string &text : *opr.outputNames)
      names.push_back(fbb->CreateString(text));
    outputNames = fbb->CreateVector(names);
  }
  auto outputDType = createDType(opr.outputDType);

  std::vector<Offset<void>> params;
  std::vector<uint8_t> paramTypes;
  for (const Param &param : opr.params) {
    params.push_back(createParam(param));
    paramTypes.push_back(static_cast<uint8_t>(numberOf(param)));
  }
  std::vector<Offset<v1::Tensor>> tensors;
  std::vector<Offset<v1::Blob>> blobs;
  createTensorsAndBlobs(opr, tensors, blobs);

  VectorOffset<uint8_t> moreTypes;
  VectorOffset<Offset<void>> moreParams;
  if (params.size() > 1) {
    moreTypes = fbb->CreateVector(paramTypes.data() + 1, params.size() - 1);
    moreParams = fbb->CreateVector(params.data() + 1, params.size() - 1);
  }
  auto tensorVector = createVectorIfAny(tensors);
  auto blobVector = createVectorIfAny(blobs);

  v1::OperatorBuilder builder(*fbb);
  builder.add_type_id(typeId);
  builder.add_inputs(inputs);
  builder.add_priority(opr.priority);
  builder.add_comp_node(compNodes);
  builder.add_output_name(outputNames);
  builder.add_name(name);
  builder.add_output_dtype(outputDType);
  if (!params.empty()) {
    builder.add_param_type(fbs::OperatorParam(paramTypes.front()));
    builder.add_param(params.front());
  }
  builder.add_additional_params_type(moreTypes.o);
  builder.add_additional_params(moreParams);
  builder.add_tensors(tensorVector);
  builder.add_blobs(blobVector);
  return builder.Finish();
}

void WriterV1::build(llvm::ArrayRef<uint64_t> typeIds) {
  auto metadata = createMetadata<v1::Metadata>(graph.metadata);
  std::vector<Offset<v1::Operator>> oprs;
  oprs.reserve(graph.oprs.size());
  for (auto [opr, typeId] : llvm::zip_equal(graph.oprs, typeIds))
    oprs.push_back(createOperator(opr, typeId));
  auto oprVector = fbb->CreateVector(oprs);
  std::vector<v1::OutputVar> outputs;
  outputs.reserve(graph.outputs.size());
  for (const OutputVar &output : graph.outputs)
    outputs.emplace_back(output.compactId, output.originalId);
  auto outputVector = fbb->CreateVectorOfStructs(outputs);

  uint64_t hash = graph.hash;
  if (hash == 0) {
    // Of everything but the graph table itself.
    constexpr uint64_t kSeed = 0x4b4e74b36b5d11;
    hash = XXH64(fbb->GetCurrentBufferPointer(), fbb->GetSize(), kSeed);
    hash += hash == 0;
  }
  v1::GraphBuilder builder(*fbb);
  builder.add_mgb_version(graph.version);
  builder.add_hash(hash);
  builder.add_oprs(oprVector);
  builder.add_output_vars_idx(outputVector);
  builder.add_nr_shared_tensor(graph.nrSharedTensor);
  builder.add_metadata(metadata);
  fbb->FinishSizePrefixed(builder.Finish(), v1::GraphIdentifier());
}

Error WriterV1::write(llvm::raw_ostream &os) {
  if (Error error = fbb.check())
    return error;
  if (Error error = checkGraph())
    return error;
  std::vector<uint64_t> typeIds;
  for (size_t k = 0; k != graph.oprs.size(); ++k) {
    llvm::Expected<uint64_t> id = getTypeId(graph.oprs[k], k);
    if (!id)
      return id.takeError();
    typeIds.push_back(*id);
  }

  // Build first: nothing is written of a graph that cannot be.
  build(typeIds);
  uint64_t areaBytes = 0;
  for (const Operator &opr : graph.oprs)
    for (const Tensor &tensor : opr.tensors)
      areaBytes += tensor.area.size();

  llvm::support::endian::Writer header(os, llvm::endianness::little);
  if (graph.encoding == Encoding::MGBS) {
    os << "MGBS";
    header.write<uint32_t>(0);
  } else {
    os << "MGBC";
    header.write<uint64_t>(0);
    header.write<uint32_t>(0);
  }
  header.write<uint64_t>(areaBytes);
  for (const Operator &opr : graph.oprs)
    for (const Tensor &tensor : opr.tensors)
      os.write(reinterpret_cast<const char *>(tensor.area.data()),
               tensor.area.size());
  return fbb.stream(os);
}

Error modelwright::mgb::writeGraphV1(const Graph &graph,
                                     llvm::raw_ostream &os) {
  return WriterV1(graph).write(os);
}
