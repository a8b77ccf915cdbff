//===- WriteV2.cpp - Writer of the V2 schema (mgv2) -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"

#include "modelwright/Schema/mgv2_generated.h"

using namespace modelwright::mgb;

namespace v2 = fbs::v2;
using flatbuffers::Offset;
using llvm::Error;

static uint64_t sumPayloads(const Graph &graph) {
  uint64_t size = 0;
  for (const Operator &opr : graph.oprs)
    for (const Tensor &tensor : opr.tensors)
      size += tensor.area.size();
  return size;
}

namespace {

class WriterV2 : GraphWriter {
public:
  explicit WriterV2(const Graph &graph)
      : GraphWriter(graph, sumPayloads(graph)) {}

  Error write(llvm::raw_ostream &os);

private:
  void build(llvm::ArrayRef<uint64_t> typeIds);
  Offset<v2::Operator> createOperator(const Operator &opr, uint64_t typeId);
  Offset<v2::Tensor> createTensor(const Tensor &tensor);
  Offset<v2::MiddleTensor> createMiddleTensor(const MiddleTensor &tensor);
  std::pair<v2::TensorFormat, Offset<void>>
  createFormat(const TensorFormat &format);

  /// By var id; null = not created yet.
  std::vector<Offset<v2::MiddleTensor>> middleTensors;
};

} // namespace

std::pair<v2::TensorFormat, Offset<void>>
WriterV2::createFormat(const TensorFormat &format) {
  switch (format.kind) {
  case TensorFormat::Kind::None:
    return {v2::TensorFormat::NONE, 0};
  case TensorFormat::Kind::Default:
    return {v2::TensorFormat::DefaultTensorFormat,
            v2::CreateDefaultTensorFormat(*fbb).Union()};
  case TensorFormat::Kind::Image2DPacked:
    return {
        v2::TensorFormat::Image2DPackedTensorFormat,
        v2::CreateImage2DPackedTensorFormat(*fbb, format.alignAxis).Union()};
  case TensorFormat::Kind::LowbitsAligned:
    return {v2::TensorFormat::LowbitsAlignedTensorFormat,
            v2::CreateLowbitsAlignedTensorFormat(*fbb, format.sizeNbits,
                                                 format.alignSizeInBits)
                .Union()};
  }
  llvm_unreachable("all formats covered");
}

Offset<v2::Tensor> WriterV2::createTensor(const Tensor &tensor) {
  VectorOffset<uint8_t> data;
  if (tensor.hasData)
    data = fbb.addPayload(tensor.area);
  auto name = createString(tensor.name);
  auto shape = createVector(tensor.shape);
  auto compNode = createCompNode<v2::CompNode>(tensor.compNode);
  auto dtype = createDType(tensor.dtype);
  auto [formatType, format] = createFormat(tensor.format);
  return v2::CreateTensor(*fbb, name, shape, compNode, dtype, formatType,
                          format, data);
}

Offset<v2::MiddleTensor>
WriterV2::createMiddleTensor(const MiddleTensor &tensor) {
  auto name = createString(tensor.name);
  auto shape = createVector(tensor.shape);
  auto compNode = createCompNode<v2::CompNode>(tensor.compNode);
  auto dtype = createDType(tensor.dtype);
  auto [formatType, format] = createFormat(tensor.format);
  return v2::CreateMiddleTensor(*fbb, name, shape, compNode, dtype, formatType,
                                format);
}

Offset<v2::Operator> WriterV2::createOperator(const Operator &opr,
                                              uint64_t typeId) {
  uint32_t version = v2VersionOf(opr);
  std::optional<std::string> typeName = opr.type;
  if (!typeName && opr.info)
    typeName = (version == 2 ? opr.info->className : opr.info->name).str();

  auto inputs = createVectorIfAny(opr.inputs);
  std::vector<Offset<void>> params;
  std::vector<uint8_t> paramTypes;
  for (const Param &param : opr.params) {
    params.push_back(createParam(param));
    paramTypes.push_back(static_cast<uint8_t>(param.type));
  }
  std::vector<Offset<v2::Tensor>> tensors;
  tensors.reserve(opr.tensors.size());
  for (const Tensor &tensor : opr.tensors)
    tensors.push_back(createTensor(tensor));
  std::vector<Offset<v2::Blob>> blobs;
  blobs.reserve(opr.blobs.size());
  for (llvm::ArrayRef<uint8_t> blob : opr.blobs)
    blobs.push_back(createBlob<v2::Blob>(blob));

  auto compNodes = createCompNodes<v2::CompNode>(opr.compNodes);
  auto name = createString(opr.name);
  auto outputDType = createDType(opr.outputDType);
  if (graph.middleTensors)
    for (uint32_t id : opr.outputs)
      middleTensors[id] = createMiddleTensor((*graph.middleTensors)[id]);
  auto outputs = createVectorIfAny(opr.outputs);

  VectorOffset<uint8_t> moreTypes;
  VectorOffset<Offset<void>> moreParams;
  if (params.size() > 1) {
    moreTypes = fbb->CreateVector(paramTypes.data() + 1, params.size() - 1);
    moreParams = fbb->CreateVector(params.data() + 1, params.size() - 1);
  }
  auto tensorVector = createVectorIfAny(tensors);
  auto blobVector = createVectorIfAny(blobs);
  auto type = createString(typeName);

  v2::OperatorBuilder builder(*fbb);
  builder.add_type(type);
  builder.add_type_id(typeId);
  builder.add_inputs(inputs);
  builder.add_outputs(outputs);
  builder.add_priority(opr.priority);
  builder.add_comp_node(compNodes);
  builder.add_opr_version(version);
  builder.add_name(name);
  builder.add_output_dtype(outputDType);
  if (!params.empty()) {
    builder.add_param_type(opr.params.front().type);
    builder.add_param(params.front());
  }
  builder.add_additional_params_type(moreTypes.o);
  builder.add_additional_params(moreParams);
  builder.add_tensors(tensorVector);
  builder.add_custom_data(blobVector);
  return builder.Finish();
}

void WriterV2::build(llvm::ArrayRef<uint64_t> typeIds) {
  auto metadata = createMetadata<v2::Metadata>(graph.metadata);
  if (graph.middleTensors)
    middleTensors.resize(graph.middleTensors->size());
  std::vector<Offset<v2::Operator>> oprs;
  oprs.reserve(graph.oprs.size());
  for (auto [opr, typeId] : llvm::zip_equal(graph.oprs, typeIds))
    oprs.push_back(createOperator(opr, typeId));
  auto oprVector = fbb->CreateVector(oprs);

  std::vector<Offset<v2::OutputVar>> outputs;
  outputs.reserve(graph.outputs.size());
  for (const OutputVar &output : graph.outputs)
    outputs.push_back(
        v2::CreateOutputVar(*fbb, output.compactId, output.originalId));
  auto outputVector = fbb->CreateVector(outputs);
  TablesOffset<v2::OutputAlias> aliasVector;
  if (graph.outputAliases) {
    std::vector<Offset<v2::OutputAlias>> aliases;
    for (const OutputAlias &alias : *graph.outputAliases) {
      auto name = createString(alias.name);
      aliases.push_back(v2::CreateOutputAlias(*fbb, alias.id, name));
    }
    aliasVector = fbb->CreateVector(aliases);
  }
  TablesOffset<v2::MiddleTensor> middleVector;
  if (graph.middleTensors) {
    // Those that no operator owns.
    for (size_t id = 0; id != middleTensors.size(); ++id)
      if (middleTensors[id].IsNull())
        middleTensors[id] = createMiddleTensor((*graph.middleTensors)[id]);
    middleVector = fbb->CreateVector(middleTensors);
  }

  v2::ModelBuilder builder(*fbb);
  builder.add_mge_version(graph.version);
  builder.add_model_version(graph.modelVersion);
  builder.add_oprs(oprVector);
  builder.add_middle_tensors(middleVector);
  builder.add_output_vars_idx(outputVector);
  builder.add_output_alias(aliasVector);
  builder.add_nr_shared_tensor(graph.nrSharedTensor);
  builder.add_metadata(metadata);
  fbb->FinishSizePrefixed(builder.Finish(), v2::ModelIdentifier());
}

Error WriterV2::write(llvm::raw_ostream &os) {
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
  build(typeIds);
  return fbb.stream(os);
}

Error modelwright::mgb::writeGraphV2(const Graph &graph,
                                     llvm::raw_ostream &os) {
  return WriterV2(graph).write(os);
}
