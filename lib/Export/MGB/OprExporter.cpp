//===- OprExporter.cpp - Export of one op ---------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprExporter.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

void OprExporter::setOpr(StringRef registeredName) {
  opr.info = lookupOprByName(registeredName);
  assert(opr.info && "export to an operator that is not known");
}

StringRef OprExporter::getPreferredOpr() const {
  auto name = op->getAttrOfType<StringAttr>(attr::kOpr);
  return name ? name.getValue() : StringRef();
}

void OprExporter::addExecutionPolicy() {
  auto policy = op->getAttrOfType<DenseI64ArrayAttr>(attr::kPolicy);
  if (!policy || policy.size() != 2)
    return;
  auto &param = addParam<param::ExecutionPolicyT>();
  param.strategy = static_cast<param::ExecutionPolicyStrategy>(policy[0]);
  param.workspace_limit = static_cast<uint64_t>(policy[1]);
}

LogicalResult OprExporter::setOutputType(Type elementType) {
  if (!elementType)
    return success();
  opr.outputDType = getDType(elementType);
  if (!opr.outputDType)
    return emitError() << "element type " << elementType
                       << " has no dtype in this format";
  return success();
}

std::optional<uint32_t> OprExporter::getFormatNumber(nn::Layout layout) const {
  std::optional<param::ConvolutionFormat> format = getConvolutionFormat(layout);
  return format ? formats.getNumber(*format) : std::nullopt;
}

void OprExporter::addBlob(ArrayRef<uint8_t> bytes) {
  storage->push_back(
      std::make_unique<std::vector<uint8_t>>(bytes.begin(), bytes.end()));
  opr.blobs.push_back(*storage->back());
}

const ExportRegistry &ExportRegistry::get() {
  static const ExportRegistry registry = [] {
    ExportRegistry result;
    registerControlExports(result);
    registerConvExports(result);
    registerDataExports(result);
    registerDetectionExports(result);
    registerElementwiseExports(result);
    registerImageExports(result);
    registerIndexExports(result);
    registerLinearExports(result);
    registerNormExports(result);
    registerPoolExports(result);
    registerQuantExports(result);
    registerRecurrentExports(result);
    registerReduceExports(result);
    registerShapeExports(result);
    return result;
  }();
  return registry;
}

const ExportFn *ExportRegistry::lookup(Operation *op) const {
  auto it = functions.find(op->getName().getTypeID());
  return it == functions.end() ? nullptr : &it->second;
}
