//===- FileIO.h - Read and write MegEngine files ----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_FILEIO_H
#define MODELWRIGHT_FORMAT_MGB_FILEIO_H

#include "modelwright/Format/MGB/Model.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace modelwright::mgb {

/// What a file is by its first bytes.
enum class FileKind : uint8_t {
  Unknown,     ///< Nothing known; may be an encrypted model.
  MGBS,        ///< V1 graph, first header.
  MGBC,        ///< V1 graph, second header.
  V2,          ///< V2 graph.
  Testcase,    ///< `mgbtest0`.
  PackedModel, ///< lite `packed_model`.
  RawPOD,      ///< `mgb0001` / `mgb0000a`: recognised, not supported.
  Pickle,      ///< Python pickle: recognised, not a graph.
  JSON,        ///< JSON text: recognised, not a graph.
};

/// Classifies by content; looks at no more than the first 25 bytes.
FileKind sniff(llvm::StringRef bytes);

/// A reader's diagnostic: which graph and operator of the file is at fault.
class ReadError : public llvm::ErrorInfo<ReadError> {
public:
  static char ID;
  ReadError(std::string message, int64_t graphIndex = -1, int64_t oprIndex = -1,
            std::string oprName = {}, std::string oprType = {})
      : message(std::move(message)), graphIndex(graphIndex), oprIndex(oprIndex),
        oprName(std::move(oprName)), oprType(std::move(oprType)) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override;

  std::string message;
  int64_t graphIndex; ///< 0 = main graph, k = k-th testcase graph, -1 = file.
  int64_t oprIndex;   ///< -1 = not about one operator.
  std::string oprName, oprType;
};

/// Reads a whole file. Every index, offset, size and product is range-checked;
/// a fault comes back as one or more joined ReadErrors, never as a partial
/// File. Payload bytes are neither read nor copied.
llvm::Expected<File> readFile(std::shared_ptr<llvm::MemoryBuffer> buffer);

/// Writes `file` in the encodings its graphs name. Payloads are streamed from
/// where they lie, so that memory use does not grow with the weights.
llvm::Error writeFile(const File &file, llvm::raw_ostream &os);

/// Prints every field of `file` as text, defaults resolved and payloads as
/// size and XXH64, for comparison and for people.
void dump(const File &file, llvm::raw_ostream &os);

/// Bytes that `shape` of `dtype` takes in a file (low-bit rows padded to whole
/// bytes), or nullopt when the product overflows.
std::optional<uint64_t> payloadSize(llvm::ArrayRef<uint32_t> shape,
                                    const DType &dtype);

/// Number of non-volatile outputs (vars) that `opr` of a V1 graph owns, from
/// its params, tensors and the writer's `version`; nullopt when the operator
/// does not say (vendor and custom ones without output names).
std::optional<uint32_t> countOutputs(const Operator &opr, uint32_t version);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_FILEIO_H
