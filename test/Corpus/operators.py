#!/usr/bin/env python3
"""Runs every operator file of the corpus after import, -O1 and export.

usage: operators.py BIN_DIR ORACLE_DIR CORPUS_DIR LLVM_TBLGEN LLVM_INCLUDE SOURCE_DIR

The oracle must find the outputs that the source framework stored. Then every
op of the dialect must have occurred in a file that was executed, or be a case
of test/Dialect/NN/execution.py, or NO_ORACLE says why it is neither.
"""
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

BIN, ORACLE, CORPUS, TBLGEN, LLVM_INCLUDE, SOURCE = sys.argv[1:7]
sys.path.insert(0, ORACLE)
sys.path.insert(0, os.path.join(SOURCE, "test/Dialect/NN"))

import check_corpus
import completeness
import execution

NO_ORACLE = {
    "extern_call": "only the vendor's loader can run it",
    "optical_flow": "the estimator is a hardware unit's",
    # MegEngine has no regions; where a constant chooses, the graph is inlined (test/GE/calls.test).
    "call": "GE only", "case": "GE only", "if": "GE only", "while": "GE only",
}


def find_models(folder):
    """V1 files, as built and as the framework's dump rewrites them."""
    names = sorted(n for n in os.listdir(folder) if n.endswith(".mge"))
    return [os.path.join(folder, n) for n in names if ".opt" not in n and ".v2" not in n]


def run(model):
    """(model, its ops if it was executed, what went wrong or None)"""
    folder, name = os.path.split(model)
    tool = os.path.join(BIN, "model-opt")
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, name)
        for args in ([model], ["-O1", model, "-o", out]):
            result = subprocess.run([tool, *args], capture_output=True, text=True, errors="replace", timeout=300)
            if result.returncode:
                return model, set(), result.stderr
            if args == [model]:
                ops = set(re.findall(r"\bnn\.(\w+)", result.stdout))
        verdict, detail = check_corpus.check(folder, out)
    if verdict == "unsupported":
        return model, set(), None
    return model, ops, None if verdict == "pass" else f"{verdict} {detail}"


def main():
    models = []
    for part in ("ops", "nets"):
        for entry in sorted(os.scandir(os.path.join(CORPUS, part)), key=lambda e: e.name):
            if entry.is_dir():
                models += find_models(entry.path)
    executed, failed = set(), 0
    with multiprocessing.Pool(os.cpu_count()) as pool:
        for model, ops, fault in pool.imap(run, models, chunksize=8):
            if fault:
                failed += 1
                print(f"FAIL {os.path.basename(model)}: {fault}")
            else:
                executed |= ops
    executed |= execution.op_names()
    known = completeness.read_ops(TBLGEN, LLVM_INCLUDE, SOURCE).keys()
    for name in sorted(known - executed - NO_ORACLE.keys()):
        failed += 1
        print(f"nn.{name} is executed nowhere")
    for name in sorted(NO_ORACLE.keys() & executed):
        failed += 1
        print(f"nn.{name} is listed as executed nowhere, and is")
    print(f"{len(models)} files, {len(executed & known)} of {len(known)} ops executed, {failed} failed")
    return 1 if failed or not executed else 0


if __name__ == "__main__":
    sys.exit(main())
