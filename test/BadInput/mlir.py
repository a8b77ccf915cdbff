#!/usr/bin/env python3
"""Gives the exporter modules that no importer makes.

usage: mlir.py DRIVER MODEL_OPT MODEL...

Every mgb.* attribute of an imported model, and every entry of those that are
dictionaries, is given values of wrong kinds and absurd ones, and left out. The
module's resources are damaged, text and bytecode are cut.
"""
import re
import subprocess
import sys
import tempfile

import badinput

VALUES = (
    "unit", "true", "-1 : i64", "0 : i64", "4611686018427387904 : i64", "-9223372036854775808 : i64", "4294967295 : i64",
    "340282366920938463463374607431768211455 : i128", "18446744073709551615 : ui64", "-1 : si8", "1.0 : f32", "f32", "i7",
    '"x"', '""', "[]", "[unit]", "[1]", '["x", "x", "x"]', "{}", "{a = 1}", "array<i8>", "array<i8: 1>", "array<i64: -1, 3>", "array<i1: true>",
    "dense<1> : tensor<2xi32>", "@symbol", "affine_map<() -> ()>", "#nn.layout<nchw>",
)


def end_of_value(text, at):
    """The end of the attribute value at `at`: a comma or bracket outside."""
    depth = 0
    while at < len(text):
        c = text[at]
        if c == '"':
            at = re.compile(r'"(\\.|[^"\\])*"').match(text, at).end()
            continue
        if text.startswith("->", at):
            at += 2
            continue
        if c in "([{<":
            depth += 1
        elif c in ")]}>":
            if depth == 0:
                return at
            depth -= 1
        elif c == "," and depth == 0:
            return at
        at += 1
    return at


def attributes(text):
    """(name, start, end) of each value of an mgb.* attribute and its entries."""
    for match in re.finditer(r"(mgb\.\w+) = ", text):
        start, end = match.end(), end_of_value(text, match.end())
        yield match[1], start, end
        for inner in re.finditer(r"[{,] ?(\w+) = ", text[start:end]):
            yield f"{match[1]}.{inner[1]}", start + inner.end(), end_of_value(text, start + inner.end())


def emit(tool, path, kind):
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/model.{kind}"
        subprocess.run([tool, path, f"--emit={kind}", "-o", out], check=True)
        with open(out, "rb") as f:
            return f.read()


def main():
    driver, tool, *paths = sys.argv[1:]
    judge = badinput.Judge(driver)
    for path in paths:
        data = emit(tool, path, "mlir")
        text = data.decode()
        body, _, resources = text.partition("{-#")
        mutants = [("undamaged", data)]
        seen = {}
        for name, start, end in attributes(body):
            # The same attribute of hundreds of constants is one case.
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                continue
            for value in VALUES:
                if body[start:end] != value:
                    mutants.append((f"{path}: {name} #{seen[name]} = {value}", (body[:start] + value + body[end:] + "{-#" + resources).encode()))
        for match in re.finditer(r'(mgb\.\w+)( = )', body):
            mutants.append((f"{path}: without {match[1]}", (body[: match.start()] + "other" + body[match.start() :]).encode()))
        if resources:
            mutants.append((f"{path}: no resources", body.encode()))
            blob = re.search(r'"0x[0-9A-Fa-f]+"', resources)
            for what, new in (("an empty resource", '"0x04000000"'), ("a short resource", '"0x0400000000000000"'), ("odd digits", '"0x040000000"'), ("no digits", '"zz"')):
                mutants.append((f"{path}: {what}", (body + "{-#" + resources[: blob.start()] + new + resources[blob.end() :]).encode()))
        step = max(1, len(data) // 400)
        mutants += [(f"{path}: text cut at {size}", data[:size]) for size in range(0, len(data), step)]
        verdicts = judge.run(mutants, ".mlir")
        judge.expect(verdicts_by_name(verdicts, "undamaged"), "good")
        bytecode = emit(tool, path, "mlirbc")
        step = max(1, len(bytecode) // 400)
        cuts = [(f"{path}: bytecode cut at {size}", bytecode[:size]) for size in range(0, len(bytecode), step)]
        for verdict in judge.run(cuts, ".mlirbc").values():
            # Nothing at all is an empty module.
            judge.expect(verdict, "not exported" if verdict.name.endswith(" at 0") else "refused")
    judge.finish()


def verdicts_by_name(verdicts, name):
    return next(v for v in verdicts.values() if v.name == name)


if __name__ == "__main__":
    main()
