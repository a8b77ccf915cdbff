//===- EmitInterface.cpp - The functions of a library ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What differs from model to model: descriptions as data, and the function that
// hands the caller's pointers and those of the weights to the model's code. The
// rest is a call of lib/Runtime/Library, whose structs are built here.
//
//===----------------------------------------------------------------------===//

#include "Interface.h"
#include "llvm/IR/IRBuilder.h"

using namespace modelwright::cpu;

namespace {

/// The fields of mw_arena.
enum ArenaField : unsigned { kArenaId, kArenaWeights, kArenaVersion };

class InterfaceEmitter {
public:
  InterfaceEmitter(llvm::Module &module, const Interface &interface)
      : module(module), interface(interface), b(module.getContext()),
        pointer(b.getPtrTy()) {}

  void emit(llvm::ArrayRef<VersionCode> versions,
            llvm::GlobalVariable *weights);

private:
  llvm::Constant *getInt32(int64_t value) {
    return llvm::ConstantInt::getSigned(b.getInt32Ty(), value);
  }
  llvm::Constant *getInt64(uint64_t value) { return b.getInt64(value); }

  /// Read-only data of this library; null for nothing.
  llvm::Constant *emitArray(llvm::Type *element,
                            llvm::ArrayRef<llvm::Constant *> values);
  llvm::Constant *emitData(llvm::Constant *value, const llvm::Twine &name);
  llvm::Constant *emitString(llvm::StringRef text);
  llvm::Constant *emitTensor(const InterfaceTensor &tensor);
  void emitTensors(llvm::StringRef name,
                   llvm::ArrayRef<InterfaceTensor> tensors);
  llvm::Constant *emitLibrary();

  /// Starts a function that callers see.
  llvm::Function *startFunction(llvm::StringRef name, llvm::Type *result,
                                llvm::ArrayRef<llvm::Type *> arguments);
  /// A function that is a call of the runtime's, the library before its own
  /// arguments.
  void emitForwarder(llvm::StringRef name, llvm::StringRef callee,
                     llvm::Type *result,
                     llvm::ArrayRef<llvm::Type *> arguments);
  void emitInit();
  void emitRun(llvm::ArrayRef<VersionCode> versions,
               llvm::GlobalVariable *weights);
  llvm::Value *emitCall(const VersionCode &version, llvm::Function *run,
                        llvm::Value *weights);
  llvm::Value *emitArenaField(llvm::Value *arena, ArenaField field,
                              llvm::Type *type);

  llvm::Module &module;
  const Interface &interface;
  llvm::IRBuilder<> b;
  llvm::Type *pointer;
  llvm::Constant *library = nullptr;
};

} // namespace

llvm::Constant *InterfaceEmitter::emitData(llvm::Constant *value,
                                           const llvm::Twine &name) {
  auto *global =
      new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/true,
                               llvm::GlobalValue::PrivateLinkage, value, name);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return global;
}

llvm::Constant *
InterfaceEmitter::emitArray(llvm::Type *element,
                            llvm::ArrayRef<llvm::Constant *> values) {
  if (values.empty())
    return llvm::ConstantPointerNull::get(b.getPtrTy());
  auto *type = llvm::ArrayType::get(element, values.size());
  return emitData(llvm::ConstantArray::get(type, values), "");
}

llvm::Constant *InterfaceEmitter::emitString(llvm::StringRef text) {
  return emitData(llvm::ConstantDataArray::getString(module.getContext(), text),
                  "");
}

llvm::Constant *InterfaceEmitter::emitTensor(const InterfaceTensor &tensor) {
  llvm::SmallVector<llvm::Constant *> shape, scales, zeroPoints;
  for (int64_t dim : tensor.shape)
    shape.push_back(getInt64(uint64_t(dim)));
  for (double scale : tensor.scales)
    scales.push_back(llvm::ConstantFP::get(b.getDoubleTy(), scale));
  for (int64_t zeroPoint : tensor.zeroPoints)
    zeroPoints.push_back(getInt32(zeroPoint));
  // The struct that PrintHeader.cpp prints.
  return llvm::ConstantStruct::getAnon(
      {emitString(tensor.name), getInt32(tensor.dtype), getInt32(tensor.bits),
       getInt32(int64_t(tensor.shape.size())), emitArray(b.getInt64Ty(), shape),
       getInt64(tensor.bytes), getInt32(tensor.axis),
       getInt32(int64_t(scales.size())), emitArray(b.getDoubleTy(), scales),
       emitArray(b.getInt32Ty(), zeroPoints)});
}

void InterfaceEmitter::emitTensors(llvm::StringRef name,
                                   llvm::ArrayRef<InterfaceTensor> tensors) {
  llvm::SmallVector<llvm::Constant *> list;
  for (const InterfaceTensor &tensor : tensors)
    list.push_back(emitTensor(tensor));
  // C knows no empty arrays: an element without a name then.
  if (list.empty())
    list.push_back(emitTensor({}));
  auto *array = llvm::ConstantArray::get(
      llvm::ArrayType::get(list.front()->getType(), list.size()), list);
  new llvm::GlobalVariable(module, array->getType(), /*isConstant=*/true,
                           llvm::GlobalValue::ExternalLinkage, array,
                           interface.prefix + name);
}

llvm::Constant *InterfaceEmitter::emitLibrary() {
  // In the order of the codes: -5, -4 ...
  std::vector<std::string> messages = {
      "there is no such version of the code",
      "the code needs instructions that this CPU does not have",
      "the weights are not those of this library, or not aligned",
      "the arena was not initialized for this library",
      "the arena is not aligned or too small",
      "no error"};
  messages.insert(messages.end(), interface.checks.begin(),
                  interface.checks.end());
  llvm::SmallVector<llvm::Constant *> offsets, features;
  std::string text;
  for (llvm::StringRef message : messages) {
    offsets.push_back(b.getInt32(uint32_t(text.size())));
    text += message;
    text += '\0';
  }
  for (uint64_t version : interface.features)
    features.push_back(getInt64(version));
  // struct mw_library
  llvm::Constant *value = llvm::ConstantStruct::getAnon(
      {getInt64(interface.id), getInt64(interface.arenaBytes),
       getInt64(interface.separateWeights
                    ? kArenaHeaderBytes + interface.weightBytes
                    : 0),
       getInt64(interface.features.size()), emitArray(b.getInt64Ty(), features),
       emitArray(b.getInt32Ty(), offsets), getInt64(messages.size()),
       emitString(text)});
  return emitData(value, interface.prefix + "_library");
}

llvm::Function *
InterfaceEmitter::startFunction(llvm::StringRef name, llvm::Type *result,
                                llvm::ArrayRef<llvm::Type *> arguments) {
  auto *type = llvm::FunctionType::get(result, arguments, /*isVarArg=*/false);
  auto *function =
      llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage,
                             interface.prefix + name, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", function));
  return function;
}

void InterfaceEmitter::emitForwarder(llvm::StringRef name,
                                     llvm::StringRef callee, llvm::Type *result,
                                     llvm::ArrayRef<llvm::Type *> arguments) {
  llvm::Function *function = startFunction(name, result, arguments);
  llvm::SmallVector<llvm::Type *> types = {pointer};
  llvm::append_range(types, arguments);
  llvm::SmallVector<llvm::Value *> values = {library};
  for (llvm::Argument &argument : function->args())
    values.push_back(&argument);
  b.CreateRet(
      b.CreateCall(module.getOrInsertFunction(
                       callee, llvm::FunctionType::get(result, types, false)),
                   values));
}

void InterfaceEmitter::emitInit() {
  llvm::Type *size = b.getInt64Ty();
  if (interface.separateWeights)
    return emitForwarder("_init", "mw_library_init", b.getInt32Ty(),
                         {pointer, size, pointer, size});
  llvm::Function *init =
      startFunction("_init", b.getInt32Ty(), {pointer, size});
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      "mw_library_init",
      llvm::FunctionType::get(b.getInt32Ty(),
                              {pointer, pointer, size, pointer, size}, false));
  b.CreateRet(b.CreateCall(
      callee, {library, init->getArg(0), init->getArg(1),
               llvm::ConstantPointerNull::get(b.getPtrTy()), getInt64(0)}));
}

llvm::Value *InterfaceEmitter::emitArenaField(llvm::Value *arena,
                                              ArenaField field,
                                              llvm::Type *type) {
  return b.CreateLoad(
      type, b.CreateConstGEP1_64(b.getInt64Ty(), arena, unsigned(field)));
}

llvm::Value *InterfaceEmitter::emitCall(const VersionCode &version,
                                        llvm::Function *run,
                                        llvm::Value *weights) {
  llvm::SmallVector<llvm::Value *> arguments;
  auto addCallers = [&](llvm::Value *list, size_t count) {
    for (size_t i = 0; i < count; ++i)
      arguments.push_back(
          b.CreateLoad(pointer, b.CreateConstGEP1_64(pointer, list, i)));
  };
  addCallers(run->getArg(0), interface.inputs.size());
  for (uint64_t offset : version.constants)
    arguments.push_back(b.CreateConstGEP1_64(b.getInt8Ty(), weights, offset));
  llvm::Value *status = b.CreateAlloca(b.getInt64Ty());
  b.CreateStore(getInt64(0), status);
  arguments.push_back(status);
  addCallers(run->getArg(1), interface.outputs.size());
  if (version.hasArena)
    arguments.push_back(
        b.CreateConstGEP1_64(b.getInt8Ty(), run->getArg(2), kArenaHeaderBytes));
  b.CreateCall(version.function, arguments);
  llvm::Value *number =
      b.CreateTrunc(b.CreateLoad(b.getInt64Ty(), status), b.getInt32Ty());
  if (version.firstCheck == 0)
    return number;
  return b.CreateSelect(b.CreateIsNull(number), number,
                        b.CreateAdd(number, b.getInt32(version.firstCheck)));
}

void InterfaceEmitter::emitRun(llvm::ArrayRef<VersionCode> versions,
                               llvm::GlobalVariable *weights) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Function *run =
      startFunction("_run", b.getInt32Ty(), {pointer, pointer, pointer});
  llvm::Value *arena = run->getArg(2);
  auto addBlock = [&](const llvm::Twine &name) {
    return llvm::BasicBlock::Create(context, name, run);
  };
  llvm::BasicBlock *load = addBlock("load"), *choose = addBlock("choose"),
                   *refuse = addBlock("refuse");
  // An arena that nobody initialized says so, rather than be run with.
  b.CreateCondBr(b.CreateIsNull(arena), refuse, load);
  b.SetInsertPoint(load);
  llvm::Value *id = emitArenaField(arena, kArenaId, b.getInt64Ty());
  b.CreateCondBr(b.CreateICmpEQ(id, getInt64(interface.id)), choose, refuse);
  b.SetInsertPoint(refuse);
  b.CreateRet(getInt32(-2));
  b.SetInsertPoint(choose);
  llvm::Value *base =
      weights ? weights : emitArenaField(arena, kArenaWeights, pointer);
  llvm::Value *number = emitArenaField(arena, kArenaVersion, b.getInt64Ty());
  llvm::SwitchInst *choice =
      b.CreateSwitch(number, refuse, unsigned(versions.size()));
  for (auto [i, version] : llvm::enumerate(versions)) {
    llvm::BasicBlock *block = addBlock(interface.versions[i]);
    choice->addCase(b.getInt64(i), block);
    b.SetInsertPoint(block);
    b.CreateRet(emitCall(version, run, base));
  }
}

void InterfaceEmitter::emit(llvm::ArrayRef<VersionCode> versions,
                            llvm::GlobalVariable *weights) {
  library = emitLibrary();
  emitTensors("_inputs", interface.inputs);
  emitTensors("_outputs", interface.outputs);
  startFunction("_arena_size", b.getInt64Ty(), {});
  b.CreateRet(getInt64(interface.arenaBytes));
  emitInit();
  emitRun(versions, weights);
  emitForwarder("_message", "mw_library_message", pointer, {b.getInt32Ty()});
  if (versions.size() > 1) {
    emitForwarder("_version", "mw_library_version", b.getInt32Ty(), {pointer});
    emitForwarder("_set_version", "mw_library_set_version", b.getInt32Ty(),
                  {pointer, b.getInt32Ty()});
  }
}

void modelwright::cpu::emitInterface(llvm::Module &module,
                                     const Interface &interface,
                                     llvm::ArrayRef<VersionCode> versions,
                                     llvm::GlobalVariable *weights) {
  InterfaceEmitter(module, interface).emit(versions, weights);
}
