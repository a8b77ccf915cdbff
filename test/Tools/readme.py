#!/usr/bin/env python3
"""Runs the README's "$ command" blocks and compares what they print.

usage: readme.py SOURCE_ROOT BIN_DIR
"""
import os
import re
import subprocess
import sys
import tempfile


def main():
    root, bin_dir = sys.argv[1:3]
    with open(os.path.join(root, "README.md")) as f:
        text = f.read()
    blocks = re.findall(r"^```\n\$ (.*?)\n(.*?)^```$", text, re.M | re.S)
    failed = 0
    with tempfile.TemporaryDirectory() as tmp:
        for command, expected in blocks:
            args = [a.replace("build/bin/", bin_dir + "/") for a in command.split()]
            args = [os.path.join(tmp, a) if a == "out.mge" else a for a in args]
            result = subprocess.run(args, capture_output=True, text=True, cwd=root)
            got = result.stdout + result.stderr
            if result.returncode or got.rstrip() != expected.rstrip():
                failed += 1
                print(f"$ {command}\nexit {result.returncode}, prints\n{got}\nthe README says\n{expected}")
    print(f"{len(blocks) - failed} passed, {failed} failed")
    return 1 if failed or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
