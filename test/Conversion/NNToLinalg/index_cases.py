#!/usr/bin/env python3
"""Shape, index and order ops of static and of run-time sizes, in every element type, against NumPy.

usage: index_cases.py BIN_DIR ORACLE_DIR
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import ops_shape
from engine_cases import Cases, Params
from values import BOOL, DT, F32, I32, NP, RANGE, Val, bf16_round, is_float

RNG = np.random.RandomState(13)
FLOAT16, BFLOAT16 = DT('Float16', 0, 0), DT('BFloat16', 0, 0)
UINT8, INT8, INT16 = DT('Uint8', 0, 0), DT('Int8', 0, 0), DT('Int16', 0, 0)
QS8, QU8, QU4 = DT('QuantizedS8', 0.25, 0), DT('Quantized8Asymm', 0.5, 120), DT('Quantized4Asymm', 0.5, 7)
ORDERED = (F32, FLOAT16, BFLOAT16, I32, INT16, INT8, UINT8, QS8, QU8)
ALL = ORDERED + (QU4, BOOL)


def numbers(shape, dt, few=False):
    """Random elements; `few` values, so that some are equal."""
    if dt.name == 'Bool':
        return Val(RNG.randint(0, 2, shape).astype(bool), dt)
    if is_float(dt):
        a = (RNG.randint(-3, 4, shape) / 2 if few else RNG.uniform(-3, 3, shape)).astype('f4')
        return Val(bf16_round(a) if dt.name == 'BFloat16' else a.astype(NP[dt.name]), dt)
    info = np.iinfo(NP[dt.name])
    low, high = RANGE.get(dt.name, (max(info.min, -1000), min(info.max, 1000)))
    if few:
        low = high - 3
    return Val(RNG.randint(low, high + 1, shape).astype(NP[dt.name]), dt)


def ints(*values):
    return Val(np.array(values, 'i4'), I32)


def flags(values):
    return 'array<i1: %s>' % ', '.join('true' if v else 'false' for v in values) if values else 'array<i1>'


def item_attributes(items):
    """`items` are (axis, begin, end, step, index) with 1 for what is given."""
    axes, *has = zip(*items)
    return ['axes = array<i64: %s>' % ', '.join(map(str, axes))] + [
        'has_%s = %s' % (name, flags(f)) for name, f in zip(('begin', 'end', 'step', 'index'), has)]


class IndexCases(Cases):
    def op(self, label, op, operands, attributes, expected, text=None, tolerance=0):
        """The op with static sizes and with all of them found at run time."""
        text = text or ', '.join('%%%d' % k for k in range(len(operands)))
        is_packed = any(v.dt == QU4 for v in operands)
        for dynamic in (False,) if is_packed else (False, True):
            self.add(label + (' of dynamic sizes' if dynamic else ''),
                     'nn.%s %s {%s}' % (op, text, ', '.join(attributes)), operands, expected, tolerance, dynamic)

    def views(self, dt):
        x = numbers((2, 3, 4), dt)

        def add(op, operands, attributes, a):
            self.op('%s %s' % (op, dt.name), op, operands, attributes, Val(np.ascontiguousarray(a), dt))

        add('reshape', [x, ints(4, 6)], [], x.a.reshape(4, 6))
        add('reshape', [x, ints(3, 99, 4)], ['inferred_axis = -2'], x.a.reshape(3, 2, 4))
        if dt != QU4:
            add('reshape', [numbers((0, 3), dt), ints(5, 0)], [], np.zeros((5, 0), x.a.dtype))
        add('broadcast_to', [Val(x.a[:, :1], dt), ints(2, 2, 3, 4)], [], np.broadcast_to(x.a[:, :1], (2, 2, 3, 4)))
        add('transpose', [x], ['permutation = array<i64: 2, 0, 1>'], x.a.transpose(2, 0, 1))
        add('transpose', [Val(x.a[:1], dt)], ['permutation = array<i64: 2, -1, 1>'], x.a[0].T[:, None])
        add('expand_squeeze', [Val(x.a[:1], dt)],
            ['axes = array<i64: 0, -1>', 'squeeze = %s' % flags([1, 0])], x.a[0][..., None])
        y = numbers((2, 1, 4), dt)
        empty = [numbers((2, 0, 4), dt)] * (dt != QU4)
        self.op('concat ' + dt.name, 'concat', [x] + empty + [y], ['axis = -2'], Val(np.concatenate([x.a, y.a], 1), dt))
        parts = [Val(np.ascontiguousarray(p), dt) for p in np.split(x.a, [1, 2], 1)]
        self.op('split ' + dt.name, 'split', [x, ints(1), ints(1), ints(1)], ['axis = 1'], parts)
        low, high = (1, 0, 2), (0, 2, 3)
        for mode in ('constant', 'replicate', 'reflect'):
            pads = list(zip(low, high))
            a = np.pad(x.a, pads, constant_values=3) if mode == 'constant' else np.pad(
                x.a, pads, 'edge' if mode == 'replicate' else 'reflect')
            add('pad', [x], ['low = array<i64: 1, 0, 2>', 'high = array<i64: 0, 2, 3>',
                             'mode = #nn.pad_mode<%s>' % mode, 'value = 3.0 : f32'],
                a if dt.name != 'Bool' else a.astype(bool))

    def slices(self, dt):
        x = numbers((5, 6, 7), dt)
        for items, operands, index in (
                ([(0, 1, 1, 1, 0), (2, 0, 1, 0, 0)], [1, -1, 2, 4], np.s_[1:-1:2, :, :4]),
                ([(1, 0, 0, 1, 0), (0, 1, 0, 1, 0)], [-2, 3, -1], np.s_[3::-1, ::-2]),
                ([(0, 0, 0, 0, 1), (-1, 0, 0, 0, 1)], [-2, 3], np.s_[-2, :, 3]),
                ([(0, 1, 1, 0, 0)], [4, 2], np.s_[4:2]),
                ([(0, 0, 0, 0, 1), (1, 0, 0, 0, 1), (2, 0, 0, 0, 1)], [1, 2, 3], np.s_[1:2, 2, 3])):
            operands = [ints(v) for v in operands]
            names = ', '.join('%%%d' % (k + 1) for k in range(len(operands)))
            part = np.ascontiguousarray(x.a[index])
            self.op('slice %s %s' % (dt.name, index), 'slice', [x] + operands, item_attributes(items), Val(part, dt),
                    '%%0[%s]' % names)
            value = numbers(part.shape[-1:], dt)
            y = x.a.copy()
            y[index] = value.a
            names = ', '.join('%%%d' % (k + 2) for k in range(len(operands)))
            self.op('slice_update %s %s' % (dt.name, index), 'slice_update', [x, value] + operands,
                    item_attributes(items), Val(y, dt), '%%0[%s] = %%1' % names)

    def gathers(self, dt):
        x = numbers((4, 5, 6), dt)
        i, j = np.array([[3], [-1]], 'i4'), np.array([0, -5, 2], 'i4')
        for items, operands, index in (
                ([(0, 0, 0, 0, 1), (1, 0, 0, 0, 1)], [i, j], (i, j)),
                ([(0, 0, 0, 0, 1), (2, 0, 0, 0, 1)], [i, j], (i, slice(None), j)),
                ([(1, 0, 0, 0, 1), (0, 1, 0, 1, 0)], [j, ints(3).a, ints(-2).a], (slice(3, None, -2), j))):
            operands = [Val(v, I32) for v in operands]
            names = ', '.join('%%%d' % (k + 1) for k in range(len(operands)))
            part = x.a[index]
            self.op('index %s' % dt.name, 'index', [x] + operands, item_attributes(items),
                    Val(np.ascontiguousarray(part), dt), '%%0[%s]' % names)
            value, y = numbers(part.shape, dt), x.a.copy()
            y[index] = value.a
            names = ', '.join('%%%d' % (k + 2) for k in range(len(operands)))
            self.op('index_put %s' % dt.name, 'index_put', [x, value] + operands, item_attributes(items), Val(y, dt),
                    '%%0[%s] = %%1' % names)
        mesh = np.ix_(np.arange(4), j % 5, [5, 0])
        items = [(1, 0, 0, 0, 1), (2, 0, 0, 0, 1)]
        operands = [Val(j, I32), ints(-1, 0)]
        self.op('mesh_index %s' % dt.name, 'mesh_index', [x] + operands, item_attributes(items), Val(x.a[mesh], dt),
                '%0[%1, %2]')
        value, y = numbers((4, 3, 2), dt), x.a.copy()
        y[mesh] = value.a
        self.op('mesh_index_put %s' % dt.name, 'mesh_index_put', [x, value] + operands, item_attributes(items),
                Val(y, dt), '%0[%2, %3] = %1')
        rows = np.array([[0, 4], [-1, 2], [1, 1], [3, -5]], 'i4')
        batch = (np.arange(4)[:, None], rows)
        self.op('batched mesh_index %s' % dt.name, 'mesh_index', [x, Val(rows, I32)],
                item_attributes([(1, 0, 0, 0, 1)]) + ['batched'], Val(x.a[batch], dt), '%0[%1]')
        at = np.array([[[0, 1, 2], [3, 4, 5]]], 'i4')
        self.op('gather_nd %s' % dt.name, 'gather_nd', [x, Val(at, I32)], [],
                Val(x.a[tuple(np.moveaxis(at, -1, 0))], dt))
        hot = Val(RNG.randint(0, 5, (4, 6)).astype('i4'), I32)
        p = Params(p=Params(axis=1))
        self.op('index_one_hot %s' % dt.name, 'index_one_hot', [x, hot], ['axis = -2'],
                ops_shape.indexing_one_hot(None, p, [x, hot])[0])
        value = numbers((4, 1, 6), dt)
        self.op('index_put_one_hot %s' % dt.name, 'index_put_one_hot', [x, hot, value], ['axis = 1'],
                ops_shape.indexing_set_one_hot(None, p, [x, hot, value])[0])

    def choices(self, dt):
        x, y, mask = numbers((3, 4), dt), numbers((3, 4), dt), numbers((3, 4), BOOL)
        self.op('select %s' % dt.name, 'select', [mask, x, y], [], Val(np.where(mask.a, x.a, y.a), dt))
        rows = Val(np.array([True, False, True]), BOOL)
        fill = {'QuantizedS8': 8, 'Quantized8Asymm': 124, 'Quantized4Asymm': 11}.get(dt.name, 2)
        self.op('masked_fill %s' % dt.name, 'masked_fill', [x, rows], ['value = 2.0 : f32'],
                Val(np.where(rows.a[:, None], np.array(fill).astype(x.a.dtype), x.a), dt))
        for k in (-2, 0, 1):
            self.op('diag %s' % dt.name, 'diag', [x], ['diagonal = %d' % k],
                    Val(np.ascontiguousarray(np.diag(x.a, k)), dt))
            v = numbers((3,), dt)
            self.op('diag %s' % dt.name, 'diag', [v], ['diagonal = %d' % k], Val(np.diag(v.a, k), dt))
        self.op('eye %s' % dt.name, 'eye', [ints(2, 3)],
                ['diagonal = 1', 'element_type = ' + ('i1' if dt.name == 'Bool' else 'i32')],
                Val(np.eye(2, 3, 1, NP[dt.name if dt.name == 'Bool' else 'Int32']), BOOL if dt.name == 'Bool' else I32))

    def order(self, dt):
        x = numbers((3, 9), dt, few=True)
        self.op('argmax %s' % dt.name, 'argmax', [x], ['axis = -1'],
                Val(x.a.argmax(1).astype('i4')[:, None], I32))
        self.op('argmin %s' % dt.name, 'argmin', [x], ['axis = 0'], Val(x.a.argmin(0).astype('i4')[None], I32))
        for order, name in enumerate(('ascending', 'descending')):
            self.op('argsort %s %s' % (dt.name, name), 'argsort', [x], ['order = #nn.sort_order<%s>' % name],
                    ops_shape.argsort(None, Params(p=Params(order=order)), [x]))
        for k in (2, -3, 20):
            self.op('topk %s' % dt.name, 'topk', [x, ints(k)], ['mode = #nn.topk_mode<sorted>'],
                    ops_shape.topk(None, Params(p=Params(mode=2)), [x, ints(k)]))
            self.op('topk kth %s' % dt.name, 'topk', [x, ints(k)], ['mode = #nn.topk_mode<kth_only>'],
                    ops_shape.topk(None, Params(p=Params(mode=0)), [x, ints(k)]))
        if dt.name[0] == 'Q':
            return
        y = numbers((2, 4, 3), dt)
        for exclusive in (0, 1):
            for reverse in (0, 1):
                p = Params(axis=1, exclusive=exclusive, reverse=reverse)
                self.op('cumsum %s' % dt.name, 'cumsum', [y],
                        ['axis = -2'] + ['exclusive'] * exclusive + ['reverse'] * reverse,
                        ops_shape.cumsum(None, Params(p=p), [y])[0],
                        tolerance=dict(Float32=1e-5, Float16=2e-3, BFloat16=8e-3).get(dt.name, 0))

    def compaction(self, dt):
        x, mask = numbers((3, 4), dt), numbers((3, 4), dt, few=True)
        value = float(mask.a.flat[0])
        for mode, predicate in enumerate(('eq', 'ne', 'lt', 'le', 'gt', 'ge')):
            p = Params(mode=mode, val=value, eps=0.25)
            self.add('cond_take %s %s' % (dt.name, predicate),
                     'nn.cond_take %%0, %%1 {predicate = #nn.predicate<%s>, value = %r : f32, epsilon = 0.25 : f32}' % (
                         predicate, value),
                     [x, mask], ops_shape.cond_take(None, Params(p=p), [x, mask]), dynamic=True)
        y = Val(np.where(RNG.randint(0, 2, (3, 4)), x.a, np.zeros_like(x.a)), dt)
        self.add('nonzero %s' % dt.name, 'nn.nonzero %0', [y], ops_shape.nonzero(None, None, [y])[0], dynamic=True)

    def shapes(self):
        x, y = numbers((2, 1, 4), F32), numbers((3, 1), F32)
        self.op('shape_of', 'shape_of', [x, y], [], ints(2, 3, 4))
        self.op('shape_of', 'shape_of', [x], ['axis = -1'], ints(4))
        for end in (True, False):
            start, stop = Val(np.array([-1], 'f4'), F32), ints(3)
            self.op('linspace', 'linspace', [start, stop, ints(5)], ['endpoint = %s' % str(end).lower()],
                    Val(np.linspace(-1, 3, 5, endpoint=end, dtype='f4'), F32), tolerance=1e-6)


def main():
    cases = IndexCases()
    for dt in ALL:
        cases.views(dt)
    for dt in (F32, INT8):
        cases.slices(dt)
        cases.gathers(dt)
    for dt in ALL:
        cases.choices(dt)
    for dt in ORDERED:
        cases.order(dt)
    for dt in (F32, FLOAT16, I32, UINT8, INT16):
        cases.compaction(dt)
    cases.shapes()
    return cases.main(sys.argv[1], 800, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
