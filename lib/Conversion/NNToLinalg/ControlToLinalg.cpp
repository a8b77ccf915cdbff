//===- ControlToLinalg.cpp - Control flow
//------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "modelwright/Conversion/NNToLinalg/Lowering.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// The only element of a tensor; null if it is known to have another number of
/// them.
static Value emitOnlyElement(ImplicitLocOpBuilder &b, Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || llvm::any_of(type.getShape(), [](int64_t size) {
        return !ShapedType::isDynamic(size) && size != 1;
      }))
    return {};
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (!type.isDynamicDim(dim))
      continue;
    Value isOne =
        arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                              emitDim(b, tensor, dim), emitConstantIndex(b, 1));
    emitCheck(b, isOne, "a condition has not one element");
  }
  SmallVector<Value> zeros(type.getRank(), emitConstantIndex(b, 0));
  return emitRead(b, tensor, zeros);
}

/// Whether the only element of a tensor is not 0, as i1.
static Value emitTruth(ImplicitLocOpBuilder &b, Value tensor, Type element) {
  Value value = emitOnlyElement(b, tensor);
  return value ? emitCast(b, value, element, b.getI1Type()) : Value();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The value as a tensor of another type, which may know more or less of the
/// shape; what it knows more is checked.
static Value emitTensorCast(ImplicitLocOpBuilder &b, Value value,
                            RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == type)
    return value;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    if (type.isDynamicDim(dim) || !from.isDynamicDim(dim))
      continue;
    Value isSame = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq, emitDim(b, value, dim),
        emitConstantIndex(b, type.getDimSize(dim)));
    emitCheck(b, isSame,
              "a value that is passed to or from a function has another size "
              "than its type says in dim " +
                  Twine(dim));
  }
  return tensor::CastOp::create(b, type, value);
}

static SmallVector<Value> emitTensorCasts(ImplicitLocOpBuilder &b,
                                          ValueRange values,
                                          ArrayRef<RankedTensorType> types) {
  SmallVector<Value> results;
  for (auto [value, type] : llvm::zip_equal(values, types))
    results.push_back(emitTensorCast(b, value, type));
  return results;
}

/// The lowered types; failure if one is not ranked, or not of the rank of the
/// type it meets in `others`.
static FailureOr<SmallVector<RankedTensorType>>
getRankedTypes(TypeRange types, TypeRange others) {
  SmallVector<RankedTensorType> result;
  for (auto [type, other] : llvm::zip_equal(types, others)) {
    auto ranked = dyn_cast_or_null<RankedTensorType>(getLoweredType(type));
    auto rankedOther =
        dyn_cast_or_null<RankedTensorType>(getLoweredType(other));
    if (!ranked || !rankedOther ||
        ranked.getElementType() != rankedOther.getElementType() ||
        ranked.getRank() != rankedOther.getRank())
      return failure();
    result.push_back(ranked);
  }
  return result;
}

namespace {
/// A function that an op calls.
struct Callee {
  FlatSymbolRefAttr name;
  SmallVector<RankedTensorType> arguments, results;

  /// Failure if the types of a value on both sides of a call cannot be held, or
  /// cannot be cast to each other.
  static FailureOr<Callee> get(Operation *op, FlatSymbolRefAttr name,
                               TypeRange inputs, TypeRange outputs);

  /// The results as values of `types`.
  SmallVector<Value> emitCall(ImplicitLocOpBuilder &b, ValueRange inputs,
                              ArrayRef<RankedTensorType> types) const {
    auto call = func::CallOp::create(b, name, llvm::to_vector_of<Type>(results),
                                     emitTensorCasts(b, inputs, arguments));
    return emitTensorCasts(b, call.getResults(), types);
  }
};
} // namespace

FailureOr<Callee> Callee::get(Operation *op, FlatSymbolRefAttr name,
                              TypeRange inputs, TypeRange outputs) {
  auto func = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, name);
  if (!func || func.isExternal())
    return failure();
  auto arguments = getRankedTypes(func.getArgumentTypes(), inputs);
  auto results = getRankedTypes(func.getResultTypes(), outputs);
  if (failed(arguments) || failed(results))
    return failure();
  return Callee{name, *arguments, *results};
}

/// Shared by the ops that take one of several functions: `emitChoice` makes an
/// op with the result types and gives its regions in the order of the functions
/// that they are to call; none if it cannot.
template <typename OpT>
static FailureOr<SmallVector<Value>>
lowerChoice(ImplicitLocOpBuilder &b, OpT op, ValueRange inputs,
            function_ref<SmallVector<Region *>(TypeRange)> emitChoice) {
  auto types = getRankedTypes(op.getResultTypes(), op.getResultTypes());
  if (failed(types))
    return failure();
  SmallVector<Callee> callees;
  for (FlatSymbolRefAttr name : getCallees(op)) {
    FailureOr<Callee> callee =
        Callee::get(op, name, op.getInputs().getTypes(), op.getResultTypes());
    if (failed(callee))
      return failure();
    callees.push_back(*callee);
  }
  SmallVector<Region *> regions = emitChoice(llvm::to_vector_of<Type>(*types));
  if (regions.empty())
    return failure();
  OpBuilder::InsertionGuard guard(b);
  for (auto [region, callee] : llvm::zip_equal(regions, callees)) {
    if (region->empty())
      b.createBlock(region);
    b.setInsertionPointToStart(&region->front());
    SmallVector<Value> results = callee.emitCall(b, inputs, *types);
    scf::YieldOp::create(b, results);
  }
  return SmallVector<Value>(regions.front()->getParentOp()->getResults());
}

namespace {
class IfLowering : public Lowering<IfOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(IfOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Type element = nn::getElementType(op.getCondition().getType());
    auto emitChoice = [&](TypeRange types) -> SmallVector<Region *> {
      Value condition = emitTruth(b, adaptor.getCondition(), element);
      if (!condition)
        return {};
      auto choice =
          scf::IfOp::create(b, types, condition,
                            /*addThenBlock=*/true, /*addElseBlock=*/true);
      return {&choice.getThenRegion(), &choice.getElseRegion()};
    };
    return lowerChoice(b, op, adaptor.getInputs(), emitChoice);
  }
};

class CaseLowering : public Lowering<CaseOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CaseOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Type element = nn::getElementType(op.getIndex().getType());
    if (!isa<IntegerType>(element))
      return failure();
    auto emitChoice = [&](TypeRange types) -> SmallVector<Region *> {
      Value index = emitOnlyElement(b, adaptor.getIndex());
      if (!index)
        return {};
      index = emitResizeInt(b, index, element, b.getI64Type());
      index = arith::IndexCastOp::create(b, b.getIndexType(), index);
      // The last branch is what any other number takes.
      SmallVector<int64_t> cases;
      for (size_t k = 0; k + 1 < op.getBranches().size(); ++k)
        cases.push_back(static_cast<int64_t>(k));
      auto choice =
          scf::IndexSwitchOp::create(b, types, index, cases, cases.size());
      SmallVector<Region *> regions;
      for (Region &region : choice.getCaseRegions())
        regions.push_back(&region);
      regions.push_back(&choice.getDefaultRegion());
      return regions;
    };
    return lowerChoice(b, op, adaptor.getInputs(), emitChoice);
  }
};

class CallLowering : public Lowering<CallOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CallOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    auto types = getRankedTypes(op.getResultTypes(), op.getResultTypes());
    FailureOr<Callee> callee = Callee::get(
        op, op.getCalleeAttr(), op.getInputs().getTypes(), op.getResultTypes());
    if (failed(types) || failed(callee))
      return failure();
    return callee->emitCall(b, adaptor.getInputs(), *types);
  }
};

class WhileLowering : public Lowering<WhileOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(WhileOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    TypeRange inputTypes = op.getInputs().getTypes();
    TypeRange outputTypes = op.getResultTypes();
    auto cond = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        op, op.getCondAttr());
    if (!cond)
      return failure();
    FailureOr<Callee> condition =
        Callee::get(op, op.getCondAttr(), inputTypes, cond.getResultTypes());
    FailureOr<Callee> body =
        Callee::get(op, op.getBodyAttr(), inputTypes, outputTypes);
    auto first = getRankedTypes(inputTypes, outputTypes);
    auto last = getRankedTypes(outputTypes, inputTypes);
    if (failed(condition) || failed(body) || failed(first) || failed(last) ||
        condition->results[0].getNumElements() != 1)
      return failure();
    // What goes round has a size where all that it comes from and goes to agree
    // in it.
    SmallVector<Type> carried;
    for (size_t i = 0; i < first->size(); ++i)
      carried.push_back(getCommonType(
          {(*first)[i], (*last)[i], body->arguments[i], body->results[i]}));
    auto carriedTypes = llvm::map_to_vector(
        carried, [](Type type) { return cast<RankedTensorType>(type); });
    Type element = nn::getElementType(cond.getResultTypes()[0]);
    auto loop = scf::WhileOp::create(
        b, carried, emitTensorCasts(b, adaptor.getInputs(), carriedTypes),
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          ImplicitLocOpBuilder inner(loc, builder);
          Value result =
              condition->emitCall(inner, values, condition->results).front();
          scf::ConditionOp::create(inner, emitTruth(inner, result, element),
                                   values);
        },
        [&](OpBuilder &builder, Location loc, ValueRange values) {
          ImplicitLocOpBuilder inner(loc, builder);
          scf::YieldOp::create(inner,
                               body->emitCall(inner, values, carriedTypes));
        });
    return emitTensorCasts(b, loop.getResults(), *last);
  }

private:
  static RankedTensorType getCommonType(ArrayRef<RankedTensorType> types) {
    SmallVector<int64_t> shape(types.front().getShape());
    for (RankedTensorType type : types.drop_front())
      for (auto [size, other] : llvm::zip_equal(shape, type.getShape()))
        if (size != other)
          size = ShapedType::kDynamic;
    return types.front().clone(shape);
  }
};

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

class CondPredLowering : public Lowering<CondPredOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CondPredOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Type element = nn::getElementType(op.getValue().getType());
    if (!getLoweredElementType(element) || isa<ComplexType>(element))
      return failure();
    // Scalars of shape 1, all of them.
    SmallVector<Value> operands = {adaptor.getValue()};
    llvm::append_range(operands, adaptor.getKeys());
    SmallVector<Value> results;
    for (size_t k = 0; k < op.getNumResults(); ++k)
      results.push_back(emitElementwise(
          b, RankedTensorType::get({1}, b.getI32Type()), operands,
          [&](ImplicitLocOpBuilder &inner, ValueRange values) -> Value {
            Value isTaken = emitPredicate(inner, op, k, values.front(),
                                          values.drop_front(), element);
            return arith::ExtUIOp::create(inner, inner.getI32Type(), isTaken);
          }));
    return results;
  }

private:
  static Value emitEqual(ImplicitLocOpBuilder &b, CondPredOp op, Value value,
                         Value key, Type element) {
    if (isa<IntegerType>(element))
      return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, key);
    Value distance =
        math::AbsFOp::create(b, emitSub(b, emitNumber(b, value, element),
                                        emitNumber(b, key, element)));
    Value epsilon =
        emitConstant(b, distance.getType(), op.getEpsilon().convertToFloat());
    return arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, distance,
                                 epsilon);
  }

  static Value emitNumber(ImplicitLocOpBuilder &b, Value value, Type element) {
    return element.isF64() ? value : emitToF32(b, value, element);
  }

  static Value emitPredicate(ImplicitLocOpBuilder &b, CondPredOp op, size_t k,
                             Value value, ValueRange keys, Type element) {
    if (op.getMode() == CondPredMode::piecewise) {
      Value result = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
      if (k > 0)
        result = emitOrder(b, Predicate::ge, value, keys[k - 1], element);
      if (k < keys.size())
        result = arith::AndIOp::create(
            b, result, emitOrder(b, Predicate::lt, value, keys[k], element));
      return result;
    }
    if (k < keys.size())
      return emitEqual(b, op, value, keys[k], element);
    Value isAny;
    for (Value key : keys) {
      Value isEqual = emitEqual(b, op, value, key, element);
      isAny = isAny ? Value(arith::OrIOp::create(b, isAny, isEqual)) : isEqual;
    }
    Value one = arith::ConstantIntOp::create(b, b.getI1Type(), 1);
    return arith::XOrIOp::create(b, isAny, one);
  }

  static Value emitOrder(ImplicitLocOpBuilder &b, Predicate predicate,
                         Value value, Value key, Type element) {
    if (isa<IntegerType>(element))
      return emitCompare(b, predicate, value, key, element);
    return emitCompare(b, predicate, emitNumber(b, value, element),
                       emitNumber(b, key, element), b.getF32Type());
  }
};

class CondLogicalLowering : public Lowering<CondLogicalOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CondLogicalOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    Value result = emitElementwise(
        b, RankedTensorType::get({1}, b.getI32Type()), adaptor.getPredicates(),
        [&](ImplicitLocOpBuilder &inner, ValueRange values) -> Value {
          Value zero = emitConstant(inner, inner.getI32Type(), 0);
          Value all;
          for (Value value : values) {
            Value isTrue = arith::CmpIOp::create(
                inner, arith::CmpIPredicate::ne, value, zero);
            all = all ? emitLogic(inner, op.getMode(), all, isTrue) : isTrue;
          }
          if (op.getMode() >= CondLogicalMode::nor)
            all = arith::XOrIOp::create(
                inner, all,
                arith::ConstantIntOp::create(inner, inner.getI1Type(), 1));
          return arith::ExtUIOp::create(inner, inner.getI32Type(), all);
        });
    return SmallVector<Value>{result};
  }

private:
  /// What the mode gives before it negates.
  static Value emitLogic(ImplicitLocOpBuilder &b, CondLogicalMode mode,
                         Value lhs, Value rhs) {
    switch (mode) {
    case CondLogicalMode::Or:
    case CondLogicalMode::nor:
      return arith::OrIOp::create(b, lhs, rhs);
    case CondLogicalMode::And:
    case CondLogicalMode::nand:
      return arith::AndIOp::create(b, lhs, rhs);
    case CondLogicalMode::Xor:
    case CondLogicalMode::xnor:
      return arith::XOrIOp::create(b, lhs, rhs);
    }
    llvm_unreachable("a logic of no kind");
  }
};

//===----------------------------------------------------------------------===//
// Others
//===----------------------------------------------------------------------===//

/// Marks are values like others once structureConditions has run.
class CondMarkLowering : public Lowering<CondMarkOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(CondMarkOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    auto types = getRankedTypes(op.getResultTypes(), op.getInputs().getTypes());
    if (failed(types))
      return failure();
    return emitTensorCasts(b, adaptor.getInputs(), *types);
  }
};

class IdentityLowering : public Lowering<IdentityOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(IdentityOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    auto types = getRankedTypes(op->getResultTypes(), op->getOperandTypes());
    if (failed(types))
      return failure();
    return emitTensorCasts(b, adaptor.getInput(), *types);
  }
};

class AssertEqualLowering : public Lowering<AssertEqualOp> {
public:
  using Lowering::Lowering;
  FailureOr<SmallVector<Value>> lower(AssertEqualOp op, Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    auto types =
        getRankedTypes(op->getResultTypes(), op.getExpected().getType());
    Type element = nn::getElementType(op.getError().getType());
    if (failed(types) || isa<ComplexType>(element))
      return failure();
    Value error = emitOnlyElement(b, adaptor.getError());
    if (!error)
      return failure();
    error = emitToF32(b, error, element);
    Value zero = emitConstant(b, b.getF32Type(), 0);
    float max = op.getMaxError().convertToFloat();
    Value isLow = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, error,
                                        emitConstant(b, b.getF32Type(), max));
    // A NaN is neither.
    Value isHigh =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OGE, error, zero);
    emitCheck(b, arith::AndIOp::create(b, isLow, isHigh),
              "a value differs from the expected one by more than " +
                  llvm::formatv("{0:f6}", max).str());
    return emitTensorCasts(b, adaptor.getExpected(), *types);
  }
};
} // namespace

void nn::populateControlLowerings(TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<IfLowering, CaseLowering, CallLowering, WhileLowering,
               CondPredLowering, CondLogicalLowering, CondMarkLowering,
               IdentityLowering, AssertEqualLowering>(converter,
                                                      patterns.getContext());
}
