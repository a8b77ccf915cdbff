"""Containers that the tools do not write: containers.py FOLDER.

weights: constants in WEIGHTS_DATA with bytes around them and an unknown
partition, in the 32-bit and the 64-bit form; device: the same with device code;
encrypted, pico, special: what is refused by name.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "BadInput"))
from ge import DATA, container, entry, field, model, op, varint


def const(name, offset, dims):
    desc = varint(2 << 3) + varint(1) + field(3, b"".join(varint(1 << 3) + varint(d) for d in dims))
    desc += field(5, entry(b"merged_offset", varint(3 << 3) + varint(offset)))
    size = 4
    for d in dims:
        size *= d
    desc += varint(11 << 3) + varint(size)
    return op(name, b"Const", (), [entry(b"value", field(12, field(1, desc)))])


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    net = model(
        DATA,
        const(b"w", 4, (2, 2, 1, 1)),
        op(b"c", b"Convolution", [b"x:0", b"w:0"]),
        op(b"r", b"Activation", [b"c:0"]),
        const(b"v", 24, (2,)),
        op(b"odd", b"Odd", [b"r:0", b"v:0"]),
    )
    parts = [(0, net), (1, bytes(range(36))), (77, b"unknown")]
    for name, extra, server in (("weights", [], False), ("wide", [], True), ("device", [(2, b"task")], False)):
        with open(os.path.join(folder, name + ".om"), "wb") as f:
            f.write(container(parts + extra, server)[0])
    encrypted = bytearray(container(parts, False)[0])
    encrypted[80] = 1
    for name, data in (("encrypted", bytes(encrypted)), ("pico", b"PICO" + bytes(300)), ("special", b"\x1a\xfd\x4a\x31" + bytes(300))):
        with open(os.path.join(folder, name + ".om"), "wb") as f:
            f.write(data)


main()
