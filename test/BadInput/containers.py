#!/usr/bin/env python3
"""Damages testcase containers and packed models.

usage: containers.py DRIVER MODEL_INFO MODEL...

Both are made here around the models: cut at every byte, with every count and
offset of their own set to impossible values, with too few or too many graphs,
and inside of each other.
"""
import struct
import sys

import badinput
import flatfields
import flatpack
from mutate import VALUES

HUGE = (1 << 32) - 1


def make_testcase(main, graphs, count=None):
    return b"mgbtest0" + struct.pack("<I", len(graphs) if count is None else count) + main + b"".join(graphs)


def make_packed(data, **header):
    kind = badinput.PACK
    members = {"name": b"net", "info_decryption_method": b"NONE", "model_decryption_method": b"NONE"}
    members.update(header)
    tree = {"models": [{"header": members, "info": {"data": b"{}"}, "data": {"data": data}}]}
    return b"packed_model" + flatpack.pack(tree, kind.schema, kind.root, prefixed=False, full=True)


def testcases(judge, tool, graph):
    whole = make_testcase(graph, [graph, graph])
    cases = [("a whole testcase", whole, "good", "")]
    for size in range(len(whole)):
        cases.append((f"testcase cut at {size}", whole[:size], "refused", "beyond|ends|too short|where the file has|not a MegEngine file|empty"))
    for count in (0, 1):
        cases.append((f"{count} of 2 graphs", make_testcase(graph, [graph, graph], count), "refused", "bytes follow the last graph"))
    for count in (3, 1 << 31, (1 << 31) - 1, HUGE):
        cases.append((f"{count} graphs, 2 there", make_testcase(graph, [graph, graph], count), "refused", f"ends after 2 of {count} testcase graphs"))
    nested = make_testcase(graph, [graph])
    cases.append(("a testcase inside", make_testcase(nested, [graph]), "refused", "testcase header where a graph is expected"))
    cases.append(("a testcase as a testcase's graph", make_testcase(graph, [nested]), "refused", "testcase graph 1: .*testcase header where a graph is expected"))
    cases.append(("a packed model inside", make_testcase(make_packed(graph), []), "refused", "packed model where a graph is expected"))
    cases.append(("a pickle inside", make_testcase(graph, [b"\x80\x04\x95 and so on"]), "refused", "testcase graph 1: .*pickle"))
    # A fault in a later graph names graph and operator.
    model = badinput.Model(graph)
    k = next(k for k, opr in enumerate(model.tree["oprs"]) if opr.get("inputs"))
    model.tree["oprs"][k]["inputs"][0] = HUGE
    cases.append(("a fault in the second testcase graph", make_testcase(graph, [graph, model.packed()]), "refused", rf"testcase graph 2: operator {k} \(.*input var {HUGE}"))
    return cases


def packed(judge, tool, graph):
    whole = make_packed(graph)
    damaged = "damaged|impossible size|not a MegEngine file|no data|holds|beyond|ends|too short|where the file has|empty"
    cases = [("a whole packed model", whole, "good", "")]
    cases.append(("a packed testcase", make_packed(make_testcase(graph, [graph])), "good", ""))
    # Behind the last offset there is only the graph: each cut loses a part.
    for size in range(len(whole)):
        if whole[size:].strip(b"\0"):
            cases.append((f"packed model cut at {size}", whole[:size], "refused", damaged))
    kind = badinput.PACK
    for field in flatfields.fields(whole[12:], 0, kind.schema, kind.root):
        at = field.at + 12
        for value in VALUES[field.size]:
            mutant = whole[:at] + value.to_bytes(field.size, "little") + whole[at + field.size :]
            cases.append((f"packed model: {field.path} = {value:#x}", mutant, None, ""))
    cases.append(("a packed model inside", make_packed(whole), "refused", "packed model where a graph is expected"))
    cases.append(("an encrypted model", make_packed(graph, model_decryption_method=b"AES_default"), "refused", "encrypted with 'AES_default'"))
    cases.append(("no bytes inside", make_packed(b""), "refused", "empty"))
    for count in (0, 2):
        tree = {"models": [{"data": {"data": graph}}] * count}
        cases.append((f"{count} models", b"packed_model" + flatpack.pack(tree, kind.schema, kind.root, prefixed=False), "refused", f"holds {count} models"))
    cases.append(("a model without data", b"packed_model" + flatpack.pack({"models": [{}]}, kind.schema, kind.root, prefixed=False), "refused", "no data"))
    return cases


def main():
    driver, tool, *paths = sys.argv[1:]
    judge = badinput.Judge(driver)
    for path in paths:
        with open(path, "rb") as f:
            graph = f.read()
        cases = testcases(judge, tool, graph) + packed(judge, tool, graph)
        verdicts = judge.run((name, data) for name, data, _, _ in cases)
        for (name, data, outcome, pattern), verdict in zip(cases, verdicts.values()):
            if outcome:
                judge.expect(verdict, outcome, pattern)
            if outcome == "refused" and " cut at " not in name:
                judge.check_tool(tool, data, pattern)
    judge.finish()


if __name__ == "__main__":
    main()
