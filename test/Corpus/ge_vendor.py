#!/usr/bin/env python3
"""Compares GE models with the outputs that their vendor computed.

usage: ge_vendor.py BIN_DIR REAL_DIR ORACLE_DIR

Each model of REAL_DIR/ORIGIN.md's second table is converted to .mge, evaluated
by the numpy oracle on the vendor's input, and compared with the vendor's output:
what these files settle (the order of batch-norm constants, fused activations,
int8 filters, where resizes sample, the inputs of ConvTranspose) is right only if
the numbers are. Prints a line per model.
"""
import contextlib
import io
import os
import subprocess
import sys
import tempfile

import numpy as np


def read(path, dtype, shape):
    return np.fromfile(path, dtype).reshape(shape)


def read_aipp_input(path):
    """The image has more columns than the model takes."""
    return np.ascontiguousarray(read(path, "u1", (1, 1, 640, 384))[:, :, :, :360])


# Model, input, output, largest difference: relative to the largest value where
# the device computed in f32, absolute where it did in f16.
MODELS = (
    (
        "batchnorm.om",
        lambda d: read(d + "/batchnorm_input_0_1x1x28x28_FLOAT.bin", "<f4", (1, 1, 28, 28)),
        "batchnorm_output_0_1x1x28x28_FLOAT.bin",
        1e-6,
    ),
    (
        "quant8_8_notrain_opt_model.om",
        lambda d: read(d + "/quant8_8_notrain_opt_model_input_fp32.bin", "<f4", (1, 3, 224, 224)),
        "quant8_8_notrain_opt_model_output_expect.bin",
        4e-5,
    ),
    (
        "aipp.om",
        lambda d: read_aipp_input(d + "/aipp_1x1x640x384_input.bin"),
        "aipp_1x1x640x384_output.bin",
        0.3,
    ),
)


def main():
    bin_dir, real, oracle = sys.argv[1:]
    sys.path.insert(0, oracle)
    import mgbeval

    failed = 0
    for name, read_input, output, tolerance in MODELS:
        with tempfile.TemporaryDirectory() as tmp:
            path = os.path.join(tmp, "model.mge")
            subprocess.run([os.path.join(bin_dir, "model-translate"), os.path.join(real, name), "-o", path], check=True)
            np.save(os.path.join(tmp, "in_0.npy"), read_input(real))
            with contextlib.redirect_stdout(io.StringIO()):
                code = mgbeval.main([path, "--input-dir=" + tmp, "--save=" + tmp, "--quiet"])
            if code:
                print(f"FAIL {name}: the evaluation ended with {code}")
                failed += 1
                continue
            got = np.load(os.path.join(tmp, "out_0.npy"))
        expected = np.fromfile(os.path.join(real, output), "<f4")
        if got.size != expected.size:
            print(f"FAIL {name}: {got.size} elements, expected {expected.size}")
            failed += 1
            continue
        error = np.abs(got.ravel().astype("f8") - expected).max()
        ok = error <= tolerance
        print(f"{'ok' if ok else 'FAIL'} {name}: max abs error {error:.3g}, allowed {tolerance:g}")
        failed += not ok
    print(f"{len(MODELS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
