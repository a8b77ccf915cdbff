#!/usr/bin/env python3
"""The errors of the transcendental functions of the full schedule, in units in
the last place, against double precision rounded to f32.

usage: ulp.py BIN_DIR

For each function: 65536 numbers, evenly over the range or (where it is given by
exponents) over magnitudes of both signs. Fails if an error is above the bound in
BOUNDS, which relax-float-math's description states.
"""
import math
import os
import subprocess
import sys
import tempfile

import numpy

COUNT = 65536
# nn op: (reference, range, bound in ulp)
BOUNDS = {
    "exp": (math.exp, (-87.0, 88.0), 1),
    "expm1": (math.expm1, (-87.0, 88.0), 3),
    "log": (math.log, (1e-37, 1e37), 1),
    "log1p": (math.log1p, (-0.999, 1e4), 2),
    "tanh": (math.tanh, (-9.0, 9.0), 5),
    "erf": (math.erf, (-4.0, 4.0), 5),
}


def numbers(low, high):
    if low > 0:
        return numpy.geomspace(low, high, COUNT, dtype="f8").astype("f4")
    # A half evenly, a half by magnitudes down to 1e-6.
    even = numpy.linspace(low, high, COUNT // 2)
    small = numpy.geomspace(1e-6, min(-low, high), COUNT // 4)
    return numpy.concatenate([even, small, -small]).astype("f4")


def main():
    bin_dir = sys.argv[1]
    wrong = 0
    for name, (reference, (low, high), bound) in BOUNDS.items():
        x = numbers(low, high)
        with tempfile.TemporaryDirectory() as tmp:
            model, path, out = (os.path.join(tmp, file) for file in ("net.mlir", "x.npy", "out"))
            with open(model, "w") as f:
                kind = f"tensor<{x.size}xf32>"
                f.write(
                    f'func.func @main(%x: {kind} {{nn.name = "x"}}) -> {kind} {{\n'
                    f"  %0 = nn.{name} %x : ({kind}) -> {kind}\n  return %0 : {kind}\n}}\n"
                )
            numpy.save(path, x)
            subprocess.run(
                [os.path.join(bin_dir, "model-run"), model, f"--input=x={path}", f"--output-dir={out}"], check=True
            )
            actual = numpy.load(os.path.join(out, "0.npy"))
        exact = numpy.array([reference(float(v)) for v in x])
        error = abs(actual.astype("f8") - exact) / numpy.spacing(abs(exact).astype("f4"))
        worst = error.argmax()
        print(f"{name}: {error[worst]:.2f} ulp at {x[worst]:.9g}, bound {bound}")
        # A NaN is no small error.
        wrong += not error.max() <= bound
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
