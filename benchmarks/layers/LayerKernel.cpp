//===- LayerKernel.cpp - The kernel of one layer --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayerKernel.h"
#include "Optimize.h"
#include "TargetMachine.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <random>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::bench;

/// The one kernel that computes, of a function on tensors.
static FailureOr<Operation *> findKernel(ModuleOp module) {
  Operation *found = nullptr;
  unsigned count = 0;
  module.walk([&](Operation *op) {
    if (!isa<cpu::Conv2DOp, cpu::DepthwiseConv2DOp, cpu::MatMulOp>(op))
      return;
    found = op;
    ++count;
  });
  if (count != 1)
    return module.emitError() << "has " << count << " kernels, not one";
  return found;
}

/// A module with the kernel on buffers, which are the arguments of its
/// function.
static OwningOpRef<ModuleOp> isolate(Operation *kernel) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel->getLoc());
  OpBuilder builder(kernel->getContext());
  builder.setInsertionPointToStart(module->getBody());
  SmallVector<Type> types;
  for (Type type : kernel->getOperandTypes()) {
    auto tensor = cast<RankedTensorType>(type);
    types.push_back(
        MemRefType::get(tensor.getShape(), tensor.getElementType()));
  }
  auto function =
      func::FuncOp::create(builder, kernel->getLoc(), "layer",
                           builder.getFunctionType(types, TypeRange()));
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    builder.getUnitAttr());
  builder.setInsertionPointToStart(function.addEntryBlock());
  OperationState state(kernel->getLoc(), kernel->getName());
  state.addOperands(function.getArguments());
  state.addAttributes(kernel->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = kernel->getPropertiesAsAttribute();
  for (Region &region : kernel->getRegions()) {
    IRMapping mapping;
    region.cloneInto(state.addRegion(), mapping);
  }
  builder.create(state);
  func::ReturnOp::create(builder, kernel->getLoc());
  return module;
}

/// Memory that the kernel works in becomes an argument, too.
static void passScratch(ModuleOp module) {
  auto function = *module.getOps<func::FuncOp>().begin();
  SmallVector<memref::AllocOp> allocations(function.getOps<memref::AllocOp>());
  for (memref::AllocOp allocation : allocations) {
    unsigned number = function.getNumArguments();
    [[maybe_unused]] LogicalResult inserted = function.insertArgument(
        number, allocation.getType(), DictionaryAttr(), allocation.getLoc());
    assert(succeeded(inserted) && "func.func takes arguments of any type");
    allocation.replaceAllUsesWith(Value(function.getArgument(number)));
    allocation.erase();
  }
}

static std::string describe(Operation *kernel) {
  std::string text;
  llvm::raw_string_ostream os(text);
  DenseI64ArrayAttr tile;
  llvm::TypeSwitch<Operation *, void>(kernel)
      .Case([&](cpu::Conv2DOp conv) {
        os << stringifyAlgorithm(conv.getAlgorithm()) << " "
           << stringifyProducts(
                  conv.getProducts().value_or(cpu::Products::lanes))
           << " ";
        tile = conv.getTileAttr();
      })
      .Case<cpu::DepthwiseConv2DOp, cpu::MatMulOp>(
          [&](auto op) { tile = op.getTileAttr(); });
  llvm::interleave(tile.asArrayRef(), os, "x");
  return text;
}

FailureOr<std::unique_ptr<LayerKernel>>
LayerKernel::compile(MLIRContext &context, StringRef model,
                     cpu::PipelineOptions options) {
  OwningOpRef<ModuleOp> source = parseSourceString<ModuleOp>(model, &context);
  if (!source)
    return failure();
  auto machine = cpu::createTargetMachine("", "", "");
  if (!machine)
    return source->emitError() << llvm::toString(machine.takeError());
  cpu::setTargetOptions(*(*machine)->getMCSubtargetInfo(), options);
  PassManager pm(&context);
  cpu::buildKernelPipeline(pm, options);
  pm.addPass(createConvertNNToLinalg());
  pm.addPass(createCanonicalizerPass());
  cpu::buildSchedulePipeline(pm, options);
  if (failed(pm.run(*source)))
    return failure();
  FailureOr<Operation *> kernel = findKernel(*source);
  if (failed(kernel))
    return failure();
  auto layer = std::make_unique<LayerKernel>();
  layer->choice = describe(*kernel);
  OwningOpRef<ModuleOp> module = isolate(*kernel);
  PassManager scratch(&context);
  scratch.addNestedPass<func::FuncOp>(cpu::createAllocateScratch());
  if (failed(scratch.run(*module)))
    return failure();
  passScratch(*module);
  auto function = *module->getOps<func::FuncOp>().begin();
  layer->allocate(function.getArgumentTypes());
  PassManager lower(&context);
  cpu::buildLLVMPipeline(lower, options);
  if (failed(lower.run(*module)) ||
      failed(layer->createEngine(*module, std::move(*machine))))
    return failure();
  return layer;
}

void LayerKernel::allocate(ArrayRef<Type> types) {
  std::mt19937 random(1);
  for (Type type : types) {
    auto buffer = cast<MemRefType>(type);
    int64_t count = buffer.getNumElements();
    unsigned bits = buffer.getElementTypeBitWidth();
    constexpr size_t kAlignment = 64;
    size_t bytes = size_t(count) * bits / 8;
    memory.push_back(std::make_unique<char[]>(bytes + kAlignment));
    void *data = memory.back().get();
    size_t room = bytes + kAlignment;
    std::align(kAlignment, bytes, data, room);
    // Numbers around 1: no denormals, no overflow.
    std::uniform_real_distribution<float> numbers(-1, 1);
    for (int64_t i = 0; i < count; ++i) {
      float number = numbers(random);
      uint32_t word;
      std::memcpy(&word, &number, sizeof(word));
      if (buffer.getElementType().isF32())
        static_cast<uint32_t *>(data)[i] = word;
      else if (buffer.getElementType().isBF16())
        static_cast<uint16_t *>(data)[i] = uint16_t(word >> 16);
      else if (bits == 8)
        static_cast<int8_t *>(data)[i] = int8_t(127 * number);
      else if (bits == 16)
        static_cast<int16_t *>(data)[i] = int16_t(127 * number);
      else
        static_cast<int32_t *>(data)[i] = int32_t(1000 * number);
    }
    std::vector<int64_t> descriptor(3 + 2 * buffer.getRank());
    descriptor[0] = descriptor[1] = reinterpret_cast<intptr_t>(data);
    int64_t stride = 1;
    for (int64_t dim = buffer.getRank(); dim-- > 0;) {
      descriptor[3 + dim] = buffer.getDimSize(dim);
      descriptor[3 + buffer.getRank() + dim] = stride;
      stride *= buffer.getDimSize(dim);
    }
    descriptors.push_back(std::move(descriptor));
  }
  for (std::vector<int64_t> &descriptor : descriptors)
    pointers.push_back(descriptor.data());
  for (void *&pointer : pointers)
    arguments.push_back(static_cast<void *>(&pointer));
}

LogicalResult
LayerKernel::createEngine(ModuleOp module,
                          std::unique_ptr<llvm::TargetMachine> machine) {
  auto fail = [&](llvm::Error error) {
    return module.emitError() << llvm::toString(std::move(error));
  };
  // As model-run compiles.
  llvm::TargetMachine *target = machine.get();
  auto transformer = [target](llvm::Module *lowered) {
    cpu::optimize(*lowered, *target, /*level=*/1);
    return llvm::Error::success();
  };
  ExecutionEngineOptions options;
  options.transformer = transformer;
  options.jitCodeGenOptLevel = llvm::CodeGenOptLevel::Default;
  auto created = ExecutionEngine::create(module, options, std::move(machine));
  if (!created)
    return fail(created.takeError());
  engine = std::move(*created);
  auto address = engine->lookupPacked("_mlir_ciface_layer");
  if (!address)
    return fail(address.takeError());
  entry = *address;
  return success();
}
