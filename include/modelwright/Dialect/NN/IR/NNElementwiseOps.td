//===- NNElementwiseOps.td - Elementwise ops ---------------*- tablegen -*-===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands broadcast numpy style. What element types an op takes is its rule,
// an enumerator of ElementwiseRule in NNElementwiseOps.cpp:
//
//   Numeric    floats and integers; the result has the operands' type
//   Real       floats; integers are converted to f32 first
//   Integer    integers only
//   Logical    i1 only
//   Predicate  anything; the result is 1 or 0 in the operands' type, or i1 if
//              `out_type` says so
//   Product    as Numeric, or a narrow integer factor with wider operands
//
// Operands that are all of one quantized type give that type. With `out_type`
// the operands may be of several quantized types: each is dequantized, the
// formula is evaluated in f32, and the result is quantized to `out_type`.
//
//===----------------------------------------------------------------------===//

#ifndef MODELWRIGHT_DIALECT_NN_IR_NNELEMENTWISEOPS_TD
#define MODELWRIGHT_DIALECT_NN_IR_NNELEMENTWISEOPS_TD

include "modelwright/Dialect/NN/IR/NNAttrs.td"
include "modelwright/Dialect/NN/IR/NNBase.td"

/// An elementwise op; inference is written by hand.
class NN_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : NN_InferredOp<mnemonic, [NN_ElementwiseOpInterface] # traits> {
  let results = (outs NN_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

/// An elementwise op whose inference is its rule.
class NN_RuledOp<string mnemonic, string formula, string rule, dag args,
                 list<Trait> traits = []>
    : NN_ElementwiseOp<mnemonic, traits> {
  let summary = "elementwise " # mnemonic;
  let description = "`result = " # formula # "`\n\nElement types: rule " #
      rule # ", see the list of rules at the top of NNElementwiseOps.td.";
  let arguments = !con(args, (ins OptionalAttr<TypeAttr>:$out_type));
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(
        ::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
        $cppClass::Adaptor adaptor,
        ::llvm::SmallVectorImpl<::mlir::Type> &types) {
      return inferElementwise(loc, ElementwiseRule::}] # rule # [{,
                              adaptor.getOperands(), adaptor.getOutType(),
                              types);
    }
  }];
}

class NN_Unary<string mnemonic, string formula, string rule,
               list<Trait> traits = []>
    : NN_RuledOp<mnemonic, formula, rule, (ins NN_Tensor:$input), traits>;

class NN_Binary<string mnemonic, string formula, string rule,
                list<Trait> traits = []>
    : NN_RuledOp<mnemonic, formula, rule,
                 (ins NN_Tensor:$lhs, NN_Tensor:$rhs), traits>;

/// The gradient of a unary function; `grad` is that of its result.
class NN_UnaryGrad<string mnemonic, string formula, string rule>
    : NN_RuledOp<mnemonic, formula, rule,
                 (ins NN_Tensor:$input, NN_Tensor:$grad)>;

//===----------------------------------------------------------------------===//
// One operand
//===----------------------------------------------------------------------===//

def NN_AbsOp : NN_Unary<"abs", "|input|", "Numeric"> { let hasFolder = 1; }
def NN_NegOp : NN_Unary<"neg", "-input", "Numeric"> { let hasFolder = 1; }
def NN_SignOp : NN_Unary<"sign", "-1, 0 or 1", "Numeric">;
def NN_SquareOp : NN_Unary<"square", "input * input", "Numeric">;
def NN_ReluOp : NN_Unary<"relu", "input <= 0 ? 0 : input", "Numeric"> {
  let hasFolder = 1;
}
def NN_Relu6Op : NN_Unary<"relu6", "clip(input, 0, 6)", "Numeric"> {
  let hasFolder = 1;
}

def NN_CeilOp : NN_Unary<"ceil", "ceil(input)", "Real"> { let hasFolder = 1; }
def NN_FloorOp : NN_Unary<"floor", "floor(input)", "Real"> {
  let hasFolder = 1;
}
def NN_RoundOp : NN_Unary<"round", "round(input), halves away from zero",
                          "Real"> { let hasFolder = 1; }

def NN_SqrtOp : NN_Unary<"sqrt", "sqrt(input)", "Real">;
def NN_ExpOp : NN_Unary<"exp", "exp(input)", "Real">;
def NN_Expm1Op : NN_Unary<"expm1", "exp(input) - 1", "Real">;
def NN_LogOp : NN_Unary<"log", "log(input)", "Real">;
def NN_Log1pOp : NN_Unary<"log1p", "log(1 + input)", "Real">;
def NN_ErfOp : NN_Unary<"erf", "erf(input)", "Real">;
def NN_ErfInvOp : NN_Unary<"erf_inv", "erf^-1(input)", "Real">;
def NN_ErfcOp : NN_Unary<"erfc", "1 - erf(input)", "Real">;
def NN_ErfcInvOp : NN_Unary<"erfc_inv", "erfc^-1(input)", "Real">;

def NN_SinOp : NN_Unary<"sin", "sin(input)", "Real">;
def NN_CosOp : NN_Unary<"cos", "cos(input)", "Real">;
def NN_TanOp : NN_Unary<"tan", "tan(input)", "Real">;
def NN_AsinOp : NN_Unary<"asin", "asin(input)", "Real">;
def NN_AcosOp : NN_Unary<"acos", "acos(input)", "Real">;
def NN_SinhOp : NN_Unary<"sinh", "sinh(input)", "Real">;
def NN_CoshOp : NN_Unary<"cosh", "cosh(input)", "Real">;
def NN_TanhOp : NN_Unary<"tanh", "tanh(input)", "Real">;
def NN_AsinhOp : NN_Unary<"asinh", "asinh(input)", "Real">;
def NN_AcoshOp : NN_Unary<"acosh", "acosh(input)", "Real">;
def NN_AtanhOp : NN_Unary<"atanh", "atanh(input)", "Real">;
def NN_FastTanhOp : NN_Unary<"fast_tanh",
    "input*(27 + input^2)/(27 + 9*input^2), not clamped", "Real">;

def NN_SigmoidOp : NN_Unary<"sigmoid", "1 / (1 + exp(-input))", "Real">;
def NN_LogSigmoidOp : NN_Unary<"log_sigmoid",
    "min(input, 0) - log1p(exp(-|input|))", "Real">;
def NN_SoftplusOp : NN_Unary<"softplus",
    "max(input, 0) + log1p(exp(-|input|))", "Real">;
def NN_SiluOp : NN_Unary<"silu", "input / (1 + exp(-input))", "Real">;
def NN_GeluOp : NN_Unary<"gelu",
    "input * (1 + erf(input/sqrt(2))) / 2", "Real">;
def NN_HSwishOp : NN_Unary<"h_swish", "input * clip(input + 3, 0, 6) / 6",
                           "Real">;
def NN_HSigmoidOp : NN_Unary<"h_sigmoid", "clip((input + 3) / 6, 0, 1)",
                             "Real">;

def NN_LogicalNotOp : NN_Unary<"logical_not", "!input", "Logical"> {
  let hasFolder = 1;
}
def NN_IsNanOp : NN_Unary<"is_nan", "input is a NaN", "Predicate">;
def NN_IsInfOp : NN_Unary<"is_inf", "input is +inf or -inf", "Predicate">;

//===----------------------------------------------------------------------===//
// Two operands
//===----------------------------------------------------------------------===//

def NN_AddOp : NN_ElementwiseOp<"add", [Commutative]> {
  let summary = "elementwise add with an optional activation";
  let description = [{
    `result = activation(lhs + rhs)`

    Element types: rule Numeric with the activations `none`, `relu` and
    `relu6`, else rule Real; see the top of NNElementwiseOps.td.
  }];
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs,
    DefaultValuedAttr<NN_ActivationAttr, "Activation::none">:$activation,
    OptionalAttr<TypeAttr>:$out_type);
  let hasFolder = 1;
}

def NN_SubOp : NN_Binary<"sub", "lhs - rhs", "Numeric"> { let hasFolder = 1; }
def NN_MulOp : NN_Binary<"mul", "lhs * rhs", "Product", [Commutative]> {
  let hasFolder = 1;
}
def NN_DivOp : NN_Binary<"div", "lhs / rhs", "Real"> { let hasFolder = 1; }
def NN_FloorDivOp : NN_Binary<"floor_div", "floor(lhs / rhs)", "Numeric">;
def NN_ModOp : NN_Binary<"mod",
    "integers: lhs - floor(lhs/rhs)*rhs; floats: fmod, sign of lhs", "Numeric">;
def NN_MaximumOp : NN_Binary<"maximum", "lhs > rhs ? lhs : rhs", "Numeric"> {
  let hasFolder = 1;
}
def NN_MinimumOp : NN_Binary<"minimum", "lhs < rhs ? lhs : rhs", "Numeric"> {
  let hasFolder = 1;
}
def NN_PowOp : NN_Binary<"pow", "lhs ^ rhs", "Real">;
def NN_Atan2Op : NN_Binary<"atan2", "angle of ordinate lhs, abscissa rhs",
                           "Real">;
def NN_LogAddExpOp : NN_Binary<"log_add_exp", "log(exp(lhs) + exp(rhs))",
                               "Real", [Commutative]>;
def NN_SwitchGt0Op : NN_Binary<"switch_gt0", "lhs > 0 ? rhs : 0", "Numeric">;
def NN_PReluOp : NN_RuledOp<"prelu", "input > 0 ? input : input * slope",
    "Numeric", (ins NN_Tensor:$input, NN_Tensor:$slope)>;

def NN_LessOp : NN_Binary<"less", "lhs < rhs", "Predicate">;
def NN_LessEqualOp : NN_Binary<"less_equal", "lhs <= rhs", "Predicate">;
def NN_EqualOp : NN_Binary<"equal", "lhs == rhs", "Predicate", [Commutative]>;
def NN_NotEqualOp : NN_Binary<"not_equal", "lhs != rhs", "Predicate",
                              [Commutative]>;

def NN_LogicalAndOp : NN_Binary<"logical_and", "lhs && rhs", "Logical",
                                [Commutative]> { let hasFolder = 1; }
def NN_LogicalOrOp : NN_Binary<"logical_or", "lhs || rhs", "Logical",
                               [Commutative]> { let hasFolder = 1; }
def NN_LogicalXorOp : NN_Binary<"logical_xor", "lhs != rhs", "Logical",
                                [Commutative]>;

def NN_ShiftLeftOp : NN_Binary<"shift_left", "lhs << rhs", "Integer">;
def NN_ShiftRightOp : NN_Binary<"shift_right",
    "lhs >> rhs, arithmetic for signed types", "Integer">;
def NN_RoundingMulHighOp : NN_Binary<"rounding_mul_high",
    "saturate((lhs*rhs + 2^(n-2)) >> (n-1)) for n-bit integers", "Integer",
    [Commutative]>;

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

def NN_AbsGradOp : NN_UnaryGrad<"abs_grad", "input > 0 ? grad : -grad",
                                "Numeric">;
def NN_SigmoidGradOp : NN_UnaryGrad<"sigmoid_grad",
    "input*(1 - input)*grad, input being the sigmoid", "Numeric">;
def NN_TanhGradOp : NN_UnaryGrad<"tanh_grad",
    "(1 - input^2)*grad, input being the tanh", "Numeric">;
def NN_FastTanhGradOp : NN_UnaryGrad<"fast_tanh_grad",
    "grad*(input^2 + 27 - 48*input^2/(3 + input^2)) / (9*(3 + input^2))",
    "Real">;
def NN_Relu6GradOp : NN_UnaryGrad<"relu6_grad",
    "0 < input && input < 6 ? grad : 0", "Real">;
def NN_HSwishGradOp : NN_UnaryGrad<"h_swish_grad",
    "input < -3 ? 0 : input > 3 ? grad : (2*input + 3)/6*grad", "Real">;
def NN_HSigmoidGradOp : NN_UnaryGrad<"h_sigmoid_grad",
    "-3 < input && input < 3 ? grad/6 : 0", "Real">;
def NN_SiluGradOp : NN_UnaryGrad<"silu_grad",
    "grad*s*(1 + input*(1 - s)) with s = sigmoid(input)", "Real">;
def NN_GeluGradOp : NN_UnaryGrad<"gelu_grad",
    "grad*(Phi(input) + input*phi(input)), normal distribution and density",
    "Real">;
def NN_SoftplusGradOp : NN_UnaryGrad<"softplus_grad", "grad*sigmoid(input)",
                                     "Real">;
def NN_AsinhGradOp : NN_UnaryGrad<"asinh_grad", "grad/sqrt(input^2 + 1)",
                                  "Real">;
def NN_AcoshGradOp : NN_UnaryGrad<"acosh_grad", "grad/sqrt(input^2 - 1)",
                                  "Real">;
def NN_AtanhGradOp : NN_UnaryGrad<"atanh_grad", "grad/(1 - input^2)", "Real">;
def NN_PReluGradOp : NN_RuledOp<"prelu_grad",
    "input >= 0 ? grad : grad*slope", "Numeric",
    (ins NN_Tensor:$input, NN_Tensor:$grad, NN_Tensor:$slope)>;

//===----------------------------------------------------------------------===//
// Three and four operands
//===----------------------------------------------------------------------===//

def NN_FmaOp : NN_RuledOp<"fma", "a*b + c", "Product",
    (ins NN_Tensor:$a, NN_Tensor:$b, NN_Tensor:$c)>;
def NN_Fma2Op : NN_RuledOp<"fma2", "a*b + c*d", "Numeric",
    (ins NN_Tensor:$a, NN_Tensor:$b, NN_Tensor:$c, NN_Tensor:$d)>;
def NN_ClipOp : NN_RuledOp<"clip",
    "input <= min ? min : (input <= max ? input : max)", "Numeric",
    (ins NN_Tensor:$input, NN_Tensor:$min, NN_Tensor:$max)>;
def NN_CondLessMoveOp : NN_RuledOp<"cond_less_move",
    "lhs < rhs ? value : 0", "Numeric",
    (ins NN_Tensor:$lhs, NN_Tensor:$rhs, NN_Tensor:$value)>;
def NN_CondLessEqualMoveOp : NN_RuledOp<"cond_less_equal_move",
    "lhs <= rhs ? value : 0", "Numeric",
    (ins NN_Tensor:$lhs, NN_Tensor:$rhs, NN_Tensor:$value)>;

//===----------------------------------------------------------------------===//
// Integer arithmetic with saturation
//===----------------------------------------------------------------------===//

def NN_FmaSaturateOp : NN_ElementwiseOp<"fma_saturate"> {
  let summary = "scale and shift of integers with an i8 result";
  let description = [{
    `result = clamp(rint(a*b + c), -128, 127)`, evaluated in f32; `rint` rounds
    halves to even. `a` holds integers, `b` and `c` are f32, the result is i8.
  }];
  let arguments = (ins NN_Tensor:$a, NN_Tensor:$b, NN_Tensor:$c);
}

def NN_ShiftRightSaturateOp : NN_ElementwiseOp<"shift_right_saturate"> {
  let summary = "rounding right shift into a narrower integer";
  let description = [{
    `result = saturate(input / 2^shift)`, rounded with halves away from zero,
    saturated to `out_type` (i8 or i16). `input` holds integers, `shift` is one
    i8.
  }];
  let arguments = (ins NN_Tensor:$input, NN_Tensor:$shift, TypeAttr:$out_type);
}

def NN_AddRequantizeOp : NN_ElementwiseOp<"add_requantize"> {
  let summary = "integer sum, scaled and narrowed to i8";
  let description = [{
    `r = rounding_mul_high(lhs + rhs, multiplier)`; the sum wraps.
    `s = saturate(r / 2^shift)` to i8, halves away from zero.
    `result = min(max(s, min), max)`

    `lhs`, `rhs` and `multiplier` are all i16 or all i32; `multiplier`,
    `shift`, `min` and `max` are one element each, the last three i8.
  }];
  let arguments = (ins NN_Tensor:$lhs, NN_Tensor:$rhs, NN_Tensor:$multiplier,
    NN_Tensor:$shift, NN_Tensor:$min, NN_Tensor:$max);
}

//===----------------------------------------------------------------------===//
// With attributes
//===----------------------------------------------------------------------===//

def NN_PowConstOp : NN_ElementwiseOp<"pow_const"> {
  let summary = "power with a constant exponent";
  let description = [{
    `result = input ^ exponent`, floats only. Exponents within 1e-6 of
    2, 0.5, -0.5, 0, 1, 3, -1 and -2 are those: `input*input`, `sqrt(input)`,
    `1/sqrt(input)`, 1 (also for a NaN), `input`, `input*input*input`,
    `1/input`, `1/(input*input)`.
  }];
  let arguments = (ins NN_Tensor:$input, F32Attr:$exponent);
  let hasFolder = 1;
}

def NN_CastOp : NN_ElementwiseOp<"cast"> {
  let summary = "conversion of the element type";
  let description = [{
    Converts every element to `to`. Float to integer truncates toward zero and
    is undefined out of range; integer to integer wraps; anything to `i1` is
    `input != 0`; `i1` to a number is 0 or 1. A quantized result is
    `clamp(round(x / scale) + zero_point)` with halves rounded away from zero
    and a NaN giving the lower bound; a quantized input is dequantized first
    (`scale * (q - zero_point)`).
  }];
  let arguments = (ins NN_Tensor:$input, TypeAttr:$to);
  let hasFolder = 1;
}

#endif // MODELWRIGHT_DIALECT_NN_IR_NNELEMENTWISEOPS_TD
