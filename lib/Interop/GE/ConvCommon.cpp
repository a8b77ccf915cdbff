//===- ConvCommon.cpp - What the convolutions share -----------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvCommon.h"
#include "Compose.h"
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

FailureOr<ConvAttrs>
modelwright::ge::readServerConvAttrs(OpImporter &imp, StringRef adjustName,
                                     SmallVectorImpl<int64_t> *adjust) {
  ConvAttrs attrs;
  FailureOr<bool> nhwc = imp.isNHWC(/*defaultsToNHWC=*/true);
  FailureOr<SmallVector<int64_t>> pads = imp.expectInts("pads", 4, {});
  FailureOr<int64_t> groups = imp.getInt("groups", 1);
  if (failed(nhwc) || failed(pads) || failed(groups))
    return failure();
  if (llvm::any_of(*pads, [](int64_t pad) { return pad < 0; }))
    return imp.emitError() << "attribute 'pads' is negative";
  attrs.nhwc = *nhwc;
  attrs.padding.pads = *pads;
  attrs.groups = *groups;
  auto readPair = [&](StringRef name, int64_t usual,
                      SmallVectorImpl<int64_t> &pair) -> LogicalResult {
    FailureOr<SmallVector<int64_t>> values =
        imp.expectInts(name, 4, {usual, usual, usual, usual});
    if (failed(values))
      return failure();
    if ((*values)[0] != usual || (*values)[attrs.nhwc ? 3 : 1] != usual)
      return imp.decline("'" + name + "' over batch or channels");
    llvm::append_range(pair, ArrayRef(*values).slice(attrs.nhwc ? 1 : 2, 2));
    return success();
  };
  if (failed(readPair("strides", 1, attrs.strides)) ||
      failed(readPair("dilations", 1, attrs.dilations)) ||
      (adjust && failed(readPair(adjustName, 0, *adjust))))
    return failure();
  return attrs;
}

FailureOr<Value> modelwright::ge::convertServerFilter(OpImporter &imp,
                                                      unsigned operand) {
  Value filter = imp.getOperand(operand);
  auto type = getStaticType(filter);
  if (!type || type.getRank() != 4)
    return imp.decline("a filter of other than 4 known dims");
  std::string order = getDescriptorFormat(imp, static_cast<int>(operand));
  if (order == "NCHW")
    return filter;
  if (order == "NHWC")
    return createTranspose(imp, filter, {0, 3, 1, 2});
  if (order == "HWCN")
    return createTranspose(imp, filter, {3, 2, 0, 1});
  return imp.decline("a filter in the order '" + order + "'");
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
