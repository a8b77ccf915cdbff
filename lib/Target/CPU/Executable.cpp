//===- Executable.cpp - Run a model in this process -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/Executable.h"
#include "LowerModel.h"
#include "Optimize.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "modelwright/Runtime/Runtime.h"
#include "llvm/ADT/StringExtras.h"
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
      : data(data), words(3 + 2 * shape.size()) {
    words[0] = words[1] = reinterpret_cast<intptr_t>(data);
    int64_t stride = 1;
    for (size_t i = shape.size(); i-- > 0;) {
      words[3 + i] = shape[i];
      words[3 + shape.size() + i] = stride;
      stride *= shape[i];
    }
  }
  void *get() { return words.data(); }
  void *getData() const { return data; }

private:
  void *data;
  SmallVector<int64_t, 16> words;
};

struct PoolDeleter {
  void operator()(mw_pool *pool) const { mw_pool_destroy(pool); }
};

class JITExecutable : public Executable {
public:
  LogicalResult compileModule(ModuleOp source, const CompileOptions &options);
  LogicalResult run(ArrayRef<const HostTensor *> arguments,
                    SmallVectorImpl<HostTensor> &results) override;
  std::vector<ProfiledUnit> getProfile() const override {
    std::vector<ProfiledUnit> units = model.profile;
    for (auto [unit, time] : llvm::zip_equal(units, llvm::drop_begin(times)))
      unit.nanoseconds = time;
    return units;
  }
  void resetProfile() override { llvm::fill(times, 0); }

private:
  LogicalResult createEngine(ModuleOp module, const CompileOptions &options);
  LogicalResult reportCheck(int64_t number) const;
  LogicalResult failMemory(StringRef output, RankedTensorType type) const {
    return emitError(model.loc)
           << "no memory for output '" << output << "' of type " << type;
  }

  /// All but its module, which the engine has translated.
  LoweredModel model;
  LoweredData arena;
  /// Null for a model that runs in one thread.
  std::unique_ptr<mw_pool, PoolDeleter> pool;
  /// The time of the last mark, then that of each of `model.profile`.
  std::vector<int64_t> times;
  std::unique_ptr<ExecutionEngine> engine;
  void (*entryPoint)(void **) = nullptr;
};

} // namespace

/// A word of a descriptor that is a pointer.
template <typename T> static T *getPointer(int64_t word) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): generated code made it one.
  return reinterpret_cast<T *>(word);
}

/// malloc as generated code calls it, for tensors whose size is known only as
/// it runs: it does not look at what it gets, and has no way out.
static void *allocateOrExit(size_t bytes) {
  if (void *memory = std::malloc(bytes))
    return memory;
  llvm::outs().flush();
  llvm::errs() << "error: no memory for a tensor of " << bytes << " bytes\n";
  // No destructors: other threads may be running the model.
  std::_Exit(1);
}

static void initializeNativeTarget() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

/// What this machine lacks of the features that code for another may use.
static SmallVector<StringRef>
getMissingFeatures(const llvm::MCSubtargetInfo &target) {
  SmallVector<StringRef> missing;
  if (!target.getTargetTriple().isX86())
    return missing;
  llvm::StringMap<bool> host = llvm::sys::getHostCPUFeatures();
#define MODELWRIGHT_CPU_FEATURE(name, leaf, subleaf, reg, index, state)        \
  if (target.checkFeatures("+" name) && !host.lookup(name))                    \
    missing.push_back(name);
#include "modelwright/Runtime/CPUFeatures.def"
  return missing;
}

LogicalResult JITExecutable::compileModule(ModuleOp source,
                                           const CompileOptions &options) {
  FailureOr<LoweredModel> lowered = lowerModel(source, options);
  if (failed(lowered))
    return failure();
  model = std::move(*lowered);
  inputs = model.inputs;
  outputs = model.outputs;
  arenaBytes = model.arenaBytes;
  arenaLowerBound = model.arenaLowerBound;
  for (const ModelConstant &constant : model.constants)
    weightBytes += int64_t(getLoweredBytes(constant.type));
  times.resize(1 + model.profile.size());
  if (arenaBytes != 0) {
    FailureOr<LoweredData> allocated =
        LoweredData::allocate(RankedTensorType::get(
            arenaBytes, IntegerType::get(source.getContext(), 8)));
    if (failed(allocated))
      return emitError(model.loc) << "no memory for the " << arenaBytes
                                  << " bytes of what the model computes";
    arena = std::move(*allocated);
  }
  threads = model.threads;
  if (threads > 1) {
    pool.reset(mw_pool_create(threads));
    if (!pool)
      return emitError(model.loc) << "cannot start " << threads << " threads";
  }
  if (failed(createEngine(*model.module, options)))
    return failure();
  model.module = {};
  return success();
}

LogicalResult JITExecutable::createEngine(ModuleOp module,
                                          const CompileOptions &options) {
  initializeNativeTarget();
  auto fail = [&](llvm::Error error) {
    return emitError(model.loc)
           << "cannot compile: " << llvm::toString(std::move(error));
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
    return emitError(model.loc) << "LLVM knows no CPU '" << options.cpu << "'";
  if (!options.cpu.empty()) {
    auto missing = getMissingFeatures(*(*machine)->getMCSubtargetInfo());
    if (!missing.empty())
      return emitError(model.loc)
             << "this machine cannot run code for the CPU '" << options.cpu
             << "': it lacks " << llvm::join(missing, ", ");
  }
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
    symbols[interner("malloc")] = {
        llvm::orc::ExecutorAddr::fromPtr(&allocateOrExit),
        llvm::JITSymbolFlags::Exported};
    return symbols;
  });
  bool isBare = model.convention == CallConvention::BarePointers;
  auto address = engine->lookupPacked(
      (isBare ? std::string() : "_mlir_ciface_") + model.entryName);
  if (!address)
    return fail(address.takeError());
  entryPoint = *address;
  return success();
}

LogicalResult JITExecutable::reportCheck(int64_t number) const {
  auto entry = cast<ArrayAttr>(model.checks[number - 1]);
  return emitError(cast<LocationAttr>(Attribute(entry[1])))
         << cast<StringAttr>(entry[0]).getValue();
}

LogicalResult JITExecutable::run(ArrayRef<const HostTensor *> arguments,
                                 SmallVectorImpl<HostTensor> &results) {
  if (arguments.size() != inputs.size())
    return emitError(model.loc) << "the model has " << inputs.size()
                                << " inputs, not " << arguments.size();
  SmallVector<Descriptor> descriptors;
  SmallVector<LoweredData> buffers;
  for (auto [argument, info] : llvm::zip_equal(arguments, inputs)) {
    if (argument->type.getElementType() != info.type.getElementType() ||
        failed(verifyCompatibleShape(argument->type, info.type)))
      return emitError(model.loc) << "input '" << info.name << "' is "
                                  << info.type << ", not " << argument->type;
    FailureOr<LoweredData> data =
        LoweredData::get(argument->data, argument->type);
    if (failed(data))
      return emitError(model.loc)
             << "input '" << info.name << "' of type " << argument->type
             << " has " << argument->data.size() << " bytes";
    buffers.push_back(std::move(*data));
    descriptors.emplace_back(buffers.back().get(), argument->type.getShape());
  }
  for (ModelConstant &constant : model.constants)
    descriptors.emplace_back(constant.data.get(), constant.type.getShape());
  int64_t status = 0;
  descriptors.emplace_back(&status, ArrayRef<int64_t>{1});
  SmallVector<LoweredData> outputData;
  SmallVector<int64_t> returned;
  if (model.staticResults) {
    for (const TensorInfo &info : outputs) {
      FailureOr<LoweredData> data = LoweredData::allocate(info.type);
      if (failed(data))
        return failMemory(info.name, info.type);
      outputData.push_back(std::move(*data));
      descriptors.emplace_back(outputData.back().get(), info.type.getShape());
    }
  } else {
    for (const TensorInfo &info : outputs)
      returned.append(3 + 2 * info.type.getRank(), 0);
  }
  if (arenaBytes != 0)
    descriptors.emplace_back(arena.get(), ArrayRef<int64_t>(arenaBytes));
  if (model.isProfiled)
    descriptors.emplace_back(times.data(), ArrayRef(int64_t(times.size())));
  SmallVector<void *> pointers, packed;
  if (!model.staticResults)
    pointers.push_back(returned.data());
  for (Descriptor &descriptor : descriptors)
    pointers.push_back(model.convention == CallConvention::BarePointers
                           ? descriptor.getData()
                           : descriptor.get());
  if (pool)
    pointers.push_back(pool.get());
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
    FailureOr<std::vector<char>> bytes;
    if (model.staticResults) {
      bytes = outputData[i].toBytes(info.type);
    } else {
      unsigned rank = info.type.getRank();
      result.type = RankedTensorType::get(ArrayRef<int64_t>(next + 3, rank),
                                          info.type.getElementType());
      auto *data = getPointer<char>(next[1]);
      bytes = LoweredData::view(data, result.type).toBytes(result.type);
      free(getPointer<void>(next[0]));
      next += 3 + 2 * rank;
    }
    if (failed(bytes))
      return failMemory(info.name, result.type);
    result.data = std::move(*bytes);
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
