//===- ObjectCode.cpp - ELF objects ---------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectCode.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/raw_ostream.h"

using namespace modelwright;

extern "C" {
extern const char modelwrightRuntimeX86[];
extern const char modelwrightRuntimeX86End[];
extern const char modelwrightRuntimeAArch64[];
extern const char modelwrightRuntimeAArch64End[];
}

std::unique_ptr<llvm::Module>
cpu::parseRuntimeBitcode(const llvm::Triple &triple,
                         llvm::LLVMContext &context) {
  llvm::StringRef bytes;
  if (triple.getArch() == llvm::Triple::x86_64)
    bytes = llvm::StringRef(modelwrightRuntimeX86,
                            modelwrightRuntimeX86End - modelwrightRuntimeX86);
  else if (triple.getArch() == llvm::Triple::aarch64)
    bytes = llvm::StringRef(modelwrightRuntimeAArch64,
                            modelwrightRuntimeAArch64End -
                                modelwrightRuntimeAArch64);
  else
    return nullptr;
  auto module =
      llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, "runtime"), context);
  // The bytes are those of our own build.
  return llvm::cantFail(std::move(module));
}

llvm::Error cpu::emitObjectCode(llvm::Module &module,
                                llvm::TargetMachine &machine,
                                llvm::SmallVectorImpl<char> &object) {
  llvm::raw_svector_ostream os(object);
  llvm::legacy::PassManager pm;
  if (machine.addPassesToEmitFile(pm, os, /*DwoOut=*/nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write objects for '" +
                                   machine.getTargetTriple().str() + "'");
  pm.run(module);
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>>
parseObject(llvm::ArrayRef<char> object) {
  return llvm::object::ObjectFile::createELFObjectFile(llvm::MemoryBufferRef(
      llvm::StringRef(object.data(), object.size()), "object"));
}

llvm::Expected<cpu::ObjectFacts>
cpu::getObjectFacts(llvm::ArrayRef<char> object) {
  auto file = parseObject(object);
  if (!file)
    return file.takeError();
  ObjectFacts facts;
  for (const llvm::object::SectionRef &section : (*file)->sections())
    if (section.isText())
      facts.codeBytes += section.getSize();
  for (const llvm::object::SymbolRef &symbol : (*file)->symbols()) {
    auto flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    auto name = symbol.getName();
    if (!name)
      return name.takeError();
    if ((*flags & llvm::object::SymbolRef::SF_Undefined) && !name->empty())
      facts.undefined.push_back(name->str());
  }
  return facts;
}

llvm::Error cpu::fillSection(llvm::MutableArrayRef<char> object,
                             llvm::StringRef name,
                             llvm::ArrayRef<uint8_t> contents) {
  auto file = parseObject(object);
  if (!file)
    return file.takeError();
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto own = section.getName();
    if (!own)
      return own.takeError();
    if (*own != name)
      continue;
    auto place = section.getContents();
    if (!place)
      return place.takeError();
    if (place->size() != contents.size())
      return llvm::createStringError(
          "section '" + name + "' has " + llvm::Twine(place->size()) +
          " bytes, not " + llvm::Twine(contents.size()));
    llvm::copy(contents, object.begin() + (place->data() - object.data()));
    return llvm::Error::success();
  }
  return llvm::createStringError("there is no section '" + name + "'");
}

std::optional<llvm::StringRef> cpu::getSystemLibrary(llvm::StringRef symbol) {
  // What LLVM itself makes calls of, and the functions of math.h that the math
  // dialect has; `f` at the end is the one for float.
  static constexpr llvm::StringLiteral kMemory[] = {"memcpy", "memmove",
                                                    "memset", "memcmp", "bcmp"};
  static constexpr llvm::StringLiteral kMath[] = {
      "acos",  "acosh",    "asin",      "asinh",     "atan",   "atan2",
      "atanh", "cbrt",     "ceil",      "cos",       "cosh",   "erf",
      "erfc",  "exp",      "exp2",      "expm1",     "fabs",   "floor",
      "fma",   "fmax",     "fmin",      "fmod",      "hypot",  "log",
      "log10", "log1p",    "log2",      "nearbyint", "pow",    "rint",
      "round", "sin",      "roundeven", "sincos",    "sinh",   "sqrt",
      "tan",   "tanh",     "trunc",     "tgamma",    "lgamma", "exp10",
      "ldexp", "fminimum", "fmaximum",  "copysign"};
  if (llvm::is_contained(kMemory, symbol))
    return "c";
  if (llvm::is_contained(kMath, symbol) ||
      (symbol.consume_back("f") && llvm::is_contained(kMath, symbol)))
    return "m";
  return std::nullopt;
}
