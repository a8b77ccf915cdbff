//===- ImportQuant.cpp - Fake quantization operators to nn ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNQuantOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename OpT, typename ParamT, unsigned arity>
static LogicalResult importFakeQuantize(OprImporter &imp) {
  if (failed(imp.expectInputs(arity, arity)))
    return failure();
  const auto &param = imp.param<ParamT>();
  typename OpT::Properties properties;
  properties.qmin = imp.builder.getI32IntegerAttr(param.qmin);
  properties.qmax = imp.builder.getI32IntegerAttr(param.qmax);
  return imp.create<OpT>(imp.operands, properties);
}

void mgb::registerQuantImports(ImportRegistry &registry) {
  registry.add<nn::FakeQuantOp>(
      "FakeQuant", importFakeQuantize<nn::FakeQuantOp, param::FakeQuantT, 3>);
  registry.add<nn::TQTOp>("TQT", importFakeQuantize<nn::TQTOp, param::TQTT, 2>);
  registry.add<nn::LSQOp>("LSQ", importFakeQuantize<nn::LSQOp, param::LSQT, 4>);
}
