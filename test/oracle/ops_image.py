"""Resize, warps, remap, colour conversion, blur and other image operators."""
import numpy as np

import layout
import tables
from values import F32, NP, Unsupported, Val, f32, half_away, is_float, is_quant, op, store

NEAREST, LINEAR, AREA, CUBIC, LANCZOS4 = range(5)
F = np.float32


def _hw(v, n=2):
    out = [int(i) for i in v.a.reshape(-1)]
    return out * n if len(out) == 1 else out


def _cubic(f):
    """Weights of the taps at -1, 0, 1, 2 for the fraction f, A = -0.75."""
    a = -0.75
    near = lambda d: ((a + 2) * d - (a + 3)) * d * d + 1
    far = lambda d: ((a * d - 5 * a) * d + 8 * a) * d - 4 * a
    w = np.stack([far(f + 1), near(f), near(1 - f)])
    return np.concatenate([w, 1 - w.sum(0, keepdims=True)])


def _lanczos(f):
    d = f[None] + 3 - np.arange(8.0)[:, None].reshape((8,) + (1,) * f.ndim)
    with np.errstate(all='ignore'):
        w = np.sin(np.pi * d) * np.sin(np.pi * d / 4) / (d * d)
    exact = abs(d) < 1e-9
    w = np.where(exact.any(0), np.where(exact, 1.0, 0.0), w)
    return w / w.sum(0, keepdims=True)


def axis_matrix(size, out, mode, double_nearest=False):
    """[out, size] weights of a separable resize along one axis."""
    m = np.zeros((out, size))
    i = np.arange(out)
    rows = np.arange(out)
    if mode == NEAREST:
        if double_nearest:
            src = np.floor(i * (1 / (out / size))).astype(int)
        else:
            src = (i.astype('f4') / (F(out) / F(size))).astype(int)
        m[rows, np.minimum(src, size - 1)] = 1
        return m
    if mode == AREA:
        step = size / out
        if size >= out:
            for r in range(out):
                lo, hi = r * step, (r + 1) * step
                for c in range(int(np.floor(lo)), min(int(np.ceil(hi - 1e-9)), size)):
                    m[r, c] = min(hi, c + 1) - max(lo, c)
                m[r] /= m[r].sum()
        return m
    coord = ((i + F(0.5)) / (F(out) / F(size)) - F(0.5)).astype('f8')
    if mode == LINEAR:
        coord = np.clip(coord, 0, size - 1)
        lo = np.floor(coord).astype(int)
        f = coord - lo
        np.add.at(m, (rows, lo), 1 - f)
        np.add.at(m, (rows, np.minimum(lo + 1, size - 1)), f)
        return m
    lo = np.floor(coord).astype(int)
    f = coord - lo
    w, first = (_cubic(f), -1) if mode == CUBIC else (_lanczos(f), -3)
    for k in range(len(w)):
        np.add.at(m, (rows, np.clip(lo + first + k, 0, size - 1)), w[k])
    return m


def _area_enlarge(size, out):
    m = np.zeros((out, size))
    for i in range(out):
        s = int(np.floor(i * size / out))
        f = (i + 1) - (s + 1) * out / size
        f = 0 if f <= 0 else f - np.floor(f)
        if s >= size - 1:
            s, f = size - 1, 0
        m[i, s] += 1 - f
        m[i, min(s + 1, size - 1)] += f
    return m


def _resize_u8_linear(x, out):
    """NHWC Uint8 LINEAR with 11-bit weights; the sum is truncated, as the peer's x86 code does."""
    def ax(size, n):
        m = axis_matrix(size, n, LINEAR)
        q = np.zeros(m.shape, 'i8')
        for r in range(n):
            c = np.nonzero(m[r])[0]
            if len(c) == 1:
                q[r, c[0]] = 2048
            else:
                f = int(m[r, c[1]] * 2048)
                q[r, c[1]], q[r, c[0]] = f, 2048 - f
        return q
    my, mx = ax(x.shape[2], out[0]), ax(x.shape[3], out[1])
    y = np.einsum('yh,nchw,xw->ncyx', my, x.astype('i8'), mx, optimize=True)
    return (y >> 22).astype('u1')


@op('ResizeV2')
def resize(ctx, o, xs):
    mode, name = o.p.imode, tables.FORMATS[o.p.format]
    v, out = xs[0], _hw(xs[1])
    x = layout.to_nchw(v.a, o.p.format)
    small = name == 'NHWC' and x.shape[1] in (1, 3)
    if small and mode == LINEAR and v.dt.name == 'Uint8':
        y = _resize_u8_linear(x, out)
        return [Val(np.ascontiguousarray(layout.from_nchw(y, o.p.format)), v.dt)]
    if mode == AREA and (x.shape[2] < out[0] or x.shape[3] < out[1]):
        ms = [_area_enlarge(s, n) for s, n in zip(x.shape[2:], out)]
    else:
        ms = [axis_matrix(s, n, mode, small) for s, n in zip(x.shape[2:], out)]
    if mode == NEAREST:
        rows, cols = (m.argmax(1) for m in ms)
        y = x[:, :, rows][:, :, :, cols]
    else:
        a = (x.astype('f8') - v.dt.zp) if is_quant(v.dt) else x.astype('f8')
        y = np.matmul(np.matmul(ms[0], a), ms[1].T)
        if not is_float(v.dt):
            y = half_away(y) + v.dt.zp
            info = np.iinfo(NP[v.dt.name])
            y = np.clip(y, info.min, info.max)
        y = store(y, v.dt).a
    return [Val(np.ascontiguousarray(layout.from_nchw(y, o.p.format)), v.dt)]


@op('Resize3D')
def resize3d(ctx, o, xs):
    x = xs[0].a.astype('f8')
    if o.p.format == 1:
        x = np.moveaxis(x, -1, 1)
    for k, n in enumerate(_hw(xs[1], 3)):
        size = x.shape[2 + k]
        if o.p.align_corners:
            c = np.arange(n) * ((size - 1) / max(n - 1, 1))
            m = np.maximum(0, 1 - abs(c[:, None] - np.arange(size)))
        else:
            m = axis_matrix(size, n, LINEAR)
        x = np.moveaxis(np.tensordot(x, m, (2 + k, 1)), -1, 2 + k)
    x = np.moveaxis(x, 1, -1) if o.p.format == 1 else x
    return [store(np.ascontiguousarray(x), xs[0].dt)]


def border(i, n, mode):
    """Source index for the possibly outside index i; -1 marks the constant border."""
    if mode == 0:
        return np.clip(i, 0, n - 1)
    if mode == 1:
        i = np.mod(i, 2 * n)
        return np.where(i < n, i, 2 * n - 1 - i)
    if mode == 2:
        if n == 1:
            return np.zeros_like(i)
        i = np.mod(i, 2 * n - 2)
        return np.where(i < n, i, 2 * n - 2 - i)
    if mode == 3:
        return np.mod(i, n)
    if mode == 4:
        return np.where((i >= 0) & (i < n), i, -1)
    raise Unsupported('border mode %d' % mode)


def sample(x, yy, xx, imode, bmode, value):
    """x [C,H,W] at coordinates yy, xx (same shape) -> [C, ...] in float64."""
    c, h, w = x.shape
    lost = ~(np.isfinite(yy) & np.isfinite(xx))
    yy, xx = (np.where(lost, 0, np.clip(t, -1e8, 1e8)) for t in (yy, xx))
    if imode == NEAREST:
        ys, xs, wy, wx = [half_away(yy).astype('i8')], [half_away(xx).astype('i8')], [1.0], [1.0]
    else:
        y0, x0 = np.floor(yy).astype('i8'), np.floor(xx).astype('i8')
        fy, fx = yy - y0, xx - x0
        if imode == LINEAR:
            wy, wx, first = [1 - fy, fy], [1 - fx, fx], 0
        elif imode == CUBIC:
            wy, wx, first = _cubic(fy), _cubic(fx), -1
        elif imode == LANCZOS4:
            wy, wx, first = _lanczos(fy), _lanczos(fx), -3
        else:
            raise Unsupported('interpolation %d in a warp' % imode)
        ys = [y0 + first + k for k in range(len(wy))]
        xs = [x0 + first + k for k in range(len(wx))]
    out = np.zeros((c,) + yy.shape)
    a = x.astype('f8')
    for yi, wyi in zip(ys, wy):
        r = border(yi, h, bmode)
        for xi, wxi in zip(xs, wx):
            s = border(xi, w, bmode)
            t = a[:, np.maximum(r, 0), np.maximum(s, 0)]
            out += np.where((r < 0) | (s < 0), value, t) * wyi * wxi
    return np.where(lost, value, out)


def _warped(v, rows, p, fmt):
    y = np.stack(rows)
    if not is_float(v.dt):
        info = np.iinfo(NP[v.dt.name])
        y = np.clip(half_away(y), info.min, info.max)
    return [Val(np.ascontiguousarray(layout.from_nchw(store(y, v.dt).a, fmt)), v.dt)]


def _grid(out):
    y, x = np.mgrid[0:out[0], 0:out[1]]
    return y.astype('f8'), x.astype('f8')


@op('WarpPerspectiveV2')
def warp_perspective(ctx, o, xs):
    p, v, mat = o.p, xs[0], xs[1].a.astype('f8').reshape(-1, 3, 3)
    out = _hw(xs[-1])
    x = layout.to_nchw(v.a, p.format)
    pick = xs[2].a.reshape(-1) if len(xs) > 3 else range(len(mat))
    y, gx = _grid(out)
    snap = tables.FORMATS[p.format] == 'NHWC' and x.shape[1] <= 3
    rows = []
    for m, src in zip(mat, pick):
        den = m[2, 0] * gx + m[2, 1] * y + m[2, 2]
        cx = (m[0, 0] * gx + m[0, 1] * y + m[0, 2]) / den
        cy = (m[1, 0] * gx + m[1, 1] * y + m[1, 2]) / den
        if snap:
            cx, cy = np.rint(cx * 32) / 32, np.rint(cy * 32) / 32
        rows.append(sample(x[src], cy, cx, p.imode, p.bmode, p.border_val))
    return _warped(v, rows, p, p.format)


@op('WarpAffineV2')
def warp_affine(ctx, o, xs):
    p, v, mat = o.p, xs[0], xs[1].a.astype('f8').reshape(-1, 2, 3)
    x = layout.to_nchw(v.a, p.format)
    y, gx = _grid(_hw(xs[2]))
    snap = tables.FORMATS[p.format] == 'NHWC' and x.shape[1] <= 3
    rows = []
    for m, img in zip(mat, x):
        if snap:
            cx, cy = (np.floor((np.rint((m[k, 1] * y + m[k, 2]) * 1024) + 16
                                + np.rint(m[k, 0] * gx * 1024)) / 32) / 32 for k in (0, 1))
        else:
            cx, cy = (m[k, 0] * gx + m[k, 1] * y + m[k, 2] for k in (0, 1))
        rows.append(sample(img, cy, cx, p.imode, p.border_mode, p.border_val))
    return _warped(v, rows, p, p.format)


@op('RemapV1')
def remap(ctx, o, xs):
    p, v = o.p, xs[0]
    x = layout.to_nchw(v.a, p.format)
    rows = [sample(img, m[..., 1].astype('f8'), m[..., 0].astype('f8'), p.imode, p.border_type, p.scalar)
            for img, m in zip(x, xs[1].a)]
    return _warped(v, rows, p, p.format)


@op('Flip')
def flip(ctx, o, xs):
    x = xs[0].a
    x = x[:, ::-1] if o.p.vertical else x
    x = x[:, :, ::-1] if o.p.horizontal else x
    return [Val(np.ascontiguousarray(x), xs[0].dt)]


@op('Rotate')
def rotate(ctx, o, xs):
    return [Val(np.ascontiguousarray(np.rot90(xs[0].a, -1 if o.p.clockwise else 1, (1, 2))), xs[0].dt)]


def _gauss_kernel(n, sigma):
    n = n or int(8 * sigma + 1.5) | 1
    fixed = {1: [1], 3: [.25, .5, .25], 5: np.array([1, 4, 6, 4, 1]) / 16,
             7: np.array([1, 3.5, 7, 9, 7, 3.5, 1]) / 32}
    if sigma <= 0 and n in fixed:
        return np.array(fixed[n], 'f8')
    if sigma <= 0:
        sigma = ((n - 1) / 2 - 1) * 0.3 + 0.8
    d = np.arange(n) - n // 2
    w = np.exp(-d * d / (2 * sigma * sigma))
    return w / w.sum()


@op('GaussianBlur')
def gaussian_blur(ctx, o, xs):
    p, v = o.p, xs[0]
    sy = p.sigma_y if p.sigma_y > 0 else p.sigma_x
    kernels = [(1, _gauss_kernel(p.kernel_height, sy)), (2, _gauss_kernel(p.kernel_width, p.sigma_x))]
    x = v.a.astype('f8')
    for axis, k in kernels:
        if not is_float(v.dt):
            k = np.floor(k * 256)
        n, half, acc = x.shape[axis], len(k) // 2, 0
        for t, w in enumerate(k):
            i = border(np.arange(n) + t - half, n, p.border_mode)
            part = np.take(x, np.maximum(i, 0), axis)
            shape = [1] * x.ndim
            shape[axis] = n
            acc = acc + np.where((i < 0).reshape(shape), 0, part) * w
        x = acc
    if not is_float(v.dt):
        x = np.clip(np.floor((x + 32768) / 65536), 0, 255)
    return [store(x, v.dt)]


def _clip8(channels):
    return np.stack([np.clip(c, 0, 255) for c in channels], -1).astype('u1')


def _planes(x, kind):
    """Y, U, V (full size) of [N, 3H/2, W, 1]."""
    n, rows, w, _ = x.shape
    h = rows * 2 // 3
    a = x[..., 0].astype('i4')
    y, rest = a[:, :h], a[:, h:].reshape(n, -1)
    if kind in ('NV12', 'NV21'):
        pair = rest.reshape(n, h // 2, w // 2, 2)
        u, v = (pair[..., 0], pair[..., 1]) if kind == 'NV12' else (pair[..., 1], pair[..., 0])
    else:
        first, second = rest.reshape(n, 2, h // 2, w // 2).swapaxes(0, 1)
        u, v = (first, second) if kind == 'YU12' else (second, first)
    up = lambda t: t.repeat(2, 1).repeat(2, 2)
    return y, up(u), up(v)


@op('CvtColor')
def cvt_color(ctx, o, xs):
    mode, v = tables.CVTCOLOR[o.p.mode], xs[0]
    x, byte = v.a, v.dt.name == 'Uint8'
    wide = x.astype('i4') if byte else x.astype('f4')
    ch = lambda i: wide[..., i]
    d = lambda t: (t + 8192) >> 14
    if mode in ('RGB2GRAY', 'RGBA2GRAY', 'BGR2GRAY'):
        r, g, b = (ch(2), ch(1), ch(0)) if mode[0] == 'B' else (ch(0), ch(1), ch(2))
        if byte:
            y = (4899 * r + 9617 * g + 1868 * b + 8192) >> 14
        else:
            y = F(.299) * r + F(.587) * g + F(.114) * b
        return [store(y[..., None], v.dt)]
    if mode == 'GRAY2RGB':
        return [Val(np.repeat(x, 3, -1), v.dt)]
    if mode in ('RGBA2RGB', 'RGBA2BGR', 'RGB2BGR', 'BGR2RGB'):
        y = x[..., :3]
        return [Val(np.ascontiguousarray(y if mode == 'RGBA2RGB' else y[..., ::-1]), v.dt)]
    if mode == 'RGB2YUV':
        if byte:
            y = d(1868 * ch(0) + 9617 * ch(1) + 4899 * ch(2))
            return [Val(_clip8([y, d((ch(0) - y) * 8061 + (128 << 14)), d((ch(2) - y) * 14369 + (128 << 14))]), v.dt)]
        y = F(.114) * ch(0) + F(.587) * ch(1) + F(.299) * ch(2)
        return [store(np.stack([y, (ch(0) - y) * F(.492) + F(.5), (ch(2) - y) * F(.877) + F(.5)], -1), v.dt)]
    if mode == 'YUV2RGB':
        y = ch(0)
        if byte:
            a, b = ch(1) - 128, ch(2) - 128
            return [Val(_clip8([y + d(33292 * a), y + d(-6472 * a - 9519 * b), y + d(18678 * b)]), v.dt)]
        a, b = ch(1) - F(.5), ch(2) - F(.5)
        return [store(np.stack([y + F(2.032) * a, y - F(.395) * a - F(.581) * b, y + F(1.140) * b], -1), v.dt)]
    kind = 'NV21' if mode.startswith('YCrCb') else mode[-4:]
    y, u, w = _planes(x, kind)
    if 'GRAY' in mode:
        return [Val(y[..., None].astype('u1'), v.dt)]
    if mode.startswith('BT601'):
        y = (y * 257 * 18997) >> 16
        b, g, r = ((y + 128 * u - 17544) >> 6, (y - 25 * u - 52 * w + 8696) >> 6, (y + 102 * w - 14216) >> 6)
    else:
        r = y + ((359 * (w - 128)) >> 8)
        b = y + ((454 * (u - 128)) >> 8)
        g = y - ((88 * (u - 128) + 183 * (w - 128)) >> 8)
    return [Val(_clip8([b, g, r] if 'BGR' in mode else [r, g, b]), v.dt)]


@op('DctChannelSelectV1')
def dct_channel_select(ctx, o, xs):
    if len(xs) > 1:
        raise Unsupported('DctChannelSelect with a mask')
    b = o.p.dct_block_size
    k = np.arange(b)
    d = np.cos((2 * k[None] + 1) * k[:, None] * np.pi / (2 * b)) * np.sqrt(2 / b)
    d[0] /= np.sqrt(2)
    n, c, h, w = xs[0].shape
    x = xs[0].a.astype('f8').reshape(n, c, h // b, b, w // b, b).transpose(0, 1, 2, 4, 3, 5)
    y = (d @ x @ d.T).transpose(0, 1, 4, 5, 2, 3).reshape(n, c * b * b, h // b, w // b)
    return [store(y, o.output_dtype or F32)] if is_float(o.output_dtype or F32) else \
        [Val(np.clip(half_away(y / o.output_dtype.scale), -128, 127).astype('i1'), o.output_dtype)]
