#!/usr/bin/env python3
"""Writes an array: npy.py FILE EXPRESSION, with numpy as `np`; to a file that
does not end in .npy as raw bytes. `bytes` as the value are written as they are.
"""
import sys

import numpy as np

path, value = sys.argv[1], eval(sys.argv[2])
if path.endswith(".npy") and not isinstance(value, bytes):
    np.save(path, value)
else:
    with open(path, "wb") as file:
        file.write(value if isinstance(value, bytes) else value.tobytes())
