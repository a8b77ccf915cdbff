//===- CheckData.cpp - Inputs that a folder holds -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckData.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace modelwright;

/// What is in a folder, in the order of the names.
static llvm::Expected<std::vector<std::string>> listFolder(StringRef dir) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(dir, error), end;
       !error && it != end; it.increment(error))
    paths.push_back(it->path());
  if (error)
    return llvm::createStringError(error, "cannot read the folder '" + dir +
                                              "': " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// The set of inputs in one folder.
static llvm::Expected<std::vector<std::string>> findSet(func::FuncOp entry,
                                                        StringRef dir) {
  std::vector<std::string> set;
  for (unsigned i = 0; i < entry.getNumArguments(); ++i) {
    auto attr = entry.getArgAttrOfType<StringAttr>(i, nn::NNDialect::kNameAttr);
    std::string name = attr ? attr.str() : ("input" + llvm::Twine(i)).str();
    std::string file = name;
    llvm::replace(file, '/', '_');
    std::string found;
    for (StringRef extension : {".npy", ".bin"}) {
      SmallString<128> path(dir);
      llvm::sys::path::append(path, file + extension);
      if (found.empty() && llvm::sys::fs::exists(path))
        found = path.str();
    }
    if (!found.empty())
      set.push_back((llvm::Twine(name) + "=" + found).str());
    else if (!entry.getArgAttr(i, nn::NNDialect::kDefaultAttr))
      return llvm::createStringError("'" + dir + "' has neither '" + file +
                                     ".npy' nor '" + file +
                                     ".bin' for input '" + name + "'");
  }
  return set;
}

llvm::Expected<std::vector<std::vector<std::string>>>
modelwright::findCheckData(ModuleOp module, StringRef dir) {
  func::FuncOp entry = getEntryFunction(module);
  if (!entry)
    return llvm::createStringError("the model has no function to run");
  auto paths = listFolder(dir);
  if (!paths)
    return paths.takeError();
  std::vector<std::string> folders = *paths;
  llvm::erase_if(folders, [](const std::string &path) {
    return !llvm::sys::fs::is_directory(path);
  });
  if (folders.empty() || folders.size() != paths->size())
    folders = {dir.str()};
  std::vector<std::vector<std::string>> sets;
  for (const std::string &folder : folders) {
    auto set = findSet(entry, folder);
    if (!set)
      return set.takeError();
    sets.push_back(std::move(*set));
  }
  return sets;
}
