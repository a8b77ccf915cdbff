//===- CopyOps.cpp - GE ops that copy or re-order -------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Dialect/NN/IR/NNDataOps.h"
#include "modelwright/Dialect/NN/IR/NNShapeOps.h"
#include "modelwright/Interop/GE/OpRegistry.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::ge;

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// Ops that matter in training or to a debugger only.
static LogicalResult importCopy(OpImporter &imp) {
  if (imp.getNumOperands() > 1)
    return imp.decline("a copy of several values");
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  return imp.create<nn::CopyOp>({imp.getOperand(0)});
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The names of the format numbers (format.md 6.3) that every writer shares.
static StringRef getFormatName(int64_t format) {
  static constexpr StringLiteral kNames[] = {
      "NCHW",      "NHWC",       "ND",      "NC1HWC0",
      "FRACTAL_Z", "NC1C0HWPAD", "NHWC1C0", "FSR_NCHW"};
  if (format >= 0 && format < static_cast<int64_t>(std::size(kNames)))
    return kNames[format];
  return format == 14 ? "CHWN" : format == 16 ? "HWCN" : "";
}

/// A format: the strings of CANN, else the numbers of HiAI.
static FailureOr<std::string> getFormat(OpImporter &imp, StringRef text,
                                        StringRef number) {
  if (imp.has(text))
    return imp.getString(text, "");
  FailureOr<int64_t> format = imp.getInt(number, -1);
  if (failed(format))
    return failure();
  return getFormatName(*format).str();
}

/// The permutation between two formats that name the same axes one by one.
static std::optional<SmallVector<int64_t>> getPermutation(StringRef from,
                                                          StringRef to) {
  static constexpr StringLiteral kPlain[] = {"NCHW",  "NHWC",  "HWCN", "CHWN",
                                             "NCDHW", "NDHWC", "DHWCN"};
  if (!llvm::is_contained(kPlain, from) || !llvm::is_contained(kPlain, to) ||
      from.size() != to.size())
    return std::nullopt;
  SmallVector<int64_t> permutation;
  for (char axis : to)
    permutation.push_back(static_cast<int64_t>(from.find(axis)));
  return permutation;
}

static LogicalResult importTransData(OpImporter &imp) {
  if (failed(imp.expectOperands(1, 1)))
    return failure();
  FailureOr<std::string> from = getFormat(imp, "src_format", "input_format");
  FailureOr<std::string> to = getFormat(imp, "dst_format", "output_format");
  FailureOr<int64_t> groups = imp.getInt("groups", 1);
  if (failed(from) || failed(to) || failed(groups))
    return failure();
  if (*groups != 1)
    return imp.decline("a change of layout by groups");
  Value input = imp.getOperand(0);
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    return imp.decline("a change of layout at unknown rank");
  if (std::optional<SmallVector<int64_t>> permutation =
          getPermutation(*from, *to)) {
    if (type.getRank() != static_cast<int64_t>(permutation->size()))
      return imp.decline("a tensor whose rank is not that of its format");
    nn::TransposeOp::Properties properties;
    properties.permutation = imp.i64s(*permutation);
    return imp.create<nn::TransposeOp>({input}, properties);
  }
  // Files of the mobile tools tell the logical shape on both sides: how the
  // device stores the elements is none of the graph's business.
  bool isMobile = !imp.has("src_format") && !imp.has("dst_format");
  bool isBlocked = (*from == "NCHW" && *to == "NC1HWC0") ||
                   (*from == "NC1HWC0" && *to == "NCHW");
  if (isMobile && isBlocked && imp.op.output_desc_size() == 1 &&
      llvm::equal(imp.op.output_desc(0).shape().dim(), type.getShape()))
    return imp.create<nn::CopyOp>({input});
  return imp.decline("a change of layout from '" + Twine(*from) + "' to '" +
                     *to + "'");
}

void modelwright::ge::registerCopyOps(OpRegistry &registry) {
  registry.addImport<nn::CopyOp>(
      {"IdentityN", "PreventGradient", "Snapshot", "GuaranteeConst", "Dropout"},
      importCopy);
  registry.addImport<nn::TransposeOp, nn::CopyOp>({"TransData"},
                                                  importTransData);
}
