//===- ImportLinear.cpp - Linear algebra operators to nn ------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNLinearOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename OpT> static LogicalResult importProduct(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::MatrixMulT>();
  auto format = nn::symbolizeMatMulFormat(static_cast<uint32_t>(param.format));
  if (!format)
    return imp.emitError() << "unknown matrix format "
                           << static_cast<uint32_t>(param.format);
  auto computeMode = static_cast<uint32_t>(param.compute_mode);
  if (computeMode > 1)
    return imp.emitError() << "unknown compute mode " << computeMode;
  FailureOr<TypeAttr> outType = imp.takeOutputType();
  if (failed(outType))
    return failure();
  typename OpT::Properties properties;
  properties.transpose_a = imp.unit(param.transposeA);
  properties.transpose_b = imp.unit(param.transposeB);
  properties.accumulate_f32 = imp.unit(computeMode == 1);
  properties.format = nn::MatMulFormatAttr::get(imp.getContext(), *format);
  properties.out_type = *outType;
  return imp.create<OpT>(imp.operands, properties);
}

static LogicalResult importDot(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  return imp.create<nn::DotOp>(imp.operands);
}

static LogicalResult importMatrixInverse(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  return imp.create<nn::MatrixInverseOp>(imp.operands);
}

static LogicalResult importSVD(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  const auto &param = imp.param<param::SVDT>();
  nn::SVDOp::Properties properties;
  properties.full_matrices = imp.unit(param.full_matrices);
  properties.compute_uv = imp.boolean(param.compute_uv);
  return imp.create<nn::SVDOp>(imp.operands, properties);
}

static LogicalResult importCross(OprImporter &imp) {
  if (failed(imp.expectInputs(2, 2)))
    return failure();
  const auto &param = imp.param<param::CrossT>();
  nn::CrossOp::Properties properties;
  properties.axis_a = imp.i64(param.axisa);
  properties.axis_b = imp.i64(param.axisb);
  properties.axis_c = imp.i64(param.axisc);
  return imp.create<nn::CrossOp>(imp.operands, properties);
}

void mgb::registerLinearImports(ImportRegistry &registry) {
  registry.add<nn::MatMulOp>("MatrixMulV2", importProduct<nn::MatMulOp>);
  registry.add<nn::BatchMatMulOp>("BatchedMatrixMulV2",
                                  importProduct<nn::BatchMatMulOp>);
  registry.add<nn::DotOp>("Dot", importDot);
  registry.add<nn::MatrixInverseOp>("MatrixInverse", importMatrixInverse);
  registry.add<nn::SVDOp>("SVD", importSVD);
  registry.add<nn::CrossOp>("Cross", importCross);
}
