//===- Wire.cpp - protobuf's wire format ----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wire.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <optional>

using namespace modelwright::ge;
using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

/// Takes a varint of at most ten bytes off the front of `bytes`.
static bool takeVarint(StringRef &bytes, uint64_t &value) {
  value = 0;
  for (unsigned k = 0; k < 10 && k < bytes.size(); ++k) {
    uint64_t byte = static_cast<uint8_t>(bytes[k]);
    // The tenth byte has room for one bit only; protobuf drops the rest.
    value |= (byte & 0x7f) << (7 * k);
    if (!(byte & 0x80)) {
      bytes = bytes.drop_front(k + 1);
      return true;
    }
  }
  return false;
}

void modelwright::ge::appendVarint(std::string &out, uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

static unsigned getVarintSize(uint64_t value) {
  unsigned size = 1;
  while (value >>= 7)
    ++size;
  return size;
}

bool modelwright::ge::takeField(StringRef &bytes, WireField &field,
                                std::string &fault) {
  StringRef rest = bytes;
  uint64_t tag;
  if (!takeVarint(rest, tag)) {
    fault = "field tag is cut off or too long";
    return false;
  }
  if (tag >> 32 || (tag >> 3) == 0) {
    fault = "field tag " + std::to_string(tag) + " is not valid";
    return false;
  }
  field.number = static_cast<uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7);
  field.payload = {};
  std::string number = "field " + std::to_string(field.number);
  uint64_t value;
  switch (field.type) {
  case WireType::Varint:
    if (!takeVarint(rest, value)) {
      fault = number + ": varint is cut off or too long";
      return false;
    }
    break;
  case WireType::Fixed64:
  case WireType::Fixed32: {
    size_t size = field.type == WireType::Fixed64 ? 8 : 4;
    if (rest.size() < size) {
      fault = number + ": value is cut off";
      return false;
    }
    rest = rest.drop_front(size);
    break;
  }
  case WireType::Length:
    if (!takeVarint(rest, value)) {
      fault = number + ": length is cut off or too long";
      return false;
    }
    if (value > rest.size()) {
      fault = number + ": length " + std::to_string(value) + " exceeds the " +
              std::to_string(rest.size()) + " bytes left";
      return false;
    }
    field.payload = rest.take_front(value);
    rest = rest.drop_front(value);
    break;
  default:
    fault = number + ": wire type " +
            std::to_string(static_cast<unsigned>(field.type)) +
            " does not occur in this format";
    return false;
  }
  field.whole = bytes.take_front(bytes.size() - rest.size());
  bytes = rest;
  return true;
}

/// The message type of a field if it is one and is stored as one.
static const Descriptor *getMessageType(const Descriptor *type,
                                        const WireField &field) {
  if (field.type != WireType::Length)
    return nullptr;
  const FieldDescriptor *descriptor = type->FindFieldByNumber(field.number);
  return descriptor && descriptor->type() == FieldDescriptor::TYPE_MESSAGE
             ? descriptor->message_type()
             : nullptr;
}

/// Whether TensorDef.data can lie in a message of this type. Descriptors and
/// shapes are most of a file and need no second look.
static bool isTensor(const Descriptor *type) {
  return type == proto::TensorDef::descriptor();
}

//===----------------------------------------------------------------------===//
// Extraction
//===----------------------------------------------------------------------===//

namespace {
class Extractor {
public:
  Extractor(StringRef model, uint64_t offset)
      : model(model), fileOffset(offset) {}

  llvm::Expected<Skeleton> run() {
    skeleton.bytes = extract(proto::ModelDef::descriptor(), model, 0);
    if (error)
      return std::move(error);
    return std::move(skeleton);
  }

private:
  /// The skeleton of one message; stops at the first fault.
  std::string extract(const Descriptor *type, StringRef bytes, unsigned depth);
  void fail(const std::string &message, StringRef at);

  StringRef model;
  uint64_t fileOffset;
  Skeleton skeleton;
  llvm::Error error = llvm::Error::success();
  bool failed = false;
  /// The op of the main graph that is being walked.
  int64_t opIndex = -1;
  unsigned graphs = 0;
  std::string opName, opType;
};
} // namespace

void Extractor::fail(const std::string &message, StringRef at) {
  failed = true;
  error = llvm::make_error<ReadError>(
      message, static_cast<int64_t>(fileOffset + (at.data() - model.data())),
      opIndex, opName, opType);
}

std::string Extractor::extract(const Descriptor *type, StringRef bytes,
                               unsigned depth) {
  std::string out;
  if (depth >= kMaxNesting) {
    fail("messages are nested deeper than " + std::to_string(kMaxNesting) +
             " levels",
         bytes);
    return out;
  }
  out.reserve(std::min<size_t>(bytes.size(), 1 << 16));
  const bool tensor = isTensor(type);
  const bool mainGraph = depth == 1 && graphs == 1;
  const bool mainOp = depth == 2 && opIndex >= 0;
  bool hasData = false;
  int64_t nextOp = 0;
  while (!bytes.empty() && !failed) {
    WireField field;
    std::string fault;
    StringRef start = bytes;
    if (!takeField(bytes, field, fault)) {
      fail(fault, start);
      break;
    }
    if (tensor && field.number == proto::TensorDef::kBlobFieldNumber) {
      fail("tensor has the reserved field " + std::to_string(field.number),
           start);
      break;
    }
    if (tensor && field.number == proto::TensorDef::kDataFieldNumber &&
        field.type == WireType::Length && !field.payload.empty()) {
      if (hasData) {
        fail("tensor holds its data twice", start);
        break;
      }
      hasData = true;
      appendVarint(out, uint64_t(proto::TensorDef::kBlobFieldNumber) << 3);
      appendVarint(out, skeleton.blobs.size());
      skeleton.blobs.push_back(field.payload);
      continue;
    }
    if (mainOp && field.type == WireType::Length) {
      if (field.number == proto::OpDef::kNameFieldNumber)
        opName = field.payload.str();
      else if (field.number == proto::OpDef::kTypeFieldNumber)
        opType = field.payload.str();
    }
    const Descriptor *child = getMessageType(type, field);
    if (!child) {
      out.append(field.whole.data(), field.whole.size());
      continue;
    }
    const bool isGraph =
        depth == 0 && field.number == proto::ModelDef::kGraphFieldNumber;
    const bool isOp =
        mainGraph && field.number == proto::GraphDef::kOpFieldNumber;
    if (isGraph)
      ++graphs;
    if (isOp)
      opIndex = nextOp++;
    std::string message = extract(child, field.payload, depth + 1);
    if (failed)
      break;
    if (isOp) {
      opIndex = -1;
      opName.clear();
      opType.clear();
    }
    appendVarint(out, uint64_t(field.number) << 3 |
                          static_cast<unsigned>(WireType::Length));
    appendVarint(out, message.size());
    out += message;
  }
  return out;
}

llvm::Expected<Skeleton> modelwright::ge::extractBlobs(StringRef model,
                                                       uint64_t offset) {
  return Extractor(model, offset).run();
}

//===----------------------------------------------------------------------===//
// Expansion
//===----------------------------------------------------------------------===//

namespace {
/// Walks a skeleton twice in the same order: `measure` notes the expanded size
/// of every message, `write` takes these sizes up again.
class Expander {
public:
  explicit Expander(const std::vector<StringRef> &blobs) : blobs(blobs) {}

  uint64_t measure(const Descriptor *type, StringRef bytes);
  void write(const Descriptor *type, StringRef bytes, llvm::raw_ostream &os);

private:
  static std::optional<uint64_t> getBlob(bool tensor, const WireField &field) {
    if (!tensor || field.number != proto::TensorDef::kBlobFieldNumber)
      return std::nullopt;
    StringRef rest = field.whole;
    uint64_t tag, index;
    takeVarint(rest, tag);
    takeVarint(rest, index);
    return index;
  }

  const std::vector<StringRef> &blobs;
  std::vector<uint64_t> sizes;
  size_t next = 0;
};
} // namespace

/// A field of a message that libprotobuf or extractBlobs made.
static WireField takeSound(StringRef &bytes) {
  WireField field;
  std::string fault;
  [[maybe_unused]] bool sound = takeField(bytes, field, fault);
  assert(sound && "not a message that was checked before");
  return field;
}

uint64_t Expander::measure(const Descriptor *type, StringRef bytes) {
  const size_t slot = sizes.size();
  sizes.push_back(0);
  const bool tensor = isTensor(type);
  uint64_t size = 0;
  while (!bytes.empty()) {
    WireField field = takeSound(bytes);
    if (std::optional<uint64_t> blob = getBlob(tensor, field)) {
      uint64_t length = blobs[*blob].size();
      size += 1 + getVarintSize(length) + length;
    } else if (const Descriptor *child = getMessageType(type, field)) {
      uint64_t length = measure(child, field.payload);
      size += getVarintSize(uint64_t(field.number) << 3) +
              getVarintSize(length) + length;
    } else {
      size += field.whole.size();
    }
  }
  return sizes[slot] = size;
}

void Expander::write(const Descriptor *type, StringRef bytes,
                     llvm::raw_ostream &os) {
  ++next;
  const bool tensor = isTensor(type);
  auto writeHead = [&](uint32_t number, uint64_t length) {
    std::string head;
    appendVarint(head, uint64_t(number) << 3 |
                           static_cast<unsigned>(WireType::Length));
    appendVarint(head, length);
    os << head;
  };
  while (!bytes.empty()) {
    WireField field = takeSound(bytes);
    if (std::optional<uint64_t> blob = getBlob(tensor, field)) {
      writeHead(proto::TensorDef::kDataFieldNumber, blobs[*blob].size());
      os << blobs[*blob];
    } else if (const Descriptor *child = getMessageType(type, field)) {
      writeHead(field.number, sizes[next]);
      write(child, field.payload, os);
    } else {
      os << field.whole;
    }
  }
}

void modelwright::ge::expandBlobs(const std::string &skeleton,
                                  const std::vector<StringRef> &blobs,
                                  llvm::raw_ostream &os) {
  Expander expander(blobs);
  expander.measure(proto::ModelDef::descriptor(), skeleton);
  expander.write(proto::ModelDef::descriptor(), skeleton, os);
}

uint64_t modelwright::ge::getExpandedSize(const std::string &skeleton,
                                          const std::vector<StringRef> &blobs) {
  return Expander(blobs).measure(proto::ModelDef::descriptor(), skeleton);
}
