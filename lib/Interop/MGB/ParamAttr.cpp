//===- ParamAttr.cpp - Params as dictionaries -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any param table as a dictionary and back, by flatc's reflection: foreign ops
// carry their params in this form.
//
//===----------------------------------------------------------------------===//

#include "flatbuffers/minireflect.h"
#include "mlir/IR/Builders.h"
#include "modelwright/Interop/MGB/Types.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;
using flatbuffers::ElementaryType;

/// Key of the table's name among the fields.
static constexpr llvm::StringLiteral kTable = "table";

static const flatbuffers::TypeTable *getTypeTable(fbs::OperatorParam type) {
  const flatbuffers::TypeTable *members = fbs::OperatorParamTypeTable();
  // Members without gaps have no table of values: LookupEnum knows.
  int64_t k = flatbuffers::LookupEnum(static_cast<int64_t>(type),
                                      members->values, members->num_elems);
  if (k >= 0 && static_cast<size_t>(k) < members->num_elems &&
      members->type_codes[k].sequence_ref >= 0)
    return members->type_refs[members->type_codes[k].sequence_ref]();
  return nullptr;
}

/// Reads a scalar of a table or struct.
static Attribute readScalar(Builder &b, ElementaryType type,
                            const uint8_t *data) {
  auto integer = [&](unsigned bits, uint64_t value) -> Attribute {
    return b.getIntegerAttr(b.getIntegerType(bits), APInt(bits, value));
  };
  switch (type) {
  case flatbuffers::ET_BOOL:
    return b.getBoolAttr(*data != 0);
  case flatbuffers::ET_UTYPE:
  case flatbuffers::ET_CHAR:
  case flatbuffers::ET_UCHAR:
    return integer(8, *data);
  case flatbuffers::ET_SHORT:
  case flatbuffers::ET_USHORT:
    return integer(16, flatbuffers::ReadScalar<uint16_t>(data));
  case flatbuffers::ET_INT:
  case flatbuffers::ET_UINT:
    return integer(32, flatbuffers::ReadScalar<uint32_t>(data));
  case flatbuffers::ET_LONG:
  case flatbuffers::ET_ULONG:
    return integer(64, flatbuffers::ReadScalar<uint64_t>(data));
  // Floats go as bits: text must not lose the payload of a NaN.
  case flatbuffers::ET_FLOAT:
    return b.getF32FloatAttr(flatbuffers::ReadScalar<float>(data));
  case flatbuffers::ET_DOUBLE:
    return b.getF64FloatAttr(flatbuffers::ReadScalar<double>(data));
  default:
    return {};
  }
}

static unsigned getScalarSize(ElementaryType type) {
  switch (type) {
  case flatbuffers::ET_BOOL:
  case flatbuffers::ET_UTYPE:
  case flatbuffers::ET_CHAR:
  case flatbuffers::ET_UCHAR:
    return 1;
  case flatbuffers::ET_SHORT:
  case flatbuffers::ET_USHORT:
    return 2;
  case flatbuffers::ET_INT:
  case flatbuffers::ET_UINT:
  case flatbuffers::ET_FLOAT:
    return 4;
  case flatbuffers::ET_LONG:
  case flatbuffers::ET_ULONG:
  case flatbuffers::ET_DOUBLE:
    return 8;
  default:
    return 0;
  }
}

static Attribute getBytes(Builder &b, const uint8_t *data, size_t size) {
  return b.getDenseI8ArrayAttr(
      ArrayRef(reinterpret_cast<const int8_t *>(data), size));
}

DictionaryAttr mgb::paramToAttr(MLIRContext *context, const Param &param) {
  const flatbuffers::TypeTable *type = getTypeTable(param.type);
  if (!type)
    return {};
  Builder b(context);
  flatbuffers::FlatBufferBuilder fbb;
  fbb.Finish(flatbuffers::Offset<flatbuffers::Table>(param.Pack(fbb).o));
  const auto *table =
      flatbuffers::GetRoot<flatbuffers::Table>(fbb.GetBufferPointer());
  NamedAttrList fields;
  fields.append(kTable,
                b.getStringAttr(fbs::EnumNameOperatorParam(param.type)));
  for (size_t k = 0; k < type->num_elems; ++k) {
    const flatbuffers::TypeCode &code = type->type_codes[k];
    auto base = static_cast<ElementaryType>(code.base_type);
    flatbuffers::voffset_t slot = flatbuffers::FieldIndexToOffset(k);
    const uint8_t *data = table->GetAddressOf(slot);
    if (!data)
      continue;
    Attribute value;
    if (code.is_repeating) {
      // A vector of scalars or structs, as its bytes.
      const auto *vector =
          table->GetPointer<const flatbuffers::Vector<uint8_t> *>(slot);
      size_t element = getScalarSize(base);
      if (base == flatbuffers::ET_SEQUENCE)
        element = type->type_refs[code.sequence_ref]()
                      ->values[type->type_refs[code.sequence_ref]()->num_elems];
      value = getBytes(b, vector->Data(), vector->size() * element);
    } else if (base == flatbuffers::ET_SEQUENCE) {
      const flatbuffers::TypeTable *inner =
          type->type_refs[code.sequence_ref]();
      if (inner->st == flatbuffers::ST_STRUCT)
        value = getBytes(b, data, inner->values[inner->num_elems]);
    } else {
      value = readScalar(b, base, data);
    }
    if (!value)
      return {};
    fields.append(type->names[k], value);
  }
  return fields.getDictionary(context);
}

namespace {
/// A field to add; size 0 is an offset.
struct Field {
  flatbuffers::voffset_t slot;
  uint64_t bits;
  unsigned size;
};
} // namespace

static std::optional<uint64_t> getBits(Attribute attr) {
  if (auto boolean = dyn_cast<BoolAttr>(attr))
    return boolean.getValue();
  if (auto integer = dyn_cast<IntegerAttr>(attr))
    if (integer.getValue().getBitWidth() <= 64)
      return integer.getValue().getZExtValue();
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValue().bitcastToAPInt().getZExtValue();
  return std::nullopt;
}

std::optional<Param> mgb::paramFromAttr(DictionaryAttr attr) {
  auto name = attr.getAs<StringAttr>(kTable);
  if (!name)
    return std::nullopt;
  const flatbuffers::TypeTable *type = nullptr;
  fbs::OperatorParam tag = fbs::OperatorParam::NONE;
  for (fbs::OperatorParam candidate : fbs::EnumValuesOperatorParam())
    if (name.getValue() == fbs::EnumNameOperatorParam(candidate)) {
      tag = candidate;
      type = getTypeTable(candidate);
    }
  if (!type)
    return std::nullopt;
  flatbuffers::FlatBufferBuilder fbb;
  SmallVector<Field> fields;
  for (NamedAttribute named : attr) {
    if (named.getName() == kTable)
      continue;
    size_t k = 0;
    while (k < type->num_elems && named.getName() != type->names[k])
      ++k;
    if (k == type->num_elems)
      return std::nullopt;
    const flatbuffers::TypeCode &code = type->type_codes[k];
    auto base = static_cast<ElementaryType>(code.base_type);
    flatbuffers::voffset_t slot = flatbuffers::FieldIndexToOffset(k);
    auto bytes = dyn_cast<DenseI8ArrayAttr>(named.getValue());
    if (code.is_repeating) {
      size_t element = getScalarSize(base);
      if (base == flatbuffers::ET_SEQUENCE) {
        const flatbuffers::TypeTable *inner =
            type->type_refs[code.sequence_ref]();
        element = inner->values[inner->num_elems];
      }
      if (!bytes || !element || bytes.size() % element)
        return std::nullopt;
      // All vectors of the format have elements of 1, 4 or 8 bytes with an
      // alignment of at most 4.
      size_t align = element % 4 == 0 ? 4 : 1;
      fbb.StartVector(bytes.size() / align, align);
      fbb.PushBytes(
          reinterpret_cast<const uint8_t *>(bytes.asArrayRef().data()),
          bytes.size());
      fields.push_back({slot, fbb.EndVector(bytes.size() / element), 0});
      continue;
    }
    if (base == flatbuffers::ET_SEQUENCE)
      continue; // A struct: added inside the table below.
    std::optional<uint64_t> bits = getBits(named.getValue());
    if (!bits)
      return std::nullopt;
    fields.push_back({slot, *bits, getScalarSize(base)});
  }
  fbb.ForceDefaults(true);
  flatbuffers::uoffset_t start = fbb.StartTable();
  for (const Field &field : fields) {
    switch (field.size) {
    case 0:
      fbb.AddOffset(field.slot, flatbuffers::Offset<void>(field.bits));
      break;
    case 1:
      fbb.AddElement<uint8_t>(field.slot, field.bits, 0);
      break;
    case 2:
      fbb.AddElement<uint16_t>(field.slot, field.bits, 0);
      break;
    case 4:
      fbb.AddElement<uint32_t>(field.slot, field.bits, 0);
      break;
    default:
      fbb.AddElement<uint64_t>(field.slot, field.bits, 0);
      break;
    }
  }
  for (NamedAttribute named : attr) {
    size_t k = 0;
    while (k < type->num_elems && named.getName() != type->names[k])
      ++k;
    if (k == type->num_elems)
      continue;
    const flatbuffers::TypeCode &code = type->type_codes[k];
    if (code.is_repeating || code.base_type != flatbuffers::ET_SEQUENCE)
      continue;
    const flatbuffers::TypeTable *inner = type->type_refs[code.sequence_ref]();
    auto bytes = dyn_cast<DenseI8ArrayAttr>(named.getValue());
    if (!bytes || inner->st != flatbuffers::ST_STRUCT ||
        bytes.size() != inner->values[inner->num_elems])
      return std::nullopt;
    fbb.PushBytes(reinterpret_cast<const uint8_t *>(bytes.asArrayRef().data()),
                  bytes.size());
    fbb.AddStructOffset(flatbuffers::FieldIndexToOffset(k), fbb.GetSize());
  }
  fbb.Finish(flatbuffers::Offset<flatbuffers::Table>(fbb.EndTable(start)));
  const auto *table =
      flatbuffers::GetRoot<flatbuffers::Table>(fbb.GetBufferPointer());
  Param param;
  param.type = tag;
  param.value = Param::UnPack(table, tag, nullptr);
  if (!param.value)
    return std::nullopt;
  return param;
}
