"""Norms, pooling, products and codes against plain formulas: ORACLE_DIR."""
import sys
import tempfile

import numpy as np

sys.path.insert(0, sys.argv[1])
import opmodel
from opmodel import Case

rng = np.random.RandomState(2)


def image(*shape):
    return rng.uniform(-2, 2, shape).astype("f4")


def nhwc(x):
    return np.ascontiguousarray(x.transpose(0, 2, 3, 1))


def f4(x):
    return np.asarray(x).astype("f4")


def column(x, rank=4):
    return x.reshape((1, -1) + (1,) * (rank - 2))


def moments(x, axes, epsilon):
    x = x.astype("f8")
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def norms():
    x = image(2, 4, 3, 5)
    inputs = {"x": x}
    g, b, mean, variance = image(4), image(4), image(4), np.abs(image(4)) + 0.5
    y = f4(column(g) * (x - column(mean)) / np.sqrt(column(variance) + 1e-3) + column(b))
    yield "BNInfer", Case("BNInfer", ["x", g, b, mean, variance], {"epsilon": 1e-3}, inputs, None, ["NCHW"] * 5), y, True
    case = Case("BatchNorm", ["x", g, b, mean, variance], {"epsilon": 1e-3, "is_training": False}, {"x": nhwc(x)}, None, outputs=6)
    yield "CANN BatchNorm", case, nhwc(y), True
    case = Case("BatchNormV3", ["x", g, b, mean, variance], {"epsilon": 1e-3, "is_training": False}, inputs, None, outputs=5)
    yield "BatchNormV3", case, y, True
    # HiAI's op: mean, variance, scale, offset in bare files.
    params = [mean, variance, g, b]
    yield "BNInference NHWC", Case("BNInference", ["x"] + params, {"epsilon": 1e-3, "format": 1}, {"x": nhwc(x)}), nhwc(y), True
    full = [np.abs(image(1, 4, 3, 5)) + 0.5 for _ in range(4)]
    y = f4(full[2] * (x - full[0]) / np.sqrt(full[1] + 1e-3) + full[3])
    yield "BNInference per element", Case("BNInference", ["x"] + full, {"epsilon": 1e-3, "mode": 0}, inputs), y, True

    g, b = image(3, 5), image(3, 5)
    y = f4(moments(x, (2, 3), 1e-5) * g + b)
    yield "LayerNorm", Case("LayerNorm", ["x", g, b], {"begin_norm_axis": 2, "begin_params_axis": -2, "epsilon": 1e-5}, inputs), y, True
    y = f4(moments(x, (1, 2, 3), 1e-5) * g + b)
    yield "LayerNorm of fewer params", Case("LayerNorm", ["x", g, b], {"begin_params_axis": 2, "epsilon": 1e-5}, inputs), y, True
    g, b = image(2, 4, 3, 5), image(2, 4, 3, 5)
    case = Case("LayerNormV3", ["x", g, b], {}, inputs, None, outputs=3)
    yield "LayerNormV3 over all", case, f4(moments(x, (0, 1, 2, 3), 1e-5) * g + b), True
    g, b = image(3, 5), image(3, 5)
    shape = np.array([3, 5], "i4")
    yield "LayerNormV4", Case("LayerNormV4", ["x", shape, g, b], {}, inputs, None, outputs=3), f4(moments(x, (2, 3), 1e-5) * g + b), True
    yield "LayerNormV4 plain", Case("LayerNormV4", ["x", shape], {}, inputs, None, outputs=3), f4(moments(x, (2, 3), 1e-5)), True
    square = (x.astype("f8") ** 2).mean((2, 3), keepdims=True)
    yield "RmsNorm", Case("RmsNorm", ["x", g], {"epsilon": 0.25}, inputs, None, outputs=2), f4(x / np.sqrt(square + 0.25) * g), True
    g, b = image(4), image(4)
    y = f4(moments(x, (2, 3), 1e-6) * column(g) + column(b))
    yield "InstanceNorm", Case("InstanceNorm", ["x", column(g), b], {"epsilon": 1e-6}, inputs), y, True
    yield "CANN InstanceNorm", Case("InstanceNorm", ["x", g, b], {"data_format": "NHWC"}, {"x": nhwc(x)}, None, outputs=3), nhwc(y), True
    grouped = moments(x.reshape(2, 2, 2, 3, 5), (2, 3, 4), 1e-5).reshape(x.shape)
    yield "GroupNorm", Case("GroupNorm", ["x", g, b], {"num_groups": 2}, inputs, None, outputs=3), f4(grouped * column(g) + column(b)), False

    squares = np.pad(x.astype("f8") ** 2, ((0, 0), (1, 1), (0, 0), (0, 0)))
    window = squares[:, :-2] + squares[:, 1:-1] + squares[:, 2:]
    y = f4(x / (2.0 + 0.3 / 3 * window) ** 0.75)
    yield "LRN", Case("LRN", ["x"], {"depth_radius": 3, "alpha": 0.3, "beta": 0.75, "bias": 2.0}, inputs), y, True
    old = {"lrn_localsize": 3, "lrn_alpha": 0.3, "lrn_beta": 0.75, "lrn_k": 2.0}
    yield "LRN of version 0", Case("LRN", ["x"], old, inputs, None), y, True
    # A radius, and alpha for each element, in CANN.
    y = f4(x / (2.0 + 0.3 * window) ** 0.75)
    yield "CANN LRN", Case("LRN", ["x"], {"depth_radius": 1, "alpha": 0.3, "beta": 0.75, "bias": 2.0}, inputs, None), y, True
    total = (x.astype("f8") ** 2).sum(1, keepdims=True)
    yield "L2Normalize", Case("L2Normalize", ["x"], {"eps": 3.0}, inputs), f4(x / np.sqrt(np.maximum(total, 3.0))), True
    axes = (x.astype("f8") ** 2).sum((1, 2), keepdims=True)
    yield "CANN L2Normalize", Case("L2Normalize", ["x"], {"axis": [1, 2]}, inputs, None), f4(x / np.sqrt(np.maximum(axes, 1e-4))), True
    s = image(4)
    yield "Normalize", Case("Normalize", ["x", column(s)], {"channel_shared": False, "eps": 0.5}, inputs), f4(x / np.sqrt(total + 0.5) * column(s)), True
    whole = (x.astype("f8") ** 2).sum((1, 2, 3), keepdims=True)
    yield "Normalize across", Case("Normalize", ["x", s[:1]], {"across_spatial": True}, inputs), f4(x / np.sqrt(whole + 2e-7) * s[0]), True
    yield "BiasAdd", Case("BiasAdd", ["x", s], {}, inputs), f4(x + column(s)), True
    last = image(5)
    yield "CANN BiasAdd", Case("BiasAdd", ["x", last], {}, inputs, None), f4(x + last), True


def pool(x, window, strides, pads, out, reduce):
    """pads: before; `reduce` gets the values in the image and the clipped window."""
    rows = []
    n = len(window)
    spatial = x.shape[-n:]
    for position in np.ndindex(*out):
        low = [p * s - b for p, s, b in zip(position, strides, pads)]
        high = [a + k for a, k in zip(low, window)]
        part = x[(Ellipsis,) + tuple(slice(max(a, 0), min(b, size)) for a, b, size in zip(low, high, spatial))]
        rows.append(reduce(part, low, high))
    return f4(np.stack(rows, -1).reshape(x.shape[:-n] + out))


def tail(n):
    return tuple(range(-n, 0))


def biggest(n):
    return lambda part, low, high: part.max(tail(n))


def mean(n):
    return lambda part, low, high: part.astype("f8").mean(tail(n))


def pools():
    x = image(1, 2, 7, 6)
    inputs = {"x": x}
    attrs = {"window": [3, 2], "stride": [2, 3], "pad": [1, 1, 0, 0]}
    y = pool(x, (3, 2), (2, 3), (1, 0), (4, 2), biggest(2))
    yield "max", Case("PoolingD", ["x"], attrs, inputs), y, True
    yield "max and relu", Case("PoolingD", ["x"], dict(attrs, relu_flag=True), inputs), np.maximum(y, 0), True
    yield "CANN Pooling", Case("Pooling", ["x"], dict(attrs, stride=[2, 2]), inputs, None), pool(x, (3, 2), (2, 2), (1, 0), (4, 3), biggest(2)), True
    yield "Pooling of version 0", Case("Pooling", ["x"], dict(attrs, pad_mode=0), inputs, 0), y, True
    yield "argmax not read", Case("MaxPoolWithArgmaxV2", ["x"], {"ksize": [3, 2], "strides": [2, 3], "pads": [1, 1, 0, 0]}, inputs, outputs=2), y, True
    average = dict(attrs, mode=1)
    yield "mean", Case("PoolingD", ["x"], average, inputs), pool(x, (3, 2), (2, 3), (1, 0), (4, 2), mean(2)), True
    counted = pool(x, (3, 2), (2, 3), (1, 0), (4, 2), lambda part, low, high: part.astype("f8").sum((-1, -2)) / 6)
    yield "mean of padding", Case("PoolingD", ["x"], dict(average, data_mode=0), inputs), counted, True
    root = pool(x.astype("f8") ** 2, (3, 2), (2, 3), (1, 0), (4, 2), mean(2))
    yield "L2", Case("PoolingD", ["x"], dict(attrs, mode=2), inputs), f4(np.sqrt(root)), True

    # Rounded up: windows of 4 at 0, 3, 6 of 1 + 7 + 1 rows; the last one has 3 of them.
    def clipped(part, low, high):
        size = [min(b, e + p) - a for a, b, e, p in zip(low, high, (7, 6), (1, 0))]
        return part.astype("f8").sum((-1, -2)) / (size[0] * size[1])

    square = image(1, 2, 7, 7)
    up = {"mode": 1, "ceil_mode": 1, "data_mode": 0, "window": [4, 4], "stride": [3, 3], "pad": [1, 1, 1, 1]}

    def both(part, low, high):
        size = [min(b, 8) - a for a, b in zip(low, high)]
        return part.astype("f8").sum((-1, -2)) / (size[0] * size[1])

    yield "mean, rounded up", Case("PoolingD", ["x"], up, {"x": square}), pool(square, (4, 4), (3, 3), (1, 1), (3, 3), both), True
    server = {"ksize": [1, 1, 4, 4], "strides": [1, 1, 3, 3], "pads": [1, 1, 1, 1], "ceil_mode": True}
    yield "AvgPoolV2", Case("AvgPoolV2", ["x"], dict(server, exclusive=False), {"x": square}, None), pool(square, (4, 4), (3, 3), (1, 1), (3, 3), both), True
    yield "MaxPoolV3", Case("MaxPoolV3", ["x"], server, {"x": square}, None), pool(square, (4, 4), (3, 3), (1, 1), (3, 3), biggest(2)), True
    server = {"ksize": [1, 2, 3, 1], "strides": [1, 2, 3, 1], "padding": "VALID"}
    yield "AvgPool", Case("AvgPool", ["x"], server, {"x": nhwc(x)}, None), nhwc(pool(x, (2, 3), (2, 3), (0, 0), (3, 2), mean(2))), True
    server = {"ksize": [1, 1, 3, 3], "strides": [1, 1, 2, 1], "padding": "SAME", "data_format": "NCHW"}
    yield "MaxPool", Case("MaxPool", ["x"], server, inputs, None), pool(x, (3, 3), (2, 1), (1, 1), (4, 6), biggest(2)), True
    yield "GlobalAveragePool", Case("GlobalAveragePool", ["x"], {}, inputs, None), f4(x.astype("f8").mean((2, 3), keepdims=True)), True
    yield "AdaptiveAvgPool2d", Case("AdaptiveAvgPool2d", ["x"], {"output_size": [7, 2]}, inputs, None), pool(x, (1, 3), (1, 3), (0, 0), (7, 2), mean(2)), True
    yield "AdaptiveMaxPool2d", Case("AdaptiveMaxPool2d", ["x"], {"output_size": [7, 2]}, inputs, None, outputs=2), pool(x, (1, 3), (1, 3), (0, 0), (7, 2), biggest(2)), True

    v = image(1, 2, 5, 4, 6)
    attrs = {"ksize": [2, 3, 2], "strides": [2, 1, 3], "pads": [1, 1, 1, 1, 0, 0]}
    # Depth (5 + 2 - 2)/2 + 1 = 3.
    yield "MaxPooling3D", Case("MaxPooling3D", ["x"], attrs, {"x": v}), pool(v, (2, 3, 2), (2, 1, 3), (1, 1, 0), (3, 4, 2), biggest(3)), True
    yield "AvgPooling3D", Case("AvgPooling3D", ["x"], attrs, {"x": v}), pool(v, (2, 3, 2), (2, 1, 3), (1, 1, 0), (3, 4, 2), mean(3)), True
    counted = pool(v, (2, 3, 2), (2, 1, 3), (1, 1, 0), (3, 4, 2), lambda part, low, high: part.astype("f8").sum((-1, -2, -3)) / 12)
    last = np.ascontiguousarray(v.transpose(0, 2, 3, 4, 1))
    server = {"ksize": [1, 2, 3, 2, 1], "strides": [1, 2, 1, 3, 1], "pads": [1, 1, 1, 1, 0, 0]}
    yield "AvgPool3D", Case("AvgPool3D", ["x"], server, {"x": last}, None), np.ascontiguousarray(counted.transpose(0, 2, 3, 4, 1)), True


with tempfile.TemporaryDirectory() as folder:
    sys.exit(1 if opmodel.check(list(norms()) + list(pools()), folder) else 0)
