//===- OprImporter.h - Import of one operator -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op family's import function sees: one operator with its operands
// as values. It creates one op (`create`) and, when the op's results are not
// one to one the operator's vars, says which value each var is (`setVars`).
// The walk (ImportGraph.cpp) attaches the mgb.* attributes afterwards.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_IMPORT_MGB_OPRIMPORTER_H
#define MODELWRIGHT_LIB_IMPORT_MGB_OPRIMPORTER_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "modelwright/Dialect/NN/IR/ShapeValues.h"
#include "modelwright/Format/MGB/History.h"
#include "modelwright/Format/MGB/Registry.h"
#include "modelwright/Interop/MGB/Attributes.h"
#include "modelwright/Interop/MGB/Types.h"
#include "llvm/ADT/StringMap.h"

#include <functional>

namespace modelwright::mgb {

class OprImporter {
public:
  OprImporter(mlir::OpBuilder &builder, mlir::Location loc, const Operator &opr,
              size_t index, const FormatNumbering &formats,
              llvm::ArrayRef<mlir::Value> operands,
              nn::ShapeValues &shapeValues)
      : builder(builder), loc(loc), opr(opr), index(index), operands(operands),
        formats(formats), shapeValues(shapeValues) {}

  mlir::MLIRContext *getContext() const { return builder.getContext(); }

  /// An error at the operator: "opr #42 'conv5' (ConvolutionV2): ...".
  mlir::InFlightDiagnostic emitError() const;

  /// The operator's param of object-API type `T` (`param::PoolingT`), or the
  /// default one if the file has none.
  template <typename T> const T &param() const {
    constexpr auto tag =
        fbs::OperatorParamTraits<typename T::TableType>::enum_value;
    for (const Param &candidate : opr.params)
      if (candidate.type == tag && candidate.value)
        return *static_cast<const T *>(candidate.value);
    static const T defaults;
    return defaults;
  }

  /// Fails with a message unless min <= number of inputs <= max.
  llvm::LogicalResult expectInputs(size_t min, size_t max) const;

  /// The explicit output dtype as a type attribute, or null if there is none.
  /// Fails (after a message) on an impossible dtype. Marks it as consumed, so
  /// that it is not also kept as mgb.output_dtype.
  llvm::FailureOr<mlir::TypeAttr> takeOutputType();

  /// The layout that a `format` field means in this file; fails with a message
  /// if it means none.
  llvm::FailureOr<nn::LayoutAttr>
  getLayoutAttr(param::ConvolutionFormat stored) const;

  /// Fails with a message if an enum field holds none of the enum's values.
  template <typename EnumT>
  llvm::LogicalResult checkEnum(llvm::StringRef field, EnumT value) const {
    if (value >= EnumT::MIN && value <= EnumT::MAX)
      return mlir::success();
    return emitError() << "unknown " << field << " "
                       << static_cast<uint32_t>(value);
  }

  /// Attribute shorthands; null means "leave the default away".
  mlir::IntegerAttr i64(int64_t value) const {
    return builder.getI64IntegerAttr(value);
  }
  mlir::FloatAttr f32(float value) const {
    return builder.getF32FloatAttr(value);
  }
  mlir::DenseI64ArrayAttr i64s(llvm::ArrayRef<int64_t> values) const {
    return builder.getDenseI64ArrayAttr(values);
  }
  mlir::UnitAttr unit(bool set) const {
    return set ? builder.getUnitAttr() : mlir::UnitAttr();
  }
  mlir::BoolAttr boolean(bool value) const {
    return builder.getBoolAttr(value);
  }

  /// Creates the op with inferred result types (refined by known operand
  /// values). Properties are the ODS attributes by name. Fails with a located
  /// message when the operands or attributes do not fit.
  template <typename OpT>
  llvm::FailureOr<OpT> create(mlir::ValueRange values,
                              OpT::Properties properties = {}) {
    // Inference reads attributes that were left at their defaults.
    OpT::populateDefaultProperties(
        mlir::OperationName(OpT::getOperationName(), getContext()), properties);
    llvm::SmallVector<mlir::Type> types;
    if (failed(OpT::inferReturnTypes(
            getContext(), loc, values, mlir::DictionaryAttr(),
            mlir::OpaqueProperties(&properties), {}, types)))
      return mlir::failure();
    return createWithTypes<OpT>(types, values, std::move(properties));
  }

  /// The same for ops whose result types do not follow from their operands.
  template <typename OpT>
  llvm::FailureOr<OpT> createWithTypes(mlir::TypeRange types,
                                       mlir::ValueRange values,
                                       OpT::Properties properties) {
    mlir::OperationState state(loc, OpT::getOperationName());
    state.addOperands(values);
    state.addTypes(types);
    state.getOrAddProperties<typename OpT::Properties>() =
        std::move(properties);
    mlir::Operation *op = builder.create(state);
    if (failed(finish(op)))
      return mlir::failure();
    return mlir::cast<OpT>(op);
  }

  /// Says which value each var of the operator is; a null value is a var that
  /// nothing may read. Not needed when results and vars correspond.
  void setVars(llvm::ArrayRef<mlir::Value> values) {
    vars.assign(values.begin(), values.end());
    hasVars = true;
  }

  /// Number of vars (non-volatile outputs) of the operator.
  size_t getNumVars() const { return opr.outputs.size(); }

  /// Whether a later operator or a graph output reads the k-th var.
  bool isVarUsed(size_t k) const { return isUsed(k); }

  /// Keeps the operator's registered name on the op (mgb.opr): for operators
  /// that share a typed op with a more usual spelling.
  void keepOprName() { keepsOprName = true; }

  /// Keeps the ExecutionPolicy param, if there is one (mgb.policy).
  void keepExecutionPolicy() { keepsPolicy = true; }

  /// Whether an operator updates the k-th var in place, so that its value is
  /// no constant.
  bool isVarUpdated(size_t k) const { return isUpdated(k); }

  /// Keeps the bytes of the file alive for constants that point into it.
  std::shared_ptr<llvm::MemoryBuffer> getFileBuffer() const { return buffer; }

  /// The comp node that tensors of this graph usually name.
  const std::optional<CompNode> &getUsualCompNode() const {
    return *usualCompNode;
  }

  /// The encoding of the file.
  Encoding getEncoding() const { return encoding; }

  /// Elements of an operand, when known at import.
  nn::KnownInts getKnownInts(mlir::Value value) const {
    return shapeValues.lookup(value);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const Operator &opr;
  size_t index;
  llvm::ArrayRef<mlir::Value> operands;

private:
  friend class GraphImporter;

  llvm::LogicalResult finish(mlir::Operation *op);

  const FormatNumbering &formats;
  nn::ShapeValues &shapeValues;
  std::function<bool(size_t)> isUsed, isUpdated;
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  const std::optional<CompNode> *usualCompNode = nullptr;
  Encoding encoding = Encoding::MGBC;
  mlir::Operation *created = nullptr;
  llvm::SmallVector<mlir::Value> vars;
  bool hasVars = false, keepsOprName = false, keepsPolicy = false,
       tookOutputType = false;
};

/// Imports one operator.
using ImportFn = llvm::LogicalResult (*)(OprImporter &);

struct OprImport {
  ImportFn function;
  /// Names of the ops it makes, for docs/coverage.md.
  llvm::ArrayRef<llvm::StringLiteral> targets;
};

/// All import functions, by registered operator name.
class ImportRegistry {
public:
  static const ImportRegistry &get();
  const OprImport *lookup(llvm::StringRef name) const;

  /// Adds the function for an operator and the nn ops it makes.
  template <typename... OpTs>
  void add(llvm::StringLiteral oprName, ImportFn function) {
    static constexpr llvm::StringLiteral targets[] = {
        OpTs::getOperationName()...};
    add(oprName, OprImport{function, targets});
  }
  void add(llvm::StringLiteral oprName, OprImport import);

private:
  llvm::StringMap<OprImport> imports;
};

// One per op family, in the file of that name.
void registerControlImports(ImportRegistry &registry);
void registerConvImports(ImportRegistry &registry);
void registerDataImports(ImportRegistry &registry);
void registerDetectionImports(ImportRegistry &registry);
void registerElementwiseImports(ImportRegistry &registry);
void registerImageImports(ImportRegistry &registry);
void registerIndexImports(ImportRegistry &registry);
void registerLinearImports(ImportRegistry &registry);
void registerNormImports(ImportRegistry &registry);
void registerPoolImports(ImportRegistry &registry);
void registerQuantImports(ImportRegistry &registry);
void registerRecurrentImports(ImportRegistry &registry);
void registerReduceImports(ImportRegistry &registry);
void registerShapeImports(ImportRegistry &registry);

} // namespace modelwright::mgb

#endif // MODELWRIGHT_LIB_IMPORT_MGB_OPRIMPORTER_H
