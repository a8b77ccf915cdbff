//===- Executable.cpp - Run a model in this process -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/Executable.h"
#include "HostData.h"
#include "Optimize.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Runtime/Runtime.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

namespace {

/// A memref as generated code takes it.
class Descriptor {
public:
  Descriptor(void *data, ArrayRef<int64_t> shape)
      : words(3 + 2 * shape.size()) {
    words[0] = words[1] = reinterpret_cast<intptr_t>(data);
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      words[3 + i] = shape[i];
      words[3 + shape.size() + i] = stride;
      stride *= shape[i];
    }
  }
  void *get() { return words.data(); }

private:
  SmallVector<int64_t, 16> words;
};

class JITExecutable : public Executable {
public:
  LogicalResult compileModule(ModuleOp source, const CompileOptions &options);
  LogicalResult run(ArrayRef<const HostTensor *> arguments,
                    SmallVectorImpl<HostTensor> &results) override;

private:
  LogicalResult lower(ModuleOp module, const CompileOptions &options);
  LogicalResult collectConstants(func::FuncOp entry);
  LogicalResult createEngine(ModuleOp module, const CompileOptions &options);
  LogicalResult reportCheck(int64_t number) const;

  MLIRContext *context = nullptr;
  LocationAttr loc;
  std::string entryName;
  bool staticResults = true;
  /// The weights in their lowered form: views of the model's bytes where these
  /// can be used in place.
  SmallVector<LoweredData> constants;
  SmallVector<RankedTensorType> constantTypes;
  ArrayAttr checks;
  LoweredData arena;
  std::unique_ptr<ExecutionEngine> engine;
  void (*entryPoint)(void **) = nullptr;
};

} // namespace

/// A word of a descriptor that is a pointer.
template <typename T> static T *getPointer(int64_t word) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): generated code made it one.
  return reinterpret_cast<T *>(word);
}

static void initializeNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// f32 numbers in a vector of the CPU that the code is for.
static int64_t getLanes(const CompileOptions &options) {
  if (options.pipeline.lanes != 0)
    return options.pipeline.lanes;
  if (options.cpu == "x86-64-v4")
    return 16;
  // Of other names, what they can is LLVM's secret: 8 lanes do everywhere.
  if (!options.cpu.empty())
    return 8;
  return llvm::sys::getHostCPUFeatures().lookup("avx512f") ? 16 : 8;
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
    list.push_back(
        {string ? string.str() : (what + Twine(index)).str(), tensor});
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

LogicalResult JITExecutable::compileModule(ModuleOp source,
                                           const CompileOptions &options) {
  context = source.getContext();
  loc = source.getLoc();
  DialectRegistry registry;
  registerPipelineInterfaces(registry);
  registerAllToLLVMIRTranslations(registry);
  context->appendDialectRegistry(registry);
  OwningOpRef<ModuleOp> module = source.clone();
  func::FuncOp entry = getEntryFunction(*module);
  if (!entry)
    return source.emitError("there is no public function to run");
  loc = entry.getLoc();
  entryName = entry.getName().str();
  if (failed(collectInfo(entry, inputs, outputs)))
    return failure();
  staticResults = llvm::all_of(outputs, [](const TensorInfo &info) {
    return info.type.hasStaticShape();
  });
  if (failed(lower(*module, options)))
    return failure();
  return createEngine(*module, options);
}

LogicalResult JITExecutable::lower(ModuleOp module,
                                   const CompileOptions &options) {
  PipelineOptions pipeline = options.pipeline;
  pipeline.staticResults = staticResults;
  pipeline.lanes = getLanes(options);
  PassManager prepare(context);
  buildKernelPipeline(prepare, pipeline);
  prepare.addPass(createPrepareEntry());
  if (failed(prepare.run(module)))
    return failure();
  func::FuncOp entry = getEntryFunction(module);
  if (failed(collectConstants(entry)))
    return failure();
  entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
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
  if (failed(pm.run(module)))
    return failure();
  module.walk([&](LLVM::LLVMFuncOp func) {
    if (auto list = func->getAttrOfType<ArrayAttr>(kChecksAttr))
      checks = list;
    if (auto sizes = func->getAttrOfType<DenseI64ArrayAttr>(kArenaAttr)) {
      arenaBytes = sizes[0];
      arenaLowerBound = sizes[1];
      arena = LoweredData::allocate(
          RankedTensorType::get(arenaBytes, IntegerType::get(context, 8)));
    }
    // The translation to LLVM IR warns of attributes that it does not know.
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
  });
  return success();
}

LogicalResult JITExecutable::collectConstants(func::FuncOp entry) {
  for (unsigned i = inputs.size(); i < entry.getNumArguments(); ++i) {
    auto value =
        entry.getArgAttrOfType<ElementsAttr>(i, nn::NNDialect::kConstantAttr);
    if (!value)
      continue;
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[i]);
    FailureOr<LoweredData> data = LoweredData::get(value, type);
    if (failed(data))
      return entry.emitError()
             << "the elements of a constant of type " << type << " are missing";
    constants.push_back(std::move(*data));
    constantTypes.push_back(type);
    // The argument's bytes are ours now; the attribute would be printed.
    entry.removeArgAttr(i,
                        StringAttr::get(context, nn::NNDialect::kConstantAttr));
  }
  return success();
}

LogicalResult JITExecutable::createEngine(ModuleOp module,
                                          const CompileOptions &options) {
  initializeNativeTarget();
  auto fail = [&](llvm::Error error) {
    return emitError(loc) << "cannot compile: "
                          << llvm::toString(std::move(error));
  };
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return fail(builder.takeError());
  if (!options.cpu.empty()) {
    builder->setCPU(options.cpu);
    builder->getFeatures() = llvm::SubtargetFeatures();
  }
  auto machine = builder->createTargetMachine();
  if (!machine)
    return fail(machine.takeError());
  if (!(*machine)->getMCSubtargetInfo()->isCPUStringValid(
          options.cpu.empty() ? builder->getCPU() : options.cpu))
    return emitError(loc) << "LLVM knows no CPU '" << options.cpu << "'";
  // The transformer keeps a pointer of its own, since the engine takes the
  // target machine.
  auto transformer = [level = options.optLevel,
                      target = machine->get()](llvm::Module *llvmModule) {
    optimize(*llvmModule, *target, level);
    return llvm::Error::success();
  };
  ExecutionEngineOptions engineOptions;
  engineOptions.transformer = transformer;
  engineOptions.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  engineOptions.enableGDBNotificationListener = false;
  engineOptions.enablePerfNotificationListener = false;
  auto created =
      ExecutionEngine::create(module, engineOptions, std::move(*machine));
  if (!created)
    return fail(created.takeError());
  engine = std::move(*created);
  engine->registerSymbols([](llvm::orc::MangleAndInterner interner) {
    llvm::orc::SymbolMap symbols;
#define MODELWRIGHT_RUNTIME_FUNCTION(name)                                     \
  symbols[interner(#name)] = {llvm::orc::ExecutorAddr::fromPtr(&(name)),       \
                              llvm::JITSymbolFlags::Exported};
#include "modelwright/Runtime/Functions.def"
    return symbols;
  });
  auto address = engine->lookupPacked("_mlir_ciface_" + entryName);
  if (!address)
    return fail(address.takeError());
  entryPoint = *address;
  return success();
}

LogicalResult JITExecutable::reportCheck(int64_t number) const {
  auto entry = cast<ArrayAttr>(checks[number - 1]);
  return emitError(cast<LocationAttr>(Attribute(entry[1])))
         << cast<StringAttr>(entry[0]).getValue();
}

LogicalResult JITExecutable::run(ArrayRef<const HostTensor *> arguments,
                                 SmallVectorImpl<HostTensor> &results) {
  if (arguments.size() != inputs.size())
    return emitError(loc) << "the model has " << inputs.size()
                          << " inputs, not " << arguments.size();
  SmallVector<Descriptor> descriptors;
  SmallVector<LoweredData> buffers;
  for (auto [argument, info] : llvm::zip_equal(arguments, inputs)) {
    if (argument->type.getElementType() != info.type.getElementType() ||
        failed(verifyCompatibleShape(argument->type, info.type)))
      return emitError(loc) << "input '" << info.name << "' is " << info.type
                            << ", not " << argument->type;
    FailureOr<LoweredData> data =
        LoweredData::get(argument->data, argument->type);
    if (failed(data))
      return emitError(loc)
             << "input '" << info.name << "' of type " << argument->type
             << " has " << argument->data.size() << " bytes";
    buffers.push_back(std::move(*data));
    descriptors.emplace_back(buffers.back().get(), argument->type.getShape());
  }
  for (auto [data, type] : llvm::zip_equal(constants, constantTypes))
    descriptors.emplace_back(data.get(), type.getShape());
  int64_t status = 0;
  descriptors.emplace_back(&status, ArrayRef<int64_t>{1});
  SmallVector<LoweredData> outputData;
  SmallVector<int64_t> returned;
  if (staticResults) {
    for (const TensorInfo &info : outputs) {
      outputData.push_back(LoweredData::allocate(info.type));
      descriptors.emplace_back(outputData.back().get(), info.type.getShape());
    }
  } else {
    for (const TensorInfo &info : outputs)
      returned.append(3 + 2 * info.type.getRank(), 0);
  }
  if (arenaBytes != 0)
    descriptors.emplace_back(arena.get(), ArrayRef<int64_t>(arenaBytes));
  SmallVector<void *> pointers, packed;
  if (!staticResults)
    pointers.push_back(returned.data());
  for (Descriptor &descriptor : descriptors)
    pointers.push_back(descriptor.get());
  for (void *&pointer : pointers)
    packed.push_back(static_cast<void *>(&pointer));
  entryPoint(packed.data());
  if (status != 0)
    return reportCheck(status);
  const int64_t *next = returned.data();
  for (auto [i, info] : llvm::enumerate(outputs)) {
    HostTensor result;
    result.name = info.name;
    result.type = info.type;
    if (staticResults) {
      result.data = outputData[i].toBytes(info.type);
    } else {
      unsigned rank = info.type.getRank();
      result.type = RankedTensorType::get(ArrayRef<int64_t>(next + 3, rank),
                                          info.type.getElementType());
      auto *data = getPointer<char>(next[1]);
      result.data = LoweredData::view(data, result.type).toBytes(result.type);
      free(getPointer<void>(next[0]));
      next += 3 + 2 * rank;
    }
    results.push_back(std::move(result));
  }
  return success();
}

FailureOr<std::unique_ptr<Executable>>
Executable::compile(ModuleOp module, const CompileOptions &options) {
  auto executable = std::make_unique<JITExecutable>();
  if (failed(executable->compileModule(module, options)))
    return failure();
  return std::unique_ptr<Executable>(std::move(executable));
}
