//===- ImportReduce.cpp - Reduction operators to nn -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNReduceOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// The axis that means "reduce to the shape that input 1 holds".
static constexpr int32_t kNoAxis = INT32_MAX;

template <typename OpT> static LogicalResult createReduce(OprImporter &imp) {
  const auto &param = imp.param<param::ReduceT>();
  std::optional<nn::ReduceType> dataType =
      nn::symbolizeReduceType(static_cast<uint32_t>(param.data_type));
  if (!dataType)
    return imp.emitError() << "unknown data_type "
                           << static_cast<uint32_t>(param.data_type);
  typename OpT::Properties properties;
  if (param.axis != kNoAxis)
    properties.axis = imp.i64(param.axis);
  properties.data_type = nn::ReduceTypeAttr::get(imp.getContext(), *dataType);
  return imp.create<OpT>(imp.operands, properties);
}

static LogicalResult importReduce(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 2)))
    return failure();
  param::ReduceMode mode = imp.param<param::ReduceT>().mode;
  switch (mode) {
  case param::ReduceMode::SUM:
    return createReduce<nn::ReduceSumOp>(imp);
  case param::ReduceMode::SUM_SQR:
    return createReduce<nn::ReduceSumSqrOp>(imp);
  case param::ReduceMode::PRODUCT:
    return createReduce<nn::ReduceProdOp>(imp);
  case param::ReduceMode::MIN_:
    return createReduce<nn::ReduceMinOp>(imp);
  case param::ReduceMode::MAX_:
    return createReduce<nn::ReduceMaxOp>(imp);
  case param::ReduceMode::MEAN:
    return createReduce<nn::ReduceMeanOp>(imp);
  }
  return imp.emitError() << "unknown mode " << static_cast<uint32_t>(mode);
}

void mgb::registerReduceImports(ImportRegistry &registry) {
  registry.add<nn::ReduceSumOp, nn::ReduceSumSqrOp, nn::ReduceProdOp,
               nn::ReduceMinOp, nn::ReduceMaxOp, nn::ReduceMeanOp>(
      "ReduceV2", importReduce);
}
