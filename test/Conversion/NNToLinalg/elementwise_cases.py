#!/usr/bin/env python3
"""Elementwise ops, casts and fake quantization of every element type, against the evaluator.

usage: elementwise_cases.py BIN_DIR ORACLE_DIR
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import ops_elemwise
import tables
from engine_cases import Cases, Params, element_type
from values import BOOL, DT, F32, I32, NP, RANGE, Val, bf16_round, is_float, is_quant

np.seterr(all='ignore')  # Integers are divided by zero on purpose.
RNG = np.random.RandomState(5)
FLOAT16, BFLOAT16 = DT('Float16', 0, 0), DT('BFloat16', 0, 0)
INTEGERS = [I32] + [DT(name, 0, 0) for name in ('Int8', 'Int16', 'Uint8', 'Uint16')]
QUANTIZED = [DT('QuantizedS8', 0.05, 0), DT('Quantized8Asymm', 0.05, 120), DT('QuantizedS32', 0.001, 0),
             DT('QuantizedS16', 0.002, 0), DT('QuantizedS4', 0.5, 0), DT('Quantized4Asymm', 0.5, 7)]
TOLERANCE = dict(Float32=3e-6, Float16=1.5e-3, BFloat16=8e-3)

# The evaluator's name, and where the function of one operand is defined if not everywhere.
NUMERIC = dict(abs=('ABS', 1), neg=('NEGATE', 1), sign=('SIGN', 1), square=('SQUARE', 1), relu=('RELU', 1),
               relu6=('RELU6', 1), add=('ADD', 2), sub=('SUB', 2), mul=('MUL', 2), floor_div=('FLOOR_DIV', 2),
               mod=('MOD', 2), maximum=('MAX', 2), minimum=('MIN', 2), switch_gt0=('SWITCH_GT0', 2),
               prelu=('PRELU', 2), less=('LT', 2), less_equal=('LEQ', 2), equal=('EQ', 2), abs_grad=('ABS_GRAD', 2),
               sigmoid_grad=('SIGMOID_GRAD', 2), tanh_grad=('TANH_GRAD', 2), prelu_grad=('PRELU_GRAD', 3),
               fma=('FUSE_MUL_ADD3', 3), clip=('CLIP', 3), cond_less_move=('COND_LT_MOV', 3),
               cond_less_equal_move=('COND_LEQ_MOV', 3), fma2=('FUSE_MUL_ADD4', 4))
REAL = dict(ceil=('CEIL', 1), floor=('FLOOR', 1), round=('ROUND', 1), sqrt=('SQRT', 1), exp=('EXP', 1),
            expm1=('EXPM1', 1), log=('LOG', 1), log1p=('LOG1P', 1), erf=('ERF', 1), erf_inv=('ERFINV', 1),
            erfc=('ERFC', 1), erfc_inv=('ERFCINV', 1), sin=('SIN', 1), cos=('COS', 1), tan=('TAN', 1),
            asin=('ASIN', 1), acos=('ACOS', 1), sinh=('SINH', 1), cosh=('COSH', 1), tanh=('TANH', 1),
            asinh=('ASINH', 1), acosh=('ACOSH', 1), atanh=('ATANH', 1), fast_tanh=('FAST_TANH', 1),
            sigmoid=('SIGMOID', 1), log_sigmoid=('LOGSIGMOID', 1), softplus=('SOFTPLUS', 1), silu=('SILU', 1),
            gelu=('GELU', 1), h_swish=('H_SWISH', 1), h_sigmoid=('HSIGMOID', 1), div=('TRUE_DIV', 2), pow=('POW', 2),
            atan2=('ATAN2', 2), log_add_exp=('LOG_SUM_EXP', 2), fast_tanh_grad=('FAST_TANH_GRAD', 2),
            relu6_grad=('RELU6_GRAD', 2), h_swish_grad=('H_SWISH_GRAD', 2), h_sigmoid_grad=('HSIGMOID_GRAD', 2),
            silu_grad=('SILU_GRAD', 2), gelu_grad=('GELU_GRAD', 2), softplus_grad=('SOFTPLUS_GRAD', 2),
            asinh_grad=('ASINH_GRAD', 2), acosh_grad=('ACOSH_GRAD', 2), atanh_grad=('ATANH_GRAD', 2))
INTEGER = dict(rounding_mul_high=('RMULH', 2), shift_left=('SHL', 2), shift_right=('SHR', 2))
LOGICAL = dict(logical_not=('NOT', 1), logical_and=('AND', 2), logical_or=('OR', 2), logical_xor=('XOR', 2))
DOMAIN = dict(sqrt=(0, 9), log=(0.01, 9), log1p=(-0.9, 5), erf_inv=(-0.99, 0.99), erfc_inv=(0.01, 1.99),
              asin=(-1, 1), acos=(-1, 1), acosh=(1.01, 9), atanh=(-0.95, 0.95), pow=(0.1, 4), acosh_grad=(1.2, 5),
              atanh_grad=(-0.9, 0.9), tan=(-1.4, 1.4))
SHAPES = [(2, 3, 8), (3, 1), (8,), (1, 1, 1)]


def numbers(shape, dt, domain=None):
    if is_float(dt):
        low, high = domain or (-4, 4)
        a = RNG.uniform(low, high, shape).astype('f4')
        return Val(bf16_round(a) if dt.name == 'BFloat16' else a.astype(NP[dt.name]), dt)
    if dt is BOOL:
        return Val(RNG.randint(0, 2, shape) != 0, dt)
    info = np.iinfo(NP[dt.name])
    low, high = max(info.min, -3000), min(info.max, 3000)
    if is_quant(dt):
        low, high = max(RANGE[dt.name][0], low), min(RANGE[dt.name][1], high)
        if domain:
            low = max(low, int(np.ceil(domain[0] / dt.scale)) + dt.zp)
            high = min(high, int(np.floor(domain[1] / dt.scale)) + dt.zp)
    a = RNG.randint(low, high + 1, shape).astype(NP[dt.name])
    if not is_quant(dt) and a.size > 8:
        flat = a.reshape(-1)
        flat[:5] = 0, 1, info.min, info.max, 3
    return Val(a, dt)


def evaluate(mode, values, out=None):
    o = Params(p=Params(mode=tables.ELEMWISE.index(mode)), output_dtype=out)
    return ops_elemwise.elemwise(None, o, values)[0]


def as_f32(v):
    return Val(v.a.astype('f4'), F32)


def operands(name, count, dt):
    values = [numbers(shape, dt, DOMAIN.get(name)) for shape in SHAPES[:count]]
    if dt in INTEGERS and count == 2:
        # A divisor of each kind: 0, which must not trap, nor -1 with the least number.
        values[1] = Val(np.array([[0], [-1 if NP[dt.name].kind == 'i' else 7], [3]], NP[dt.name]), dt)
        values[0].a[0, 1, 2] = np.iinfo(NP[dt.name]).min
    if name.startswith('shift'):
        values[1] = Val(np.array([[0], [3], [7]], NP[dt.name]), dt)
    return values


def add(cases, name, mode, count, dt, is_real):
    values = operands(name, count, dt)
    inputs = [as_f32(v) for v in values] if is_real and dt in INTEGERS else values
    expected = evaluate(mode, inputs)
    text = 'nn.%s %s' % (name, ', '.join('%%%d' % k for k in range(count)))
    cases.add('%s of %s' % (name, dt), text, values, expected, TOLERANCE.get(expected.dt.name, 0))


def elementwise(cases):
    for table, is_real in ((NUMERIC, False), (REAL, True)):
        for name, (mode, count) in table.items():
            floats = [F32, FLOAT16, BFLOAT16]
            # The domains of these hold no integers to speak of.
            integers = [] if is_real and name in DOMAIN else INTEGERS
            for dt in floats + integers + QUANTIZED:
                add(cases, name, mode, count, dt, is_real)
    for name, (mode, count) in INTEGER.items():
        for dt in INTEGERS:
            add(cases, name, mode, count, dt, False)
    for name, (mode, count) in LOGICAL.items():
        add(cases, name, mode, count, BOOL, False)


def activations(cases):
    for name, mode in (('relu', 'FUSE_ADD_RELU'), ('sigmoid', 'FUSE_ADD_SIGMOID'), ('tanh', 'FUSE_ADD_TANH'),
                       ('h_swish', 'FUSE_ADD_H_SWISH')):
        exact = name == 'relu'
        for dt in [F32, FLOAT16] + (INTEGERS if exact else []) + QUANTIZED[:2]:
            values = operands('add', 2, dt)
            cases.add('add with %s of %s' % (name, dt), 'nn.add %%0, %%1 {activation = #nn.activation<%s>}' % name,
                      values, evaluate(mode, values), TOLERANCE.get(dt.name, 0))


def requantized(cases):
    """Operands of several quantized types: the kernels that multiply by the reciprocal, and one that divides."""
    for name, mode, count in (('relu', 'QRELU', 1), ('abs', 'QABS', 1), ('add', 'QADD', 2), ('sub', 'QSUB', 2),
                              ('maximum', 'QMAX', 2), ('minimum', 'QMIN', 2), ('mul', 'QMUL', 2), ('neg', 'QNEGATE', 1)):
        for source in QUANTIZED[:3]:
            # Half of the scale: each other value is a tie.
            out = DT('QuantizedS8', source.scale * 2, 0)
            others = [source, DT('QuantizedS8', 0.125, 0)]
            values = [numbers((4, 50), dt) for dt in others[:count]]
            o = Params(p=Params(mode=tables.MULTITYPE.index(mode)), output_dtype=out)
            text = 'nn.%s %s {out_type = %s}' % (name, ', '.join('%%%d' % k for k in range(count)), element_type(out))
            cases.add('%s of %s into %s' % (name, source, out), text, values,
                      ops_elemwise.multitype(None, o, values)[0])


def casts(cases):
    kinds = [F32, FLOAT16, BFLOAT16, BOOL] + INTEGERS + QUANTIZED
    for source in kinds:
        for target in kinds:
            if source == target:
                continue
            v = numbers((5, 24), source)
            if is_float(source) and target in INTEGERS:
                v = numbers((5, 24), source, (0, 100))  # Nothing is defined out of range.
            if is_quant(source) and target in INTEGERS and NP[target.name].kind == 'u':
                v = Val(np.maximum(v.a, source.zp), source)
            expected = ops_elemwise.cast(v, target)
            cases.add('cast of %s to %s' % (source, target), 'nn.cast %%0 {to = %s}' % element_type(target), [v],
                      expected, TOLERANCE.get(target.name, 0))


def fake_quantized(cases):
    for dt in (F32, FLOAT16, BFLOAT16):
        x = numbers((4, 30), dt)
        scale, zero = Val(np.full((1, 30), 0.125, NP[dt.name]), dt), Val(np.full((1,), 3, NP[dt.name]), dt)
        o = Params(p=Params(qmin=-20, qmax=15))
        text = '{qmin = -20 : i32, qmax = 15 : i32}'
        cases.add('fake_quant of %s' % dt.name, 'nn.fake_quant %0, %1, %2 ' + text, [x, scale, zero],
                  ops_elemwise.fake_quant(None, o, [x, scale, zero])[0])
        cases.add('lsq of %s' % dt.name, 'nn.lsq %0, %1, %2, %3 ' + text, [x, scale, zero, scale],
                  ops_elemwise.lsq(None, o, [x, scale, zero, scale])[0])
        power = Val(np.full((1,), -3, NP[dt.name]), dt)
        cases.add('tqt of %s' % dt.name, 'nn.tqt %0, %1 ' + text, [x, power],
                  ops_elemwise.tqt(None, o, [x, power])[0])


class ManyCases(Cases):
    CHUNK = 50  # Small ops.
    OPTIONS = ['--opt-level=0', '--schedule=plain']  # No approximations.


def main():
    cases = ManyCases()
    elementwise(cases)
    activations(cases)
    requantized(cases)
    casts(cases)
    fake_quantized(cases)
    return cases.main(sys.argv[1], 1200, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
