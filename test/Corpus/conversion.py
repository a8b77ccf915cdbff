#!/usr/bin/env python3
"""Converts the nets of the corpus to the other format and back, runs what comes
out, and compares with docs/conversion.md.

usage: conversion.py BIN_DIR CORPUS_DIR ORACLE_DIR TABLE [--update]

A MegEngine net goes .mge -> .om -> .mge, a GE net .om/.pb -> .mge -> .om -> .mge.
The numpy oracle runs the last file on the inputs of the corpus: Float32 outputs
must be within 1e-4 of the stored ones' largest magnitude (the project's bound;
2e-2 for GE files that store their weights as f16, since the reference has them
in f32), integers equal. Outputs must keep number, order and names. Converting
the returned file once more must not give more ops than the first conversion did:
nothing drifts. What is refused is listed in the table with its reasons.

Then the operator cases of MegEngine, one by one: numbers as above, refusals
listed by op.

Fails on wrong numbers, and on a table that differs from TABLE; --update writes
it.
"""
import collections
import contextlib
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import ge_numbers

HEAD = """# Conversion between the formats

Made by `test/Corpus/conversion.py`, which a test runs; do not edit.

`model-translate in.mgb -o out.om` and `model-translate in.om -o out.mgb` convert; the passes `--legalize-for-ge` and
`--legalize-for-mgb` (also `--legalize-for=ge|mgb`) run by themselves on the way. What a format cannot express is
listed in one run, by op, with the reason.

"Same numbers": the net went to the other format and back (a GE net once more to the other one), and the numpy oracle
computed from the last file what the corpus says, within 1e-4 of the largest magnitude (2e-2 where weights are stored as
f16). Then: converting the net that came back gave the same bytes as the first time ("same file"), the same ops under
other names ("same ops": nodes without a name get one), or fewer ops (shape arithmetic that was folded on the way).

| net | direction | result |
|---|---|---|
"""


class Refused(Exception):
    pass


def reasons(text):
    """'nn.slice x3: why' for each op of the errors."""
    counts = collections.Counter()
    for line in text.splitlines():
        match = re.search(r"error: (?:opr|op) #\d+(?: '[^']*')?:? ?\(?'?(nn\.\w+)'?\)?:? ?(?:op )?(.*)", line)
        counts[(match[1], match[2].strip()) if match else ("", line.split("error: ", 1)[-1])] += 1
    return "; ".join(f"`{op}` ×{n}: {why}" if op else why for (op, why), n in sorted(counts.items()))


class Tools:
    def __init__(self, bin_dir, oracle):
        self.bin_dir = bin_dir
        sys.path.insert(0, oracle)
        import check_corpus
        import mgbeval

        self.mgbeval, self.check_corpus = mgbeval, check_corpus

    def run(self, tool, *args):
        return subprocess.run(
            [os.path.join(self.bin_dir, tool), *args], capture_output=True, text=True, errors="replace", timeout=600
        )

    def convert(self, source, target):
        result = self.run("model-translate", source, "-o", target)
        if result.returncode == 1:
            raise Refused(reasons(result.stderr))
        if result.returncode:
            raise AssertionError(f"model-translate ended with {result.returncode}: {result.stderr[:300]}")

    def names(self, path):
        return [output["name"] for output in json.loads(self.run("model-info", "--json", path).stdout)["outputs"]]

    def compare(self, a, b):
        with open(a, "rb") as f, open(b, "rb") as g:
            if f.read() == g.read():
                return "same file"
        first, second = (json.loads(self.run("model-info", "--json", path).stdout)["ops"] for path in (a, b))
        if first == second:
            return "same ops"
        counts = [sum(types.values()) for types in (first, second)]
        assert counts[1] <= counts[0], f"{counts[0]} ops grew to {counts[1]}"
        return f"{counts[0]} ops, then {counts[1]}"

    def evaluate(self, model, folder, *options):
        text = io.StringIO()
        with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
            code = self.mgbeval.main([model, "--input-dir=" + folder, "--expect-dir=" + folder, "--quiet", *options])
        assert code == 0, text.getvalue().strip()[-300:]


def check_mgb(tools, source, folder, tmp):
    there, back, again = (os.path.join(tmp, name) for name in ("there.om", "back.mge", "again.om"))
    tools.convert(source, there)
    tools.convert(there, back)
    tools.evaluate(back, folder)
    assert tools.names(back) == tools.names(source), f"outputs are called {tools.names(back)}"
    tools.convert(back, again)
    return "same numbers, " + tools.compare(there, again)


def check_ge(tools, source, folder, tmp, options):
    kind = os.path.splitext(source)[1]
    there, back, again = (os.path.join(tmp, name) for name in ("there.mge", "back" + kind, "again.mge"))
    tools.convert(source, there)
    tools.evaluate(there, folder, *options)
    tools.convert(there, back)
    tools.convert(back, again)
    tools.evaluate(again, folder, *options)
    assert tools.names(again) == tools.names(there), f"outputs are called {tools.names(again)}"
    return "same numbers, " + tools.compare(there, again)


OPERATORS = """
## Operators

Of the {total} operator cases of MegEngine's corpus, {good} go to a GE model and back and give the stored numbers; the others
are refused. Ops that they need and GE models have not, or not in that form, by number of cases:

| op | cases |
|---|---|
"""


def operators(tools, corpus, failed):
    good, reasons_by_op = 0, collections.Counter()
    folders = sorted(glob.glob(os.path.join(corpus, "*", "")))
    folders = [folder for folder in folders if os.path.exists(os.path.join(folder, os.path.basename(folder[:-1]) + ".mge"))]
    for folder in folders:
        name = os.path.basename(folder[:-1])
        with tempfile.TemporaryDirectory() as tmp:
            there, back = os.path.join(tmp, "there.om"), os.path.join(tmp, "back.mge")
            try:
                tools.convert(os.path.join(folder, name + ".mge"), there)
                tools.convert(there, back)
                verdict, detail = tools.check_corpus.check(folder.rstrip("/"), back)
                assert verdict == "pass", f"{verdict} {detail}"
                good += 1
            except Refused as refused:
                reasons_by_op.update(set(re.findall(r"`([^`]*)`", str(refused))) or {str(refused)})
            except AssertionError as error:
                failed.append(f"{name}: {error}")
    lines = [f"| `{op}` | {count} |" for op, count in sorted(reasons_by_op.items(), key=lambda item: (-item[1], item[0]))]
    return OPERATORS.format(good=good, total=len(folders)) + "\n".join(lines) + "\n"


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    bin_dir, corpus, oracle, table = args
    tools = Tools(bin_dir, oracle)
    rows, failed = [], []

    def add(name, direction, check):
        with tempfile.TemporaryDirectory() as tmp:
            try:
                result = check(tmp)
            except Refused as refused:
                result = "refused: " + str(refused)
            except AssertionError as error:
                result = "WRONG"
                failed.append(f"{name}: {error}")
        rows.append(f"| {name} | {direction} | {result} |")

    for folder in sorted(glob.glob(os.path.join(corpus, "mgb", "nets", "*", ""))):
        name = os.path.basename(os.path.dirname(folder))
        for suffix in (".mge", ".v2.mge"):
            source = os.path.join(folder, name + suffix)
            if os.path.exists(source):
                add(name + suffix, "mgb → ge → mgb", lambda tmp: check_mgb(tools, source, folder, tmp))
    for path in sorted(glob.glob(os.path.join(corpus, "ge", "nets", "*.json"))):
        with open(path) as f:
            manifest = json.load(f)
        for file in sorted(manifest["files"]):
            options = ["--atol-rel=2e-2"] if "fp16" in file else []

            def check(tmp):
                ge_numbers.write_case(manifest, os.path.dirname(path), tmp)
                return check_ge(tools, os.path.join(os.path.dirname(path), file), tmp, tmp, options)

            add(file, "ge → mgb → ge → mgb", check)

    text = HEAD + "\n".join(rows) + "\n" + operators(tools, os.path.join(corpus, "mgb", "ops"), failed)
    for line in failed:
        print("FAIL", line)
    if "--update" in sys.argv:
        with open(table, "w") as f:
            f.write(text)
    else:
        with open(table) as f:
            if f.read() != text:
                failed.append("table")
                print(f"FAIL {table} is stale: run './dev docs'\n{text}")
    print(f"{len(rows)} nets, {len(failed)} failures")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
