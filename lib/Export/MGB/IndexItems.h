//===- IndexItems.h - Export of index masks ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_EXPORT_MGB_INDEXITEMS_H
#define MODELWRIGHT_LIB_EXPORT_MGB_INDEXITEMS_H

#include "OprExporter.h"
#include "llvm/Support/MathExtras.h"

namespace modelwright::mgb {

/// Fills operator `name` from an op with index items.
template <typename OpT>
llvm::LogicalResult exportIndexItems(OpT op, OprExporter &exp,
                                     llvm::StringRef name) {
  exp.setOpr(name);
  auto &param = exp.addParam<fbs::param::IndexDescMaskDumpT>();
  for (auto [k, axis] : llvm::enumerate(op.getAxes())) {
    if (!llvm::isInt<8>(axis))
      return exp.emitError() << "the format has no axis " << axis;
    param.items.emplace_back(static_cast<int8_t>(axis), op.getHasBegin()[k],
                             op.getHasEnd()[k], op.getHasStep()[k],
                             op.getHasIndex()[k]);
  }
  return mlir::success();
}

/// Stores an attribute in a 32-bit field; fails with a message if it does not
/// fit.
template <typename FieldT>
llvm::LogicalResult setField(OprExporter &exp, llvm::StringRef name,
                             int64_t value, FieldT &field) {
  static_assert(sizeof(FieldT) == 4);
  if (std::is_signed_v<FieldT> ? !llvm::isInt<32>(value)
                               : !llvm::isUInt<32>(value))
    return exp.emitError() << name << " " << value
                           << " does not fit into the format's field";
  field = static_cast<FieldT>(value);
  return mlir::success();
}

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_EXPORT_MGB_INDEXITEMS_H
