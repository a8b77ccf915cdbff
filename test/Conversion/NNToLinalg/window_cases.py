#!/usr/bin/env python3
"""Pooling and layout conversions in every layout and mode, 3-D convolutions and the relatives of the 2-D one,
against the evaluator.

usage: window_cases.py BIN_DIR ORACLE_DIR [MODEL_RUN_OPTION...]
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import layout
import ops_conv
import ops_region
from conv_cases import BFLOAT16, FLOAT16, INT8, QS4, QS8, QU4, QU8, numbers
from engine_cases import Cases, Params
from tables import FORMATS, RELAYOUT
from values import DT, F32, I32, Unsupported, Val, half_away, is_float, store

UINT8, BOOL = DT('Uint8', 0, 0), DT('Bool', 0, 0)


def ints(values):
    return 'array<i64: %s>' % ', '.join(str(v) for v in values)


def window_text(kernel=None, strides=None, pads=None, dilations=None, extra=''):
    parts = [('kernel', kernel), ('strides', strides), ('pads', pads), ('dilations', dilations)]
    return '{%s%s}' % (', '.join('%s = %s' % (k, ints(v)) for k, v in parts if v is not None), extra)


def packed(plain, name):
    return Val(np.ascontiguousarray(layout.encode(plain.a, name)), plain.dt)


def pool(cases, name, dt, mode):
    plain = numbers((2, layout._BLOCK.get(name, 4), 7, 6), dt)
    kernel, strides, pads = (3, 2), (2, 1), (1, 1)
    v = ops_conv.pool_nchw(plain, mode, kernel, strides, pads)
    extra = ', layout = #nn.layout<%s>%s' % (name, ', count_include_pad' if mode == 1 else '')
    cases.add('%s pool of %s in %s' % (('max', 'average', 'exclusive average')[mode], dt.name, name),
              'nn.%s_pool2d %%0 %s' % ('avg' if mode else 'max', window_text(kernel, strides, pads, extra=extra)),
              [packed(plain, name)], packed(v, name), tolerance=1e-2 if dt is BFLOAT16 else 1e-3 if dt is FLOAT16 else 1e-6)


def uneven_pool(cases, mode):
    """[top, bottom, left, right]: the evaluator pads by hand."""
    x = numbers((1, 2, 5, 6), F32)
    fill = -np.inf if mode == 0 else 0
    wide = np.pad(x.a, [(0, 0), (0, 0), (2, 0), (1, 3)], constant_values=fill)
    inside = np.pad(np.ones_like(x.a), [(0, 0), (0, 0), (2, 0), (1, 3)])
    if mode == 0:
        v = ops_conv.pool_nchw(Val(wide, F32), 0, (3, 3), (1, 2), (0, 0))
    else:
        sums = ops_conv.pool_nchw(Val(wide, F32), 1, (3, 3), (1, 2), (0, 0)).a
        counts = ops_conv.pool_nchw(Val(inside, F32), 1, (3, 3), (1, 2), (0, 0)).a
        v = Val(sums if mode == 1 else sums / counts, F32)
    extra = ', count_include_pad' if mode == 1 else ''
    cases.add('uneven pads, mode %d' % mode, 'nn.%s_pool2d %%0 %s' % (
        'avg' if mode else 'max', window_text((3, 3), (1, 2), (2, 0, 1, 3), extra=extra)), [x], v, tolerance=1e-6)


def relayouts(cases):
    sources = dict(NHWC=(2, 4, 3, 8), NCHW=(2, 6, 4, 3))
    for mode in RELAYOUT:
        oc, group = 0, 1
        if 'WEIGHT' in mode:
            shapes = [(8, 6, 3, 2)]
            if 'GROUP' in mode:
                shapes = [(2, 8, 8 if 'DOT' in mode else 6, 3, 2)]
            elif 'CHAN' in mode:
                shapes = [(12 if '88' in mode else 8, 1, 1, 3, 2)]
            elif 'IC_SMALL' in mode:
                shapes = [(5, 3, 3, 2)]
            elif mode == 'NCHW_NCHW4_WEIGHT':
                shapes = [(6, 5, 3, 2), (2, 6, 5, 3, 2)]
            elif 'DOT' in mode:
                shapes = [(8, 8, 3, 2)]
        elif mode == 'NCHW_NCHW4_IC_SMALL':
            shapes = [(2, 3, 4, 5)]
        else:
            source = mode.split('_')[0].replace('CD4I', 'CD4')
            shapes = [(2, 8, 4, 3) if mode == 'NCHW_NHWCD4' else sources.get(source) or layout.encode(np.zeros((2, 128, 3, 2)), source).shape]
        for shape in shapes:
            for dt in (F32, QU8, QU4):
                x = numbers(shape, dt)
                p = Params(oc=oc, group=group)
                try:
                    y = layout.relayout(x.a, mode, p, zero=dt.zp)
                except Unsupported:
                    y = weight(x.a, mode)
                if 'WEIGHT' in mode and dt.zp:
                    continue        # the evaluator pads filters with code 0
                cases.add('%s of %s %s' % (mode, dt.name, shape),
                          'nn.relayout %%0 {mode = #nn.relayout_mode<%s>}' % mode, [x],
                          Val(np.ascontiguousarray(y), dt))
    x = numbers((2, 6, 4, 3), QS8)
    cases.add('channels of each group are padded', 'nn.relayout %0 {mode = #nn.relayout_mode<NCHW_NCHW4>, groups = 2}', [x],
              Val(np.ascontiguousarray(layout.relayout(x.a, 'NCHW_NCHW4', Params(oc=0, group=2))), QS8))
    for mode, block in (('NCHW4_NCHW', 4), ('NCHW64_NCHW', 64)):
        x = numbers((2, 2, 4, 3, block), QS8)
        y = layout.relayout(x.a, mode, Params(oc=block + 1, group=1))
        cases.add('channels are dropped, ' + mode,
                  'nn.relayout %%0 {mode = #nn.relayout_mode<%s>, out_channels = %d}' % (mode, block + 1), [x],
                  Val(np.ascontiguousarray(y), QS8))
    x = numbers((2, 3, 4, 5), QS8)
    half = DT('QuantizedS8', 0.5, 0)
    y = half_away(x.a.transpose(0, 2, 3, 1) * 0.25 / 0.5)
    cases.add('elements are requantized',
              'nn.relayout %0 {mode = #nn.relayout_mode<NCHW_NHWC>, out_type = !quant.uniform<i8:f32, 0.5>}', [x],
              Val(np.ascontiguousarray(y.astype('i1')), half))


def weight(w, mode):
    """The modes that the evaluator leaves out: image filters, and those for dot products."""
    if 'DOT' not in mode:
        return layout._weight(w, mode[:-1])
    lead = w.shape[:-4]
    oc, ic, h, k = w.shape[-4:]
    w = w.reshape((-1, oc // 4, 4, ic // 4, 4, h, k)).transpose(0, 1, 5, 6, 3, 2, 4)
    return w.reshape(lead + w.shape[1:])


def volumes(cases):
    for grouped in (0, 1):
        for fmt in (0, 1):
            for dt in (F32, FLOAT16):
                p = Params(format=fmt, sparse=grouped, mode=grouped, pad_d=1, pad_h=0, pad_w=1, stride_d=2, stride_h=1,
                           stride_w=2, dilate_d=1, dilate_h=2, dilate_w=1)
                x, w = numbers((2, 4, 4, 5, 6), dt), numbers((2, 3, 2, 2, 2, 3) if grouped else (3, 4, 2, 2, 3), dt)
                d = numbers((2, 6 if grouped else 3, 4, 3, 3), dt)
                if fmt:
                    x, d = (Val(np.ascontiguousarray(np.moveaxis(v.a, 1, -1)), dt) for v in (x, d))
                    w = Val(np.ascontiguousarray(np.moveaxis(w.a, -4, -1)), dt)
                text = window_text(None, (2, 1, 2), (1, 0, 1), (1, 2, 1),
                                   ', groups = %d, layout = #nn.layout<%s>%s' % (
                                       2 if grouped else 1, ('NCDHW', 'NDHWC')[fmt],
                                       ', group_filter, flip_filter' if grouped else ''))
                o = Params(p=p, output_dtype=None)
                label = '3-D of %s, format %d, sparse %d' % (dt.name, fmt, grouped)
                cases.add(label, 'nn.conv3d %0, %1 ' + text, [x, w], ops_conv.convolution3d(None, o, [x, w])[0])
                cases.add(label + ', transposed', 'nn.conv_transpose3d %0, %1 ' + text, [d, w],
                          ops_conv.deconvolution3d(None, o, [w, d])[0])


def relatives(cases):
    p = Params(pad_h=1, pad_w=2, stride_h=2, stride_w=1, dilate_h=1, dilate_w=2, window_h=3, window_w=2, kernel_h=3,
               kernel_w=2)
    geometry = dict(strides=(2, 1), pads=(1, 2), dilations=(1, 2))
    o = Params(p=p)
    for dt in (F32, FLOAT16, BFLOAT16, I32, INT8):
        x = numbers((2, 3, 7, 6), dt)
        columns = ops_region.images2neibs(None, o, [x])[0]
        text = window_text((3, 2), **geometry)
        cases.add('im2col of ' + dt.name, 'nn.im2col %0 ' + text, [x], columns)
        y = numbers(columns.shape, dt)
        p.out_h, p.out_w = 7, 6
        cases.add('col2im of ' + dt.name, 'nn.col2im %0 ' + text[:-1] + ', output_size = array<i64: 7, 6>}', [y],
                  ops_region.sliding_window_transpose(None, o, [y])[0])
    for dt in (I32, INT8, UINT8, BOOL):
        x = Val((np.random.RandomState(3).rand(7, 6) < 0.2).astype('u1'), dt)
        x = store(x.a * (1 if dt is BOOL else 3), dt)
        cases.add('mask_propagate of ' + dt.name, 'nn.mask_propagate %0 ' + window_text((3, 2), **geometry), [x],
                  ops_conv.mask_propagate(None, o, [x])[0])
    for grouped in (0, 1):
        for dt in (F32, FLOAT16):
            p = Params(sparse=grouped, mode=grouped, pad_h=1, pad_w=2, stride_h=1, stride_w=2, dilate_h=1, dilate_w=1,
                       spatial_groups_h=3, spatial_groups_w=2)
            x = numbers((2, 4, 6, 5), dt)
            lead, c, oc = ((2,), 2, 3) if grouped else ((), 4, 5)
            o = Params(p=p, type='GroupLocalV2' if grouped else 'LocalV2')
            extra = ', group_filter, flip_filter' if grouped else ''
            label = ' of %s, sparse %d' % (dt.name, grouped)
            w = numbers(lead + (6, 4, c, 3, 3, oc), dt)
            cases.add('local' + label, 'nn.local_conv2d %0, %1 ' + window_text(None, (1, 2), (1, 2), None, extra), [x, w],
                      ops_region.local(None, o, [x, w])[0])
            if dt is F32:
                w = numbers(lead + (3, 2, c, 3, 3, oc), dt)
                cases.add('shared local' + label, 'nn.local_share_conv2d %0, %1 ' + window_text(
                    None, (1, 2), (1, 2), None, ', spatial_groups = array<i64: 3, 2>' + extra), [x, w],
                    ops_region.local_share(None, o, [x, w])[0])
            w = numbers(lead + (oc, c, 3, 3), dt)
            for ids in (I32, UINT8):
                rng = np.random.RandomState(5)
                inside = store(rng.randint(0, 3, (2, 6, 5)), ids)
                outside = store(rng.randint(0, 3, (2, 6, 4)), ids)
                text = window_text(None, (1, 2), (1, 2), (1, 1), ', groups = %d%s' % (2 if grouped else 1, extra))
                cases.add('regions of %s%s' % (ids.name, label), 'nn.region_conv2d %0, %1 in %2 out %3 ' + text,
                          [x, w, inside, outside],
                          ops_region.region_restricted(None, o, [x, w, inside, outside])[0])
            # Halves keep the bilinear weights exact.
            offset = store(np.random.RandomState(6).randint(-5, 6, (2, 36, 6, 4)) / 2, dt)
            mask = numbers((2, 18, 6, 4), dt)
            text = window_text(None, (1, 2), (1, 2), (1, 1), ', groups = %d%s' % (
                2 if grouped else 1, ', group_filter' if grouped else ''))
            w = numbers(lead + (3 if grouped else 4, c, 3, 3), dt)
            cases.add('deformable' + label, 'nn.deform_conv2d %0, %1 offset %2 mask %3 ' + text, [x, w, offset, mask],
                      ops_region.deformable_conv(None, o, [x, w, offset, mask])[0],
                      tolerance=0 if dt is F32 else 1e-3)
    for multiply in (True, False):
        for kernel in (1, 3):
            p = Params(kernel_size=kernel, max_displacement=3, stride1=2, stride2=2, pad_size=3, is_multiply=multiply)
            x, y = numbers((2, 3, 7, 9), F32), numbers((2, 3, 7, 9), F32)
            text = ('{kernel_size = %d : i64, max_displacement = 3 : i64, stride1 = 2 : i64, stride2 = 2 : i64, '
                    'pad = 3 : i64, multiply = %s}' % (kernel, str(multiply).lower()))
            cases.add('correlation, kernel %d, multiply %s' % (kernel, multiply), 'nn.correlation %0, %1 ' + text, [x, y],
                      ops_region.correlation(None, Params(p=p), [x, y])[0], tolerance=1e-6)
    for name in ('NCHW', 'NCHW4'):
        p = Params(format=FORMATS.index(name), pad_h=1, pad_w=1, stride_h=1, stride_w=1, dilate_h=1, dilate_w=1)
        x, w = numbers((1, 4, 5, 5), QS8), numbers((4, 4, 3, 3), QS8)
        stored = w if name == 'NCHW' else Val(np.ascontiguousarray(
            w.a.reshape(4, 1, 4, 3, 3).transpose(0, 1, 3, 4, 2)), QS8)
        mask = store(np.random.RandomState(8).randint(0, 2, (5, 5)), INT8)
        v = ops_conv.mask_convolution(None, Params(p=p, output_dtype=None), [packed(x, name), stored, mask])[0]
        text = window_text(None, (1, 1), (1, 1), (1, 1), ', layout = #nn.layout<%s>' % name)
        cases.add('mask_conv2d in ' + name, 'nn.mask_conv2d %0, %1 mask %2 ' + text, [packed(x, name), stored, mask],
                  packed(v, name))
    x, w, b = numbers((2, 4, 5, 5), QS8), numbers((2, 2, 3, 2, 3, 3), QS8), numbers((1, 6, 1, 1), F32)
    p = Params(sparse=1, pad_h=1, pad_w=1, stride_h=1, stride_w=1, dilate_h=1, dilate_w=1, nonlineMode=1)
    out = DT('QuantizedS8', 2.5, 0)
    v = ops_conv.batch_conv_bias(None, Params(p=p, output_dtype=out), [x, w, b])[0]
    cases.add('batch_conv2d', 'nn.batch_conv2d %0, %1 bias %2 ' + window_text(
        None, (1, 1), (1, 1), (1, 1), ', groups = 2, group_filter, activation = #nn.activation<relu>, '
        'out_type = !quant.uniform<i8:f32, 2.5>'), [x, w, b], v)


def main():
    cases = Cases()
    for name in ('NCHW', 'NHWC', 'NHWCD4', 'NCHW4', 'NCHW8', 'NCHW32', 'NCHW88', 'NCHW44', 'CHWN4', 'NCHW64'):
        for mode in (0, 1, 2):
            pool(cases, name, F32 if mode == 0 else QU8, mode)
    for dt in (F32, FLOAT16, BFLOAT16, QS8, QU8, QS4, QU4, INT8, UINT8, DT('QuantizedS32', 0.5, 0)):
        for mode in (0, 1, 2):
            pool(cases, 'NCHW', dt, mode)
    for mode in (0, 1, 2):
        uneven_pool(cases, mode)
    relayouts(cases)
    volumes(cases)
    relatives(cases)
    return cases.main(sys.argv[1], 170, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
