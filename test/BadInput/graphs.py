#!/usr/bin/env python3
"""Models that are sound FlatBuffers of impossible graphs.

usage: graphs.py DRIVER MODEL_INFO MODEL...

Cycles, ids that do not exist or are given twice, names given twice, shapes
whose product overflows, tensors beyond or inside of each other, operators with
too few or too many inputs, params and tensors.
"""
import struct
import sys

import badinput

HUGE = (1 << 32) - 1


class Graphs:
    def __init__(self, judge, tool, path):
        self.judge, self.tool, self.path = judge, tool, path
        self.model = badinput.load(path)
        self.cases = []  # name, bytes, outcome, pattern, operator

    def add(self, name, change, pattern, operator=None, outcome="refused"):
        """A case: `change` edits the tree of a copy of the model."""
        model = self.model.copy()
        change(model.tree, model)
        self.cases.append((f"{self.path}: {name}", model.packed(), outcome, pattern, operator))

    def run(self):
        verdicts = self.judge.run((name, data) for name, data, *_ in self.cases)
        for (name, data, outcome, pattern, operator), verdict in zip(self.cases, verdicts.values()):
            self.judge.expect(verdict, outcome, pattern, operator)
            if outcome == "refused":
                self.judge.check_tool(self.tool, data, pattern)

    #===--- Edges ---------------------------------------------------------===#

    def edges(self):
        oprs = self.model.tree["oprs"]
        undefined = "is not defined before" if self.model.is_v2 else "is not among the"
        last = 0
        for k, opr in enumerate(oprs):
            if self.model.is_v2:
                own = opr["outputs"][0]
                last = max(last, *opr["outputs"])
            else:
                own = None  # Ids follow from counts: taken from a reader below.
            for j, _ in enumerate(opr.get("inputs", [])):
                targets = {"a var of nobody": HUGE, "the last of 2^31 vars": 1 << 31}
                if own is not None:
                    targets["its own output"] = own
                    if k + 1 < len(oprs):
                        targets["a later operator's output"] = oprs[k + 1]["outputs"][0]
                for what, target in targets.items():
                    self.add(f"operator {k} reads {what}", lambda t, m, k=k, j=j, v=target: t["oprs"][k]["inputs"].__setitem__(j, v), f"input var {target} {undefined}", k)
        if not self.model.is_v2:
            # The producer of the graph's output is the last operator: reading
            # that var anywhere is a cycle.
            output = self.model.tree["output_vars_idx"][0]["compact_id"]
            for k, opr in enumerate(oprs):
                if opr.get("inputs"):
                    self.add(f"operator {k} reads the graph's output", lambda t, m, k=k: t["oprs"][k]["inputs"].__setitem__(0, output), f"input var {output} {undefined}", k)
        else:
            self.output_ids(oprs, last)
        self.add("a graph output is a var of nobody", lambda t, m: t["output_vars_idx"][0].__setitem__("compact_id", HUGE), f"output var {HUGE} is not among")
        self.add("a var is an output twice", lambda t, m: t["output_vars_idx"].append(dict(t["output_vars_idx"][0])), "", outcome="good")

    def output_ids(self, oprs, last):
        """V2 names outputs: ids that clash, or leave a gap."""
        taken = oprs[0]["outputs"][0]
        for k in range(1, len(oprs)):
            self.add(f"operator {k} writes operator 0's output", lambda t, m, k=k: t["oprs"][k]["outputs"].__setitem__(0, taken), f"output var {taken} is defined twice", k)
            self.add(f"operator {k} writes a var of nobody", lambda t, m, k=k: t["oprs"][k]["outputs"].__setitem__(0, HUGE), "is not among the", k)
            self.add(f"operator {k} has no outputs", lambda t, m, k=k: t["oprs"][k].__setitem__("outputs", []), "outputs|vars|is not among|not defined")
        self.add("too few middle tensors", lambda t, m: t["middle_tensors"].pop(), "middle tensors")

    #===--- Names ---------------------------------------------------------===#

    def names(self):
        oprs = self.model.tree["oprs"]
        inputs = [k for k, o in enumerate(oprs) if "param" in o and o["param"]["tag"] == 63]
        if inputs:
            first = inputs[0]

            def twice(tree, model):
                # A second input of the same name, in front so that V1's ids of
                # the others move by one.
                clone = dict(tree["oprs"][first], outputs=[0])
                for opr in tree["oprs"]:
                    opr["inputs"] = [i + 1 for i in opr.get("inputs", [])]
                    if model.is_v2:
                        opr["outputs"] = [i + 1 for i in opr["outputs"]]
                if model.is_v2 and "middle_tensors" in tree:
                    tree["middle_tensors"].insert(0, {"name": b"clone"})
                for output in tree["output_vars_idx"]:
                    output["compact_id"] += 1
                clone.pop("output_name", None)
                if not model.is_v2:
                    clone.pop("outputs")
                clone["name"] = b"clone"
                tree["oprs"].insert(0, clone)

            name = oprs[first]["tensors"][0]["name"].decode()
            self.add("two inputs of one name", twice, f"second input named '{name}'", first + 1)
        if self.model.is_v2:
            middles = self.model.tree.get("middle_tensors", [])
            if len([m for m in middles if m.get("name")]) > 1:
                self.add("two vars of one name", lambda t, m: t["middle_tensors"][-1].__setitem__("name", t["middle_tensors"][0]["name"]), "a second var named")
        else:
            named = [k for k, o in enumerate(oprs) if o.get("output_name")]
            if len(named) > 1:
                a, b = named[0], named[-1]
                self.add("two vars of one name", lambda t, m: t["oprs"][b]["output_name"].__setitem__(0, t["oprs"][a]["output_name"][0]), "a second var named", b)
        # Names of operators are for people: the framework does not compare them.
        self.add("two operators of one name", lambda t, m: [o.__setitem__("name", b"same") for o in t["oprs"]], "", outcome="good")

    #===--- Tensors -------------------------------------------------------===#

    def tensors(self):
        for k, opr in enumerate(self.model.tree["oprs"]):
            holder = opr["tensors"][0] if opr.get("tensors") else None
            if not holder:
                continue
            stored = bool(holder.get("data") or holder.get("data_size"))

            def shape(dims):
                return lambda t, m, k=k: t["oprs"][k]["tensors"][0].__setitem__("shape", dims)

            overflow = "overflows|too large|needs|more than"
            self.add(f"operator {k}: 2^32-1 cubed elements", shape([HUGE] * 3), overflow, k)
            self.add(f"operator {k}: 2^64 elements", shape([1 << 16] * 4), overflow, k)
            self.add(f"operator {k}: 2^62 elements of 4 bytes", shape([1 << 31, 1 << 31]), overflow, k)
            if stored:
                self.add(f"operator {k}: more elements than bytes", shape([HUGE]), "needs", k)
                self.add(f"operator {k}: fewer elements than bytes", shape([]) if holder.get("shape") != [] else shape([7]), "needs|", k)
            self.add(f"operator {k}: no tensor", lambda t, m, k=k: t["oprs"][k].__setitem__("tensors", []), "tensors", k)
            self.add(f"operator {k}: a tensor too many", lambda t, m, k=k: t["oprs"][k]["tensors"].append(t["oprs"][k]["tensors"][0]), "tensors|goes beyond|outputs", k)
            self.add(f"operator {k}: an unknown dtype", lambda t, m, k=k: t["oprs"][k]["tensors"][0].__setitem__("dtype", {"type": 22}), "dtype 22", k)
            self.add(f"operator {k}: a negative dtype", lambda t, m, k=k: t["oprs"][k]["tensors"][0].__setitem__("dtype", {"type": 255}), "dtype -1", k)
            if stored and not self.model.is_v2:
                self.area(k)

    def area(self, k):
        """V1: tensors lie one behind the other in front of the FlatBuffer."""
        for size in (HUGE, 1 << 31, (1 << 31) - 1):
            self.add(f"operator {k}: a tensor of {size} bytes", lambda t, m, s=size: t["oprs"][k]["tensors"][0].__setitem__("data_size", s), "beyond the tensor area", k)
        for skip in (HUGE, 1 << 31):
            self.add(f"operator {k}: a value behind {skip} bytes", lambda t, m, s=skip: t["oprs"][k]["tensors"][0].__setitem__("offset", s), f"skips {skip}", k)
        self.add(f"operator {k}: a tensor that leaves bytes to the next", lambda t, m: t["oprs"][k]["tensors"][0].__setitem__("data_size", t["oprs"][k]["tensors"][0]["data_size"] - 1), "needs", k)
        self.add(f"operator {k}: bytes between tensors", lambda t, m: m.put_values_back(m.front[16 if m.data[3:4] == b"S" else 24 :] + b"\0" * 8), "tensors take")

    #===--- Operators -----------------------------------------------------===#

    def operators(self):
        for k, opr in enumerate(self.model.tree["oprs"]):
            def change(key, value):
                return lambda t, m, k=k: t["oprs"][k].__setitem__(key, value)

            inputs = opr.get("inputs", [])
            self.add(f"operator {k} with 100 inputs more", change("inputs", inputs + (inputs[:1] or [0]) * 100), "inputs|operand|is not among|defined|dim|shape|rank|item|needs one tensor|elements|type")
            if inputs:
                self.add(f"operator {k} without inputs", change("inputs", []), "inputs|operand", k)
            self.add(f"operator {k} of type 0", change("type_id", 0), "no type id", k)
            if not opr.get("tensors"):
                self.add(f"operator {k} with a tensor", change("tensors", [{"shape": [1]}]), "tensor", k)
            if "param" in opr:
                policy = {"tag": 55, "table": {}}
                self.add(f"operator {k} with three params", change("additional_params", [policy] * 2), "params, expected", k)
        self.add("no operators", lambda t, m: t.__setitem__("oprs", []), "output var|no operators")
        self.add("no list of operators", lambda t, m: t.pop("oprs"), "has no operators")


def main():
    driver, tool, *paths = sys.argv[1:]
    judge = badinput.Judge(driver)
    for path in paths:
        graphs = Graphs(judge, tool, path)
        graphs.edges()
        graphs.names()
        graphs.tensors()
        graphs.operators()
        graphs.run()
    judge.finish()


if __name__ == "__main__":
    main()
