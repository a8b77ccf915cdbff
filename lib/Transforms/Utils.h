//===- Utils.h - What the fusing passes share -------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_TRANSFORMS_UTILS_H
#define MODELWRIGHT_LIB_TRANSFORMS_UTILS_H

#include "mlir/IR/Remarks.h"
#include "modelwright/Dialect/NN/IR/NNOps.h"

namespace modelwright {

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// A remark that `pass` did something at `op`. Costs nothing unless the
/// context has a remark engine that wants the pass's category.
mlir::remark::detail::InFlightRemark
remarkPassed(mlir::Operation *op, llvm::StringRef pass, llvm::StringRef name);

/// A remark that `pass` refused a candidate; stream a `remark::reason`.
mlir::remark::detail::InFlightRemark
remarkMissed(mlir::Operation *op, llvm::StringRef pass, llvm::StringRef name);

//===----------------------------------------------------------------------===//
// Fused ops
//===----------------------------------------------------------------------===//

/// Lets `fused` take the place of `last`, which computed from its result: it
/// moves there, takes over the users and the names, and fuses the locations.
/// `last` is erased. The types of both results must agree.
void absorb(mlir::Operation *fused, mlir::Operation *last);

/// The discardable attributes that `fused` has once it stands for `last` as
/// well: scheduling facts of the former, names of the latter.
llvm::SmallVector<mlir::NamedAttribute> mergeAttributes(mlir::Operation *fused,
                                                        mlir::Operation *last);

/// The discardable attributes that name an op and its results.
bool isNameAttribute(llvm::StringRef name);

/// The discardable attributes that two ops must share to be one: all but
/// names and priority.
mlir::DictionaryAttr getSharedAttributes(mlir::Operation *op);

/// Whether `op` is a part of what another op of its file says (`ge.implicit`),
/// or that other op, made of parts that are no constants. Passes that would
/// take it apart for no more than a simpler graph leave it: the file would have
/// more ops after than before.
bool isPartOfFileOp(mlir::Operation *op);

/// Whether a result of `op` is returned from its block.
bool leavesGraph(mlir::Operation *op);

/// Moves the names of `from` to `to` (an op that computes what `from` did).
void moveNames(mlir::Operation *from, mlir::Operation *to);

/// The function around `op`, for remarks and for the names of new constants.
llvm::StringRef getFunctionName(mlir::Operation *op);

/// Applies `activation` by an op of its own; the result has type `type`, and
/// `outType` says so if it is quantized.
mlir::Value appendActivation(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value value, nn::Activation activation,
                             mlir::Type type, mlir::TypeAttr outType);

/// The activation that a unary op computes; none if it is no activation.
nn::Activation getActivationOf(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// Names for the blobs of one pass run in one function. They are counted here
/// since MLIR probes linearly for a free name.
class BlobNames {
public:
  BlobNames(mlir::Operation *op, llvm::StringRef tag);
  std::string next();

private:
  std::string prefix;
  unsigned count = 0;
};

/// The value of an `nn.constant`, or null.
mlir::ElementsAttr getConstant(mlir::Value value);

/// Elements of a constant float tensor, or nullopt (not a constant, not a
/// float, bytes missing).
std::optional<llvm::SmallVector<float>> getConstantFloats(mlir::Value value);

/// The same elements with another shape of as many elements, sharing blobs.
/// Null for other kinds of attributes than dense and dense_resource.
mlir::ElementsAttr reshapeElements(mlir::ElementsAttr attr,
                                   llvm::ArrayRef<int64_t> shape);

/// The largest finite number of f32, f16 and bf16.
double getLargestFloat(mlir::Type element);

/// True if a constant's elements all equal `number` (floats).
bool isSplatConstant(mlir::Value value, float number);

/// A constant that is moved on its way to where it is read: transposed and
/// reshaped, as the filters of NHWC models whose file keeps them in NCHW order.
class MovedConstant {
public:
  /// Views what `value` is made of; nullopt if that is no constant of static
  /// shape, or another op is in between.
  static std::optional<MovedConstant> get(mlir::Value value);

  mlir::Value getConstant() const { return constant; }
  /// Whether anybody else reads the constant or a value on the way.
  bool isShared() const { return shared; }
  /// For each element of the moved value, in row-major order, where it lies in
  /// the constant.
  llvm::SmallVector<int64_t> getOrder() const;
  /// The value made in the same way of another constant of the type.
  mlir::Value rebuild(mlir::OpBuilder &builder, mlir::Value newConstant) const;

private:
  mlir::Value constant;
  /// From the constant to the value.
  llvm::SmallVector<mlir::Operation *, 2> moves;
  bool shared = false;
};

/// Erases the op that defines `value` if it is a constant without users, or a
/// reshape or transpose of a constant, then with the constant.
void eraseIfUnused(mlir::Value value);

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

/// What nn.conv2d and nn.conv_transpose2d have in common.
class ConvView {
public:
  /// Views `op` if it is a convolution.
  static std::optional<ConvView> get(mlir::Operation *op);

  mlir::Operation *getOperation() const { return op; }
  mlir::Value getInput() const { return op->getOperand(0); }
  mlir::Value getFilter() const { return op->getOperand(1); }
  void setFilter(mlir::Value filter) { op->setOperand(1, filter); }
  mlir::Value getResult() const { return op->getResult(0); }
  bool isTransposed() const { return llvm::isa<nn::ConvTranspose2DOp>(op); }
  mlir::Value getBias() const;
  void setBias(mlir::Value bias);
  /// Null for transposed convolutions, which have none.
  mlir::Value getResidual() const;
  nn::Activation getActivation() const;
  void setActivation(nn::Activation activation);
  nn::Layout getLayout() const;
  bool hasGroupFilter() const;
  void setGroupFilter(bool hasGroupDim);
  void removeOutType();
  int64_t getGroups() const;

  /// Shape of one value per output channel in the result's layout; nullopt if
  /// the number of channels is not known.
  std::optional<llvm::SmallVector<int64_t>> getPerChannelShape() const;

private:
  explicit ConvView(mlir::Operation *op) : op(op) {}

  mlir::Operation *op;
};

/// Whether a tensor of `shape` broadcasts along `perChannel` only: every dim
/// (right aligned) is 1 or the one of `perChannel`.
bool broadcastsPerChannel(llvm::ArrayRef<int64_t> shape,
                          llvm::ArrayRef<int64_t> perChannel);

/// Gives tensors of rank 0, which .mgb has not, one dim of 1. Returns the
/// number of ops and arguments that it changed.
unsigned addDimToScalars(mlir::func::FuncOp func);

} // namespace modelwright

#endif // MODELWRIGHT_LIB_TRANSFORMS_UTILS_H
