//===- GemmOps.cpp - GE products with factors and a term ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Expressions.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

/// The product of two matrices by the transpositions of the op.
static FailureOr<Value> createProduct(OpImporter &imp) {
  FailureOr<bool> transposeA = imp.getBool("transpose_a", false);
  FailureOr<bool> transposeB = imp.getBool("transpose_b", false);
  if (failed(transposeA) || failed(transposeB))
    return failure();
  for (size_t k : {0, 1}) {
    FailureOr<RankedTensorType> type = getStaticType(imp, k);
    if (failed(type))
      return failure();
    if (type->getRank() != 2)
      return imp.emitError() << "input " << k << " has rank " << type->getRank()
                             << ", expected 2";
  }
  nn::MatMulOp::Properties properties;
  properties.transpose_a = imp.unit(*transposeA);
  properties.transpose_b = imp.unit(*transposeB);
  Value product = make<nn::MatMulOp>(
      imp, {imp.getOperand(0), imp.getOperand(1)}, properties);
  if (!product)
    return failure();
  return product;
}

/// `alpha*a*b + beta*c`, the factors being attributes.
static LogicalResult importGemmD(OpImporter &imp) {
  if (failed(imp.expectOperands(2, 3)))
    return failure();
  FailureOr<float> alpha = imp.getFloat("alpha", 1.0f);
  FailureOr<float> beta = imp.getFloat("beta", 1.0f);
  if (failed(alpha) || failed(beta))
    return failure();
  FailureOr<Value> product = createProduct(imp);
  if (failed(product))
    return failure();
  Value result = *product;
  if (*alpha != 1.0f)
    result = make<nn::MulOp>(imp, {result, makeNumber(imp, *alpha, result)});
  if (Value term = imp.getOperand(2)) {
    if (*beta != 1.0f)
      term = make<nn::MulOp>(imp, {term, makeNumber(imp, *beta, term)});
    result = make<nn::AddOp>(imp, {result, term});
  }
  return finish(imp, result);
}

/// CANN's: the factors are inputs of one element, in another order in each.
template <size_t c, size_t alpha, size_t beta>
static LogicalResult importGemm(OpImporter &imp) {
  if (failed(imp.expectOperands(5, 5)))
    return failure();
  FailureOr<Value> product = createProduct(imp);
  if (failed(product))
    return failure();
  Value scaled = make<nn::MulOp>(imp, {*product, imp.getOperand(alpha)});
  Value term = make<nn::MulOp>(imp, {imp.getOperand(c), imp.getOperand(beta)});
  return finish(imp, make<nn::AddOp>(imp, {scaled, term}));
}

void modelwright::ge::registerGemmOps(OpRegistry &registry) {
  registry.addImport<nn::MatMulOp, nn::MulOp, nn::AddOp>({"GemmD"},
                                                         importGemmD);
  registry.addImport<nn::MatMulOp, nn::MulOp, nn::AddOp>({"GEMM"},
                                                         importGemm<2, 3, 4>);
  registry.addImport<nn::MatMulOp, nn::MulOp, nn::AddOp>({"GemmV2"},
                                                         importGemm<4, 2, 3>);
}
