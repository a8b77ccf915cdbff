#!/usr/bin/env python3
"""Runs random quantized nets with the target's own kernels and without.

usage: random_quant_nets.py BIN_DIR FIRST LAST [--jobs=N] [--show]

Each seed from FIRST to LAST makes one net of convolutions of bytes (dense and
depthwise, signed and unsigned, with zero points on both sides, odd channel
counts, strides, dilations, uneven pads, biases of i32 and f32, residuals, all
results that the op has), with elementwise functions, pooling, concatenation and
casts between and a matrix product behind. Codes are integers in the plain path and in the kernels, and both
round in the same places: the results must be equal, bit for bit.

Every third net has nothing but extreme codes as inputs and weights: an
instruction that saturates on the way would show. Each net runs for up to four
CPUs: 16 lanes with VNNI if this machine has it, and without (x86-64-v4), 8 lanes
with and without (x86-64-v3); and in one to three threads.

--show prints the nets instead of running them.
"""
import os
import random
import subprocess
import sys

sys.dont_write_bytecode = True

import numpy

from random_nets import main

CHANNELS = [1, 3, 4, 5, 8, 16, 17, 20, 33]
ACTIVATIONS = ["relu", "relu6", "h_swish"]
CPUS = [["--lanes=16"], ["--lanes=8"]]
# Code for a CPU runs on those that have what it has.
with open("/proc/cpuinfo") as cpuinfo:
    flags = set(cpuinfo.read().split())
if "avx2" in flags:
    CPUS.append(["--cpu=x86-64-v3"])
if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags:
    CPUS.append(["--cpu=x86-64-v4"])


class Codes:
    """A quantized type of bytes."""

    def __init__(self, rng, scale, signed=None):
        self.signed = rng.random() < 0.6 if signed is None else signed
        self.scale = float(numpy.float32(scale))
        self.low, self.high = (-128, 127) if self.signed else (0, 255)
        self.zero = 0
        if rng.random() < (0.2 if self.signed else 0.8):
            self.zero = rng.choice([self.low, self.high, 128 + self.low, rng.randint(self.low, self.high)])
        self.dtype = numpy.int8 if self.signed else numpy.uint8

    def __str__(self):
        zero = f":{self.zero}" if self.zero else ""
        return "!quant.uniform<%s8:f32, %r%s>" % ("i" if self.signed else "u", self.scale, zero)


class Net:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.numpy = numpy.random.RandomState(seed)
        self.extreme = seed % 3 == 0
        self.lines, self.types, self.inputs, self.data = [], {}, [], {}

    # Values: name -> (shape, Codes or name of an element type).

    @staticmethod
    def type(shape, element):
        return "tensor<%s%s>" % ("".join(f"{d}x" for d in shape), element)

    def emit(self, op, operands, shape, element, attrs, form=None):
        result = f"%{len(self.lines)}"
        self.types[result] = (tuple(shape), element)
        types = ", ".join(self.type(*self.types[v]) for v in operands)
        text = form % tuple(operands) if form else ", ".join(operands)
        self.lines.append(f"  {result} = nn.{op} {text} {{{attrs}}} : ({types}) -> {self.type(shape, element)}")
        return result

    def constant(self, data, element, stored):
        result = f"%{len(self.lines)}"
        self.types[result] = (data.shape, element)
        text = data.tobytes().hex().upper()
        self.lines.append(f'  {result} = nn.constant dense<"0x{text}"> : {self.type(data.shape, stored)} : '
                          f"{self.type(data.shape, element)}")
        return result

    def codes(self, shape, element):
        if self.extreme:
            choice = self.numpy.choice([element.low, element.high], shape)
            # All of one sign now and then: sums as large as they get.
            if self.rng.random() < 0.5:
                choice[:] = self.rng.choice([element.low, element.high])
            return choice.astype(element.dtype)
        return self.numpy.randint(element.low, element.high + 1, shape).astype(element.dtype)

    def images(self, shape=None):
        return [v for v, (s, e) in self.types.items() if len(s) == 4 and isinstance(e, Codes) and v not in self.weights
                and (shape is None or s == tuple(shape))]

    weights = ()

    def output_element(self, scale):
        return Codes(self.rng, scale)

    def window(self, x, kernels, dilations, most_pad):
        (_, _, h, w) = self.types[x][0]
        while True:
            kernel = self.rng.choice(kernels)
            strides = [self.rng.choice([1, 1, 1, 2, 3]) for _ in range(2)]
            dilation = [self.rng.choice(dilations) for _ in range(2)]
            limit = min(most_pad, min(kernel) - (0 if most_pad > 1 else 1))
            pads = [self.rng.randint(0, max(limit, 0)) for _ in range(4)]
            if self.rng.random() < 0.5:
                pads = [pads[0], pads[0], pads[2], pads[2]]
            room = [size + pads[2 * i] + pads[2 * i + 1] - ((kernel[i] - 1) * dilation[i] + 1)
                    for i, size in enumerate((h, w))]
            if min(room) >= 0:
                break
        out = [r // s + 1 for r, s in zip(room, strides)]
        attrs = "strides = array<i64: %d, %d>, pads = array<i64: %d, %d, %d, %d>" % (*strides, *pads)
        return kernel, dilation, attrs, out

    def conv(self, x):
        (shape, source) = self.types[x]
        (n, c, _, _) = shape
        kernel, dilation, attrs, out = self.window(
            x, [(1, 1), (1, 1), (3, 3), (3, 3), (5, 5), (1, 3), (3, 2)], [1, 1, 1, 2], 3)
        depthwise = c > 1 and self.rng.random() < 0.3
        groups = self.rng.choice([1, 1, 1] + [g for g in (2, 3, 4, 8) if c % g == 0 and c > g])
        oc = c if depthwise else self.rng.choice(CHANNELS) if groups == 1 else groups * self.rng.choice([1, 2, 4, 8])
        attrs += ", dilations = array<i64: %d, %d>" % tuple(dilation)
        if depthwise:
            attrs += f", groups = {c} : i64, group_filter"
        elif groups > 1:
            attrs += f", groups = {groups} : i64"
        if self.rng.random() < 0.2:
            attrs += ", flip_filter"
        # Filters are signed or not as the input is: the frameworks mix neither.
        weight = Codes(self.rng, self.rng.choice([0.01, 0.037, 0.0625]), source.signed)
        filter_shape = (c, 1, 1, *kernel) if depthwise else (oc, c // groups, *kernel)
        operands = [x, self.constant(self.codes(filter_shape, weight), weight, "i8")]
        self.weights = (*self.weights, operands[1])
        form = "%s, %s"
        products = kernel[0] * kernel[1] * (1 if depthwise else c // groups)
        accumulator = float(numpy.float32(source.scale) * numpy.float32(weight.scale))
        spread = accumulator * 70 * 70 * products ** (1.0 if self.extreme else 0.5)
        result = (n, oc, *out)
        kind = self.rng.random()
        element = self.output_element(spread / self.rng.choice([30, 60, 200]))
        if kind < 0.1:
            element = "f32"
        elif kind < 0.2:
            element = f"!quant.uniform<i32:f32, {accumulator!r}>"
        attrs += f", out_type = {element}"
        if self.rng.random() < 0.7:
            if self.rng.random() < 0.8:
                data = self.numpy.randint(-9000, 9000, (1, oc, 1, 1)).astype("<i4")
                operands.append(self.constant(data, f"!quant.uniform<i32:f32, {accumulator!r}>", "i32"))
            else:
                data = self.numpy.uniform(-spread / 4, spread / 4, (1, oc, 1, 1)).astype("<f4")
                operands.append(self.constant(data, "f32", "f32"))
            form += " bias %s"
        others = self.images(result)
        if others and isinstance(element, Codes) and self.rng.random() < 0.6:
            operands.append(self.rng.choice(others))
            form += " residual %s"
        if isinstance(element, Codes) and self.rng.random() < 0.6:
            attrs += ", activation = #nn.activation<%s>" % self.rng.choice(ACTIVATIONS)
        y = self.emit("conv2d", operands, result, element, attrs, form)
        if isinstance(element, Codes):
            return y
        self.outputs.append(y)
        return self.cast(y, spread / 60)

    def cast(self, x, scale=None):
        (shape, element) = self.types[x]
        if scale is None:
            scale = element.scale * self.rng.choice([0.5, 0.9, 1.3])
        to = self.output_element(scale)
        return self.emit("cast", [x], shape, to, f"to = {to}")

    def same(self, x):
        """A convolution that keeps the shape, so that residuals fit."""
        (shape, source) = self.types[x]
        (n, c, h, w) = shape
        weight = Codes(self.rng, 0.03, source.signed)
        operands = [x, self.constant(self.codes((c, c, 3, 3), weight), weight, "i8")]
        self.weights = (*self.weights, operands[1])
        form = "%s, %s"
        if self.rng.random() < 0.6:
            operands.append(self.rng.choice(self.images(shape)))
            form += " residual %s"
        element = self.output_element(source.scale * 0.03 * 70 * (9 * c) ** 0.5)
        attrs = ("strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: 1, 1>, "
                 f"activation = #nn.activation<relu>, out_type = {element}")
        return self.emit("conv2d", operands, shape, element, attrs, form)

    def binary(self, x):
        (shape, source) = self.types[x]
        other = self.rng.choice(self.images(shape))
        element = self.output_element(source.scale * self.rng.choice([0.7, 1.5]))
        attrs = f"out_type = {element}"
        if self.rng.random() < 0.5:
            attrs += ", activation = #nn.activation<relu>"
        return self.emit("add", [x, other], shape, element, attrs)

    def pool(self, x):
        (shape, element) = self.types[x]
        kernels = [k for k in ((2, 2), (3, 3), (2, 3), (5, 5)) if k[0] <= shape[2] and k[1] <= shape[3]]
        if not kernels:
            return x
        kernel, _, attrs, out = self.window(x, kernels, [1], 1)
        attrs += ", kernel = array<i64: %d, %d>" % kernel
        name = self.rng.choice(["max_pool2d", "avg_pool2d"])
        if name == "avg_pool2d" and self.rng.random() < 0.5:
            attrs += ", count_include_pad"
        return self.emit(name, [x], (*shape[:2], *out), element, attrs)

    def concat(self, x):
        (shape, element) = self.types[x]
        parts = [v for v in self.images() if str(self.types[v][1]) == str(element)
                 and (self.types[v][0][0], *self.types[v][0][2:]) == (shape[0], *shape[2:])]
        parts = [x] + [self.rng.choice(parts) for _ in range(self.rng.randint(1, 2))]
        channels = sum(self.types[v][0][1] for v in parts)
        if channels > 70:
            return x
        return self.emit("concat", parts, (shape[0], channels, *shape[2:]), element, "axis = 1 : i64")

    def head(self, x):
        """A classifier: a matrix product, of codes again or of i32."""
        (shape, source) = self.types[x]
        n, size, classes = shape[0], shape[1] * shape[2] * shape[3], self.rng.choice([1, 10, 16, 37])
        if size * classes > 50000:
            return x
        dims = f"%{len(self.lines)}"
        self.types[dims] = ((2,), "i32")
        self.lines.append(f"  {dims} = nn.constant dense<[{n}, {size}]> : tensor<2xi32> : tensor<2xi32>")
        flat = self.emit("reshape", [x, dims], (n, size), source, "")
        weight = Codes(self.rng, 0.03, source.signed)
        transposed = self.rng.random() < 0.5
        weights = self.constant(self.codes((classes, size) if transposed else (size, classes), weight), weight, "i8")
        accumulator = float(numpy.float32(source.scale) * numpy.float32(weight.scale))
        element = f"!quant.uniform<i32:f32, {accumulator!r}>"
        if self.rng.random() < 0.7:
            element = self.output_element(accumulator * 70 * 70 * size ** (1.0 if self.extreme else 0.5) / 60)
        attrs = f"out_type = {element}" + (", transpose_b" if transposed else "")
        return self.emit("matmul", [flat, weights], (n, classes), element, attrs)

    def text(self):
        self.outputs = []
        for i in range(self.rng.choice([1, 1, 2])):
            element = Codes(self.rng, 0.05)
            shape = (self.rng.choice([1, 1, 2]), self.rng.choice(CHANNELS), self.rng.choice([1, 4, 7, 9, 13]),
                     self.rng.choice([1, 5, 7, 14, 15, 17]))
            self.types[f"%in{i}"] = (shape, element)
            self.data[f"in{i}"] = self.codes(shape, element)
            self.inputs.append(f"%in{i}")
        pieces = [self.conv] * 7 + [self.same] * 3 + [self.binary] * 3 + [self.pool] * 2 + [self.concat, self.cast]
        x = self.inputs[0]
        for _ in range(self.rng.randint(2, 7)):
            x = self.rng.choice(pieces)(x)
            if self.rng.random() < 0.15:
                self.outputs.append(x)
            if self.rng.random() < 0.15:
                x = self.rng.choice(self.images())
        self.outputs.append(self.head(x) if self.rng.random() < 0.4 else x)
        arguments = ", ".join(
            f'{v}: {self.type(*self.types[v])} {{nn.name = "in{k}"}}' for k, v in enumerate(self.inputs))
        results = ", ".join(
            f'{self.type(*self.types[v])} {{nn.name = "out{k}"}}' for k, v in enumerate(self.outputs))
        types = ", ".join(self.type(*self.types[v]) for v in self.outputs)
        return "func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
            arguments, results, "\n".join(self.lines), ", ".join(self.outputs), types)


def check(model_run, seed, folder):
    """None, or what is wrong."""
    path = os.path.join(folder, f"{seed}.mlir")
    expected = os.path.join(folder, str(seed))
    net = Net(seed)
    with open(path, "w", encoding="utf-8") as f:
        f.write(net.text())
    inputs = []
    for name, data in net.data.items():
        numpy.save(os.path.join(folder, f"{seed}-{name}.npy"), data)
        inputs.append(f"--input={name}={folder}/{seed}-{name}.npy")
    runs = [["--schedule=plain", "--opt-level=0", f"--output-dir={expected}"]]
    # Bits must not hang on the number of threads either.
    runs += [
        ["--schedule=full", *cpu, f"--threads={1 + (seed + k) % 3}", "--shared-cost=1", f"--compare={expected}",
         "--atol=0", "--rtol=0"]
        for k, cpu in enumerate(CPUS)
    ]
    for options in runs:
        command = [model_run, path, *inputs, *options]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=300)
        if result.returncode:
            return f"{' '.join(options[:2])}: exit code {result.returncode}\n{result.stdout}{result.stderr[:700]}"
    return None


if __name__ == "__main__":
    sys.exit(main(Net, check))
