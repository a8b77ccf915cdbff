//===- Model.h - MegEngine model files in memory ----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The neutral form of a MegEngine file: what a V1 (MGBS, MGBC) or V2 (mgv2)
// file says, field by field, without MLIR. `readFile` makes one from bytes,
// `writeFile` makes bytes from one; two files are equal field by field when
// `dump` prints the same text for both.
//
// Tensor payloads are never copied: they are views of the bytes that
// `File::buffer` keeps alive.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_FORMAT_MGB_MODEL_H
#define MODELWRIGHT_FORMAT_MGB_MODEL_H

#include "modelwright/Format/MGB/Schema.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace modelwright::mgb {

struct OprInfo;

/// The three graph encodings that one file (or one testcase graph) can use.
enum class Encoding : uint8_t {
  MGBS, ///< V1 schema, 16-byte header, unversioned type ids (<= v1.7.0).
  MGBC, ///< V1 schema, 24-byte header, persistent type ids.
  V2,   ///< V2 schema (`mgv2`), weights inside the FlatBuffer.
};

/// Returns "MGBS", "MGBC" or "mgv2".
llvm::StringRef stringifyEncoding(Encoding encoding);

using DTypeEnum = fbs::DTypeEnum;

/// A dtype with its quantization, as the `DType` table stores it.
struct DType {
  DTypeEnum type = DTypeEnum::Float32;
  /// Whether a LinearQuantizationParam is stored.
  bool hasQuantization = false;
  float scale = 0;
  uint8_t zeroPoint = 0;

  bool operator==(const DType &other) const = default;
};

/// A comp node entry; the locator string itself may be absent.
struct CompNode {
  std::optional<std::string> locator;

  bool operator==(const CompNode &other) const = default;
};

/// The physical format of a tensor: the V2 union, or a V1 TensorFormat blob.
struct TensorFormat {
  enum class Kind : uint8_t { None, Default, Image2DPacked, LowbitsAligned };
  Kind kind = Kind::None;
  uint8_t alignAxis = 0;       ///< Image2DPacked only.
  uint8_t sizeNbits = 0;       ///< LowbitsAligned only.
  uint8_t alignSizeInBits = 0; ///< LowbitsAligned only.

  bool operator==(const TensorFormat &other) const = default;
};

/// A tensor record of an operator (input declaration, constant, parameter).
struct Tensor {
  std::optional<std::string> name;
  /// Absent and empty are both a tensor without a recorded shape.
  std::optional<std::vector<uint32_t>> shape;
  std::optional<CompNode> compNode;
  /// Absent means Float32.
  std::optional<DType> dtype;
  /// V2 only; V1 keeps formats in operator blobs.
  TensorFormat format;
  /// Whether a value is stored (a stored value may be empty only in V2).
  bool hasData = false;
  /// The tensor's whole area in the file, the skipped bytes included.
  llvm::ArrayRef<uint8_t> area;
  /// V1: bytes of `area` to skip before the payload.
  uint32_t offset = 0;

  /// The payload: `area` without its skipped head.
  llvm::ArrayRef<uint8_t> payload() const { return area.drop_front(offset); }
};

/// One operator parameter: a discriminated object-API table.
using Param = fbs::OperatorParamUnion;

struct Operator {
  uint64_t typeId = 0;
  /// Registry entry, or null when the type id is unknown (vendor, custom).
  const OprInfo *info = nullptr;
  /// V2 only: the informational type name and opr_version. The type name of a
  /// known operator is the registry's spelling for (info, oprVersion).
  std::optional<std::string> type;
  uint32_t oprVersion = 0;

  std::optional<std::string> name;
  /// The operator's parameters in write order: `param`, `additional_params`.
  std::vector<Param> params;
  /// Var ids read, in operand order.
  std::vector<uint32_t> inputs;
  /// Var ids of the non-volatile results. Stored in V2; V1 numbers them.
  std::vector<uint32_t> outputs;
  std::optional<std::vector<CompNode>> compNodes;
  /// V1: names of the non-volatile results, when kept.
  std::optional<std::vector<std::string>> outputNames;
  std::optional<DType> outputDType;
  std::vector<Tensor> tensors;
  int32_t priority = 0;
  /// V1 `blobs`, V2 `custom_data`.
  std::vector<llvm::ArrayRef<uint8_t>> blobs;
};

/// V2: what is recorded of one var.
struct MiddleTensor {
  std::optional<std::string> name;
  std::optional<std::vector<uint32_t>> shape;
  std::optional<CompNode> compNode;
  std::optional<DType> dtype;
  TensorFormat format;
};

struct OutputVar {
  uint32_t compactId = 0;  ///< Var id in this file.
  uint32_t originalId = 0; ///< Var id in the writer's graph.

  bool operator==(const OutputVar &other) const = default;
};

struct OutputAlias {
  uint32_t id = 0; ///< originalId of an output.
  std::optional<std::string> name;

  bool operator==(const OutputAlias &other) const = default;
};

struct Metadata {
  bool isValid = false;
  bool graphModified = false;
  uint64_t optimizeOptions = 0;
  /// Bytes, not text: Python pickles the user's object into it.
  std::optional<std::string> userInfo;

  bool operator==(const Metadata &other) const = default;
};

/// Layouts of params that only files of certain releases use. Params in memory
/// always have the meaning of the newest layout; these say how the file holds
/// them. Clear them when a graph gets a newer `version`.
struct HistoricLayouts {
  /// ExecutionPolicy::strategy defaults to 0 (up to v1.3.0), not to HEURISTIC.
  bool zeroStrategy = false;
  /// Images2Neibs holds its window in slots 4 and 5 (before v1.4.0).
  bool earlyWindow = false;

  bool operator==(const HistoricLayouts &other) const = default;
};

struct Graph {
  Encoding encoding = Encoding::MGBC;
  /// V1 `mgb_version`, V2 `mge_version`.
  uint32_t version = 0;
  uint32_t modelVersion = 0; ///< V2 only.
  uint64_t hash = 0;         ///< V1 only; 0 on writing = compute one.
  uint32_t nrSharedTensor = 0;
  /// V1 only: param union members above 40 are stored one higher (development
  /// builds of spring 2020). In memory they have their canonical numbers.
  bool shiftedUnion = false;
  HistoricLayouts layouts; ///< V1 only.
  std::vector<Operator> oprs;
  /// V2: absent when the dump kept no var names.
  std::optional<std::vector<MiddleTensor>> middleTensors;
  std::vector<OutputVar> outputs;
  std::optional<std::vector<OutputAlias>> outputAliases; ///< V2 only.
  std::optional<Metadata> metadata;
  /// Number of vars (one past the largest id an operator may read).
  uint32_t numVars = 0;
};

/// The plain members of a lite `packed_model` around a graph file.
struct PackedModel {
  std::optional<std::string> name, infoDecryption, infoParse, modelDecryption,
      infoCacheParse;
  bool fastRunCache = false;
  bool hasInfo = false;
  std::optional<std::string> infoData, algoPolicy, binaryCache;
};

/// One file: a graph, the testcase graphs after it, and the wrapper around.
struct File {
  /// Keeps the bytes that every ArrayRef here points into alive.
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  std::optional<PackedModel> packed;
  /// Whether the file is an `mgbtest0` container (maybe with no testcase).
  bool isTestcase = false;
  Graph graph;
  std::vector<Graph> testcases;
};

} // namespace modelwright::mgb

#endif // MODELWRIGHT_FORMAT_MGB_MODEL_H
