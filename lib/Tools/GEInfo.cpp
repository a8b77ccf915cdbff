//===- GEInfo.cpp - What model-info says of GE files ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GEInfo.h"
#include "modelwright/Dialect/NN/IR/NNForeignOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ContainerAttr.h"
#include "modelwright/Tools/ModelStats.h"

#include <map>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

namespace {
/// What the attributes of a module tell of its file.
struct GEFile {
  std::optional<Container> container;
  uint64_t weightsSize = 0;
  DictionaryAttr model;
  bool isText = false;

  /// Bytes of a partition that the container itself does not hold are 0.
  uint64_t getSize(const Partition &partition) const {
    return &partition == container->find(kWeightsData) ? weightsSize
                                                       : partition.getSize();
  }
};
} // namespace

bool modelwright::isFromGE(ModuleOp module) {
  return module->hasAttr(attr::kModel);
}

static GEFile getFile(ModuleOp module) {
  GEFile file;
  file.model = module->getAttrOfType<DictionaryAttr>(attr::kModel);
  file.isText = module->hasAttr(attr::kText);
  std::vector<WeightsPiece> rest;
  if (auto dict = module->getAttrOfType<DictionaryAttr>(attr::kContainer)) {
    FailureOr<Container> container = fromAttr(
        dict, rest, file.weightsSize, [&] { return module.emitError(); });
    if (succeeded(container))
      file.container = std::move(*container);
  }
  return file;
}

/// The attributes of a ModelDef or GraphDef: pairs of key and value.
static SmallVector<std::pair<StringRef, Attribute>>
getAttributes(DictionaryAttr message) {
  SmallVector<std::pair<StringRef, Attribute>> entries;
  auto list = message ? message.getAs<ArrayAttr>("attr") : ArrayAttr();
  for (Attribute entry : list ? list.getValue() : ArrayRef<Attribute>())
    if (auto pair = dyn_cast<ArrayAttr>(entry); pair && pair.size() == 2)
      if (auto key = dyn_cast<StringAttr>(pair[0]))
        entries.push_back({key, pair[1]});
  return entries;
}

/// An attribute's value on one line of bounded length.
static std::string describe(Attribute value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (auto number = dyn_cast<IntegerAttr>(value);
      number && !number.getType().isInteger(1))
    os << number.getInt();
  else
    os << value;
  constexpr size_t kLongest = 100;
  if (text.size() > kLongest)
    text.replace(kLongest, std::string::npos, "...");
  return text;
}

/// The number of ops of each op version in all graphs.
static std::map<int64_t, uint64_t> countVersions(ModuleOp module) {
  std::map<int64_t, uint64_t> counts;
  module.walk([&](Operation *op) {
    DictionaryAttr def = op->getAttrOfType<DictionaryAttr>(attr::kOp);
    if (auto foreign = dyn_cast<nn::ForeignOp>(op);
        foreign && foreign.getParams().size() == 1)
      def = dyn_cast<DictionaryAttr>(foreign.getParams()[0]);
    if (!def)
      return;
    int64_t version = 0;
    for (auto [key, value] : getAttributes(def))
      if (auto number = dyn_cast<IntegerAttr>(value);
          number && key == "version")
        version = number.getInt();
    ++counts[version];
  });
  return counts;
}

/// The GraphDef of the main graph.
static DictionaryAttr getGraph(ModuleOp module) {
  func::FuncOp main = getMainGraph(module);
  return main ? main->getAttrOfType<DictionaryAttr>(attr::kGraph)
              : DictionaryAttr();
}

void modelwright::printGEInfo(ModuleOp module, llvm::raw_ostream &os) {
  GEFile file = getFile(module);
  os << "format      GE / HiAI model" << (file.isText ? ", text" : "") << "\n";
  if (file.model) {
    if (auto version = file.model.getAs<IntegerAttr>("version"))
      os << "version     " << version.getInt() << "\n";
    if (auto custom = file.model.getAs<StringAttr>("custom_version")) {
      os << "custom      '";
      os.write_escaped(custom.getValue()) << "'\n";
    }
  }
  for (auto [version, count] : countVersions(module))
    os << "op version  " << version << ": " << count << " ops\n";
  auto printAttributes = [&](StringRef of, DictionaryAttr message) {
    for (auto [key, value] : getAttributes(message)) {
      os << "attribute   " << of << " ";
      os.write_escaped(key) << " = " << describe(value) << "\n";
    }
  };
  printAttributes("model", file.model);
  printAttributes("graph", getGraph(module));
  if (!file.container)
    return;
  const Container &container = *file.container;
  os << "container   IMOD " << (container.isServer ? "server" : "mobile")
     << ", modeltype " << unsigned(container.getModelType()) << " ("
     << describeModelType(container) << "), om_ir_version "
     << container.getIRVersion() << "\n";
  os << "platform    '";
  os.write_escaped(container.getPlatformVersion()) << "'\n";
  for (const Partition &partition : container.partitions) {
    os << "partition   " << partition.type;
    if (StringRef name = describePartition(container, partition.type);
        !name.empty())
      os << " (" << name << ")";
    if (partition.type != kModelDef)
      os << ", " << file.getSize(partition) << " bytes";
    os << "\n";
  }
}

void modelwright::addGEInfo(ModuleOp module, llvm::json::Object &info) {
  GEFile file = getFile(module);
  auto text = [](StringRef bytes) { return llvm::json::fixUTF8(bytes); };
  info["format"] = "GE";
  info["encoding"] = file.isText ? "text" : "binary";
  if (file.model) {
    if (auto version = file.model.getAs<IntegerAttr>("version"))
      info["version"] = version.getInt();
    if (auto custom = file.model.getAs<StringAttr>("custom_version"))
      info["custom_version"] = text(custom.getValue());
  }
  llvm::json::Object versions;
  for (auto [version, count] : countVersions(module))
    versions[std::to_string(version)] = static_cast<int64_t>(count);
  info["op_versions"] = std::move(versions);
  auto toObject = [&](DictionaryAttr message) {
    llvm::json::Object object;
    for (auto [key, value] : getAttributes(message))
      object[text(key)] = text(describe(value));
    return object;
  };
  info["model_attributes"] = toObject(file.model);
  info["graph_attributes"] = toObject(getGraph(module));
  if (!file.container)
    return;
  const Container &container = *file.container;
  llvm::json::Array partitions;
  for (const Partition &partition : container.partitions) {
    llvm::json::Object entry{
        {"type", partition.type},
        {"name", text(describePartition(container, partition.type))}};
    if (partition.type != kModelDef)
      entry["bytes"] = static_cast<int64_t>(file.getSize(partition));
    partitions.push_back(std::move(entry));
  }
  info["container"] = llvm::json::Object{
      {"kind", container.isServer ? "IMOD server" : "IMOD mobile"},
      {"modeltype", container.getModelType()},
      {"om_ir_version", container.getIRVersion()},
      {"platform_version", text(container.getPlatformVersion())},
      {"name", text(container.getName())},
      {"partitions", std::move(partitions)}};
}
