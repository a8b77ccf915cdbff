//===- ConvCommon.cpp - What the convolutions share -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

FailureOr<ConvAttrs> modelwright::ge::readConvAttrs(OpImporter &imp,
                                                    bool defaultsToSame) {
  ConvAttrs attrs;
  FailureOr<SmallVector<int64_t>> strides =
      imp.expectInts("strides", 2, {1, 1});
  FailureOr<SmallVector<int64_t>> dilations =
      imp.expectInts("dilations", 2, {1, 1});
  FailureOr<Padding> padding = readPadding(imp, "pads", defaultsToSame);
  FailureOr<int64_t> groups = imp.getInt("groups", 1);
  FailureOr<bool> nhwc = imp.isNHWC();
  FailureOr<nn::Activation> activation = readFusedActivation(imp);
  if (failed(strides) || failed(dilations) || failed(padding) ||
      failed(groups) || failed(nhwc) || failed(activation))
    return failure();
  attrs.strides = *strides;
  attrs.dilations = *dilations;
  attrs.padding = *padding;
  attrs.groups = *groups;
  attrs.nhwc = *nhwc;
  attrs.activation = *activation;
  return attrs;
}

FailureOr<Value> modelwright::ge::convertFilter(OpImporter &imp, Value filter,
                                                const ConvAttrs &attrs) {
  if (!attrs.nhwc)
    return filter;
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> permutation{0, 2, 3, 1};
  if (attrs.groups != 1) {
    ArrayRef<int64_t> shape = type.getShape();
    FailureOr<Value> grouped =
        imp.createReshape(filter, {attrs.groups, shape[0] / attrs.groups,
                                   shape[1], shape[2], shape[3]});
    if (failed(grouped))
      return failure();
    filter = *grouped;
    permutation = {0, 1, 3, 4, 2};
  }
  nn::TransposeOp::Properties properties;
  properties.permutation = imp.i64s(permutation);
  FailureOr<nn::TransposeOp> transpose =
      imp.create<nn::TransposeOp>({filter}, properties);
  if (failed(transpose))
    return failure();
  return Value(*transpose);
}

FailureOr<Value> modelwright::ge::convertBias(OpImporter &imp, Value bias,
                                              int64_t channels, bool nhwc,
                                              Type elementType) {
  auto type = dyn_cast<RankedTensorType>(bias.getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() != channels)
    return imp.emitError() << "bias of type " << bias.getType()
                           << " does not fit " << channels << " channels";
  FailureOr<Value> cast = imp.createCast(bias, elementType);
  if (failed(cast))
    return failure();
  if (nhwc)
    return imp.createReshape(*cast, {1, 1, 1, channels});
  return imp.createReshape(*cast, {1, channels, 1, 1});
}

FailureOr<Value> modelwright::ge::findFileFilter(OpExporter &exp, Value filter,
                                                 nn::Layout layout,
                                                 bool hasGroupDim) {
  bool nhwc = layout == nn::Layout::NHWC;
  if (!nhwc && !hasGroupDim)
    return filter;
  if (nhwc)
    if (auto transpose = filter.getDefiningOp<nn::TransposeOp>()) {
      ArrayRef<int64_t> permutation = transpose.getPermutation();
      if (!hasGroupDim && permutation == ArrayRef<int64_t>({0, 2, 3, 1}))
        return transpose.getInput();
      if (hasGroupDim && permutation == ArrayRef<int64_t>({0, 1, 3, 4, 2}))
        if (auto reshape = transpose.getInput().getDefiningOp<nn::ReshapeOp>())
          if (auto type =
                  dyn_cast<RankedTensorType>(reshape.getInput().getType());
              type && type.getRank() == 4)
            return reshape.getInput();
    }
  // --legalize-for=ge brings filters into the file's form.
  (void)exp.refuse("its filter is not in the order OC,IC/groups,FH,FW");
  return failure();
}
