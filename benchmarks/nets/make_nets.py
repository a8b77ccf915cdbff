#!/usr/bin/env python3
"""Makes the nets of the benchmarks, each twice: NAME.mlir (the nn dialect) for
Modelwright and NAME.onnx for its peers, with the same seeded random weights.

usage: make_nets.py OUT_DIR [--no-onnx] [--splat] [NAME...]

Batch norms are taken as folded: every convolution has a bias. Weights are
He-scaled, so that activations keep their magnitude through the net. Needs
Debian's python3-numpy, and python3-onnx for the ONNX twins (--no-onnx: without).
With --splat, all elements of a weight are its first: small files, for who looks
at the structure only.
"""
import os
import sys

import numpy


class Net:
    """One definition, two spellings. A value is (name, shape)."""

    def __init__(self, name, shape, with_onnx, is_splat=False, seed=1):
        self.name = name
        self.random = numpy.random.RandomState(seed)
        self.lines, self.resources = [], []
        self.nodes, self.initializers = [], []
        self.count = 0
        self.with_onnx, self.is_splat = with_onnx, is_splat
        self.input = ("input", list(shape))

    def fresh(self):
        self.count += 1
        return f"v{self.count}"

    @staticmethod
    def tensor(shape, element="f32"):
        return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"

    def constant(self, array):
        name = self.fresh()
        array = numpy.ascontiguousarray(array)
        element = {"f": "f32", "i": "i32"}[array.dtype.kind]
        type_ = self.tensor(array.shape, element)
        if self.is_splat and array.dtype.kind == "f":
            self.lines.append(f"%{name} = nn.constant dense<{array.flat[0]:e}> : {type_} : {type_}")
        else:
            self.resources.append((name, array))
            self.lines.append(f"%{name} = nn.constant dense_resource<{name}> : {type_} : {type_}")
        if self.with_onnx:
            from onnx import numpy_helper

            onnx_array = array.astype(numpy.int64) if array.dtype.kind == "i" else array
            self.initializers.append(numpy_helper.from_array(onnx_array, name))
        return name, list(array.shape), element

    def op(self, mnemonic, operands, shape, attributes="", extra=None):
        """An nn op; `extra` replaces the plain list of operands."""
        name = self.fresh()
        types = ", ".join(self.tensor(o[1], o[2] if len(o) > 2 else "f32") for o in operands)
        text = extra or ", ".join("%" + o[0] for o in operands)
        attributes = f" {{{attributes}}}" if attributes else ""
        self.lines.append(f"%{name} = nn.{mnemonic} {text}{attributes} : ({types}) -> {self.tensor(shape)}")
        return name, list(shape)

    def node(self, kind, inputs, output, **attributes):
        if self.with_onnx:
            from onnx import helper

            self.nodes.append(helper.make_node(kind, [i[0] for i in inputs], [output[0]], **attributes))
        return output

    # Layers

    def conv(self, x, channels, kernel, stride=1, groups=1, activation="none", gain=2.0, pad=None):
        n, c, h, w = x[1]
        pad = kernel // 2 if pad is None else pad
        fan = c // groups * kernel * kernel
        filter_ = (self.random.randn(channels, c // groups, kernel, kernel) * numpy.sqrt(gain / fan)).astype("f")
        bias = (self.random.randn(channels) * 0.1).astype("f")
        shape = [n, channels, (h + 2 * pad - kernel) // stride + 1, (w + 2 * pad - kernel) // stride + 1]
        if groups > 1:
            ours = filter_.reshape(groups, channels // groups, c // groups, kernel, kernel)
        else:
            ours = filter_
        f, b = self.constant(ours), self.constant(bias.reshape(1, channels, 1, 1))
        attributes = f"strides = array<i64: {stride}, {stride}>, pads = array<i64: {pad}, {pad}>, dilations = array<i64: 1, 1>"
        if groups > 1:
            attributes += f", groups = {groups}, group_filter"
        y = self.op("conv2d", [x, f, b], shape, attributes, f"%{x[0]}, %{f[0]} bias %{b[0]}")
        if self.with_onnx:
            from onnx import numpy_helper

            self.initializers.append(numpy_helper.from_array(filter_, f[0] + "_w"))
            self.initializers.append(numpy_helper.from_array(bias, b[0] + "_b"))
            self.node(
                "Conv", [x, (f[0] + "_w",), (b[0] + "_b",)], y, kernel_shape=[kernel] * 2, strides=[stride] * 2,
                pads=[pad] * 4, group=groups, dilations=[1, 1],
            )
        return self.activation(y, activation)

    def activation(self, x, kind):
        if kind == "none":
            return x
        y = self.op({"relu": "relu", "relu6": "relu6", "gelu": "gelu"}[kind], [x], x[1])
        if kind == "relu":
            return self.node("Relu", [x], y)
        if kind == "relu6":
            low, high = self.scalar(0), self.scalar(6)
            return self.node("Clip", [x, low, high], y)
        # ONNX spells it out below opset 20.
        names = [(f"{y[0]}_{k}",) for k in range(4)]
        self.node("Mul", [x, self.scalar(numpy.sqrt(0.5))], names[0])
        self.node("Erf", [names[0]], names[1])
        self.node("Add", [names[1], self.scalar(1)], names[2])
        self.node("Mul", [x, names[2]], names[3])
        return self.node("Mul", [names[3], self.scalar(0.5)], y)

    def scalar(self, value):
        name = self.fresh()
        if self.with_onnx:
            from onnx import numpy_helper

            self.initializers.append(numpy_helper.from_array(numpy.array(value, "f"), name))
        return (name,)

    def binary(self, kind, x, y):
        shape = list(numpy.broadcast_shapes(x[1], y[1]))
        return self.node(kind.capitalize(), [x, y], self.op(kind, [x, y], shape))

    def max_pool(self, x, kernel, stride, pad):
        n, c, h, w = x[1]
        shape = [n, c, (h + 2 * pad - kernel) // stride + 1, (w + 2 * pad - kernel) // stride + 1]
        y = self.op(
            "max_pool2d", [x], shape,
            f"kernel = array<i64: {kernel}, {kernel}>, strides = array<i64: {stride}, {stride}>, pads = array<i64: {pad}, {pad}>",
        )
        return self.node("MaxPool", [x], y, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4)

    def global_pool(self, x):
        n, c, h, w = x[1]
        y = self.op(
            "avg_pool2d", [x], [n, c, 1, 1],
            f"kernel = array<i64: {h}, {w}>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0>",
        )
        return self.node("GlobalAveragePool", [x], y)

    def reshape(self, x, shape):
        target = self.constant(numpy.array(shape, numpy.int32))
        return self.node("Reshape", [x, target], self.op("reshape", [x, target], shape))

    def transpose(self, x, permutation):
        shape = [x[1][k] for k in permutation]
        pattern = ", ".join(map(str, permutation))
        y = self.op("transpose", [x], shape, f"permutation = array<i64: {pattern}>")
        return self.node("Transpose", [x], y, perm=list(permutation))

    def linear(self, x, outputs, gain=1.0):
        """x [M][K] times W [K][N] plus bias."""
        m, k = x[1]
        w = self.constant((self.random.randn(k, outputs) * numpy.sqrt(gain / k)).astype("f"))
        b = self.constant((self.random.randn(1, outputs) * 0.1).astype("f"))
        y = self.node("MatMul", [x, w], self.op("matmul", [x, w], [m, outputs]))
        return self.binary("add", y, b)

    def layer_norm(self, x):
        size = x[1][-1]
        weight = self.constant((1 + self.random.randn(size) * 0.1).astype("f"))
        bias = self.constant((self.random.randn(size) * 0.1).astype("f"))
        name = self.fresh()
        statistics = self.tensor(x[1][:-1])
        self.lines.append(
            f"%{name}, %{name}_mean, %{name}_rstd = nn.layer_norm %{x[0]} weight %{weight[0]} bias %{bias[0]} "
            f"{{epsilon = 1.0e-06 : f32, normalized_dims = 1 : i64, normalized_size = {size} : i64}} : "
            f"({self.tensor(x[1])}, {self.tensor(weight[1])}, {self.tensor(bias[1])}) -> "
            f"({self.tensor(x[1])}, {statistics}, {statistics})"
        )
        return self.node("LayerNormalization", [x, weight, bias], (name, x[1]), axis=-1, epsilon=1e-6)

    def softmax(self, x):
        return self.node("Softmax", [x], self.op("softmax", [x], x[1], "axis = -1 : i64"), axis=-1)

    def batch_matmul(self, x, y):
        shape = [x[1][0], x[1][1], y[1][2]]
        return self.node("MatMul", [x, y], self.op("batch_matmul", [x, y], shape))

    def scale(self, x, factor):
        number = self.constant(numpy.array([factor], "f"))
        return self.node("Mul", [x, number], self.op("mul", [x, number], x[1]))

    def classifier(self, x, classes=1000):
        x = self.global_pool(x)
        return self.linear(self.reshape(x, [x[1][0], x[1][1]]), classes)

    def concat(self, xs):
        shape = list(xs[0][1])
        shape[1] = sum(x[1][1] for x in xs)
        return self.node("Concat", xs, self.op("concat", xs, shape, "axis = 1"), axis=1)

    def channels(self, x, first, last):
        n, c, h, w = x[1]
        ints = [self.constant(numpy.array([v], numpy.int32)) for v in (first, last)]
        name = self.fresh()
        y = (name, [n, last - first, h, w])
        self.lines.append(
            f"%{name} = nn.slice %{x[0]} [%{ints[0][0]}, %{ints[1][0]}] {{axes = array<i64: 1>, "
            "has_begin = array<i1: true>, has_end = array<i1: true>, has_step = array<i1: false>, "
            "has_index = array<i1: false>} : "
            f"({self.tensor(x[1])}, tensor<1xi32>, tensor<1xi32>) -> {self.tensor(y[1])}"
        )
        axis = self.fresh()
        if self.with_onnx:
            from onnx import numpy_helper

            self.initializers.append(numpy_helper.from_array(numpy.array([1], numpy.int64), axis))
        return self.node("Slice", [x, ints[0], ints[1], (axis,)], y)

    def save(self, folder, output):
        with open(os.path.join(folder, self.name + ".mlir"), "w") as f:
            f.write(
                f'func.func @main(%input: {self.tensor(self.input[1])} {{nn.name = "input"}}) -> '
                f'({self.tensor(output[1])} {{nn.name = "output"}}) {{\n'
            )
            for line in self.lines:
                f.write("  " + line + "\n")
            f.write(f"  return %{output[0]} : {self.tensor(output[1])}\n}}\n{{-#\n  dialect_resources: {{\n    builtin: {{\n")
            blobs = [f'      {name}: "0x40000000{array.tobytes().hex()}"' for name, array in self.resources]
            f.write(",\n".join(blobs) + "\n    }\n  }\n#-}\n")
        if not self.with_onnx:
            return
        import onnx
        from onnx import TensorProto, helper

        self.node("Identity", [output], ("output",))
        used = {i for node in self.nodes for i in node.input}
        graph = helper.make_graph(
            self.nodes, self.name, [helper.make_tensor_value_info("input", TensorProto.FLOAT, self.input[1])],
            [helper.make_tensor_value_info("output", TensorProto.FLOAT, output[1])],
            [i for i in self.initializers if i.name in used],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        onnx.checker.check_model(model)
        onnx.save(model, os.path.join(folder, self.name + ".onnx"))


def resnet18(net):
    x = net.conv(net.input, 64, 7, 2, activation="relu")
    x = net.max_pool(x, 3, 2, 1)
    for channels, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        for first in (True, False):
            step = stride if first else 1
            y = net.conv(x, channels, 3, step, activation="relu")
            y = net.conv(y, channels, 3, gain=0.5)
            if step != 1 or x[1][1] != channels:
                x = net.conv(x, channels, 1, step, gain=0.5)
            x = net.activation(net.binary("add", y, x), "relu")
    return net.classifier(x)


def mobilenet_v1(net):
    x = net.conv(net.input, 32, 3, 2, activation="relu")
    widths = [64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024]
    strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]
    for channels, stride in zip(widths, strides):
        x = net.conv(x, x[1][1], 3, stride, groups=x[1][1], activation="relu")
        x = net.conv(x, channels, 1, activation="relu")
    return net.classifier(x)


def mobilenet_v2(net):
    x = net.conv(net.input, 32, 3, 2, activation="relu6")
    settings = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))
    for expansion, channels, repeats, stride in settings:
        for k in range(repeats):
            step, y = (stride if k == 0 else 1), x
            if expansion != 1:
                y = net.conv(y, x[1][1] * expansion, 1, activation="relu6")
            y = net.conv(y, y[1][1], 3, step, groups=y[1][1], activation="relu6")
            y = net.conv(y, channels, 1, gain=0.5)
            x = net.binary("add", x, y) if step == 1 and x[1][1] == channels else y
    return net.classifier(net.conv(x, 1280, 1, activation="relu6"))


def squeezenet(net):
    """SqueezeNet 1.1."""
    x = net.conv(net.input, 64, 3, 2, activation="relu")
    x = net.max_pool(x, 3, 2, 0)
    for k, (squeeze, expand) in enumerate(((16, 64), (16, 64), (32, 128), (32, 128), (48, 192), (48, 192), (64, 256), (64, 256))):
        if k in (2, 4):
            x = net.max_pool(x, 3, 2, 0)
        y = net.conv(x, squeeze, 1, activation="relu")
        x = net.concat([net.conv(y, expand, 1, activation="relu"), net.conv(y, expand, 3, activation="relu")])
    x = net.global_pool(net.conv(x, 1000, 1, activation="relu"))
    return net.reshape(x, [1, 1000])


def shufflenet_v2(net):
    """ShuffleNetV2 x1.0."""
    x = net.conv(net.input, 24, 3, 2, activation="relu")
    x = net.max_pool(x, 3, 2, 1)
    for channels, repeats in ((116, 4), (232, 8), (464, 4)):
        half = channels // 2
        for k in range(repeats):
            if k == 0:
                left = net.conv(net.conv(x, x[1][1], 3, 2, groups=x[1][1]), half, 1, activation="relu")
                right, step = x, 2
            else:
                left, right, step = net.channels(x, 0, half), net.channels(x, half, channels), 1
            right = net.conv(right, half, 1, activation="relu")
            right = net.conv(right, half, 3, step, groups=half)
            right = net.conv(right, half, 1, activation="relu")
            x = net.concat([left, right])
            n, c, h, w = x[1]
            x = net.reshape(net.transpose(net.reshape(x, [n, 2, half, h, w]), [0, 2, 1, 3, 4]), [n, c, h, w])
    return net.classifier(net.conv(x, 1024, 1, activation="relu"))


def vit_tiny(net):
    """A vision transformer: ViT-Tiny/16 without a class token, the mean of all tokens in its place."""
    heads, width = 3, 192
    size = width // heads
    x = net.conv(net.input, width, 16, 16, gain=1.0, pad=0)
    tokens = x[1][2] * x[1][3]
    x = net.transpose(net.reshape(x, [width, tokens]), [1, 0])
    x = net.binary("add", x, net.constant((net.random.randn(tokens, width) * 0.02).astype("f")))

    def split(y, permutation):
        return net.transpose(net.reshape(y, [tokens, heads, size]), permutation)

    for _ in range(12):
        y = net.layer_norm(x)
        query = split(net.scale(net.linear(y, width), size**-0.5), [1, 0, 2])
        key = split(net.linear(y, width), [1, 2, 0])
        value = split(net.linear(y, width), [1, 0, 2])
        y = net.batch_matmul(net.softmax(net.batch_matmul(query, key)), value)
        y = net.reshape(net.transpose(y, [1, 0, 2]), [tokens, width])
        x = net.binary("add", x, net.linear(y, width, gain=0.2))
        y = net.activation(net.linear(net.layer_norm(x), 4 * width), "gelu")
        x = net.binary("add", x, net.linear(y, width, gain=0.2))
    x = net.layer_norm(x)
    x = net.reshape(net.transpose(x, [1, 0]), [1, width, 1, tokens])
    return net.classifier(x)


NETS = {
    "resnet18": (resnet18, [1, 3, 224, 224]),
    "mobilenet_v1": (mobilenet_v1, [1, 3, 224, 224]),
    "mobilenet_v2": (mobilenet_v2, [1, 3, 224, 224]),
    "squeezenet": (squeezenet, [1, 3, 224, 224]),
    "shufflenet_v2": (shufflenet_v2, [1, 3, 224, 224]),
    "vit_tiny": (vit_tiny, [1, 3, 224, 224]),
}


def main():
    args = [a for a in sys.argv[1:] if not a.startswith("--")]
    folder, names = args[0], args[1:] or list(NETS)
    os.makedirs(folder, exist_ok=True)
    for name in names:
        build, shape = NETS[name]
        net = Net(name, shape, "--no-onnx" not in sys.argv, "--splat" in sys.argv)
        net.save(folder, build(net))


if __name__ == "__main__":
    main()
