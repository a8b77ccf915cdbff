"""Array ops of HiAI and CANN for functions.py."""
import numpy as np

rng = np.random.default_rng(7)


def rand(*shape):
    return rng.standard_normal(shape).astype("float32")


def of_x(type, x, expected, consts=(), outputs=1, **attrs):
    """A case of one op of x and integer constants."""

    def build(m):
        edge = m.op(type, [m.data(x)] + [m.const(c) for c in consts], outputs, **attrs)
        return edge, expected

    return build


def run(judge):
    x = rand(2, 6, 4, 4)
    # Slices.
    judge("SliceWithAxes", of_x("SliceWithAxes", x, x[:, :, 1:3, 2:], [[1, 2], [2, -1]], axes=[2, -1]))
    judge("Slice whole", of_x("Slice", x, x, [[0] * 4, [-1] * 4]))
    judge("Crop to a tensor", lambda m: (m.op("Crop", [m.data(x), m.data(rand(2, 6, 2, 3))], axis=2, offsets=[1]), x[:, :, 1:3, 1:4]))
    judge("Strided negative", of_x("StridedSlice", x, x[::-1, 4:0:-2], [[0, 4], [0, 0], [-1, -2]], begin_mask=1, end_mask=1))
    judge("Strided clamped", of_x("StridedSlice", x, x[:, -9:99:5], [[0, -9], [99, 99], [1, 5]]))
    judge("Strided ellipsis", of_x("StridedSlice", x, x[1, ..., None, -1], [[1, 0, 0, -1], [2, 0, 0, 0], [1] * 4], ellipsis_mask=2, new_axis_mask=4, shrink_axis_mask=9))
    judge("Strided to a scalar", of_x("StridedSlice", x[0, 0, 0], x[0, 0, 0, 2], [[2], [3], [1]], shrink_axis_mask=1))
    judge("StridedSliceV2", of_x("StridedSliceV2", x, x[:, 1:-1, :, ::-3], [[1, 9], [-1, -99], [1, -1], [1, -3]]))
    judge("StridedSliceV3", of_x("StridedSliceV3", x, x[1:], [[1], [2**31 - 1]]))
    # Joins and parts.
    judge("Concat in front", lambda m: (m.op("Concat", [m.const(1), m.data(x), m.data(x)], N=2, version=0), np.concatenate([x, x], 1)))
    judge("ConcatV2", lambda m: (m.op("ConcatV2", [m.data(x), m.data(x), m.const(-1)], N=2), np.concatenate([x, x], 3)))
    judge("Pack at the end", lambda m: (m.op("Pack", [m.data(x), m.data(-x)], axis=-1, N=2), np.stack([x, -x], -1)))
    judge("Pack scalars", lambda m: (m.op("Pack", [m.data(np.float32(3)), m.data(np.float32(4))], N=2), np.float32([3, 4])))
    judge("CANN Split", lambda m: (m.op("Split", [m.const(1), m.data(x)], 2, num_split=2), np.split(x, 2, 1)))
    judge("SplitV rest", of_x("SplitV", x, np.split(x, [1, 4], 1), [[1, -1, 2], -3], outputs=3, num_split=3))
    judge("Unpack all", of_x("Unpack", x[:, :3], [x[:, k] for k in range(3)], outputs=3, num=3, axis=1))
    judge("Tile", of_x("Tile", x, np.tile(x, (2, 1, 3, 2)), [[2, 1, 3, 2]]))
    judge("Expand", of_x("Expand", x[:, :1], np.broadcast_to(x[:, :1], (3, 2, 6, 4, 4)), [[3, 1, 6, 1, 4]]))
    judge("BroadcastTo", of_x("BroadcastTo", x[:, :1], np.broadcast_to(x[:, :1], x.shape), [[2, 6, 4, 4]]))
    judge("Fill", lambda m: (m.op("Fill", [m.const([2, 3]), m.data(np.float32(7))]), np.full((2, 3), 7, "f4")))
    judge("OnesLike", of_x("OnesLike", x, np.ones_like(x)))
    judge("ZerosLike", of_x("ZerosLike", x, np.zeros_like(x)))
    # Shapes.
    judge("Reshape some axes", of_x("Reshape", x, x.reshape(2, 3, 2, 4, 4), [[3, -1]], axis=1, num_axes=1))
    judge("Reshape adds axes", of_x("Reshape", x, x.reshape(2, 6, 4, 4, 1), [[1]], axis=-1, num_axes=0))
    judge("SqueezeV3", of_x("SqueezeV3", x[:, :1], x[:, 0], [[1]]))
    judge("Unsqueeze", of_x("Unsqueeze", x, x[:, None, :, :, :, None], axes=[1, -1]))
    judge("UnsqueezeV2", of_x("UnsqueezeV2", x, x[None], axis=[0]))
    judge("UnsqueezeV3", of_x("UnsqueezeV3", x, x[..., None], [[-1]]))
    judge("Transpose", of_x("Transpose", x, x.transpose(3, 0, 2, 1), [[3, 0, 2, 1]]))
    judge("TransposeD", of_x("TransposeD", x, x.transpose(3, 0, 2, 1), perm=[3, 0, 2, 1]))
    judge("Size", of_x("Size", x, np.int32(192)))
    judge("Rank of a vector", of_x("Rank", x[0, 0, 0], np.int32(1)))
    # Regrouping.
    c = x.reshape(2, 2, 3, 16).transpose(0, 2, 1, 3).reshape(x.shape)
    judge("ShuffleChannel", of_x("ShuffleChannel", x, c, group=2))
    y = rand(2, 4, 4, 12)
    d = y.reshape(2, 4, 4, 2, 2, 3).transpose(0, 1, 3, 2, 4, 5).reshape(2, 8, 8, 3)
    e = y.reshape(2, 4, 4, 3, 2, 2).transpose(0, 1, 4, 2, 5, 3).reshape(2, 8, 8, 3)
    nchw = lambda t: t.transpose(0, 3, 1, 2)
    judge("DepthToSpace", of_x("DepthToSpace", y, d, block_size=2))
    judge("DepthToSpace NCHW", of_x("DepthToSpace", nchw(y), nchw(d), block_size=2, data_format="NCHW"))
    judge("DepthToSpace CRD", of_x("DepthToSpace", y, e, block_size=2, mode="CRD"))
    judge("DepthToSpace CRD NCHW", of_x("DepthToSpace", nchw(y), nchw(e), block_size=2, mode="CRD", data_format="NCHW"))
    judge("SpaceToDepth", of_x("SpaceToDepth", d, y, block_size=2))
    judge("SpaceToDepth NCHW", of_x("SpaceToDepth", nchw(d), nchw(y), block_size=2, data_format="NCHW"))
    p = np.pad(d, ((0, 0), (1, 0), (2, 2), (0, 0)))
    s = p.reshape(2, 3, 3, 4, 3, 3).transpose(2, 4, 0, 1, 3, 5).reshape(18, 3, 4, 3)
    judge("SpaceToBatchND NHWC", of_x("SpaceToBatchND", d, s, [[3, 3], [[1, 0], [2, 2]]], data_format="NHWC"))
    judge("SpaceToBatchND", of_x("SpaceToBatchND", nchw(d), nchw(s), [[3, 3], [[1, 0], [2, 2]]]))
    judge("BatchToSpaceND NHWC", of_x("BatchToSpaceND", s, d, [[3, 3], [[1, 0], [2, 2]]], data_format="NHWC"))
    judge("BatchToSpaceND", of_x("BatchToSpaceND", nchw(s), nchw(d), [[3, 3], [[1, 0], [2, 2]]]))
    # Pads.
    pads = [[0, 0], [1, 2], [3, 0], [0, 1]]
    judge("Pad", of_x("Pad", x, np.pad(x, pads), [pads]))
    judge("PadV2", lambda m: (m.op("PadV2", [m.data(x), m.const(pads), m.const(2.5, "float32")]), np.pad(x, pads, constant_values=2.5)))
    judge("PadV2 of integers", lambda m: (m.op("PadV2", [m.data(np.int32([1, 2])), m.const([[1, 1]]), m.const(-7)]), np.int32([-7, 1, 2, -7])))
    judge("PadV3 reflect", of_x("PadV3", x, np.pad(x, pads, "reflect"), [pads], mode="reflect"))
    judge("PadV3 edge", of_x("PadV3", x, np.pad(x, pads, "edge"), [np.transpose(pads)], mode="edge", paddings_contiguous=False), back=False)
    judge("MirrorPad", of_x("MirrorPad", x, np.pad(x, pads, "reflect"), [pads], mode="REFLECT"))
    pads[2] = [4, 0]
    judge("MirrorPad symmetric", of_x("MirrorPad", x, np.pad(x, pads, "symmetric"), [pads], mode=2, version=3))
