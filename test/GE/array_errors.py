"""Faulty array ops for array-errors.test: array_errors.py FOLDER TOOL.

One op each on x, a tensor of 2,3,4 floats, with integer constants behind it.
Prints what the tool says and how it exits.
"""
import os
import subprocess
import sys

import numpy as np
from functions import Model

CASES = [
    ("Slice", [[0, 0, 5], [1, 1, 1]], {}),
    ("Slice", [[0, 0], [1, 1]], {}),
    ("Slice", [[0, 0, 2**31 - 1], [1, 1, 2**31 - 1]], {}),
    ("SliceWithAxes", [[0, 0], [1, 1]], {"axes": [1, -2]}),
    ("Slice", [[2, 3, 5]], {"offsets": [0]}),
    ("Slice", [[2, 3, 4]], {"offsets": [0, 0, 0]}),
    ("StridedSlice", [[0], [1], [0]], {}),
    ("StridedSlice", [[0] * 4, [1] * 4, [1] * 4], {}),
    ("StridedSlice", [[0] * 2, [1] * 2, [1] * 2], {"ellipsis_mask": 3}),
    ("StridedSlice", [[5], [6], [1]], {"shrink_axis_mask": 1}),
    ("StridedSlice", [[0], [1, 2], [1]], {}),
    ("StridedSliceV2", [[0], [1], [3]], {}),
    ("StridedSliceV2", [[0, 0], [1, 1], [1, 1]], {}),
    ("Pack", [[1, 2, 3]], {"axis": 0}),
    ("SplitD", [], {"split_dim": 1, "num_split": 2}),
    ("SplitD", [], {"split_dim": 3, "num_split": 1}),
    ("SplitD", [], {"split_dim": 0, "num_split": 2**16}),
    ("SplitV", [[2, 2], 1], {"num_split": 2}),
    ("SplitV", [[-1, -1], 1], {"num_split": 2}),
    ("Unpack", [], {"num": 4, "axis": 1}),
    ("Tile", [[1, 2]], {}),
    ("Tile", [[1, 2**31 - 1, -5]], {}),
    ("Fill", [[1, 2]], {}),
    ("Reshape", [[-1]], {"axis": 2, "num_axes": 2}),
    ("Reshape", [[5, -1]], {}),
    ("Squeeze", [], {"axis": [1]}),
    ("Unsqueeze", [], {"axes": [1, 1]}),
    ("TransposeD", [], {"perm": [0, 1]}),
    ("ShuffleChannel", [], {"group": 2}),
    ("DepthToSpace", [], {"block_size": 2}),
    ("Pad", [[1, 1]], {}),
    ("PadV3", [[[0, 0]] * 3], {"mode": True}),
    ("MirrorPad", [[[0, 0], [3, 0], [0, 0]]], {"mode": "REFLECT"}),
    ("MirrorPad", [[[0, 0]] * 3], {"mode": "EDGE"}),
    ("GatherV2D", [[0]], {"axis": 3}),
    ("GatherNd", [[[0, 0, 0, 0]]], {}),
    ("OneHot", [3], {}),
    ("TopK", [5], {}),
    ("TopK", [[1, 2]], {}),
    ("ArgMaxExt2", [-4], {}),
    ("ArgMaxExt2", [1], {"output_type": 0}),
    ("ReverseSequence", [[1]], {"seq_dim": 1}),
    ("ReverseSequence", [[1, 2]], {"seq_dim": 0}),
    ("ReduceL2D", [], {"axes": [1, -2]}),
    ("ReduceAllD", [], {"axes": [1]}),
    ("Reduction", [], {"operation": "PROD"}),
    ("SegmentSum", [[1, 0]], {}),
    ("Exp", [], {"base": 1.0}),
    ("Tril", [], {"diagonal": 2**40}),
    ("SwiGlu", [], {"dim": 1}),
]


def main():
    folder, tool = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for k, (type, consts, attrs) in enumerate(CASES):
        model = Model()
        edge = model.op(type, [model.data(np.zeros((2, 3, 4), "f4"))] + [model.const(c) for c in consts], **attrs)
        path = os.path.join(folder, f"{k}.pbtxt")
        with open(path, "w") as f:
            f.write(model.finish([edge]))
        result = subprocess.run([tool, "--ge-to-mlir", path, "-o", os.path.join(folder, "out.mlir")], capture_output=True, text=True)
        message = result.stderr.strip().replace(path + ": ", "")
        print(f"{result.returncode}: {message}")


main()
