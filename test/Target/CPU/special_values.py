#!/usr/bin/env python3
"""Runs every activation and the transcendental functions, in kernels and behind
them, on NaN, infinities, zeros, and very small and large numbers, and compares
with the plain schedule: usage: special_values.py FOLDER

The input has these values in the pixels of each of 17 channels; a depthwise
convolution with weights of 1 makes a blocked tensor of it.
"""
import os
import subprocess
import sys

import numpy

VALUES = [
    *(numpy.nan, numpy.inf, -numpy.inf, 0.0, -0.0, 1e-45, -1e-39, 1e-30, 1e-7, -5e-4, 3e-4, 1.0, -1.0, -3.0, 3.0),
    *(6.0, 6.5, -3.5, 88.0, 89.0, -88.0, -104.0, 100.0, -1000.0, 1e5, -1e8, 3e38, -3e38, 0.5, -0.5, 1.5, 2.5),
]
ACTIVATIONS = ["none", "relu", "sigmoid", "h_swish", "tanh", "relu6", "silu", "h_sigmoid"]
UNARY = ["relu", "sigmoid", "h_swish", "tanh", "relu6", "silu", "h_sigmoid", "neg", "abs", "exp", "expm1"]
UNARY += ["log", "log1p", "erf", "sin", "cos", "floor", "ceil", "round", "square"]
IMAGE = "tensor<1x17x4x8xf32>"
WINDOW = "strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, groups = 17 : i64"


def text():
    lines, outputs = [], []
    for k, activation in enumerate(ACTIVATIONS):
        lines.append(
            f"  %c{k} = nn.conv2d %x, %w {{{WINDOW}, activation = #nn.activation<{activation}>}} : "
            f"({IMAGE}, tensor<17x1x1x1xf32>) -> {IMAGE}")
        outputs.append((activation, f"%c{k}"))
    for k, name in enumerate(UNARY):
        lines.append(f"  %u{k} = nn.{name} %c0 : ({IMAGE}) -> {IMAGE}")
        outputs.append((name, f"%u{k}"))
    results = ", ".join(f'{IMAGE} {{nn.name = "{name}"}}' for name, _ in outputs)
    return (
        f'func.func @main(%x: {IMAGE} {{nn.name = "x"}}) -> ({results}) {{\n'
        "  %w = nn.constant dense<1.0> : tensor<17x1x1x1xf32> : tensor<17x1x1x1xf32>\n" + "\n".join(lines)
        + f"\n  return {', '.join(v for _, v in outputs)} : {', '.join([IMAGE] * len(outputs))}\n}}\n")


def run(*args):
    subprocess.run(["model-run", *args], check=True)


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    model, data = os.path.join(folder, "net.mlir"), os.path.join(folder, "x.npy")
    with open(model, "w", encoding="utf-8") as f:
        f.write(text())
    numpy.save(data, numpy.broadcast_to(numpy.array(VALUES, "f4").reshape(4, 8), (1, 17, 4, 8)).copy())
    plain, bad = os.path.join(folder, "plain"), 0
    run(model, f"--input={data}", "--schedule=plain", f"--output-dir={plain}")
    for lanes in (16, 8):
        full = os.path.join(folder, f"full{lanes}")
        run(model, f"--input={data}", f"--lanes={lanes}", f"--output-dir={full}")
        for k, name in enumerate([*ACTIVATIONS, *UNARY]):
            expected, actual = (numpy.load(os.path.join(d, f"{k}.npy")) for d in (plain, full))
            # Each number for itself: a few units in the last place, and what is
            # lost below the smallest normal number.
            is_near = numpy.isclose(actual, expected, rtol=1e-6, atol=1.2e-38, equal_nan=True)
            for at in numpy.argwhere(~is_near[0, 0]):
                value = VALUES[at[0] * 8 + at[1]]
                if name == "log" and 0 < value < 1.2e-38:
                    continue    # taken as the smallest normal number
                bad += 1
                print(f"{lanes} lanes, {name}({value}): {actual[0, 0][tuple(at)]}, not {expected[0, 0][tuple(at)]}")
            if not numpy.array_equal(actual[0, :1].repeat(17, 0), actual[0], equal_nan=True):
                bad += 1
                print(f"{lanes} lanes, {name}: channels differ")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
