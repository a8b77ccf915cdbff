//===- OprExporter.h - Export of one op -------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op family's export function sees: the operator it fills from one
// op. It names the operator (`setOpr`) and adds its params in write order;
// inputs default to the op's operands, vars to its results. The mgb.*
// attributes that apply to every operator are handled by the walk.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_EXPORT_MGB_OPREXPORTER_H
#define MODELWRIGHT_LIB_EXPORT_MGB_OPREXPORTER_H

#include "mlir/IR/Operation.h"
#include "modelwright/Format/MGB/History.h"
#include "modelwright/Format/MGB/Registry.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Interop/MGB/Types.h"
#include "llvm/ADT/DenseMap.h"

namespace modelwright::mgb {

class OprExporter {
public:
  OprExporter(mlir::Operation *op, Operator &opr, Encoding encoding,
              const FormatNumbering &formats)
      : op(op), opr(opr), encoding(encoding), formats(formats) {
    inputs.assign(op->operand_begin(), op->operand_end());
    vars.assign(op->result_begin(), op->result_end());
  }

  /// An error at the op.
  mlir::InFlightDiagnostic emitError() const { return op->emitOpError(); }

  /// Names the operator by its registered name. Must be called once.
  void setOpr(llvm::StringRef registeredName);

  /// The spelling the file had (mgb.opr), or "".
  llvm::StringRef getPreferredOpr() const;

  /// Appends a param of object-API type `T` and returns it to be filled.
  template <typename T> T &addParam() {
    Param param;
    param.Set(T());
    opr.params.push_back(std::move(param));
    return *static_cast<T *>(opr.params.back().value);
  }

  /// Appends the ExecutionPolicy param if the op has one (mgb.policy).
  void addExecutionPolicy();

  /// Writes an explicit output dtype. Fails with a message if the format has
  /// no such dtype. A null type is ignored.
  llvm::LogicalResult setOutputType(mlir::Type elementType);

  /// Sets the `format` field of a param to a layout, in the file's numbering;
  /// fails with a message if it has no number.
  template <typename ParamT>
  llvm::LogicalResult setFormat(ParamT &param, nn::Layout layout) const {
    std::optional<uint32_t> number = getFormatNumber(layout);
    if (!number)
      return emitError() << "layout " << nn::stringifyLayout(layout)
                         << " has no number in a file of this version";
    param.format = static_cast<param::ConvolutionFormat>(*number);
    return mlir::success();
  }

  void setInputs(mlir::ValueRange values) {
    inputs.assign(values.begin(), values.end());
  }

  /// The operator's vars in order; a null value is a var that no op has.
  void setVars(llvm::ArrayRef<mlir::Value> values) {
    vars.assign(values.begin(), values.end());
  }

  /// Adds a blob with a copy of `bytes`.
  void addBlob(llvm::ArrayRef<uint8_t> bytes);

  mlir::Operation *op;
  Operator &opr;
  Encoding encoding;

private:
  friend class GraphExporter;

  std::optional<uint32_t> getFormatNumber(nn::Layout layout) const;

  const FormatNumbering &formats;

  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> vars;
  std::vector<std::unique_ptr<std::vector<uint8_t>>> *storage = nullptr;
};

using ExportFn =
    std::function<llvm::LogicalResult(mlir::Operation *, OprExporter &)>;

/// All export functions, by op.
class ExportRegistry {
public:
  static const ExportRegistry &get();
  const ExportFn *lookup(mlir::Operation *op) const;

  template <typename OpT>
  void add(llvm::LogicalResult (*function)(OpT, OprExporter &)) {
    functions[mlir::TypeID::get<OpT>()] = [function](mlir::Operation *op,
                                                     OprExporter &exporter) {
      return function(mlir::cast<OpT>(op), exporter);
    };
  }

private:
  llvm::DenseMap<mlir::TypeID, ExportFn> functions;
};

// One per op family, in the file of that name.
void registerControlExports(ExportRegistry &registry);
void registerConvExports(ExportRegistry &registry);
void registerDataExports(ExportRegistry &registry);
void registerDetectionExports(ExportRegistry &registry);
void registerElementwiseExports(ExportRegistry &registry);
void registerImageExports(ExportRegistry &registry);
void registerIndexExports(ExportRegistry &registry);
void registerLinearExports(ExportRegistry &registry);
void registerNormExports(ExportRegistry &registry);
void registerPoolExports(ExportRegistry &registry);
void registerQuantExports(ExportRegistry &registry);
void registerRecurrentExports(ExportRegistry &registry);
void registerReduceExports(ExportRegistry &registry);
void registerShapeExports(ExportRegistry &registry);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_EXPORT_MGB_OPREXPORTER_H
