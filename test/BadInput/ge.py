"""Damages small GE models: ge.py DRIVER MODEL-TRANSLATE MODEL.pbtxt...

Every mutant goes through the sanitized driver: it must survive, what it refuses
it must say something about and where, and what it takes must come out of it as
it went in, byte for byte; of a sample also through MLIR, by the tools.
"""
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

import badinput

BYTES = (0x00, 0xFF, 0x80)
WORDS = (0, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFF8, 1 << 31, (1 << 32) - 1, 1 << 63)
KINDS = ('i: 1', 'i: -1', 'f: 1', 's: "x"', 'b: true', 'bt: "x"', 'list { }', 'list { i: 1 i: 1 f: 1 }', 't { }', 'td { }', 'func { }', 'g { }', 'list_list_int { }', 'expression: "x"', '')
SAMPLE = 12


def cuts(data, suffix):
    # What is shorter is recognised as no GE model.
    least = {".pb": 2, ".om": 4, ".pbtxt": data.find(b"graph {")}[suffix]
    for length in range(least, len(data)):
        yield f"cut at {length}", data[:length]


def with_bytes(data):
    """Each byte set to one value, the next one to the next."""
    for at in range(len(data)):
        value = BYTES[at % len(BYTES)]
        if data[at] != value:
            yield f"byte {at} = {value:#x}", data[:at] + bytes([value]) + data[at + 1 :]


def with_kinds(data):
    """Each attribute of a text model with a value of each kind."""
    for match in re.finditer(rb"\n *value \{\n *(\w+: [^\n]*)\n", data):
        for kind in KINDS:
            yield f"{match[1].decode()} at {match.start()} = {kind}", data[: match.start(1)] + kind.encode() + data[match.end(1) :]


def with_words(data, end):
    """Header and partition table: words of both sizes at every 4 bytes."""
    for at in range(0, end, 4):
        for size, code in ((4, "<I"), (8, "<Q")):
            for word in WORDS:
                packed = struct.pack(code, word & ((1 << 8 * size) - 1))
                if at + size <= end and data[at : at + size] != packed:
                    yield f"{size} bytes at {at} = {word:#x}", data[:at] + packed + data[at + size :]


def varint(value):
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def entry(key, value):
    return field(1, key) + field(2, value)


def op(name, type_, inputs=(), attrs=(), *rest):
    parts = [field(1, name), field(2, type_), *(field(5, i) for i in inputs), *(field(10, a) for a in attrs), *rest]
    return field(6, b"".join(parts))


def model(*ops):
    return field(1, b"made") + field(7, b"".join(ops))


def input_desc(dims):
    shape = field(3, b"".join(varint(1 << 3) + varint(d & (1 << 64) - 1) for d in dims))
    return field(33, varint(2 << 3) + varint(1) + shape)


def nested(levels, kind):
    """An attribute within an attribute within ..."""
    value = varint(3 << 3) + varint(7)  # i: 7
    for _ in range(levels):
        if kind == "func":
            value = field(10, field(2, entry(b"a", value)))
        elif kind == "graph":
            value = field(13, op(b"o", b"Odd", (), [entry(b"a", value)]))
        else:  # A list of functions.
            value = field(1, field(11, field(2, entry(b"a", value))))
    return model(op(b"x", b"Odd", (), [entry(b"deep", value)]))


DATA = op(b"x", b"Data", [b""], (), input_desc([1, 2, 4, 4]))


def branches(levels):
    """A branch within a branch within ..."""
    graph = field(1, b"g") + DATA + field(5, b"x:0")
    for _ in range(levels):
        value = field(13, graph)
        names = [entry(slot, field(2, b"g")) for slot in (b"then_branch", b"else_branch")]
        graphs = [entry(slot, value if k == 0 else field(13, field(1, b"g") + DATA + field(5, b"x:0"))) for k, slot in enumerate((b"then_branch_graph", b"else_branch_graph"))]
        graph = field(1, b"g") + DATA + op(b"y", b"If", [b"x:0", b"x:0"], names + graphs) + field(5, b"y:0")
    return field(1, b"made") + field(7, graph)


def calls(levels, back=False):
    """A chain of graphs of the model, each calling the next."""
    graphs = [field(1, b"g%d" % k) + DATA + (op(b"y", b"PartitionedCall", [b"x:0"], (), field(35, b"g%d" % (k + 1))) + field(5, b"y:0")) for k in range(levels)]
    last = op(b"y", b"PartitionedCall", [b"x:0"], (), field(35, b"g1")) if back else op(b"y", b"Activation", [b"x:0"])
    graphs.append(field(1, b"g%d" % levels) + DATA + last + field(5, b"y:0"))
    return field(1, b"made") + b"".join(field(7, graph) for graph in graphs)


def made():
    """(name, bytes, whether it is good; None: may be either)."""
    for kind in ("func", "graph", "list"):
        for levels in (1, 8):
            yield f"{levels} levels of {kind}", nested(levels, kind), True
        for levels in (100, 101, 1000, 20000):
            yield f"{levels} levels of {kind}", nested(levels, kind), False
    for levels, good in ((1, True), (8, True), (30, False), (100, False)):
        yield f"{levels} levels of If", branches(levels), good
    for levels, good in ((1, True), (30, True), (32, False), (5000, False)):
        yield f"{levels} graphs that call each other", calls(levels), good
    yield "a graph that calls itself", calls(3, back=True), False
    for levels in range(20, 60):
        yield f"{levels} levels of func", nested(levels, "func"), None
    chain = [op(b"y%d" % k, b"Activation", [b"y%d:0" % (k - 1) if k else b"x:0"]) for k in range(20000)]
    yield "20000 ops in a row", model(DATA, *chain), True
    yield "100000 ops", model(DATA, *[op(b"y%d" % k, b"Odd", [b"x:0"]) for k in range(100000)]), True
    yield "20000 ops in a row, backwards", model(*reversed(chain), DATA), True
    yield "a cycle of 20000 ops", model(op(b"y0", b"Activation", [b"y19999:0"]), *chain[1:]), False
    yield "20000 ops of one name", model(DATA, *[op(b"x", b"Odd")] * 20000), False
    # Of attributes of one key the last counts; all come back.
    tensors = [entry(b"value", field(12, field(1, varint(2 << 3) + varint(1) + field(3, varint(1 << 3) + varint(1))) + field(2, data))) for data in (b"\0\0\0\0", b"\0\0\x80?")]
    yield "a constant of two values", model(DATA, op(b"w", b"Const", (), tensors), op(b"y", b"Odd", [b"x:0", b"w:0"])), True
    graphs = [entry(b"then_branch_graph", field(13, field(1, b"g") + DATA + op(b"y", type_, [b"x:0"]) + field(5, b"y:0"))) for type_ in (b"Odd", b"Activation", b"Neg")]
    names = [entry(slot, field(2, b"g")) for slot in (b"then_branch", b"else_branch")]
    yield "a branch of two graphs", model(DATA, op(b"y", b"If", [b"x:0", b"x:0"], [*names, *graphs, entry(b"else_branch_graph", field(13, field(1, b"g") + DATA + field(5, b"x:0")))])), True
    # Names of graphs in a list that is not that of the op's, whose attributes hold them.
    yield "a wrong number of graph names", model(DATA, op(b"y", b"If", [b"x:0", b"x:0"], [*names, graphs[1], entry(b"else_branch_graph", field(13, field(1, b"g") + DATA + field(5, b"x:0")))], field(35, b"g"))), True
    call = DATA + op(b"y", b"PartitionedCall", [b"x:0"], [entry(b"f", field(2, b"g"))]) + field(5, b"y:0")
    yield "a graph of the model that an attribute names", field(1, b"made") + field(7, field(1, b"m") + call) + field(7, field(1, b"g") + DATA + field(5, b"x:0")), True
    yield "20000 holes", model(DATA, op(b"y", b"Odd", [b""] * 20000 + [b"x:0"])), True
    yield "nothing", b"", False
    yield "no op", model(), True
    for dims in ((-1,), (-2,), (0,), (2**62, 2**62), (1,) * 32):
        yield f"dims {dims[:3]}", model(op(b"x", b"Data", [b""], (), input_desc(dims)), op(b"y", b"Activation", [b"x:0"])), None
    for dims in ((-3,), (-(2**63),), (1,) * 33, (1,) * 5000):
        yield f"dims {dims[:3]}", model(op(b"x", b"Data", [b""], (), input_desc(dims))), False
    for edge in (b"x:-0", b"x:00", b"x:+0", b"x", b":0", b"x:", b"x:-2", b"x:1", b"x:9223372036854775807", b"x:18446744073709551616", b"y:0", b"z:0", b"\xff:0", b"x:0x0", b"x: 0"):
        yield f"edge {edge}", model(DATA, op(b"y", b"Activation", [edge])), False


def container(parts, server, moved=()):
    """An IMOD file of (type, bytes), with a table of 32 or 64 bits. `moved` are offsets that the table tells instead."""
    at, table = 0, struct.pack("<I", len(parts)) + (b"\0\0\0\0" if server else b"")
    for k, (type_, data) in enumerate(parts):
        told = moved[k] if k < len(moved) else at
        table += struct.pack("<IIQQ", type_, 0, told, len(data)) if server else struct.pack("<III", type_, told, len(data))
        at += len(data)
    header = bytearray(256)
    header[:4] = b"IMOD"
    struct.pack_into("<II", header, 4, 256, 0x20000000 if server else 0x10000000)
    if server:
        struct.pack_into("<Q", header, 184, len(table) + at)
    else:
        struct.pack_into("<I", header, 76, len(table) + at)
    header[82] = 0 if server else 3
    return bytes(header) + table + b"".join(data for _, data in parts), 256 + len(table)


def merged(*stretches):
    """A model whose constants lie at stretches (offset, size) of WEIGHTS_DATA."""
    ops = []
    for k, (offset, size) in enumerate(stretches):
        # A size that is none of float32 elements is a fault whatever the shape.
        dims = (size // 4,) if size in range(4, 25, 4) else (2, 2)
        desc = varint(2 << 3) + varint(1) + field(3, b"".join(varint(1 << 3) + varint(d) for d in dims))
        desc += field(5, entry(b"merged_offset", varint(3 << 3) + varint(offset & (1 << 64) - 1)))
        desc += varint(11 << 3) + varint(size & (1 << 64) - 1)
        ops.append(op(b"w%d" % k, b"Const", (), [entry(b"value", field(12, field(1, desc)))]))
    return model(DATA, *ops, op(b"y", b"Odd", [b"x:0"] + [b"w%d:0" % k for k in range(len(stretches))]))


def containers():
    weights = bytes(range(24))
    for server in (False, True):
        for offset, size, good in ((0, 16, True), (8, 16, True), (9, 16, False), (8, 17, False), (-1, 16, False), (1 << 31, 16, False), (1 << 63, 16, False), ((1 << 63) - 1, 16, False), (0, -1, False), (0, 1 << 62, False), (24, 0, False)):
            yield f"server {server}, weights {offset}+{size}", container([(0, merged((offset, size))), (1, weights)], server)[0], good
        # Constants that share some of their bytes, with bytes of nobody before, behind or between.
        for stretches in (((0, 16), (8, 16)), ((8, 16), (0, 16)), ((0, 16), (0, 16), (4, 16)), ((0, 24), (8, 4), (4, 16)), ((0, 4), (8, 16), (12, 8)), ((5, 12), (1, 8)), ((0, 8), (4, 8), (4, 12), (6, 4))):
            yield f"server {server}, weights at {stretches}", container([(0, merged(*stretches)), (1, weights)], server)[0], True
        size = len(merged((0, 16)))
        for moved in ((0, 0), (0, size - 1), (size, 0), (1, size), (0, size + 8), (0, (1 << 32) - 8), *(((0, (1 << 64) - 8), ((1 << 64) - 8, 0)) if server else ())):
            yield f"server {server}, parts at {moved}", container([(0, merged((0, 16))), (1, weights)], server, moved)[0], False
        yield "no weights", container([(0, merged((0, 16)))], server)[0], False
        yield "no model", container([(1, weights)], server)[0], False
        yield "no partition", container([], server)[0], False
        yield "35 partitions", container([(0, merged((0, 16))), (1, weights)] + [(6, b"?")] * 33, server)[0], True
        yield "36 partitions", container([(0, merged((0, 16))), (1, weights)] + [(6, b"?")] * 34, server)[0], False
        yield "repeated partitions", container([(0, merged((0, 16))), (1, weights), (0, b"?"), (1, b""), (999, b"!")], server)[0], True
        data, end = container([(0, merged((4, 16))), (1, weights), (2, b"task")], server)
        yield from cuts(data, ".om")
        yield from with_words(data, end)


class Runner:
    def __init__(self, driver, translate, folder):
        self.judge, self.translate, self.folder = badinput.Judge(driver), translate, folder
        self.problems = self.judge.problems

    def run(self, what, mutants, suffix):
        """mutants: (name, bytes[, whether they are good])."""
        mutants = [(f"{what}: {name}", data, *expected) for name, data, *expected in mutants]
        verdicts = self.judge.run(((name, data) for name, data, *_ in mutants), suffix)
        good = []
        for (name, data, *expected), verdict in zip(mutants, verdicts.values()):
            if verdict.outcome == "not exported":
                self.judge.problem(verdict, "imported, but not exported")
            if expected and expected[0] is not None:
                self.judge.expect(verdict, "good" if expected[0] else "refused")
            if verdict.outcome == "good":
                good.append((name, data))
        self.check_same(good, suffix)

    def check_same(self, good, suffix):
        path, text, back = (os.path.join(self.folder, "same" + s) for s in (suffix, ".mlirbc", ".back"))
        for name, data in random.Random(1).sample(good, min(SAMPLE, len(good))):
            with open(path, "wb") as f:
                f.write(data)
            for command in ([path, "-o", text, "--emit=mlirbc"], [text, "-o", back, "--emit=" + suffix[1:]]):
                result = subprocess.run([self.translate, *command], capture_output=True, text=True, errors="replace", timeout=300, check=False)
                if result.returncode != 0:
                    self.problems.append(f"{name}: model-translate: exit {result.returncode}: {result.stderr[-2000:]}")
                    break
            else:
                with open(back, "rb") as f:
                    if f.read() != data:
                        self.problems.append(f"{name}: comes back as other bytes")


def main():
    driver, translate, *models = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(driver, translate, folder)
        for text in models:
            what = os.path.basename(text)
            for suffix in (".pb", ".om", ".pbtxt"):
                source = os.path.join(folder, "source" + suffix)
                subprocess.run([translate, text, "-o", source], check=True)
                with open(source, "rb") as f:
                    data = f.read()
                if suffix == ".pbtxt":
                    # The text parser is protobuf's own.
                    runner.run(what + suffix, list(cuts(data, suffix))[::7], suffix)
                    runner.run(what + suffix, with_kinds(data), suffix)
                    continue
                runner.run(f"{what} as {suffix}", cuts(data, suffix), suffix)
                runner.run(f"{what} as {suffix}", with_bytes(data), suffix)
                if suffix == ".om":
                    end = 256 + 4 + 12 * struct.unpack_from("<I", data, 256)[0]
                    runner.run(f"{what} as {suffix}", with_words(data, end), suffix)
        runner.run("made", made(), ".pb")
        runner.run("container", containers(), ".om")
        runner.judge.finish()


if __name__ == "__main__":
    main()
