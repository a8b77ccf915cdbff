//===- Scalar.h - Formulas over emitted scalars -----------------*- C++ -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A scalar with the operators of C++, so that the formulas of sampling ops can
// be read. Each operator emits one op; constants take the type of the other
// side. Integers are signed.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SCALAR_H
#define MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SCALAR_H

#include "modelwright/Conversion/NNToLinalg/Lowering.h"

namespace modelwright::nn {

class Scalar {
public:
  Scalar(mlir::ImplicitLocOpBuilder &b, mlir::Value value)
      : b(&b), value(value) {}

  mlir::Value get() const { return value; }
  bool isFloat() const { return mlir::isa<mlir::FloatType>(value.getType()); }

  /// A constant of this number's type.
  Scalar like(double number) const {
    return {*b, emitConstant(*b, value.getType(), number)};
  }

  Scalar operator+(Scalar rhs) const { return {*b, emitAdd(*b, value, rhs)}; }
  Scalar operator-(Scalar rhs) const { return {*b, emitSub(*b, value, rhs)}; }
  Scalar operator*(Scalar rhs) const { return {*b, emitMul(*b, value, rhs)}; }
  Scalar operator/(Scalar rhs) const;
  /// An arithmetic shift to the right.
  Scalar operator>>(unsigned bits) const;
  Scalar operator+(double rhs) const { return *this + like(rhs); }
  Scalar operator-(double rhs) const { return *this - like(rhs); }
  Scalar operator*(double rhs) const { return *this * like(rhs); }
  Scalar operator/(double rhs) const { return *this / like(rhs); }
  friend Scalar operator+(double lhs, Scalar rhs) {
    return rhs.like(lhs) + rhs;
  }
  friend Scalar operator-(double lhs, Scalar rhs) {
    return rhs.like(lhs) - rhs;
  }
  friend Scalar operator*(double lhs, Scalar rhs) {
    return rhs.like(lhs) * rhs;
  }
  friend Scalar operator/(double lhs, Scalar rhs) {
    return rhs.like(lhs) / rhs;
  }

  /// Comparisons give an i1 and are false for a NaN.
  Scalar operator<(Scalar rhs) const { return compare(Predicate::lt, rhs); }
  Scalar operator<=(Scalar rhs) const { return compare(Predicate::le, rhs); }
  Scalar operator>(Scalar rhs) const { return compare(Predicate::gt, rhs); }
  Scalar operator>=(Scalar rhs) const { return compare(Predicate::ge, rhs); }
  Scalar operator==(Scalar rhs) const { return compare(Predicate::eq, rhs); }
  Scalar operator<(double rhs) const { return *this < like(rhs); }
  Scalar operator<=(double rhs) const { return *this <= like(rhs); }
  Scalar operator>(double rhs) const { return *this > like(rhs); }
  Scalar operator>=(double rhs) const { return *this >= like(rhs); }
  Scalar operator==(double rhs) const { return *this == like(rhs); }

  /// Of i1 values.
  Scalar operator&(Scalar rhs) const;
  Scalar operator|(Scalar rhs) const;
  /// `*this ? lhs : rhs`.
  Scalar select(Scalar lhs, Scalar rhs) const;

  /// The larger or smaller one; `rhs` if this is a NaN.
  Scalar max(Scalar rhs) const { return (*this > rhs).select(*this, rhs); }
  Scalar min(Scalar rhs) const { return (*this < rhs).select(*this, rhs); }
  Scalar clamp(Scalar low, Scalar high) const { return max(low).min(high); }
  Scalar clamp(double low, double high) const {
    return clamp(like(low), like(high));
  }

  /// Of floats.
  Scalar floor() const;
  Scalar ceil() const;
  Scalar abs() const;
  Scalar sin() const;
  /// Rounded to an integer: halves to even, or away from zero (as
  /// `floor(abs + 0.5)`, which in f64 is right for what fits f32).
  Scalar roundHalfEven() const;
  Scalar roundHalfAway() const;

  /// Remainder of integers, not negative for a positive `rhs`.
  Scalar modulo(Scalar rhs) const;

  /// In another type: integers and indices by value, floats truncated (what
  /// does not fit is undefined: clamp first).
  Scalar to(mlir::Type type) const;
  Scalar toF32() const { return to(b->getF32Type()); }
  Scalar toF64() const { return to(b->getF64Type()); }
  Scalar toIndex() const { return to(b->getIndexType()); }

private:
  operator mlir::Value() const { return value; }
  Scalar compare(Predicate predicate, Scalar rhs) const {
    return {*b, emitCompare(*b, predicate, value, rhs.value, value.getType())};
  }

  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
};

/// A number of f64 as an integer element, real or quantized: rounded half away
/// from zero, `zeroPoint` added, held in the element's range.
mlir::Value emitRoundedElement(Scalar value, mlir::Type element,
                               int64_t zeroPoint = 0);

/// The zero point of a quantized type, 0 for others.
int64_t getZeroPoint(mlir::Type element);

/// Whether emitRoundedElement can give such elements.
bool isRoundable(mlir::Type element);

/// The weight of tap `k` of the cubic kernel with A = -0.75, whose four taps
/// begin one before an element, `fraction` behind it.
Scalar emitCubicWeight(Scalar fraction, Scalar k);

/// The weight of tap `k` of the Lanczos kernel, whose eight taps begin three
/// before the element.
Scalar emitLanczosWeight(Scalar fraction, Scalar k);

} // namespace modelwright::nn

#endif // MODELWRIGHT_LIB_CONVERSION_NNTOLINALG_SCALAR_H
