//===- OpExporter.h - From an nn op to an OpDef -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op family's export function sees: it says type, inputs and
// attributes in the terms of op version 5. The walk adds name, edges and
// descriptors, keeps what an OpDef it came from says beyond that, and converts
// to the op version of the file.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_OPEXPORTER_H
#define MODELWRIGHT_INTEROP_GE_OPEXPORTER_H

#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Dialect/NN/IR/ShapeValues.h"
#include "modelwright/Interop/GE/FileFacts.h"
#include "modelwright/Schema/ge/model.pb.h"

#include <variant>

namespace modelwright::ge {

/// An input of the op to be: a value, a constant that is yet to be made, or a
/// hole (a null value).
using ExportInput = std::variant<mlir::Value, mlir::DenseElementsAttr>;

class OpExporter {
public:
  OpExporter(mlir::Operation *source, proto::OpDef &op, const FileFacts &facts,
             const nn::ShapeValues &shapeValues)
      : facts(facts), source(source), op(op), shapeValues(shapeValues) {}

  void setType(llvm::StringRef type) { op.set_type(type.str()); }

  void addInput(mlir::Value value) { inputs.push_back(value); }
  void addHole() { inputs.push_back(mlir::Value()); }
  /// An input that is a Const op of an i32 vector (or scalar).
  void addInts(llvm::ArrayRef<int64_t> values);
  void addInt(int64_t value);
  void addConstant(mlir::DenseElementsAttr value) { inputs.push_back(value); }

  void setInt(llvm::StringRef name, int64_t value);
  void setFloat(llvm::StringRef name, float value);
  void setBool(llvm::StringRef name, bool value);
  void setString(llvm::StringRef name, llvm::StringRef value);
  void setInts(llvm::StringRef name, llvm::ArrayRef<int64_t> values);
  void setFloats(llvm::StringRef name, llvm::ArrayRef<float> values);

  /// Takes an attribute away that the source may have.
  void clear(llvm::StringRef name);

  /// Says why the op cannot be expressed; the function then fails.
  llvm::LogicalResult refuse(const llvm::Twine &reason) {
    this->reason = reason.str();
    return mlir::failure();
  }
  llvm::StringRef getReason() const { return reason; }

  mlir::Operation *getSource() const { return source; }
  /// Elements of an operand when known: constants and shape arithmetic.
  nn::KnownInts getKnownInts(mlir::Value value) const {
    return shapeValues.lookup(value);
  }
  /// The element of a constant float with one.
  std::optional<float> getKnownFloat(mlir::Value value) const;
  llvm::ArrayRef<ExportInput> getInputs() const { return inputs; }

  const FileFacts &facts;

private:
  proto::AttrDef &get(llvm::StringRef name);

  mlir::Operation *source;
  proto::OpDef &op;
  const nn::ShapeValues &shapeValues;
  llvm::SmallVector<ExportInput> inputs;
  std::string reason;
};

/// Value of an attribute map under `key`, or null.
const proto::AttrDef *
findAttr(const google::protobuf::RepeatedPtrField<proto::AttrEntry> &map,
         llvm::StringRef key);

/// The same, added at the end if it is not there.
proto::AttrDef &
getAttr(google::protobuf::RepeatedPtrField<proto::AttrEntry> &map,
        llvm::StringRef key);

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_OPEXPORTER_H
