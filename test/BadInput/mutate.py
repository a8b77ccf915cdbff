#!/usr/bin/env python3
"""Feeds damaged copies of a small model to the importer.

usage: mutate.py BIN_DIR MODEL [--stride=N]

Every truncation, and every aligned 32-bit word set to 0, 1, -1, 2^31, and every
64-bit one to 2^63, 2^32-1 (offsets, counts, ids, dims and enums are all such
words), is given to `model-info --batch`, which reads many files in one process.
A mutant may import or be refused; what counts is that the process neither
crashes nor hangs, and that each refusal has at least one diagnostic.
"""
import os
import struct
import subprocess
import sys
import tempfile

WORDS = (0, 1, 0xFFFFFFFF, 0x80000000)
DWORDS = (1 << 63, 0xFFFFFFFF, (1 << 64) - 8)


def mutants(data, stride):
    for size in range(0, len(data), stride):
        yield f"cut{size}", data[:size]
    for at in range(0, len(data) - 3, 4 * stride):
        for word in WORDS:
            patched = data[:at] + struct.pack("<I", word) + data[at + 4 :]
            if patched != data:
                yield f"w{at}_{word:x}", patched
    for at in range(0, len(data) - 7, 8 * stride):
        for word in DWORDS:
            yield f"q{at}_{word:x}", data[:at] + struct.pack("<Q", word) + data[at + 8 :]


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    stride = next((int(a[9:]) for a in sys.argv[1:] if a.startswith("--stride=")), 1)
    bin_dir, model = args
    with open(model, "rb") as f:
        data = f.read()
    with tempfile.TemporaryDirectory() as tmp:
        paths = []
        for name, mutant in mutants(data, stride):
            path = os.path.join(tmp, name)
            with open(path, "wb") as f:
                f.write(mutant)
            paths.append(path)
        result = subprocess.run(
            [os.path.join(bin_dir, "model-info"), "--batch"],
            input="\n".join(paths).encode(),
            capture_output=True,
            timeout=1500,
        )
        if result.returncode not in (0, 1):
            sys.exit(f"model-info --batch: exit {result.returncode}\n{result.stderr.decode(errors='replace')[-3000:]}")
        lines = result.stdout.decode(errors="replace").splitlines()
        if len(lines) != len(paths):
            sys.exit(f"{len(paths)} mutants, {len(lines)} answers")
        refused = [l for l in lines if l.startswith("refused ")]
        silent = [l for l in refused if l.split()[1] == "0"]
        if silent:
            sys.exit("refused without a diagnostic: " + ", ".join(silent[:5]))
        cuts = [l for l, p in zip(lines, paths) if os.path.basename(p).startswith("cut") and l.startswith("good")]
        if cuts:
            sys.exit(f"{len(cuts)} truncated files were accepted")
        print(f"{len(paths)} mutants, {len(refused)} refused")


if __name__ == "__main__":
    main()
