//===- ImportData.cpp - Tensor holders to nn ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ImportTensor.h"
#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/ConstantData.h"
#include "modelwright/Dialect/NN/IR/NNDataOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// Reads a TensorFormat blob of a V1 file: i32 kind, then the kind's bytes.
static std::optional<TensorFormat> parseFormat(ArrayRef<uint8_t> blob) {
  TensorFormat format;
  if (blob.size() < 4 || blob[1] || blob[2] || blob[3])
    return std::nullopt;
  if (blob[0] == 0 && blob.size() == 4) {
    format.kind = TensorFormat::Kind::Default;
  } else if (blob[0] == 1 && blob.size() == 5) {
    format.kind = TensorFormat::Kind::Image2DPacked;
    format.alignAxis = blob[4];
  } else if (blob[0] == 2 && blob.size() == 6) {
    format.kind = TensorFormat::Kind::LowbitsAligned;
    format.sizeNbits = blob[4];
    format.alignSizeInBits = blob[5];
  } else {
    return std::nullopt;
  }
  return format;
}

/// Makes a constant (or a variable) of one tensor of a holder. `formatBlob` is
/// the index of its format among the blobs of a V1 file, if it has one.
static FailureOr<Value> importTensor(OprImporter &imp, size_t k,
                                     bool isVariable,
                                     std::optional<size_t> formatBlob = {}) {
  Tensor tensor = imp.opr.tensors[k];
  if (formatBlob && *formatBlob < imp.opr.blobs.size()) {
    std::optional<TensorFormat> format =
        parseFormat(imp.opr.blobs[*formatBlob]);
    if (!format)
      return imp.emitError() << "malformed tensor format blob";
    tensor.format = *format;
  }
  auto error = [&] { return imp.emitError(); };
  FailureOr<RankedTensorType> type =
      getTensorType(imp.getContext(), tensor, error);
  if (failed(type))
    return failure();
  FailureOr<ElementsAttr> value =
      getTensorValue(tensor, *type, imp.getFileBuffer(), imp.index, error);
  if (failed(value))
    return failure();
  Operation *op;
  if (isVariable) {
    nn::VariableOp::Properties properties;
    properties.value = *value;
    auto created = imp.createWithTypes<nn::VariableOp>(*type, {}, properties);
    if (failed(created))
      return failure();
    op = *created;
  } else {
    nn::ConstantOp::Properties properties;
    properties.value = *value;
    auto created = imp.createWithTypes<nn::ConstantOp>(*type, {}, properties);
    if (failed(created))
      return failure();
    op = *created;
  }
  if (DictionaryAttr record = getTensorRecord(
          imp.getContext(), tensor, imp.getUsualCompNode(), imp.getEncoding()))
    op->setAttr(attr::kTensor, record);
  return op->getResult(0);
}

static LogicalResult expectTensors(OprImporter &imp, size_t count) {
  if (failed(imp.expectInputs(0, 0)))
    return failure();
  if (imp.opr.tensors.size() == count)
    return success();
  return imp.emitError() << "has " << imp.opr.tensors.size()
                         << " tensors, expected " << count;
}

static LogicalResult importParameter(OprImporter &imp) {
  if (failed(expectTensors(imp, 1)))
    return failure();
  FailureOr<Value> value = importTensor(imp, 0, imp.isVarUpdated(0));
  if (failed(value))
    return failure();
  // A small integer constant without a spelling is written as ImmutableTensor.
  if (isa<IntegerType>(nn::getElementType(value->getType())))
    imp.keepOprName();
  return success();
}

static LogicalResult importImmutable(OprImporter &imp) {
  imp.keepOprName();
  return importParameter(imp);
}

static LogicalResult importWithFormat(OprImporter &imp) {
  imp.keepOprName();
  if (failed(expectTensors(imp, 1)))
    return failure();
  return importTensor(imp, 0, imp.isVarUpdated(0), /*formatBlob=*/0);
}

static LogicalResult importVolatile(OprImporter &imp) {
  imp.keepOprName();
  if (failed(expectTensors(imp, 1)))
    return failure();
  return importTensor(imp, 0, /*isVariable=*/true);
}

static LogicalResult importHolder(OprImporter &imp) {
  bool hasFormats =
      imp.opr.info->name == "MultipleDeviceTensorWithFormatHolder";
  if (failed(expectTensors(imp, imp.getNumVars())))
    return failure();
  imp.keepOprName();
  SmallVector<Value> vars;
  for (size_t k = 0; k < imp.opr.tensors.size(); ++k) {
    FailureOr<Value> value =
        importTensor(imp, k, imp.isVarUpdated(k),
                     // Blob 0 is the number of tensors.
                     hasFormats ? std::optional<size_t>(k + 1) : std::nullopt);
    if (failed(value))
      return failure();
    value->getDefiningOp()->setAttr(attr::kHolder, imp.i64(imp.index));
    vars.push_back(*value);
  }
  imp.setVars(vars);
  return success();
}

static LogicalResult importCopy(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  return imp.create<nn::CopyOp>(imp.operands);
}

void mgb::registerDataImports(ImportRegistry &registry) {
  registry.add<nn::ConstantOp, nn::VariableOp>("SharedDeviceTensor",
                                               importParameter);
  registry.add<nn::ConstantOp, nn::VariableOp>("SharedDeviceTensorWithFormat",
                                               importWithFormat);
  registry.add<nn::ConstantOp>("ImmutableTensor", importImmutable);
  registry.add<nn::VariableOp>("VolatileSharedDeviceTensor", importVolatile);
  registry.add<nn::ConstantOp, nn::VariableOp>("MultipleDeviceTensorHolder",
                                               importHolder);
  registry.add<nn::ConstantOp, nn::VariableOp>(
      "MultipleDeviceTensorWithFormatHolder", importHolder);
  registry.add<nn::CopyOp>("Copy", importCopy);
}
