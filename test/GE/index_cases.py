"""Gathers, scatters, orders, sums and choices of HiAI and CANN for
functions.py."""
import numpy as np
from array_cases import of_x, rand, rng


def of_two(type, a, b, expected, **attrs):
    return lambda m: (m.op(type, [m.data(a), m.data(b)], **attrs), expected)


def run(judge):
    x = rand(5, 4, 3)
    index = np.int32([[4, 0], [2, 2]])
    # Gathers.
    judge("GatherV2D", of_two("GatherV2D", x, np.int32([2, 0, 2]), x[:, [2, 0, 2]], axis=1))
    judge("GatherV2D matrix", of_two("GatherV2D", x, index[:, :1] % 3, x[:, :, index[:, :1] % 3], axis=-1))
    judge("GatherV2D scalar", of_two("GatherV2D", x, np.int32(3), x[3], axis=0))
    judge("Gather rows", of_two("Gather", x, index, x[index], validate_indices=True))
    judge("GatherV2", lambda m: (m.op("GatherV2", [m.data(x), m.data(index), m.const(0)]), x[index]))
    judge("BatchReindex", of_two("BatchReindex", x, np.int32([4, 4, 0]), x[[4, 4, 0]]))
    judge("GatherNd whole", of_two("GatherNd", x[:, :, 0], np.int32([[4, 3], [0, 2]]), x[[4, 0], [3, 2], 0]))
    judge("GatherNd prefix", of_two("GatherNd", x, np.int32([[[4, 3]], [[0, 2]]]), x[[[4], [0]], [[3], [2]]]), back=False)
    judge("GatherNd one row", of_two("GatherNd", x, np.int32([4]), x[4]))
    # Scatters.
    z = np.zeros_like(x)
    z[[4, 1]] = x[:2]
    judge("ScatterNd", lambda m: (m.op("ScatterNd", [m.const([[4], [1]]), m.data(x[:2]), m.const(x.shape)]), z))
    z = x.copy()
    z[[3, 0]] = 7 * x[:2]
    judge("ScatterUpdate", lambda m: (m.op("ScatterUpdate", [m.data(x), m.data(np.int32([3, 0])), m.data(7 * x[:2])]), z))
    z = x.copy()
    z[:, [2, 0]] = 7 * x[:, :2]
    judge("ScatterUpdate axis", lambda m: (m.op("ScatterUpdate", [m.data(x), m.const([2, 0]), m.data(7 * x[:, :2])], axis=1), z))
    z = x.copy()
    z[[3, 0], [1, 1]] = 7 * x[:2, 0]
    judge("ScatterNdUpdate", lambda m: (m.op("ScatterNdUpdate", [m.data(x), m.const([[3, 1], [0, 1]]), m.data(7 * x[:2, 0])]), z), back=False)
    z = np.full((4, 3), 9, "f4")
    z[[3, 0], [1, 2]] = [5, 6]
    judge("SparseToDense", lambda m: (m.op("SparseToDense", [m.data(np.int32([[3, 1], [0, 2]])), m.const([4, 3]), m.data(np.float32([5, 6])), m.data(np.float32(9))]), z), back=False)
    z = np.full(4, 9, "f4")
    z[[3, 1]] = 5
    judge("SparseToDense vector", lambda m: (m.op("SparseToDense", [m.data(np.int32([3, 1])), m.const([4]), m.data(np.float32(5)), m.data(np.float32(9))]), z), back=False)
    # One element per place.
    places = rng.integers(0, 4, (5, 2, 3)).astype("i4")
    judge("GatherElements", of_two("GatherElements", x, places, np.take_along_axis(x, places, 1), dim=1), back=False)
    z, places = x.copy(), np.argsort(rand(5, 4, 3), 1)[:, :2].astype("i4")
    np.put_along_axis(z, places, 9 * x[:, :2], 1)
    judge("ScatterElements", lambda m: (m.op("ScatterElements", [m.data(x), m.data(places), m.data(9 * x[:, :2])], axis=-2), z), back=False)
    judge("Tril", of_x("Tril", x, np.tril(x, -1), diagonal=-1))
    judge("Triu", of_x("Triu", x, np.triu(x)))
    judge("NonZero", of_x("NonZero", np.maximum(x[0], 0), np.array(np.nonzero(x[0] > 0)).T.astype("i4"), dtype=3), back=False)
    judge("Eye", lambda m: (m.op("Add", [m.data(x[0]), m.op("Eye", [], num_rows=4, num_columns=3)]), x[0] + np.eye(4, 3, dtype="f4")), back=False)
    # Choices.
    hot = np.where(np.arange(3)[:, None] == np.int32([2, -1, 0, 5]), 2, 1).astype("f4")
    judge("OneHot axis 0", lambda m: (m.op("OneHot", [m.data(np.int32([2, -1, 0, 5])), m.const(3), m.data(np.float32(2)), m.data(np.float32(1))], axis=0), hot))
    judge("Select rows", lambda m: (m.op("Select", [m.data(np.array([1, 0, 0, 1, 1], bool)), m.data(x), m.data(-x)]), x * np.float32([1, -1, -1, 1, 1])[:, None, None]))
    mask = x[:, :1] > 0
    judge("SelectV2", lambda m: (m.op("SelectV2", [m.data(mask), m.data(x), m.data(np.float32(3))]), np.where(mask, x, np.float32(3))))
    judge("MaskedFill", lambda m: (m.op("MaskedFill", [m.data(x), m.data(mask), m.data(np.float32(3))]), np.where(mask, np.float32(3), x)))
    # Orders.
    big = rng.permutation(60).reshape(3, 4, 5).astype("f4")
    order = np.argsort(-big, 1)[:, :2].astype("i4")
    judge("TopK of an axis", of_x("TopKV2", big, [np.take_along_axis(big, order, 1), order], [2], 2, dim=1))
    order = np.argsort(big, 2)[:, :, :3].astype("i4")
    judge("TopK smallest", of_x("TopK", big, [np.take_along_axis(big, order, 2), order], [3], 2, largest=False), back=False)
    judge("TopKD", lambda m: (m.op("TopKD", [m.data(big), m.const(np.arange(8))], 2, k=1, dim=0), [big.max(0, keepdims=True), big.argmax(0)[None].astype("i4")]))
    judge("ArgMax keeps", of_x("ArgMaxExt2", big, big.argmax(1)[:, None].astype("i4"), [1], keep_dims=True))
    judge("ArgMax version 0", of_x("ArgMax", big, big.argmax(2).astype("i4"), version=0, axis=-1))
    judge("ArgMaxV2", of_x("ArgMaxV2", big, big.argmax(0).astype("i4"), [0], dtype=3))
    judge("ArgMaxWithValue", of_x("ArgMaxWithValue", big, [big.argmax(1).astype("i4"), big.max(1)], outputs=2, dimension=1))
    judge("ArgMin", of_x("ArgMin", big, big.argmin(2).astype("i4"), [-1], dtype=3))
    order = np.argsort(-big, 1).astype("i4")
    judge("Sort", of_x("Sort", big, [np.take_along_axis(big, order, 1), order], outputs=2, axis=1, descending=True), back=False)
    judge("Cumsum", of_x("Cumsum", big, np.cumsum(big, 1), [1]), back=False)
    judge("InvertPermutation", of_x("InvertPermutation", np.int32([2, 0, 3, 1]), np.int32([1, 3, 0, 2])), back=False)
    judge("ReverseV2", of_x("ReverseV2", x, x[::-1, :, ::-1], [[0, 2]]))
    # Sequences.
    judge("Range of floats", lambda m: (m.op("Add", [m.data(np.float32(2)), m.op("Range", [m.const(1.5, "float32"), m.const(-1, "float32"), m.const(-1, "float32")])]), np.float32([3.5, 2.5, 1.5])))
    for batch, sequence in ((0, 1), (1, 0), (2, 0), (0, 2)):
        lengths = np.int32([3, 1, 0, 2, 3])[: x.shape[batch]]
        z = x.copy()
        rows, result = np.moveaxis(x, (batch, sequence), (0, 1)), np.moveaxis(z, (batch, sequence), (0, 1))
        for k, n in enumerate(lengths):
            result[k, :n] = rows[k, :n][::-1]
        judge(f"ReverseSequence {batch} {sequence}", of_two("ReverseSequence", x, lengths, z, seq_dim=sequence, batch_dim=batch), back=False)
    # Reductions.
    for name, function in (("Sum", np.sum), ("Max", np.max), ("Min", np.min), ("Mean", np.mean), ("Prod", np.prod)):
        judge(f"Reduce{name}D", of_x(f"Reduce{name}D", x, function(x, (0, 2)), axes=[0, -1]))
    judge("Reduce nothing", of_x("ReduceSum", x, x, [np.int32([])], noop_with_empty_axes=True))
    judge("Reduce all axes", of_x("ReduceMax", x, x.max(), [np.int32([])], noop_with_empty_axes=False))
    judge("ReduceL2D", of_x("ReduceL2D", x, np.sqrt((x * x).sum((0, 1), keepdims=True)), axes=[0, 1], keep_dims=True))
    lse = np.log(np.exp(x.astype("f8")).sum((1, 2))).astype("f4")
    judge("ReduceLogSumExp", of_x("ReduceLogSumExp", x, lse, axes=[1, 2]))
    judge("ReduceLogSumExp far", of_x("ReduceLogSumExp", x + 100, lse[:, None, None] + 100, axes=[1, 2], keepdims=True))
    judge("CANN ReduceLogSumExp", of_x("ReduceLogSumExp", x, lse, [[1, 2]], keep_dims=False))
    bits = x > -0.5
    judge("ReduceAllD", of_x("ReduceAllD", bits, bits.all(2), axes=[2]))
    judge("ReduceAny", of_x("ReduceAny", bits, bits.any((0, 2), keepdims=True), [[0, 2]], keep_dims=True))
    for name, function in (("Sum", np.sum), ("Max", np.max), ("Min", np.min), ("Mean", np.mean), ("Prod", np.prod)):
        rows = np.stack([function(x[:1], 0), function(x[1:4], 0), x[4]])
        judge(f"Segment{name}", of_x(f"Segment{name}", x, rows, [[0, 1, 1, 1, 2]]))
    for name, value in (("SUM", x), ("ASUM", abs(x)), ("SUMSQ", x * x), ("MEAN", x / 12)):
        judge(f"Reduction {name}", of_x("Reduction", x, 2 * value.sum((1, 2)), operation=name, axis=-2, coeff=2.0))
