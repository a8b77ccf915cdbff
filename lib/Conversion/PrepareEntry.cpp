//===- PrepareEntry.cpp - The arguments of native code --------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Conversion/Passes.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "llvm/ADT/MapVector.h"

namespace modelwright {
#define GEN_PASS_DEF_PREPAREENTRY
#include "modelwright/Conversion/Passes.h.inc"
} // namespace modelwright

using namespace mlir;
using namespace modelwright;

func::FuncOp modelwright::getEntryFunction(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal())
      return func;
  return {};
}

/// A function on a cycle of calls, or null: native code has its calls inlined.
static func::FuncOp findRecursion(ModuleOp module) {
  SymbolTable symbols(module);
  // Functions of which all callees are done, by depth first search on a stack
  // of our own.
  llvm::DenseMap<Operation *, bool> isDone;
  SmallVector<std::pair<func::FuncOp, SmallVector<func::FuncOp>>> path;
  auto enter = [&](func::FuncOp func) {
    isDone[func] = false;
    SmallVector<func::FuncOp> callees;
    if (auto uses = SymbolTable::getSymbolUses(func.getOperation()))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (auto callee = symbols.lookup<func::FuncOp>(
                use.getSymbolRef().getRootReference()))
          callees.push_back(callee);
    path.emplace_back(func, std::move(callees));
  };
  for (auto func : module.getOps<func::FuncOp>()) {
    if (isDone.contains(func))
      continue;
    enter(func);
    while (!path.empty()) {
      if (path.back().second.empty()) {
        isDone[path.back().first] = true;
        path.pop_back();
        continue;
      }
      func::FuncOp callee = path.back().second.pop_back_val();
      auto known = isDone.find(callee);
      if (known == isDone.end())
        enter(callee);
      else if (!known->second)
        return callee;
    }
  }
  return {};
}

namespace {
class PrepareEntry : public modelwright::impl::PrepareEntryBase<PrepareEntry> {
public:
  using PrepareEntryBase::PrepareEntryBase;

  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry) {
      getOperation().emitError("there is no public function to run");
      return signalPassFailure();
    }
    if (func::FuncOp recursive = findRecursion(getOperation())) {
      recursive.emitError()
          << "'" << recursive.getName() << "' calls itself: it cannot be run";
      return signalPassFailure();
    }
    hoist(entry);
    Builder builder(&getContext());
    auto status = RankedTensorType::get({1}, builder.getI64Type());
    addArgument(entry, status, nn::NNDialect::kStatusAttr,
                builder.getUnitAttr());
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      entry.setArgAttr(i,
                       bufferization::BufferizationDialect::kWritableAttrName,
                       builder.getBoolAttr(false));
  }

private:
  static BlockArgument addArgument(func::FuncOp func, Type type, StringRef name,
                                   Attribute attr) {
    unsigned index = func.getNumArguments();
    auto dict = DictionaryAttr::get(
        func.getContext(),
        NamedAttribute(StringAttr::get(func.getContext(), name), attr));
    [[maybe_unused]] LogicalResult inserted =
        func.insertArgument(index, type, dict, func.getLoc());
    assert(succeeded(inserted) && "func.func takes arguments of any type");
    return func.getArgument(index);
  }

  bool isInline(ElementsAttr value) const {
    return value.isSplat() || uint64_t(value.getNumElements()) <= maxInline;
  }

  void hoist(func::FuncOp entry) const {
    llvm::MapVector<std::pair<Attribute, Type>, SmallVector<Operation *>>
        constants;
    SmallVector<Operation *> variables;
    entry.walk([&](Operation *op) {
      if (auto constant = dyn_cast<nn::ConstantOp>(op)) {
        if (!isInline(constant.getValue()))
          constants[{constant.getValue(), constant.getType()}].push_back(op);
      } else if (isa<nn::VariableOp>(op)) {
        variables.push_back(op);
      }
    });
    auto replace = [](Operation *op, Value value) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    };
    for (auto &[key, ops] : constants) {
      BlockArgument argument = addArgument(
          entry, key.second, nn::NNDialect::kConstantAttr, key.first);
      for (Operation *op : ops)
        replace(op, argument);
    }
    for (Operation *op : variables)
      replace(op, addArgument(entry, op->getResult(0).getType(),
                              nn::NNDialect::kConstantAttr,
                              cast<nn::VariableOp>(op).getValue()));
  }
};
} // namespace
