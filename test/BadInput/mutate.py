#!/usr/bin/env python3
"""Damages small models in one way after the other.

usage: mutate.py DRIVER MODEL_INFO truncations|fields|unions MODEL...

truncations  the file cut at every byte
fields       every field of the FlatBuffer (found by the schema, those with
             default values stored too) and of the header, set to each of 0,
             1, -1, 2^31, 2^32-1, 2^63 as far as it has the bytes
unions       every operator's params replaced by every member of the union
"""
import re
import sys

import badinput

VALUES = {
    1: (0, 1, 0x80, 0xFF),
    2: (0, 4, 0x8000, 0xFFFF),
    4: (0, 1, 1 << 31, (1 << 31) - 1, 0xFFFFFFFF),
    8: (0, 1 << 31, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1),
}


def truncations(judge, model, tool):
    verdicts = judge.run((f"cut at {size}", model.data[:size]) for size in range(len(model.data)))
    for verdict in verdicts.values():
        judge.expect(verdict, "refused", r"beyond|ends|too short|where the file has|not a MegEngine file|empty")
    for size in (0, 5, len(model.data) // 2, len(model.data) - 1):
        judge.check_tool(tool, model.data[:size], "error: ")


def fields(judge, model, tool):
    data = model.packed(full=True)
    judge.expect(next(iter(judge.run([("undamaged", data)]).values())), "good")
    mutants, owners, sample = [], {}, []
    for field in model.fields(data):
        for value in VALUES[field.size]:
            mutant = data[: field.at] + value.to_bytes(field.size, "little") + data[field.at + field.size :]
            if mutant == data:
                continue
            name = f"{'.'.join(map(str, field.path))} ({field.role}) = {value:#x}"
            mutants.append((name, mutant))
            # Values of an operator's own members; a wrong offset or vtable may
            # take any shape.
            if field.path[0] == "oprs" and len(field.path) > 2 and field.role in ("scalar", "union"):
                owners[name] = field.path[1]
    for (name, mutant), verdict in zip(mutants, judge.run(mutants).values()):
        if verdict.outcome != "refused":
            continue
        # A value that is wrong of itself, or that a reader behind stumbles on.
        if name in owners and not any(k >= owners[name] for k in verdict.operators):
            if not re.search("output var|tensors take|shared tensors", verdict.text):
                judge.problem(verdict, f"operator {owners[name]} (or one behind) is not blamed")
        sample.append(mutant)
    for mutant in sample[:: max(1, len(sample) // 10)]:
        judge.check_tool(tool, mutant, "error: ")


def unions(judge, model, tool):
    names = {tag: name.rpartition(".")[2] for tag, (name, _) in model.kind.schema.types["modelwright.mgb.fbs.OperatorParam"][1].items()}
    mutants = []
    for k, opr in enumerate(model.tree["oprs"]):
        own = opr.get("param", {}).get("tag")
        for tag in names:
            if tag == own:
                continue
            # A graph whose members above 40 are all one too large is one of the
            # development builds that numbered them so.
            if model.data[:4] == b"MGBS" and own and own > 40 and tag == own + 1:
                continue
            # The member with all its defaults, and the old table under its tag.
            for table in ({}, opr["param"]["table"]) if own else ({},):
                other = model.copy()
                other.tree["oprs"][k]["param"] = {"tag": tag, "table": table}
                try:
                    mutants.append((k, tag, other.packed()))
                except (KeyError, TypeError, AttributeError):
                    pass  # The old table's members are of other types.
    judged = judge.run((f"operator {k} with param {names[tag]}", data) for k, tag, data in mutants)
    for (k, tag, data), verdict in zip(mutants, judged.values()):
        # Files of tensors and inputs have no param to begin with.
        judge.expect(verdict, "refused", rf"param|MultiHeadAttn", operator=k)
    judge.check_tool(tool, mutants[0][2], "param")


def main():
    driver, tool, what, *paths = sys.argv[1:]
    judge = badinput.Judge(driver)
    for path in paths:
        {"truncations": truncations, "fields": fields, "unions": unions}[what](judge, badinput.load(path), tool)
    judge.finish()


if __name__ == "__main__":
    main()
