//===- GEInfo.cpp - What model-info says of GE files ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GEInfo.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ContainerAttr.h"
#include "llvm/Support/Format.h"

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
