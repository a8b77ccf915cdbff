//===- GraphReader.cpp - What both schema readers share -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphReader.h"
#include "Container.h"

#include "llvm/Support/Endian.h"

using namespace modelwright::mgb;

using flatbuffers::Verifier;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

BufferView::BufferView(llvm::ArrayRef<uint8_t> bytes)
    : bytes(bytes), origin(bytes.data()) {
  // V1 tensor areas are not padded, so the buffer behind one may lie anywhere.
  if (reinterpret_cast<uintptr_t>(bytes.data()) % sizeof(uint32_t) == 0)
    return;
  copy.reset(new uint8_t[bytes.size()]);
  memcpy(copy.get(), bytes.data(), bytes.size());
  this->bytes = {copy.get(), bytes.size()};
}

GraphReader::GraphReader(llvm::ArrayRef<uint8_t> bytes, Graph &graph,
                         Faults &faults)
    : view(bytes), graph(graph), faults(faults),
      // Writers share strings but nothing larger: 16 visits of every byte are
      // far more than an honest file needs.
      budget(uint64_t(bytes.size()) * 16 + (1 << 20)) {}

Verifier GraphReader::makeVerifier() const {
  Verifier::Options options;
  options.max_depth = 64;
  // The smallest table takes four bytes and as many in its parent.
  options.max_tables =
      static_cast<flatbuffers::uoffset_t>(view.size() / 8 + 1024);
  return Verifier(view.data(), view.size(), options);
}

const void *GraphReader::getRootTable(llvm::StringRef identifier) {
  constexpr size_t kRootSlot = 4, kIdentifier = 8;
  if (view.size() < kIdentifier + identifier.size() + sizeof(uint32_t)) {
    fault("the FlatBuffer is too short");
    return nullptr;
  }
  llvm::StringRef found(reinterpret_cast<const char *>(view.data()) +
                            kIdentifier,
                        identifier.size());
  if (found != identifier) {
    std::string text;
    llvm::raw_string_ostream(text).write_escaped(found);
    fault("the FlatBuffer has identifier '" + text + "', expected '" +
          identifier + "'");
    return nullptr;
  }
  flatbuffers::uoffset_t offset = makeVerifier().VerifyOffset(kRootSlot);
  if (!offset) {
    fault("the root offset of the FlatBuffer is damaged");
    return nullptr;
  }
  return view.data() + kRootSlot + offset;
}

const void *GraphReader::elementAt(const uint8_t *slot) const {
  uint32_t offset = llvm::support::endian::read32le(slot);
  uint64_t room = view.size() - (slot - view.data());
  if (offset == 0 || offset > room - sizeof(uint32_t))
    return nullptr;
  return slot + offset;
}

bool GraphReader::charge(uint64_t cost) {
  if (cost <= budget) {
    budget -= cost;
    return true;
  }
  if (!exhausted)
    fault("members of the FlatBuffer overlap");
  exhausted = true;
  budget = 0;
  return false;
}

void GraphReader::fault(const llvm::Twine &message) {
  faults.add(message, currentIndex, current);
}

//===----------------------------------------------------------------------===//
// Members that both schemas have
//===----------------------------------------------------------------------===//

std::optional<std::string>
GraphReader::readString(const flatbuffers::String *str) {
  if (!str || !charge(str->size()))
    return std::nullopt;
  return str->str();
}

std::vector<uint32_t>
GraphReader::readIds(const flatbuffers::Vector<uint32_t> *vec) {
  if (!vec || !charge(uint64_t(vec->size()) * sizeof(uint32_t)))
    return {};
  return {vec->begin(), vec->end()};
}

std::optional<std::vector<uint32_t>>
GraphReader::readShape(const flatbuffers::Vector<uint32_t> *vec) {
  if (!vec)
    return std::nullopt;
  return readIds(vec);
}

/// Whether elements of a quantized type have a scale only.
static bool isSymmetric(DTypeEnum type) {
  switch (type) {
  case DTypeEnum::QuantizedS1:
  case DTypeEnum::QuantizedS4:
  case DTypeEnum::QuantizedS8:
  case DTypeEnum::QuantizedS16:
  case DTypeEnum::QuantizedS32:
    return true;
  default:
    return false;
  }
}

std::optional<DType> GraphReader::readDType(const fbs::DType *dtype) {
  if (!dtype)
    return std::nullopt;
  DType result;
  result.type = dtype->type();
  if (result.type < DTypeEnum::MIN || result.type > DTypeEnum::MAX) {
    fault("dtype " + llvm::Twine(int(result.type)) + " is unknown");
    return std::nullopt;
  }
  switch (dtype->param_type()) {
  case fbs::DTypeParam::NONE:
    return result;
  case fbs::DTypeParam::LinearQuantizationParam:
    if (const auto *quant = dtype->param_as_LinearQuantizationParam()) {
      result.hasQuantization = true;
      result.scale = quant->scale();
      result.zeroPoint = quant->zero_point();
      if (result.zeroPoint && isSymmetric(result.type)) {
        fault("dtype " + llvm::Twine(fbs::EnumNameDTypeEnum(result.type)) +
              " has no zero point, found " +
              llvm::Twine(unsigned(result.zeroPoint)));
        return std::nullopt;
      }
      return result;
    }
    fault("the quantization of a dtype is missing");
    return std::nullopt;
  }
  fault("dtype param " + llvm::Twine(unsigned(dtype->param_type())) +
        " is unknown");
  return std::nullopt;
}

static std::string formatShape(llvm::ArrayRef<uint32_t> shape) {
  std::string text = "[";
  for (size_t k = 0; k != shape.size(); ++k)
    text += (k ? "," : "") + std::to_string(shape[k]);
  return text + "]";
}

void GraphReader::checkPayload(const Tensor &tensor, const Operator &opr) {
  if (!tensor.hasData)
    return;
  llvm::ArrayRef<uint32_t> shape;
  if (tensor.shape)
    shape = *tensor.shape;
  std::optional<uint64_t> expected =
      payloadSize(shape, tensor.dtype.value_or(DType()));
  uint64_t found = tensor.payload().size();
  if (!expected) {
    fault("the size of shape " + formatShape(shape) + " overflows");
    return;
  }
  // Formats other than the default may pad; their exact size is not ours to
  // know.
  bool padded = opr.info && hasFormats(*opr.info);
  if (found == *expected || (padded && found > *expected))
    return;
  fault("value has " + llvm::Twine(found) + " bytes, shape " +
        formatShape(shape) + " needs " + llvm::Twine(*expected) +
        (found > *expected ? " (a custom tensor dumper may have written it)"
                           : ""));
}

bool modelwright::mgb::hasFormats(const OprInfo &info) {
  return info.name == "SharedDeviceTensorWithFormat" ||
         info.name == "MultipleDeviceTensorWithFormatHolder";
}

static bool holdsMany(const OprInfo &info) {
  return info.name == "MultipleDeviceTensorHolder" ||
         info.name == "MultipleDeviceTensorWithFormatHolder";
}

bool modelwright::mgb::isTensorHolder(const OprInfo &info) {
  return holdsMany(info) || info.name == "SharedDeviceTensor" ||
         info.name == "VolatileSharedDeviceTensor" ||
         info.name == "SharedDeviceTensorWithFormat" ||
         info.name == "ImmutableTensor";
}

void GraphReader::checkHolder(const Operator &opr) {
  if (!opr.info)
    return;
  bool input = opr.info->name == "Host2DeviceCopy";
  if (!input && !isTensorHolder(*opr.info)) {
    // Vendors' operators may keep anything; of the others none would be read.
    if (opr.info->kind == OprKind::Vendor)
      return;
    if (!opr.tensors.empty())
      fault("has " + llvm::Twine(opr.tensors.size()) +
            " tensors, expected none");
    if (!opr.blobs.empty())
      fault("has " + llvm::Twine(opr.blobs.size()) + " blobs, expected none");
    return;
  }
  bool many = holdsMany(*opr.info);
  if (many ? opr.tensors.empty() : opr.tensors.size() != 1) {
    fault("has " + llvm::Twine(opr.tensors.size()) + " tensors, expected " +
          (many ? "some" : "one"));
    return;
  }
  for (size_t k = 0; !input && k != opr.tensors.size(); ++k) {
    const Tensor &tensor = opr.tensors[k];
    llvm::ArrayRef<uint32_t> shape;
    if (tensor.shape)
      shape = *tensor.shape;
    if (!tensor.hasData &&
        payloadSize(shape, tensor.dtype.value_or(DType())) != 0)
      fault("tensor " + llvm::Twine(k) + " has no value");
  }
  // V1 counts the tensors, and describes their formats, in blobs.
  bool isV2 = graph.encoding == Encoding::V2;
  size_t nrBlobs =
      isV2 ? 0
           : (many ? 1 : 0) + (hasFormats(*opr.info) ? opr.tensors.size() : 0);
  if (opr.blobs.size() != nrBlobs) {
    fault("has " + llvm::Twine(opr.blobs.size()) + " blobs, expected " +
          llvm::Twine(nrBlobs));
    return;
  }
  if (many && !isV2 &&
      (opr.blobs[0].size() != sizeof(uint32_t) ||
       llvm::support::endian::read32le(opr.blobs[0].data()) !=
           opr.tensors.size()))
    fault("the count of tensors does not match its blob");
}

//===----------------------------------------------------------------------===//
// Params
//===----------------------------------------------------------------------===//

bool GraphReader::checkParamType(fbs::OperatorParam type) {
  using fbs::OperatorParam;
  // V2's union ends at Cross.
  OperatorParam last = graph.encoding == Encoding::V2 ? OperatorParam::Cross
                                                      : OperatorParam::MAX;
  if (type != OperatorParam::NONE && type <= last)
    return true;
  fault("param union member " + llvm::Twine(unsigned(type)) + " is unknown");
  return false;
}

/// Bytes that the vectors of a verified param table take when unpacked.
static uint64_t vectorBytes(fbs::OperatorParam type, const void *value) {
  switch (type) {
  case fbs::OperatorParam::Dimshuffle: {
    const auto *vec = static_cast<const param::Dimshuffle *>(value)->pattern();
    return vec ? vec->size() * sizeof(int32_t) : 0;
  }
  case fbs::OperatorParam::AxisAddRemove: {
    const auto *vec = static_cast<const param::AxisAddRemove *>(value)->desc();
    return vec ? vec->size() * sizeof(param::AxisDesc) : 0;
  }
  case fbs::OperatorParam::IndexDescMaskDump: {
    const auto *vec =
        static_cast<const param::IndexDescMaskDump *>(value)->items();
    return vec ? vec->size() * sizeof(param::IndexDescMaskItem) : 0;
  }
  default:
    return 0;
  }
}

std::optional<Param> GraphReader::readParam(fbs::OperatorParam type,
                                            const void *value) {
  using fbs::OperatorParam;
  if (graph.shiftedUnion) {
    if (unsigned(type) > unsigned(OperatorParam::DType) + 1) {
      fault("param union member " + llvm::Twine(unsigned(type)) +
            " is unknown in the shifted numbering");
      return std::nullopt;
    }
    type = unshift(type);
  }
  if (!checkParamType(type))
    return std::nullopt;
  const char *name = fbs::EnumNameOperatorParam(type);
  if (!value) {
    fault(llvm::Twine("the value of param ") + name + " is missing");
    return std::nullopt;
  }
  Verifier verifier = makeVerifier();
  if (!charge(kTableCost))
    return std::nullopt;
  if (!fbs::VerifyOperatorParam(verifier, value, type)) {
    fault(llvm::Twine("the param ") + name + " is damaged");
    return std::nullopt;
  }
  if (!charge(vectorBytes(type, value)))
    return std::nullopt;

  switch (type) {
  case OperatorParam::DeprecatedParam:
  case OperatorParam::Reserved0: {
    // Members we have no fields for: only an empty table can be kept.
    const auto *table = static_cast<const flatbuffers::Table *>(value);
    if (flatbuffers::ReadScalar<flatbuffers::voffset_t>(table->GetVTable()) >
        2 * sizeof(flatbuffers::voffset_t)) {
      fault(llvm::Twine("the param ") + name + " is of a removed operator");
      return std::nullopt;
    }
    break;
  }
  case OperatorParam::MultiHeadAttn:
    // That release's fields are of other types at the same places.
    if (graph.version == 101203) {
      fault("MultiHeadAttn as written by v1.12.3 is not supported");
      return std::nullopt;
    }
    break;
  case OperatorParam::DType:
    if (!readDType(static_cast<const fbs::DType *>(value)))
      return std::nullopt;
    break;
  default:
    break;
  }

  Param param;
  param.type = type;
  param.value = fbs::OperatorParamUnion::UnPack(value, type, nullptr);
  toNewestLayout(param, value, graph);
  return param;
}

void GraphReader::readParams(
    fbs::OperatorParam type, const void *value,
    const flatbuffers::Vector<fbs::OperatorParam> *types,
    const flatbuffers::Vector<flatbuffers::Offset<void>> *values,
    Operator &opr) {
  uint32_t nrTypes = types ? types->size() : 0;
  if (nrTypes != (values ? values->size() : 0)) {
    fault("additional params and their types differ in number");
    return;
  }
  if (type == fbs::OperatorParam::NONE) {
    // The first param always goes to `param`.
    if (value || nrTypes)
      fault("has params but the first one has no type");
    return;
  }
  if (std::optional<Param> param = readParam(type, value))
    opr.params.push_back(std::move(*param));
  for (uint32_t k = 0; k != nrTypes && !stop(); ++k)
    if (std::optional<Param> param =
            readParam(types->GetEnum<fbs::OperatorParam>(k),
                      elementAt(values->Data() + 4 * size_t(k))))
      opr.params.push_back(std::move(*param));
}

void GraphReader::checkParams(const Operator &opr) {
  using fbs::OperatorParam;
  if (!opr.info || opr.info->kind == OprKind::Vendor)
    return;
  llvm::ArrayRef<OperatorParam> expected = opr.info->params;
  for (size_t k = 0; k != expected.size(); ++k) {
    bool optional = k > 0 && expected[k] == OperatorParam::ExecutionPolicy;
    if (k >= opr.params.size()) {
      if (!optional)
        fault("lacks its param " +
              llvm::Twine(fbs::EnumNameOperatorParam(expected[k])));
      continue;
    }
    OperatorParam found = opr.params[k].type;
    // MGBS writers of new releases blank the param of this one.
    bool blanked = found == OperatorParam::Empty &&
                   expected[k] == OperatorParam::CheckNonFinite &&
                   graph.encoding == Encoding::MGBS;
    if (found != expected[k] && !blanked)
      fault("param " + llvm::Twine(k) + " is " +
            fbs::EnumNameOperatorParam(found) + ", expected " +
            fbs::EnumNameOperatorParam(expected[k]));
  }
  // Loaders ignore an execution policy that they do not look for.
  size_t allowed = expected.size();
  if (opr.params.size() == allowed + 1 && allowed > 0 &&
      expected.back() != OperatorParam::ExecutionPolicy &&
      opr.params.back().type == OperatorParam::ExecutionPolicy)
    ++allowed;
  if (opr.params.size() > allowed)
    fault("has " + llvm::Twine(opr.params.size()) + " params, expected " +
          llvm::Twine(expected.size()));
}
