//===- Import.cpp - GE files to MLIR --------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Import/GE/Import.h"
#include "GraphImporter.h"
#include "mlir/IR/Verifier.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Format/GE/FileIO.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/GE/ContainerAttr.h"
#include "modelwright/Interop/GE/MessageAttr.h"
#include "modelwright/Support/Diagnostics.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// Keeps what the file says around its graphs, which are functions by now.
static void attachModelAttrs(ModuleOp module, File &file) {
  Builder b(module.getContext());
  file.model->clear_graph();
  module->setAttr(attr::kModel, toAttr(module.getContext(), *file.model, file));
  if (file.encoding == Encoding::Text)
    module->setAttr(attr::kText, b.getUnitAttr());
  if (file.wire)
    module->setAttr(attr::kWire, makeBytesAttr(module.getContext(), "ge_wire",
                                               *file.wire, file.buffer));
}

/// The part of every file that its constants do not hold.
static std::vector<std::pair<uint64_t, uint64_t>>
findUsedWeights(ModuleOp module) {
  std::vector<std::pair<uint64_t, uint64_t>> used;
  module.walk([&](nn::ConstantOp constant) {
    auto offset = constant->getAttrOfType<IntegerAttr>(attr::kOffset);
    if (!offset)
      return;
    auto type = cast<RankedTensorType>(constant.getType());
    used.push_back({offset.getInt(), *nn::getByteSize(type)});
  });
  return used;
}

FailureOr<OwningOpRef<ModuleOp>>
modelwright::importGE(const std::shared_ptr<llvm::MemoryBuffer> &buffer,
                      StringRef filename, MLIRContext *context) {
  context->loadDialect<nn::NNDialect, func::FuncDialect, quant::QuantDialect>();
  llvm::Expected<File> file = readFile(buffer);
  if (!file) {
    reportReadErrors(file.takeError(), filename, context, &ReadError::opIndex);
    return failure();
  }
  Location loc = FileLineColLoc::get(StringAttr::get(context, filename), 0, 0);
  if (file->model->graph_size() == 0) {
    emitError(loc) << "the model has no graph";
    return failure();
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  FileFacts facts;
  facts.isOM = file->container.has_value();
  if (failed(ModelImporter(*module, filename, *file, facts).run()))
    return failure();
  attachModelAttrs(*module, *file);
  if (file->container)
    (*module)->setAttr(attr::kContainer,
                       toAttr(context, *file, findUsedWeights(*module)));
  if (failed(verify(*module)))
    return failure();
  return module;
}
