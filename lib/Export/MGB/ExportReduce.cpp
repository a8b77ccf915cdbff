//===- ExportReduce.cpp - Reduction operators from nn ---------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

template <typename OpT, param::ReduceMode mode>
static LogicalResult exportReduce(OpT op, OprExporter &exp) {
  exp.setOpr("ReduceV2");
  auto &param = exp.addParam<param::ReduceT>();
  param.mode = mode;
  param.data_type = static_cast<param::ReduceDataType>(op.getDataType());
  std::optional<int64_t> axis = op.getAxis();
  if (!axis)
    return success(); // INT_MAX: reduce to a shape.
  if (*axis < INT32_MIN || *axis >= INT32_MAX)
    return exp.emitError() << "axis " << *axis << " does not fit the format";
  param.axis = static_cast<int32_t>(*axis);
  return success();
}

void mgb::registerReduceExports(ExportRegistry &registry) {
  using Mode = param::ReduceMode;
  registry.add(exportReduce<nn::ReduceSumOp, Mode::SUM>);
  registry.add(exportReduce<nn::ReduceSumSqrOp, Mode::SUM_SQR>);
  registry.add(exportReduce<nn::ReduceProdOp, Mode::PRODUCT>);
  registry.add(exportReduce<nn::ReduceMinOp, Mode::MIN_>);
  registry.add(exportReduce<nn::ReduceMaxOp, Mode::MAX_>);
  registry.add(exportReduce<nn::ReduceMeanOp, Mode::MEAN>);
}
