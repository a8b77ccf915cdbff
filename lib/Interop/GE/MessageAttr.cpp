//===- MessageAttr.cpp - GE messages as MLIR attributes -------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/MessageAttr.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <google/protobuf/reflection.h>
#include <google/protobuf/unknown_field_set.h>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/// Key of a message's unknown fields.
static constexpr llvm::StringLiteral kUnknown = "unknown";

/// Tensor data of that size goes to a resource.
static constexpr size_t kMinResource = 1024;

//===----------------------------------------------------------------------===//
// Message to attribute
//===----------------------------------------------------------------------===//

namespace {
class ToAttr {
public:
  ToAttr(MLIRContext *context, const File &file) : b(context), file(file) {}

  DictionaryAttr convert(const Message &message);

private:
  Attribute convertField(const Message &message, const FieldDescriptor *field);
  Attribute convertRepeated(const Message &message,
                            const FieldDescriptor *field);
  Attribute convertMessage(const Message &message);
  Attribute convertValue(const proto::AttrDef &value);
  /// The list itself if its kind and its elements agree, else null.
  Attribute convertList(const proto::AttrDef::ListValue &list);
  Attribute convertEntry(const proto::AttrEntry &entry);
  Attribute convertBlob(uint32_t blob);
  static bool hasUnknown(const Message &message) {
    return !message.GetReflection()->GetUnknownFields(message).empty();
  }

  Builder b;
  const File &file;
};
} // namespace

Attribute ToAttr::convertField(const Message &message,
                               const FieldDescriptor *field) {
  const Reflection *reflection = message.GetReflection();
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64:
    return b.getI64IntegerAttr(reflection->GetInt64(message, field));
  case FieldDescriptor::CPPTYPE_UINT32:
    return b.getI64IntegerAttr(reflection->GetUInt32(message, field));
  case FieldDescriptor::CPPTYPE_ENUM:
    return b.getI32IntegerAttr(reflection->GetEnumValue(message, field));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return b.getF32FloatAttr(reflection->GetFloat(message, field));
  case FieldDescriptor::CPPTYPE_BOOL:
    return b.getBoolAttr(reflection->GetBool(message, field));
  case FieldDescriptor::CPPTYPE_STRING:
    return b.getStringAttr(reflection->GetString(message, field));
  case FieldDescriptor::CPPTYPE_MESSAGE:
    return convertMessage(reflection->GetMessage(message, field));
  default:
    llvm_unreachable("the schema has no such fields");
  }
}

Attribute ToAttr::convertRepeated(const Message &message,
                                  const FieldDescriptor *field) {
  const Reflection *reflection = message.GetReflection();
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64: {
    const auto &values =
        reflection->GetRepeatedFieldRef<int64_t>(message, field);
    return b.getDenseI64ArrayAttr(
        SmallVector<int64_t>(values.begin(), values.end()));
  }
  case FieldDescriptor::CPPTYPE_FLOAT: {
    const auto &values = reflection->GetRepeatedFieldRef<float>(message, field);
    return b.getDenseF32ArrayAttr(
        SmallVector<float>(values.begin(), values.end()));
  }
  case FieldDescriptor::CPPTYPE_BOOL: {
    const auto &values = reflection->GetRepeatedFieldRef<bool>(message, field);
    return b.getDenseBoolArrayAttr(
        SmallVector<bool>(values.begin(), values.end()));
  }
  case FieldDescriptor::CPPTYPE_STRING: {
    SmallVector<Attribute> elements;
    for (int k = 0, e = reflection->FieldSize(message, field); k < e; ++k)
      elements.push_back(
          b.getStringAttr(reflection->GetRepeatedString(message, field, k)));
    return b.getArrayAttr(elements);
  }
  case FieldDescriptor::CPPTYPE_MESSAGE: {
    SmallVector<Attribute> elements;
    for (int k = 0, e = reflection->FieldSize(message, field); k < e; ++k)
      elements.push_back(
          convertMessage(reflection->GetRepeatedMessage(message, field, k)));
    return b.getArrayAttr(elements);
  }
  default:
    llvm_unreachable("the schema has no such fields");
  }
}

Attribute ToAttr::convertMessage(const Message &message) {
  if (message.GetDescriptor() == proto::AttrDef::descriptor())
    return convertValue(static_cast<const proto::AttrDef &>(message));
  if (message.GetDescriptor() == proto::AttrEntry::descriptor())
    return convertEntry(static_cast<const proto::AttrEntry &>(message));
  return convert(message);
}

Attribute ToAttr::convertEntry(const proto::AttrEntry &entry) {
  if (!entry.has_key() || !entry.has_value() || hasUnknown(entry))
    return convert(entry);
  return b.getArrayAttr(
      {b.getStringAttr(entry.key()), convertValue(entry.value())});
}

Attribute ToAttr::convertValue(const proto::AttrDef &value) {
  using proto::AttrDef;
  if (hasUnknown(value))
    return convert(value);
  switch (value.value_case()) {
  case AttrDef::VALUE_NOT_SET:
    return b.getUnitAttr();
  case AttrDef::kS:
    return b.getStringAttr(value.s());
  case AttrDef::kI:
    return b.getI64IntegerAttr(value.i());
  case AttrDef::kF:
    return b.getF32FloatAttr(value.f());
  case AttrDef::kB:
    return b.getBoolAttr(value.b());
  case AttrDef::kList:
    if (Attribute list = convertList(value.list()))
      return list;
    return convert(value);
  default:
    return convert(value);
  }
}

Attribute ToAttr::convertList(const proto::AttrDef::ListValue &list) {
  using proto::AttrDef;
  // Exactly one kind of elements, and the kind that the list names.
  std::vector<const FieldDescriptor *> fields;
  list.GetReflection()->ListFields(list, &fields);
  if (fields.size() != 2 || !list.has_val_type() || hasUnknown(list))
    return {};
  switch (list.val_type()) {
  case AttrDef::ListValue::VT_LIST_STRING:
    return list.s_size() ? convertRepeated(list, fields[0]) : Attribute();
  case AttrDef::ListValue::VT_LIST_INT:
    return list.i_size() ? convertRepeated(list, fields[0]) : Attribute();
  case AttrDef::ListValue::VT_LIST_FLOAT:
    return list.f_size() ? convertRepeated(list, fields[0]) : Attribute();
  case AttrDef::ListValue::VT_LIST_BOOL:
    return list.b_size() ? convertRepeated(list, fields[0]) : Attribute();
  default:
    return {};
  }
}

Attribute ToAttr::convertBlob(uint32_t blob) {
  llvm::StringRef bytes = file.blobs[blob];
  if (bytes.size() < kMinResource)
    return b.getStringAttr(bytes);
  auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                                    b.getI8Type());
  return nn::makeMappedElements(type, "ge_data",
                                ArrayRef<char>(bytes.data(), bytes.size()),
                                file.dataBuffer);
}

DictionaryAttr ToAttr::convert(const Message &message) {
  const Reflection *reflection = message.GetReflection();
  NamedAttrList dict;
  std::vector<const FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    if (message.GetDescriptor() == proto::TensorDef::descriptor() &&
        field->number() == proto::TensorDef::kBlobFieldNumber)
      dict.append("data", convertBlob(reflection->GetUInt32(message, field)));
    else
      dict.append(field->name(), field->is_repeated()
                                     ? convertRepeated(message, field)
                                     : convertField(message, field));
  }
  if (hasUnknown(message)) {
    std::string bytes;
    reflection->GetUnknownFields(message).SerializeToString(&bytes);
    dict.append(kUnknown, b.getStringAttr(bytes));
  }
  return dict.getDictionary(b.getContext());
}

DictionaryAttr modelwright::ge::toAttr(MLIRContext *context,
                                       const Message &message,
                                       const File &file) {
  return ToAttr(context, file).convert(message);
}

//===----------------------------------------------------------------------===//
// Attribute to message
//===----------------------------------------------------------------------===//

namespace {
class FromAttr {
public:
  FromAttr(File &file, llvm::function_ref<InFlightDiagnostic()> emitError)
      : file(file), emitError(emitError) {}

  LogicalResult convert(Attribute attr, Message &message, unsigned depth);

private:
  LogicalResult convertField(Attribute attr, Message &message,
                             const FieldDescriptor *field, unsigned depth);
  LogicalResult convertRepeated(Attribute attr, Message &message,
                                const FieldDescriptor *field, unsigned depth);
  LogicalResult convertMessage(Attribute attr, Message &message,
                               unsigned depth);
  LogicalResult convertValue(Attribute attr, proto::AttrDef &value,
                             unsigned depth);
  LogicalResult convertData(Attribute attr, proto::TensorDef &tensor);
  InFlightDiagnostic fail(const Message &message, StringRef field) {
    return emitError() << "field '" << field << "' of "
                       << message.GetDescriptor()->name() << " ";
  }

  File &file;
  llvm::function_ref<InFlightDiagnostic()> emitError;
};
} // namespace

LogicalResult FromAttr::convertField(Attribute attr, Message &message,
                                     const FieldDescriptor *field,
                                     unsigned depth) {
  const Reflection *reflection = message.GetReflection();
  auto failType = [&](StringRef wanted) {
    return fail(message, field->name())
           << "must be " << wanted << ", not " << attr;
  };
  auto getInteger = [&](unsigned bits) -> std::optional<int64_t> {
    auto integer = dyn_cast<IntegerAttr>(attr);
    if (!integer || isa<BoolAttr>(attr) ||
        integer.getValue().getSignificantBits() > bits)
      return std::nullopt;
    return integer.getValue().getSExtValue();
  };
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64:
    if (auto value = getInteger(64)) {
      reflection->SetInt64(&message, field, *value);
      return success();
    }
    return failType("a 64-bit integer");
  case FieldDescriptor::CPPTYPE_UINT32:
    if (auto value = getInteger(33); value && *value >= 0) {
      reflection->SetUInt32(&message, field, *value);
      return success();
    }
    return failType("an unsigned 32-bit integer");
  case FieldDescriptor::CPPTYPE_ENUM:
    if (auto value = getInteger(32)) {
      reflection->SetEnumValue(&message, field, *value);
      return success();
    }
    return failType("a 32-bit integer");
  case FieldDescriptor::CPPTYPE_FLOAT:
    if (auto value = dyn_cast<FloatAttr>(attr);
        value && value.getType().isF32()) {
      reflection->SetFloat(&message, field, value.getValue().convertToFloat());
      return success();
    }
    return failType("an f32");
  case FieldDescriptor::CPPTYPE_BOOL:
    if (auto value = dyn_cast<BoolAttr>(attr)) {
      reflection->SetBool(&message, field, value.getValue());
      return success();
    }
    return failType("a boolean");
  case FieldDescriptor::CPPTYPE_STRING:
    if (auto value = dyn_cast<StringAttr>(attr)) {
      reflection->SetString(&message, field, value.str());
      return success();
    }
    return failType("a string");
  case FieldDescriptor::CPPTYPE_MESSAGE:
    return convertMessage(attr, *reflection->MutableMessage(&message, field),
                          depth + 1);
  default:
    llvm_unreachable("the schema has no such fields");
  }
}

LogicalResult FromAttr::convertRepeated(Attribute attr, Message &message,
                                        const FieldDescriptor *field,
                                        unsigned depth) {
  const Reflection *reflection = message.GetReflection();
  auto failType = [&](StringRef wanted) {
    return fail(message, field->name())
           << "must be " << wanted << ", not " << attr;
  };
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64: {
    auto values = dyn_cast<DenseI64ArrayAttr>(attr);
    if (!values)
      return failType("an array of i64");
    for (int64_t value : values.asArrayRef())
      reflection->AddInt64(&message, field, value);
    return success();
  }
  case FieldDescriptor::CPPTYPE_FLOAT: {
    auto values = dyn_cast<DenseF32ArrayAttr>(attr);
    if (!values)
      return failType("an array of f32");
    for (float value : values.asArrayRef())
      reflection->AddFloat(&message, field, value);
    return success();
  }
  case FieldDescriptor::CPPTYPE_BOOL: {
    auto values = dyn_cast<DenseBoolArrayAttr>(attr);
    if (!values)
      return failType("an array of i1");
    for (bool value : values.asArrayRef())
      reflection->AddBool(&message, field, value);
    return success();
  }
  case FieldDescriptor::CPPTYPE_STRING: {
    auto values = dyn_cast<ArrayAttr>(attr);
    if (!values)
      return failType("an array of strings");
    for (Attribute element : values) {
      auto text = dyn_cast<StringAttr>(element);
      if (!text)
        return failType("an array of strings");
      reflection->AddString(&message, field, text.str());
    }
    return success();
  }
  case FieldDescriptor::CPPTYPE_MESSAGE: {
    auto values = dyn_cast<ArrayAttr>(attr);
    if (!values)
      return failType("an array");
    for (Attribute element : values)
      if (failed(convertMessage(
              element, *reflection->AddMessage(&message, field), depth + 1)))
        return failure();
    return success();
  }
  default:
    llvm_unreachable("the schema has no such fields");
  }
}

LogicalResult FromAttr::convertMessage(Attribute attr, Message &message,
                                       unsigned depth) {
  if (depth > kMaxNesting)
    return emitError() << "messages are nested deeper than " << kMaxNesting
                       << " levels";
  if (auto *value = dynamic_cast<proto::AttrDef *>(&message))
    return convertValue(attr, *value, depth);
  if (auto *entry = dynamic_cast<proto::AttrEntry *>(&message))
    if (auto pair = dyn_cast<ArrayAttr>(attr)) {
      auto key =
          pair.size() == 2 ? dyn_cast<StringAttr>(pair[0]) : StringAttr();
      if (!key)
        return emitError() << "an entry of an attribute map must be a pair of "
                              "key and value, not "
                           << attr;
      entry->set_key(key.str());
      return convertValue(pair[1], *entry->mutable_value(), depth + 1);
    }
  return convert(attr, message, depth);
}

LogicalResult FromAttr::convertValue(Attribute attr, proto::AttrDef &value,
                                     unsigned depth) {
  using List = proto::AttrDef::ListValue;
  auto convertList = [&](List::ListValueType type, StringRef fieldName) {
    List *list = value.mutable_list();
    list->set_val_type(type);
    return convertRepeated(attr, *list,
                           List::descriptor()->FindFieldByName(fieldName.str()),
                           depth);
  };
  auto convertScalar = [&](StringRef fieldName) {
    return convertField(
        attr, value,
        proto::AttrDef::descriptor()->FindFieldByName(fieldName.str()), depth);
  };
  if (isa<UnitAttr>(attr))
    return success();
  if (isa<StringAttr>(attr))
    return convertScalar("s");
  if (isa<BoolAttr>(attr))
    return convertScalar("b");
  if (isa<IntegerAttr>(attr))
    return convertScalar("i");
  if (isa<FloatAttr>(attr))
    return convertScalar("f");
  if (isa<DenseI64ArrayAttr>(attr))
    return convertList(List::VT_LIST_INT, "i");
  if (isa<DenseF32ArrayAttr>(attr))
    return convertList(List::VT_LIST_FLOAT, "f");
  if (isa<DenseBoolArrayAttr>(attr))
    return convertList(List::VT_LIST_BOOL, "b");
  if (isa<ArrayAttr>(attr))
    return convertList(List::VT_LIST_STRING, "s");
  return convert(attr, value, depth);
}

LogicalResult FromAttr::convertData(Attribute attr, proto::TensorDef &tensor) {
  llvm::StringRef bytes;
  if (auto text = dyn_cast<StringAttr>(attr)) {
    bytes = text.getValue();
    // Present but empty: no blob, which would be left out.
    if (bytes.empty()) {
      tensor.set_data("");
      return success();
    }
  } else if (auto elements = dyn_cast<ElementsAttr>(attr);
             elements && elements.getElementType().isInteger(8)) {
    SmallVector<char> storage;
    std::optional<ArrayRef<char>> raw = nn::getRawBytes(elements, storage);
    if (!raw)
      return emitError() << "the bytes of tensor data are missing (elided?)";
    if (!storage.empty()) {
      tensor.set_data(std::string(raw->begin(), raw->end()));
      return success();
    }
    bytes = llvm::StringRef(raw->data(), raw->size());
  } else {
    return fail(tensor, "data") << "must be a string or elements of i8";
  }
  tensor.set_blob(file.blobs.size());
  file.blobs.push_back(bytes);
  return success();
}

LogicalResult FromAttr::convert(Attribute attr, Message &message,
                                unsigned depth) {
  auto dict = dyn_cast_or_null<DictionaryAttr>(attr);
  if (!dict)
    return emitError() << message.GetDescriptor()->name()
                       << " must be a dictionary, not " << attr;
  auto *value = dynamic_cast<proto::AttrDef *>(&message);
  bool hasKind = false;
  for (NamedAttribute entry : dict) {
    StringRef name = entry.getName().strref();
    if (name == kUnknown) {
      auto bytes = dyn_cast<StringAttr>(entry.getValue());
      if (!bytes || !message.GetReflection()
                         ->MutableUnknownFields(&message)
                         ->ParseFromString(bytes.str()))
        return fail(message, name) << "must be a string of wire bytes";
      continue;
    }
    if (auto *tensor = dynamic_cast<proto::TensorDef *>(&message);
        tensor && name == "data") {
      if (failed(convertData(entry.getValue(), *tensor)))
        return failure();
      continue;
    }
    const FieldDescriptor *field =
        message.GetDescriptor()->FindFieldByName(name.str());
    if (!field || field->number() == proto::TensorDef::kBlobFieldNumber)
      return fail(message, name) << "does not exist";
    if (value && std::exchange(hasKind, true))
      return fail(message, name) << "is a second kind of value";
    if (failed(field->is_repeated()
                   ? convertRepeated(entry.getValue(), message, field, depth)
                   : convertField(entry.getValue(), message, field, depth)))
      return failure();
  }
  return success();
}

LogicalResult
modelwright::ge::fromAttr(DictionaryAttr attr, Message &message, File &file,
                          llvm::function_ref<InFlightDiagnostic()> emitError) {
  return FromAttr(file, emitError).convert(attr, message, 0);
}
