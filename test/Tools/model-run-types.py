#!/usr/bin/env python3
"""Feeds each kind of element to a model that returns its inputs.

usage: model-run-types.py MODEL FOLDER
"""
import json
import os
import subprocess
import sys

import numpy

# Input, array, its type as text. Codes of quantized types come as they are;
# 4-bit rows are packed, low bits first, each row in whole bytes: 3 elements are
# 2 bytes. bfloat16 comes as its bits.
CASES = [
    ("bool", numpy.array([[True, False, True], [False, False, True]]), "i1"),
    ("u8", numpy.array([0, 1, 128, 255], "u1"), "!quant.uniform<u8:f32, 5.000000e-01:128>"),
    ("i4", numpy.array([[0x21, 0x07], [0xF8, 0x0F]], "u1"), "!quant.uniform<i4:f32, 2.500000e-01>"),
    ("f16", numpy.array([0.5, -65504], "<f2"), "f16"),
    ("bf16", numpy.array([0x3F80, 0x7F80], "<u2"), "bf16"),
    ("i64", numpy.array([-(1 << 63), (1 << 63) - 1], "<i8"), "i64"),
    ("c64", numpy.array([1 - 2j, 3j], "<c8"), "complex<f32>"),
    ("f64", numpy.array(0.1, "<f8"), "f64"),
]
PRINTED = """\
output0: tensor<2x3xi1> [1, 0, 1, 0, 0, 1]
output1: tensor<4x!quant.uniform<u8:f32, 5.000000e-01:128>> [-64, -63.5, 0, 63.5]
output2: tensor<2x3x!quant.uniform<i4:f32, 2.500000e-01>> [0.25, 0.5, 1.75, -2, -0.25, -0.25]
output3: tensor<2xf16> [0.5, -65504]
output4: tensor<2xbf16> [1, inf]
output5: tensor<2xi64> [-9.22337e+18, 9.22337e+18]
output6: tensor<2xcomplex<f32>> [1, -2, 0, 3]
output7: tensor<f64> [0.1]
"""


def main():
    model, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for raw in (False, True):
        command = ["model-run", model]
        for name, array, _ in CASES:
            path = os.path.join(folder, name + (".bin" if raw else ".npy"))
            if raw:
                array.tofile(path)
            else:
                numpy.save(path, array)
            command.append(f"--input={name}={path}")
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert printed == PRINTED, printed
        out = os.path.join(folder, "out")
        subprocess.run([*command, f"--output-dir={out}"], check=True)
        with open(os.path.join(out, "outputs.json"), encoding="utf-8") as f:
            listed = json.load(f)
        assert len(listed) == len(CASES), listed
        for k, (entry, (name, array, text)) in enumerate(zip(listed, CASES)):
            actual = numpy.load(os.path.join(out, entry["file"]))
            assert actual.dtype == array.dtype and actual.shape == array.shape, (name, actual)
            assert actual.tobytes() == array.tobytes(), (name, actual)
            assert (entry["name"], entry["file"], entry["type"]) == (f"output{k}", f"{k}.npy", text), entry
            # The tensor's shape, of which the file of a packed one has not all.
            assert entry["shape"] == ([2, 3] if name == "i4" else list(array.shape)), entry
        subprocess.run([*command, f"--compare={out}", "--rtol=0"], check=True, stdout=subprocess.DEVNULL)
    # Booleans are often stored as bytes: any but 0 is true.
    path = os.path.join(folder, "byte.npy")
    numpy.save(path, numpy.array([[2, 0, 255], [0, 0, 1]], "u1"))
    command[2] = f"--input=bool={path}"
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert printed == PRINTED, printed


if __name__ == "__main__":
    main()
