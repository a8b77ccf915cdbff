"""Faulty models for errors.test: errors.py FOLDER TOOL.

Makes each and prints what the tool says of it and how it exits. A model is a
text model or MLIR, named as what is wrong with it.
"""
import os
import subprocess
import sys


def desc(dims, dtype="DT_FLOAT"):
    return f"dtype: {dtype} shape {{ {' '.join(f'dim: {d}' for d in dims)} }}"


def op(name, type, inputs=(), rest=""):
    edges = " ".join(f'input: "{i}"' for i in inputs)
    return f'op {{ name: "{name}" type: "{type}" {edges} {rest} }}\n'


def data(name="x", dims=(1, 2, 4, 4)):
    return op(name, "Data", [""], f"input_desc {{ {desc(dims)} }}")


def const(name, dims, values, dtype="DT_FLOAT"):
    content = "" if values is None else 'data: "' + "".join(f"\\{b:03o}" for b in values) + '"'
    return op(name, "Const", [], f'attr {{ key: "value" value {{ t {{ desc {{ {desc(dims, dtype)} }} {content} }} }} }}')


def attr(key, value):
    return f'attr {{ key: "{key}" value {{ {value} }} }}'


def model(*ops, rest=""):
    return 'name: "bad"\ngraph { name: "g"\n' + "".join(ops) + rest + "}\n"


RELU = op("y", "Activation", ["x:0"])
MODELS = {
    "duplicate-names": model(data(), RELU, op("y", "Activation", ["x:0"]), op("x", "Activation", ["y:0"])),
    "no-name": model(data(), op("", "Activation", ["x:0"])),
    "two-net-outputs": model(data(), op("a", "NetOutput", ["x:0"]), op("b", "NetOutput", ["x:0"])),
    "missing-producer": model(data(), op("y", "Activation", ["nobody:0"]), op("z", "Activation", ["x:0", "nothing:-1"])),
    "bad-edge": model(data(), op("y", "Eltwise", ["x", ":0", "x:", "x:-2", "x:1x", "x:99999999999999999999"])),
    "no-such-output": model(data(), op("y", "Activation", ["x:1"]), op("z", "NetOutput", ["y:0"])),
    "no-such-output-behind": model(data(), RELU, op("z", "NetOutput", ["y:3"])),
    "graph-output": model(data(), RELU, rest='output: "y:0" output: "z:0" output: "y:1" output: "y:-1" output: "y"'),
    "graph-input": model(data(), RELU, rest='input: "y:0"'),
    "cycle": model(data(), op("a", "Eltwise", ["x:0", "c:0"]), op("b", "Activation", ["a:0"]), op("c", "Activation", ["b:0"])),
    "self-cycle": model(op("a", "Activation", ["a:0"])),
    "control-cycle": model(data(), op("a", "Activation", ["x:0", "b:-1"]), op("b", "Activation", ["a:0"])),
    "no-graph": 'name: "bad"\n',
    "no-descriptor": model(op("x", "Data", [""]), RELU),
    "negative-dim": model(data(dims=(1, -3, 4, 4)), RELU),
    "many-dims": model(data(dims=[1] * 33), RELU),
    "wrong-kind": model(data(), op("y", "Activation", ["x:0"], attr("mode", 's: "relu"')), op("s", "Softmax", ["x:0"], attr("axis", "f: 1"))),
    "wrong-list": model(data(), const("w", (2, 2, 1, 1), [0] * 16), op("c", "Convolution", ["x:0", "w:0"], attr("strides", "list { i: 1 i: 1 i: 1 val_type: VT_LIST_INT }") + attr("dilations", "list { f: 1 val_type: VT_LIST_FLOAT }"))),
    "short-const": model(data(), const("w", (2, 2, 1, 1), [0] * 15), const("v", (2,), [0] * 9)),
    "no-data": model(data(), const("w", (2, 2, 1, 1), None), op("v", "Const")),
    "dynamic-const": model(const("w", (2, -1), [0] * 16), const("huge", (2**62, 2**62), [0])),
    "unconnected": model(data(), op("c", "Convolution", ["x:0", ""])),
    "wrong-shapes": model(data(), const("w", (2, 3, 1, 1), [0] * 24), op("c", "Convolution", ["x:0", "w:0"])),
    "graph-itself": model(data(), op("y", "PartitionedCall", ["x:0"], 'subgraph_name: "s"')) + 'graph { name: "s" ' + data() + op("z", "PartitionedCall", ["x:0"], 'subgraph_name: "s"') + "}\n",
    "graph-inputs": model(data(), op("y", "PartitionedCall", ["x:0", "x:0"], 'subgraph_name: "s"')) + 'graph { name: "s" output: "x:0" ' + data() + "}\n",
    "graph-types": model(data(), op("y", "While", ["x:0"], 'subgraph_name: "s" subgraph_name: "s"')) + 'graph { name: "s" output: "x:0" ' + data(dims=(3,)) + "}\n",
    "graph-outputs": model(data(), op("y", "While", ["x:0"], 'subgraph_name: "s" subgraph_name: "s"')) + 'graph { name: "s" output: "x:0" output: "x:0" ' + data() + "}\n",
    "graph-no-input": model(data(), op("y", "Case", [], 'subgraph_name: "s"')) + 'graph { name: "s" output: "x:0" ' + data() + "}\n",
    "graph-fault": model(data(), op("y", "If", ["x:0"], attr("then_branch", 's: "t"') + attr("else_branch", 's: "t"') + attr("then_branch_graph", 'g { name: "t" ' + data() + op("r", "Activation", ["no:0"]) + " }") + attr("else_branch_graph", "g { }"))),
    # Declined for its `k`, too, which is computed.
    "fault-and-declined": model(data(), op("i", "Odd", ["x:0"], f"output_desc {{ {desc((1,), 'DT_INT32')} }}"), op("y", "ArgMaxExt2", ["x:0", "i:0"], attr("topk", 's: "x"'))),
    "text": "name: 3\ngraph {\n  op { nme: 1 }\n}\n",
    "text-blob": model(op("w", "Const", [], attr("value", f"t {{ desc {{ {desc((1,))} }} blob: 7 }}"))),
}


def function(body, attrs=None, argument='nn.name = "x"', end="return %x : tensor<2xf32>"):
    return f"""module attributes {{{attrs or ''}}} {{
  func.func @main(%x: tensor<2xf32> {{{argument}}}) -> tensor<2xf32> {{
    {body}
    {end}
  }}
}}
"""


def relu(number, attrs):
    return f"%{number} = nn.relu %x {{{attrs}}} : (tensor<2xf32>) -> tensor<2xf32>\n    "


def foreign(number, format, name, operand="%x", params=""):
    return f'%{number} = nn.foreign "{format}" "{name}"({operand}) {{params = [{params}]}} : (tensor<2xf32>) -> tensor<2xf32>\n    '


MLIR = {
    "model-kind": function("", 'ge.model = "m"'),
    "model-field": function("", "ge.model = {name = 3 : i64}"),
    "container-kind": function("", "ge.container = 1 : i64"),
    "argument-kind": function("", argument='ge.op = "Data"'),
    "argument-field": function("", argument="ge.op = {type = 3 : i64}"),
    "op-kind": function(relu(0, "ge.index = 4 : i64, ge.name = \"y\", ge.op = 3 : i64") + relu(1, "ge.op = [1]")),
    "op-field": function(
        relu(0, 'ge.name = "a", ge.op = {attr = [["mode", {i = "one"}]], type = "Activation"}')
        + relu(1, 'ge.name = "b", ge.op = {attr = ["mode"], type = "Activation"}')
        + relu(2, 'ge.name = "c", ge.op = {kind = "Activation"}')
        + relu(3, 'ge.name = "d", ge.op = {attr = [["mode", {f = 1.0 : f32, i = 1 : i64}]], type = "Activation"}')
        + relu(4, 'ge.name = "e", ge.op = {has_out_attr = 1 : i64, type = "Activation"}')
    ),
    "graph-kind": 'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> attributes {ge.graph = "g"} {\n  return %x : tensor<2xf32>\n}\n',
    "elided": function(
        "%0 = nn.constant dense_resource<__elided__> : tensor<2xf32> : tensor<2xf32>\n    %1 = nn.add %x, %0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>",
        end="return %1 : tensor<2xf32>",
    ),
    # All of them in one run; what reads them has nothing to say.
    "no-spelling": function(
        foreign(0, "mgb", "Strange") + foreign(1, "mgb", "Other", "%0") + relu(2, 'ge.name = "fine"') + foreign(3, "onnx", "Third", "%2"),
        end="return %1 : tensor<2xf32>",
    ),
    "operands": function(
        foreign(0, "ge", "Odd", params='{input = ["x:0", "x:0"], type = "Odd"}') + foreign(1, "ge", "Odd", params='{input = [""], type = "Odd"}'),
    ),
    "results": function("", end='return {ge.name = "out", ge.op = {input = ["x:0", "x:0"], type = "NetOutput"}} %x : tensor<2xf32>'),
    "no-body": "func.func private @main(tensor<2xf32>) -> tensor<2xf32>\n",
    "no-function": "module {}\n",
}


def run(folder, tool, name, text, options):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
        f.write(text)
    result = subprocess.run([tool, *options, name], cwd=folder, capture_output=True, text=True, check=False)
    print(f"== {name}: exit {result.returncode}")
    print(result.stderr, end="")


def main():
    folder, tool = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, text in MODELS.items():
        run(folder, tool, name + ".pbtxt", text, ["--ge-to-mlir"])
    for name, text in MLIR.items():
        run(folder, tool, name + ".mlir", text, ["--mlir-to-ge", "-o", "out.om"])
    if os.path.exists(os.path.join(folder, "out.om")):
        print("a refused model was written")


main()
