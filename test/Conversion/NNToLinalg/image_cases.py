#!/usr/bin/env python3
"""Image and detection ops in every mode, layout and element type, against the evaluator.

usage: image_cases.py BIN_DIR ORACLE_DIR
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import layout
import ops_image
import ops_region
import ops_shape
from engine_cases import Cases, Params
from tables import CVTCOLOR, FORMATS
from values import DT, F32, I32, NP, RANGE, Val, bf16_round, is_float

RNG = np.random.RandomState(11)
FLOAT16, BFLOAT16 = DT('Float16', 0, 0), DT('BFloat16', 0, 0)
UINT8, INT8, INT16 = DT('Uint8', 0, 0), DT('Int8', 0, 0), DT('Int16', 0, 0)
QS8, QU8 = DT('QuantizedS8', 0.25, 0), DT('Quantized8Asymm', 0.5, 120)
QU4 = DT('Quantized4Asymm', 0.5, 7)
TOLERANCE = dict(Float32=1e-5, Float16=2e-3, BFloat16=8e-3)

INTERPOLATIONS = ['nearest', 'linear', 'area', 'cubic', 'lanczos4']
BORDERS = ['replicate', 'reflect', 'reflect_101', 'wrap', 'constant']


def numbers(shape, dt):
    if is_float(dt):
        a = RNG.uniform(-3, 3, shape).astype('f4')
        return Val(bf16_round(a) if dt.name == 'BFloat16' else a.astype(NP[dt.name]), dt)
    info = np.iinfo(NP[dt.name])
    low, high = RANGE.get(dt.name, (max(info.min, -1000), min(info.max, 1000)))
    return Val(RNG.randint(low, high + 1, shape).astype(NP[dt.name]), dt)


class ImageCases(Cases):
    def image(self, label, op, operands, attributes, expected, prefix=''):
        """`op` with the operands %0 ..., or as `prefix` writes them."""
        names = ', '.join('%%%d' % k for k in range(len(operands)))
        tolerance = TOLERANCE.get(expected.dt.name, 0)
        self.add(label, '%s %s {%s}' % (op, prefix or names, ', '.join(attributes)), operands, expected, tolerance)

    def resize(self, dt, name, mode, shape=(5, 7), out=(9, 4), channels=8):
        fmt = FORMATS.index(name)
        plain = numbers((2, channels) + shape, dt)
        x = Val(np.ascontiguousarray(layout.from_nchw(plain.a, fmt)), dt)
        o = Params(p=Params(imode=INTERPOLATIONS.index(mode), format=fmt))
        size = Val(np.array(out, 'i4'), I32)
        expected = ops_image.resize(None, o, [x, size])[0]
        coordinates = 'asymmetric' if mode == 'nearest' else 'half_pixel'
        self.image('resize2d %s %s %s %s' % (dt.name, name, mode, (shape, out)), 'nn.resize2d', [x, size],
                   ['mode = #nn.interpolation<%s>' % mode, 'layout = #nn.layout<%s>' % name,
                    'coordinates = #nn.coordinates<%s>' % coordinates], expected)

    def resize_by(self, dt, mode, coordinates, shape, out):
        """nn.resize2d's formulas for the coordinates that only GE has, by hand."""
        x = numbers((1, 2) + shape, dt)
        y = x.a.astype('f8') - dt.zp
        for axis, (size, n) in enumerate(zip(shape, out)):
            i, m = np.arange(n), np.zeros((n, size))
            at = {'half_pixel': (i + 0.5) * size / n - 0.5, 'asymmetric': i * size / n,
                  'align_corners': i * (size - 1) / max(n - 1, 1)}[coordinates]
            if mode == 'nearest':
                at = {'half_pixel': np.floor((i + 0.5) * size / n), 'asymmetric': np.floor(i * size / n),
                      'align_corners': np.floor(at + 0.5)}[coordinates]
                m[i, np.minimum(at, size - 1).astype(int)] = 1
            else:
                at = np.clip(at, 0, size - 1)
                low = np.floor(at).astype(int)
                np.add.at(m, (i, low), 1 - (at - low))
                np.add.at(m, (i, np.minimum(low + 1, size - 1)), at - low)
            y = np.moveaxis(np.tensordot(y, m, (2 + axis, 1)), -1, 2 + axis)
        y = y if is_float(dt) else ops_image.half_away(y) + dt.zp
        self.image('resize2d %s %s %s %s' % (dt.name, mode, coordinates, (shape, out)), 'nn.resize2d',
                   [x, Val(np.array(out, 'i4'), I32)],
                   ['mode = #nn.interpolation<%s>' % mode, 'coordinates = #nn.coordinates<%s>' % coordinates],
                   Val(y.astype(x.a.dtype), dt))

    def resize3d(self, dt, name, align):
        x = numbers((1, 3, 4, 5, 2), dt)
        size = Val(np.array([5, 2, 3], 'i4'), I32)
        o = Params(p=Params(format=int(name == 'NDHWC'), align_corners=align))
        self.image('resize3d %s %s %d' % (dt.name, name, align), 'nn.resize3d', [x, size],
                   ['layout = #nn.layout<%s>' % name] + ['align_corners'] * align,
                   ops_image.resize3d(None, o, [x, size])[0])

    def warp(self, kind, dt, name, mode, border, channels=8, images=2):
        fmt = FORMATS.index(name)
        plain = numbers((images, channels, 6, 5), dt)
        x = Val(np.ascontiguousarray(layout.from_nchw(plain.a, fmt)), dt)
        out = (4, 7)
        size = Val(np.array(out, 'i4'), I32)
        value = 3.5 if is_float(dt) else 3.0
        p = Params(imode=INTERPOLATIONS.index(mode), bmode=BORDERS.index(border), border_mode=BORDERS.index(border),
                   border_type=BORDERS.index(border), border_val=value, scalar=value, format=fmt)
        attributes = ['mode = #nn.interpolation<%s>' % mode, 'border = #nn.border<%s>' % border,
                      'layout = #nn.layout<%s>' % name, 'border_value = %r : f32' % value]
        label = '%s %s %s %s %s' % (kind, dt.name, name, mode, border)
        if kind == 'remap':
            grid = RNG.uniform(-3, 9, (images,) + out + (2,)).astype('f4')
            grid[0, 0, 0] = [np.nan, 1]
            grid[0, 0, 1] = [1, np.inf]
            operands = [x, Val(grid, F32)]
            expected = ops_image.remap(None, Params(p=p), operands)
        elif kind == 'warp_affine':
            m = RNG.uniform(-1, 1, (images, 2, 3)).astype('f4') + np.eye(2, 3, dtype='f4')
            operands = [x, Val(m, F32), size]
            expected = ops_image.warp_affine(None, Params(p=p), operands)
        else:
            m = RNG.uniform(-.1, .1, (3, 3, 3)).astype('f4') + np.eye(3, dtype='f4')
            index = Val(np.array([1, 0, 1], 'i4'), I32)
            operands = [x, Val(m, F32), index, size]
            expected = ops_image.warp_perspective(None, Params(p=p), operands)
        text = {'remap': '%0, %1', 'warp_affine': '%0, %1 size %2',
                'warp_perspective': '%0 matrix %1 index %2 size %3'}[kind]
        self.image(label, 'nn.' + kind, operands, attributes, expected[0], text)

    def concatenated_warp(self):
        """Two inputs are one batch."""
        parts = [numbers((n, 2, 4, 4), F32) for n in (1, 2)]
        m = Val(np.stack([np.eye(3, dtype='f4')] * 3), F32)
        size = Val(np.array([4, 4], 'i4'), I32)
        expected = Val(np.concatenate([v.a for v in parts]), F32)
        self.image('warp_perspective of two inputs', 'nn.warp_perspective', parts + [m, size], [], expected,
                   '%0, %1 matrix %2 size %3')

    def nhwc(self, label, op, x, attributes, expected):
        self.image(label, 'nn.' + op, [x], attributes, expected)

    def blur(self, dt, size, sigma, border, channels=3):
        x = numbers((2, 6, 5, channels), dt)
        p = Params(kernel_height=size[0], kernel_width=size[1], sigma_x=sigma[0], sigma_y=sigma[1],
                   border_mode=BORDERS.index(border))
        self.nhwc('gaussian_blur %s %s %s %s' % (dt.name, size, sigma, border), 'gaussian_blur', x,
                  ['kernel_height = %d' % size[0], 'kernel_width = %d' % size[1], 'sigma_x = %r : f32' % sigma[0],
                   'sigma_y = %r : f32' % sigma[1], 'border = #nn.border<%s>' % border],
                  ops_image.gaussian_blur(None, Params(p=p), [x])[0])

    def color(self, mode, dt):
        channels = 4 if mode.startswith('RGBA') else 1 if mode.startswith('GRAY') else 3
        shape = (2, 6, 4, channels)
        if mode[-4:] in ('NV12', 'NV21', 'YU12', 'YV12') or mode.startswith('YCrCb'):
            shape = (2, 12, 6, 1)
        x = numbers(shape, dt)
        expected = ops_image.cvt_color(None, Params(p=Params(mode=CVTCOLOR.index(mode))), [x])[0]
        self.nhwc('cvt_color %s %s' % (mode, dt.name), 'cvt_color', x, ['mode = #nn.color_conversion<%s>' % mode],
                  expected)

    def dct(self, out_type, name, block=4):
        x = numbers((2, 2, 8, 4), UINT8)
        o = Params(p=Params(dct_block_size=block), output_dtype=out_type)
        y = ops_image.dct_channel_select(None, o, [x])[0]
        attributes = ['block_size = %d' % block]
        if out_type:
            attributes.append('out_type = !quant.uniform<i8:f32, %r>' % out_type.scale)
        if name == 'NCHW4':
            attributes.append('layout = #nn.layout<NCHW4>')
            y = Val(np.ascontiguousarray(layout.from_nchw(y.a, FORMATS.index('NCHW4'))), y.dt)
        self.image('dct_channel_select %s %s' % (name, out_type), 'nn.dct_channel_select', [x], attributes, y)

    def masked_dct(self):
        x = numbers((2, 3, 8, 8), UINT8)
        y = ops_image.dct_channel_select(None, Params(p=Params(dct_block_size=4), output_dtype=None), [x])[0]
        offset, values = np.array([0, 2, 2, 5], 'i4'), np.array([3, 0, 15, 4, 7], 'i4')
        picked = [0 * 16 + 3, 0 * 16 + 0, 2 * 16 + 15, 2 * 16 + 4, 2 * 16 + 7]
        self.image('dct_channel_select with masks', 'nn.dct_channel_select',
                   [x, Val(offset, I32), Val(values, I32)], ['block_size = 4'],
                   Val(np.ascontiguousarray(y.a[:, picked]), F32), '%0 mask %1, %2')

    def region(self, kind, dt, mode):
        x = numbers((2, 3, 7, 6), dt)
        rois = np.array([[0, 0.3, 1.2, 4.6, 5.4], [1, -3, -2, 2, 1], [1, 4, 5, 3, 2], [0, 2, 2, 40, 50],
                         [1, 30, 30, 40, 40]], 'f4')
        operands = [x, Val(rois.astype(NP[dt.name]), dt)]
        numeric = 0 if mode == 'max' else 1
        if kind == 'roi_pool':
            operands.append(Val(np.array([2, 3], 'i4'), I32))
            results = ops_region.roi_pooling(None, Params(p=Params(mode=numeric, scale=0.9)), operands)
            attributes = ['mode = #nn.pool_mode<%s>' % mode, 'spatial_scale = 0.9 : f32']
        else:
            p = Params(mode=numeric, format=0, spatial_scale=np.float64(np.float32(0.9)), offset=0.5, pooled_height=2,
                       pooled_width=3, sample_height=3, sample_width=2)
            results = ops_region.roi_align(None, Params(p=p), operands)
            attributes = ['mode = #nn.pool_mode<%s>' % mode, 'spatial_scale = 0.9 : f32', 'offset = 0.5 : f32',
                          'pooled_size = array<i64: 2, 3>', 'sample_size = array<i64: 3, 2>']
        if mode != 'max':
            # The indices have no meaning; the op writes these.
            results[1].a[...] = -1 if kind == 'roi_pool' else 0
        self.pair('%s %s %s' % (kind, dt.name, mode), 'nn.' + kind, operands, attributes, results)

    def deformable(self, no_trans):
        x = numbers((2, 3, 7, 6), F32)
        rois = np.array([[0, 0.3, 1.2, 4.6, 5.4], [1, -3, -2, 2, 1], [0, 2, 2, 40, 50]], 'f4')
        trans = numbers((3, 2, 2, 3), F32)
        p = Params(no_trans=no_trans, pooled_h=2, pooled_w=3, part_size=2, sample_per_part=2, trans_std=0.25,
                   spatial_scale=0.5)
        operands = [x, Val(rois, F32), trans]
        attributes = ['spatial_scale = 0.5 : f32', 'trans_std = 0.25 : f32', 'pooled_size = array<i64: 2, 3>',
                      'part_size = 2', 'sample_per_part = 2'] + ['no_trans'] * no_trans
        self.pair('deform_psroi_pool %d' % no_trans, 'nn.deform_psroi_pool', operands, attributes,
                  ops_region.deformable_psroi(None, Params(p=p), operands))

    def pair(self, label, op, operands, attributes, results):
        """An op with two results."""
        names = ', '.join('%%%d' % k for k in range(len(operands)))
        self.add(label, '%s %s {%s}' % (op, names, ', '.join(attributes)), operands, results,
                 TOLERANCE.get(results[0].dt.name, 0))

    def nms(self):
        corner = RNG.uniform(0, 4, (2, 20, 2)).astype('f4')
        boxes = np.concatenate([corner, corner + RNG.uniform(1, 4, (2, 20, 2)).astype('f4')], -1)
        for limit in (3, 30):
            p = Params(iou_thresh=0.25, max_output=limit)
            self.pair('nms up to %d' % limit, 'nn.nms', [Val(boxes, F32)],
                      ['iou_threshold = 0.25 : f32', 'max_output = %d' % limit],
                      ops_shape.nms_keep(None, Params(p=p), [Val(boxes, F32)]))


def main():
    cases = ImageCases()
    for name in ('NCHW', 'NHWC', 'NHWCD4', 'NCHW4', 'NCHW44', 'NCHW88', 'CHWN4'):
        for mode in ('nearest', 'linear'):
            cases.resize(F32, name, mode)
    for dt in (FLOAT16, BFLOAT16, UINT8, INT8, INT16, QS8, QU8):
        for mode in ('nearest', 'linear', 'cubic'):
            cases.resize(dt, 'NCHW', mode)
    cases.resize(QS8, 'NCHW4', 'linear')
    cases.resize(QU4, 'NCHW', 'nearest')
    for mode in ('nearest', 'linear', 'area', 'cubic', 'lanczos4'):
        for shape, out in (((5, 7), (9, 4)), ((9, 8), (4, 3)), ((3, 2), (7, 9)), ((1, 1), (3, 2))):
            cases.resize(F32, 'NHWC', mode, shape, out, 3)
        cases.resize(FLOAT16, 'NHWC', mode, channels=1)
    for mode in ('area', 'cubic', 'lanczos4'):
        cases.resize(UINT8, 'NHWC', mode, channels=3)
    for mode in ('nearest', 'linear'):
        for coordinates in ('half_pixel', 'asymmetric', 'align_corners'):
            for shape, out in (((5, 7), (10, 3)), ((4, 4), (1, 8))):
                cases.resize_by(F32, mode, coordinates, shape, out)
        cases.resize_by(FLOAT16, mode, 'align_corners', (5, 5), (3, 9))
        cases.resize_by(QU8, mode, 'align_corners', (5, 5), (3, 9))
    for name in ('NCDHW', 'NDHWC'):
        for align in (0, 1):
            cases.resize3d(F32, name, align)
    cases.resize3d(FLOAT16, 'NCDHW', 1)
    for kind in ('warp_affine', 'warp_perspective', 'remap'):
        for border in BORDERS:
            cases.warp(kind, F32, 'NCHW', 'linear', border)
            cases.warp(kind, F32, 'NHWC', 'linear', border, 3)
        for mode in ('nearest', 'linear') if kind == 'remap' else ('nearest', 'cubic', 'lanczos4'):
            cases.warp(kind, F32, 'NHWC', mode, 'constant', 2)
            cases.warp(kind, F32, 'NHWC', mode, 'reflect', 1)
        for dt in (FLOAT16, UINT8, INT8):
            cases.warp(kind, dt, 'NCHW', 'linear', 'replicate')
            cases.warp(kind, dt, 'NHWC', 'linear', 'constant', 4)
        cases.warp(kind, F32, 'NCHW44', 'linear', 'wrap')
    cases.concatenated_warp()
    for dt in (F32, FLOAT16, UINT8):
        cases.blur(dt, (0, 0), (0.7, 0.0), 'reflect')
        cases.blur(dt, (5, 3), (0.0, 0.0), 'replicate')
        cases.blur(dt, (1, 7), (1.5, 0.5), 'reflect_101', 1)
        cases.blur(dt, (9, 9), (0.0, 0.0), 'constant')
    for mode in CVTCOLOR:
        cases.color(mode, UINT8)
    for mode in ('RGB2GRAY', 'BGR2GRAY', 'RGBA2GRAY', 'RGB2YUV', 'YUV2RGB', 'RGB2BGR', 'GRAY2RGB'):
        cases.color(mode, F32)
    for dt in (F32, UINT8, INT16):
        x = numbers((2, 3, 4, 3), dt)
        for clockwise in (0, 1):
            cases.nhwc('rotate %s' % dt.name, 'rotate', x, ['clockwise = %s' % ('true' if clockwise else 'false')],
                       ops_image.rotate(None, Params(p=Params(clockwise=clockwise)), [x])[0])
        for flags in (['vertical'], ['horizontal'], ['vertical', 'horizontal']):
            p = Params(vertical='vertical' in flags, horizontal='horizontal' in flags)
            cases.nhwc('flip %s %s' % (dt.name, flags), 'flip', x, flags, ops_image.flip(None, Params(p=p), [x])[0])
    for out_type in (None, DT('QuantizedS8', 4.0, 0)):
        for name in ('NCHW', 'NCHW4'):
            cases.dct(out_type, name)
    cases.masked_dct()
    for kind in ('roi_pool', 'roi_align'):
        for dt in (F32, FLOAT16):
            for mode in ('max', 'average'):
                cases.region(kind, dt, mode)
    for no_trans in (0, 1):
        cases.deformable(no_trans)
    cases.nms()
    return cases.main(sys.argv[1], 190, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
