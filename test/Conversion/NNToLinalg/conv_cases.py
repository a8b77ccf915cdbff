#!/usr/bin/env python3
"""2-D convolutions in every layout, with every kind of filter and element type, against the evaluator.

usage: conv_cases.py BIN_DIR ORACLE_DIR [MODEL_RUN_OPTION...]

The numbers are small integers (or codes), so that sums are exact in any order.
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import layout
import ops_conv
from engine_cases import Cases, Params
from tables import FORMATS
from values import DT, F32, I32, RANGE, Val, bf16_round

RNG = np.random.RandomState(7)
FLOAT16, BFLOAT16, INT8 = DT('Float16', 0, 0), DT('BFloat16', 0, 0), DT('Int8', 0, 0)
QS8 = DT('QuantizedS8', 0.25, 0)
WS8 = DT('QuantizedS8', 0.125, 0)
QU8 = DT('Quantized8Asymm', 0.5, 120)
QU4 = DT('Quantized4Asymm', 0.5, 7)
QS4 = DT('QuantizedS4', 0.25, 0)

ACTIVATIONS = ['none', 'relu', 'sigmoid', 'h_swish']


def numbers(shape, dt):
    """Small integers; all codes of a narrow quantized type."""
    low, high = (-4, 5)
    if dt.name in RANGE:
        low, high = RANGE[dt.name][0], RANGE[dt.name][1] + 1
        if high - low > 256:
            low, high = -500, 500
    if dt.name == 'Uint8':
        low, high = 0, 256
    kind = dict(Float32='f4', Uint8='u1', Float16='f2', BFloat16='f4', Int8='i1', Int32='i4', Quantized8Asymm='u1',
                Quantized4Asymm='u1', QuantizedS32='i4').get(dt.name, 'i1')
    return Val(RNG.randint(low, high, shape).astype(kind), dt)


def filter_shape(name, kind, g, oc, ic, k=(3, 2)):
    """The stored shape of a filter, by the reference's table of layouts."""
    h, w = k
    lead = (g,) if kind == 'group' else ()
    name = layout._IO.get(name, (name,))[0]
    if kind == 'hybrid':
        b = layout._BLOCK[name]
        return (oc // b, h, w, ic, b)
    if kind == 'channel':
        if name == 'NHWCD4':
            return (g // 4, 1, h, w, 4)
        if name in layout._BLOCK:
            b = layout._BLOCK[name]
            return (g // b, 1, 1, h, w, b)
        return (g, 1, 1, h, w)
    if name == 'NCHW':
        return lead + (oc, ic, h, w)
    if name == 'NHWC':
        return lead + (oc, h, w, ic)
    if name in ('NCHW44', 'NCHW88', 'NCHW44_DOT'):
        b = layout._BLOCK[name]
        return lead + (oc // b, ic // b, h, w, b, b)
    if name in layout._BLOCK:
        b = layout._BLOCK[name]
        return lead + (oc, ic // b, h, w, b)
    if kind == 'dot':
        return (oc // 4, h, w, ic // 4, 4, 4)
    if name == 'NHWCD4':
        return lead + (oc // 4, h, w, ic, 4)
    assert name == 'CHWN4'
    return (ic // 4, h, w, oc, 4)


def attributes(name, p, groups, grouped, extra=''):
    return ('{strides = array<i64: %d, %d>, pads = array<i64: %d, %d>, dilations = array<i64: %d, %d>, '
            'layout = #nn.layout<%s>, groups = %d : i64%s%s%s}' % (
                p.stride_h, p.stride_w, p.pad_h, p.pad_w, p.dilate_h, p.dilate_w, name, groups,
                ', group_filter' if grouped else '', ', flip_filter' if p.mode else '', extra))


def dtype_text(dt):
    if dt.name in ('Int8', 'Int16', 'Int32'):
        return 'i' + dt.name[3:]
    if dt.name == 'Float32':
        return 'f32'
    from engine_cases import element_type
    return element_type(dt)


class ConvCases(Cases):
    def conv(self, label, name, kind='dense', src=F32, flt=None, out=None, bias=None, residual=False, activation=0,
             g=2, oc=8, ic=8, hw=(7, 6), mode=0, full_bias=False, like=None):
        """One nn.conv2d; or its adjoint, if `like` is True or False (an operand that says the size)."""
        flt = flt or src
        fmt = FORMATS.index(name)
        grouped = kind in ('group', 'channel')
        if kind == 'channel':
            g = oc
        elif kind != 'group':
            g = 1
        p = Params(mode=mode, format=fmt, sparse=int(grouped), pad_h=1, pad_w=2, stride_h=2, stride_w=1,
                   dilate_h=1, dilate_w=2, nonlineMode=activation)
        o = Params(p=p, output_dtype=out)
        stored = numbers(filter_shape(name, kind, g, oc if kind != 'group' else oc // g,
                                      ic if kind != 'group' else ic // g), flt)
        small = 'IC_SMALL' in name
        channels = oc if like is not None else ic
        if kind == 'channel':
            channels = g
        elif small:
            channels = 3
        plain = numbers((2, channels) + hw, src)
        x = plain.a if kind == 'hybrid' else layout.from_nchw(plain.a, fmt)
        x = Val(np.ascontiguousarray(x), src)
        extra = ''
        if out is not None:
            extra += ', out_type = ' + dtype_text(out)
        if activation:
            extra += ', activation = #nn.activation<%s>' % ACTIVATIONS[activation]
        text = attributes(name, p, g, grouped, extra)
        operands = [x, stored]
        if like is not None:
            if like:
                # One more row than the formula gives: the stride of 2 leaves room.
                operands.append(None)
            v = self.transposed(o, operands)
            if like:
                operands[2] = Val(np.zeros_like(v.a), v.dt)
            self.add(label, 'nn.conv_transpose2d %0, %1' + (' like %2 ' if like else ' ') + text,
                     operands, v)
            return
        acc = ops_conv.conv_nchw(x, stored, p)
        adds, b, z = '', None, None
        if bias is not None:
            shape = (acc.shape if full_bias else (1, acc.shape[1], 1, 1))
            b = numbers(shape, bias)
            operands.append(ops_conv.to_out(b, fmt))
            adds += ' bias %2'
        if residual:
            z = numbers(acc.shape, out or acc.dt if acc.dt.name != 'Float32' else src)
            operands.append(ops_conv.to_out(z, fmt))
            adds += ' residual %%%d' % (len(operands) - 1)
        v = ops_conv.biased(acc, x, o, b, z) if adds or activation else ops_conv.finish(acc, x, out)
        self.add(label, 'nn.conv2d %0, %1' + adds + ' ' + text, operands, ops_conv.to_out(v, fmt),
                 tolerance=1e-5 if activation > 1 and src is F32 else 0)

    @staticmethod
    def transposed(o, operands):
        xs = [operands[1], operands[0]]
        if len(operands) > 2:
            d = layout.to_nchw(operands[0].a, o.p.format)
            w = layout.filter_goihw(operands[1].a, o.p.format, o.p.sparse)
            size = [(i - 1) * s + (k - 1) * t + 1 - 2 * q + e for i, k, q, s, t, e in zip(
                d.shape[2:], w.shape[3:], (o.p.pad_h, o.p.pad_w), (o.p.stride_h, o.p.stride_w),
                (o.p.dilate_h, o.p.dilate_w), (1, 0))]
            like = np.zeros((d.shape[0], w.shape[0] * w.shape[2]) + tuple(size), 'f4')
            xs.append(Val(np.ascontiguousarray(layout.from_nchw(like, o.p.format)), F32))
        return ops_conv.deconvolution(None, o, xs)[0]


def main():
    # The evaluator's sigmoid of numbers far from 0.
    np.seterr(over='ignore')
    cases = ConvCases()
    acc = DT('QuantizedS32', 0.03125, 0)
    for name in FORMATS:
        block = layout._BLOCK.get(layout._IO.get(name, (name,))[0], 4)
        out_block = layout._BLOCK.get(layout._IO.get(name, (name, name))[-1], 4)
        size = max(block, out_block)
        big = dict(oc=2 * size, ic=2 * block)
        if 'IC_SMALL' in name:
            # Channels that the input lacks are 0.
            for src, flt in ((F32, F32), (QS8, WS8)):
                cases.conv('%s of %s' % (name, src.name), name, src=src, flt=flt, oc=8, ic=4 if 'NHWC_' in name else 3)
            continue
        kinds = ['dense']
        if name != 'CHWN4':
            kinds.append('group')
        if name in ('NCHW', 'NCHW44', 'NCHW44_DOT', 'NCHW88', 'NHWCD4'):
            kinds.append('channel')
        if name in ('NCHW44', 'NCHW88'):
            kinds.append('hybrid')
        if name == 'NHWCD4':
            kinds.append('dot')
        for kind in kinds:
            own = dict(big)
            if kind == 'hybrid':
                own['ic'] = 3
            for src, flt, bias in ((F32, F32, F32), (QS8, WS8, acc)):
                label = '%s %s of %s' % (name, kind, src.name)
                cases.conv(label, name, kind, src=src, flt=flt, **own)
                cases.conv(label + ' with bias', name, kind, src=src, flt=flt, bias=bias,
                           out=DT('QuantizedS8', 1.5, 0) if src is QS8 else None, activation=1, **own)
            if kind != 'hybrid' and name == layout._IO.get(name, (name, name))[-1]:
                cases.conv('%s %s transposed' % (name, kind), name, kind, like=False, **own)
    for kind in ('dense', 'group', 'channel'):
        cases.conv('flipped, ' + kind, 'NCHW', kind, mode=1)
        cases.conv('flipped and transposed, ' + kind, 'NCHW', kind, mode=1, like=False)
        cases.conv('transposed to a size, ' + kind, 'NCHW', kind, like=True)
    for src in (F32, FLOAT16, BFLOAT16):
        cases.conv('%s, all' % src.name, 'NCHW44', src=src, bias=src, residual=True, activation=1)
    for activation in (2, 3):
        cases.conv('%s of floats' % ACTIVATIONS[activation], 'NCHW', bias=F32, activation=activation)
    cases.conv('i8', 'NCHW', src=INT8, out=I32, bias=I32, residual=True, activation=1)
    cases.conv('i8 to i16', 'NCHW', src=INT8, out=DT('Int16', 0, 0))
    for src, flt, out in ((QS8, WS8, DT('QuantizedS8', 3.7, 0)), (QU8, QU8, DT('Quantized8Asymm', 40.3, 100)),
                          (QU4, QS4, DT('Quantized4Asymm', 9.1, 5)), (QU4, QU4, DT('QuantizedS4', 9.1, 0)),
                          (QS4, QS4, DT('QuantizedS8', 0.71, 0)), (QS8, WS8, F32)):
        scale = float(np.float32(src.scale) * np.float32(flt.scale))
        for activation in (0, 1, 3):
            label = '%s and %s to %s, %s' % (src.name, flt.name, out.name, ACTIVATIONS[activation])
            cases.conv(label, 'NCHW', 'group', src=src, flt=flt, out=out, bias=DT('QuantizedS32', scale, 0),
                       activation=activation)
        cases.conv(label + ', float bias', 'NCHW', 'group', src=src, flt=flt, out=out, bias=F32, full_bias=True)
        if out is not F32:
            cases.conv(label + ', residual', 'NCHW', 'channel', src=src, flt=flt, out=out,
                       bias=DT('QuantizedS32', scale, 0), residual=True)
    cases.conv('sums keep their codes', 'NCHW', src=QU8, flt=QU8, bias=DT('QuantizedS32', 0.25, 0))
    cases.conv('sums and a float bias', 'NCHW', src=QS8, flt=WS8, bias=F32)
    return cases.main(sys.argv[1], 230, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
