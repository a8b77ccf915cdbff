"""What the importer says of faulty or unusual ops: op-errors.py FOLDER ORACLE_DIR.

Prints, per case, the tool's messages, or why the op stayed foreign.
"""
import os
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, sys.argv[2])
from opmodel import Case


def f4(*shape):
    return np.zeros(shape, "f4")


def i4(*values):
    return np.array(values, "i4")


X = {"x": f4(1, 4, 6, 6)}
W = f4(4, 2, 3, 3)
STRIDES = {"strides": [1, 1]}
CASES = {
    # Transposed convolutions.
    "one-input": Case("ConvTranspose", ["x"], STRIDES, X),
    "no-filter": Case("ConvTranspose", ["x", f4(3, 2, 3, 3)], STRIDES, X),
    "transposed-groups": Case("ConvTranspose", ["x", W], dict(STRIDES, groups=3), X),
    "transposed-pads": Case("ConvTranspose", ["x", W], dict(STRIDES, pads=[4, 4, 0, 0]), X),
    "transposed-adj": Case("ConvTranspose", ["x", W], dict(STRIDES, adj=[-1, 0]), X),
    "transposed-stride": Case("ConvTranspose", ["x", W], {"strides": [0, 1 << 62]}, X),
    "transposed-shape": Case("ConvTranspose", [i4(1, 2, 0, 8), W, "x"], STRIDES, X),
    "transposed-bias": Case("ConvTranspose", ["x", W, f4(5)], STRIDES, X),
    # Resizes.
    "both-flags": Case("ResizeBilinear", ["x", i4(4, 4)], {"align_corners": True, "half_pixel_centers": True}, X),
    "size-count": Case("ResizeBilinear", ["x", i4(4, 4, 4)], {}, X),
    "no-size": Case("ResizeNearestNeighborV2", ["x"], {}, X),
    "interp-no-size": Case("Interp", ["x"], {"height": 4}, X),
    "interp-trims": Case("Interp", ["x"], {"zoom_factor": 2, "pad_begin": -3, "pad_end": -3}, X),
    "zoom-overflow": Case("Interp", ["x"], {"zoom_factor": 1 << 62}, X),
    "upsample-stride": Case("Upsample", ["x"], {"stride_h": 0}, X),
    "resize-rank": Case("Upsample", ["x"], {}, {"x": f4(2, 3)}),
    "resize-tf-half": Case("Resize", ["x", None, None, i4(1, 4, 3, 3)], {"coordinate_transformation_mode": "tf_half_pixel_for_nn"}, X, None),
    # Norms.
    "norm-axis": Case("LayerNorm", ["x", f4(6), f4(6)], {"begin_norm_axis": 4}, X),
    "norm-params": Case("LayerNorm", ["x", f4(5), f4(5)], {"begin_norm_axis": 3}, X),
    "channel-params": Case("InstanceNorm", ["x", f4(3), f4(4)], {}, X),
    "even-window": Case("LRN", ["x"], {"depth_radius": 4}, X),
    "wide-window": Case("LRN", ["x"], {"depth_radius": -1}, X),
    "training": Case("BatchNorm", ["x", f4(4), f4(4), f4(4), f4(4)], {}, X, None),
    "bn-mode": Case("BNInference", ["x", f4(4), f4(4)], {"mode": 2}, X),
    "bn-params": Case("BNInference", ["x", f4(4), f4(4), f4(4)], {}, X),
    "scale-count": Case("Normalize", ["x", f4(3)], {"channel_shared": False}, X),
    # Pooling.
    "pool-mode": Case("PoolingD", ["x"], {"mode": 3}, X),
    "pool-stride": Case("PoolingD", ["x"], {"stride": [0, 1]}, X),
    "pool-window": Case("PoolingD", ["x"], {"window": [8, 1], "ceil_mode": 1}, X),
    "pool-channels": Case("MaxPool", ["x"], {"ksize": [1, 2, 2, 2], "strides": [1, 1, 1, 1], "padding": "VALID"}, X, None),
    "pool-padding": Case("AvgPool", ["x"], {"ksize": [1, 2, 2, 1], "strides": [1, 1, 1, 1], "padding": "CALCULATED"}, X, None),
    "pool-no-ksize": Case("AvgPool", ["x"], {"strides": [1, 1, 1, 1], "padding": "SAME"}, X, None),
    "pool-rounding": Case("Pooling", ["x"], {"window": [3, 3], "stride": [2, 2]}, X, None),
    "adaptive-bins": Case("AdaptiveAvgPool2d", ["x"], {"output_size": [4, 4]}, X, None),
    "volume-ksize": Case("MaxPooling3D", ["x"], {"ksize": [2, 2], "strides": [1, 1, 1]}, {"x": f4(1, 1, 2, 2, 2)}),
    # Products and codes.
    "scales": Case("Convolution", ["x", np.zeros((4, 4, 1, 1), "i1")], dict(STRIDES, filter_quant_scales=[1.0, 2.0]), X),
    "codes-with-scales": Case("Convolution", ["x", np.zeros((4, 4, 1, 1), "i1")], dict(STRIDES, filter_quant_scales=[1.0]), {"x": np.zeros((1, 4, 6, 6), "u1")}),
    "codes-offset": Case("MatMulV2", ["x", np.zeros((6, 6), "i1")], {"offset_x": 3}, {"x": np.zeros((6, 6), "i1")}, None),
    "lstm": Case("LSTM", ["x", f4(1)], {}, X),
    "batches": Case("BatchMatMulV2", ["x", f4(3, 6, 6)], {}, X, None),
    "dense-bias": Case("FullyConnection", ["x", f4(2, 144, 1, 1), f4(3)], {"num_output": 2}, X),
    "filter-order": Case("Conv2D", ["x", W], {"strides": [1, 1, 1, 1], "pads": [0, 0, 0, 0]}, X, None, ["NHWC", "FRACTAL_Z"]),
    "batch-stride": Case("Conv2D", ["x", W], {"strides": [2, 1, 1, 1], "pads": [0, 0, 0, 0]}, X, None, ["NHWC", "HWCN"]),
    "bits": Case("FakeQuantWithMinMaxVars", ["x", f4(1), f4(1) + 1], {"num_bits": 1}, X),
    "empty-range": Case("FakeQuantWithMinMaxVars", ["x", f4(1), f4(1)], {}, X),
    "round-mode": Case("QuantizeV2", ["x"], {"scale": [1.0], "offset": [0.0], "dtype": 4, "round_mode": "Floor"}, X),
    "int4": Case("QuantizeV2", ["x"], {"scale": [1.0], "offset": [0.0], "dtype": 22}, X),
    # Boxes.
    "prior-sizes": Case("PriorBox", ["x"], {"min_size": [-1.0], "img_h": 8, "img_w": 8}, X),
    "prior-image": Case("PriorBox", ["x"], {"min_size": [4.0]}, X),
    "roi-rows": Case("ROIPooling", ["x", f4(2, 4)], {"pooled_h": 2, "pooled_w": 2}, X),
    "crop-boxes": Case("CropAndResize", ["x", f4(1, 5), i4(0), i4(2, 2)], {}, X),
}


def main():
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    for name, case in CASES.items():
        path = os.path.join(folder, name + ".pbtxt")
        with open(path, "w") as f:
            f.write(case.text())
        result = subprocess.run(["model-translate", "--ge-to-mlir", path], capture_output=True, text=True)
        print(f"== {name}: exit {result.returncode}")
        print(result.stderr.replace(folder + "/", ""), end="")
        for reason in re.findall(r'ge.declined = "([^"]*)"', result.stdout):
            print("foreign: " + reason)


main()
