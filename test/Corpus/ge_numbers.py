#!/usr/bin/env python3
"""Converts the GE files of a corpus to MegEngine's format and runs them there.

usage: ge_numbers.py BIN_DIR CORPUS_DIR ORACLE_DIR [--min=N] [--filter=TEXT]

Every model with a reference result is written as .mge; those that use only what
that format has are evaluated by the numpy oracle and compared with the
reference. So an op of the GE importer is right if its file converts. Prints one
line per mismatch, the number of files that do not convert, and "N passed, N
failed"; fails also if fewer than --min files were compared.

Tolerance: 1e-4 of the output's largest magnitude, and 2e-2 for weights that the
file stores as f16 (the reference has f32 weights).
"""
import contextlib
import glob
import io
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

VARIANTS = ("v5.pb", "v3.pb", "v0.pb", "verified.pb", "inline.om", "merged.om", "merged_fp16.om")

# The vendor's own down-conversion drops an attribute (corpus README).
WRONG_AT_THE_SOURCE = {"FlattenV2.v0.pb"}


def write_case(manifest, folder, out):
    """in_k.npy, out_k.npy and a manifest that mgbeval reads."""
    reference = manifest["reference"]
    entries = []
    for k, entry in enumerate(manifest["inputs"]):
        dtype = {"FLOAT": "f4", "INT32": "i4", "UINT8": "u1", "INT8": "i1", "BOOL": "u1", "INT64": "i8"}[entry["dtype"]]
        data = np.fromfile(os.path.join(folder, reference["inputs"][entry["name"]]), "<" + dtype)
        np.save(os.path.join(out, f"in_{k}.npy"), data.reshape(entry["shape"]))
        entries.append({"name": entry["name"], "npy": f"in_{k}.npy", "shape": entry["shape"]})
    with open(os.path.join(out, "case.json"), "w") as f:
        json.dump({"inputs": entries}, f)
    for k, entry in enumerate(reference["outputs"]):
        data = np.fromfile(os.path.join(folder, entry["file"]), np.dtype(entry["dtype"]).newbyteorder("<"))
        # The other format has no rank 0.
        np.save(os.path.join(out, f"out_{k}.npy"), data.reshape(entry["shape"] or [1]))


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    bin_dir, corpus, oracle = [a for a in sys.argv[1:] if not a.startswith("--")]
    sys.path.insert(0, oracle)
    import mgbeval

    passed = failed = unconverted = 0
    for path in sorted(glob.glob(os.path.join(corpus, "*", "*.json"))):
        with open(path) as f:
            manifest = json.load(f)
        if "outputs" not in manifest.get("reference", {}):
            continue
        stem = path[: -len(".json")]
        for variant in VARIANTS:
            source = f"{stem}.{variant}"
            name = os.path.basename(source)
            if not os.path.exists(source) or name in WRONG_AT_THE_SOURCE or options.get("filter", "") not in name:
                continue
            with tempfile.TemporaryDirectory() as tmp:
                model = os.path.join(tmp, "model.mge")
                result = subprocess.run([os.path.join(bin_dir, "model-translate"), source, "-o", model], capture_output=True)
                if result.returncode not in (0, 1):
                    failed += 1
                    print(f"FAIL {name}: model-translate ended with {result.returncode}")
                    continue
                if result.returncode:
                    unconverted += 1
                    continue
                write_case(manifest, os.path.dirname(path), tmp)
                args = [model, "--input-dir=" + tmp, "--expect-dir=" + tmp, "--quiet"]
                if "fp16" in variant:
                    args.append("--atol-rel=2e-2")
                text = io.StringIO()
                with contextlib.redirect_stdout(text):
                    code = mgbeval.main(args)
            if code == 0:
                passed += 1
            else:
                failed += 1
                print(f"FAIL {name}: {text.getvalue().strip()[:300]}")
    print(f"{unconverted} files use what the other format has not")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or passed < int(options.get("min", 1)) else 0


if __name__ == "__main__":
    sys.exit(main())
