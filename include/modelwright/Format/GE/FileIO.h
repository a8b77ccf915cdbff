//===- FileIO.h - Read and write GE model files -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_GE_FILEIO_H
#define MODELWRIGHT_FORMAT_GE_FILEIO_H

#include "modelwright/Format/GE/Model.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace modelwright::ge {

/// What a file is by its content.
enum class FileKind : uint8_t {
  Unknown,
  IMOD,     ///< `.om` container.
  Model,    ///< Bare ModelDef, binary.
  Text,     ///< ModelDef in protobuf's text form.
  PICO,     ///< SVP container: recognised, not supported.
  Special,  ///< Third-party accelerator's model: likewise.
  ONNXText, ///< CANN's `ge_onnx_*.pbtxt` dump: likewise, no weights in it.
};

/// Classifies by content. A bare ModelDef has no magic: it is recognised by
/// its first fields, so try this after the formats that have one.
FileKind sniff(llvm::StringRef bytes);

/// A reader's diagnostic: which op of the file is at fault, and which byte.
class ReadError : public llvm::ErrorInfo<ReadError> {
public:
  static char ID;
  explicit ReadError(std::string message, int64_t offset = -1,
                     int64_t opIndex = -1, std::string opName = {},
                     std::string opType = {})
      : message(std::move(message)), offset(offset), opIndex(opIndex),
        opName(std::move(opName)), opType(std::move(opType)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string message;
  int64_t offset;  ///< Byte of the file; -1 = not about one.
  int64_t opIndex; ///< Op of the main graph; -1 = not about one.
  std::string opName, opType;
};

/// Deepest nesting of messages (graphs in attributes of graphs, ...) that is
/// read. protobuf's own default.
inline constexpr unsigned kMaxNesting = 100;

/// Most partitions that a container may have; the peer's loader's limit.
inline constexpr uint32_t kMaxPartitions = 35;

/// Reads a whole file. Every length, offset and count is range-checked; a fault
/// comes back as a ReadError, never as a partial File. Tensor data of binary
/// files is neither read nor copied.
llvm::Expected<File>
readFile(const std::shared_ptr<llvm::MemoryBuffer> &buffer);

/// Writes `file`: container lengths and offsets are recomputed, tensor data is
/// streamed from where it lies. The model is written from the message, or as
/// `file.wire` with `asRead`.
llvm::Error writeFile(const File &file, llvm::raw_ostream &os,
                      bool asRead = false);

/// Writes the ModelDef alone, in the file's encoding.
llvm::Error writeModel(const File &file, llvm::raw_ostream &os);

/// Whether the ModelDef that `file` would write is that of `bytes`, byte for
/// byte. Compares in a stream; nothing is copied.
bool isModelEqual(const File &file, llvm::StringRef bytes);

/// Prints the container's fields and the ModelDef as text, tensor data as size
/// and XXH64, for comparison and for people.
void dump(const File &file, llvm::raw_ostream &os);

} // namespace modelwright::ge

#endif // MODELWRIGHT_FORMAT_GE_FILEIO_H
