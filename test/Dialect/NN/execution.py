#!/usr/bin/env python3
"""Executes ops of which the corpus has no file, and compares with known values.

usage: execution.py BIN_DIR ORACLE_DIR

Each case goes through the exporter to a model file, which the oracle runs; what
GE models can say goes through one of them as well and must give the same. The
expected values are written down, or come from another formula than the
oracle's.
"""
import math
import os
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True

F, I = np.float32, np.int32


def f(*values):
    return np.array(values, F)


def i(*values):
    return np.array(values, I)


def each(function, array):
    return np.vectorize(function)(array.astype("f8")).astype(F)


def type_of(array):
    names = {"float32": "f32", "int32": "i32", "int16": "i16", "int8": "i8", "bool": "i1"}
    return "tensor<%sx%s>" % ("x".join(map(str, array.shape)), names[array.dtype.name])


X = f(0.1, 0.3, 0.5, 0.9)
WAVE = f(-2.5, -0.75, 0.5, 2.25)
SQUARE = np.arange(12, dtype=F).reshape(3, 4)
NO_BOUNDS = "has_begin = array<i1: false>, has_end = array<i1: false>, has_step = array<i1: false>"

# op, attributes, inputs, results; `{}` in the op stands for the operands.
CASES = [
    ("sqrt {}", "", [X], [each(math.sqrt, X)]),
    ("square {}", "", [WAVE], [f(6.25, 0.5625, 0.25, 5.0625)]),
    ("tan {}", "", [X], [each(math.tan, X)]),
    ("floor {}", "", [WAVE], [f(-3, -1, 0, 2)]),
    ("erfc {}", "", [WAVE], [each(math.erfc, WAVE)]),
    ("erf_inv {}", "", [each(math.erf, X)], [X]),
    ("log_sigmoid {}", "", [WAVE], [each(lambda v: math.log(1 / (1 + math.exp(-v))), WAVE)]),
    ("tanh_grad {}", "", [X, WAVE], [((1 - X * X) * WAVE).astype(F)]),
    ("asinh_grad {}", "", [WAVE, X], [(X / np.hypot(WAVE, 1)).astype(F)]),
    ("atanh_grad {}", "", [X, WAVE], [(WAVE / ((1 - X) * (1 + X))).astype(F)]),
    ("mod {}", "", [i(7, -7, 7, -7), i(3, 3, -3, -3)], [i(1, 2, -2, -1)]),
    ("fma2 {}", "", [f(1, 2), f(3, 4), f(5, 6), f(7, 8)], [f(38, 56)]),
    ("logical_and {}", "", [np.array([True, True, False]), np.array([True, False, False])], [np.array([True, False, False])]),
    ("logical_xor {}", "", [np.array([True, True, False]), np.array([True, False, False])], [np.array([False, True, False])]),
    ("is_nan {}", "out_type = i1", [f(1, math.nan, math.inf)], [np.array([False, True, False])]),
    ("argmax {}", "axis = 1 : i64", [np.array([[3, 9, 9, 1], [4, 2, 4, 0]], F)], [i([1], [0])]),
    ("index_one_hot {}", "axis = 1 : i64", [SQUARE, i(3, 0, 2)], [f([3], [4], [10])]),
    ("matrix_inverse {}", "", [f([4, 7], [2, 6])], [f([0.6, -0.7], [-0.2, 0.4])]),
    ("mask_propagate {}", "kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>",
     [i([0, 0, 0], [0, 0, 5], [0, 0, 0])], [i([0, 1], [0, 1])]),
    # Overlapping 2x2 windows of ones: how many windows cover each place.
    ("col2im {}", "kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>, output_size = array<i64: 3, 3>",
     [np.ones((1, 1, 2, 2, 2, 2), F)], [f([1, 2, 1], [2, 4, 2], [1, 2, 1]).reshape(1, 1, 3, 3)]),
    # No displacement: the mean over channels of the product.
    ("correlation {}", "kernel_size = 1 : i64, max_displacement = 0 : i64, stride1 = 1 : i64, stride2 = 1 : i64, pad = 0 : i64, multiply = true",
     [f(1, 2, 3, 4).reshape(1, 2, 1, 2), f(5, 6, 7, 8).reshape(1, 2, 1, 2)], [f(13, 22).reshape(1, 1, 1, 2)]),
    ("fake_quant {}", "qmin = -8 : i32, qmax = 7 : i32", [f(0.24, 0.26, -0.75, 9), f(0.5), f(0)], [f(0, 0.5, -1, 3.5)]),
    # Halves of the channels differ by their mean only.
    ("instance_norm {}", "epsilon = 0.0 : f32", [f(1, 3, 10, 14).reshape(1, 2, 1, 2)],
     [f(-1, 1, -1, 1).reshape(1, 2, 1, 2), f([2, 12]), f([1, 0.5])]),
    # 3x3 ones, 2x2 windows that stand over at the right and at the bottom.
    ("avg_pool2d {}", "kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>",
     [np.ones((1, 1, 3, 3), F)], [np.ones((1, 1, 2, 2), F)]),
    ("avg_pool2d {}", "count_include_pad, kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 1, 0, 1>",
     [np.ones((1, 1, 3, 3), F)], [f([1, 0.5], [0.5, 0.25]).reshape(1, 1, 2, 2)]),
    ("max_pool2d {}", "kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 0, 0, 1>",
     [-np.arange(1, 10, dtype=F).reshape(1, 1, 3, 3)], [f([-1, -3], [-4, -6]).reshape(1, 1, 2, 2)]),
    # Ones above the diagonal of a 3x3 image whose left and top are padded twice.
    ("conv2d {}", "strides = array<i64: 1, 1>, pads = array<i64: 2, 0, 2, 0>, dilations = array<i64: 1, 1>",
     [np.ones((1, 1, 3, 3), F), np.ones((1, 1, 3, 3), F)], [f([1, 2, 3], [2, 4, 6], [3, 6, 9]).reshape(1, 1, 3, 3)]),
    ("conv2d {}", "groups = 2 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1, 1>",
     [f(1, 2, 3, 4).reshape(1, 4, 1, 1), f([1, 1], [1, -1]).reshape(2, 2, 1, 1)], [f(3, -1).reshape(1, 2, 1, 1)]),
    ("fma {}", "", [f(1, 2), f(3, 4), f(5, 6)], [f(8, 14)]),
    ("dot {}", "", [f(1, 2, 3), f(4, 5, 6)], [f(32)]),
    ("fast_tanh {}", "", [WAVE], [each(lambda v: v * (27 + v * v) / (27 + 9 * v * v), WAVE)]),
    ("h_sigmoid {}", "", [f(-4, -1.5, 0, 6)], [f(0, 0.25, 0.5, 1)]),
    ("argmin {}", "axis = 1 : i64", [np.array([[3, 9, 1, 1], [0, 2, 4, 0]], F)], [i([2], [0])]),
    ("flip {}", "vertical", [np.arange(12, dtype=F).reshape(1, 2, 2, 3)], [np.arange(12, dtype=F).reshape(1, 2, 2, 3)[:, ::-1]]),
    ("transpose {}", "permutation = array<i64: 1, -1, 0>", [SQUARE], [SQUARE.T.reshape(4, 1, 3)]),
    ("reduce_sum_sqr {}", "axis = -1 : i64", [f([1, 2, 3], [4, 5, 6])], [f([14], [77])]),
    # Two groups: means 2 and 12, deviations 1 and 2.
    ("group_norm {}", "groups = 2 : i64, epsilon = 0.0 : f32", [f(1, 3, 10, 14).reshape(1, 4, 1, 1)],
     [f(-1, 1, -1, 1).reshape(1, 4, 1, 1), None, None]),
    ("general_norm {}", "axis_begin = 1 : i64, axis_end = 2 : i64, epsilon = 0.0 : f32", [f([1, 10], [3, 14]).reshape(1, 2, 2)],
     [f([-1, -1], [1, 1]).reshape(1, 2, 2), None, None]),
    ("cond_logical {}", "mode = #nn.cond_logical_mode<xnor>", [i(1), i(1)], [i(1)]),
    ("slice_update %a0[%a2] = %a1", "axes = array<i64: 1>, has_begin = array<i1: true>, has_end = array<i1: false>, has_step = array<i1: false>, has_index = array<i1: false>",
     [SQUARE, f(-1), i(2)], [f([0, 1, -1, -1], [4, 5, -1, -1], [8, 9, -1, -1])]),
    ("mesh_index_put %a0[%a2] = %a1", f"axes = array<i64: 0>, {NO_BOUNDS}, has_index = array<i1: true>",
     [SQUARE, f([-1] * 4, [-2] * 4), i(2, 0)], [f([-2] * 4, [4, 5, 6, 7], [-1] * 4)]),
    ("nms {}", "iou_threshold = 0.5 : f32, max_output = 3 : i64",
     [f([0, 0, 2, 2], [0, 0, 2, 2.1], [5, 5, 6, 6]).reshape(1, 3, 4)], [i([0, 2, 2]), i(2)]),
    # i8(min(max(round(((a + b) * m * 2 / 2^16) / 2^1)))): (3 + 5)*2^14 gives 4, halved 2.
    ("add_requantize {}", "", [np.array([3, 300], np.int16), np.array([5, 100], np.int16), np.array([16384], np.int16),
                              np.array([1], np.int8), np.array([-100], np.int8), np.array([90], np.int8)], [np.array([2, 90], np.int8)]),
]


def lstm_cell():
    """One step with weights that make every gate a function of the bias only."""
    batch, size = 1, 2
    bias = np.repeat(f(0.5, -0.25, 0.75, 1.5), size)  # Gates i, f, g, o.
    x, h, c = np.ones((batch, 3), F), np.ones((batch, size), F), f([2, -1])
    zeros = lambda n: np.zeros((4 * size, n), F)
    sigmoid = lambda v: 1 / (1 + math.exp(-v))
    cell = sigmoid(-0.25) * c + sigmoid(0.5) * math.tanh(0.75)
    hidden = sigmoid(1.5) * np.tanh(cell)
    inputs = [x, zeros(3), bias, h, zeros(size), np.zeros_like(bias), c]
    return "lstm_cell ({})", "", inputs, [hidden.astype(F), cell.astype(F), None]


CASES.append(lstm_cell())

# Whole bodies, for ops whose operands must be constants.
BODIES = [
    ("linspace", """
  %n = nn.constant dense<5> : tensor<1xi32> : tensor<1xi32>
  %r0 = nn.linspace %a0, %a1, %n {endpoint = true} : (tensor<1xf32>, tensor<1xf32>, tensor<1xi32>) -> tensor<5xf32>""",
     [f(1), f(3)], [f(1, 1.5, 2, 2.5, 3)]),
    ("eye", """
  %n = nn.constant dense<[2, 3]> : tensor<2xi32> : tensor<2xi32>
  %e = nn.eye %n {diagonal = 1 : i64, element_type = f32} : (tensor<2xi32>) -> tensor<2x3xf32>
  %r0 = nn.add %e, %a0 : (tensor<2x3xf32>, tensor<1xf32>) -> tensor<2x3xf32>""", [f(2)], [f([2, 3, 2], [2, 2, 3])]),
]


def op_names():
    return {case[0].split()[0] for case in CASES} | {body[0] for body in BODIES}


def make_module(op, attributes, inputs, outputs):
    name = op.split()[0]
    operands = ", ".join(f"%a{k}" for k in range(len(inputs)))
    types = [type_of(a) for a in outputs]
    text = op.format(operands)
    return name, f"""
  %r:{len(outputs)} = nn.{text} {{{attributes}}} : ({", ".join(map(type_of, inputs))}) -> ({", ".join(types)})""", [f"%r#{k}" for k in range(len(outputs))]


class Refused(Exception):
    """A GE model cannot say it."""


def execute(bin_dir, folder, body, inputs, results, types, through_ge):
    import interp
    import mgbfile
    from values import from_npy
    arguments = ", ".join(f'%a{k}: {type_of(a)} {{nn.name = "a{k}"}}' for k, a in enumerate(inputs))
    source, model = os.path.join(folder, "x.mlir"), os.path.join(folder, "x.mge")
    with open(source, "w") as out:
        out.write(f"func.func @main({arguments}) -> ({', '.join(types)}) {{{body}\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")

    def translate(path, to):
        return subprocess.run([os.path.join(bin_dir, "model-translate"), path, "-o", to], capture_output=True, text=True)

    if through_ge:
        middle = os.path.join(folder, "x.pb")
        run = translate(source, middle)
        if run.returncode == 1 and "has no GE spelling" in run.stderr:
            raise Refused
        if run.returncode:
            raise RuntimeError(run.stderr)
        source = middle
    run = translate(source, model)
    if run.returncode:
        raise RuntimeError(run.stderr)
    graph, _ = mgbfile.read_file(model)
    feeds = {t.name: from_npy(inputs[int(t.name[1:])], t.dtype, t.shape) for t in graph.inputs()}
    outputs, failures = interp.run(graph, feeds)
    if failures:
        raise RuntimeError(str(failures))
    return [value.a for value in outputs]


def difference(got, want):
    if got.shape != want.shape:
        return f"shape {got.shape}, expected {want.shape}"
    if want.dtype.kind == "f":
        good = np.allclose(got.astype("f8"), want.astype("f8"), rtol=1e-5, atol=1e-6)
    else:
        good = (got == want).all()
    return None if good else f"{got.tolist()}, expected {want.tolist()}"


def main():
    bin_dir, oracle = sys.argv[1:3]
    sys.path.insert(0, oracle)
    failed, seen, seen_ge = 0, set(), set()
    with tempfile.TemporaryDirectory() as folder:
        runs = []
        for op, attributes, inputs, wants in CASES:
            # Results that are not compared: the gates of nn.lstm_cell, moments of norms.
            unread = {"lstm_cell": (1, 8), "group_norm": (1, 2), "general_norm": (1, 2)}.get(op.split()[0])
            shown = [w if w is not None else np.zeros(unread, F) for w in wants]
            name, body, results = make_module(op, attributes, inputs, shown)
            runs.append((name, body, inputs, results, [type_of(w) for w in shown], wants))
        runs += [(name, body, inputs, ["%r0"], [type_of(w) for w in wants], wants) for name, body, inputs, wants in BODIES]
        for name, body, inputs, results, types, wants in runs:
            seen.add(name)
            for through_ge in (False, True):
                compared = [k for k, w in enumerate(wants) if w is not None]
                # What nobody reads may be left out.
                kept = compared if through_ge else range(len(wants))
                try:
                    outputs = execute(bin_dir, folder, body, inputs, [results[k] for k in kept], [types[k] for k in kept], through_ge)
                    outputs = dict(zip(kept, outputs, strict=True))
                    faults = [difference(outputs[k], wants[k]) for k in compared]
                    if through_ge:
                        seen_ge.add(name)
                except Refused:
                    faults = []
                except Exception as fault:
                    faults = [f"{type(fault).__name__}: {fault}"]
                for fault in filter(None, faults):
                    failed += 1
                    print(f"FAIL nn.{name}{' through GE' if through_ge else ''}: {fault}")
    print(f"{len(seen)} ops, {len(seen_ge)} of them through GE models as well, {failed} failed")
    # As many as there were when this was written; more is better.
    return 1 if failed or len(seen_ge) < 24 else 0


if __name__ == "__main__":
    sys.exit(main())
