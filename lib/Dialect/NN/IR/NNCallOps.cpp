//===- NNCallOps.cpp - Control flow by functions --------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNCallOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "modelwright/Dialect/NN/IR/Inference.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#define GET_OP_CLASSES
#include "modelwright/Dialect/NN/IR/NNCallOps.cpp.inc"

SmallVector<FlatSymbolRefAttr> nn::getCallees(Operation *op) {
  using List = SmallVector<FlatSymbolRefAttr>;
  return llvm::TypeSwitch<Operation *, List>(op)
      .Case([](IfOp op) {
        return List{op.getThenBranchAttr(), op.getElseBranchAttr()};
      })
      .Case([](CaseOp op) {
        return llvm::to_vector(
            op.getBranches().getAsRange<FlatSymbolRefAttr>());
      })
      .Case([](WhileOp op) { return List{op.getCondAttr(), op.getBodyAttr()}; })
      .Case([](CallOp op) { return List{op.getCalleeAttr()}; })
      .Default([](Operation *) { return List(); });
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

bool nn::areCompatibleTypes(Type a, Type b) {
  Type elementA = getElementType(a), elementB = getElementType(b);
  return (elementA == elementB || isUnknown(elementA) || isUnknown(elementB)) &&
         succeeded(verifyCompatibleShape(a, b));
}

static LogicalResult checkTypes(Operation *op, FlatSymbolRefAttr callee,
                                StringRef what, TypeRange own,
                                ArrayRef<Type> other) {
  if (own.size() != other.size())
    return op->emitOpError() << callee << " has " << other.size() << " " << what
                             << "s, expected " << own.size();
  for (unsigned k = 0; k < own.size(); ++k)
    if (!areCompatibleTypes(own[k], other[k]))
      return op->emitOpError() << what << " " << k << " of " << callee << " is "
                               << other[k] << ", expected " << own[k];
  return success();
}

/// Checks that a function exists and takes the inputs; its result types are
/// compared with `results` unless these are null.
static FailureOr<FunctionOpInterface>
checkCallee(Operation *op, SymbolTableCollection &symbols,
            FlatSymbolRefAttr callee, TypeRange inputs,
            std::optional<TypeRange> results) {
  auto func = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(op, callee);
  if (!func)
    return op->emitOpError() << callee << " is no function";
  if (failed(
          checkTypes(op, callee, "argument", inputs, func.getArgumentTypes())))
    return failure();
  if (results &&
      failed(checkTypes(op, callee, "result", *results, func.getResultTypes())))
    return failure();
  return func;
}

static LogicalResult checkCallees(Operation *op, SymbolTableCollection &symbols,
                                  ValueRange inputs) {
  for (FlatSymbolRefAttr callee : getCallees(op))
    if (failed(checkCallee(op, symbols, callee, inputs.getTypes(),
                           TypeRange(op->getResultTypes()))))
      return failure();
  return success();
}

LogicalResult IfOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkCallees(*this, symbols, getInputs());
}

LogicalResult CaseOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkCallees(*this, symbols, getInputs());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  return checkCallees(*this, symbols, getInputs());
}

LogicalResult CaseOp::verify() {
  if (getBranches().empty())
    return emitOpError() << "needs one branch or more";
  return success();
}

LogicalResult WhileOp::verify() {
  if (getInputs().size() != getOutputs().size())
    return emitOpError() << "has " << getInputs().size() << " inputs and "
                         << getOutputs().size() << " outputs";
  return success();
}

LogicalResult WhileOp::verifySymbolUses(SymbolTableCollection &symbols) {
  TypeRange inputs = getInputs().getTypes();
  FailureOr<FunctionOpInterface> cond =
      checkCallee(*this, symbols, getCondAttr(), inputs, std::nullopt);
  if (failed(cond) || failed(checkCallee(*this, symbols, getBodyAttr(), inputs,
                                         TypeRange(getResultTypes()))))
    return failure();
  if (cond->getResultTypes().size() != 1)
    return emitOpError() << getCondAttr() << " has "
                         << cond->getResultTypes().size()
                         << " results, expected 1";
  return success();
}
