//===- GradientFormulas.cpp - Gradients of elementwise ops ----------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/NNElementwiseOps.h"

#include <cmath>

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

/// `low < x && x < high`.
static Value isBetween(Number x, double low, double high) {
  return arith::AndIOp::create(x.getBuilder(), compare(Predicate::gt, x, low),
                               compare(Predicate::lt, x, high));
}

// x[0] is the function's operand (or its result, where the op says so), x[1]
// the gradient of the result.
void nn::addGradientFormulas(FormulaSet &set) {
  set.add<AbsGradOp>([](Numbers x) -> Value {
    return select(compare(Predicate::gt, x[0], 0), x[1], -x[1]);
  });
  set.add<SigmoidGradOp>(
      [](Numbers x) -> Value { return x[0] * (1 - x[0]) * x[1]; });
  set.add<TanhGradOp>(
      [](Numbers x) -> Value { return (1 - x[0] * x[0]) * x[1]; });
  set.add<FastTanhGradOp>([](Numbers x) -> Value {
    Number square = x[0] * x[0];
    return x[1] * (square + 27 - 48 * square / (3 + square)) /
           (9 * (3 + square));
  });
  set.add<Relu6GradOp>([](Numbers x) -> Value {
    return select(isBetween(x[0], 0, 6), x[1], 0);
  });
  set.add<HSwishGradOp>([](Numbers x) -> Value {
    Number inner = (2 * x[0] + 3) / 6 * x[1];
    Number upper = select(compare(Predicate::gt, x[0], 3), x[1], inner);
    return select(compare(Predicate::lt, x[0], -3), 0, upper);
  });
  set.add<HSigmoidGradOp>([](Numbers x) -> Value {
    return select(isBetween(x[0], -3, 3), x[1] / 6, 0);
  });
  set.add<SiluGradOp>([](Numbers x) -> Value {
    Number s = sigmoid(x[0]);
    return x[1] * s * (1 + x[0] * (1 - s));
  });
  set.add<GeluGradOp>([](Numbers x) -> Value {
    Number density =
        std::sqrt(0.5 / M_PI) * apply<math::ExpOp>(-x[0] * x[0] / 2);
    return x[1] * (normalDistribution(x[0]) + x[0] * density);
  });
  set.add<SoftplusGradOp>(
      [](Numbers x) -> Value { return x[1] * sigmoid(x[0]); });
  set.add<AsinhGradOp>([](Numbers x) -> Value {
    return x[1] / apply<math::SqrtOp>(x[0] * x[0] + 1);
  });
  set.add<AcoshGradOp>([](Numbers x) -> Value {
    return x[1] / apply<math::SqrtOp>(x[0] * x[0] - 1);
  });
  set.add<AtanhGradOp>(
      [](Numbers x) -> Value { return x[1] / (1 - x[0] * x[0]); });
  set.add<PReluGradOp>([](Numbers x) -> Value {
    return select(compare(Predicate::ge, x[0], 0), x[1], x[1] * x[2]);
  });
}
