#!/usr/bin/python3
"""How time and memory grow with GE models.

usage: scale_ge.py BIN_DIR [--big] [--runs=N]

Writes generated ModelDefs to a temporary folder, runs model-opt on them and
prints time and peak resident memory: a chain of 40 000 activations against one
of 20 000 (the ratio must stay below 2.3), and with --big an .om of 1 GB whose
weights lie in WEIGHTS_DATA, read and written with memory that does not grow
with them.
"""
import os
import resource
import struct
import subprocess
import sys
import tempfile


def varint(value):
    value &= (1 << 64) - 1
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, payload):
    """A length-delimited field."""
    if isinstance(payload, str):
        payload = payload.encode()
    return varint(number << 3 | 2) + varint(len(payload)) + payload


def number(number, value):
    return varint(number << 3) + varint(value)


def attr(key, value):
    return field(10, field(1, key) + field(2, value))


def descriptor(shape, extra=b""):
    return number(2, 1) + field(3, field(1, b"".join(varint(d) for d in shape))) + field(4, "NCHW") + extra


def op(name, kind, inputs, attrs=b"", inputs_desc=()):
    text = field(1, name) + field(2, kind)
    text += b"".join(field(5, i) for i in inputs)
    text += attrs + attr("version", number(3, 5)) + number(20, 1)
    text += b"".join(field(33, d) for d in inputs_desc)
    return field(6, text + field(34, descriptor([])))


def model(ops, output):
    graph = field(1, "g") + field(4, "data:0") + field(5, output) + b"".join(ops)
    return field(1, "m") + field(7, graph)


def chain(count):
    ops = [op("data", "Data", [""], inputs_desc=[descriptor([1, 8, 4, 4])])]
    last = "data"
    for k in range(count):
        name = f"block/relu_{k}"
        ops.append(op(name, "Activation", [f"{last}:0"], attr("mode", number(3, k % 2 * 2))))
        last = name
    return model(ops, f"{last}:0")


def big(path, layers, channels):
    """Layers of 1x1 convolutions whose filters lie in WEIGHTS_DATA."""
    size = channels * channels * 4
    ops = [op("data", "Data", [""], inputs_desc=[descriptor([1, channels, 1, 1])])]
    last = "data"
    for k in range(layers):
        entry = field(5, field(1, "merged_offset") + field(2, number(3, k * size)))
        desc = descriptor([channels, channels, 1, 1], number(11, size))
        ops.append(op(f"w{k}", "Const", [], attr("value", field(12, field(1, desc + entry)))))
        ops.append(op(f"conv{k}", "Convolution", [f"{last}:0", f"w{k}:0"]))
        last = f"conv{k}"
    message = model(ops, f"{last}:0")
    header = bytearray(256)
    header[0:4] = b"IMOD"
    struct.pack_into("<II", header, 4, 256, 0x10000000)
    header[82] = 3
    table = struct.pack("<IIIIIII", 2, 0, 0, len(message), 1, len(message), layers * size)
    struct.pack_into("<I", header, 76, len(table) + len(message) + layers * size)
    with open(path, "wb") as f:
        f.write(header + table + message)
        f.truncate(f.tell() + layers * size)


def run(args):
    """(seconds, peak bytes) of a command."""
    before = os.times()
    child = subprocess.Popen(args)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"{args}: status {status}")
    return os.times().elapsed - before.elapsed, usage.ru_maxrss * 1024


def main():
    options = dict((a[2:].split("=", 1) + [""])[:2] for a in sys.argv[1:] if a.startswith("--"))
    (bin_dir,) = [a for a in sys.argv[1:] if not a.startswith("--")]
    tool = os.path.join(bin_dir, "model-opt")
    runs = int(options.get("runs", 3))
    with tempfile.TemporaryDirectory() as tmp:
        best = {}
        for count in (20000, 40000):
            path = f"{tmp}/{count}.pb"
            with open(path, "wb") as f:
                f.write(chain(count))
            best[count] = min(run([tool, "-O1", path, "-o", f"{tmp}/out.pb"]) for _ in range(runs))
            print(f"chain of {count} ops: {best[count][0]:.2f} s, peak {best[count][1] >> 20} MB")
        ratio = best[40000][0] / best[20000][0]
        print(f"time for 40k ops / 20k ops: {ratio:.2f}")
        if "big" in options:
            path = f"{tmp}/big.om"
            big(path, 16, 4096)
            seconds, peak = run([tool, path, "-o", f"{tmp}/out.om"])
            mapped = os.path.getsize(path)
            same = subprocess.run(["cmp", "-s", path, f"{tmp}/out.om"]).returncode == 0
            print(f"1 GB .om: {seconds:.2f} s, peak {peak >> 20} MB, {(peak - mapped) >> 20} MB above the mapping, "
                  f"{'identical' if same else 'DIFFERENT'} bytes")
            if not same:
                return 1
        return 0 if ratio <= 2.3 else 1


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    sys.exit(main())
