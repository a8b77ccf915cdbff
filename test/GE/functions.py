"""What op types compute: functions.py BIN_DIR ORACLE_DIR CASES.py [--filter=TEXT].

Each case is a text model of one op (or a few) and the numbers that numpy gives.
The model must come back from MLIR byte for byte, its .mge must compute those
numbers in the oracle, and so must the .mge of the GE model that this is written
as again: the import and the canonical spelling of an op are judged by the same
numbers. Where the format cannot spell the nn ops, that is part of the case.

Prints a line per failure and "N passed, N failed".
"""
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

from opmodel import attr, escape

DTYPES = {"float32": "DT_FLOAT", "int32": "DT_INT32", "uint8": "DT_UINT8", "bool": "DT_BOOL", "int64": "DT_INT64"}


def desc(array):
    dims = " ".join(f"dim: {d}" for d in array.shape)
    return f'dtype: {DTYPES[str(array.dtype)]} shape {{ {dims} }} layout: "ND"'


class Model:
    """Text of a model; its methods give edges."""

    def __init__(self):
        self.text, self.inputs, self.count = "", [], 0

    def data(self, array):
        array = np.asarray(array)
        name = f"x{len(self.inputs)}"
        self.inputs.append((name, array))
        self.text += f'op {{ name: "{name}" type: "Data" input: "" input_desc {{ {desc(array)} }} }}\n'
        return name + ":0"

    def const(self, values, dtype="int32"):
        array = np.asarray(values, dtype)
        self.count += 1
        content = escape(array.tobytes())
        self.text += f'op {{ name: "c{self.count}" type: "Const" attr {{ key: "value" value {{ t {{ desc {{ {desc(array)} }} data: "{content}" }} }} }} }}\n'
        return f"c{self.count}:0"

    def op(self, type, inputs, outputs=1, version=5, **attrs):
        self.count += 1
        edges = " ".join(f'input: "{i}"' for i in inputs)
        attrs = {**attrs, **({"version": version} if version else {})}
        text = " ".join(attr(k, v) for k, v in attrs.items())
        descs = "output_desc { dtype: DT_FLOAT }" * outputs
        self.text += f'op {{ name: "y{self.count}" type: "{type}" {edges} {text} {descs} }}\n'
        return f"y{self.count}:0" if outputs == 1 else [f"y{self.count}:{k}" for k in range(outputs)]

    def finish(self, edges):
        out = "".join(f'input: "{name}:0"\n' for name, _ in self.inputs) + "".join(f'output: "{e}"\n' for e in edges)
        return f'name: "net"\ngraph {{ name: "g"\n{self.text}{out}}}\n'


class Judge:
    def __init__(self, bin_dir, oracle, wanted):
        self.tool, self.wanted = os.path.join(bin_dir, "model-translate"), wanted
        self.passed = self.failed = 0
        sys.path.insert(0, oracle)
        import mgbeval

        self.mgbeval = mgbeval

    def translate(self, *args):
        result = subprocess.run([self.tool, *args], capture_output=True, text=True)
        return "" if result.returncode == 0 else f"exit {result.returncode}: {result.stderr.strip()}"

    def evaluate(self, model, folder):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            code = self.mgbeval.main([model, "--input-dir=" + folder, "--expect-dir=" + folder, "--quiet"])
        return "" if code == 0 else text.getvalue().strip()[:300]

    def run(self, folder, model, expected, edges, back):
        path = lambda name: os.path.join(folder, name)
        with open(path("net.pbtxt"), "w") as f:
            f.write(model.finish(edges))
        for k, (_, array) in enumerate(model.inputs):
            np.save(path(f"in_{k}.npy"), array)
        with open(path("case.json"), "w") as f:
            entries = [{"name": n, "npy": f"in_{k}.npy", "shape": list(a.shape)} for k, (n, a) in enumerate(model.inputs)]
            json.dump({"inputs": entries}, f)
        for k, array in enumerate(expected):
            array = np.asarray(array)
            np.save(path(f"out_{k}.npy"), array.reshape(array.shape or (1,)))
        steps = [
            lambda: self.translate(path("net.pbtxt"), "-o", path("net.pb")),
            lambda: self.translate("--ge-to-mlir", path("net.pb"), "-o", path("net.mlir")),
            lambda: self.translate("--mlir-to-ge", path("net.mlir"), "-o", path("again.pb")),
            lambda: "" if open(path("net.pb"), "rb").read() == open(path("again.pb"), "rb").read() else "other bytes",
            lambda: self.translate(path("net.pb"), "-o", path("a.mge")),
            lambda: self.evaluate(path("a.mge"), folder),
        ]
        for k, step in enumerate(steps):
            error = step()
            if error:
                return f"step {k}: {error}"
        error = self.translate(path("a.mge"), "-o", path("b.pb"))
        if not back:
            return "" if "has no GE spelling" in error else f"is spelt or fails otherwise: {error}"
        error = error or self.translate(path("b.pb"), "-o", path("c.mge")) or self.evaluate(path("c.mge"), folder)
        return f"way back: {error}" if error else ""

    def __call__(self, name, build, back=True):
        if self.wanted not in name:
            return
        model = Model()
        edges, expected = build(model)
        if isinstance(edges, str):
            edges, expected = [edges], [expected]
        with tempfile.TemporaryDirectory() as folder:
            error = self.run(folder, model, expected, edges, back)
        if error:
            self.failed += 1
            print(f"FAIL {name}: {re.sub(r'/tmp/[^/]*/', '', error)}")
        else:
            self.passed += 1


def main():
    options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if a.startswith("--"))
    bin_dir, oracle, cases = [a for a in sys.argv[1:] if not a.startswith("--")]
    judge = Judge(bin_dir, oracle, options.get("filter", ""))
    sys.path.insert(0, os.path.dirname(os.path.abspath(cases)))
    __import__(os.path.basename(cases)[: -len(".py")]).run(judge)
    print(f"{judge.passed} passed, {judge.failed} failed")
    return 1 if judge.failed or judge.passed < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
