//===- OprImporter.cpp - Import of one operator ---------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OprImporter.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::mgb;

InFlightDiagnostic OprImporter::emitError() const {
  // The walk's diagnostic handler puts the operator's name in front.
  return mlir::emitError(loc);
}

LogicalResult OprImporter::expectInputs(size_t min, size_t max) const {
  size_t count = operands.size();
  if (count >= min && count <= max)
    return success();
  InFlightDiagnostic diag = emitError();
  diag << "has " << count << " inputs, expected " << min;
  if (max == SIZE_MAX)
    diag << " or more";
  else if (max != min)
    diag << " to " << max;
  return diag;
}

FailureOr<TypeAttr> OprImporter::takeOutputType() {
  tookOutputType = true;
  if (!opr.outputDType)
    return TypeAttr();
  Type type = getElementType(getContext(), *opr.outputDType,
                             [&] { return emitError(); });
  if (!type)
    return failure();
  return TypeAttr::get(type);
}

FailureOr<nn::LayoutAttr>
OprImporter::getLayoutAttr(param::ConvolutionFormat stored) const {
  auto number = static_cast<uint32_t>(stored);
  std::optional<param::ConvolutionFormat> format = formats.getFormat(number);
  if (!format)
    return emitError() << "format " << number
                       << " is unknown, gone, or not the same layout in all "
                          "releases of the file's version";
  return nn::LayoutAttr::get(getContext(), *mgb::getLayout(*format));
}

LogicalResult OprImporter::finish(Operation *op) {
  created = op;
  return shapeValues.visit(op);
}
