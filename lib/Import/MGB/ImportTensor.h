//===- ImportTensor.h - Tensor records to types and values ------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_IMPORT_MGB_IMPORTTENSOR_H
#define MODELWRIGHT_LIB_IMPORT_MGB_IMPORTTENSOR_H

#include "modelwright/Interop/MGB/Types.h"

namespace modelwright::mgb {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// The type a tensor record declares.
llvm::FailureOr<mlir::RankedTensorType>
getTensorType(mlir::MLIRContext *context, const Tensor &tensor,
              EmitError emitError);

/// The stored value, pointing into the file. `index` names the resource.
llvm::FailureOr<mlir::ElementsAttr>
getTensorValue(const Tensor &tensor, mlir::RankedTensorType type,
               std::shared_ptr<llvm::MemoryBuffer> buffer, size_t index,
               EmitError emitError);

/// What the record says beyond type and value (mgb.tensor): its name, a comp
/// node other than the usual one, a format. Null if there is nothing.
mlir::DictionaryAttr
getTensorRecord(mlir::MLIRContext *context, const Tensor &tensor,
                const std::optional<CompNode> &usualCompNode,
                Encoding encoding);

/// A comp node as an attribute: its locator, or unit without one.
mlir::Attribute getCompNodeAttr(mlir::MLIRContext *context,
                                const CompNode &compNode);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_IMPORT_MGB_IMPORTTENSOR_H
