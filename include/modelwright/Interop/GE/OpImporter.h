//===- OpImporter.h - From an OpDef to nn ops -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an op family's import function sees: one OpDef with its operands as
// values. It creates ops and says which values the op's outputs are
// (`setResults`). Most OpDefs become one op; where one says more than one nn op
// (a bias in another shape, a fused ReLU), the last op, whose results are the
// outputs, stands for the OpDef and the others are implicit parts of it.
//
// The exporter runs the same functions: an OpDef whose import gives what is in
// the graph is written as it was read.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_INTEROP_GE_OPIMPORTER_H
#define MODELWRIGHT_INTEROP_GE_OPIMPORTER_H

#include "mlir/IR/Builders.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"
#include "modelwright/Dialect/NN/IR/OpCreation.h"
#include "modelwright/Interop/GE/FileFacts.h"
#include "modelwright/Schema/ge/model.pb.h"

namespace modelwright::ge {

class OpImporter {
public:
  OpImporter(mlir::OpBuilder &builder, mlir::Location loc,
             const proto::OpDef &op, const FileFacts &facts,
             llvm::ArrayRef<mlir::Value> operands, nn::ShapeValues &shapeValues)
      : builder(builder), loc(loc), op(op), facts(facts), operands(operands),
        shapeValues(shapeValues) {}

  mlir::MLIRContext *getContext() const { return builder.getContext(); }
  llvm::StringRef getType() const { return op.type(); }

  /// The op dialect: 0, 3 or 5 (semantics.md 1). No attribute means 0.
  int64_t getVersion() const;

  /// Whether the op is of CANN's registry, where a type that HiAI has too
  /// differs in defaults or meaning: CANN's ops carry no `version` (HiAI's do
  /// from version 3 on, and from 0 on in what its tools write) and stand in no
  /// IMOD container.
  bool isServerOp() const;

  /// An error at the op; the walk puts "op #42 'conv5' (Convolution): " in
  /// front.
  mlir::InFlightDiagnostic emitError() const { return mlir::emitError(loc); }

  /// Leaves the op foreign, for `reason` (kept as ge.declined): a legal op that
  /// says what the dialect does not model. Ops made so far are dropped.
  llvm::LogicalResult decline(const llvm::Twine &reason) {
    declined = reason.str();
    return mlir::failure();
  }
  const std::optional<std::string> &getDeclined() const { return declined; }
  /// Forgets the ops made so far, which the caller has erased.
  void reset() {
    created.clear();
    results.clear();
    hasResults = false;
  }

  //===--- Operands -------------------------------------------------------===//

  /// Number of input positions, holes included; control edges are not.
  size_t getNumOperands() const { return operands.size(); }
  /// The operand at a position; null for a hole and behind the last one.
  mlir::Value getOperand(size_t k) const {
    return k < operands.size() ? operands[k] : mlir::Value();
  }
  /// The operands without holes.
  llvm::SmallVector<mlir::Value> getOperands() const;
  /// Fails with a message unless positions 0 .. required - 1 are connected and
  /// there are at most `most` positions.
  llvm::LogicalResult expectOperands(size_t required, size_t most) const;
  /// Elements of an operand when known at import: constants and shapes.
  nn::KnownInts getKnownInts(mlir::Value value) const {
    return shapeValues.lookup(value);
  }
  /// The elements of a constant integer operand, failing with a message that
  /// names it if it is not one.
  llvm::FailureOr<llvm::SmallVector<int64_t>>
  expectKnownInts(size_t k, llvm::StringRef name) const;

  /// Whether something reads an output of the op other than the first. An
  /// import function may leave the result of an unread one null.
  bool isOutputRead(unsigned number) const {
    return llvm::is_contained(readOutputs, number);
  }
  void setReadOutputs(llvm::ArrayRef<unsigned> numbers) {
    readOutputs = numbers;
  }

  //===--- Attributes -----------------------------------------------------===//
  //
  // Names are those of op version 5; an older name of the op type is found as
  // well (semantics.md 1.2). A value of another kind than asked for is an
  // error, which is reported here; the op must then be given up.

  const proto::AttrDef *find(llvm::StringRef name) const;
  bool has(llvm::StringRef name) const { return find(name) != nullptr; }
  llvm::FailureOr<int64_t> getInt(llvm::StringRef name,
                                  int64_t defaultValue) const;
  llvm::FailureOr<float> getFloat(llvm::StringRef name,
                                  float defaultValue) const;
  llvm::FailureOr<bool> getBool(llvm::StringRef name, bool defaultValue) const;
  llvm::FailureOr<std::string> getString(llvm::StringRef name,
                                         llvm::StringRef defaultValue) const;
  /// A list, or a single integer as a list of one.
  llvm::FailureOr<llvm::SmallVector<int64_t>>
  getInts(llvm::StringRef name, llvm::ArrayRef<int64_t> defaultValue) const;
  llvm::FailureOr<llvm::SmallVector<float>>
  getFloats(llvm::StringRef name, llvm::ArrayRef<float> defaultValue) const;
  /// The same, failing with a message if there are not `count` of them.
  llvm::FailureOr<llvm::SmallVector<int64_t>>
  expectInts(llvm::StringRef name, size_t count,
             llvm::ArrayRef<int64_t> defaultValue) const;
  /// The functor attribute (NamedAttrs), or null.
  const proto::NamedAttrs *findFunc(llvm::StringRef name) const;

  /// Whether the activations of the op are NHWC: `data_format`, or the integer
  /// `format` of tool files (semantics.md 1.3), or what an op of a type says
  /// that has neither.
  llvm::FailureOr<bool> isNHWC(bool defaultsToNHWC = false) const;
  nn::LayoutAttr getLayoutAttr(bool nhwc) const {
    return nn::LayoutAttr::get(getContext(),
                               nhwc ? nn::Layout::NHWC : nn::Layout::NCHW);
  }

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

  //===--- Results --------------------------------------------------------===//

  /// Creates an op with inferred result types.
  template <typename OpT>
  llvm::FailureOr<OpT> create(mlir::ValueRange values,
                              OpT::Properties properties = {}) {
    return note(nn::createInferred<OpT>(builder, loc, values,
                                        std::move(properties), shapeValues));
  }
  /// The same for ops whose result types do not follow from their operands.
  template <typename OpT>
  llvm::FailureOr<OpT> createWithTypes(mlir::TypeRange types,
                                       mlir::ValueRange values,
                                       OpT::Properties properties) {
    return note(nn::createWithTypes<OpT>(builder, loc, types, values,
                                         std::move(properties), shapeValues));
  }
  /// A constant that the file does not hold as an op of its own.
  mlir::Value createConstant(llvm::ArrayRef<int64_t> shape,
                             llvm::ArrayRef<float> values,
                             mlir::Type elementType);
  /// An i32 vector likewise.
  mlir::Value createConstantInts(llvm::ArrayRef<int64_t> values);
  /// Integers of any type and shape likewise.
  mlir::Value createConstantInts(llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int64_t> values,
                                 mlir::IntegerType elementType);
  /// The value in another static shape of as many elements; itself if it has
  /// that shape.
  llvm::FailureOr<mlir::Value> createReshape(mlir::Value value,
                                             llvm::ArrayRef<int64_t> shape);
  /// The value converted to an element type; itself if it has it.
  llvm::FailureOr<mlir::Value> createCast(mlir::Value value,
                                          mlir::Type elementType);

  /// Says which values the op's outputs are. Not needed when they are the
  /// results of the last op created.
  void setResults(llvm::ArrayRef<mlir::Value> values) {
    results.assign(values.begin(), values.end());
    hasResults = true;
  }

  /// All ops made so far, in order.
  llvm::ArrayRef<mlir::Operation *> getCreated() const { return created; }
  /// The outputs; call after the import function.
  llvm::SmallVector<mlir::Value> getResults() const;
  /// The op that stands for the OpDef, null if every output is an operand.
  mlir::Operation *getMain() const;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  const proto::OpDef &op;
  const FileFacts &facts;
  llvm::ArrayRef<mlir::Value> operands;

private:
  template <typename OpT> llvm::FailureOr<OpT> note(llvm::FailureOr<OpT> made) {
    if (succeeded(made))
      created.push_back(made->getOperation());
    return made;
  }
  mlir::InFlightDiagnostic emitKindError(llvm::StringRef name,
                                         llvm::StringRef wanted) const;

  nn::ShapeValues &shapeValues;
  llvm::ArrayRef<unsigned> readOutputs;
  llvm::SmallVector<mlir::Operation *> created;
  llvm::SmallVector<mlir::Value> results;
  bool hasResults = false;
  std::optional<std::string> declined;
};

} // namespace modelwright::ge

#endif // MODELWRIGHT_INTEROP_GE_OPIMPORTER_H
