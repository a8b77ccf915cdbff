//===- LowerModel.cpp - From a model to the LLVM dialect ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LowerModel.h"
#include "TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// More bytes than a process can address, on x86-64 or AArch64. Sizes that are
/// computed from those of such tensors could wrap.
static constexpr uint64_t kMaxTensorBytes = uint64_t(1) << 56;

static bool isTooLarge(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !nn::getStorageBits(tensor.getElementType()))
    return false;
  return nn::getByteSize(tensor).value_or(UINT64_MAX) > kMaxTensorBytes;
}

/// Results of ops, which buffers are made for.
static LogicalResult checkSizes(func::FuncOp entry) {
  WalkResult result = entry.walk([](Operation *op) -> WalkResult {
    for (Type type : op->getResultTypes())
      if (isTooLarge(type))
        return op->emitError("tensor too large: a result of type ") << type;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Names and types of the graph's inputs and outputs, before lowering.
static LogicalResult collectInfo(func::FuncOp entry,
                                 SmallVectorImpl<TensorInfo> &inputs,
                                 SmallVectorImpl<TensorInfo> &outputs) {
  auto add = [&](Type type, Attribute name, size_t index, StringRef what,
                 SmallVectorImpl<TensorInfo> &list) -> LogicalResult {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !nn::getStorageBits(tensor.getElementType()))
      return entry.emitError() << what << " #" << index << " of type " << type
                               << " cannot be held in memory";
    auto string = dyn_cast_or_null<StringAttr>(name);
    std::string text = string ? string.str() : (what + Twine(index)).str();
    if (isTooLarge(type))
      return entry.emitError("tensor too large: ")
             << what << " '" << text << "' is " << type;
    list.push_back({std::move(text), tensor});
    return success();
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    if (failed(add(entry.getArgumentTypes()[i],
                   entry.getArgAttr(i, nn::NNDialect::kNameAttr), i, "input",
                   inputs)))
      return failure();
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    if (failed(add(entry.getResultTypes()[i],
                   entry.getResultAttr(i, nn::NNDialect::kNameAttr), i,
                   "output", outputs)))
      return failure();
  return success();
}

static LogicalResult collectConstants(func::FuncOp entry, size_t numInputs,
                                      SmallVectorImpl<ModelConstant> &list) {
  llvm::DenseMap<Operation *, unsigned> positions;
  for (Operation &op : entry.getBody().front())
    positions[&op] = positions.size();
  for (unsigned i = numInputs; i < entry.getNumArguments(); ++i) {
    auto value =
        entry.getArgAttrOfType<ElementsAttr>(i, nn::NNDialect::kConstantAttr);
    if (!value)
      continue;
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    FailureOr<LoweredData> data = LoweredData::get(value, type);
    if (failed(data))
      return entry.emitError()
             << "the elements of a constant of type " << type << " are missing";
    unsigned firstUse = UINT_MAX;
    for (Operation *user : entry.getArgument(i).getUsers())
      firstUse = std::min(
          firstUse,
          positions[entry.getBody().front().findAncestorOpInBlock(*user)]);
    list.push_back({std::move(*data), type, firstUse});
    // The argument's bytes are the list's now; the attribute would be printed.
    entry.removeArgAttr(
        i, StringAttr::get(entry.getContext(), nn::NNDialect::kConstantAttr));
  }
  return success();
}

/// What the entry function's attributes say, which go.
static void collectResults(LoweredModel &model, int64_t threads) {
  model.module->walk([&](LLVM::LLVMFuncOp func) {
    if (auto list = func->getAttrOfType<ArrayAttr>(kChecksAttr))
      model.checks = list;
    if (auto sizes = func->getAttrOfType<DenseI64ArrayAttr>(kArenaAttr)) {
      model.arenaBytes = sizes[0];
      model.arenaLowerBound = sizes[1];
    }
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, kPoolAttr))
        model.threads = threads;
    if (auto units = func->getAttrOfType<ArrayAttr>(kProfileAttr)) {
      model.isProfiled = true;
      // The function's C wrapper has its attributes as well.
      model.profile.clear();
      for (auto unit : units.getAsRange<DictionaryAttr>())
        model.profile.push_back(
            {unit.getAs<StringAttr>("kernel").str(),
             SmallVector<int64_t>(
                 unit.getAs<DenseI64ArrayAttr>("ops").asArrayRef()),
             unit.getAs<BoolAttr>("move").getValue(),
             unit.getAs<IntegerAttr>("bytes").getInt()});
      func->removeAttr(kProfileAttr);
    }
    // The translation to LLVM IR warns of attributes that it does not know.
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
  });
}

FailureOr<LoweredModel> cpu::lowerModel(ModuleOp source,
                                        const CompileOptions &options) {
  MLIRContext *context = source.getContext();
  DialectRegistry registry;
  registerPipelineInterfaces(registry);
  registerAllToLLVMIRTranslations(registry);
  context->appendDialectRegistry(registry);
  LoweredModel model;
  model.module = source.clone();
  func::FuncOp entry = getEntryFunction(*model.module);
  if (!entry)
    return source.emitError("there is no public function to run");
  model.loc = entry.getLoc();
  model.entryName = entry.getName().str();
  if (failed(collectInfo(entry, model.inputs, model.outputs)) ||
      failed(checkSizes(entry)))
    return failure();
  auto isStatic = [](const TensorInfo &info) {
    return info.type.hasStaticShape();
  };
  model.staticResults = llvm::all_of(model.outputs, isStatic);
  // A descriptor is up to thirteen arguments of the LLVM function: with those
  // of all weights, LLVM takes seconds for them.
  // MLIR makes no bare pointer of a buffer without elements.
  auto canBeBare = [](const TensorInfo &info) {
    return info.type.hasStaticShape() && info.type.getNumElements() != 0;
  };
  if (llvm::all_of(model.inputs, canBeBare) &&
      llvm::all_of(model.outputs, canBeBare))
    model.convention = CallConvention::BarePointers;
  PipelineOptions pipeline = options.pipeline;
  pipeline.staticResults = model.staticResults;
  if (!pipeline.products) {
    auto machine = createTargetMachine("", options.cpu, "");
    if (!machine)
      return emitError(model.loc) << llvm::toString(machine.takeError());
    setTargetOptions(*(*machine)->getMCSubtargetInfo(), pipeline);
  }
  PassManager prepare(context);
  buildKernelPipeline(prepare, pipeline);
  prepare.addPass(createPrepareEntry());
  if (failed(prepare.run(*model.module)))
    return failure();
  entry = getEntryFunction(*model.module);
  if (failed(collectConstants(entry, model.inputs.size(), model.constants)))
    return failure();
  entry->setAttr(model.convention == CallConvention::Descriptors
                     ? LLVM::LLVMDialect::getEmitCWrapperAttrName()
                     : StringRef(kBarePointersAttr),
                 UnitAttr::get(context));
  PassManager pm(context);
  if (options.printIR) {
    context->disableMultithreading();
    pm.enableIRPrinting();
  }
  if (options.timePasses)
    pm.enableTiming();
  buildBufferPipeline(pm, pipeline);
  buildLLVMPipeline(pm, pipeline);
  if (failed(pm.run(*model.module)))
    return failure();
  collectResults(model, pipeline.threads);
  return model;
}
