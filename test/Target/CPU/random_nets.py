#!/usr/bin/env python3
"""Runs random nets with the target's own kernels and without, and compares.

usage: random_nets.py BIN_DIR FIRST LAST [--jobs=N] [--show]

Each seed from FIRST to LAST makes one net of what the schedule looks for and of
what it must leave alone: convolutions of all kinds (odd sizes, strides, dilations,
uneven pads, mirrored filters, channel counts around the block's size), chains of
elementwise functions with all broadcasts, pooling, channels that are
concatenated, shuffled and cut, gates by channel, values that are read twice, outputs that are read on, inputs that are
returned. What surplus channels hold must never reach a result, so there are
functions that make them infinite or NaN. Odd seeds run with 8 lanes, the others
with 16. Two or three threads, which share all that can be, must give the same
bits as one.

Values stay within a few units. Both schedules compute in f32 and add up in
another order: up to 33 * 25 products per sum and a dozen layers give differences
of a few 1e-6 of the largest magnitude, Winograd's algorithm ten times that; a
wrong element is far beyond RTOL. One net in five has 16-bit floats, which each
layer rounds: where the sums differ at all, one unit in the last place, 1e-3 or
8e-3, goes through the layers behind.

--show prints the nets instead of running them.
"""
import argparse
import concurrent.futures
import filecmp
import os
import random
import subprocess
import sys
import tempfile

import numpy

RTOL, WINOGRAD_RTOL = 1e-5, 5e-5
ELEMENT_RTOL = {"f16": 5e-3, "bf16": 4e-2}
ACTIVATIONS = ["relu", "sigmoid", "h_swish", "tanh", "relu6", "silu", "h_sigmoid"]
UNARY = ACTIVATIONS + ["neg", "abs", "erf", "sin", "square"]
CHANNELS = [1, 3, 5, 8, 16, 17, 20, 33]
# Whole blocks, halves of blocks, an odd number of blocks, one channel too many.
POINTWISE_CHANNELS = [128, 160, 192, 256, 250, 144, 161]


def output_size(size, kernel, stride, dilation, before, after):
    return (size + before + after - ((kernel - 1) * dilation + 1)) // stride + 1


class Net:
    def __init__(self, seed):
        # Some nets have what Winograd's algorithm is chosen for: many channels.
        self.wide = seed % 5 == 4
        # Some of these have what Strassen's is for: 1x1 windows.
        self.pointwise = seed % 15 == 4
        self.element = {6: "f16", 7: "bf16", 11: "f16", 12: "bf16"}.get(seed % 20, "f32")
        self.rng = random.Random(seed)
        self.numpy = numpy.random.RandomState(seed)
        self.lines, self.shapes, self.inputs = [], {}, []

    def type(self, shape):
        return "tensor<%s%s>" % ("".join(f"{d}x" for d in shape), self.element)

    def encode(self, data):
        if self.element == "f16":
            return data.astype("<f2").tobytes()
        data = data.astype("<f4")
        # The upper half of an f32 number is a bf16 one.
        return (data.view("<u4") >> 16).astype("<u2").tobytes() if self.element == "bf16" else data.tobytes()

    def emit(self, op, operands, shape, attrs="", form=None):
        result = f"%{len(self.lines)}"
        self.shapes[result] = tuple(shape)
        types = ", ".join(self.type(self.shapes[v]) for v in operands)
        text = form % tuple(operands) if form else ", ".join(operands)
        self.lines.append(f"  {result} = nn.{op} {text} {{{attrs}}} : ({types}) -> {self.type(shape)}")
        return result

    def constant(self, shape, low, high):
        result = f"%{len(self.lines)}"
        self.shapes[result] = tuple(shape)
        data = self.encode(self.numpy.uniform(low, high, shape)).hex().upper()
        self.lines.append(f'  {result} = nn.constant dense<"0x{data}"> : {self.type(shape)} : {self.type(shape)}')
        return result

    def number(self, value):
        result = f"%{len(self.lines)}"
        shape = self.rng.choice([(1,), (1, 1, 1, 1)])
        self.shapes[result] = shape
        self.lines.append(f"  {result} = nn.constant dense<{value:e}> : {self.type(shape)} : {self.type(shape)}")
        return result

    def images(self, shape):
        """Values of this shape that are computed or inputs."""
        constants = {line.split()[0] for line in self.lines if "nn.constant" in line}
        return [v for v, s in self.shapes.items() if s == tuple(shape) and v not in constants]

    # -- pieces: each takes an image and returns one ----------------------------

    def pads(self, limit):
        if self.rng.random() < 0.3:
            return [self.rng.randint(0, limit) for _ in range(4)]
        return [p for p in (self.rng.randint(0, limit) for _ in range(2)) for _ in range(2)]

    def window(self, x, kernels, dilations, limit):
        """(kernel, strides, dilations, attribute text, result's rows and columns)"""
        (_, _, h, w) = self.shapes[x]
        while True:
            kernel = self.rng.choice(kernels)
            strides = [self.rng.choice([1, 1, 1, 2, 3])] * 2
            if self.rng.random() < 0.1:
                strides = [1, 2]
            dilation = [self.rng.choice(dilations)] * 2
            pads = self.pads(min(limit, min(kernel)))
            out = [
                output_size(size, kernel[i], strides[i], dilation[i], pads[2 * i], pads[2 * i + 1])
                for i, size in enumerate((h, w))
            ]
            if min(out) > 0 and all(size + pads[2 * i] + pads[2 * i + 1] >= (kernel[i] - 1) * dilation[i] + 1
                                    for i, size in enumerate((h, w))):
                break
        short = pads[0] == pads[1] and pads[2] == pads[3] and self.rng.random() < 0.7
        text = "strides = array<i64: %d, %d>, pads = array<i64: %s>" % (
            *strides, ", ".join(map(str, pads[::2] if short else pads)))
        return kernel, dilation, text, out

    def activation(self):
        if self.rng.random() < 0.5:
            return ""
        return ", activation = #nn.activation<%s>" % self.rng.choice(ACTIVATIONS)

    def conv(self, x):
        (n, c, _, _) = self.shapes[x]
        kernels = [(1, 1), (1, 1), (3, 3), (3, 3), (3, 3), (5, 5), (1, 3), (3, 2)] + ([(7, 7)] if c <= 5 else [])
        kernel, dilation, attrs, out = self.window(x, kernels, [1, 1, 1, 2], 3)
        groups = self.rng.choice([1, 1, 1, c] + [g for g in (2, 4, 5) if c % g == 0])
        oc = groups if groups == c else groups * self.rng.randint(1, 3)
        if groups == 1:
            oc = self.rng.choice(CHANNELS)
        elif groups == c and self.rng.random() < 0.2:
            oc = 2 * c
        bound = (3.0 / (c // groups * kernel[0] * kernel[1])) ** 0.5
        attrs += ", dilations = array<i64: %d, %d>" % tuple(dilation) + self.activation()
        shape = (oc, c // groups, *kernel)
        if groups > 1:
            attrs += f", groups = {groups} : i64"
            if self.rng.random() < 0.5:
                attrs += ", group_filter"
                shape = (groups, oc // groups, c // groups, *kernel)
        if self.rng.random() < 0.2:
            attrs += ", flip_filter"
        operands, form = [x, self.constant(shape, -bound, bound)], "%s, %s"
        result = (n, oc, *out)
        if self.rng.random() < 0.6:
            operands.append(self.constant((1, oc, 1, 1), -0.5, 0.5))
            form += " bias %s"
        others = self.images(result)
        if others and self.rng.random() < 0.6:
            operands.append(self.rng.choice(others))
            form += " residual %s"
        return self.emit("conv2d", operands, result, attrs, form)

    def same(self, x, keep=False):
        """A convolution that keeps the shape, so that residuals fit."""
        (n, c, h, w) = self.shapes[x]
        k = 1 if self.pointwise else 3 if self.wide else self.rng.choice([1, 3])
        # Those of 1x1 windows may have other channels than their input.
        oc = self.rng.choice([c, self.rng.choice(POINTWISE_CHANNELS)]) if self.pointwise and not keep else c
        weights = self.constant((oc, c, k, k), *(s * (3.0 / (c * k * k)) ** 0.5 for s in (-1, 1)))
        attrs = "strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pads = array<i64: %d, %d>" % (k // 2, k // 2)
        operands, form = [x, weights], "%s, %s"
        if self.rng.random() < 0.5:
            others = self.images((n, oc, h, w))
            if others:
                operands.append(self.rng.choice(others))
                form += " residual %s"
        return self.emit("conv2d", operands, (n, oc, h, w), attrs + self.activation(), form)

    def unary(self, x):
        return self.emit(self.rng.choice(UNARY), [x], self.shapes[x])

    def binary(self, x):
        (n, c, h, w) = self.shapes[x]
        kind = self.rng.randrange(7)
        name = self.rng.choice(["add", "sub", "mul", "maximum", "minimum"])
        if kind == 0:
            other = self.number(self.rng.choice([0.5, 2, -1.25, 0]))
        elif kind == 1:
            # 0 / 0 in surplus channels.
            name, other = "div", self.constant(self.rng.choice([(1, c, 1, 1), (c, 1, 1)]), 0.6, 1.5)
        elif kind == 2:
            shapes = [(1, c, 1, 1), (c, 1, 1), (n, c, h, w), (1, c, h, w), (w,), (1, 1, h, w), (n, c, 1, 1), (n, 1, 1, 1)]
            other = self.constant(self.rng.choice(shapes), -1, 1)
        elif kind == 3:
            other = x
        else:
            shapes = [(n, c, h, w), (n, c, 1, 1), (1, c, h, w), (n, 1, h, w), (1, c, 1, 1)]
            other = self.rng.choice([v for shape in shapes for v in self.images(shape)])
        operands = [x, other] if name == "div" or self.rng.random() < 0.6 else [other, x]
        attrs = self.activation()[2:] if name == "add" else ""
        return self.emit(name, operands, (n, c, h, w), attrs)

    def surplus(self, x):
        """What is infinite or NaN where x is 0, as it is in surplus channels."""
        shape = self.shapes[x]
        shift = self.constant((1, shape[1], 1, 1), 1.5, 2.5)
        positive = self.emit("add", [self.emit("abs", [x], shape), shift], shape)
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.emit("log", [positive], shape)
        if kind == 1:
            return self.emit("div", [self.number(1), positive], shape)
        return self.emit("div", [x, positive], shape)

    def pool(self, x):
        (n, c, h, w) = self.shapes[x]
        if self.rng.random() < 0.2:     # of the whole image
            kernel, attrs, out = (h, w), "strides = array<i64: 1, 1>, pads = array<i64: 0, 0>", (1, 1)
        else:
            kernels = [k for k in ((2, 2), (3, 3), (3, 3), (5, 5), (2, 3)) if k[0] <= h and k[1] <= w]
            if not kernels:
                return x
            # A window wholly inside of the padding has no value.
            kernel, _, attrs, out = self.window(x, kernels, [1], min(min(kernel) for kernel in kernels) - 1)
        attrs += ", kernel = array<i64: %d, %d>" % tuple(kernel)
        name = self.rng.choice(["max_pool2d", "avg_pool2d"])
        if name == "avg_pool2d" and self.rng.random() < 0.5:
            attrs += ", count_include_pad"
        return self.emit(name, [x], (n, c, *out), attrs)

    def concat(self, x):
        (n, c, h, w) = self.shapes[x]
        parts = [v for v, s in self.shapes.items() if len(s) == 4 and (s[0], *s[2:]) == (n, h, w)]
        parts = [x] + [self.rng.choice(parts) for _ in range(self.rng.randint(1, 2))]
        self.rng.shuffle(parts)
        channels = sum(self.shapes[v][1] for v in parts)
        if channels > 70:
            return x
        return self.emit("concat", parts, (n, channels, h, w), "axis = %d : i64" % self.rng.choice([1, -3]))

    def part(self, x):
        """Some of the channels, from any to any, or all of them shuffled in groups."""
        (n, c, h, w) = self.shapes[x]
        groups = [g for g in (2, 3, 4, 5, 8) if c % g == 0]
        if groups and self.rng.random() < 0.5:
            g = self.rng.choice(groups)
            y = self.reshape(x, (n, g, c // g, h, w))
            y = self.emit("transpose", [y], (n, c // g, g, h, w), "permutation = array<i64: 0, 2, 1, 3, 4>")
            return self.reshape(y, (n, c, h, w))
        first = self.rng.randrange(c)
        last, step = self.rng.randint(first + 1, c), self.rng.choice([1, 1, 1, 2, 3])
        bounds = [self.integers([v]) for v in (first, last, step)]
        result, shape = f"%{len(self.lines)}", (n, -((first - last) // step), h, w)
        self.shapes[result] = shape
        flags = ", ".join(f"has_{k} = array<i1: {v}>" for k, v in
                          (("begin", "true"), ("end", "true"), ("step", "true"), ("index", "false")))
        self.lines.append(f"  {result} = nn.slice {x}[{', '.join(bounds)}] {{axes = array<i64: 1>, {flags}}} : "
                          f"({self.type((n, c, h, w))}, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> {self.type(shape)}")
        return result

    def integers(self, values):
        result = f"%{len(self.lines)}"
        self.shapes[result] = ()
        self.lines.append(f"  {result} = nn.constant dense<{list(values)}> : tensor<{len(values)}xi32> : tensor<{len(values)}xi32>")
        return result

    def reshape(self, x, shape):
        to = self.integers(shape)
        result = f"%{len(self.lines)}"
        self.shapes[result] = tuple(shape)
        self.lines.append(f"  {result} = nn.reshape {x}, {to} : ({self.type(self.shapes[x])}, tensor<{len(shape)}xi32>) -> {self.type(shape)}")
        return result

    def gate(self, x):
        """Channels scaled by a function of their means, which is read on, too."""
        (n, c, h, w) = self.shapes[x]
        mean = self.emit("avg_pool2d", [x], (n, c, 1, 1),
                         "kernel = array<i64: %d, %d>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>" % (h, w))
        if self.rng.random() < 0.5:
            mean = self.same(mean, keep=True)
        if self.rng.random() < 0.7:
            mean = self.emit("sigmoid", [mean], (n, c, 1, 1))
        return self.emit("mul", [x, mean], (n, c, h, w))

    def head(self, x):
        """A classifier: a matrix product with bias and activation."""
        (n, c, h, w) = self.shapes[x]
        size, classes = c * h * w, self.rng.choice([1, 10, 16, 37])
        if size * classes > 50000:
            return x
        shape = f"%{len(self.lines)}"
        self.shapes[shape] = (2,)
        self.lines.append(f"  {shape} = nn.constant dense<[{n}, {size}]> : tensor<2xi32> : tensor<2xi32>")
        flat = f"%{len(self.lines)}"
        self.shapes[flat] = (n, size)
        self.lines.append(
            f"  {flat} = nn.reshape {x}, {shape} : ({self.type(self.shapes[x])}, tensor<2xi32>) -> {self.type((n, size))}")
        weights = self.constant((size, classes), *(s * (3.0 / size) ** 0.5 for s in (-1, 1)))
        y = self.emit("matmul", [flat, weights], (n, classes))
        y = self.emit("add", [y, self.constant(self.rng.choice([(classes,), (1, classes)]), -1, 1)], (n, classes))
        return self.emit(self.rng.choice(ACTIVATIONS), [y], (n, classes))

    def build(self):
        for i in range(self.rng.choice([1, 1, 2])):
            n, c = self.rng.choice([1, 1, 2]), self.rng.choice(
                POINTWISE_CHANNELS if self.pointwise else [48, 50] if self.wide else CHANNELS)
            rows, columns = ([12, 15], [13, 16]) if self.wide and not self.pointwise else (
                ([10, 12, 11], [10, 11, 14]) if self.pointwise else ([1, 4, 7, 9, 13], [1, 5, 7, 14, 15, 17]))
            self.shapes[f"%in{i}"] = (n, c, self.rng.choice(rows), self.rng.choice(columns))
            self.inputs.append(f"%in{i}")
        pieces = [self.conv] * 7 + [self.same] * 3 + [self.unary] * 2 + [self.binary] * 5 + [self.pool] * 2
        pieces += [self.concat, self.concat, self.part, self.part, self.gate, self.surplus]
        if self.wide:
            pieces = [self.same] * 4 + [self.unary, self.binary, self.surplus, self.gate]
        x, outputs = self.inputs[0], []
        for _ in range(self.rng.randint(2, 4) if self.wide else self.rng.randint(3, 9)):
            x = self.rng.choice(pieces)(x)
            if self.rng.random() < 0.15:
                outputs.append(x)
            if self.rng.random() < 0.15:
                x = self.rng.choice([v for s in self.shapes.values() if len(s) == 4 for v in self.images(s)])
        outputs.append(self.head(x) if self.rng.random() < 0.2 else x)
        if self.rng.random() < 0.1:
            outputs.append(self.rng.choice(self.inputs + outputs))
        return outputs

    def text(self):
        outputs = self.build()
        arguments = ", ".join(
            f'{v}: {self.type(self.shapes[v])} {{nn.name = "in{k}"}}' for k, v in enumerate(self.inputs))
        results = ", ".join(
            f'{self.type(self.shapes[v])} {{nn.name = "out{k}"}}' for k, v in enumerate(outputs))
        types = ", ".join(self.type(self.shapes[v]) for v in outputs)
        return "func.func @main(%s) -> (%s) {\n%s\n  return %s : %s\n}\n" % (
            arguments, results, "\n".join(self.lines), ", ".join(outputs), types)


def check(model_run, seed, folder):
    """None, or what is wrong."""
    path = os.path.join(folder, f"{seed}.mlir")
    expected = os.path.join(folder, str(seed))
    net = Net(seed)
    with open(path, "w", encoding="utf-8") as f:
        f.write(net.text())
    rtol = ELEMENT_RTOL.get(net.element, WINOGRAD_RTOL if net.wide else RTOL)
    lanes = 8 if seed % 2 else 16
    threads = 2 + seed // 2 % 2
    alone, shared = (os.path.join(folder, f"{seed}.{count}") for count in (1, threads))
    # The loops of linalg are the reference: without LLVM's passes, sooner compiled.
    for options in (
        ["--schedule=plain", "--opt-level=0", f"--output-dir={expected}"],
        ["--schedule=full", f"--lanes={lanes}", f"--compare={expected}", f"--rtol={rtol}", f"--output-dir={alone}"],
        ["--schedule=full", f"--lanes={lanes}", f"--threads={threads}", "--shared-cost=1", f"--output-dir={shared}"],
    ):
        command = [model_run, path, f"--seed={seed}", *options]
        result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120)
        if result.returncode:
            return f"{' '.join(options[:2])}: exit code {result.returncode}\n{result.stdout}{result.stderr[:500]}"
    _, different, missing = filecmp.cmpfiles(alone, shared, os.listdir(alone), shallow=False)
    if different or missing:
        return f"{threads} threads give other bits: {', '.join(sorted(different + missing))}"
    return None


def main(net_class, check):
    """The exit code. `check(model_run, seed, folder)` says what is wrong with the net of a seed, if anything is."""
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    seeds = range(args.first, args.last + 1)
    if args.show:
        print("".join(net_class(seed).text() for seed in seeds), end="")
        return 0
    model_run = os.path.join(args.bin_dir, "model-run")
    failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for seed, wrong in zip(seeds, pool.map(lambda seed: check(model_run, seed, folder), seeds)):
            if wrong:
                failed += 1
                print(f"seed {seed}: {wrong}", flush=True)
    print(f"{len(seeds) - failed} of {len(seeds)} nets agree")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Net, check))
