//===- CheckValues.cpp - The first op whose value differs -----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelCheck.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Dialect/NN/IR/NodeNames.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace modelwright;
using modelwright::cpu::HostTensor;

/// The most bytes of values that are kept at once.
static constexpr uint64_t kChunkBytes = uint64_t(1) << 28;

namespace {
/// A value of one module, by its place, since modules are cloned.
struct ValuePlace {
  size_t op = 0;
  unsigned result = 0;
};

/// A value that both modules have, by name and type.
struct CommonValue {
  ValuePlace before, after;
  /// What a message calls it.
  std::string title;
  Type type;
};
} // namespace

static Block *getBody(ModuleOp module) {
  func::FuncOp entry = getEntryFunction(module);
  return entry && entry.getBody().hasOneBlock() ? &entry.getBody().front()
                                                : nullptr;
}

/// Calls `callback` with the name, place and value of what a block computes:
/// constants and what has no name or rank are left out.
static void forEachValue(
    Block &block,
    function_ref<void(const std::string &, ValuePlace, Value)> callback) {
  for (auto [index, op] : llvm::enumerate(block)) {
    StringRef name = nn::getNodeName(op.getLoc());
    if (name.empty() || op.hasTrait<OpTrait::ConstantLike>())
      continue;
    for (OpResult result : op.getResults())
      if (isa<RankedTensorType>(result.getType()))
        callback((name + ":" + llvm::Twine(result.getResultNumber())).str(),
                 {index, result.getResultNumber()}, result);
  }
}

/// What both modules compute, in the order of `after`. Of several values of a
/// name, which are parts of one node, the last counts: it is what the node
/// stands for.
static std::vector<CommonValue> findCommonValues(Block &before, Block &after) {
  struct Place {
    ValuePlace place;
    Type type;
  };
  llvm::StringMap<Place> places;
  forEachValue(before,
               [&](const std::string &name, ValuePlace place, Value value) {
                 places[name] = {place, value.getType()};
               });
  llvm::StringMap<size_t> last;
  std::vector<CommonValue> values;
  forEachValue(
      after, [&](const std::string &name, ValuePlace place, Value value) {
        auto it = places.find(name);
        if (it == places.end() || it->second.type != value.getType())
          return;
        Operation *op = value.getDefiningOp();
        std::string title = ("'" + nn::getNodeName(op->getLoc()) + "' (" +
                             op->getName().getStringRef() + ")")
                                .str();
        auto [entry, isNew] = last.try_emplace(name, values.size());
        if (!isNew)
          values[entry->second].type = {};
        entry->second = values.size();
        values.push_back({it->second.place, place, title, value.getType()});
      });
  llvm::erase_if(values, [](const CommonValue &value) { return !value.type; });
  return values;
}

/// A copy of a module that returns the values at `places`.
static OwningOpRef<ModuleOp> returnValues(ModuleOp module,
                                          ArrayRef<ValuePlace> places) {
  OwningOpRef<ModuleOp> copy = module.clone();
  func::FuncOp entry = getEntryFunction(*copy);
  Block &block = entry.getBody().front();
  SmallVector<Operation *> ops(llvm::make_pointer_range(block));
  SmallVector<Value> values;
  for (ValuePlace place : places)
    values.push_back(ops[place.op]->getResult(place.result));
  Operation *terminator = block.getTerminator();
  terminator->setOperands(values);
  entry.removeResAttrsAttr();
  entry.setType(FunctionType::get(entry.getContext(), entry.getArgumentTypes(),
                                  ValueRange(values).getTypes()));
  return copy;
}

std::string ModelCheck::findOp(ModuleOp before, ModuleOp after) const {
  Block *a = getBody(before), *b = getBody(after);
  if (!a || !b)
    return "";
  std::vector<CommonValue> values = findCommonValues(*a, *b);
  ScopedDiagnosticHandler quiet(before.getContext(), [](Diagnostic &) {});
  for (size_t begin = 0, end = 0; begin < values.size(); begin = end) {
    SmallVector<ValuePlace> placesA, placesB;
    for (uint64_t bytes = 0; end < values.size(); ++end) {
      auto type = cast<RankedTensorType>(values[end].type);
      bytes += nn::getByteSize(type).value_or(1 << 20) * inputs.size();
      if (end > begin && bytes > kChunkBytes)
        break;
      placesA.push_back(values[end].before);
      placesB.push_back(values[end].after);
    }
    FailureOr<RunOutputs> expectedValues = run(*returnValues(before, placesA));
    FailureOr<RunOutputs> actualValues = run(*returnValues(after, placesB));
    if (failed(expectedValues) || failed(actualValues))
      return "";
    for (size_t i = begin; i < end; ++i)
      for (auto [expectedRun, actualRun] :
           llvm::zip_equal(*expectedValues, *actualValues)) {
        const HostTensor &x = actualRun[i - begin], &y = expectedRun[i - begin];
        if (x.type != y.type)
          return values[i].title;
        TensorDifference difference = compareTensors(x, y);
        if (!isWithin(difference, y.type.getElementType(), options))
          return llvm::formatv("{0}: max abs {1:e3}, max rel {2:e3}",
                               values[i].title, difference.maxAbs,
                               difference.maxRel);
      }
  }
  return "";
}
