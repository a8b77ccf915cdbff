//===- Model.h - A GE model file in memory ----------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GE / HiAI model file between bytes and IR: the container around the model
// (if there is one) and the ModelDef message. Tensor data is not in the
// message: every TensorDef.data of the file is a blob that points into the
// mapped file, and the message holds its index.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_GE_MODEL_H
#define MODELWRIGHT_FORMAT_GE_MODEL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace modelwright::ge::proto {
class ModelDef;
} // namespace modelwright::ge::proto

namespace modelwright::ge {

/// How the ModelDef is spelled.
enum class Encoding : uint8_t { Binary, Text };

/// Types of partitions that every reader knows (format.md 2.4). Others have
/// meanings that depend on the writer.
enum PartitionType : uint32_t {
  kModelDef = 0,
  kWeightsData = 1,
  kTaskInfo = 2,
};

/// One partition of an IMOD container.
struct Partition {
  uint32_t type = 0;
  /// Second word of a 64-bit table entry: unused, may hold anything.
  uint32_t unused = 0;
  /// Bytes between the end of the previous partition and this one.
  llvm::StringRef gap;
  /// The content, one after the other. A reader makes one piece.
  std::vector<llvm::StringRef> pieces;

  uint64_t getSize() const;
};

/// The IMOD container (".om"): header, partition table, partitions.
struct Container {
  static constexpr size_t kHeaderSize = 256;

  /// The header as stored. Its length fields are recomputed when written.
  std::array<char, kHeaderSize> header{};
  /// Bytes of a header that is longer than 256.
  llvm::StringRef headerTail;
  /// CANN's dialect of the header, with 64-bit length, as opposed to mobile.
  bool isServer = false;
  /// Entries are type, offset and size of 64 bits.
  bool hasWideTable = false;
  /// Second word of a 64-bit table's head.
  uint32_t tableUnused = 0;
  std::vector<Partition> partitions;
  /// Bytes behind the last partition.
  llvm::StringRef tail;

  uint32_t getVersion() const;
  uint8_t getModelType() const;
  bool isEncrypted() const;
  /// Name in the header, up to its first NUL.
  llvm::StringRef getName() const;
  llvm::StringRef getPlatformVersion() const;
  uint32_t getIRVersion() const;
  /// The first partition of a type, or null.
  const Partition *find(uint32_t type) const;
};

/// A new mobile container of the kind that holds a portable graph
/// (modeltype 3, om_ir_version 2), without partitions.
Container makeMobileContainer(llvm::StringRef name);

/// What `modeltype` means in the header's dialect ("standard IR graph", ...).
llvm::StringRef describeModelType(const Container &container);

/// What a partition's type means in the header's dialect; empty if unknown.
llvm::StringRef describePartition(const Container &container, uint32_t type);

/// A whole file.
struct File {
  File();
  File(File &&) noexcept;
  File &operator=(File &&) noexcept;
  ~File();

  Encoding encoding = Encoding::Binary;
  std::optional<Container> container;
  /// The message, with TensorDef.blob instead of TensorDef.data.
  std::unique_ptr<proto::ModelDef> model;
  /// Tensor data, by TensorDef.blob.
  std::vector<llvm::StringRef> blobs;
  /// The model's bytes in the file, if writing `model` gives others (unusual
  /// order of fields, long varints, text in another style).
  std::optional<llvm::StringRef> wire;
  /// Keeps alive what the StringRefs above point to.
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  /// Keeps alive what `blobs` points to: `buffer`, unless the file is a text.
  std::shared_ptr<llvm::MemoryBuffer> dataBuffer;
};

} // namespace modelwright::ge

#endif // MODELWRIGHT_FORMAT_GE_MODEL_H
