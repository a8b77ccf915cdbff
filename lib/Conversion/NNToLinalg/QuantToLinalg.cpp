//===- QuantToLinalg.cpp - Fake quantization ------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Number.h"
#include "modelwright/Dialect/NN/IR/NNQuantOps.h"

using namespace mlir;
using namespace modelwright;
using namespace modelwright::nn;

namespace {
/// A fake quantization with its bounds; `formula` gets the operands.
template <typename OpT> class FakeQuantizeLowering : public Lowering<OpT> {
public:
  using Function = Number (*)(Numbers x, double qmin, double qmax);
  FakeQuantizeLowering(const TypeConverter &converter, MLIRContext *context,
                       Function formula)
      : Lowering<OpT>(converter, context), formula(formula) {}

  FailureOr<SmallVector<Value>> lower(OpT op, OpT::Adaptor adaptor,
                                      ImplicitLocOpBuilder &b) const override {
    double qmin = op.getQminAttr().getValue().getSExtValue();
    double qmax = op.getQmaxAttr().getValue().getSExtValue();
    return lowerFormula(b, op, adaptor.getOperands(), [&](Numbers x) -> Value {
      return formula(x, qmin, qmax);
    });
  }

private:
  Function formula;
};
} // namespace

static Number fakeQuant(Numbers x, double qmin, double qmax) {
  Number code = roundHalfAway(x[0] / x[1]) + x[2];
  return (clip(code, qmin, qmax) - x[2]) * x[1];
}

static Number tqt(Numbers x, double qmin, double qmax) {
  Number scale = apply<math::Exp2Op>(x[1]);
  return clip(roundHalfAway(x[0] / scale), qmin, qmax) * scale;
}

static Number lsq(Numbers x, double qmin, double qmax) {
  Number code = clip(x[0] / x[1] + x[2], qmin, qmax);
  return (roundHalfAway(code) - x[2]) * x[1];
}

void nn::populateQuantLowerings(TypeConverter &converter,
                                RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<FakeQuantizeLowering<FakeQuantOp>>(converter, context,
                                                  fakeQuant);
  patterns.add<FakeQuantizeLowering<TQTOp>>(converter, context, tqt);
  patterns.add<FakeQuantizeLowering<LSQOp>>(converter, context, lsq);
}
