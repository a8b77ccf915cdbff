"""Writes a long chain of ops as MLIR: chain.py COUNT LEFT-OUT OUT.

No op has a name, and each differs from its neighbours.
"""
import sys

count, left_out = int(sys.argv[1]), int(sys.argv[2])
T = "tensor<2xf32>"
with open(sys.argv[3], "w") as f:
    f.write(f"func.func @main(%x: {T}) -> {T} {{\n")
    last = "%x"
    for k in range(count):
        if k == left_out:
            continue
        op = ("exp", "relu", "neg", "abs", "tanh", "sin", "cos")[k * k % 7 if k != 70000 else 0]
        f.write(f"  %{k} = nn.{op} {last} : ({T}) -> {T}\n")
        last = f"%{k}"
    f.write(f"  return {last} : {T}\n}}\n")
