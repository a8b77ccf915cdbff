#!/usr/bin/env python3
"""Times whole nets, ours and ONNX Runtime's, alternately: same weights, same
shapes, same number of threads.

usage: bench_nets.py BIN_DIR WORK_DIR [--rounds=N] [--threads=N] [NET...]

The nets are made by make_nets.py into WORK_DIR. Each round runs model-run and
node one after the other, so that a busy machine slows down both; the figures are
medians over the rounds of the medians that each process reports. Prints a line
per net: name ours_ms peer peer_ms ratio.

Needs node and the package onnxruntime-node (ORT_NODE: where it is).
"""
import argparse
import os
import re
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import make_nets

WARMUP, ITERATIONS = 3, 10


def ours(bin_dir, model, threads):
    result = subprocess.run(
        [os.path.join(bin_dir, "model-run"), model, "--bench", f"--warmup={WARMUP}", f"--iters={ITERATIONS}",
         f"--threads={threads}"],
        capture_output=True, text=True, check=True,
    )
    return float(re.search(r"median ([0-9.]+) ms", result.stdout)[1])


def peer(model, threads):
    result = subprocess.run(
        ["node", os.path.join(HERE, "ort_bench.js"), model, str(WARMUP), str(ITERATIONS), str(threads)],
        capture_output=True, text=True, check=True,
    )
    return float(result.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("work_dir")
    parser.add_argument("nets", nargs="*", default=list(make_nets.NETS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    for name in args.nets:
        stem = os.path.join(args.work_dir, name)
        if not os.path.exists(stem + ".onnx"):
            subprocess.run([sys.executable, os.path.join(HERE, "make_nets.py"), args.work_dir, name], check=True)
        rounds = [
            (ours(args.bin_dir, stem + ".mlir", args.threads), peer(stem + ".onnx", args.threads))
            for _ in range(args.rounds)
        ]
        mine, theirs = (statistics.median(column) for column in zip(*rounds))
        print(f"{name} {mine:.3f} onnxruntime {theirs:.3f} {mine / theirs:.3f}", flush=True)


if __name__ == "__main__":
    main()
