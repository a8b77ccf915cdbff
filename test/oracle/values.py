"""Values with MegEngine dtypes on numpy arrays.

Arrays hold plain numbers for floats and ints, codes for quantized dtypes. BFloat16 is kept as
float32 rounded to 8 significant bits, 4-bit types unpacked as one int8/uint8 per element.
"""
from collections import namedtuple

import numpy as np

DT = namedtuple('DT', 'name scale zp')
F32 = DT('Float32', 0.0, 0)
I32 = DT('Int32', 0.0, 0)
BOOL = DT('Bool', 0.0, 0)

NP = dict(Float32='f4', Uint8='u1', Int8='i1', Int16='i2', Int32='i4', Byte='u1', Float16='f2',
          Quantized8Asymm='u1', QuantizedS32='i4', QuantizedS8='i1', QuantizedS16='i2', BFloat16='f4',
          Bool='?', Uint16='u2', QuantizedS1='i1', Quantized4Asymm='u1', QuantizedS4='i1', IntB4='i1',
          UintB4='u1', IntB1='i1', IntB2='i1', Complex64='c8')
NP = {k: np.dtype(v) for k, v in NP.items()}
RANGE = dict(Quantized8Asymm=(0, 255), QuantizedS8=(-128, 127), QuantizedS16=(-32768, 32767),
             QuantizedS32=(-2147483648, 2147483520), QuantizedS4=(-8, 7), Quantized4Asymm=(0, 15),
             QuantizedS1=(0, 1))
FLOATS = ('Float32', 'Float16', 'BFloat16')
NIBBLES = ('QuantizedS4', 'Quantized4Asymm', 'IntB4', 'UintB4')


class Unsupported(Exception):
    pass


class Val:
    """a: numpy array (None: value of a branch that did not run)."""
    __slots__ = ('a', 'dt')

    def __init__(self, a, dt):
        self.a, self.dt = a, dt

    @property
    def shape(self):
        return self.a.shape


def is_float(dt):
    return dt.name in FLOATS


def is_quant(dt):
    return dt.name in RANGE


def bf16_round(a):
    bits = np.ascontiguousarray(a, 'f4').view('u4')
    up = ((bits >> 16) & 1) + np.uint32(0x7fff)
    out = ((bits + up) & np.uint32(0xffff0000)).view('f4')
    return np.where(np.isnan(a), np.float32('nan'), out)


def f32(v):
    return v.a if v.a.dtype == np.float32 else v.a.astype('f4')


def store(a, dt):
    """Float results into a float dtype, others cast as C does."""
    if dt.name == 'BFloat16':
        return Val(bf16_round(a), dt)
    return Val(np.asarray(a).astype(NP[dt.name], copy=False), dt)


def half_away(x):
    x = np.asarray(x, 'f8')
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def clamp_codes(x, dt):
    lo, hi = RANGE[dt.name]
    x = np.where(np.isnan(x), lo, x)
    return np.clip(x, lo, hi).astype(NP[dt.name])


def quantize(x, dt, reciprocal=False):
    s = np.float32(dt.scale)
    x = np.asarray(x, 'f4')
    t = x * (np.float32(1) / s) if reciprocal else x / s
    return clamp_codes(half_away(t) + dt.zp, dt)


def dequantize(v):
    return (v.a.astype('i4') - np.int32(v.dt.zp)).astype('f4') * np.float32(v.dt.scale)


def real(v):
    """Float32 real values of anything."""
    return dequantize(v) if is_quant(v.dt) else f32(v)


def decode(dt, shape, data):
    n = int(np.prod(shape, dtype='i8')) if len(shape) else 1
    if dt.name in NIBBLES:
        cols = shape[-1] if len(shape) else 1
        rows = n // cols if cols else 0
        b = np.frombuffer(data, 'u1')
        if b.size != rows * ((cols + 1) // 2):
            raise ValueError('%d bytes for %s of shape %s' % (b.size, dt.name, list(shape)))
        b = b.reshape(rows, (cols + 1) // 2)
        a = np.stack([b & 15, b >> 4], -1).reshape(rows, -1)[:, :cols]
        if dt.name in ('QuantizedS4', 'IntB4'):
            a = (a.astype('i1') ^ 8) - 8
        return a.astype(NP[dt.name]).reshape(shape)
    if dt.name == 'BFloat16':
        a = (np.frombuffer(data, '<u2').astype('u4') << 16).view('f4')
    elif dt.name == 'Bool':
        a = np.frombuffer(data, 'u1') != 0
    else:
        a = np.frombuffer(data, NP[dt.name])
    if a.size != n:
        raise ValueError('%d elements for %s of shape %s' % (a.size, dt.name, list(shape)))
    return a.reshape(shape)


def from_npy(arr, dt, shape):
    """A corpus .npy (BFloat16 as bits, 4-bit packed) into our form."""
    if dt.name in NIBBLES or (dt.name == 'BFloat16' and arr.dtype == np.uint16):
        return Val(decode(dt, shape, np.ascontiguousarray(arr).tobytes()), dt)
    return Val(np.ascontiguousarray(arr).astype(NP[dt.name], copy=False), dt)


def to_npy(v):
    if v.dt.name == 'BFloat16':
        return (v.a.view('u4') >> 16).astype('u2')
    if v.dt.name in NIBBLES:
        a = v.a.reshape(-1, v.a.shape[-1]).astype('u1') & 15
        if a.shape[1] % 2:
            a = np.concatenate([a, np.zeros((a.shape[0], 1), 'u1')], 1)
        return (a[:, ::2] | (a[:, 1::2] << 4)).reshape(-1)
    return v.a


REGISTRY = {}


def op(*names):
    """Registers fn(ctx, opr, inputs) -> list of output Vals (those that own a var id)."""
    def put(fn):
        for n in names:
            REGISTRY[n] = fn
        return fn
    return put
