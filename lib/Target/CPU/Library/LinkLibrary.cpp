//===- LinkLibrary.cpp - Archives and shared libraries --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ObjectCode.h"
#include "modelwright/Target/CPU/Library.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/InterfaceStub/ELFObjHandler.h"
#include "llvm/InterfaceStub/IFSStub.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Triple.h"

using namespace modelwright;
using namespace modelwright::cpu;

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
cpu::archiveLibrary(const Library &library, llvm::StringRef member) {
  llvm::NewArchiveMember own(llvm::MemoryBufferRef(
      llvm::StringRef(library.object.data(), library.object.size()), member));
  // Linkers find members by the table of symbols.
  return llvm::writeArchiveToBuffer(own, llvm::SymtabWritingMode::NormalSymtab,
                                    llvm::object::Archive::K_GNU,
                                    /*Deterministic=*/true, /*Thin=*/false);
}

/// LLVM's linker for ELF: the one of the LLVM that this was built with, or one
/// of the user's.
static llvm::Expected<std::string> findLinker() {
  auto version = "ld.lld-" + std::to_string(LLVM_VERSION_MAJOR);
  for (llvm::StringRef name :
       {llvm::StringRef(version), llvm::StringRef("ld.lld")})
    if (auto path =
            llvm::sys::findProgramByName(name, {MODELWRIGHT_LLVM_TOOLS}))
      return *path;
  for (llvm::StringRef name :
       {llvm::StringRef(version), llvm::StringRef("ld.lld")})
    if (auto path = llvm::sys::findProgramByName(name))
      return *path;
  return llvm::createStringError(
      "a shared library needs LLVM's linker, and neither "
      "'" MODELWRIGHT_LLVM_TOOLS
      "' nor PATH has ld.lld; Debian's package is lld-" +
      llvm::Twine(LLVM_VERSION_MAJOR));
}

namespace {

/// A folder that goes away with all its files.
class TemporaryFolder {
public:
  ~TemporaryFolder() {
    if (!path.empty())
      (void)llvm::sys::fs::remove_directories(path);
  }
  llvm::Error create() {
    if (std::error_code error =
            llvm::sys::fs::createUniqueDirectory("model-compile", path))
      return llvm::createStringError(error, "cannot make a temporary folder: " +
                                                error.message());
    return llvm::Error::success();
  }
  std::string getFile(llvm::StringRef name) const {
    llvm::SmallString<128> file(path);
    llvm::sys::path::append(file, name);
    return file.str().str();
  }

private:
  llvm::SmallString<128> path;
};

} // namespace

static llvm::Error writeFile(llvm::StringRef path,
                             llvm::ArrayRef<char> contents) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    os.write(contents.data(), contents.size());
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return llvm::createStringError(error, "cannot write '" + path +
                                              "': " + error.message());
  return llvm::Error::success();
}

/// Writes stubs of the system libraries that have the object's undefined
/// symbols. With them, the library names those that it needs, even where the
/// target's own are not installed.
static llvm::Error writeSystemStubs(const Library &library,
                                    const TemporaryFolder &folder,
                                    std::vector<std::string> &files) {
  auto facts = getObjectFacts(library.object);
  if (!facts)
    return facts.takeError();
  llvm::Triple triple(library.triple);
  for (llvm::StringRef name : {"m", "c"}) {
    llvm::ifs::IFSStub stub;
    // glibc's names; of another C library only the program can tell.
    stub.SoName = "lib" + name.str() + ".so.6";
    stub.Target.Arch = llvm::ifs::IFSArch(
        triple.isX86() ? llvm::ELF::EM_X86_64 : llvm::ELF::EM_AARCH64);
    stub.Target.BitWidth = llvm::ifs::IFSBitWidthType::IFS64;
    stub.Target.Endianness = llvm::ifs::IFSEndiannessType::Little;
    for (const std::string &symbol : facts->undefined) {
      if (getSystemLibrary(symbol) != name)
        continue;
      llvm::ifs::IFSSymbol function(symbol);
      function.Type = llvm::ifs::IFSSymbolType::Func;
      stub.Symbols.push_back(function);
    }
    if (stub.Symbols.empty())
      continue;
    files.push_back(folder.getFile(*stub.SoName));
    if (llvm::Error error = llvm::ifs::writeBinaryStub(files.back(), stub))
      return error;
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
cpu::linkLibrary(const Library &library, llvm::StringRef soname) {
  auto linker = findLinker();
  if (!linker)
    return linker.takeError();
  TemporaryFolder folder;
  if (llvm::Error error = folder.create())
    return error;
  std::string object = folder.getFile("model.o");
  std::string shared = folder.getFile("model.so");
  std::string messages = folder.getFile("messages");
  if (llvm::Error error = writeFile(object, library.object))
    return error;
  std::vector<std::string> arguments = {*linker,
                                        "-shared",
                                        "--no-undefined",
                                        "--build-id=none",
                                        "-z",
                                        "now",
                                        "-soname",
                                        soname.str(),
                                        "-o",
                                        shared,
                                        object};
  if (llvm::Error error = writeSystemStubs(library, folder, arguments))
    return error;
  std::vector<llvm::StringRef> views(arguments.begin(), arguments.end());
  std::string error;
  int code =
      llvm::sys::ExecuteAndWait(*linker, views, /*Env=*/std::nullopt,
                                {llvm::StringRef(""), llvm::StringRef(messages),
                                 llvm::StringRef(messages)},
                                /*SecondsToWait=*/0, /*MemoryLimit=*/0, &error);
  if (code != 0) {
    auto output = llvm::MemoryBuffer::getFile(messages);
    if (output)
      error += (*output)->getBuffer().trim();
    return llvm::createStringError("'" + *linker + "' failed: " + error);
  }
  auto buffer = llvm::MemoryBuffer::getFile(shared, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false,
                                            /*IsVolatile=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(),
                                   "cannot read '" + shared +
                                       "': " + buffer.getError().message());
  return std::move(*buffer);
}
