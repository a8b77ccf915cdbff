//===- Library.cpp - A model as a library with a C interface --------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each version of the code is lowered for its own CPU; all of them, the runtime
// functions that they call and the C interface become one LLVM module, and that
// an object. The weights are not in the module, where every pass would carry
// them: the object has a section of their size, which is filled in its bytes.
//
//===----------------------------------------------------------------------===//

#include "modelwright/Target/CPU/Library.h"
#include "../LowerModel.h"
#include "../Optimize.h"
#include "../TargetMachine.h"
#include "Interface.h"
#include "ObjectCode.h"
#include "Weights.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Code reaches the weights within 2 GB.
static constexpr uint64_t kMaxSectionBytes = uint64_t(1) << 30;

bool cpu::isCIdentifier(StringRef name) {
  static constexpr StringLiteral kKeywords[] = {
      "auto",     "break",  "case",    "char",   "const",    "continue",
      "default",  "do",     "double",  "else",   "enum",     "extern",
      "float",    "for",    "goto",    "if",     "int",      "long",
      "register", "return", "short",   "signed", "sizeof",   "static",
      "struct",   "switch", "typedef", "union",  "unsigned", "void",
      "volatile", "while"};
  return !name.empty() && !llvm::isDigit(name[0]) &&
         llvm::all_of(name,
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }) &&
         !llvm::is_contained(kKeywords, name);
}

namespace {

class LibraryCompiler {
public:
  LibraryCompiler(ModuleOp source, const LibraryOptions &options)
      : source(source), options(options), llvmModule("model", context) {}

  FailureOr<Library> compile();

private:
  LogicalResult checkShapes(func::FuncOp entry);
  LogicalResult addVersion(LibraryVersion version);
  LogicalResult checkLowered(LoweredModel &model, LLVM::LLVMFuncOp entry);
  LogicalResult describeInterface(const LoweredModel &model);
  void addChecks(const LoweredModel &model, VersionCode &code);
  LogicalResult addRuntime();
  llvm::GlobalVariable *addWeightsSection();
  LogicalResult emitObject();

  InFlightDiagnostic fail() { return emitError(loc); }

  ModuleOp source;
  const LibraryOptions &options;
  Location loc = source.getLoc();
  llvm::LLVMContext context;
  llvm::Module llvmModule;
  std::unique_ptr<llvm::TargetMachine> machine;
  Interface interface;
  std::vector<VersionCode> versions;
  WeightsBuilder weights;
  Library library;
};

} // namespace

/// All shapes must be known, for only then is the size of what a run needs.
LogicalResult LibraryCompiler::checkShapes(func::FuncOp entry) {
  std::string list;
  llvm::raw_string_ostream os(list);
  bool isInputDynamic = false;
  auto check = [&](Type type, Attribute name, StringRef what, unsigned index) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && tensor.hasStaticShape())
      return;
    os << (list.empty() ? "" : ", ") << what << " ";
    if (auto string = dyn_cast_or_null<StringAttr>(name))
      os << "'" << string.getValue() << "'";
    else
      os << "#" << index;
    os << " is " << type;
  };
  for (unsigned i = 0; i < entry.getNumArguments(); ++i)
    check(entry.getArgumentTypes()[i],
          entry.getArgAttr(i, nn::NNDialect::kNameAttr), "input", i);
  isInputDynamic = !list.empty();
  for (unsigned i = 0; i < entry.getNumResults(); ++i)
    check(entry.getResultTypes()[i],
          entry.getResultAttr(i, nn::NNDialect::kNameAttr), "output", i);
  if (list.empty())
    return success();
  return fail() << "a library needs static shapes, but " << list
                << (isInputDynamic ? ": --input-shape sets those of inputs"
                                   : ", of a size that depends on the data");
}

/// What the C interface promises: nothing is allocated, and all arguments are
/// known ones.
LogicalResult LibraryCompiler::checkLowered(LoweredModel &model,
                                            LLVM::LLVMFuncOp entry) {
  bool isGood = true;
  model.module->walk([&](LLVM::CallOp call) {
    auto callee = call.getCallee();
    if (callee && (*callee == "malloc" || *callee == "aligned_alloc")) {
      call.emitError("needs memory that cannot be planned ahead: a library "
                     "does not allocate");
      isGood = false;
    }
  });
  size_t expected = model.inputs.size() + model.constants.size() + 1 +
                    model.outputs.size() + size_t(model.arenaBytes != 0);
  if (isGood && entry.getNumArguments() != expected) {
    fail() << "the lowered model has " << entry.getNumArguments()
           << " arguments, and only " << expected
           << " of them are of a kind that a library can pass";
    return failure();
  }
  return success(isGood);
}

LogicalResult LibraryCompiler::describeInterface(const LoweredModel &model) {
  auto add = [&](ArrayRef<TensorInfo> infos,
                 std::vector<InterfaceTensor> &list) -> LogicalResult {
    for (const TensorInfo &info : infos) {
      std::optional<InterfaceTensor> tensor = describeTensor(info);
      if (!tensor)
        return fail() << "'" << info.name << "' is " << info.type
                      << ", which C has no type for";
      list.push_back(std::move(*tensor));
    }
    return success();
  };
  if (failed(add(model.inputs, interface.inputs)) ||
      failed(add(model.outputs, interface.outputs)))
    return failure();
  return success();
}

/// Versions usually have the same checks, in the same order; else each gets
/// numbers of its own.
void LibraryCompiler::addChecks(const LoweredModel &model, VersionCode &code) {
  std::vector<std::string> messages;
  for (Attribute check :
       model.checks ? model.checks.getValue() : ArrayRef<Attribute>()) {
    auto entry = cast<ArrayAttr>(check);
    auto message = cast<StringAttr>(entry[0]).getValue();
    auto location = cast<LocationAttr>(Attribute(entry[1]));
    messages.push_back(options.describeCheck
                           ? options.describeCheck(location, message)
                           : message.str());
  }
  if (messages == interface.checks)
    return;
  code.firstCheck = unsigned(interface.checks.size());
  llvm::append_range(interface.checks, messages);
}

/// The features of CPUFeatures.def that code of a machine may use.
static uint64_t getRequiredFeatures(const llvm::TargetMachine &machine) {
  if (!machine.getTargetTriple().isX86())
    return 0;
  uint64_t features = 0, bit = 1;
#define MODELWRIGHT_CPU_FEATURE(name, leaf, subleaf, reg, index, state)        \
  if (machine.getMCSubtargetInfo()->checkFeatures("+" name))                   \
    features |= bit;                                                           \
  bit <<= 1;
#include "modelwright/Runtime/CPUFeatures.def"
  return features;
}

/// Whether a feature of x86-64 only says what is fast. LLVM's tables do not
/// tell these from features with instructions.
static bool isTuning(StringRef name) {
  static constexpr StringLiteral kPrefixes[] = {
      "fast-",       "faster-", "slow-",      "prefer-",
      "false-deps-", "idiv",    "no-bypass-", "tuning-"};
  static constexpr StringLiteral kNames[] = {
      "allow-light-256-bit", "branchfusion", "lea-sp",
      "lea-uses-ag",         "macrofusion",  "pad-short-functions",
      "sbb-dep-breaking",    "vzeroupper",   "use-glm-div-sqrt-costs",
      "use-slm-arith-costs"};
  return llvm::is_contained(kNames, name) ||
         llvm::any_of(kPrefixes, [&](StringRef prefix) {
           return name.starts_with(prefix);
         });
}

/// Whether a library can tell that the CPU lacks a feature, or need not.
static bool isCheckable(StringRef name) {
  // Those that every x86-64 CPU has.
  static constexpr StringLiteral kBaseline[] = {
      "64bit", "cmov", "cx8", "fxsr", "mmx", "nopl", "sse", "sse2", "x87"};
  static constexpr StringLiteral kChecked[] = {
#define MODELWRIGHT_CPU_FEATURE(name, leaf, subleaf, reg, index, state) name,
#include "modelwright/Runtime/CPUFeatures.def"
  };
  return llvm::is_contained(kChecked, name) ||
         llvm::is_contained(kBaseline, name) || isTuning(name);
}

/// The features that a version asks for or has by its CPU's name, and of which
/// a CPU's lack would not be noticed but by its instructions.
static std::string getUncheckable(const llvm::TargetMachine &machine,
                                  const LibraryVersion &version) {
  SmallVector<StringRef> list;
  if (!machine.getTargetTriple().isX86())
    return "";
  for (StringRef feature : llvm::split(version.features, ','))
    if (feature.consume_front("+") && !isCheckable(feature))
      list.push_back(feature);
  // LLVM chooses instructions of these for any code.
  if (!version.cpu.empty())
    for (StringRef feature : {"egpr", "ndd", "nf", "ccmp", "cf", "zu",
                              "push2pop2", "ppx", "avx10.2"})
      if (!llvm::is_contained(list, feature) &&
          machine.getMCSubtargetInfo()->checkFeatures(("+" + feature).str()))
        list.push_back(feature);
  return llvm::join(list, ", ");
}

LogicalResult LibraryCompiler::addVersion(LibraryVersion version) {
  auto own = createTargetMachine(options.triple, version.cpu, version.features);
  if (!own)
    return fail() << llvm::toString(own.takeError());
  if (std::string list = getUncheckable(**own, version); !list.empty())
    return fail() << "a library cannot check that the CPU has " << list
                  << ": choose other --features or another --cpu";
  if (version.name.empty())
    for (char letter : (*own)->getTargetCPU())
      version.name += llvm::isAlnum(letter) ? letter : '_';
  CompileOptions compile = options.compile;
  setTargetOptions(*(*own)->getMCSubtargetInfo(), compile.pipeline);
  FailureOr<LoweredModel> model = lowerModel(source, compile);
  if (failed(model))
    return failure();
  if (model->convention != CallConvention::BarePointers)
    return fail()
           << "an input or output has no elements: there is nothing that "
              "a library could be passed";
  auto entry = model->module->lookupSymbol<LLVM::LLVMFuncOp>(model->entryName);
  if (failed(checkLowered(*model, entry)))
    return failure();
  // Inputs and outputs are those of the graph: the same in all versions.
  if (versions.empty() && failed(describeInterface(*model)))
    return failure();
  VersionCode code;
  code.hasArena = model->arenaBytes != 0;
  code.constants = weights.add(model->constants);
  addChecks(*model, code);
  library.arenaBytes = std::max(library.arenaBytes, model->arenaBytes);
  library.arenaLowerBound =
      std::max(library.arenaLowerBound, model->arenaLowerBound);
  entry.setName(interface.prefix + "_" + version.name);
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(*model->module, context);
  if (!translated)
    return failure();
  translated->setDataLayout((*own)->createDataLayout());
  translated->setTargetTriple((*own)->getTargetTriple());
  for (llvm::Function &function : *translated) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", (*own)->getTargetCPU());
    function.addFnAttr("target-features", (*own)->getTargetFeatureString());
    if (function.getName() != entry.getName())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  std::string name = entry.getName().str();
  if (llvm::Linker::linkModules(llvmModule, std::move(translated)))
    return fail() << "cannot link the code for " << version.name;
  code.function = llvmModule.getFunction(name);
  code.function->setLinkage(llvm::GlobalValue::InternalLinkage);
  versions.push_back(std::move(code));
  interface.versions.push_back(version.name);
  interface.features.push_back(getRequiredFeatures(**own));
  if (!machine)
    machine = std::move(*own);
  return success();
}

/// The runtime functions that the code calls, and no others.
LogicalResult LibraryCompiler::addRuntime() {
  std::unique_ptr<llvm::Module> runtime =
      parseRuntimeBitcode(machine->getTargetTriple(), context);
  if (!runtime)
    return fail() << "there is no runtime for '"
                  << machine->getTargetTriple().str() << "'";
  runtime->setDataLayout(llvmModule.getDataLayout());
  runtime->setTargetTriple(llvmModule.getTargetTriple());
  if (llvm::Linker::linkModules(llvmModule, std::move(runtime),
                                llvm::Linker::LinkOnlyNeeded))
    return fail() << "cannot link the runtime";
  return success();
}

/// The name of the section of weights; code knows its begin by the same name.
static std::string getWeightsName(StringRef prefix) {
  return (prefix + "_weights").str();
}
static std::string getWeightsSection(StringRef prefix) {
  return ".rodata." + getWeightsName(prefix);
}

/// A section of zeros, as assembly: LLVM would fold loads from a constant.
llvm::GlobalVariable *LibraryCompiler::addWeightsSection() {
  std::string name = getWeightsName(interface.prefix);
  auto *type = llvm::ArrayType::get(llvm::Type::getInt8Ty(context),
                                    weights.getBytes().size());
  auto *global = new llvm::GlobalVariable(llvmModule, type, /*isConstant=*/true,
                                          llvm::GlobalValue::ExternalLinkage,
                                          /*Initializer=*/nullptr, name);
  global->setVisibility(llvm::GlobalValue::HiddenVisibility);
  global->setAlignment(llvm::Align(kArenaHeaderBytes));
  if (weights.getBytes().empty())
    return global;
  std::string text;
  llvm::raw_string_ostream(text)
      << ".section " << getWeightsSection(interface.prefix)
      << ",\"a\",@progbits\n.globl " << name << "\n.hidden " << name
      << "\n.type " << name << ",@object\n.p2align "
      << llvm::Log2_64(kArenaHeaderBytes) << "\n"
      << name << ":\n.zero " << weights.getBytes().size() << "\n.size " << name
      << ", " << weights.getBytes().size() << "\n.text\n";
  llvmModule.appendModuleInlineAsm(text);
  return global;
}

LogicalResult LibraryCompiler::emitObject() {
  // What has no CPU yet, the interface, runs before the CPU is known.
  for (llvm::Function &function : llvmModule) {
    if (function.isDeclaration())
      continue;
    if (!function.hasFnAttribute("target-cpu"))
      function.addFnAttr("target-cpu", machine->getTargetTriple().isX86()
                                           ? "x86-64"
                                           : "generic");
    // What the runtime's own C compiler would have liked.
    function.removeFnAttr("tune-cpu");
    if (!function.hasLocalLinkage() &&
        !function.getName().starts_with(interface.prefix + "_"))
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  // Linking has made it the least of all modules', some of which had none.
  llvmModule.setModuleFlag(llvm::Module::Min, "PIC Level",
                           llvm::PICLevel::BigPIC);
  std::string broken;
  llvm::raw_string_ostream brokenStream(broken);
  if (llvm::verifyModule(llvmModule, &brokenStream))
    return fail() << "the compiler made a broken module, please report this: "
                  << broken;
  auto failWith = [&](llvm::Error error) {
    return fail() << "cannot compile: " << llvm::toString(std::move(error));
  };
  optimize(llvmModule, *machine, options.compile.optLevel);
  if (llvm::Error error = emitObjectCode(llvmModule, *machine, library.object))
    return failWith(std::move(error));
  auto facts = getObjectFacts(library.object);
  if (!facts)
    return failWith(facts.takeError());
  for (const std::string &symbol : facts->undefined)
    if (!getSystemLibrary(symbol))
      return fail() << "the code calls '" << symbol
                    << "', which no library is known to have";
  library.codeBytes = facts->codeBytes;
  if (options.separateWeights || weights.getBytes().empty())
    return success();
  if (llvm::Error error =
          fillSection(library.object, getWeightsSection(interface.prefix),
                      weights.getBytes()))
    return failWith(std::move(error));
  return success();
}

FailureOr<Library> LibraryCompiler::compile() {
  func::FuncOp entry = getEntryFunction(source);
  if (!entry)
    return source.emitError("there is no public function to run");
  loc = entry.getLoc();
  if (failed(checkShapes(entry)))
    return failure();
  interface.prefix = options.prefix;
  interface.separateWeights = options.separateWeights;
  std::vector<LibraryVersion> wanted = options.versions;
  if (wanted.empty())
    wanted.emplace_back();
  for (const LibraryVersion &version : wanted)
    if (failed(addVersion(version)))
      return failure();
  if (!options.separateWeights && weights.getBytes().size() > kMaxSectionBytes)
    return fail() << "the weights have " << weights.getBytes().size()
                  << " bytes, too many for a section that code can reach: "
                     "they must be a file of their own";
  interface.arenaBytes = kArenaHeaderBytes + uint64_t(library.arenaBytes);
  interface.weightBytes = weights.getBytes().size();
  library.weightBytes = interface.weightBytes;
  library.versions = interface.versions;
  library.triple = machine->getTargetTriple().str();
  std::string header = printHeader(interface);
  interface.id = llvm::xxh3_64bits(weights.getBytes()) ^
                 llvm::xxh3_64bits(library.triple + header);
  library.header = std::move(header);
  emitInterface(llvmModule, interface, versions,
                options.separateWeights ? nullptr : addWeightsSection());
  if (failed(addRuntime()) || failed(emitObject()))
    return failure();
  if (options.separateWeights)
    library.weights = weights.takeFile(interface.id);
  return std::move(library);
}

FailureOr<Library> cpu::compileLibrary(ModuleOp module,
                                       const LibraryOptions &options) {
  return LibraryCompiler(module, options).compile();
}
