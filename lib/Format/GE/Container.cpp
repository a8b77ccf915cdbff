//===- Container.cpp - The IMOD container ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Container.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Endian.h"

using namespace modelwright::ge;
using llvm::StringRef;
using llvm::support::endian::read32le;
using llvm::support::endian::read64le;
using llvm::support::endian::write32le;
using llvm::support::endian::write64le;

// Offsets of the header's fields (format.md 2.1).
static constexpr size_t kHeadSizeAt = 4;
static constexpr size_t kVersionAt = 8;
static constexpr size_t kLengthAt = 76;
static constexpr size_t kIsEncryptAt = 80;
static constexpr size_t kModelTypeAt = 82;
static constexpr size_t kNameAt = 84;
static constexpr size_t kNameSize = 32;
static constexpr size_t kIRVersionAt = 152;
static constexpr size_t kMobilePlatformAt = 156;
static constexpr size_t kModelCountAt = 156; // Server.
static constexpr size_t kServerPlatformAt = 160;
static constexpr size_t kPlatformSize = 20;
static constexpr size_t kServerLengthAt = 184;

static constexpr uint32_t kMobileVersion = 0x10000000;
static constexpr uint32_t kServerVersion = 0x20000000;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

uint32_t Container::getVersion() const {
  return read32le(header.data() + kVersionAt);
}
uint8_t Container::getModelType() const {
  return static_cast<uint8_t>(header[kModelTypeAt]);
}
bool Container::isEncrypted() const { return header[kIsEncryptAt] != 0; }
uint32_t Container::getIRVersion() const {
  return read32le(header.data() + kIRVersionAt);
}

/// A text of at most `size` bytes, up to its first NUL.
static StringRef getText(const Container &container, size_t at, size_t size) {
  return StringRef(container.header.data() + at, size).take_until([](char c) {
    return c == 0;
  });
}

StringRef Container::getName() const {
  return getText(*this, kNameAt, kNameSize);
}
StringRef Container::getPlatformVersion() const {
  return getText(*this, isServer ? kServerPlatformAt : kMobilePlatformAt,
                 kPlatformSize);
}

uint64_t Partition::getSize() const {
  uint64_t size = 0;
  for (StringRef piece : pieces)
    size += piece.size();
  return size;
}

const Partition *Container::find(uint32_t type) const {
  for (const Partition &partition : partitions)
    if (partition.type == type)
      return &partition;
  return nullptr;
}

StringRef modelwright::ge::describeModelType(const Container &container) {
  static constexpr StringRef mobile[] = {"whole-graph IR of version 0",
                                         "standard OM",
                                         "tiny",
                                         "standard IR graph",
                                         "compiled heterogeneous graph",
                                         "ISP-NN",
                                         "third-party",
                                         "IR API graph",
                                         "micro-tiny",
                                         "multi shape",
                                         "enumerated shape",
                                         "single IP",
                                         "multi-shape single IP"};
  static constexpr StringRef server[] = {"IR graph", "standard (compiled)",
                                         "tiny",     "flow model",
                                         "lite",     "bundle"};
  llvm::ArrayRef<StringRef> names = mobile;
  if (container.isServer)
    names = server;
  uint8_t type = container.getModelType();
  return type < names.size() ? names[type] : "unknown";
}

StringRef modelwright::ge::describePartition(const Container &container,
                                             uint32_t type) {
  static constexpr StringRef mobile[] = {
      "MODEL_DEF",        "WEIGHTS_DATA",   "TASK_INFO",
      "TASK_GRAPH",       "SIGNATURE_INFO", "MODEL_CONFIG",
      "AIPP_CUSTOM_INFO", "ENCRYPT_INFO",   "WEIGHT_INFO"};
  static constexpr StringRef server[] = {
      "MODEL_DEF",        "WEIGHTS_DATA",       "TASK_INFO",
      "TBE_KERNELS",      "CUST_AICPU_KERNELS", "SO_BINS",
      "FLOW_MODEL",       "FLOW_SUBMODEL",      "MODEL_INOUT_INFO",
      "STATIC_TASK_DESC", "DYNAMIC_TASK_DESC",  "TASK_PARAM",
      "TILING_DATA"};
  static constexpr StringRef serverFrom20[] = {
      "PRE_MODEL_DESC",    "PRE_MODEL_SQE",
      "PRE_KERNEL_ARGS",   "PRE_MODEL_DESC_EXTEND",
      "BUNDLE_MODEL_INFO", "BUNDLE_MODEL_VAR_INFO",
      "CUSTOM_OPS"};
  if (!container.isServer)
    return type < std::size(mobile) ? mobile[type] : "";
  if (type >= 20)
    return type - 20 < std::size(serverFrom20) ? serverFrom20[type - 20] : "";
  return type < std::size(server) ? server[type] : "";
}

Container modelwright::ge::makeMobileContainer(StringRef name) {
  Container container;
  char *header = container.header.data();
  llvm::copy(StringRef("IMOD"), header);
  write32le(header + kHeadSizeAt, Container::kHeaderSize);
  write32le(header + kVersionAt, kMobileVersion);
  header[kModelTypeAt] = 3;
  // Mobile writers keep the last byte for a NUL.
  name = name.take_front(kNameSize - 1);
  std::memcpy(header + kNameAt, name.data(), name.size());
  write32le(header + kIRVersionAt, 2);
  return container;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static llvm::Error fail(const llvm::Twine &message, uint64_t offset) {
  return llvm::make_error<ReadError>("IMOD container: " + message.str(),
                                     static_cast<int64_t>(offset));
}

/// Reads the table of partitions at the front of `body`, which lies `offset`
/// bytes into the file, and the partitions behind it.
static llvm::Error readPartitions(StringRef body, uint64_t offset,
                                  Container &container) {
  const size_t headSize = container.hasWideTable ? 8 : 4;
  const size_t entrySize = container.hasWideTable ? 24 : 12;
  if (body.size() < headSize)
    return fail("the partition table is cut off", offset);
  uint32_t count = read32le(body.data());
  if (container.hasWideTable)
    container.tableUnused = read32le(body.data() + 4);
  if (count > kMaxPartitions)
    return fail(llvm::Twine(count) + " partitions, at most " +
                    llvm::Twine(kMaxPartitions) + " are possible",
                offset);
  const size_t tableSize = headSize + count * entrySize;
  if (body.size() < tableSize)
    return fail("the partition table is cut off: " + llvm::Twine(count) +
                    " entries do not fit",
                offset);
  // Offsets count from the end of the table.
  StringRef data = body.drop_front(tableSize);
  uint64_t end = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const char *entry = body.data() + headSize + k * entrySize;
    Partition partition;
    partition.type = read32le(entry);
    uint64_t begin, size;
    if (container.hasWideTable) {
      partition.unused = read32le(entry + 4);
      begin = read64le(entry + 8);
      size = read64le(entry + 16);
    } else {
      begin = read32le(entry + 4);
      size = read32le(entry + 8);
    }
    auto failHere = [&](const llvm::Twine &message) {
      return fail("partition " + llvm::Twine(k) + " (type " +
                      llvm::Twine(partition.type) + ") " + message,
                  offset + headSize + k * entrySize);
    };
    if (begin > data.size() || size > data.size() - begin)
      return failHere("of " + llvm::Twine(size) + " bytes at " +
                      llvm::Twine(begin) + " ends behind the file's " +
                      llvm::Twine(data.size()) + " bytes of partitions");
    if (begin < end)
      return failHere("at " + llvm::Twine(begin) +
                      " overlaps the one before it, which ends at " +
                      llvm::Twine(end));
    partition.gap = data.slice(end, begin);
    partition.pieces.push_back(data.substr(begin, size));
    end = begin + size;
    container.partitions.push_back(std::move(partition));
  }
  container.tail = data.drop_front(end);
  return llvm::Error::success();
}

llvm::Expected<Container> modelwright::ge::readContainer(StringRef bytes) {
  Container container;
  if (bytes.size() < Container::kHeaderSize)
    return fail("the file ends within the header of " +
                    llvm::Twine(Container::kHeaderSize) + " bytes",
                bytes.size());
  std::memcpy(container.header.data(), bytes.data(), Container::kHeaderSize);
  const char *header = container.header.data();
  uint32_t headSize = read32le(header + kHeadSizeAt);
  if (headSize < Container::kHeaderSize || headSize > bytes.size())
    return fail("header size " + llvm::Twine(headSize) + " is not possible",
                kHeadSizeAt);
  container.headerTail = bytes.slice(Container::kHeaderSize, headSize);
  StringRef body = bytes.drop_front(headSize);

  // Not by modeltype: 3 means different things (format.md 2.3).
  uint64_t wideLength = read64le(header + kServerLengthAt);
  uint32_t length = read32le(header + kLengthAt);
  container.isServer = (wideLength != 0 && wideLength == body.size()) ||
                       container.getVersion() == kServerVersion;
  container.hasWideTable = container.isServer && wideLength != 0;
  uint64_t expected = container.hasWideTable ? wideLength : length;
  if (expected != body.size())
    return fail("the header promises " + llvm::Twine(expected) +
                    " bytes behind it, the file has " +
                    llvm::Twine(body.size()),
                container.hasWideTable ? kServerLengthAt : kLengthAt);
  if (container.isEncrypted())
    return fail("the model is encrypted, which is not supported", kIsEncryptAt);
  if (container.isServer) {
    uint32_t count = read32le(header + kModelCountAt);
    if (count > 1)
      return fail("it holds " + llvm::Twine(count) +
                      " models, which is not supported",
                  kModelCountAt);
    if (container.getModelType() == 3)
      return fail("a flow model of several models is not supported",
                  kModelTypeAt);
  }
  if (llvm::Error error = readPartitions(body, headSize, container))
    return std::move(error);
  const Partition *model = container.find(kModelDef);
  if (!model)
    return fail("there is no MODEL_DEF partition", headSize);
  return std::move(container);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::Error modelwright::ge::writeContainerHead(const Container &container,
                                                llvm::ArrayRef<uint64_t> sizes,
                                                llvm::raw_ostream &os) {
  assert(sizes.size() == container.partitions.size());
  const size_t tableSize =
      container.hasWideTable ? 8 + 24 * sizes.size() : 4 + 12 * sizes.size();
  uint64_t total = container.tail.size();
  for (auto [partition, size] : llvm::zip_equal(container.partitions, sizes))
    total += partition.gap.size() + size;
  uint64_t length = tableSize + total;
  if (!container.hasWideTable && length > UINT32_MAX)
    return llvm::createStringError(
        "the model has %llu bytes, more than an IMOD container of this kind "
        "can hold",
        static_cast<unsigned long long>(length));

  std::array<char, Container::kHeaderSize> header = container.header;
  if (container.hasWideTable)
    write64le(header.data() + kServerLengthAt, length);
  else
    write32le(header.data() + kLengthAt, length);
  os.write(header.data(), header.size());
  os << container.headerTail;

  std::string table(tableSize, 0);
  write32le(table.data(), sizes.size());
  if (container.hasWideTable)
    write32le(table.data() + 4, container.tableUnused);
  uint64_t offset = 0;
  for (auto [k, partition] : llvm::enumerate(container.partitions)) {
    offset += partition.gap.size();
    if (container.hasWideTable) {
      char *entry = table.data() + 8 + 24 * k;
      write32le(entry, partition.type);
      write32le(entry + 4, partition.unused);
      write64le(entry + 8, offset);
      write64le(entry + 16, sizes[k]);
    } else {
      char *entry = table.data() + 4 + 12 * k;
      write32le(entry, partition.type);
      write32le(entry + 4, offset);
      write32le(entry + 8, sizes[k]);
    }
    offset += sizes[k];
  }
  os << table;
  return llvm::Error::success();
}
