"""Elementwise ops of HiAI and CANN for functions.py."""
import math

import numpy as np
from array_cases import of_x, rand
from index_cases import of_two


def run(judge):
    x, y = rand(2, 3, 4), rand(2, 3, 4)
    sigmoid = lambda v: 1 / (1 + np.exp(-v))
    elu = lambda v, a=1.0: np.where(v > 0, v, a * np.expm1(np.minimum(v, 0)))
    # HiAI's Activation by mode, CANN's types.
    judge("Activation 4", of_x("Activation", x, elu(x, 0.5), mode=4, coef=0.5))
    judge("Activation 8", of_x("Activation", x, x / (1 + abs(x)), mode=8))
    judge("Activation 10", of_x("Activation", x, np.clip(0.2 * x + 0.5, 0, 1), mode=10))
    judge("Activation 11", of_x("Activation", x, np.where(x > 0.25, x, 0), mode=11, coef=0.25))
    selu = 1.0507009873554805 * elu(x, 1.6732632423543772)
    judge("Activation 12", of_x("Activation", x, selu, mode=12))
    judge("Threshold", of_x("Threshold", x, (x > 0.5).astype("f4"), threshold=0.5))
    softplus = np.log1p(np.exp(x))
    cube = x + 0.044715 * x**3
    for type, value in {
        "Abs": abs(x), "Relu": np.maximum(x, 0), "Relu6": np.clip(x, 0, 6), "Sigmoid": sigmoid(x), "Tanh": np.tanh(x),
        "Softplus": softplus, "Softsign": x / (1 + abs(x)), "Selu": selu, "LogSigmoid": -np.log1p(np.exp(-x)),
        "Gelu": 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * cube)), "FastGelu": x * sigmoid(1.702 * x),
        "Mish": x * np.tanh(softplus), "Inv": 1 / x, "Rint": np.rint(x), "Atan": np.arctan(x), "Elu": elu(x),
        "HardSigmoid": np.clip(x / 6 + 0.5, 0, 1), "LeakyRelu": np.maximum(x, 0), "SoftplusV2": softplus,
    }.items():  # fmt: skip
        judge("CANN " + type, of_x(type, x, value.astype("f4")))
    judge("LeakyRelu", of_x("LeakyRelu", x, np.where(x > 0, x, 0.25 * x), negative_slope=0.25))
    judge("Elu scaled", of_x("Elu", x, 3 * np.where(x > 0, x, 2 * np.expm1(0.5 * np.minimum(x, 0))), alpha=2.0, scale=3.0, input_scale=0.5))
    judge("SoftplusV2", of_x("SoftplusV2", x, np.log1p(np.exp(2 * x)) / 2, beta=2.0))
    judge("SwiGlu", of_x("SwiGlu", x, x[..., :2] * sigmoid(x[..., :2]) * x[..., 2:]))
    judge("PRelu vector", of_two("PRelu", x, np.float32([1, 2, 3]), np.where(x > 0, x, x * np.float32([1, 2, 3])[:, None])))
    soft = np.exp(x) / np.exp(x).sum(1, keepdims=True)
    judge("SoftmaxV2", of_x("SoftmaxV2", x, soft, axes=[1]))
    judge("LogSoftmaxV2", of_x("LogSoftmaxV2", x, np.log(soft), axes=[-2]))
    # Rounding: halves, and what has none.
    halves = np.float32([-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 0.49999997, 8388609, 1e30, -7.75])
    judge("Rint halves", of_x("Rint", halves, np.rint(halves)))
    judge("Round halves", of_x("Round", halves, np.rint(halves)))
    # Integers in all signs.
    a, b = np.int32([7, -7, 7, -7, 6, 0]), np.int32([3, 3, -3, -3, 3, 5])
    quotient = np.trunc(a / b).astype("i4")
    judge("TruncateDiv", of_two("TruncateDiv", a, b, quotient))
    judge("TruncateDiv uint8", of_two("TruncateDiv", np.uint8([7, 200]), np.uint8([2, 3]), np.uint8([3, 66])))
    judge("Div of integers", of_two("Div", a, b, quotient))
    judge("Div of floats", of_two("Div", x, y, x / y))
    judge("TruncateMod", of_two("TruncateMod", a, b, a - quotient * b))
    judge("TruncateMod of floats", of_two("TruncateMod", x, y, np.fmod(x, y)))
    judge("Mod", of_two("Mod", a, b, a - quotient * b))
    judge("FloorMod of integers", of_two("FloorMod", a, b, np.mod(a, b)))
    judge("DivNoNan", of_two("DivNoNan", x, np.where(y > 0, y, 0), np.where(y > 0, x / np.where(y > 0, y, 1), 0)))
    judge("Xlogy at 0", of_two("Xlogy", np.float32([0, 0, 2]), np.float32([0, 3, 5]), np.float32([0, 0, 2 * math.log(5)])))
    # With attributes.
    judge("Adds", of_x("Adds", x, x + np.float32(1.5), value=1.5))
    judge("Muls", of_x("Muls", x, x * np.float32(1.5), value=1.5))
    judge("AddN", lambda m: (m.op("AddN", [m.data(x), m.data(y), m.data(x)], N=3), x + y + x))
    judge("Pows", of_two("Pows", abs(x), y, abs(x) ** y))
    judge("Exp of 2", of_x("Exp", x, 2 ** (3 * x + 1), base=2.0, scale=3.0, shift=1.0))
    judge("Log of 10", of_x("Log", abs(x), np.log10(2 * abs(x) + 1), base=10.0, scale=2.0, shift=1.0))
    judge("Power", of_x("Power", abs(x), np.sqrt(2 * abs(x) + 1), power=0.5, scale=2.0, shift=1.0))
    judge("Atan2", of_two("Atan2", x, y, np.arctan2(x, y)), back=False)
    judge("ChannelAxpy", lambda m: (m.op("ChannelAxpy", [m.data(y[:, :, 0]), m.data(x), m.data(y)]), y[:, :, :1] * x + y))
    judge("ClipByValueV2", lambda m: (m.op("ClipByValueV2", [m.data(x), m.const(-0.5, "float32"), m.const(0.5, "float32")]), np.clip(x, -0.5, 0.5)))
    judge("AddV2", of_two("AddV2", x, y[:1], x + y[:1]))
    judge("CANN Cast", of_x("Cast", x, x.astype("i4"), dst_type=3))
    judge("BitwiseXor", of_two("BitwiseXor", x > 0, y > 0, (x > 0) ^ (y > 0)))
    judge("GEMM", lambda m: (m.op("GEMM", [m.data(x[0]), m.data(x[1]), m.data(y[0, :, :3]), m.data(np.float32([2])), m.data(np.float32([3]))], transpose_b=True), 2 * x[0] @ x[1].T + 3 * y[0, :, :3]))
    judge("GemmV2", lambda m: (m.op("GemmV2", [m.data(x[0]), m.data(x[1]), m.data(np.float32([2])), m.data(np.float32([3])), m.data(y[0, :, :3])], transpose_b=True), 2 * x[0] @ x[1].T + 3 * y[0, :, :3]))
