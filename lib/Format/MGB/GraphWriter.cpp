//===- GraphWriter.cpp - What both schema writers share -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphWriter.h"
#include "GraphReader.h"
#include "Params.h"

#include "llvm/Support/Errc.h"

#include <cmath>

using namespace modelwright::mgb;

using fbs::OperatorParam;
using llvm::Error;
using llvm::Twine;

// Generous bounds of what tables take with their vtables, strings apart.
static constexpr uint64_t kGraphBytes = 1024;
static constexpr uint64_t kOperatorBytes = 512;
static constexpr uint64_t kTensorBytes = 512;
static constexpr uint64_t kParamBytes = 512;
static constexpr uint64_t kSmallTableBytes = 96;

static uint64_t sizeOf(const std::optional<std::string> &text) {
  return text ? text->size() + 16 : 0;
}

template <typename T>
static uint64_t sizeOf(const std::optional<std::vector<T>> &vec) {
  return vec ? vec->size() * sizeof(T) + 16 : 0;
}

static uint64_t sizeOf(const std::optional<CompNode> &node) {
  return node ? kSmallTableBytes + sizeOf(node->locator) : 0;
}

static uint64_t sizeOf(const Param &param) {
  if (!param.value)
    return 0;
  uint64_t size = kParamBytes;
  if (const auto *dims = param.AsDimshuffle())
    size += dims->pattern.size() * sizeof(int32_t);
  else if (const auto *axes = param.AsAxisAddRemove())
    size += axes->desc.size() * sizeof(param::AxisDesc);
  else if (const auto *masks = param.AsIndexDescMaskDump())
    size += masks->items.size() * sizeof(param::IndexDescMaskItem);
  return size;
}

template <typename T> static uint64_t sizeOfTensor(const T &tensor) {
  return kTensorBytes + sizeOf(tensor.name) + sizeOf(tensor.shape) +
         sizeOf(tensor.compNode);
}

static uint64_t sizeOf(const Operator &opr) {
  uint64_t size = kOperatorBytes + sizeOf(opr.name) + sizeOf(opr.type);
  size += (opr.inputs.size() + opr.outputs.size()) * sizeof(uint32_t) + 32;
  for (const Param &param : opr.params)
    size += sizeOf(param) + 8;
  if (opr.compNodes)
    for (const CompNode &node : *opr.compNodes)
      size += kSmallTableBytes + sizeOf(node.locator);
  if (opr.outputNames)
    for (const std::string &name : *opr.outputNames)
      size += name.size() + 24;
  for (const Tensor &tensor : opr.tensors)
    size += sizeOfTensor(tensor);
  for (llvm::ArrayRef<uint8_t> blob : opr.blobs)
    size += kSmallTableBytes + blob.size();
  return size;
}

uint64_t modelwright::mgb::estimateStructure(const Graph &graph) {
  uint64_t size = kGraphBytes;
  for (const Operator &opr : graph.oprs)
    size += sizeOf(opr);
  if (graph.middleTensors)
    for (const MiddleTensor &tensor : *graph.middleTensors)
      size += sizeOfTensor(tensor);
  size += graph.outputs.size() * kSmallTableBytes;
  if (graph.outputAliases)
    for (const OutputAlias &alias : *graph.outputAliases)
      size += kSmallTableBytes + sizeOf(alias.name);
  if (graph.metadata)
    size += sizeOf(graph.metadata->userInfo);
  return size;
}

GraphWriter::GraphWriter(const Graph &graph, uint64_t payloadBytes)
    : graph(graph), fbb(estimateStructure(graph) + payloadBytes) {}

//===----------------------------------------------------------------------===//
// Members
//===----------------------------------------------------------------------===//

flatbuffers::Offset<fbs::DType>
GraphWriter::createDType(const std::optional<DType> &type) {
  if (!type)
    return {};
  flatbuffers::Offset<fbs::LinearQuantizationParam> quantization;
  if (type->hasQuantization) {
    // The builder would take a negative zero for the default.
    fbb->ForceDefaults(type->scale == 0 && std::signbit(type->scale));
    quantization =
        fbs::CreateLinearQuantizationParam(*fbb, type->scale, type->zeroPoint);
    fbb->ForceDefaults(false);
  }
  fbs::DTypeBuilder builder(*fbb);
  builder.add_type(type->type);
  if (type->hasQuantization) {
    builder.add_param_type(fbs::DTypeParam::LinearQuantizationParam);
    builder.add_param(quantization.Union());
  }
  return builder.Finish();
}

OperatorParam GraphWriter::numberOf(const Param &param) const {
  return graph.shiftedUnion ? shift(param.type) : param.type;
}

/// Writes the layout that ends with output_block_size and compute_mode.
static flatbuffers::Offset<void>
createEarlyConvBias(flatbuffers::FlatBufferBuilder &fbb,
                    const param::ConvBiasT &param, bool oldEra) {
  auto mode = static_cast<uint32_t>(param.compute_mode);
  uint32_t block = *param.output_block_size;
  param::ConvBiasT early = param;
  early.compute_mode = param::ConvolutionV1ComputeMode(block);
  // Absent as writers leave defaults, unless readers would then take the block
  // size for a compute mode.
  early.output_block_size.reset();
  if (mode != 0 || block <= 1 || !oldEra)
    early.output_block_size = mode;
  return param::ConvBias::Pack(fbb, &early).Union();
}

/// Writes the layout that has the window in the slots of the dilation. flatc's
/// code would omit the wrong defaults.
static flatbuffers::Offset<void>
createEarlyImages2Neibs(flatbuffers::FlatBufferBuilder &fbb,
                        const param::Images2NeibsT &param) {
  using T = param::Images2Neibs;
  flatbuffers::uoffset_t start = fbb.StartTable();
  fbb.AddElement<uint32_t>(T::VT_DILATE_W, param.window_w, 3);
  fbb.AddElement<uint32_t>(T::VT_DILATE_H, param.window_h, 3);
  fbb.AddElement<uint32_t>(T::VT_STRIDE_W, param.stride_w, 1);
  fbb.AddElement<uint32_t>(T::VT_STRIDE_H, param.stride_h, 1);
  fbb.AddElement<uint32_t>(T::VT_PAD_W, param.pad_w, 0);
  fbb.AddElement<uint32_t>(T::VT_PAD_H, param.pad_h, 0);
  return fbb.EndTable(start);
}

/// Writes the layout whose strategy defaults to 0.
static flatbuffers::Offset<void>
createEarlyPolicy(flatbuffers::FlatBufferBuilder &fbb,
                  const param::ExecutionPolicyT &param) {
  using T = param::ExecutionPolicy;
  flatbuffers::uoffset_t start = fbb.StartTable();
  fbb.AddElement<uint64_t>(T::VT_WORKSPACE_LIMIT, param.workspace_limit,
                           UINT64_MAX);
  fbb.AddElement<uint32_t>(T::VT_STRATEGY,
                           static_cast<uint32_t>(param.strategy), 0);
  return fbb.EndTable(start);
}

flatbuffers::Offset<void> GraphWriter::createParam(const Param &param) {
  bool isV1 = graph.encoding != Encoding::V2;
  switch (param.type) {
  case OperatorParam::DType: {
    const fbs::DTypeT &type = *param.AsDType();
    DType dtype{type.type};
    if (const auto *quant = type.param.AsLinearQuantizationParam()) {
      dtype.hasQuantization = true;
      dtype.scale = quant->scale;
      dtype.zeroPoint = quant->zero_point;
    }
    return createDType(dtype).Union();
  }
  case OperatorParam::ConvBias:
    if (param.AsConvBias()->output_block_size)
      return createEarlyConvBias(*fbb, *param.AsConvBias(),
                                 isV1 && isOldEra(graph.version));
    break;
  case OperatorParam::Images2Neibs:
    if (isV1 && graph.layouts.earlyWindow)
      return createEarlyImages2Neibs(*fbb, *param.AsImages2Neibs());
    break;
  case OperatorParam::ExecutionPolicy:
    if (isV1 && graph.layouts.zeroStrategy)
      return createEarlyPolicy(*fbb, *param.AsExecutionPolicy());
    break;
  default:
    break;
  }
  fbb->ForceDefaults(hasNegativeZero(param));
  flatbuffers::Offset<void> table = param.Pack(*fbb);
  fbb->ForceDefaults(false);
  return table;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

Error GraphWriter::makeError(size_t index, const Twine &message) const {
  const Operator &opr = graph.oprs[index];
  std::string text = "cannot write operator " + std::to_string(index) + " (" +
                     describeType(opr) + ")";
  if (opr.name)
    text += " '" + *opr.name + "'";
  return llvm::createStringError(llvm::errc::invalid_argument,
                                 text + ": " + message);
}

uint32_t modelwright::mgb::v2VersionOf(const Operator &opr) {
  if (opr.oprVersion != 0 || !opr.info)
    return opr.oprVersion;
  return opr.info->maxOprVersion;
}

llvm::Expected<uint64_t> GraphWriter::getTypeId(const Operator &opr,
                                                size_t index) const {
  if (!opr.info) {
    if (opr.typeId == 0)
      return makeError(index, "it has no type id");
    return opr.typeId;
  }
  if (opr.info->kind == OprKind::NotInFiles)
    return makeError(index, "FlatBuffers files cannot hold it");
  uint32_t version = v2VersionOf(opr);
  // Files of old releases may name an operator by a retired name.
  if (opr.typeId != 0 &&
      lookupOpr(graph.encoding, opr.typeId, version) == opr.info)
    return opr.typeId;
  switch (graph.encoding) {
  case Encoding::MGBS:
    return opr.info->unversionedId;
  case Encoding::MGBC:
    return opr.info->persistentId;
  case Encoding::V2:
    if (version == 2 && opr.info->maxOprVersion >= 2)
      return opr.info->v2Id;
    if (version == 1 && opr.info->hasOprVersion1)
      return opr.info->unversionedId;
    return makeError(index,
                     "the V2 schema has no form of it" +
                         (version ? " of version " + Twine(version) : Twine()));
  }
  llvm_unreachable("all encodings covered");
}

Error GraphWriter::checkOperator(const Operator &opr, size_t index) const {
  bool isV2 = graph.encoding == Encoding::V2;
  for (const Param &param : opr.params) {
    if (param.type == OperatorParam::NONE || !param.value)
      return makeError(index, "a param has no value");
    if (isV2 && param.type > OperatorParam::Cross)
      return makeError(index, Twine("the V2 schema cannot hold the param ") +
                                  fbs::EnumNameOperatorParam(param.type));
    if (!isV2 && graph.shiftedUnion && param.type > OperatorParam::Remap)
      return makeError(index,
                       Twine("the shifted numbering cannot hold the param ") +
                           fbs::EnumNameOperatorParam(param.type));
    const param::Images2NeibsT *neibs = param.AsImages2Neibs();
    if (!isV2 && neibs && graph.layouts.earlyWindow &&
        (neibs->dilate_h != 1 || neibs->dilate_w != 1))
      return makeError(index, "files before v1.4.0 cannot hold a dilation");
  }
  for (const Tensor &tensor : opr.tensors) {
    if (tensor.offset > tensor.area.size())
      return makeError(index, "a tensor skips more bytes than it has");
    if (isV2 && tensor.offset != 0)
      return makeError(index, "the V2 schema cannot skip bytes of a tensor");
    if (!tensor.hasData && !tensor.area.empty())
      return makeError(index, "a tensor without a value has bytes");
    if (!isV2 && tensor.area.size() > UINT32_MAX)
      return makeError(index, "the V1 schema cannot hold a tensor of " +
                                  Twine(tensor.area.size()) + " bytes");
  }
  if (!isV2 && opr.outputNames && !opr.outputNames->empty() &&
      opr.outputNames->size() != opr.outputs.size())
    return makeError(index, Twine(opr.outputNames->size()) + " names for " +
                                Twine(opr.outputs.size()) + " outputs");
  if (isV2)
    return Error::success();
  // Loaders count the outputs themselves.
  auto counts = candidateCounts(opr, graph.version);
  if (!counts.empty() &&
      !llvm::is_contained(counts, static_cast<uint32_t>(opr.outputs.size())))
    return makeError(index, "it has " + Twine(opr.outputs.size()) +
                                " outputs, loaders expect " +
                                Twine(counts.front()));
  return Error::success();
}

Error GraphWriter::checkGraph() const {
  uint64_t nrVars = 0;
  for (const Operator &opr : graph.oprs)
    nrVars += opr.outputs.size();
  if (nrVars > UINT32_MAX)
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "cannot write a graph of so many vars");
  bool isV2 = graph.encoding == Encoding::V2;
  if (isV2 && graph.middleTensors && graph.middleTensors->size() < nrVars)
    return llvm::createStringError(llvm::errc::invalid_argument,
                                   "middle tensors are missing");
  std::vector<bool> defined(nrVars);
  uint32_t next = 0;
  for (size_t k = 0; k != graph.oprs.size(); ++k) {
    const Operator &opr = graph.oprs[k];
    if (Error error = checkOperator(opr, k))
      return error;
    for (uint32_t id : opr.inputs)
      if (id >= nrVars || !defined[id])
        return makeError(k,
                         "input var " + Twine(id) + " is not defined before");
    for (uint32_t id : opr.outputs) {
      // V1 files do not store ids, they count.
      if (!isV2 && id != next++)
        return makeError(k, "output var " + Twine(id) +
                                " is not numbered in operator order");
      if (id >= nrVars || defined[id])
        return makeError(k, "output var " + Twine(id) +
                                " is defined twice or too large");
      defined[id] = true;
    }
  }
  for (const OutputVar &output : graph.outputs)
    if (output.compactId >= nrVars)
      return llvm::createStringError(
          llvm::errc::invalid_argument,
          "cannot write output var %u of a graph of %llu vars",
          output.compactId, static_cast<unsigned long long>(nrVars));
  return Error::success();
}
