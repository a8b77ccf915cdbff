#!/usr/bin/env python3
"""Runs the models of the corpus with model-run and compares with the outputs
that are stored beside them.

usage: engine.py BIN_DIR CORPUS_DIR [--filter=TEXT] [--failed] [--jobs=N] [--min=N]
                 [--threads=N | --library] [-- OPTION...]

CORPUS_DIR is corpus/mgb, corpus/ge or a folder below. Tolerances, over the
largest magnitude of an output: f32 1e-4 (the project's bound), f16 3e-3 and bf16
1e-2 (sums rounded in another order), integers and quantized codes exactly. What
is looser is in EXCEPTIONS, each with its reason.

With --library, models are compiled to shared libraries by model-compile, which
run_library.py runs; those that a library cannot have are counted apart, by
reason. OPTIONs are those of model-run or model-compile.

Models that cannot be run for no other reason than operators without a typed op
(nn.foreign) are counted apart, by operator. Prints a line for each other file
(with --failed for those only that did not pass) and the totals. Fails if one of
these cannot be run or gives other outputs, or if fewer than --min files passed.
"""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy

# Part of the file's name: (relative tolerance, absolute tolerance, reason).
EXCEPTIONS = {
    ".opt_f16io": (3e-3, 0, "computes in f16"),
    "merged_fp16": (2e-2, 0, "weights are stored as f16, the reference has them in f32"),
}
# Not comparable by value (corpus README): the reason.
INCOMPARABLE = {
    "uniform_rng": "random numbers",
    "gaussian_rng": "random numbers",
    "alloc_typed": "uninitialized memory",
    "topk_nosort": "elements in any order",
    "FlattenV2.v0.pb": "the vendor's own down-conversion drops an attribute",
}
# The dump of SIGN computes the negated sign, so the reference does; these files
# were dumped without that rewriting (corpus README).
NEGATED = ("elemwise_SIGN.nc.", "elemwise_SIGN.v2nc.")
GE_TYPES = {"FLOAT": "f4", "FLOAT16": "f2", "INT32": "i4", "UINT8": "u1", "INT8": "i1", "BOOL": "u1", "INT64": "i8"}


def mgb_input(folder, entry):
    """The file's name, or an array in the shape that model-run expects."""
    path = os.path.join(folder, entry["npy"])
    if not entry.get("raw_packed"):
        return path
    # Two elements to a byte, each row on its own.
    *lead, last = entry["shape"]
    return numpy.load(path).reshape(*lead, (last + 1) // 2)


def mgb_cases(path, manifest):
    """(model file, {input name: .npy}, [expected array])"""
    folder = os.path.dirname(path)
    inputs = {entry["name"]: mgb_input(folder, entry) for entry in manifest["inputs"]}
    outputs = [numpy.load(os.path.join(folder, entry["npy"])) for entry in manifest["outputs"] if entry.get("npy")]
    for file in sorted(glob.glob(os.path.join(folder, "*.mge"))):
        name = os.path.basename(file)
        yield file, inputs, [-x for x in outputs] if name.startswith(NEGATED) else outputs


def ge_cases(path, manifest):
    folder = os.path.dirname(path)
    reference = manifest.get("reference", {})
    if "outputs" not in reference:
        return
    inputs, outputs = {}, []
    for entry in manifest["inputs"]:
        data = numpy.fromfile(os.path.join(folder, reference["inputs"][entry["name"]]), "<" + GE_TYPES[entry["dtype"]])
        inputs[entry["name"]] = data.reshape(entry["shape"])
    for entry in reference["outputs"]:
        data = numpy.fromfile(os.path.join(folder, entry["file"]), numpy.dtype(entry["dtype"]).newbyteorder("<"))
        outputs.append(data.reshape(entry["shape"]))
    # A model of an op with several results may give only the first of them.
    outputs = outputs[: len(manifest["graph_outputs"])]
    for file in sorted(manifest["files"]):
        yield os.path.join(folder, file), inputs, outputs


def cases(corpus):
    for path in sorted(glob.glob(os.path.join(corpus, "**", "*.json"), recursive=True)):
        if path.endswith(".opt.json"):
            continue
        with open(path) as f:
            manifest = json.load(f)
        if isinstance(manifest.get("files"), list):
            yield from ge_cases(path, manifest)
        elif "oprs_built" in manifest and manifest.get("outputs"):
            yield from mgb_cases(path, manifest)


class Untyped(set):
    """The operators for which a model cannot be run, or limits of libraries."""


# What a library cannot have: the message's key.
LIBRARY_LIMITS = ("a library needs static shapes", "a library does not allocate")


def commands(bin_dir, file, values, tmp, args):
    """The commands that write the outputs of a model into tmp/out."""
    out = os.path.join(tmp, "out")
    if not args.library:
        yield [os.path.join(bin_dir, "model-run"), file, "--output-dir=" + out, *args.options] + [
            f"--input={name}={path}" for name, path in values.items()
        ]
        return
    library, header = os.path.join(tmp, "libnet.so"), os.path.join(tmp, "libnet.h")
    yield [os.path.join(bin_dir, "model-compile"), file, "-o", library, "--emit-header=" + header, *args.options]
    runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "run_library.py")
    yield [sys.executable, runner, library, "net", out] + [f"{name}={path}" for name, path in values.items()]


def run(args, case):
    """None if the outputs are right, else what is wrong."""
    file, inputs, outputs = case
    name = os.path.basename(file)
    with tempfile.TemporaryDirectory() as tmp:
        values = {}
        for k, (key, value) in enumerate(inputs.items()):
            if not isinstance(value, str):
                array, value = value, os.path.join(tmp, f"in_{k}.npy")
                numpy.save(value, array)
            values[key] = value
        try:
            for command in commands(args.bin_dir, file, values, tmp, args):
                result = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=600)
                if result.returncode:
                    break
        except subprocess.TimeoutExpired:
            return "took more than 600 s"
        if result.returncode:
            lines = result.stderr.strip().splitlines() or [f"exit code {result.returncode}"]
            for limit in LIBRARY_LIMITS if args.library else ():
                if limit in lines[0]:
                    return Untyped([limit])
            untyped = [re.search(r"'(\S+)' cannot be run: it has no typed op", line) for line in lines]
            if all(untyped):
                return Untyped(match[1] for match in untyped)
            return f"[{result.returncode}] " + lines[0][:300]
        return compare(name, os.path.join(tmp, "out"), outputs)


def compare(name, folder, outputs):
    with open(os.path.join(folder, "outputs.json")) as f:
        listed = json.load(f)
    if len(listed) < len(outputs):
        return f"{len(listed)} outputs, not {len(outputs)}"
    for k, (expected, entry) in enumerate(zip(outputs, listed)):
        actual = numpy.load(os.path.join(folder, entry["file"]))
        if actual.size != expected.size:
            return f"output {k} has the shape {actual.shape}, not {expected.shape}"
        actual = actual.reshape(expected.shape)
        # bf16 has no NumPy type: its bits come as u2.
        is_bf16 = entry["type"] == "bf16"
        if is_bf16:
            actual, expected = ((x.astype(numpy.uint32) << 16).view(numpy.float32) for x in (actual, expected))
        rtol, atol = tolerance(name, expected, is_bf16)
        a, b = actual.astype(numpy.complex128), expected.astype(numpy.complex128)
        finite = numpy.isfinite(b)
        if not numpy.array_equal(a[~finite], b[~finite], equal_nan=True):
            return f"output {k}: NaN or infinity differs"
        difference = abs(a[finite] - b[finite]).max(initial=0)
        bound = atol + rtol * abs(b[finite]).max(initial=0)
        if not difference <= bound:
            count = int((abs(a[finite] - b[finite]) > bound).sum())
            return f"output {k}: {count} of {b.size} differ, by up to {difference:.3g}; allowed are {bound:.3g}"
    return None


def tolerance(name, expected, is_bf16):
    for text, (rtol, atol, _) in EXCEPTIONS.items():
        if text in name:
            return rtol, atol
    if expected.dtype.kind not in "fc":
        return 0, 0
    return (1e-2 if is_bf16 else 3e-3 if expected.dtype == numpy.float16 else 1e-4), 0


def main():
    own, options = sys.argv[1:], []
    if "--" in own:
        options = own[own.index("--") + 1 :]
        own = own[: own.index("--")]
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir")
    parser.add_argument("corpus")
    parser.add_argument("--filter", default="")
    parser.add_argument("--failed", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--min", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--library", action="store_true")
    args = parser.parse_args(own)
    if not args.library:
        options.append(f"--threads={args.threads}")
    args.options = options
    todo = [case for case in cases(args.corpus) if args.filter in case[0]]
    todo = [case for case in todo if not any(text in os.path.basename(case[0]) for text in INCOMPARABLE)]
    passed = failed = 0
    untyped = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for case, wrong in zip(todo, pool.map(lambda case: run(args, case), todo)):
            if isinstance(wrong, Untyped):
                untyped.update(wrong)
                continue
            passed += wrong is None
            failed += wrong is not None
            if wrong or not args.failed:
                print("FAIL" if wrong else "pass", os.path.basename(case[0]), wrong or "", flush=True)
    if untyped:
        print("left out:", ", ".join(f"{name} x{count}" for name, count in sorted(untyped.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed < args.min else 0


if __name__ == "__main__":
    sys.exit(main())
