#!/usr/bin/env python3
"""Runs a command that must end with the given exit code; passes on what it prints.

usage: exit-code.py CODE COMMAND...
"""
import subprocess
import sys


def main():
    expected = int(sys.argv[1])
    code = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL).returncode
    if code != expected:
        print(f"exit code {code}, expected {expected}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
