//===- IndexItems.h - Import of index masks ---------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_IMPORT_MGB_INDEXITEMS_H
#define MODELWRIGHT_LIB_IMPORT_MGB_INDEXITEMS_H

#include "OprImporter.h"

namespace modelwright::mgb {

/// Creates an op with index items from an operator whose inputs are
/// `numData` tensors and then the items' operands, all in file order.
template <typename OpT>
llvm::LogicalResult importIndexItems(OprImporter &imp, size_t numData,
                                     typename OpT::Properties properties = {}) {
  if (failed(imp.expectInputs(numData, SIZE_MAX)))
    return mlir::failure();
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<bool> begin, end, step, index;
  for (const fbs::param::IndexDescMaskItem &item :
       imp.param<fbs::param::IndexDescMaskDumpT>().items) {
    axes.push_back(item.axis());
    begin.push_back(item.begin());
    end.push_back(item.end());
    step.push_back(item.step());
    index.push_back(item.idx());
  }
  properties.axes = imp.i64s(axes);
  properties.has_begin = imp.builder.getDenseBoolArrayAttr(begin);
  properties.has_end = imp.builder.getDenseBoolArrayAttr(end);
  properties.has_step = imp.builder.getDenseBoolArrayAttr(step);
  properties.has_index = imp.builder.getDenseBoolArrayAttr(index);
  return imp.create<OpT>(imp.operands, std::move(properties));
}

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_IMPORT_MGB_INDEXITEMS_H
