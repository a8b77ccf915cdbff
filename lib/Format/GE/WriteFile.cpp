//===- WriteFile.cpp - Write a GE model file ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CannText.h"
#include "Container.h"
#include "Wire.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <google/protobuf/text_format.h>

using namespace modelwright::ge;
using llvm::StringRef;

/// Puts tensor data back into a message, for the text form.
static void inlineBlobs(google::protobuf::Message &message,
                        const std::vector<StringRef> &blobs) {
  const google::protobuf::Reflection *reflection = message.GetReflection();
  if (auto *tensor = dynamic_cast<proto::TensorDef *>(&message))
    if (tensor->has_blob()) {
      tensor->set_data(blobs[tensor->blob()].str());
      tensor->clear_blob();
    }
  std::vector<const google::protobuf::FieldDescriptor *> fields;
  reflection->ListFields(message, &fields);
  for (const auto *field : fields) {
    if (field->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE)
      continue;
    if (!field->is_repeated()) {
      inlineBlobs(*reflection->MutableMessage(&message, field), blobs);
      continue;
    }
    for (int k = 0; k < reflection->FieldSize(message, field); ++k)
      inlineBlobs(*reflection->MutableRepeatedMessage(&message, field, k),
                  blobs);
  }
}

static std::string printText(const proto::ModelDef &model) {
  if (isCannModel(model))
    return printCannText(model);
  std::string text;
  google::protobuf::TextFormat::PrintToString(model, &text);
  return text;
}

/// The message as text, with tensor data in it.
static std::string printText(const File &file) {
  if (file.blobs.empty())
    return printText(*file.model);
  proto::ModelDef copy = *file.model;
  inlineBlobs(copy, file.blobs);
  return printText(copy);
}

llvm::Error modelwright::ge::writeModel(const File &file,
                                        llvm::raw_ostream &os) {
  if (file.encoding == Encoding::Text) {
    os << printText(file);
    return llvm::Error::success();
  }
  std::string skeleton;
  if (!file.model->SerializeToString(&skeleton))
    return llvm::createStringError(
        "the model has more than 2 GiB without its weights");
  expandBlobs(skeleton, file.blobs, os);
  return llvm::Error::success();
}

namespace {
/// A stream that compares what is written with given bytes.
class ComparingStream : public llvm::raw_ostream {
public:
  explicit ComparingStream(StringRef expected)
      : raw_ostream(/*unbuffered=*/true), rest(expected) {}
  ~ComparingStream() override = default;

  bool isEqual() const { return equal && rest.empty(); }

private:
  void write_impl(const char *data, size_t size) override {
    position += size;
    // Tensor data is mostly compared with itself.
    equal = equal && size <= rest.size() &&
            (data == rest.data() || std::memcmp(data, rest.data(), size) == 0);
    rest = rest.drop_front(std::min(size, rest.size()));
  }
  uint64_t current_pos() const override { return position; }

  StringRef rest;
  uint64_t position = 0;
  bool equal = true;
};
} // namespace

bool modelwright::ge::isModelEqual(const File &file, StringRef bytes) {
  ComparingStream stream(bytes);
  if (llvm::Error error = writeModel(file, stream)) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return stream.isEqual();
}

llvm::Error modelwright::ge::writeFile(const File &file, llvm::raw_ostream &os,
                                       bool asRead) {
  assert((!asRead || file.wire) && "nothing was kept as it was read");
  if (!file.container) {
    if (!asRead)
      return writeModel(file, os);
    os << *file.wire;
    return llvm::Error::success();
  }
  std::string skeleton;
  if (!asRead && !file.model->SerializeToString(&skeleton))
    return llvm::createStringError(
        "the model has more than 2 GiB without its weights");
  const Container &container = *file.container;
  const Partition *model = container.find(kModelDef);
  std::vector<uint64_t> sizes;
  for (const Partition &partition : container.partitions) {
    if (&partition != model)
      sizes.push_back(partition.getSize());
    else
      sizes.push_back(asRead ? file.wire->size()
                             : getExpandedSize(skeleton, file.blobs));
  }
  if (llvm::Error error = writeContainerHead(container, sizes, os))
    return error;
  for (const Partition &partition : container.partitions) {
    os << partition.gap;
    if (&partition != model)
      for (StringRef piece : partition.pieces)
        os << piece;
    else if (asRead)
      os << *file.wire;
    else
      expandBlobs(skeleton, file.blobs, os);
  }
  os << container.tail;
  return llvm::Error::success();
}
