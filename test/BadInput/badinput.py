"""What the tests of bad input share: models to damage, and their judge."""
import copy
import os
import re
import struct
import subprocess
import sys
import tempfile

import flatfields
import flatpack

SCHEMAS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "schemas", "mgb")


class Kind:
    """An encoding of graphs: schema, root type, and identifier."""

    def __init__(self, file, root, identifier):
        self.schema = flatfields.Schema(os.path.join(SCHEMAS, file))
        self.root, self.identifier = root, identifier


V1 = Kind("mgb1.fbs", "modelwright.mgb.fbs.v1.Graph", b"mgb1")
V2 = Kind("mgv2.fbs", "modelwright.mgb.fbs.v2.Model", b"mgv2")
PACK = Kind("pack_model.fbs", "modelwright.mgb.fbs.pack.PackModel", b"")


class Model:
    """A graph file as bytes in front of its FlatBuffer, and a tree of values."""

    def __init__(self, data):
        self.data = data
        if data[8:12] == b"mgv2":
            self.kind, self.start = V2, 0
        else:
            header = 16 if data[:4] == b"MGBS" else 24
            self.kind, self.start = V1, header + struct.unpack_from("<Q", data, header - 8)[0]
        self.front = data[: self.start]
        self.tree = flatpack.unpack(data[self.start :], 4, self.kind.schema, self.kind.root)

    @property
    def is_v2(self):
        return self.kind is V2

    def copy(self):
        """A copy whose tree may be changed."""
        other = copy.copy(self)
        other.tree = copy.deepcopy(self.tree)
        return other

    def packed(self, full=False):
        """The file of the tree; `full` stores the defaults too."""
        kind = self.kind
        return self.front + flatpack.pack(self.tree, kind.schema, kind.root, kind.identifier, full=full)

    def fields(self, data):
        """The fields of a file of this kind with the same front."""
        for field in flatfields.fields(data[self.start :], 4, self.kind.schema, self.kind.root):
            yield field._replace(at=field.at + self.start)
        if not self.is_v2:
            yield flatfields.Field(("<header>", "reserved"), "scalar", 4, 4)
            if self.data[:4] == b"MGBC":
                yield flatfields.Field(("<header>", "features"), "scalar", 8, 4)
                yield flatfields.Field(("<header>", "reserved"), "scalar", 12, 4)
            yield flatfields.Field(("<header>", "offset"), "offset", 16 if self.data[:4] == b"MGBC" else 8, 8)
        yield flatfields.Field(("<prefix>",), "count", self.start, 4)
        yield flatfields.Field(("<identifier>",), "scalar", self.start + 8, 4)

    def put_values_back(self, values):
        """V1 keeps tensor values in front: lays out other ones."""
        header = 16 if self.data[:4] == b"MGBS" else 24
        self.front = self.data[: header - 8] + struct.pack("<Q", len(values)) + values
        self.start = len(self.front)


def load(path):
    with open(path, "rb") as f:
        return Model(f.read())


# "FILE:N: " is the driver's rendering of the location; operators are named as
# "operator 3 (Reduce) 'x': " by the reader, "opr #3 'x' (Reduce): " by the
# importer, "op #3 'x' (Reduce): " of GE models.
LOCATED = re.compile(r"error: (?P<file>[^:]+):(?P<line>\d+): (?P<graph>testcase graph \d+: )?(?P<opr>operator (?P<n1>\d+)(?: \([^)]*\))?(?: '.*?')?: |opr? #(?P<n2>\d+)(?: '.*?')?(?: \([^)]*\))?: )?(?P<text>.+)$")


class Verdict:
    def __init__(self, name):
        self.name, self.outcome, self.lines, self.operators = name, None, [], []

    @property
    def text(self):
        return "; ".join(self.lines)


class Judge:
    """Runs mutants through the sanitized driver and keeps the faults found."""

    def __init__(self, driver):
        self.driver, self.problems, self.counts = driver, [], {}

    def run(self, mutants, suffix=".mge"):
        """mutants: (name, bytes) pairs. Returns a Verdict for each name."""
        verdicts = {}
        with tempfile.TemporaryDirectory() as folder:
            paths = {}
            for number, (name, data) in enumerate(mutants):
                path = os.path.join(folder, f"{number}{suffix}")
                with open(path, "wb") as f:
                    f.write(data)
                paths[path] = name
            todo = list(paths)
            while todo:
                done = self.run_some(todo, paths, verdicts)
                todo = todo[done:]
        for verdict in verdicts.values():
            self.check(verdict)
        return verdicts

    def run_some(self, todo, paths, verdicts):
        """Runs the driver once; returns how many mutants it got through."""
        result = subprocess.run([self.driver], input="\n".join(todo).encode(), capture_output=True, timeout=1500)
        current = None
        done = 0
        for line in result.stdout.decode(errors="replace").splitlines():
            if not line.startswith("  "):
                current = verdicts[line] = Verdict(paths[line])
                done += 1
            elif current.outcome is None:
                current.outcome = line.strip()
            else:
                current.lines.append(line.strip())
        if result.returncode != 0:
            # The sanitizers end the process: go on behind the culprit.
            if current is None:
                sys.exit(f"the driver does not run: {result.stderr.decode(errors='replace')[:2000]}")
            current.outcome = "crash"
            error = result.stderr.decode(errors="replace")
            current.lines = [l for l in error.splitlines() if "ERROR" in l or "runtime error" in l or re.match(r"\s+#\d+ .*modelwright", l)][:6] or [error[-2000:]]
        elif done != len(todo):
            sys.exit("the driver lost an input")
        return done

    def check(self, verdict):
        """What holds for every mutant; collects the operators it blames."""
        self.counts[verdict.outcome] = self.counts.get(verdict.outcome, 0) + 1
        if verdict.outcome not in ("refused", "not exported", "good"):
            self.problem(verdict, verdict.outcome)
            return
        for line in verdict.lines:
            match = LOCATED.match(line)
            if not match:
                self.problem(verdict, "no location")
                continue
            number = match["n1"] or match["n2"]
            if number is not None:
                verdict.operators.append(int(number))
                if number != match["line"]:
                    self.problem(verdict, "the location and the message name different operators")

    def problem(self, verdict, what):
        self.problems.append(f"{verdict.name}: {what}: {verdict.text[:1500]}")

    def expect(self, verdict, outcome, pattern="", operator=None):
        """A mutant whose fate is known: outcome, message, blamed operator."""
        if verdict.outcome != outcome:
            self.problem(verdict, f"{verdict.outcome}, expected {outcome}")
        elif not re.search(pattern, verdict.text):
            self.problem(verdict, f"no message like '{pattern}'")
        elif operator is not None and operator not in verdict.operators:
            self.problem(verdict, f"operator {operator} is not blamed")

    def check_tool(self, tool, data, pattern, suffix=".mge"):
        """The real tool: exit code 1, and each line names the file."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad" + suffix)
            with open(path, "wb") as f:
                f.write(data)
            result = subprocess.run([tool, path], capture_output=True, text=True, errors="replace")
        lines = result.stderr.splitlines()
        named = lines and all(line.startswith(path + ": error: ") for line in lines)
        if result.returncode != 1 or result.stdout or not named or not re.search(pattern, result.stderr):
            self.problems.append(f"{tool}: exit {result.returncode}, expected 1 and '{pattern}'\n{result.stdout[:500]}{result.stderr[:2000]}")

    def finish(self):
        total = sum(self.counts.values())
        print(f"{total} mutants:", ", ".join(f"{n} {o}" for o, n in sorted(self.counts.items())))
        if self.problems:
            print("\n".join(self.problems[:40]))
            sys.exit(f"{len(self.problems)} problems")
        if not total:
            sys.exit("no mutant was made")
