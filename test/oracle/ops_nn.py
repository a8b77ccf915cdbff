"""Reductions, matrix products, normalisation and recurrent layers."""
import numpy as np

from ops_conv import accumulated, finish, wide
from values import (DT, F32, I32, Unsupported, Val, dequantize, f32, half_away, is_float, is_quant,
                    op, store)


@op('ReduceV2')
def reduce(ctx, o, xs):
    v, p = xs[0], o.p
    ndim = v.a.ndim
    if len(xs) > 1 or p.axis == 2 ** 31 - 1:
        target = [int(i) for i in xs[1].a.reshape(-1)]
        if len(target) > ndim:
            raise ValueError('reduce target %s of %s' % (target, v.shape))
        target = [1] * (ndim - len(target)) + target
        axes = tuple(i for i in range(ndim) if target[i] == 1 and v.shape[i] != 1)
        shape = [int(i) for i in xs[1].a.reshape(-1)]
        if any(t != s for i, (t, s) in enumerate(zip(target, v.shape)) if i not in axes):
            raise ValueError('reduce target %s of %s' % (target, v.shape))
    else:
        axes, shape = (p.axis % ndim,), None
    count = int(np.prod([v.shape[a] for a in axes], dtype='i8'))
    if is_float(v.dt):
        a = v.a.astype('f8')
    elif v.dt.name in ('QuantizedS32', 'Int32'):
        a = v.a.astype('i8')
    else:
        a = v.a.astype('i8') - (v.dt.zp if p.data_type == 4 else 0)
    kw = dict(axis=axes, keepdims=True)
    if p.mode in (0, 5):
        y = a.sum(**kw)
        if p.mode == 5:
            y = y / count
            if not is_float(v.dt):
                y = half_away(y) if is_quant(v.dt) else np.trunc(y)
    elif p.mode == 1:
        y = (a * a).sum(**kw)
    elif p.mode == 2:
        y = a.prod(**kw)
    else:
        y = a.min(**kw) if p.mode == 3 else a.max(**kw)
    dt = v.dt
    if p.data_type == 2:
        dt = F32
    elif p.data_type in (1, 3):
        dt = DT('Float16', 0.0, 0)
    elif p.data_type in (4, 5):
        dt = DT('QuantizedS32', v.dt.scale, 0)
    return [store(y if shape is None else y.reshape(shape), dt)]


def _matmul(o, xs):
    if o.p.format:
        raise Unsupported('MatrixMul in format %d' % o.p.format)
    a, b = wide(xs[0]), wide(xs[1])
    a = a.swapaxes(-1, -2) if o.p.transposeA else a
    b = b.swapaxes(-1, -2) if o.p.transposeB else b
    y = np.matmul(np.ascontiguousarray(a), np.ascontiguousarray(b))
    return [finish(accumulated(y, *xs), xs[0], o.output_dtype)]


@op('MatrixMulV2', 'BatchedMatrixMulV2')
def matmul(ctx, o, xs):
    return _matmul(o, xs)


@op('Dot')
def dot(ctx, o, xs):
    y = (wide(xs[0]).astype('f8') * wide(xs[1])).sum().reshape(1)
    return [finish(accumulated(y, *xs), xs[0], o.output_dtype)]


@op('Cross')
def cross(ctx, o, xs):
    y = np.cross(f32(xs[0]), f32(xs[1]), o.p.axisa, o.p.axisb, o.p.axisc)
    return [store(y, xs[0].dt)]


@op('MatrixInverse')
def inverse(ctx, o, xs):
    return [store(np.linalg.inv(xs[0].a.astype('f8')), xs[0].dt)]


@op('SVD')
def svd(ctx, o, xs):
    a = xs[0].a.astype('f8')
    if not o.p.compute_uv:
        return [store(np.linalg.svd(a, compute_uv=False), xs[0].dt)]
    return [store(m, xs[0].dt) for m in np.linalg.svd(a, o.p.full_matrices)]


@op('BatchNormV1')
def batch_norm(ctx, o, xs):
    x, scale, bias = map(f32, xs[:3])
    p = o.p
    axes = [(0, 1), (0,), (0, 2, 3), (0, 1, 2)][p.param_dim]
    infer = p.fwd_mode == 1
    eps = np.float32(p.epsilon)
    if infer:
        mean, var = f32(xs[3]), f32(xs[4])
    else:
        mean = x.mean(axes, keepdims=True, dtype='f8').astype('f4')
        var = x.var(axes, keepdims=True, dtype='f8').astype('f4')
    inv = 1 / np.sqrt(var + eps)
    y = store(scale * (x - mean) * inv + bias, xs[0].dt)
    stats = []
    if not infer and len(xs) == 5:
        n = x.size // mean.size
        f = np.float32(p.avg_factor)
        stats = [Val((1 - f) * f32(xs[3]) + f * mean, F32),
                 Val((1 - f) * f32(xs[4]) + f * var * np.float32(n / max(n - 1, 1)), F32)]
    stats += [Val(mean, F32), Val(inv if not infer else var, F32)]
    if not (800000 <= ctx.graph.version < 2000000 and ctx.graph.version != 1099900):
        stats.append(Val(np.zeros(0, 'u1'), DT('Byte', 0.0, 0)))
    return stats + [y]


@op('Softmax')
def softmax(ctx, o, xs):
    x = f32(xs[0])
    e = np.exp(x - x.max(o.p.axis, keepdims=True))
    return [store(e / e.sum(o.p.axis, keepdims=True), xs[0].dt)]


def _normalise(x, axes, eps):
    mean = x.mean(axes, keepdims=True, dtype='f8')
    rstd = 1 / np.sqrt(x.var(axes, keepdims=True, dtype='f8') + eps)
    return (x - mean) * rstd, mean, rstd


@op('LayerNorm', 'GeneralNorm')
def layer_norm(ctx, o, xs):
    x, p = f32(xs[0]), o.p
    if o.type == 'LayerNorm':
        axes = tuple(range(x.ndim - p.normalized_dim, x.ndim))
    else:
        axes = tuple(range(p.axis_start, p.axis_end))
    y, mean, rstd = _normalise(x, axes, p.eps)
    if p.affine:
        after = x.ndim - 1 - axes[-1]
        shape = [x.shape[a] for a in axes] + [1] * after
        y = y * f32(xs[1]).reshape(shape) + f32(xs[2]).reshape(shape)
    lead = [n for i, n in enumerate(x.shape) if i not in axes] or [1]
    return [store(y, xs[0].dt), store(mean.reshape(lead), F32), store(rstd.reshape(lead), F32)]


@op('GroupNorm', 'InstanceNorm')
def group_norm(ctx, o, xs):
    x = f32(xs[0])
    n, c, h, w = x.shape
    groups = c if o.type == 'InstanceNorm' else o.p.group
    y, mean, rstd = _normalise(x.reshape(n, groups, -1), (2,), o.p.eps)
    y = y.reshape(x.shape)
    if o.p.affine:
        y = y * f32(xs[1]).reshape(1, c, 1, 1) + f32(xs[2]).reshape(1, c, 1, 1)
    return [store(y, xs[0].dt), store(mean[..., 0], F32), store(rstd[..., 0], F32)]


@op('LRN')
def lrn(ctx, o, xs):
    x, p = f32(xs[0]), o.p
    half, c = p.n // 2, x.shape[1]
    sq = np.pad(x * x, [(0, 0), (half, half), (0, 0), (0, 0)])
    total = sum(sq[:, i:i + c] for i in range(2 * half + 1))
    return [store(x * (np.float32(p.k) + np.float32(p.alpha) * total) ** np.float32(-p.beta), xs[0].dt)]


def _sigmoid(x):
    return 1 / (1 + np.exp(-x))


_NONLINE = (lambda t: t, lambda t: np.maximum(t, 0), np.tanh)


@op('RNNCellForward')
def rnn_cell(ctx, o, xs):
    x, wi, bi, h, wh, bh = map(f32, xs)
    t = x @ wi.T + bi.reshape(1, -1) + h @ wh.T + bh.reshape(1, -1)
    return [store(_NONLINE[o.p.get('nonlineMode', 0)](t), xs[0].dt)]


def _lstm_step(gates, c):
    i, f, g, u = np.split(gates, 4, -1)
    c = _sigmoid(f) * c + _sigmoid(i) * np.tanh(g)
    return _sigmoid(u) * np.tanh(c), c


@op('LSTMCellForward')
def lstm_cell(ctx, o, xs):
    x, wi, bi, h, wh, bh, c = map(f32, xs)
    gates = x @ wi.T + bi.reshape(1, -1) + h @ wh.T + bh.reshape(1, -1)
    h, c = _lstm_step(gates, c)
    return [store(h, xs[0].dt), store(c, xs[0].dt), store(gates, xs[0].dt)]


@op('RNNForward', 'LSTMForward')
def rnn(ctx, o, xs):
    p, lstm = o.p, o.type == 'LSTMForward'
    if p.get('proj_size', 0):
        raise Unsupported('LSTM with proj_size')
    x, h0, flat = f32(xs[0]), f32(xs[1]), f32(xs[-1]).reshape(-1)
    c0 = f32(xs[2]) if lstm else None
    hidden, dirs = p.hidden_size, 2 if p.bidirectional else 1
    rows = hidden * (4 if lstm else 1)
    pos, hy, cy = 0, [], []

    def take(*shape):
        nonlocal pos
        n = int(np.prod(shape))
        pos += n
        return flat[pos - n:pos].reshape(shape)

    for layer in range(p.num_layers):
        outs = []
        for d in range(dirs):
            wi, wh = take(rows, x.shape[2]), take(rows, hidden)
            bias = take(rows) + take(rows) if p.bias else np.float32(0)
            k = layer * dirs + d
            h, c, ys = h0[k], c0[k] if lstm else None, []
            for t in (range(len(x)) if d == 0 else reversed(range(len(x)))):
                g = x[t] @ wi.T + h @ wh.T + bias
                if lstm:
                    h, c = _lstm_step(g, c)
                else:
                    h = _NONLINE[p.nonlineMode](g)
                ys.append(h)
            outs.append(np.stack(ys if d == 0 else ys[::-1]))
            hy.append(h)
            cy.append(c)
        x = np.concatenate(outs, -1)
    if pos != flat.size:
        raise ValueError('%d of %d weights used' % (pos, flat.size))
    dt = xs[0].dt
    out = [store(x, dt), store(np.stack(hy), dt)] + ([store(np.stack(cy), dt)] if lstm else [])
    return out + [Val(np.zeros(1, 'u1'), DT('Byte', 0.0, 0))]


@op('MultiHeadAttn')
def multi_head_attn(ctx, o, xs):
    p = o.p
    if p.attn_mask_type or p.tensor_combination_type or p.add_zero_attn or p.reslink:
        raise Unsupported('MultiHeadAttn with mask, bias_kv, zero_attn or reslink')
    q, k, v, flat = map(f32, xs[:4])
    flat, pos = flat.reshape(-1), 0
    heads = p.num_heads
    jobs = [(q.shape[-1], p.qproj_size, p.qbias), (k.shape[-1], p.kproj_size, p.kbias),
            (v.shape[-1], p.vproj_size, p.vbias)]
    last = p.vproj_size or v.shape[-1] * (1 if p.vproj_size else heads)
    jobs.append((last, p.oproj_size, p.obias))
    mats, biases = [], []
    for rows, cols, _ in jobs:
        n = rows * cols
        mats.append(flat[pos:pos + n].reshape(rows, cols) if cols else None)
        pos += n
    for rows, cols, has in jobs:
        n = cols if has else 0
        biases.append(flat[pos:pos + n] if n else np.float32(0))
        pos += n

    def project(x, i):
        return x if mats[i] is None else x @ mats[i] + biases[i]

    def heads_of(x):
        b, s, c = x.shape
        return x.reshape(b, s, heads, c // heads).transpose(0, 2, 1, 3)

    qh, kh, vh = [heads_of(project(x, i)) for i, x in enumerate((q, k, v))]
    s = np.matmul(qh, kh.transpose(0, 1, 3, 2)) * np.float32(p.sm_scaler)
    e = np.exp(s - s.max(-1, keepdims=True))
    attn = e / e.sum(-1, keepdims=True)
    y = np.matmul(attn, vh).transpose(0, 2, 1, 3)
    y = project(y.reshape(y.shape[0], y.shape[1], -1), 3)
    dt, none = xs[0].dt, np.zeros(0, 'u1')
    attn = attn.reshape((-1,) + attn.shape[2:])
    return [store(y, dt), store(attn, dt), Val(none, DT('Byte', 0.0, 0)), Val(none, DT('Byte', 0.0, 0))]
