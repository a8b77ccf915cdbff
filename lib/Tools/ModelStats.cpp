//===- ModelStats.cpp - Counts of a model ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Tools/ModelStats.h"
#include "GEInfo.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Interop/GE/Attributes.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Transforms/Macs.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <set>

using namespace mlir;
using namespace modelwright;

func::FuncOp modelwright::getMainGraph(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (!func->hasAttr(mgb::attr::kTestcase))
      return func;
  return {};
}

ModelStats modelwright::computeStats(ModuleOp module) {
  ModelStats stats;
  func::FuncOp main = getMainGraph(module);
  if (!main)
    return stats;
  for (Operation &op : main.getBody().getOps()) {
    if (op.hasTrait<OpTrait::IsTerminator>())
      continue;
    ++stats.ops[op.getName().getStringRef().str()];
    if (!isa<nn::ConstantOp, nn::VariableOp>(op)) {
      ++stats.computeOps;
      stats.macs += getMacs(&op);
      continue;
    }
    // What the importer made of an op's attributes is no weight of the file.
    if (op.hasAttr(ge::attr::kImplicit))
      continue;
    auto type = cast<RankedTensorType>(op.getResult(0).getType());
    uint64_t elements = countElements(type);
    uint64_t bytes = nn::getByteSize(type).value_or(0);
    stats.parameters += elements;
    stats.bytes += bytes;
    std::string name;
    llvm::raw_string_ostream os(name);
    // Scales differ per tensor: weights are listed by storage.
    Type element = type.getElementType();
    if (auto quantized = dyn_cast<quant::UniformQuantizedType>(element))
      os << "quantized " << (quantized.isSigned() ? "i" : "u")
         << quantized.getStorageTypeIntegralWidth();
    else
      os << element;
    ModelStats::Weights &weights = stats.weights[name];
    ++weights.count;
    weights.elements += elements;
    weights.bytes += bytes;
  }
  return stats;
}

void modelwright::printSummary(const ModelStats &before,
                               const ModelStats &after, llvm::raw_ostream &os) {
  std::set<std::string> names;
  for (auto &[name, count] : before.ops)
    names.insert(name);
  for (auto &[name, count] : after.ops)
    names.insert(name);
  auto count = [](const ModelStats &stats, const std::string &name) {
    auto it = stats.ops.find(name);
    return it == stats.ops.end() ? uint64_t(0) : it->second;
  };
  auto row = [&](const std::string &name, uint64_t lhs, uint64_t rhs) {
    std::string change =
        lhs == rhs ? "" : fmt::format("{:+}", int64_t(rhs) - int64_t(lhs));
    std::string line =
        fmt::format("{:<28} {:>14} {:>14} {:>12}", name, lhs, rhs, change);
    os << StringRef(line).rtrim() << "\n";
  };
  os << fmt::format("{:<28} {:>14} {:>14} {:>12}\n", "op", "before", "after",
                    "change");
  for (const std::string &name : names)
    row(name, count(before, name), count(after, name));
  os << std::string(71, '-') << "\n";
  row("compute ops", before.computeOps, after.computeOps);
  row("parameters", before.parameters, after.parameters);
  row("weight bytes", before.bytes, after.bytes);
  row("MACs", before.macs, after.macs);
}

/// One input or output: its name and type.
static std::pair<std::string, Type> describeValue(func::FuncOp main, bool input,
                                                  unsigned index) {
  std::string name;
  Type type;
  if (input) {
    type = main.getArgumentTypes()[index];
    if (auto attr =
            main.getArgAttrOfType<StringAttr>(index, nn::NNDialect::kNameAttr))
      name = attr.str();
    return {name, type};
  }
  Value value = main.getBody().front().getTerminator()->getOperand(index);
  type = value.getType();
  if (auto attr =
          main.getResultAttrOfType<StringAttr>(index, nn::NNDialect::kNameAttr))
    return {attr.str(), type};
  auto result = dyn_cast<OpResult>(value);
  if (!result) {
    auto argument = cast<BlockArgument>(value);
    if (auto attr = main.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                      nn::NNDialect::kNameAttr))
      name = attr.str();
    return {name, type};
  }
  if (auto names =
          result.getOwner()->getAttrOfType<ArrayAttr>(mgb::attr::kVars))
    // The vars of an op with fewer results than vars end with the last result.
    if (names.size() >= result.getOwner()->getNumResults())
      if (auto text = dyn_cast<StringAttr>(
              names[result.getOwner()->getNumResults() == names.size()
                        ? result.getResultNumber()
                        : names.size() - 1]))
        name = text.str();
  return {name, type};
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << type;
  return text;
}

static std::string getEncoding(func::FuncOp main) {
  auto encoding = main->getAttrOfType<StringAttr>(mgb::attr::kEncoding);
  return encoding ? encoding.str() : "";
}

void modelwright::printInfo(ModuleOp module, StringRef filename,
                            llvm::raw_ostream &os) {
  func::FuncOp main = getMainGraph(module);
  os << "file        " << filename << "\n";
  if (!main) {
    os << "no graph\n";
    return;
  }
  std::string encoding = getEncoding(main);
  if (isFromGE(module))
    printGEInfo(module, os);
  else if (!encoding.empty())
    os << "format      MegEngine "
       << (encoding == "mgv2" ? "V2 (mgv2)" : "V1 (" + encoding + ")") << "\n";
  else
    os << "format      MLIR\n";
  if (auto version = main->getAttrOfType<IntegerAttr>(mgb::attr::kVersion))
    os << "version     " << version.getInt() << "\n";
  if (module->hasAttr(mgb::attr::kPacked))
    os << "container   packed_model\n";
  if (module->hasAttr(mgb::attr::kTestcaseFile)) {
    size_t count = 0;
    for (auto func : module.getOps<func::FuncOp>())
      count += func->hasAttr(mgb::attr::kTestcase);
    os << "testcases   " << count << "\n";
  }
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    auto [name, type] = describeValue(main, true, i);
    os << "input       " << i << " '" << name << "' " << type;
    if (main.getArgAttr(i, nn::NNDialect::kDefaultAttr))
      os << " (has a default)";
    os << "\n";
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    auto [name, type] = describeValue(main, false, i);
    os << "output      " << i << " '" << name << "' " << type << "\n";
  }
  ModelStats stats = computeStats(module);
  os << "compute ops " << stats.computeOps << "\n";
  os << "parameters  " << stats.parameters << "\n";
  os << "bytes       " << stats.bytes << "\n";
  os << "MACs        " << stats.macs << "\n\nweights by dtype\n";
  for (auto &[name, weights] : stats.weights)
    os << fmt::format("  {:<20} {:>8} tensors {:>12} elements {:>14} bytes\n",
                      name, weights.count, weights.elements, weights.bytes);
  os << "\nops\n";
  for (auto &[name, count] : stats.ops)
    os << fmt::format("  {:<28} {:>8}\n", name, count);
}

llvm::json::Value modelwright::getInfoJSON(ModuleOp module,
                                           StringRef filename) {
  // JSON text is UTF-8; names in files may be any bytes.
  auto text = [](StringRef bytes) { return llvm::json::fixUTF8(bytes); };
  llvm::json::Object info{{"file", text(filename)}};
  func::FuncOp main = getMainGraph(module);
  if (!main)
    return info;
  std::string encoding = getEncoding(main);
  info["format"] = encoding.empty() ? "MLIR" : "MegEngine";
  if (!encoding.empty())
    info["encoding"] = encoding;
  if (auto version = main->getAttrOfType<IntegerAttr>(mgb::attr::kVersion))
    info["version"] = version.getInt();
  if (isFromGE(module))
    addGEInfo(module, info);
  info["packed_model"] = module->hasAttr(mgb::attr::kPacked);
  int64_t testcases = 0;
  for (auto func : module.getOps<func::FuncOp>())
    testcases += func->hasAttr(mgb::attr::kTestcase);
  info["testcases"] = testcases;
  auto describe = [&](bool input, unsigned count) {
    llvm::json::Array list;
    for (unsigned i = 0; i < count; ++i) {
      auto [name, type] = describeValue(main, input, i);
      llvm::json::Object entry{{"name", text(name)}};
      if (auto ranked = dyn_cast<RankedTensorType>(type)) {
        llvm::json::Array shape;
        for (int64_t dim : ranked.getShape())
          shape.push_back(ShapedType::isDynamic(dim)
                              ? llvm::json::Value(nullptr)
                              : llvm::json::Value(dim));
        entry["shape"] = std::move(shape);
      }
      entry["dtype"] = printType(nn::getElementType(type));
      if (input)
        entry["has_default"] =
            bool(main.getArgAttr(i, nn::NNDialect::kDefaultAttr));
      list.push_back(std::move(entry));
    }
    return list;
  };
  info["inputs"] = describe(true, main.getNumArguments());
  info["outputs"] = describe(false, main.getNumResults());
  ModelStats stats = computeStats(module);
  info["compute_ops"] = int64_t(stats.computeOps);
  info["parameters"] = int64_t(stats.parameters);
  info["bytes"] = int64_t(stats.bytes);
  info["macs"] = int64_t(stats.macs);
  llvm::json::Object ops, weights;
  for (auto &[name, count] : stats.ops)
    ops[name] = int64_t(count);
  for (auto &[name, entry] : stats.weights)
    weights[name] = llvm::json::Object{{"tensors", int64_t(entry.count)},
                                       {"elements", int64_t(entry.elements)},
                                       {"bytes", int64_t(entry.bytes)}};
  info["ops"] = std::move(ops);
  info["weights"] = std::move(weights);
  return info;
}
