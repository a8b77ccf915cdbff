"""Unpacks a FlatBuffer into Python values by its schema, and packs it again.

A table becomes a dict of the members it stores, a union `{"tag": 9, "table":
{...}}`, a vector a list (bytes for [ubyte]), a struct a dict. `pack` can store
members that have their default value too, so that there is a place to damage.
"""
import struct


FORMATS = {1: "<B", 2: "<H", 4: "<I", 8: "<Q"}


def _scalar(buffer, at, size):
    return struct.unpack_from(FORMATS[size], buffer, at)[0]


class Unpacker:
    def __init__(self, buffer, schema):
        self.buffer, self.schema = buffer, schema

    def follow(self, at):
        return at + _scalar(self.buffer, at, 4)

    def table(self, at, full):
        buffer = self.buffer
        vtable = at - struct.unpack_from("<i", buffer, at)[0]
        size = _scalar(buffer, vtable, 2)

        def place(slot):
            where = 4 + 2 * slot
            offset = _scalar(buffer, vtable + where, 2) if where < size else 0
            return at + offset if offset else None

        result, slot = {}, 0
        for name, (shape, type_name), space in self.schema.types[full][1]:
            target = self.schema.resolve(type_name, space)
            here = place(slot)
            slot += 1
            if self.schema.kind(target) == "union":
                value = place(slot)
                slot += 1
                if here is not None and value is not None:
                    result[name] = self.unions(shape, target, here, value)
            elif here is not None:
                result[name] = self.vector(self.follow(here), target) if shape == "vector" else self.one(here, target)
        return result

    def unions(self, shape, target, tag_at, value_at):
        def one(tag_at, value_at):
            tag = self.buffer[tag_at]
            full = self.schema.resolve(*self.schema.types[target][1][tag])
            return {"tag": tag, "table": self.table(self.follow(value_at), full)}

        if shape == "one":
            return one(tag_at, value_at)
        tags, values = self.follow(tag_at), self.follow(value_at)
        return [one(tags + 4 + k, values + 4 + 4 * k) for k in range(_scalar(self.buffer, tags, 4))]

    def one(self, at, target):
        kind = self.schema.kind(target)
        if kind in ("scalar", "enum"):
            return _scalar(self.buffer, at, self.schema.scalar_size(target))
        if kind == "struct":
            return {name: _scalar(self.buffer, at + offset, size) for name, offset, size in self.schema.struct_layout(target)[0]}
        at = self.follow(at)
        if kind == "string":
            return self.buffer[at + 4 : at + 4 + _scalar(self.buffer, at, 4)]
        return self.table(at, target)

    def vector(self, at, target):
        count = _scalar(self.buffer, at, 4)
        if target == "ubyte":
            return self.buffer[at + 4 : at + 4 + count]
        kind = self.schema.kind(target)
        width = self.schema.scalar_size(target) if kind in ("scalar", "enum") else self.schema.struct_layout(target)[1] if kind == "struct" else 4
        return [self.one(at + 4 + width * k, target) for k in range(count)]


class Packer:
    """Writes parents before children: every offset of the format points on."""

    def __init__(self, schema, prefix, full):
        self.schema, self.out, self.full = schema, bytearray(prefix), full

    def align(self, size, ahead=0):
        while (len(self.out) + ahead) % size:
            self.out.append(0)

    def point(self, slot):
        struct.pack_into("<I", self.out, slot, len(self.out) - slot)

    def table(self, value, full, slot):
        """Appends a table and lets the offset at `slot` point to it."""
        schema, cells, later = self.schema, [], []  # cells: (slot number, size, bytes or None)
        number = 0
        for name, (shape, type_name), space in schema.types[full][1]:
            target = schema.resolve(type_name, space)
            kind, held = schema.kind(target), value.get(name)
            if kind == "union":
                if held is not None and shape == "one":
                    cells.append((number, 1, bytes([held["tag"]])))
                    member = schema.resolve(*schema.types[target][1][held["tag"]])
                    cells.append((number + 1, 4, None))
                    later.append((number + 1, lambda at, h=held, m=member: self.table(h["table"], m, at)))
                elif held is not None:
                    cells += [(number, 4, None), (number + 1, 4, None)]
                    later.append((number, lambda at, h=held: self.data(bytes(u["tag"] for u in h), at)))
                    later.append((number + 1, lambda at, h=held, t=target: self.tables([(u["table"], schema.resolve(*schema.types[t][1][u["tag"]])) for u in h], at)))
                number += 2
                continue
            if shape == "one" and kind in ("scalar", "enum"):
                size = schema.scalar_size(target)
                if held is None and self.full:
                    held = schema.default(full, name, target)
                if held is not None:
                    cells.append((number, size, struct.pack(FORMATS[size], held % (1 << 8 * size))))
            elif held is not None and shape == "one" and kind == "struct":
                cells.append((number, schema.struct_layout(target)[1], self.struct(held, target)))
            elif held is not None:
                cells.append((number, 4, None))
                later.append((number, lambda at, h=held, s=shape, t=target: self.child(h, s, t, at)))
            number += 1
        nr_slots = max([c[0] for c in cells], default=-1) + 1
        self.align(8)
        vtable = len(self.out)
        self.out += bytes(4 + 2 * nr_slots)
        self.align(8)
        at = len(self.out)
        struct.pack_into("<I", self.out, slot, at - slot)
        self.out += struct.pack("<i", at - vtable)
        places = {}
        for number, size, raw in sorted(cells, key=lambda c: -min(c[1], 8)):
            self.align(size if size in FORMATS else 4)
            places[number] = len(self.out)
            struct.pack_into("<H", self.out, vtable + 4 + 2 * number, len(self.out) - at)
            self.out += raw if raw is not None else bytes(4)
        struct.pack_into("<HH", self.out, vtable, 4 + 2 * nr_slots, len(self.out) - at)
        for number, write in later:
            write(places[number])

    def struct(self, value, target):
        layout, size = self.schema.struct_layout(target)
        raw = bytearray(size)
        for name, offset, width in layout:
            struct.pack_into(FORMATS[width], raw, offset, value[name])
        return bytes(raw)

    def data(self, raw, slot):
        self.align(4)
        self.point(slot)
        self.out += struct.pack("<I", len(raw)) + raw

    def tables(self, pairs, slot):
        self.align(4)
        self.point(slot)
        self.out += struct.pack("<I", len(pairs))
        first = len(self.out)
        self.out += bytes(4 * len(pairs))
        for k, (value, full) in enumerate(pairs):
            if isinstance(value, bytes):
                self.data(value + b"\0", first + 4 * k)
                struct.pack_into("<I", self.out, len(self.out) - len(value) - 5, len(value))
            else:
                self.table(value, full, first + 4 * k)

    def child(self, value, shape, target, slot):
        kind = self.schema.kind(target)
        if shape == "one" and kind == "string":
            self.data(value + b"\0", slot)
            struct.pack_into("<I", self.out, len(self.out) - len(value) - 5, len(value))
        elif shape == "one":
            self.table(value, target, slot)
        elif target == "ubyte":
            self.data(value, slot)
        elif kind in ("scalar", "enum", "struct"):
            width = 4 if kind == "struct" else self.schema.scalar_size(target)
            raw = b"".join(self.struct(v, target) if kind == "struct" else struct.pack(FORMATS[width], v) for v in value)
            self.align(max(4, width), ahead=4)
            self.point(slot)
            self.out += struct.pack("<I", len(value)) + raw
        else:
            self.tables([(v, target) for v in value], slot)


def unpack(buffer, start, schema, root):
    """The root table of the FlatBuffer whose root offset stands at `start`."""
    unpacker = Unpacker(buffer, schema)
    return unpacker.table(unpacker.follow(start), root)


def pack(value, schema, root, identifier=b"", prefixed=True, full=False):
    packer = Packer(schema, bytes(4 if prefixed else 0) + bytes(4) + identifier, full)
    packer.table(value, root, 4 if prefixed else 0)
    packer.align(4)
    if prefixed:
        struct.pack_into("<I", packer.out, 0, len(packer.out) - 4)
    return bytes(packer.out)
