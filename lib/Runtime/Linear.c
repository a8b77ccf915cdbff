//===- Linear.c - Linear algebra ------------------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "modelwright/Runtime/Runtime.h"

#include <float.h>

static void swap(double *a, double *b) {
  double moved = *a;
  *a = *b;
  *b = moved;
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

/// Gauss-Jordan elimination with row pivots: turns `a` into the identity and
/// the identity in `b` into the inverse.
static void invert(double *a, double *b, intptr_t n) {
  for (intptr_t i = 0; i < n * n; ++i)
    b[i] = i % (n + 1) == 0;
  for (intptr_t k = 0; k < n; ++k) {
    intptr_t pivot = k;
    for (intptr_t i = k + 1; i < n; ++i)
      if (__builtin_fabs(a[i * n + k]) > __builtin_fabs(a[pivot * n + k]))
        pivot = i;
    for (intptr_t j = 0; pivot != k && j < n; ++j) {
      swap(&a[k * n + j], &a[pivot * n + j]);
      swap(&b[k * n + j], &b[pivot * n + j]);
    }
    // A singular matrix ends in infinities and NaNs here.
    double scale = 1 / a[k * n + k];
    for (intptr_t j = 0; j < n; ++j) {
      a[k * n + j] *= scale;
      b[k * n + j] *= scale;
    }
    for (intptr_t i = 0; i < n; ++i) {
      double factor = a[i * n + k];
      if (i == k || factor == 0)
        continue;
      for (intptr_t j = 0; j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
        b[i * n + j] -= factor * b[k * n + j];
      }
    }
  }
}

void mw_matrix_inverse_f64(intptr_t input, intptr_t output, intptr_t scratch,
                           intptr_t count, intptr_t n) {
  for (intptr_t matrix = 0; matrix < count; ++matrix) {
    const double *from = (const double *)input + matrix * n * n;
    double *copy = (double *)scratch;
    for (intptr_t i = 0; i < n * n; ++i)
      copy[i] = from[i];
    invert(copy, (double *)output + matrix * n * n, n);
  }
}

//===----------------------------------------------------------------------===//
// Singular values
//===----------------------------------------------------------------------===//

static double dot(const double *a, const double *b, intptr_t length) {
  double sum = 0;
  for (intptr_t i = 0; i < length; ++i)
    sum += a[i] * b[i];
  return sum;
}

/// Turns two vectors by the angle of cosine `c` and sine `s`.
static void rotate(double *a, double *b, intptr_t length, double c, double s) {
  for (intptr_t i = 0; i < length; ++i) {
    double x = a[i], y = b[i];
    a[i] = c * x - s * y;
    b[i] = s * x + c * y;
  }
}

/// One-sided Jacobi: turns pairs of the `count` vectors `a` of `length`
/// elements until all are orthogonal, and those of `v`, which start as the
/// identity, by the same angles.
static void orthogonalize(double *a, double *v, intptr_t count,
                          intptr_t length) {
  for (intptr_t i = 0; i < count * count; ++i)
    v[i] = i % (count + 1) == 0;
  // Convergence is quadratic: less than ten sweeps do for any matrix that was
  // ever seen. The bound is for NaNs.
  for (int sweep = 0, turned = 1; turned && sweep < 60; ++sweep) {
    turned = 0;
    for (intptr_t p = 0; p < count; ++p)
      for (intptr_t q = p + 1; q < count; ++q) {
        double *x = a + p * length, *y = a + q * length;
        double xx = dot(x, x, length), yy = dot(y, y, length);
        double xy = dot(x, y, length);
        if (!(__builtin_fabs(xy) >
              DBL_EPSILON * __builtin_sqrt(xx) * __builtin_sqrt(yy)))
          continue;
        double zeta = (yy - xx) / (2 * xy);
        double t = __builtin_copysign(1, zeta) /
                   (__builtin_fabs(zeta) + __builtin_hypot(1, zeta));
        double c = 1 / __builtin_sqrt(1 + t * t);
        rotate(x, y, length, c, c * t);
        rotate(v + p * count, v + q * count, count, c, c * t);
        turned = 1;
      }
  }
}

/// Makes vector `k` of `a` one of length 1 that is orthogonal to those before.
static void complete(double *a, intptr_t k, intptr_t length) {
  double *own = a + k * length;
  // Start from the axis of which the others hold least.
  intptr_t best = 0;
  double rest = -1;
  for (intptr_t i = 0; i < length; ++i) {
    double left = 1;
    for (intptr_t j = 0; j < k; ++j)
      left -= a[j * length + i] * a[j * length + i];
    if (left > rest) {
      rest = left;
      best = i;
    }
  }
  for (intptr_t i = 0; i < length; ++i)
    own[i] = i == best;
  // Twice is enough: rounding leaves nothing after the second time.
  for (int pass = 0; pass < 2; ++pass)
    for (intptr_t j = 0; j < k; ++j) {
      double part = dot(own, a + j * length, length);
      for (intptr_t i = 0; i < length; ++i)
        own[i] -= part * a[j * length + i];
    }
  double norm = __builtin_sqrt(dot(own, own, length));
  for (intptr_t i = 0; i < length; ++i)
    own[i] /= norm;
}

/// Sorts by the lengths `s`, greatest first, the vectors along.
static void sort_vectors(double *a, double *v, double *s, intptr_t count,
                         intptr_t length) {
  for (intptr_t k = 0; k < count; ++k) {
    intptr_t best = k;
    for (intptr_t i = k + 1; i < count; ++i)
      if (s[i] > s[best])
        best = i;
    if (best == k)
      continue;
    swap(&s[k], &s[best]);
    for (intptr_t i = 0; i < length; ++i)
      swap(&a[k * length + i], &a[best * length + i]);
    for (intptr_t i = 0; i < count; ++i)
      swap(&v[k * count + i], &v[best * count + i]);
  }
}

void mw_svd_f64(intptr_t input, intptr_t u, intptr_t s, intptr_t vt,
                intptr_t scratch, intptr_t count, intptr_t m, intptr_t n,
                intptr_t full) {
  // The vectors are those of the longer side: the columns of a tall matrix,
  // the rows of a wide one.
  int is_tall = m >= n;
  intptr_t length = is_tall ? m : n, least = is_tall ? n : m;
  intptr_t sides = full ? length : least;
  for (intptr_t matrix = 0; matrix < count; ++matrix) {
    const double *from = (const double *)input + matrix * m * n;
    double *values = (double *)s + matrix * least;
    double *a = (double *)scratch, *v = a + sides * length;
    for (intptr_t k = 0; k < least; ++k)
      for (intptr_t i = 0; i < length; ++i)
        a[k * length + i] = is_tall ? from[i * n + k] : from[k * n + i];
    orthogonalize(a, v, least, length);
    for (intptr_t k = 0; k < least; ++k)
      values[k] = __builtin_sqrt(dot(a + k * length, a + k * length, length));
    sort_vectors(a, v, values, least, length);
    for (intptr_t k = 0; k < sides; ++k) {
      // Vectors of rounding errors have no direction.
      if (k >= least || values[k] <= values[0] * (double)length * DBL_EPSILON) {
        complete(a, k, length);
        continue;
      }
      for (intptr_t i = 0; i < length; ++i)
        a[k * length + i] /= values[k];
    }
    intptr_t columns = is_tall ? sides : least;
    intptr_t rows = is_tall ? least : sides;
    double *left = (double *)u + matrix * m * columns;
    double *right = (double *)vt + matrix * rows * n;
    for (intptr_t i = 0; i < m; ++i)
      for (intptr_t k = 0; k < columns; ++k)
        left[i * columns + k] = is_tall ? a[k * m + i] : v[k * m + i];
    for (intptr_t k = 0; k < rows; ++k)
      for (intptr_t j = 0; j < n; ++j)
        right[k * n + j] = is_tall ? v[k * n + j] : a[k * n + j];
  }
}
