//===- Units.cpp - Functions that threads can share -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Units.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "modelwright/Target/CPU/Passes.h"

using namespace mlir;
using namespace modelwright;

/// Turns of a loop whose bounds are found at run time: a window at an image's
/// border.
static constexpr int64_t kUnknownTurns = 3;

static int64_t countTurns(scf::ForOp loop) {
  std::optional<int64_t> low = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> high = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!low || !high || !step || *step <= 0)
    return kUnknownTurns;
  return std::max<int64_t>(0, (*high - *low + *step - 1) / *step);
}

/// Whether an op computes or accesses memory, rather than finding out where.
static bool isOperation(Operation &op) {
  if (isa<arith::ConstantOp, arith::IndexCastOp, LLVM::GEPOp,
          UnrealizedConversionCastOp>(op) ||
      op.hasTrait<OpTrait::IsTerminator>())
    return false;
  return llvm::none_of(op.getResultTypes(),
                       [](Type type) { return type.isIndex(); });
}

/// Operations on numbers and memory that a run of the block executes. Of two
/// branches, the dearer one counts; `units` is the loop over the units.
static int64_t countOperations(Block &block, int64_t units) {
  int64_t count = 0;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      // The loop over the units goes from argument to argument.
      bool isUnits = isa<BlockArgument>(loop.getLowerBound()) &&
                     isa<BlockArgument>(loop.getUpperBound());
      count += (isUnits ? units : countTurns(loop)) *
               countOperations(*loop.getBody(), units);
    } else if (op.getNumRegions() != 0) {
      int64_t most = 0;
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          most = std::max(most, countOperations(inner, units));
      count += most;
    } else {
      count += isOperation(op);
    }
  }
  return count;
}

void cpu::setUnits(func::FuncOp function, int64_t count) {
  OpBuilder builder(function.getContext());
  int64_t cost = countOperations(function.getBody().front(), count);
  function->setAttr(kUnitsAttr, builder.getDenseI64ArrayAttr({count, cost}));
}

void cpu::emitUnitsCall(Operation *op, func::FuncOp function,
                        ValueRange arguments) {
  OpBuilder builder(op);
  auto units = function->getAttrOfType<DenseI64ArrayAttr>(kUnitsAttr);
  Value zero = arith::ConstantIndexOp::create(builder, op->getLoc(), 0);
  Value count = arith::ConstantIndexOp::create(builder, op->getLoc(), units[0]);
  SmallVector<Value> operands(arguments);
  operands.append({zero, zero, count});
  // Operands of another layout than the function takes are none of ours.
  func::CallOp::create(builder, op->getLoc(), function, operands);
}
