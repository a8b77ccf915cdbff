//===- NNDialect.cpp - The nn dialect -------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

#include "modelwright/Dialect/NN/IR/NNDialect.cpp.inc"
#include "modelwright/Dialect/NN/IR/NNEnums.cpp.inc"
#include "modelwright/Dialect/NN/IR/NNInterfaces.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "modelwright/Dialect/NN/IR/NNTypes.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "modelwright/Dialect/NN/IR/NNAttributes.cpp.inc"

void NNDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "modelwright/Dialect/NN/IR/NNTypes.cpp.inc"
      >();
}

void NNDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "modelwright/Dialect/NN/IR/NNAttributes.cpp.inc"
      >();
}

void NNDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerElementwiseOps();
  registerConvOps();
  registerPoolOps();
  registerNormOps();
  registerLinearOps();
  registerReduceOps();
  registerShapeOps();
  registerIndexOps();
  registerRecurrentOps();
  registerImageOps();
  registerDetectionOps();
  registerQuantOps();
  registerDataOps();
  registerControlOps();
  registerForeignOps();
}

Operation *NNDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                          Type type, Location loc) {
  ElementsAttr elements = getFoldedElements(value);
  auto tensorType = dyn_cast<RankedTensorType>(type);
  if (!elements || !tensorType)
    return nullptr;
  auto constant = ConstantOp::create(builder, loc, tensorType, elements);
  if (auto pair = dyn_cast<ArrayAttr>(value))
    constant->setDiscardableAttrs(cast<DictionaryAttr>(pair[1]));
  return constant;
}

LogicalResult NNDialect::verifyRegionResultAttribute(Operation *op,
                                                     unsigned regionIndex,
                                                     unsigned resultIndex,
                                                     NamedAttribute attribute) {
  if (attribute.getName() != kNameAttr)
    return op->emitError() << "unknown result attribute "
                           << attribute.getName();
  if (!isa<StringAttr>(attribute.getValue()))
    return op->emitError() << "'" << kNameAttr << "' of result #" << resultIndex
                           << " must be a string";
  return success();
}

LogicalResult NNDialect::verifyRegionArgAttribute(Operation *op,
                                                  unsigned regionIndex,
                                                  unsigned argIndex,
                                                  NamedAttribute attribute) {
  if (attribute.getName() == kNameAttr) {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitError() << "'" << kNameAttr << "' of argument #"
                             << argIndex << " must be a string";
    return success();
  }
  if (attribute.getName() == kDefaultAttr ||
      attribute.getName() == kConstantAttr) {
    if (!isa<ElementsAttr>(attribute.getValue()))
      return op->emitError() << "'" << attribute.getName() << "' of argument #"
                             << argIndex << " must be an elements attribute";
    return success();
  }
  if (attribute.getName() == kStatusAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError() << "'" << kStatusAttr << "' of argument #"
                             << argIndex << " must be a unit attribute";
    return success();
  }
  return op->emitError() << "unknown argument attribute "
                         << attribute.getName();
}
