//===- LinearOps.cpp - GE dense layers ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

static bool isQuantizedOp(OpImporter &imp) {
  return imp.has("QuantizeInfo") || imp.has("x_quant_type");
}

static LogicalResult importMatMul(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<bool> transposeA = imp.getBool("transpose_x1", false);
  FailureOr<bool> transposeB = imp.getBool("transpose_x2", false);
  if (failed(transposeA) || failed(transposeB))
    return failure();
  auto lhs = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto rhs = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  // Tools store constants as N,K,1,1 whatever the flags say (semantics.md 10).
  if (!lhs || !rhs || lhs.getRank() != 2 || rhs.getRank() != 2 ||
      isQuantizedOp(imp))
    return imp.decline("a product of other things than two plain matrices");
  nn::MatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  FailureOr<nn::MatMulOp> product = imp.create<nn::MatMulOp>(
      {imp.getOperand(0), imp.getOperand(1)}, properties);
  if (failed(product) || !imp.getOperand(2))
    return product;
  return imp.create<nn::AddOp>({product->getResult(), imp.getOperand(2)});
}

static LogicalResult importBatchMatMul(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 2)))
    return failure();
  FailureOr<bool> transposeA = imp.getBool("adj_x1", false);
  FailureOr<bool> transposeB = imp.getBool("adj_x2", false);
  if (failed(transposeA) || failed(transposeB))
    return failure();
  auto lhs = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto rhs = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (!lhs || !rhs || lhs.getRank() != rhs.getRank() || lhs.getRank() < 3 ||
      !lhs.hasStaticShape() || !rhs.hasStaticShape() ||
      lhs.getShape().drop_back(2) != rhs.getShape().drop_back(2))
    return imp.decline("a batched product of unequal batches");
  // nn.batch_matmul has one batch dim.
  int64_t rank = lhs.getRank(), batch = 1;
  for (int64_t dim : lhs.getShape().drop_back(2))
    batch *= dim;
  SmallVector<Value> operands;
  for (Value operand : imp.getOperands()) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(operand.getType()).getShape();
    FailureOr<Value> flat =
        imp.createReshape(operand, {batch, shape[rank - 2], shape[rank - 1]});
    if (failed(flat))
      return failure();
    operands.push_back(*flat);
  }
  nn::BatchMatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  FailureOr<nn::BatchMatMulOp> product =
      imp.create<nn::BatchMatMulOp>(operands, properties);
  if (failed(product) || rank == 3)
    return product;
  SmallVector<int64_t> shape(lhs.getShape().drop_back(2));
  llvm::append_range(
      shape,
      cast<RankedTensorType>(product->getType()).getShape().drop_front());
  return imp.createReshape(product->getResult(), shape);
}

static LogicalResult importFullyConnection(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<bool> transpose = imp.getBool("transpose", false);
  FailureOr<int64_t> axis = imp.getInt("axis", 1);
  if (failed(transpose) || failed(axis))
    return failure();
  auto input = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto weight = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (*transpose || *axis != 1 || isQuantizedOp(imp) || !input || !weight ||
      !input.hasStaticShape() || !weight.hasStaticShape() ||
      input.getRank() < 1 || weight.getRank() < 1)
    return imp.decline("a dense layer of an unusual form");
  int64_t batch = input.getDimSize(0), outputs = weight.getDimSize(0);
  int64_t features = 1, weightFeatures = 1;
  for (int64_t dim : input.getShape().drop_front())
    features *= dim;
  for (int64_t dim : weight.getShape().drop_front())
    weightFeatures *= dim;
  if (features != weightFeatures)
    return imp.emitError() << "input " << input << " and weight " << weight
                           << " do not fit";
  FailureOr<Value> lhs =
      imp.createReshape(imp.getOperand(0), {batch, features});
  FailureOr<Value> rhs =
      imp.createReshape(imp.getOperand(1), {outputs, features});
  if (failed(lhs) || failed(rhs))
    return failure();
  nn::MatMulOp::Properties properties;
  properties.transpose_b = imp.unit(true);
  FailureOr<nn::MatMulOp> product =
      imp.create<nn::MatMulOp>({*lhs, *rhs}, properties);
  if (failed(product))
    return failure();
  Value value = product->getResult();
  if (Value bias = imp.getOperand(2)) {
    FailureOr<Value> flat = imp.createReshape(bias, {1, outputs});
    if (failed(flat))
      return failure();
    FailureOr<nn::AddOp> sum = imp.create<nn::AddOp>({value, *flat});
    if (failed(sum))
      return failure();
    value = *sum;
  }
  return imp.createReshape(value, {batch, outputs, 1, 1});
}

static LogicalResult exportMatMul(OpExporter &exp) {
  auto op = cast<nn::MatMulOp>(exp.getSource());
  if (op.getFormat() != nn::MatMulFormat::Default || op.getOutTypeAttr())
    return exp.refuse("only plain matrices are known to the format");
  exp.setType("MatMul");
  exp.addInput(op.getLhs());
  exp.addInput(op.getRhs());
  exp.setBool("transpose_x1", op.getTransposeA());
  exp.setBool("transpose_x2", op.getTransposeB());
  return success();
}

static LogicalResult exportBatchMatMul(OpExporter &exp) {
  auto op = cast<nn::BatchMatMulOp>(exp.getSource());
  if (op.getFormat() != nn::MatMulFormat::Default || op.getOutTypeAttr())
    return exp.refuse("only plain matrices are known to the format");
  exp.setType("BatchMatMul");
  exp.addInput(op.getLhs());
  exp.addInput(op.getRhs());
  exp.setBool("adj_x1", op.getTransposeA());
  exp.setBool("adj_x2", op.getTransposeB());
  return success();
}

void modelwright::ge::registerLinearOps(OpRegistry &registry) {
  registry.addImport<nn::MatMulOp, nn::AddOp>({"MatMul"}, importMatMul);
  registry.addExport<nn::MatMulOp>(exportMatMul);
  registry.addImport<nn::BatchMatMulOp>({"BatchMatMul"}, importBatchMatMul);
  registry.addExport<nn::BatchMatMulOp>(exportBatchMatMul);
  registry.addImport<nn::MatMulOp, nn::AddOp>(
      {"FullyConnection", "FullConnection"}, importFullyConnection);
}
