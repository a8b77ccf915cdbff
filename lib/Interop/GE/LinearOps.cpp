//===- LinearOps.cpp - GE dense layers ------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compose.h"
#include "Quantization.h"
#include "mlir/Dialect/Traits.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Two matrices
//===----------------------------------------------------------------------===//

/// The shape of a matrix; tools add two dims of 1.
static std::optional<SmallVector<int64_t>> getMatrixShape(Value value) {
  auto type = getStaticType(value);
  if (!type)
    return std::nullopt;
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() == 4 && shape[2] == 1 && shape[3] == 1)
    shape = shape.drop_back(2);
  if (shape.size() != 2)
    return std::nullopt;
  return SmallVector<int64_t>(shape);
}

/// Whether a constant of 4 dims is stored transposed, whatever the flag says
/// (semantics.md 10): it is if only its second dim fits; where both do, tools
/// (which write containers) transpose.
static bool isStoredTransposed(OpImporter &imp, ArrayRef<int64_t> shape,
                               int64_t depth) {
  if (cast<RankedTensorType>(imp.getOperand(1).getType()).getRank() != 4 ||
      shape[1] != depth)
    return false;
  return shape[0] != depth || imp.facts.isOM;
}

/// MatMul and CANN's MatMulV2 and MatMulV3.
static LogicalResult importMatMul(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the weight");
  FailureOr<bool> transposeA = imp.getBool("transpose_x1", false);
  FailureOr<bool> transposeB = imp.getBool("transpose_x2", false);
  if (failed(transposeA) || failed(transposeB))
    return failure();
  auto lhs = getMatrixShape(imp.getOperand(0));
  auto rhs = getMatrixShape(imp.getOperand(1));
  if (!lhs || !rhs)
    return imp.decline("a product of other things than two matrices of known "
                       "shape");
  FailureOr<bool> isExact =
      multipliesCodes(imp, imp.getOperand(0), imp.getOperand(1));
  if (failed(isExact))
    return failure();
  Type element = nn::getElementType(imp.getOperand(0).getType());
  if (!*transposeB)
    *transposeB = isStoredTransposed(imp, *rhs, (*lhs)[*transposeA ? 0 : 1]);
  FailureOr<Value> a = imp.createReshape(imp.getOperand(0), *lhs);
  FailureOr<Value> b = imp.createReshape(imp.getOperand(1), *rhs);
  if (failed(a) || failed(b))
    return failure();
  FailureOr<DequantizedFilter> weight = DequantizedFilter{*b, {}};
  if (!*isExact)
    weight = dequantizeFilter(imp, *b, /*channelDim=*/*transposeB ? 0 : 1);
  if (failed(weight))
    return failure();
  b = imp.createCast(weight->filter, element);
  if (failed(b))
    return failure();
  nn::MatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  FailureOr<nn::MatMulOp> product =
      imp.create<nn::MatMulOp>({*a, *b}, properties);
  if (failed(product) || !imp.getOperand(2))
    return product;
  FailureOr<Value> bias = imp.getOperand(2);
  if (!*isExact)
    bias = dequantizeBias(imp, *bias, *weight);
  if (succeeded(bias))
    bias = imp.createCast(*bias, nn::getElementType(product->getType()));
  if (failed(bias))
    return failure();
  // Tools give biases four dims as well.
  if (auto type = getStaticType(*bias); type && type.getRank() > 2)
    bias = imp.createReshape(*bias, {type.getNumElements()});
  if (failed(bias))
    return failure();
  return imp.create<nn::AddOp>({product->getResult(), *bias});
}

/// alpha*op(a)*op(b) + beta*c: GemmD has the factors as attributes, CANN's GEMM
/// as inputs behind c, its GemmV2 as inputs before c.
static LogicalResult importGemm(OpImporter &imp) {
  const bool isServer = imp.getType() != "GemmD";
  const unsigned c = imp.getType() == "GemmV2" ? 4 : 2;
  const unsigned factors = imp.getType() == "GemmV2" ? 2 : 3;
  if (failed(imp.expectOperands(isServer ? 5 : 2, isServer ? 5 : 3)))
    return failure();
  FailureOr<float> alpha = imp.getFloat("alpha", 1.0f);
  FailureOr<float> beta = imp.getFloat("beta", 1.0f);
  FailureOr<bool> transposeA = imp.getBool("transpose_a", false);
  FailureOr<bool> transposeB = imp.getBool("transpose_b", false);
  if (failed(alpha) || failed(beta) || failed(transposeA) || failed(transposeB))
    return failure();
  nn::MatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  FailureOr<nn::MatMulOp> product = imp.create<nn::MatMulOp>(
      {imp.getOperand(0), imp.getOperand(1)}, properties);
  if (failed(product))
    return failure();
  auto scale = [&](Value value, unsigned operand,
                   float factor) -> FailureOr<Value> {
    if (isServer)
      return apply<nn::MulOp>(imp, {value, imp.getOperand(operand)});
    if (factor == 1.0f)
      return value;
    return apply<nn::MulOp>(imp, value, factor);
  };
  FailureOr<Value> result = scale(*product, factors, *alpha);
  if (failed(result) || !imp.getOperand(c))
    return result;
  FailureOr<Value> addend = scale(imp.getOperand(c), factors + 1, *beta);
  if (failed(addend))
    return failure();
  return imp.create<nn::AddOp>({*result, *addend});
}

//===----------------------------------------------------------------------===//
// Batches of matrices
//===----------------------------------------------------------------------===//

/// An operand as one batch of matrices, repeated along the batch dims in which
/// it is 1 or which it lacks.
static FailureOr<Value> flattenBatch(OpImporter &imp, Value value,
                                     ArrayRef<int64_t> batchDims) {
  auto type = cast<RankedTensorType>(value.getType());
  ArrayRef<int64_t> matrix = type.getShape().take_back(2);
  SmallVector<int64_t> shape(batchDims);
  llvm::append_range(shape, matrix);
  if (type.getShape() != ArrayRef(shape)) {
    FailureOr<nn::BroadcastToOp> repeated =
        imp.create<nn::BroadcastToOp>({value, imp.createConstantInts(shape)});
    if (failed(repeated))
      return failure();
    value = *repeated;
  }
  return imp.createReshape(
      value, {ShapedType::getNumElements(batchDims), matrix[0], matrix[1]});
}

/// BatchMatMul and CANN's BatchMatMulV2, which takes a bias.
static LogicalResult importBatchMatMul(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  if (imp.getOperand(3))
    return imp.decline("a quantization offset of the weight");
  FailureOr<bool> transposeA = imp.getBool("adj_x1", false);
  FailureOr<bool> transposeB = imp.getBool("adj_x2", false);
  if (failed(transposeA) || failed(transposeB))
    return failure();
  auto lhs = getStaticType(imp.getOperand(0));
  auto rhs = getStaticType(imp.getOperand(1));
  if (!lhs || !rhs || lhs.getRank() < 2 || rhs.getRank() < 2)
    return imp.decline("a batched product of unknown shapes");
  SmallVector<int64_t> batchDims;
  if (!OpTrait::util::getBroadcastedShape(
          lhs.getShape().drop_back(2), rhs.getShape().drop_back(2), batchDims))
    return imp.emitError() << "batches of " << lhs << " and " << rhs
                           << " do not broadcast";
  // nn.batch_matmul has one batch dim.
  FailureOr<Value> a = flattenBatch(imp, imp.getOperand(0), batchDims);
  FailureOr<Value> b = flattenBatch(imp, imp.getOperand(1), batchDims);
  if (failed(a) || failed(b))
    return failure();
  nn::BatchMatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  FailureOr<nn::BatchMatMulOp> product =
      imp.create<nn::BatchMatMulOp>({*a, *b}, properties);
  if (failed(product))
    return failure();
  SmallVector<int64_t> shape(batchDims);
  llvm::append_range(
      shape,
      cast<RankedTensorType>(product->getType()).getShape().drop_front());
  FailureOr<Value> result = imp.createReshape(product->getResult(), shape);
  if (failed(result) || !imp.getOperand(2))
    return result;
  return imp.create<nn::AddOp>({*result, imp.getOperand(2)});
}

//===----------------------------------------------------------------------===//
// Dense layers
//===----------------------------------------------------------------------===//

static LogicalResult importFullyConnection(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 4)))
    return failure();
  FailureOr<bool> transpose = imp.getBool("transpose", false);
  FailureOr<int64_t> axis = imp.getInt("axis", 1);
  if (failed(transpose) || failed(axis))
    return failure();
  auto input = dyn_cast<RankedTensorType>(imp.getOperand(0).getType());
  auto weight = dyn_cast<RankedTensorType>(imp.getOperand(1).getType());
  if (*transpose || *axis != 1 || imp.getOperand(3) || !input || !weight ||
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
  Type element = input.getElementType();
  if (!nn::isFloat(element))
    return imp.decline("a dense layer of integers");
  FailureOr<DequantizedFilter> dequantized =
      dequantizeFilter(imp, *rhs, /*channelDim=*/0);
  if (failed(dequantized))
    return failure();
  rhs = imp.createCast(dequantized->filter, element);
  if (failed(rhs))
    return failure();
  nn::MatMulOp::Properties properties;
  properties.transpose_b = imp.unit(true);
  FailureOr<nn::MatMulOp> product =
      imp.create<nn::MatMulOp>({*lhs, *rhs}, properties);
  if (failed(product))
    return failure();
  Value value = product->getResult();
  if (Value bias = imp.getOperand(2)) {
    FailureOr<Value> real = dequantizeBias(imp, bias, *dequantized);
    if (succeeded(real))
      real = imp.createCast(*real, element);
    if (failed(real))
      return failure();
    auto biasType = getStaticType(*real);
    if (!biasType || biasType.getNumElements() != outputs)
      return imp.emitError() << "bias of type " << bias.getType()
                             << " does not fit " << outputs << " outputs";
    FailureOr<Value> flat = imp.createReshape(*real, {1, outputs});
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
  registry.addImport<nn::MatMulOp, nn::AddOp>(
      {"MatMul", "QuantizedMatMul", "MatMulV2", "MatMulV3"}, importMatMul);
  registry.addImport<nn::MatMulOp, nn::MulOp, nn::AddOp>(
      {"GemmD", "GEMM", "GemmV2"}, importGemm);
  registry.addExport<nn::MatMulOp>(exportMatMul);
  registry.addImport<nn::BatchMatMulOp>({"BatchMatMul", "BatchMatMulV2"},
                                        importBatchMatMul);
  registry.addExport<nn::BatchMatMulOp>(exportBatchMatMul);
  registry.addImport<nn::MatMulOp, nn::AddOp>(
      {"FullyConnection", "FullConnection", "QuantizedFullyConnection"},
      importFullyConnection);
}
