#!/usr/bin/env python3
"""Optimizes every net of a corpus with --check: each must compute the same before, after, and as written.

usage: prove.py BIN_DIR NETS_DIR [FLAG...]

The flags (default: -O1) go to model-opt. Inputs are random; the tolerance is that of --check by the outputs' types.
"""
import collections
import concurrent.futures
import os
import subprocess
import sys
import tempfile

EXTENSIONS = (".mge", ".mgb", ".om", ".pb")


def prove(job):
    tool, flags, path, folder = job
    out = os.path.join(folder, "%x" % abs(hash(path)) + os.path.splitext(path)[1])
    result = subprocess.run([tool, *flags, "--check", path, "-o", out], capture_output=True, text=True, errors="replace", timeout=600)
    lines = result.stderr.count("check: ") and result.stderr.count("check as written: ")
    if result.returncode == 0 and lines:
        os.remove(out)
        return None
    return f"exit code {result.returncode}: {result.stderr[-500:]}"


def main():
    bin_dir, nets, flags = sys.argv[1], sys.argv[2], sys.argv[3:] or ["-O1"]
    paths = sorted(os.path.join(base, f) for base, _, files in os.walk(nets) for f in files if f.endswith(EXTENSIONS))
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(os.path.join(bin_dir, "model-opt"), flags, path, folder) for path in paths]
        for path, fault in zip(paths, pool.map(prove, jobs)):
            counts[fault is None] += 1
            if fault:
                print(f"FAIL {os.path.relpath(path, nets)}: {fault}")
    print(f"{counts[True]} passed, {counts[False]} failed")
    return 1 if counts[False] or not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
