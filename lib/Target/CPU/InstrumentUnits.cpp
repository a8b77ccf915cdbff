//===- InstrumentUnits.cpp - Time what a run consists of ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/RegionUtils.h"
#include "modelwright/Conversion/EntryFunction.h"
#include "modelwright/Target/CPU/IR/CPUOps.h"
#include "modelwright/Target/CPU/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace modelwright::cpu {
#define GEN_PASS_DEF_INSTRUMENTUNITS
#include "modelwright/Target/CPU/Passes.h.inc"
} // namespace modelwright::cpu

using namespace mlir;
using namespace modelwright;
using namespace modelwright::cpu;

/// Whether `op` takes time worth a row: a kernel, a loop, a call, a copy.
static bool isUnit(Operation *op) {
  if (op->hasTrait<OpTrait::IsTerminator>())
    return false;
  return isa<CPUDialect, linalg::LinalgDialect>(op->getDialect()) ||
         op->getNumRegions() != 0 ||
         isa<func::CallOp, memref::CopyOp, bufferization::CloneOp>(op);
}

/// Whether `op` only brings data to another place or form, as a step of an op
/// of the model that another unit computes.
static bool isMove(Operation *op) {
  if (isa<CPUDialect>(op->getDialect())) {
    StringRef name = op->getName().stripDialect();
    return name.starts_with("pack") || name.starts_with("unpack");
  }
  return isa<memref::CopyOp, linalg::FillOp, linalg::CopyOp,
             bufferization::CloneOp>(op);
}

/// What computes it, in a few words.
static std::string describe(Operation *op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return call.getCallee().str();
  if (!isa<CPUDialect>(op->getDialect())) {
    // Loops have no names of their own.
    return isMove(op) ? op->getName().stripDialect().str() : "loops";
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName().stripDialect();
  if (auto algorithm = op->getAttrOfType<AlgorithmAttr>("algorithm"))
    os << " " << stringifyAlgorithm(algorithm.getValue());
  if (auto tile = op->getAttrOfType<DenseI64ArrayAttr>("tile")) {
    os << " ";
    llvm::interleave(tile.asArrayRef(), os, "x");
  }
  return text;
}

/// The numbers that number-ops wrote into a location.
static SmallVector<int64_t> getOpNumbers(Location loc) {
  SmallVector<int64_t> numbers;
  loc->walk([&](Location inner) {
    if (auto fused = dyn_cast<FusedLocWith<IntegerAttr>>(inner))
      numbers.push_back(fused.getMetadata().getInt());
    return WalkResult::advance();
  });
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
  return numbers;
}

/// Bytes of the buffers that `op` works on; 0 if the size of one is not known.
static int64_t getBytes(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  int64_t bytes = 0;
  for (Value value : values) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      continue;
    Type element = type.getElementType();
    if (auto complex = dyn_cast<ComplexType>(element))
      bytes += type.hasStaticShape()
                   ? type.getNumElements() *
                         complex.getElementType().getIntOrFloatBitWidth() / 4
                   : 0;
    else if (type.hasStaticShape() && element.isIntOrFloat())
      bytes += type.getNumElements() *
               int64_t(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8));
    else
      return 0;
  }
  return bytes;
}

namespace {
class InstrumentUnits : public cpu::impl::InstrumentUnitsBase<InstrumentUnits> {
public:
  void runOnOperation() override {
    func::FuncOp entry = getEntryFunction(getOperation());
    if (!entry)
      return;
    Builder builder(&getContext());
    // Steps of the same kind for the same ops are one.
    llvm::MapVector<Attribute, int64_t> rows;
    llvm::DenseMap<Attribute, int64_t> bytes;
    SmallVector<std::pair<Operation *, int64_t>> units;
    for (Operation &op : entry.getOps()) {
      if (!isUnit(&op))
        continue;
      Attribute key = builder.getDictionaryAttr(
          {builder.getNamedAttr("kernel", builder.getStringAttr(describe(&op))),
           builder.getNamedAttr("move", builder.getBoolAttr(isMove(&op))),
           builder.getNamedAttr("ops", builder.getDenseI64ArrayAttr(
                                           getOpNumbers(op.getLoc())))});
      auto *row = rows.try_emplace(key, rows.size()).first;
      units.emplace_back(&op, row->second);
      bytes[key] += getBytes(&op);
    }
    numUnits += units.size();
    SmallVector<Attribute> list;
    for (auto &[key, number] : rows) {
      NamedAttrList attrs(cast<DictionaryAttr>(key));
      attrs.set("bytes", builder.getI64IntegerAttr(bytes[key]));
      list.push_back(attrs.getDictionary(&getContext()));
    }
    instrument(entry, units, int64_t(list.size()));
    entry->setAttr(kProfileAttr, builder.getArrayAttr(list));
  }

private:
  func::FuncOp declare(StringRef name, unsigned numArguments) {
    OpBuilder builder(getOperation().getBodyRegion());
    SmallVector<Type> types(numArguments, builder.getIndexType());
    auto function = func::FuncOp::create(builder, getOperation().getLoc(), name,
                                         builder.getFunctionType(types, {}));
    function.setPrivate();
    return function;
  }

  void instrument(func::FuncOp entry,
                  ArrayRef<std::pair<Operation *, int64_t>> units,
                  int64_t numRows) {
    func::FuncOp begin = declare("mw_profile_begin", 1);
    func::FuncOp end = declare("mw_profile_end", 2);
    ImplicitLocOpBuilder b(entry.getLoc(), &getContext());
    auto type = MemRefType::get({1 + numRows}, b.getI64Type());
    unsigned index = entry.getNumArguments();
    [[maybe_unused]] LogicalResult inserted = entry.insertArgument(
        index, type,
        b.getDictionaryAttr(b.getNamedAttr(kProfileAttr, b.getUnitAttr())),
        entry.getLoc());
    assert(succeeded(inserted) && "func.func takes arguments of any type");
    b.setInsertionPointToStart(&entry.getBody().front());
    Value slots = memref::ExtractAlignedPointerAsIndexOp::create(
        b, entry.getArgument(index));
    func::CallOp::create(b, begin, ValueRange(slots));
    for (auto [op, row] : units) {
      b.setInsertionPointAfter(op);
      Value number = arith::ConstantIndexOp::create(b, row);
      func::CallOp::create(b, end, ValueRange{slots, number});
    }
  }
};
} // namespace
