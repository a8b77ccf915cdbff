"""Writes a chain of additions to a constant: constant-chain.py COUNT none|all OUT.

Each adds 1. By `all`, in a form that fold-constants has no rule for.
"""
import sys

count, runs = int(sys.argv[1]), sys.argv[2] == "all"
T = "tensor<2xf32>"
with open(sys.argv[3], "w") as f:
    f.write(f"func.func @main() -> {T} {{\n")
    f.write(f"  %c = nn.constant dense<[0.0, 1.0]> : {T} : {T}\n")
    f.write(f"  %one = nn.constant dense<1.0> : {T} : {T}\n")
    last = "%c"
    for k in range(count):
        if runs:
            f.write(f"  %{k} = nn.add %one, {last} {{activation = #nn.activation<relu>}} : ({T}, {T}) -> {T}\n")
        else:
            f.write(f"  %{k} = nn.add {last}, %one : ({T}, {T}) -> {T}\n")
        last = f"%{k}"
    f.write(f"  return {last} : {T}\n}}\n")
