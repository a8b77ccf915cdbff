"""Convolutions (plain, biased, transposed, 3-D) and pooling, in every tensor layout."""
import numpy as np

import layout
from values import (DT, F32, NP, Unsupported, Val, dequantize, f32, half_away, is_float, is_quant,
                    op, quantize, real, store)


def taps(shape, kernel, pad, stride, dil):
    """Output size and, per kernel tap, the slices of the padded source it reads."""
    out = [(i + 2 * p - ((k - 1) * d + 1)) // s + 1
           for i, k, p, s, d in zip(shape, kernel, pad, stride, dil)]
    cuts = []
    for t in np.ndindex(*kernel):
        cuts.append((t, tuple(slice(i * d, i * d + (n - 1) * s + 1, s)
                              for i, d, n, s in zip(t, dil, out, stride))))
    return out, cuts


def pad_spatial(x, pad, value=0):
    if not any(pad):
        return x
    return np.pad(x, [(0, 0)] * 2 + [(p, p) for p in pad], constant_values=value)


def correlate(x, w, pad, stride, dil):
    """x [N, G*IC, ...], w [G, OC, IC, ...] -> [N, G*OC, ...] in the dtype of x."""
    g, oc, ic = w.shape[:3]
    if x.shape[1] != g * ic:
        raise ValueError('%d channels for filter %s' % (x.shape[1], w.shape))
    out, cuts = taps(x.shape[2:], w.shape[3:], pad, stride, dil)
    xp = pad_spatial(x, pad)
    n = x.shape[0]
    if ic == 1:
        y = np.zeros((n, g, oc) + tuple(out), x.dtype)
        tail = (slice(None),) * 2
        for t, cut in cuts:
            wt = w[(slice(None), slice(None), 0) + t].reshape((1, g, oc) + (1,) * len(out))
            y += wt * xp[tail + cut][:, :, None]
        return y.reshape((n, g * oc) + tuple(out))
    points = int(np.prod(out))
    y = np.empty((n, g, oc, points), x.dtype)
    wm = np.ascontiguousarray(w.reshape(g, oc, -1))
    for b in range(n):
        xb = xp[b].reshape((g, ic) + xp.shape[2:])
        if len(cuts) == 1:
            col = xb[(slice(None),) * 2 + cuts[0][1]].reshape(g, ic, points)
        else:
            col = np.empty((g, ic, len(cuts), points), x.dtype)
            for k, (_, cut) in enumerate(cuts):
                col[:, :, k] = xb[(slice(None),) * 2 + cut].reshape(g, ic, points)
            col = col.reshape(g, -1, points)
        np.matmul(wm, col, out=y[b])
    return y.reshape((n, g * oc) + tuple(out))


def correlate_back(diff, w, pad, stride, dil, size=None):
    """Gradient of correlate with respect to its source: the transposed convolution."""
    g, oc, ic = w.shape[:3]
    kernel, n = w.shape[3:], diff.shape[0]
    if size is None:
        size = [(i - 1) * s + (k - 1) * d + 1 - 2 * p
                for i, k, p, s, d in zip(diff.shape[2:], kernel, pad, stride, dil)]
    out, cuts = taps(size, kernel, pad, stride, dil)
    if list(out) != list(diff.shape[2:]) or diff.shape[1] != g * oc:
        raise ValueError('diff %s does not fit filter %s' % (diff.shape, w.shape))
    full = np.zeros((n, g, ic) + tuple(i + 2 * p for i, p in zip(size, pad)), diff.dtype)
    d = diff.reshape(n, g, oc, -1)
    for t, cut in cuts:
        wt = np.ascontiguousarray(w[(slice(None),) * 3 + t].transpose(0, 2, 1))
        full[(slice(None),) * 3 + cut] += np.matmul(wt, d).reshape((n, g, ic) + tuple(out))
    inner = tuple(slice(p, p + i) for i, p in zip(size, pad))
    return full[(slice(None),) * 3 + inner].reshape((n, g * ic) + tuple(size))


def wide(v):
    """Numbers to accumulate on: floats in float32; integers and codes exactly, in float64."""
    return f32(v) if is_float(v.dt) else v.a.astype('f8') - v.dt.zp


def accumulated(acc, src, flt):
    """The accumulator as a Val: float as src, Int32, or QuantizedS32 with the product scale."""
    if is_float(src.dt):
        return Val(acc, F32)
    codes = acc.astype('i8').astype('i4')
    if is_quant(src.dt):
        scale = float(np.float32(src.dt.scale) * np.float32(flt.dt.scale))
        return Val(codes, DT('QuantizedS32', scale, 0))
    return Val(codes, DT('Int32', 0.0, 0))


def finish(acc, src, out):
    """Accumulator to the stored output dtype (out: configured dtype or None)."""
    if acc.dt.name == 'Float32':
        return store(acc.a, out if out is not None and is_float(out) else src.dt)
    if out is None or out.name == acc.dt.name:
        return acc
    if is_quant(out):
        t = acc.a.astype('f4') * np.float32(acc.dt.scale)
        return Val(quantize(t, out, True), out)
    if is_float(out):
        return store(dequantize(acc), out)
    return store(acc.a, out)


def geometry(p, dims='hw'):
    return [[p['%s_%s' % (k, d)] for d in dims] for k in ('pad', 'stride', 'dilate')]


def flip_kernel(w, p):
    return w[(slice(None),) * 3 + (slice(None, None, -1),) * (w.ndim - 3)] if p.mode == 1 else w


def conv_nchw(src, flt, p):
    """Val accumulator in plain NCHW of src * flt, both in the layout of p.format."""
    x = layout.to_nchw(wide(src), p.format)
    w = layout.filter_goihw(wide(flt), p.format, p.sparse)
    need = w.shape[0] * w.shape[2]
    if x.shape[1] < need and w.shape[0] == 1:
        x = np.concatenate([x, np.zeros((x.shape[0], need - x.shape[1]) + x.shape[2:], x.dtype)], 1)
    w = flip_kernel(w, p)
    return accumulated(correlate(x, w, *geometry(p)), src, flt)


def to_out(v, fmt):
    return Val(np.ascontiguousarray(layout.from_nchw_out(v.a, fmt)), v.dt)


@op('ConvolutionV2')
def convolution(ctx, o, xs):
    return [to_out(finish(conv_nchw(xs[0], xs[1], o.p), xs[0], o.output_dtype), o.p.format)]


def _plain(v, fmt):
    return Val(layout.to_nchw_out(v.a, fmt), v.dt)


ACT = {0: lambda t: t, 1: lambda t: np.maximum(t, 0), 2: lambda t: 1 / (1 + np.exp(-t)),
       3: lambda t: t * np.clip(t + 3, 0, 6) / 6}


def biased(acc, src, o, bias, z):
    """act(acc + bias + z) stored in the output dtype; all in NCHW."""
    act, out = ACT[o.p.nonlineMode], o.output_dtype
    if acc.dt.name == 'Float32':
        t = acc.a
        for v in (bias, z):
            if v is not None:
                t = t + f32(v)
        return store(act(t), out if out is not None and is_float(out) else src.dt)
    if acc.dt.name == 'Int32':
        t = acc.a.astype('i8')
        for v in (bias, z):
            if v is not None:
                t = t + v.a
        return store(act(t) if o.p.nonlineMode else t, out or acc.dt)
    if out is None:
        out = acc.dt
    if out.name == 'QuantizedS32' and o.p.nonlineMode == 0 and z is None:
        t = acc.a.astype('i8')
        if bias is not None:
            t = t + (bias.a if is_quant(bias.dt) else half_away(bias.a / np.float32(acc.dt.scale)))
        return Val(t.astype('i8').astype('i4'), DT(out.name, out.scale or acc.dt.scale, 0))
    t = acc.a.astype('f4') * np.float32(acc.dt.scale)
    for v in (bias, z):
        if v is not None:
            t = t + real(v)
    t = act(t).astype('f4')
    return Val(quantize(t, out, True), out) if is_quant(out) else store(t, out)


@op('ConvBiasForwardV4')
def conv_bias(ctx, o, xs):
    acc = conv_nchw(xs[0], xs[1], o.p)
    used = xs[2:3] if ctx.ignore_z else xs[2:]
    extra = [_plain(v, o.p.format) for v in used] + [None, None]
    return [to_out(biased(acc, xs[0], o, extra[0], extra[1]), o.p.format)]


@op('BatchConvBiasForwardV1')
def batch_conv_bias(ctx, o, xs):
    rows = []
    for b in range(xs[0].shape[0]):
        rows.append(conv_nchw(Val(xs[0].a[b:b + 1], xs[0].dt), Val(xs[1].a[b], xs[1].dt), o.p))
    acc = Val(np.concatenate([r.a for r in rows]), rows[0].dt)
    extra = [_plain(v, o.p.format) for v in xs[2:]] + [None, None]
    return [to_out(biased(acc, xs[0], o, extra[0], extra[1]), o.p.format)]


@op('ConvolutionBackwardDataV2')
def deconvolution(ctx, o, xs):
    flt, diff = xs[:2]
    d = layout.to_nchw(wide(diff), o.p.format)
    w = flip_kernel(layout.filter_goihw(wide(flt), o.p.format, o.p.sparse), o.p)
    size = None
    if len(xs) > 2:
        size = layout.to_nchw(xs[2].a, o.p.format).shape[2:]
    y = accumulated(correlate_back(d, w, *geometry(o.p), size=size), diff, flt)
    return [to_out(finish(y, diff, o.output_dtype), o.p.format)]


def _conv3d_parts(x, w, p):
    if p.format == 1:
        x = np.moveaxis(x, -1, 1)
        w = np.moveaxis(w, -1, -4)
    return x, (w if p.sparse == 1 else w[None])


def _conv3d_out(v, p):
    return Val(np.ascontiguousarray(np.moveaxis(v.a, 1, -1)) if p.format == 1 else v.a, v.dt)


@op('ConvolutionBackwardFilterV2')
def convolution_backward_filter(ctx, o, xs):
    if o.p.format != 0:
        raise Unsupported('ConvolutionBackwardFilter format %d' % o.p.format)
    x, d, w = (f32(v) for v in xs)
    shape = w.shape if o.p.sparse == 1 else (1,) + w.shape
    g, oc, ic = shape[:3]
    pad, stride, dil = geometry(o.p)
    _, cuts = taps(x.shape[2:], shape[3:], pad, stride, dil)
    n = x.shape[0]
    xp = pad_spatial(x, pad).reshape((n, g, ic) + tuple(i + 2 * q for i, q in zip(x.shape[2:], pad)))
    d = d.reshape(n, g, oc, -1)
    y = np.zeros(shape, 'f4')
    for t, cut in cuts:
        part = xp[(slice(None),) * 3 + cut].reshape(n, g, ic, -1)
        y[(slice(None),) * 3 + t] = np.matmul(d, part.swapaxes(-1, -2)).sum(0)
    return [store(flip_kernel(y, o.p).reshape(w.shape), xs[0].dt)]


@op('Convolution3D')
def convolution3d(ctx, o, xs):
    x, w = _conv3d_parts(wide(xs[0]), wide(xs[1]), o.p)
    y = correlate(x, flip_kernel(w, o.p), *geometry(o.p, 'dhw'))
    return [_conv3d_out(finish(accumulated(y, *xs[:2]), xs[0], o.output_dtype), o.p)]


@op('Convolution3DBackwardData')
def deconvolution3d(ctx, o, xs):
    d, w = _conv3d_parts(wide(xs[1]), wide(xs[0]), o.p)
    size = None
    if len(xs) > 2:
        size = xs[2].shape[1:4] if o.p.format == 1 else xs[2].shape[2:]
    y = correlate_back(d, flip_kernel(w, o.p), *geometry(o.p, 'dhw'), size=size)
    return [_conv3d_out(finish(accumulated(y, xs[1], xs[0]), xs[1], o.output_dtype), o.p)]


@op('MaskConvolutionV2')
def mask_convolution(ctx, o, xs):
    v = finish(conv_nchw(xs[0], xs[1], o.p), xs[0], o.output_dtype)
    return [Val(np.where(xs[2].a != 0, v.a, v.a.dtype.type(0)), v.dt)]


@op('MaskPropagate')
def mask_propagate(ctx, o, xs):
    pad, stride, dil = geometry(o.p)
    x = pad_spatial((xs[0].a != 0)[None, None], pad)
    size = [n - 2 * q for n, q in zip(x.shape[2:], pad)]
    out, cuts = taps(size, (o.p.kernel_h, o.p.kernel_w), pad, stride, dil)
    y = np.zeros(out, bool)
    for _, cut in cuts:
        y |= x[0, 0][cut]
    return [store(y, xs[0].dt)]


def pool_nchw(v, mode, window, stride, pad):
    """Val in, Val out, spatial dims last."""
    x, dt = v.a, v.dt
    if mode == 0:
        a = f32(v) if is_float(dt) else x.astype('i4')
        low = -np.inf if a.dtype.kind == 'f' else -2 ** 31
        xp = pad_spatial(a, pad, low)
    else:
        a = f32(v) if is_float(dt) else x.astype('i8')
        xp = pad_spatial(a, pad, dt.zp if mode == 1 else 0)
    out, cuts = taps(x.shape[2:], window, pad, stride, [1, 1])
    if min(out) <= 0:
        raise ValueError('pooling window larger than its input')
    head = (slice(None),) * 2
    y = xp[head + cuts[0][1]].copy()
    for _, cut in cuts[1:]:
        y = np.maximum(y, xp[head + cut]) if mode == 0 else y + xp[head + cut]
    if mode == 0:
        return store(y, dt)
    count = window[0] * window[1]
    if mode == 2:
        ones = pad_spatial(np.ones((1, 1) + x.shape[2:], 'i4'), pad)
        count = sum(ones[head + cut] for _, cut in cuts)
    if is_float(dt):
        return store(y / np.asarray(count, 'f4'), dt)
    mean = y / np.asarray(count, 'f8')
    return store(half_away(mean) if is_quant(dt) else np.trunc(mean), dt)


@op('PoolingV1')
def pooling(ctx, o, xs):
    p, v = o.p, xs[0]
    x = Val(layout.to_nchw(v.a, p.format), v.dt)
    y = pool_nchw(x, p.mode, (p.window_h, p.window_w), (p.stride_h, p.stride_w), (p.pad_h, p.pad_w))
    return [to_out(y, p.format)]


@op('AdaptivePoolingV1')
def adaptive_pooling(ctx, o, xs):
    x = Val(layout.to_nchw(xs[0].a, o.p.format), xs[0].dt)
    out = [int(i) for i in xs[1].a.reshape(-1)]
    out = out * 2 if len(out) == 1 else out
    stride = [i // n for i, n in zip(x.shape[2:], out)]
    window = [i - (n - 1) * s for i, n, s in zip(x.shape[2:], out, stride)]
    return [to_out(pool_nchw(x, o.p.mode, window, stride, (0, 0)), o.p.format)]
