//===- EmitKernels.cpp - Kernels as functions -----------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "Units.h"
#include "Winograd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_EMITKERNELS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Everything that the code of a kernel hangs on, as text.
static std::string getKey(Operation *op) {
  std::string key;
  llvm::raw_string_ostream os(key);
  os << op->getName() << op->getPropertiesAsAttribute();
  for (Type type : op->getOperandTypes())
    os << type;
  if (op->getNumRegions() == 0)
    return key;
  // Values are numbered by their place, so that names do not matter.
  llvm::DenseMap<Value, unsigned> numbers;
  Block &block = op->getRegion(0).front();
  for (Value argument : block.getArguments())
    numbers.try_emplace(argument, numbers.size());
  for (Operation &inner : block) {
    os << inner.getName() << inner.getAttrDictionary();
    for (Value operand : inner.getOperands())
      os << "," << numbers.lookup(operand);
    for (Value result : inner.getResults()) {
      os << ":" << result.getType();
      numbers.try_emplace(result, numbers.size());
    }
  }
  return key;
}

/// f32 numbers in the vectors that a kernel works on.
static int64_t getLanes(Operation *op) {
  auto getLast = [](Value value) {
    return cast<ShapedType>(value.getType()).getShape().back();
  };
  if (auto matmul = dyn_cast<MatMulOp>(op))
    return getLast(matmul.getRhs()) /
           getGroupSize(matmul.getProducts().value_or(Products::lanes));
  if (auto unpack = dyn_cast<UnpackOp>(op))
    return getLast(unpack.getSource());
  return getLast(cast<DestinationStyleOpInterface>(op).getDpsInits()[0]);
}

/// How many functions a kernel is made of: each needs all that the one before
/// it computes.
static unsigned countParts(Operation *op) {
  auto conv = dyn_cast<Conv2DOp>(op);
  if (!conv || conv.getAlgorithm() == Algorithm::direct)
    return 1;
  return conv.getAlgorithm() == Algorithm::winograd4 ? countWinogradParts(conv)
                                                     : 2;
}

static void emitBody(Emitter &e, Operation *op, ValueRange arguments,
                     unsigned part) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](Conv2DOp kernel) { emitConv2D(e, kernel, arguments, part); })
      .Case([&](DepthwiseConv2DOp kernel) {
        emitDepthwiseConv2D(e, kernel, arguments);
      })
      .Case([&](EltwiseOp kernel) { emitEltwise(e, kernel, arguments); })
      .Case([&](Pool2DOp kernel) { emitPool2D(e, kernel, arguments); })
      .Case([&](PackOp kernel) { emitPack(e, kernel, arguments); })
      .Case([&](UnpackOp kernel) { emitUnpack(e, kernel, arguments); })
      .Case([&](GatherChannelsOp kernel) {
        emitGatherChannels(e, kernel, arguments);
      })
      .Case([&](PackMatrixOp kernel) { emitPackMatrix(e, kernel, arguments); })
      .Case([&](MatMulOp kernel) { emitMatMul(e, kernel, arguments); });
}

/// The address of a buffer's first element, without its type's offset.
static Value emitPointer(OpBuilder &builder, Location loc, Value buffer) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
  Value number =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()), number);
}

namespace {
class EmitKernels : public cpu::impl::EmitKernelsBase<EmitKernels> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<Operation *> kernels;
    module.walk([&](DestinationStyleOpInterface op) {
      if (isa<CPUDialect>(op->getDialect()))
        kernels.push_back(op);
    });
    llvm::StringMap<SmallVector<func::FuncOp, 1>> functions;
    SymbolTable symbols(module);
    size_t number = 0;
    for (Operation *op : kernels) {
      SmallVector<func::FuncOp, 1> &parts = functions[getKey(op)];
      if (parts.empty()) {
        for (unsigned part = 0, count = countParts(op); part < count; ++part) {
          parts.push_back(createFunction(op, number++, part));
          // Under another name if the model has a function of that one.
          symbols.insert(parts.back());
        }
      }
      OpBuilder builder(op);
      SmallVector<Value> pointers;
      for (Value buffer : op->getOperands())
        pointers.push_back(emitPointer(builder, op->getLoc(), buffer));
      for (func::FuncOp function : parts)
        emitUnitsCall(op, function, pointers);
      op->erase();
    }
  }

private:
  static func::FuncOp createFunction(Operation *op, size_t number,
                                     unsigned part) {
    OpBuilder builder(op->getContext());
    std::string name =
        (op->getName().stripDialect() + "_" + llvm::Twine(number)).str();
    SmallVector<Type> types(op->getNumOperands(),
                            LLVM::LLVMPointerType::get(op->getContext()));
    types.append(3, builder.getIndexType());
    auto function = func::FuncOp::create(builder, op->getLoc(), name,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    function->setAttr("passthrough",
                      builder.getStrArrayAttr({"noinline", kKernelAttr}));
    Block *body = function.addEntryBlock();
    // Buffers never overlap: the planner keeps those apart that are alive.
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
    ImplicitLocOpBuilder b(op->getLoc(), builder);
    b.setInsertionPointToStart(body);
    ValueRange range = body->getArguments().take_back(3);
    Emitter emitter(b, body, getLanes(op), {range[0], range[1], range[2]});
    SmallVector<Value> buffers;
    for (auto [argument, operand] :
         llvm::zip(body->getArguments(), op->getOperands()))
      buffers.push_back(
          emitter.buffer(argument, cast<MemRefType>(operand.getType())));
    emitBody(emitter, op, buffers, part);
    func::ReturnOp::create(b);
    emitter.finish();
    setUnits(function, emitter.getUnitCount());
    return function;
  }
};
} // namespace
