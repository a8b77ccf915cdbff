"""Finds every field of a FlatBuffer, by its schema.

`fields(buffer, start, schema, root)` walks from the root table at `start` and
yields a `Field` for each stored scalar, offset, count and union member, and for
each entry of a vtable, with the place of its bytes. The `.fbs` files are parsed
here: no generated Python code is needed.
"""
import collections
import os
import re
import struct

SIZES = {"bool": 1, "byte": 1, "ubyte": 1, "short": 2, "ushort": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8, "double": 8}

# path: ("oprs", 3, "inputs", 0); role: scalar, union, offset, count or vtable.
Field = collections.namedtuple("Field", "path role at size")


class Schema:
    """The types of an .fbs file and of what it includes."""

    def __init__(self, path):
        # Full name -> ("table"|"struct", [(name, (shape, type), namespace)]),
        # ("enum", base) or ("union", {tag: (type, namespace)}).
        self.types = {}
        self.defaults = {}  # (table, member) -> text
        self.enumerators = {}  # full name -> {name: number}
        self.seen = set()
        self._load(path)

    def _load(self, path):
        if path in self.seen:
            return
        self.seen.add(path)
        with open(path) as f:
            text = re.sub(r"//.*", "", f.read())
        for name in re.findall(r'include\s+"([^"]+)"', text):
            self._load(os.path.join(os.path.dirname(path), name))
        space = re.search(r"namespace\s+([\w.]+)", text).group(1)
        for kind, name, base, flags, body in re.findall(r"\b(table|struct|enum|union)\s+(\w+)\s*(?::\s*(\w+))?([^{;]*)\{([^}]*)\}", text):
            full = f"{space}.{name}"
            if kind in ("table", "struct"):
                members = re.findall(r"(\w+)\s*:\s*([\[\]\w.]+)\s*(?:=\s*([^;]+))?;", body)
                self.types[full] = (kind, [(m, self._bracket(t), space) for m, t, _ in members])
                self.defaults.update({(full, m): d.strip() for m, _, d in members if d})
            elif kind == "enum":
                self.types[full] = (kind, base)
                values = {n: int(v, 0) for n, v in re.findall(r"(\w+)\s*=\s*(-?\w+)", body)}
                self.enumerators[full] = {n: 1 << v for n, v in values.items()} if "bit_flags" in flags else values
            else:
                members = re.findall(r"(?:\w+\s*:\s*)?([\w.]+)\s*=\s*(\d+)", body)
                self.types[full] = (kind, {int(tag): (t, space) for t, tag in members})

    @staticmethod
    def _bracket(text):
        return ("vector", text[1:-1]) if text.startswith("[") else ("one", text)

    def resolve(self, name, space):
        """As FlatBuffers does: the innermost namespace that has the name."""
        if name in SIZES or name == "string":
            return name
        while True:
            full = f"{space}.{name}" if space else name
            if full in self.types:
                return full
            if not space:
                raise KeyError(name)
            space = space.rpartition(".")[0]

    def kind(self, full):
        if full in SIZES:
            return "scalar"
        return "string" if full == "string" else self.types[full][0]

    def scalar_size(self, full):
        return SIZES[full] if full in SIZES else SIZES[self.types[full][1]]

    def default(self, table, member, full):
        """The bits of a scalar member's default; None if it may be null."""
        text = self.defaults.get((table, member), "0")
        if text == "null":
            return None
        if full in ("float", "double"):
            return int.from_bytes(struct.pack("<f" if full == "float" else "<d", float(text)), "little")
        if full in self.enumerators and text in self.enumerators[full]:
            return self.enumerators[full][text]
        return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text, 0)

    def struct_layout(self, full):
        """[(member, offset, size)] and the size of a struct."""
        layout, at, widest = [], 0, 1
        for name, (_, type_name), space in self.types[full][1]:
            size = self.scalar_size(self.resolve(type_name, space))
            at = (at + size - 1) // size * size
            layout.append((name, at, size))
            at, widest = at + size, max(widest, size)
        return layout, (at + widest - 1) // widest * widest


class _Walker:
    def __init__(self, buffer, schema):
        self.buffer, self.schema, self.seen = buffer, schema, set()

    def u(self, at, size):
        return int.from_bytes(self.buffer[at : at + size], "little")

    def once(self, *key):
        new = key not in self.seen
        self.seen.add(key)
        return new

    def table(self, at, full, path):
        if not self.once("table", at):
            return
        yield Field(path + ("<vtable>",), "offset", at, 4)
        vtable = at - struct.unpack_from("<i", self.buffer, at)[0]
        size = self.u(vtable, 2)
        if self.once("vtable", vtable):
            for k in range(size // 2):
                yield Field(path + ("<vtable>", k), "vtable", vtable + 2 * k, 2)
        slot = 0

        def place(number):
            where = 4 + 2 * number
            return at + self.u(vtable + where, 2) if where < size and self.u(vtable + where, 2) else None

        for name, (shape, type_name), space in self.schema.types[full][1]:
            target = self.schema.resolve(type_name, space)
            if self.schema.kind(target) == "union":
                tag_at, value_at = place(slot), place(slot + 1)
                slot += 2
                yield from self.union(shape, target, tag_at, value_at, path + (name,))
            else:
                here = place(slot)
                slot += 1
                if here is not None:
                    yield from self.member(shape, target, here, path + (name,))

    def member(self, shape, target, at, path):
        kind = self.schema.kind(target)
        if shape == "vector":
            yield Field(path, "offset", at, 4)
            yield from self.vector(target, at + self.u(at, 4), path)
        elif kind in ("scalar", "enum"):
            yield Field(path, "scalar", at, self.schema.scalar_size(target))
        elif kind == "struct":
            for name, offset, size in self.schema.struct_layout(target)[0]:
                yield Field(path + (name,), "scalar", at + offset, size)
        else:
            yield Field(path, "offset", at, 4)
            yield from self.reference(target, at + self.u(at, 4), path)

    def reference(self, target, at, path):
        if target == "string":
            if self.once("string", at):
                yield Field(path + ("<length>",), "count", at, 4)
        else:
            yield from self.table(at, target, path)

    def vector(self, target, at, path):
        if not self.once("vector", at):
            return
        yield Field(path + ("<count>",), "count", at, 4)
        kind, count = self.schema.kind(target), self.u(at, 4)
        if target == "ubyte":
            return  # Bytes of a value, not fields.
        for k in range(count):
            if kind in ("scalar", "enum"):
                size = self.schema.scalar_size(target)
                yield Field(path + (k,), "scalar", at + 4 + k * size, size)
            elif kind == "struct":
                layout, size = self.schema.struct_layout(target)
                for name, offset, width in layout:
                    yield Field(path + (k, name), "scalar", at + 4 + k * size + offset, width)
            else:
                slot = at + 4 + 4 * k
                yield Field(path + (k,), "offset", slot, 4)
                yield from self.reference(target, slot + self.u(slot, 4), path + (k,))

    def union(self, shape, target, tag_at, value_at, path):
        members = self.schema.types[target][1]

        def one(tag_at, value_at, path):
            yield Field(path + ("<type>",), "union", tag_at, 1)
            if value_at is not None:
                yield Field(path, "offset", value_at, 4)
                yield from self.table(value_at + self.u(value_at, 4), self.schema.resolve(*members[self.u(tag_at, 1)]), path)

        if tag_at is None:
            return
        if shape == "one":
            yield from one(tag_at, value_at, path)
            return
        yield Field(path + ("<types>",), "offset", tag_at, 4)
        yield Field(path, "offset", value_at, 4)
        tags, values = tag_at + self.u(tag_at, 4), value_at + self.u(value_at, 4)
        yield Field(path + ("<types>", "<count>"), "count", tags, 4)
        yield Field(path + ("<count>",), "count", values, 4)
        for k in range(self.u(tags, 4)):
            yield from one(tags + 4 + k, values + 4 + 4 * k, path + (k,))


def fields(buffer, start, schema, root):
    """All fields of the FlatBuffer whose root offset stands at `start`."""
    yield Field(("<root>",), "offset", start, 4)
    walker = _Walker(buffer, schema)
    at = start + walker.u(start, 4)
    yield from walker.table(at, root, ())
