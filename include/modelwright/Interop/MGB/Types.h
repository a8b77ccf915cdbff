//===- Types.h - dtypes and layouts of MegEngine in nn ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_MGB_TYPES_H
#define MODELWRIGHT_INTEROP_MGB_TYPES_H

#include "modelwright/Dialect/NN/IR/NNDialect.h"
#include "modelwright/Format/MGB/Model.h"

namespace modelwright::mgb {

/// The nn element type of a dtype; null after `emitError` for a dtype that
/// does not make sense (scale not positive and finite, unknown number).
mlir::Type
getElementType(mlir::MLIRContext *context, const DType &dtype,
               llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// The dtype of an element type; nullopt if the format has none.
std::optional<DType> getDType(mlir::Type elementType);

/// The layout of that name; nullopt for a number that is no enumerator.
std::optional<nn::Layout> getLayout(param::ConvolutionFormat format);

/// The inverse of getLayout; nullopt if the format has no such layout.
std::optional<param::ConvolutionFormat> getConvolutionFormat(nn::Layout layout);

/// One param as a dictionary (its table name under "table", then the fields
/// that differ from their defaults) and back. Null / nullopt if impossible.
mlir::DictionaryAttr paramToAttr(mlir::MLIRContext *context,
                                 const Param &param);
std::optional<Param> paramFromAttr(mlir::DictionaryAttr attr);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_INTEROP_MGB_TYPES_H
