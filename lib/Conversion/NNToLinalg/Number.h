//===- Number.h - Elements in formulas --------------------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The formulas of elementwise ops, written with the operators of C++:
// `y * (1 - x * x)` emits a product and a difference.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_NUMBER_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_NUMBER_H

#include "modelwright/Conversion/NNToLinalg/Lowering.h"

namespace modelwright::nn {

/// A number that the emitted code computes: an f32, an f64 or an integer of the
/// element type `element`, which wraps.
class Number {
public:
  Number(mlir::ImplicitLocOpBuilder &b, mlir::Value value, mlir::Type element)
      : b(&b), value(value), element(element) {}

  operator mlir::Value() const { return value; }
  mlir::ImplicitLocOpBuilder &getBuilder() const { return *b; }
  mlir::Type getElement() const { return element; }
  mlir::Type getType() const { return value.getType(); }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(value.getType()); }
  bool isUnsigned() const { return isUnsignedElement(element); }
  /// Bits of the element type, which may be less than those that hold it.
  unsigned getBits() const;

  /// Another number of the same type. Integers of less than a byte are wrapped.
  Number with(mlir::Value other) const;
  Number constant(double number) const {
    return {*b, emitConstant(*b, value.getType(), number), element};
  }

private:
  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
  mlir::Type element;
};

using Numbers = llvm::ArrayRef<Number>;

Number operator+(Number lhs, Number rhs);
Number operator-(Number lhs, Number rhs);
Number operator*(Number lhs, Number rhs);
/// Floats only.
Number operator/(Number lhs, Number rhs);
Number operator-(Number number);
inline Number operator+(Number lhs, double rhs) {
  return lhs + lhs.constant(rhs);
}
inline Number operator+(double lhs, Number rhs) {
  return rhs.constant(lhs) + rhs;
}
inline Number operator-(Number lhs, double rhs) {
  return lhs - lhs.constant(rhs);
}
inline Number operator-(double lhs, Number rhs) {
  return rhs.constant(lhs) - rhs;
}
inline Number operator*(double lhs, Number rhs) {
  return rhs.constant(lhs) * rhs;
}
inline Number operator/(Number lhs, double rhs) {
  return lhs / lhs.constant(rhs);
}
inline Number operator/(double lhs, Number rhs) {
  return rhs.constant(lhs) / rhs;
}

/// Comparisons give an i1; those with a NaN are false but for `ne`.
mlir::Value compare(Predicate predicate, Number lhs, Number rhs);
mlir::Value compare(Predicate predicate, Number lhs, double rhs);

Number select(mlir::Value condition, Number ifTrue, Number ifFalse);
Number select(mlir::Value condition, Number ifTrue, double ifFalse);
Number select(mlir::Value condition, double ifTrue, Number ifFalse);

/// The lesser and the greater of two; a float NaN is passed on.
Number min(Number lhs, Number rhs);
Number max(Number lhs, Number rhs);
Number clip(Number number, double low, double high);
Number abs(Number number);
/// The nearest whole float, halves away from zero.
Number roundHalfAway(Number number);

/// A function of one float that is an op, as in `apply<math::ExpOp>(x)`.
template <typename OpT> Number apply(Number number) {
  return number.with(OpT::create(number.getBuilder(), mlir::Value(number)));
}

/// `1 / (1 + exp(-number))`.
Number sigmoid(Number number);
/// `input <= 0 ? 0 : input`: a NaN stays.
Number relu(Number number);
/// The normal distribution's `(1 + erf(number / sqrt(2))) / 2`.
Number normalDistribution(Number number);

//===----------------------------------------------------------------------===//
// Elementwise ops
//===----------------------------------------------------------------------===//

/// Gives a number like its operands, or an i1.
using Formula = llvm::function_ref<mlir::Value(Numbers)>;

/// Evaluates `formula` on the elements of the operands, broadcast, as the rules
/// of NNElementwiseOps.td say: quantized elements are dequantized, 16-bit
/// floats are widened, integers of a float result are converted, and what the
/// formula gives becomes an element of the op's one result.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
lowerFormula(mlir::ImplicitLocOpBuilder &b, mlir::Operation *op,
             mlir::ValueRange operands, Formula formula,
             QuantizeWith with = QuantizeWith::Division);

/// How the op quantizes: MegEngine's kernels for several quantized types
/// multiply by the reciprocal where `withOutType` says so.
QuantizeWith getQuantizeWith(mlir::Operation *op, QuantizeWith withOutType);

/// An elementwise op that is a formula and has no attribute of its own.
template <typename OpT> class FormulaLowering : public Lowering<OpT> {
public:
  using Function = mlir::Value (*)(Numbers);
  FormulaLowering(const mlir::TypeConverter &converter,
                  mlir::MLIRContext *context, Function formula,
                  QuantizeWith withOutType = QuantizeWith::Division)
      : Lowering<OpT>(converter, context), formula(formula),
        withOutType(withOutType) {}

  llvm::FailureOr<llvm::SmallVector<mlir::Value>>
  lower(OpT op, OpT::Adaptor adaptor,
        mlir::ImplicitLocOpBuilder &b) const override {
    return lowerFormula(b, op, adaptor.getOperands(), formula,
                        getQuantizeWith(op, withOutType));
  }

private:
  Function formula;
  QuantizeWith withOutType;
};

/// Registers formulas.
class FormulaSet {
public:
  FormulaSet(mlir::TypeConverter &converter, mlir::RewritePatternSet &patterns)
      : converter(converter), patterns(patterns) {}

  template <typename OpT>
  void add(FormulaLowering<OpT>::Function formula,
           QuantizeWith withOutType = QuantizeWith::Division) {
    patterns.add<FormulaLowering<OpT>>(converter, patterns.getContext(),
                                       formula, withOutType);
  }

private:
  mlir::TypeConverter &converter;
  mlir::RewritePatternSet &patterns;
};

/// Each defined in a file of its own.
void addUnaryFormulas(FormulaSet &set);
void addBinaryFormulas(FormulaSet &set);
void addGradientFormulas(FormulaSet &set);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_NUMBER_H
