#!/usr/bin/env python3
"""Checks that every C++ source is formatted. usage: format.py SOURCE_ROOT"""
import os
import subprocess
import sys


def main():
    root = sys.argv[1]
    paths = []
    for folder in ("include", "lib", "tools", "unittests"):
        for base, _, names in os.walk(os.path.join(root, folder)):
            paths += [os.path.join(base, n) for n in names if n.endswith((".h", ".cpp"))]
    result = subprocess.run(["clang-format-22", "--dry-run", "-Werror", *sorted(paths)], capture_output=True, text=True)
    if result.returncode or not paths:
        print(result.stderr[-3000:])
        return 1
    print(f"{len(paths)} files are formatted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
