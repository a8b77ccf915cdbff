#!/usr/bin/env python3
"""Runs the versions of a library, and libraries for CPUs that are not here.

usage: model-compile-versions.py FOLDER MODEL [--refuse]

FOLDER holds `versions`, built from compile-versions.c, and in.npy.
"""
import ctypes
import os
import subprocess
import sys

import numpy

# The CPUs of the versions, and what /proc/cpuinfo calls what they need most.
VERSIONS = [
    (["--cpu=x86-64-v3"], ["avx2", "fma", "bmi2"]),
    (["--cpu=x86-64-v4"], ["avx512f", "avx512vl", "avx512dq", "avx512_vnni", "avx512_bf16"]),
]
# Features that LLVM may use where it is told to, by both names.
FEATURES = [("xop", "xop"), ("fma4", "fma4"), ("avxvnniint8", "avx_vnni_int8"), ("avx512fp16", "avx512_fp16")]


def cpu_flags():
    with open("/proc/cpuinfo") as f:
        return next(line for line in f if line.startswith("flags")).split()


def run_versions(folder, model, flags):
    path = lambda name: os.path.join(folder, name)
    can = [all(flag in flags for flag in needed) for _, needed in VERSIONS]
    best = max(k for k, yes in enumerate(can) if yes)
    for k, (options, _) in enumerate(VERSIONS):
        command = [path("versions"), path("in.bin"), str(k), path(f"version{k}.bin")]
        result = subprocess.run(command, capture_output=True, text=True)
        lines = result.stdout.splitlines()
        assert lines[0] == f"best: {best}", lines
        if not can[k]:
            assert result.returncode == 3 and lines[1].startswith("-4: "), lines
            continue
        assert result.returncode == 0, result
        expected = path(f"expected{k}")
        subprocess.run(
            ["model-run", model, f"--input={path('in.npy')}", f"--output-dir={expected}", *options], check=True
        )
        actual = numpy.fromfile(path(f"version{k}.bin"), "f4")
        numpy.testing.assert_array_equal(actual, numpy.load(os.path.join(expected, "0.npy")).ravel())


def refuse(folder, model, flags):
    absent = [llvm for llvm, linux in FEATURES if linux not in flags]
    assert absent, "this CPU has everything"
    path = os.path.join(folder, "librefuse.so")
    for feature in absent:
        subprocess.run(["model-compile", model, "-o", path, f"--features=+{feature}", "--prefix=net"], check=True)
        # A file of its own for each: a library that is loaded stays.
        own = os.path.join(folder, f"librefuse-{feature}.so")
        os.rename(path, own)
        library = ctypes.CDLL(own)
        library.net_arena_size.restype = ctypes.c_size_t
        size = library.net_arena_size()
        memory = ctypes.create_string_buffer(size + 64)
        arena = ctypes.c_void_p((ctypes.addressof(memory) + 63) // 64 * 64)
        assert library.net_init(arena, ctypes.c_size_t(size)) == -4, feature
        assert library.net_run(None, None, arena) == -2, feature


def main():
    folder, model, *rest = sys.argv[1:]
    (refuse if rest else run_versions)(folder, model, cpu_flags())


if __name__ == "__main__":
    main()
