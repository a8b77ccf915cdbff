//===- Import.cpp - MegEngine files to the nn dialect ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Import/MGB/Import.h"
#include "GraphImporter.h"
#include "mlir/IR/Verifier.h"
#include "modelwright/Format/MGB/FileIO.h"
#include "modelwright/Support/Diagnostics.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

static void attachPackedModel(ModuleOp module, const PackedModel &packed) {
  Builder b(module.getContext());
  NamedAttrList dict;
  auto add = [&](StringRef key, const std::optional<std::string> &value) {
    if (value)
      dict.append(key, b.getStringAttr(*value));
  };
  add("name", packed.name);
  add("info_decryption", packed.infoDecryption);
  add("info_parse", packed.infoParse);
  add("model_decryption", packed.modelDecryption);
  add("info_cache_parse", packed.infoCacheParse);
  dict.append("fast_run_cache", b.getBoolAttr(packed.fastRunCache));
  if (packed.hasInfo)
    dict.append("has_info", b.getUnitAttr());
  add("info_data", packed.infoData);
  add("algo_policy", packed.algoPolicy);
  add("binary_cache", packed.binaryCache);
  module->setAttr(attr::kPacked, dict.getDictionary(b.getContext()));
}

FailureOr<OwningOpRef<ModuleOp>>
modelwright::importMGB(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
                       StringRef filename, MLIRContext *context) {
  context->loadDialect<nn::NNDialect, func::FuncDialect, quant::QuantDialect>();
  llvm::Expected<File> file = readFile(buffer);
  if (!file) {
    reportReadErrors(file.takeError(), filename, context, &ReadError::oprIndex);
    return failure();
  }
  Location loc = FileLineColLoc::get(StringAttr::get(context, filename), 0, 0);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  Builder b(context);
  if (file->isTestcase)
    (*module)->setAttr(attr::kTestcaseFile, b.getUnitAttr());
  if (file->packed)
    attachPackedModel(*module, *file->packed);

  GraphImporter main(*module, filename, file->graph, buffer);
  bool ok = succeeded(main.import("main"));
  for (auto [k, graph] : llvm::enumerate(file->testcases)) {
    GraphImporter testcase(*module, filename, graph, buffer);
    FailureOr<func::FuncOp> func =
        testcase.import("testcase_" + std::to_string(k));
    if (failed(func))
      ok = false;
    else
      (*func)->setAttr(attr::kTestcase, b.getI64IntegerAttr(k));
  }
  if (!ok || failed(verify(*module)))
    return failure();
  return module;
}
