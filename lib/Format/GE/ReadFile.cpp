//===- ReadFile.cpp - Read a GE model file --------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CannText.h"
#include "Container.h"
#include "Wire.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

using namespace modelwright::ge;
using google::protobuf::io::ArrayInputStream;
using llvm::StringRef;

File::File() : model(std::make_unique<proto::ModelDef>()) {}
File::File(File &&) noexcept = default;
File &File::operator=(File &&) noexcept = default;
File::~File() = default;

/// Parses the binary ModelDef that lies `offset` bytes into the file.
static llvm::Error parseBinary(StringRef bytes, uint64_t offset, File &file) {
  llvm::Expected<Skeleton> skeleton = extractBlobs(bytes, offset);
  if (!skeleton)
    return skeleton.takeError();
  if (skeleton->bytes.size() > INT32_MAX)
    return llvm::make_error<ReadError>(
        "the model has more than 2 GiB without its weights");
  // What the extractor let through is well-formed; limits of protobuf's own
  // may still be hit.
  if (!file.model->ParseFromString(skeleton->bytes))
    return llvm::make_error<ReadError>("protobuf cannot parse the ModelDef",
                                       static_cast<int64_t>(offset));
  file.blobs = std::move(skeleton->blobs);
  return llvm::Error::success();
}

static llvm::Error readBinary(StringRef bytes, uint64_t offset, File &file) {
  if (llvm::Error error = parseBinary(bytes, offset, file))
    return error;
  if (!isModelEqual(file, bytes))
    file.wire = bytes;
  return llvm::Error::success();
}

namespace {
/// Keeps the first complaint of the text parser.
class ErrorCollector : public google::protobuf::io::ErrorCollector {
public:
  void AddError(int line, int column, const std::string &text) override {
    if (message.empty())
      message = "line " + std::to_string(line + 1) + ", column " +
                std::to_string(column + 1) + ": " + text;
  }
  void AddWarning(int, int, const std::string &) override {}

  std::string message;
};
} // namespace

static llvm::Error readText(StringRef bytes, File &file) {
  file.encoding = Encoding::Text;
  if (bytes.size() > INT32_MAX)
    return llvm::make_error<ReadError>("text model of more than 2 GiB");
  ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  ErrorCollector errors;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  parser.SetRecursionLimit(kMaxNesting);
  bool isParsed = parser.Parse(&stream, file.model.get());
  // What the names of one generation do not fit may be of the other; a name
  // that means something else in each is meant as the model's other signs tell.
  if (!isParsed || hasCannSigns(*file.model)) {
    ErrorCollector ignored;
    auto model = std::make_unique<proto::ModelDef>();
    if (parseCannText(bytes, *model, &ignored)) {
      file.model = std::move(model);
      isParsed = true;
    }
  }
  if (!isParsed)
    return llvm::make_error<ReadError>(errors.message.empty()
                                           ? "protobuf cannot parse the text"
                                           : errors.message);
  // Tensor data comes out of the binary form, as it does elsewhere.
  std::string binary;
  if (!file.model->SerializeToString(&binary))
    return llvm::make_error<ReadError>("text model of more than 2 GiB");
  file.dataBuffer = llvm::MemoryBuffer::getMemBufferCopy(binary);
  // Its offsets are none of the text.
  if (llvm::Error error =
          llvm::handleErrors(parseBinary(file.dataBuffer->getBuffer(), 0, file),
                             [](std::unique_ptr<ReadError> fault) {
                               fault->offset = -1;
                               return llvm::Error(std::move(fault));
                             }))
    return error;
  if (!isModelEqual(file, bytes))
    file.wire = bytes;
  return llvm::Error::success();
}

llvm::Expected<File>
modelwright::ge::readFile(const std::shared_ptr<llvm::MemoryBuffer> &buffer) {
  File file;
  file.buffer = file.dataBuffer = buffer;
  StringRef bytes = buffer->getBuffer();
  auto unsupported = [](const char *what) {
    return llvm::make_error<ReadError>(std::string(what) + " is not supported");
  };
  switch (sniff(bytes)) {
  case FileKind::PICO:
    return unsupported("a PICO container (the SVP format)");
  case FileKind::Special:
    return unsupported("a third-party accelerator's model");
  case FileKind::ONNXText:
    return unsupported("an ONNX-style dump, made for viewers only,");
  case FileKind::Unknown:
    return llvm::make_error<ReadError>("this is no GE model");
  case FileKind::Text:
    if (llvm::Error error = readText(bytes, file))
      return std::move(error);
    break;
  case FileKind::Model:
    if (llvm::Error error = readBinary(bytes, 0, file))
      return std::move(error);
    break;
  case FileKind::IMOD: {
    llvm::Expected<Container> container = readContainer(bytes);
    if (!container)
      return container.takeError();
    file.container = std::move(*container);
    StringRef model = file.container->find(kModelDef)->pieces.front();
    if (llvm::Error error =
            readBinary(model, model.data() - bytes.data(), file))
      return std::move(error);
    break;
  }
  }
  return std::move(file);
}
