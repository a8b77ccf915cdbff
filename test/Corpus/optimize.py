#!/usr/bin/env python3
"""Optimizes every net of the corpus and runs the result.

usage: optimize.py BIN_DIR ORACLE_DIR CORPUS_DIR

For each nets/NAME/NAME.mge: `--fuse-conv-bias --fold-bn`, `-O1`, and MLIR's
`--canonicalize` and `--cse` must
  1. keep number, order and names of the outputs, and give the stored outputs of the source framework (Float32: within 1e-4 of
     the largest magnitude, the project's bound; the oracle computes them),
  2. after -O1, leave no more compute oprs than MegEngine's own optimizer
     (column `fuse` of OPT_SUMMARY.txt),
  3. be a fixpoint: a second run writes the same bytes.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

HOLDERS = {"nn.constant", "nn.variable"}


def run(args):
    return subprocess.run(args, capture_output=True, timeout=300, text=True, errors="replace")


def outputs(info, path):
    return [output["name"] for output in json.loads(run([info, "--json", path]).stdout)["outputs"]]


def main():
    bin_dir, oracle, corpus = sys.argv[1:4]
    tool = lambda name: os.path.join(bin_dir, name)
    with open(os.path.join(corpus, "nets", "OPT_SUMMARY.txt")) as f:
        peer = {m[1]: int(m[2]) for m in re.finditer(r"^(\S+) fuse before .*-> after \d+ \((\d+) compute\)", f.read(), re.M)}
    failed = passed = 0
    with tempfile.TemporaryDirectory() as tmp:
        out, again = os.path.join(tmp, "o.mge"), os.path.join(tmp, "a.mge")
        for name in sorted(os.listdir(os.path.join(corpus, "nets"))):
            folder = os.path.join(corpus, "nets", name)
            model = os.path.join(folder, name + ".mge")
            if not os.path.exists(model):
                continue
            names = outputs(tool("model-info"), model)
            for flags in (["--fuse-conv-bias", "--fold-bn"], ["-O1"], ["--canonicalize"], ["--cse"]):
                fault = None
                result = run([tool("model-opt"), *flags, model, "-o", out])
                if result.returncode:
                    fault = result.stderr
                if not fault:
                    result = run([sys.executable, os.path.join(oracle, "mgbeval.py"), out, f"--input-dir={folder}", f"--expect-dir={folder}"])
                    if result.returncode:
                        fault = f"exit {result.returncode}: " + result.stdout[-300:] + result.stderr[-300:]
                if not fault and outputs(tool("model-info"), out) != names:
                    fault = f"outputs are called {outputs(tool('model-info'), out)}, were {names}"
                if not fault and flags == ["-O1"]:
                    info = json.loads(run([tool("model-info"), "--json", out]).stdout)
                    count = info["compute_ops"]
                    if count > peer[name]:
                        fault = f"{count} compute oprs, the peer leaves {peer[name]}"
                if not fault:
                    run([tool("model-opt"), *flags, out, "-o", again])
                    with open(out, "rb") as a, open(again, "rb") as b:
                        if a.read() != b.read():
                            fault = "a second run changes the file"
                if fault:
                    failed += 1
                    print(f"FAIL {name} {' '.join(flags)}: {fault}")
                else:
                    passed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
