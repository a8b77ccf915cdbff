"""Writes a model that returns its input: identity.py TYPE OUT.mlir."""
import sys

T = f"tensor<{sys.argv[1]}>"
with open(sys.argv[2], "w") as f:
    f.write(f"""func.func @main(%x: {T} {{nn.name = "x"}}) -> ({T} {{nn.name = "y"}}) {{
  %0 = nn.identity %x : ({T}) -> {T}
  return %0 : {T}
}}
""")
