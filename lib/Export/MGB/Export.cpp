//===- Export.cpp - The nn dialect to MegEngine files ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Export/MGB/Export.h"
#include "GraphExporter.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Interop/MGB/VerifyAttributes.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static PackedModel getPackedModel(DictionaryAttr dict) {
  PackedModel packed;
  auto get = [&](StringRef key) -> std::optional<std::string> {
    if (auto value = dict.getAs<StringAttr>(key))
      return value.str();
    return std::nullopt;
  };
  packed.name = get("name");
  packed.infoDecryption = get("info_decryption");
  packed.infoParse = get("info_parse");
  packed.modelDecryption = get("model_decryption");
  packed.infoCacheParse = get("info_cache_parse");
  if (auto flag = dict.getAs<BoolAttr>("fast_run_cache"))
    packed.fastRunCache = flag.getValue();
  packed.hasInfo = dict.contains("has_info");
  packed.infoData = get("info_data");
  packed.algoPolicy = get("algo_policy");
  packed.binaryCache = get("binary_cache");
  return packed;
}

FailureOr<File> modelwright::buildMGBFile(
    ModuleOp module, const MGBExportOptions &options,
    std::vector<std::unique_ptr<std::vector<uint8_t>>> &storage) {
  if (failed(verifyAttributes(module)))
    return failure();
  func::FuncOp main;
  SmallVector<std::pair<int64_t, func::FuncOp>> testcases;
  bool ok = true;
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func) {
      op.emitError("is not a graph and cannot be exported");
      ok = false;
      continue;
    }
    if (auto number = func->getAttrOfType<IntegerAttr>(attr::kTestcase)) {
      testcases.push_back({number.getInt(), func});
      continue;
    }
    // An op that calls a graph is refused itself, with the reason.
    if (func.isPrivate() && !SymbolTable::symbolKnownUseEmpty(func, module))
      continue;
    if (main) {
      func.emitError("is a second graph beside '") << main.getName() << "'";
      ok = false;
      continue;
    }
    main = func;
  }
  if (!main) {
    module.emitError("has no graph to export");
    ok = false;
  }
  if (!ok)
    return failure();
  llvm::sort(testcases, [](const auto &lhs, const auto &rhs) {
    func::FuncOp left = lhs.second, right = rhs.second;
    return lhs.first != rhs.first ? lhs.first < rhs.first
                                  : left->isBeforeInBlock(right);
  });

  File file;
  file.isTestcase = module->hasAttr(attr::kTestcaseFile) || !testcases.empty();
  if (auto dict = module->getAttrOfType<DictionaryAttr>(attr::kPacked))
    file.packed = getPackedModel(dict);
  ok = succeeded(GraphExporter(main, options, storage).run(file.graph));
  file.testcases.resize(testcases.size());
  for (auto [entry, graph] : llvm::zip_equal(testcases, file.testcases))
    ok &= succeeded(GraphExporter(entry.second, options, storage).run(graph));
  if (!ok)
    return failure();
  return std::move(file);
}

LogicalResult modelwright::exportMGB(ModuleOp module, llvm::raw_ostream &os,
                                     const MGBExportOptions &options) {
  ByteStorage storage;
  FailureOr<File> file = buildMGBFile(module, options, storage);
  if (failed(file))
    return failure();
  if (llvm::Error error = writeFile(*file, os))
    return module.emitError() << llvm::toString(std::move(error));
  return success();
}
