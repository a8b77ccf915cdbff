//===- OutlineLoops.cpp - Loops as functions ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "mlir/Transforms/RegionUtils.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_OUTLINELOOPS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;

/// Whether a function can take values of `type`, buffers as bare pointers.
static bool canPass(Type type) {
  auto buffer = dyn_cast<MemRefType>(type);
  if (!buffer)
    return type.isIntOrIndexOrFloat();
  SmallVector<int64_t> strides;
  int64_t offset;
  return buffer.hasStaticShape() && buffer.getNumElements() != 0 &&
         succeeded(buffer.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(offset) && !ShapedType::isDynamicShape(strides);
}

/// What `op` reads and writes, each value once; nothing if it cannot be a
/// function.
static std::optional<SetVector<Value>>
collectArguments(linalg::LinalgOp op, SetVector<Value> &constants) {
  if (!op.hasPureBufferSemantics())
    return std::nullopt;
  // Memory is fine; a check is not, which ends the run of the function that it
  // is in.
  bool isSimple = true;
  op->getRegion(0).walk([&](Operation *inner) {
    isSimple &= !isa<cf::AssertOp>(inner) &&
                (inner->hasTrait<OpTrait::IsTerminator>() ||
                 isa<MemoryEffectOpInterface>(inner) ||
                 inner->hasTrait<OpTrait::HasRecursiveMemoryEffects>());
  });
  if (!isSimple)
    return std::nullopt;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  SetVector<Value> arguments(op->operand_begin(), op->operand_end());
  for (Value value : captured) {
    if (value.getDefiningOp<arith::ConstantOp>())
      constants.insert(value);
    else
      arguments.insert(value);
  }
  if (!llvm::all_of(arguments,
                    [](Value value) { return canPass(value.getType()); }))
    return std::nullopt;
  return arguments;
}

/// The buffer that `value` is a view of. Those of plan-memory are views of one
/// arena, but no two that are alive overlap.
static Value getRoot(Value value) {
  while (auto view = value.getDefiningOp<ViewLikeOpInterface>()) {
    if (isa<memref::ViewOp>(view))
      break;
    value = view.getViewSource();
  }
  return value;
}

namespace {
class OutlineLoops : public cpu::impl::OutlineLoopsBase<OutlineLoops> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<linalg::LinalgOp> ops;
    module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    llvm::StringMap<func::FuncOp> functions;
    SymbolTable symbols(module);
    for (linalg::LinalgOp op : ops) {
      SetVector<Value> constants;
      std::optional<SetVector<Value>> arguments =
          collectArguments(op, constants);
      if (!arguments)
        continue;
      func::FuncOp made = createFunction(op, *arguments, constants);
      std::string key;
      llvm::raw_string_ostream os(key);
      made->print(os, OpPrintingFlags().useLocalScope().printGenericOpForm());
      auto [it, isNew] = functions.try_emplace(key, made);
      if (isNew) {
        // Under another name if there is one of it.
        symbols.insert(made);
        ++numFunctions;
      } else {
        made->erase();
      }
      OpBuilder builder(op);
      func::CallOp::create(builder, op->getLoc(), it->second,
                           arguments->getArrayRef());
      op->erase();
      ++numCalls;
    }
  }

private:
  static func::FuncOp createFunction(linalg::LinalgOp op,
                                     const SetVector<Value> &arguments,
                                     const SetVector<Value> &constants) {
    OpBuilder builder(op->getContext());
    SmallVector<Type> types(llvm::map_range(
        arguments, [](Value value) { return value.getType(); }));
    auto function = func::FuncOp::create(builder, op->getLoc(), "loops",
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr(cpu::kBarePointersAttr, builder.getUnitAttr());
    function->setAttr("passthrough", builder.getStrArrayAttr({"noinline"}));
    Block *body = function.addEntryBlock();
    llvm::DenseMap<Value, unsigned> roots;
    for (Value value : arguments)
      ++roots[getRoot(value)];
    for (auto [i, value] : llvm::enumerate(arguments))
      if (isa<MemRefType>(value.getType()) && roots[getRoot(value)] == 1)
        function.setArgAttr(unsigned(i),
                            LLVM::LLVMDialect::getNoAliasAttrName(),
                            builder.getUnitAttr());
    builder.setInsertionPointToStart(body);
    IRMapping mapping;
    mapping.map(arguments.getArrayRef(), body->getArguments());
    for (Value constant : constants)
      builder.clone(*constant.getDefiningOp(), mapping);
    builder.clone(*op, mapping);
    func::ReturnOp::create(builder, op->getLoc());
    return function;
  }
};
} // namespace
