//===- Lowering.h - What all lowerings to linalg share ----------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The lowerings see two types of every value: the one of the nn dialect, which
// says what the numbers mean (unsigned, quantized), and the lowered one, which
// says how memory holds them. Functions that take an `element` want the former.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_CONVERSION_NNTOLINALG_LOWERING_H
#define MODELWRIGHT_CONVERSION_NNTOLINALG_LOWERING_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "modelwright/Dialect/NN/IR/NNDialect.h"

namespace modelwright::nn {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// What holds an element in memory: floats, `i1`, signless integers of whole
/// bytes, complex numbers. Null for `!nn.unknown`.
mlir::Type getLoweredElementType(mlir::Type element);

/// The tensor type with the lowered element type, or null.
mlir::Type getLoweredType(mlir::Type type);

/// Whether the integers that hold `element` are unsigned (`i1` is).
bool isUnsignedElement(mlir::Type element);

/// Converts tensors as getLoweredType; everything else is as it should be.
class LoweringTypeConverter : public mlir::TypeConverter {
public:
  LoweringTypeConverter();
};

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// A constant of a lowered element type (float, integer or index).
mlir::Value emitConstant(mlir::ImplicitLocOpBuilder &b, mlir::Type lowered,
                         double value);
mlir::Value emitConstantIndex(mlir::ImplicitLocOpBuilder &b, int64_t value);

/// The number that `value` stands for, as f32: dequantized, from integer with
/// the signedness of `element`, widened from a 16-bit float.
mlir::Value emitToF32(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                      mlir::Type element);

/// How a number is quantized: `round` says that halves go away from zero (what
/// nn.cast does); the scale divides, or its f32 reciprocal multiplies.
enum class QuantizeWith { Division, Reciprocal };

/// An f32 number as an element: quantized, saturating and rounding halves away
/// from zero; for other integers truncated toward zero, saturating; narrowed
/// for a 16-bit float; `!= 0` for a boolean.
mlir::Value emitFromF32(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                        mlir::Type element,
                        QuantizeWith with = QuantizeWith::Division);

/// An element converted as nn.cast says.
mlir::Value emitCast(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                     mlir::Type from, mlir::Type to);

/// Integer to integer of another width, by the signedness of `element`.
mlir::Value emitResizeInt(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                          mlir::Type element, mlir::Type lowered);

/// An integer of less than a byte, wrapped after arithmetic in the byte that
/// holds it; anything else as it is.
mlir::Value emitWrap(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                     mlir::Type element);

/// `activation(value)` for an f32 number. Sub-byte and 16-bit floats are
/// widened by the caller.
mlir::Value emitActivation(mlir::ImplicitLocOpBuilder &b, mlir::Value value,
                           Activation activation);

/// Rounds an f32 number to the nearest integer, halves away from zero, without
/// a call.
mlir::Value emitRoundHalfAway(mlir::ImplicitLocOpBuilder &b, mlir::Value value);

/// `a + b`, `a * b` and so on for floats and integers alike.
mlir::Value emitAdd(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs);
mlir::Value emitSub(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs);
mlir::Value emitMul(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs);
/// The lesser and the greater; `element` says the signedness. A float NaN is
/// passed on.
mlir::Value emitMin(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs, mlir::Type element);
mlir::Value emitMax(mlir::ImplicitLocOpBuilder &b, mlir::Value lhs,
                    mlir::Value rhs, mlir::Type element);
/// Comparison; `element` says the signedness. Ordered for floats, except that
/// `ne` is true for a NaN.
mlir::Value emitCompare(mlir::ImplicitLocOpBuilder &b, Predicate predicate,
                        mlir::Value lhs, mlir::Value rhs, mlir::Type element);

/// What a convolution makes of a sum: `activation(sum + bias + residual)` as an
/// element of the result.
struct ConvResult {
  /// Types of the dialect; `addends` are those of bias and residual, as many as
  /// there are.
  mlir::Type accumulator, element;
  llvm::SmallVector<mlir::Type, 2> addends;
  Activation activation = Activation::none;
  /// The arithmetic is that of integers.
  bool isInteger = false;
  /// The sum is the result.
  bool isIdentity = false;

  /// Fails for a bias that cannot be added to such accumulators.
  static llvm::FailureOr<ConvResult> get(mlir::Type accumulator,
                                         mlir::Type element,
                                         llvm::ArrayRef<mlir::Type> addends,
                                         bool hasResidual,
                                         Activation activation);

  /// The result for a sum and an element of each addend, all scalars.
  mlir::Value emit(mlir::ImplicitLocOpBuilder &b,
                   mlir::ValueRange values) const;

private:
  mlir::Value emitInteger(mlir::ImplicitLocOpBuilder &b,
                          mlir::ValueRange values) const;
};

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// The size of a dim: a constant index or tensor.dim.
mlir::Value emitDim(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                    int64_t dim);

/// An uninitialized tensor; `dynamicSizes` in order for the dynamic dims.
mlir::Value emitEmpty(mlir::ImplicitLocOpBuilder &b,
                      mlir::RankedTensorType type,
                      mlir::ValueRange dynamicSizes = {});

/// A tensor filled with a scalar.
mlir::Value emitSplat(mlir::ImplicitLocOpBuilder &b,
                      mlir::RankedTensorType type, mlir::Value scalar,
                      mlir::ValueRange dynamicSizes = {});

using ElementBody = llvm::function_ref<mlir::Value(
    mlir::ImplicitLocOpBuilder &b, mlir::ValueRange elements)>;

/// An all-parallel linalg.generic over the dims of `type`: element i of
/// `inputs` is read through `maps[i]`, `body` gives the result's element.
mlir::Value emitMap(mlir::ImplicitLocOpBuilder &b, mlir::RankedTensorType type,
                    mlir::ValueRange inputs,
                    llvm::ArrayRef<mlir::AffineMap> maps, ElementBody body,
                    mlir::ValueRange dynamicSizes = {});

/// emitMap with numpy broadcasting (right aligned) of all inputs to `type`.
/// Dynamic sizes are those of the inputs.
mlir::Value emitElementwise(mlir::ImplicitLocOpBuilder &b,
                            mlir::RankedTensorType type,
                            mlir::ValueRange inputs, ElementBody body);

/// A tensor with its elements converted by emitCast.
mlir::Value emitCastTensor(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                           mlir::Type from, mlir::Type to);

/// A tensor whose element at `indices` (of index type) is what `body` gives;
/// the body reads other tensors with emitRead.
mlir::Value emitGenerate(mlir::ImplicitLocOpBuilder &b,
                         mlir::RankedTensorType type, ElementBody body,
                         mlir::ValueRange dynamicSizes = {});

/// A linalg.generic that accumulates: `iterators` are the loops, in order;
/// `maps` are those of the inputs and, last, of the result, which starts as
/// `init`. `body` gets the inputs' elements and, last, the accumulator.
mlir::Value emitReduction(mlir::ImplicitLocOpBuilder &b,
                          mlir::RankedTensorType type, mlir::ValueRange inputs,
                          llvm::ArrayRef<mlir::AffineMap> maps,
                          llvm::ArrayRef<mlir::utils::IteratorType> iterators,
                          mlir::Value init, ElementBody body,
                          mlir::ValueRange dynamicSizes = {});

/// `tensor[indices]`.
mlir::Value emitRead(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                     mlir::ValueRange indices);

/// The tensor with `low[i]` elements of `value` in front of dim i and `high[i]`
/// behind it. Nothing is emitted if there are none.
mlir::Value emitPad(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                    llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                    mlir::Value value);

/// The same elements, row major, in another static shape.
mlir::Value emitReshape(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                        llvm::ArrayRef<int64_t> shape);

/// The dims in the order `permutation`: result dim i is dim permutation[i].
mlir::Value emitTranspose(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                          llvm::ArrayRef<int64_t> permutation);

//===----------------------------------------------------------------------===//
// Run time
//===----------------------------------------------------------------------===//

/// Ends the run with `message` unless `condition` (i1) holds; whatever follows
/// may rely on it. The message should say what the user can mend.
void emitCheck(mlir::ImplicitLocOpBuilder &b, mlir::Value condition,
               const llvm::Twine &message);

/// `index` (an integer element of type `element`) as an index into [0, size):
/// negative ones count from the end if `wraps`. Out of range ends the run.
mlir::Value emitCheckedIndex(mlir::ImplicitLocOpBuilder &b, mlir::Value index,
                             mlir::Type element, mlir::Value size, bool wraps,
                             llvm::StringRef what);

/// `tensor` with the sizes of `shape` where its own are not known: others end
/// the run. Dynamic sizes in `shape` say nothing.
mlir::Value emitRefine(mlir::ImplicitLocOpBuilder &b, mlir::Value tensor,
                       llvm::ArrayRef<int64_t> shape);

/// Ends the run unless dim `lhsDim` of `lhs` and dim `rhsDim` of `rhs` have the
/// same size. An operand that is known less exactly is refined.
void emitSameSize(mlir::ImplicitLocOpBuilder &b, mlir::Value &lhs,
                  int64_t lhsDim, mlir::Value &rhs, int64_t rhsDim);

/// Calls the runtime function `name` (see Runtime/Runtime.h) with pointers to
/// the elements of `inputs` and of new tensors of `results`, then `scalars`
/// (index, i64 or f32 values). All tensors are dense and row major. Returns the
/// results, whose dynamic dims have the `dynamicSizes`, in order for all.
llvm::SmallVector<mlir::Value>
emitRuntimeCall(mlir::ImplicitLocOpBuilder &b, llvm::StringRef name,
                mlir::ValueRange inputs,
                llvm::ArrayRef<mlir::RankedTensorType> results,
                mlir::ValueRange scalars, mlir::ValueRange dynamicSizes = {});

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

/// A lowering with an ImplicitLocOpBuilder, in which operands come with both of
/// their types: `op` has the dialect's, `adaptor` the lowered ones.
template <typename OpT> class Lowering : public mlir::OpConversionPattern<OpT> {
public:
  using mlir::OpConversionPattern<OpT>::OpConversionPattern;
  using Adaptor = OpT::Adaptor;

  /// The values that replace the results; failure (by `b`'s caller: listed as
  /// unsupported) if the types are none that the lowering can do.
  virtual llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  lower(OpT op, Adaptor adaptor, mlir::ImplicitLocOpBuilder &b) const = 0;

  llvm::LogicalResult
  matchAndRewrite(OpT op, Adaptor adaptor,
                  mlir::ConversionPatternRewriter &rewriter) const override {
    mlir::ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    auto values = lower(op, adaptor, b);
    if (mlir::failed(values))
      return mlir::failure();
    rewriter.replaceOp(op, *values);
    return mlir::success();
  }

protected:
  /// The lowered type of a result, ranked; null if it cannot be held.
  mlir::RankedTensorType getResultType(mlir::Value result) const {
    return mlir::dyn_cast_or_null<mlir::RankedTensorType>(
        getLoweredType(result.getType()));
  }
};

/// Moves the ops that depend on values of nn.cond_mark into regions of scf.if,
/// and makes choices of nn.cond_merge. Does nothing to a function in which that
/// cannot be done.
void structureConditions(mlir::ModuleOp module);

/// One per op family, defined beside the family's lowerings.
void populateCompactionLowerings(mlir::TypeConverter &,
                                 mlir::RewritePatternSet &);
void populateControlLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateConvLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateDataLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateAttentionLowerings(mlir::TypeConverter &,
                                mlir::RewritePatternSet &);
void populateElementwiseLowerings(mlir::TypeConverter &,
                                  mlir::RewritePatternSet &);
void populateLayoutLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateLinearLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateNormLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populatePoolLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateQuantLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateRecurrentLowerings(mlir::TypeConverter &,
                                mlir::RewritePatternSet &);
void populateReduceLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateSequenceLowerings(mlir::TypeConverter &,
                               mlir::RewritePatternSet &);
void populateShapeLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateSliceLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateIndexLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateOrderLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateResizeLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateWarpLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateImageLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateColorLowerings(mlir::TypeConverter &, mlir::RewritePatternSet &);
void populateDetectionLowerings(mlir::TypeConverter &,
                                mlir::RewritePatternSet &);

} // namespace modelwright::nn

#endif // MODELWRIGHT_CONVERSION_NNTOLINALG_LOWERING_H
