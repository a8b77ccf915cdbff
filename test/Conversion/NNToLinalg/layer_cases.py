#!/usr/bin/env python3
"""Reductions, products, norms and recurrent layers of every element type, against the evaluator.

usage: layer_cases.py BIN_DIR ORACLE_DIR
"""
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])

import numpy as np

import ops_nn
from engine_cases import Cases, Params, element_type
from values import DT, F32, I32, NP, RANGE, Val, bf16_round, is_float, store

RNG = np.random.RandomState(6)
FLOAT16, BFLOAT16 = DT('Float16', 0, 0), DT('BFloat16', 0, 0)
FLOATS = [F32, FLOAT16, BFLOAT16]
INT8, INT16 = DT('Int8', 0, 0), DT('Int16', 0, 0)
UINT8, UINT16 = DT('Uint8', 0, 0), DT('Uint16', 0, 0)
QS8, QU8 = DT('QuantizedS8', 0.25, 0), DT('Quantized8Asymm', 0.5, 120)
QS4, QU4 = DT('QuantizedS4', 0.25, 0), DT('Quantized4Asymm', 0.5, 7)
TOLERANCE = dict(Float32=2e-6, Float16=2e-3, BFloat16=8e-3)
INT_MAX = 2**31 - 1
SCRATCH = DT('Byte', 0, 0)


def numbers(shape, dt, low=-2, high=2):
    if is_float(dt):
        a = RNG.uniform(low, high, shape).astype('f4')
        return Val(bf16_round(a) if dt.name == 'BFloat16' else a.astype(NP[dt.name]), dt)
    info = np.iinfo(NP[dt.name])
    low, high = RANGE.get(dt.name, (max(info.min, -1000), min(info.max, 1000)))
    return Val(RNG.randint(max(low, -9999), min(high, 9999) + 1, shape).astype(NP[dt.name]), dt)


def tolerance(v):
    return TOLERANCE.get(v.dt.name, 0)


class LayerCases(Cases):
    OPTIONS = ['--opt-level=0', '--schedule=plain']  # No approximations.

    def check(self, text, operands, expected):
        """Results in the tolerance of the first one's type."""
        first = expected[0] if isinstance(expected, list) else expected
        types = ', '.join('%s%s' % (v.dt.name, list(v.shape)) for v in operands)
        self.add('%s of %s' % (text, types), text, operands, expected, tolerance(first))


def reductions(cases):
    names = ['sum', 'sum_sqr', 'prod', 'min', 'max', 'mean']
    for dt in FLOATS + [I32, INT8, INT16, UINT8, UINT16, QS8, QU8]:
        for mode, name in enumerate(names):
            if dt is QS8 and mode in (1, 2) or dt is QU8 and mode in (0, 1, 2):
                continue
            for axis in (0, -1):
                v = numbers((3, 4, 5), dt)
                o = Params(p=Params(mode=mode, axis=axis))
                cases.check('nn.reduce_%s %%0 {axis = %d : i64}' % (name, axis), [v], ops_nn.reduce(None, o, [v])[0])
    for dt, data_type, number in ((FLOAT16, 'o32_c32', 2), (BFLOAT16, 'o32_c32', 2), (F32, 'o16_c32', 3),
                                  (QS8, 'qint8_o32', 5), (QU8, 'quint8_o32', 4)):
        v = numbers((3, 4, 5), dt)
        o = Params(p=Params(mode=0, axis=1, data_type=number))
        cases.check('nn.reduce_sum %%0 {axis = 1 : i64, data_type = #nn.reduce_type<%s>}' % data_type, [v],
                    ops_nn.reduce(None, o, [v])[0])


def products(cases):
    for dt in FLOATS + [INT8, INT16, QS8, QU8, QU4]:
        for left in (False, True):
            for right in (False, True):
                flags = ''.join([', transpose_a'] * left + [', transpose_b'] * right)
                text = ' {%s}' % flags[2:] if flags else ''
                o = Params(p=Params(transposeA=left, transposeB=right), output_dtype=None)
                a = numbers((6, 4) if left else (4, 6), dt)
                b = numbers((3, 6) if right else (6, 3), dt)
                cases.check('nn.matmul %0, %1' + text, [a, b], ops_nn.matmul(None, o, [a, b])[0])
                a = numbers((2, 6, 4) if left else (2, 4, 6), dt)
                b = numbers((2, 3, 6) if right else (2, 6, 3), dt)
                cases.check('nn.batch_matmul %0, %1' + text, [a, b], ops_nn.matmul(None, o, [a, b])[0])
    plain = Params(p=Params(transposeA=False, transposeB=False), output_dtype=None)
    a, b = numbers((4, 6), INT8), numbers((6, 3), INT8)
    v = ops_nn.matmul(None, plain, [a, b])[0]
    cases.check('nn.matmul %0, %1 {out_type = i16}', [a, b], store(v.a, INT16))
    a, b, out = numbers((4, 6), QS8), numbers((6, 3), QS8), DT('QuantizedS8', 20, 0)
    o = Params(p=plain.p, output_dtype=out)
    cases.check('nn.matmul %%0, %%1 {out_type = %s}' % element_type(out), [a, b], ops_nn.matmul(None, o, [a, b])[0])
    # Codes of 16 bits keep the sums of signed nibbles.
    a, b = numbers((4, 6), QS4), numbers((6, 3), QS4)
    sums = a.a.astype('i4') @ b.a.astype('i4')
    cases.check('nn.matmul %0, %1', [a, b], Val(sums.astype('i2'), DT('QuantizedS16', 0.0625, 0)))
    for dt in FLOATS + [INT8, I32]:
        a, b = numbers((7,), dt), numbers((7,), dt)
        one = numbers((1,), dt)
        for rhs in (b, one):
            spread = Val(np.broadcast_to(rhs.a, a.a.shape), dt)
            v = (ops_nn.wide(a).astype('f8') * ops_nn.wide(spread)).sum().reshape(1)
            cases.check('nn.dot %0, %1', [a, rhs], store(v, I32 if dt is INT8 else dt))


def blocked_products(cases):
    """The blocks as MegEngine's parameters describe them: 4(k),4(m) in MK4, 4(m),4(k) in MK4_DOT."""
    for name, x, inner in (('MK4', 4, 'km'), ('MK8', 8, 'km'), ('MK4_DOT', 4, 'mk')):
        for transposed in (False, True):
            a, b = numbers((16, 24), F32).a, numbers((24, 5), F32).a
            left = a.reshape(16 // x, x, 24 // x, x).transpose((0, 2, 3, 1) if inner == 'km' else (0, 2, 1, 3))
            left = left.swapaxes(0, 1) if transposed else left
            right = b.reshape(24 // x, x, 5).swapaxes(1, 2)
            product = (a @ b).reshape(16 // x, x, 5).swapaxes(1, 2)
            text = 'nn.matmul %%0, %%1 {format = #nn.matmul_format<%s>%s}' % (name, ', transpose_a' * transposed)
            cases.check(text, [Val(left, F32), Val(right, F32)], Val(product, F32))


def algebra(cases):
    for dt in FLOATS:
        a, b = numbers((4, 3, 2), dt), numbers((4, 2, 3), dt)
        o = Params(p=Params(axisa=1, axisb=2, axisc=0))
        cases.check('nn.cross %0, %1 {axis_a = 1 : i64, axis_b = -1 : i64, axis_c = 0 : i64}', [a, b],
                    ops_nn.cross(None, o, [a, b])[0])
        # Far from singular.
        v = numbers((2, 4, 4), dt)
        v = store(v.a.astype('f4') + 6 * np.eye(4, dtype='f4'), dt)
        cases.check('nn.matrix_inverse %0', [v], ops_nn.inverse(None, None, [v])[0])
    for shape in ((2, 5, 3), (3, 5), (4, 4)):
        v = numbers(shape, F32)
        cases.check('nn.svd %0 {compute_uv = false}', [v], ops_nn.svd(None, Params(p=Params()), [v])[0])


def norms(cases):
    shapes = [('dim_11hw', (1, 1, 4, 5)), ('dim_1chw', (1, 6, 4, 5)), ('dim_1c11', (1, 6, 1, 1)),
              ('dim_111c', (1, 1, 1, 5))]
    context = Params(graph=Params(version=0))
    for dt in FLOATS:
        x = numbers((2, 6, 4, 5), dt)
        for number, (name, shape) in enumerate(shapes):
            scale, bias, mean, variance = (numbers(shape, F32, 0.5, 1.5) for _ in range(4))
            for mode, stats in ((0, 5), (1, 3)):
                o = Params(p=Params(param_dim=number, fwd_mode=mode, epsilon=1e-2, avg_factor=0.25))
                values = [x, scale, bias, mean, variance]
                *moments, y = ops_nn.batch_norm(context, o, values)
                cases.check('nn.batch_norm %%0, %%1, %%2 stats %%3, %%4 {epsilon = 0.01 : f64, avg_factor = 0.25 : f64, '
                            'param_dim = #nn.param_dim<%s>, num_stats = %d : i64%s}' % (
                                name, stats, '' if mode else ', training'), values, [y] + moments)
        o = Params(p=Params(n=3, k=2, alpha=0.1, beta=0.75))
        cases.check('nn.lrn %0 {size = 3 : i64, k = 2.0 : f32, alpha = 0.1 : f32, beta = 0.75 : f32}', [x],
                    ops_nn.lrn(None, o, [x])[0])
        for axis in (0, 1, -1):
            cases.check('nn.softmax %%0 {axis = %d : i64}' % axis, [x],
                        ops_nn.softmax(None, Params(p=Params(axis=axis)), [x])[0])
        channels = [numbers((6,), F32), numbers((6,), F32)]
        for affine in (False, True):
            extra = ' weight %1 bias %2' if affine else ''
            p = Params(affine=affine, eps=1e-2, normalized_dim=2, axis_start=1, axis_end=3, group=3)
            kinds = [
                ('layer_norm', 'LayerNorm', (4, 5), 'normalized_dims = 2 : i64, normalized_size = 20 : i64, '),
                ('general_norm', 'GeneralNorm', (6, 4), 'axis_begin = 1 : i64, axis_end = 3 : i64, '),
                ('group_norm', 'GroupNorm', (6,), 'groups = 3 : i64, '), ('instance_norm', 'InstanceNorm', (6,), '')]
            for name, kind, shape, attributes in kinds:
                values = [x] + [numbers(shape, F32) for _ in range(2)] * affine
                function = ops_nn.layer_norm if kind in ('LayerNorm', 'GeneralNorm') else ops_nn.group_norm
                cases.check('nn.%s %%0%s {%sepsilon = 0.01 : f32}' % (name, extra, attributes), values,
                            function(None, Params(p=p, type=kind), values))


def recurrent(cases):
    for dt in FLOATS[:2]:
        for gates, name, kind in ((1, 'rnn', 'RNNForward'), (4, 'lstm', 'LSTMForward')):
            weights = [numbers(shape, dt, -0.5, 0.5) for shape in
                       ((2, 5), (4 * gates, 5), (1, 4 * gates), (2, 4), (4 * gates, 4), (4 * gates,))]
            if gates == 1:
                for mode, activation in enumerate(('none', 'relu', 'tanh')):
                    o = Params(p=dict(nonlineMode=mode))
                    cases.check('nn.rnn_cell(%%0, %%1, %%2, %%3, %%4, %%5) {activation = #nn.activation<%s>}' % activation,
                                weights, ops_nn.rnn_cell(None, o, weights)[0])
            else:
                values = weights + [numbers((2, 4), dt)]
                cases.check('nn.lstm_cell(%0, %1, %2, %3, %4, %5, %6)', values, ops_nn.lstm_cell(None, Params(), values))
            for layers, directions, bias, steps in ((1, 1, True, 5), (2, 2, True, 3), (3, 1, False, 1), (1, 2, False, 2)):
                size, features, batch = 4, 3, 2
                count = sum(directions * gates * size * ((directions * size if layer else features) + size + 2 * bias)
                            for layer in range(layers))
                states = [numbers((layers * directions, batch, size), dt) for _ in range(2 if gates == 4 else 1)]
                values = [numbers((steps, batch, features), dt)] + states + [numbers((count,), dt, -0.5, 0.5)]

                class Fields(Params):
                    def get(self, name, default):
                        return default
                o = Params(type=kind, p=Fields(hidden_size=size, num_layers=layers, bidirectional=directions == 2,
                                               bias=bias, nonlineMode=2))
                results = ops_nn.rnn(None, o, values)[:-1]
                reserve = layers * directions * steps * batch * size * NP[dt.name].itemsize * (2 if gates == 4 else 1)
                results.append(Val(np.zeros(reserve, 'u1'), SCRATCH))
                attributes = 'hidden_size = %d : i64, num_layers = %d : i64, bias = %s%s%s' % (
                    size, layers, str(bias).lower(), ', bidirectional' * (directions == 2),
                    ', activation = #nn.activation<tanh>' * (gates == 1))
                cases.check('nn.%s(%s) {%s}' % (name, ', '.join('%%%d' % k for k in range(len(values))), attributes),
                            values, results)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attention(cases, dt, sizes, projections, mask=None, has_bias=False, has_rows=False, has_zero=False, residual=False):
    """As nn.multi_head_attention says; the evaluator knows the plain form only."""
    heads, batch, queries, positions = 2, 2, 3, 4
    inputs = [numbers((batch, queries if k == 0 else positions, sizes[k]), dt) for k in range(3)]
    rows_out = projections[2] or heads * sizes[2]
    weights = [numbers((rows, columns), dt, -0.5, 0.5) for rows, columns in zip(list(sizes) + [rows_out], projections)]
    biases = [numbers((columns * has_bias,), dt) for columns in projections]
    packed = Val(np.concatenate([v.a.reshape(-1) for v in weights + biases]), dt)
    text, operands = '(%0, %1, %2, %3)', inputs + [packed]
    seen = positions + has_rows + has_zero
    given = None
    if mask == 'user':
        given = numbers((batch * heads, queries, seen), dt)
        text, operands = text + ' mask %%%d' % len(operands), operands + [given]
    rows = []
    if has_rows:
        rows = [numbers((1, 1, projections[k] or sizes[k]), dt) for k in (1, 2)]
        text += ' bias_rows %%%d, %%%d' % (len(operands), len(operands) + 1)
        operands = operands + rows

    def project(x, k):
        if not projections[k]:
            return x
        y = x @ weights[k].a.astype('f8')
        return y + biases[k].a.astype('f8') if has_bias else y

    parts = []
    for k, v in enumerate(inputs):
        x = project(v.a.astype('f8'), k)
        if k and has_rows:
            x = np.concatenate([x, np.broadcast_to(rows[k - 1].a.astype('f8'), (batch, 1, x.shape[2]))], 1)
        if k and has_zero:
            x = np.concatenate([x, np.zeros((batch, 1, x.shape[2]))], 1)
        # Features that are not projected belong to all heads.
        if projections[k]:
            x = x.reshape(batch, x.shape[1], heads, -1).swapaxes(1, 2)
        else:
            x = np.repeat(x[:, None], heads, 1)
        parts.append(x)
    scores = parts[0] @ parts[1].swapaxes(2, 3) * 0.5
    if given is not None:
        scores = scores + given.a.astype('f8').reshape(scores.shape)
    if mask == 'causal':
        scores = np.where(np.arange(seen) > np.arange(queries)[:, None], -np.inf, scores)
    weight = softmax(scores)
    y = project((weight @ parts[2]).swapaxes(1, 2).reshape(batch, queries, -1), 3)
    if residual:
        y = y + inputs[0].a.astype('f8')
    names = ['query_size', 'key_size', 'value_size', 'query_projection_size', 'key_projection_size',
             'value_projection_size', 'output_projection_size']
    attributes = ['num_heads = %d : i64' % heads, 'scale = 0.5 : f32']
    attributes += ['%s = %d : i64' % pair for pair in zip(names, list(sizes) + list(projections))]
    attributes += ['query_bias', 'key_bias', 'value_bias', 'output_bias'] * has_bias
    attributes += ['mask_type = #nn.attention_mask<%s>' % mask] * bool(mask)
    attributes += ['add_zero_attention'] * has_zero + ['residual'] * residual
    results = [store(y.astype('f4'), dt), store(weight.reshape(batch * heads, queries, seen).astype('f4'), dt),
               Val(np.zeros(0, 'u1'), SCRATCH), store(np.zeros(5, 'f4'), dt)]
    cases.check('nn.multi_head_attention%s {%s}' % (text, ', '.join(attributes)), operands, results)


def attentions(cases):
    for dt in FLOATS[:2]:
        attention(cases, dt, (8, 6, 10), (4, 4, 6, 8))
        attention(cases, dt, (8, 6, 10), (4, 4, 6, 8), mask='user', has_bias=True, has_rows=True, has_zero=True)
        attention(cases, dt, (8, 6, 10), (4, 4, 6, 8), mask='causal', has_bias=True, residual=True)
        attention(cases, dt, (4, 4, 3), (0, 0, 0, 5))
        attention(cases, dt, (4, 6, 3), (0, 8, 0, 0), mask='causal', has_rows=True)


def main():
    cases = LayerCases()
    reductions(cases)
    products(cases)
    blocked_products(cases)
    algebra(cases)
    norms(cases)
    recurrent(cases)
    attentions(cases)
    return cases.main(sys.argv[1], 300, sys.argv[3:])


if __name__ == '__main__':
    sys.exit(main())
