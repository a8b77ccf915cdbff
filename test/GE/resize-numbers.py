"""Resizes and transposed convolutions against plain loops: ORACLE_DIR."""
import sys
import tempfile

import numpy as np

sys.path.insert(0, sys.argv[1])
import opmodel
from opmodel import Case

rng = np.random.RandomState(1)


def image(*shape):
    return rng.uniform(-2, 2, shape).astype("f4")


def i4(*values):
    return np.array(values, "i4")


def source(i, size, out, rule):
    if rule == "align_corners":
        return i * (size - 1) / (out - 1) if out > 1 else 0.0
    if rule == "half_pixel_centers":
        return (i + 0.5) * size / out - 0.5
    return i * size / out


def linear(x, out, rule):
    """N,C,H,W"""
    for axis, n in zip((2, 3), out):
        size = x.shape[axis]
        rows = []
        for i in range(n):
            s = min(max(source(i, size, n, rule), 0.0), size - 1.0)
            low = int(s)
            high = min(low + 1, size - 1)
            rows.append(x.take(low, axis) * (1 - (s - low)) + x.take(high, axis) * (s - low))
        x = np.stack(rows, axis)
    return x.astype("f4")


def nearest(x, out, rule):
    for axis, n in zip((2, 3), out):
        size, rows = x.shape[axis], []
        for i in range(n):
            if rule == "align_corners":
                k = int(np.floor(source(i, size, n, rule) + 0.5))
            elif rule == "half_pixel_centers":
                k = (2 * i + 1) * size // (2 * n)
            else:
                k = i * size // n
            rows.append(x.take(min(k, size - 1), axis))
        x = np.stack(rows, axis)
    return x


def nhwc(x):
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1))


def resizes():
    for shape, out in (((1, 3, 4, 5), (7, 9)), ((2, 2, 7, 6), (3, 4)), ((1, 1, 3, 4), (3, 8)), ((1, 2, 5, 1), (1, 3))):
        x = image(*shape)
        for rule in ("align_corners", "half_pixel_centers", ""):
            attrs = {rule: True} if rule else {}
            inputs = {"x": x}
            yield f"bilinear {rule} {shape} to {out}", Case("ResizeBilinear", ["x", i4(*out)], attrs, inputs), linear(x, out, rule), True
            yield f"nearest {rule} {shape} to {out}", Case("ResizeNearestNeighborV2", ["x", i4(*out)], attrs, inputs), nearest(x, out, rule), True
            # The result's descriptor tells that the images are NHWC.
            last = nhwc(x)
            result = nhwc(linear(x, out, rule))
            if rule != "half_pixel_centers":
                yield f"NHWC {rule} {shape} to {out}", Case("ResizeBilinear", ["x", i4(*out)], attrs, {"x": last}, shape=result.shape), result, True
            # CANN has the images' layout in their descriptor.
            yield (
                f"CANN {rule} {shape} to {out}",
                Case("ResizeBilinearV2", ["x", i4(*out)], attrs, inputs, version=None, layouts=["NCHW", "ND"]),
                linear(x, out, rule),
                True,
            )
    x = image(1, 3, 4, 5)
    inputs = {"x": x}
    yield "size by attributes", Case("ResizeBilinear", ["x"], {"height": 6, "width": 7}, inputs), linear(x, (6, 7), ""), True
    yield "Interp to a size", Case("Interp", ["x"], {"height": 6, "width": 7}, inputs), linear(x, (6, 7), "align_corners"), True
    yield "Interp zoom", Case("Interp", ["x"], {"zoom_factor": 2}, inputs), linear(x, (7, 9), "align_corners"), True
    yield "Interp trims", Case("Interp", ["x"], {"zoom_factor": 2, "pad_begin": -1, "pad_end": -2}, inputs), linear(x[:, :, 1:-2, 1:-2], (1, 3), "align_corners"), True
    yield "Interp shrink", Case("Interp", ["x"], {"shrink_factor": 2}, inputs), linear(x, (2, 3), "align_corners"), True
    yield "Upsample", Case("Upsample", ["x"], {"stride_h": 3, "stride_w": 2}, inputs), x.repeat(3, 2).repeat(2, 3), True
    sizes = i4(1, 3, 6, 7)
    for rule, name in (("", "asymmetric"), ("half_pixel_centers", "half_pixel"), ("align_corners", "align_corners")):
        attrs = {"mode": "linear", "coordinate_transformation_mode": name}
        yield f"Resize {name}", Case("Resize", ["x", None, None, sizes], attrs, inputs, version=None), linear(x, (6, 7), rule), True
        attrs = dict(attrs, mode="nearest", nearest_mode="round_prefer_ceil" if rule else "floor")
        yield f"Resize nearest {name}", Case("Resize", ["x", None, None, sizes], attrs, inputs, version=None), nearest(x, (6, 7), rule), True


def sample(x, grid, corners, clamps):
    n, c, h, w = x.shape
    y = np.zeros((n, c) + grid.shape[1:3])
    for k, i, j in np.ndindex(*grid.shape[:3]):
        gx, gy = grid[k, i, j].astype("f8")
        sx = (gx + 1) / 2 * (w - 1) if corners else ((gx + 1) * w - 1) / 2
        sy = (gy + 1) / 2 * (h - 1) if corners else ((gy + 1) * h - 1) / 2
        if clamps:
            sx, sy = min(max(sx, 0), w - 1), min(max(sy, 0), h - 1)
        a, b = int(np.floor(sy)), int(np.floor(sx))
        for p, q in ((a, b), (a, b + 1), (a + 1, b), (a + 1, b + 1)):
            if 0 <= p < h and 0 <= q < w:
                y[k, :, i, j] += x[k, :, p, q] * (1 - abs(sy - p)) * (1 - abs(sx - q))
    return y.astype("f4")


def grids():
    x, grid = image(2, 3, 4, 5), (image(2, 3, 4, 2) * 0.7).astype("f4")
    inputs = {"x": x, "grid": grid}
    for corners in (True, False):
        for padding in ("zeros", "border"):
            attrs = {"padding_mode": padding, "align_corners": corners}
            yield f"GridSample {padding} {corners}", Case("GridSample", ["x", "grid"], attrs, inputs, None), sample(x, grid, corners, padding == "border"), False


def deconv(x, w, stride, dilation, groups, crop, out, bias=None):
    """out[s*i + d*k] += in[i]*w[k]; the full result from `crop` on, zeros behind its end."""
    n, ci, h, wd = x.shape
    _, cog, kh, kw = w.shape
    full = np.zeros((n, cog * groups, max((h - 1) * stride[0] + (kh - 1) * dilation[0] + 1, crop[0] + out[0]), max((wd - 1) * stride[1] + (kw - 1) * dilation[1] + 1, crop[1] + out[1])), "f8")
    cig = ci // groups
    for c in range(ci):
        g = c // cig
        for i in range(h):
            for j in range(wd):
                for a in range(kh):
                    for b in range(kw):
                        full[:, g * cog : (g + 1) * cog, i * stride[0] + a * dilation[0], j * stride[1] + b * dilation[1]] += x[:, c, i, j, None] * w[c, :, a, b]
    full = full[:, :, crop[0] : crop[0] + out[0], crop[1] : crop[1] + out[1]]
    if bias is not None:
        full = full + bias.reshape(1, -1, 1, 1)
    return full.astype("f4")


def transposed():
    x, w, b = image(1, 4, 3, 5), image(4, 2, 3, 2), image(2)
    inputs, strides = {"x": x}, {"strides": [2, 3]}
    # (3 - 1)*2 + 3 = 7 rows, (5 - 1)*3 + 2 = 14 columns.
    one, s = (1, 1), (2, 3)
    yield "API order", Case("ConvTranspose", [None, w, "x", b], strides, inputs), deconv(x, w, s, one, 1, (0, 0), (7, 14), b), True
    yield "tool order", Case("ConvTranspose", ["x", w, b], strides, inputs), deconv(x, w, s, one, 1, (0, 0), (7, 14), b), True
    yield "v0 names", Case("Deconvolution", ["x", w], {"stride": [2, 3], "pad": [1, 1, 0, 0]}, inputs, version=0), deconv(x, w, s, one, 1, (1, 0), (5, 14)), True
    yield "pads apart", Case("ConvTranspose", ["x", w, b], dict(strides, pads=[1, 2, 0, 3]), inputs), deconv(x, w, s, one, 1, (1, 0), (4, 11), b), True
    yield "adj", Case("ConvTranspose", ["x", w, b], dict(strides, pads=[1, 1, 0, 0], adj=[1, 2]), inputs), deconv(x, w, s, one, 1, (1, 0), (6, 16), b), True
    # SAME gives 6 x 15: one row too much at the end, one column too few.
    yield "SAME", Case("ConvTranspose", ["x", w, b], dict(strides, pad_mode="SAME"), inputs), deconv(x, w, s, one, 1, (0, 0), (6, 15), b), True
    yield "output shape", Case("ConvTranspose", [i4(1, 2, 5, 13), w, "x", b], dict(strides, pads=[1, 0, 0, 0]), inputs), deconv(x, w, s, one, 1, (1, 0), (5, 13), b), True
    yield "rotated constants", Case("ConvTranspose", [w, b.reshape(1, 2, 1, 1), "x", i4(1, 2, 7, 14)], dict(strides, pad_mode=4), inputs, version=3), deconv(x, w, s, one, 1, (0, 0), (7, 14), b), True
    y = deconv(x, w, s, one, 1, (0, 0), (7, 14), b)
    yield "relu", Case("ConvTranspose", ["x", w, b], dict(strides, relu_flag=True), inputs), np.maximum(y, 0), True
    yield "relu6", Case("ConvTranspose", ["x", w, b], dict(strides, relu_flag=True, relu_mode=2), inputs), np.clip(y, 0, 6), True
    g = image(4, 3, 2, 2)
    yield "groups and dilations", Case("ConvTranspose", ["x", g], dict(strides, dilations=[2, 1], groups=2), inputs), deconv(x, g, s, (2, 1), 2, (0, 0), (7, 14)), True
    scaled = rng.randint(-127, 128, w.shape).astype("i1")
    scales = [0.5, 0.25]
    real = scaled * np.array(scales, "f4").reshape(1, 2, 1, 1)
    attrs = dict(strides, filter_quant_type=1, filter_quant_scales=scales)
    yield "int8 filter", Case("ConvTranspose", ["x", scaled, b], attrs, inputs), deconv(x, real, s, one, 1, (0, 0), (7, 14), b), True
    # CANN: lists per dim, the filter HWCN.
    hwcn = np.ascontiguousarray(w.transpose(2, 3, 1, 0))
    layouts = ["ND", "NHWC", "HWCN", "ND"]
    attrs = {"strides": [1, 2, 3, 1], "pads": [1, 0, 0, 1], "data_format": "NHWC"}
    case = Case("Conv2DTranspose", [i4(1, 6, 13, 2), "x", hwcn, b], attrs, {"x": nhwc(x)}, version=None, layouts=layouts)
    yield "CANN NHWC", case, nhwc(deconv(x, w, s, one, 1, (1, 0), (6, 13), b)), True
    attrs = {"strides": [1, 1, 2, 3], "pads": [1, 1, 0, 0], "output_padding": [0, 0, 1, 0], "data_format": "NCHW"}
    case = Case("Conv2DTranspose", [i4(0, 0, 0, 0), "x", w, b], attrs, inputs, version=None, layouts=["ND", "NCHW", "NCHW", "ND"])
    yield "CANN NCHW", case, deconv(x, w, s, one, 1, (1, 0), (6, 14), b), True


with tempfile.TemporaryDirectory() as folder:
    sys.exit(1 if opmodel.check(list(resizes()) + list(grids()) + list(transposed()), folder) else 0)
