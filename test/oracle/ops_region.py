"""Region and window operators: ROI pooling, deformable, local and restricted convolutions."""
import numpy as np

from ops_conv import flip_kernel, geometry, pad_spatial, taps
from values import F32, I32, Unsupported, Val, f32, half_away, op, store


@op('ROIPooling')
def roi_pooling(ctx, o, xs):
    x, rois = f32(xs[0]), f32(xs[1])
    oh, ow = ([int(i) for i in xs[2].a.reshape(-1)[-2:]] if xs[2].a.size <= 4 and xs[2].a.ndim == 1
              else xs[2].shape[-2:])
    n, c, h, w = x.shape
    out = np.zeros((len(rois), c, oh, ow), 'f4')
    idx = np.full(out.shape, -1, 'i4')
    for r, roi in enumerate(rois):
        img = x[int(roi[0])]
        x0, y0, x1, y1 = half_away(roi[1:] * np.float32(o.p.scale)).astype(int)
        rw, rh = max(x1 - x0 + 1, 1), max(y1 - y0 + 1, 1)
        for i in range(oh):
            ys = np.clip([int(np.floor(i * rh / oh)) + y0, int(np.ceil((i + 1) * rh / oh)) + y0], 0, h)
            for j in range(ow):
                xx = np.clip([int(np.floor(j * rw / ow)) + x0, int(np.ceil((j + 1) * rw / ow)) + x0], 0, w)
                part = img[:, ys[0]:ys[1], xx[0]:xx[1]].reshape(c, -1)
                if not part.shape[1]:
                    continue
                if o.p.mode == 1:
                    out[r, :, i, j] = part.mean(1)
                    continue
                k = part.argmax(1)
                out[r, :, i, j] = part.max(1)
                width = xx[1] - xx[0]
                idx[r, :, i, j] = (ys[0] + k // width) * w + xx[0] + k % width
    return [store(out, xs[0].dt), Val(idx, I32)]


def bilinear_zero(img, y, x):
    """img [C,H,W] at y, x (arrays): taps outside count 0."""
    c, h, w = img.shape
    y0, x0 = np.floor(y).astype(int), np.floor(x).astype(int)
    fy, fx = y - y0, x - x0
    out = 0
    for dy, wy in ((0, 1 - fy), (1, fy)):
        for dx, wx in ((0, 1 - fx), (1, fx)):
            yy, xx = y0 + dy, x0 + dx
            ok = (yy >= 0) & (yy < h) & (xx >= 0) & (xx < w)
            out = out + img[:, np.clip(yy, 0, h - 1), np.clip(xx, 0, w - 1)] * np.where(ok, wy * wx, 0)
    return out


@op('ROIAlignV1')
def roi_align(ctx, o, xs):
    p, x, rois = o.p, xs[0].a, f32(xs[1])
    if p.format != 0:
        raise Unsupported('ROIAlign format %d' % p.format)
    x = x.astype('f8')
    shape = (len(rois), x.shape[1], p.pooled_height, p.pooled_width)
    out, idx = np.zeros(shape), np.zeros(shape, 'i4')
    for r, roi in enumerate(rois):
        x0, y0, x1, y1 = roi[1:].astype('f8') * p.spatial_scale - p.offset
        bh, bw = max(y1 - y0, 0) / p.pooled_height, max(x1 - x0, 0) / p.pooled_width
        ky = (np.arange(p.sample_height) + .5) / p.sample_height
        kx = (np.arange(p.sample_width) + .5) / p.sample_width
        ys = y0 + bh * (np.arange(p.pooled_height)[:, None] + ky)
        xx = x0 + bw * (np.arange(p.pooled_width)[:, None] + kx)
        yy, xg = np.broadcast_arrays(ys[:, None, :, None], xx[None, :, None, :])
        s = bilinear_zero(x[int(roi[0])], yy, xg).reshape(shape[1:] + (-1,))
        out[r] = s.max(-1) if p.mode == 0 else s.mean(-1)
        idx[r] = s.argmax(-1)
    return [store(out, xs[0].dt), Val(idx, I32)]


@op('DeformablePSROIPoolingForward')
def deformable_psroi(ctx, o, xs):
    p, x, rois = o.p, xs[0].a.astype('f8'), f32(xs[1])
    if not p.no_trans:
        trans = xs[2].a.astype('f8')
        classes = trans.shape[1] // 2
    else:
        classes = 1
    ph, pw, part = p.pooled_h, p.pooled_w, p.part_size
    n, c, h, w = x.shape
    out = np.zeros((len(rois), c, ph, pw))
    cnt = np.zeros(out.shape, 'f4')
    for r, roi in enumerate(rois):
        img = x[int(roi[0])]
        x0, y0 = half_away(roi[1:3]) * p.spatial_scale - .5
        x1, y1 = (half_away(roi[3:5]) + 1) * p.spatial_scale - .5
        rw, rh = max(x1 - x0, .1), max(y1 - y0, .1)
        for i in range(ph):
            for j in range(pw):
                for ch in range(c):
                    tx = ty = 0.0
                    if not p.no_trans:
                        k = ch // max(c // classes, 1)
                        a, b = i * part // ph, j * part // pw
                        tx, ty = trans[r, 2 * k, a, b] * p.trans_std, trans[r, 2 * k + 1, a, b] * p.trans_std
                    s = np.arange(p.sample_per_part) / p.sample_per_part
                    ys = y0 + (i + s) * rh / ph + ty * rh
                    xs_ = x0 + (j + s) * rw / pw + tx * rw
                    yy, xx = [t.ravel() for t in np.meshgrid(ys, xs_, indexing='ij')]
                    ok = (xx >= -.5) & (xx <= w - .5) & (yy >= -.5) & (yy <= h - .5)
                    cnt[r, ch, i, j] = ok.sum()
                    if ok.any():
                        vals = bilinear_zero(img[ch:ch + 1], np.clip(yy[ok], 0, h - 1), np.clip(xx[ok], 0, w - 1))
                        out[r, ch, i, j] = vals.mean()
    return [store(out, xs[0].dt), Val(cnt, F32)]


@op('DeformableConvForwardV1')
def deformable_conv(ctx, o, xs):
    p = o.p
    x, w, off, mask = [f32(v) for v in xs]
    w = w if p.sparse == 1 else w[None]
    pad, stride, dil = geometry(p)
    g, oc, ic, fh, fw = w.shape
    n, c, h, ww = x.shape
    oh, ow = off.shape[2:]
    dg = off.shape[1] // (2 * fh * fw)
    off = off.reshape(n, dg, fh, fw, 2, oh, ow).astype('f8')
    mask = mask.reshape(n, dg, fh, fw, oh, ow)
    base_y, base_x = np.mgrid[0:oh, 0:ow]
    y = np.zeros((n, g, oc, oh * ow), 'f8')
    for b in range(n):
        col = np.zeros((c, fh, fw, oh, ow))
        for d in range(dg):
            cs = slice(d * c // dg, (d + 1) * c // dg)
            for i in range(fh):
                for j in range(fw):
                    yy = base_y * stride[0] - pad[0] + i * dil[0] + off[b, d, i, j, 0]
                    xx = base_x * stride[1] - pad[1] + j * dil[1] + off[b, d, i, j, 1]
                    col[cs, i, j] = bilinear_zero(x[b, cs], yy, xx) * mask[b, d, i, j]
        y[b] = np.matmul(w.reshape(g, oc, -1), col.reshape(g, ic * fh * fw, -1))
    return [store(y.reshape(n, g * oc, oh, ow), xs[0].dt)]


def _windows(x, kernel, pad, stride, dil):
    """[N,C,FH,FW,OH,OW] of a [N,C,H,W] source."""
    out, cuts = taps(x.shape[2:], kernel, pad, stride, dil)
    xp = pad_spatial(x, pad)
    y = np.empty(x.shape[:2] + tuple(kernel) + tuple(out), x.dtype)
    for t, cut in cuts:
        y[(slice(None),) * 2 + t] = xp[(slice(None),) * 2 + cut]
    return y


@op('Images2Neibs')
def images2neibs(ctx, o, xs):
    y = _windows(xs[0].a, (o.p.window_h, o.p.window_w), *geometry(o.p))
    return [Val(np.ascontiguousarray(y.transpose(0, 1, 4, 5, 2, 3)), xs[0].dt)]


@op('SlidingWindowTranspose')
def sliding_window_transpose(ctx, o, xs):
    p, x = o.p, xs[0].a
    pad, stride, dil = geometry(p)
    size = (p.out_h, p.out_w)
    out, cuts = taps(size, (p.window_h, p.window_w), pad, stride, dil)
    y = np.zeros(x.shape[:2] + tuple(s + 2 * q for s, q in zip(size, pad)), x.dtype)
    for t, cut in cuts:
        y[(slice(None),) * 2 + cut] += x[..., t[0], t[1]]
    y = y[:, :, pad[0]:pad[0] + size[0], pad[1]:pad[1] + size[1]]
    return [Val(np.ascontiguousarray(y), xs[0].dt)]


def _flip_local(w, p):
    return w[..., ::-1, ::-1, :] if p.mode == 1 else w


@op('LocalV2', 'GroupLocalV2')
def local(ctx, o, xs):
    w = f32(xs[1]) if o.type[0] == 'G' else f32(xs[1])[None]
    w = _flip_local(w, o.p)                      # G OH OW IC FH FW OC
    cols = _windows(f32(xs[0]), w.shape[4:6], *geometry(o.p))
    n, _, fh, fw, oh, ow = cols.shape
    cols = cols.reshape(n, w.shape[0], w.shape[3], fh, fw, oh, ow)
    y = np.einsum('ngcijyx,gyxcijo->ngoyx', cols, w, optimize=True)
    return [store(y.reshape(n, -1, oh, ow), xs[0].dt)]


@op('LocalShareForwardV1')
def local_share(ctx, o, xs):
    p = o.p
    w = f32(xs[1]) if p.sparse == 1 else f32(xs[1])[None]
    w = _flip_local(w, p)                        # G SH SW IC FH FW OC
    cols = _windows(f32(xs[0]), w.shape[4:6], *geometry(p))
    n, _, fh, fw, oh, ow = cols.shape
    sh, sw = p.spatial_groups_h, p.spatial_groups_w
    cols = cols.reshape(n, w.shape[0], w.shape[3], fh, fw, sh, oh // sh, sw, ow // sw)
    y = np.einsum('ngcijaybx,gabcijo->ngoaybx', cols, w, optimize=True)
    return [store(y.reshape(n, -1, oh, ow), xs[0].dt)]


@op('RegionRestrictedConvolution')
def region_restricted(ctx, o, xs):
    p = o.p
    x, w = f32(xs[0]), f32(xs[1])
    w = flip_kernel(w if p.sparse == 1 else w[None], p)
    rin, rout = xs[2].a.astype('i8'), xs[3].a.astype('i8')
    pad, stride, dil = geometry(p)
    cols = _windows(x, w.shape[3:], pad, stride, dil)
    regions = _windows(rin[:, None] + 1, w.shape[3:], pad, stride, dil)[:, 0]
    same = regions == (rout + 1)[:, None, None]
    n, _, fh, fw, oh, ow = cols.shape
    cols = (cols * same[:, None]).reshape(n, w.shape[0], w.shape[2], fh, fw, oh, ow)
    y = np.einsum('ngcijyx,gocij->ngoyx', cols, w, optimize=True)
    return [store(y.reshape(n, -1, oh, ow), xs[0].dt)]


@op('CorrelationForward')
def correlation(ctx, o, xs):
    p, a, b = o.p, f32(xs[0]), f32(xs[1])
    r = p.max_displacement // p.stride2
    kr, gw, pad = (p.kernel_size - 1) // 2, 2 * r + 1, p.pad_size
    n, c, h, w = a.shape
    edge = p.max_displacement + kr
    oh, ow = (-(-(s + 2 * pad - 2 * edge) // p.stride1) for s in (h, w))
    big = edge + kr + pad + 1 + p.stride1
    ap, bp = pad_spatial(a, (big, big)), pad_spatial(b, (big, big))
    out = np.zeros((n, gw * gw, oh, ow), 'f8')

    def cut(t, dy, dx):
        y0, x0 = big + edge - pad + dy, big + edge - pad + dx
        return t[:, :, y0:y0 + (oh - 1) * p.stride1 + 1:p.stride1, x0:x0 + (ow - 1) * p.stride1 + 1:p.stride1]

    for k in range(gw * gw):
        sx, sy = (k % gw - r) * p.stride2, (k // gw - r) * p.stride2
        for i in range(-kr, p.kernel_size - kr):
            for j in range(-kr, p.kernel_size - kr):
                u, v = cut(ap, i, j), cut(bp, i + sy, j + sx)
                out[:, k] += (u * v if p.is_multiply else abs(u - v)).sum(1)
    return [store(out / (p.kernel_size ** 2 * c), xs[0].dt)]
