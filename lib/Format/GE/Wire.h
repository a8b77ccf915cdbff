//===- Wire.h - protobuf's wire format --------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Just enough of the wire format to keep tensor data out of protobuf's hands:
// libprotobuf copies every bytes field, and a model file is mostly those.
// `extractBlobs` turns the bytes of a ModelDef into a skeleton that libprotobuf
// parses, in which TensorDef.blob stands where TensorDef.data stood;
// `expandBlobs` is its inverse.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_FORMAT_GE_WIRE_H
#define MODELWRIGHT_LIB_FORMAT_GE_WIRE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace google::protobuf {
class Descriptor;
} // namespace google::protobuf

namespace modelwright::ge {

enum class WireType : uint8_t {
  Varint = 0,
  Fixed64 = 1,
  Length = 2,
  StartGroup = 3,
  EndGroup = 4,
  Fixed32 = 5
};

/// One field of a message: its number, and where it and its payload lie.
struct WireField {
  uint32_t number = 0;
  WireType type = WireType::Varint;
  llvm::StringRef whole;   ///< Tag, length and payload.
  llvm::StringRef payload; ///< Of WireType::Length.
};

/// Takes the next field off the front of `bytes` (which is not empty). On a
/// fault returns false and says what it is; `bytes` then begins at the fault.
bool takeField(llvm::StringRef &bytes, WireField &field, std::string &fault);

void appendVarint(std::string &out, uint64_t value);

struct Skeleton {
  std::string bytes;
  std::vector<llvm::StringRef> blobs;
};

/// Checks the ModelDef in `model`, which lies `offset` bytes into its file, and
/// replaces tensor data. Errors are ReadErrors with the op they lie in.
llvm::Expected<Skeleton> extractBlobs(llvm::StringRef model, uint64_t offset);

/// Writes the message of `skeleton` with tensor data in place of blob indices,
/// each of which must be below the number of blobs.
void expandBlobs(const std::string &skeleton,
                 const std::vector<llvm::StringRef> &blobs,
                 llvm::raw_ostream &os);

/// Bytes that expandBlobs will write.
uint64_t getExpandedSize(const std::string &skeleton,
                         const std::vector<llvm::StringRef> &blobs);

} // namespace modelwright::ge

#endif // MODELWRIGHT_LIB_FORMAT_GE_WIRE_H
