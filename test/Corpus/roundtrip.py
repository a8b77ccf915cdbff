#!/usr/bin/env python3
"""Runs every graph file of a corpus through the tools.

usage: roundtrip.py BIN_DIR CORPUS_DIR [--jobs N] [--filter TEXT]

For each model file below CORPUS_DIR:
  1. import, print, re-parse, export: the bytes must be those of the file, and
     the field dump must be equal;
  2. model-opt --fuse-conv-bias --fold-bn to a file of the same encoding, which
     must import again and have no more ops than before (constants aside).
     GE models: -O1 as well must give what the format can say.
Files that are no graphs must be refused with exit code 1 and their kind named.
Prints one line per failure and ends with "N passed, N failed".
"""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

REFUSED = {  # kind named in the message, by the file's first bytes
    b"mgb0001": "RawPOD",
    b"\x80\x04\x95": "pickle",
    b'{"': "JSON",
}


DIRECTIONS = {  # by extension
    ".mge": ("--mgb-to-mlir", "--mlir-to-mgb"),
    ".mgb": ("--mgb-to-mlir", "--mlir-to-mgb"),
    ".om": ("--ge-to-mlir", "--mlir-to-ge"),
    ".pb": ("--ge-to-mlir", "--mlir-to-ge"),
}


def run(args, **kwargs):
    return subprocess.run(args, capture_output=True, timeout=300, **kwargs)


def check_file(bin_dir, path):
    tool = lambda name: os.path.join(bin_dir, name)
    with open(path, "rb") as f:
        data = f.read()
    for head, kind in REFUSED.items():
        if data.startswith(head):
            result = run([tool("model-opt"), path, "-o", os.devnull])
            if result.returncode != 1 or kind not in result.stderr.decode():
                return f"not refused as {kind}: exit {result.returncode}"
            return None
    with tempfile.TemporaryDirectory() as tmp:
        text = os.path.join(tmp, "a.mlir")
        extension = os.path.splitext(path)[1]
        back = os.path.join(tmp, "b" + extension)
        opt = os.path.join(tmp, "c" + extension)
        to_mlir, from_mlir = DIRECTIONS[extension]
        steps = [
            [tool("model-translate"), to_mlir, path, "-o", text],
            [tool("model-translate"), from_mlir, text, "-o", back],
            [tool("model-opt"), "--fuse-conv-bias", "--fold-bn", path, "-o", opt],
            *([[tool("model-opt"), "-O1", path, "-o", opt + extension]] if to_mlir == "--ge-to-mlir" else []),
            [tool("model-info"), "--json", path],
            [tool("model-info"), "--json", opt],
        ]
        results = []
        for step in steps:
            result = run(step)
            if result.returncode:
                message = result.stderr.decode(errors="replace").strip()
                return f"{os.path.basename(step[0])} {step[1]}: exit {result.returncode}: {message[:600]}"
            results.append(result.stdout)
        before, after = (json.loads(text)["compute_ops"] for text in results[-2:])
        if after > before:
            return f"--fuse-conv-bias --fold-bn leaves {after} ops of {before}"
        with open(back, "rb") as f:
            again = f.read()
        if again != data:
            dumps = [run([tool("model-info"), "--dump", p]).stdout.decode(errors="replace").splitlines() for p in (path, back)]
            for a, b in zip(*dumps):
                if a != b:
                    return f"field differs:\n    {a}\n    {b}"
            if len(dumps[0]) != len(dumps[1]):
                return "number of fields differs"
            return "fields are equal but bytes differ"
    return None


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    jobs, text = 2, ""
    for a in sys.argv[1:]:
        if a.startswith("--jobs="):
            jobs = int(a[7:])
        if a.startswith("--filter="):
            text = a[9:]
    bin_dir, corpus = args
    paths = sorted(
        os.path.join(root, name)
        for root, _, names in os.walk(corpus)
        for name in names
        if name.endswith(tuple(DIRECTIONS))
    )
    paths = [p for p in paths if text in p]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for path, fault in zip(paths, pool.map(lambda p: check_file(bin_dir, p), paths)):
            if fault:
                failed += 1
                print(f"FAIL {os.path.relpath(path, corpus)}: {fault}")
    print(f"{len(paths) - failed} passed, {failed} failed")
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
