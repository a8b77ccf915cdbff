//===- StructureConditions.cpp - Marked values as structured control
//---------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In the dialect, ops that depend on a value of nn.cond_mark run only if its
// predicate is true, and nn.cond_merge picks what ran. Here such ops move into
// regions of scf.if, so that ops which may fail do so only if they run.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

namespace {
/// The conditions (i1) that must all hold for a value to exist, in the order of
/// their definition.
using Guards = llvm::SmallSetVector<Value, 4>;

class Structurer {
public:
  explicit Structurer(Block &block)
      : block(block),
        b(block.getParentOp()->getLoc(), OpBuilder::atBlockBegin(&block)) {}

  void run();

private:
  void visit(Operation &op);
  void visitMark(CondMarkOp op);
  void visitMerge(CondMergeOp op);
  void visitEnd(Operation &op);
  /// Moves the ops that wait into an scf.if.
  void closeRun();

  Guards getGuards(ValueRange values) const {
    Guards result;
    for (Value value : values)
      if (auto it = guards.find(value); it != guards.end())
        result.insert_range(it->second);
    return result;
  }
  /// All of them as one i1; true if there are none.
  Value emitAll(const Guards &conditions);
  /// Whether a predicate (tensor<1xi32>) is true.
  Value emitPredicate(Value predicate);
  /// Something to yield where a value does not exist.
  Value emitNothing(Type type);
  Value emitExactlyOne(CondMergeOp op, int64_t k, ArrayRef<Value> ran);
  Value emitSum(CondMergeOp op, int64_t k, ArrayRef<Value> ran);
  void checkExactlyOne(const Guards &common, ArrayRef<Value> ran);

  Block &block;
  ImplicitLocOpBuilder b;
  llvm::DenseMap<Value, Guards> guards;
  /// Ops in order, all with the guards `runGuards`.
  SmallVector<Operation *> waiting;
  Guards runGuards;
};
} // namespace

static bool isSum(CondMergeOp op) {
  return op.getMode() == CondMergeMode::sum ||
         op.getMode() == CondMergeMode::sum_cond_out;
}

void Structurer::run() {
  for (Operation &op : llvm::make_early_inc_range(block))
    visit(op);
}

void Structurer::visit(Operation &op) {
  b.setLoc(op.getLoc());
  b.setInsertionPoint(&op);
  if (auto mark = dyn_cast<CondMarkOp>(op))
    return visitMark(mark);
  if (auto merge = dyn_cast<CondMergeOp>(op))
    return visitMerge(merge);
  if (op.hasTrait<OpTrait::IsTerminator>())
    return visitEnd(op);
  Guards own = getGuards(op.getOperands());
  if (own.empty())
    return;
  if (!waiting.empty() && own.getArrayRef() != runGuards.getArrayRef()) {
    closeRun();
    own = getGuards(op.getOperands());
  }
  runGuards = own;
  waiting.push_back(&op);
  for (Value result : op.getResults())
    guards[result] = own;
}

Value Structurer::emitPredicate(Value predicate) {
  Value first = emitRead(b, predicate, emitConstantIndex(b, 0));
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, first,
                               emitConstant(b, b.getI32Type(), 0));
}

Value Structurer::emitAll(const Guards &conditions) {
  Value all;
  for (Value condition : conditions)
    all = all ? Value(arith::AndIOp::create(b, all, condition)) : condition;
  return all ? all : Value(arith::ConstantIntOp::create(b, b.getI1Type(), 1));
}

Value Structurer::emitNothing(Type type) {
  auto lowered = cast<RankedTensorType>(getLoweredType(type));
  Type element = lowered.getElementType();
  Value zero;
  if (auto complexType = dyn_cast<ComplexType>(element)) {
    Value part = emitConstant(b, complexType.getElementType(), 0);
    zero = complex::CreateOp::create(b, complexType, part, part);
  } else {
    zero = emitConstant(b, element, 0);
  }
  SmallVector<Value> sizes(lowered.getNumDynamicDims(),
                           emitConstantIndex(b, 0));
  Value value = emitSplat(b, lowered, zero, sizes);
  if (lowered == type)
    return value;
  return UnrealizedConversionCastOp::create(b, type, value).getResult(0);
}

void Structurer::closeRun() {
  if (waiting.empty())
    return;
  OpBuilder::InsertionGuard guard(b);
  Operation *last = waiting.back();
  b.setInsertionPointAfter(last);
  llvm::SmallPtrSet<Operation *, 8> inside(waiting.begin(), waiting.end());
  SmallVector<Value> escaping;
  for (Operation *op : waiting)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        escaping.push_back(result);
  auto branch =
      scf::IfOp::create(b, ValueRange(escaping).getTypes(), emitAll(runGuards),
                        /*addThenBlock=*/true, /*addElseBlock=*/true);
  for (auto [value, result] : llvm::zip_equal(escaping, branch.getResults())) {
    value.replaceUsesWithIf(result, [&](OpOperand &use) {
      return !inside.contains(use.getOwner());
    });
    guards[result] = runGuards;
  }
  b.setInsertionPointToStart(branch.thenBlock());
  Operation *yield = scf::YieldOp::create(b, escaping);
  for (Operation *op : waiting)
    op->moveBefore(yield);
  b.setInsertionPointToStart(branch.elseBlock());
  SmallVector<Value> nothing;
  for (Value value : escaping)
    nothing.push_back(emitNothing(value.getType()));
  scf::YieldOp::create(b, nothing);
  waiting.clear();
}

void Structurer::visitMark(CondMarkOp op) {
  closeRun();
  Value condition = emitPredicate(op.getPredicate());
  for (auto [input, output] :
       llvm::zip_equal(op.getInputs(), op.getOutputs())) {
    Guards own = getGuards({input, op.getPredicate()});
    own.insert(condition);
    guards[output] = std::move(own);
  }
}

Value Structurer::emitExactlyOne(CondMergeOp op, int64_t k,
                                 ArrayRef<Value> ran) {
  Type type = op.getOutputs()[k].getType();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<scf::IfOp> chain;
  for (auto [i, isIn] : llvm::enumerate(ran)) {
    chain.push_back(scf::IfOp::create(b, TypeRange(type), isIn,
                                      /*addThenBlock=*/true,
                                      /*addElseBlock=*/true));
    b.setInsertionPointToStart(chain.back().thenBlock());
    // The result may know less of the shape.
    Value value = op.getBranches()[i * op.getNumOutputs() + k];
    scf::YieldOp::create(b, IdentityOp::create(b, type, value).getResult());
    b.setInsertionPointToStart(chain.back().elseBlock());
  }
  Value rest = emitNothing(type);
  for (scf::IfOp choice : llvm::reverse(chain)) {
    b.setInsertionPointToEnd(choice.elseBlock());
    scf::YieldOp::create(b, rest);
    rest = choice.getResult(0);
  }
  return rest;
}

Value Structurer::emitSum(CondMergeOp op, int64_t k, ArrayRef<Value> ran) {
  Type type = op.getOutputs()[k].getType();
  Value result = emitNothing(type);
  for (auto [i, isIn] : llvm::enumerate(ran)) {
    auto choice = scf::IfOp::create(b, TypeRange(type), isIn,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    Value term = op.getBranches()[i * op.getNumOutputs() + k];
    Value sum = AddOp::create(b, type, result, term, Activation::none,
                              /*out_type=*/TypeAttr());
    scf::YieldOp::create(b, sum);
    b.setInsertionPointToStart(choice.elseBlock());
    scf::YieldOp::create(b, result);
    result = choice.getResult(0);
  }
  return result;
}

void Structurer::checkExactlyOne(const Guards &common, ArrayRef<Value> ran) {
  Type i32 = b.getI32Type();
  Value count = emitConstant(b, i32, 0);
  for (Value condition : ran)
    count = emitAdd(b, count, arith::ExtUIOp::create(b, i32, condition));
  Value isOne = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, count,
                                      emitConstant(b, i32, 1));
  Value isOff = arith::XOrIOp::create(
      b, emitAll(common), arith::ConstantIntOp::create(b, b.getI1Type(), 1));
  emitCheck(b, arith::OrIOp::create(b, isOff, isOne),
            "not exactly one branch of a merge ran");
}

void Structurer::visitMerge(CondMergeOp op) {
  closeRun();
  auto numOutputs = static_cast<int64_t>(op.getNumOutputs());
  SmallVector<Guards> branchGuards;
  ValueRange branches = op.getBranches();
  for (size_t i = 0; i < branches.size(); i += numOutputs)
    branchGuards.push_back(getGuards(branches.slice(i, numOutputs)));
  // What all branches need, the result needs too.
  Guards common = branchGuards.front();
  common.remove_if([&](Value condition) {
    return llvm::any_of(branchGuards, [&](const Guards &other) {
      return !other.contains(condition);
    });
  });
  SmallVector<Value> ran;
  for (const Guards &own : branchGuards)
    ran.push_back(emitAll(own));
  bool sums = isSum(op);
  if (!sums)
    checkExactlyOne(common, ran);
  Guards own = common;
  SmallVector<Value> results;
  for (int64_t k = 0; k < numOutputs; ++k)
    results.push_back(sums ? emitSum(op, k, ran) : emitExactlyOne(op, k, ran));
  if (Value predicate = op.getPredicate()) {
    own.insert(emitPredicate(predicate));
    Value isAny = arith::ConstantIntOp::create(b, b.getI1Type(), 0);
    for (Value condition : ran)
      isAny = arith::OrIOp::create(b, isAny, condition);
    Value number = arith::ExtUIOp::create(b, b.getI32Type(), isAny);
    results.push_back(tensor::FromElementsOp::create(
        b, RankedTensorType::get({1}, b.getI32Type()), number));
  }
  for (auto [result, old] : llvm::zip_equal(results, op.getResults())) {
    old.replaceAllUsesWith(result);
    guards[result] = own;
  }
  // Whether a branch ran can be told in any case.
  if (op.getPredicate())
    guards[results.back()] = common;
  op.erase();
}

void Structurer::visitEnd(Operation &op) {
  closeRun();
  Guards own = getGuards(op.getOperands());
  if (!own.empty())
    emitCheck(b, emitAll(own), "an output is of a branch that did not run");
}

/// Whether everything that may move can be yielded by an scf.if, and merges can
/// be emitted.
static bool canStructure(func::FuncOp func) {
  auto isHeld = [](Type type) {
    return isa_and_nonnull<RankedTensorType>(getLoweredType(type));
  };
  for (Operation &op : func.getBody().front()) {
    if (!isa_and_nonnull<NNDialect>(op.getDialect()))
      continue;
    if (!llvm::all_of(op.getResultTypes(), isHeld))
      return false;
    auto merge = dyn_cast<CondMergeOp>(op);
    if (!merge || !isSum(merge))
      continue;
    for (Type type : merge.getOutputs().getTypes()) {
      auto ranked = cast<RankedTensorType>(type);
      if (!ranked.hasStaticShape() || isQuantized(ranked.getElementType()))
        return false;
    }
  }
  return true;
}

void nn::structureConditions(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.getBody().hasOneBlock())
      continue;
    Block &block = func.getBody().front();
    if (block.getOps<CondMarkOp>().empty() || !canStructure(func))
      continue;
    Structurer(block).run();
  }
}
