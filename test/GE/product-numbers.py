"""Convolutions, matrix products, codes and boxes against plain formulas: ORACLE_DIR."""
import sys
import tempfile

import numpy as np

sys.path.insert(0, sys.argv[1])
import opmodel
from opmodel import Case

rng = np.random.RandomState(3)


def image(*shape):
    return rng.uniform(-2, 2, shape).astype("f4")


def i1(*shape):
    return rng.randint(-127, 128, shape).astype("i1")


def f4(x):
    return np.asarray(x).astype("f4")


def last(x):
    """Channels at the end."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1))


def conv(x, w, strides, pads, groups=1, bias=None, dilations=None):
    """pads: (begin, end) per dim."""
    n = len(strides)
    dilations = dilations or (1,) * n
    x = np.pad(x.astype("f8"), ((0, 0), (0, 0)) + tuple(pads))
    kernel = w.shape[2:]
    out = tuple((size - (k - 1) * d - 1) // s + 1 for size, k, s, d in zip(x.shape[2:], kernel, strides, dilations))
    ci, co = x.shape[1] // groups, w.shape[0] // groups
    y = np.zeros((x.shape[0], w.shape[0]) + out)
    for position in np.ndindex(*out):
        taps = tuple(slice(p * s, p * s + (k - 1) * d + 1, d) for p, s, k, d in zip(position, strides, kernel, dilations))
        part = x[(slice(None), slice(None)) + taps]
        for g in range(groups):
            rows = slice(g * co, (g + 1) * co)
            y[(slice(None), rows) + position] = np.tensordot(part[:, g * ci : (g + 1) * ci], w[rows], (tuple(range(1, n + 2)),) * 2)
    if bias is not None:
        y += bias.reshape((1, -1) + (1,) * n)
    return f4(y)


def convolutions():
    x, w, b = image(1, 4, 6, 5), image(6, 4, 3, 2), image(6)
    y = conv(x, w, (2, 1), ((1, 1), (0, 1)), bias=b)
    hwcn = np.ascontiguousarray(w.transpose(2, 3, 1, 0))
    attrs = {"strides": [1, 2, 1, 1], "pads": [1, 1, 0, 1]}
    yield "Conv2D HWCN", Case("Conv2D", ["x", hwcn, b], attrs, {"x": last(x)}, None, ["NHWC", "HWCN", "ND"]), last(y), True
    attrs = {"strides": [1, 1, 2, 1], "pads": [1, 1, 0, 1], "data_format": "NCHW"}
    yield "Conv2D NCHW", Case("Conv2D", ["x", w, b], attrs, {"x": x}, None, ["NCHW", "NCHW", "ND"]), y, True
    g = image(6, 2, 3, 2)
    yield "Conv2D groups", Case("Conv2D", ["x", g], dict(attrs, groups=2), {"x": x}, None, ["NCHW", "NCHW"]), conv(x, g, (2, 1), ((1, 1), (0, 1)), 2), True
    d = image(3, 3, 4, 2)
    filters = np.ascontiguousarray(d.transpose(2, 3, 0, 1)).reshape(8, 1, 3, 3)
    attrs = {"strides": [1, 1, 2, 1], "pads": [1, 0, 1, 1]}
    case = Case("DepthwiseConv2D", ["x", d], attrs, {"x": last(x)}, None, ["NHWC", "HWCN"])
    yield "DepthwiseConv2D", case, last(conv(x, filters, (1, 2), ((1, 0), (1, 1)), 4)), True
    case = Case("Correlation", ["x", "w"], {"strides": [2, 1], "pads": [1, 1, 0, 1]}, {"x": x, "w": w})
    yield "Correlation", case, conv(x, w, (2, 1), ((1, 1), (0, 1))), True
    q, scales = i1(6, 4, 3, 2), [0.5, 0.25, 1.0, 2.0, 0.125, 0.75]
    real = q * np.array(scales, "f4").reshape(-1, 1, 1, 1)
    attrs = {"strides": [2, 1], "filter_quant_type": 1, "filter_quant_scales": scales, "x_quant_type": 1, "x_quant_scale": 0.5}
    codes = rng.randint(-999, 999, 6).astype("i4")
    y = conv(x, real, (2, 1), ((0, 0), (0, 0)), bias=codes * np.array(scales, "f4") * 0.5)
    yield "int8 filter, int32 bias", Case("Convolution", ["x", q, codes], attrs, {"x": x}), y, True
    # CANN's sums of codes, between AscendQuant and AscendDequant.
    a = i1(1, 4, 6, 5)
    attrs = {"strides": [1, 1, 2, 1], "pads": [0, 0, 0, 0], "data_format": "NCHW"}
    y32 = conv(a, q, (2, 1), ((0, 0), (0, 0)), bias=codes).astype("i4")
    yield "Conv2D of codes", Case("Conv2D", ["x", q, codes], attrs, {"x": a}, None, ["NCHW", "NCHW", "ND"]), y32, True
    attrs = {"strides": [2, 1], "filter_quant_type": 1, "filter_quant_scales": scales, "x_quant_type": 1, "x_quant_scale": 0.5}
    yield "the API's name", Case("QuantizedConvolution", ["x", q, codes], attrs, {"x": x}), y, True

    v, w, b = image(1, 4, 4, 5, 3), image(6, 2, 2, 3, 2), image(6)
    attrs = {"strides": [1, 2, 1], "pads": [1, 1, 1, 1, 0, 0], "groups": 2, "dilations": [2, 1, 1]}
    y = conv(v, w, (1, 2, 1), ((1, 1), (1, 1), (0, 0)), 2, b, (2, 1, 1))
    yield "Convolution3D", Case("Convolution3D", ["x", w, b], attrs, {"x": v}), y, True
    w = image(6, 4, 2, 3, 2)
    y = conv(v, w, (1, 2, 1), ((0, 1), (1, 1), (0, 1)), 1)
    yield "Convolution3D SAME", Case("Convolution3D", ["x", w], {"strides": [1, 2, 1], "pad_mode": "SAME"}, {"x": v}), y, True
    dhwcn = np.ascontiguousarray(w.transpose(2, 3, 4, 1, 0))
    attrs = {"strides": [1, 1, 2, 1, 1], "pads": [0, 1, 1, 1, 0, 1]}
    yield "Conv3D DHWCN", Case("Conv3D", ["x", dhwcn], attrs, {"x": last(v)}, None, ["NDHWC", "DHWCN"]), last(y), False
    w = image(6, 2, 2, 3, 2)
    y = conv(v, w, (1, 2, 1), ((0, 1), (1, 1), (0, 1)), 2)
    yield "Conv3D groups", Case("Conv3D", ["x", w], dict(attrs, groups=2), {"x": last(v)}, None, ["NDHWC", "NCDHW"]), last(y), False


def products():
    a, b, c = image(3, 5), image(5, 4), image(4)
    y = f4(a @ b)
    inputs = {"x": a}
    yield "MatMulV2", Case("MatMulV2", ["x", b.T.copy(), c], {"transpose_x2": True}, inputs, None), f4(a @ b + c), True
    yield "MatMul of 4 dims", Case("MatMul", ["x", b.T.reshape(4, 5, 1, 1).copy()], {}, inputs), y, True
    yield "MatMul of 4 dims as said", Case("MatMul", ["x", b.reshape(5, 4, 1, 1)], {}, inputs), y, True
    q = i1(5, 4)
    yield "MatMul of int8", Case("MatMul", ["x", q], {"x2_quant_type": 1, "x2_quant_scales": [0.5]}, inputs), f4(a @ (q * 0.5)), True
    c8, q8 = rng.randint(-99, 99, 4).astype("i4"), i1(3, 5)
    y32 = q8.astype("i4") @ q.astype("i4") + c8
    yield "MatMulV2 of codes", Case("MatMulV2", ["x", q, c8], {}, {"x": q8}, None), y32, True
    w, scales = i1(4, 5), [0.5, 0.25, 1.0, 2.0]
    attrs = {"num_output": 4, "w_quant_type": 1, "w_quant_scales": scales}
    y = f4(a @ (w * np.array(scales).reshape(4, 1)).T + c).reshape(3, 4, 1, 1)
    yield "dense layer of int8", Case("FullyConnection", ["x", w.reshape(4, 5, 1, 1), c.reshape(1, 4, 1, 1)], attrs, inputs), y, True
    old = {"num_output": 4, "filter_quant_type": 1, "filter_quant_scales": scales}
    yield "dense layer of version 0", Case("FullConnection", ["x", w.reshape(4, 5, 1, 1), c], old, inputs, 0), y, True
    m, k = image(2, 1, 3, 5), image(3, 5, 4)
    yield "BatchMatMulV2", Case("BatchMatMulV2", ["x", k, c], {}, {"x": m}, None), f4(m @ k + c), True
    n = image(2, 1, 4, 5)
    yield "BatchMatMul", Case("BatchMatMul", ["x", n], {"adj_x2": True}, {"x": m}), f4(m @ n.swapaxes(2, 3)), True
    alpha, beta = f4([0.5]), f4([2.0])
    yield "GEMM", Case("GEMM", ["x", b, c, alpha, beta], {}, inputs, None), f4(0.5 * (a @ b) + 2 * c), True
    yield "GemmD", Case("GemmD", ["x", b.T.copy(), c], {"alpha": 0.5, "beta": 2.0, "transpose_b": True}, inputs), f4(0.5 * (a @ b) + 2 * c), True


def away(x):
    return np.sign(x) * np.floor(np.abs(x) + 0.5)


def fake_quant(x, low, high, bits, narrow):
    least, most = (1.0 if narrow else 0.0), 2.0**bits - 1
    scale = (high - low) / (most - least)
    zero = np.clip(np.floor(least - low / scale + 0.5), least, most)
    low, high = (least - zero) * scale, (most - zero) * scale
    return f4(np.floor((np.clip(x, low, high) - low) / scale + 0.5) * scale + low)


def codes():
    # nn.round has no spelling of its own: --legalize-for-ge composes one.
    x = image(1, 4, 3, 5)
    inputs = {"x": x}
    y = np.clip(away(x / np.float32(0.02)) + 100, 0, 255).astype("u1")
    yield "QuantizeV2", Case("QuantizeV2", ["x"], {"scale": [0.02], "offset": [100.0], "dtype": 4}, inputs), y, False
    y = np.clip(away(x * 100 + 7), -128, 127).astype("i1")
    yield "AscendQuant", Case("AscendQuant", ["x"], {"scale": 100.0, "offset": 7.0}, inputs, None), y, False
    y = np.clip(away(x * 64), -128, 127).astype("i1")
    yield "AscendQuant by a root", Case("AscendQuant", ["x"], {"scale": 8.0, "offset": 0.0, "sqrt_mode": True}, inputs, None), y, False
    acc, scale = rng.randint(-9999, 9999, (1, 4, 3, 5)).astype("i4"), image(4)
    y = np.maximum(acc * scale.reshape(1, 4, 1, 1), 0)
    yield "AscendDequant", Case("AscendDequant", ["x", scale], {"relu_flag": True}, {"x": acc}, None), f4(y), True
    q = i1(1, 4, 3, 5)
    yield "AscendAntiQuant", Case("AscendAntiQuant", ["x"], {"scale": 0.5, "offset": 3.0}, {"x": q}, None), f4((q.astype("f4") + 3) * 0.5), True
    low, high = f4([-1.5]), f4([1.0])
    y = away((np.clip(x, -1.5, 1.0) + 1.5) * np.float32(255 / 2.5)).astype("u1")
    yield "Quantize", Case("Quantize", ["x", low, high], {}, inputs), y, False
    u = rng.randint(0, 256, (1, 4, 3, 5)).astype("u1")
    yield "Dequantize", Case("Dequantize", ["x", low, high], {}, {"x": u}), f4(u * np.float32(2.5 / 255) - 1.5), True
    yield "FakeQuant", Case("FakeQuantWithMinMaxVars", ["x", f4([-1.0]), f4([1.3])], {}, inputs), fake_quant(x, -1.0, 1.3, 8, False), True
    lows, highs = f4([-1, -0.5, 0, 0.5, -2]), f4([1, 0.7, 1.5, 1.75, 0])
    case = Case("FakeQuantWithMinMaxVarsPerChannel", ["x", lows, highs], {"num_bits": 4, "narrow_range": True}, inputs)
    yield "FakeQuant per channel", case, fake_quant(x, lows, highs, 4, True), True


def prior_boxes():
    boxes, variances = [], []
    for y in range(2):
        for x in range(3):
            cx, cy = (x + 0.5) * 10, (y + 0.5) * 8
            root = np.sqrt(2.0)
            for w, h in ((6, 6), (np.sqrt(6 * 9.0),) * 2, (6 * root, 6 / root), (6 / root, 6 * root)):
                boxes += [(cx - w / 2) / 30, (cy - h / 2) / 16, (cx + w / 2) / 30, (cy + h / 2) / 16]
                variances += [0.1, 0.1, 0.2, 0.2]
    return f4([[np.clip(boxes, 0, 1), variances]])


def crop(x, boxes, numbers, size, nearest, fill):
    n, c, h, w = x.shape
    y = np.full((len(boxes), c) + size, fill, "f4")
    for k, (y0, x0, y1, x1) in enumerate(boxes):
        for i in range(size[0]):
            sy = y0 * (h - 1) + i * (y1 - y0) * (h - 1) / (size[0] - 1) if size[0] > 1 else (y0 + y1) / 2 * (h - 1)
            for j in range(size[1]):
                sx = x0 * (w - 1) + j * (x1 - x0) * (w - 1) / (size[1] - 1) if size[1] > 1 else (x0 + x1) / 2 * (w - 1)
                if not (0 <= sy <= h - 1 and 0 <= sx <= w - 1):
                    continue
                img = x[numbers[k]]
                if nearest:
                    y[k, :, i, j] = img[:, int(away(sy)), int(away(sx))]
                    continue
                a, b = int(sy), int(sx)
                a1, b1 = min(a + 1, h - 1), min(b + 1, w - 1)
                top = img[:, a, b] * (1 - sx + b) + img[:, a, b1] * (sx - b)
                low = img[:, a1, b] * (1 - sx + b) + img[:, a1, b1] * (sx - b)
                y[k, :, i, j] = top * (1 - sy + a) + low * (sy - a)
    return y


def roi_pool(x, rois, size, scale):
    y = np.zeros((len(rois), x.shape[1]) + size, "f4")
    for k, (n, x0, y0, x1, y1) in enumerate(rois):
        x0, y0, x1, y1 = (int(away(v * scale)) for v in (x0, y0, x1, y1))
        w, h = max(x1 - x0 + 1, 1), max(y1 - y0 + 1, 1)
        for i in range(size[0]):
            for j in range(size[1]):
                rows = slice(max(int(np.floor(i * h / size[0])) + y0, 0), max(int(np.ceil((i + 1) * h / size[0])) + y0, 0))
                columns = slice(max(int(np.floor(j * w / size[1])) + x0, 0), max(int(np.ceil((j + 1) * w / size[1])) + x0, 0))
                part = x[int(n), :, rows, columns]
                if part.size:
                    y[k, :, i, j] = part.max((1, 2))
    return y


def detection():
    x = image(1, 4, 2, 3)
    attrs = {"min_size": [6.0], "max_size": [9.0], "aspect_ratio": [2.0], "variance": [0.1, 0.1, 0.2, 0.2], "clip": True, "img_h": 16, "img_w": 30}
    yield "PriorBox", Case("PriorBox", ["x"], attrs, {"x": x}), prior_boxes(), True
    x = image(2, 3, 5, 6)
    boxes = f4([[0, 0, 1, 1], [0.125, 0.25, 0.75, 0.5], [-0.5, 0.2, 0.5, 1.3], [0.9, 0.8, 0.1, 0.3]])
    numbers = np.array([1, 0, 1, 0], "i4")
    for method, size in (("bilinear", (4, 3)), ("nearest", (3, 1)), (1, (2, 5))):
        nearest = method != "bilinear"
        case = Case("CropAndResize", ["x", "boxes", numbers, np.array(size, "i4")], {"method": method, "extrapolation_value": 0.5}, {"x": x, "boxes": boxes})
        yield f"CropAndResize {method}", case, crop(x, boxes, numbers, size, nearest, 0.5), False
    rois = f4([[1, 0, 0, 9, 7], [0, 2, 3, 5, 12]])
    attrs = {"pooled_h": 3, "pooled_w": 2, "spatial_scale_h": 0.5, "spatial_scale_w": 0.5}
    yield "ROIPooling", Case("ROIPooling", ["x", rois], attrs, {"x": x}), roi_pool(x, rois, (3, 2), 0.5), True


cases = list(convolutions()) + list(products()) + list(codes()) + list(detection())
with tempfile.TemporaryDirectory() as folder:
    sys.exit(1 if opmodel.check(cases, folder) else 0)
