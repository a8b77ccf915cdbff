#!/usr/bin/python3
"""Makes random graphs as MLIR text, from a seed.

  random_graphs.py SEED        prints one

The pieces are what passes look for and what they must not touch: convolutions
of all kinds with biases, scales, batch norms, residuals and activations in
many spellings, constant subgraphs, identities, reshapes, shared and equal
weights, f16 and quantized islands, several outputs (of one value, of an
input, of a constant). No op amplifies rounding: every value stays within a few
units, and nothing jumps.
"""
import random
import sys

import numpy as np

ACTIVATIONS = ['relu', 'sigmoid', 'tanh', 'h_swish', 'silu', 'h_sigmoid', 'relu6']
UNARY = ACTIVATIONS + ['neg', 'abs', 'erf', 'sin', 'square']
QUANTIZED = {'!quant.uniform<i8:f32, %r>' % s: s for s in (0.0625, 0.03125)}


class Graph:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.np = np.random.RandomState(seed)
        self.lines, self.types, self.args = [], {}, []
        self.pool, self.count = {}, 0

    # Values are names like %3; `types` has (shape, element).
    def type(self, value):
        shape, element = self.types[value]
        return 'tensor<%s%s>' % (''.join('%dx' % d for d in shape), element)

    def op(self, name, operands, shape, element=None, attrs='', form='%s'):
        result = '%%%d' % self.count
        self.count += 1
        self.types[result] = (tuple(shape), element or self.types[operands[0]][1])
        if self.rng.random() < 0.5:
            attrs = ', '.join(filter(None, [attrs, 'mgb.name = "op%d"' % self.count]))
        self.lines.append('  %s = nn.%s %s%s : (%s) -> %s' % (
            result, name, form % ', '.join(operands) if form == '%s' else form % tuple(operands),
            ' {%s}' % attrs if attrs else '', ', '.join(map(self.type, operands)), self.type(result)))
        return result

    def raw(self, array, element, storage):
        result = '%%%d' % self.count
        self.count += 1
        self.types[result] = (array.shape, element)
        dims = ''.join('%dx' % d for d in array.shape)
        self.lines.append('  %s = nn.constant dense<"0x%s"> : tensor<%s%s> : %s' % (
            result, array.tobytes().hex().upper(), dims, storage, self.type(result)))
        return result

    def constant(self, shape, element='f32', low=-1.0, high=1.0):
        """A new constant, the same one again, or another of equal bytes."""
        key = (tuple(shape), element, low, high)
        known = self.pool.setdefault(key, [])
        draw = self.rng.random()
        if known and draw < 0.3:
            return self.rng.choice(known)[0]
        array = self.np.uniform(low, high, shape).astype('<f2' if element == 'f16' else '<f4')
        if known and draw < 0.5:
            array = self.rng.choice(known)[1]
        elif draw > 0.9:
            array = np.full_like(array, array.flat[0])
        known.append((self.raw(array, element, element), array))
        return known[-1][0]

    def number(self, value, shape=(1,), element='f32'):
        return self.raw(np.full(shape, value, '<f2' if element == 'f16' else '<f4'), element, element)

    def ints(self, values):
        return self.raw(np.array(values, '<i4'), 'i32', 'i32')

    def per_channel(self, x, low, high):
        """A constant along the channels of x, in one of its shapes."""
        (n, c, h, w), element = self.types[x]
        return self.constant(self.rng.choice([(1, c, 1, 1), (c, 1, 1), (1,), (1, 1, 1, 1)]), element, low, high)

    def binary(self, name, a, b, attrs=''):
        if name in ('add', 'mul', 'maximum', 'minimum') and self.rng.random() < 0.5:
            a, b = b, a
        shape = np.broadcast_shapes(self.types[a][0], self.types[b][0])
        return self.op(name, [a, b], shape, None, attrs)

    def unary(self, name, x):
        return self.op(name, [x], *self.types[x])

    # -- pieces: each takes a value of rank 4 and returns one -----------------

    def conv(self, x):
        (n, c, h, w), element = self.types[x]
        k, pad, stride = self.rng.choice([1, 3]), self.rng.choice([0, 1]), self.rng.choice([1, 1, 2])
        if min(h, w) + 2 * pad < k:
            k = 1
        groups = self.rng.choice([g for g in (1, 1, 2, c) if c % g == 0])
        m = self.rng.choice([1, 2, 3])
        oc = groups * m
        bound = (3.0 / (c // groups * k * k)) ** 0.5
        plain = groups > 1 and self.rng.random() < 0.3
        shape = (m, c // groups, k, k) if groups == 1 else (groups, m, c // groups, k, k)
        if plain:
            shape = (oc, c // groups, k, k)
        weights = self.constant(shape, element, -bound, bound)
        attrs = 'strides = array<i64: %d, %d>, pads = array<i64: %d, %d>, dilations = array<i64: 1, 1>' % (stride, stride, pad, pad)
        if groups > 1:
            attrs += ', groups = %d : i64' % groups + ('' if plain else ', group_filter')
        out = [(d + 2 * pad - k) // stride + 1 for d in (h, w)]
        if self.rng.random() < 0.15:
            bias = self.constant((1, oc, 1, 1), element)
            return self.op('conv2d', [x, weights, bias], [n, oc] + out, None, attrs, '%s, %s bias %s')
        return self.op('conv2d', [x, weights], [n, oc] + out, None, attrs)

    def padded(self, x):
        """A pad before a window: of the number that the window pads with, or not."""
        (n, c, h, w), element = self.types[x]
        even = self.rng.random() < 0.5
        low = [self.rng.randint(0, 2) for _ in range(2)]
        high = low if even else [self.rng.randint(0, 2) for _ in range(2)]
        size = [d + a + b for d, a, b in zip((h, w), low, high)]
        y = self.op('pad', [x], [n, c] + size, None, 'low = array<i64: 0, 0, %d, %d>, high = array<i64: 0, 0, %d, %d>, value = %s : f32' % (
            *low, *high, self.rng.choice(['0.0', '0.0', '0.0', '1.0'])))
        kind = self.rng.randrange(4)
        if kind < 2 or min(size) < 3:
            return self.conv(y)
        name = ['max_pool2d', 'avg_pool2d'][kind - 2]
        pad, counts = self.rng.choice([0, 0, 1]), name == 'avg_pool2d' and self.rng.random() < 0.5
        return self.op(name, [y], [n, c] + [d + 2 * pad - 2 for d in size], None,
                       'kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: %d, %d>%s' % (
                           pad, pad, ', count_include_pad' if counts else ''))

    def deconv(self, x):
        (n, c, h, w), element = self.types[x]
        if h > 12:
            return x
        k, stride = self.rng.choice([2, 3]), self.rng.choice([1, 2])
        groups = self.rng.choice([g for g in (1, 2) if c % g == 0])
        m = self.rng.choice([1, 2])
        bound = (3.0 / (c // groups * k * k)) ** 0.5
        shape = (c, m, k, k) if groups == 1 else (groups, c // groups, m, k, k)
        attrs = 'strides = array<i64: %d, %d>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>' % (stride, stride)
        if groups > 1:
            attrs += ', groups = %d : i64, group_filter' % groups
        weights = self.constant(shape, element, -bound, bound)
        return self.op('conv_transpose2d', [x, weights],
                       [n, groups * m] + [(d - 1) * stride + k for d in (h, w)], None, attrs)

    def affine(self, x):
        kind = self.rng.choice(['add', 'sub', 'mul', 'div', 'bn', 'fma', 'full', 'rsub', 'width'])
        (n, c, h, w), element = self.types[x]
        if kind in ('add', 'sub'):
            return self.binary(kind, x, self.per_channel(x, -1, 1))
        if kind in ('mul', 'div'):
            return self.binary(kind, x, self.per_channel(x, 0.5, 1.5))
        if kind == 'full':
            return self.binary('add', x, self.constant((n, c, h, w), element))
        if kind == 'width':
            return self.binary('add', x, self.constant((w,), element))
        if kind == 'rsub':
            return self.binary('sub', self.per_channel(x, -1, 1), x)
        if kind == 'fma':
            scale, shift = self.per_channel(x, 0.5, 1.5), self.per_channel(x, -1, 1)
            return self.op('fma', [x, scale, shift], *self.types[x])
        if element != 'f32':
            return x
        params = [self.constant((1, c, 1, 1), 'f32', *span) for span in ((0.5, 1.5), (-1, 1), (-1, 1), (0.5, 2))]
        return self.op('batch_norm', [x] + params, (n, c, h, w), None,
                       'avg_factor = 1.0 : f64, epsilon = 1.0e-05 : f64', '%s, %s, %s stats %s, %s')

    def activation(self, x):
        kind = self.rng.random()
        if kind > 0.25:
            return self.unary(self.rng.choice(ACTIVATIONS if kind > 0.4 else UNARY), x)
        zero, six = (self.number(v, self.rng.choice([(1,), (1, 1, 1, 1)]), self.types[x][1]) for v in (0, 6))
        if self.rng.random() < 0.3:
            return self.binary('minimum' if self.rng.random() < 0.5 else 'maximum', x, self.rng.choice([zero, six]))
        if self.rng.random() < 0.5:
            return self.binary('minimum', self.binary('maximum', x, zero), six)
        return self.binary('maximum', self.binary('minimum', x, six), zero)

    def residual(self, x):
        """A sum (or product) with a value of the same type, or of one that broadcasts."""
        (n, c, h, w), element = self.types[x]
        shapes = [(n, c, h, w), (n, c, 1, 1), (1, c, h, w), (n, 1, h, w)]
        others = [v for v, t in self.types.items() if t[0] in shapes and t[1] == element]
        other = self.rng.choice(others)
        kind = self.rng.random()
        if kind < 0.15:
            scaled = self.binary('mul', other, self.per_channel(x, 0.5, 1.5))
            return self.binary('add', scaled, x)
        if kind < 0.25:
            return self.binary('mul', x, self.unary('sigmoid', other))
        if kind < 0.5:
            act = self.rng.choice(['relu', 'sigmoid', 'tanh', 'h_swish'])
            return self.binary('add', x, other, 'activation = #nn.activation<%s>' % act)
        return self.binary('add', x, other)

    def branches(self, x):
        """Two convolutions of one value, added: a block as in ResNet."""
        (n, c, h, w), element = self.types[x]
        ends = []
        for _ in range(2):
            weights = self.constant((c, c, 1, 1), element, -0.8, 0.8)
            end = self.op('conv2d', [x, weights], (n, c, h, w), None,
                          'strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>')
            ends.append(self.affine(end) if self.rng.random() < 0.5 else end)
        return self.binary('add', ends[0], ends[1])

    def shapes(self, x):
        (n, c, h, w), element = self.types[x]
        kind = self.rng.randrange(9)
        if kind == 0:
            return self.op('identity', [x], (n, c, h, w))
        if kind == 1:   # an identity
            return self.op('reshape', [x, self.ints([n, c, h, w])], (n, c, h, w))
        if kind == 2:   # there and back by the shape of another value
            flat = self.op('reshape', [x, self.ints([n, c, h * w])], (n, c, h * w))
            shape = self.op('shape_of', [x], (4,), 'i32')
            return self.op('reshape', [flat, shape], (n, c, h, w))
        if kind == 3:
            turned = self.op('transpose', [x], (n, c, w, h), None, 'permutation = array<i64: 0, 1, 3, 2>, input_rank = 4 : i64')
            return turned if self.rng.random() < 0.5 else self.op(
                'transpose', [turned], (n, c, h, w), None, 'permutation = array<i64: 0, 1, 3, 2>, input_rank = 4 : i64')
        if kind == 4:
            others = [v for v, t in self.types.items() if t == self.types[x]]
            other = self.rng.choice(others)
            return self.op('concat', [x, other], (n, 2 * c, h, w), None, 'axis = 1 : i64') if c < 8 else x
        if kind == 5 and c > 1:
            begin = self.ints([1])
            return self.op('slice', [x, begin], (n, c - 1, h, w), None,
                           'axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, '
                           'has_step = array<i1: false>, has_index = array<i1: false>', '%s[%s]')
        if kind == 6 and min(h, w) >= 4:
            name = self.rng.choice(['max_pool2d', 'avg_pool2d'])
            return self.op(name, [x], (n, c, h // 2, w // 2), None,
                           'kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0>')
        if kind == 7:
            return self.binary(self.rng.choice(['add', 'sub']), x, self.number(0, (1,), element))
        if kind == 8:
            return self.binary(self.rng.choice(['mul', 'div']), x, self.number(1, (1,), element))
        return x

    def constants(self, x):
        """A constant subgraph that feeds x."""
        (n, c, h, w), element = self.types[x]
        a, b = self.constant((1, c, 1, 1), element), self.constant((1, c, 1, 1), element)
        return self.binary('add', x, self.binary(self.rng.choice(['add', 'mul', 'sub']), a, b))

    def duplicate(self, x):
        name = self.rng.choice(['sigmoid', 'relu', 'tanh'])
        return self.binary('add', self.unary(name, x), self.unary(name, x))

    def half(self, x):
        """An island of f16."""
        if self.types[x][1] != 'f32':
            return x
        y = self.op('cast', [x], self.types[x][0], 'f16', 'to = f16')
        for _ in range(self.rng.randint(1, 4)):
            y = self.rng.choice([self.conv, self.affine, self.activation, self.residual, self.deconv])(y)
        return self.op('cast', [y], self.types[y][0], 'f32', 'to = f32')

    def quantized(self):
        """An island of int8 on a graph input: what comes from f32 would make codes jump."""
        x = self.rng.choice([v for v in self.args if len(self.types[v][0]) == 4])
        (n, c, h, w), _ = self.types[x]
        qin, qweight = self.rng.choice(list(QUANTIZED)), self.rng.choice(list(QUANTIZED))
        qout = self.rng.choice(list(QUANTIZED))
        scale = QUANTIZED[qin] * QUANTIZED[qweight]
        qacc = '!quant.uniform<i32:f32, %r>' % scale
        y = self.op('cast', [x], (n, c, h, w), qin, 'to = ' + qin)
        weights = self.raw(self.np.randint(-8, 8, (c, c, 1, 1)).astype('i1'), qweight, 'i8')
        attrs = 'strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>'
        fused = self.rng.random() < 0.5
        act = self.rng.choice(['', 'relu', 'h_swish', 'tanh', 'silu', 'relu6', 'sigmoid'] if fused else ['', 'relu'])
        if act:
            attrs += ', activation = #nn.activation<%s>' % act
        bias = self.raw(self.np.randint(-200, 200, (1, c, 1, 1)).astype('<i4'), qacc, 'i32')
        if fused:
            attrs += ', out_type = ' + qout
            if self.rng.random() < 0.5:
                z = self.op('cast', [x], (n, c, h, w), qout, 'to = ' + qout)
                y = self.op('conv2d', [y, weights, bias, z], (n, c, h, w), qout, attrs, '%s, %s bias %s residual %s')
            else:
                y = self.op('conv2d', [y, weights, bias], (n, c, h, w), qout, attrs, '%s, %s bias %s')
        else:
            y = self.op('conv2d', [y, weights], (n, c, h, w), qacc, attrs)
            if not act:
                y = self.op('add', [y, bias], (n, c, h, w), qacc, 'out_type = ' + qacc)
            if self.rng.random() < 0.5:
                y = self.op('relu', [y], (n, c, h, w), qacc, 'out_type = ' + qacc)
            y = self.op('cast', [y], (n, c, h, w), qout, 'to = ' + qout)
        if self.rng.random() < 0.5:
            z = self.op('cast', [x], (n, c, h, w), qin, 'to = ' + qin)
            y = self.op('add', [y, z], (n, c, h, w), qout, 'out_type = ' + qout)
        return self.op('cast', [y], (n, c, h, w), 'f32', 'to = f32')

    def head(self, x):
        (n, c, h, w), element = self.types[x]
        if element != 'f32':
            return x
        flat = self.op('reshape', [x, self.ints([n, c * h * w])], (n, c * h * w))
        weights = self.constant((c * h * w, 3), 'f32', *(s * (3.0 / (c * h * w)) ** 0.5 for s in (-1, 1)))
        y = self.op('matmul', [flat, weights], (n, 3))
        y = self.binary('add', y, self.constant((3,)))
        if self.rng.random() < 0.5:
            y = self.binary('mul', y, self.constant((1, 3), 'f32', 0.5, 1.5))
        name = self.rng.choice(['reduce_sum', 'reduce_mean', 'reduce_max'])
        return y if self.rng.random() < 0.5 else self.op(name, [y], (n, 1), None, 'axis = 1 : i64')

    def build(self):
        c, size = self.rng.choice([2, 4]), self.rng.choice([4, 5, 8])
        for _ in range(self.rng.choice([1, 2])):
            name = '%%a%d' % len(self.args)
            self.types[name] = ((self.rng.choice([1, 2]), c, size, size), 'f32')
            self.args.append(name)
        pieces = ([self.conv] * 6 + [self.affine] * 6 + [self.activation] * 5 + [self.residual] * 3 + [self.shapes] * 4 +
                  [self.deconv, self.padded, self.padded, self.branches, self.constants, self.duplicate, self.half])
        heads, x = [], self.args[0]
        for _ in range(self.rng.randint(3, 18)):
            x = self.rng.choice(pieces)(x)
            if self.rng.random() < 0.1:
                heads.append(x)
                x = self.rng.choice([v for v, t in self.types.items() if len(t[0]) == 4 and t[1] == 'f32' and t[0][2] > 1])
        heads.append(self.head(x) if self.rng.random() < 0.3 else x)
        if self.rng.random() < 0.3:
            heads.append(self.quantized())
        if self.rng.random() < 0.2:     # one value twice, an input, any value
            heads.append(self.rng.choice(heads + self.args + [v for v, t in self.types.items() if t[1] == 'f32']))
        return heads

    def text(self):
        heads = self.build()
        names = ['{nn.name = "out%d"}' % k if self.rng.random() < 0.8 else '' for k in range(len(heads))]
        return 'func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n' % (
            ', '.join('%s: %s {nn.name = "in%d"}' % (a, self.type(a), k) for k, a in enumerate(self.args)),
            ', '.join('%s %s' % (self.type(h), name) for h, name in zip(heads, names)),
            '\n'.join(self.lines), ', '.join(heads), ', '.join(map(self.type, heads)))


def make(seed):
    return Graph(seed).text()


if __name__ == '__main__':
    print(make(int(sys.argv[1])), end='')
