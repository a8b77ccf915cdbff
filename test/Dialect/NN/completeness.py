#!/usr/bin/env python3
"""Checks that every op of the dialect is documented and has an error test.

usage: completeness.py LLVM_TBLGEN LLVM_INCLUDE SOURCE_DIR

From the ODS records: each op has a summary, a description, and inference or a
verifier. From test/Dialect/NN: each op is the subject of an `expected-error`,
or NOTHING_TO_REFUSE says why it cannot be.
"""
import glob
import json
import os
import re
import subprocess
import sys

NOTHING_TO_REFUSE = {
    "copy": "takes any tensor and gives its type",
    "nonzero": "takes any tensor; its result has no static size",
    "foreign": "carries what the dialect does not model",
    "extern_call": "only the vendor's loader knows its types",
}

INFERENCE = {"InferTypeOpInterface", "InferTypeOpAdaptor", "SymbolUserOpInterface"}


def read_ops(tblgen, llvm_include, source):
    include = os.path.join(source, "include")
    ops = {}
    for path in sorted(glob.glob(os.path.join(include, "modelwright/Dialect/NN/IR/NN*Ops.td"))):
        out = subprocess.run([tblgen, "-I", include, "-I", llvm_include, "--dump-json", path],
                             capture_output=True, check=True, text=True).stdout
        records = json.loads(out)
        for name in records["!instanceof"]["Op"]:
            if records[name]["opDialect"]["def"] == "NN_Dialect":
                ops[records[name]["opName"]] = (records[name], records)
    return ops


def checks_itself(record, records):
    """Whether inference or a verifier (of symbols, too) looks at the op."""
    if record["hasVerifier"]:
        return True
    names = {trait["def"] for trait in record["traits"]}
    for name in names:
        names = names | set(records.get(name, {}).get("!superclasses", []))
        names = names | {records.get(name, {}).get("cppInterfaceName")}
    return any(known in str(name) for name in names for known in INFERENCE)


def read_refused(folder):
    """Ops on a line that an expected-error speaks of."""
    refused = set()
    for path in glob.glob(os.path.join(folder, "*.mlir")):
        with open(path) as f:
            pending = False
            for line in f:
                if "expected-error" in line:
                    pending = True
                    line = line.split("//")[0]
                if pending and line.strip() and not line.strip().startswith("//"):
                    refused.update(re.findall(r"\bnn\.(\w+)", line)[:1])
                    pending = False
    return refused


def main():
    tblgen, llvm_include, source = sys.argv[1:4]
    ops = read_ops(tblgen, llvm_include, source)
    refused = read_refused(os.path.join(source, "test/Dialect/NN"))
    faults = []
    for name, (record, records) in sorted(ops.items()):
        for field in ("summary", "description"):
            if not record[field].strip():
                faults.append(f"nn.{name} has no {field}")
        if name in NOTHING_TO_REFUSE:
            if name in refused:
                faults.append(f"nn.{name} has an error test, though it is listed as having none")
            continue
        if not checks_itself(record, records):
            faults.append(f"nn.{name} has neither inference nor a verifier")
        if name not in refused:
            faults.append(f"nn.{name} has no error test")
    faults += [f"nn.{name} is listed and does not exist" for name in sorted(NOTHING_TO_REFUSE.keys() - ops.keys())]
    print("\n".join(faults))
    print(f"{len(ops)} ops, {len(faults)} faults")
    return 1 if faults or not ops else 0


if __name__ == "__main__":
    sys.exit(main())
