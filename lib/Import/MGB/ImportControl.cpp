//===- ImportControl.cpp - Control operators to nn ------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"
#include "modelwright/Dialect/NN/IR/NNControlOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

/// An enum attribute for a code of the format, whose numbers nn shares.
template <typename AttrT, typename EnumT, typename CodeT>
static FailureOr<AttrT> getEnumAttr(OprImporter &imp, StringRef what,
                                    std::optional<EnumT> (*symbolize)(uint32_t),
                                    CodeT code) {
  std::optional<EnumT> value = symbolize(static_cast<uint32_t>(code));
  if (!value)
    return imp.emitError() << "unknown " << what << " "
                           << static_cast<uint32_t>(code);
  return AttrT::get(imp.getContext(), *value);
}

static LogicalResult importCondPred(OprImporter &imp) {
  if (failed(imp.expectInputs(2, SIZE_MAX)))
    return failure();
  const auto &param = imp.param<param::CondExecPredT>();
  auto mode = getEnumAttr<nn::CondPredModeAttr>(
      imp, "predicate mode", nn::symbolizeCondPredMode, param.mode);
  if (failed(mode))
    return failure();
  nn::CondPredOp::Properties properties;
  properties.mode = *mode;
  properties.epsilon = imp.f32(param.eps);
  return imp.create<nn::CondPredOp>(imp.operands, properties);
}

static LogicalResult importCondLogical(OprImporter &imp) {
  if (failed(imp.expectInputs(1, SIZE_MAX)))
    return failure();
  auto mode = getEnumAttr<nn::CondLogicalModeAttr>(
      imp, "logical mode", nn::symbolizeCondLogicalMode,
      imp.param<param::CondExecPredLogicalT>().mode);
  if (failed(mode))
    return failure();
  nn::CondLogicalOp::Properties properties;
  properties.mode = *mode;
  return imp.create<nn::CondLogicalOp>(imp.operands, properties);
}

static LogicalResult importCondMark(OprImporter &imp) {
  if (failed(imp.expectInputs(2, SIZE_MAX)))
    return failure();
  const auto &param = imp.param<param::CondExecMarkT>();
  auto gradMode = getEnumAttr<nn::CondGradModeAttr>(
      imp, "gradient mode", nn::symbolizeCondGradMode, param.grad_mode);
  auto staticInfer = getEnumAttr<nn::CondStaticInferAttr>(
      imp, "inference mode", nn::symbolizeCondStaticInfer, param.static_infer);
  if (failed(gradMode) || failed(staticInfer))
    return failure();
  nn::CondMarkOp::Properties properties;
  properties.grad_mode = *gradMode;
  properties.static_infer = *staticInfer;
  return imp.create<nn::CondMarkOp>(imp.operands, properties);
}

static LogicalResult importCondMerge(OprImporter &imp) {
  if (failed(imp.expectInputs(1, SIZE_MAX)))
    return failure();
  const auto &param = imp.param<param::CondExecMergeT>();
  auto mode = getEnumAttr<nn::CondMergeModeAttr>(
      imp, "merge mode", nn::symbolizeCondMergeMode, param.mode);
  if (failed(mode))
    return failure();
  // Shapes (one per output) or the predicate come last.
  size_t numShapes =
      (*mode).getValue() == nn::CondMergeMode::sum ? param.nr_output : 0;
  bool hasPredicate = (*mode).getValue() == nn::CondMergeMode::sum_cond_out;
  size_t count = imp.operands.size();
  if (count < numShapes + hasPredicate)
    return imp.emitError() << "has " << count << " inputs for "
                           << param.nr_output << " outputs";
  nn::CondMergeOp::Properties properties;
  properties.mode = *mode;
  properties.num_outputs = imp.i64(param.nr_output);
  properties.operandSegmentSizes = {
      static_cast<int32_t>(count - numShapes - hasPredicate),
      static_cast<int32_t>(numShapes), hasPredicate};
  return imp.create<nn::CondMergeOp>(imp.operands, properties);
}

static LogicalResult importIdentity(OprImporter &imp) {
  if (failed(imp.expectInputs(1, 1)))
    return failure();
  return imp.create<nn::IdentityOp>(imp.operands);
}

static LogicalResult importAssertEqual(OprImporter &imp) {
  if (failed(imp.expectInputs(3, 3)))
    return failure();
  const auto &param = imp.param<param::AssertEqualT>();
  nn::AssertEqualOp::Properties properties;
  properties.max_error = imp.f32(param.maxerr);
  properties.verbose = imp.unit(param.verbose);
  return imp.create<nn::AssertEqualOp>(imp.operands, properties);
}

static LogicalResult importExternCall(OprImporter &imp) {
  if (imp.opr.blobs.size() != 2)
    return imp.emitError() << "has " << imp.opr.blobs.size()
                           << " blobs, expected 2";
  ArrayRef<uint8_t> name = imp.opr.blobs[0], data = imp.opr.blobs[1];
  nn::ExternCallOp::Properties properties;
  properties.callee = imp.builder.getStringAttr(
      StringRef(reinterpret_cast<const char *>(name.data()), name.size()));
  properties.data = imp.builder.getDenseI8ArrayAttr(
      ArrayRef(reinterpret_cast<const int8_t *>(data.data()), data.size()));
  SmallVector<Type> types(
      imp.getNumVars(),
      UnrankedTensorType::get(nn::UnknownType::get(imp.getContext())));
  return imp.createWithTypes<nn::ExternCallOp>(types, imp.operands, properties);
}

void mgb::registerControlImports(ImportRegistry &registry) {
  registry.add<nn::CondPredOp>("CondExecPred", importCondPred);
  registry.add<nn::CondLogicalOp>("CondExecPredLogical", importCondLogical);
  registry.add<nn::CondMarkOp>("CondExecMark", importCondMark);
  registry.add<nn::CondMergeOp>("CondExecMerge", importCondMerge);
  registry.add<nn::IdentityOp>("Identity", importIdentity);
  registry.add<nn::AssertEqualOp>("AssertEqual", importAssertEqual);
  registry.add<nn::ExternCallOp>("ExternCOprRunner", importExternCall);
}
