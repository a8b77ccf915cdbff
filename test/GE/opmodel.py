"""One-op GE models as text, and their evaluation through MegEngine's format.

A case is an OpDef with operands and attributes; `run` writes the model, converts
it to .mge and gives what the numpy oracle computes. `run_back` takes what the
file said away from the ops first (`ge.op`) and writes them as GE, which is then in
the exporter's spelling, and reads that.
"""
import contextlib
import io
import os
import subprocess

import numpy as np

DTYPES = {"f4": "DT_FLOAT", "f2": "DT_FLOAT16", "i4": "DT_INT32", "u1": "DT_UINT8", "i1": "DT_INT8"}


def dims(shape):
    return "shape { " + " ".join(f"dim: {d}" for d in shape) + " }"


def desc(array, layout="NCHW", origin=None):
    attr = f' attr {{ key: "origin_format" value {{ s: "{origin}" }} }}' if origin else ""
    kind = DTYPES[array.dtype.str[1:]]
    return f'dtype: {kind} {dims(array.shape)} layout: "{layout}" has_out_attr: true{attr}'


def attr(name, value):
    if isinstance(value, bool):
        text = f"b: {str(value).lower()}"
    elif isinstance(value, int):
        text = f"i: {value}"
    elif isinstance(value, float):
        text = f"f: {value!r}"
    elif isinstance(value, str):
        text = f's: "{value}"'
    elif all(isinstance(v, int) for v in value):
        text = "list { val_type: VT_LIST_INT " + " ".join(f"i: {v}" for v in value) + " }"
    else:
        text = "list { val_type: VT_LIST_FLOAT " + " ".join(f"f: {v!r}" for v in value) + " }"
    return f'attr {{ key: "{name}" value {{ {text} }} }}'


def escape(data):
    return "".join(f"\\{b:03o}" for b in data)


class Case:
    """`operands`: arrays (constants), None (a hole), or a name in `inputs`.

    `version` is the op's attribute, None for CANN's ops, which have none.
    `layouts` are the formats of the operands' descriptors.
    """

    def __init__(self, op, operands, attrs, inputs, version=5, layouts=None, outputs=1, shape=None):
        self.op, self.operands, self.attrs, self.inputs = op, operands, dict(attrs), inputs
        self.layouts, self.outputs, self.shape = layouts, outputs, shape
        if version is not None:
            self.attrs["version"] = version

    def text(self):
        ops, edges, descs = [], [], []
        for name, array in self.inputs.items():
            d = desc(array)
            ops.append(f'op {{ name: "{name}" type: "Data" input: "" has_out_attr: true input_desc {{ {d} }} output_desc {{ {d} }} }}')
        for k, operand in enumerate(self.operands):
            layout = self.layouts[k] if self.layouts else "NCHW"
            if operand is None:
                edges.append('input: ""')
                continue
            if isinstance(operand, str):
                edges.append(f'input: "{operand}:0"')
                array = self.inputs[operand]
            else:
                edges.append(f'input: "c{k}:0"')
                array = operand
                ops.append(
                    f'op {{ name: "c{k}" type: "Const" has_out_attr: true attr {{ key: "value" value {{ t {{ '
                    f'desc {{ {desc(array, layout)} }} data: "{escape(np.ascontiguousarray(array).tobytes())}" }} }} }} '
                    f"output_desc {{ {desc(array, layout)} }} }}"
                )
            descs.append(f"input_desc {{ {desc(array, layout, layout if self.layouts else None)} }}")
        attrs = " ".join(attr(*item) for item in self.attrs.items())
        result = f"output_desc {{ dtype: DT_FLOAT {dims(self.shape or ())} layout: \"NCHW\" has_out_attr: true }} " * self.outputs
        ops.append(f'op {{ name: "y" type: "{self.op}" {" ".join(edges)} {attrs} has_out_attr: true {" ".join(descs)} {result} }}')
        names = " ".join(f'input: "{name}:0"' for name in self.inputs)
        return f'name: "m" graph {{ name: "g" {names} output: "y:0"\n' + "\n".join(ops) + "\n}\n"


def translate(source, target):
    subprocess.run(["model-translate", source, "-o", target], check=True)


def evaluate(model, inputs, folder):
    import mgbeval

    for k, array in enumerate(inputs.values()):
        np.save(os.path.join(folder, f"in_{k}.npy"), array)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = mgbeval.main([model, "--input-dir=" + folder, "--save=" + folder, "--quiet"])
    if code:
        raise RuntimeError(text.getvalue())
    return np.load(os.path.join(folder, "out_0.npy"))


def run(case, folder):
    source, model = os.path.join(folder, "case.pbtxt"), os.path.join(folder, "case.mge")
    with open(source, "w") as f:
        f.write(case.text())
    translate(source, model)
    return evaluate(model, case.inputs, folder)


def strip(text):
    """MLIR without `ge.op` on operations."""
    lines = []
    for line in text.split("\n"):
        while line.startswith("    %") and "ge.op = {" in line:
            start = line.index("ge.op = {")
            end, depth, quoted = start + len("ge.op = "), 0, False
            while True:
                c = line[end]
                if c == '"' and line[end - 1] != "\\":
                    quoted = not quoted
                depth += 0 if quoted else (c == "{") - (c == "}")
                end += 1
                if depth == 0:
                    break
            before, after = line[:start], line[end:]
            if before.endswith(", "):
                before = before[:-2]
            elif after.startswith(", "):
                after = after[2:]
            line = before + after
        lines.append(line)
    return "\n".join(lines)


def run_back(case, folder):
    """After `run`: GE -> nn -> GE in the exporter's spelling -> .mge."""
    names = [os.path.join(folder, name) for name in ("case.pbtxt", "case.mlir", "back.mlir", "back.pb", "back.mge")]
    translate(*names[:2])
    with open(names[1]) as f, open(names[2], "w") as g:
        g.write(strip(f.read()))
    translate(*names[2:4])
    translate(*names[3:])
    return evaluate(names[4], case.inputs, folder)


def check(cases, folder, tolerance=2e-6):
    """Prints a line per case that differs from its expected array; returns the
    number of them. A case is (label, Case, expected, whether it goes back)."""
    bad = 0
    for label, case, expected, goes_back in cases:
        for how in (run, run_back) if goes_back else (run,):
            try:
                got = how(case, folder)
            except (RuntimeError, subprocess.CalledProcessError) as error:
                print(f"FAIL {label} ({how.__name__}): {error}")
                bad += 1
                continue
            if got.shape != expected.shape or got.dtype != expected.dtype:
                print(f"FAIL {label} ({how.__name__}): {got.shape} of {got.dtype}, expected {expected.shape} of {expected.dtype}")
                bad += 1
                continue
            error = np.abs(got.astype("f8") - expected.astype("f8")).max() if got.size else 0
            top = max(np.abs(expected.astype("f8")).max(), 1.0) if got.size else 1
            if not error <= tolerance * top:
                print(f"FAIL {label} ({how.__name__}): max abs error {error:.3g} of {top:.3g}")
                bad += 1
    print(f"{len(cases) - bad} of {len(cases)} cases are right")
    return bad
