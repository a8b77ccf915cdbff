"""Tensor layouts: activations and filters to and from plain NCHW, and RelayoutFormat."""
import numpy as np

import tables
from values import Unsupported, Val, op

# Activation layout read and written, per convolution format.
_IO = {'NCHW4_NCHW32': ('NCHW4', 'NCHW32'), 'NCHW32_NCHW4': ('NCHW32', 'NCHW4'),
       'NCHW4_NCHW': ('NCHW4', 'NCHW'), 'NCHW4_NHWC': ('NCHW4', 'NHWC'), 'NHWC_NCHW': ('NHWC', 'NCHW'),
       'NHWC_NCHW4_IC_SMALL': ('NHWC', 'NCHW4'), 'NCHW_NCHW4_IC_SMALL': ('NCHW', 'NCHW4')}
_BLOCK = {'NCHW4': 4, 'NCHW8': 8, 'NCHW32': 32, 'NCHW64': 64, 'NCHW88': 8, 'NCHW44': 4, 'NCHW44_DOT': 4}


def block(fmt):
    return _BLOCK[fmt]


def decode(x, name):
    if name == 'NCHW':
        return x
    if name == 'NHWC':
        return x.transpose(0, 3, 1, 2)
    if name in _BLOCK:
        if x.ndim == 4:
            return x          # first convolution of a blocked net reads plain NCHW
        n, c, h, w, b = x.shape
        return x.transpose(0, 1, 4, 2, 3).reshape(n, c * b, h, w)
    if name == 'NHWCD4':
        n, h, c, w, b = x.shape
        return x.transpose(0, 2, 4, 1, 3).reshape(n, c * b, h, w)
    if name == 'CHWN4':
        c, h, w, n, b = x.shape
        return x.transpose(3, 0, 4, 1, 2).reshape(n, c * b, h, w)
    raise Unsupported('layout ' + name)


def encode(x, name):
    if name == 'NCHW':
        return x
    if name == 'NHWC':
        return x.transpose(0, 2, 3, 1)
    n, c, h, w = x.shape
    b = _BLOCK.get(name, 4)
    if c % b:
        raise ValueError('%d channels in layout %s' % (c, name))
    x = x.reshape(n, c // b, b, h, w)
    if name in _BLOCK:
        return x.transpose(0, 1, 3, 4, 2)
    if name == 'NHWCD4':
        return x.transpose(0, 3, 1, 4, 2)
    if name == 'CHWN4':
        return x.transpose(1, 3, 4, 0, 2)
    raise Unsupported('layout ' + name)


def to_nchw(x, fmt):
    name = tables.FORMATS[fmt]
    return decode(x, _IO.get(name, (name, name))[0])


def to_nchw_out(x, fmt):
    name = tables.FORMATS[fmt]
    return decode(x, _IO.get(name, (name, name))[1])


def from_nchw(x, fmt):
    name = tables.FORMATS[fmt]
    return encode(x, _IO.get(name, (name, name))[0])


def from_nchw_out(x, fmt):
    name = tables.FORMATS[fmt]
    name = _IO.get(name, (name, name))[1]
    return encode(x, name)


def _merge(w, order, shape):
    return w.transpose(order).reshape(shape)


def filter_goihw(w, fmt, sparse):
    """Any stored filter as [G, OC, IC, FH, FW]."""
    name = tables.FORMATS[fmt]
    name = 'NCHW4' if name == 'NCHW_NCHW4_IC_SMALL' and w.ndim == 5 else _IO.get(name, (name,))[0]
    group = sparse == 1
    if name == 'NCHW':
        return w if group else w[None]
    if name == 'NHWC':
        return w.transpose(0, 1, 4, 2, 3) if group else w.transpose(0, 3, 1, 2)[None]
    if name in ('NCHW88', 'NCHW44', 'NCHW44_DOT'):
        b = _BLOCK[name]
        if group and w.ndim == 6:       # channel-wise G/b 1 1 FH FW b
            g, _, _, h, ww, _ = w.shape
            return _merge(w, (0, 5, 1, 2, 3, 4), (g * b, 1, 1, h, ww))
        if not group and w.ndim == 5:   # first convolution OC/b FH FW IC b
            oc, h, ww, ic, _ = w.shape
            return _merge(w, (0, 4, 3, 1, 2), (1, oc * b, ic, h, ww))
        w = w if group else w[None]
        if w.ndim == 5:
            return w                    # plain NCHW filter
        g, oc, ic, h, ww, _, _ = w.shape
        lanes = (0, 1, 5, 2, 6, 3, 4) if name == 'NCHW44_DOT' else (0, 1, 6, 2, 5, 3, 4)
        return _merge(w, lanes, (g, oc * b, ic * b, h, ww))
    if name in _BLOCK:
        w = w if group else w[None]
        g, oc, ic, h, ww, b = w.shape
        return _merge(w, (0, 1, 2, 5, 3, 4), (g, oc, ic * b, h, ww))
    if name == 'NHWCD4':
        if group and w.ndim == 5:
            g, _, h, ww, b = w.shape
            return _merge(w, (0, 4, 1, 2, 3), (g * b, 1, h, ww))[:, :, None]
        w = w if group else w[None]
        if w.ndim == 6:
            g, oc, h, ww, ic, b = w.shape
            return _merge(w, (0, 1, 5, 4, 2, 3), (g, oc * b, ic, h, ww))
        g, oc, h, ww, ic, _, _ = w.shape
        return _merge(w, (0, 1, 5, 4, 6, 2, 3), (g, oc * 4, ic * 4, h, ww))
    if name == 'CHWN4':
        ic, h, ww, oc, b = w.shape
        return _merge(w, (3, 0, 4, 1, 2), (1, oc, ic * b, h, ww))
    raise Unsupported('filter layout ' + name)


def pad_axis(x, axis, multiple, value=0):
    extra = -x.shape[axis] % multiple
    if not extra:
        return x
    width = [(0, 0)] * x.ndim
    width[axis] = (0, extra)
    return np.pad(x, width, constant_values=value)


def _block_oihw(w, b, dense):
    """[G,OC,IC,FH,FW] -> G OC/b IC/b FH FW b(ic) b(oc)."""
    w = pad_axis(w, 2, b)
    g, oc, ic, h, ww = w.shape
    w = w.reshape(g, oc // b, b, ic // b, b, h, ww).transpose(0, 1, 3, 5, 6, 4, 2)
    return w[0] if dense else w


def _weight(x, mode, b=8):
    if mode == 'NCHW_NCHW88_CONV_DENSE_WEIGHT':
        return _block_oihw(x[None], b, True)
    if mode == 'NCHW_NCHW88_CONV_GROUP_WEIGHT':
        return _block_oihw(x, b, False)
    if mode == 'NCHW_NCHW88_CONV_CHAN_WEIGHT':
        x = pad_axis(x, 0, b)
        g, _, _, h, w = x.shape
        return x.reshape(g // b, b, 1, 1, h, w).transpose(0, 2, 3, 4, 5, 1)
    if mode == 'NCHW_NCHW4_IC_SMALL_CONV_DENSE_WEIGHT':
        return pad_axis(x, 1, 4).transpose(0, 2, 3, 1)[:, None]
    if mode == 'NCHW_NCHW4_WEIGHT':
        w = x if x.ndim == 5 else x[None]
        w = pad_axis(pad_axis(w, 1, 4), 2, 4)
        g, oc, ic, h, ww = w.shape
        w = w.reshape(g, oc, ic // 4, 4, h, ww).transpose(0, 1, 2, 4, 5, 3)
        return w if x.ndim == 5 else w[0]
    if mode == 'INTER_WEIGHT_CHAN':
        g, _, _, h, w = x.shape
        return x.reshape(g // 4, 4, 1, h, w).transpose(0, 2, 3, 4, 1)
    if mode in ('INTER_WEIGHT_DENSE', 'INTER_WEIGHT_GROUP'):
        w = x if x.ndim == 5 else x[None]
        g, oc, ic, h, ww = w.shape
        w = w.reshape(g, oc // 4, 4, ic, h, ww).transpose(0, 1, 4, 5, 3, 2)
        return w if x.ndim == 5 else w[0]
    raise Unsupported('RelayoutFormat ' + mode)


def relayout(x, mode, p, zero=0):
    if 'WEIGHT' in mode:
        return _weight(x, mode)
    if mode == 'NCHW_NCHW4_IC_SMALL':
        return encode(pad_axis(x, 1, 4, zero), 'NCHW4')
    src, dst = mode.split('_')
    y = decode(x, src.replace('CD4I', 'CD4'))
    if mode in ('NCHW4_NCHW', 'NCHW64_NCHW') and p.oc:
        y = y[:, :p.oc]
    dst = dst.replace('CD4I', 'CD4')
    b = _BLOCK.get(dst, 4 if dst in ('NHWCD4', 'CHWN4') else 1)
    if mode == 'NCHW_NCHW4' and p.group > 1:
        n, c, h, w = y.shape
        y = pad_axis(y.reshape(n, p.group, c // p.group, h, w), 2, b, zero).reshape(n, -1, h, w)
    return encode(pad_axis(y, 1, b, zero), dst)


@op('RelayoutFormatV1')
def relayout_format(ctx, o, xs):
    y = relayout(xs[0].a, tables.RELAYOUT[o.p.mode], o.p)
    return [Val(np.ascontiguousarray(y), xs[0].dt)]
