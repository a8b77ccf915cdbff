//===- CannText.cpp - Models as CANN spells them
//----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CannText.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

using namespace modelwright::ge;
using namespace google::protobuf;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Signs
//===----------------------------------------------------------------------===//

namespace {
/// What a model has that only one generation can say.
struct Signs {
  bool mobile = false, cann = false;
};
} // namespace

static void findSigns(const proto::AttrDef &value, Signs &signs) {
  // Under one number: what both cannot say.
  signs.mobile |= value.has_list_list_float();
  signs.cann |= value.has_list_list_float_cann() || value.has_expression() ||
                (value.has_list() && value.list().dt_size() != 0);
  const UnknownFieldSet &unknown =
      value.GetReflection()->GetUnknownFields(value);
  for (int k = 0; k < unknown.field_count(); ++k)
    signs.cann |= unknown.field(k).number() ==
                      proto::AttrDef::kListListFloatFieldNumber &&
                  unknown.field(k).type() == UnknownField::TYPE_VARINT;
}

static void findSigns(const Message &message, Signs &signs) {
  if (const auto *value = dynamic_cast<const proto::AttrDef *>(&message))
    findSigns(*value, signs);
  else if (const auto *op = dynamic_cast<const proto::OpDef *>(&message))
    signs.cann |= op->subgraph_name_size() != 0;
  else if (const auto *entry = dynamic_cast<const proto::AttrEntry *>(&message))
    signs.cann |= StringRef(entry->key()).starts_with("_ir_") ||
                  StringRef(entry->key()).starts_with("_input_name_") ||
                  entry->key() == "origin_format";
  const Reflection *reflection = message.GetReflection();
  std::vector<const FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated()) {
      findSigns(reflection->GetMessage(message, field), signs);
      continue;
    }
    for (int k = 0; k < reflection->FieldSize(message, field); ++k)
      findSigns(reflection->GetRepeatedMessage(message, field, k), signs);
  }
}

bool modelwright::ge::hasCannSigns(const proto::ModelDef &model) {
  Signs signs;
  findSigns(static_cast<const Message &>(model), signs);
  return signs.cann;
}

bool modelwright::ge::isCannModel(const proto::ModelDef &model) {
  Signs signs;
  findSigns(static_cast<const Message &>(model), signs);
  return signs.cann && !signs.mobile;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

namespace {
/// CANN's schema, made of ours.
class CannSchema {
public:
  static CannSchema &get() {
    static CannSchema schema;
    return schema;
  }

  std::unique_ptr<Message> makeModel() {
    return std::unique_ptr<Message>(factory.GetPrototype(type)->New());
  }

private:
  CannSchema();

  DescriptorPool pool;
  DynamicMessageFactory factory;
  const Descriptor *type;
};
} // namespace

static FieldDescriptorProto &findField(DescriptorProto &message, int number) {
  for (FieldDescriptorProto &field : *message.mutable_field())
    if (field.number() == number)
      return field;
  llvm_unreachable("no such field in the schema");
}

static void rename(FieldDescriptorProto &field, const char *name) {
  field.set_name(name);
  field.clear_json_name();
}

CannSchema::CannSchema() {
  FileDescriptorProto file;
  proto::ModelDef::descriptor()->file()->CopyTo(&file);
  file.set_name("ge/cann.proto");
  for (DescriptorProto &message : *file.mutable_message_type()) {
    if (message.name() != "AttrDef")
      continue;
    FieldDescriptorProto &dt =
        findField(message, proto::AttrDef::kListListFloatFieldNumber);
    rename(dt, "dt");
    dt.set_type(FieldDescriptorProto::TYPE_INT64);
    dt.clear_type_name();
    rename(findField(message, proto::AttrDef::kListListFloatCannFieldNumber),
           "list_list_float");
    for (DescriptorProto &nested : *message.mutable_nested_type())
      if (nested.name() == "ListValue")
        rename(findField(nested, proto::AttrDef::ListValue::kTfFieldNumber),
               "td");
  }
  const FileDescriptor *built = pool.BuildFile(file);
  assert(built && "the schema with other names is no schema");
  type = built->FindMessageTypeByName("ModelDef");
}

/// Copies a message by way of the wire format, which both schemas share.
static bool convert(const Message &from, Message &to) {
  std::string bytes;
  return from.SerializePartialToString(&bytes) &&
         to.ParsePartialFromString(bytes);
}

bool modelwright::ge::parseCannText(StringRef text, proto::ModelDef &model,
                                    io::ErrorCollector *errors) {
  io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  TextFormat::Parser parser;
  parser.RecordErrorsTo(errors);
  parser.SetRecursionLimit(kMaxNesting);
  std::unique_ptr<Message> message = CannSchema::get().makeModel();
  return parser.Parse(&stream, message.get()) && convert(*message, model);
}

std::string modelwright::ge::printCannText(const proto::ModelDef &model) {
  std::unique_ptr<Message> message = CannSchema::get().makeModel();
  std::string text;
  if (convert(model, *message))
    TextFormat::PrintToString(*message, &text);
  return text;
}
