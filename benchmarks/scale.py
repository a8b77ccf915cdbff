#!/usr/bin/env python3
"""Measures import, -O1 and export on generated large models.

usage: scale.py BIN_DIR [--big] [--dir=DIR]

Chains of 20 000, 40 000 and 100 000 elementwise oprs and of 10 000 convolutions
are made, then each goes through `model-opt -O1 in.mge -o out.mge`. Prints wall
time, peak resident memory and, for 40k / 20k, the ratio of the two times
(best of three runs each, alternately). --big adds a 1 GB model, whose weights
must stay in the mapping.
"""
import os
import subprocess
import sys
import tempfile
import time


def elementwise_chain(n):
    yield 'func.func @main(%arg0: tensor<4x8xf32> {nn.name = "x"}) -> tensor<4x8xf32> {\n'
    ops = ("relu", "sigmoid", "tanh", "exp", "abs")
    last = "%arg0"
    for i in range(n):
        op = ops[i % len(ops)]
        yield f"  %{i} = nn.{op} {last} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n"
        last = f"%{i}"
    yield f"  return {last} : tensor<4x8xf32>\n}}\n"


def conv_chain(n):
    t = "tensor<1x4x8x8xf32>"
    yield f'func.func @main(%arg0: {t} {{nn.name = "x"}}) -> {t} {{\n'
    last = "%arg0"
    for i in range(n):
        yield f"  %w{i} = nn.constant dense<{0.001 * (i % 7 + 1):e}> : tensor<4x4x3x3xf32> : tensor<4x4x3x3xf32>\n"
        yield f"  %b{i} = nn.constant dense<{0.01 * (i % 5):e}> : tensor<1x4x1x1xf32> : tensor<1x4x1x1xf32>\n"
        yield (
            f"  %c{i} = nn.conv2d {last}, %w{i} {{strides = array<i64: 1, 1>, pads = array<i64: 1, 1>, "
            f"dilations = array<i64: 1, 1>}} : ({t}, tensor<4x4x3x3xf32>) -> {t}\n"
        )
        yield f"  %a{i} = nn.add %c{i}, %b{i} : ({t}, tensor<1x4x1x1xf32>) -> {t}\n"
        yield f"  %r{i} = nn.relu %a{i} : ({t}) -> {t}\n"
        last = f"%r{i}"
    yield f"  return {last} : {t}\n}}\n"


def big_model(n):
    t = "tensor<1x8xf32>"
    w = f"tensor<8x{1 << 22}xf32>"  # 128 MiB each
    yield f'func.func @main(%arg0: {t} {{nn.name = "x"}}) -> ('
    yield ", ".join([f"tensor<1x{1 << 22}xf32>"] * n) + ") {\n"
    for i in range(n):
        yield f"  %w{i} = nn.constant dense<{i + 1}.0> : {w} : {w}\n"
        yield f"  %r{i} = nn.matmul %arg0, %w{i} : ({t}, {w}) -> tensor<1x{1 << 22}xf32>\n"
    yield "  return " + ", ".join(f"%r{i}" for i in range(n)) + " : "
    yield ", ".join([f"tensor<1x{1 << 22}xf32>"] * n) + "\n}\n"


def make(bin_dir, directory, name, chunks):
    text, model = (os.path.join(directory, name + e) for e in (".mlir", ".mge"))
    with open(text, "w") as f:
        f.writelines(chunks)
    subprocess.run([os.path.join(bin_dir, "model-translate"), "--mlir-to-mgb", text, "-o", model], check=True)
    os.remove(text)
    return model


def measure(command):
    """Wall seconds and peak resident bytes (mapped pages included)."""
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return time.monotonic() - start, usage.ru_maxrss * 1024


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    base = next((a[6:] for a in sys.argv[1:] if a.startswith("--dir=")), None)
    bin_dir = args[0]
    opt = os.path.join(bin_dir, "model-opt")
    with tempfile.TemporaryDirectory(dir=base) as directory:
        out = os.path.join(directory, "out.mge")
        models = {
            "20k elementwise": make(bin_dir, directory, "e20k", elementwise_chain(20000)),
            "40k elementwise": make(bin_dir, directory, "e40k", elementwise_chain(40000)),
            "100k elementwise": make(bin_dir, directory, "e100k", elementwise_chain(100000)),
            "10k convolutions": make(bin_dir, directory, "c10k", conv_chain(10000)),
        }
        best = {}
        for _ in range(3):
            for name, model in models.items():
                result = measure([opt, "-O1", model, "-o", out])
                if name not in best or result[0] < best[name][0]:
                    best[name] = result
        for name, (seconds, memory) in best.items():
            print(f"{name:<20} {seconds:8.2f} s {memory / 1e6:10.0f} MB")
        print(f"40k / 20k ratio      {best['40k elementwise'][0] / best['20k elementwise'][0]:8.2f}")
        if "--big" in sys.argv:
            model = make(bin_dir, directory, "big", big_model(8))
            size = os.path.getsize(model)
            # The kernel counts touched pages of the mapped file as resident.
            for kind in ("mgbc", "mgv2"):
                seconds, memory = measure([opt, f"--emit={kind}", model, "-o", out])
                print(
                    f"1 GB to {kind:<12} {seconds:8.2f} s {memory / 1e6:10.0f} MB resident, "
                    f"{(memory - size) / 1e6:.0f} MB above the mapping of {size / 1e6:.0f} MB"
                )


if __name__ == "__main__":
    main()
