#!/usr/bin/env python3
"""Runs a library of model-compile through ctypes, as model-run runs a model.

usage: run_library.py LIBRARY.so PREFIX OUTPUT_DIR [VERSION] [NAME=FILE.npy ...]

LIBRARY.h must be beside it. Writes 0.npy, 1.npy ... and outputs.json. Inputs that are not given are zeros.
Around outputs and arena lies a pattern: it must be untouched afterwards.
"""
import ctypes
import json
import os
import re
import sys

import numpy

DTYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "u2", "f8", "c8")
BF16 = 11
GUARD = 64


class Tensor(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("dtype", ctypes.c_int),
        ("bits", ctypes.c_int),
        ("rank", ctypes.c_int),
        ("shape", ctypes.POINTER(ctypes.c_size_t)),
        ("bytes", ctypes.c_size_t),
        ("scale_axis", ctypes.c_int),
        ("scale_count", ctypes.c_int),
        ("scales", ctypes.POINTER(ctypes.c_double)),
        ("zero_points", ctypes.POINTER(ctypes.c_int)),
    ]

    def array(self, pointer):
        shape = self.shape[: self.rank] if self.rank else ()
        size = int(numpy.prod(shape, dtype=int))
        array = numpy.frombuffer(ctypes.string_at(pointer, self.bytes), DTYPES[self.dtype], size).reshape(shape)
        if self.bits != 4:
            return array
        # As files have them: two codes to a byte, each row on its own.
        codes = array.view("u1") & 15
        if shape[-1] % 2:
            codes = numpy.concatenate([codes, numpy.zeros_like(codes[..., :1])], -1)
        return codes[..., ::2] | codes[..., 1::2] << 4


class Guarded:
    """Aligned memory between two patterns."""

    def __init__(self, size, alignment=64):
        self.size = size
        self.memory = ctypes.create_string_buffer(size + 2 * GUARD + 64)
        start = ctypes.addressof(self.memory)
        self.address = (start + GUARD + 63) // 64 * 64 + (alignment if alignment < 64 else 0)
        ctypes.memset(start, 0xA5, len(self.memory))

    def check(self, what):
        start = ctypes.addressof(self.memory)
        before = self.address - start
        after = len(self.memory) - before - self.size
        for at, count in ((start, before), (self.address + self.size, after)):
            assert ctypes.string_at(at, count) == b"\xa5" * count, f"wrote beyond {what}"


def data_of(tensor, path):
    array = numpy.load(path)
    data = array.astype(array.dtype.newbyteorder("<")).tobytes()
    if tensor.bits == 4:
        # Two elements to a byte in the file, one in the interface.
        codes = numpy.frombuffer(data, "u1").reshape(-1, -(-tensor.shape[tensor.rank - 1] // 2))
        codes = numpy.stack([codes & 15, codes >> 4], -1).reshape(len(codes), -1)
        codes = codes[:, : tensor.shape[tensor.rank - 1]]
        if DTYPES[tensor.dtype] == "i1":
            codes = ((codes ^ 8).astype("i1") - 8).view("u1")
        data = codes.tobytes()
    assert len(data) == tensor.bytes, f"{path}: {len(data)} bytes, not {tensor.bytes}"
    return data


def count_of(path, name):
    """How many inputs or outputs the header beside the library has."""
    with open(os.path.splitext(path)[0] + ".h") as f:
        return int(re.search(rf"^#define \w+_{name.upper()}_COUNT (\d+)$", f.read(), re.M)[1])


def main():
    path, prefix, out, *given = sys.argv[1:]
    version = int(given.pop(0)) if given and given[0].isdigit() else None
    given = dict(text.rsplit("=", 1) for text in given)
    library = ctypes.CDLL(path)
    get = lambda name: getattr(library, f"{prefix}_{name}")
    get("arena_size").restype = ctypes.c_size_t
    get("message").restype = ctypes.c_char_p
    inputs, outputs = (
        (Tensor * count_of(path, name)).in_dll(library, f"{prefix}_{name}s") for name in ("input", "output")
    )
    arena = Guarded(get("arena_size")())
    codes = [get("init")(ctypes.c_void_p(arena.address), ctypes.c_size_t(arena.size))]
    if version is not None:
        codes.append(get("set_version")(ctypes.c_void_p(arena.address), version))
    ins = []
    for tensor in inputs:
        # No more aligned than the elements need.
        memory = Guarded(tensor.bytes, numpy.dtype(DTYPES[tensor.dtype]).alignment)
        name = tensor.name.decode()
        if name in given:
            ctypes.memmove(memory.address, data_of(tensor, given.pop(name)), tensor.bytes)
        else:
            ctypes.memset(memory.address, 0, tensor.bytes)
        ins.append(memory)
    assert not given, f"no inputs {list(given)}"
    outs = [Guarded(tensor.bytes, numpy.dtype(DTYPES[tensor.dtype]).alignment) for tensor in outputs]
    pointers = lambda list: (ctypes.c_void_p * max(len(list), 1))(*[memory.address for memory in list])
    # Twice: the second run finds the arena as the first one left it.
    for _ in range(2):
        codes.append(get("run")(pointers(ins), pointers(outs), ctypes.c_void_p(arena.address)))
    for code in codes:
        if code != 0:
            print(f"{code}: {get('message')(code).decode()}", file=sys.stderr)
            return 1
    for memory in ins + outs + [arena]:
        memory.check("a buffer")
    os.makedirs(out, exist_ok=True)
    listed = []
    for k, (tensor, memory) in enumerate(zip(outputs, outs)):
        numpy.save(os.path.join(out, f"{k}.npy"), tensor.array(memory.address))
        listed.append(
            {
                "name": tensor.name.decode(),
                "file": f"{k}.npy",
                "type": "bf16" if tensor.dtype == BF16 else DTYPES[tensor.dtype],
            }
        )
    with open(os.path.join(out, "outputs.json"), "w") as f:
        json.dump(listed, f)
    return 0


if __name__ == "__main__":
    sys.exit(main())
