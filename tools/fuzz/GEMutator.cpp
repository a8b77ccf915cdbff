//===- GEMutator.cpp - Mutations of GE models -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GEMutator.h"

#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <random>

using namespace modelwright;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

namespace {
class Mutator {
public:
  Mutator(Message &root, unsigned seed) : random(seed) { collect(root); }

  void run();

private:
  void collect(Message &message);
  void mutateField(Message &message, const FieldDescriptor *field);
  /// Sets a field of a simple type, or element `k` of a repeated one.
  void setScalar(Message &message, const FieldDescriptor *field, int k);
  /// A copy of a message of the field's type from anywhere in the model, or an
  /// empty one. Made before the field is touched, which may free the original.
  std::unique_ptr<Message> copyMessage(const FieldDescriptor *field);

  size_t pick(size_t count) { return count ? random() % count : 0; }
  int64_t pickInt();
  std::string pickText();

  std::minstd_rand random;
  std::vector<Message *> messages;
  /// Texts of the model: names of ops, types, attributes, edges.
  std::vector<std::string> texts;
};
} // namespace

void Mutator::collect(Message &message) {
  messages.push_back(&message);
  const Reflection *reflection = message.GetReflection();
  std::vector<const FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor *field : fields) {
    int count =
        field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int k = 0; k < count; ++k) {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE)
        collect(*(field->is_repeated()
                      ? reflection->MutableRepeatedMessage(&message, field, k)
                      : reflection->MutableMessage(&message, field)));
      else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING)
        texts.push_back(field->is_repeated()
                            ? reflection->GetRepeatedString(message, field, k)
                            : reflection->GetString(message, field));
    }
  }
}

int64_t Mutator::pickInt() {
  static constexpr int64_t kInteresting[] = {
      0,         1,         -1,        2,         3,
      4,         5,         6,         -2,        16,
      INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, int64_t(1) << 32};
  return pick(4) ? kInteresting[pick(std::size(kInteresting))]
                 : static_cast<int64_t>(pick(1000));
}

std::string Mutator::pickText() {
  static const char *const kInteresting[] = {
      "",         ":0",        "x:-1",          "NCHW",  "NHWC",
      "SAME",     "Data",      "Const",         "value", "Activation",
      "Identity", "NetOutput", "axis",          "If",    "While",
      "version",  "\xff",      "merged_offset", "Pad",   "Permute"};
  if (!texts.empty() && pick(3))
    return texts[pick(texts.size())];
  return kInteresting[pick(std::size(kInteresting))];
}

void Mutator::setScalar(Message &message, const FieldDescriptor *field, int k) {
  const Reflection *reflection = message.GetReflection();
  // A negative k sets a field that is not repeated.
  auto set = [&](auto setOne, auto setRepeated, auto value) {
    if (k < 0)
      (reflection->*setOne)(&message, field, value);
    else
      (reflection->*setRepeated)(&message, field, k, value);
  };
  switch (field->cpp_type()) {
  case FieldDescriptor::CPPTYPE_INT64:
    return set(&Reflection::SetInt64, &Reflection::SetRepeatedInt64, pickInt());
  case FieldDescriptor::CPPTYPE_UINT32:
    return set(&Reflection::SetUInt32, &Reflection::SetRepeatedUInt32,
               static_cast<uint32_t>(pickInt()));
  case FieldDescriptor::CPPTYPE_FLOAT:
    return set(&Reflection::SetFloat, &Reflection::SetRepeatedFloat,
               static_cast<float>(pickInt()));
  case FieldDescriptor::CPPTYPE_BOOL:
    return set(&Reflection::SetBool, &Reflection::SetRepeatedBool,
               pick(2) != 0);
  case FieldDescriptor::CPPTYPE_ENUM:
    return set(&Reflection::SetEnumValue, &Reflection::SetRepeatedEnumValue,
               static_cast<int>(pick(40)));
  case FieldDescriptor::CPPTYPE_STRING:
    return set(&Reflection::SetString, &Reflection::SetRepeatedString,
               pickText());
  default:
    return;
  }
}

std::unique_ptr<Message> Mutator::copyMessage(const FieldDescriptor *field) {
  std::vector<Message *> candidates;
  for (Message *message : messages)
    if (message->GetDescriptor() == field->message_type())
      candidates.push_back(message);
  const Message *prototype =
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(
          field->message_type());
  std::unique_ptr<Message> copy(prototype->New());
  if (!candidates.empty())
    copy->CopyFrom(*candidates[pick(candidates.size())]);
  return copy;
}

void Mutator::mutateField(Message &message, const FieldDescriptor *field) {
  // The number of a blob is ours, not the file's.
  if (message.GetDescriptor() == ge::proto::TensorDef::descriptor() &&
      field->number() == ge::proto::TensorDef::kBlobFieldNumber)
    return;
  const Reflection *reflection = message.GetReflection();
  bool isMessage = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  if (!field->is_repeated()) {
    if (!pick(4)) {
      reflection->ClearField(&message, field);
    } else if (isMessage) {
      std::unique_ptr<Message> copy = copyMessage(field);
      reflection->MutableMessage(&message, field)->CopyFrom(*copy);
    } else {
      setScalar(message, field, -1);
    }
    return;
  }
  int count = reflection->FieldSize(message, field);
  int k = static_cast<int>(pick(count));
  size_t action = count ? pick(4) : 3;
  if (action == 0) {
    reflection->SwapElements(&message, field, k, static_cast<int>(pick(count)));
  } else if (action == 1) {
    reflection->SwapElements(&message, field, k, count - 1);
    reflection->RemoveLast(&message, field);
  } else if (action == 2) {
    if (isMessage) {
      std::unique_ptr<Message> copy = copyMessage(field);
      reflection->MutableRepeatedMessage(&message, field, k)->CopyFrom(*copy);
    } else {
      setScalar(message, field, k);
    }
  } else if (isMessage) {
    std::unique_ptr<Message> copy = copyMessage(field);
    reflection->AddMessage(&message, field)->CopyFrom(*copy);
  } else {
    switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection->AddInt64(&message, field, pickInt());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection->AddFloat(&message, field,
                                  static_cast<float>(pickInt()));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection->AddBool(&message, field, pick(2) != 0);
    case FieldDescriptor::CPPTYPE_STRING:
      return reflection->AddString(&message, field, pickText());
    default:
      return;
    }
  }
}

void Mutator::run() {
  Message &message = *messages[pick(messages.size())];
  const auto *type = message.GetDescriptor();
  // Fields that are there are more often worth a change than those that are
  // not.
  std::vector<const FieldDescriptor *> fields;
  message.GetReflection()->ListFields(message, &fields);
  if (fields.empty() || !pick(3)) {
    fields.clear();
    for (int k = 0; k < type->field_count(); ++k)
      fields.push_back(type->field(k));
  }
  mutateField(message, fields[pick(fields.size())]);
}

std::optional<std::string> modelwright::mutateGEModel(llvm::StringRef bytes,
                                                      unsigned seed) {
  llvm::Expected<ge::File> file = ge::readFile(
      llvm::MemoryBuffer::getMemBuffer(bytes, "", /*RequiresNullTerminator=*/
                                       false));
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  Mutator(*file->model, seed).run();
  std::string out;
  llvm::raw_string_ostream os(out);
  if (llvm::Error error = ge::writeFile(*file, os)) {
    llvm::consumeError(std::move(error));
    return std::nullopt;
  }
  return out;
}
