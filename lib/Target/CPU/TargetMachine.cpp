//===- TargetMachine.cpp - LLVM's view of the target ----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetMachine.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

#include <mutex>

using namespace modelwright;

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();
  });
}

/// The features of this process' CPU, each by name.
static std::string getHostFeatures() {
  llvm::SubtargetFeatures features;
  for (const auto &feature : llvm::sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

/// Asks LLVM's tables: a target machine of names that are not there prints
/// warnings or ends the program.
static llvm::Error checkNames(const llvm::Target &target,
                              const llvm::Triple &triple, llvm::StringRef name,
                              llvm::StringRef features, llvm::StringRef all) {
  std::unique_ptr<llvm::MCSubtargetInfo> tables(
      target.createMCSubtargetInfo(triple, "", ""));
  if (!tables->isCPUStringValid(name))
    return llvm::createStringError("LLVM knows no CPU '" + name + "' of '" +
                                   triple.getArchName() + "'");
  for (llvm::StringRef feature : llvm::split(features, ',')) {
    auto isFeature = [&](const llvm::SubtargetFeatureKV &known) {
      return feature.drop_front() == known.Key;
    };
    if (features.empty())
      break;
    if (feature.empty() || (feature[0] != '+' && feature[0] != '-') ||
        llvm::none_of(tables->getAllProcessorFeatures(), isFeature))
      return llvm::createStringError("LLVM knows no feature '" + feature +
                                     "' of '" + triple.getArchName() +
                                     "'; a feature is +name or -name");
  }
  if (!triple.isX86())
    return llvm::Error::success();
  tables.reset(target.createMCSubtargetInfo(triple, name, all));
  for (llvm::StringRef feature : {"64bit", "64bit-mode", "sse2"})
    if (!tables->checkFeatures(("+" + feature).str()))
      return llvm::createStringError("no code can be made for CPU '" + name +
                                     "' with these features: x86-64 code "
                                     "needs '" +
                                     feature + "'");
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
cpu::createTargetMachine(llvm::StringRef tripleName, llvm::StringRef cpu,
                         llvm::StringRef features) {
  initializeTargets();
  llvm::Triple host(llvm::sys::getProcessTriple());
  llvm::Triple triple = tripleName.empty()
                            ? host
                            : llvm::Triple(llvm::Triple::normalize(tripleName));
  bool isX86 = triple.getArch() == llvm::Triple::x86_64 && !triple.isX32();
  bool isAArch64 = triple.getArch() == llvm::Triple::aarch64 &&
                   triple.getEnvironment() != llvm::Triple::GNUILP32;
  if ((!isX86 && !isAArch64) || !triple.isOSBinFormatELF())
    return llvm::createStringError("no code can be made for '" + triple.str() +
                                   "': targets are x86_64 and aarch64, as ELF");
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError(error);
  std::string name = cpu.str(), all = features.str();
  if (cpu.empty() && triple.getArch() == host.getArch()) {
    name = llvm::sys::getHostCPUName().str();
    all = getHostFeatures() + (features.empty() ? "" : ",") + all;
  } else if (cpu.empty()) {
    name = "generic";
  }
  if (llvm::Error wrong = checkNames(*target, triple, name, features, all))
    return wrong;
  std::unique_ptr<llvm::TargetMachine> machine(target->createTargetMachine(
      triple, name, all, llvm::TargetOptions(), llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Default));
  if (!machine)
    return llvm::createStringError("LLVM has no code generator for '" +
                                   triple.str() + "'");
  return machine;
}
