//===- ContainerAttr.cpp - The IMOD container as an attribute -------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Interop/GE/ContainerAttr.h"
#include "mlir/IR/Builders.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// From that size on, bytes go to a resource.
static constexpr size_t kMinResource = 1024;

Attribute modelwright::ge::makeBytesAttr(MLIRContext *context, StringRef name,
                                         StringRef bytes,
                                         std::shared_ptr<void> owner) {
  if (bytes.size() < kMinResource)
    return StringAttr::get(context, bytes);
  auto type = RankedTensorType::get({static_cast<int64_t>(bytes.size())},
                                    IntegerType::get(context, 8));
  return nn::makeMappedElements(
      type, name, ArrayRef<char>(bytes.data(), bytes.size()), std::move(owner));
}

std::optional<StringRef> modelwright::ge::getBytes(Attribute attr) {
  if (auto text = dyn_cast_or_null<StringAttr>(attr))
    return text.getValue();
  auto elements = dyn_cast_or_null<DenseResourceElementsAttr>(attr);
  if (!elements || !elements.getElementType().isInteger(8))
    return std::nullopt;
  SmallVector<char> storage;
  std::optional<ArrayRef<char>> raw = nn::getRawBytes(elements, storage);
  if (!raw || !storage.empty())
    return std::nullopt;
  return StringRef(raw->data(), raw->size());
}

DictionaryAttr
modelwright::ge::toAttr(MLIRContext *context, const File &file,
                        std::vector<std::pair<uint64_t, uint64_t>> used) {
  Builder b(context);
  const Container &container = *file.container;
  auto bytesAttr = [&](StringRef name, StringRef bytes) {
    return makeBytesAttr(context, name, bytes, file.buffer);
  };
  NamedAttrList dict;
  // Most of the header is zeros at its end.
  StringRef header(container.header.data(), container.header.size());
  dict.append("header", b.getStringAttr(header.rtrim('\0')));
  if (!container.headerTail.empty())
    dict.append("header_tail", bytesAttr("ge_header", container.headerTail));
  if (container.isServer)
    dict.append("server", b.getUnitAttr());
  if (container.hasWideTable)
    dict.append("wide_table", b.getUnitAttr());
  if (container.tableUnused)
    dict.append("table_unused", b.getI64IntegerAttr(container.tableUnused));
  if (!container.tail.empty())
    dict.append("tail", bytesAttr("ge_tail", container.tail));

  const Partition *model = container.find(kModelDef);
  const Partition *weights = container.find(kWeightsData);
  SmallVector<Attribute> partitions;
  for (const Partition &partition : container.partitions) {
    NamedAttrList entry;
    entry.append("type", b.getI64IntegerAttr(partition.type));
    if (partition.unused)
      entry.append("unused", b.getI64IntegerAttr(partition.unused));
    if (!partition.gap.empty())
      entry.append("gap", bytesAttr("ge_gap", partition.gap));
    StringRef bytes = partition.pieces.front();
    if (&partition == weights) {
      // What lies between the stretches that constants hold.
      llvm::sort(used);
      SmallVector<Attribute> rest;
      uint64_t at = 0;
      auto keep = [&](uint64_t end) {
        if (end > at)
          rest.push_back(
              b.getArrayAttr({b.getI64IntegerAttr(at),
                              bytesAttr("ge_weights", bytes.slice(at, end))}));
      };
      for (auto [offset, size] : used) {
        keep(offset);
        at = std::max(at, offset + size);
      }
      keep(bytes.size());
      entry.append("size", b.getI64IntegerAttr(bytes.size()));
      if (!rest.empty())
        entry.append("rest", b.getArrayAttr(rest));
    } else if (&partition != model) {
      entry.append("data", bytesAttr("ge_partition", bytes));
    }
    partitions.push_back(entry.getDictionary(context));
  }
  dict.append("partitions", b.getArrayAttr(partitions));
  return dict.getDictionary(context);
}

namespace {
/// Reads typed entries of a dictionary; the first fault is reported.
class DictReader {
public:
  DictReader(Attribute attr, llvm::function_ref<InFlightDiagnostic()> emitError)
      : dict(dyn_cast<DictionaryAttr>(attr)), emitError(emitError) {
    if (!dict)
      fail("container", "a dictionary");
  }

  bool isGood() const { return good; }
  bool has(StringRef name) const { return dict && dict.contains(name); }
  uint32_t getUInt32(StringRef name) {
    auto integer = get<IntegerAttr>(name, "an unsigned 32-bit integer");
    if (integer && integer.getValue().isIntN(32))
      return integer.getValue().getZExtValue();
    if (integer)
      fail(name, "an unsigned 32-bit integer");
    return 0;
  }
  uint64_t getSize(StringRef name) {
    auto integer = get<IntegerAttr>(name, "a size");
    if (integer && integer.getValue().isNonNegative() &&
        integer.getValue().isIntN(63))
      return integer.getValue().getZExtValue();
    if (integer)
      fail(name, "a size");
    return 0;
  }
  StringRef getBytes(StringRef name) {
    if (!has(name))
      return "";
    std::optional<StringRef> bytes = ge::getBytes(dict.get(name));
    if (!bytes)
      fail(name, "bytes (elided?)");
    return bytes.value_or("");
  }
  ArrayAttr getArray(StringRef name) {
    return get<ArrayAttr>(name, "an array");
  }

  void fail(StringRef name, StringRef wanted) {
    if (good)
      emitError() << "ge.container: '" << name << "' must be " << wanted;
    good = false;
  }

private:
  template <typename T> T get(StringRef name, StringRef wanted) {
    if (!has(name))
      return {};
    auto attr = dyn_cast<T>(dict.get(name));
    if (!attr)
      fail(name, wanted);
    return attr;
  }

  DictionaryAttr dict;
  llvm::function_ref<InFlightDiagnostic()> emitError;
  bool good = true;
};
} // namespace

static bool readRest(ArrayAttr entries, uint64_t size,
                     std::vector<WeightsPiece> &rest) {
  for (Attribute entry : entries) {
    auto pair = dyn_cast<ArrayAttr>(entry);
    auto offset = pair && pair.size() == 2 ? dyn_cast<IntegerAttr>(pair[0])
                                           : IntegerAttr();
    std::optional<StringRef> bytes = offset ? getBytes(pair[1]) : std::nullopt;
    if (!bytes || offset.getValue().isNegative() ||
        offset.getValue().getActiveBits() > 63 ||
        offset.getValue().getZExtValue() > size ||
        bytes->size() > size - offset.getValue().getZExtValue())
      return false;
    rest.push_back({offset.getValue().getZExtValue(), *bytes});
  }
  return true;
}

FailureOr<Container>
modelwright::ge::fromAttr(DictionaryAttr attr, std::vector<WeightsPiece> &rest,
                          uint64_t &weightsSize,
                          llvm::function_ref<InFlightDiagnostic()> emitError) {
  DictReader dict(attr, emitError);
  Container container;
  StringRef header = dict.getBytes("header");
  if (header.size() > Container::kHeaderSize || !header.starts_with("IMOD")) {
    dict.fail("header", "the bytes of an IMOD header");
    return failure();
  }
  llvm::copy(header, container.header.begin());
  container.headerTail = dict.getBytes("header_tail");
  container.isServer = dict.has("server");
  container.hasWideTable = dict.has("wide_table");
  container.tableUnused = dict.getUInt32("table_unused");
  container.tail = dict.getBytes("tail");
  ArrayAttr partitions = dict.getArray("partitions");
  bool hasWeights = false, hasModel = false;
  for (Attribute element :
       partitions ? partitions.getValue() : ArrayRef<Attribute>()) {
    DictReader entry(element, emitError);
    Partition partition;
    partition.type = entry.getUInt32("type");
    partition.unused = entry.getUInt32("unused");
    partition.gap = entry.getBytes("gap");
    if (partition.type == kModelDef && !std::exchange(hasModel, true)) {
      partition.pieces.push_back("");
    } else if (partition.type == kWeightsData &&
               !std::exchange(hasWeights, true)) {
      weightsSize = entry.getSize("size");
      if (ArrayAttr pieces = entry.getArray("rest");
          pieces && !readRest(pieces, weightsSize, rest))
        entry.fail("rest", "pairs of an offset and bytes within the size");
    } else {
      partition.pieces.push_back(entry.getBytes("data"));
    }
    if (!entry.isGood())
      return failure();
    container.partitions.push_back(std::move(partition));
  }
  if (!hasModel)
    dict.fail("partitions", "an array with a model's partition (type 0)");
  if (!dict.isGood())
    return failure();
  return container;
}
