"""Elemwise, ElemwiseMultiType, PowC, TypeCvt, Where and the fake quantizers."""
import math

import numpy as np

import tables
from values import (BOOL, DT, F32, NP, RANGE, Unsupported, Val, clamp_codes, dequantize, f32,
                    half_away, is_float, is_quant, op, quantize, real, store)

_erf = np.vectorize(math.erf, otypes=['f8'])
_erfc = np.vectorize(math.erfc, otypes=['f8'])


def erf(x):
    return _erf(x.astype('f8')).astype('f4') if x.size else x


def erfc(x):
    return _erfc(x.astype('f8')).astype('f4') if x.size else x


def _inverse(y, fn, sign):
    """Solves fn(x) = y for erf (sign 1) and erfc (sign -1) by bisection, then Newton steps."""
    y = np.asarray(y, 'f8')
    lo, hi = np.full(y.shape, -6.5), np.full(y.shape, 27.0 if sign < 0 else 6.5)
    if y.size == 0:
        return y
    for _ in range(64):
        mid = (lo + hi) / 2
        below = (fn(mid) - y) * sign < 0
        lo, hi = np.where(below, mid, lo), np.where(below, hi, mid)
    x = (lo + hi) / 2
    limit = {1: ((1, np.inf), (-1, -np.inf)), -1: ((0, np.inf), (2, -np.inf))}[sign]
    for at, value in limit:
        x = np.where(y == at, value, x)
    outside = (abs(y) > 1) if sign > 0 else (y < 0) | (y > 2)
    return np.where(outside | np.isnan(y), np.nan, x)


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


def _hswish(x):
    return x * np.clip(x + 3, 0, 6) / 6


def _relu(x):
    return np.where(x <= 0, x.dtype.type(0), x)


def _phi(x):
    return (0.5 * (1 + erf(x / np.float32(math.sqrt(2))))).astype('f4')


def _rmulh(x, y):
    bits = x.dtype.itemsize * 8
    wide = (x.astype('i8') * y.astype('i8') + (1 << (bits - 2))) >> (bits - 1)
    return np.minimum(wide, (1 << (bits - 1)) - 1).astype(x.dtype)


def _floor_div(x, y):
    return np.floor(x / y) if x.dtype.kind == 'f' else x // y


def _mod(x, y):
    return np.fmod(x, y) if x.dtype.kind == 'f' else np.mod(x, y)


def _log_sum_exp(x, y):
    return np.logaddexp(x, y)


def _silu_grad(x, y):
    s = _sigmoid(x)
    return y * s * (1 + x * (1 - s))


def _fast_tanh_grad(x, y):
    q = x * x
    return y * (q + 27 - 48 * q / (3 + q)) / (9 * (3 + q))


_INV_SQRT_2PI = np.float32(1 / math.sqrt(2 * math.pi))
_softplus = lambda x: np.log1p(np.exp(-abs(x))) + np.maximum(x, 0)

FUNCS = dict(
    RELU=_relu, ABS=np.abs, ACOS=np.arccos, ASIN=np.arcsin, CEIL=np.ceil, COS=np.cos, EXP=np.exp,
    EXPM1=np.expm1, FLOOR=np.floor, LOG=np.log, LOG1P=np.log1p, NEGATE=np.negative, SIGMOID=_sigmoid,
    SIN=np.sin, TANH=np.tanh, ABS_GRAD=lambda x, y: np.where(x > 0, y, -y), ADD=np.add,
    FLOOR_DIV=_floor_div, MAX=lambda x, y: np.where(x > y, x, y), MIN=lambda x, y: np.where(x < y, x, y),
    MOD=_mod, MUL=np.multiply, POW=np.power, SIGMOID_GRAD=lambda x, y: x * (1 - x) * y,
    SUB=np.subtract, SWITCH_GT0=lambda x, y: np.where(x > 0, y, 0 * y),
    TANH_GRAD=lambda x, y: (1 - x * x) * y, TRUE_DIV=np.divide, LOG_SUM_EXP=_log_sum_exp,
    LT=np.less, LEQ=np.less_equal, EQ=np.equal, SHL=np.left_shift, SHR=np.right_shift,
    COND_LEQ_MOV=lambda x, y, z: np.where(x <= y, z, 0 * z),
    COND_LT_MOV=lambda x, y, z: np.where(x < y, z, 0 * z),
    FUSE_MUL_ADD3=lambda x, y, z: x * y + z, FUSE_MUL_ADD4=lambda a, b, c, d: a * b + c * d,
    FUSE_ADD_RELU=lambda x, y: _relu(x + y), FUSE_ADD_SIGMOID=lambda x, y: _sigmoid(x + y),
    FUSE_ADD_TANH=lambda x, y: np.tanh(x + y), FAST_TANH=lambda x: x * (27 + x * x) / (27 + 9 * x * x),
    FAST_TANH_GRAD=_fast_tanh_grad, ROUND=half_away, RMULH=_rmulh, ATAN2=np.arctan2, ERF=erf,
    ERFINV=lambda x: _inverse(x, _erf, 1), ERFC=erfc, ERFCINV=lambda x: _inverse(x, _erfc, -1),
    H_SWISH=_hswish, FUSE_ADD_H_SWISH=lambda x, y: _hswish(x + y),
    H_SWISH_GRAD=lambda x, y: np.where(x < -3, 0 * y, np.where(x > 3, y, (2 * x + 3) / 6 * y)),
    NOT=np.logical_not, AND=np.logical_and, OR=np.logical_or, XOR=np.logical_xor,
    SILU=lambda x: x * _sigmoid(x), SILU_GRAD=_silu_grad, GELU=lambda x: x * _phi(x),
    GELU_GRAD=lambda x, y: y * (_phi(x) + x * np.exp(-x * x / 2) * _INV_SQRT_2PI),
    NEQ=np.not_equal, ISNAN=np.isnan, ISINF=np.isinf, SINH=np.sinh, COSH=np.cosh, ASINH=np.arcsinh,
    ACOSH=np.arccosh, ATANH=np.arctanh, TAN=np.tan, ASINH_GRAD=lambda x, y: y / np.sqrt(x * x + 1),
    ACOSH_GRAD=lambda x, y: y / np.sqrt(x * x - 1), ATANH_GRAD=lambda x, y: y / (1 - x * x),
    PRELU=lambda x, y: np.where(x > 0, x, x * y),
    CLIP=lambda x, y, z: np.where(x <= y, y, np.where(x <= z, x, z)),
    PRELU_GRAD=lambda x, y, z: np.where(x >= 0, y, y * z), SOFTPLUS=_softplus,
    SOFTPLUS_GRAD=lambda x, y: y * _sigmoid(x), RELU6=lambda x: np.clip(x, 0, 6),
    RELU6_GRAD=lambda x, y: np.where((x > 0) & (x < 6), y, 0 * y),
    HSIGMOID=lambda x: np.clip((x + 3) / 6, 0, 1),
    HSIGMOID_GRAD=lambda x, y: np.where((x > -3) & (x < 3), y / 6, 0 * y),
    LOGSIGMOID=lambda x: np.minimum(x, 0) - np.log1p(np.exp(-abs(x))), SQRT=np.sqrt,
    SQUARE=np.square, SIGN=np.sign)
_COMPARE = ('LT', 'LEQ', 'EQ')


@op('Elemwise')
def elemwise(ctx, o, xs):
    mode = tables.ELEMWISE[o.p.mode]
    dt = xs[0].dt
    if any(v.dt.name != dt.name for v in xs):
        raise ValueError('operand dtypes differ: %s' % [v.dt.name for v in xs])
    if is_quant(dt):
        out = o.output_dtype or dt
        return [Val(quantize(FUNCS[mode](*map(dequantize, xs)), out), out)]
    if is_float(dt):
        return [store(FUNCS[mode](*map(f32, xs)), dt)]
    r = FUNCS[mode](*[v.a for v in xs])
    return [store(r, dt)]


# Quantized modes whose peer kernels multiply by 1/scale instead of dividing by it.
_RECIPROCAL = ('QRELU', 'QABS', 'QADD', 'QSUB', 'QMAX', 'QMIN', 'QFUSE_ADD_RELU')


def _round_shr(x, k, lo, hi):
    x, k = x.astype('i8'), k.astype('i8')
    half = np.where(k > 0, np.int64(1) << np.maximum(k - 1, 0), 0)
    return np.clip(np.where(x < 0, -((-x + half) >> k), (x + half) >> k), lo, hi)


@op('ElemwiseMultiType')
def multitype(ctx, o, xs):
    mode = tables.MULTITYPE[o.p.mode]
    a = [v.a for v in xs]
    if mode[0] == 'Q':
        out = o.output_dtype
        if out is None:
            raise ValueError('%s without output dtype' % mode)
        r = FUNCS[mode[1:]](*map(dequantize, xs))
        return [Val(quantize(r, out, mode in _RECIPROCAL), out)]
    if mode in ('EQ', 'NEQ', 'LT', 'LEQ', 'ISNAN', 'ISINF'):
        return [Val(FUNCS[mode](*a), BOOL)]
    if mode == 'FUSE_MUL_ADD3_INT16x32x32x32':
        return [Val((a[0].astype('i8') * a[1] + a[2]).astype('i4'), DT('Int32', 0.0, 0))]
    if mode == 'FUSE_MUL_ADD3_IXxF32xF32xI8':
        r = np.rint(a[0].astype('f4') * a[1] + a[2])
        return [Val(np.clip(r, -128, 127).astype('i1'), DT('Int8', 0.0, 0))]
    if mode == 'ROUND_SHR_SATURATE_IXxI8xI8':
        return [Val(_round_shr(a[0], a[1], -128, 127).astype('i1'), DT('Int8', 0.0, 0))]
    if mode == 'ROUND_SHR_SATURATE_IXxI8xI16':
        return [Val(_round_shr(a[0], a[1], -32768, 32767).astype('i2'), DT('Int16', 0.0, 0))]
    if mode.startswith('FUSE_ADD_RMULH'):
        t = _rmulh(a[0] + a[1], a[2])
        t = _round_shr(t, a[3], -128, 127)
        t = np.minimum(np.maximum(t, a[4].astype('i8')), a[5].astype('i8'))
        return [Val(t.astype('i1'), DT('Int8', 0.0, 0))]
    if mode in ('FUSE_MUL_ADD3_INT16xF32xF32xF32', 'FUSE_MUL_ADD3_UINT8xF32xF32xF32'):
        return [Val(a[0].astype('f4') * a[1] + a[2], F32)]
    if mode == 'MUL_INT16xF32xF32':
        return [Val(a[0].astype('f4') * a[1], F32)]
    raise Unsupported('ElemwiseMultiType mode ' + mode)


@op('AffineInt')
def affine_int(ctx, o, xs):
    r = half_away(xs[0].a * xs[1].a.astype('f4') + xs[2].a.astype('f4'))
    return [Val(np.clip(r, -128, 127).astype('i1'), DT('Int8', 0.0, 0))]


@op('PowC')
def powc(ctx, o, xs):
    x, e = f32(xs[0]), o.p.exp
    exact = {2: lambda: x * x, .5: lambda: np.sqrt(x), -.5: lambda: 1 / np.sqrt(x), 0: lambda: x ** 0,
             1: lambda: x, 3: lambda: x * x * x, -1: lambda: 1 / x, -2: lambda: 1 / (x * x)}
    for k, fn in exact.items():
        if abs(e - k) < 1e-6:
            return [store(fn(), xs[0].dt)]
    return [store(np.power(x, np.float32(e)), xs[0].dt)]


def cast(v, dt):
    src = v.dt
    if is_quant(dt):
        if is_quant(src):
            if src == dt:
                return v
            ratio = np.float32(src.scale) / np.float32(dt.scale)
            t = (v.a.astype('i8') - src.zp).astype('f4') * ratio
            return Val(clamp_codes(half_away(t) + dt.zp, dt), dt)
        return Val(quantize(f32(v), dt), dt)
    if is_quant(src):
        v = Val(dequantize(v), F32)
    if dt.name == 'Bool':
        return Val(v.a != 0, dt)
    if v.a.dtype.kind == 'f' and NP[dt.name].kind in 'iu':
        t = np.trunc(np.nan_to_num(v.a.astype('f8')))
        return Val(np.clip(t, -2. ** 62, 2. ** 62).astype('i8').astype(NP[dt.name]), dt)
    return store(v.a, dt)


@op('TypeCvtV2')
def typecvt(ctx, o, xs):
    return [cast(xs[0], o.p.dtype)]


@op('Where')
def where(ctx, o, xs):
    return [Val(np.where(xs[0].a != 0, xs[1].a, xs[2].a), xs[1].dt)]


@op('MaskedFill')
def masked_fill(ctx, o, xs):
    x, m = xs[0].a, xs[1].a
    m = m.reshape(m.shape + (1,) * (x.ndim - m.ndim))
    return [store(np.where(m, np.float64(o.p.value), x.astype('f8')), xs[0].dt)]


@op('FakeQuant')
def fake_quant(ctx, o, xs):
    x, s, zp = map(f32, xs)
    return [store((np.clip(half_away(x / s) + zp, o.p.qmin, o.p.qmax) - zp) * s, xs[0].dt)]


@op('TQT')
def tqt(ctx, o, xs):
    s = np.exp2(f32(xs[1]))
    return [store(np.clip(half_away(f32(xs[0]) / s), o.p.qmin, o.p.qmax) * s, xs[0].dt)]


@op('LSQ')
def lsq(ctx, o, xs):
    x, s, zp = map(f32, xs[:3])
    return [store((half_away(np.clip(x / s + zp, o.p.qmin, o.p.qmax)) - zp) * s, xs[0].dt)]


@op('AddUpdate')
def add_update(ctx, o, xs):
    def number(s):
        if s[0] == 0 and s[1] == b'\0\0\0\0':
            return np.float32(0)
        return np.frombuffer(s[1], NP[tables.DTYPES[s[0]]])[0].astype('f4')
    p = o.p
    r = f32(xs[0]) * number(p.alpha) + f32(xs[1]) * number(p.beta) + number(p.bias)
    xs[0].a = store(r, xs[0].dt).a
    return [xs[0]]
